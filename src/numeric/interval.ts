/**
 * Interval arithmetic on f32 and f16 with the freedom that WGSL leaves: rounding either way, subnormals flushed to zero,
 * anything at all after an overflow. spec: #floating-point-evaluation
 */
import { F16_MAX, F16_MIN_NORMAL } from "./float16.ts";
import { F32_MAX, F32_MIN_NORMAL, roundDownToF16, roundDownToF32, roundUpToF16, roundUpToF32 } from "./float32.ts";
import { ulpF16, ulpF32 } from "./ulp.ts";

/** All values from `low` to `high`, both included; never NaN. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Everything, NaN too: the result is not specified. */
export const anyValue: Interval = { low: -Infinity, high: Infinity };

export interface FloatFormat {
  readonly name: "f32" | "f16";
  /** Largest finite value. */
  readonly max: number;
  /** Smallest positive normal value. */
  readonly minNormal: number;
  /** Largest power of two whose reciprocal is normal, too; limits of division and atan2. */
  readonly powerLimit: number;
  readonly roundDown: (x: number) => number;
  readonly roundUp: (x: number) => number;
  readonly ulp: (x: number) => number;
}

export const f32Format: FloatFormat = {
  name: "f32",
  max: F32_MAX,
  minNormal: F32_MIN_NORMAL,
  powerLimit: 2 ** 126,
  roundDown: roundDownToF32,
  roundUp: roundUpToF32,
  ulp: ulpF32,
};

export const f16Format: FloatFormat = {
  name: "f16",
  max: F16_MAX,
  minNormal: F16_MIN_NORMAL,
  powerLimit: 2 ** 14,
  roundDown: roundDownToF16,
  roundUp: roundUpToF16,
  ulp: ulpF16,
};

export function contains(interval: Interval, x: number): boolean {
  return interval === anyValue || (interval.low <= x && x <= interval.high);
}

/** The smallest interval around both. */
export function union(a: Interval, b: Interval): Interval {
  if (a === anyValue || b === anyValue) return anyValue;
  return { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) };
}

/** `interval`, and zero if it holds a subnormal of `format`. */
export function flushed(format: FloatFormat, interval: Interval): Interval {
  const { low, high } = interval;
  if (low > 0 && low < format.minNormal) return { low: 0, high };
  if (high < 0 && high > -format.minNormal) return { low, high: 0 };
  return interval;
}

/** An argument as an operation may see it. */
export function operand(format: FloatFormat, x: number): Interval {
  return x !== x || Math.abs(x) === Infinity ? anyValue : flushed(format, { low: x, high: x });
}

/** What exact results in `interval` may become when they are rounded to `format`. */
export function rounded(format: FloatFormat, interval: Interval): Interval {
  if (!(interval.low >= -format.max && interval.high <= format.max)) return anyValue;
  return flushed(format, { low: format.roundDown(interval.low), high: format.roundUp(interval.high) });
}

/**
 * The range of `exact`, each value widened by `error`, rounded to `format`. It is evaluated at the ends of the operands
 * and at a zero between them: `exact` has to be monotonic elsewhere.
 */
export function evaluate(
  format: FloatFormat,
  exact: (...values: number[]) => number,
  operands: readonly Interval[],
  error: (value: number, ...values: number[]) => number = () => 0,
): Interval {
  if (operands.includes(anyValue)) return anyValue;
  let [low, high] = [Infinity, -Infinity];
  for (const values of combinations(operands)) {
    const value = exact(...values);
    const slack = error(value, ...values);
    if (value !== value || slack !== slack) return anyValue;
    [low, high] = [Math.min(low, value - slack), Math.max(high, value + slack)];
  }
  return rounded(format, { low, high });
}

function combinations(operands: readonly Interval[]): number[][] {
  let result: number[][] = [[]];
  for (const { low, high } of operands) {
    const choices = low < 0 && high > 0 ? [low, 0, high] : low === high ? [low] : [low, high];
    result = result.flatMap((values) => choices.map((choice) => [...values, choice]));
  }
  return result;
}
