/** Counting in locals: what stands in memory at the end is what the interpreter has, one invocation at a time and four at once. */
import { describe, expect, test } from "vitest";
import { Bench } from "../../../test/support/engine.ts";
import { lowerText } from "../../../test/support/ir.ts";
import { runWasm } from "../../../test/support/wasm.ts";
import { type CompileOptions, compileKernel } from "./compile.ts";

const HEAD = `
@group(0) @binding(0) var<storage, read_write> t: array<atomic<u32>, 8>;
@group(0) @binding(1) var<storage> values: array<u32, 200>;
fn count(n: u32) { if (n % 3u == 0u) { atomicAdd(&t[4], n); } atomicOr(&t[6], 1u << (n % 32u)); }
`;
const VALUES = Uint32Array.from({ length: 200 }, (_, i) => (i * 2654435761) % 1000);
/** The words behind sums are for what carries over. */
const start = () => Uint32Array.from([5, 0, 7, 0, 9, 0, 1, 3]);
const VARIANTS: readonly Partial<CompileOptions>[] = [{ simd: "never" }, { simd: "always" }, { longestInlined: 0 }];

function sourceOf(body: string, size: string): string {
  return `${HEAD}@compute @workgroup_size(${size})
    fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32,
            @builtin(workgroup_id) group: vec3u) { let v = values[id.x]; ${body} }`;
}

function words(bench: Bench, variant: Partial<CompileOptions>): number[] {
  const { id } = bench.module.roots.find(({ name }) => name === "t")!;
  const bytes = runWasm(bench.request, { ...variant, tallies: [id] }).get(id)!;
  return [...new Uint32Array(bytes.slice().buffer)];
}

const BODIES = [
  "atomicAdd(&t[0], 2u);",
  "atomicAdd(&t[0], v); atomicAdd(&t[2], 1u); atomicAdd(&t[0], group.x);",
  "if (v > 500u) { atomicAdd(&t[0], 3u); } else { atomicAdd(&t[2], v); }",
  "if (v > 300u) { if (v < 700u) { atomicAdd(&t[0], v); atomicMax(&t[7], v); atomicOr(&t[6], 1u << (v % 32u)); } }",
  "if (v > 2000u) { atomicAdd(&t[0], 1u); atomicMax(&t[7], 99u); atomicOr(&t[6], 8u); }",
  "if (group.x == 1u) { atomicMax(&t[7], 77u); atomicOr(&t[6], 16u); }",
  "if (v % 2u == 0u) { atomicMax(&t[7], group.x + 40u); }",
  "var n = 0u; for (var k = 0u; k < v % 7u; k++) { n += k; if (n > 9u) { break; } atomicAdd(&t[2], 1u); } atomicAdd(&t[0], n);",
  "if (v % 5u == 1u) { return; } atomicAdd(&t[0], 1u); if (v % 5u == 2u) { return; } atomicAdd(&t[2], v);",
  "count(v); atomicAdd(&t[4], 1u);",
  "if (lane == 0u) { atomicAdd(&t[0], 10u); } workgroupBarrier(); atomicAdd(&t[0], lane); atomicAdd(&t[2], 1u);",
] as const;

describe.each(["64", "7", "1", "6, 2"])("in workgroups of %s", (size) => {
  test.each(BODIES)("%s", (body) => {
    const bench = () => new Bench(sourceOf(body, size), { t: start(), values: VALUES }, { workgroups: [3, 1, 1] });
    const own = bench();
    expect(own.run().status).toBe("ok");
    for (const variant of VARIANTS) expect(words(bench(), variant), JSON.stringify(variant)).toEqual(own.u32("t"));
  });
});

test("sums carry over into the next word", () => {
  const body = "atomicAdd(&t[0], 0x80000000u); if (v > 500u) { atomicAdd(&t[2], 0xffffffffu); } count(v);";
  const bench = () => new Bench(sourceOf(body, "60"), { t: start(), values: VALUES }, { workgroups: [3, 1, 1] });
  const above = VALUES.subarray(0, 180).filter((value) => value > 500).length;
  for (const variant of VARIANTS) {
    const [low, high, low2, high2] = words(bench(), variant);
    expect(low + high * 2 ** 32).toBe(5 + 180 * 2 ** 31);
    expect(low2 + high2 * 2 ** 32).toBe(7 + above * 0xffffffff);
  }
});

test("four invocations at once count where they may not use atomic functions", () => {
  const module = lowerText(sourceOf("if (v % 3u == 0u) { atomicAdd(&t[0], v * v); }", "64"));
  const { id } = module.roots.find(({ name }) => name === "t")!;
  const isAtOnce = (tallies: readonly number[]) => {
    const [never, always] = (["never", "always"] as const).map(
      (simd) => compileKernel(module, { sharedMemory: false, simd, tallies }).bytes,
    );
    return !Buffer.from(never).equals(always);
  };
  expect(isAtOnce([id])).toBe(true);
  expect(isAtOnce([])).toBe(false);
});
