import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AccuracyName, acceptedInterval, accuracies } from "./accuracy.ts";
import { roundToF16 } from "./float16.ts";
import { inverseSqrtF32 } from "./float32.ts";
import { anyValue, contains } from "./interval.ts";
import * as math from "./math.ts";
import { shortForms } from "./math-table.ts";

/** The functions by name, as tests that go through the table need them. */
const functions: Readonly<Record<string, (...values: number[]) => number>> = { ...math };

/** How many arguments, and the function in f64, for rows that are not functions of `math.ts` of one argument. */
const others: Partial<Record<AccuracyName, [number, (...values: number[]) => number]>> = {
  "+": [2, (x, y) => x + y],
  "-": [2, (x, y) => x - y],
  "*": [2, (x, y) => x * y],
  "/": [2, (x, y) => x / y],
  "%": [2, math.remainder],
  negation: [1, (x) => -x],
  dot: [4, (a, b, x, y) => a * x + b * y],
  length: [3, (x, y, z) => Math.sqrt(x * x + y * y + z * z)],
  atan2: [2, math.atan2],
  clamp: [3, math.clamp],
  fma: [3, math.fma],
  max: [2, math.max],
  min: [2, math.min],
  mix: [3, math.mix],
  pow: [2, math.pow],
  smoothstep: [3, math.smoothstep],
  step: [2, math.step],
};

function implementation(name: AccuracyName): [number, (...values: number[]) => number] {
  return others[name] ?? [1, functions[name]];
}

const rounding = { f32: Math.fround, f16: roundToF16 };

describe.each(["f32", "f16"] as const)("our %s results are accepted", (type) => {
  const value = fc.oneof(
    fc.integer({ min: -4000, max: 4000 }).map((x) => x / 1000),
    fc.integer({ min: -100000, max: 100000 }).map((x) => x / 1000),
    fc.float({ noNaN: true, noDefaultInfinity: true }),
  );
  const specified = (name: AccuracyName, count: number, compute: (...values: number[]) => number): number => {
    let found = 0;
    fc.assert(
      fc.property(fc.tuple(...new Array<fc.Arbitrary<number>>(count).fill(value)), (wide: number[]) => {
        const values = wide.map(rounding[type]);
        const interval = acceptedInterval(name, type, ...values);
        if (interval === anyValue) return;
        found++;
        const result = rounding[type](compute(...values));
        if (!contains(interval, result)) expect([name, values, result]).toEqual(interval);
      }),
      { numRuns: 1000 },
    );
    return found;
  };
  const names = (Object.keys(accuracies) as AccuracyName[]).filter((name) => name !== "ldexp");
  test.each(names)("%s", (name) => {
    const [count, compute] = implementation(name);
    // Otherwise this test proves nothing.
    expect(specified(name, count, compute)).toBeGreaterThan(100);
  });

  test("inverseSqrt in f32", () => {
    expect(specified("inverseSqrt", 1, type === "f32" ? inverseSqrtF32 : math.inverseSqrt)).toBeGreaterThan(100);
  });

  test.each(Object.entries(shortForms) as [keyof typeof shortForms, string][])("%s as %s", (name, short) => {
    expect(specified(name, implementation(name)[0], functions[short])).toBeGreaterThan(100);
  });
});

describe("what is accepted", () => {
  test.each<[AccuracyName, "f32" | "f16", number[], number, number]>([
    ["+", "f32", [1, 1], 2, 2],
    ["+", "f32", [1, 2 ** -30], 1, 1 + 2 ** -23],
    ["+", "f32", [1, 2 ** -100], 1 - 2 ** -24, 1 + 2 ** -23],
    ["-", "f32", [1, 2 ** -30], 1 - 2 ** -24, 1],
    ["+", "f16", [1, 2 ** -12], 1, 1 + 2 ** -10],
    ["*", "f32", [2 ** -100, 2 ** -40], 0, 2 ** -140],
    ["abs", "f32", [-(2 ** -140)], 0, 2 ** -140],
    ["atan", "f16", [1], Math.PI / 4 - 0.005, Math.PI / 4 + 0.005],
    ["sin", "f32", [0], -(2 ** -11), 2 ** -11],
    ["log", "f32", [1], -(2 ** -21), 2 ** -21],
    ["fract", "f32", [-(2 ** -30)], 1 - 2 ** -24, 1],
  ])("%s of %s %j", (name, type, values, low, high) => {
    const interval = acceptedInterval(name, type, ...values);
    if (name === "atan") {
      expect(interval.low).toBeGreaterThan(low);
      expect(interval.high).toBeLessThan(high);
    } else {
      expect(interval).toEqual({ low, high });
    }
  });

  test("3 + 2·|x| units for exp", () => {
    const { low, high } = acceptedInterval("exp", "f32", 1);
    expect((high - low) / 2 ** -22).toBeGreaterThanOrEqual(10);
    expect((high - low) / 2 ** -22).toBeLessThanOrEqual(12);
  });

  test.each<[AccuracyName, number[]]>([
    ["*", [2 ** 100, 2 ** 100]],
    ["/", [1, 0]],
    ["/", [1, 2 ** 127]],
    ["sin", [4]],
    ["acos", [2]],
    ["log", [-1]],
    ["atan2", [1, 0]],
    ["+", [NaN, 1]],
  ])("everything for %s of %j", (name, values) => {
    expect(acceptedInterval(name, "f32", ...values)).toBe(anyValue);
  });
});
