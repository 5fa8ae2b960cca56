import { expect, test } from "vitest";
import spec from "../../test/spec/spec.gen.json" with { type: "json" };
import { marked } from "../../test/support/marked.ts";
import { predeclaredNames } from "../analysis/predeclared.ts";
import { isBuiltinName } from "../builtins/resolve.ts";
import { enumerantAnchor, typeAnchor, wordAnchor } from "./anchors.ts";
import { hover } from "./hover.ts";

/** The markdown on one line, code fences as backticks. */
function shown(text: string): string {
  const { program, offset } = marked(text);
  const found = hover(program, offset);
  if (found === null) return "nothing";
  return found.markdown.replaceAll("```wgsl\n", "`").replaceAll("\n```", "`").replaceAll("\n\n", " | ");
}

test.each([
  ["const ▮N = 2 + 2;", "`const N: abstract integer` | = `4`"],
  ["const N = 4u; const M = ▮N;", "`const N: u32` | = `4`"],
  ["@id(3) override ▮n: u32 = 7;", "`@id(3) override n: u32` | = `7`"],
  ["fn f() { let ▮x = vec3f(1); }", "`let x: vec3<f32>` | size 12, align 16"],
  ["fn f() { let x = 1; let y = x▮; }", "`let x: i32`"],
  ["var<workgroup> ▮t: array<u32, 4>;", "`var<workgroup> t: array<u32, 4>` | size 16, align 4, stride 4"],
  [
    "@group(0) @binding(1) var<storage, read_write> ▮b: array<vec3f>;",
    "`@group(0) @binding(1) var<storage, read_write> b: array<vec3<f32>>` | " +
      "size 0 without elements, align 16, stride 16",
  ],
  ["// how many\n// there are\nvar<private> ▮n: i32;", "`var<private> n: i32` | how many  \nthere are"],
  ["var<private> ▮n: i32; // how many", "`var<private> n: i32` | how many"],
  ["struct ▮S { a: f32, b: vec3f }", "`struct S {\n  a: f32,  // 0\n  b: vec3<f32>,  // 16\n}` | size 32, align 16"],
  [
    "struct S { a: f32, b: vec3f } fn f(s: S) -> f32 { return s.▮b.x; }",
    "`S.b: vec3<f32>` | offset 16, size 12, align 16",
  ],
  ["struct S { ▮a: f32, /* metres */ }", "`S.a: f32` | offset 0, size 4, align 4 | metres"],
  [
    "fn f(v: vec3f) -> vec2f { return v.▮xy; }",
    "`xy: vec2<f32>` | [#swizzle-names](https://www.w3.org/TR/WGSL/#swizzle-names)",
  ],
  ["alias ▮V = vec2<f32>;", "`alias V = vec2<f32>` | size 8, align 8"],
  ["fn f(a: f32) -> u32 { return u32(a); } fn g() { _ = ▮f(1); }", "`fn f(a: f32) -> u32`"],
  [
    "var<workgroup> n: atomic<u32>; fn f() { atomic▮Max(&n, 3); }",
    "`fn atomicMax(atomic_ptr: ptr<workgroup, atomic<u32>, read_write>, v: u32) -> u32` | " +
      "`fn atomicMax(atomic_ptr: ptr<AS, atomic<T>, read_write>, v: T) -> T where AS: storage|workgroup, T: i32|u32` | " +
      "returns the old value, which is the largest so far only if it was not replaced | " +
      "[#atomic-max](https://www.w3.org/TR/WGSL/#atomic-max)",
  ],
  ["fn f() { _ = subgroup▮Add(); }", /fn subgroupAdd\(.*needs `enable subgroups;`/],
  ["var<private> v: vec3▮f;", /^`alias vec3f = vec3<f32>` \| size 12, align 16 \| \[#vector-types\]/],
  ["var<workgroup> t: ▮array<vec3f, 4>;", /^`array<vec3<f32>, 4>` \| size 64, align 16, stride 16 \|/],
  ["struct S { a: ▮mat3x3<f32> }", /^`mat3x3<f32>` \| size 48, align 16, stride 16 \|/],
  ["fn f(p: ▮ptr<function, u32>) {}", /^`ptr<function, u32, read_write>` \| \[#ref-ptr-types\]/],
  ["fn f() { let a = ▮array(1, 2); }", /^`array` \| \[#array-types\]/],
  ["enable ▮f16;", /^`enable f16; {2}\/\/ feature shader-f16` \| \[#extension-f16\]/],
  [
    "fn f(@builtin(▮position) p: vec4f) {}",
    /^`@builtin\(position\) vec4<f32> {2}\/\/ vertex output\n.*fragment input`/,
  ],
  ["fn f() { return ▮1; }", "nothing"],
  ["fn f(x: u32) { ) ma▮x( }", /^`fn max\(/],
  ["fn f(x: u32) { ) ▮x }", "`x: u32`"],
  // An error elsewhere changes nothing here, and what is wrong has what is known of it.
  ["var<private> a: u32 = ; fn f() { let ▮x = 1u; }", "`let x: u32`"],
  ["var<private> ▮a: Unknown;", "`var<private> a: Unknown`"],
] as const)("%s", (text, expected) => {
  if (typeof expected === "string") expect(shown(text)).toBe(expected);
  else expect(shown(text)).toMatch(expected);
});

test("every word of WGSL leads to a section that exists", () => {
  const anchors = new Set(spec.anchors.map((name) => `#${name}`));
  const types = [...predeclaredNames()].filter((name) => !isBuiltinName(name));
  const cited = [
    ...types.map((name) => typeAnchor(name) ?? enumerantAnchor(name)),
    ...spec.attributes.map((name: string) => wordAnchor("attribute", name)),
    ...spec.builtinValues.map(({ name }) => wordAnchor("builtin-value", name)),
    ...spec.enableExtensions.map((name: string) => wordAnchor("enable-extension", name)),
    ...spec.languageExtensions.map((name: string) => wordAnchor("language-extension", name)),
    ...(["interpolation", "severity", "rule"] as const).map((word) => wordAnchor(word, "")),
  ];
  expect(cited.filter((anchor) => !anchors.has(anchor))).toEqual([]);
});
