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
import { create, globals } from "webgpu";
import { makeBuffer, readValue } from "./oracle/bytes.mjs";
import { readDeclarations } from "./oracle/declarations.mjs";

const CHROMIUM = "/usr/lib/chromium";

/** Examples that show a fault: whether they give what they should depends on the schedule, so it is shown, not judged. */
const FAULTY = new Set(["pool-unsafe"]);

const { GPUBufferUsage, GPUMapMode } = globals;
const USAGE =
  GPUBufferUsage.STORAGE |
  GPUBufferUsage.UNIFORM |
  GPUBufferUsage.INDIRECT |
  GPUBufferUsage.COPY_SRC |
  GPUBufferUsage.COPY_DST;

/** Kept: a device whose GPU object was collected crashes the process. */
let gpu = null;

/** A device on SwiftShader; null where the driver cannot be loaded. */
export async function openDevice() {
  gpu ??= create(["adapter=SwiftShader"]);
  const adapter = await gpu.requestAdapter();
  return adapter?.requestDevice() ?? null;
}

/** The dispatches of a launch, each with its source, declarations and the buffer behind each variable it uses. */
function planSteps(launch, folder) {
  const steps = launch.steps ?? [{ entry: launch.entry, workgroups: launch.workgroups }];
  return steps.map(({ shader = launch.shader, entry, workgroups, bind = {}, ...unknown }) => {
    if (Object.keys(unknown).length > 0) throw new Error(`not supported in a step: ${Object.keys(unknown)}`);
    const code = readFileSync(join(folder, shader), "utf8");
    const { bindings, entryPoints } = readDeclarations(code);
    const { uses } = entryPoints.find(({ name }) => name === entry);
    const used = bindings.filter(({ name }) => uses.has(name));
    return {
      code,
      entry,
      workgroups,
      bindings: used.map((binding) => ({ ...binding, buffer: bind[binding.name] ?? binding.name })),
    };
  });
}

function makeBuffers(device, launch, steps) {
  const buffers = new Map();
  for (const { buffer: name, type, writable } of steps.flatMap((step) => step.bindings)) {
    if (buffers.has(name)) continue;
    const spec = launch.buffers?.[name] ?? (writable ? "zeros" : null);
    if (spec === null) throw new Error(`‘${name}’ is not filled`);
    const { type: sizedType, bytes } = makeBuffer(type, spec);
    const buffer = device.createBuffer({ size: bytes.length, usage: USAGE });
    device.queue.writeBuffer(buffer, 0, bytes);
    buffers.set(name, { type: sizedType, buffer });
  }
  const strangers = [...Object.keys(launch.buffers ?? {}), ...Object.keys(launch.expect ?? {})];
  for (const name of strangers) if (!buffers.has(name)) throw new Error(`no dispatch uses a buffer ‘${name}’`);
  return buffers;
}

async function makePipeline(device, { code, entry }, constants) {
  const module = device.createShaderModule({ code });
  const { messages } = await module.getCompilationInfo();
  if (messages.length > 0) throw new Error(messages.map((m) => `${m.lineNum}:${m.linePos} ${m.message}`).join("\n"));
  return device.createComputePipelineAsync({ layout: "auto", compute: { module, entryPoint: entry, constants } });
}

async function dispatch(device, step, buffers, constants) {
  const pipeline = await makePipeline(device, step, constants);
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  for (const group of new Set(step.bindings.map((binding) => binding.group))) {
    const entries = step.bindings
      .filter((binding) => binding.group === group)
      .map(({ binding, buffer }) => ({ binding, resource: { buffer: buffers.get(buffer).buffer } }));
    pass.setBindGroup(group, device.createBindGroup({ layout: pipeline.getBindGroupLayout(group), entries }));
  }
  if (Array.isArray(step.workgroups)) pass.dispatchWorkgroups(...step.workgroups);
  else pass.dispatchWorkgroupsIndirect(buffers.get(step.workgroups.indirect).buffer, step.workgroups.offset ?? 0);
  pass.end();
  device.queue.submit([encoder.finish()]);
}

async function readBack(device, { type, buffer }) {
  const staging = device.createBuffer({ size: buffer.size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, buffer.size);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(GPUMapMode.READ);
  const bytes = new Uint8Array(staging.getMappedRange().slice(0));
  staging.destroy();
  return { type, bytes, values: readValue(new DataView(bytes.buffer), type) };
}

/**
 * Runs the launch file and reads every buffer back.
 * @returns {Promise<{ launch: object, buffers: Record<string, { type: object, bytes: Uint8Array, values: unknown }> }>}
 * @throws Error for a shader that does not compile, a validation error, and launch features that it does not know
 */
export async function runOnDawn(device, path) {
  const launch = JSON.parse(readFileSync(path, "utf8"));
  const steps = planSteps(launch, dirname(path));
  device.pushErrorScope("validation");
  const buffers = makeBuffers(device, launch, steps);
  for (const step of steps) await dispatch(device, step, buffers, launch.overrides);
  const error = await device.popErrorScope();
  if (error) throw new Error(error.message);
  const read = {};
  for (const [name, entry] of buffers) {
    read[name] = await readBack(device, entry);
    entry.buffer.destroy();
  }
  return { launch, buffers: read };
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
