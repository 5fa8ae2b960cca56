import { describe, expect, test } from "vitest";
import { dumpBody, lowerText } from "../../test/support/ir.ts";
import { printModule } from "./print.ts";

const BUFFERS = `
struct Cell { pos: vec3f, count: u32, rows: mat2x3f }
@group(0) @binding(0) var<storage, read_write> cells: array<Cell>;
@group(0) @binding(1) var<storage, read_write> out: array<u32, 8>;
fn next(p: ptr<function, u32>) -> u32 { *p += 1u; return *p; }
`;

describe("values", () => {
  test.each([
    ["constants have the type they are used as", "let a: f32 = 1; let b = 1; let c = 2u * 3; var d = vec2f(1, 2) + 1;"],
    ["operands from left to right", "var i = 0u; out[next(&i)] = i + next(&i) + i;"],
    ["a let is evaluated once", "let a = out[0]; out[1] = a; out[2] = a;"],
    ["unary", "var a = -1; let b = -a; let c = ~a; let d = !(a == b);"],
    ["vector and scalar", "var v = vec3f(1); let a = v * 2; let b = 2 - v; let c = v + v; let d = v == v;"],
    ["shifts", "var a = vec2i(1); let b = a << vec2u(2); var c = 1u; let d = c >> 3;"],
    ["conversions", "var a = 1.5; let b = u32(a); let c = vec2i(vec2f(a)); let d = bool(a); let e = f32(a);"],
    ["compositions", "var a = 1.0; let v = vec4f(a, vec2f(a), 2); let w = vec3u(); let m = mat2x2f(a, 0, 0, a);"],
    [
      "arrays and structures",
      "let a = array(1u, out[0]); let i = out[1]; let b = a[i] + a[1]; var c = array<i32, 3>();",
    ],
    [
      "values taken apart",
      "let c = cells[0].rows; let i = out[0]; let d = c[1]; let e = c[i]; let f = d.zx; let g = d.y;",
    ],
  ])("%s: %s", (_, statements) => {
    expect(dumpBody(statements, BUFFERS)).toMatchSnapshot();
  });

  test("and, or: an ‘if’ with a variable", () => {
    expect(dumpBody("let a = (out[0] < 1 && out[1] < 2) || out[2] < 3;", BUFFERS)).toMatchSnapshot();
  });

  test.each(["false && out[1] < 2u", "true || u32(1.5) < out[0]"])("and, or: %s is decided by the constant", (text) => {
    expect(dumpBody(`let a = ${text};`, BUFFERS)).not.toMatch(/if|load|out/);
  });

  test("overrides are constants", () => {
    const module = lowerText(
      `override n = 4u; override scale: f32; var<workgroup> tile: array<f32, n * 2>;
       @compute @workgroup_size(n, 2) fn main() { tile[1] = scale; let p = &tile; (*p)[n] = f32(n); }`,
      { scale: 2 },
    );
    expect(printModule(module)).toMatchSnapshot();
  });
});

describe("memory views", () => {
  test.each([
    ["the part is loaded, not the whole", "let i = out[0]; let a = cells[i].pos.y; let b = cells[i].rows[1][i];"],
    ["a swizzle loads its vector", "let a = cells[0].pos.zx;"],
    [
      "a pointer is formed once",
      "var i = 1u; let p = &cells[i].pos; i = 2; let a = (*p).x; let b = p.x; let c = p.xy;",
    ],
    ["a pointer to an array", "let p = &out; let a = p[1]; (*p)[2] = a; let q = &p[3]; *q = 1;"],
    ["address and indirection", "var a = 1; let p = &a; let q = &*p; *q = 2;"],
    ["variables of functions", "var a: array<vec2f, 4>; var i = 1; a[i].y = 2; let b = a[i + 1]; let c = a[0].x;"],
  ])("%s: %s", (_, statements) => {
    expect(dumpBody(statements, BUFFERS)).toMatchSnapshot();
  });
});

describe("functions", () => {
  const module = () =>
    lowerText(`
var<private> seed: u32 = 7;
var<workgroup> a: array<u32, 4>;
@group(0) @binding(0) var<storage, read_write> b: array<u32, 4>;
fn first(p: ptr<workgroup, array<u32, 4>>) -> u32 { return (*p)[0]; }
fn put(p: ptr<storage, u32, read_write>, q: ptr<private, u32>, v: u32) { *p = *q + v; }
@compute @workgroup_size(1) fn main() {
  put(&b[1], &seed, first(&a));
  put(&b[2], &seed, first(&a));
}`);

  test("specialised by the roots of their pointers, once for each", () => {
    expect(printModule(module())).toMatchSnapshot();
  });

  test("one version for each root", () => {
    const { functions } = lowerText(`
var<workgroup> a: u32; var<workgroup> b: u32;
fn inner(p: ptr<workgroup, u32>) { *p = 1; }
fn outer(p: ptr<workgroup, u32>, q: ptr<workgroup, u32>) { inner(p); inner(q); }
@compute @workgroup_size(1) fn main() { outer(&a, &b); outer(&b, &a); inner(&b); }`);
    expect(functions.map((made) => made.name)).toEqual(["inner", "inner", "outer", "outer", "main"]);
    expect(functions.map((made) => made.params.map((param) => param.root))).toEqual([[0], [1], [0, 1], [1, 0], []]);
  });
});

describe("entry points", () => {
  test("built-in values, also out of a structure", () => {
    const module = lowerText(`
struct In { @builtin(local_invocation_index) local: u32, @builtin(workgroup_id) group: vec3u }
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(8) fn main(in: In, @builtin(global_invocation_id) id: vec3u) {
  out[id.x] = in.local + in.group.y;
}`);
    expect(printModule(module)).toMatchSnapshot();
  });

  test("roots are what it uses, in order of declaration", () => {
    const { roots } = lowerText(`
@group(0) @binding(0) var<storage, read_write> a: u32;
@group(0) @binding(1) var<storage> unused: u32;
@group(0) @binding(2) var<uniform> b: vec4f;
var<private> c = 3i;
fn f() { c = 1; }
@compute @workgroup_size(1) fn main() { f(); _ = &b; a = 1; }`);
    expect(roots.map((root) => [root.id, root.name, root.space, root.binding, root.initializer?.value])).toEqual([
      [0, "a", "storage", 0, undefined],
      [1, "b", "uniform", 2, undefined],
      [2, "c", "private", null, 3],
    ]);
  });
});
