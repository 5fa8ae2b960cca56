/** Where a brace lacks: which one is told to be open, and what stands before statements elsewhere. */
import { describe, expect, test } from "vitest";
import { check } from "../check.ts";
import { applyEdits } from "../text/edit.ts";

const MARK = "¦";

describe("of a brace that is not closed, indentation tells which", () => {
  test.each([
    "fn f(a: bool) {\n  var x = 0;\n  if (a) ¦{\n    x = 1;\n\n  x = 2;\n}\n",
    "fn f(a: bool) {\n  var x = 0;\n  for (var i = 0; i < 4; i++) {\n    if (a) ¦{\n      x = 1;\n  }\n  x = 2;\n}\nfn g() {}\n",
    "fn f(a: i32) {\n  if a > 1\n  ¦{\n    return;\n}\n",
    "fn f(a: i32) {\n\tloop ¦{\n\t\tif a > 1 { break; }\n\treturn;\n}\n",
    "fn f(a: i32) {\n  switch a {\n    case 1: ¦{\n      return;\n    default: {}\n  }\n}\n",
    // Where it does not tell: the outermost.
    "fn f(a: bool) ¦{ if (a) { return; }\nfn g() {}\n",
    "fn f(a: i32) ¦{\nswitch a {\ncase 0: {\nreturn;\n}\ndefault: {\nreturn;\n}\n}\n",
  ])("%j", (marked) => {
    const { diagnostics } = check(marked.replace(MARK, ""), { advice: false });
    const opened = diagnostics.flatMap(({ notes }) => notes.filter(({ code }) => code === "opened-here"));
    expect(opened.map(({ span }) => span.start)).toEqual([marked.indexOf(MARK)]);
  });
});

test.each(["[unroll]", "[loop]\n", "[unroll(4)]"])("%j before a statement is too much", (hint) => {
  const text = `fn f() { var x = 0; ${hint} for (var i = 0; i < 4; i++) { x += i; } }`;
  const [{ fixes }, ...rest] = check(text, { advice: false }).diagnostics;
  expect(rest).toEqual([]);
  expect(check(applyEdits(text, fixes[0].edits), { advice: false }).diagnostics).toEqual([]);
});
