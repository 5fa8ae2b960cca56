/** Ways to damage a text. */
import type { Choice } from "../random/choice.ts";

export interface Mutation {
  readonly name: string;
  readonly apply: (text: string, choice: Choice) => string;
}

const DEEP = 10_000;

/** A stretch of the text, mostly short. */
function stretch(text: string, choice: Choice): readonly [start: number, end: number] {
  const start = choice.int(0, text.length);
  const length = choice.once(4) ? choice.int(0, text.length) : choice.int(0, 20);
  return [start, Math.min(text.length, start + length)];
}

function insert(text: string, choice: Choice, piece: string): string {
  const at = choice.int(0, text.length);
  return text.slice(0, at) + piece + text.slice(at);
}

/** In place of a number or word of the text. */
function replaceToken(text: string, choice: Choice, pattern: RegExp, piece: string): string {
  const tokens = [...text.matchAll(pattern)];
  if (tokens.length === 0) return insert(text, choice, piece);
  const token = choice.pick(tokens);
  return text.slice(0, token.index) + piece + text.slice(token.index + token[0].length);
}

function randomCharacter(choice: Choice): string {
  const codePoint = choice.weighted(
    [3, choice.int(0, 0x7f)],
    [3, choice.int(0x80, 0xd7ff)],
    [2, choice.int(0xe000, 0xffff)],
    [2, choice.int(0x10000, 0x10ffff)],
  );
  return String.fromCodePoint(codePoint);
}

const BRACKETS: readonly (readonly [open: string, close: string])[] = [
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
  ["<", ">"],
  ["a<", ">"],
  ["array<", ", 2>"],
  ["a[", "]"],
  ["f(", ")"],
  ["/*", "*/"],
  ["if a {", "}"],
  ["loop { continuing {", "}}"],
  ["switch 1 { default {", "}}"],
  ["if a { } else ", "{ }"],
  ["-", ""],
  ["!", ""],
  ["*", ""],
  ["&", ""],
  ["@a(", ")"],
  ["1 + (", ")"],
  ["vec2(", ")"],
  ['{"a":', "}"],
  ['{"values":', "}"],
];

function nested(choice: Choice): string {
  const [open, close] = choice.pick(BRACKETS);
  const depth = choice.once(2) ? DEEP : choice.int(1, DEEP);
  const closing = choice.pick([0, depth, depth - 1, choice.int(0, depth)]);
  return open.repeat(depth) + close.repeat(closing);
}

const HUGE: readonly string[] = [
  "9".repeat(1000),
  "-9".padEnd(400, "9"),
  "1e999999",
  "1e-999999",
  "0x1p99999",
  "0x1p-99999",
  `0x${"f".repeat(500)}`,
  `0.${"0".repeat(1000)}1`,
  "4294967295",
  "4294967296",
  "2147483648",
  "-2147483648",
  "-1",
  "0",
  "0.5",
  "1e308",
  "9007199254740993",
  "18446744073709551616",
];

const SURROGATES = ["\ud800", "\udfff", "\udc00\ud800", "\ud83d"];
const ODD = ["\0", "\0\0\0", "\ufeff", "\u2028", "\u202e", "\r", "\x7f", "\u00ad", "\u200d", "\uffff", "e\u0301"];

export const MUTATIONS: readonly (Mutation & { readonly weight: number })[] = [
  { name: "cut", weight: 6, apply: cut },
  { name: "cut off", weight: 3, apply: (text, choice) => text.slice(0, choice.int(0, text.length)) },
  { name: "swapped", weight: 4, apply: swapped },
  { name: "repeated", weight: 4, apply: repeated },
  { name: "random characters", weight: 4, apply: randomCharacters },
  { name: "nested brackets", weight: 3, apply: (text, choice) => insert(text, choice, nested(choice)) },
  { name: "a lone surrogate", weight: 2, apply: (text, choice) => insert(text, choice, choice.pick(SURROGATES)) },
  { name: "an odd character", weight: 2, apply: (text, choice) => insert(text, choice, choice.pick(ODD)) },
  { name: "a huge number", weight: 5, apply: hugeNumber },
  { name: "another word", weight: 5, apply: anotherWord },
  { name: "noise", weight: 1, apply: noise },
];

function cut(text: string, choice: Choice): string {
  const [start, end] = stretch(text, choice);
  return text.slice(0, start) + text.slice(end);
}

function swapped(text: string, choice: Choice): string {
  const [a, b, c, d] = [0, 0, 0, 0].map(() => choice.int(0, text.length)).sort((x, y) => x - y);
  return text.slice(0, a) + text.slice(c, d) + text.slice(b, c) + text.slice(a, b) + text.slice(d);
}

function repeated(text: string, choice: Choice): string {
  const [start, end] = stretch(text, choice);
  const piece = text.slice(start, end);
  return text.slice(0, start) + piece.repeat(choice.int(2, 12)) + text.slice(end);
}

function randomCharacters(text: string, choice: Choice): string {
  let damaged = text;
  for (let i = choice.int(1, 5); i > 0; i--) damaged = insert(damaged, choice, randomCharacter(choice));
  return damaged;
}

function hugeNumber(text: string, choice: Choice): string {
  return replaceToken(text, choice, /-?\d+(\.\d+)?/g, choice.pick(HUGE));
}

/** Another word of the same text, so that it may well still be read. */
function anotherWord(text: string, choice: Choice): string {
  const words = text.match(/\w+|[^\w\s]/g) ?? ["x"];
  return replaceToken(text, choice, /\w+|[^\w\s]/g, choice.pick(words));
}

function noise(_: string, choice: Choice): string {
  return Array.from({ length: choice.int(0, 300) }, () => randomCharacter(choice)).join("");
}

export function damaged(text: string, choice: Choice): { readonly text: string; readonly name: string } {
  const mutation = choice.weighted(...MUTATIONS.map((each) => [each.weight, each] as const));
  return { text: mutation.apply(text, choice), name: mutation.name };
}
