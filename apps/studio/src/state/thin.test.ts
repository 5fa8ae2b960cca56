import { expect, test } from "vitest";
import { extremes, means } from "./thin.ts";

const ramp = (count: number) => Float64Array.from({ length: count }, (_, i) => i);

test("few values stay as they are", () => {
  expect(means(ramp(3), 4)).toEqual({ x: ramp(3), y: ramp(3), per: 1 });
  expect(extremes(ramp(3), 4)).toEqual({ x: ramp(3), y: ramp(3), per: 1 });
  expect(means(ramp(0), 4).y).toEqual(ramp(0));
});

test("bars are means of their neighbours", () => {
  const { x, y, per } = means(ramp(10), 4);
  expect([...x]).toEqual([0, 3, 6, 9]);
  expect([...y]).toEqual([1, 4, 7, 9]);
  expect(per).toBe(3);
});

test("a line keeps every peak, in order", () => {
  const values = new Float64Array(1000);
  values[500] = 7;
  values[501] = -7;
  const { x, y } = extremes(values, 100);
  expect(y.length).toBeLessThanOrEqual(100);
  expect([Math.max(...y), Math.min(...y)]).toEqual([7, -7]);
  expect(x.every((value, i) => i === 0 || value >= x[i - 1])).toBe(true);
});

test("what is not finite leaves a gap, and hides no peak", () => {
  const values = Float64Array.of(Number.NaN, 4, Number.POSITIVE_INFINITY, 2, Number.NaN, Number.NaN);
  expect([...means(values, 3).y]).toEqual([4, 2, Number.NaN]);
  const many = Float64Array.from({ length: 1000 }, (_, i) => (i < 500 ? Number.NaN : i));
  many[0] = Number.NEGATIVE_INFINITY;
  const { y } = extremes(many, 100);
  expect(y.some((value) => Math.abs(value) === Number.POSITIVE_INFINITY)).toBe(false);
  expect([Math.min(...y.filter(Number.isFinite)), Math.max(...y.filter(Number.isFinite))]).toEqual([500, 999]);
});
