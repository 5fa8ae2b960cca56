/** Units in the last place of f32 and f16. */
import { F16_MAX } from "./float16.ts";
import {
  F32_MAX,
  f16Rank,
  f32Rank,
  nextDownF16,
  nextDownF32,
  nextUpF16,
  nextUpF32,
  roundDownToF16,
  roundDownToF32,
  roundUpToF16,
  roundUpToF32,
} from "./float32.ts";

/** How many f32 steps lie between two f32 values; 0 for two NaNs, infinity if only one is NaN. */
export function ulpDistanceF32(a: number, b: number): number {
  if (a !== a || b !== b) return a !== a && b !== b ? 0 : Infinity;
  return Math.abs(f32Rank(a) - f32Rank(b));
}

/** How many f16 steps lie between two f16 values; 0 for two NaNs, infinity if only one is NaN. */
export function ulpDistanceF16(a: number, b: number): number {
  if (a !== a || b !== b) return a !== a && b !== b ? 0 : Infinity;
  return Math.abs(f16Rank(a) - f16Rank(b));
}

/** ULP(`x`) of f32 for any real `x`. spec: #floating-point-accuracy */
export function ulpF32(x: number): number {
  if (!(Math.abs(x) <= F32_MAX)) return 2 ** 104;
  const low = roundDownToF32(x);
  const high = roundUpToF32(x);
  if (low !== high) return high - low;
  return Math.min(low - nextDownF32(low), nextUpF32(low) - low);
}

/** ULP(`x`) of f16 for any real `x`. spec: #floating-point-accuracy */
export function ulpF16(x: number): number {
  if (!(Math.abs(x) <= F16_MAX)) return 32;
  const low = roundDownToF16(x);
  const high = roundUpToF16(x);
  if (low !== high) return high - low;
  return Math.min(low - nextDownF16(low), nextUpF16(low) - low);
}
