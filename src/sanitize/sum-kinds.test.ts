/** What is added in an unsigned word: a number, the opposite of one, or a signed number, of which no sum wraps. */
import { expect, test } from "vitest";
import { sanitize } from "./sanitize.ts";

const HEAD = `struct Sums { sum: atomic<u32>, other: atomic<u32> }
@group(0) @binding(0) var<storage, read_write> sums: Sums;
@group(0) @binding(1) var<storage, read_write> all: array<u32, 16>;
@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) lane: u32) {
  let step = i32(lane) - 9;
`;
const DOWN = ["counter-underflow"];
const UP = ["counter-overflow"];

const programs: readonly (readonly [body: string, sum: number, codes: readonly string[]])[] = [
  ["atomicAdd(&sums.sum, bitcast<u32>(step));", 0, []],
  ["atomicAdd(&sums.sum, bitcast<u32>(step * 100000));", 0, []],
  ["atomicAdd(&sums.sum, u32(-step));", 0, []],
  ["atomicAdd(&sums.sum, u32(step - 1));", 0, []],
  ["atomicSub(&sums.sum, bitcast<u32>(step));", 0, []],
  ["atomicSub(&sums.sum, 1u); all[lane] = u32(abs(bitcast<i32>(atomicLoad(&sums.sum))));", 0, []],
  ["all[lane] = u32(max(bitcast<i32>(atomicSub(&sums.sum, 1u)), 0));", 0, []],
  ["atomicAdd(&sums.other, bitcast<u32>(step)); atomicSub(&sums.sum, 1u);", 0, DOWN],
  ["atomicSub(&sums.sum, 1u);", 0, DOWN],
  ["atomicSub(&sums.sum, 1u); all[lane] = atomicLoad(&sums.sum);", 0, DOWN],
  ["atomicAdd(&sums.sum, 1u);", 2 ** 32 - 4, UP],
  ["atomicAdd(&sums.sum, 0u - 100000u * lane);", 2 ** 31, []],
  ["atomicAdd(&sums.sum, ~(100000u * lane) + 1u);", 2 ** 31, []],
  ["atomicAdd(&sums.sum, 1u + ~(100000u * lane));", 2 ** 31, []],
  ["atomicSub(&sums.sum, 0u - 100000u * lane);", 0, []],
  ["atomicAdd(&sums.sum, 0u - 100000u * lane);", 0, DOWN],
  ["atomicSub(&sums.sum, 0u - 100000u * lane);", 2 ** 32 - 100000, UP],
  ["atomicAdd(&sums.sum, 100000u * lane);", 2 ** 32 - 100000, UP],
];

test.each(programs)("%s from %i", async (body, sum, codes) => {
  const launch = { shader: `${HEAD}${body}\n}\n`, workgroups: [1] as const, buffers: { sums: { u32: [sum, 0] } } };
  for (const fewInvocations of [0, 1000]) {
    const { findings } = await sanitize(launch, { checks: ["counters"], fewInvocations, scheduleBudget: 0 });
    expect(findings.map(({ code }) => code)).toEqual(codes);
  }
});
