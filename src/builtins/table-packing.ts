/** spec: #pack-builtin-functions, #unpack-builtin-functions */
import * as packing from "./evaluate-packing.ts";
import type { Evaluate } from "./row.ts";
import { type Entry, section } from "./section.ts";

function entry(name: string, evaluate: Evaluate, signature: string): Entry {
  return { spec: `#${name}-builtin`, evaluate, overloads: [signature] };
}

/** The functions on packed bytes came with the packed dot products. */
function packedBytes(name: string, evaluate: Evaluate, signature: string): Entry {
  return { ...entry(name, evaluate, signature), requires: "packed_4x8_integer_dot_product" };
}

export const PACKING = section(
  { mustUse: true },
  {
    pack4x8snorm: entry("pack4x8snorm", packing.evaluatePack4x8snorm, "(e: vec4<f32>) -> u32"),
    pack4x8unorm: entry("pack4x8unorm", packing.evaluatePack4x8unorm, "(e: vec4<f32>) -> u32"),
    pack4xI8: packedBytes("pack4xI8", packing.evaluatePack4xI8, "(e: vec4<i32>) -> u32"),
    pack4xU8: packedBytes("pack4xU8", packing.evaluatePack4xU8, "(e: vec4<u32>) -> u32"),
    pack4xI8Clamp: packedBytes("pack4xI8Clamp", packing.evaluatePack4xI8Clamp, "(e: vec4<i32>) -> u32"),
    pack4xU8Clamp: packedBytes("pack4xU8Clamp", packing.evaluatePack4xU8Clamp, "(e: vec4<u32>) -> u32"),
    pack2x16snorm: entry("pack2x16snorm", packing.evaluatePack2x16snorm, "(e: vec2<f32>) -> u32"),
    pack2x16unorm: entry("pack2x16unorm", packing.evaluatePack2x16unorm, "(e: vec2<f32>) -> u32"),
    pack2x16float: entry("pack2x16float", packing.evaluatePack2x16float, "(e: vec2<f32>) -> u32"),
    unpack4x8snorm: entry("unpack4x8snorm", packing.evaluateUnpack4x8snorm, "(e: u32) -> vec4<f32>"),
    unpack4x8unorm: entry("unpack4x8unorm", packing.evaluateUnpack4x8unorm, "(e: u32) -> vec4<f32>"),
    unpack4xI8: packedBytes("unpack4xI8", packing.evaluateUnpack4xI8, "(e: u32) -> vec4<i32>"),
    unpack4xU8: packedBytes("unpack4xU8", packing.evaluateUnpack4xU8, "(e: u32) -> vec4<u32>"),
    unpack2x16snorm: entry("unpack2x16snorm", packing.evaluateUnpack2x16snorm, "(e: u32) -> vec2<f32>"),
    unpack2x16unorm: entry("unpack2x16unorm", packing.evaluateUnpack2x16unorm, "(e: u32) -> vec2<f32>"),
    unpack2x16float: entry("unpack2x16float", packing.evaluateUnpack2x16float, "(e: u32) -> vec2<f32>"),
  },
);
