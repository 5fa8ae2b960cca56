import { describe, expect, test } from "vitest";
import { mostLocals } from "../../../test/support/binaryen.ts";
import { Bench } from "../../../test/support/engine.ts";
import { lowerText } from "../../../test/support/ir.ts";
import { compareEngines, layOut } from "../../../test/support/wasm.ts";
import { UnsupportedError } from "../../ir/unsupported.ts";
import { compileKernel, whyInterpreted } from "./compile.ts";

const iota = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test("one invocation", () => {
  const source = `
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@compute @workgroup_size(1) fn main() { a[1] = a[0] + 5u; }`;
  expect(compareEngines(source, { a: [37, 0] })).toEqual([]);
});

test("block sum", () => {
  const source = `
const SIZE = 64u;
@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
var<workgroup> scratch: array<u32, SIZE>;
@compute @workgroup_size(SIZE)
fn sum_blocks(@builtin(global_invocation_id) id: vec3u, @builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) lane: u32) {
  if (id.x < arrayLength(&values)) { scratch[lane] = values[id.x]; }
  workgroupBarrier();
  for (var stride = SIZE / 2u; stride > 0u; stride /= 2u) {
    if (lane < stride) { scratch[lane] += scratch[lane + stride]; }
    workgroupBarrier();
  }
  if (lane == 0u) { sums[workgroup.x] = scratch[0]; }
}`;
  expect(compareEngines(source, { values: iota(200), sums: [0, 0, 0, 0] }, { workgroups: [4, 1, 1] })).toEqual([]);
});

describe("what can only be interpreted", () => {
  test.each([
    ["enable subgroups; @compute @workgroup_size(8) fn main() { _ = subgroupAdd(1u); }", "it uses subgroups"],
    ["enable subgroups; @compute @workgroup_size(8) fn main(@builtin(subgroup_size) n: u32) {}", "it uses subgroups"],
    ["fn f() { workgroupBarrier(); } @compute @workgroup_size(8) fn main() { f(); f(); }", null],
  ])("%s", (source, reason) => {
    const module = lowerText(source);
    expect(whyInterpreted(module)).toBe(reason);
    const compile = (): unknown => compileKernel(module, { sharedMemory: false });
    if (reason !== null) expect(compile).toThrow(UnsupportedError);
    else expect(compile()).toBeDefined();
  });

  test("a barrier where invocations take different ways, although that is not legal", () => {
    const source = `@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) l: u32) {
  for (var k = 0u; k < l; k++) { if (k == 3u) { continue; } }
  if (l < 3u) { return; }
  workgroupBarrier();
}`;
    const { module } = new Bench(source, {}, { allowIllegal: true });
    // All are taken to agree on the return: then the barrier is reached by all or by none.
    expect(whyInterpreted(module)).toBe(null);
  });

  test("functions with barriers that call each other without end", () => {
    const levels = Array.from(
      { length: 20 },
      (_, i) => `fn f${i}() { ${i === 0 ? "workgroupBarrier();" : `f${i - 1}(); f${i - 1}();`} }`,
    );
    const module = lowerText(`${levels.join("\n")} @compute @workgroup_size(8) fn main() { f19(); }`);
    expect(whyInterpreted(module)).toMatch(/too large/);
  });
});

describe("memory that two variables share", () => {
  const source = `
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) l: u32) { b[0] = a[0] + 1u; }`;

  /** Both are bound to the same four words. */
  function runShared(aliases: boolean): number {
    const bench = new Bench(source, { a: [5, 0, 0, 0], b: [0, 0, 0, 0] });
    const kernel = compileKernel(bench.module, { sharedMemory: false, aliases });
    const { memory, run, parameters, addresses } = layOut(bench.module, kernel, bench.request.bindings, [1, 1, 1]);
    const view = new DataView(memory.buffer);
    const [a, b] = kernel.parameterBlock.roots;
    view.setUint32(parameters + b.base, addresses.get(a.root)!, true);
    run(parameters, 0, 1);
    return view.getUint32(addresses.get(a.root)!, true);
  }

  test("is read again where it may have changed", () => expect(runShared(true)).toBe(9));
  test("is read once where it may not", () => expect(runShared(false)).toBe(6));
});

test("kernels say what they need", () => {
  const source = `
struct S { a: u32, b: array<vec4u> }
const TABLE = array<u32, 8>(1, 2, 3, 4, 5, 6, 7, 8);
@group(0) @binding(0) var<storage, read_write> s: S;
@group(1) @binding(3) var<uniform> u: array<vec4u, 4>;
var<workgroup> w: array<u32, 100>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) l: u32) {
  let v = s.b[l].x;
  w[l] = TABLE[v % 8u];
  workgroupBarrier();
  s.b[l].y = w[99u - l] + v + u[0].x;
}`;
  const kernel = compileKernel(lowerText(source), { sharedMemory: true });
  expect(WebAssembly.validate(kernel.bytes)).toBe(true);
  expect(kernel.constants).toEqual(new Uint8Array(Uint32Array.of(1, 2, 3, 4, 5, 6, 7, 8).buffer));
  // Workgroup memory, and one value of each invocation.
  expect(kernel.scratchBytes).toBe(400 + 64 * 4);
  expect([...kernel.leastBytes.values()]).toEqual([16, 64]);
  expect(kernel.parameterBlock.roots.map(({ root }) => root)).toEqual([0, 1]);
  expect(kernel.loops).toEqual([]);
});

test("a kernel that is long by itself is compiled, and what it computes ahead does not take a local for each", () => {
  const lines = iota(2000).map(
    (k) => `if n == ${k}u { a[${k}] += w.x * ${k + 3}u + (w.y ^ ${k}u); ${"a[n] += 1u;".repeat(7)} }`,
  );
  const source = `@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) w: vec3u) {
  let n = id.x;
  ${lines.join("\n")}
}`;
  const module = lowerText(source);
  expect(module.functions[0].instructionCount).toBeGreaterThan(100_000);
  const { bytes } = compileKernel(module, { sharedMemory: false });
  expect(WebAssembly.validate(bytes)).toBe(true);
  expect(mostLocals(bytes)).toBeLessThan(300);
});

test("a long function with barriers is compiled, through whatever helpers it is called once", () => {
  const lines = iota(10_000).map((k) => `if n == ${k}u { a[${k}] += 1u; } workgroupBarrier();`);
  const source = `@group(0) @binding(0) var<storage, read_write> a: array<u32>;
fn part(n: u32) { ${lines.join("\n")} }
fn lines(n: u32) { part(n); }
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { lines(id.x); }`;
  const module = lowerText(source);
  expect(module.functions.map(({ instructionCount }) => instructionCount > 50_000)).toContain(true);
  expect(whyInterpreted(module)).toBe(null);
});

test("the same module gives the same bytes", () => {
  const source =
    "@group(0) @binding(0) var<storage, read_write> a: array<f32>; @compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3u) { a[id.x] = pow(sin(a[id.x]), 2.0); }";
  const [first, second] = [0, 1].map(() => compileKernel(lowerText(source), { sharedMemory: false }).bytes);
  expect(second).toEqual(first);
});
