import type { RuleCase, RuleCases } from "./rule-cases.ts";

/** What an older implementation lacks, and how far modules may go. */

function limit(make: (count: number) => string, most: number): RuleCase {
  return [make(most + 1), make(most).replace("¦", "")];
}

function list(count: number, item: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => item(index)).join(", ");
}

const lacking = (...features: string[]) => ({ languageFeatures: ALL.filter((name) => !features.includes(name)) });

const ALL = [
  "uniform_buffer_standard_layout",
  "pointer_composite_access",
  "unrestricted_pointer_parameters",
  "buffer_view",
  "immediate_address_space",
  "texture_and_sampler_let",
];

const STRICT = lacking("uniform_buffer_standard_layout");

export const LIMITS: RuleCases = {
  "feature-missing": [["enable ¦f16;", "enable f16;", { features: [] }]],
  "language-extension-missing": [["requires ¦buffer_view;", "requires buffer_view;", lacking("buffer_view")]],
  "language-feature": [
    ["var<¦immediate> a: i32;", "var<immediate> a: i32;", lacking("immediate_address_space")],
    [
      "@group(0) @binding(0) var<storage> a: ¦buffer;",
      "@group(0) @binding(0) var<storage> a: buffer;",
      lacking("buffer_view"),
    ],
    [
      "@group(0) @binding(0) var a: texture_storage_2d<¦r8unorm, write>;",
      "@group(0) @binding(0) var a: texture_storage_2d<r8unorm, write>;",
      STRICT,
    ],
    ["fn f(s: sampler) { let ¦a = s; }", "fn f(s: sampler) { let a = s; }", lacking("texture_and_sampler_let")],
    [
      "@compute @workgroup_size(1) fn f(¦@builtin(workgroup_index) a: u32) {}",
      "@compute @workgroup_size(1) fn f(@builtin(workgroup_index) a: u32) {}",
      STRICT,
    ],
    ["fn f(a: u32) { _ = ¦dot4U8Packed(a, a); }", "fn f(a: u32) { _ = dot4U8Packed(a, a); }", STRICT],
  ],
  "array-stride": [
    [
      "@group(0) @binding(0) var<uniform> a: ¦array<f32, 4>;",
      "@group(0) @binding(0) var<uniform> a: array<vec4f, 4>;",
      STRICT,
    ],
  ],
  "member-offset": [
    [
      "struct T { i: i32 } struct S { a: i32, ¦b: T } @group(0) @binding(0) var<uniform> a: S;",
      "struct T { i: i32 } struct S { a: i32, @align(16) b: T } @group(0) @binding(0) var<uniform> a: S;",
      STRICT,
    ],
  ],
  "uniform-struct-distance": [
    [
      "struct T { i: i32 } struct S { a: T, ¦b: i32 } @group(0) @binding(0) var<uniform> a: S;",
      "struct T { i: i32 } struct S { a: T, @align(16) b: i32 } @group(0) @binding(0) var<uniform> a: S;",
      STRICT,
    ],
  ],
  "pointer-composite-access": [
    [
      "fn f(p: ptr<function, vec2i>) { _ = ¦p.x; }",
      "fn f(p: ptr<function, vec2i>) { _ = p.x; }",
      lacking("pointer_composite_access"),
    ],
  ],
  "pointer-argument-part": [
    [
      "fn g(p: ptr<function, i32>) {} fn f() { var a: array<i32, 2>; g(¦&a[0]); }",
      "fn g(p: ptr<function, i32>) {} fn f() { var a: array<i32, 2>; g(&a[0]); }",
      lacking("unrestricted_pointer_parameters"),
    ],
  ],
  "pointer-parameter-space": [
    ["fn f(p: ¦ptr<workgroup, i32>) {}", "fn f(p: ptr<workgroup, i32>) {}", lacking("unrestricted_pointer_parameters")],
  ],
  "struct-members": [limit((count) => `struct ¦S { ${list(count, (i) => `m${i}: i32`)} }`, 1023)],
  "parameter-count": [limit((count) => `fn ¦f(${list(count, (i) => `p${i}: i32`)}) {}`, 255)],
  "switch-selectors": [
    limit((count) => `fn f(a: i32) { switch ¦a { case ${list(count - 1, (i) => `${i}`)}, default: {} } }`, 1023),
  ],
  "array-constructor-elements": [limit((count) => `const a = ¦array(${list(count, (i) => `${i}`)});`, 2047)],
};
