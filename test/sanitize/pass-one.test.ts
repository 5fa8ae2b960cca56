/** Pass 1 on the wasm engine: it marks the cells that all pairs of accesses say race, whatever the number of workers. */
import { afterAll, describe, expect, test } from "vitest";
import { createWasmEngine } from "../../src/engine/wasm-engine/engine.ts";
import { verify } from "../../src/ir/verify.ts";
import { nodeThreads } from "../../src/platform/node/threads.ts";
import { atomicUses } from "../../src/sanitize/atomic-uses.ts";
import { CounterMonitor } from "../../src/sanitize/counters.ts";
import { MemoryMap } from "../../src/sanitize/memory-map.ts";
import { suspectsOf } from "../../src/sanitize/part-look.ts";
import { PassOne } from "../../src/sanitize/pass-one.ts";
import { RaceDetector } from "../../src/sanitize/race-detector.ts";
import { addShadow } from "../../src/sanitize/shadow-pass.ts";
import { Bench } from "../support/engine.ts";
import { ALL_CHECKS } from "./all-checks.ts";
import { Oracle, overlap } from "./oracle.ts";
import { benchOf, cellStart, memoryNames } from "./oracle-bench.ts";
import { randomProgram } from "./programs.ts";

const COUNT = 500;

const engines = [1, 2].map((workers) => createWasmEngine(nodeThreads, { workers }));
const passes = engines.map((engine) => PassOne.take(engine, ALL_CHECKS, 2 ** 26));
// As in modules with many accesses.
passes.push(PassOne.take(engines[1], { ...ALL_CHECKS, mostInline: 0 }, 2 ** 26));
afterAll(() => {
  for (const pass of passes) pass.close();
  for (const engine of engines) engine.close();
});

/** Variable and byte of each racy cell, straight from the rule; and how many accesses there are. */
function expected(bench: Bench) {
  const oracle = new Oracle(memoryNames(bench));
  const { statistics } = bench.run({ observer: oracle });
  const cells = new Set<string>();
  for (const { a, b } of oracle.pairs()) {
    const { name, type } = bench.module.roots[a.site.root!];
    for (const byte of overlap(a, b)) cells.add(`${name} ${cellStart(type, byte)}`);
  }
  return { cells: [...cells].sort(), accesses: statistics.sharedAccesses };
}

describe("all pairs of accesses", () => {
  test("in random programs", async () => {
    let [racy, left] = [0, 0];
    for (let seed = 1; seed <= COUNT; seed++) {
      const program = randomProgram(seed);
      const wanted = expected(benchOf(program));
      if (wanted.cells.length > 0) racy++;
      for (const pass of passes) {
        const bench = benchOf(program);
        const look = await pass.run(bench.request, () => {});
        // A buffer that is bound twice is not for this pass.
        expect(look === null, program.source).toBe(new Set(memoriesOf(bench)).size < memoriesOf(bench).length);
        if (look === null) {
          left++;
          continue;
        }
        const found = [...look.racy].flatMap(([root, cells]) =>
          cells.map(({ offset }) => `${bench.module.roots[root].name} ${offset}`),
        );
        // Clear-then-add and the like are for the second pass to judge.
        const isAtomic = (cell: string) => /^[ws]a /.test(cell);
        expect(found.filter((cell) => !isAtomic(cell)).sort(), program.source).toEqual(
          wanted.cells.filter((cell) => !isAtomic(cell)),
        );
        expect(found, program.source).toEqual(expect.arrayContaining(wanted.cells));
        expect(look.result.statistics.sharedAccesses, program.source).toBe(wanted.accesses);
      }
    }
    expect(racy).toBeGreaterThan(COUNT / 5);
    expect(racy).toBeLessThan((COUNT * 4) / 5);
    expect(left).toBeLessThan(COUNT);
  }, 170_000);
});

/** Small dispatches are one worker's; of these all take a share. */
const MANY_WORKGROUPS = 1500;

test("of many workgroups, those that the interpreter suspects", async () => {
  let compared = 0;
  for (let seed = 1000; seed < 1060; seed++) {
    const program = { ...randomProgram(seed), workgroups: MANY_WORKGROUPS };
    if (program.alias !== null) continue;
    const own = benchOf(program);
    const detector = new RaceDetector(new MemoryMap(own.request), atomicUses(own.module));
    own.run({ observer: detector });
    const inOrder = (cells: ReadonlySet<number>) => [...cells].sort((a, b) => a - b);
    for (const pass of passes) {
      const bench = benchOf(program);
      const look = await pass.run(bench.request, () => {});
      const found = suspectsOf(new MemoryMap(bench.request), look!.racy);
      expect(found.map(inOrder), program.source).toEqual(detector.suspects.map(inOrder));
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(50);
}, 120_000);

function memoriesOf({ request }: Bench) {
  return [...request.bindings.values()].map(({ memory }) => memory);
}

const COUNTED_HEAD = `
@group(0) @binding(0) var<storage, read_write> words: array<u32, 256>;
@group(0) @binding(1) var<storage, read_write> all: u32;
var<workgroup> a: array<u32, 32>;
fn half(i: u32) { a[i] = 1u; workgroupBarrier(); if (i > 3u) { return; } a[i] = 2u; }
fn whole(i: u32) { a[i] = 1u; workgroupBarrier(); _ = a[i ^ 1u]; }
`;

/** `flag` is the same for all invocations of a workgroup. */
test.each([
  "a[i] = 1u; workgroupBarrier(); words[i] = a[31u - i];",
  "if (flag > 2u) { return; } a[i] = 1u; workgroupBarrier(); _ = a[31u - i];",
  "if (flag > 2u) { a[i] = 1u; workgroupBarrier(); _ = a[3]; return; } workgroupBarrier(); _ = a[i];",
  "workgroupBarrier(); a[i] = 1u; if (i > 3u) { return; } a[i] = 2u; a[i] = 3u;",
  "if (flag > 2u) { workgroupBarrier(); a[i] = 1u; } else { if (i > 3u) { return; } a[i] = 2u; } a[i] = 3u;",
  "switch flag { case 1: { workgroupBarrier(); if (i > 3u) { break; } a[i] = 1u; } default: { a[i] = 2u; } } a[i] = 3u;",
  "for (var k = 0u; k <= flag; k++) { a[i] = k; workgroupBarrier(); if (flag == 2u) { break; } _ = a[31u - i]; }",
  "loop { a[i] = 1u; workgroupBarrier(); if (flag > 1u) { return; } _ = a[3]; if (flag < 2u) { break; } } a[i] = 5u;",
  "half(i); a[i] = 3u; workgroupBarrier(); half(31u - i); words[i] = 4u;",
  "whole(i); whole(31u - i); workgroupBarrier(); for (var k = 0u; k < i; k++) { _ = words[k]; } whole(i);",
  "let u = workgroupUniformLoad(&a[3]); if (u == 0u) { a[i] = 1u; workgroupBarrier(); } _ = a[3];",
])("counts accesses whoever makes them: %s", async (body) => {
  const source = `${COUNTED_HEAD}
    @compute @workgroup_size(32)
    fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) wg: vec3u) { let flag = wg.x % 4u; ${body} }`;
  const bench = new Bench(source, {}, { workgroups: [70, 1, 1] });
  const { statistics } = bench.run();
  for (const pass of passes) {
    const look = await pass.run(bench.request, () => {});
    expect(look?.result.statistics.sharedAccesses).toBe(statistics.sharedAccesses);
  }
});

const EDGES = [0, 1, 2, 0x7fff, 0xffff, 0x10000, 0x10001, 0x7fffffff, 0x80000000, 0xfffeffff, 0xffff0000, 0xfffffffe];
const NUMBERS = [...EDGES, 0xffffffff];

test.each([
  ["atomicAdd", "u32"],
  ["atomicSub", "u32"],
  ["atomicAdd", "i32"],
  ["atomicSub", "i32"],
])("counts what wraps: %s of %s", async (operation, type) => {
  const pairs = NUMBERS.flatMap((before) => NUMBERS.map((by) => [before, by]));
  const source = `
    @group(0) @binding(0) var<storage, read_write> sums: array<atomic<${type}>>;
    @group(0) @binding(1) var<storage, read> by: array<${type}>;
    @compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3u) { ${operation}(&sums[id.x], by[id.x]); }`;
  const words = (index: number) => Uint32Array.from(pairs.map((pair) => pair[index]));
  const bench = (): Bench =>
    new Bench(source, { sums: words(0), by: words(1) }, { workgroups: [pairs.length, 1, 1], timeout: 60_000 });
  const own = bench();
  const monitor = new CounterMonitor(own.module);
  own.run({ observer: { access: (event) => event.site.atomic !== null && monitor.access(event) } });
  const expectedCount = monitor.wrapped().reduce((sum, { count }) => sum + count, 0);
  expect(expectedCount).toBeGreaterThan(pairs.length / 10);
  for (const pass of passes) {
    const look = await pass.run(bench().request, () => {});
    expect(look?.counters.map(({ count }) => count)).toEqual([expectedCount]);
  }
});

test("what it makes of a program keeps the contract of the intermediate representation", () => {
  for (let seed = 1; seed <= 50; seed++) {
    const { module } = benchOf(randomProgram(seed));
    for (const options of [{}, { sites: true }, { mostInline: 0 }, { sites: true, mostInline: 0 }])
      expect(verify(addShadow(module, { ...ALL_CHECKS, ...options }).module)).toEqual([]);
  }
});
