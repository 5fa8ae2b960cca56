/** Programs in which control flow and barriers meet in every way that WGSL allows; the interpreter says what is right. */
import { describe, expect, test } from "vitest";
import { compareEngines } from "../../../test/support/wasm.ts";

const iota = (count: number): number[] => Array.from({ length: count }, (_, index) => (index * 7919 + 13) % 1009);

/** `main` with `l` the local index, `i` a global one, `w` in workgroup memory, `values` and `out` in storage. */
function program(body: string, declarations = "", size = "N"): string {
  return `
override N: u32 = 8;
@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@group(0) @binding(2) var<uniform> limit: u32;
var<workgroup> w: array<u32, N>;
${declarations}
@compute @workgroup_size(${size})
fn main(@builtin(local_invocation_index) l: u32, @builtin(workgroup_id) g: vec3u) {
  let i = g.x * N + l;
  ${body}
}`;
}

function compare(source: string, size = 8, workgroups = 3): void {
  const buffers = { values: iota(size * workgroups), out: iota(size * workgroups * 4), limit: [5] };
  const found = compareEngines(source, buffers, { workgroups: [workgroups, 1, 1], overrides: { N: size } });
  expect(found).toEqual([]);
}

const rotate = "w[l] = values[i]; workgroupBarrier(); let next = w[(l + 1u) % N]; workgroupBarrier();";

describe("values that live across barriers", () => {
  test.each([
    ["nothing", "w[l] = l; workgroupBarrier(); out[i] = w[N - 1u - l];"],
    ["a loaded value", "let v = values[i]; w[l] = v; workgroupBarrier(); out[i] = v * 3u + w[(l + 1u) % N];"],
    ["a value of the first phase in the third", `let v = values[i] / 3u; ${rotate} out[i] = v + next;`],
    ["a variable", `var v = values[i]; ${rotate} v += next; w[l] = v; workgroupBarrier(); out[i] = v ^ w[l ^ 1u];`],
    [
      "a variable that is written in some invocations",
      `var v = 7u; if ((l & 1u) == 0u) { v = values[i]; } ${rotate} out[i] = v + next;`,
    ],
    ["a variable that is not read again", `var v = values[i]; out[i] = v; ${rotate} v = next; out[i] += v;`],
    [
      "a vector",
      `var v = vec3u(l, i, values[i]); ${rotate} v.y = next; workgroupBarrier(); out[i] = v.x + 10u * v.y + v.z;`,
    ],
    [
      "a component written between",
      `var v = vec4u(l); v.z = values[i]; workgroupBarrier(); v.x = v.z + 1u; workgroupBarrier(); out[i] = dot(v, vec4u(1, 10, 100, 1000));`,
    ],
    [
      "an array with known indices",
      `var a = array<u32, 3>(l, i, 3u); workgroupBarrier(); a[1] = values[i]; workgroupBarrier(); out[i] = a[0] + a[1] * 5u + a[2];`,
    ],
    [
      "an array with unknown indices",
      `var a: array<u32, 5>; for (var k = 0u; k < 5u; k++) { a[k] = k * l + values[i]; } ${rotate} a[next % 5u] = 1u; workgroupBarrier(); out[i] = a[l % 5u] + a[0] + a[next % 7u];`,
    ],
    [
      "a large array",
      `var a: array<u32, 100>; a[l] = values[i]; ${rotate} a[next % 100u] += 3u; let b = a; workgroupBarrier(); a[l]++; out[i] = b[l] + a[l] + a[99u - l];`,
    ],
    [
      "a structure",
      `var s: S; s.a = l; s.b = vec2f(f32(l), 2.0); s.c[l % 3u] = values[i]; ${rotate} s.c[1] += next; workgroupBarrier(); out[i] = s.a + u32(s.b.x + s.b.y) + s.c[0] + s.c[1] + s.c[2];`,
    ],
    [
      "bools and floats",
      `let b = values[i] > 500u; let f = f32(values[i]) / 3.0; ${rotate} out[i] = select(bitcast<u32>(f), next, b);`,
    ],
    [
      "f32 bits and an i32",
      `var f = -f32(l); var j = -i32(l); ${rotate} f -= 1.5; j -= i32(next); workgroupBarrier(); out[i] = bitcast<u32>(f) ^ bitcast<u32>(j);`,
    ],
    [
      "a pointer into an array",
      `var a: array<u32, 4>; let p = &a[values[i] % 4u]; *p = 9u; ${rotate} *p += next; out[i] = a[0] + a[1] + a[2] + a[3];`,
    ],
    [
      "a pointer to storage",
      `let p = &out[N * 3u + i]; let q = &w[values[i] % N]; workgroupBarrier(); *p += 5u; workgroupBarrier(); out[i] = *q + *p;`,
    ],
    ["a private variable", `mine = values[i]; ${rotate} mine += next; workgroupBarrier(); bump(l); out[i] = mine;`],
    [
      "private arrays",
      `table[values[i] % 6u] = l; ${rotate} table[next % 6u]++; workgroupBarrier(); out[i] = table[0] + table[1] * 2u + table[5] * 7u;`,
    ],
    ["operands already evaluated", `w[l] = values[i]; workgroupBarrier(); out[i] = w[l] + swapped(l) * 2u + w[l];`],
    [
      "arguments already evaluated",
      `w[l] = values[i]; workgroupBarrier(); out[i] = max(w[l] + 1u, min(swapped(l), w[(l + 3u) % N]));`,
    ],
  ])("%s", (_, body) => {
    const declarations = `
struct S { a: u32, b: vec2f, c: array<u32, 3> }
var<private> mine: u32 = 4;
var<private> table: array<u32, 6> = array<u32, 6>(1, 2, 3, 4, 5, 6);
fn bump(by: u32) { mine += by; }
fn swapped(l: u32) -> u32 { let own = w[l]; workgroupBarrier(); w[(l + 1u) % N] = own * 2u; workgroupBarrier(); return w[l]; }`;
    compare(program(body, declarations));
  });
});

describe("phases of few invocations", () => {
  test.each([
    ["below a constant", `if (l < 3u) { w[l] = i; } workgroupBarrier(); out[i] = w[l];`],
    ["above a value", `if (limit > l) { w[l] = i; } workgroupBarrier(); out[i] = w[l];`],
    ["below more than there are", `if (l < limit * 100u) { w[l] = i; } workgroupBarrier(); out[i] = w[l];`],
    ["below nothing", `if (l < limit - 5u) { w[l] = i; } workgroupBarrier(); out[i] = w[l];`],
    [
      "one",
      `if (l == 3u) { w[0] = i; } workgroupBarrier(); out[i] = w[0]; workgroupBarrier(); if (limit == l) { out[i] += 9u; }`,
    ],
    [
      "one that does not exist",
      `if (l == 300u) { w[0] = i; } if (limit + 4u == l) { w[1] = 3u; } workgroupBarrier(); out[i] = w[0] + w[1];`,
    ],
    ["with a second condition", `if (l < limit && values[i] > 100u) { w[l] = i; } workgroupBarrier(); out[i] = w[l];`],
    [
      "what all need later is computed by all",
      `let v = values[i]; if (l < 3u) { w[l] = v; } workgroupBarrier(); out[i] = w[l] + v;`,
    ],
    [
      "a variable that all need later",
      `var v = values[i]; workgroupBarrier(); if (l < 3u) { v += 1u; w[l] = v; } workgroupBarrier(); out[i] = w[l] + v;`,
    ],
    ["an else", `if (l < 3u) { w[l] = i; } else { w[l] = 1u; } workgroupBarrier(); out[i] = w[l];`],
    ["something after", `if (l < 3u) { w[l] = i; } out[i] = 3u; workgroupBarrier(); out[i] += w[l];`],
  ])("%s", (_, body) => compare(program(body)));
});

describe("barriers in control flow", () => {
  test.each([
    ["if", `w[l] = i; if (limit > 3u) { workgroupBarrier(); out[i] = w[(l + 1u) % N]; } else { out[i] = 1u; }`],
    ["else", `w[l] = i; if (limit > 30u) { out[i] = 1u; } else { workgroupBarrier(); out[i] = w[(l + 1u) % N]; }`],
    [
      "both",
      `w[l] = i; if (g.x == 1u) { workgroupBarrier(); out[i] = w[l ^ 1u]; } else { workgroupBarrier(); out[i] = w[N - 1u - l]; } workgroupBarrier(); out[i] += 1u;`,
    ],
    [
      "for",
      `w[l] = i; for (var k = 0u; k < 5u; k++) { workgroupBarrier(); let v = w[(l + k) % N]; workgroupBarrier(); w[l] = v + 1u; } out[i] = w[l];`,
    ],
    [
      "for with a bound that is not known",
      `w[l] = i; for (var k = 0u; k < limit; k += 2u) { workgroupBarrier(); let v = w[(l + k) % N]; workgroupBarrier(); w[l] = v + k; } out[i] = w[l];`,
    ],
    [
      "while over a value that shrinks",
      `var n = limit * 4u; var sum = 0u; while (n > 1u) { w[l] = n + l; workgroupBarrier(); sum += w[(l + n) % N]; workgroupBarrier(); n = n / 2u; } out[i] = sum;`,
    ],
    [
      "loop with break",
      `var k = 0u; var s = l; loop { if (k >= limit) { break; } w[l] = s; workgroupBarrier(); s += w[(l + 1u) % N]; workgroupBarrier(); k++; } out[i] = s;`,
    ],
    [
      "loop with break in the middle",
      `var k = 0u; var s = l; loop { w[l] = s; workgroupBarrier(); s += w[(l + 1u) % N]; k++; if (k == limit) { break; } workgroupBarrier(); s ^= k; } out[i] = s;`,
    ],
    [
      "loop with continue",
      `var s = l; for (var k = 0u; k < 6u; k++) { if (k % 2u == 0u) { s += 100u; continue; } w[l] = s; workgroupBarrier(); s += w[(l + k) % N]; workgroupBarrier(); } out[i] = s;`,
    ],
    [
      "continue after the barrier",
      `var s = l; for (var k = 0u; k < 6u; k++) { w[l] = s; workgroupBarrier(); s += w[(l + k) % N]; workgroupBarrier(); if (k == limit - 3u) { continue; } s += 1000u; } out[i] = s;`,
    ],
    [
      "barrier in continuing",
      `var s = l; var k = 0u; loop { s += k; w[l] = s; continuing { workgroupBarrier(); s += w[(l + 1u) % N]; workgroupBarrier(); k++; break if k >= limit; } } out[i] = s;`,
    ],
    [
      "continue to a barrier in continuing",
      `var s = l; var k = 0u; loop { w[l] = s + k; if (k == 2u) { continue; } s += 5u; continuing { workgroupBarrier(); s += w[(l + 1u) % N]; workgroupBarrier(); k++; break if k == 4u; } } out[i] = s;`,
    ],
    [
      "break if alone",
      `var s = l; var k = 0u; loop { w[l] = s; workgroupBarrier(); s += w[(l + 1u) % N]; workgroupBarrier(); k += 2u; continuing { break if k > limit; } } out[i] = s;`,
    ],
    [
      "nested loops",
      `var s = l; for (var a = 0u; a < 3u; a++) { for (var b = a; b < 3u; b++) { w[l] = s; workgroupBarrier(); s += w[(l + a + b) % N] + b; workgroupBarrier(); } s += a; } out[i] = s;`,
    ],
    [
      "plain loops between barriers",
      `var s = 0u; for (var k = 0u; k < l; k++) { s += values[k]; } w[l] = s; workgroupBarrier(); for (var k = 0u; k <= l; k++) { if (w[k] == 3u) { continue; } s += w[k]; if (s > 5000u) { break; } } out[i] = s;`,
    ],
    [
      "switch",
      `w[l] = i; switch (limit) { case 5: { workgroupBarrier(); out[i] = w[l ^ 1u]; } case 6, 7: { out[i] = 0u; } default: { out[i] = 1u; } }`,
    ],
    [
      "switch on the workgroup",
      `w[l] = i; switch (g.x) { case 0: { workgroupBarrier(); out[i] = w[l ^ 1u]; } case 1: { out[i] = 2u; } default: { workgroupBarrier(); out[i] = w[N - 1u - l]; workgroupBarrier(); } } workgroupBarrier(); out[i] += w[l];`,
    ],
    [
      "break out of a switch, all",
      `w[l] = i; switch (g.x) { case 0: { workgroupBarrier(); if (limit == 5u) { break; } workgroupBarrier(); out[i] = 9u; } default: { out[i] = 4u; } } workgroupBarrier(); out[i] += w[(l + 1u) % N];`,
    ],
    [
      "break out of a switch, some",
      `w[l] = i; out[i] = 0u; switch (g.x) { case 0, 1: { workgroupBarrier(); if (w[l ^ 1u] % 3u == 0u) { break; } out[i] = w[(l + 1u) % N]; } default: { out[i] = 4u; } } workgroupBarrier(); out[i] += w[(l + 1u) % N];`,
    ],
    [
      "switch in a loop",
      `var s = l; for (var k = 0u; k < 5u; k++) { switch (k % 3u) { case 0: { w[l] = s; workgroupBarrier(); s += w[(l + 1u) % N]; workgroupBarrier(); } case 1: { s *= 3u; continue; } default: { s ^= k; break; } } s += 1u; } out[i] = s;`,
    ],
    [
      "break out of a switch before continue",
      `var s = l; for (var k = 0u; k < 6u; k++) { switch (k % 4u) { default: { if (k == limit - 2u) { break; } s ^= 3u; continue; } case 2: { w[l] = s; workgroupBarrier(); s += w[(l + 1u) % N]; workgroupBarrier(); } } s += 1u; } out[i] = s;`,
    ],
    [
      "break out of a switch before return",
      `out[i] = 1u; switch (limit) { case 5: { workgroupBarrier(); if (values[i] % 2u == 0u) { break; } out[i] = 7u; return; } default: { } } out[i] += 30u;`,
    ],
    ["right of &&", `w[l] = values[i]; var r = 0u; if (limit > 2u && total(l) > 10u) { r = 1u; } out[i] = r + w[l];`],
    [
      "right of ||, not evaluated",
      `w[l] = values[i]; var r = 0u; if (limit > 2u || total(l) > 10u) { r = 1u; } out[i] = r + w[l];`,
    ],
    [
      "in a condition with effects",
      `w[l] = values[i]; if (counted(l) == 1u) { workgroupBarrier(); out[i] = w[l ^ 1u]; } out[i] += calls;`,
    ],
    [
      "in the condition of a while",
      `w[l] = l; var k = 0u; while (workgroupUniformLoad(&w[k % N]) < limit) { k++; if (k > 20u) { break; } } out[i] = k;`,
    ],
    ["early return of all", `w[l] = i; if (limit > 100u) { return; } workgroupBarrier(); out[i] = w[(l + 1u) % N];`],
    [
      "early return of all, taken",
      `w[l] = i; if (g.x == 1u) { return; } workgroupBarrier(); out[i] = w[(l + 1u) % N];`,
    ],
    [
      "return of some after the last barrier",
      `w[l] = i; workgroupBarrier(); if (l > 3u) { return; } out[i] = w[l + 1u];`,
    ],
    [
      "return of some in a branch after the last barrier",
      `w[l] = i; if (limit == 5u) { workgroupBarrier(); if (w[l] % 2u == 0u) { return; } out[i] = 3u; } out[i] += w[l] * 10u;`,
    ],
    [
      "return from a loop after the barrier",
      `w[l] = i; for (var k = 0u; k < 4u; k++) { workgroupBarrier(); if (k == limit - 3u) { return; } out[i] = w[(l + k) % N]; }`,
    ],
    [
      "storage barrier",
      `out[i] = values[i]; storageBarrier(); let v = out[g.x * N + (l + 1u) % N]; storageBarrier(); out[i] = v * 2u;`,
    ],
    ["uniform load", `if (l == 3u) { w[2] = values[i]; } let v = workgroupUniformLoad(&w[2]); out[i] = v + l;`],
    [
      "uniform load of all",
      `w[l] = values[i]; let v = workgroupUniformLoad(&fixed); out[i] = v[0] + v[7] + v[l] + w[l];`,
    ],
    [
      "uniform load decides",
      `w[l] = values[i]; if (workgroupUniformLoad(&w[1]) % 2u == 1u) { workgroupBarrier(); out[i] = w[l ^ 1u]; } else { out[i] = 0u; }`,
    ],
  ])("%s", (_, body) => {
    const declarations = `
var<workgroup> fixed: array<u32, 8>;
var<private> calls: u32;
fn total(l: u32) -> u32 { workgroupBarrier(); var s = 0u; for (var k = 0u; k < N; k++) { s += w[k]; } workgroupBarrier(); w[l] += 1u; return workgroupUniformLoad(&w[0]) + limit; }
fn counted(l: u32) -> u32 { calls++; w[l] += calls; return limit - 4u; }`;
    compare(program(body, declarations));
  });
});

describe("functions with barriers", () => {
  const inlined = (fn: string, body: string): string => program(body, fn);

  test.each([
    [
      "return of some after the barrier",
      `fn f(l: u32) -> u32 { workgroupBarrier(); if (w[l ^ 1u] > 500u) { return 1u; } return w[l]; }`,
    ],
    [
      "return of some, and something after",
      `fn f(l: u32) -> u32 { workgroupBarrier(); if (w[l ^ 1u] > 500u) { return 1u; } w[l] += 3u; var s = w[l]; for (var k = 0u; k < l; k++) { s += 2u; if (s > 1000u) { return s; } } return s + 1u; }`,
    ],
    [
      "return of some in a branch of all",
      `fn f(l: u32) -> u32 { if (limit == 5u) { workgroupBarrier(); if (w[l] > 500u) { return 1u; } w[l] += 1u; } let v = w[l] * 2u; if (v % 3u == 1u) { return v; } return v + 7u; }`,
    ],
    [
      "return of some in a switch of all",
      `fn f(l: u32) -> u32 { switch (limit) { case 5: { workgroupBarrier(); if (w[l] > 500u) { return 1u; } if (w[l] > 300u) { break; } w[l] = 9u; } default: { return 4u; } } w[l] += 5u; return w[l]; }`,
    ],
    [
      "return of all before a barrier",
      `fn f(l: u32) -> u32 { if (limit == 5u) { return 3u; } workgroupBarrier(); return w[l ^ 1u]; }`,
    ],
    [
      "return of all from a loop",
      `fn f(l: u32) -> u32 { for (var k = 0u; k < 9u; k++) { workgroupBarrier(); let v = w[(l + k) % N]; workgroupBarrier(); w[l] = v; if (k == limit) { return v + k; } } return 0u; }`,
    ],
    [
      "return of all from nested loops",
      `fn f(l: u32) -> u32 { var s = 0u; for (var a = 0u; a < 4u; a++) { loop { workgroupBarrier(); s += w[(l + a) % N]; workgroupBarrier(); if (a == 2u) { return s; } if (a < limit) { break; } } w[l] += 1u; } return 1u; }`,
    ],
    [
      "no value",
      `fn g(l: u32) { workgroupBarrier(); if (l % 2u == 0u) { return; } w[l] += 4u; } fn f(l: u32) -> u32 { g(l); workgroupBarrier(); return w[(l + 1u) % N]; }`,
    ],
    [
      "functions in functions",
      `fn h(l: u32) -> u32 { workgroupBarrier(); let v = w[(l + 1u) % N]; workgroupBarrier(); return v; } fn g(l: u32) -> u32 { w[l] = h(l) + 1u; let x = h(l); if (x % 2u == 0u) { return x; } return x * 3u; } fn f(l: u32) -> u32 { let a = g(l); let b = g(l); return a * 1000u + b; }`,
    ],
    [
      "pointers to variables",
      `fn g(p: ptr<function, u32>, q: ptr<function, array<u32, 3>>, l: u32) { *p += w[l]; workgroupBarrier(); (*q)[*p % 3u] += w[l ^ 1u]; } fn f(l: u32) -> u32 { var a = l; var b = array<u32, 3>(1, 2, 3); g(&a, &b, l); workgroupBarrier(); g(&a, &b, l); return a + b[0] * 3u + b[1] * 5u + b[2] * 7u; }`,
    ],
    [
      "pointers to workgroup memory",
      `var<workgroup> other: array<u32, N>; fn g(p: ptr<workgroup, array<u32, N>>, l: u32) -> u32 { (*p)[l] = l * 2u + limit; workgroupBarrier(); return (*p)[(l + 1u) % N]; } fn f(l: u32) -> u32 { let a = g(&other, l); workgroupBarrier(); return g(&w, l) * 1000u + a; }`,
    ],
    [
      "a private variable",
      `var<private> p: u32 = 2; fn g(l: u32) { p += w[l]; workgroupBarrier(); if (p % 2u == 0u) { return; } p *= 3u; } fn f(l: u32) -> u32 { g(l); g(l); return p; }`,
    ],
    [
      "in an argument",
      `fn g(l: u32, x: u32) -> u32 { workgroupBarrier(); let v = w[(l + x) % N]; workgroupBarrier(); return v; } fn f(l: u32) -> u32 { return g(l, g(l, 1u) % 2u) + g(l, 3u) * w[l]; }`,
    ],
    [
      "in a loop's condition",
      `fn more(k: u32) -> bool { return workgroupUniformLoad(&w[0]) + k * 100u < 900u; } fn f(l: u32) -> u32 { var k = 0u; for (; more(k); k++) { if (l == 1u) { w[0] += 10u; } } return k + w[l]; }`,
    ],
    [
      "a structure as value",
      `struct T { a: vec3u, b: array<u32, 2> } fn g(l: u32, t: T) -> T { workgroupBarrier(); var r = t; r.a.y = w[l ^ 1u]; if (r.a.y % 2u == 0u) { return r; } r.b[1] = 77u; return r; } fn f(l: u32) -> u32 { let t = g(l, T(vec3u(l, 2, 3), array<u32, 2>(4, 5))); return t.a.x + t.a.y * 2u + t.a.z + t.b[0] + t.b[1]; }`,
    ],
  ])("%s", (_, fn) => {
    compare(
      inlined(fn, "w[l] = values[i]; out[i] = f(l); workgroupBarrier(); out[N * 3u + i] = w[l]; out[i] += f(l);"),
    );
  });
});

describe("workgroups of any size", () => {
  const body = `var s = values[i]; for (var stride = N / 2u; stride > 0u; stride /= 2u) { w[l] = s; workgroupBarrier(); if (l < stride) { s += w[l + stride]; } workgroupBarrier(); } if (l == 0u) { out[g.x] = s; }`;
  const chain = `var<private> table: array<u32, 4>;`;
  const kept = `table[l % 4u] = values[i]; var s = l; ${rotate} s += next; workgroupBarrier(); out[i] = s + table[l % 4u] + table[(l + 1u) % 4u];`;

  test.each([1, 2, 3, 7, 32, 63, 64, 65, 128, 255, 256, 1000, 1024])("%d", (size) => {
    compare(program(body), size, 2);
    compare(program(kept, chain), size, 2);
  });

  test.each([
    [4, 2, 1],
    [1, 8, 1],
    [2, 2, 2],
    [3, 5, 7],
    [1, 1, 6],
    [16, 16, 4],
  ])("%d, %d, %d", (x, y, z) => {
    const source = `
const SIZE = ${x * y * z}u;
@group(0) @binding(0) var<storage, read_write> out: array<vec4u>;
var<workgroup> w: array<vec3u, SIZE>;
@compute @workgroup_size(${x}, ${y}, ${z})
fn main(@builtin(local_invocation_index) l: u32, @builtin(local_invocation_id) id: vec3u, @builtin(global_invocation_id) global: vec3u,
  @builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(global_invocation_index) all: u32, @builtin(workgroup_index) index: u32) {
  w[l] = id;
  workgroupBarrier();
  let other = w[(l + 1u) % SIZE];
  let own = index * SIZE + l;
  out[own] = vec4u(other + global * 100u, all);
  workgroupBarrier();
  out[own] += vec4u(group * 10000u, groups.x + groups.y * 10u + groups.z * 100u);
}`;
    const count = x * y * z * 12;
    expect(compareEngines(source, { out: count * 16 }, { workgroups: [3, 2, 2] })).toEqual([]);
  });
});
