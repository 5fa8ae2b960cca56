import { expect, test } from "vitest";
import { bracketed, marked } from "../../test/support/marked.ts";
import { uniformity } from "./uniformity.ts";

const HEAD = "@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) ";

/** The body of the entry point with its non-uniform ranges, and the reasons. */
function shown(body: string, rest = ""): string {
  const { program, text } = marked(HEAD + body + rest);
  const ranges = uniformity(program);
  return [bracketed(text, ranges).slice(HEAD.length), ...new Set(ranges.map(({ reason }) => reason))].join(" | ");
}

const BUILTIN = "‘i’ is ‘local_invocation_index’, which differs between invocations";

test.each([
  ["{ let a = i; }", "", "{ let a = i; }"],
  [
    "{ if i == 0 { return; } let a = 1; let b = 2; }",
    "",
    `{ if i == 0 ⟦{ return; }⟧ ⟦let a = 1; let b = 2⟧; } | ${BUILTIN}`,
  ],
  ["{ if i == 0 { let a = 1; } let b = 2; }", "", `{ if i == 0 ⟦{ let a = 1; }⟧ let b = 2; } | ${BUILTIN}`],
  [
    "{ for (var k = 0u; k < i; k++) { if k == 1 { continue; } } }",
    "",
    `{ for (var k = 0u; k < i; ⟦k++⟧) ⟦{ if k == 1 { continue; } }⟧ } | ${BUILTIN}`,
  ],
  [
    "{ if n == 0 { let a = 1; } else { let b = 1; } }",
    " var<workgroup> n: u32;",
    "{ if n == 0 ⟦{ let a = 1; }⟧ else ⟦{ let b = 1; }⟧ } var<workgroup> n: u32; | " +
      "‘n’ is in workgroup memory, where invocations may read different values",
  ],
  // What a call hands down.
  [
    "{ f(i); g(); if i == 0 { h(); } }",
    " fn f(x: u32) { if x == 0 { g(); } } fn g() { let a = 1; } fn h() { let b = 1; }",
    "{ f(i); g(); if i == 0 ⟦{ h(); }⟧ } fn f(x: u32) { if x == 0 ⟦{ g(); }⟧ } fn g() ⟦{ let a = 1; }⟧ " +
      `fn h() ⟦{ let b = 1; }⟧ | ${BUILTIN}`,
  ],
] as const)("%s%s", (body, rest, expected) => {
  expect(shown(body, rest)).toBe(expected);
});

test("the way to the reason is told", () => {
  const { program, text } = marked(`${HEAD}{ f(i / 2); } fn f(x: u32) { if x == 0 { let a = 1; } }`);
  const [range] = uniformity(program);
  expect(text.slice(range.start, range.end)).toBe("{ let a = 1; }");
  expect(range.notes.map(({ message, span }) => `${text.slice(span.start, span.end)}: ${message}`)).toEqual([
    "x == 0: whether an invocation gets there depends on this",
    "f: ‘main’ calls ‘f’ here",
    "i / 2: the argument for ‘x’ may differ between invocations",
    `i: ${BUILTIN}`,
  ]);
});

test("a program with errors has none, but for those of uniformity itself", () => {
  expect(uniformity(marked(`${HEAD}{ if i == 0 { return 1; } }`).program)).toEqual([]);
  expect(uniformity(marked(`${HEAD}{ if i == 0 { workgroupBarrier(); } }`).program)).toHaveLength(1);
});
