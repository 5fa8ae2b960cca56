import fc from "fast-check";
import { expect, test } from "vitest";
import { F16_MAX } from "./float16.ts";
import {
  F32_MAX,
  F32_MIN_NORMAL,
  F32_MIN_SUBNORMAL,
  f32FromBits,
  f32ToBits,
  f32ToSignedBits,
  nextDownF16,
  nextDownF32,
  nextUpF16,
  nextUpF32,
  roundDownToF16,
  roundDownToF32,
  roundUpToF16,
  roundUpToF32,
} from "./float32.ts";
import { ulpDistanceF16, ulpDistanceF32, ulpF16, ulpF32 } from "./ulp.ts";

const f32 = fc.float({ noNaN: true });
const f64 = fc.double({ noNaN: true });

test("bits and values agree with DataView", () => {
  const view = new DataView(new ArrayBuffer(4));
  fc.assert(
    fc.property(f64, (x) => {
      view.setFloat32(0, x);
      expect(f32ToBits(x)).toBe(view.getUint32(0));
      expect(f32ToSignedBits(x)).toBe(view.getInt32(0));
      expect(f32FromBits(f32ToBits(x))).toBe(Math.fround(x));
      expect(f32FromBits(f32ToSignedBits(x))).toBe(Math.fround(x));
    }),
  );
});

test("limits", () => {
  expect([f32ToBits(F32_MAX), f32ToBits(F32_MIN_NORMAL), f32ToBits(F32_MIN_SUBNORMAL)]).toEqual([
    0x7f7fffff, 0x00800000, 1,
  ]);
});

test.each([
  [0, F32_MIN_SUBNORMAL],
  [-0, F32_MIN_SUBNORMAL],
  [-F32_MIN_SUBNORMAL, 0],
  [1, 1 + 2 ** -23],
  [-1, -1 + 2 ** -24],
  [F32_MAX, Infinity],
  [-Infinity, -F32_MAX],
  [Infinity, Infinity],
  [NaN, NaN],
])("the next f32 above %d is %d", (x, next) => {
  expect(nextUpF32(x) + 0).toBe(next);
});

test("nothing lies between a value and its next", () => {
  fc.assert(
    fc.property(f32.filter(Number.isFinite), (x) => {
      const [below, above] = [nextDownF32(x), nextUpF32(x)];
      expect(below < x && x < above).toBe(true);
      expect(ulpDistanceF32(below, above)).toBe(2);
      if (Number.isFinite(above)) expect([x, above]).toContain(Math.fround((x + above) / 2));
    }),
  );
});

test("every f16 has its neighbours", () => {
  for (let x = -F16_MAX; x < F16_MAX; x = nextUpF16(x)) {
    const above = nextUpF16(x);
    if (!(x < above) || nextDownF16(above) !== x || ulpDistanceF16(x, above) !== 1) expect([x, above]).toEqual([]);
  }
  expect([nextUpF16(F16_MAX), nextDownF16(-F16_MAX)]).toEqual([Infinity, -Infinity]);
});

test("directed rounding encloses", () => {
  fc.assert(
    fc.property(f64, (x) => {
      const [low, high] = [roundDownToF32(x), roundUpToF32(x)];
      expect(low <= x && x <= high).toBe(true);
      expect(ulpDistanceF32(low, high)).toBe(Math.fround(x) === x ? 0 : 1);
      const [low16, high16] = [roundDownToF16(x), roundUpToF16(x)];
      expect(low16 <= x && x <= high16).toBe(true);
      expect(ulpDistanceF16(low16, high16)).toBeLessThanOrEqual(1);
    }),
  );
});

test("units in the last place", () => {
  expect([ulpF32(1.5), ulpF32(1), ulpF32(0), ulpF32(1e39), ulpF32(1 + 2 ** -40)]).toEqual([
    2 ** -23,
    2 ** -24,
    2 ** -149,
    2 ** 104,
    2 ** -23,
  ]);
  expect([ulpF16(1.5), ulpF16(1), ulpF16(0), ulpF16(1e6)]).toEqual([2 ** -10, 2 ** -11, 2 ** -24, 32]);
});

test("distance of values with and without NaN", () => {
  expect([ulpDistanceF32(-0, 0), ulpDistanceF32(-F32_MIN_SUBNORMAL, F32_MIN_SUBNORMAL)]).toEqual([0, 2]);
  expect([ulpDistanceF32(NaN, NaN), ulpDistanceF32(NaN, 1), ulpDistanceF16(1, NaN)]).toEqual([0, Infinity, Infinity]);
});
