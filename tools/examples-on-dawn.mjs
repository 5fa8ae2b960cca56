// Runs launch files on Dawn with SwiftShader, a GPU in software, and compares the results with what they expect.
//
//   node tools/examples-on-dawn.mjs [LAUNCH…]        default: examples/*.launch.json
//
// Exit 1 if a result differs. Vulkan's loader and SwiftShader are taken from Debian's chromium package unless
// VK_DRIVER_FILES names another driver. As a module: `runOnDawn(device, path)` and `differences`.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeBuffer, readValue } from "./oracle/bytes.mjs";
import { openDevice, runLaunchOnDawn } from "./oracle/dawn.mjs";

const CHROMIUM = "/usr/lib/chromium";

/** Examples that show a fault: whether they give what they should depends on the schedule, so it is shown, not judged. */
const FAULTY = new Set(["pool-unsafe"]);

/** Runs the launch file and reads every buffer back. */
export async function runOnDawn(device, path) {
  const launch = JSON.parse(readFileSync(path, "utf8"));
  return runLaunchOnDawn(device, launch, (shader) => readFileSync(join(dirname(path), shader), "utf8"));
}

/** Rounds expected values as the buffer does: 0.1 becomes the f32 nearest to it. */
function asStored(type, values) {
  const { type: storedType, bytes } = makeBuffer(type.kind === "list" ? { ...type, count: null } : type, { values });
  return readValue(new DataView(bytes.buffer), storedType);
}

/** What is not as the launch expects, one sentence per buffer; empty if all is. */
export function differences({ launch, buffers }) {
  if (Object.values(launch.tolerance ?? {}).some((bound) => bound > 0)) throw new Error("tolerances are not supported");
  const found = [];
  for (const [name, { values, unordered, count }] of Object.entries(launch.expect ?? {})) {
    let actual = buffers[name].values;
    if (count !== undefined) {
      const [buffer, ...members] = count.split(".");
      actual = actual.slice(
        0,
        members.reduce((value, member) => value[member], buffers[buffer].values),
      );
    }
    const [left, right] = [asStored(buffers[name].type, values), actual].map((list) =>
      JSON.stringify(unordered ? list.map((element) => JSON.stringify(element)).sort() : list),
    );
    if (left !== right) found.push(`‘${name}’ is ${JSON.stringify(actual)}, expected ${JSON.stringify(values)}`);
  }
  return found;
}

async function main(paths) {
  const device = await openDevice();
  if (device === null) {
    console.error(`no SwiftShader: install chromium, or set VK_DRIVER_FILES to its vk_swiftshader_icd.json`);
    return 2;
  }
  let failed = 0;
  for (const path of paths) {
    const name = basename(path, ".launch.json");
    const found = await runOnDawn(device, path).then(differences, (error) => [error.message]);
    const verdict = found.length === 0 ? "ok" : FAULTY.has(name) ? "shows its fault" : "WRONG";
    console.log([`${verdict.padEnd(16)}${name}`, ...found.map((line) => line.slice(0, 400))].join("\n    "));
    if (verdict === "WRONG") failed++;
  }
  console.log(`${paths.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/** The dynamic loader reads its path once, when a process starts: a second process starts with the right one. */
function restartWithDriver() {
  const driver = { VK_DRIVER_FILES: join(CHROMIUM, "vk_swiftshader_icd.json"), LD_LIBRARY_PATH: CHROMIUM };
  const env = { XDG_RUNTIME_DIR: "/tmp", ...process.env, ...driver };
  const { status } = spawnSync(process.execPath, process.argv.slice(1), { env, stdio: "inherit" });
  return status ?? 2;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = fileURLToPath(new URL("../examples", import.meta.url));
  const all = readdirSync(folder).filter((file) => file.endsWith(".launch.json"));
  const paths = process.argv.length > 2 ? process.argv.slice(2) : all.map((file) => join(folder, file));
  // Dawn's threads would keep the process alive.
  process.exit(process.env.VK_DRIVER_FILES ? await main(paths) : restartWithDriver());
}
