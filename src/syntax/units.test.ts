import fc from "fast-check";
import { expect, test } from "vitest";
import { NOT_ASCII, unitsOf } from "./units.ts";

const expected = (text: string) =>
  Array.from({ length: text.length }, (_, at) => Math.min(text.charCodeAt(at), NOT_ASCII));

function check(text: string): void {
  const units = unitsOf(text);
  expect([...units.subarray(0, text.length + 1)]).toEqual([...expected(text), 0]);
}

test("one byte for every unit, be it of a pair, of half a pair, or of ASCII", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 60 }), check));
  check("\ud83d\ude00 \ude00 \ud83d \0 é–x");
});

test("texts longer than what is kept, as bytes and as UTF-8", () => {
  check("–é x".repeat(3000));
  check("–é x".repeat(200000));
  check("abc".repeat(400000));
  check("");
  check("–é x".repeat(3000));
});
