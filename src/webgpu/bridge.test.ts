import { expect, test } from "vitest";
import { makeDevice } from "../../test/support/gpu.ts";
import { run } from "../index.ts";
import type { Launch } from "../launch/launch.ts";

const SCALE: Launch = {
  shader: `
    override factor: f32 = 2;
    @group(0) @binding(0) var<storage, read> a: array<f32>;
    @group(0) @binding(1) var<storage, read_write> b: array<f32>;
    @compute @workgroup_size(4) fn scale(@builtin(global_invocation_id) id: vec3u) { b[id.x] = a[id.x] * factor; }
  `,
  workgroups: [1],
  overrides: { factor: 3 },
  buffers: { a: [1, 2, 3, 4] },
  expect: { b: { values: [3, 6, 9, 12] } },
};

test("a launch on a GPU: ours, by its own front door", async () => {
  const result = await run(SCALE, { gpu: await makeDevice() });
  expect(result).toMatchObject({ ok: true, device: "gpu", engine: "gpu" });
  expect(result.buffers.b.values).toEqual([3, 6, 9, 12]);
  expect(result.comparisons).toMatchObject([{ name: "b", ok: true }]);
});

test("steps, repetitions and swaps", async () => {
  const launch: Launch = {
    shader: `
      @group(0) @binding(0) var<storage, read> before: array<u32, 4>;
      @group(0) @binding(1) var<storage, read_write> after: array<u32, 4>;
      @compute @workgroup_size(4) fn next(@builtin(local_invocation_index) i: u32) { after[i] = before[(i + 1) % 4] + 1; }
    `,
    buffers: { before: [10, 20, 30, 40], after: "zeros" },
    steps: [{ entry: "next", workgroups: [1], repeat: 3, swap: ["before", "after"] }],
    read: ["before"],
  };
  const result = await run(launch, { gpu: await makeDevice(), device: "both" });
  expect(result.buffers.before.values).toEqual([43, 13, 23, 33]);
  expect(result).toMatchObject({ ok: true, device: "both" });
  expect(result.comparisons).toMatchObject([{ name: "before on both devices", ok: true, compared: 4 }]);
});

test("immediate data has its contents by the name of the variable", async () => {
  const launch: Launch = {
    shader: `
      requires immediate_address_space;
      var<immediate> add: vec3u;
      @group(0) @binding(0) var<storage, read_write> b: array<u32, 4>;
      @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) { b[i] = i + add[1 + (i & 1)]; }
    `,
    workgroups: [1],
    buffers: { add: [10, 20, 30] },
    expect: { b: [20, 31, 22, 33] },
  };
  const result = await run(launch, { gpu: await makeDevice(), device: "both" });
  expect(result.comparisons.map(({ name, ok }) => [name, ok])).toEqual([
    ["b", true],
    ["b on the GPU", true],
    ["b on both devices", true],
  ]);
});

test("devices that differ: the first element that does is named", async () => {
  const launch: Launch = {
    shader: `
      @group(0) @binding(0) var<storage, read_write> b: array<u32, 4>;
      @compute @workgroup_size(1) fn main() { var i = 9u; b[i] = 7; }
    `,
    workgroups: [1],
  };
  const result = await run(launch, { gpu: await makeDevice({ emulate: "oob=clamp" }), device: "both" });
  expect(result.ok).toBe(false);
  expect(result.comparisons).toMatchObject([
    { name: "b on both devices", ok: false, count: 1, first: { path: "b[3]", expected: 0, actual: 7 } },
  ]);
});

test("what the device refuses is said", async () => {
  const launch: Launch = { shader: "@compute @workgroup_size(512) fn main() {}", workgroups: [1] };
  await expect(
    run(
      { ...launch, shader: "enable f16; @compute @workgroup_size(1) fn main() { _ = 1h; }" },
      { gpu: await makeDevice() },
    ),
  ).rejects.toThrow(/the GPU does not run ‘main’: .*shader-f16/);
});

test("an expectation that is not met has no writer on a GPU", async () => {
  const launch: Launch = { ...SCALE, expect: { b: { values: [3, 6, 9, 13] } } };
  const result = await run(launch, { gpu: await makeDevice() });
  expect(result.comparisons).toMatchObject([{ ok: false, first: { path: "b[3]", actual: 12, writtenBy: null } }]);
});
