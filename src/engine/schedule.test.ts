import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Bench } from "../../test/support/engine.ts";
import { Execution } from "./execution.ts";
import { runTurns } from "./interpreter.ts";
import type { Memory } from "./memory.ts";
import { createScheduler, type Schedule, type Turn } from "./schedule.ts";

const example = (name: string) => readFileSync(new URL(`../../examples/${name}.wgsl`, import.meta.url), "utf8");

const LOST_UPDATE = `
  @group(0) @binding(0) var<storage, read_write> count: u32;
  @compute @workgroup_size(2) fn main() { count += 1; }`;

/** Who came in which order: every invocation appends its number twice. */
const ORDER = `
  @group(0) @binding(0) var<storage, read_write> next: atomic<u32>;
  @group(0) @binding(1) var<storage, read_write> list: array<u32>;
  @compute @workgroup_size(2) fn main(@builtin(global_invocation_id) id: vec3u) {
    list[atomicAdd(&next, 1u)] = id.x;
    list[atomicAdd(&next, 1u)] = id.x + 10;
  }`;

function order(schedule: Schedule, residency?: number): number[] {
  const bench = new Bench(ORDER, { list: 4 * 8 }, { workgroups: [2, 1, 1] });
  bench.run({ schedule, ...(residency === undefined ? {} : { residency }) });
  return bench.u32("list");
}

describe("the order of accesses", () => {
  test("in order, one invocation after the other", () => {
    expect(order({ kind: "in-order" })).toEqual([0, 10, 1, 11, 2, 12, 3, 13]);
  });
  test("interleaved, one access each in turn", () => {
    expect(order({ kind: "interleave" })).toEqual([0, 1, 2, 3, 10, 11, 12, 13]);
  });
  test("interleaved with one workgroup at a time", () => {
    expect(order({ kind: "interleave" }, 1)).toEqual([0, 1, 10, 11, 2, 3, 12, 13]);
  });
  test("random: the same for the same seed, and all kinds of orders over the seeds", () => {
    expect(order({ kind: "random", seed: 9 })).toEqual(order({ kind: "random", seed: 9 }));
    const orders = new Set(Array.from({ length: 50 }, (_, seed) => order({ kind: "random", seed }).join()));
    // Every eighth seed is the same.
    expect(orders.size).toBeGreaterThan(40);
  });
  test("random: every fourth seed goes on with one invocation as far as it comes, every eighth from the last one", () => {
    expect(order({ kind: "random", seed: 4 })).toEqual([3, 13, 2, 12, 1, 11, 0, 10]);
    const ranked = order({ kind: "random", seed: 16 });
    expect(ranked.filter((_, i) => i % 2 === 0).map((x) => x + 10)).toEqual(ranked.filter((_, i) => i % 2 === 1));
  });
  test("given turns, then in order", () => {
    const turns = [
      { invocation: 3, accesses: 2 },
      { invocation: 0, accesses: 1 },
      { invocation: 3, accesses: 99 },
      { invocation: 3, accesses: 1 },
      { invocation: 77, accesses: 1 },
    ];
    expect(order({ kind: "given", turns })).toEqual([3, 0, 13, 10, 1, 11, 2, 12]);
  });
});

test("a lost update shows when accesses interleave, and not in order", () => {
  const count = (schedule: Schedule) => {
    const bench = new Bench(LOST_UPDATE);
    bench.run({ schedule });
    return bench.u32("count")[0];
  };
  expect(count({ kind: "in-order" })).toBe(2);
  expect(count({ kind: "interleave" })).toBe(1);
  const random = Array.from({ length: 40 }, (_, seed) => count({ kind: "random", seed }));
  expect(new Set(random)).toEqual(new Set([1, 2]));
});

describe("recorded turns", () => {
  test.each<Schedule>([{ kind: "in-order" }, { kind: "interleave" }, { kind: "random", seed: 4 }])(
    "of %o give the same when repeated",
    (schedule) => {
      const bench = new Bench(ORDER, { list: 4 * 64 }, { workgroups: [16, 1, 1] });
      const { turns } = bench.run({ schedule, record: true });
      const first = bench.u32("list");
      const again = new Bench(ORDER, { list: 4 * 64 }, { workgroups: [16, 1, 1] });
      again.run({ schedule: { kind: "given", turns: turns! } });
      expect(again.u32("list")).toEqual(first);
    },
  );
});

test("recorded turns keep barriers apart", () => {
  const source = `
    @group(0) @binding(0) var<storage, read_write> next: atomic<u32>;
    @group(0) @binding(1) var<storage, read_write> list: array<u32, 32>;
    @compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3u) {
      for (var i = 0u; i < 4; i++) { list[atomicAdd(&next, 1u)] = id.x + 10 * i; storageBarrier(); }
    }`;
  for (let seed = 0; seed < 20; seed++) {
    const bench = new Bench(source, {}, { workgroups: [4, 1, 1] });
    const { turns } = bench.run({ schedule: { kind: "random", seed }, record: true });
    const again = new Bench(source, {}, { workgroups: [4, 1, 1] });
    again.run({ schedule: { kind: "given", turns: turns! } });
    expect(again.u32("list")).toEqual(bench.u32("list"));
  }
});

test("a long turn goes on where it was cut", () => {
  const source = `
    @group(0) @binding(0) var<storage, read_write> cell: array<u32, 2>;
    @compute @workgroup_size(2) fn main(@builtin(local_invocation_index) lane: u32) {
      if (lane == 1) { cell[1] = cell[0]; return; }
      for (var i = 0u; i < 3000; i++) { for (var j = 0u; j < 100; j++) { } cell[0] = i; }
    }`;
  const bench = new Bench(source);
  bench.run({
    schedule: {
      kind: "given",
      turns: [
        { invocation: 0, accesses: 2800 },
        { invocation: 1, accesses: 9 },
      ],
    },
  });
  expect(bench.u32("cell")).toEqual([2999, 2799]);
});

/** Everything that there is to see of an execution. */
function stateOf(execution: Execution, memories: Iterable<Memory>): unknown {
  return {
    workgroups: execution.resident.map((workgroup) => ({
      ...workgroup.snapshot(),
      memories: workgroup.memories.map((memory) => [...memory.bytes]),
    })),
    statistics: { ...execution.statistics },
    memories: [...memories].map((memory) => [...memory.bytes]),
  };
}

describe("snapshots", () => {
  const source = `
    @group(0) @binding(0) var<storage, read_write> total: atomic<u32>;
    var<workgroup> tile: array<u32, 4>;
    @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
      var sum = id.x;
      for (var i = 0u; i < 3; i++) {
        tile[lane] = sum;
        workgroupBarrier();
        sum = 3 * sum + tile[(lane + 1) % 4];
        workgroupBarrier();
        let r = atomicCompareExchangeWeak(&total, sum, 5u);
        atomicAdd(&total, sum + r.old_value);
      }
    }`;

  test("taken anywhere, the rest runs as it did", () => {
    const bench = new Bench(source, {}, { workgroups: [3, 1, 1] });
    const memories = [...bench.memories.values()];
    const execution = new Execution(bench.module, { ...bench.request, weakFail: 0.5 });
    const scheduler = createScheduler({ kind: "random", seed: 11 });
    const turns: Turn[] = [];
    const snapshots: ReturnType<Execution["snapshot"]>[] = [];
    const states: unknown[] = [];
    for (let finished = false; !finished; ) {
      snapshots.push(execution.snapshot());
      states.push(stateOf(execution, memories));
      const turn: Turn[] = [];
      finished = runTurns(execution, scheduler, 1, turn);
      turns.push(...turn);
    }
    const end = stateOf(execution, memories);
    expect(turns.length).toBeGreaterThan(60);
    for (const index of [...turns.keys()].reverse()) {
      execution.restore(snapshots[index]);
      expect(stateOf(execution, memories)).toEqual(states[index]);
      if (index % 8 !== 0) continue;
      const rest = createScheduler({ kind: "given", turns: turns.slice(index) });
      while (!runTurns(execution, rest, 1000, null));
      expect(stateOf(execution, memories)).toEqual(end);
    }
  });

  test("go on under another schedule to another end", () => {
    const bench = new Bench(ORDER, { list: 4 * 8 }, { workgroups: [2, 1, 1] });
    const execution = new Execution(bench.module, bench.request);
    const start = execution.snapshot();
    const ends = [1, 2, 3].map((seed) => {
      execution.restore(start);
      while (!runTurns(execution, createScheduler({ kind: "random", seed }), 1000, null));
      return bench.u32("list").join();
    });
    expect(new Set(ends).size).toBe(3);
  });
});

describe("single steps", () => {
  test("stop at any instruction, and say where", () => {
    const bench = new Bench(LOST_UPDATE);
    const execution = new Execution(bench.module, bench.request);
    const workgroup = execution.startWorkgroup()!;
    expect(execution.pending(workgroup, 0)?.site.kind).toBe("read");
    expect(execution.step(workgroup, 0)).toBe("fuel");
    expect(execution.pending(workgroup, 0)).toBe(null);
    expect(execution.advance(workgroup, 0, 0)).toBe("turn");
    expect(execution.pending(workgroup, 0)).toMatchObject({ offset: 0, inBounds: true, site: { kind: "write" } });
    const [{ span }] = execution.place(workgroup, 0).calls;
    expect(LOST_UPDATE.slice(span.start, span.end)).toBe("count += 1");
    expect(execution.advance(workgroup, 0, 1)).toBe("end");
    expect(execution.advance(workgroup, 1, 2)).toBe("end");
    expect(execution.finished).toBe(true);
    expect(bench.u32("count")).toEqual([2]);
  });

  test("a pause inside a call names both places", () => {
    const source = `
      @group(0) @binding(0) var<storage, read_write> out: u32;
      fn put(value: u32) { out = value; }
      @compute @workgroup_size(1) fn main() { put(3u); }`;
    const bench = new Bench(source);
    const execution = new Execution(bench.module, bench.request);
    const workgroup = execution.startWorkgroup()!;
    execution.advance(workgroup, 0, 0);
    const places = execution.place(workgroup, 0).calls.map(({ span }) => source.slice(span.start, span.end));
    expect(places).toEqual(["out = value", "put(3u)"]);
  });
});

describe("the pool that is only a counter", () => {
  const pool = (name: string, seed: number) => {
    const bench = new Bench(example(name), { free: [1] });
    bench.run({ schedule: { kind: "random", seed } });
    return bench;
  };
  test("is corrupted under some seed", () => {
    const corrupted = Array.from({ length: 300 }, (_, seed) => seed).filter(
      (seed) => pool("pool-unsafe", seed).u32("free")[0] === 0xffffffff,
    );
    expect(corrupted.length).toBeGreaterThan(0);
  });
  test("is right in order", () => {
    const bench = new Bench(example("pool-unsafe"), { free: [1] });
    bench.run();
    expect([bench.u32("free"), bench.i32("got")]).toEqual([[0], [0, -1, -1]]);
  });
});
