/** Ways out that stand as notes beside an error. */
import { expect, test } from "vitest";
import { Source } from "../text/source.ts";
import { analyze } from "./analyze.ts";

function hints(text: string): readonly string[] {
  return analyze(new Source(text)).diagnostics[0].notes.map((item) => item.message);
}

test.each([
  ["fn f(i: u32) { let x: f32 = i; }", ["convert it: ‘f32(i)’"]],
  ["fn f(i: u32) { let x = i * 1.5; }", ["convert it: ‘f32(i)’"]],
  ["fn f(i: u32) { let x = i > 1000.0; }", ["as u32, it is written ‘1000u’", "convert it: ‘f32(i)’"]],
  ["fn f(i: u32, j: i32) { let x = i + j; }", ["convert it: ‘u32(j)’"]],
  ["fn f(a: vec3f, b: vec4f) { let x = a + b; }", ["‘vec3<f32>’ goes with 3 components, ‘vec4<f32>’ has 4"]],
  ["fn f(m: mat4x4f, v: vec3f) { let x = m * v; }", ["‘mat4x4<f32>’ goes with 4 components, ‘vec3<f32>’ has 3"]],
  ["fn f() { let x = vec3(1.0, 2.0); }", ["‘vec3’ has 3 components, 2 are given"]],
  ["fn f(i: i32) { while i {} }", ["compare it: ‘i != 0’"]],
  ["fn f(i: i32) { let x = i ** 2; }", ["there is no operator ‘**’; floats have pow(a, b)"]],
  ["fn f() { let x = 0xFFFFFFFF; }", ["as u32, it is written ‘0xFFFFFFFFu’"]],
  ["fn f() { workgroupBarier(); }", ["did you mean ‘workgroupBarrier’?"]],
  ["fn f() { let x = lerp(1.0, 2.0, 0.5); }", ["‘lerp’ is of another language; WGSL has mix"]],
  ["fn f(x: bool) -> bool { return not(x); }", ["‘not’ is of another language; WGSL has the operator !"]],
  ["fn f() { let x = mod(1.0, 2.0); }", ["‘mod’ is of another language; WGSL has the operator %"]],
  ["fn f() -> void {}", ["leave ‘-> void’ out: a function without result has no type there"]],
  [
    "fn f() { printf(1); }",
    ["‘printf’ is of another language; a shader has no text output, it can write values into a buffer"],
  ],
  ["@compue @workgroup_size(1) fn f() {}", ["did you mean ‘@compute’?"]],
  ["@stage(compute) @workgroup_size(1) fn f() {}", ["write ‘@compute’"]],
  ["fn f(x: float) { let float = 1; }", ["‘float’ is of another language; WGSL has f32"]],
  ["fn f() -> vec5f { let vec5f = 1; return vec5f; }", ["did you mean ‘vec2f’?"]],
  ["@workgroup_size(length_) @compute fn f() { const length_ = 1; }", ["did you mean ‘length’?"]],
  ["fn f(x: float) {}", ["‘float’ is of another language; WGSL has f32"]],
  [
    "fn f() { let i = gl_GlobalInvocationID.x; }",
    ["‘gl_GlobalInvocationID’ is of another language; WGSL has a parameter with @builtin(global_invocation_id)"],
  ],
  [
    "@group(0) @binding(0) var<storage> b: array<u32>; fn f() { let n = b.length; }",
    ["the number of elements of an array without size is arrayLength(&b)"],
  ],
  ["struct S { position: i32 } fn f(s: S) { _ = s.postion; }", ["did you mean ‘position’?"]],
  ["fn f() { x = 1; var x = 2; }", ["‘x’ is declared here, and known only from there on"]],
  ["fn f() { let x = x; }", ["‘x’ is declared here, and known only from there on"]],
  ["fn f() { { let x = 1; } _ = x; }", ["‘x’ is declared here, in a block that ends before"]],
  ["fn f() { for (var i = 0; i < 4; i++) {} _ = i; }", ["‘i’ is declared here, in a block that ends before"]],
  ["override n = 1; const m = n + 1;", ["‘n’ is known later"]],
  ["requires f16;", ["‘f16’ is an enable-extension: write ‘enable f16;’"]],
])("%s", (text, expected) => {
  expect(hints(text)).toEqual(expected);
});

test.each([
  ["fn f() { g = { 1; }\n}\nvar<private> g: u32;", ["list-without-type"]],
  ["fn f() { _ = s; } /* struct S { a: u32 }\nconst s = 1;", ["unterminated-comment"]],
  ["fn f() { let a = ; _ = nobody; }", ["unexpected-token", "unresolved-identifier"]],
  ["@\nvar<private> a: u32;", ["unexpected-token"]],
  ["fn f() { auto x = 1; x = 2; _ = x; }", ["foreign-keyword"]],
  ["auto x = 1; const y = x; fn f() { _ = x; }", ["foreign-keyword"]],
  ["type T = i32; fn f(a: T) {}", ["foreign-keyword"]],
  ["using T = i32; fn f(a: T) {}", ["foreign-keyword"]],
  ["typedef int T; fn f(a: T) {}", ["foreign-keyword"]],
  ["typedef unsigned int T;", ["foreign-keyword"]],
  ["fn f() { var 2x = 1; }", ["unexpected-token"]],
  ["struct { a: i32 }", ["unexpected-token"]],
  ["var $y = 1;", ["invalid-character"]],
  ["fn f() { var $y = 1; }", ["invalid-character"]],
  ["@compute fn () {}", ["unexpected-token"]],
  ["@compue @workgroup_size(1) fn f(@builtin(local_invocation_index) i: u32) {}", ["unknown-attribute"]],
  ["@stage(compute) @workgroup_size(1) fn f() {}", ["unknown-attribute"]],
])("%s: what was lost with the syntax is not reported again", (text, codes) => {
  expect(analyze(new Source(text)).diagnostics.map(({ code }) => code)).toEqual(codes);
});
