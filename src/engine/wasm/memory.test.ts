/** Memory of all kinds, in bounds and out of them; nothing else is touched. */
import { describe, expect, test } from "vitest";
import type { Buffers, RunOptions } from "../../../test/support/engine.ts";
import { compareEngines } from "../../../test/support/wasm.ts";

const iota = (count: number): number[] => Array.from({ length: count }, (_, index) => (index * 7919 + 13) % 1009);

function compare(source: string, buffers: Buffers = {}, options: RunOptions = {}): void {
  expect(compareEngines(source, buffers, options)).toEqual([]);
}

const HEAD = `
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@group(0) @binding(1) var<storage, read> at: array<u32>;
@group(0) @binding(2) var<storage, read_write> fixed: array<u32, 16>;
@group(0) @binding(3) var<uniform> u: array<vec4u, 4>;
var<workgroup> w: array<u32, 8>;
var<private> p: array<u32, 5> = array<u32, 5>(9, 8, 7, 6, 5);
@compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) l: u32) {
  let i = id.x;
`;
const INDICES = [
  0, 1, 5, 7, 8, 15, 16, 17, 39, 40, 41, 1000, 0x3fffffff, 0x40000000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
];

describe("indices out of bounds", () => {
  test.each([
    "a[at[i]] = i;",
    "a[at[i]] += a[at[i] + 1u];",
    "a[i] = a[at[i]] + fixed[at[i]] + u[at[i]].y + w[at[i]] + p[at[i]];",
    "a[i] = a[i32(at[i])] + fixed[i32(at[i])];",
    "a[i] = u[at[i] % 4u][at[i] % 7u];",
    "fixed[at[i]] = i; w[at[i]] = i; p[at[i]] = 3u; a[i] = p[i % 5u] + w[l];",
    "fixed[at[i] & 15u] = i; a[at[i] % 40u] = i; w[at[i] % 8u] = i;",
    "var v = vec4u(1, 2, 3, 4); v[at[i]] = 9u; a[i] = v.x + v.y * 10u + v.z * 100u + v.w * 1000u + v[at[i]];",
    "var m: array<array<u32, 3>, 4>; m[at[i]][at[i] % 4u] = i; a[i] = m[0][0] + m[1][1] + m[3][2] + m[at[i] % 5u][at[i]];",
    "let v = vec3u(1, 2, 3); a[i] = v[at[i]];",
    "a[1000] = 3u; a[39] = 4u; a[40] = a[1] + a[50];",
    "a[i] = arrayLength(&a) + arrayLength(&at);",
    "a[arrayLength(&a) - 1u] = 3u; a[arrayLength(&a)] = 4u; a[min(at[i], arrayLength(&a) - 1u)] = 5u;",
    "a[at[i] - 5u] = i; a[at[i] * 4u] = i; a[(at[i] << 2u) + 1u] = i;",
    "a[i] = select(a[at[i]], 1u, at[i] > 20u);",
  ])("%s", (body) => {
    const buffers = { a: iota(40), at: INDICES, fixed: iota(16), u: iota(16) };
    compare(`${HEAD}${body} }`, buffers, { workgroups: [3, 1, 1] });
  });
});

describe("what is proved in bounds is in bounds", () => {
  test.each([
    "if (i < arrayLength(&a)) { a[i] += 1u; }",
    "a[at[i] % 40u] = i; a[(at[i] & 3u) * 8u + at[i] % 8u] += i;",
    "a[at[i] % 41u] = i; a[(at[i] & 3u) * 10u + at[i] % 11u] += i; a[(at[i] >> 27u) + 9u] = a[at[i] / 0x8000000u];",
    "a[(at[i] * 3u) % 40u] = i; a[(at[i] - 3u) % 39u] += a[i % 40u]; a[at[i] % (i + 1u)] = 2u;",
    "if (i >= arrayLength(&a)) { return; } a[i] += at[i % 18u]; a[i + 1u] = 7u;",
    "if (i + 1u < arrayLength(&a)) { a[i] = a[i + 1u]; }",
    "if (i < 16u) { fixed[i] += i; } if (i <= 16u) { fixed[i] += i; }",
    "if (!(i >= 16u)) { fixed[i] += i; }",
    "if (i < 16u && at[i] < 16u) { fixed[at[i]] += i; }",
    "if (i >= 16u || at[i] >= 16u) { return; } fixed[at[i]] += i;",
    "if (i >= 16u || at[i] >= 17u) { return; } fixed[at[i]] += i;",
    "for (var k = 0u; k < 16u; k++) { fixed[k] += i; }",
    "for (var k = 0u; k <= 16u; k++) { fixed[k] += i; }",
    "for (var k = 15; k >= 0; k--) { fixed[k] += i; }",
    "for (var k = 15u; k > 0u; k--) { fixed[k] += fixed[k - 1u]; }",
    "for (var k = 16; k > 0; k -= 2) { fixed[k - 1] += i; fixed[k] += 1u; }",
    "for (var k = 0; k < 20; k += 3) { fixed[k] += i; }",
    "for (var k = -3; k < 18; k++) { fixed[k] += i; }",
    "for (var k = 1u; k < 20u; k *= 2u) { fixed[k] += i; }",
    "for (var k = 16u; k > 0u; k /= 2u) { fixed[k] += i; fixed[k - 1u] += 1u; }",
    "for (var k = 16u; k > 0u; k = k >> 1u) { fixed[k] += i; fixed[16u - k] += 1u; }",
    "for (var k = i; k < arrayLength(&a); k += 8u) { a[k] += 1u; }",
    "for (var k = i; k < arrayLength(&a); k += 8u) { a[k] += 1u; k++; a[k] += 2u; }",
    "var k = 0u; loop { if (k >= 16u) { break; } k++; fixed[k] += i; }",
    "var k = 0u; loop { if (k >= 16u) { break; } fixed[k] += i; if (at[k] == 5u) { k += 2u; } k++; }",
    "var k = 0u; while (k < 16u) { for (var j = k; j < 16u; j++) { fixed[j] += fixed[k]; } k += 5u; }",
    "for (var k = 0; k < 16; k++) { if (k == 3) { continue; } if (k == 12) { break; } fixed[k] += i; }",
    "for (var k = 0u; k < 70u; k++) { fixed[k] += i; if (k > 17u) { break; } }",
    "let n = min(i, 15u); fixed[n] += 1u; let m = max(i, 15u); fixed[m] += 1u; fixed[clamp(i, 2u, 15u)] += 3u;",
    "let n = clamp(i32(i) - 8, 0, 15); fixed[n] += 1u; fixed[i32(i) - 8] += 1u;",
    "let n = i % 16u; fixed[n] += 1u; fixed[n + 1u] += 1u; fixed[n - 1u] += 1u; fixed[(n * 2u) >> 1u] += 1u;",
    "let n = (i * 3u) & 7u; w[n] = i; workgroupBarrier(); a[i] = w[7u - n] + w[n ^ 7u] + w[n | 1u] + w[n + 1u];",
    "fixed[l + 8u] += 1u; fixed[l + 9u] += 1u; w[l] = i; workgroupBarrier(); if (l < 4u) { w[l] += w[l + 4u]; } workgroupBarrier(); a[i] = w[0];",
    "var n = i; if (n > 15u) { n = 15u; } fixed[n] += 1u;",
    "var n = i; if (n > 15u) { n = 15u; } else { n = n + 1u; } fixed[n] += 1u;",
    "if ((at[i] & 1u) == 2u) { for (var k = 0u; k < 3u; k++) { fixed[k] += k; } } if (i < 3u && i > 5u) { for (var k = 0; k < 3; k++) { fixed[k] += i; } }",
    "if (i < 3u) { if (i >= 3u) { fixed[i] = 1u; } else { fixed[i] = 2u; } if (i == 9u) { for (var k = 9u; k < 12u; k++) { fixed[k] = i; } } }",
    "if (i < 3u) { loop { if (i < 5u) { fixed[i] = 7u; return; } let k = at[i]; if (k == 3u) { continue; } fixed[k] = 1u; continuing { fixed[k] += 2u; break if k > 1u; } } }",
    "for (var k = 0u; k < 3u; k++) { if (k < 5u) { fixed[k] = i; break; } let n = at[k]; fixed[n] = 1u; if (n == 3u) { continue; } fixed[n + 1u] = 3u; }",
    "var b = i > 3u; if (b != false) {} else if b { b = b; } fixed[i] = select(1u, 2u, b);",
    "var n = i; if (n > 5u) { a[1] = n; n = n; } else { if (n > 5u) { n = n; } a[2] = n; } fixed[n] += 1u; fixed[n + 10u] += 1u;",
    "var n = i % 32u; if (n == 0u) { fixed[1] = 3u; } else if (n == 0u) { n = n; } fixed[n] += 1u; fixed[n + 15u] += 1u;",
    "var n = 3u; if (i > 7u) { n = 20u; } fixed[n] += 1u; switch (i) { case 1: { n = 5u; } case 2: { n = 30u; } default: { n = 15u; } } fixed[n] += 1u;",
    "var n = 0u; for (var k = 0u; k < 4u; k++) { n += 5u; } fixed[n] += 1u; fixed[n - 5u] += 1u;",
  ])("%s", (body) => {
    const buffers = { a: iota(21), at: INDICES, fixed: iota(16), u: iota(16) };
    compare(`${HEAD}${body} }`, buffers, { workgroups: [3, 1, 1] });
  });

  test("a bound that only some workgroups are within", () => {
    const source = `
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> n: u32;
@compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= n) { return; }
  y[id.x] = x[id.x] * 2.0 + y[id.x + 1u];
}`;
    for (const n of [0, 1, 7, 8, 9, 30, 40, 0xffffffff]) {
      compare(source, { x: iota(29), y: iota(35), n: [n] }, { workgroups: [6, 1, 1] });
    }
  });
});

describe("layouts", () => {
  test("padding keeps its bytes", () => {
    const source = `
struct S { a: vec3f, b: f32, @size(32) c: u32, d: array<vec3u, 3>, e: mat3x3f, f: vec2u }
struct R { n: atomic<u32>, list: array<S> }
@group(0) @binding(0) var<storage, read_write> r: R;
@group(0) @binding(1) var<storage, read_write> s: array<S, 5>;
@group(0) @binding(2) var<uniform> m: mat2x3f;
@compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) {
  r.list[id.x] = s[4u - id.x];
  s[id.x].d = array<vec3u, 3>(vec3u(id), vec3u(1), vec3u(2, 3, 4));
  s[id.x].e[1] = m[id.x % 2u];
  s[id.x].e[id.x % 4u].y = 3.0;
  var own = r.list[id.x + 1u];
  own.c += atomicAdd(&r.n, id.x);
  own.d[id.x % 4u] += own.d[0];
  s[(id.x + 2u) % 5u] = own;
  r.list[arrayLength(&r.list)] = own;
}`;
    compare(source, { r: iota(160), s: iota(240), m: iota(8) }, { workgroups: [5, 1, 1] });
  });

  test("parts of values that are read several times", () => {
    const source = `
struct S { a: vec4f, b: array<vec3u, 2>, c: mat2x3f, d: u32 }
@group(0) @binding(0) var<uniform> u: S;
@group(0) @binding(1) var<storage, read_write> s: array<S>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) l: u32) {
  let first = u;
  let x = first.a.z;
  let second = u;
  let own = s[l];
  s[l].a = second.a.wzyx * x + own.a.xxyy + vec4f(own.c[1], 1.0);
  let third = u.a;
  workgroupBarrier();
  s[l].d = first.b[1].y + second.b[0].x + own.d + u32(third.y) + own.b[l % 2u].z;
  s[l].c = own.c;
}`;
    compare(source, { u: iota(24), s: iota(96) });
  });

  test("f16 in memory", () => {
    const source = `
enable f16;
struct S { a: f16, b: vec3h, c: array<f16, 5>, m: mat2x3h }
@group(0) @binding(0) var<storage, read_write> s: array<S>;
var<workgroup> w: array<vec4h, 4>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) l: u32) {
  var own = s[l];
  own.a = own.a * 1.5h + f16(l);
  own.b = own.b.zyx / 3.0h;
  w[l] = vec4h(own.b, own.a);
  workgroupBarrier();
  own.c[l % 5u] = w[3u - l][l];
  own.m[1] += own.b;
  workgroupBarrier();
  s[l] = own;
}`;
    compare(source, { s: Uint32Array.from({ length: 48 }, (_, i) => (0x3c00 + i * 37) | ((0x4100 + i * 11) << 16)) });
  });

  test("large values", () => {
    const source = `
struct Big { a: array<vec3f, 40>, n: u32, b: array<u32, 70> }
@group(0) @binding(0) var<storage, read_write> x: array<Big>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
fn changed(v: Big, k: u32) -> Big { var r = v; r.n += k; r.b[k % 80u] = 7u; if (k == 2u) { return v; } r.a[k] = vec3f(1); return r; }
fn sum(p: ptr<function, Big>) -> u32 { var s = (*p).n; for (var k = 0u; k < 70u; k++) { s += (*p).b[k]; } (*p).n++; return s + u32((*p).a[3].y); }
@compute @workgroup_size(3) fn main(@builtin(local_invocation_index) l: u32) {
  var zero: Big;
  var own = x[l];
  x[l + 1u] = changed(own, l);
  storageBarrier();
  let other = x[(l + 2u) % 3u];
  storageBarrier();
  own.b = other.b;
  let chosen = array<Big, 2>(own, other)[l % 3u];
  out[l] = sum(&own) + sum(&own) + chosen.b[l] + own.b[l * 40u] + zero.n;
  if (l == 1u) { x[2] = zero; x[9] = own; }
}`;
    compare(source, { x: iota(240 * 4), out: 12 });
  });

  test("constant tables", () => {
    const source = `
const TABLE = array<vec2u, 9>(vec2u(1, 2), vec2u(3, 4), vec2u(5), vec2u(6), vec2u(7), vec2u(8), vec2u(9), vec2u(10), vec2u(11));
const LONG = array<array<i32, 3>, 30>();
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@compute @workgroup_size(12) fn main(@builtin(local_invocation_index) l: u32) {
  a[l] = TABLE[l].y + TABLE[3].x + u32(LONG[l][l % 4u]) + array<u32, 5>(5, 4, 3, 2, 1)[a[l] % 6u];
}`;
    compare(source, { a: iota(12) });
  });
});

describe("atomics", () => {
  const source = (type: string, space: string): string => `
struct Cell { n: atomic<${type}>, list: array<atomic<${type}>, 3> }
@group(0) @binding(0) var<storage, read_write> out: array<${type}>;
@group(0) @binding(1) var<storage, read> values: array<${type}>;
${space === "storage" ? "@group(0) @binding(2) var<storage, read_write> c: array<Cell, 2>;" : "var<workgroup> c: array<Cell, 2>;"}
@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) l: u32, @builtin(global_invocation_id) id: vec3u) {
  let v = values[id.x];
  let k = u32(values[(id.x + 1u) % 24u]) % 4u;
  var sum = atomicAdd(&c[l % 3u].n, v);
  sum += atomicSub(&c[0].list[k], v);
  sum ^= atomicMax(&c[1].list[k], v);
  sum ^= atomicMin(&c[1].list[k ^ 1u], v);
  sum += atomicAnd(&c[0].list[1], v) + atomicOr(&c[0].list[2], v) + atomicXor(&c[1].n, v);
  sum += atomicExchange(&c[l % 4u].list[0], v);
  atomicAdd(&c[k].n, v); atomicMax(&c[0].n, v); atomicMin(&c[1].n, v);
  let r = atomicCompareExchangeWeak(&c[k % 3u].list[l % 4u], values[l], v);
  sum += r.old_value + ${type}(r.exchanged);
  _ = atomicCompareExchangeWeak(&c[0].n, v, 0);
  atomicStore(&c[1].list[k], sum);
  sum += atomicLoad(&c[k].n) + atomicLoad(&c[1].list[l]);
  out[id.x] = sum;
}`;
  const values = Uint32Array.from({ length: 24 }, (_, i) =>
    i % 5 === 0 ? 0xfffffff0 + i : Math.imul(i, 0x9e3779b1) >>> (i % 3 === 0 ? 28 : 0),
  );
  for (const space of ["storage", "workgroup"]) {
    test.each(["u32", "i32"])(`in ${space} memory: %s`, (type) => {
      compare(source(type, space), { out: 96, values, c: 32 }, { workgroups: [3, 1, 1] });
    });
  }
});

test("pointers are passed into every kind of memory", () => {
  const source = `
struct S { a: u32, list: array<u32, 4> }
@group(0) @binding(0) var<storage, read_write> s: array<S>;
@group(0) @binding(1) var<storage, read_write> n: array<atomic<u32>, 3>;
var<workgroup> w: array<S, 8>;
var<private> p: S;
fn add(q: ptr<function, u32>, by: u32) { *q += by; }
fn addPrivate(q: ptr<private, array<u32, 4>>, k: u32) -> u32 { (*q)[k] += 3u; return (*q)[k + 1u]; }
fn addStorage(q: ptr<storage, S, read_write>, k: u32) -> u32 { (*q).list[k] += 3u; return (*q).a; }
fn addAll(q: ptr<storage, array<S>, read_write>, k: u32) -> u32 { (*q)[k].a += 3u; return arrayLength(q); }
fn addWorkgroup(q: ptr<workgroup, array<u32, 4>>, k: u32) { (*q)[k] = k + 1u; }
fn count(q: ptr<storage, atomic<u32>, read_write>) -> u32 { return atomicAdd(q, 1u); }
@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) l: u32) {
  var own = array<u32, 6>(1, 2, 3, 4, 5, 6);
  add(&own[l], l); add(&own[2], 10u);
  p.list[l % 4u] = l;
  var r = addPrivate(&p.list, l) + addStorage(&s[l], l) * 3u + addAll(&s, l) * 100u + count(&n[l % 4u]);
  addWorkgroup(&w[l].list, l % 5u);
  workgroupBarrier();
  s[l].a += r + own[l % 7u] + own[2] + w[(l + 1u) % 8u].list[l % 4u] + p.list[1];
}`;
  compare(source, { s: iota(35), n: 12 });
});

test("immediate data, and that it never changes", () => {
  const source = `
requires immediate_address_space;
struct Step { count: u32, add: vec3u, at: vec2<i32> }
var<immediate> step: Step;
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3u) {
  for (var k = 0u; k < step.count; k++) { a[id.x] += step.add[k % 4u] + u32(step.at.y); }
  workgroupBarrier();
  if step.at.x == 7 { a[id.x] *= 2u; storageBarrier(); a[id.x] += 1u; }
}`;
  compare(source, { a: iota(16), step: Uint32Array.of(5, 0, 0, 0, 1, 20, 300, 0, 7, 2) }, { workgroups: [2, 1, 1] });
});
