/** Fixes that analysis offers: applied, they make the text legal. */
import { expect, test } from "vitest";
import { applyEdits } from "../text/edit.ts";
import { Source } from "../text/source.ts";
import { analyze } from "./analyze.ts";

function mended(text: string): string {
  const [first] = analyze(new Source(text)).diagnostics;
  return applyEdits(text, first.fixes[0].edits);
}

const ATOMIC = "var<workgroup> a: atomic<u32>;";

test.each([
  [`${ATOMIC} fn f() { let b = a; }`, `${ATOMIC} fn f() { let b = atomicLoad(&a); }`],
  [`${ATOMIC} fn f() { a = 2; }`, `${ATOMIC} fn f() { atomicStore(&a, 2); }`],
  [`${ATOMIC} fn f() { a += 2; }`, `${ATOMIC} fn f() { atomicAdd(&a, 2); }`],
  [`${ATOMIC} fn f() { a -= 2; }`, `${ATOMIC} fn f() { atomicSub(&a, 2); }`],
  [`${ATOMIC} fn f() { a |= 2; }`, `${ATOMIC} fn f() { atomicOr(&a, 2); }`],
  [`${ATOMIC} fn f() { a++; }`, `${ATOMIC} fn f() { atomicAdd(&a, 1); }`],
  [`${ATOMIC} fn f() { a--; }`, `${ATOMIC} fn f() { atomicSub(&a, 1); }`],
  [`${ATOMIC} fn f() { a = a + 2; }`, `${ATOMIC} fn f() { atomicAdd(&a, 2); }`],
  [`${ATOMIC} fn f() { a = (2 + a); }`, `${ATOMIC} fn f() { atomicAdd(&a, 2); }`],
  [`${ATOMIC} fn f() { a = a - 2; }`, `${ATOMIC} fn f() { atomicSub(&a, 2); }`],
  [`${ATOMIC} fn f() { a = a & 2; }`, `${ATOMIC} fn f() { atomicAnd(&a, 2); }`],
  [`${ATOMIC} fn f() { a = a | 2; }`, `${ATOMIC} fn f() { atomicOr(&a, 2); }`],
  [`${ATOMIC} fn f() { a = a ^ 2; }`, `${ATOMIC} fn f() { atomicXor(&a, 2); }`],
  [`${ATOMIC} fn f() { a = max(a, 2); }`, `${ATOMIC} fn f() { atomicMax(&a, 2); }`],
  [`${ATOMIC} fn f() { a = min(2, a); }`, `${ATOMIC} fn f() { atomicMin(&a, 2); }`],
  [`${ATOMIC} fn f() { a = atomicLoad(&a) + 2; }`, `${ATOMIC} fn f() { atomicAdd(&a, 2); }`],
  [
    "var<workgroup> a: array<atomic<u32>, 4>; fn f(i: u32) { a[i] = a[ i ] + 2; }",
    "var<workgroup> a: array<atomic<u32>, 4>; fn f(i: u32) { atomicAdd(&a[i], 2); }",
  ],
  [`${ATOMIC} fn f() { atomicMax(a, 1); }`, `${ATOMIC} fn f() { atomicMax(&a, 1); }`],
  ["fn f(p: ptr<function, i32>) { p = 1; }", "fn f(p: ptr<function, i32>) { *p = 1; }"],
  ["fn f(i: i32) { switch i {} }", "fn f(i: i32) { switch i { default: {} } }"],
  ["fn f(i: i32) { switch i {\n} }", "fn f(i: i32) { switch i {\ndefault: {} } }"],
  [
    "fn f(i: i32) {\n  switch i {\n    case 1: {} // one\n  }\n}",
    "fn f(i: i32) {\n  switch i {\n    case 1: {} // one\n    default: {}\n  }\n}",
  ],
  [
    "fn f(i: i32) {\n\tswitch i {\n\t\tcase 1: {\n\t\t} }\n}",
    "fn f(i: i32) {\n\tswitch i {\n\t\tcase 1: {\n\t\t} default: {} }\n}",
  ],
  ["fn f(i: i32) { switch i { case 1: {} } }", "fn f(i: i32) { switch i { case 1: {} default: {} } }"],
  [
    "fn g(p: ptr<function, i32>) {} fn f() { var x = 1; g(x); }",
    "fn g(p: ptr<function, i32>) {} fn f() { var x = 1; g(&x); }",
  ],
  [
    "@group(0) @binding(0) var<storage> b: u32; fn f() { b = 1; }",
    "@group(0) @binding(0) var<storage, read_write> b: u32; fn f() { b = 1; }",
  ],
  [
    "@group(0) @binding(0) var<( (storage) )> b: u32; fn f() { (b) = 1; }",
    "@group(0) @binding(0) var<( (storage) ), read_write> b: u32; fn f() { (b) = 1; }",
  ],
  [
    "@group(0) @binding(0) var<storage, (read)> b: u32; fn f() { (b) = 1; }",
    "@group(0) @binding(0) var<storage, (read_write)> b: u32; fn f() { (b) = 1; }",
  ],
  [`${ATOMIC} fn f() { (a) = ((a) + (2)); }`, `${ATOMIC} fn f() { atomicAdd(&a, 2); }`],
  [
    `${ATOMIC} fn f() -> u32 { return 2 * (a) - (1); }`,
    `${ATOMIC} fn f() -> u32 { return 2 * (atomicLoad(&a)) - (1); }`,
  ],
  ["fn f(p: ptr<function, i32>) { (p) = (1); }", "fn f(p: ptr<function, i32>) { (*p) = (1); }"],
  [
    "var<private> a: array<u32, 4>; fn f(id: vec3u) { a[(id * (2))] = 1; }",
    "var<private> a: array<u32, 4>; fn f(id: vec3u) { a[((id * (2)).x)] = 1; }",
  ],
  [
    "@group(0) @binding(0) var<storage, read> b: u32; fn f() { b = 1; }",
    "@group(0) @binding(0) var<storage, read_write> b: u32; fn f() { b = 1; }",
  ],
  [
    "var<private> a: array<u32, 4>; fn f(id: vec3u) { a[id] = 1; }",
    "var<private> a: array<u32, 4>; fn f(id: vec3u) { a[id.x] = 1; }",
  ],
  [
    "var<private> a: array<u32, 4>; fn f(id: vec3u) { a[id + 1] = 1; }",
    "var<private> a: array<u32, 4>; fn f(id: vec3u) { a[(id + 1).x] = 1; }",
  ],
  ["const a = 1h;", "enable f16;\nconst a = 1h;"],
])("%s", (text, expected) => {
  const result = mended(text);
  expect(result).toBe(expected);
  expect(analyze(new Source(result)).diagnostics).toEqual([]);
});

test.each(["2 - a", "a * 2", "a + a", "a + 2 + 2", "clamp(a, 1, 2)", "atomicLoad(&a) * 2"])(
  "a = %s on an atomic: no fix that loses what others write in between",
  (right) => {
    const { diagnostics } = analyze(new Source(`${ATOMIC} fn f() { a = ${right}; }`));
    const [write] = diagnostics.filter(({ code }) => code === "atomic-plain-write");
    expect(write.message).toContain("use a compare-exchange loop");
    expect(write.fixes).toEqual([]);
  },
);

test("a function of the shader's own that is called max is no maximum", () => {
  const text = `${ATOMIC} fn max(x: u32, y: u32) -> u32 { return x - y; } fn f() { a = max(atomicLoad(&a), 2); }`;
  expect(analyze(new Source(text)).diagnostics.map(({ fixes }) => fixes.length)).toEqual([0]);
});

test.each([
  [
    "@builtin(global_invocation_id) id: vec3u",
    [
      "put ‘@compute @workgroup_size(64)’ before ‘fn’ to make it an entry point",
      "an entry point can take it and pass it on to a plain parameter",
    ],
  ],
  ["@builtin(vertex_index) id: u32", ["an entry point can take it and pass it on to a plain parameter"]],
  ["@location(0) id: u32", []],
])("%s of a function without a stage", (parameter, expected) => {
  const [{ code, notes }] = analyze(new Source(`fn f(${parameter}) {}`)).diagnostics;
  expect(code).toBe("io-attribute-not-on-entry-point");
  expect(notes.map(({ message }) => message)).toEqual(expected);
});
