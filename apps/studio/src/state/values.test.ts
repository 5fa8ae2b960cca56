import { expect, test } from "vitest";
import { formatValue, rangeOf, valueAt } from "./values.ts";

const part = { path: "", isArray: true, offset: 0, stride: 4, count: 2, columns: [] };
const at = (words: ArrayBufferView, scalar: "u32" | "i32" | "f32" | "f16", row = 0) =>
  valueAt(new Uint8Array(words.buffer), part, { name: "", scalar, offset: 0 }, row);

test("values of each type", () => {
  expect(at(Uint32Array.of(1, 4294967295), "u32", 1)).toBe(4294967295);
  expect(at(Int32Array.of(1, -1), "i32", 1)).toBe(-1);
  expect(at(Float32Array.of(0.5), "f32")).toBe(0.5);
  expect(at(Uint16Array.of(0x3c00, 0), "f16")).toBe(1);
  expect(at(Uint16Array.of(0x0001, 0), "f16")).toBe(2 ** -24);
  expect(at(Uint16Array.of(0xfc00, 0), "f16")).toBe(Number.NEGATIVE_INFINITY);
  expect(at(Uint32Array.of(1), "u32", 1)).toBeNaN();
});

test.each([
  [Math.fround(0.1), "f32", "0.1"],
  [Math.fround(1 / 3), "f32", "0.33333334"],
  [Number.NaN, "f32", "NaN"],
  [1, "bool", "true"],
  [4294967295, "u32", "4294967295"],
] as const)("%d as %s: %s", (value, scalar, text) => {
  expect(formatValue(value, scalar)).toBe(text);
});

test("the range of values", () => {
  expect(rangeOf([3, -1, 2])).toEqual({ min: -1, max: 3 });
  expect(rangeOf([])).toEqual({ min: 0, max: 0 });
});
