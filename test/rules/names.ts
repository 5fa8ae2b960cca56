import type { RuleCases } from "./rule-cases.ts";

/** Names, directives, attributes. */
export const NAMES: RuleCases = {
  "unresolved-identifier": [
    ["fn f() { let a = ¦b; }", "fn f() { let b = 1; let a = b; }"],
    ["fn f() { let a = ¦a; }", "fn f() { let a = 1; { let a = a; } }"],
    ["fn f() -> ¦vec { return 0; }", "fn f() -> i32 { return 0; }"],
    ["var<private> a: array<i32, ¦n>;", "const n = 2; var<private> a: array<i32, n>;"],
    ["fn f() { { let a = 1; } _ = ¦a; }", "fn f() { let a = 1; { _ = a; } }"],
    ["fn f() { for (var i = 0; i < 2; i++) {} _ = ¦i; }", "fn f() { for (var i = 0; i < 2; i++) { _ = i; } }"],
    [
      "fn f() { loop { break; continuing { let a = 1; } } _ = ¦a; }",
      "fn f() { loop { let a = true; continuing { break if a; } } }",
    ],
  ],
  "duplicate-declaration": [
    ["fn f() {} fn ¦f() {}", "fn f() {} fn g() {}"],
    ["fn f() { let a = 1; let ¦a = 2; }", "fn f() { let a = 1; { let a = 2; } }"],
    ["fn f(a: i32) { let ¦a = 2; }", "fn f(a: i32) { { let a = 2; } }"],
    ["fn f(a: i32, ¦a: i32) {}", "fn f(a: i32, b: i32) {}"],
    ["fn f() { for (var i = 0;;) { let ¦i = 1; break; } }", "fn f() { for (var i = 0;;) { { let i = 1; } break; } }"],
    ["struct a { x: i32 } alias ¦a = i32;", "struct a { x: i32 } alias b = a;"],
    ["const min = 1; fn ¦min() {}", "const min = 1; fn f() { let max = min; }"],
  ],
  "declaration-cycle": [
    ["const a = ¦a;", "const a = 1;"],
    ["const a = b; const b = ¦a;", "const a = b; const b = 1;"],
    ["struct S { s: ¦S }", "struct S { s: T } struct T { i: i32 }"],
    ["alias A = array<¦A, 2>;", "alias A = array<B, 2>; alias B = i32;"],
    ["const a = array<i32, ¦a>();", "const a = array<i32, b>(); const b = 2;"],
    ["override a = b; override b = ¦a;", "override a = b; override b = 1;"],
  ],
  "recursive-function": [
    ["fn f() { ¦f(); }", "fn f() { g(); } fn g() {}"],
    ["fn f() { g(); } fn g() { ¦f(); }", "fn f() { g(); h(); } fn g() { h(); } fn h() {}"],
  ],
  "continue-skips-declaration": [
    [
      "fn f() { loop { if true { ¦continue; } let a = true; continuing { break if a; } } }",
      "fn f() { loop { let a = true; if true { continue; } continuing { break if a; } } }",
    ],
    [
      "fn f() { loop { ¦continue; var a = 1; continuing { a = 2; break if true; } } }",
      "fn f() { loop { loop { if true { break; } continue; } var a = 1; continuing { a = 2; break if true; } } }",
    ],
  ],
  "unknown-extension": [["enable ¦f17;", "enable f16;"]],
  "unknown-language-extension": [["requires ¦pointers;", "requires pointer_composite_access;"]],
  "extension-not-enabled": [
    ["fn f() -> ¦f16 { return 1h; }", "enable f16; fn f() -> f16 { return 1h; }"],
    ["const a = ¦1h;", "enable f16; const a = 1h;"],
    ["var<private> a: ¦vec2h;", "enable f16; var<private> a: vec2h;"],
    [
      "@fragment fn f(@builtin(position) p: vec4f, ¦@builtin(primitive_index) i: u32) {}",
      "enable primitive_index; @fragment fn f(@builtin(primitive_index) i: u32) {}",
    ],
    ["fn f() { _ = ¦subgroupAdd(1); }", "enable subgroups; fn f() { _ = subgroupAdd(1); }"],
    [
      "@compute @workgroup_size(32) ¦@subgroup_size(32) fn f() {}",
      "enable subgroup_size_control; @compute @workgroup_size(32) @subgroup_size(32) fn f() {}",
    ],
    [
      "struct S { @location(0) ¦@blend_src(0) a: f32, @location(0) @blend_src(1) b: f32 }",
      "enable dual_source_blending; struct S { @location(0) @blend_src(0) a: f32, @location(0) @blend_src(1) b: f32 }",
    ],
  ],
  "unknown-severity": [["diagnostic(¦none, derivative_uniformity);", "diagnostic(off, derivative_uniformity);"]],
  "conflicting-filter": [
    [
      "diagnostic(off, derivative_uniformity); ¦diagnostic(info, derivative_uniformity);",
      "diagnostic(off, derivative_uniformity); diagnostic(off, derivative_uniformity);",
    ],
  ],
  "duplicate-filter": [
    [
      "fn f() { @diagnostic(off, derivative_uniformity) ¦@diagnostic(off, derivative_uniformity) if true {} }",
      "fn f() { @diagnostic(off, derivative_uniformity) @diagnostic(off, subgroup_uniformity) if true {} }",
    ],
  ],
  "unknown-attribute": [["¦@stage fn f() {}", "@must_use fn f() -> i32 { return 1; }"]],
  "misplaced-attribute": [
    ["¦@location(0) fn f() {}", "@fragment fn f(@location(0) a: f32) {}"],
    ["¦@align(16) var<private> a: i32;", "struct S { @align(16) a: i32 }"],
    ["¦@const fn f() {}", "fn f() {}"],
    ["fn f() { ¦@must_use if true {} }", "fn f() { @diagnostic(off, derivative_uniformity) if true {} }"],
    ["¦@group(0) override a = 1;", "@id(0) override a = 1;"],
  ],
  "duplicate-attribute": [["struct S { @align(16) ¦@align(16) a: i32 }", "struct S { @align(16) @size(16) a: i32 }"]],
  "attribute-arguments": [
    ["struct S { ¦@align a: i32 }", "struct S { @align(4) a: i32 }"],
    ["@fragment fn f() -> ¦@location(0, 1) f32 { return 1; }", "@fragment fn f() -> @location(0) f32 { return 1; }"],
  ],
  "attribute-word": [["@fragment fn f(@builtin(¦1) a: u32) {}", "@fragment fn f(@builtin(sample_index) a: u32) {}"]],
  "attribute-type": [
    ["struct S { @align(¦4.0) a: i32 }", "struct S { @align(4u) a: i32 }"],
    ["@group(¦true) @binding(0) var<storage> a: i32;", "@group(0) @binding(0u) var<storage> a: i32;"],
  ],
  "attribute-not-constant": [
    ["override n = 4; struct S { @align(¦n) a: i32 }", "const n = 4; struct S { @align(n) a: i32 }"],
  ],
  "attribute-value": [
    ["@group(¦-1) @binding(0) var<storage> a: i32;", "@group(0) @binding(0) var<storage> a: i32;"],
    ["@compute @workgroup_size(¦0) fn f() {}", "@compute @workgroup_size(1) fn f() {}"],
    ["struct S { @size(¦0) a: i32 }", "struct S { @size(4) a: i32 }"],
  ],
  "override-id-range": [["¦@id(65536) override a = 1;", "@id(65535) override a = 1;"]],
  "duplicate-override-id": [
    ["@id(1) override a = 1; @id(1) override ¦b = 1;", "@id(1) override a = 1; @id(2) override b = 1;"],
  ],
  "align-power-of-two": [["struct S { ¦@align(12) a: i32 }", "struct S { @align(16) a: i32 }"]],
  "align-too-small": [["struct S { ¦@align(8) a: vec4f }", "struct S { @align(16) a: vec4f }"]],
  "size-too-small": [["struct S { ¦@size(8) a: vec3f }", "struct S { @size(12) a: vec3f }"]],
  "size-of-runtime-sized": [["struct S { ¦@size(8) a: array<i32> }", "struct S { @size(8) a: array<i32, 2> }"]],
};
