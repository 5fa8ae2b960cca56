/** Four invocations at once: the same bytes as one by one, on every class of operations and way through memory. */
import { describe, expect, test } from "vitest";
import { lowerText } from "../../../test/support/ir.ts";
import { compareEngines } from "../../../test/support/wasm.ts";
import { type CompileOptions, compileKernel } from "./compile.ts";
import type { Simd } from "./simd.ts";

const COUNT = 66;
const iota = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const FLOATS = [0, -0, 1, -1, 0.5, -2.5, 1e-40, 3e38, -3e38, Infinity, -Infinity, NaN, 2147483648, -7.25, 1e10, 0.1];
const INTEGERS = [0, 1, 2, 3, 31, 32, 33, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 7, 100, 65535, 65536, 12345];

const values = (list: readonly number[], step: number): number[] =>
  iota(COUNT).map((i) => list[(i * step) % list.length]);
const floats = (step: number): Float32Array => Float32Array.from(values(FLOATS, step));
const integers = (step: number): Uint32Array => Uint32Array.from(values(INTEGERS, step));

const BUFFERS = `
@group(0) @binding(0) var<storage> f: array<f32>;
@group(0) @binding(1) var<storage> g: array<f32>;
@group(0) @binding(2) var<storage> u: array<u32>;
@group(0) @binding(3) var<storage> v: array<u32>;
@group(0) @binding(4) var<storage, read_write> out: array<vec4u>;
var<workgroup> shared_: array<u32, 64>;
// All NaNs are one: their bits may be any.
fn bits(x: f32) -> u32 { return select(bitcast<u32>(x), 1u, (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u); }`;

const inputs = (): Record<string, Float32Array | Uint32Array | number> => ({
  f: floats(1),
  g: floats(5),
  u: integers(1),
  v: integers(3),
  out: COUNT * 16,
});

/** Whether anything is done for four at once: then the code is another one. */
function isAtOnce(source: string, options: Partial<CompileOptions> = {}): boolean {
  const module = lowerText(source);
  const compile = (simd: Simd) => compileKernel(module, { sharedMemory: false, ...options, simd }).bytes;
  return !Buffer.from(compile("never")).equals(compile(options.simd ?? "always"));
}

/** The same bytes in workgroups that are not all of four, in one dimension and in two. */
function same(body: string, more = ""): void {
  for (const [size, count] of [
    ["64", 1],
    ["7", 10],
    ["6, 2", 4],
  ] as const) {
    const head = `@compute @workgroup_size(${size}) fn main(@builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_id) at: vec3u, @builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u)`;
    const source = `${BUFFERS}\n${more}\n${head} {\n  let i = id.x;\n  let a = f[i]; let b = g[i]; let m = u[i]; let n = v[i];\n  let p = bitcast<i32>(m); let q = bitcast<i32>(n);\n${body}\n}`;
    expect(isAtOnce(source), size).toBe(true);
    const buffers = { ...inputs(), ...(source.includes("other") ? { other: COUNT * 12 } : {}) };
    const used = Object.fromEntries(
      Object.entries(buffers).filter(([name]) => source.match(RegExp(`\\b${name}\\b`, "g"))!.length > 1),
    );
    expect(compareEngines(source, used, { workgroups: [count, 1, 1] }), size).toEqual([]);
  }
}
const put = (...words: string[]): void =>
  same(`  out[i] = vec4u(${[...words, "0u", "0u", "0u"].slice(0, 4).join(", ")});`);

describe("operations", () => {
  test.each([
    ["bits(a + b)", "bits(a - b)", "bits(a * b)", "bits(a / b)"],
    ["bits(a % b)", "bits(-a)", "bits(abs(a))", "bits(fma(a, b, a))"],
    ["u32(a < b)", "u32(a <= b)", "u32(a == b)", "u32(a != b)"],
    ["bits(min(a, b))", "bits(max(a, b))", "bits(clamp(a, b, 2.0))", "bits(saturate(a))"],
    ["bits(floor(a))", "bits(ceil(a))", "bits(trunc(a))", "bits(round(a))"],
    ["bits(sqrt(a))", "bits(inverseSqrt(a))", "bits(sign(a))", "bits(step(a, b))"],
    ["bits(sin(a))", "bits(cos(a))", "bits(tan(a))", "bits(fract(a))"],
    ["bits(exp(a))", "bits(exp2(a))", "bits(log(a))", "bits(log2(a))"],
    ["bits(pow(a, b))", "bits(atan2(a, b))", "bits(tanh(a))", "bits(mix(a, b, 0.25))"],
    ["bits(smoothstep(a, b, 0.5))", "bits(frexp(a).fract)", "u32(frexp(a).exp)", "bits(ldexp(a, q % 200))"],
    ["m + n", "m - n", "m * n", "m / n"],
    ["m % n", "m & n", "m | n", "m ^ n"],
    ["m << (n % 32u)", "m >> (n % 32u)", "u32(p >> (n % 32u))", "~m"],
    ["m << 3u", "m >> 7u", "u32(p >> 7u)", "m / 8u"],
    ["u32(p / q)", "u32(p % q)", "u32(p / 3)", "m % 10u"],
    ["u32(p < q)", "u32(m < n)", "u32(p >= q)", "u32(m != n)"],
    ["min(m, n)", "u32(min(p, q))", "max(m, n)", "u32(clamp(p, q, 9))"],
    ["u32(abs(p))", "u32(sign(p))", "countOneBits(m)", "firstLeadingBit(m)"],
    ["countLeadingZeros(m)", "countTrailingZeros(m)", "reverseBits(m)", "extractBits(m, n % 20u, 5u)"],
    ["u32(i32(a))", "u32(a)", "bits(f32(p))", "bits(f32(m))"],
    ["u32(bool(a))", "u32(bool(m))", "bits(f32(a < b))", "u32(i32(m < n)) | 2u"],
    ["select(m, n, a < b)", "bits(select(a, b, m < n))", "u32(!(a < b))", "u32((a < b) == (m < n))"],
    ["u32((a < b) & (m < n))", "u32((a < b) | (p < q))", "u32(select(a < b, m < n, p < q))", "u32((a < b) != true)"],
    [
      "pack4x8snorm(vec4(a, b, a, b))",
      "pack2x16float(vec2(a, b))",
      "bits(unpack4x8snorm(m).y)",
      "dot4I8Packed(m, n) as_u",
    ],
    [
      "vec4(m, n, i, 5u)[i & 3u]",
      "array(7u, 8u, 9u, 10u, 11u, 12u)[i % 6u]",
      "vec3(m, n, 1u)[i % 5u]",
      "u32(all(vec2(a, b) < vec2(b)))",
    ],
  ])("%s, %s, %s, %s", (...words) => {
    put(...words.map((word) => word.replace(/(.*) as_u$/, "u32($1)")));
  });

  test("on values that are the same for all four", () => {
    put("m + group.x", "m * (group.x + 3u)", "bits(a * f32(group.x + 1u))", "select(group.x, m, (group.x & 1u) == 0u)");
  });

  test("vectors and matrices", () => {
    same(`  let w = vec3(a, b, a) * vec3(b, 2.0, 3.0);
  let t = mat2x2(a, b, 1.0, 2.0) * vec2(b, a);
  out[i] = bitcast<vec4u>(vec4(dot(w, w.zyx), length(w), t));`);
  });
});

describe("ways through memory", () => {
  test.each([
    ["neighbours", "out[i] = vec4u(u[i], u[i + 1u], v[i + 2u], i);"],
    ["in steps", "out[i] = vec4u(u[2u * i], u[i * 3u + 1u], v[COUNT - i], i);".replace("COUNT", "65u")],
    ["anywhere", "out[i] = vec4u(u[m % 66u], v[u[i] & 63u], u[n], bitcast<u32>(f[m]));"],
    ["out of bounds", "out[i] = vec4u(u[i + 60u], u[i - 2u], v[i * 70000000u], i);"],
    ["stores out of bounds", "out[i + 50u].x = m;"],
    ["one place for all", "out[i] = vec4u(u[group.x], u[5], v[at.y], lane);"],
    ["scattered", "out[(i * 5u) % 66u] = vec4u(m, n, i, lane);"],
    ["parts of a vector", "out[i].y = m; out[i].w = out[i].y + n;"],
    ["read and written", "out[i] = vec4u(m) + out[i]; out[i] += vec4u(out[i].x, 1u, 2u, n);"],
    ["of the workgroup", "shared_[lane] = m; shared_[lane] += n; out[i] = vec4u(shared_[lane]);"],
    [
      "across a barrier",
      "shared_[lane] = m; workgroupBarrier(); out[i] = vec4u(shared_[(lane + 1u) % 4u], shared_[lane ^ 1u], n, m);",
    ],
  ])("%s", (_, body) => same(body));

  test("variables that live across barriers", () => {
    same(`  var sum = vec2(a, b); var flag = a < b; var count = 0u;
  for (var k = 0u; k < 3u; k++) {
    shared_[lane] = m + k;
    workgroupBarrier();
    sum += vec2(f32(shared_[(lane + k) % 4u]), a);
    flag = flag == (m > k);
    count += u32(flag);
    workgroupBarrier();
  }
  out[i] = vec4u(bitcast<vec2u>(sum), u32(flag), count);`);
  });

  test("loops that all go round equally often", () => {
    same(`  var sum = 0.0; var bits = m;
  for (var k = 0u; k < 70u; k++) { sum += a * f32(k); bits = (bits << 1u) ^ n ^ u[k % 8u]; if (k == group.x + 40u) { break; } }
  for (var k = 0u; k < 3u; k++) { if (k == group.x) { continue; } sum -= b; }
  out[i] = vec4u(bitcast<u32>(sum), bits, 0u, 0u);`);
  });

  test("a switch that all take alike", () => {
    same(
      "  var r = m;\n  switch group.x % 3u { case 0u: { r += n; } case 1u: { r = u32(a); } default: { r ^= 5u; } }\n  out[i] = vec4u(r);",
    );
  });
});

describe("different ways", () => {
  test.each([
    ["those beyond the end return", "if (i >= 61u) { return; }\n out[i] = vec4u(m, n, i, 1u);"],
    [
      "some return, first one way, then another",
      `if (m > n) { out[i].x = 1u; return; }
  if (a < b) { out[i].y = 2u; if (m == n) { return; } out[i].z = 3u; } else { out[i].w = n; return; }
  out[i].x = 9u;`,
    ],
    [
      "in both branches",
      "var r = 1u; if (a < b) { r = m; if (m > n) { r += 3u; } } else { r = n; } out[i] = vec4u(r, r + m, i, 0u);",
    ],
    [
      "a choice inside of what all do",
      "var r = m; if (group.x % 2u == 0u) { if (a < b) { r = n; } } out[i] = vec4u(r);",
    ],
    [
      "what all do inside of a choice",
      "var r = m; if (a < b) { if (group.x % 2u == 0u) { r = n; } for (var k = 0u; k < 9u; k++) { r += k * n; } } out[i] = vec4u(r);",
    ],
    ["stores of some", "if (a < b) { out[i] = vec4u(m, n, i, 5u); }"],
    ["scattered stores of some", "if (m > n) { out[(i * 7u) % 66u] = vec4u(m, n, i, 5u); }"],
    ["stores of some in one place", "if ((i & 1u) == 1u) { out[5] = vec4u(m, n, i, 5u); }"],
    ["loads of some", "var r = 7u; if (m < 66u) { r = u[m] + v[m]; } out[i] = vec4u(r);"],
    ["a division that only some may do", "var r = 7u; if (n != 0u) { r = m / n; } out[i] = vec4u(r);"],
    [
      "vectors, bools and floats",
      "var w = vec3(a, b, 1.0); var c = a < 1.0; if (m > n) { w = w.zxy * 2.0; c = !c; } out[i] = vec4u(bits(w.x), bits(w.y), bits(w.z), u32(c));",
    ],
  ])("%s", (_, body) => same(body));

  test.each([
    [
      "rounds until a condition",
      "var r = m % 50u; var k = 0u; while (r > 3u) { r = r / 2u + 1u; k++; } out[i] = vec4u(r, k, 0u, 0u);",
    ],
    [
      "continue",
      "var r = 0u; for (var k = 0u; k < 9u; k++) { if ((m >> k) % 2u == 0u) { continue; } r += k * n; } out[i] = vec4u(r);",
    ],
    ["break", "var r = 0u; for (var k = 0u; k < 9u; k++) { r += n; if (r > m) { break; } r ^= k; } out[i] = vec4u(r);"],
    [
      "continue of some, then break of all the others",
      "var r = 0u; for (var k = 0u; k < 9u; k++) { if (m % 3u == k % 3u) { r += 100u; continue; } r++; if (k == group.x + 3u) { break; } r += n; } out[i] = vec4u(r);",
    ],
    [
      "break if",
      "var r = 0u; var k = m % 7u; loop { r += n + k; if (r % 5u == 2u) { continue; } r += 3u; continuing { k++; break if k > n % 13u; } } out[i] = vec4u(r, k, 0u, 0u);",
    ],
    [
      "break if all, after some have left",
      "var r = 0u; var k = 0u; loop { r += n; if (r % 5u == m % 5u) { break; } continuing { k++; break if k > 9u; } } out[i] = vec4u(r, k, 0u, 0u);",
    ],
    [
      "return from inside",
      "for (var k = 0u; k < 8u; k++) { out[i].x += k; if (k == m % 11u) { out[i].y = 1u; return; } } out[i].z = 1u;",
    ],
    [
      "loops in loops",
      `var r = 0u;
  for (var j = 0u; j < m % 5u; j++) {
    for (var k = j; k < n % 6u; k++) { if (k == 3u) { break; } if (r % 7u == 5u) { continue; } r += k + 1u; }
    if (r > 40u) { break; }
    r++;
  }
  out[i] = vec4u(r);`,
    ],
    [
      "break out of a switch that all take alike",
      "var r = m; switch group.x % 2u { case 0u: { if (a < b) { break; } r += n; } default: { if (m > n) { break; } r = 3u; } } out[i] = vec4u(r);",
    ],
    [
      "stores in rounds that some do not go",
      "for (var k = 0u; k < m % 6u; k++) { out[i].x += k; if (k < 4u) { out[i][k] = n; } }",
    ],
  ])("%s", (_, body) => same(body));

  test("functions that some return from early", () => {
    const more = `
fn least(x: u32, y: u32) -> u32 { if (x < y) { return x; } if (x == y) { return 77u; } return y; }
fn steps(start: u32) -> u32 { var x = start % 1000u; for (var k = 0u; k < 20u; k++) { if (x == 1u) { return k; } x = select(x / 2u, 3u * x + 1u, x % 2u == 1u); } return 99u; }`;
    same("  out[i] = vec4u(least(m, n), steps(m), steps(least(n, m)), least(steps(n), i));", more);
  });

  test("across barriers", () => {
    same(`  var r = m; var alive = true;
  for (var k = 0u; k < 3u; k++) {
    if (alive && r % 3u == k) { r += n; alive = a < b; }
    shared_[lane] = r;
    workgroupBarrier();
    if (shared_[(lane + 1u) % 6u] > r) { r = r * 2u + 1u; }
    workgroupBarrier();
  }
  if (!alive) { return; }
  out[i] = vec4u(r, u32(alive), 0u, 0u);`);
  });

  test("places that the invocations have in turn", () => {
    same(
      "  var start = 3u * i; other[start] = m; other[start + 2u] = n; if (m > n) { other[start + 1u] = other[start] + 1u; }",
      "@group(0) @binding(5) var<storage, read_write> other: array<u32>;",
    );
  });
});

describe("one by one", () => {
  const kernel = (body: string, more = ""): string => `${BUFFERS}
@group(0) @binding(5) var<storage, read_write> other: array<u32>;
@group(0) @binding(6) var<storage, read_write> counts: array<atomic<u32>>;
${more}
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
  let i = id.x; let m = u[i];
  ${body}
}`;

  test.each([
    ["what the one before has stored is loaded", "other[i + 1u] = other[i] + m;"],
    ["two stores may meet", "other[m % 8u] = i; other[i % 8u] = m;"],
    ["a store in a loop may meet those of others", "for (var k = 0u; k < 4u; k++) { other[i + k] = m; }"],
    ["one place is loaded and stored", "other[0] = other[0] * 3u + m;"],
    ["in the memory of the workgroup", "shared_[lane] = m; other[i] = shared_[lane ^ 1u];"],
    ["atomics", "atomicAdd(&counts[m % 8u], 1u);"],
  ])("%s", (_, body) => {
    const source = kernel(body);
    expect(isAtOnce(source)).toBe(false);
    const used = { ...inputs(), other: COUNT * 4, counts: 64 };
    const buffers = Object.fromEntries(
      Object.entries(used).filter(([name]) => source.match(RegExp(`\\b${name}\\b`, "g"))!.length > 1),
    );
    expect(compareEngines(source, buffers)).toEqual([]);
  });

  test.each([
    "other[m % 64u] = v[m] + u[m + 1u];",
    "var x = m; for (var k = 0; k < 8; k++) { x = ((x >> ((x >> 28u) + 4u)) ^ x) * 277803737u; } other[i] = x;",
    "other[i] = m / (m % 7u + 1u);",
  ])("where it does not pay: %s", (body) => {
    expect(isAtOnce(kernel(body), { simd: "where it pays" })).toBe(false);
  });

  test("where one memory has two names", () => {
    const source = kernel("other[i] = m + 1u;");
    expect([isAtOnce(source), isAtOnce(source, { aliases: true })]).toEqual([true, false]);
  });
});
