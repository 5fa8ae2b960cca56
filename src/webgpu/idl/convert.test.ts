import { describe, expect, test } from "vitest";
import {
  boolean,
  bufferSource,
  type Converter,
  clamped16,
  domString,
  double,
  enumeration,
  float,
  nullable,
  record,
  sequence,
  signed32,
  size32,
  size64,
  unsigned32,
  usvString,
} from "./convert.ts";

const letter = enumeration("Letter", ["a", "b"]);

describe("values that convert", () => {
  test.each<[string, Converter<unknown>, unknown, unknown]>([
    ["numbers are cut", size32, 3.9, 3],
    ["also towards zero from below", size32, -0.9, 0],
    ["text with a number", size32, "12", 12],
    ["null", size32, null, 0],
    ["an object with a value", size32, { valueOf: () => 7 }, 7],
    ["the largest size", size64, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ["a negative number", signed32, -5, -5],
    ["numbers wrap", unsigned32, -1, 2 ** 32 - 1],
    ["numbers are clamped", clamped16, 1e9, 65535],
    ["halves go to the even number", clamped16, 2.5, 2],
    ["and to the even number above", clamped16, 3.5, 4],
    ["no number is 0", clamped16, "x", 0],
    ["floats are rounded", float, 0.1, Math.fround(0.1)],
    ["doubles are not", double, 0.1, 0.1],
    ["anything is true or false", boolean, "", false],
    ["text", domString, 12, "12"],
    ["half surrogate pairs", usvString, "a\ud800b\ud83d\ude00\udc00", "a\ufffdb😀\ufffd"],
    ["an enumeration", letter, "b", "b"],
    ["nothing for null", nullable(size32), undefined, null],
    ["whatever can be iterated", sequence(size32), new Set([1, "2"]), [1, 2]],
    [
      "the entries of an object",
      record(domString, size32),
      { a: 1, b: "2" },
      new Map([
        ["a", 1],
        ["b", 2],
      ]),
    ],
  ])("%s", (_, convert, value, expected) => {
    expect(convert(value, "x")).toEqual(expected);
  });
});

describe("values that do not", () => {
  test.each<[string, Converter<unknown>, unknown, string]>([
    ["a negative size", size32, -1, "x must be an integer from 0 to 4294967295, not -1"],
    ["too large a size", size64, 2 ** 53, "x must be an integer from 0 to 9007199254740991, not 9007199254740992"],
    ["no number", size32, "y", `x must be an integer from 0 to 4294967295, not "y"`],
    ["infinity", double, Infinity, "x must be a finite number, not Infinity"],
    ["above 32-bit floats", float, 1e39, "x must be a finite number in the range of 32-bit floats, not 1e+39"],
    ["a big integer", size32, 1n, "Cannot convert a BigInt value to a number"],
    ["no member of an enumeration", letter, "c", `x must be one of "a", "b" (Letter), not "c"`],
    [
      "no list",
      sequence(size32),
      {},
      "x must be an array, or something else that can be iterated, not an object of Object",
    ],
    ["a wrong element", sequence(size32), [-1], "an element of x must be an integer from 0 to 4294967295, not -1"],
    [
      "a wrong entry",
      record(domString, size32),
      { a: "y" },
      `‘a’ in x must be an integer from 0 to 4294967295, not "y"`,
    ],
    ["no bytes", bufferSource, [1], "x must be an ArrayBuffer, a typed array or a DataView, not an object of Array"],
  ])("%s", (_, convert, value, message) => {
    expect(() => convert(value, "x")).toThrow(new TypeError(message));
  });
});

test("typed arrays count in elements, all other bytes in bytes", () => {
  const bytes = new ArrayBuffer(16);
  expect(bufferSource(new Uint32Array(bytes, 4), "x")).toMatchObject({ elementSize: 4, length: 3 });
  expect(bufferSource(new DataView(bytes, 4), "x")).toMatchObject({ elementSize: 1, length: 12 });
  expect(bufferSource(new SharedArrayBuffer(8), "x")).toMatchObject({ elementSize: 1, length: 8 });
});
