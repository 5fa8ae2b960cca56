// From nothing to the first result, each time in a process of its own: `create()`, a device, a pipeline, a dispatch, its
// buffer read back. As a program (`node bench/startup.mjs NAME`) it is one such process and prints its times.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { markdown, median, number } from "./report.mjs";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/lib/chromium";
const DRIVER = {
  XDG_RUNTIME_DIR: "/tmp",
  VK_DRIVER_FILES: join(CHROMIUM, "vk_swiftshader_icd.json"),
  LD_LIBRARY_PATH: CHROMIUM,
};
const ROUNDS = 15;

/** Where `create` and `globals` come from, and what it is given. */
const GPUS = {
  halay: { module: "../dist/gpu.js", options: {} },
  "halay, sanitize": { module: "../dist/gpu.js", options: { sanitize: true } },
  "Dawn on SwiftShader": { module: "webgpu", options: ["adapter=SwiftShader"], env: DRIVER },
};

export function startupTable() {
  const rows = Object.entries(GPUS).flatMap(([name, { env = {} }]) => {
    if (env.VK_DRIVER_FILES !== undefined && !existsSync(env.VK_DRIVER_FILES)) return [];
    const times = Array.from({ length: ROUNDS }, () => inProcess(name, env));
    return [[name, ...[0, 1, 2, 3].map((at) => number(median(times.map((each) => each[at]))))]];
  });
  return `Milliseconds, medians of ${ROUNDS} processes.

${markdown(["GPU", "import", "create() to the first result", "the second", "whole process"], rows)}`;
}

function inProcess(name, env) {
  const start = performance.now();
  const { stdout } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), name], {
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  return [...JSON.parse(stdout), performance.now() - start];
}

const CODE = `
  @group(0) @binding(0) var<storage, read_write> b: array<u32>;
  @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { b[id.x] += id.x; }`;

/** All of them are held: Dawn's are gone too early otherwise. */
async function deviceOf(gpu) {
  const adapter = await gpu.requestAdapter();
  return { gpu, adapter, device: await adapter.requestDevice() };
}

async function result({ device }) {
  const module = device.createShaderModule({ code: CODE });
  const pipeline = device.createComputePipeline({ layout: "auto", compute: { module } });
  const buffer = device.createBuffer({ size: 256, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
  const read = device.createBuffer({ size: 256, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const entries = [{ binding: 0, resource: { buffer } }];
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
  pass.dispatchWorkgroups(1);
  pass.end();
  encoder.copyBufferToBuffer(buffer, 0, read, 0, 256);
  device.queue.submit([encoder.finish()]);
  await read.mapAsync(GPUMapMode.READ);
  const last = new Uint32Array(read.getMappedRange())[63];
  if (last !== 63) throw new Error(`${last} is not 63`);
}

async function main({ module, options }) {
  const times = [performance.now()];
  const { create, globals } = await import(module);
  Object.assign(globalThis, globals);
  times.push(performance.now());
  const held = await deviceOf(create(options));
  await result(held);
  times.push(performance.now());
  await result(held);
  times.push(performance.now());
  console.log(JSON.stringify(times.slice(1).map((time, i) => time - times[i])));
  // Dawn's threads would keep the process alive; ours do not, and the whole process shows it.
  if (module === "webgpu") process.exit(0);
}

const [, script, name] = process.argv;
if (script === fileURLToPath(import.meta.url)) await main(GPUS[name]);
