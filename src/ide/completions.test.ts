import { expect, test } from "vitest";
import { marked } from "../../test/support/marked.ts";
import { completions } from "./completions.ts";

function labels(withMark: string): readonly string[] {
  const { program, offset } = marked(withMark);
  return completions(program, offset).items.map(({ label }) => label);
}

const SHADER = `
  struct S { pos: vec3f, n: u32 }
  struct T { all: array<S, 4>, first: S }
  alias A = S;
  const N = 4;
  override scale = 2.0;
  var<workgroup> tile: array<S, N>;
  var<private> t: T;
  fn make(a: f32) -> S { return S(vec3f(a), 0); }
`;

test.each([
  // Behind a period: whatever stands before it.
  ["fn f(s: S) { let a = s.▮; }", "pos n"],
  ["fn f(s: S) { let a = s.▮ }", "pos n"],
  ["fn f(s: S) { let a = s.▮", "pos n"],
  ["fn f(s: S) { let a = s.▮\n  t = T(); }", "pos n"],
  ["fn f(s: S) { if s.▮", "pos n"],
  ["fn f(s: S) { for (var i = 0; i < s.▮", "pos n"],
  ["fn f(s: S) { s.p▮", "pos n"],
  ["fn f(p: ptr<function, S>) { (*p).▮; }", "pos n"],
  ["fn f(p: ptr<function, S>) { p.▮; }", "pos n"],
  ["fn f() { tile[t.first.n].▮ = 1; }", "pos n"],
  ["fn f() { t.all[0].pos.▮", "x y z xy xyz r g b rg rgb"],
  ["fn f() { make(1).▮", "pos n"],
  ["fn f() { vec2f(1).▮ }", "x y xy r g rg"],
  ["fn f() { let r = frexp(1.5); r.▮ }", "fract exp"],
  ["fn f() { let x = 1; x.▮ }", ""],
  ["fn f() { let x = nothing.▮ }", ""],
  // Words that only mean something at their place.
  ["enable ▮", "f16 clip_distances dual_source_blending subgroups primitive_index subgroup_size_control"],
  ["enable f16, s▮", "f16 clip_distances dual_source_blending subgroups primitive_index subgroup_size_control"],
  ["diagnostic(▮", "error warning info off"],
  ["var<▮", "read write read_write function private workgroup uniform storage immediate"],
  ["var<storage, ▮", "read write read_write"],
  ["fn f(p: ptr<function, f32, ▮", "read write read_write"],
  ["var t: texture_storage_2d<rgba8unorm, ▮>;", "read write read_write"],
  ["fn f(@interpolate(▮", "perspective linear flat center centroid sample first either"],
  ["fn f() { switch 1 { ▮ } }", "case default"],
  // Where a name is given, in comments and numbers: nothing.
  ["let ▮", ""],
  ["const N▮", ""],
  ["fn f▮", ""],
  ["fn f(a▮", ""],
  ["struct S { a▮ }", ""],
  ["fn f() { let x▮ = 1; }", ""],
  ["// a▮", ""],
  ["/* a▮ */", ""],
  ["/* a▮", ""],
  ["const N = 12▮;", ""],
] as const)("%s", (text, expected) => {
  const found = labels(SHADER + text).join(" ");
  if (text.startsWith("var<▮"))
    expect(new Set(found.split(" "))).toEqual(
      new Set("function private workgroup uniform storage immediate".split(" ")),
    );
  else expect(found).toBe(expected);
});

/** Names that are offered, and some that must not be. */
test.each([
  [
    "fn f(a: u32) { let b = ▮; }",
    "a N scale tile make S A max atomicAdd vec3f u32 true",
    "b storage if texture_2d position",
  ],
  ["fn f(a: u32) { let b = 1; { let c = 2; } ▮ }", "a b if return let tile max", "c u32 storage true"],
  ["fn f() { for (var i = 0; i < 4; i++) { ▮ } }", "i", "position"],
  ["fn f() { for (var i = 0; i < 4; i++) { } ▮ }", "N", "i"],
  ["fn f() { for (var i = 0; ▮", "i N", "if"],
  ["fn f() { loop { let x = 1; continuing { break if ▮ } } }", "x", "if"],
  ["fn f() { let x = 1; let y = x + ▮", "x", "y"],
  ["fn f() { let x = ; let y = ▮", "x N", "y"],
  ["fn f() { if N > 3 { } else ▮", "if", "position"],
  ["fn f(a: ▮", "S A f32 vec3f array texture_2d ptr", "N tile max make"],
  ["fn f() -> ▮", "S f32", "N max"],
  ["fn f() -> @location(0) ▮", "S f32", "N max"],
  ["var<private> x: array<▮", "S f32 vec3f", "N max"],
  ["var<private> x: array<f32, ▮", "N", "f"],
  ["alias B = ▮", "S A f32", "N"],
  ["struct U { a: ▮ }", "S f32", "N"],
  ["const M = ▮;", "N scale max vec3f", "tile make if"],
  ["@compute @workgroup_size(▮) fn f() {}", "N scale", "tile"],
  ["@▮", "compute workgroup_size group binding diagnostic", "const N"],
  ["@compute ▮", "fn var", "N max"],
  ["▮", "fn var struct enable", "N max let"],
  ["fn f(@builtin(▮) a: vec3u) {}", "global_invocation_id num_workgroups", "N"],
  ["@diagnostic(off, ▮) fn f() {}", "derivative_uniformity halay.race_storage", "N"],
  ["var t: texture_storage_2d<▮", "rgba8unorm r32float", "read f32"],
  ["fn f() { let N = 2; _ = ▮ }", "N", "position"],
  ["fn f() { let x: ▮ = 1; }", "u32 S", "N"],
  ["fn f() { let i = 1u; case_(i < ▮) }", "i N", "storage"],
  ["fn f() { return ▮", "N", "if"],
  ["fn f(", "", ""],
] as const)("%s", (text, offered, missing) => {
  const found = labels(SHADER + (text.includes("▮") ? text : `${text}▮`));
  const words = (list: string): readonly string[] => list.split(" ").filter((word) => word !== "");
  expect(words(offered).filter((word) => !found.includes(word))).toEqual([]);
  expect(words(missing).filter((word) => found.includes(word))).toEqual([]);
  expect(new Set(found).size).toBe(found.length);
});

test("a completion says what it is", () => {
  const { program, offset } = marked(`${SHADER}fn f() { let N = 2u; ▮ }`);
  const { items } = completions(program, offset);
  const item = (label: string) => items.find((each) => each.label === label);
  expect(item("N")).toMatchObject({ kind: "constant", detail: "u32", rank: 0 });
  expect(item("make")).toMatchObject({ kind: "function", detail: "fn make(a: f32) -> S", isCall: true, rank: 1 });
  expect(item("S")).toMatchObject({ kind: "type", isCall: true });
  expect(item("max")).toMatchObject({ detail: expect.stringMatching(/^fn max\(e1: T, e2: T\) -> T/), isCall: true });
  expect(item("textureLoad")!.overloads).toBeGreaterThan(3);
  expect(item("atomicAdd")!.documentation).toContain("returns the old value, from before the addition");
  expect(item("subgroupAdd")!.documentation).toContain("needs `enable subgroups;`");
});

test("a member says where it lies", () => {
  const { program, offset } = marked(`${SHADER}fn f(s: S) { s.▮ }`);
  expect(
    completions(program, offset).items.map(({ label, detail, documentation }) => [label, detail, documentation]),
  ).toEqual([
    ["pos", "vec3<f32>", "offset 0, size 12, align 16"],
    ["n", "u32", "offset 12, size 4, align 4"],
  ]);
});

test("the word so far is replaced", () => {
  const { program, text, offset } = marked("fn f() { let x = ma▮; }");
  const { replace } = completions(program, offset);
  expect(text.slice(replace.start, replace.end)).toBe("ma");
});
