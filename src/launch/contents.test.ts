import { expect, test } from "vitest";
import type { Launch } from "./launch.ts";
import { readLaunch } from "./read-launch.ts";
import { run } from "./run.ts";
import { launchText } from "./saved-launch.ts";

const double = `@group(0) @binding(0) var<storage, read_write> data: array<u32>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {
  if id.x < arrayLength(&data) { data[id.x] *= 2u; }
}`;

test.each<[string, NonNullable<Launch["buffers"]>[string]]>([
  ["base64", { bytes: "////////" }],
  ["typed array", new Uint8Array(6)],
  ["typed array of two bytes", new Uint16Array(3)],
  ["array buffer", new ArrayBuffer(7)],
])("a part of an element as %s", async (_, contents) => {
  const running = run({ shader: double, buffers: { data: contents } });
  await expect(running).rejects.toThrow(/^buffers\.data: \d bytes are no whole number of 4-byte words/);
});

test.each<[string, ArrayBufferView]>([
  ["f32", Float32Array.of(1, -0)],
  ["u32", Float32Array.of(1, -0)],
  ["i32", Uint32Array.of(1, 2 ** 31)],
  ["vec2f", Uint32Array.of(0x3f800000, 0x80000000)],
  ["atomic<u32>", Float32Array.of(1, -0)],
])("%s: a typed array is its bytes", async (type, contents) => {
  const { buffers } = await run({
    shader: `@group(0) @binding(0) var<storage, read_write> data: array<${type}>; @compute @workgroup_size(1) fn main() { _ = &data; }`,
    buffers: { data: contents },
    workgroups: [1],
  });
  expect(buffers.data.bytes).toEqual(new Uint8Array(contents.buffer));
});

test("an odd number of f16", async () => {
  const shader = double.replaceAll("u32", "f16").replace(/^/, "enable f16;").replace("2u", "2h");
  const { buffers } = await run({ shader, buffers: { data: Uint16Array.of(0x3c00, 0x4000, 0x4200) } });
  expect((buffers.data.values as number[]).slice(0, 3)).toEqual([2, 4, 6]);
});

const LIST = `struct List { count: u32, unit: vec2f, values: array<u32> }
@group(0) @binding(0) var<storage, read_write> list: List;
@compute @workgroup_size(1) fn main() { list.count += 1u; }`;

test.each<[string, NonNullable<Launch["buffers"]>[string]]>([
  ["by name", { count: 4, unit: [1, 2], values: [7, 8] }],
  ["with what would be a form beside a member", { count: 4, values: [7, 8] }],
  ["as a form", { values: { count: 4, values: [7, 8] } }],
])("members of a structure in code: %s", async (_, contents) => {
  const { buffers, launch } = await run({ shader: LIST, buffers: { list: contents }, workgroups: [1] });
  expect(buffers.list.values).toMatchObject({ count: 5, values: [7, 8] });
  // What is saved is a launch file that says the same.
  const read = readLaunch(launchText({ ...launch, shader: "list.wgsl" }));
  expect(read.diagnostics).toEqual([]);
  const again = await run({ ...read.launch, shader: LIST });
  expect(again.buffers.list.bytes).toEqual(buffers.list.bytes);
});
