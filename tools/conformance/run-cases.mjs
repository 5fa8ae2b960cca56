// The child of run.mjs: runs cases of the suite in this process and tells of each on file descriptor 3, written at once,
// so that nothing is lost when the process goes down.
import { writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { register } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { watchBeyond } from "./beyond.mjs";

/** More than this, and another child goes on. */
const MOST_BYTES = 2 ** 31;

const { cts, gpu: gpuName, prefixes, files, from } = JSON.parse(process.argv[2]);
const tell = (event) => writeSync(3, `${JSON.stringify(event)}\n`);

register("./load-suite.mjs", import.meta.url);
const source = (path) => import(pathToFileURL(join(cts, "src", path)).href);
const { create, globals } = await import(gpuName === "dawn" ? "webgpu" : "../../dist/gpu.js");
for (const [name, value] of Object.entries(globals)) {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
}
const { setGPUProvider } = await source("common/util/navigator_gpu.ts");
const { globalTestConfig } = await source("common/framework/test_config.ts");
const { dataCache } = await source("common/framework/data_cache.ts");
const { Logger } = await source("common/internal/logging/logger.ts");
const { TestQuerySingleCase } = await source("common/internal/query/query.ts");
const { DevicePool } = await source("webgpu/util/device_pool.ts");
// Tables of expected values; what a checkout lacks is computed.
dataCache.setStore({ load: (path) => readFile(join(cts, "src/resources/cache", path)) });
let told = 0;
globalTestConfig.testHeartbeatCallback = () => {
  if (Date.now() - told < 1000) return;
  told = Date.now();
  tell({ kind: "alive" });
};
throwWhatIsLeft();
const flags = gpuName === "dawn" ? ["adapter=SwiftShader"] : { engine: gpuName === "halay" ? "wasm" : "interpreter" };
const gpu = create(flags);
setGPUProvider(() => gpu);
const beyond = watchBeyond(globals);

for (const [index, { file, most }] of files.entries()) {
  const cases = await casesOf(file);
  const chosen = spread(cases, Number(most));
  tell({ kind: "file", file, cases: chosen.length });
  for (let at = index === 0 ? from : 0; at < chosen.length; at++) {
    if (process.memoryUsage.rss() > MOST_BYTES) {
      tell({ kind: "full", index, at });
      process.exit(0);
    }
    await runCase(chosen[at], index, at);
  }
}
tell({ kind: "all" });
process.exit(0);

async function casesOf(file) {
  const { g } = await source(`webgpu/${file.split(",").join("/")}.spec.ts`);
  const found = [];
  for (const test of g.iterate()) {
    for (const each of test.iterate(null)) {
      const query = new TestQuerySingleCase("webgpu", file.split(","), test.testPath, each.id.params);
      const text = query.toString();
      const isAsked = prefixes.length === 0 || prefixes.some((prefix) => text.startsWith(`webgpu:${prefix}`));
      if (isAsked) found.push({ query, text, each });
    }
  }
  return found;
}

/** An even spread, so that every test of the file is met. */
function spread(cases, most) {
  if (cases.length <= most) return cases;
  return Array.from({ length: most }, (_, i) => cases[Math.floor(((i + 0.5) * cases.length) / most)]);
}

async function runCase({ query, text, each }, index, at) {
  tell({ kind: "begin", index, at, query: text });
  beyond.take();
  const [recorder, result] = new Logger().record(text);
  await each.run(recorder, query, []);
  const reasons = beyond.take();
  const logs = (result.logs ?? []).filter(({ name }) => /FAILED|EXCEPTION|SKIP/.test(name));
  const message = logs.map(({ name, message: said }) => `${name}: ${said}`.slice(0, 400))[0];
  tell({ kind: "end", verdict: verdictOf(result.status, reasons), message });
}

/** A case may ask for what is beyond halay and pass, where the suite expects an error of it. */
function verdictOf(status, reasons) {
  if (status === "skip") return "skip";
  if (status === "pass" || status === "warn") return "pass";
  return reasons.length > 0 ? "beyond" : "fail";
}

/**
 * Since gpuweb/cts#4467 the suite drops the errors that are left at the end of a case, so that a call that must succeed may
 * fail; they are thrown again.
 */
function throwWhatIsLeft() {
  const { release } = DevicePool.prototype;
  DevicePool.prototype.release = async function (holder) {
    const left = [];
    const { endTestScope } = Object.getPrototypeOf(holder);
    holder.endTestScope = async () => {
      try {
        return await endTestScope.call(holder);
      } catch (error) {
        left.push(error);
        throw error;
      } finally {
        delete holder.endTestScope;
      }
    };
    await release.call(this, holder);
    if (left.length > 0) throw left[0];
    const { lostInfo, expectedLostReason: expected } = holder;
    if (lostInfo?.reason === expected) return;
    if (expected !== undefined) throw new Error(`the device was to be lost (${expected}), not ${lostInfo?.reason}`);
    if (lostInfo !== undefined && lostInfo.reason !== "destroyed")
      throw new Error(`the device is lost: ${lostInfo.message}`);
  };
}
