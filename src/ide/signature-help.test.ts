import { expect, test } from "vitest";
import { bracketed, marked } from "../../test/support/marked.ts";
import { parametersIn, signatureHelp } from "./signature-help.ts";

/** The active signature, its active parameter in ⟦ ⟧. */
function help(withMark: string): string {
  const { program, offset } = marked(withMark);
  const found = signatureHelp(program, offset);
  if (found === null) return "nothing";
  const { label, parameters } = found.signatures[found.activeSignature];
  return bracketed(label, parameters.slice(found.activeParameter, found.activeParameter + 1));
}

test.each([
  [
    "fn f() { _ = max(▮",
    "fn max(⟦e1: T⟧, e2: T) -> T where S: AbstractInt|AbstractFloat|i32|u32|f32|f16, T: S|vecN<S>",
  ],
  [
    "fn f() { _ = max(1, ▮); }",
    "fn max(e1: T, ⟦e2: T⟧) -> T where S: AbstractInt|AbstractFloat|i32|u32|f32|f16, T: S|vecN<S>",
  ],
  ["fn f() { g(1, ▮ } fn g(a: u32, b: vec2f) -> f32 {}", "fn g(a: u32, ⟦b: vec2<f32>⟧) -> f32"],
  ["fn f() { g(max(1, 2), (3 + ▮4)); } fn g(a: u32, b: u32) {}", "fn g(a: u32, ⟦b: u32⟧)"],
  ["fn f() { g(a[1, ▮]); } fn g(a: u32, b: u32) {}", "fn g(⟦a: u32⟧, b: u32)"],
  ["struct S { a: u32, b: f32 } fn f() { S(1, ▮); }", "S(a: u32, ⟦b: f32⟧)"],
  ["fn f() { _ = vec2f(1, ▮); }", /vec2.*⟦e2: T⟧/],
  ["fn f() { _ = array<u32, 2>(▮); }", /array<T, N>\(⟦e1: T⟧/],
  ["fn f() { _ = bitcast<u32>(▮); }", /^fn bitcast<.*>\(⟦e: /],
  ["fn f() { _ = textureLoad(t, ▮); } @group(0) @binding(0) var t: texture_2d<f32>;", /⟦coords: /],
  ["alias V = vec2<f32>; fn f() { _ = V(1, ▮); }", /vec2.*⟦e2: T⟧/],
  ["alias A = array<u32, 2>; fn f() { _ = A(▮); }", /array<T, N>\(⟦e1: T⟧/],
  ["fn f(▮) {}", "nothing"],
  ["fn f() { if (▮) {} }", "nothing"],
  ["@workgroup_size(▮)", "nothing"],
  ["fn f() { unknown(▮) }", "nothing"],
  ["fn f() { ▮ }", "nothing"],
  ["fn f() { _ = max(1, 2); ▮ }", "nothing"],
] as const)("%s", (text, expected) => {
  if (typeof expected === "string") expect(help(text)).toBe(expected);
  else expect(help(text)).toMatch(expected);
});

test("the overload that the call has is the active one", () => {
  const { program, offset } = marked("fn f(v: vec4f) { _ = vec2f(v.▮xy); }");
  const found = signatureHelp(program, offset)!;
  expect(found.signatures[found.activeSignature].label).toContain("(e: vec2");
});

test.each([
  ["f()", "f()"],
  ["f(a: ptr<x, y>, b: u32) -> T where A, B", "f(⟦a: ptr<x, y>⟧, ⟦b: u32⟧) -> T where A, B"],
  ["fn bitcast<vecN<T>>(e: S)", "fn bitcast<vecN<T>>(⟦e: S⟧)"],
])("%s has its parameters", (label, expected) => {
  expect(bracketed(label, parametersIn(label))).toBe(expected);
});
