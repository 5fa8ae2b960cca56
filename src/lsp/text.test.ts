import { expect, test } from "vitest";
import { changed, Places } from "./text.ts";

test("lines end as the protocol says, and not as WGSL says", () => {
  const places = new Places("a\r\nb\rc\nd\u2028e");
  expect([0, 3, 5, 7, 9].map((offset) => places.position(offset))).toEqual([
    { line: 0, character: 0 },
    { line: 1, character: 0 },
    { line: 2, character: 0 },
    { line: 3, character: 0 },
    { line: 3, character: 2 },
  ]);
  for (let offset = 0; offset <= places.text.length; offset++) {
    // Between CR and LF is no place.
    if (offset !== 2) expect(places.offset(places.position(offset))).toBe(offset);
  }
});

test.each([
  [0, 99, 1],
  [1, 99, 4],
  [99, 0, 10],
])("line %i, character %i is in the text", (line, character, expected) => {
  expect(new Places("a\r\nb\rc\nd\u2028e").offset({ line, character })).toBe(expected);
});

test("changes come one after the other", () => {
  const range = (start: number, end: number) => ({
    start: { line: 0, character: start },
    end: { line: 0, character: end },
  });
  expect(
    changed("abc", [
      { range: range(0, 1), text: "xy" },
      { range: range(1, 2), text: "" },
    ]),
  ).toBe("xbc");
  expect(changed("abc", [{ text: "new" }])).toBe("new");
});
