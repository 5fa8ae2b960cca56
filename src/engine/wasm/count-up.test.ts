/** Several invocations a round: addresses are apart by constants, and every lane is gone through once. */
import { describe, expect, test } from "vitest";
import { lowerText } from "../../../test/support/ir.ts";
import { compareEngines } from "../../../test/support/wasm.ts";
import { type CompiledKernel, compileKernel } from "./compile.ts";

const iota = (count: number): number[] => Array.from({ length: count }, (_, index) => (index * 7919 + 13) % 1009);

const HEAD = `
@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>, 16>;
var<workgroup> own: array<u32, 256>;
`;

const size = ({ bytes }: CompiledKernel): number => bytes.length;

describe("every invocation once, in every order of dimensions", () => {
  // Sizes that four and two divide, and that nothing does; with remainders of four at once.
  const sizes = [
    "1",
    "2",
    "3",
    "4",
    "7",
    "8",
    "12",
    "18",
    "20",
    "64",
    "255",
    "8, 8",
    "3, 5",
    "6, 2, 2",
    "4, 3, 2",
    "1, 8",
  ];
  test.each(sizes)("@workgroup_size(%s)", (dimensions) => {
    const [x, y = 1, z = 1] = dimensions.split(",").map(Number);
    const source = `${HEAD}
@compute @workgroup_size(${dimensions})
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32,
        @builtin(local_invocation_id) l: vec3u, @builtin(workgroup_id) w: vec3u) {
  let i = w.x * ${x * y * z}u + lane;
  own[lane] = values[i] + l.x * 3u + l.y * 5u + l.z * 7u;
  atomicAdd(&bins[values[i] % 16u], lane + 1u);
  workgroupBarrier();
  sums[i] = own[${x * y * z - 1}u - lane] + id.x + id.y * 100u + id.z * 10000u;
}`;
    const count = x * y * z * 3;
    // The last workgroup reaches beyond the buffers.
    for (const length of [count, count - 1]) {
      const buffers = { values: iota(length), sums: new Array(length).fill(0), bins: new Array(16).fill(0) };
      expect(compareEngines(source, buffers, { workgroups: [3, 1, 1] })).toEqual([]);
    }
  });
});

describe("what is kept from phase to phase, of each of several", () => {
  test.each(["8", "16", "4, 4"])("@workgroup_size(%s)", (dimensions) => {
    const source = `${HEAD}
@compute @workgroup_size(${dimensions}) fn main(@builtin(local_invocation_index) lane: u32) {
  var a = values[lane] * 3u;
  var list = array<u32, 3>(lane, a, 7u);
  own[lane] = a;
  workgroupBarrier();
  a += own[(lane + 5u) % 16u];
  list[lane % 3u] += a;
  workgroupBarrier();
  sums[lane] = a + list[0] + list[1] * 2u + list[2] * 3u;
}`;
    expect(
      compareEngines(source, { values: iota(16), sums: new Array(16).fill(0), bins: new Array(16).fill(0) }),
    ).toEqual([]);
  });
});

test("a value that the workgroup agrees on is the first invocation's", () => {
  const source = `${HEAD}
@compute @workgroup_size(16) fn main(@builtin(local_invocation_index) lane: u32) {
  own[lane] = values[lane];
  var is_large = array<bool, 2>();
  is_large[values[0] % 2u] = values[1] > 4u;
  if (is_large[1]) {
    workgroupBarrier();
    sums[lane] = own[15u - lane];
  }
}`;
  for (const first of [12, 13]) {
    const buffers = { values: [first, ...iota(15)], sums: new Array(16).fill(0), bins: new Array(16).fill(0) };
    expect(compareEngines(source, buffers)).toEqual([]);
  }
});

/** How many bytes more the kernel has with 8 invocations than with 7, which cannot go together. */
function growth(statement: string): number {
  const kernel = (count: number): CompiledKernel => {
    const source = `${HEAD}@compute @workgroup_size(${count}) fn main(@builtin(local_invocation_index) i: u32) { ${statement} }`;
    return compileKernel(lowerText(source), { sharedMemory: false, simd: "never" });
  };
  return size(kernel(8)) - size(kernel(7));
}

test("only what is short is written out several times", () => {
  expect(growth("atomicAdd(&bins[values[i] % 16u], 1u);")).toBeGreaterThan(40);
  const long = Array.from({ length: 40 }, (_, k) => `atomicAdd(&bins[(values[i] * ${k + 3}u) % 16u], ${k}u);`).join(
    " ",
  );
  expect(growth(long)).toBe(0);
  expect(growth("for (var k = 0u; k < values[i]; k++) { atomicAdd(&bins[k % 16u], 1u); }")).toBe(0);
});

test("workgroups of all rows, from the middle of one on", () => {
  const source = `${HEAD}
@compute @workgroup_size(4) fn main(@builtin(workgroup_id) w: vec3u, @builtin(num_workgroups) n: vec3u,
                                    @builtin(local_invocation_index) lane: u32) {
  let workgroup = w.x + n.x * (w.y + n.y * w.z);
  sums[workgroup * 4u + lane] = w.x + 10u * w.y + 100u * w.z + 1000u * values[lane];
}`;
  for (const workgroups of [
    [1, 1, 7],
    [5, 1, 2],
    [2, 7, 1],
    [3, 2, 4],
  ] as const) {
    const sums = new Array(4 * workgroups[0] * workgroups[1] * workgroups[2]).fill(0);
    expect(compareEngines(source, { values: [1, 2, 3, 4], sums }, { workgroups })).toEqual([]);
  }
});

test("what holds of one workgroup does not of the next", () => {
  const source = `${HEAD}
@compute @workgroup_size(4) fn main(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_index) lane: u32) {
  if (w.x == 0u || w.y < 1u || w.x > 3u) { return; }
  sums[(w.y * 4u + w.x) * 4u + lane] = values[lane] + w.x;
}`;
  const buffers = { values: [1, 2, 3, 4], sums: new Array(64).fill(0) };
  expect(compareEngines(source, buffers, { workgroups: [4, 3, 1] })).toEqual([]);
});
