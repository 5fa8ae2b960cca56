import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonProblem, repeatedKeys } from "./json-syntax.ts";

const MEGABYTES = 10_000_000;

test.each([
  ["plain", "x".repeat(MEGABYTES)],
  ["escapes", "\\n".repeat(MEGABYTES / 2)],
  ["characters by number", "\\u0041".repeat(MEGABYTES / 6)],
])("a string of megabytes is no trouble: %s", (_, content) => {
  const text = `{"${content}": "${content}"}`;
  expect(jsonProblem(text)).toBeNull();
  expect(repeatedKeys(text)).toEqual([]);
  expect(jsonProblem(text.slice(0, -2))).toMatchObject({ offset: content.length + 5 });
});

test.each(["\\x", "\\u12g4", "\n", "\u0000"])("a string with %j is none", (wrong) => {
  expect(jsonProblem(`["a${wrong}b"]`)).toMatchObject({ offset: 1 });
});

test("accepts and refuses what JSON.parse does, but for numbers that become infinite", () => {
  const isJson = (text: string): boolean => {
    let finite = true;
    try {
      JSON.parse(text, (_, value) => {
        finite &&= typeof value !== "number" || Number.isFinite(value);
        return value;
      });
      return finite;
    } catch {
      return false;
    }
  };
  const damaged = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom("", '"', "\\", ",", "}", "]", "0", " ", "\t", "-", "e", "\u0001"))
    .map(([text, at, put]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + put + text.slice(place + 1);
    });
  fc.assert(
    fc.property(fc.oneof(fc.json(), damaged), (text) => {
      expect(jsonProblem(text) === null).toBe(isJson(text));
    }),
    { numRuns: 2000 },
  );
});
