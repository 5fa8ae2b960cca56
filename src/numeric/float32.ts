/**
 * IEEE-754 binary32 held in JavaScript numbers, and the spacing of f32 and f16.
 *
 * An f32 value is the number it stands for; `Math.fround` rounds to it. spec: #floating-point-types
 */
import { f16FromBits, f16ToBits, roundToF16 } from "./float16.ts";

/** Largest finite f32. */
export const F32_MAX = (2 - 2 ** -23) * 2 ** 127;
/** Smallest positive normal f32, 2^-126. */
export const F32_MIN_NORMAL = 2 ** -126;
/** Smallest positive subnormal f32, 2^-149. */
export const F32_MIN_SUBNORMAL = 2 ** -149;

const value = new Float32Array(1);
const bits = new Int32Array(value.buffer);

/** The 32 bits of `x` rounded to f32, as a u32. */
export function f32ToBits(x: number): number {
  value[0] = x;
  return bits[0] >>> 0;
}

/** The 32 bits of `x` rounded to f32, as an i32. */
export function f32ToSignedBits(x: number): number {
  value[0] = x;
  return bits[0];
}

/** The f32 with the given 32 bits (i32 or u32). */
export function f32FromBits(pattern: number): number {
  bits[0] = pattern;
  return value[0];
}

/** Position of an f32 on the number line: neighbours differ by one, both zeros are 0. */
export function f32Rank(x: number): number {
  const pattern = f32ToSignedBits(x);
  return pattern < 0 ? -(pattern & 0x7fffffff) : pattern;
}

function f32FromRank(rank: number): number {
  return rank < 0 ? -f32FromBits(-rank) : f32FromBits(rank);
}

/** The same of an f16. */
export function f16Rank(x: number): number {
  const pattern = f16ToBits(x);
  return pattern & 0x8000 ? -(pattern & 0x7fff) : pattern;
}

function f16FromRank(rank: number): number {
  return rank < 0 ? -f16FromBits(-rank) : f16FromBits(rank);
}

/** The smallest f32 above the f32 `x`; infinity and NaN are their own. */
export function nextUpF32(x: number): number {
  return x === Infinity || x !== x ? x : f32FromRank(f32Rank(x) + 1);
}

/** The largest f32 below the f32 `x`; minus infinity and NaN are their own. */
export function nextDownF32(x: number): number {
  return -nextUpF32(-x);
}

/** The smallest f16 above the f16 `x`; infinity and NaN are their own. */
export function nextUpF16(x: number): number {
  return x === Infinity || x !== x ? x : f16FromRank(f16Rank(x) + 1);
}

/** The largest f16 below the f16 `x`; minus infinity and NaN are their own. */
export function nextDownF16(x: number): number {
  return -nextUpF16(-x);
}

/** The largest f32 not above `x`. */
export function roundDownToF32(x: number): number {
  const rounded = Math.fround(x);
  return rounded > x ? nextDownF32(rounded) : rounded;
}

/** The smallest f32 not below `x`. */
export function roundUpToF32(x: number): number {
  const rounded = Math.fround(x);
  return rounded < x ? nextUpF32(rounded) : rounded;
}

/** The largest f16 not above `x`. */
export function roundDownToF16(x: number): number {
  const rounded = roundToF16(x);
  return rounded > x ? nextDownF16(rounded) : rounded;
}

/** The smallest f16 not below `x`. */
export function roundUpToF16(x: number): number {
  const rounded = roundToF16(x);
  return rounded < x ? nextUpF16(rounded) : rounded;
}

/** 1/√`x` in arithmetic of f32, which is faster than that of f64: less than 1.5 ULP from the exact value. spec: #inverseSqrt-builtin */
export function inverseSqrtF32(x: number): number {
  return Math.fround(1 / Math.fround(Math.sqrt(x)));
}
