import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { lex, tokenize } from "./lexer.ts";
import { Reporter } from "./reporter.ts";
import { isKeyword, TOKEN_TEXT, Token, WORDS } from "./tokens.ts";

const names = Object.keys(Token) as (keyof typeof Token)[];

/** Kinds with the text where the kind does not say it: `identifier:x plus number:1`. */
function kinds(text: string): string {
  const tokens = lex(text, new Reporter());
  const parts: string[] = [];
  for (let i = 0; i < tokens.count - 1; i++) {
    const kind = tokens.kinds[i];
    const name = names.find((candidate) => Token[candidate] === kind);
    const spelling = text.slice(tokens.starts[i], tokens.ends[i]);
    parts.push(TOKEN_TEXT[kind] === spelling ? `${name}` : `${name}:${spelling}`);
  }
  return parts.join(" ");
}

function reports(text: string): string[] {
  const reporter = new Reporter();
  lex(text, reporter);
  return reporter.sorted().map((item) => `${item.span.start} ${item.code}`);
}

interface Pinned {
  readonly keywords: readonly string[];
  readonly reservedWords: readonly string[];
  readonly tokens: readonly { readonly name: string; readonly text: string }[];
}
const pinned = JSON.parse(readFileSync("test/spec/spec.gen.json", "utf8")) as Pinned;

describe("the words and tokens of the specification", () => {
  test("keywords", () => {
    const keywords = [...WORDS].filter(([, kind]) => isKeyword(kind)).map(([word]) => word);
    expect(keywords.sort()).toEqual([...pinned.keywords].sort());
    for (const word of keywords) expect(kinds(word)).toBe(names.find((name) => Token[name] === WORDS.get(word)));
  });

  test("reserved words", () => {
    const reserved = [...WORDS].filter(([, kind]) => kind === Token.reservedWord).map(([word]) => word);
    expect(reserved.sort()).toEqual([...pinned.reservedWords].sort());
    for (const word of reserved) expect(kinds(word)).toBe(`reservedWord:${word}`);
  });

  test("syntactic tokens", () => {
    for (const { text } of pinned.tokens) expect(kinds(text), text).not.toContain(":");
  });

  test("every kind has a spelling or none", () => {
    expect(TOKEN_TEXT).toHaveLength(names.length);
    for (const name of names.filter((candidate) => Token[candidate] < Token.templateArgsStart)) {
      const spelling = TOKEN_TEXT[Token[name]];
      if (spelling !== "") expect(kinds(spelling)).toBe(name);
    }
  });
});

test.each([
  ["", ""],
  ["x", "identifier:x"],
  ["_", "underscore"],
  ["_x __ _0", "identifier:_x identifier:__ identifier:_0"],
  ["iff if0", "identifier:iff identifier:if0"],
  ["Δέλτα réflexion 𐰓𐰏𐰇 गुलाबी", "identifier:Δέλτα identifier:réflexion identifier:𐰓𐰏𐰇 identifier:गुलाबी"],
  ["a·b", "identifier:a·b"],
  ["a+++b", "identifier:a plusPlus plus identifier:b"],
  ["a--- b", "identifier:a minusMinus minus identifier:b"],
  ["a->b", "identifier:a arrow identifier:b"],
  ["&&& &= |||", "andAnd and andEqual orOr or"],
  [
    ") << <<= >> >>= <= >= ==",
    "parenRight shiftLeft shiftLeftAssign shiftRight shiftRightAssign lessThanEqual greaterThanEqual equalEqual",
  ],
  ["===", "equalEqual equal"],
  ["a.b.0", "identifier:a period identifier:b number:.0"],
  ["$ ‽ ?", "invalid:$ invalid:‽ invalid:?"],
  [`"a 'b" 'c' "d`, `invalid:"a 'b" invalid:'c' invalid:"d`],
])("%s", (text, expected) => {
  expect(kinds(text)).toBe(expected);
});

describe("numbers", () => {
  test.each([
    ..."0 0i 0u 1 123 1u 12i 0x0 0X1f 0xABCDEFi 0xau".split(" "),
    ..."0f 0h 1f 12h .1 1. 1.5 01. 012.5 .5f 1.h 1e5 1E+5 1e-5f 0e0h 1.5e+10f 1.e2 .1e3h".split(" "),
    ..."0x.1 0x1. 0x1.fp2 0xa.fp+2 0x1P+4f 0X.3 0x3p+2h 0x1p-4 0x.8p0f".split(" "),
  ])("%s is one token", (text) => {
    expect(kinds(`${text};`)).toBe(`number:${text} semicolon`);
  });

  test.each([
    ["1.x", "number:1.x"],
    ["012", "number:012"],
    ["1abc", "number:1abc"],
    ["0x", "number:0x"],
    ["0xg", "number:0xg"],
    ["1e", "number:1e"],
    ["1e+", "number:1e plus"],
    ["0x1p", "number:0x1p"],
    ["1u2", "number:1u2"],
    ["1.2.3", "number:1.2 number:.3"],
    ["1..2", "number:1. number:.2"],
    ["1+2", "number:1 plus number:2"],
    ["0x1.fp2", "number:0x1.fp2"],
    ["0x1-1", "number:0x1 minus number:1"],
  ])("%s", (text, expected) => {
    expect(kinds(text)).toBe(expected);
  });
});

describe("comments and blankspace", () => {
  const blanks = ["\u0020", "\t", "\n", "\v", "\f", "\r", "\r\n", "\u0085", "\u200e", "\u200f", "\u2028", "\u2029"];
  test.each(blanks.map((blank) => [encodeURI(blank), blank]))("%s separates tokens", (_, blank) => {
    expect(kinds(`a${blank}b`)).toBe("identifier:a identifier:b");
  });

  const lineBreaks = ["\n", "\v", "\f", "\r", "\r\n", "\u0085", "\u2028", "\u2029"];
  test.each(lineBreaks.map((lineBreak) => [encodeURI(lineBreak), lineBreak]))("%s ends a comment", (_, lineBreak) => {
    expect(kinds(`a // b${lineBreak}c`)).toBe("identifier:a identifier:c");
  });

  test.each([
    ["a/**/b", "identifier:a identifier:b"],
    ["a/*/b", "identifier:a"],
    ["/* /* */ b */c", "identifier:c"],
    ["/*/**/*/c", "identifier:c"],
    ["/* // */c", "identifier:c"],
    ["// /*\nc", "identifier:c"],
    ["/***/c", "identifier:c"],
    ["a//", "identifier:a"],
    ["a//\u200eb\nc", "identifier:a identifier:c"],
    ["a / b /= c", "identifier:a forwardSlash identifier:b divisionEqual identifier:c"],
  ])("%s", (text, expected) => {
    expect(kinds(text)).toBe(expected);
  });

  test("comments are kept", () => {
    const text = "a // b\n/* c */ d //";
    const { comments } = lex(text, new Reporter());
    expect(comments.map(({ span }) => text.slice(span.start, span.end))).toEqual(["// b", "/* c */", "//"]);
  });
});

test.each([
  ["/* a", ["0 unterminated-comment"]],
  ["/* /* */", ["0 unterminated-comment"]],
  ["a\0b", ["1 forbidden-code-point"]],
  ["// \0", ["3 forbidden-code-point"]],
  ["/*\0*/", ["2 forbidden-code-point"]],
  ["// \ud800", ["3 forbidden-code-point"]],
  ["// \udc00", ["3 forbidden-code-point"]],
  ["// 𐰓", []],
  ["a\ud800 b", ["1 forbidden-code-point"]],
  ["\ufeffa", ["0 byte-order-mark"]],
  ["a\ufeffb", ["1 invisible-character"]],
  ["a\u00a0b", ["1 invisible-character"]],
  ["#if 0\na", ["0 preprocessor-directive"]],
])("%j", (text, expected) => {
  expect(reports(text)).toEqual(expected);
});

describe("template lists", () => {
  /** The text with `‹` and `›` for the delimiters of template lists. */
  function delimiters(text: string): string {
    const tokens = lex(text, new Reporter());
    const units = [...text];
    for (let i = 0; i < tokens.count; i++) {
      if (tokens.kinds[i] === Token.templateArgsStart) units[tokens.starts[i]] = "‹";
      if (tokens.kinds[i] === Token.templateArgsEnd) units[tokens.starts[i]] = "›";
    }
    return units.join("");
  }

  test.each([
    ["vec3<f32>", "vec3‹f32›"],
    ["array<vec4<f32>>", "array‹vec4‹f32››"],
    ["array<array<vec4<f32>>>", "array‹array‹vec4‹f32›››"],
    ["var<storage,read_write> a", "var‹storage,read_write› a"],
    ["a /* */ < // x\n b >", "a /* */ ‹ // x\n b ›"],
    ["vec2<f32>=a", "vec2‹f32›=a"],
    ["array<vec2<f32>>=a", "array‹vec2‹f32››=a"],
    ["A<B>>=C", "A‹B›>=C"],
    ["A<(B>=C)>", "A‹(B>=C)›"],
    ["A<(B<C)>", "A‹(B<C)›"],
    ["A<B<C>>D", "A‹B‹C››D"],
    ["A<B<<C>", "A‹B<<C›"],
    ["A<B<=C>", "A‹B<=C›"],
    ["A<(B>>C)>", "A‹(B>>C)›"],
    ["A<B!=C>", "A‹B!=C›"],
    ["A<B==C>", "A‹B==C›"],
    ["A<1+2>()", "A‹1+2›()"],
    ["a<b && c>d", "a<b && c>d"],
    ["a<b || c>d", "a<b || c>d"],
    ["f(a<b && c>d)", "f(a<b && c>d)"],
    ["A<f(b && c)>", "A‹f(b && c)›"],
    ["A<b[c || d]>", "A‹b[c || d]›"],
    ["f(a<b, c>(d))", "f(a‹b, c›(d))"],
    ["a<b; c>d", "a<b; c>d"],
    ["a<b { c>d", "a<b { c>d"],
    ["a<b : c>d", "a<b : c>d"],
    ["a<b = c>d", "a<b = c>d"],
    ["a<b += c>d", "a<b += c>d"],
    ["a<b, c>=d", "a‹b, c›=d"],
    ["(a<b)>c", "(a<b)>c"],
    ["a[b<c]>d", "a[b<c]>d"],
    ["(a)<b>c", "(a)<b>c"],
    ["1<b>c", "1<b>c"],
    ["true<b>c", "true<b>c"],
    ["_<b>c", "_<b>c"],
    ["if a<b>(c)", "if a‹b›(c)"],
    ["if<b>c", "if‹b›c"],
    ["a<b)>c", "a<b)>c"],
    ["A<B,>", "A‹B,›"],
    ["(a)<=b<c>d", "(a)<=b‹c›d"],
    ["a<(b)<=c>d", "a<(b)<=c>d"],
    ["a<b>>>c", "a‹b›>>c"],
  ])("%s", (text, expected) => {
    expect(delimiters(text)).toBe(expected);
  });
});

test("tokens for colouring come with comments, in order, from any text", () => {
  const text = '/* a */ fn f<_>(x: i32) -> "s" // b\n0x1 += match';
  const shown = tokenize(text).map(({ class: kind, span }) => `${kind} ${text.slice(span.start, span.end)}`);
  expect(shown).toEqual([
    "comment /* a */",
    "keyword fn",
    "identifier f",
    "punctuation <",
    "punctuation _",
    "punctuation >",
    "punctuation (",
    "identifier x",
    "punctuation :",
    "identifier i32",
    "punctuation )",
    "punctuation ->",
    'invalid "s"',
    "comment // b",
    "number 0x1",
    "operator +=",
    "reserved-word match",
  ]);
});

test("texts of more tokens than there is room for at first, and a short one behind", () => {
  const count = 600_000;
  const tokens = lex("x=1;".repeat(count / 4), new Reporter());
  expect(tokens.count).toBe(count + 1);
  expect([...tokens.kinds.subarray(count - 4, count + 1)]).toEqual([
    Token.identifier,
    Token.equal,
    Token.number,
    Token.semicolon,
    Token.end,
  ]);
  expect(tokens.starts[count - 1]).toBe(count - 1);
  expect(kinds("a + 1")).toBe("identifier:a plus number:1");
});
