import type { RuleCases } from "./rule-cases.ts";

/** Entry points and what they reach. */
export const ENTRY_POINTS: RuleCases = {
  "several-stages": [
    [
      "@vertex ¦@compute @workgroup_size(1) fn f() -> @builtin(position) vec4f { return vec4f(); }",
      "@vertex fn f() -> @builtin(position) vec4f { return vec4f(); }",
    ],
  ],
  "compute-only-attribute": [["@fragment ¦@workgroup_size(1) fn f() {}", "@compute @workgroup_size(1) fn f() {}"]],
  "no-workgroup-size": [["@compute fn ¦f() {}", "@compute @workgroup_size(1) fn f() {}"]],
  "workgroup-size-types": [
    ["@compute ¦@workgroup_size(1i, 1u) fn f() {}", "@compute @workgroup_size(1u, 1) fn f() {}"],
  ],
  "subgroup-size-power-of-two": [
    [
      "enable subgroup_size_control; @compute @workgroup_size(30) @subgroup_size(¦30) fn f() {}",
      "enable subgroup_size_control; @compute @workgroup_size(32) @subgroup_size(32) fn f() {}",
    ],
  ],
  "no-io-attribute": [
    [
      "@compute @workgroup_size(1) fn f(a: ¦vec3u) {}",
      "@compute @workgroup_size(1) fn f(@builtin(workgroup_id) a: vec3u) {}",
    ],
    ["@fragment fn f() -> ¦vec4f { return vec4f(); }", "@fragment fn f() -> @location(0) vec4f { return vec4f(); }"],
    [
      "struct S { @location(0) a: f32, ¦b: f32 } @fragment fn f(s: S) {}",
      "struct S { @location(0) a: f32, @location(1) b: f32 } @fragment fn f(s: S) {}",
    ],
  ],
  "io-attribute-not-on-entry-point": [
    ["fn f(¦@location(0) a: f32) {}", "@fragment fn f(@location(0) a: f32) {}"],
    ["fn f() -> ¦@location(0) f32 { return 1; }", "@fragment fn f() -> @location(0) f32 { return 1; }"],
  ],
  "builtin-and-location": [
    ["@fragment fn f(@builtin(position) ¦@location(0) a: vec4f) {}", "@fragment fn f(@builtin(position) a: vec4f) {}"],
  ],
  "unknown-builtin-value": [
    ["@fragment fn f(@builtin(¦pos) a: vec4f) {}", "@fragment fn f(@builtin(position) a: vec4f) {}"],
  ],
  "builtin-value-type": [
    ["@fragment fn f(¦@builtin(position) a: vec3f) {}", "@fragment fn f(@builtin(position) a: vec4f) {}"],
    [
      "@compute @workgroup_size(1) fn f(¦@builtin(global_invocation_id) a: u32) {}",
      "@compute @workgroup_size(1) fn f(@builtin(global_invocation_id) a: vec3u) {}",
    ],
  ],
  "builtin-value-stage": [
    ["@fragment fn f(¦@builtin(vertex_index) a: u32) {}", "@fragment fn f(@builtin(sample_index) a: u32) {}"],
    [
      "@fragment fn f() -> @builtin(position) ¦vec4f { return vec4f(); }",
      "@fragment fn f() -> @builtin(frag_depth) f32 { return 1; }",
    ],
  ],
  "duplicate-builtin-value": [
    [
      "@fragment fn f(@builtin(position) a: vec4f, @builtin(position) ¦b: vec4f) {}",
      "@fragment fn f(@builtin(position) a: vec4f, @builtin(sample_index) b: u32) {}",
    ],
  ],
  "depth-mode": [
    [
      "@fragment fn f() -> @builtin(frag_depth, ¦equal) f32 { return 1; }",
      "@fragment fn f() -> @builtin(frag_depth, less) f32 { return 1; }",
    ],
  ],
  "location-type": [["@fragment fn f(¦@location(0) a: bool) {}", "@fragment fn f(@location(0) a: f32) {}"]],
  "location-in-compute": [
    ["@compute @workgroup_size(1) fn f(@location(0) ¦a: f32) {}", "@fragment fn f(@location(0) a: f32) {}"],
  ],
  "duplicate-location": [
    [
      "@fragment fn f(@location(0) a: f32, @location(0) ¦b: f32) {}",
      "@fragment fn f(@location(0) a: f32, @location(1) b: f32) {}",
    ],
    ["struct S { @location(0) a: f32, @location(0) ¦b: f32 }", "struct S { @location(0) a: f32, @location(1) b: f32 }"],
  ],
  "needs-location": [
    ["struct S { ¦@interpolate(flat) a: f32 }", "struct S { @location(0) @interpolate(flat) a: f32 }"],
  ],
  "blend-src-value": [
    [
      "enable dual_source_blending; struct S { @location(0) @blend_src(0) a: f32, @location(0) ¦@blend_src(2) b: f32 }",
      "enable dual_source_blending; struct S { @location(0) @blend_src(0) a: f32, @location(0) @blend_src(1) b: f32 }",
    ],
  ],
  "blend-src-stage": [
    [
      "enable dual_source_blending; struct S { @location(0) @blend_src(0) ¦a: f32, @location(0) @blend_src(1) b: f32 } @fragment fn f(s: S) {}",
      "enable dual_source_blending; struct S { @location(0) @blend_src(0) a: f32, @location(0) @blend_src(1) b: f32 } @fragment fn f() -> S { return S(); }",
    ],
  ],
  "dual-source-blending": [
    [
      "enable dual_source_blending; struct ¦S { @location(0) @blend_src(0) a: f32 }",
      "enable dual_source_blending; struct S { @location(0) @blend_src(0) a: f32, @location(0) @blend_src(1) b: f32 }",
    ],
  ],
  "dual-source-types": [
    [
      "enable dual_source_blending; struct S { @location(0) @blend_src(0) a: f32, @location(0) @blend_src(1) ¦b: u32 }",
      "enable dual_source_blending; struct S { @location(0) @blend_src(0) a: u32, @location(0) @blend_src(1) b: u32 }",
    ],
  ],
  "interpolation-type": [
    ["struct S { @location(0) @interpolate(¦round) a: f32 }", "struct S { @location(0) @interpolate(linear) a: f32 }"],
  ],
  "interpolation-sampling": [
    [
      "struct S { @location(0) @interpolate(flat, ¦center) a: f32 }",
      "struct S { @location(0) @interpolate(flat, either) a: f32 }",
    ],
  ],
  "integer-not-flat": [
    ["@fragment fn f(@location(0) ¦a: u32) {}", "@fragment fn f(@location(0) @interpolate(flat) a: u32) {}"],
  ],
  "invariant-without-position": [
    ["struct S { @builtin(frag_depth) ¦@invariant a: f32 }", "struct S { @builtin(position) @invariant a: vec4f }"],
  ],
  "no-position": [["@vertex fn ¦f() {}", "@vertex fn f() -> @builtin(position) vec4f { return vec4f(); }"]],
  "compute-returns": [
    [
      "struct S { @builtin(sample_mask) a: u32 } @compute @workgroup_size(1) fn f() -> ¦S { return S(); }",
      "@compute @workgroup_size(1) fn f() {}",
    ],
  ],
  "wrong-stage": [
    [
      "@compute @workgroup_size(1) fn f() { g(); } fn g() { _ = ¦dpdx(1.0); }",
      "@fragment fn f() { g(); } fn g() { _ = dpdx(1.0); }",
    ],
    [
      "fn h() { ¦discard; } @fragment fn g() { h(); } @compute @workgroup_size(1) fn a() { h(); } @compute @workgroup_size(1) fn b() { h(); }",
      "fn h() { discard; } @fragment fn g() { h(); } @compute @workgroup_size(1) fn a() {} @fragment fn b() { h(); }",
    ],
    ["@compute @workgroup_size(1) fn f() { ¦discard; }", "@fragment fn f() { discard; }"],
    ["@fragment fn f() { ¦workgroupBarrier(); }", "@compute @workgroup_size(1) fn f() { workgroupBarrier(); }"],
  ],
  "variable-wrong-stage": [
    [
      "var<workgroup> a: i32; @fragment fn f() { _ = ¦a; }",
      "var<workgroup> a: i32; @compute @workgroup_size(1) fn f() { _ = a; }",
    ],
    [
      "@group(0) @binding(0) var<storage, read_write> a: i32; @vertex fn f() -> @builtin(position) vec4f { _ = ¦a; return vec4f(); }",
      "@group(0) @binding(0) var<storage> a: i32; @vertex fn f() -> @builtin(position) vec4f { _ = a; return vec4f(); }",
    ],
  ],
  "duplicate-binding": [
    [
      "@group(0) @binding(0) var<storage> a: i32; @group(0) @binding(0) var<storage> ¦b: i32; @fragment fn f() { _ = a + b; }",
      "@group(0) @binding(0) var<storage> a: i32; @group(0) @binding(0) var<storage> b: i32; @fragment fn f() { _ = a; } @fragment fn g() { _ = b; }",
    ],
  ],
  "several-immediates": [
    [
      "var<immediate> a: i32; var<immediate> b: i32; @fragment fn ¦f() { _ = a + b; }",
      "var<immediate> a: i32; var<immediate> b: i32; @fragment fn f() { _ = a; } @fragment fn g() { _ = b; }",
    ],
  ],
};
