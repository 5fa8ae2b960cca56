// What the suite asks a front end: each distinct source with the verdict that the suite expects.
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { register } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { FEATURES, GLOBALS, recordingGpu } from "./recording-gpu.mjs";

/** Features that an `enable` directive hangs on: a device without one of them matters to a verdict. */
const WGSL_FEATURES = FEATURES.filter((name) => /^(?!.*texture)(shader|subgroup|clip|dual|primitive)/.test(name));

/**
 * Runs the spec files under `src/webgpu/…` of a checkout whose path begins with `prefix` (`shader,validation`), calling
 * `onCase({ query, source, ok, pipeline, features })` for each distinct one. `pipeline`: null, or entry point and
 * constants of a compute pipeline. Takes minutes for all of `shader,validation`.
 */
export async function collect(checkout, prefix, languageFeatures, onCase) {
  register("./load-suite.mjs", import.meta.url);
  const source = (path) => import(pathToFileURL(join(checkout, "src", path)).href);
  Object.assign(globalThis, GLOBALS);
  const { setGPUProvider } = await source("common/util/navigator_gpu.ts");
  const { getDefaultLimits } = await source("webgpu/capability_info.ts");
  const { Logger } = await source("common/internal/logging/logger.ts");
  const { TestQuerySingleCase } = await source("common/internal/query/query.ts");
  const { stringifyPublicParams } = await source("common/internal/query/stringify_params.ts");
  const { GPUTestBase } = await source("webgpu/gpu_test.ts");
  const { dataCache } = await source("common/framework/data_cache.ts");
  // Tables that were computed before may lack; what lacks is computed.
  dataCache.setStore({ load: () => Promise.reject(new Error("no tables")) });

  let caseQuery = "";
  let expected = null;
  watchExpectations(GPUTestBase, (test, shouldError) => {
    const outer = expected;
    expected = { shouldError, query: `${caseQuery}${stringifyPublicParams(test.params)}` };
    return () => {
      expected = outer;
    };
  });
  const seen = new Set();
  const onCall = ({ code, pipeline, features }) => {
    const lacks = /\benable\b/.test(code) ? WGSL_FEATURES.filter((name) => !features.has(name)) : [];
    const ok = !(expected?.shouldError ?? false);
    if (!isDistinct(seen, [code, pipeline === null ? "" : constantsText(pipeline), String(lacks), String(ok)])) return;
    const available = FEATURES.filter((name) => !lacks.includes(name));
    onCase({ query: expected?.query ?? caseQuery, source: code, ok, pipeline, features: available });
  };
  const limits = Object.fromEntries(
    Object.entries(getDefaultLimits("core")).map(([name, { default: d }]) => [name, d]),
  );
  setGPUProvider(() => recordingGpu(limits, languageFeatures, () => expected ?? { shouldError: false }, onCall));

  const logger = new Logger();
  for (const file of specFiles(join(checkout, "src/webgpu"), prefix)) {
    const { g } = await source(`webgpu/${file.join("/")}.spec.ts`);
    for (const test of g.iterate()) {
      for (const each of test.iterate(null)) {
        caseQuery = `webgpu:${file.join(",")}:${test.testPath.join(",")}:`;
        const [recorder] = logger.record(caseQuery);
        await each.run(recorder, new TestQuerySingleCase("webgpu", file, test.testPath, each.id.params), []);
        logger.results.clear();
      }
    }
  }
}

/** Calls `begin(test, shouldError)` around what a test says must, or must not, be an error. */
function watchExpectations({ prototype }, begin) {
  for (const [method, at] of [
    ["expectGPUError", 1],
    ["expectValidationError", 0],
  ]) {
    const original = prototype[method];
    prototype[method] = function (...args) {
      const call = args[at];
      const isValidation = at === 0 || args[0] === "validation";
      const end = begin(this, (args[at + 1] ?? true) && isValidation);
      args[at] = () => call();
      try {
        return original.apply(this, args);
      } finally {
        end();
      }
    };
  }
}

function isDistinct(seen, parts) {
  const key = createHash("sha1").update(parts.join("\0")).digest("latin1");
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

/** JSON has no NaN and no infinities. */
function constantsText({ entryPoint, constants }) {
  return JSON.stringify([entryPoint, Object.entries(constants ?? {}).map(([name, value]) => [name, String(value)])]);
}

/** Paths below `directory`, each a list of names without the ending. */
function specFiles(directory, prefix) {
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".spec.ts"))
    .map((path) => path.slice(0, -".spec.ts".length).split(/[\\/]/));
  return files.filter((file) => file.join(",").startsWith(prefix)).sort((a, b) => (a.join() < b.join() ? -1 : 1));
}
