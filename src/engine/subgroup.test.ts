import { describe, expect, test } from "vitest";
import { Bench } from "../../test/support/engine.ts";
import type { Schedule } from "./schedule.ts";

/** What each of 12 invocations, in subgroups of 8 and 4, stores as `out[lane]`. */
function lanes(body: string, type = "u32", schedule: Schedule = { kind: "in-order" }): number[] {
  const bench = new Bench(
    `enable subgroups;
     enable f16;
     diagnostic(off, subgroup_uniformity);
     @group(0) @binding(0) var<storage, read_write> out: array<${type}, 12>;
     fn sum(value: u32) -> u32 { return subgroupAdd(value); }
     @compute @workgroup_size(12) fn main(
       @builtin(local_invocation_index) lane: u32,
       @builtin(subgroup_invocation_id) id: u32,
     ) { ${body} }`,
    {},
    { subgroupSize: 8, schedule },
  );
  expect(bench.run().status).toBe("ok");
  return type === "u32" || type.startsWith("vec4u")
    ? bench.u32("out")
    : type === "i32"
      ? bench.i32("out")
      : bench.f32("out");
}

const all = (value: (lane: number) => number) => Array.from({ length: 12 }, (_, lane) => value(lane));
/** The lanes of the subgroup that `lane` is in. */
const members = (lane: number) => (lane < 8 ? [0, 1, 2, 3, 4, 5, 6, 7] : [8, 9, 10, 11]);
const fold = (values: number[], start: number, combine: (a: number, b: number) => number) =>
  values.reduce(combine, start);
const id = (lane: number) => lane % 8;

describe("reductions and scans", () => {
  const sumOf = (values: number[]) => fold(values, 0, (a, b) => a + b);
  const below = (lane: number) => members(lane).filter((other) => other < lane);
  test.each<[string, (lane: number) => number]>([
    ["subgroupAdd(lane)", (lane) => sumOf(members(lane))],
    ["subgroupExclusiveAdd(lane)", (lane) => sumOf(below(lane))],
    ["subgroupInclusiveAdd(lane)", (lane) => sumOf(below(lane)) + lane],
    ["subgroupMul(id + 1u)", (lane) => (lane < 8 ? 40320 : 24)],
    [
      "subgroupExclusiveMul(id + 1u)",
      (lane) =>
        fold(
          below(lane).map((other) => id(other) + 1),
          1,
          (a, b) => a * b,
        ),
    ],
    [
      "subgroupInclusiveMul(id + 1u)",
      (lane) =>
        fold(
          [...below(lane), lane].map((other) => id(other) + 1),
          1,
          (a, b) => a * b,
        ),
    ],
    ["subgroupMin(lane + 5u)", (lane) => (lane < 8 ? 5 : 13)],
    ["subgroupMax(lane)", (lane) => (lane < 8 ? 7 : 11)],
    ["subgroupAnd(lane | 4u)", (lane) => (lane < 8 ? 4 : 12)],
    ["subgroupOr(lane)", (lane) => (lane < 8 ? 7 : 11)],
    ["subgroupXor(lane + 1u)", (lane) => (lane < 8 ? 8 : 4)],
    ["u32(subgroupAll(lane < 8))", (lane) => (lane < 8 ? 1 : 0)],
    ["u32(subgroupAny(lane == 9))", (lane) => (lane < 8 ? 0 : 1)],
  ])("%s", (expression, expected) => {
    expect(lanes(`out[lane] = ${expression};`)).toEqual(all(expected));
  });

  test("i32, f32, f16 and vectors", () => {
    expect(lanes("out[lane] = subgroupMin(-i32(lane));", "i32")).toEqual(all((lane) => (lane < 8 ? -7 : -11)));
    expect(lanes("out[lane] = subgroupAdd(vec2f(f32(lane), 0.5)).y;", "f32")).toEqual(
      all((lane) => (lane < 8 ? 4 : 2)),
    );
    expect(lanes("out[lane] = f32(subgroupAdd(f16(2048) + f16(id & 1)));", "f32")).toEqual(
      all((lane) => (lane < 8 ? 16384 : 8192)),
    );
  });
});

describe("exchanges", () => {
  test.each<[string, (lane: number) => number]>([
    ["subgroupBroadcast(lane + 100u, 2u)", (lane) => (lane < 8 ? 102 : 110)],
    ["subgroupBroadcastFirst(lane + 100u)", (lane) => (lane < 8 ? 100 : 108)],
    ["subgroupShuffle(lane + 100u, 3u - (id & 3u))", (lane) => 100 + (lane < 8 ? 0 : 8) + 3 - (lane & 3)],
    ["subgroupShuffle(lane + 100u, 7u)", (lane) => (lane < 8 ? 107 : 0)],
    ["subgroupShuffleUp(lane + 100u, 1u)", (lane) => (id(lane) === 0 ? 0 : 99 + lane)],
    ["subgroupShuffleDown(lane + 100u, 2u)", (lane) => (members(lane).includes(lane + 2) ? 102 + lane : 0)],
    ["subgroupShuffleXor(lane + 100u, 3u)", (lane) => 100 + (lane ^ 3)],
    ["quadBroadcast(lane + 100u, 1u)", (lane) => 101 + (lane & ~3)],
    ["quadSwapX(lane + 100u)", (lane) => 100 + (lane ^ 1)],
    ["quadSwapY(lane + 100u)", (lane) => 100 + (lane ^ 2)],
    ["quadSwapDiagonal(lane + 100u)", (lane) => 100 + (lane ^ 3)],
    ["u32(subgroupElect())", (lane) => (id(lane) === 0 ? 1 : 0)],
  ])("%s", (expression, expected) => {
    expect(lanes(`out[lane] = ${expression};`)).toEqual(all(expected));
  });

  test("subgroupBallot has a bit for each invocation", () => {
    const words = lanes("out[lane] = subgroupBallot((lane & 1) == 1);", "vec4u");
    expect(words).toEqual(all((lane) => lane).flatMap((lane) => [lane < 8 ? 0b10101010 : 0b1010, 0, 0, 0]));
  });
});

describe("in divergent control flow only those that are there take part", () => {
  const schedules: Schedule[] = [{ kind: "in-order" }, { kind: "interleave" }, { kind: "random", seed: 3 }];
  test.each<[string, string, (lane: number) => number]>([
    [
      "a branch",
      "if (lane < 2) { out[lane] = subgroupAdd(1u); } else { out[lane] = subgroupAdd(10u); }",
      (lane) => (lane < 2 ? 2 : lane < 8 ? 60 : 40),
    ],
    [
      "together again behind it",
      "if (id < 2) { out[lane] = 0; } out[lane] = subgroupAdd(1u);",
      (lane) => (lane < 8 ? 8 : 4),
    ],
    [
      "a loop that they leave one after another",
      "for (var i = 0u; i < id; i++) { out[lane] = 100 * out[lane] + subgroupAdd(1u); }",
      (lane) => {
        let value = 0;
        for (let i = 0; i < id(lane); i++)
          value = (100 * value + members(lane).filter((other) => id(other) > i).length) % 2 ** 32;
        return value;
      },
    ],
    [
      "behind such a loop",
      "for (var i = 0u; i < id; i++) { out[lane] += subgroupMax(i); } out[lane] = subgroupAdd(1u);",
      (lane) => (lane < 8 ? 8 : 4),
    ],
    [
      "after some have ended",
      "if (id >= 3) { out[lane] = 7; return; } out[lane] = subgroupAdd(1u);",
      (lane) => (id(lane) < 3 ? 3 : 7),
    ],
    [
      "a helper called from two places",
      "if (lane < 2) { out[lane] = sum(1u); } else { out[lane] = sum(10u); }",
      (lane) => (lane < 2 ? 2 : lane < 8 ? 60 : 40),
    ],
    [
      "the first of those that are there",
      "if (id > 1) { out[lane] = subgroupBroadcastFirst(lane); } else { out[lane] = 50; }",
      (lane) => (id(lane) > 1 ? (lane < 8 ? 2 : 10) : 50),
    ],
  ])("%s", (_, body, expected) => {
    for (const schedule of schedules) expect(lanes(body, "u32", schedule)).toEqual(all(expected));
  });
});

test("a subgroup waits neither for another one nor for a barrier", () => {
  const bench = new Bench(
    `enable subgroups;
     diagnostic(off, subgroup_uniformity);
     @group(0) @binding(0) var<storage, read_write> out: array<u32, 8>;
     var<workgroup> total: atomic<u32>;
     @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) lane: u32) {
       if (lane >= 4) { atomicAdd(&total, subgroupAdd(lane)); }
       workgroupBarrier();
       out[lane] = atomicLoad(&total) + subgroupAdd(1u);
     }`,
    {},
    { subgroupSize: 4 },
  );
  bench.run();
  expect(bench.u32("out")).toEqual(new Array(8).fill(4 * 22 + 4));
});

test.each([0, 3, 12, 256, 2])("a subgroup size of %d is refused", (subgroupSize) => {
  const bench = new Bench("@compute @workgroup_size(1) fn main() {}");
  expect(() => bench.run({ subgroupSize })).toThrow(RangeError);
});
