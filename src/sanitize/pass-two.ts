/**
 * Pass 2 on the wasm engine: runs a dispatch again, on one worker and in order, with the log of `log-pass.ts` in it, and
 * lets the judge of races read what was logged. Some workgroups at a time, so that the log stays small.
 */
import { product } from "../engine/builtin-values.ts";
import type { DispatchRequest, Engine } from "../engine/dispatch.ts";
import type { BufferBinding, Memory } from "../engine/memory.ts";
import type { RootId } from "../ir/ir.ts";
import { pushAll } from "../text/list.ts";
import { reservationsOf } from "./append-sites.ts";
import { atomicUses } from "./atomic-uses.ts";
import type { Wrapped } from "./counters.ts";
import { HEADER, mostStates } from "./log-code.ts";
import { ROUND_WORDS, WRAPPED } from "./log-counters.ts";
import { addLog, type LogModule } from "./log-pass.ts";
import { LogReader } from "./log-reader.ts";
import { MemoryMap } from "./memory-map.ts";
import { type FoundPairs, PairStore, type Pairs } from "./pair-store.ts";
import { suspectsOf } from "./part-look.ts";
import { type FirstLook, PATIENCE } from "./pass-one.ts";
import { type RunBudget, Runs, sizeOf } from "./portions.ts";
import { mayWait } from "./progress.ts";
import { mostKept, RaceLog } from "./race-log.ts";
import type { Watched } from "./report-races.ts";
import { cellCount } from "./shadow-types.ts";
import { TOLD } from "./tell-code.ts";
import { ending } from "./watchdog.ts";

/** Words of records at a time. */
const CAPACITY = 2 ** 20;
/**
 * How many records more than usual a range of workgroups may have, at least: if they do not fit, the log is begun anew with
 * more room. At first as many are taken to come as came before, if not 16 times as many workgroups go on.
 */
const CAUTION = [0, 2, 32] as const;
const GROWTH = 16;
/** Where not even the records of one workgroup fit, the cells are divided. */
const PARTS = 4;
/** Records that the judge is told of, at most: it takes its time for each. */
const MOST_TOLD = 2 ** 24;

/** Records of all runs: they take half a minute. It is seen after this part of the workgroups whether there will be more. */
const MOST_READ = 2 ** 30;
const ENOUGH = 64;

/** Accesses that all runs may have together: those of divided ones as many as some minutes have. */
const BUDGET = { usual: 2 ** 28, divided: 2 ** 32 };

/** What runs may take. */
export interface LogRoom {
  /** States of places that each of so many cells may have. */
  readonly states: (cells: number) => number;
  /** Places of cells that the judge may keep accesses of; left out: what is usual. */
  readonly kept?: number;
  readonly budget: RunBudget;
}

const ROOM: LogRoom = { states: mostStates, budget: BUDGET };

export interface OutsideFound {
  readonly count: number;
  /** Index of the first workgroup. */
  readonly workgroup: number;
}

export interface LoggedPairs {
  readonly pairs: FoundPairs;
  /** Counters that went beyond their ends. */
  readonly wrapped: readonly Wrapped[];
  /** Accesses that were out of bounds, by key of the instruction. */
  readonly outside: ReadonlyMap<string, OutsideFound>;
  /** null: all cells were looked at. */
  readonly watched: Watched | null;
  /** An invocation made so many accesses that on the interpreter others would have had their turns. */
  readonly isLong: boolean;
}

/**
 * Pairs of places at cells that race; null: the log does not hold them. `restore` brings the buffers back; in the end they
 * hold what the dispatch leaves.
 *
 * What it takes, whatever the program: 4 MiB of records, at most 64 MiB of states (`mostStates`), a word or a few beside
 * each word of the variables that it watches, and 256 MiB for what the judge keeps, beside the pairs themselves. What does
 * not fit is done in more runs: over other cells, or fewer workgroups.
 */
export async function logPairs(
  engine: Engine,
  request: DispatchRequest,
  { racy, counters, bounds, result }: FirstLook,
  restore: () => void,
  found: PairStore = new PairStore(),
  { states, kept, budget }: LogRoom = ROOM,
): Promise<LoggedPairs | null> {
  const { module, workgroups } = request;
  const accesses = result.statistics.sharedAccesses ?? 0;
  const map = new MemoryMap(request);
  // In the order of the areas of memory: the same as on the interpreter.
  const areaOf = (root: RootId) => map.region(root)!.area;
  const inOrder = [...racy].sort(([a], [b]) => areaOf(a) - areaOf(b));
  const runs = new Runs(inOrder, accesses, budget);
  const wrapped: Wrapped[] = [];
  const outside = new Map<string, OutsideFound>();
  let isLong = false;
  let caution = 0;
  // Counters and bounds are looked at in the first run, also where nothing races.
  let portion: RacyCells | null = runs.next ?? new Map();
  // Of the first one, which is the largest: all have the same module.
  const most = states(sizeOf(portion));
  for (let isFirst = true; portion !== null; portion = runs.next) {
    const more = { counters: isFirst && counters.length > 0, bounds: isFirst && bounds.length > 0 };
    const made = addLog(module, [...portion.keys()], { ...more, states: most });
    if (made === null) return null;
    restore();
    const log = DispatchLog.begin(engine, request, made, portion);
    if (log === null) return null;
    try {
      const part = found.part();
      const suspects = suspectsOf(map, portion);
      const judge = new RaceLog(
        map,
        suspects,
        atomicUses(module),
        reservationsOf(module),
        part,
        mostKept(portion, kept),
      );
      const mostRead = MOST_READ / Math.max(1, runs.count);
      const outcome = await log.run(judge, accesses / product(workgroups), CAUTION[caution], mostRead);
      if (outcome === "failed") return null;
      if (outcome === "full") {
        if (caution < CAUTION.length - 1) caution++;
        else if (sizeOf(portion) > 1 && accesses <= budget.divided) runs.divide(PARTS);
        else return null;
        continue;
      }
      if (typeof outcome === "number") {
        // One run alone would take too long, of some of the cells.
        if (accesses > budget.divided) return null;
        runs.divide(outcome);
        continue;
      }
      found.add(part);
      pushAll(wrapped, log.wrapped);
      for (const [key, where] of log.outside) outside.set(key, where);
      isLong ||= log.isLong;
      runs.made();
      isFirst = false;
    } finally {
      log.release();
    }
  }
  return { pairs: found.finish(), wrapped, outside, watched: runs.watched, isLong };
}

type RacyCells = FirstLook["racy"];

/** Words of the checker's own variables. */
function sizesOf({ module, bindings }: DispatchRequest, made: LogModule, racy: RacyCells): ReadonlyMap<RootId, number> {
  const cellsOf = (root: RootId) => cellCount(module.roots[root].type, bindings.get(root)?.size ?? 0);
  const sizes = new Map([
    [made.header, HEADER.words],
    [made.records, CAPACITY],
    [made.states, sizeOf(racy) * made.stateWords],
  ]);
  for (const { root, cells } of made.watched.values()) sizes.set(cells, cellsOf(root));
  if (made.outside !== null) sizes.set(made.outside.root, made.outside.numbers.size * TOLD.words);
  if (made.counters === null) return sizes;
  const ends = made.places.filter(({ kind }) => kind === "wrap").length;
  sizes.set(made.counters.wrapped, ends * WRAPPED.words);
  for (const [root, cells] of made.counters.rounds) sizes.set(cells, cellsOf(root) * ROUND_WORDS);
  return sizes;
}

class DispatchLog {
  readonly #engine: Engine;
  readonly #request: DispatchRequest;
  readonly #made: LogModule;
  readonly #memories: ReadonlyMap<RootId, Memory>;
  readonly #header: Uint32Array;
  readonly #records: Uint32Array;
  #cells = 0;
  #wraps: LogReader["wraps"] = [];

  private constructor(
    engine: Engine,
    request: DispatchRequest,
    made: LogModule,
    racy: RacyCells,
    memories: ReadonlyMap<RootId, Memory>,
  ) {
    this.#engine = engine;
    this.#request = request;
    this.#made = made;
    this.#memories = memories;
    this.#header = this.#words(made.header);
    this.#records = this.#words(made.records);
    for (const { root, cells } of made.watched.values()) {
      const where = this.#words(cells);
      for (const { cell } of racy.get(root)!) where[cell] = ++this.#cells;
    }
  }

  /** null: the engine has no room. */
  static begin(engine: Engine, request: DispatchRequest, made: LogModule, racy: RacyCells): DispatchLog | null {
    const memories = new Map<RootId, Memory>();
    try {
      for (const [root, words] of sizesOf(request, made, racy))
        memories.set(root, engine.allocate(Math.max(1, words) * 4));
    } catch (error) {
      for (const memory of memories.values()) engine.release(memory);
      if (!(error instanceof RangeError)) throw error;
      return null;
    }
    return new DispatchLog(engine, request, made, racy, memories);
  }

  #words(root: RootId): Uint32Array {
    const { buffer, byteOffset, byteLength } = this.#memories.get(root)!.bytes;
    return new Uint32Array(buffer, byteOffset, byteLength / 4);
  }

  release(): void {
    for (const memory of this.#memories.values()) this.#engine.release(memory);
  }

  get isLong(): boolean {
    return this.#header[HEADER.long] !== 0;
  }

  get outside(): readonly (readonly [string, OutsideFound])[] {
    const { outside } = this.#made;
    if (outside === null) return [];
    const words = this.#words(outside.root);
    return [...outside.numbers].flatMap(([key, number]) => {
      const [count, workgroup] = words.subarray(number * TOLD.words);
      return count === 0 ? [] : [[key, { count, workgroup }] as const];
    });
  }

  /** In the order in which they went there first. */
  get wrapped(): readonly Wrapped[] {
    const { counters, places } = this.#made;
    if (counters === null) return [];
    const words = this.#words(counters.wrapped);
    const sites = places.flatMap((place) => (place.kind === "wrap" ? [place.site] : []));
    return this.#wraps.map(({ end, ...first }) => {
      const [count, undo] = words.subarray(end * WRAPPED.words);
      return { ...first, count, undo: undo === 0 ? null : sites[2 * (undo - 1)] };
    });
  }

  /**
   * "full": not all records fit; a number: the judge would keep too much, and for so many parts of the cells it would not.
   * `accesses`: of a workgroup, about. `mostRead`: records.
   */
  async run(
    judge: RaceLog,
    accesses: number,
    caution: number,
    mostRead: number,
  ): Promise<Pairs | number | "full" | "failed"> {
    const { workgroups, module } = this.#request;
    const all = product(workgroups);
    const reader = new LogReader(this.#made, judge, workgroups, product(module.workgroupSize), this.#cells);
    const { recordWords } = this.#made;
    const most = Math.floor(CAPACITY / recordWords);
    const careful = Math.max(1, Math.floor(most / Math.max(2, caution) / Math.max(1, accesses)));
    let count = careful;
    let read = 0;
    for (let from = 0; from < all; ) {
      const to = Math.min(all, from + count);
      this.#header[HEADER.length] = 0;
      this.#header.fill(0, HEADER.start, HEADER.words);
      if (!(await this.#dispatch([from, to]))) return "failed";
      if (this.#header[HEADER.full] !== 0) return "full";
      const length = this.#header[HEADER.length];
      reader.read(this.#records.subarray(0, length * recordWords));
      read += length;
      const expected = to < all / ENOUGH ? 0 : (length / (to - from)) * (all - to);
      if (reader.told > MOST_TOLD || read + expected > mostRead) return "failed";
      if (judge.fullness > 1) return Math.ceil(judge.fullness * Math.min(4, all / to)) + 1;
      const usual = Math.floor((most / 2) * ((to - from) / Math.max(1, length)));
      count = caution > 0 ? careful : Math.max(1, Math.min(count * GROWTH, usual));
      from = to;
    }
    this.#wraps = reader.wraps;
    return reader.finish();
  }

  async #dispatch(range: readonly [number, number]): Promise<boolean> {
    const bindings = new Map<RootId, BufferBinding>(this.#request.bindings);
    for (const [root, memory] of this.#memories) bindings.set(root, { memory, offset: 0, size: memory.size });
    const { module } = this.#made;
    // Pass 1 has ended; in another order those may wait that did not.
    const { timeout = PATIENCE } = mayWait(this.#request.module) ? this.#request : ending(this.#request);
    const request = { ...this.#request, module, bindings, range, workers: 1, timeout };
    const { engine, status } = await this.#engine.dispatch(request);
    return engine === "wasm" && status === "ok";
  }
}
