/**
 * Pass 2 as an observer: of the suspected cells it keeps who accessed them from where, and finds every pair of places
 * whose accesses are not ordered. Of each place a cell keeps the first two invocations of the epoch, and the first two
 * workgroups: enough to know whether some pair of accesses of two places is unordered.
 */
import type { AccessSite, BarrierSite } from "../engine/flat.ts";
import type { AccessEvent, BarrierEvent, Observer } from "../engine/observer.ts";
import type { Workgroup } from "../engine/workgroup.ts";
import { type AtomicUses, instructionKey } from "./atomic-uses.ts";
import type { MemoryMap } from "./memory-map.ts";
import { isTiming, type PairKind, pairKey, withSame } from "./pair-keys.ts";
import { PairStore, type Pairs } from "./pair-store.ts";
import { type Portion, sizeOf } from "./portions.ts";
import { type AtomicRole, atomicRole, barriersPassed, epochOf, isAtomic } from "./race.ts";
import {
  type Entry,
  isSettled,
  type Met,
  newScope,
  note,
  pairsOf,
  type Reservation,
  roleIn,
  type Scope,
  type Seen,
} from "./race-scope.ts";
import {
  eachMet,
  firstMeeting,
  inTime,
  isAllWritten,
  isOverrun,
  isPureWrite,
  kindIn,
  type Meeting,
  waysIn,
} from "./who-met.ts";

/** What is asked of a workgroup. */
export type Group = Pick<Workgroup, "index" | "id" | "size" | "phases">;
export type RaceEvent = Omit<AccessEvent, "workgroup" | "fault"> & { readonly workgroup: Group };

/** Two places whose accesses of some cells are not ordered; `first` stands first in the source. */
export interface Pair {
  readonly kind: PairKind;
  /** Everybody who takes part writes the same value. */
  readonly sameValue: boolean;
  /** Two writers to whom different counters gave the same place. */
  readonly overrun: boolean;
  readonly first: Seen;
  readonly second: Seen;
  /** The barrier of another kind that stands between them. */
  readonly barrier: BarrierSite | null;
  /** At how many cells. */
  count: number;
}

/** The kind of memory that it is in, as barriers tell them apart. */
export function memoryOf({ site }: Pick<Seen, "site">): "workgroup" | "storage" {
  return site.space === "workgroup" ? "workgroup" : "storage";
}

/** Cells of an area that are looked at. */
export type SuspectCells = Pick<ReadonlySet<number>, "size" | "has">;

/** What is known of a workgroup that has not ended. */
interface Within {
  readonly scopes: Map<number, Scope>;
  /** The barriers that it has passed. */
  readonly barriers: BarrierSite[];
}

/** Places of cells that the judge may keep accesses of, of up to a kilobyte each; where there are more, the cells are divided. */
const MOST_KEPT = 2 ** 18;
/** In so many parts at once. */
const MOST_PARTS = 32;

/** Of a portion of the cells: one by itself cannot be divided. */
export function mostKept(portion: Portion<unknown, unknown>, most = MOST_KEPT): number {
  return sizeOf(portion) > 1 ? most : Number.POSITIVE_INFINITY;
}

export class RaceLog implements Observer {
  readonly #map: MemoryMap;
  readonly #suspects: readonly SuspectCells[];
  readonly #uses: AtomicUses;
  readonly #reservations: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #counterKeys: ReadonlySet<string>;
  readonly #keys = new Map<AccessSite, string>();
  readonly #within = new Map<Group, Within>();
  readonly #across = new Map<number, Scope>();
  /** The last place that a counter gave each invocation, by counter. */
  readonly #given = new Map<number, Map<string, Reservation>>();
  readonly #store: PairStore;
  /** Places of which accesses are kept now, at all cells together, and at most. */
  #kept = 0;
  readonly #mostKept: number;
  #noted = 0;
  /** Is told of each pair whenever it is counted. */
  counted: ((pair: Pair) => void) | null = null;
  /** Where it is asked for places in memory alone, and no pairs: is told of each scope in which some met; null: of all workgroups. */
  unordered: ((scope: Scope, group: Group | null) => void) | null = null;

  constructor(
    map: MemoryMap,
    suspects: readonly SuspectCells[],
    uses: AtomicUses,
    reservations: ReadonlyMap<string, ReadonlySet<string>>,
    store = new PairStore(),
    mostKept = Number.POSITIVE_INFINITY,
  ) {
    this.#map = map;
    this.#suspects = suspects;
    this.#uses = uses;
    this.#reservations = reservations;
    this.#store = store;
    this.#mostKept = mostKept;
    this.#counterKeys = new Set([...reservations.values()].flatMap((keys) => [...keys]));
  }

  workgroupStarted(workgroup: Group): void {
    this.#within.set(workgroup, { scopes: new Map(), barriers: [] });
  }

  workgroupEnded(workgroup: Group): void {
    const { scopes, barriers } = this.#within.get(workgroup)!;
    for (const scope of scopes.values()) {
      this.#flush(scope, workgroup, barriers);
      this.#kept -= keptIn(scope);
    }
    this.#within.delete(workgroup);
    for (let local = 0; local < workgroup.size; local++) this.#given.delete(workgroup.index * workgroup.size + local);
  }

  barrier({ site, workgroup }: Pick<BarrierEvent, "site"> & { readonly workgroup: Group }): void {
    this.#within.get(workgroup)!.barriers.push(site);
  }

  /** How many times as much as it may would have to be kept so far: above 1 it has given up. */
  get fullness(): number {
    return this.#kept / this.#mostKept;
  }

  /** In how many parts the cells fit, about, if there are so many accesses in all. */
  partsOf(accesses: number): number {
    return Math.ceil(1.25 * Math.min(MOST_PARTS, accesses / Math.max(1, this.#noted))) + 1;
  }

  access(event: RaceEvent): void {
    const { site, inBounds } = event;
    if (!inBounds || site.root === null || this.fullness > 1) return;
    this.#noted++;
    const key = this.#keyOf(site);
    if (this.#counterKeys.has(key)) this.#noteCounter(event, key);
    const region = this.#map.region(site.root);
    if (region === null) return;
    const suspects = this.#suspects[region.area];
    if (suspects.size === 0) return;
    const cells = this.#map.cellsOf(site, region);
    const first = cells.first(region.offset + event.offset);
    const role = this.#roleOf(event, key);
    const reservation = this.#reservation(event, key);
    const { workgroup, localIndex } = event;
    const invocation = workgroup.index * workgroup.size + localIndex;
    const barriers = barriersPassed(workgroup.phases);
    let seen: Seen | null = null;
    for (let i = 0; i < cells.relative.length; i++) {
      const cell = first + cells.relative[i];
      if (!suspects.has(cell)) continue;
      const id = region.area * 2 ** 32 + cell;
      const scope = this.#scopeOf(event, id);
      const across = this.#map.areas[region.area].memory === null ? null : this.#acrossOf(id);
      const own = roleIn(scope, site, role, invocation);
      const other = across === null ? "none" : roleIn(across, site, role, invocation);
      // Most accesses add nothing to what is known, and are not looked at further.
      const isNews = !isSettled(scope, event, own, reservation, localIndex, barriers);
      if (!isNews && (across === null || isSettled(across, event, other, reservation, workgroup.index, 0))) continue;
      seen ??= this.#seen(event, key, role, reservation);
      this.#note(inRole(seen, own), scope);
      if (across !== null) this.#note(inRole(seen, other), across);
      if (this.fullness > 1) this.#forget();
    }
  }

  /** All pairs of places, also of workgroups that have not ended. */
  finish(): Pairs {
    for (const [group, { scopes, barriers }] of this.#within) {
      for (const scope of scopes.values()) this.#flush(scope, group, barriers);
    }
    for (const scope of this.#across.values()) this.#flush(scope, null, []);
    this.#within.clear();
    this.#across.clear();
    this.#store.thin(true);
    return this.#store.pairs;
  }

  #keyOf(site: AccessSite): string {
    let key = this.#keys.get(site);
    if (key === undefined) {
      key = instructionKey(site.function, site.instruction);
      this.#keys.set(site, key);
    }
    return key;
  }

  #noteCounter({ site, workgroup, localIndex, offset }: RaceEvent, key: string): void {
    const invocation = workgroup.index * workgroup.size + localIndex;
    const given = this.#given.get(invocation) ?? new Map<string, Reservation>();
    given.set(key, { root: site.root!, offset });
    this.#given.set(invocation, given);
  }

  #reservation({ site, workgroup, localIndex }: RaceEvent, key: string): Reservation | null {
    const counters = isAtomic(site.kind) ? undefined : this.#reservations.get(key);
    if (counters === undefined) return null;
    const given = this.#given.get(workgroup.index * workgroup.size + localIndex);
    for (const counter of counters) {
      const found = given?.get(counter);
      if (found !== undefined) return found;
    }
    return null;
  }

  #roleOf({ site, before, after }: RaceEvent, key: string): AtomicRole {
    if (!isAtomic(site.kind)) return "none";
    const result = this.#uses.goesOn.has(key) ? "goes-on" : this.#uses.decides.has(key) ? "decides" : "none";
    return atomicRole(site, result, before[0] !== after[0]);
  }

  #seen(event: RaceEvent, key: string, role: AtomicRole, reservation: Reservation | null): Seen {
    const { site, workgroup, localIndex, offset, after } = event;
    return {
      kind: site.kind,
      workgroup: workgroup.index,
      local: localIndex,
      epoch: epochOf(site.space, workgroup.phases),
      barriers: barriersPassed(workgroup.phases),
      site,
      role,
      byTheLast: this.#uses.byTheLast.has(key),
      workgroupId: workgroup.id,
      offset,
      values: firstOf(after, site.shape.offsets.length),
      reservation,
    };
  }

  #scopeOf({ workgroup, site }: RaceEvent, id: number): Scope {
    const { scopes, barriers } = this.#within.get(workgroup)!;
    const epoch = epochOf(site.space, workgroup.phases);
    let scope = scopes.get(id);
    if (scope === undefined || scope.epoch !== epoch) {
      if (scope !== undefined) {
        this.#flush(scope, workgroup, barriers);
        this.#kept -= keptIn(scope);
      }
      scope = newScope(epoch, false, this.#store);
      scopes.set(id, scope);
    }
    return scope;
  }

  #acrossOf(id: number): Scope {
    let across = this.#across.get(id);
    if (across === undefined) {
      across = newScope(0, true, this.#store);
      this.#across.set(id, across);
    }
    return across;
  }

  #note(seen: Seen, scope: Scope): void {
    const known = keptIn(scope);
    note(scope, seen);
    this.#kept += keptIn(scope) - known;
  }

  /** Nobody asks any more. */
  #forget(): void {
    this.#across.clear();
    for (const { scopes } of this.#within.values()) scopes.clear();
  }

  #flush(scope: Scope, group: Group | null, barriers: readonly BarrierSite[]): void {
    if (this.unordered === null) this.#flushPairs(scope, barriers);
    else if (haveSomeMet(scope)) this.unordered(scope, group);
  }

  #flushPairs(scope: Scope, barriers: readonly BarrierSite[]): void {
    const pairs = pairsOf(scope);
    if (scope.isLazy && !scope.isAged) this.#flushLazy(scope);
    else if (pairs !== null) {
      this.#store.noteMet(pairs);
      const benign = scope.sameValue && allPureWrites(pairs);
      for (const [placesKey, met] of pairs) {
        const isSame = benign && !isTiming(met[0]);
        const pair = this.#pairFor(withSame(placesKey, isSame), met, isSame, barriers);
        if (pair !== null) this.#count(pair);
      }
    }
    this.#store.thin(false);
  }

  #flushLazy(scope: Scope): void {
    if (!scope.isShared) return;
    const isSame = scope.sameValue && isAllWritten(scope);
    if (this.#store.isBeyond(scope.places)) this.#flushMany(scope, isSame);
    else this.#flushAll(scope, isSame);
  }

  #flushAll(scope: Scope, isSame: boolean): void {
    const fresh: Meeting[] = [];
    const known = this.#knownIn(scope, isSame);
    eachMet(scope, (a, b, overrun) => {
      const pair = known(a, b, overrun);
      if (pair === undefined) fresh.push(firstMeeting(scope, a, b, overrun)!);
      else this.#count(pair);
    });
    for (const meeting of inTime(fresh)) this.#count(this.#lazyPair(scope, isSame, meeting));
  }

  #flushMany(scope: Scope, isSame: boolean): void {
    const known = this.#knownIn(scope, isSame);
    this.#store.eachKept(scope, isSame, (a, b, overrun) => {
      const pair = known(a, b, overrun);
      this.#count(pair ?? this.#lazyPair(scope, isSame, firstMeeting(scope, a, b, overrun)!));
    });
  }

  /** Looks for pairs that are kept, one place after another. */
  #knownIn(scope: Scope, isSame: boolean): (a: Entry, b: Entry, overrun: boolean) => Pair | undefined {
    let [of, rows]: [number, readonly (readonly (Pair | undefined)[])[]] = [-1, []];
    return (a, b, overrun) => {
      if (a.site.id !== of) {
        of = a.site.id;
        rows = waysIn(scope).map((way) => this.#store.row(of, scope, way, isSame));
      }
      return rows[overrun ? 1 : 0][b.site.id];
    };
  }

  /** A pair that is wanted, and is found by its places from now on. */
  #lazyPair(scope: Scope, allSame: boolean, { other, seen }: Meeting): Pair {
    const kind = kindIn(scope, other, seen);
    const isSame = allSame && !isTiming(kind);
    const overrun = isOverrun(other, seen);
    const key = withSame(pairKey(kind, other.site, seen.site, overrun), isSame);
    const pair = this.#store.pairs.get(key) ?? this.#newPair(key, [kind, other, seen], isSame, []);
    const [low, high] = [other.site.id, seen.site.id].sort((a, b) => a - b);
    this.#store.row(high, scope, overrun, allSame)[low] = pair;
    return pair;
  }

  /** The pair of these places, which began with these accesses if it is new; null: it is not kept. */
  #pairFor(key: number, met: Met, isSame: boolean, barriers: readonly BarrierSite[]): Pair | null {
    const known = this.#store.pairs.get(key);
    if (known !== undefined) return known;
    return this.#store.wants(key) ? this.#newPair(key, met, isSame, barriers) : null;
  }

  #newPair(key: number, met: Met, isSame: boolean, barriers: readonly BarrierSite[]): Pair {
    const pair = pairOf(met, isSame, barriers);
    this.#store.set(key, pair);
    return pair;
  }

  #count(pair: Pair): void {
    pair.count++;
    this.counted?.(pair);
  }
}

/** In an array that has room for no more, as there are many of them. */
function firstOf(values: ArrayLike<number>, count: number): readonly number[] {
  const first = new Array<number>(count);
  for (let i = 0; i < count; i++) first[i] = values[i];
  return first;
}

/** Pairs of a scope that take as much as a place. */
const PAIRS_LIKE_A_PLACE = 8;

function haveSomeMet(scope: Scope): boolean {
  const pairs = pairsOf(scope);
  if (pairs !== null && pairs.size > 0) return true;
  let found = false;
  if (scope.isLazy && !scope.isAged) {
    eachMet(scope, () => {
      found = true;
    });
  }
  return found;
}

function inRole(seen: Seen, role: AtomicRole): Seen {
  return seen.role === role ? seen : { ...seen, role };
}

/** Places of which accesses are kept, and what takes as much. */
function keptIn(scope: Scope): number {
  return scope.entries.length + (scope.pairs === null ? 0 : scope.pairs.size / PAIRS_LIKE_A_PLACE);
}

function pairOf([kind, a, b]: Met, sameValue: boolean, barriers: readonly BarrierSite[]): Pair {
  const [first, second] = inOrder(a, b);
  const overrun = !isTiming(kind) && isOverrun(a, b);
  const between =
    a.workgroup === b.workgroup && a.barriers !== b.barriers ? barriers[Math.min(a.barriers, b.barriers)] : null;
  return { kind, sameValue, overrun, first, second, barrier: between ?? null, count: 0 };
}

function allPureWrites(pairs: ReadonlyMap<number, Met>): boolean {
  for (const [, a, b] of pairs.values()) if (!isPureWrite(a) || !isPureWrite(b)) return false;
  return true;
}

/** By place in the source, then by who made it. */
function inOrder(a: Seen, b: Seen): [Seen, Seen] {
  const difference =
    a.site.span.start - b.site.span.start ||
    a.site.span.end - b.site.span.end ||
    a.site.id - b.site.id ||
    a.workgroup - b.workgroup ||
    a.local - b.local;
  return difference <= 0 ? [a, b] : [b, a];
}
