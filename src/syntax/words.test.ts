import { expect, test } from "vitest";
import { isAsciiIdentifierPart } from "./characters.ts";
import { unitsOf } from "./units.ts";
import { Words } from "./words.ts";

const words = new Words();

function numbersOf(text: string): number[] {
  unitsOf(text);
  words.begin(text);
  return [...text.matchAll(/[\p{ID_Start}_][\p{ID_Continue}]*/gu)].map(({ index, 0: word }) => {
    const number = words.word(index);
    expect(words.end).toBe(index + word.length);
    expect(words.texts[number]).toBe(word);
    return number;
  });
}

test("every unit of ASCII ends a word or goes on with it, wherever it stands in it", () => {
  for (let length = 1; length <= 9; length++) {
    for (let unit = 0; unit < 128; unit++) {
      const start = "a".repeat(length);
      const text = start + String.fromCharCode(unit);
      for (const behind of ["", "z", "_9", "é", "名~"]) {
        unitsOf(text + behind);
        words.begin(text + behind);
        words.word(0);
        const isPart = isAsciiIdentifierPart(unit);
        expect(words.end, text + behind).toBe(isPart ? (text + behind).replace("~", "").length : length);
      }
    }
  }
});

test("words that are written the same have one number, all others have their own", () => {
  const different = [
    "a",
    "ab",
    "abc",
    "abcd",
    "abce",
    "abcde",
    "xbcde",
    "abcdefgh",
    "abcdefgi",
    "abcd_fgh",
    "abcdefghi",
  ];
  const all = [...different, "é", "ab名", "ab前", "名前", "abcd名", "abce名", "名abcd"];
  expect(numbersOf([...all, ...all].join(" "))).toEqual([...all.keys(), ...all.keys()]);
  const many = Array.from({ length: 3000 }, (_, at) => `value_${at % 1500}`);
  expect(numbersOf(many.join("+"))).toEqual(many.map((_, at) => at % 1500));
});
