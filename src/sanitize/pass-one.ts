/**
 * Pass 1 on the wasm engine: runs a dispatch with the code of `shadow-pass.ts` in it, on all workers, and says what there
 * is to look at again. Each worker has cells of its own, so that nobody waits; what two of them saw of one cell is put
 * together afterwards. What cannot be run so is left to the checkers on the interpreter.
 */
import { product } from "../engine/builtin-values.ts";
import type { DispatchRequest, DispatchResult, Engine } from "../engine/dispatch.ts";
import { type BufferBinding, clear, type Memory } from "../engine/memory.ts";
import { whyInterpreted } from "../engine/wasm/compile.ts";
import { interpreterReason } from "../engine/wasm-engine/fallback.ts";
import type { IrModule, RootId } from "../ir/ir.ts";
import { pushAll } from "../text/list.ts";
import { onceFor } from "../text/once.ts";
import { OperationCounts } from "./operation-counts.ts";
import { hangsOnOrder } from "./order-dependence.ts";
import { mayWait } from "./progress.ts";
import { AGAINST } from "./shadow.ts";
import { countWords, FOUND, MARK, PARAMETERS, PLACE } from "./shadow-code.ts";
import {
  addShadow,
  type Counted,
  countedPlaces,
  type LookedAt,
  type Shadowed,
  type ShadowModule,
  type ShadowOptions,
} from "./shadow-pass.ts";
import { cellCount, cellOffsets } from "./shadow-types.ts";
import { TOLD } from "./tell-code.ts";

/** What pass 1 saw. The buffers hold what the dispatch left in them. */
export interface FirstLook {
  readonly result: DispatchResult;
  /** Workers that took part. */
  readonly workers: number;
  /** Places where an index was out of bounds, or a sum wrapped. */
  readonly bounds: readonly WrongPlace[];
  readonly counters: readonly WrongPlace[];
  /** Accesses that race: the first workgroup of each and its partner, -1: several; and where another value is written. */
  readonly sites: readonly WrongPlace[];
  /** Of variables: cells that race, or may. */
  readonly racy: ReadonlyMap<RootId, readonly RacyCell[]>;
  /** Valid until the next dispatch. */
  readonly counts: OperationCounts;
}

export interface WrongPlace {
  /** Of the instruction. */
  readonly key: string;
  readonly count: number;
  /** Index of the first workgroup, of one worker in order. */
  readonly workgroup: number;
}

export interface RacyCell {
  /** Its number among those of the variable. */
  readonly cell: number;
  /** Byte of the variable. */
  readonly offset: number;
  /** Workgroups of the first two accesses that were found not to be ordered, as far as that is known. */
  readonly workgroups: readonly number[];
}

/** Stamps are u32. */
const STAMPS = 2 ** 32 - 1;
/** Milliseconds where the request names none: as the interpreter has. */
export const PATIENCE = 60_000;
/** … and where one loop or other may wait, though none was seen to. */
const IMPATIENCE = 20_000;
/** Epochs of storage that a workgroup may have. */
const MOST_EPOCHS = 2 ** 12;

interface Area {
  readonly memory: Memory;
  /** Bytes for one worker. */
  readonly size: number;
}

/** On all workers, unless that makes a difference; on one, in order; likewise, and it tells of each access that races. */
export type LookKind = "fast" | "in-order" | "sites";

type PassOptions = Omit<ShadowOptions, "only" | "sites" | "sharesCounts" | "isAlong">;

/** Counts of all addresses by place, in words; where there would be more, places share some. */
const MOST_COUNTS = 2 ** 24;

/** Bytes that are kept, for other modules too. */
const KEPT = 2 ** 26;
const idle = new WeakMap<Engine, PassOne[]>();

export class PassOne {
  readonly #engine: Engine;
  #options: PassOptions = { races: false, bounds: false, counters: false, counts: false };
  #mostBytes = 0;
  #modules = new WeakMap<ShadowModule, number>();
  #moduleCount = 0;
  /** By module and variable. They keep their stamps from dispatch to dispatch. */
  readonly #areas = new Map<string, Area>();
  #bytes = 0;
  #nextStamp = 1;

  private constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** One that nobody else uses, until it is given back. What it has of the engine's memory it keeps, if it is not much. */
  static take(engine: Engine, options: PassOptions, mostBytes: number): PassOne {
    const pass = idle.get(engine)?.pop() ?? new PassOne(engine);
    pass.#options = options;
    pass.#mostBytes = mostBytes;
    return pass;
  }

  giveBack(): void {
    if (this.#bytes > KEPT) this.close();
    const others = idle.get(this.#engine) ?? [];
    idle.set(this.#engine, [...others, this]);
  }

  close(): void {
    for (const { memory } of this.#areas.values()) this.#engine.release(memory);
    this.#areas.clear();
    this.#modules = new WeakMap();
    this.#bytes = 0;
  }

  /**
   * null: this dispatch is not for pass 1. Where the cells of all variables do not fit, it is run several times, each time
   * with those of some. `restore` brings the buffers back.
   */
  async run(request: DispatchRequest, restore: () => void, how: LookKind = "fast"): Promise<FirstLook | null> {
    if (!this.#isFit(request)) return null;
    const sites = how === "sites";
    const all = how !== "fast" || hangsOnOrder(request.module) ? 1 : (this.#engine.workers ?? 1);
    // Each worker has cells of its own.
    const choice = [all, 1].map((workers) => ({ workers, parts: this.#parts(request, workers) }));
    const { workers, parts } = choice.find((each) => each.parts !== null) ?? choice[1];
    if (parts === null) return null;
    const { module } = request;
    const racy = new Map<RootId, readonly RacyCell[]>();
    const places: WrongPlace[] = [];
    let look: FirstLook | null = null;
    for (const [i, only] of parts.entries()) {
      const isLast = i === parts.length - 1;
      if (i > 0) restore();
      // What is counted is counted once.
      const { races } = this.#options;
      const options = isLast ? this.#options : { races, bounds: false, counters: false, counts: false };
      const made = addShadow(module, {
        ...options,
        sites,
        sharesCounts: sharesCounts(request),
        only: parts.length === 1 ? null : only,
        isAlong: isAlong(request),
      });
      look = await this.#runPart(request, made, workers);
      if (look === null) return null;
      for (const [root, cells] of look.racy) racy.set(root, cells);
      pushAll(places, look.sites);
    }
    return { ...look!, racy, sites: places };
  }

  #isFit(request: DispatchRequest): boolean {
    if (this.#engine.name !== "wasm" || interpreterReason(request) !== null || isBoundTwice(request)) return false;
    return isCompiled(request.module);
  }

  /** Variables with cells, in portions that fit; null: one does not. What is not cells is little, or is all counts. */
  #parts(request: DispatchRequest, workers: number): readonly (readonly RootId[])[] | null {
    const made = addShadow(request.module, {
      ...this.#options,
      sites: false,
      sharesCounts: sharesCounts(request),
      only: null,
      isAlong: isAlong(request),
    });
    const counts = made.counted.reduce((sum, each) => sum + countBytes(request, each) * workers, 0);
    const most = this.#mostBytes - counts;
    const parts: RootId[][] = [[]];
    let used = 0;
    for (const each of made.shadowed) {
      const bytes = cellBytes(request, each, workers);
      if (bytes > most) return null;
      if (used + bytes > most) {
        parts.push([]);
        used = 0;
      }
      parts.at(-1)!.push(each.root);
      used += bytes;
    }
    return parts;
  }

  async #runPart(request: DispatchRequest, made: ShadowModule, workers: number): Promise<FirstLook | null> {
    const epochs = epochsOf(request, made);
    if (epochs === null || !isCompiled(made.module)) return null;
    const perWorkgroup = epochs * (product(request.module.workgroupSize) + 1);
    const stamps = 1 + product(request.workgroups) * perWorkgroup;
    const areas = this.#allocate(request, made, workers);
    if (areas === null) return null;
    if (this.#nextStamp + stamps > STAMPS) this.#startAnew();
    const first = this.#nextStamp;
    this.#nextStamp += stamps;
    words(areas.get(made.parameters)!).set([first, perWorkgroup], PARAMETERS.dispatch);
    for (const root of [made.found, made.told]) if (root !== null) words(areas.get(root)!).fill(0);
    const isPatient = !mayWait(request.module);
    const { timeout: own = PATIENCE } = request;
    const timeout = isPatient ? own : Math.min(own, IMPATIENCE);
    const result = await this.#engine.dispatch({ ...shadowedRequest(request, made, areas, workers), timeout });
    // One that did not end may wait for workgroups that get no turn here.
    if (result.engine !== "wasm" || (result.status !== "ok" && !isPatient)) return null;
    return new Reading(request, made, areas, workers, first, perWorkgroup).look(result);
  }

  /** All stamps are old ones again. */
  #startAnew(): void {
    for (const { memory } of this.#areas.values()) clear(memory.bytes);
    this.#nextStamp = 1;
  }

  // ---------------------------------------------------------------- memory

  /** null: the engine has no room. */
  #allocate(request: DispatchRequest, made: ShadowModule, workers: number): ReadonlyMap<RootId, Area> | null {
    const sizes = new Map<RootId, readonly [bytes: number, copies: number]>([
      [made.parameters, [PARAMETERS.words * 4, 1]],
      [made.found, [(FOUND.places + PLACE.words * made.places.length) * 4, workers]],
    ]);
    if (made.told !== null) sizes.set(made.told, [TOLD.words * made.places.length * 4, workers]);
    for (const each of made.shadowed) {
      const cells = cellsOf(request, each.root);
      sizes.set(each.marks, [cells * MARK.words * 4, 1]);
      if (each.space === "storage") sizes.set(each.shadow, [cells * each.classes.length * 4, workers]);
    }
    for (const each of made.counted) sizes.set(each.counts, [countBytes(request, each), workers]);
    const total = [...sizes.values()].reduce((sum, [bytes, copies]) => sum + bytes * copies, 0);
    const key = (root: RootId) => `${this.#numberOf(made)} ${root} ${sizes.get(root)!.join()}`;
    const isThere = [...sizes.keys()].every((root) => this.#areas.has(key(root)));
    if (!isThere && this.#bytes + total > Math.min(this.#mostBytes, KEPT)) this.close();
    try {
      return new Map([...sizes].map(([root, [bytes, copies]]) => [root, this.#area(key(root), bytes, copies)]));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.close();
      return null;
    }
  }

  #numberOf(made: ShadowModule): number {
    const number = this.#modules.get(made) ?? this.#moduleCount++;
    this.#modules.set(made, number);
    return number;
  }

  #area(key: string, bytes: number, copies: number): Area {
    let area = this.#areas.get(key);
    if (area === undefined) {
      area = { memory: this.#engine.allocate(Math.max(4, bytes * copies)), size: bytes };
      this.#areas.set(key, area);
      this.#bytes += area.memory.size;
    }
    return area;
  }
}

/** Reads what a dispatch has left in the variables of the checker. */
class Reading {
  readonly #request: DispatchRequest;
  readonly #made: ShadowModule;
  readonly #areas: ReadonlyMap<RootId, Area>;
  readonly #workers: number;
  readonly #first: number;
  readonly #perWorkgroup: number;
  readonly #found: Uint32Array;

  constructor(
    request: DispatchRequest,
    made: ShadowModule,
    areas: ReadonlyMap<RootId, Area>,
    workers: number,
    first: number,
    perWorkgroup: number,
  ) {
    this.#request = request;
    this.#made = made;
    this.#areas = areas;
    this.#workers = workers;
    this.#first = first;
    this.#perWorkgroup = perWorkgroup;
    this.#found = words(areas.get(made.found)!);
  }

  /** null: there were too few stamps. */
  look(result: DispatchResult): FirstLook | null {
    if (this.#words(FOUND.stamps).some((word) => word !== 0)) return null;
    const statistics = { ...result.statistics, sharedAccesses: this.#sum(FOUND.accesses) };
    return {
      result: { ...result, statistics },
      workers: this.#workers,
      bounds: this.#places("bounds"),
      counters: this.#places("counter"),
      sites: this.#told(),
      racy: this.#racy(),
      counts: this.#counts(),
    };
  }

  /** A word of `$found` of each worker. */
  #words(index: number): readonly number[] {
    const stride = this.#areas.get(this.#made.found)!.size / 4;
    return Array.from({ length: this.#workers }, (_, worker) => this.#found[worker * stride + index]);
  }

  /** A pair of words that is a sum, of all workers. */
  #sum(index: number): number {
    const sum = (word: number) => this.#words(word).reduce((a, b) => a + b, 0);
    return sum(index) + sum(index + 1) * 2 ** 32;
  }

  #places(kind: LookedAt["kind"]): readonly WrongPlace[] {
    return this.#made.places.flatMap((place, i) => {
      const at = FOUND.places + PLACE.words * i;
      const count = this.#sum(at + PLACE.count);
      if (place.kind !== kind || count === 0) return [];
      const first = ~Math.max(...this.#words(at + PLACE.first)) >>> 0;
      return [{ key: place.key, count, workgroup: this.#workgroup(first) }];
    });
  }

  #told(): readonly WrongPlace[] {
    const { told, places } = this.#made;
    if (told === null) return [];
    const found = words(this.#areas.get(told)!);
    return places.flatMap(({ key, kind }, i) => {
      const [count, first] = [found[TOLD.words * i + TOLD.count], found[TOLD.words * i + TOLD.first]];
      return TOLD_KINDS.has(kind) && count > 0 ? [{ key, count, workgroup: this.#workgroup(first) }] : [];
    });
  }

  #workgroup(stamp: number): number {
    return workgroupOf(stamp, this.#first, this.#perWorkgroup);
  }

  #racy(): ReadonlyMap<RootId, readonly RacyCell[]> {
    const racy = new Map<RootId, readonly RacyCell[]>();
    const isMarked = this.#words(FOUND.race).some((word) => word !== 0);
    for (const each of this.#made.shadowed) {
      const cells = new Map<number, readonly number[]>();
      if (isMarked) this.#marked(words(this.#areas.get(each.marks)!), cells);
      if (this.#workers > 1 && each.space === "storage") {
        const area = this.#areas.get(each.shadow)!;
        const stride = area.size / 4;
        const all = words(area).subarray(0, stride * this.#workers);
        const found = cellsOfSeveral(each, all, stride, this.#workers, this.#first);
        for (const cell of found) if (!cells.has(cell)) cells.set(cell, []);
      }
      if (cells.size === 0) continue;
      const offsetOf = cellOffsets(this.#request.module.roots[each.root].type);
      const inOrder = [...cells].sort(([a], [b]) => a - b);
      racy.set(
        each.root,
        inOrder.map(([cell, workgroups]) => ({ cell, offset: offsetOf(cell), workgroups })),
      );
    }
    return racy;
  }

  #marked(marks: Uint32Array, into: Map<number, readonly number[]>): void {
    for (let at = 0; at < marks.length; at += MARK.words) {
      if (marks[at + MARK.dispatch] !== this.#first) continue;
      const [own, other] = [this.#workgroup(marks[at + MARK.own]), this.#workgroup(marks[at + MARK.other])];
      into.set(at / MARK.words, other < 0 || other === own ? [own] : [own, other]);
    }
  }

  #counts(): OperationCounts {
    const counts = this.#made.counted.map(({ root, counts: at, places, sums }) => {
      const area = this.#areas.get(at)!;
      const stride = area.size / 4;
      const offsetOf = cellOffsets(this.#request.module.roots[root].type);
      return { root, places, sums, words: words(area).subarray(0, stride * this.#workers), stride, offsetOf };
    });
    const [first, perWorkgroup] = [this.#first, this.#perWorkgroup];
    return new OperationCounts(counts, first, (stamp) => workgroupOf(stamp, first, perWorkgroup));
  }
}

/** Of a stamp; -1: of several. `first`: of the dispatch. */
function workgroupOf(stamp: number, first: number, perWorkgroup: number): number {
  return stamp <= first ? -1 : Math.floor((stamp - first - 1) / perWorkgroup);
}

const TOLD_KINDS: ReadonlySet<LookedAt["kind"]> = new Set(["race", "race-with", "differs", "differs-with"]);

/** Whether the wasm engine can run it. */
const isCompiled = onceFor((module: IrModule) => whyInterpreted(module) === null);

function words({ memory }: Area): Uint32Array {
  const { buffer, byteOffset, byteLength } = memory.bytes;
  return new Uint32Array(buffer, byteOffset, byteLength / 4);
}

/** Its parts would have to share cells. */
function isBoundTwice({ module, bindings }: DispatchRequest): boolean {
  const written = new Set(module.roots.filter(({ access }) => access !== "read").map(({ id }) => id));
  const memories = new Map<Memory, number>();
  for (const { memory } of bindings.values()) memories.set(memory, (memories.get(memory) ?? 0) + 1);
  return [...bindings].some(([root, { memory }]) => written.has(root) && memories.get(memory)! > 1);
}

/** Whether there is more than one invocation along each axis. */
function isAlong({ module, workgroups }: DispatchRequest): ShadowOptions["isAlong"] {
  const [x, y, z] = module.workgroupSize.map((size, axis) => size * workgroups[axis] > 1);
  return [x, y, z];
}

function cellsOf({ module, bindings }: DispatchRequest, root: RootId): number {
  return cellCount(module.roots[root].type, bindings.get(root)?.size ?? 0);
}

function cellBytes(request: DispatchRequest, { root, space, classes }: Shadowed, workers: number): number {
  const words = MARK.words + (space === "storage" ? classes.length * workers : 0);
  return cellsOf(request, root) * words * 4;
}

function countBytes(request: DispatchRequest, counted: Counted): number {
  return cellsOf(request, counted.root) * countWords(counted) * 4;
}

function sharesCounts(request: DispatchRequest): boolean {
  let words = 0;
  for (const [root, places] of countedPlaces(request.module))
    words += cellsOf(request, root) * countWords({ places, sums: places.length });
  return words > MOST_COUNTS;
}

/** Of storage, for each workgroup; null: there are too many workgroups for that. */
function epochsOf({ module, workgroups }: DispatchRequest, { epochs }: ShadowModule): number | null {
  const each = product(workgroups) * (product(module.workgroupSize) + 1);
  const most = Math.floor((STAMPS / 2 - 2) / Math.max(1, each));
  if (epochs === null) return most >= 2 ? Math.min(most, MOST_EPOCHS) : null;
  return epochs <= most ? epochs : null;
}

function shadowedRequest(
  request: DispatchRequest,
  { module, found, told, shadowed, counted }: ShadowModule,
  areas: ReadonlyMap<RootId, Area>,
  workers: number,
): DispatchRequest {
  const bindings = new Map<RootId, BufferBinding>(request.bindings);
  for (const [root, { memory, size }] of areas) bindings.set(root, { memory, offset: 0, size });
  const perWorker = new Set([
    found,
    ...(told === null ? [] : [told]),
    ...shadowed.map(({ shadow }) => shadow),
    ...counted.map(({ counts }) => counts),
  ]);
  return { ...request, module, bindings, workers, perWorker, tallies: new Set([found]) };
}

/** Cells of which two workers saw accesses, in this dispatch, that have to be ordered. */
function cellsOfSeveral(
  { classes }: Shadowed,
  all: Uint32Array,
  stride: number,
  workers: number,
  first: number,
): readonly number[] {
  const found: number[] = [];
  const width = classes.length;
  const against = classes.map((kind) => AGAINST[kind].map((other) => classes.indexOf(other)).filter((at) => at >= 0));
  for (let cell = 0; cell < stride; cell += width) {
    let seen = 0;
    for (let worker = 0; worker < workers && seen < 2; worker++) {
      const at = worker * stride + cell;
      for (let i = 0; i < width; i++) {
        if (all[at + i] < first) continue;
        seen++;
        break;
      }
    }
    if (seen === 2 && areUnordered(all, cell, stride, against, first)) found.push(cell / width);
  }
  return found;
}

/** Whether two workers saw accesses of a cell of classes that have to be ordered: `against`, by class. */
function areUnordered(
  all: Uint32Array,
  cell: number,
  stride: number,
  against: readonly (readonly number[])[],
  first: number,
): boolean {
  for (let one = cell; one < all.length; one += stride) {
    for (const [i, others] of against.entries()) {
      if (all[one + i] < first) continue;
      for (let two = cell; two < all.length; two += stride) {
        if (two !== one && others.some((other) => all[two + other] >= first)) return true;
      }
    }
  }
  return false;
}
