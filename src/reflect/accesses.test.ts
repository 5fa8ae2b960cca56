import { expect, test } from "vitest";
import { analyze } from "../analysis/analyze.ts";
import { Source } from "../text/source.ts";
import { accessesOf } from "./accesses.ts";

const HEAD = `
struct S { n: atomic<u32>, xs: array<vec4f, 4> }
@group(0) @binding(0) var<storage, read_write> s: S;
@group(0) @binding(1) var<storage, read_write> a: array<u32>;
@group(0) @binding(2) var<uniform> u: u32;
var<workgroup> w: array<u32, 8>;
var<workgroup> flag: u32;
var<private> p: u32;
fn fetch(q: ptr<workgroup, array<u32, 8>>, i: u32) -> u32 { return (*q)[i]; }
fn put(q: ptr<function, u32>) { *q = u; }
`;

/** `variable kind: text` of every access of the body. */
function accesses(body: string): string[] {
  const source = new Source(`${HEAD}@compute @workgroup_size(1) fn main() { ${body} }`);
  const program = analyze(source);
  expect(program.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return accessesOf(program, program.entryPoints[0]).map(
    ({ variable, kind, span }) => `${variable.name} ${kind}: ${source.slice(span)}`,
  );
}

test.each([
  ["a[1] = 2;", ["a write: a[1]"]],
  ["a[1] += 2;", ["a read: a[1]", "a write: a[1]"]],
  ["a[1]++;", ["a read: a[1]", "a write: a[1]"]],
  ["_ = a[u];", ["a read: a[u]", "u read: u"]],
  ["a[w[0]] = 1;", ["a write: a[w[0]]", "w read: w[0]"]],
  ["s.xs[0].x = 1;", ["s write: s.xs[0].x"]],
  ["let v = s.xs[0].yx;", ["s read: s.xs[0]"]],
  ["atomicAdd(&s.n, u);", ["s atomic: atomicAdd(&s.n, u)", "u read: u"]],
  ["let q = &a[0]; *q = 1;", ["a write: *q"]],
  ["let q = &a; let r = &(*q)[1]; _ = *r;", ["a read: *r"]],
  ["_ = workgroupUniformLoad(&flag);", ["flag read: workgroupUniformLoad(&flag)"]],
  ["_ = fetch(&w, 0u);", ["w read: (*q)[i]"]],
  ["var x: u32; put(&x);", ["u read: u"]],
  ["p = 1; var x = p; x = 2;", []],
  ["_ = arrayLength(&a);", []],
  ["for (var i = 0u; i < u; i++) { a[i] = i; }", ["u read: u", "a write: a[i]"]],
] as const)("%s", (body, expected) => {
  expect([...accesses(body)].sort()).toEqual([...expected].sort());
});
