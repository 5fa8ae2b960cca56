import type { RuleCases } from "./rule-cases.ts";

/** Types, structures, variables and values, address spaces. */
export const TYPES: RuleCases = {
  "not-a-type": [
    ["var<private> a: ¦min;", "var<private> a: i32;"],
    ["const a = 1; var<private> b: ¦a;", "alias a = i32; var<private> b: a;"],
    ["var<private> a: vec3<¦read>;", "var<private> a: vec3<f32>;"],
  ],
  "no-template-expected": [
    ["var<private> a: ¦i32<f32>;", "var<private> a: i32;"],
    ["var<private> a: ¦vec3f<f32>;", "var<private> a: vec3<f32>;"],
    ["alias A = i32; var<private> a: ¦A<f32>;", "alias A = i32; var<private> a: A;"],
  ],
  "template-count": [
    ["var<private> a: ¦vec3;", "var<private> a: vec3<f32>;"],
    ["var<private> a: ¦array;", "var<private> a: array<f32, 2>;"],
    ["var<workgroup> a: ¦atomic;", "var<workgroup> a: atomic<i32>;"],
    ["@group(0) @binding(0) var a: ¦texture_2d;", "@group(0) @binding(0) var a: texture_2d<f32>;"],
  ],
  "enumerant-expected": [
    [
      "@group(0) @binding(0) var a: texture_storage_2d<¦f32, write>;",
      "@group(0) @binding(0) var a: texture_storage_2d<r32float, write>;",
    ],
    [
      "const storage = 1; @group(0) @binding(0) var<¦storage> a: i32;",
      "const store = 1; @group(0) @binding(0) var<storage> a: i32;",
    ],
    ["fn f(p: ptr<¦i32, function>) {}", "fn f(p: ptr<function, i32>) {}"],
  ],
  "bad-component-type": [
    ["var<private> a: vec3<¦vec3f>;", "var<private> a: vec3<bool>;"],
    ["var<private> a: mat2x2<¦i32>;", "var<private> a: mat2x2<f32>;"],
    ["@group(0) @binding(0) var a: texture_2d<¦bool>;", "@group(0) @binding(0) var a: texture_2d<u32>;"],
  ],
  "atomic-of-float": [["var<workgroup> a: atomic<¦f32>;", "var<workgroup> a: atomic<u32>;"]],
  "atomic-element": [
    ["var<workgroup> a: atomic<¦vec2u>;", "var<workgroup> a: array<atomic<u32>, 2>;"],
    ["var<workgroup> a: atomic<¦bool>;", "var<workgroup> a: atomic<i32>;"],
  ],
  "array-element": [
    [
      "@group(0) @binding(0) var<storage> a: array<¦array<i32>, 2>;",
      "@group(0) @binding(0) var<storage> a: array<array<i32, 2>>;",
    ],
    [
      "override n = 2; var<workgroup> a: array<¦array<i32, n>, 2>;",
      "override n = 2; var<workgroup> a: array<array<i32, 2>, n>;",
    ],
    ["alias A = array<¦sampler, 2>;", "alias A = array<f32, 2>;"],
  ],
  "count-type": [["var<private> a: array<i32, ¦2.0>;", "var<private> a: array<i32, 2u>;"]],
  "count-not-constant": [
    ["fn f() { let n = 2; var a: array<i32, ¦n>; }", "fn f() { const n = 2; var a: array<i32, n>; }"],
  ],
  "count-not-positive": [
    ["var<private> a: array<i32, ¦0>;", "var<private> a: array<i32, 1>;"],
    ["const n = 3; var<private> a: array<i32, ¦n - 4>;", "const n = 3; var<private> a: array<i32, n - 2>;"],
  ],
  "buffer-size-unit": [
    [
      "@group(0) @binding(0) var<storage> a: buffer<¦6>;",
      "enable f16; @group(0) @binding(0) var<storage> a: buffer<6>;",
    ],
  ],
  "nesting-depth": [
    [
      "alias A = array<array<array<array<array<array<array<array<array<array<array<array<array<array<i32, 1>, 1>, 1>, 1>, 1>, 1>, 1>, 1>, 1>, 1>, 1>, 1>, 1>, 1>; alias B = array<A, 1>; alias C = ¦array<B, 1>;",
      "alias A = array<array<array<array<array<array<array<array<array<array<array<array<array<array<i32, 1>, 1>, 1>, 1>, 1>, 1>, 1>, 1>, 1>, 1>, 1>, 1>, 1>, 1>; alias B = array<A, 1>;",
    ],
  ],
  "type-too-large": [
    [
      "@group(0) @binding(0) var<storage> a: ¦array<vec4f, 268435456>;",
      "@group(0) @binding(0) var<storage> a: array<vec4f, 268435455>;",
    ],
  ],
  "array-elements": [
    ["var<private> a: ¦array<i32, 65536>;", "var<private> a: array<i32, 65535>;"],
    ["const a = ¦array<i32, 65536>();", "const a = array<i32, 65535>();"],
  ],
  "empty-struct": [["struct ¦S {}", "struct S { a: i32 }"]],
  "no-type": [
    ["fn f() { var ¦a; }", "fn f() { var a = 1; }"],
    ["override ¦a;", "override a: i32;"],
  ],
  "duplicate-member": [["struct S { a: i32, ¦a: i32 }", "struct S { a: i32, b: i32 }"]],
  "member-type": [
    ["struct S { a: ¦sampler }", "struct S { a: u32 }"],
    ["struct S { a: ¦ptr<function, i32> }", "struct S { a: i32 }"],
  ],
  "member-override-sized": [
    ["override n = 2; struct S { a: ¦array<i32, n> }", "const n = 2; struct S { a: array<i32, n> }"],
  ],
  "member-runtime-sized": [
    ["struct T { a: array<i32> } struct S { t: ¦T }", "struct T { a: array<i32, 1> } struct S { t: T }"],
  ],
  "runtime-array-not-last": [["struct S { a: ¦array<i32>, b: i32 }", "struct S { b: i32, a: array<i32> }"]],
  "type-mismatch": [
    [
      "override n = 4; var<workgroup> w: array<u32, (n)>; fn g(p: ptr<workgroup, array<u32, n>>) {} fn f() { g(¦&w); }",
      "override n = 4; var<workgroup> w: array<u32, n>; fn g(p: ptr<workgroup, array<u32, n>>) {} fn f() { g(&w); }",
    ],
    ["fn f() { let a: u32 = ¦1i; }", "fn f() { let a: u32 = 1; }"],
    ["fn f() { var a: i32 = ¦1.5; }", "fn f() { var a: f32 = 1; }"],
    ["const a: vec2<i32> = ¦vec3(1);", "const a: vec2<i32> = vec2(1);"],
    ["fn f() { if ¦1 {} }", "fn f() { if true {} }"],
    ["fn f() -> i32 { return ¦1u; }", "fn f() -> i32 { return 1; }"],
    ["fn g(a: u32) {} fn f() { g(¦1i); }", "fn g(a: u32) {} fn f() { g(1); }"],
    [
      "fn g(p: ptr<function, i32>) {} var<private> a: i32; fn f() { g(¦&a); }",
      "fn g(p: ptr<private, i32>) {} var<private> a: i32; fn f() { g(&a); }",
    ],
    ["fn f() { var a: i32; a = ¦true; }", "fn f() { var a: i32; a = 1; }"],
    ["struct S { a: i32 } fn f() { _ = S(¦1.5); }", "struct S { a: i32 } fn f() { _ = S(1); }"],
  ],
  "value-type": [
    ["fn f(t: texture_2d<f32>) { const a: ¦texture_2d<f32> = t; }", "fn f(t: texture_2d<f32>) { let a = t; }"],
    [
      "fn f() { var a: i32; const b: ¦ptr<function, i32> = &a; }",
      "fn f() { var a: i32; let b: ptr<function, i32> = &a; }",
    ],
  ],
  "override-type": [["override ¦a = vec2(1);", "override a = 1;"]],
  "not-constant": [
    ["override a = 1; const b = ¦a;", "const a = 1; const b = a;"],
    ["fn f() { let a = true; const_assert ¦a; }", "fn f() { const a = true; const_assert a; }"],
    ["fn f(a: i32) { switch a { case ¦a: {} default: {} } }", "fn f(a: i32) { switch a { case 1: {} default: {} } }"],
    ["var<private> a: i32; var<private> b = ¦a;", "override a: i32; var<private> b = a;"],
  ],
  "no-address-space": [["var ¦a: i32;", "var<private> a: i32;"]],
  "address-space-scope": [
    ["var<¦function> a: i32;", "fn f() { var<function> a: i32; }"],
    ["fn f() { var<¦private> a: i32; }", "var<private> a: i32;"],
  ],
  "access-mode-not-allowed": [
    ["var<private, ¦read_write> a: i32;", "@group(0) @binding(0) var<storage, read_write> a: i32;"],
    ["fn f(p: ptr<function, i32, ¦read>) {}", "fn f(p: ptr<storage, i32, read>) {}"],
  ],
  "storage-write-only": [
    ["@group(0) @binding(0) var<storage, ¦write> a: i32;", "@group(0) @binding(0) var<storage, read> a: i32;"],
  ],
  "handle-address-space": [
    ["@group(0) @binding(0) var<uniform> a: ¦sampler;", "@group(0) @binding(0) var a: sampler;"],
  ],
  "pointer-in-variable": [
    ["fn f() { var a: i32; var p: ¦ptr<function, i32>; }", "fn f() { var a: i32; let p: ptr<function, i32> = &a; }"],
  ],
  "not-constructible": [["var<private> a: ¦array<i32>;", "var<private> a: array<i32, 1>;"]],
  "workgroup-type": [["var<workgroup> a: ¦array<i32>;", "override n: u32; var<workgroup> a: array<i32, n>;"]],
  "uniform-type": [
    ["@group(0) @binding(0) var<uniform> a: ¦array<vec4f>;", "@group(0) @binding(0) var<uniform> a: array<vec4f, 1>;"],
  ],
  "bool-in-buffer": [
    ["@group(0) @binding(0) var<storage> a: ¦bool;", "@group(0) @binding(0) var<storage> a: u32;"],
    [
      "struct S { i: i32, b: ¦vec2<bool> } @group(0) @binding(0) var<uniform> a: S;",
      "struct S { i: i32, b: vec2<bool> } var<workgroup> a: S;",
    ],
  ],
  "override-sized-outside-workgroup": [
    [
      "override n = 1; @group(0) @binding(0) var<storage> a: ¦array<i32, n>;",
      "override n = 1; var<workgroup> a: array<i32, n>;",
    ],
  ],
  "immediate-type": [["var<immediate> a: ¦array<u32, 2>;", "var<immediate> a: vec2u;"]],
  "immediate-size": [["struct S { a: mat4x4f, b: u32 } var<immediate> a: ¦S;", "var<immediate> a: mat4x4f;"]],
  "atomic-address-space": [
    ["fn f() { var a: ¦atomic<u32>; }", "fn f() { var a: u32; }"],
    ["var<private> a: ¦atomic<u32>;", "var<workgroup> a: atomic<u32>;"],
    [
      "struct S { a: atomic<i32> } @group(0) @binding(0) var<uniform> s: ¦S;",
      "struct S { a: atomic<i32> } @group(0) @binding(0) var<storage, read_write> s: S;",
    ],
  ],
  "atomic-read-only": [
    [
      "@group(0) @binding(0) var<storage> a: ¦atomic<u32>;",
      "@group(0) @binding(0) var<storage, read_write> a: atomic<u32>;",
    ],
    ["fn f(p: ptr<storage, ¦atomic<u32>>) {}", "fn f(p: ptr<storage, atomic<u32>, read_write>) {}"],
  ],
  "initializer-not-allowed": [["var<workgroup> a: i32 = ¦1;", "var<private> a: i32 = 1;"]],
  "resource-without-binding": [
    ["@group(0) var<storage> ¦a: i32;", "@group(0) @binding(0) var<storage> a: i32;"],
    ["@binding(0) var ¦a: sampler;", "@group(0) @binding(0) var a: sampler;"],
  ],
  "binding-on-non-resource": [["¦@group(0) var<private> a: i32;", "var<private> a: i32;"]],
};
