/** What shows only in a process of its own: how it starts, what it keeps, that it ends. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { root } from "../house/tree.ts";
import { compileSources } from "../support/compiled.ts";

beforeAll(compileSources, 120_000);

const GPU = pathToFileURL(join(root, "dist/gpu.js")).href;
const AUTO = pathToFileURL(join(root, "dist/gpu-auto.js")).href;

/** What a program prints; it fails if the program does not end. */
function run(program: string, flags: readonly string[] = []): string {
  const args = [...flags, "--input-type=module", "-e", program];
  return execFileSync(process.execPath, args, { encoding: "utf8", timeout: 60_000, stdio: ["ignore", "pipe", "pipe"] });
}

const SUM = `
  const module = device.createShaderModule({ code: \`
    @group(0) @binding(0) var<storage, read_write> b: array<u32>;
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { b[id.x] += id.x; }\` });
  const pipeline = device.createComputePipeline({ layout: "auto", compute: { module } });
  const size = 64 * 4;
  const b = device.createBuffer({ size, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
  const read = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [{ binding: 0, resource: b }] });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(1);
  pass.end();
  encoder.copyBufferToBuffer(b, read);
  device.queue.submit([encoder.finish()]);
  await read.mapAsync(GPUMapMode.READ);
  const words = new Uint32Array(read.getMappedRange());
`;

test("a program with the engine's threads ends by itself", () => {
  const program = `
    await import("${AUTO}");
    const device = await (await navigator.gpu.requestAdapter()).requestDevice();
    ${SUM}
    console.log(words[63], typeof GPUDevice);
  `;
  expect(run(program)).toBe("63 function\n");
});

test("a thousand devices, destroyed or forgotten, leave nothing behind", () => {
  const program = `
    import { create, globals } from "${GPU}";
    Object.assign(globalThis, globals);
    const gpu = create({ workers: 1 });
    async function use(i) {
      const device = await (await gpu.requestAdapter()).requestDevice();
      if (i % 10 === 0) {
        ${SUM}
        if (words[63] !== 63) throw new Error("wrong");
      }
      const big = device.createBuffer({ size: 4 << 20, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST });
      device.queue.writeBuffer(big, 0, new Uint8Array(4));
      await device.queue.onSubmittedWorkDone();
      if (i % 2 === 0) device.destroy();
    }
    const settle = async () => {
      for (let i = 0; i < 5; i++) { gc(); await new Promise((resolve) => setTimeout(resolve, 20)); }
      return process.memoryUsage();
    };
    for (let i = 0; i < 100; i++) await use(i);
    const before = await settle();
    for (let i = 0; i < 900; i++) { await use(i); if (i % 50 === 0) await settle(); }
    const after = await settle();
    console.log(Math.round((after.heapUsed - before.heapUsed) / 1e6), Math.round((after.rss - before.rss) / 1e6));
  `;
  const [heap, whole] = run(program, ["--expose-gc"]).trim().split(" ").map(Number);
  expect(heap).toBeLessThan(10);
  // 900 devices had 4 MB each.
  expect(whole).toBeLessThan(600);
}, 120_000);
