import { expect, test } from "vitest";
import { cellPath, columnOf, countChanges, countNonFinite, formatValue, rangeOf, valueAt } from "./values.ts";

const part = { path: "", isArray: true, offset: 0, stride: 4, first: 0, count: 2, columns: [], inner: null };
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

test.each(["u32", "i32", "f32"] as const)("a column of %s side by side is what its cells are", (scalar) => {
  const bytes = new Uint8Array(Uint32Array.of(0, 1, 0x7fc00000, 0xffffffff, 5).buffer, 4);
  const dense = {
    path: "",
    isArray: true,
    offset: 4,
    stride: 4,
    count: 3,
    columns: [{ name: "", scalar, offset: 0 }],
    inner: null,
    first: 0,
  };
  const cells = [0, 1, 2].map((row) => valueAt(bytes, dense, dense.columns[0], row));
  expect([...columnOf({ bytes }, dense, dense.columns[0])]).toEqual(cells);
  const other = bytes.slice();
  expect(countChanges({ bytes }, { bytes: other }, dense)).toBe(0);
  other[5] ^= 1;
  expect(countChanges({ bytes }, { bytes: other }, dense)).toBe(scalar === "f32" ? 0 : 1);
});

test("what is no finite number has no part in the range", () => {
  const values = [Number.NaN, 2, Number.POSITIVE_INFINITY, -1, Number.NEGATIVE_INFINITY];
  expect(rangeOf(values)).toEqual({ min: -1, max: 2 });
  expect(countNonFinite(values)).toBe(3);
  expect(rangeOf([Number.NaN])).toEqual({ min: 0, max: 0 });
});

test("the range of values", () => {
  expect(rangeOf([3, -1, 2])).toEqual({ min: -1, max: 3 });
  expect(rangeOf([])).toEqual({ min: 0, max: 0 });
});

test("elements of an array in each element of another", () => {
  const bytes = new Uint8Array(Uint32Array.from({ length: 12 }, (_, i) => i).buffer);
  const columns = [{ name: ".x", scalar: "u32", offset: 0 }] as const;
  const inner = { path: ".bins", stride: 4, first: 0, count: 3 };
  const rows = (outer: number, offset: number) => {
    const nested = { path: ".s", isArray: true, offset, stride: outer, first: 0, count: 6, columns, inner };
    const cells = [0, 1, 2, 3, 4, 5].map((row) => valueAt(bytes, nested, columns[0], row));
    expect([...columnOf({ bytes }, nested, columns[0])]).toEqual(cells);
    expect(cellPath("v", nested, columns[0], 4)).toBe("v.s[1].bins[1].x");
    expect(cellPath("v", { ...nested, first: 2 }, columns[0], 4)).toBe("v.s[3].bins[1].x");
    return cells;
  };
  expect(rows(12, 0)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(rows(24, 4)).toEqual([1, 2, 3, 7, 8, 9]);
});
