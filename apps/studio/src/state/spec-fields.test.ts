import { expect, test } from "vitest";
import { contentsOf, fieldsOf } from "./spec-fields.ts";

test.each([
  [undefined],
  ["zeros"],
  ["zeros:16"],
  ["iota:8"],
  ["fill:2.5:8"],
  ["random:1024:seed=7"],
  ["random:16:seed=1:min=0:max=9"],
  ["random:16:seed=1:zipf=1.1"],
  ["values.npy"],
  [{ file: "" }],
  [{ values: [1, 2, 3] }],
  [{ values: 5 }],
  [{ u32: [1, 2] }],
  [{ values: [1], unordered: true }],
  [{ same: "0.1" }],
])("%j is read and written alike", (contents) => {
  expect(contentsOf(fieldsOf(contents))).toEqual(contents);
});

test.each([
  ["random:1024:seed=7", { kind: "random", count: "1024", seed: "7" }],
  ["fill:2", { kind: "fill", value: "2", count: "" }],
  [{ file: "a.bin" }, { kind: "file", text: "a.bin" }],
  ["[1, 2]", { kind: "values", text: "[1, 2]" }],
])("%j in fields", (contents, fields) => {
  expect(fieldsOf(contents)).toMatchObject(fields);
});
