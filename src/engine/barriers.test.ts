import { describe, expect, test } from "vitest";
import { Bench, runText } from "../../test/support/engine.ts";
import type { Schedule } from "./schedule.ts";

const SCHEDULES: Schedule[] = [
  { kind: "in-order" },
  { kind: "interleave" },
  { kind: "random", seed: 1 },
  { kind: "random", seed: 2 },
];

describe.each(SCHEDULES)("with schedule %o", (schedule) => {
  test("a barrier separates writes from reads", () => {
    const bench = runText(
      `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
       var<workgroup> tile: array<u32, 8>;
       @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u) {
         for (var round = 0u; round < 3; round++) {
           tile[lane] = lane + 10 * round + 100 * group.x;
           workgroupBarrier();
           out[group.x * 8 + lane] += tile[7 - lane];
           workgroupBarrier();
         }
       }`,
      { out: 4 * 24 },
      { workgroups: [3, 1, 1], schedule },
    );
    const expected = Array.from({ length: 24 }, (_, i) => 3 * (7 - (i % 8)) + 30 + 300 * (i >> 3));
    expect(bench.u32("out")).toEqual(expected);
  });

  test("workgroup memory is zero at the start of every workgroup", () => {
    const bench = runText(
      `@group(0) @binding(0) var<storage, read_write> out: array<u32, 20>;
       struct S { count: atomic<u32>, list: array<vec3f, 2>, flag: bool }
       var<workgroup> s: S;
       @compute @workgroup_size(2) fn main(@builtin(workgroup_id) group: vec3u) {
         if (!s.flag && s.list[1].z == 0) { atomicAdd(&s.count, 1u); }
         workgroupBarrier();
         out[group.x] = atomicLoad(&s.count);
         workgroupBarrier();
         s.flag = true;
         s.list[1].z = 5;
       }`,
      {},
      { workgroups: [20, 1, 1], schedule },
    );
    expect(bench.u32("out")).toEqual(new Array(20).fill(2));
  });

  test("workgroupUniformLoad reads one value for all, with a barrier before and after", () => {
    const bench = runText(
      `@group(0) @binding(0) var<storage, read_write> out: array<u32, 4>;
       var<workgroup> total: u32;
       var<workgroup> counter: atomic<u32>;
       @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) lane: u32) {
         var sum = 0u;
         for (var i = 0u; i < 4; i++) {
           if (lane == i) { total += 10 + i; }
           sum += workgroupUniformLoad(&total);
           atomicAdd(&counter, 1u);
           sum += 1000 * workgroupUniformLoad(&counter);
         }
         out[lane] = sum;
       }`,
      {},
      { schedule },
    );
    expect(bench.u32("out")).toEqual(new Array(4).fill(10 + 21 + 33 + 46 + 1000 * (4 + 8 + 12 + 16)));
  });

  test("a barrier in a helper function", () => {
    const bench = runText(
      `@group(0) @binding(0) var<storage, read_write> out: array<u32, 4>;
       var<workgroup> tile: array<u32, 4>;
       fn put(lane: u32, value: u32) -> u32 { tile[lane] = value; workgroupBarrier(); let got = tile[3 - lane]; workgroupBarrier(); return got; }
       @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) lane: u32) {
         out[lane] = put(lane, lane) + put(lane, 10 * lane);
       }`,
      {},
      { schedule },
    );
    expect(bench.u32("out")).toEqual([33, 22, 11, 0]);
  });
});

describe("barriers that are not reached by all", () => {
  const diverge = (body: string, declarations = "") => {
    const bench = new Bench(
      `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
       ${declarations}
       @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) lane: u32) { ${body} }`,
      { out: 16 },
      { workgroups: [2, 1, 1], allowIllegal: true },
    );
    return bench.run();
  };

  test.each([
    ["a branch", "if (lane < 2) { workgroupBarrier(); }", "", [[0, 1]], [2, 3]],
    ["an early return", "if (lane == 3) { return; } workgroupBarrier();", "", [[0, 1, 2]], [3]],
    [
      "two branches",
      "if (lane < 2) { workgroupBarrier(); } else { storageBarrier(); }",
      "",
      [
        [0, 1],
        [2, 3],
      ],
      [],
    ],
    [
      "a loop left one by one",
      "for (var i = 0u; i < lane; i++) { workgroupBarrier(); } out[lane] = 1;",
      "",
      [[1, 2, 3]],
      [0],
    ],
    [
      "one barrier through two calls",
      "if (lane < 1) { meet(); } else { meet(); }",
      "fn meet() { workgroupBarrier(); }",
      [[0], [1, 2, 3]],
      [],
    ],
  ])("%s", (_, body, declarations, arrived, ended) => {
    const result = diverge(body, declarations);
    expect(result.status).toBe("fault");
    expect(result.faults.map((fault) => fault.workgroup[0])).toEqual([0, 1]);
    const [fault] = result.faults;
    expect(fault.arrivals.map((arrival) => arrival.invocations)).toEqual(arrived);
    expect(fault.ended).toEqual(ended);
  });
});
