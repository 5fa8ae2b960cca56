/** Run by `test/webgpu/vitest-setup.test.ts`, with `halay/vitest/setup`: what WebGPU refuses makes tests fail, if nobody captures it. */
import { afterAll, describe, expect, test } from "vitest";

test("a shader that is illegal", async () => {
  await fill({ code: CODE.replace("id.x", "id.q") });
});

test("right, after an error", async () => {
  await fill();
});

test("a bind group that is forgotten", async () => {
  const device = await fill({ isBound: false });
  await device.queue.onSubmittedWorkDone();
});

test("an offset that is not aligned", async () => {
  await fill({ offset: 100 });
});

test("an error, and then the device is destroyed", async () => {
  (await fill({ offset: 100 })).destroy();
});

test("an error with the matcher", async () => {
  await expect(await fill({ offset: 100 })).toHaveNoFindings();
});

test("drawing", async () => {
  const device = await makeDevice();
  const module = device.createShaderModule({
    code: "@vertex fn main() -> @builtin(position) vec4f { return vec4f(); }",
  });
  device.createRenderPipeline({ layout: "auto", vertex: { module } });
});

test("an error that a listener only looks at", async () => {
  const device = await makeDevice();
  const messages: string[] = [];
  device.addEventListener("uncapturederror", ({ error }) => messages.push(error.message));
  await fill({ device, offset: 100 });
});

test("an error in a scope", async () => {
  const device = await makeDevice();
  device.pushErrorScope("validation");
  await fill({ device, offset: 100 });
  expect((await device.popErrorScope())!.message).toContain("100");
});

test("an error in a scope for others", async () => {
  const device = await makeDevice();
  device.pushErrorScope("out-of-memory");
  await fill({ device, offset: 100 });
  expect(await device.popErrorScope()).toBeNull();
});

test("an error that a listener prevents", async () => {
  const device = await makeDevice();
  device.addEventListener("uncapturederror", (event) => event.preventDefault());
  await fill({ device, offset: 100 });
});

test("an error that ‘onuncapturederror’ prevents", async () => {
  const device = await makeDevice();
  device.onuncapturederror = (event) => event.preventDefault();
  await fill({ device, offset: 100 });
});

describe("hooks", () => {
  afterAll(async () => {
    await fill({ offset: 512 });
  });

  test("right, before a hook that is wrong", () => fill());
});

const CODE = `
  @group(0) @binding(0) var<storage, read_write> a: array<u32>;
  @compute @workgroup_size(64) fn fill(@builtin(global_invocation_id) id: vec3u) { a[id.x] = id.x; }`;

async function makeDevice(): Promise<GPUDevice> {
  const adapter = await navigator.gpu.requestAdapter();
  return adapter!.requestDevice();
}

interface Variation {
  readonly device?: GPUDevice;
  readonly code?: string;
  readonly isBound?: boolean;
  readonly offset?: number;
}

async function fill({ device: given, code = CODE, isBound = true, offset = 0 }: Variation = {}): Promise<GPUDevice> {
  const device = given ?? (await makeDevice());
  const module = device.createShaderModule({ code });
  const pipeline = device.createComputePipeline({ layout: "auto", compute: { module } });
  const buffer = device.createBuffer({ size: 512, usage: GPUBufferUsage.STORAGE });
  const layout = pipeline.getBindGroupLayout(0);
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  if (isBound) {
    const entries = [{ binding: 0, resource: { buffer, offset } }];
    pass.setBindGroup(0, device.createBindGroup({ layout, entries }));
  }
  pass.dispatchWorkgroups(1);
  pass.end();
  device.queue.submit([encoder.finish()]);
  return device;
}
