import { expect, test } from "vitest";
import { boolean, domString, size32 } from "./convert.ts";
import { defaulted, dictionary, optional, required } from "./dictionary.ts";

const base = dictionary("Base", { label: defaulted(domString, "") });
const inner = dictionary("Inner", { deep: defaulted(boolean, false) });
const outer = dictionary(
  "Outer",
  { size: required(size32), count: optional(size32), inner: defaulted(inner, {}) },
  base,
);

test("members are converted, defaults filled in", () => {
  expect(outer({ size: "3", label: 5, other: 1 }, "x")).toEqual({
    label: "5",
    size: 3,
    count: undefined,
    inner: { deep: false },
  });
});

test.each([
  [{}, "‘size’ of Outer is missing"],
  [null, "‘size’ of Outer is missing"],
  [{ size: -1 }, "‘size’ of Outer must be an integer from 0 to 4294967295, not -1"],
  [{ size: 1, inner: 5 }, "‘inner’ of Outer must be an object (Inner), not 5"],
  ["text", `x must be an object (Outer), not "text"`],
])("%j: %s", (value, message) => {
  expect(() => outer(value, "x")).toThrow(new TypeError(message));
});

test("what is inherited is read first, then the others by name", () => {
  const read: string[] = [];
  const get = (target: object, key: string | symbol) => {
    read.push(String(key));
    return Reflect.get(target, key);
  };
  outer(new Proxy({ size: 1 }, { get }), "x");
  expect(read).toEqual(["label", "count", "inner", "size"]);
});
