import { describe, expect, test } from "vitest";
import { sanitize } from "../index.ts";
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

const doubled = (type: string, contents: NonNullable<Launch["buffers"]>[string], expected = false) =>
  run({
    shader: double.replaceAll("array<u32>", `array<${type}>`).replace("*= 2u", "= data[id.x]"),
    buffers: { data: contents },
    workgroups: [1],
    ...(expected ? { expect: { data: contents as never } } : {}),
  });

describe("numbers of a typed array are those of the type", () => {
  test.each<[string, ArrayBufferView]>([
    ["u32", new Float32Array(4)],
    ["u32", new Int32Array(4)],
    ["u32", new Int16Array(4)],
    ["u32", new Uint16Array(4)],
    ["u32", new Int8Array(4)],
    ["i32", new Uint32Array(4)],
    ["f32", new Int32Array(4)],
    ["f32", new Uint16Array(4)],
    ["vec4f", new Uint32Array(4)],
    ["vec3u", new Float32Array(4)],
  ])("%s: no %o", async (type, contents) => {
    const expected = type.endsWith("f") ? "f32" : type.endsWith("3u") ? "u32" : type;
    const message = `buffers.data: array<${typeNameOf(type)}> takes numbers of type ${expected}, which a ${contents.constructor.name} does not hold; its ‘buffer’ is taken as bytes`;
    await expect(doubled(type, contents)).rejects.toThrow(message);
    await expect(
      sanitize({
        shader: double.replaceAll("array<u32>", `array<${type}>`).replace("*= 2u", "= data[id.x]"),
        buffers: { data: contents },
      }),
    ).rejects.toThrow(message);
    await expect(doubled(type, contents.buffer as ArrayBuffer)).resolves.toMatchObject({ ok: true });
  });

  const typeNameOf = (type: string) => ({ vec4f: "vec4<f32>", vec3u: "vec3<u32>" })[type] ?? type;

  test.each<[string, ArrayBufferView]>([
    ["u32", Uint32Array.of(1, 2)],
    ["i32", Int32Array.of(1, 2)],
    ["f32", Float32Array.of(1, 2)],
    ["vec2f", Float32Array.of(1, 2)],
    ["u32", new Uint8Array(8)],
    ["f32", new Uint8ClampedArray(8)],
    ["f32", new DataView(new ArrayBuffer(8))],
  ])("%s: %o", async (type, contents) => {
    await expect(doubled(type, contents, true)).resolves.toMatchObject({ ok: true });
  });

  test("of several types bytes are as they are", async () => {
    const { buffers } = await run({
      shader: LIST,
      buffers: { list: Float32Array.of(0, 0, 1, 2, 0, 0) },
      workgroups: [1],
    });
    expect(buffers.list.values).toMatchObject({ count: 1, unit: [1, 2] });
  });

  test("also of what is expected", async () => {
    const launch = { shader: double, buffers: { data: Uint32Array.of(1) }, workgroups: [1] };
    await expect(run({ ...launch, expect: { data: Float32Array.of(2) } })).rejects.toThrow(
      "expect.data: array<u32> takes",
    );
  });

  test("of atomics", async () => {
    const shader =
      "@group(0) @binding(0) var<storage, read_write> n: array<atomic<u32>>;\n@compute @workgroup_size(1) fn main() { atomicAdd(&n[0], 1u); }";
    const { buffers } = await run({ shader, buffers: { n: Uint32Array.of(4) }, workgroups: [1] });
    expect(buffers.n.values).toEqual([5]);
    await expect(run({ shader, buffers: { n: Float32Array.of(4) } })).rejects.toThrow("takes numbers of type u32");
  });
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
