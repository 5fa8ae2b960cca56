/** Builtin functions that random programs call, by what they are for; all of them exact on the floats that occur. */
import { BOOL, F32, I32, type Range, type ScalarType, U32, vector } from "./types.ts";

/** Functions of one integer that work on each component. */
export const INTEGER_UNARY = [
  "abs",
  "countLeadingZeros",
  "countOneBits",
  "countTrailingZeros",
  "firstLeadingBit",
  "firstTrailingBit",
  "reverseBits",
] as const;

/** Functions of one float that work on each component, with what can come out. */
export const FLOAT_UNARY: readonly (readonly [name: string, result: (range: Range) => Range])[] = [
  ["abs", (range) => range],
  ["floor", whole],
  ["ceil", whole],
  ["trunc", whole],
  ["round", whole],
  ["sign", () => ({ fraction: 0, magnitude: 0 })],
  ["fract", ({ fraction }) => ({ fraction, magnitude: 0 })],
  ["saturate", ({ fraction }) => ({ fraction, magnitude: 0 })],
  ["fract-of-modf", ({ fraction }) => ({ fraction, magnitude: 0 })],
  ["whole-of-modf", whole],
  ["fract-of-frexp", ({ fraction, magnitude }) => ({ fraction: fraction + magnitude, magnitude: 0 })],
];

export function whole({ magnitude }: Range): Range {
  return { fraction: 0, magnitude: Math.max(0, magnitude) };
}

/** Functions between a vector and a word. */
export const PACK = [
  ["pack4xI8", vector(4, I32)],
  ["pack4xU8", vector(4, U32)],
  ["pack4xI8Clamp", vector(4, I32)],
  ["pack4xU8Clamp", vector(4, U32)],
] as const;

export const UNPACK: readonly (readonly [string, ScalarType])[] = [
  ["unpack4xI8", I32],
  ["unpack4xU8", U32],
];

export const BOOL_OPERATORS = ["&", "|", "==", "!="] as const;
export const COMPARISONS = ["==", "!=", "<", "<=", ">", ">="] as const;
export const EQUALITIES = ["==", "!="] as const;
export const INTEGER_OPERATORS = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"] as const;
export const FLOAT_OPERATORS = ["+", "-", "*", "/", "%"] as const;

/** Powers of two as WGSL, with their exponent. */
export const POWERS = [
  ["2.0", 1],
  ["4.0", 2],
  ["0.5", -1],
  ["8.0f", 3],
  ["-2.0", 1],
  ["0x1p2", 2],
] as const;

export const scalarsByName = { bool: BOOL, i32: I32, u32: U32, f32: F32 } as const;
