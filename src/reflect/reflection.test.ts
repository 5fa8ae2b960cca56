import { describe, expect, test } from "vitest";
import { analyze } from "../analysis/analyze.ts";
import type { OverrideValues } from "../analysis/overrides.ts";
import { Source } from "../text/source.ts";
import { reflect } from "./reflection.ts";

function of(text: string, overrides?: OverrideValues) {
  const program = analyze(new Source(text, "a.wgsl"));
  expect(program.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return reflect(program, overrides);
}

const f32 = { type: "f32", size: 4, align: 4 };
const vec3 = { type: "vec3<f32>", size: 12, align: 16 };

test("the whole of a small module", () => {
  expect(
    of(`
enable f16;
requires packed_4x8_integer_dot_product;
struct P { at: vec3f, w: f32 }
@group(0) @binding(1) var<storage, read_write> ps: array<P>;
@group(0) @binding(0) var<uniform> gain: f32;
var<workgroup> tile: array<u32, 6>;
@compute @workgroup_size(8, 4) fn main(@builtin(local_invocation_index) i: u32) { tile[i] = u32(ps[i].w * gain); }`),
  ).toEqual({
    version: 1,
    path: "a.wgsl",
    entryPoints: [
      {
        name: "main",
        stage: "compute",
        workgroupSize: [8, 4, 1],
        overrides: [],
        bindings: ["0.0", "0.1"],
        workgroupVariables: ["tile"],
        workgroupBytes: 32,
        builtins: ["local_invocation_index"],
        accesses: [
          expect.objectContaining({ variable: "tile", addressSpace: "workgroup", kind: "write" }),
          expect.objectContaining({ variable: "ps", addressSpace: "storage", kind: "read" }),
          expect.objectContaining({ variable: "gain", addressSpace: "uniform", kind: "read" }),
        ],
      },
    ],
    bindings: [
      { group: 0, binding: 0, name: "gain", kind: "uniform", type: "f32", layout: f32, minBindingSize: 4 },
      {
        group: 0,
        binding: 1,
        name: "ps",
        kind: "storage",
        type: "array<P>",
        layout: expect.objectContaining({ type: "array<P>", size: 0, align: 16, stride: 16, runtimeSized: true }),
        minBindingSize: 16,
      },
    ],
    workgroupVariables: [
      {
        name: "tile",
        type: "array<u32, 6>",
        layout: { type: "array<u32, 6>", size: 24, align: 4, stride: 4, element: { type: "u32", size: 4, align: 4 } },
      },
    ],
    structs: {
      P: {
        type: "P",
        size: 16,
        align: 16,
        members: [
          { name: "at", offset: 0, size: 12, align: 16, type: "vec3<f32>", layout: vec3 },
          { name: "w", offset: 12, size: 4, align: 4, type: "f32", layout: f32 },
        ],
      },
    },
    overrides: [],
    enables: ["f16"],
    requires: ["packed_4x8_integer_dot_product"],
  });
});

test("kinds of bindings", () => {
  const { bindings } = of(`
@group(0) @binding(0) var<uniform> a: vec4f;
@group(0) @binding(1) var<storage> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> c: array<u32>;
@group(0) @binding(3) var d: sampler;
@group(0) @binding(4) var e: texture_2d<f32>;
@group(0) @binding(5) var f: texture_storage_2d<rgba8unorm, write>;
@group(0) @binding(6) var g: texture_depth_2d;
@group(0) @binding(7) var h: sampler_comparison;`);
  expect(bindings.map(({ kind }) => kind)).toEqual([
    "uniform",
    "read-only-storage",
    "storage",
    "sampler",
    "texture",
    "storage-texture",
    "texture",
    "sampler",
  ]);
  expect(bindings[3]).toMatchObject({ layout: null, minBindingSize: null, type: "sampler" });
});

describe("overrides", () => {
  const text = `
@id(7) override size: u32;
override twice = size * 2u;
override on = true;
override gain: f32 = 0.5;
var<workgroup> tile: array<u32, twice>;
@compute @workgroup_size(size, twice) fn main() { if on { tile[0] = u32(gain); } }
@compute @workgroup_size(1) fn other() { }`;

  test("without a value what hangs on it is not known", () => {
    const { entryPoints, overrides, workgroupVariables } = of(text);
    expect(overrides).toEqual([
      { name: "size", id: 7, type: "u32", default: null },
      { name: "twice", id: null, type: "u32", default: null },
      { name: "on", id: null, type: "bool", default: true },
      { name: "gain", id: null, type: "f32", default: 0.5 },
    ]);
    expect(entryPoints[0]).toMatchObject({ workgroupSize: null, workgroupBytes: null });
    expect(entryPoints[1]).toMatchObject({ workgroupSize: [1, 1, 1], workgroupBytes: 0, overrides: [] });
    expect(workgroupVariables[0]).toMatchObject({ type: "array<u32, twice>", layout: null });
  });

  test("with a value it is, and defaults stay what they are", () => {
    const { entryPoints, overrides, workgroupVariables } = of(text, { 7: 4, gain: 2 });
    expect(entryPoints[0]).toMatchObject({ workgroupSize: [4, 8, 1], workgroupBytes: 32 });
    expect(workgroupVariables[0]).toMatchObject({ type: "array<u32, 8>", layout: { size: 32 } });
    expect(overrides[3]).toMatchObject({ name: "gain", default: 0.5 });
    expect(overrides[1]).toMatchObject({ name: "twice", default: null });
  });
});

test("builtin values of structures and of the result", () => {
  const { entryPoints } = of(`
struct In { @builtin(vertex_index) i: u32, @location(0) x: f32 }
struct Out { @builtin(position) at: vec4f, @location(0) x: f32 }
@vertex fn main(a: In, @builtin(instance_index) k: u32) -> Out { return Out(); }`);
  expect(entryPoints[0]).toMatchObject({
    stage: "vertex",
    workgroupSize: null,
    builtins: ["vertex_index", "instance_index", "position"],
  });
});
