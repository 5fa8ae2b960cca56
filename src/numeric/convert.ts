/**
 * Scalar conversions, bit reinterpretation and data packing.
 *
 * f32 and f16 are numbers already rounded to their type, bool is a boolean. Plain names are what a running shader does;
 * `checked…` names are for const- and override-expressions. Nothing here allocates, except bigints: unpacking functions
 * take the index of the component they return.
 */
import { F16_MAX, f16FromBits, f16ToBits, roundToF16 } from "./float16.ts";
import { F32_MAX, f32FromBits, f32ToBits, f32ToSignedBits } from "./float32.ts";
import { I32_MAX, I32_MIN, type NumericFailure, U32_MAX } from "./integer.ts";

// --- to bool, from bool; spec: #bool-builtin ---

/** false for zeros of both signs, true for everything else, NaN included. */
export function boolFromNumber(x: number | bigint): boolean {
  return x !== 0 && x !== 0n;
}

export function numberFromBool(x: boolean): number {
  return x ? 1 : 0;
}

// --- between the integer types; spec: #i32-builtin, #u32-builtin ---

export function i32FromU32(x: number): number {
  return x | 0;
}

export function u32FromI32(x: number): number {
  return x >>> 0;
}

export function checkedI32FromAbstractInt(x: bigint): number | NumericFailure {
  return x >= I32_MIN && x <= I32_MAX ? Number(x) : "overflow";
}

export function checkedU32FromAbstractInt(x: bigint): number | NumericFailure {
  return x >= 0n && x <= U32_MAX ? Number(x) : "overflow";
}

// --- floating point to integer; spec: #floating-point-conversion ---
// The value is clamped to what both the integer type and the floating point type can hold, so that the limits depend on
// both. NaN gives 0. Const-expressions clamp as well: this conversion has no failure.

/** f32 to i32: truncated, from -2147483648 to 2147483520. */
export function i32FromF32(x: number): number {
  if (x >= 2147483520) return 2147483520;
  return x <= I32_MIN ? I32_MIN : x | 0;
}

/** f32 to u32: truncated, from 0 to 4294967040. */
export function u32FromF32(x: number): number {
  if (x >= 4294967040) return 4294967040;
  return x > 0 ? x >>> 0 : 0;
}

/** f16 to i32: truncated, from -65504 to 65504. */
export function i32FromF16(x: number): number {
  if (x >= F16_MAX) return F16_MAX;
  return x <= -F16_MAX ? -F16_MAX : x | 0;
}

/** f16 to u32: truncated, from 0 to 65504. */
export function u32FromF16(x: number): number {
  if (x >= F16_MAX) return F16_MAX;
  return x > 0 ? x | 0 : 0;
}

/** AbstractFloat to i32: truncated and clamped. */
export function i32FromAbstractFloat(x: number): number {
  if (x >= I32_MAX) return I32_MAX;
  return x <= I32_MIN ? I32_MIN : x | 0;
}

/** AbstractFloat to u32: truncated and clamped. */
export function u32FromAbstractFloat(x: number): number {
  if (x >= U32_MAX) return U32_MAX;
  return x > 0 ? x >>> 0 : 0;
}

// --- to floating point; spec: #floating-point-conversion ---

/** i32 or u32 to f32; also rounds any number to f32. */
export function f32FromNumber(x: number): number {
  return Math.fround(x);
}

/** i32, u32 or f32 to f16; also rounds any number to f16. Out of range gives an infinity. */
export function f16FromNumber(x: number): number {
  return roundToF16(x);
}

/** AbstractFloat to f32; refuses what lies outside of the finite range, even if it would round into it. */
export function checkedF32(x: number): number | NumericFailure {
  return Math.abs(x) <= F32_MAX ? Math.fround(x) : "overflow";
}

/** AbstractFloat, f32, i32 or u32 to f16; refuses what lies outside of the finite range. */
export function checkedF16(x: number): number | NumericFailure {
  return Math.abs(x) <= F16_MAX ? roundToF16(x) : "overflow";
}

/** Always in range: |`x`| is at most 2^63. */
export function f32FromAbstractInt(x: bigint): number {
  return Math.fround(Number(x));
}

export function checkedF16FromAbstractInt(x: bigint): number | NumericFailure {
  return checkedF16(Number(x));
}

export function abstractFloatFromAbstractInt(x: bigint): number {
  return Number(x);
}

/** spec: #quantizeToF16-builtin */
export function quantizeToF16(x: number): number {
  return roundToF16(x);
}

// --- bitcast; spec: #bitcast-builtin ---
// A NaN bit pattern that becomes a number loses its payload. Const-expressions refuse a result that is not finite.

export function bitcastF32ToU32(x: number): number {
  return f32ToBits(x);
}

export function bitcastF32ToI32(x: number): number {
  return f32ToSignedBits(x);
}

/** i32 or u32 to f32. */
export function bitcastToF32(x: number): number {
  return f32FromBits(x);
}

/** vec2<f16> to u32; `x` takes the low half. The other 32-bit types follow from u32. */
export function bitcastVec2F16ToU32(x: number, y: number): number {
  return (f16ToBits(x) | (f16ToBits(y) << 16)) >>> 0;
}

/** Component `index` (0 or 1) of the vec2<f16> with the bits of an i32 or u32. */
export function bitcastToF16(bits: number, index: number): number {
  return f16FromBits((bits >>> (16 * index)) & 0xffff);
}

// --- packing; spec: #pack-builtin-functions ---

/** floor(0.5 + scale · min(1, max(low, x))); NaN counts as `low`. */
function normalized(x: number, low: number, scale: number): number {
  const clamped = x > low ? Math.min(x, 1) : low;
  return Math.floor(0.5 + scale * clamped);
}

function packBytes(x: number, y: number, z: number, w: number): number {
  return ((x & 0xff) | ((y & 0xff) << 8) | ((z & 0xff) << 16) | (w << 24)) >>> 0;
}

function packHalves(x: number, y: number): number {
  return ((x & 0xffff) | (y << 16)) >>> 0;
}

export function pack4x8snorm(x: number, y: number, z: number, w: number): number {
  return packBytes(normalized(x, -1, 127), normalized(y, -1, 127), normalized(z, -1, 127), normalized(w, -1, 127));
}

export function pack4x8unorm(x: number, y: number, z: number, w: number): number {
  return packBytes(normalized(x, 0, 255), normalized(y, 0, 255), normalized(z, 0, 255), normalized(w, 0, 255));
}

export function pack4xI8(x: number, y: number, z: number, w: number): number {
  return packBytes(x, y, z, w);
}

export function pack4xU8(x: number, y: number, z: number, w: number): number {
  return packBytes(x, y, z, w);
}

function clampI8(x: number): number {
  return Math.max(-128, Math.min(127, x));
}

export function pack4xI8Clamp(x: number, y: number, z: number, w: number): number {
  return packBytes(clampI8(x), clampI8(y), clampI8(z), clampI8(w));
}

export function pack4xU8Clamp(x: number, y: number, z: number, w: number): number {
  return packBytes(Math.min(x, 255), Math.min(y, 255), Math.min(z, 255), Math.min(w, 255));
}

export function pack2x16snorm(x: number, y: number): number {
  return packHalves(normalized(x, -1, 32767), normalized(y, -1, 32767));
}

export function pack2x16unorm(x: number, y: number): number {
  return packHalves(normalized(x, 0, 65535), normalized(y, 0, 65535));
}

/** Const-expressions refuse components that `checkedF16` refuses. spec: #pack2x16float-builtin */
export function pack2x16float(x: number, y: number): number {
  return packHalves(f16ToBits(x), f16ToBits(y));
}

// --- unpacking; spec: #unpack-builtin-functions ---

/** Byte `index` (0 to 3) of `bits`, with sign. */
export function unpack4xI8(bits: number, index: number): number {
  return (bits << (24 - 8 * index)) >> 24;
}

/** Byte `index` (0 to 3) of `bits`. */
export function unpack4xU8(bits: number, index: number): number {
  return (bits >>> (8 * index)) & 0xff;
}

export function unpack4x8snorm(bits: number, index: number): number {
  return Math.fround(Math.max(unpack4xI8(bits, index) / 127, -1));
}

export function unpack4x8unorm(bits: number, index: number): number {
  return Math.fround(unpack4xU8(bits, index) / 255);
}

export function unpack2x16snorm(bits: number, index: number): number {
  return Math.fround(Math.max(((bits << (16 - 16 * index)) >> 16) / 32767, -1));
}

export function unpack2x16unorm(bits: number, index: number): number {
  return Math.fround(((bits >>> (16 * index)) & 0xffff) / 65535);
}

export function unpack2x16float(bits: number, index: number): number {
  return bitcastToF16(bits, index);
}
