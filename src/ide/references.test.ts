import { expect, test } from "vitest";
import { bracketed, marked } from "../../test/support/marked.ts";
import { definition, references } from "./references.ts";

function found(withMark: string): string {
  const { program, text, offset } = marked(withMark);
  return bracketed(text, references(program, offset));
}

test.each([
  ["const N▮ = 1; const M = N + N;", "const ⟦N⟧ = 1; const M = ⟦N⟧ + ⟦N⟧;"],
  // What bears the same name but is another thing stays out.
  ["fn f(x: i32) { if true { let x = ▮x; _ = x; } }", "fn f(⟦x⟧: i32) { if true { let x = ⟦x⟧; _ = x; } }"],
  ["fn f() { let x = 1; { let x = x; _ = ▮x; } _ = x; }", "fn f() { let x = 1; { let ⟦x⟧ = x; _ = ⟦x⟧; } _ = x; }"],
  ["fn f() { ▮g(); } fn g() {}", "fn f() { ⟦g⟧(); } fn ⟦g⟧() {}"],
  [
    "struct S { a: i32 } struct T { a: S } fn f(t: T) { _ = t.a.▮a; }",
    "struct S { ⟦a⟧: i32 } struct T { a: S } fn f(t: T) { _ = t.a.⟦a⟧; }",
  ],
  [
    "struct ▮S { a: i32 } fn f(s: ptr<function, S>) { _ = S(1); }",
    "struct ⟦S⟧ { a: i32 } fn f(s: ptr<function, ⟦S⟧>) { _ = ⟦S⟧(1); }",
  ],
  [
    "override ▮n = 1; @compute @workgroup_size(n) fn f() {}",
    "override ⟦n⟧ = 1; @compute @workgroup_size(⟦n⟧) fn f() {}",
  ],
  ["fn f() { for (var ▮i = 0; i < 4; i++) { _ = i; } }", "fn f() { for (var ⟦i⟧ = 0; ⟦i⟧ < 4; ⟦i⟧++) { _ = ⟦i⟧; } }"],
  [
    "fn f() { loop { let ▮x = 1; continuing { break if x == 1; } } }",
    "fn f() { loop { let ⟦x⟧ = 1; continuing { break if ⟦x⟧ == 1; } } }",
  ],
  ["fn f() { _ = ▮max(1, 2); }", "fn f() { _ = max(1, 2); }"],
  // What is not in the tree stands for what bears its name.
  ["var<private> ▮a: u32; fn f() { a ); let b = a; }", "var<private> ⟦a⟧: u32; fn f() { ⟦a⟧ ); let b = ⟦a⟧; }"],
  ["var<private> a: u32; fn f() { if ( ) ▮a = }", "var<private> ⟦a⟧: u32; fn f() { if ( ) ⟦a⟧ = }"],
  [
    "struct S { a: i32 } var<private> ▮a: u32; fn f() { s.a ) }",
    "struct S { a: i32 } var<private> ⟦a⟧: u32; fn f() { s.a ) }",
  ],
  ["fn f() { let a = ; let ▮b = 1; _ = b; }", "fn f() { let a = ; let ⟦b⟧ = 1; _ = ⟦b⟧; }"],
])("references: %s", (text, expected) => {
  expect(found(text)).toBe(expected);
});

test.each([
  ["fn f(x: i32) { _ = ▮x; }", "fn f(⟦x⟧: i32) { _ = x; }", "x: i32"],
  ["fn f() { _ = ▮y; } var<private> y: u32;", "fn f() { _ = y; } var<private> ⟦y⟧: u32;", "var<private> y: u32"],
  ["struct S { a: i32, } fn f(s: S) { _ = s.▮a; }", "struct S { ⟦a⟧: i32, } fn f(s: S) { _ = s.a; }", "a: i32"],
])("definition: %s", (withMark, expected, declaration) => {
  const { program, text, offset } = marked(withMark);
  const place = definition(program, offset)!;
  expect(bracketed(text, [place.name])).toBe(expected);
  expect(text.slice(place.declaration.start, place.declaration.end)).toBe(declaration);
});

test("what WGSL declares has no definition here", () => {
  const { program, offset } = marked("fn f() { _ = ▮max(1, 2); }");
  expect(definition(program, offset)).toBeNull();
});
