/** Ways out that stand as notes beside an error. */
import { describe, expect, test } from "vitest";
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
  [
    "fn f(m: mat4x4f, v: vec3f) { let x = m * v; }",
    ["‘mat4x4<f32>’ goes with 4 components, ‘vec3<f32>’ has 3", "with one more component: ‘vec4(v, 1.0)’"],
  ],
  ["fn f() { let x = vec3(1.0, 2.0); }", ["‘vec3’ has 3 components, 2 are given"]],
  ["fn f(i: i32) { while i {} }", ["compare it: ‘i != 0’"]],
  ["fn f(i: u32) { if (i & 1) {} }", ["compare it: ‘(i & 1) != 0u’"]],
  ["fn f(i: u32) -> bool { return !(i & 1); }", ["compare it: ‘(i & 1) == 0u’"]],
  ["fn f(i: u32) { let x = (i + 1) * 1.5; }", ["convert it: ‘f32(i + 1)’"]],
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
  [
    "fn f(v: vec3f) { if (v == v) {} }",
    ["‘all(v == v)’ asks whether it holds for every component, ‘any(v == v)’ whether for one"],
  ],
  ["fn f(v: vec4f) { let x: vec3f = v; }", ["a part of it that fits is ‘v.xyz’"]],
  ["fn f(v: vec3f) { let x: vec4f = v; }", ["with one more component: ‘vec4(v, 1.0)’"]],
  ["fn f(v: vec3u) -> f32 { return f32(v); }", ["a part of it that fits is ‘v.x’"]],
  ["fn f(v: vec3u) -> vec2f { return vec2f(v); }", ["a part of it that fits is ‘v.xy’"]],
  ["fn f(v: vec3f) -> vec4f { return vec4f(v); }", ["with one more component: ‘vec4(v, 1.0)’"]],
  [
    "fn f(v: vec3<bool>) -> bool { return bool(v); }",
    ["‘all(v)’ asks whether it holds for every component, ‘any(v)’ whether for one"],
  ],
  ["fn f(a: u32, b: u32) -> bool { return a > 0 & b > 0; }", ["‘>’ stands here", "to combine conditions, write ‘&&’"]],
  [
    "fn f(a: u32, b: u32) -> bool { return a != 0 | b != 0; }",
    ["‘!=’ stands here", "to combine conditions, write ‘||’"],
  ],
  ["fn f(a: u32) -> bool { return a & 1 == 0; }", ["‘&’ stands here"]],
  ["fn f() { workgroupBarrier; }", ["with its arguments it is written ‘workgroupBarrier(…)’"]],
  ["fn f(v: vec3f) { let x: f32 = v + v; }", ["a part of it that fits is ‘(v + v).x’"]],
  ["fn f(v: vec3f) { let x: f32 = (v + v); }", ["a part of it that fits is ‘(v + v).x’"]],
  [
    "fn f(p: ptr<function, mat2x2f>) { let x = (*p)._m00; }",
    ["columns and rows are taken by index, the column first: ‘(*p)[0][1]’"],
  ],
  [
    "fn f(m: mat2x2f) { let x = (m * m)._m00; }",
    ["columns and rows are taken by index, the column first: ‘(m * m)[0][1]’"],
  ],
  ["fn f(v: vec2u) { let x: vec2f = v; }", ["convert it: ‘vec2<f32>(v)’"]],
  ["fn f() { var v: vec3f = 1.0; }", ["convert it: ‘vec3<f32>(1.0)’"]],
  ["fn f(p: ptr<function, f32>) -> f32 { return p; }", ["what it points to is ‘*p’"]],
  [
    "var<private> x: f32; fn g(p: ptr<function, f32>) {} fn f() { g(&x); }",
    ["a parameter that takes it is of type ‘ptr<private, f32>’"],
  ],
  ["fn f(i: u32) -> bool { return !i; }", ["compare it: ‘i == 0u’"]],
  ["fn f(i: u32) -> u32 { return -i; }", ["u32 has no negative numbers: convert it first, ‘-i32(i)’"]],
  [
    "fn f(x: f32) -> f32 { return ~x; }",
    ["only integers have bits: convert it, ‘u32(x)’, or take its bits, ‘bitcast<u32>(x)’"],
  ],
  [
    "fn f(x: f32) -> f32 { return x >> 1; }",
    ["only integers have bits: convert it, ‘u32(x)’, or take its bits, ‘bitcast<u32>(x)’"],
  ],
  [
    "fn f(a: u32, b: u32) -> bool { return a && b; }",
    ["compare it: ‘a != 0u’", "compare it: ‘b != 0u’", "to combine bits, write ‘a & b’"],
  ],
  [
    "fn f(a: u32, b: u32) -> bool { return (a | 1) || (b); }",
    ["compare it: ‘(a | 1) != 0u’", "compare it: ‘b != 0u’", "to combine bits, write ‘(a | 1) | b’"],
  ],
  ["fn f(b: bool, x: f32) -> f32 { return x * b; }", ["convert it: ‘f32(b)’"]],
  ["fn f() { var v = vec3f(); v += vec3i(); }", ["convert it: ‘vec3<f32>(vec3i())’"]],
  ["fn f() { var i = 1; i *= 2.0; }", ["as i32, it is written ‘2i’"]],
  ["fn f(m: mat4x4f) -> f32 { return m._m01; }", ["columns and rows are taken by index, the column first: ‘m[0][1]’"]],
  ["fn f(a: array<i32, 3>) { _ = a.length; }", ["‘array<i32, 3>’ always has 3 elements"]],
  ["fn f() { let m = mat2x2f(1.0); }", ["with 1.0 on its diagonal: ‘mat2x2f(1.0, 0, 0, 1.0)’"]],
  ["fn f() { let m = mat2x2f(1.0, 2.0); }", ["‘mat2x2<f32>’ is made of 2 columns, or of 4 numbers"]],
  ["fn f(x: f32) { switch (x) { default {} } }", ["convert it: ‘i32(x)’"]],
  ["fn f() { i = 0; }", ["to declare it here, write ‘var i = …’"]],
  ["fn f(x: bool) -> bool { return x == nil; }", []],
  ["var<shared_> x: i32;", ["there are function, private, workgroup, uniform, storage, immediate"]],
  ["fn f(x: i32) { let x = 1; }", ["parameter ‘x’ is declared here; the body is in one scope with the parameters"]],
  [
    "fn f() {} fn f(x: i32) {}",
    ["‘f’ is declared here", "functions cannot be overloaded: each needs a name of its own"],
  ],
  ["struct P { x: f32 } fn f() -> P { return 1.0; }", ["with its arguments it is written ‘P(…)’"]],
  [
    "struct P { x: f32 } fn f(a: P, b: P) -> bool { return a == b; }",
    ["structures and arrays are compared part by part"],
  ],
  ["fn f(v: vec3f) -> bool { return all(v > 1.0); }", ["convert it: ‘vec3<f32>(1.0)’"]],
  ["fn f(p: ptr<function, f32>) { _ = p + 1; }", ["what it points to is ‘*p’"]],
  ["fn f(i: i32) { _ = vec2f(i, 1.0); }", ["convert it: ‘f32(i)’"]],
  ["fn f(i: i32) { _ = array(1.0, i); }", ["convert it: ‘f32(i)’"]],
  [
    "fn f(m: mat2x2f) { _ = m + 1.0; }",
    [
      "possible is: operator +(e1: matCxR<T>, e2: matCxR<T>) -> matCxR<T> where T: AbstractFloat|f32|f16",
      "possible is: operator +(e1: T, e2: T) -> T where S: AbstractInt|AbstractFloat|i32|u32|f32|f16, T: S|vecN<S>",
    ],
  ],
  ["fn f() -> f32 { return f32; }", ["with its arguments it is written ‘f32(…)’"]],
  [
    "var<private> n = 1; @compute @workgroup_size(n) fn f() {}",
    ["‘n’ is known later", "a ‘const’ or an ‘override’ can stand here"],
  ],
  ["requires f16;", ["‘f16’ is an enable-extension: write ‘enable f16;’"]],
])("%s", (text, expected) => {
  expect(hints(text)).toEqual(expected);
});

describe("of a call that fits no overload, the argument that does not fit", () => {
  const resources = `@group(0) @binding(0) var t: texture_2d<f32>; @group(0) @binding(1) var s: sampler;
@group(0) @binding(2) var d: texture_depth_2d; @group(0) @binding(3) var o: texture_storage_2d<r32uint, write>;
@group(0) @binding(4) var<storage> a: array<u32, 4>; var<workgroup> n: atomic<u32>;
@group(0) @binding(5) var i: texture_2d<u32>; @group(0) @binding(6) var<storage, read_write> k: u32;
`;
  test.each([
    [
      "fn f(v: vec2f) { _ = textureLoad(t, v, 0); }",
      ["‘coords’ has to be ‘vec2<i32>’ or ‘vec2<u32>’, this is ‘vec2<f32>’", "convert it: ‘vec2<i32>(v)’"],
    ],
    [
      "fn f() { textureStore(o, vec2u(), 1u); }",
      ["‘value’ has to be ‘vec4<u32>’, this is ‘u32’", "convert it: ‘vec4<u32>(1u)’"],
    ],
    [
      "fn f() { _ = textureSampleCompare(d, s, vec2f(), 0.5); }",
      ["‘s’ has to be ‘sampler_comparison’, this is ‘sampler’"],
    ],
    ["fn f() { _ = textureLoad(t, vec2u()); }", ["‘textureLoad’ takes 3 arguments, not 2"]],
    ["fn f() { _ = textureSample(t, vec2f()); }", ["‘textureSample’ takes 3–4 arguments, not 2"]],
    ["fn f() { atomicAdd(&n, 1.0); }", ["‘v’ has to be ‘u32’, this is ‘abstract float’", "as u32, it is written ‘1u’"]],
    [
      "fn f(v: vec3f) { _ = pow(v, 2.2); }",
      ["‘e2’ has to be ‘vec3<f32>’, this is ‘abstract float’", "convert it: ‘vec3<f32>(2.2)’"],
    ],
    ["fn f(i: u32) { _ = clamp(i, 0i, 255i); }", ["‘low’ has to be ‘u32’, this is ‘i32’", "convert it: ‘u32(0i)’"]],
    ["fn f(i: u32) { _ = ceil(i); }", ["‘e’ has to be ‘f32’ or ‘f16’, this is ‘u32’", "convert it: ‘f32(i)’"]],
    ["fn f(c: bool) { _ = select(c, 1, 2); }", ["the condition comes last: ‘select(2, 1, c)’"]],
    ["fn f(x: f32) { _ = atan(x, x); }", ["‘atan’ takes 1 argument, not 2", "with 2 arguments there is ‘atan2’"]],
    ["fn f() { _ = textureLoad(o, vec2u()); }", ["this needs a storage texture declared with ‘read’"]],
    ["fn f() { textureStore(t, vec2u(), vec4f()); }", ["this needs a storage texture declared with ‘write’"]],
    [
      "fn f() { _ = workgroupUniformLoad(&k); }",
      ["‘p’ has to be ‘ptr<workgroup, u32, read_write>’, this is ‘ptr<storage, u32, read_write>’"],
    ],
    [
      "fn f() { _ = textureSample(i, s, vec2f()); }",
      ["only textures of f32 are sampled: read others with ‘textureLoad’"],
    ],
    ["fn f() { _ = arrayLength(&a); }", ["‘array<u32, 4>’ always has 4 elements"]],
  ])("%s", (text, expected) => {
    expect(hints(resources + text).filter((line) => !line.startsWith("possible is"))).toEqual(expected);
  });
});

test("a name that is not declared is told once in a function", () => {
  const text = "fn f() { for (i = 0; i < 4; i++) { _ = i; } }\nfn g() { _ = i; }";
  expect(analyze(new Source(text)).diagnostics.map(({ span }) => span.start)).toEqual([14, 59]);
});

test.each([
  ["fn f() { _ = inversesqrt(1.0); }", "fn f() { _ = inverseSqrt(1.0); }"],
  ["fn f(v: float3) {}", "fn f(v: vec3f) {}"],
  ["fn f(x: f32) { _ = asuint(x); }", "fn f(x: f32) { _ = bitcast<u32>(x); }"],
  ["fn f() { _ = smoothStep(0.0, 1.0, 0.5); }", "fn f() { _ = smoothstep(0.0, 1.0, 0.5); }"],
  ["@compute @workgroupSize(1) fn f() {}", "@compute @workgroup_size(1) fn f() {}"],
  ["@stage(compute) @workgroup_size(1) fn f() {}", "@compute @workgroup_size(1) fn f() {}"],
  ["fn f() { for (i = 0; i < 4; i++) {} }", "fn f() { for (var i = 0; i < 4; i++) {} }"],
  ["fn f(x: f32) -> f32 { return *x; }", "fn f(x: f32) -> f32 { return x; }"],
  ["override n = 1; const m = n + 1;", "override n = 1; override m = n + 1;"],
  ["@fragment fn f(@location(0) id: u32) {}", "@fragment fn f(@location(0) @interpolate(flat) id: u32) {}"],
])("where the way out is certain, a fix takes it: %s", (text, mended) => {
  const { fixes } = analyze(new Source(text)).diagnostics[0];
  const [{ edits }] = fixes;
  const result = [...edits]
    .reverse()
    .reduce((all, { span, text: by }) => all.slice(0, span.start) + by + all.slice(span.end), text);
  expect(result).toBe(mended);
  expect(analyze(new Source(mended)).diagnostics).toEqual([]);
});

test.each(["_ = mul(a, b);", "InterlockedAdd(a, b);", "_ = texture(a, b);", "_ = half(a);"])(
  "where it is not, there is none: %s",
  (body) => {
    expect(analyze(new Source(`fn f(a: f32, b: f32) { ${body} }`)).diagnostics[0].fixes).toEqual([]);
  },
);

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
