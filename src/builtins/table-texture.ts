/** spec: #texture-builtin-functions, #derivative-builtin-functions */
import type { MemoryEffect, Uniformity } from "./row.ts";
import { type Entry, type Overload, section } from "./section.ts";

/** spec: #uniformity-function-calls: what computes derivatives. */
const DERIVATIVE: Uniformity = { callSite: "derivative_uniformity", result: "non-uniform", parameter: null };

/** A read-write storage texture can hold something else for each invocation. */
const NON_UNIFORM: Uniformity = { callSite: "none", result: "non-uniform", parameter: null };

function derivative(name: string): Entry {
  return { spec: `#${name}-builtin`, evaluate: null, overloads: ["(e: T) -> T where T: f32|vecN<f32>"] };
}

export const DERIVATIVE_FUNCTIONS = section(
  { mustUse: true, stages: ["fragment"], uniformity: DERIVATIVE },
  {
    dpdx: derivative("dpdx"),
    dpdxCoarse: derivative("dpdxCoarse"),
    dpdxFine: derivative("dpdxFine"),
    dpdy: derivative("dpdy"),
    dpdyCoarse: derivative("dpdyCoarse"),
    dpdyFine: derivative("dpdyFine"),
    fwidth: derivative("fwidth"),
    fwidthCoarse: derivative("fwidthCoarse"),
    fwidthFine: derivative("fwidthFine"),
  },
);

/** Asks for a property of the texture. */
function query(name: string, overloads: readonly string[]): Entry {
  return { spec: `#${name.toLowerCase()}`, evaluate: null, mustUse: true, overloads };
}

function access(memory: MemoryEffect, name: string, overloads: readonly Overload[]): Entry {
  return { spec: `#${name.toLowerCase()}`, evaluate: null, mustUse: memory === "reads", memory, overloads };
}

/** Samples with derivatives that are computed from neighbouring invocations. */
function implicitDerivative(name: string, overloads: readonly string[]): Entry {
  return { ...access("reads", name, overloads), stages: ["fragment"], uniformity: DERIVATIVE };
}

const SAMPLED_2D = "texture_2d<ST>|texture_2d_array<ST>|texture_cube<ST>|texture_cube_array<ST>";
const DEPTH_2D = "texture_depth_2d|texture_depth_2d_array|texture_depth_cube|texture_depth_cube_array";
const MULTISAMPLED_2D = "texture_multisampled_2d<ST>|texture_depth_multisampled_2d";
const STORAGE_2D = "texture_storage_2d<F, A>|texture_storage_2d_array<F, A>";

export const TEXTURE = section(
  {},
  {
    textureDimensions: query("textureDimensions", [
      "(t: T) -> u32 where ST: i32|u32|f32, T: texture_1d<ST>|texture_storage_1d<F, A>",
      "(t: T, level: L) -> u32 where L: i32|u32, ST: i32|u32|f32, T: texture_1d<ST>",
      `(t: T) -> vec2<u32> where ST: i32|u32|f32, T: ${SAMPLED_2D}|${MULTISAMPLED_2D}|${DEPTH_2D}|${STORAGE_2D}|texture_external`,
      `(t: T, level: L) -> vec2<u32> where L: i32|u32, ST: i32|u32|f32, T: ${SAMPLED_2D}|${DEPTH_2D}`,
      "(t: T) -> vec3<u32> where ST: i32|u32|f32, T: texture_3d<ST>|texture_storage_3d<F, A>",
      "(t: T, level: L) -> vec3<u32> where L: i32|u32, ST: i32|u32|f32, T: texture_3d<ST>",
    ]),
    textureGather: access("reads", "textureGather", [
      "(component: C, t: texture_2d<ST>, s: sampler, coords: vec2<f32>) -> vec4<ST> where C: i32|u32, ST: i32|u32|f32",
      "(component: C, t: texture_2d<ST>, s: sampler, coords: vec2<f32>, offset: vec2<i32>) -> vec4<ST> where C: i32|u32, ST: i32|u32|f32",
      "(component: C, t: texture_2d_array<ST>, s: sampler, coords: vec2<f32>, array_index: A) -> vec4<ST> where A: i32|u32, C: i32|u32, ST: i32|u32|f32",
      "(component: C, t: texture_2d_array<ST>, s: sampler, coords: vec2<f32>, array_index: A, offset: vec2<i32>) -> vec4<ST> where A: i32|u32, C: i32|u32, ST: i32|u32|f32",
      "(component: C, t: texture_cube<ST>, s: sampler, coords: vec3<f32>) -> vec4<ST> where C: i32|u32, ST: i32|u32|f32",
      "(component: C, t: texture_cube_array<ST>, s: sampler, coords: vec3<f32>, array_index: A) -> vec4<ST> where A: i32|u32, C: i32|u32, ST: i32|u32|f32",
      "(t: texture_depth_2d, s: sampler, coords: vec2<f32>) -> vec4<f32>",
      "(t: texture_depth_2d, s: sampler, coords: vec2<f32>, offset: vec2<i32>) -> vec4<f32>",
      "(t: texture_depth_cube, s: sampler, coords: vec3<f32>) -> vec4<f32>",
      "(t: texture_depth_2d_array, s: sampler, coords: vec2<f32>, array_index: A) -> vec4<f32> where A: i32|u32",
      "(t: texture_depth_2d_array, s: sampler, coords: vec2<f32>, array_index: A, offset: vec2<i32>) -> vec4<f32> where A: i32|u32",
      "(t: texture_depth_cube_array, s: sampler, coords: vec3<f32>, array_index: A) -> vec4<f32> where A: i32|u32",
    ]),
    textureGatherCompare: access("reads", "textureGatherCompare", [
      "(t: texture_depth_2d, s: sampler_comparison, coords: vec2<f32>, depth_ref: f32) -> vec4<f32>",
      "(t: texture_depth_2d, s: sampler_comparison, coords: vec2<f32>, depth_ref: f32, offset: vec2<i32>) -> vec4<f32>",
      "(t: texture_depth_2d_array, s: sampler_comparison, coords: vec2<f32>, array_index: A, depth_ref: f32) -> vec4<f32> where A: i32|u32",
      "(t: texture_depth_2d_array, s: sampler_comparison, coords: vec2<f32>, array_index: A, depth_ref: f32, offset: vec2<i32>) -> vec4<f32> where A: i32|u32",
      "(t: texture_depth_cube, s: sampler_comparison, coords: vec3<f32>, depth_ref: f32) -> vec4<f32>",
      "(t: texture_depth_cube_array, s: sampler_comparison, coords: vec3<f32>, array_index: A, depth_ref: f32) -> vec4<f32> where A: i32|u32",
    ]),
    textureLoad: access("reads", "textureLoad", [
      "(t: texture_1d<ST>, coords: C, level: L) -> vec4<ST> where C: i32|u32, L: i32|u32, ST: i32|u32|f32",
      "(t: texture_2d<ST>, coords: vec2<C>, level: L) -> vec4<ST> where C: i32|u32, L: i32|u32, ST: i32|u32|f32",
      "(t: texture_2d_array<ST>, coords: vec2<C>, array_index: A, level: L) -> vec4<ST> where A: i32|u32, C: i32|u32, L: i32|u32, ST: i32|u32|f32",
      "(t: texture_3d<ST>, coords: vec3<C>, level: L) -> vec4<ST> where C: i32|u32, L: i32|u32, ST: i32|u32|f32",
      "(t: texture_multisampled_2d<ST>, coords: vec2<C>, sample_index: S) -> vec4<ST> where C: i32|u32, S: i32|u32, ST: i32|u32|f32",
      "(t: texture_depth_2d, coords: vec2<C>, level: L) -> f32 where C: i32|u32, L: i32|u32",
      "(t: texture_depth_2d_array, coords: vec2<C>, array_index: A, level: L) -> f32 where A: i32|u32, C: i32|u32, L: i32|u32",
      "(t: texture_depth_multisampled_2d, coords: vec2<C>, sample_index: S) -> f32 where C: i32|u32, S: i32|u32",
      "(t: texture_external, coords: vec2<C>) -> vec4<f32> where C: i32|u32",
      "(t: texture_storage_1d<F, AM>, coords: C) -> vec4<CF> where AM: read, C: i32|u32, CF: channel of F",
      {
        signature:
          "(t: texture_storage_1d<F, AM>, coords: C) -> vec4<CF> where AM: read_write, C: i32|u32, CF: channel of F",
        uniformity: NON_UNIFORM,
      },
      "(t: texture_storage_2d<F, AM>, coords: vec2<C>) -> vec4<CF> where AM: read, C: i32|u32, CF: channel of F",
      {
        signature:
          "(t: texture_storage_2d<F, AM>, coords: vec2<C>) -> vec4<CF> where AM: read_write, C: i32|u32, CF: channel of F",
        uniformity: NON_UNIFORM,
      },
      "(t: texture_storage_2d_array<F, AM>, coords: vec2<C>, array_index: A) -> vec4<CF> where A: i32|u32, AM: read, C: i32|u32, CF: channel of F",
      {
        signature:
          "(t: texture_storage_2d_array<F, AM>, coords: vec2<C>, array_index: A) -> vec4<CF> where A: i32|u32, AM: read_write, C: i32|u32, CF: channel of F",
        uniformity: NON_UNIFORM,
      },
      "(t: texture_storage_3d<F, AM>, coords: vec3<C>) -> vec4<CF> where AM: read, C: i32|u32, CF: channel of F",
      {
        signature:
          "(t: texture_storage_3d<F, AM>, coords: vec3<C>) -> vec4<CF> where AM: read_write, C: i32|u32, CF: channel of F",
        uniformity: NON_UNIFORM,
      },
    ]),
    textureNumLayers: query("textureNumLayers", [
      "(t: T) -> u32 where ST: i32|u32|f32, T: texture_2d_array<ST>|texture_cube_array<ST>|texture_depth_2d_array|texture_depth_cube_array|texture_storage_2d_array<F, A>",
    ]),
    textureNumLevels: query("textureNumLevels", [
      `(t: T) -> u32 where ST: i32|u32|f32, T: texture_1d<ST>|texture_2d<ST>|texture_2d_array<ST>|texture_3d<ST>|texture_cube<ST>|texture_cube_array<ST>|${DEPTH_2D}`,
    ]),
    textureNumSamples: query("textureNumSamples", [
      "(t: T) -> u32 where ST: i32|u32|f32, T: texture_multisampled_2d<ST>|texture_depth_multisampled_2d",
    ]),
    textureSample: implicitDerivative("textureSample", [
      "(t: texture_1d<f32>, s: sampler, coords: f32) -> vec4<f32>",
      "(t: texture_2d<f32>, s: sampler, coords: vec2<f32>) -> vec4<f32>",
      "(t: texture_2d<f32>, s: sampler, coords: vec2<f32>, offset: vec2<i32>) -> vec4<f32>",
      "(t: texture_2d_array<f32>, s: sampler, coords: vec2<f32>, array_index: A) -> vec4<f32> where A: i32|u32",
      "(t: texture_2d_array<f32>, s: sampler, coords: vec2<f32>, array_index: A, offset: vec2<i32>) -> vec4<f32> where A: i32|u32",
      "(t: T, s: sampler, coords: vec3<f32>) -> vec4<f32> where T: texture_3d<f32>|texture_cube<f32>",
      "(t: texture_3d<f32>, s: sampler, coords: vec3<f32>, offset: vec3<i32>) -> vec4<f32>",
      "(t: texture_cube_array<f32>, s: sampler, coords: vec3<f32>, array_index: A) -> vec4<f32> where A: i32|u32",
      "(t: texture_depth_2d, s: sampler, coords: vec2<f32>) -> f32",
      "(t: texture_depth_2d, s: sampler, coords: vec2<f32>, offset: vec2<i32>) -> f32",
      "(t: texture_depth_2d_array, s: sampler, coords: vec2<f32>, array_index: A) -> f32 where A: i32|u32",
      "(t: texture_depth_2d_array, s: sampler, coords: vec2<f32>, array_index: A, offset: vec2<i32>) -> f32 where A: i32|u32",
      "(t: texture_depth_cube, s: sampler, coords: vec3<f32>) -> f32",
      "(t: texture_depth_cube_array, s: sampler, coords: vec3<f32>, array_index: A) -> f32 where A: i32|u32",
    ]),
    textureSampleBias: implicitDerivative("textureSampleBias", [
      "(t: texture_2d<f32>, s: sampler, coords: vec2<f32>, bias: f32) -> vec4<f32>",
      "(t: texture_2d<f32>, s: sampler, coords: vec2<f32>, bias: f32, offset: vec2<i32>) -> vec4<f32>",
      "(t: texture_2d_array<f32>, s: sampler, coords: vec2<f32>, array_index: A, bias: f32) -> vec4<f32> where A: i32|u32",
      "(t: texture_2d_array<f32>, s: sampler, coords: vec2<f32>, array_index: A, bias: f32, offset: vec2<i32>) -> vec4<f32> where A: i32|u32",
      "(t: T, s: sampler, coords: vec3<f32>, bias: f32) -> vec4<f32> where T: texture_3d<f32>|texture_cube<f32>",
      "(t: texture_3d<f32>, s: sampler, coords: vec3<f32>, bias: f32, offset: vec3<i32>) -> vec4<f32>",
      "(t: texture_cube_array<f32>, s: sampler, coords: vec3<f32>, array_index: A, bias: f32) -> vec4<f32> where A: i32|u32",
    ]),
    textureSampleCompare: implicitDerivative("textureSampleCompare", [
      "(t: texture_depth_2d, s: sampler_comparison, coords: vec2<f32>, depth_ref: f32) -> f32",
      "(t: texture_depth_2d, s: sampler_comparison, coords: vec2<f32>, depth_ref: f32, offset: vec2<i32>) -> f32",
      "(t: texture_depth_2d_array, s: sampler_comparison, coords: vec2<f32>, array_index: A, depth_ref: f32) -> f32 where A: i32|u32",
      "(t: texture_depth_2d_array, s: sampler_comparison, coords: vec2<f32>, array_index: A, depth_ref: f32, offset: vec2<i32>) -> f32 where A: i32|u32",
      "(t: texture_depth_cube, s: sampler_comparison, coords: vec3<f32>, depth_ref: f32) -> f32",
      "(t: texture_depth_cube_array, s: sampler_comparison, coords: vec3<f32>, array_index: A, depth_ref: f32) -> f32 where A: i32|u32",
    ]),
    textureSampleCompareLevel: access("reads", "textureSampleCompareLevel", [
      "(t: texture_depth_2d, s: sampler_comparison, coords: vec2<f32>, depth_ref: f32) -> f32",
      "(t: texture_depth_2d, s: sampler_comparison, coords: vec2<f32>, depth_ref: f32, offset: vec2<i32>) -> f32",
      "(t: texture_depth_2d_array, s: sampler_comparison, coords: vec2<f32>, array_index: A, depth_ref: f32) -> f32 where A: i32|u32",
      "(t: texture_depth_2d_array, s: sampler_comparison, coords: vec2<f32>, array_index: A, depth_ref: f32, offset: vec2<i32>) -> f32 where A: i32|u32",
      "(t: texture_depth_cube, s: sampler_comparison, coords: vec3<f32>, depth_ref: f32) -> f32",
      "(t: texture_depth_cube_array, s: sampler_comparison, coords: vec3<f32>, array_index: A, depth_ref: f32) -> f32 where A: i32|u32",
    ]),
    textureSampleGrad: access("reads", "textureSampleGrad", [
      "(t: texture_2d<f32>, s: sampler, coords: vec2<f32>, ddx: vec2<f32>, ddy: vec2<f32>) -> vec4<f32>",
      "(t: texture_2d<f32>, s: sampler, coords: vec2<f32>, ddx: vec2<f32>, ddy: vec2<f32>, offset: vec2<i32>) -> vec4<f32>",
      "(t: texture_2d_array<f32>, s: sampler, coords: vec2<f32>, array_index: A, ddx: vec2<f32>, ddy: vec2<f32>) -> vec4<f32> where A: i32|u32",
      "(t: texture_2d_array<f32>, s: sampler, coords: vec2<f32>, array_index: A, ddx: vec2<f32>, ddy: vec2<f32>, offset: vec2<i32>) -> vec4<f32> where A: i32|u32",
      "(t: T, s: sampler, coords: vec3<f32>, ddx: vec3<f32>, ddy: vec3<f32>) -> vec4<f32> where T: texture_3d<f32>|texture_cube<f32>",
      "(t: texture_3d<f32>, s: sampler, coords: vec3<f32>, ddx: vec3<f32>, ddy: vec3<f32>, offset: vec3<i32>) -> vec4<f32>",
      "(t: texture_cube_array<f32>, s: sampler, coords: vec3<f32>, array_index: A, ddx: vec3<f32>, ddy: vec3<f32>) -> vec4<f32> where A: i32|u32",
    ]),
    textureSampleLevel: access("reads", "textureSampleLevel", [
      "(t: texture_1d<f32>, s: sampler, coords: f32, level: f32) -> vec4<f32>",
      "(t: texture_2d<f32>, s: sampler, coords: vec2<f32>, level: f32) -> vec4<f32>",
      "(t: texture_2d<f32>, s: sampler, coords: vec2<f32>, level: f32, offset: vec2<i32>) -> vec4<f32>",
      "(t: texture_2d_array<f32>, s: sampler, coords: vec2<f32>, array_index: A, level: f32) -> vec4<f32> where A: i32|u32",
      "(t: texture_2d_array<f32>, s: sampler, coords: vec2<f32>, array_index: A, level: f32, offset: vec2<i32>) -> vec4<f32> where A: i32|u32",
      "(t: T, s: sampler, coords: vec3<f32>, level: f32) -> vec4<f32> where T: texture_3d<f32>|texture_cube<f32>",
      "(t: texture_3d<f32>, s: sampler, coords: vec3<f32>, level: f32, offset: vec3<i32>) -> vec4<f32>",
      "(t: texture_cube_array<f32>, s: sampler, coords: vec3<f32>, array_index: A, level: f32) -> vec4<f32> where A: i32|u32",
      "(t: texture_depth_2d, s: sampler, coords: vec2<f32>, level: L) -> f32 where L: i32|u32",
      "(t: texture_depth_2d, s: sampler, coords: vec2<f32>, level: L, offset: vec2<i32>) -> f32 where L: i32|u32",
      "(t: texture_depth_2d_array, s: sampler, coords: vec2<f32>, array_index: A, level: L) -> f32 where A: i32|u32, L: i32|u32",
      "(t: texture_depth_2d_array, s: sampler, coords: vec2<f32>, array_index: A, level: L, offset: vec2<i32>) -> f32 where A: i32|u32, L: i32|u32",
      "(t: texture_depth_cube, s: sampler, coords: vec3<f32>, level: L) -> f32 where L: i32|u32",
      "(t: texture_depth_cube_array, s: sampler, coords: vec3<f32>, array_index: A, level: L) -> f32 where A: i32|u32, L: i32|u32",
    ]),
    textureSampleBaseClampToEdge: {
      ...access("reads", "textureSampleBaseClampToEdge", [
        "(t: T, s: sampler, coords: vec2<f32>) -> vec4<f32> where T: texture_2d<f32>|texture_external",
      ]),
      spec: "#textureSampleBaseClampToEdge",
    },
    textureStore: access("writes", "textureStore", [
      "(t: texture_storage_1d<F, AM>, coords: C, value: vec4<CF>) where AM: write|read_write, C: i32|u32, CF: channel of F",
      "(t: texture_storage_2d<F, AM>, coords: vec2<C>, value: vec4<CF>) where AM: write|read_write, C: i32|u32, CF: channel of F",
      "(t: texture_storage_2d_array<F, AM>, coords: vec2<C>, array_index: A, value: vec4<CF>) where A: i32|u32, AM: write|read_write, C: i32|u32, CF: channel of F",
      "(t: texture_storage_3d<F, AM>, coords: vec3<C>, value: vec4<CF>) where AM: write|read_write, C: i32|u32, CF: channel of F",
    ]),
  },
);
