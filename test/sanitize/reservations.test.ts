/** Places that counters give, against all pairs of accesses, on random programs that append: who ran into whose part, where. */
import { afterAll, describe, expect, test } from "vitest";
import type { AccessEvent, Observer } from "../../src/engine/observer.ts";
import { Random } from "../../src/engine/random.ts";
import { createWasmEngine } from "../../src/engine/wasm-engine/engine.ts";
import { nodeThreads } from "../../src/platform/node/threads.ts";
import { reservationsOf } from "../../src/sanitize/append-sites.ts";
import { atomicUses, instructionKey } from "../../src/sanitize/atomic-uses.ts";
import { MemoryMap } from "../../src/sanitize/memory-map.ts";
import { PairStore } from "../../src/sanitize/pair-store.ts";
import { suspectsOf } from "../../src/sanitize/part-look.ts";
import { PassOne } from "../../src/sanitize/pass-one.ts";
import { logPairs } from "../../src/sanitize/pass-two.ts";
import { judge, type Party, unordered } from "../../src/sanitize/race.ts";
import { type Pair, RaceLog } from "../../src/sanitize/race-log.ts";
import { Bench } from "../support/engine.ts";
import { ALL_CHECKS } from "./all-checks.ts";

const engine = createWasmEngine(nodeThreads, { workers: 1 });
const pass = PassOne.take(engine, ALL_CHECKS, 2 ** 26);
afterAll(() => {
  pass.close();
  engine.close();
});

const COUNT = 200;
/** Counters of which each place keeps accesses in any case. */
const FEW = 4;

interface AppendProgram {
  readonly source: string;
  readonly counters: number;
  readonly workgroups: number;
}

/** Lines that append, each to the part of a counter: beyond it, with a guard, and places that are given twice. */
function appendProgram(seed: number): AppendProgram {
  const random = new Random(seed);
  const pick = <T>(items: readonly T[]): T => items[random.below(items.length)];
  const counters = pick([2, 3, 4, 7]);
  const size = pick([1, 2, 3, 5]);
  const line = (): string => {
    const c = pick([
      `${random.below(counters)}u`,
      `id % ${counters}u`,
      `wg.x % ${counters}u`,
      `(id / 2u) % ${counters}u`,
    ]);
    const part = pick([1, 2, 3]);
    const list = pick(["list", "list", "tile"]);
    const behind = pick(["", "", " + 1u"]);
    const [counts, at] = list === "tile" ? ["own", "i"] : ["count", "i"];
    const use = pick([`${list}[${at}] = ${pick(["id", "1u"])};`, `sum += ${list}[${at}];`, `${list}[${at}] += 1u;`]);
    const guard = random.chance(0.3) ? `if (slot < ${pick([part, part + 1])}u) { ${use} }` : use;
    const undo = random.chance(0.3) ? `atomicSub(&${counts}[c], 1u);` : "";
    const append = `{ let c = ${c}; let slot = atomicAdd(&${counts}[c], 1u); let i = c * ${part}u + slot${behind}; ${guard} ${undo} }`;
    return pick([append, append, `if (id % 3u == ${random.below(3)}u) ${append}`]);
  };
  const between = (): string =>
    pick(["", "", "", "workgroupBarrier();", "storageBarrier();", "list[id % 3u] = 2u;", "tile[0] += 1u;"]);
  const body = Array.from({ length: 1 + random.below(5) }, () => `${line()}\n${between()}`).join("\n");
  const source = `
@group(0) @binding(0) var<storage, read_write> count: array<atomic<u32>, 8>;
@group(0) @binding(1) var<storage, read_write> list: array<u32, 128>;
var<workgroup> own: array<atomic<u32>, 8>;
var<workgroup> tile: array<u32, 128>;
@compute @workgroup_size(${size})
fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) wg: vec3u) {
  let id = wg.x * ${size}u + lane;
  var sum = 0u;
${body}
  _ = sum;
}`;
  return { source, counters, workgroups: pick([1, 2, 4, 9]) };
}

interface Noted extends Party {
  readonly memory: string;
  readonly site: number;
  /** The counter that its invocation came from. */
  readonly counter: number | null;
}

/** Sees all accesses that are not atomic, and whose place the last counter of their invocation gave. */
class AllPairs implements Observer {
  readonly #bench: Bench;
  readonly #noted: Noted[] = [];
  readonly #counters = new Map<string, number>();

  constructor(bench: Bench) {
    this.#bench = bench;
  }

  access({ site, workgroup, localIndex, offset, inBounds }: AccessEvent): void {
    if (!inBounds || site.root === null) return;
    const who = `${workgroup.index} ${localIndex}`;
    if (site.atomic === "atomicAdd") this.#counters.set(who, offset);
    if (site.kind !== "read" && site.kind !== "write") return;
    const { phases, index } = workgroup;
    const isShared = site.space === "workgroup";
    const givers = reservationsOf(this.#bench.module).get(instructionKey(site.function, site.instruction));
    this.#noted.push({
      kind: site.kind,
      workgroup: index,
      local: localIndex,
      epoch: isShared ? phases.workgroup : phases.storage,
      barriers: phases.workgroup + phases.storage + phases.texture,
      memory: `${site.root} ${offset} ${isShared ? index : ""}`,
      site: site.id,
      counter: givers === undefined ? null : this.#counters.get(who)!,
    });
  }

  /** By pair of places, and whether different counters gave them the place: at how many cells. */
  pairs(): ReadonlyMap<string, number> {
    const cells = new Map<string, Set<string>>();
    for (const [i, a] of this.#noted.entries()) {
      for (const b of this.#noted.slice(0, i)) {
        if (a.memory !== b.memory || judge(a, b) === "none") continue;
        const kind = unordered(a, b);
        const overrun = a.counter !== null && b.counter !== null && a.counter !== b.counter;
        const key = keyOf(kind, overrun, a.site, b.site);
        const where = kind === "race-across-workgroups" ? a.memory : `${a.memory} ${a.workgroup} ${a.epoch}`;
        cells.set(key, (cells.get(key) ?? new Set()).add(where));
      }
    }
    return new Map([...cells].map(([key, where]) => [key, where.size]));
  }
}

function keyOf(kind: string, overrun: boolean, a: number, b: number): string {
  return `${kind} ${overrun ? "overrun" : ""} ${Math.min(a, b)} ${Math.max(a, b)}`;
}

function counted(pairs: readonly Pair[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, overrun, first, second, count } of pairs) {
    if (kind.startsWith("timing")) continue;
    const key = keyOf(kind, overrun, first.site.id, second.site.id);
    counts.set(key, (counts.get(key) ?? 0) + count);
  }
  return counts;
}

const sorted = (counts: ReadonlyMap<string, number>, isWanted: (key: string) => boolean = () => true) =>
  [...counts].filter(([key]) => isWanted(key)).sort();

const isOverrun = (key: string): boolean => key.includes("overrun");

/** Gives how many were run into. */
async function compare(seed: number): Promise<number> {
  const { source, counters, workgroups } = appendProgram(seed);
  const bench = () => new Bench(source, {}, { workgroups: [workgroups, 1, 1] });
  const look = (await pass.run(bench().request, () => {}, "in-order"))!;
  const watched = bench();
  const map = new MemoryMap(watched.request);
  const store = new PairStore();
  const { module } = watched;
  const log = new RaceLog(map, suspectsOf(map, look.racy), atomicUses(module), reservationsOf(module), store);
  const oracle = new AllPairs(watched);
  watched.run({ observer: log });
  const again = bench();
  again.run({ observer: oracle });
  log.finish();
  const [found, expected] = [counted(store.finish().pairs), oracle.pairs()];
  const logged = await logPairs(engine, bench().request, look, () => {});
  expect(sorted(counted(logged!.pairs.pairs)), source).toEqual(sorted(found));
  if (counters <= FEW) expect(sorted(found), source).toEqual(sorted(expected));
  else {
    expect(sorted(found, isOverrun), source).toEqual(sorted(expected, isOverrun));
    for (const [key, count] of found) expect(count, source).toBeLessThanOrEqual(expected.get(key) ?? 0);
  }
  return sorted(expected, isOverrun).length;
}

describe("programs that append", () => {
  test.each([0, 1, 2, 3])("part %i", { timeout: 120_000 }, async (part) => {
    let overruns = 0;
    for (let seed = part * (COUNT / 4); seed < (part + 1) * (COUNT / 4); seed++) overruns += await compare(seed);
    expect(overruns).toBeGreaterThan(COUNT / 8);
  });
});
