/** Habits of GLSL, HLSL, CUDA, C and Rust: the first message says how WGSL has it, and nothing that only follows from it is said. */
import { describe, expect, test } from "vitest";
import { check } from "../check.ts";
import { applyEdits } from "../text/edit.ts";

function told(text: string): string[] {
  return check(text, { advice: false }).diagnostics.map(({ code, message }) => `${code}: ${message}`);
}

const inFunction = (body: string) => `fn f(x: bool, n: i32, a: array<i32, 4>) {\n${body}\n}\n`;

test("what is said of the type of a cast is said of its name", () => {
  for (const [text, type] of [
    ["const x = (f16)(1);", "f16"],
    ["const x = ((half) 1.5);", "half"],
    ["const x = (f16)1;", "f16"],
  ]) {
    const found = check(text, { advice: false }).diagnostics.find(({ code }) => code === "extension-not-enabled");
    expect(found?.args.name).toBe(type);
    expect(found?.span.start).toBe(text.indexOf(type));
  }
});

test("members whose names could not be read are not taken for two of one name", () => {
  expect(told("struct S { : i32, : f32 }").filter((each) => each.startsWith("duplicate-member"))).toEqual([]);
});

describe("in functions, one message each", () => {
  test.each([
    ["if not x { }", "no-operator: there is no operator ‘not’, expected ‘!’"],
    ["while not x { }", "no-operator: there is no operator ‘not’, expected ‘!’"],
    ["let y = x && not x; _ = y;", "no-operator: there is no operator ‘not’, expected ‘!’"],
    ["var y = x; y &&= x;", "no-operator: there is no operator ‘&&=’, expected ‘y = y && …’"],
    ["var y = x; y ||= x;", "no-operator: there is no operator ‘||=’, expected ‘y = y || …’"],
    ["if (n === 1) { }", "no-operator: there is no operator ‘===’, expected ‘==’"],
    ["if (n !== 1) { }", "no-operator: there is no operator ‘!==’, expected ‘!=’"],
    ["let y = (float)n; _ = y * 2.0;", "cast-before-value: a conversion is written like a call, expected ‘f32(n)’"],
    ["let y = (f32)(n + 1); _ = y;", "cast-before-value: a conversion is written like a call, expected ‘f32(n + 1)’"],
    [
      "let y = (int)(vec2(n)).x;",
      "cast-before-value: a conversion is written like a call, expected ‘i32((vec2(n)).x)’",
    ],
    ["let y = (n + 1) as f32;", "foreign-keyword: ‘as’ is no keyword of WGSL, expected ‘f32(n + 1)’"],
    ["let y = 1 + ((n) * 2) as f32;", "foreign-keyword: ‘as’ is no keyword of WGSL, expected ‘f32((n) * 2)’"],
    ["let y = n + (int)2.5; _ = y;", "cast-before-value: a conversion is written like a call, expected ‘i32(2.5)’"],
    [
      "let y = (f32)[2](1.0, 2.0);",
      "array-suffix: an array type is not written with brackets, expected ‘array<f32, 2>’",
    ],
    [
      "var y: f32[4 >> 1];",
      "array-suffix: an array type is not written with brackets, expected ‘array<f32, (4 >> 1)>’",
    ],
    ["float y[4 >> 1];", "type-before-name: the type stands after the name, expected ‘var y: array<f32, (4 >> 1)>’"],
    [
      "let y = f32[4 >> 1](1.0, 2.0);",
      "array-suffix: an array type is not written with brackets, expected ‘array<f32, (4 >> 1)>’",
    ],
    ["var p, q; p = q;", "several-names: a declaration declares one name, expected ‘;’ and another ‘var’"],
    ["var p: i32, q: i32; p = q;", "several-names: a declaration declares one name, expected ‘;’ and another ‘var’"],
    ["let p = 1, q = 2; _ = p + q;", "several-names: a declaration declares one name, expected ‘;’ and another ‘let’"],
    ["float p = 1.0, q; q = p;", "type-before-name: the type stands after the name, expected ‘var p: f32’"],
    ["float p[4]; p[0] = 1.0;", "type-before-name: the type stands after the name, expected ‘var p: array<f32, 4>’"],
    ["vec3 p = vec3(1.0); _ = p;", "type-before-name: the type stands after the name, expected ‘var p: vec3f’"],
    ["uint3 p; p.x = 1;", "type-before-name: the type stands after the name, expected ‘var p: vec3u’"],
    [
      "__shared__ float p[4]; p[0] = 1.0;",
      "foreign-keyword: ‘__shared__’ is no keyword of WGSL, expected ‘var<workgroup>’",
    ],
    [
      "for (int i = 0; i < 4; i++) { _ = a[i]; }",
      "type-before-name: the type stands after the name, expected ‘var i: i32’",
    ],
    ["for i in 0..4 { _ = a[i]; }", "unexpected-token: expected ‘(var i = 0; i < count; i++)’, found ‘i’"],
    ["for (let i of a) { _ = i; }", "unexpected-token: expected ‘(var i = 0; i < count; i++)’, found ‘(’"],
    [
      "let y = x ? 1 : 2; _ = y;",
      "conditional-operator: there is no operator ‘?:’, expected ‘select(value_if_false, value_if_true, condition)’",
    ],
    [
      "var i = 0; let y = a[i++]; _ = y;",
      "increment-in-expression: ‘++’ is a statement without value, expected it on a line of its own",
    ],
    [
      "var y = {1, 2}; _ = y;",
      "list-without-type: a list of values is written ‘array(…)’, or after the name of its structure, found ‘{’",
    ],
    [
      "let y = float[2](1.0, 2.0); _ = y[0];",
      "array-suffix: an array type is not written with brackets, expected ‘array<f32, 2>’",
    ],
    ['printf("%d", n);', "unresolved-identifier: ‘printf’ is not declared"],
    ["let y = n * 1'000 + 1; _ = y;", "digit-separator: nothing can separate the digits of a number, expected ‘1000’"],
    ["__syncthreads();", "double-underscore: ‘__syncthreads’ begins with two underscores, expected one or none"],
  ])("%s", (body, expected) => {
    expect(told(inFunction(body))).toEqual([expected]);
  });
});

test.each(["let", "const", "var"])("behind ‘%s’ with several names, mistakes are told as ever", (keyword) => {
  const codes = (text: string) => check(text, { advice: false }).diagnostics.map(({ code }) => code);
  const names = `${keyword} p = 1, q = 2, r = 3`;
  const several = ["several-names", "several-names"];
  expect(codes(`fn f() {\n${names};\nlet s = 4\nlet t = 5;\n}`)).toEqual([...several, "missing-semicolon"]);
  expect(codes(`fn f() {\n${names}\nlet s = 4;\n}`)).toEqual([...several, "missing-semicolon"]);
  expect(codes(`fn f() {\n${names};\nvar s;\n}`)).toEqual([...several, "no-type"]);
  expect(codes(`fn f() {\n${names};\n}\nfn g() {\nlet s = 4\n}`)).toEqual([...several, "missing-semicolon"]);
});

describe("at module scope, one message each", () => {
  const use = "\nfn g() { tile[0] = 1.0; }\n";
  test.each([
    ["__shared__ float tile[64];", "‘__shared__’ is no keyword of WGSL, expected ‘var<workgroup>’"],
    ["groupshared float tile[64];", "‘groupshared’ is no keyword of WGSL, expected ‘var<workgroup>’"],
    ["shared float other, tile[64];", "‘shared’ is no keyword of WGSL, expected ‘var<workgroup>’"],
    ["uniform Block { float tile[4]; };", "‘uniform’ is no keyword of WGSL, expected ‘var<uniform>’"],
    [
      "layout(std430, binding = 0) buffer Data { float tile[]; };",
      "‘layout’ is no keyword of WGSL, expected ‘@group(0) @binding(0) var<storage, read_write>’",
    ],
    [
      "layout(std430, binding = 0) readonly buffer Data { float x[]; } tile;",
      "‘layout’ is no keyword of WGSL, expected ‘@group(0) @binding(0) var<storage, read>’",
    ],
    [
      "layout(binding = 1) uniform Data { float tile[4]; };",
      "‘layout’ is no keyword of WGSL, expected ‘@group(0) @binding(0) var<uniform>’",
    ],
    [
      "cbuffer C : register(b0) { float4 tile; };",
      "‘cbuffer’ is no keyword of WGSL, expected ‘struct’ and ‘@group(0) @binding(0) var<uniform>’",
    ],
    [
      "RWStructuredBuffer<float> tile : register(u0);",
      "‘RWStructuredBuffer<float>’ is no keyword of WGSL, expected ‘@group(0) @binding(0) var<storage, read_write> tile: array<T>’",
    ],
    ["#define tile 1", "‘#define’ is left over from another language, WGSL has no preprocessor"],
    ["float tile[4];", "the type stands after the name, expected ‘var<private> tile: array<f32, 4>’"],
  ])("%s", (text, expected) => {
    expect(told(text + use).map((line) => line.replace(/^[\w-]+: /, ""))).toEqual([expected]);
  });

  test.each([
    ["layout(local_size_x = 64) in;", "‘@workgroup_size(x, y, z)’"],
    ["layout(constant_id = 0) const int n = 1;", "‘@id(0) override’"],
    ["layout(location = 0) in vec3 v;", "‘@location(0)’"],
    ["precision highp float;", "nothing: f32 and f16 have a fixed precision"],
    ["template<typename T> T f(T x) { return x; }", "a function for each type"],
  ])("%s", (text, expected) => {
    expect(told(text)).toEqual([expect.stringMatching(/^foreign-keyword: /)]);
    expect(told(text)[0]).toContain(`expected ${expected}`);
  });
});

describe("a function as other languages begin it: one message that says ‘fn’", () => {
  test.each([
    ["def f(x):\n  y = x\n  return y\n", "‘fn’"],
    ["function f(x) {\n  return x;\n}", "‘fn’"],
    ["function f(x: number, y): number {\n  return x + y;\n}", "‘fn’"],
    ["func f() {\n}", "‘fn’"],
    ["func f(x float32) float32 {\n  return x;\n}", "‘fn’"],
    [
      "kernel void f(device float* x [[buffer(0)]], uint3 id [[thread_position_in_grid]]) {\n  x[id.x] = 1.0;\n}",
      "fn’",
    ],
    ["__global__ void f(float* x, int n) {\n  x[n] = 1.0;\n}", "fn’"],
    ["static inline float f(const float x, in int n) {\n  return x;\n}", "‘fn f(x: f32, n: i32) -> f32’"],
    ["void f(int x) {\n}", "‘fn f(x: i32)’"],
    ["vec3<f32> f(vec3<f32> v) {\n  return v;\n}", "‘fn f(…) -> vec3<f32>’"],
    ["float f(void) {\n  return 1.0;\n}", "‘fn f() -> f32’"],
    ["float4 f(float2 v : TEXCOORD0) : SV_Target {\n  return vec4f(v, 0, 1);\n}", "‘fn f(@location(0) v: vec2f) "],
  ])("%s", (text, expected) => {
    expect(told(`${text}\nfn last() -> i32 { return 1; }\n`)).toEqual([expect.stringContaining(expected)]);
  });

  test("a declaration without a body is too much", () => {
    const [{ span, fixes }, ...rest] = check("float f(float x);\nfn g() {}\n").diagnostics;
    expect(rest).toEqual([]);
    expect(span.start).toBe(16);
    expect(fixes[0].edits).toEqual([{ span: { start: 0, end: 17 }, text: "" }]);
  });
});

describe("edits that make other languages' texts WGSL", () => {
  test.each([
    ["void f(int x) {}", "fn f(x: i32) {}"],
    [
      "kernel void f(uint3 id [[thread_position_in_grid]]) {}",
      "@compute @workgroup_size(64) fn f(@builtin(global_invocation_id) id: vec3u) {}",
    ],
    [
      "#define N (4 + 1) // five\nfn f() -> i32 { return N; }",
      "const N = (4 + 1); // five\nfn f() -> i32 { return N; }",
    ],
    ["#define real float\nvar<private> x: real;", "alias real = f32;\nvar<private> x: real;"],
    ["#version 450\nfn f() {}", "\nfn f() {}"],
    ["fn f(c: bool) -> i32 { return c ? 1 : 2; }", "fn f(c: bool) -> i32 { return select(2, 1, c); }"],
    [
      "fn f(n: i32) -> i32 { return 1 + ((n > 1) ? min(n, 2) : n < 0 ? (3) : (n == 0 ? 4 : 5)); }",
      "fn f(n: i32) -> i32 { return 1 + (select(select(select(5, 4, n == 0), 3, n < 0), min(n, 2), n > 1)); }",
    ],
    ["fn f(c: bool) { loop { if (c) break; } }", "fn f(c: bool) { loop { if (c) { break; } } }"],
    [
      "fn f() {\n  var x = 0;\n  for (var i = 0; i < 4; i++)\n    x += i; // sum\n  x = 1;\n}",
      "fn f() {\n  var x = 0;\n  for (var i = 0; i < 4; i++) {\n    x += i;\n  } // sum\n  x = 1;\n}",
    ],
    [
      "fn f(n: i32) -> i32 {\n  var x = 0;\n  switch n {\n    case 0:\n      x = 1;\n      break;\n    default: {}\n  }\n  return x;\n}",
      "fn f(n: i32) -> i32 {\n  var x = 0;\n  switch n {\n    case 0: {\n      x = 1;\n      break;\n    }\n    default: {}\n  }\n  return x;\n}",
    ],
    [
      "@compute @workgroup_size(1) fn f() { __syncthreads(); }",
      "@compute @workgroup_size(1) fn f() { workgroupBarrier(); }",
    ],
    [
      "@compute @workgroup_size(1) fn f() { groupMemoryBarrierWithGroupSync(); }",
      "@compute @workgroup_size(1) fn f() { workgroupBarrier(); }",
    ],
    ["@group(0) @binding(0) var<read_write> x: u32;", "@group(0) @binding(0) var<storage, read_write> x: u32;"],
    ["@group(0) @binding(0) var<storage, write> x: u32;", "@group(0) @binding(0) var<storage, read_write> x: u32;"],
  ])("%s", (text, expected) => {
    const [{ fixes }] = check(text, { advice: false }).diagnostics;
    const mended = applyEdits(text, fixes[0].edits);
    expect(mended).toBe(expected);
    expect(told(mended)).toEqual([]);
  });

  test.each([
    "fn g() -> i32 { return 1; }\nfn f(c: bool) -> i32 { return c ? g() : 2; }",
    "var<workgroup> n: atomic<i32>;\nfn f(c: bool) -> i32 { return c ? atomicAdd(&n, 1) : 2; }",
    "fn f(c: bool) -> i32 { return c ? 1; }",
    "#define SQ(x) ((x) * (x))\nfn f() {}",
    "#define N (int)4\nfn f() {}",
    "#define BODY return 1;\nfn f() {}",
  ])("%s: none", (text) => {
    expect(check(text, { advice: false }).diagnostics.flatMap(({ fixes }) => fixes)).toEqual([]);
  });
});

test("lines for a preprocessor: how WGSL has them", () => {
  const notes = (text: string) => check(text).diagnostics.flatMap((item) => item.notes.map(({ message }) => message));
  expect(notes("#define N 64 \nfn f() -> i32 { return N; }")).toEqual(["a constant is written ‘const N = 64;’"]);
  expect(notes("#define SQ(x) ((x)*(x))\nfn f() -> i32 { return SQ(2); }")).toEqual([
    "a macro with arguments becomes a function",
  ]);
  expect(notes("#ifdef A\nfn f() {}")).toEqual(["what a pipeline may choose is an ‘override’, asked in an ‘if’"]);
  expect(notes('#include "a"\nfn f() {}')).toEqual(["put the declarations of all files into one text"]);
  expect(notes("#version 450\nfn f() {}")).toEqual([]);
});

describe("parameters", () => {
  test.each([
    ["fn f(inout x: f32) { x = 1.0; }", "‘inout’ is no keyword of WGSL, expected ‘ptr<function, T>’"],
    ["fn f(inout float x) { x = 1.0; }", "‘inout’ is no keyword of WGSL, expected ‘ptr<function, T>’"],
    ["fn f(x: inout f32) { x = 1.0; }", "‘inout’ is no keyword of WGSL, expected ‘ptr<function, T>’"],
    ["fn f(in x: f32) -> f32 { return x; }", "‘in’ is no keyword of WGSL, expected the declaration alone"],
    ["fn f(const float x) -> f32 { return x; }", "‘const’ is no keyword of WGSL, expected the declaration alone"],
    [
      "fn f(int* p) { *p = 1; }",
      "a pointer is written ‘p: ptr<function, i32>’, and a buffer is a variable of its own outside of functions",
    ],
    [
      "fn f(p: &mut i32) { *p = 1; }",
      "a pointer is written ‘ptr<function, i32>’, and a buffer is a variable of its own outside of functions",
    ],
  ])("%s", (text, expected) => {
    expect(told(text).map((line) => line.replace(/^[\w-]+: /, ""))).toEqual([expected]);
  });
});

test("a kernel of HLSL: one message for each habit", () => {
  const text = `RWStructuredBuffer<float> data : register(u0);
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  data[id.x] = 1.0;
}
`;
  expect(told(text).map((line) => /expected (‘.*’)$/.exec(line)?.[1])).toEqual([
    "‘@group(0) @binding(0) var<storage, read_write> data: array<T>’",
    "‘@compute @workgroup_size(64, 1, 1)’",
    "‘fn main(@builtin(global_invocation_id) i…’",
  ]);
});

test("words of other languages are names of WGSL where they can be", () => {
  const text = `var<private> inout: f32;
fn not(buffer: bool) -> bool { return !buffer; }
fn f(kernel: i32, half: f32) -> f32 {
  var out = (half) * 2.0;
  out = out - (half) - f32(kernel);
  inout = out;
  for (var val = 0; val < 2; val++) { out += 1.0; }
  return select(out, inout, not(true));
}
`;
  expect(told(text)).toEqual([]);
});

describe("one message, and a fix where the way out is certain", () => {
  const struct = "struct P { x: f32, y: f32 }\n";
  test.each([
    [
      "out vec4 color;",
      "‘out’ is no keyword of WGSL, expected a parameter or a result of the entry point, with ‘@location(0)’",
      null,
    ],
    [
      "varying uv: vec2f;",
      "‘varying’ is no keyword of WGSL, expected a parameter or a result of the entry point, with ‘@location(0)’",
      null,
    ],
    [
      "impl P { fn f(p: P) -> f32 { return p.x; } }",
      "‘impl’ is no keyword of WGSL, expected functions outside of structures",
      null,
    ],
    ['import "noise.wgsl";', "‘import’ is no keyword of WGSL, expected all declarations in one text", null],
    ["static const n = 1;", "‘static’ is no keyword of WGSL, expected the declaration alone", "const n = 1;"],
    [
      "@group(0) @binding(0) static var<storage> data: array<u32>;",
      "‘static’ is no keyword of WGSL, expected the declaration alone",
      "@group(0) @binding(0) var<storage> data: array<u32>;",
    ],
    [
      "@compute @workgroup_size(1) inline fn f(@builtin(workgroup_id) id: vec3u) {}",
      "‘inline’ is no keyword of WGSL, expected the declaration alone",
      "@compute @workgroup_size(1) fn f(@builtin(workgroup_id) id: vec3u) {}",
    ],
    ["pub fn f() {}", "‘pub’ is no keyword of WGSL, expected the declaration alone", "fn f() {}"],
    ["struct Q { pub x: f32 }", "‘pub’ is no keyword of WGSL, expected the declaration alone", "struct Q { x: f32 }"],
    ["function f() {}", "‘function’ is no keyword of WGSL, expected ‘fn’", "fn f() {}"],
    [
      "compute @workgroup_size(1) fn f() {}",
      "‘compute’ is no keyword of WGSL, expected ‘@compute’",
      "@compute @workgroup_size(1) fn f() {}",
    ],
    [
      "let n = 1;",
      "‘let’ is allowed only in functions, expected ‘const’, ‘override’ or ‘var<private>’",
      "const n = 1;",
    ],
    ["struct Q { x: f32; y: f32; }", "members end with ‘,’, found ‘;’", "struct Q { x: f32, y: f32, }"],
    [
      "[[block]] struct Q { x: f32 }",
      "attributes are not written in brackets, expected none: a structure in a buffer needs no attribute",
      "struct Q { x: f32 }",
    ],
    [
      "fn f(id: u32 [[thread_position_in_grid]]) {}",
      "attributes are not written in brackets, expected ‘@builtin(global_invocation_id)’",
      null,
    ],
    [
      "@compute @workgroup_size(1)\nfn f(id: vec3u : SV_GroupID) { _ = id.x; }",
      "‘SV_GroupID’ is no keyword of WGSL, expected ‘@builtin(workgroup_id)’",
      null,
    ],
    [
      "@fragment fn f() -> vec4f : SV_Target { return vec4f(); }",
      "‘SV_Target’ is no keyword of WGSL, expected ‘@location(0)’",
      null,
    ],
    ["fn f(x: f32): f32 { return x; }", "expected ‘->’ or ‘{’, found ‘:’", "fn f(x: f32) -> f32 { return x; }"],
    [
      "fn f(w: [f32; 4]) {}",
      "an array type is not written with brackets, expected ‘array<f32, 4>’",
      "fn f(w: array<f32, 4>) {}",
    ],
    [
      "fn f() { var w[4]: f32; w[0] = 1.0; }",
      "an array type is not written with brackets, expected ‘w: array<f32, 4>’",
      "fn f() { var w: array<f32, 4>; w[0] = 1.0; }",
    ],
    [
      "fn f() -> u32 { return u32::MAX; }",
      "there is no operator ‘::’, expected ‘0xffffffffu’",
      "fn f() -> u32 { return 0xffffffffu; }",
    ],
    ["fn f() -> u32 { return Kind::First; }", "there is no operator ‘::’, expected a name without ‘::’", null],
    [
      "fn f(p: ptr<function, P>) -> f32 { return p->x; }",
      "there is no operator ‘->’, expected ‘.’",
      "fn f(p: ptr<function, P>) -> f32 { return p.x; }",
    ],
    [
      "fn g(p: ptr<function, f32>) {} fn f() { var x = 1.0; g(&mut x); }",
      "‘&mut’ is no keyword of WGSL, expected ‘&’",
      "fn g(p: ptr<function, f32>) {} fn f() { var x = 1.0; g(&x); }",
    ],
    [
      "fn f() -> P { return P { x: 1.0, y: 2.0 }; }",
      "a structure is made like a call, with its members in order, expected ‘P(1.0, 2.0)’",
      null,
    ],
    [
      "fn f() { let p = P { x: 1.0, y: 2.0 }; _ = p; }",
      "a structure is made like a call, with its members in order, expected ‘P(1.0, 2.0)’",
      null,
    ],
    [
      "fn f(n: u32) -> u32 { return n + 1U; }",
      "‘1U’ is not a number, expected digits with an optional point, exponent and suffix ‘i’, ‘u’, ‘f’ or ‘h’",
      "fn f(n: u32) -> u32 { return n + 1u; }",
    ],
    [
      "fn f(x: f32) -> f32 { x * 2.0 }",
      "an expression is no statement, expected ‘_ = …’ to evaluate it or ‘… = …’ to assign",
      "fn f(x: f32) -> f32 { return x * 2.0; }",
    ],
    [
      "fn f(n: u32) -> u32 { match n { 1u => { return 2u; } } return 3u; }",
      "‘match’ is no keyword of WGSL, expected ‘switch’",
      null,
    ],
    [
      "fn f(n: u32) { switch n { case 1: { fallthrough; } default: {} } }",
      "‘fallthrough’ is no keyword of WGSL, expected one ‘case’ with all values, as in ‘case 1, 2’",
      null,
    ],
    ["fn f() { if (true) {} elseif (false) {} }", "‘elseif’ is no keyword of WGSL, expected ‘else if’", null],
    [
      "fn f() { var a = 0; var b = 0; a = b = 1; }",
      "‘=’ assigns and cannot be part of an expression, expected a statement of its own",
      null,
    ],
    ["fn f() -> u32 { return sizeof(P); }", "‘sizeof’ is a reserved word, expected another name", null],
    ["fn f(t: P) { _ = t.Sample(1, 2); }", "there are no methods, expected ‘textureSample(t, 1, 2)’", null],
  ])("%s", (text, message, mended) => {
    const { diagnostics } = check(struct + text, { advice: false });
    expect(diagnostics.map((item) => item.message)).toEqual([message]);
    const [{ fixes }] = diagnostics;
    if (mended === null) return;
    const result = [...fixes[0].edits]
      .reverse()
      .reduce((all, { span, text: by }) => all.slice(0, span.start) + by + all.slice(span.end), struct + text);
    expect(result).toBe(struct + mended);
    expect(check(result, { advice: false }).diagnostics).toEqual([]);
  });

  test.each([
    ["1U", "1u"],
    ["0u32", "0u"],
    ["1_000", "1000"],
    ["1_000_000u", "1000000u"],
    ["2.0d", "2.0f"],
    ["2.0F", "2.0f"],
    ["1.5f32", "1.5f"],
    ["1L", "1"],
    ["7i16", "7"],
    ["7i64", null],
    ["0xFFU", "0xFFu"],
    ["3usize", "3u"],
    ["1x", null],
    ["0b101", "0x5"],
    ["0o17u", "0xfu"],
  ])("the number %s is written %s", (number, expected) => {
    const [{ fixes }] = check(`const n = ${number};`).diagnostics;
    expect(fixes[0]?.edits[0].text ?? null).toBe(expected);
  });
});

test("what lacks at the end of the text lacks behind its last token", () => {
  const text = "fn f(x: f32) -> f32 {\n  if (x > 0.0) {\n    return 1.0;\n  return 0.0;\n}\n\n";
  expect(check(text).diagnostics.map(({ span }) => span)).toEqual([
    { start: text.trimEnd().length, end: text.trimEnd().length },
  ]);
});

test("clauses one upon the other, and what a tool should have filled in: how WGSL has them", () => {
  const notes = (text: string) => check(text).diagnostics.flatMap((item) => item.notes.map(({ message }) => message));
  expect(notes("fn f(n: u32) { switch n { case 1: case 2: {} default: {} } }")).toEqual([
    "clauses with one body are one clause, as in ‘case 1, 2:’",
  ]);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is what was not filled in
  expect(notes("const n = ${size};")).toEqual(["a placeholder that nobody filled in before the text came here"]);
  expect(notes("fn f(p: ptr<function, f32>) -> bool { return p == NULL; }")).toEqual([
    "‘NULL’ is of another language; WGSL has no null: a pointer always points to a variable",
  ]);
  expect(notes("@compute @workgroup_size({size}) fn f(@builtin(workgroup_id) id: vec3u) { _ = id; }")).toEqual([
    "a placeholder that nobody filled in before the text came here",
  ]);
  const texture =
    "@group(0) @binding(0) var t: texture_storage_2d<{format}, write>;\nfn f() { _ = textureDimensions(t); }";
  expect(check(texture, { advice: false }).diagnostics.map(({ code }) => code)).toEqual(["unexpected-token"]);
});

describe("one token lacks: one message, and the fix puts it in", () => {
  const declarations = "struct P { x: f32, y: f32 }\nvar<private> points: array<f32, 4>;\n";
  test.each([
    ["struct Q\n  a: f32,\n  b: f32,\n}\nfn f(q: Q) -> f32 { return q.b; }", "struct Q {\n  a: f32,"],
    ["fn f(x: f32) -> f32\n  let y = x;\n  return y;\n}", "fn f(x: f32) -> f32 {\n  let"],
    ["fn f(x: f32) -> f32\n  points[0] = x;\n  return x;\n}", "fn f(x: f32) -> f32 {\n  points"],
    ["@fragment\nfn f() @location(0) vec4f {\n  return vec4f();\n}", null],
    ["fn f(x: f32 -> f32 {\n  return x;\n}", null],
    ["fn f) -> f32 {\n  return 1.0;\n}", null],
    ["fn f x: f32) -> f32 {\n  return x;\n}", null],
    ["fn f(x: vec2<f32, y: f32) -> f32 {\n  return x.x + y;\n}", "fn f(x: vec2<f32>, y: f32)"],
    ["struct Q {\n  a: vec4<f32,\n  b: f32,\n}\nfn f(q: Q) -> f32 { return q.b; }", "a: vec4<f32>,"],
    ["fn f(i: u32) -> f32 {\n  let x points[i];\n  return x;\n}", "let x = points[i]"],
    ["fn f(i: u32) -> f32 {\n  let x f32(i);\n  return x;\n}", "let x = f32(i)"],
    ["fn f(i: u32) -> f32 {\n  var x = 1.0;\n  x max(x, 2.0);\n  return x;\n}", "x = max(x, 2.0)"],
    ["fn f(i: u32) -> f32 {\n  return points[i.x;\n}", null],
    ["fn f(x: f32) -> f32 {\n  let y = max x, 1.0) + 2.0;\n  return y;\n}", "max( x, 1.0)"],
    ["fn f(x: f32) -> vec4f {\n  return vec4<f32(x, 0.0, 0.0, 1.0);\n}", "vec4<f32>(x"],
    ["fn f(x: f32) -> f32 {\n  let v = vec2<f32(x, x) * 2.0;\n  return v.x;\n}", "vec2<f32>(x"],
    ["@group 0) @binding(0) var<uniform> u: f32;", "@group (0)"],
    ["@group(0) @binding(0\nvar<uniform> u: f32;", null],
    ["@compute @workgroup_size(8, 8\nfn f(@builtin(workgroup_id) id: vec3u) {\n  _ = id;\n}", null],
    ["@group(0) @binding(0) var<storage read_write> u: f32;", "var<storage, read_write>"],
    ["struct Q {\n  a: f32,\n\n@group(0) @binding(0) var<uniform> u: f32;", null],
  ])("%s", (text, mended) => {
    const { diagnostics } = check(declarations + text, { advice: false });
    expect(diagnostics.map(({ code }) => code)).toHaveLength(1);
    if (mended === null) return;
    const [{ edits }] = diagnostics[0].fixes;
    const result = edits.reduce(
      (all, { span, text: by }) => all.slice(0, span.start) + by + all.slice(span.end),
      declarations + text,
    );
    expect(result).toContain(mended);
    expect(check(result, { advice: false }).diagnostics).toEqual([]);
  });
});
