import { expect, test } from "vitest";
import { identifierEnd, isIdentifierStart } from "./characters.ts";

const isContinuation = (codePoint: number) => identifierEnd(String.fromCodePoint(codePoint), 0) > 0;
const CODE_POINTS = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint).filter(
  (codePoint) => codePoint < 0xd800 || codePoint > 0xdfff,
);

test("as many as Unicode 14 has, and `_`", () => {
  expect(CODE_POINTS.filter(isIdentifierStart)).toHaveLength(131974 + 1);
  expect(CODE_POINTS.filter(isContinuation)).toHaveLength(135053);
});

test("no later version of Unicode takes one away", () => {
  const start = /^[\p{XID_Start}_]$/u;
  const continuation = /^\p{XID_Continue}$/u;
  for (const codePoint of CODE_POINTS) {
    const character = String.fromCodePoint(codePoint);
    if (isIdentifierStart(codePoint) && !start.test(character)) expect.fail(`start: ${character}`);
    if (isContinuation(codePoint) && !continuation.test(character)) expect.fail(`continuation: ${character}`);
  }
});

test.each([
  ["Δέλτα", 5],
  ["x̀y", 3],
  ["数値1 ", 3],
  // Added by Unicode 15.0, 15.1 and 16.
  ["𞓐", 0],
  ["a・b", 1],
  ["𐗀", 0],
])("%s", (text, length) => {
  expect(isIdentifierStart(text.codePointAt(0)!)).toBe(length > 0);
  expect(identifierEnd(text, 0)).toBe(length);
});
