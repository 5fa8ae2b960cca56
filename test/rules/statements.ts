import type { RuleCases } from "./rule-cases.ts";

/** Statements and functions. */
export const STATEMENTS: RuleCases = {
  "assign-to-value": [
    ["fn f() { let a = 1; ¦a = 2; }", "fn f() { var a = 1; a = 2; }"],
    ["fn f(a: vec2i) { ¦a.x = 2; }", "fn f(b: vec2i) { var a = b; a.x = 2; }"],
    ["const a = 1; fn f() { ¦a++; }", "var<private> a = 1; fn f() { a++; }"],
  ],
  "assign-to-pointer": [["fn f(p: ptr<function, i32>) { ¦p = 1; }", "fn f(p: ptr<function, i32>) { *p = 1; }"]],
  "assign-to-swizzle": [["fn f() { var a: vec3f; ¦a.xy = vec2f(); }", "fn f() { var a: vec3f; a.x = 1; }"]],
  "write-to-read-only": [
    [
      "@group(0) @binding(0) var<storage> a: i32; fn f() { ¦a = 1; }",
      "@group(0) @binding(0) var<storage, read_write> a: i32; fn f() { a = 1; }",
    ],
    [
      "@group(0) @binding(0) var<uniform> a: vec4f; fn f() { ¦a.x += 1; }",
      "var<private> a: vec4f; fn f() { a.x += 1; }",
    ],
  ],
  "no-compound-operator": [
    ["fn f() { var a = 1u; ¦a += 1i; }", "fn f() { var a = 1u; a += 1; }"],
    ["fn f() { var a = 1f; ¦a *= vec2f(); }", "fn f() { var a = vec2f(); a *= 1f; }"],
  ],
  "increment-type": [["fn f() { var a = 1.0; ¦a++; }", "fn f() { var a = 1; a++; }"]],
  "switch-selector-type": [["fn f(a: f32) { switch ¦a { default: {} } }", "fn f(a: u32) { switch a { default: {} } }"]],
  "case-type": [
    ["fn f(a: u32) { switch a { case ¦1i: {} default: {} } }", "fn f(a: u32) { switch a { case 1: {} default: {} } }"],
  ],
  "duplicate-case": [
    [
      "fn f(a: u32) { switch a { case 1: {} case ¦1u: {} default: {} } }",
      "fn f(a: u32) { switch a { case 1: {} case 2u: {} default: {} } }",
    ],
  ],
  "no-default": [["fn f(a: u32) { ¦switch a { case 1: {} } }", "fn f(a: u32) { switch a { case 1, default: {} } }"]],
  "duplicate-default": [
    ["fn f(a: u32) { switch a { default: {} ¦default: {} } }", "fn f(a: u32) { switch a { default: {} } }"],
  ],
  "break-outside": [
    ["fn f() { ¦break; }", "fn f() { loop { break; } }"],
    ["fn f() { if true { ¦break; } }", "fn f() { switch 1 { default: { break; } } }"],
  ],
  "break-from-continuing": [
    [
      "fn f() { loop { continuing { if true { ¦break; } } } }",
      "fn f() { loop { continuing { switch 1 { default: { break; } } break if true; } } }",
    ],
  ],
  "continue-outside": [["fn f() { switch 1 { default: { ¦continue; } } }", "fn f() { while false { continue; } }"]],
  "continue-in-continuing": [
    [
      "fn f() { loop { break; continuing { ¦continue; } } }",
      "fn f() { loop { break; continuing { while false { continue; } } } }",
    ],
  ],
  "return-in-continuing": [
    [
      "fn f() { loop { break; continuing { if true { ¦return; } } } }",
      "fn f() { loop { if true { return; } break; } }",
    ],
  ],
  "return-without-value": [["fn f() -> i32 { ¦return; }", "fn f() -> i32 { return 1; }"]],
  "return-value-not-allowed": [["fn f() { return ¦1; }", "fn f() { return; }"]],
  "value-not-used": [["fn f() { ¦vec2f(1); }", "fn f() { _ = vec2f(1); }"]],
  "must-use": [
    ["fn f() { ¦max(1, 2); }", "fn f() { _ = max(1, 2); }"],
    ["@must_use fn g() -> i32 { return 1; } fn f() { ¦g(); }", "fn g() -> i32 { return 1; } fn f() { g(); }"],
    [
      "@group(0) @binding(0) var<storage> a: array<i32>; fn f() { ¦arrayLength(&a); }",
      "var<workgroup> a: atomic<u32>; fn f() { atomicLoad(&a); }",
    ],
  ],
  "const-assert-failed": [
    ["¦const_assert 1 > 2;", "const_assert 1 < 2;"],
    ["fn f() { ¦const_assert false; }", "fn f() { const_assert true; }"],
  ],
  "parameter-type": [["fn f(a: ¦array<i32>) {}", "fn f(a: array<i32, 1>) {}"]],
  "atomic-parameter": [["fn f(a: ¦atomic<u32>) {}", "fn f(a: ptr<workgroup, atomic<u32>>) {}"]],
  "return-type": [
    ["fn f(s: sampler) -> ¦sampler { return s; }", "fn f(s: sampler) -> i32 { return 1; }"],
    [
      "fn f(a: ptr<function, i32>) -> ¦ptr<function, i32> { return a; }",
      "fn f(a: ptr<function, i32>) -> i32 { return *a; }",
    ],
  ],
  "must-use-nothing": [["¦@must_use fn f() {}", "@must_use fn f() -> i32 { return 1; }"]],
};
