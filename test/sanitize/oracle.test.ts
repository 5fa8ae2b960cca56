/** The two passes against all pairs of accesses, on random programs: the same cells, the same pairs of places. */
import { describe, expect, test } from "vitest";
import type { AccessSite } from "../../src/engine/flat.ts";
import type { Schedule } from "../../src/engine/schedule.ts";
import { NO_ATOMIC_USES } from "../../src/sanitize/atomic-uses.ts";
import { MemoryMap } from "../../src/sanitize/memory-map.ts";
import { RaceDetector } from "../../src/sanitize/race-detector.ts";
import { type Pair, RaceLog } from "../../src/sanitize/race-log.ts";
import type { Bench } from "../support/engine.ts";
import { Oracle, overlap } from "./oracle.ts";
import { benchOf, cellStart, memoryNames } from "./oracle-bench.ts";
import { randomProgram } from "./programs.ts";

const COUNT = 500;

function sitePair(kind: string, a: AccessSite, b: AccessSite): string {
  const [first, second] = [a.id, b.id].sort((x, y) => x - y);
  return `${kind} ${first} ${second}`;
}

/** Pairs of places with the number of cells (of each epoch of a workgroup) where they race; and all racing cells. */
function expected(bench: Bench, oracle: Oracle, mixed: ReadonlySet<string>) {
  const places = new Map<string, Set<string>>();
  const cells = new Set<string>();
  for (const { kind, a, b } of oracle.pairs()) {
    for (const byte of overlap(a, b)) {
      const type = bench.module.roots[a.site.root!].type;
      const cell = mixed.has(a.memory) ? byte - (byte % 4) : cellStart(type, byte);
      cells.add(`${a.memory.replace(/ of .*/, "")} ${cell}`);
      const epoch = a.site.space === "workgroup" ? a.workgroupBarriers : a.storageBarriers;
      const scope = kind === "race-across-workgroups" ? "" : ` in ${a.workgroup} after ${epoch}`;
      const key = sitePair(kind, a.site, b.site);
      places.set(key, (places.get(key) ?? new Set()).add(`${a.memory} ${cell}${scope}`));
    }
  }
  return { places: new Map([...places].map(([key, where]) => [key, where.size])), cells };
}

function found(pairs: readonly Pair[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const { kind, first, second, count } of pairs) {
    if (kind.startsWith("timing")) continue;
    const key = sitePair(kind, first.site, second.site);
    places.set(key, (places.get(key) ?? 0) + count);
  }
  return places;
}

function compare(seed: number, schedule: Schedule): boolean {
  const program = randomProgram(seed);
  const oracleBench = benchOf(program, schedule);
  const oracle = new Oracle(memoryNames(oracleBench));
  oracleBench.run({ observer: oracle });
  const bench = benchOf(program, schedule);
  const map = new MemoryMap(bench.request);
  const names = memoryNames(bench);
  const mixed = new Set(
    bench.module.roots.flatMap(({ id }) => (map.region(id)?.plan.mixed === true ? [names(id)] : [])),
  );
  const wanted = expected(oracleBench, oracle, mixed);
  const detector = new RaceDetector(map, NO_ATOMIC_USES);
  bench.run({ observer: detector });
  // The first pass: no racing cell is missed. It may suspect atomics beside.
  const suspected = new Set<string>();
  for (const { id } of bench.module.roots) {
    const region = map.region(id);
    if (region === null) continue;
    for (const cell of detector.suspects[region.area]) suspected.add(`${names(id)} ${cell << region.plan.shift}`);
  }
  const missed = [...wanted.cells].filter((cell) => !suspected.has(cell));
  expect(missed, program.source).toEqual([]);
  const atomics = new Set(bench.module.roots.flatMap(({ id, name }) => (/^[ws]a$/.test(name) ? [names(id)] : [])));
  const extra = [...suspected].filter((cell) => !wanted.cells.has(cell) && !atomics.has(cell.replace(/ [^ ]*$/, "")));
  expect(extra, program.source).toEqual([]);
  // The second pass: the same pairs of places, at as many cells.
  const again = benchOf(program, schedule);
  const log = new RaceLog(new MemoryMap(again.request), detector.suspects, NO_ATOMIC_USES, new Map());
  again.run({ observer: log });
  expect(found([...log.finish().values()]), program.source).toEqual(wanted.places);
  return wanted.places.size > 0;
}

describe("all pairs of accesses", () => {
  test.each([
    ["in order", { kind: "in-order" }],
    ["interleaved", { kind: "interleave" }],
    ["at random", { kind: "random", seed: 5 }],
  ] as const)(
    "%s",
    (_, schedule) => {
      let racy = 0;
      for (let seed = 1; seed <= COUNT; seed++) if (compare(seed, schedule)) racy++;
      // Of both kinds there are many.
      expect(racy).toBeGreaterThan(COUNT / 5);
      expect(racy).toBeLessThan((COUNT * 4) / 5);
    },
    120_000,
  );
});
