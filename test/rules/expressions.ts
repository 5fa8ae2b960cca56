import type { RuleCases } from "./rule-cases.ts";

/** Expressions and calls. */
export const EXPRESSIONS: RuleCases = {
  "evaluation-error": [
    ["const a = ¦1 / 0;", "const a = 1 / 1;"],
    ["const a: u32 = ¦-1;", "const a: i32 = -1;"],
    ["const a = ¦9223372036854775807 + 1;", "const a = 2147483647i + 1i;"],
    ["const a = vec2(1)[¦2];", "const a = vec2(1)[1];"],
    ["fn f(a: array<i32, 2>) { _ = a[¦2]; }", "fn f(a: array<i32, 2>) { _ = a[1]; }"],
    ["fn f(a: i32) { _ = ¦a / 0; }", "fn f(a: f32) { _ = a / 0; }"],
    ["fn f(a: i32) { _ = ¦a << 32; }", "fn f(a: i32) { _ = a << 31; }"],
    [
      "@group(0) @binding(0) var<storage> a: array<i32>; fn f() { _ = a[¦-1]; }",
      "@group(0) @binding(0) var<storage> a: array<i32>; fn f() { _ = a[1000000]; }",
    ],
    ["const a = ¦sqrt(-1);", "const a = sqrt(1);"],
    ["const a = true && ¦1 / 0 == 1;", "const a = false && 1 / 0 == 1;"],
    ["fn f(a: f32) { _ = ¦clamp(a, 2, 1); }", "fn f(a: f32) { _ = clamp(a, 1, 2); }"],
    ["fn f() { var a = 1; ¦a /= 0; }", "fn f() { var a = 1; a /= 1; }"],
    ["fn f() { let a = ¦3000000000; }", "fn f() { let a = 3000000000u; }"],
  ],
  "no-value": [["fn g() {} fn f() { let a = ¦g(); }", "fn g() -> i32 { return 1; } fn f() { let a = g(); }"]],
  "not-a-value-name": [
    ["fn f() { let a = ¦i32; }", "fn f() { let a = i32(); }"],
    ["fn g() {} fn f() { let a = ¦g; }", "fn g() {} fn f() { g(); }"],
    ["fn f() { let a = ¦max; }", "fn f() { let a = max(1, 2); }"],
  ],
  "not-a-value": [
    [
      "override n = 1; var<workgroup> a: array<i32, n>; fn f() { _ = ¦a; }",
      "override n = 1; var<workgroup> a: array<i32, n>; fn f() { _ = a[0]; }",
    ],
  ],
  "runtime-array-value": [
    [
      "@group(0) @binding(0) var<storage> a: array<i32>; fn f() { let b = ¦a; }",
      "@group(0) @binding(0) var<storage> a: array<i32>; fn f() { let b = &a; }",
    ],
  ],
  "atomic-plain-read": [
    [
      "var<workgroup> a: atomic<u32>; fn f() { let b = ¦a; }",
      "var<workgroup> a: atomic<u32>; fn f() { let b = atomicLoad(&a); }",
    ],
    [
      "var<workgroup> a: array<atomic<u32>, 2>; fn f() { let b = ¦a[1] + 1; }",
      "var<workgroup> a: array<atomic<u32>, 2>; fn f() { let b = atomicLoad(&a[1]) + 1; }",
    ],
    [
      "struct S { n: atomic<i32> } @group(0) @binding(0) var<storage, read_write> s: S; fn f() { if ¦s.n > 0 {} }",
      "struct S { n: atomic<i32> } @group(0) @binding(0) var<storage, read_write> s: S; fn f() { if atomicLoad(&s.n) > 0 {} }",
    ],
  ],
  "atomic-plain-write": [
    [
      "var<workgroup> a: atomic<u32>; fn f() { ¦a = 1; }",
      "var<workgroup> a: atomic<u32>; fn f() { atomicStore(&a, 1); }",
    ],
    [
      "var<workgroup> a: atomic<u32>; fn f() { ¦a += 1; }",
      "var<workgroup> a: atomic<u32>; fn f() { atomicAdd(&a, 1); }",
    ],
    ["var<workgroup> a: atomic<u32>; fn f() { ¦a++; }", "var<workgroup> a: u32; fn f() { a++; }"],
  ],
  "atomic-copy": [
    [
      "struct S { a: atomic<u32> } var<workgroup> s: S; fn f() { let t = ¦s; }",
      "struct S { a: u32 } var<workgroup> s: S; fn f() { let t = s; }",
    ],
    [
      "var<workgroup> a: array<atomic<u32>, 4>; var<workgroup> b: array<atomic<u32>, 4>; fn f() { let c = ¦b; }",
      "var<workgroup> a: array<atomic<u32>, 4>; fn f() { let c = &a; }",
    ],
  ],
  "no-unary-operator": [
    ["fn f(a: u32) { _ = ¦-a; }", "fn f(a: i32) { _ = -a; }"],
    ["fn f(a: i32) { _ = ¦!a; }", "fn f(a: bool) { _ = !a; }"],
  ],
  "no-binary-operator": [
    ["fn f(a: u32, b: i32) { _ = ¦a + b; }", "fn f(a: u32, b: u32) { _ = a + b; }"],
    ["fn f(a: u32) { _ = ¦a > 1.0; }", "fn f(a: u32) { _ = a > 1; }"],
    ["fn f(a: vec2<bool>) { _ = ¦a && a; }", "fn f(a: vec2<bool>) { _ = a & a; }"],
    ["fn f(a: mat2x3f, b: mat2x3f) { _ = ¦a * b; }", "fn f(a: mat2x3f, b: mat3x2f) { _ = a * b; }"],
  ],
  "address-of-value": [["fn f() { let a = 1; let b = ¦&a; }", "fn f() { var a = 1; let b = &a; }"]],
  "address-of-handle": [
    [
      "@group(0) @binding(0) var s: sampler; fn f() { _ = ¦&s; }",
      "@group(0) @binding(0) var s: sampler; fn f() { _ = s; }",
    ],
  ],
  "address-of-component": [
    ["fn f() { var a: vec2f; _ = ¦&a.x; }", "fn f() { var a: vec2f; _ = &a; }"],
    ["fn f() { var a: vec2f; _ = ¦&a[1]; }", "fn f() { var a: array<f32, 2>; _ = &a[1]; }"],
  ],
  "indirection-of-value": [["fn f() { var a = 1; _ = ¦*a; }", "fn f() { var a = 1; _ = *&a; }"]],
  "not-indexable": [["fn f(a: i32) { _ = ¦a[0]; }", "fn f(a: vec2i) { _ = a[0]; }"]],
  "index-type": [["fn f(a: vec2i) { _ = a[¦1.0]; }", "fn f(a: vec2i) { _ = a[1]; }"]],
  "no-members": [["fn f(a: i32) { _ = a.¦x; }", "fn f(a: vec2i) { _ = a.x; }"]],
  "unknown-member": [
    ["struct S { pos: i32 } fn f(s: S) { _ = s.¦position; }", "struct S { pos: i32 } fn f(s: S) { _ = s.pos; }"],
  ],
  "bad-swizzle": [
    ["fn f(a: vec4f) { _ = a.¦xg; }", "fn f(a: vec4f) { _ = a.xy + a.rg; }"],
    ["fn f(a: vec4f) { _ = a.¦xxxxx; }", "fn f(a: vec4f) { _ = a.xxxx; }"],
  ],
  "swizzle-past-end": [["fn f(a: vec2f) { _ = a.¦z; }", "fn f(a: vec3f) { _ = a.z; }"]],
  "not-callable": [["const a = 1; fn f() { ¦a(); }", "fn a() {} fn f() { a(); }"]],
  "call-at-module-scope": [
    ["fn f() -> i32 { return 1; } const a = ¦f();", "fn f() -> i32 { return 1; } fn g() { let a = f(); }"],
  ],
  "entry-point-called": [
    [
      "@compute @workgroup_size(1) fn main() {} fn f() { ¦main(); }",
      "@compute @workgroup_size(1) fn main() { f(); } fn f() {}",
    ],
  ],
  "argument-count": [
    ["fn g(a: i32) {} fn f() { ¦g(); }", "fn g(a: i32) {} fn f() { g(1); }"],
    ["struct S { a: i32, b: i32 } fn f() { _ = ¦S(1); }", "struct S { a: i32, b: i32 } fn f() { _ = S(1, 2); }"],
    ["const a = ¦array<i32, 2>(1);", "const a = array<i32, 2>(1, 2);"],
  ],
  "no-overload": [
    ["fn f() { _ = ¦max(1, true); }", "fn f() { _ = max(1, 2); }"],
    ["fn f() { _ = ¦dot(vec2f(), vec3f()); }", "fn f() { _ = dot(vec2f(), vec2f()); }"],
    [
      "var<workgroup> a: atomic<u32>; fn f() { ¦atomicAdd(&a, 1i); }",
      "var<workgroup> a: atomic<i32>; fn f() { atomicAdd(&a, 1i); }",
    ],
  ],
  "missing-address-of": [
    [
      "var<workgroup> a: atomic<u32>; fn f() { atomicAdd(¦a, 1); }",
      "var<workgroup> a: atomic<u32>; fn f() { atomicAdd(&a, 1); }",
    ],
    [
      "@group(0) @binding(0) var<storage> a: array<i32>; fn f() { _ = arrayLength(¦a); }",
      "@group(0) @binding(0) var<storage> a: array<i32>; fn f() { _ = arrayLength(&a); }",
    ],
    [
      "var<workgroup> a: u32; fn f() { _ = workgroupUniformLoad(¦a); }",
      "var<workgroup> a: u32; fn f() { _ = workgroupUniformLoad(&a); }",
    ],
  ],
  "not-atomic": [
    [
      "var<workgroup> a: u32; fn f() { atomicAdd(¦&a, 1); }",
      "var<workgroup> a: atomic<u32>; fn f() { atomicAdd(&a, 1); }",
    ],
  ],
  "no-constructor": [
    ["fn f() { _ = ¦vec3f(1, 2); }", "fn f() { _ = vec3f(1, 2, 3); }"],
    ["fn f(a: i32, b: u32) { _ = ¦vec2(a, b); }", "fn f(a: i32, b: i32) { _ = vec2(a, b); }"],
    ["const a = ¦array(1, true);", "const a = array(1, 2.0);"],
  ],
  "not-constructible-call": [["fn f() { _ = ¦atomic<u32>(1); }", "fn f() { _ = u32(1); }"]],
  "construct-runtime-array": [["const a = ¦array<i32>(1, 2);", "const a = array(1, 2);"]],
  "buffer-view-type": [
    [
      "@group(0) @binding(0) var<storage> b: buffer; fn f() { _ = bufferView<¦atomic<u32>>(&b, 0); }",
      "@group(0) @binding(0) var<storage> b: buffer; fn f() { _ = bufferView<u32>(&b, 0); }",
    ],
  ],
  "buffer-array-view-type": [
    [
      "@group(0) @binding(0) var<storage> b: buffer; fn f() { _ = bufferArrayView<¦u32>(&b, 0, 4); }",
      "@group(0) @binding(0) var<storage> b: buffer; fn f() { _ = bufferArrayView<array<u32>>(&b, 0, 4); }",
    ],
  ],
};
