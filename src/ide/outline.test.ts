import { expect, test } from "vitest";
import { bracketed, marked } from "../../test/support/marked.ts";
import { documentSymbols, foldingRanges } from "./outline.ts";
import type { DocumentSymbol } from "./types.ts";

function lines(symbols: readonly DocumentSymbol[]): string[] {
  return symbols.flatMap(({ kind, name, detail, children }) => [
    `${kind} ${name} ${detail}`.trim(),
    ...lines(children).map((line) => `  ${line}`),
  ]);
}

test("symbols of a module", () => {
  const { program } = marked(`
    struct S { a: f32, b: array<u32, 2> }
    alias V = vec2f;
    const N = 4u;
    override n: u32;
    var<workgroup> t: array<f32, N>;
    fn g(a: V) -> f32 { return a.x; }
    @compute @workgroup_size(1) fn f() { let x = 1; }
    fn (`);
  expect(lines(documentSymbols(program))).toEqual([
    "struct S",
    "  member a f32",
    "  member b array<u32, 2>",
    "alias V vec2f",
    "constant N u32",
    "override n u32",
    "variable t array<f32, 4>",
    "function g (a: V) -> f32",
    "entry-point f ()",
  ]);
});

test.each([
  ["fn f() {\n}", "fn f() {⟦\n⟧}"],
  ["fn f() { return; }", "fn f() { return; }"],
  ["// a\n// b\n\n// c\nconst N = 1;", "⟦// a\n// b⟧\n\n// c\nconst N = 1;"],
  ["/* a\n b */", "⟦/* a\n b */⟧"],
  ["enable f16;\nrequires subgroup_id;\n", "⟦enable f16;\nrequires subgroup_id⟧;\n"],
])("%s folds", (text, expected) => {
  expect(bracketed(text, foldingRanges(marked(text).program))).toBe(expected);
});

test("blocks fold that are not all closed", () => {
  const { program } = marked("fn f() { if a {\n\n }");
  expect(foldingRanges(program)).toEqual([{ kind: "block", start: 15, end: 18 }]);
});
