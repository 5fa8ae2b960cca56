/** Run by `test/webgpu/vitest-setup.test.ts`, with `halay/vitest/setup`: half of these have to fail. */
import { expect, test } from "vitest";

test("right", async () => {
  await sum("workgroupBarrier();");
});

test("races", async () => {
  await sum("");
});

test("races, which is allowed", async () => {
  halay.allow("race-workgroup", "it is what this test shows");
  await sum("");
});

test("right, with the matcher", async () => {
  await expect(await sum("workgroupBarrier();")).toHaveNoFindings();
});

test("races, with the matcher", async () => {
  await expect(await sum("")).toHaveNoFindings();
});

test("races, with the opposite of the matcher", async () => {
  await expect(await sum("")).not.toHaveNoFindings();
});

test("launch as expected", async () => {
  await expect(iota([0, 1, 2, 3])).toRunAsExpected();
});

test("launch not as expected", async () => {
  await expect(iota([0, 1, 2, 4])).toRunAsExpected();
});

/** Dispatches a sum of 64 values, with a barrier before the reads or none. */
async function sum(barrier: string): Promise<GPUDevice> {
  const code = `
    @group(0) @binding(0) var<storage, read_write> total: u32;
    var<workgroup> values: array<u32, 64>;
    @compute @workgroup_size(64) fn add(@builtin(local_invocation_index) i: u32) {
      values[i] = i;
      ${barrier}
      if i == 0 { for (var k = 0u; k < 64; k++) { total += values[k]; } }
    }`;
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter!.requestDevice();
  const module = device.createShaderModule({ code });
  const pipeline = device.createComputePipeline({ layout: "auto", compute: { module } });
  const buffer = device.createBuffer({ size: 4, usage: GPUBufferUsage.STORAGE });
  const layout = pipeline.getBindGroupLayout(0);
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, device.createBindGroup({ layout, entries: [{ binding: 0, resource: buffer }] }));
  pass.dispatchWorkgroups(1);
  pass.end();
  device.queue.submit([encoder.finish()]);
  return device;
}

/** A launch that writes 0, 1, 2, 3. */
function iota(expected: readonly number[]) {
  const shader = `
    @group(0) @binding(0) var<storage, read_write> b: array<u32, 4>;
    @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) { b[i] = i; }`;
  return { shader, workgroups: [1] as [number], expect: { b: expected } };
}
