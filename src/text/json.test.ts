/** JSON text: what it looks like, and that it comes in pieces. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonText, writeJson } from "./json.ts";

test("objects are indented, rows of plain values are one line", () => {
  const value = { a: [1, -0, [2, 3]], b: {}, c: undefined, d: [{ e: null, f: [] }], g: "‘x’" };
  expect(jsonText(value)).toBe(`{
  "a": [1, -0, [2, 3]],
  "b": {},
  "d": [
    {
      "e": null,
      "f": []
    }
  ],
  "g": "‘x’"
}
`);
});

test("reads as what it was made of", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(jsonText(value))).toEqual(value);
    }),
  );
});

test("pieces are no longer than there is need, and together the text", () => {
  const value = { findings: Array.from({ length: 5000 }, (_, n) => ({ n, message: `message ${n}` })), row: [1, 2] };
  const pieces: string[] = [];
  writeJson(value, (piece) => pieces.push(piece));
  expect(pieces.length).toBeGreaterThan(2);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(2 ** 14);
  expect(pieces.join("")).toBe(jsonText(value));
});
