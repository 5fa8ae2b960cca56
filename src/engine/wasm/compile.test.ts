import { expect, test } from "vitest";
import { compareEngines } from "../../../test/support/wasm.ts";

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
