/** Characters that keyboards and word processors put in the place of those of WGSL. */

/** The offset of the full-width forms of ASCII. */
const FULL_WIDTH = 0xff01 - 0x21;

/** What WGSL has, and the characters that look like it, but for full-width ones. */
const LOOKALIKES: readonly (readonly [twin: string, characters: string])[] = [
  [";", "\u037e\u061b\u204f\ufe14\ufe54"],
  [":", "\u02d0\u0589\u2236\ua789\ufe13\ufe55"],
  [",", "\u060c\u201a\u3001\ufe10\ufe50\ufe51\uff64"],
  [".", "\u3002\u2024\ufe52\uff61"],
  ["(", "\u2768\ufe59"],
  [")", "\u2769\ufe5a"],
  ["{", "\u2774\ufe5b"],
  ["}", "\u2775\ufe5c"],
  ["[", "\u3010\u27e6"],
  ["]", "\u3011\u27e7"],
  ["<", "\u2039\u2329\u27e8\u3008\ufe64"],
  [">", "\u203a\u232a\u27e9\u3009\ufe65"],
  ["=", "\ua78a\ufe66"],
  ["+", "\u2795\ufe62"],
  ["-", "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2796\ufe63"],
  ["*", "\u00d7\u2022\u204e\u2217\u22c5\u00b7\ufe61"],
  ["/", "\u00f7\u2044\u2215\u2571"],
  ["%", "\u066a\ufe6a"],
  ["&", "\ufe60"],
  ["|", "\u2223\u2758\uffe8"],
  ["!", "\u01c3\ufe57"],
  ["~", "\u02dc\u223c"],
  ["^", "\u02c6\u2038"],
  ["@", "\ufe6b"],
];

const TWINS: ReadonlyMap<string, string> = new Map(
  LOOKALIKES.flatMap(([twin, characters]) => [...characters].map((each): [string, string] => [each, twin])),
);

/** The character of WGSL that a unit of the text was meant to be; null: there is none that looks like it. */
export function twinOf(unit: number): string | null {
  const narrow = unit - FULL_WIDTH;
  if (narrow >= 0x21 && narrow <= 0x7e) return String.fromCharCode(narrow);
  return TWINS.get(String.fromCharCode(unit)) ?? null;
}

const OPERATORS: ReadonlyMap<string, string> = new Map([
  ["\u2264", "<="],
  ["\u2265", ">="],
  ["\u2260", "!="],
  ["\u2192", "->"],
  ["\u2227", "&&"],
  ["\u2228", "||"],
]);

/** What WGSL writes with two characters where a code point says the same elsewhere. */
export function operatorLike(codePoint: number): string | null {
  return OPERATORS.get(String.fromCodePoint(codePoint)) ?? null;
}
