import { describe, expect, test } from "vitest";
import { Bench, runText } from "../../test/support/engine.ts";

/** What one atomic call gives and leaves, for both address spaces. */
function atomic(space: "storage" | "workgroup", type: "i32" | "u32", start: number, call: string): [number, number] {
  const declaration =
    space === "storage"
      ? `@group(0) @binding(1) var<storage, read_write> cell: atomic<${type}>;`
      : `var<workgroup> cell: atomic<${type}>;`;
  const bench = runText(
    `@group(0) @binding(0) var<storage, read_write> out: array<${type}, 2>;
     ${declaration}
     @compute @workgroup_size(1) fn main() {
       atomicStore(&cell, ${start});
       ${call.startsWith("atomicStore") ? `${call};` : `out[0] = ${call};`}
       out[1] = atomicLoad(&cell);
     }`,
  );
  const [old, left] = type === "i32" ? bench.i32("out") : bench.u32("out");
  return [old, left];
}

describe.each(["storage", "workgroup"] as const)("on %s memory", (space) => {
  test.each([
    ["i32", 5, "atomicLoad(&cell)", 5, 5],
    ["i32", 5, "atomicStore(&cell, -3)", 0, -3],
    ["i32", 2147483647, "atomicAdd(&cell, 1)", 2147483647, -2147483648],
    ["u32", 0, "atomicSub(&cell, 1u)", 0, 4294967295],
    ["i32", -5, "atomicMax(&cell, 3)", -5, 3],
    ["u32", 4294967295, "atomicMax(&cell, 3u)", 4294967295, 4294967295],
    ["i32", -5, "atomicMin(&cell, 3)", -5, -5],
    ["u32", 4294967295, "atomicMin(&cell, 3u)", 4294967295, 3],
    ["u32", 12, "atomicAnd(&cell, 10u)", 12, 8],
    ["u32", 12, "atomicOr(&cell, 10u)", 12, 14],
    ["i32", 12, "atomicXor(&cell, 10)", 12, 6],
    ["i32", 12, "atomicExchange(&cell, 10)", 12, 10],
    ["i32", 12, "atomicCompareExchangeWeak(&cell, 12, 9).old_value", 12, 9],
    ["i32", 12, "atomicCompareExchangeWeak(&cell, 11, 9).old_value", 12, 12],
    ["u32", 12, "u32(atomicCompareExchangeWeak(&cell, 12u, 9u).exchanged)", 1, 9],
    ["u32", 12, "u32(atomicCompareExchangeWeak(&cell, 11u, 9u).exchanged)", 0, 12],
  ] as const)("%s %i: %s", (type, start, call, old, left) => {
    expect(atomic(space, type, start, call)).toEqual([old, left]);
  });
});

test("old values of all invocations are all different", () => {
  const source = `
    @group(0) @binding(0) var<storage, read_write> next: atomic<u32>;
    @group(0) @binding(1) var<storage, read_write> seen: array<u32, 64>;
    @compute @workgroup_size(16) fn main() { let mine = atomicAdd(&next, 1u); seen[mine] += 1; }`;
  const bench = new Bench(source, {}, { workgroups: [4, 1, 1] });
  bench.run({ schedule: { kind: "random", seed: 5 } });
  expect(bench.u32("seen")).toEqual(new Array(64).fill(1));
});

describe("atomicCompareExchangeWeak fails now and then for no reason", () => {
  const source = `
    @group(0) @binding(0) var<storage, read_write> cell: atomic<u32>;
    @group(0) @binding(1) var<storage, read_write> failures: atomic<u32>;
    @compute @workgroup_size(100) fn main() {
      let result = atomicCompareExchangeWeak(&cell, 0u, 0u);
      if (!result.exchanged && result.old_value == 0u) { atomicAdd(&failures, 1u); }
    }`;
  const failures = (weakFail: number, seed: number) =>
    runText(source, {}, { workgroups: [10, 1, 1], weakFail, seed }).u32("failures")[0];

  test("as often as asked for", () => {
    expect(failures(0, 1)).toBe(0);
    expect(failures(1, 1)).toBe(1000);
    expect(Math.abs(failures(0.3, 1) - 300)).toBeLessThan(60);
  });
  test("the same for the same seed", () => {
    expect(failures(0.5, 4)).toBe(failures(0.5, 4));
    expect(new Set([1, 2, 3, 4, 5].map((seed) => failures(0.5, seed))).size).toBeGreaterThan(1);
  });
});
