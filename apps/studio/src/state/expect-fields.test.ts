import { expect, test } from "vitest";
import { expectationOf, expectFieldsOf, writtenValue } from "./expect-fields.ts";

test.each([
  [{ values: [1, 2] }],
  [{ values: [1, 2], unordered: true }],
  [{ values: [1, 2], count: "cont.live" }],
  [{ values: [1, 2], unordered: true, count: 2 }],
  ["iota"],
  ["fill:3"],
  [{ spec: "iota", count: 4 }],
  ["want.npy"],
  [{ file: "want.npy", unordered: true }],
  [{ u32: [1, 2] }],
  [{ u32: [1, 2], unordered: true }],
])("%j is written as it was read", (given) => {
  expect(expectationOf(expectFieldsOf(given))).toEqual(given);
});

test("what is chosen beside the values is taken away again", () => {
  const read = expectFieldsOf({ values: [3], unordered: true, count: 1 });
  expect([read.unordered, read.count, read.contents.kind, read.contents.text]).toEqual([true, "1", "values", "[3]"]);
  expect(expectationOf({ ...read, unordered: false, count: " " })).toEqual({ values: [3] });
});

test("a plain list has room for options only as an object", () => {
  expect(expectationOf({ ...expectFieldsOf([1, 2]), unordered: true })).toEqual({ values: [1, 2], unordered: true });
});

test("a value is JSON, or else a text", () => {
  expect(["1", "[1, 2]", " NaN ", '"NaN"', "true"].map(writtenValue)).toEqual([1, [1, 2], "NaN", "NaN", true]);
});
