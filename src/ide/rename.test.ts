import { expect, test } from "vitest";
import { bracketed, marked } from "../../test/support/marked.ts";
import { applyEdits } from "../text/edit.ts";
import { rename } from "./rename.ts";

/** The text afterwards, or why not, with what is in the way. */
function renamed(withMark: string, name: string): string {
  const { program, text, offset } = marked(withMark);
  const result = rename(program, offset, name);
  if (result.ok) return applyEdits(text, result.edits);
  return result.other === null ? result.message : `${result.message}: ${bracketed(text, [result.other])}`;
}

test.each([
  ["const ▮N = 1; const M = N;", "Count", "const Count = 1; const M = Count;"],
  ["const ▮N = 1;", "N", "const N = 1;"],
  ["fn f(a: i32) { let b = ▮a; }", "ü", "fn f(ü: i32) { let b = ü; }"],
  [
    "struct S { a: i32 } fn f(s: S) { _ = s.▮a; let b = 1; }",
    "b",
    "struct S { b: i32 } fn f(s: S) { _ = s.b; let b = 1; }",
  ],
  // A name that means something else elsewhere is free where it is not used.
  ["fn f() { let ▮a = 1; } fn g() { let b = 2; }", "b", "fn f() { let b = 1; } fn g() { let b = 2; }"],
  ["fn f() { let ▮a = 1; { let b = 2; } }", "b", "fn f() { let b = 1; { let b = 2; } }"],
  ["fn f() { let ▮a = max(1, 2); }", "min", "fn f() { let min = max(1, 2); }"],
  ["const N = 1; fn ▮f() { let x = ; }", "g", "const N = 1; fn g() { let x = ; }"],

  ["fn f() { _ = ▮max(1, 2); }", "g", "‘max’ is predeclared by WGSL and keeps its name"],
  ["fn f() { _ = vec2f(1).▮x; }", "y", "‘x’ is predeclared by WGSL and keeps its name"],
  ["fn f() { _ = 1 ▮ + 2; }", "y", "there is nothing here that this text declares"],
  ["const ▮N = 1;", "while", "‘while’ is a keyword of WGSL"],
  ["const ▮N = 1;", "class", "‘class’ is reserved by WGSL"],
  ["const ▮N = 1;", "_", "‘_’ is no name: neither ‘_’ alone nor two of them at the start are allowed"],
  [
    "const ▮N = 1;",
    "a b",
    "‘a b’ is no name: it begins with a letter or ‘_’, and goes on with letters, digits and ‘_’",
  ],
  ["const ▮N = 1;", "", "‘’ is no name: it begins with a letter or ‘_’, and goes on with letters, digits and ‘_’"],
  ["const ▮N = 1;", "1", "‘1’ is no name: it begins with a letter or ‘_’, and goes on with letters, digits and ‘_’"],
  ["const ▮N = 1; const M = 2;", "M", "‘M’ is declared already in the same place: const N = 1; const ⟦M⟧ = 2;"],
  ["fn f(a: i32) { let ▮b = a; }", "a", "‘a’ is declared already in the same place: fn f(⟦a⟧: i32) { let b = a; }"],
  ["struct S { ▮a: i32, b: i32 }", "b", "‘b’ is declared already in the same place: struct S { a: i32, ⟦b⟧: i32 }"],
  // The mention would find another declaration.
  [
    "fn f() { let ▮a = 1; { let b = 2; _ = a; } }",
    "b",
    "‘a’ would be taken for another ‘b’: fn f() { let a = 1; { let b = 2; _ = ⟦a⟧; } }",
  ],
  // Another mention would find this one.
  [
    "const ▮N = 1; fn f() { _ = max(1, 2); }",
    "max",
    "‘max’ would be another one than before: const N = 1; fn f() { _ = ⟦max⟧(1, 2); }",
  ],
  [
    "const M = 1; fn f() { let ▮a = 2; _ = M; }",
    "M",
    "‘M’ would be another one than before: const M = 1; fn f() { let a = 2; _ = ⟦M⟧; }",
  ],
] as const)("%s → %s", (text, name, expected) => {
  expect(renamed(text, name)).toBe(expected);
});
