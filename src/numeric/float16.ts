/**
 * IEEE-754 binary16 held in JavaScript numbers.
 *
 * An f16 value is the number it stands for. spec: #floating-point-types
 */
import { highWord, powerOfTwo, withHighWord } from "./float64.ts";

/** Largest finite f16. */
export const F16_MAX = 65504;
/** Smallest positive normal f16, 2^-14. */
export const F16_MIN_NORMAL = 2 ** -14;
/** Smallest positive subnormal f16, 2^-24. */
export const F16_MIN_SUBNORMAL = 2 ** -24;

const INFINITY_BITS = 0x7c00;
const NAN_BITS = 0x7e00;

/** `x` rounded once to the nearest f16, ties to even; overflow gives an infinity. */
export function roundToF16(x: number): number {
  const magnitude = Math.abs(x);
  // 65520 lies half-way between the largest finite value and 2^16, and 2^16 is the even one.
  if (!(magnitude < 65520)) return x + (x < 0 ? -Infinity : Infinity);
  const exponent = Math.max((highWord(magnitude) >> 20) - 1023, -14);
  // The last place of the sum is the last place of the f16, so that the addition rounds there.
  const shifter = powerOfTwo(exponent + 42);
  const rounded = magnitude + shifter - shifter;
  return highWord(x) < 0 ? -rounded : rounded;
}

/** The 16 bits of `x` rounded to f16; every NaN gives 0x7e00. */
export function f16ToBits(x: number): number {
  const rounded = roundToF16(x);
  if (rounded !== rounded) return NAN_BITS;
  const high = highWord(rounded);
  const sign = (high >>> 16) & 0x8000;
  const magnitude = Math.abs(rounded);
  if (magnitude === Infinity) return sign | INFINITY_BITS;
  if (magnitude < F16_MIN_NORMAL) return sign | (magnitude * 2 ** 24);
  // Rebias the exponent from 1023 to 15 and keep the ten fraction bits there can be.
  return sign | (((high & 0x7fffffff) >> 10) - ((1023 - 15) << 10));
}

/** The f16 with the given 16 bits. */
export function f16FromBits(bits: number): number {
  const magnitude = bits & 0x7fff;
  const negative = (bits & 0x8000) !== 0;
  if (magnitude >= INFINITY_BITS) {
    if (magnitude > INFINITY_BITS) return NaN;
    return negative ? -Infinity : Infinity;
  }
  const value =
    magnitude < 0x400 ? magnitude * F16_MIN_SUBNORMAL : withHighWord(0, (magnitude << 10) + ((1023 - 15) << 20));
  return negative ? -value : value;
}
