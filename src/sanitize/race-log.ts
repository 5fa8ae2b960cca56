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
import {
  type AtomicRole,
  atomicRole,
  barriersPassed,
  conflict,
  epochOf,
  isAtomic,
  type Party,
  timingMatters,
  unordered,
  writes,
} from "./race.ts";

/** What is asked of a workgroup. */
export type Group = Pick<Workgroup, "index" | "id" | "size" | "phases">;
export type RaceEvent = Omit<AccessEvent, "workgroup" | "fault"> & { readonly workgroup: Group };

/** An access with what a report tells of it. */
export interface Seen extends Party {
  readonly site: AccessSite;
  readonly role: AtomicRole;
  /** Made by whoever came last: what was before does not matter, what comes after does. */
  readonly byTheLast: boolean;
  readonly workgroupId: readonly [number, number, number];
  /** Bytes from the start of the root variable. */
  readonly offset: number;
  /** Bits of the scalars afterwards: no typed array, which takes hundreds of bytes. */
  readonly values: readonly number[];
  /** Where the counter lies that gave this place; null: none did. */
  readonly reservation: { readonly root: number; readonly offset: number } | null;
}

export type PairKind = "race" | "race-across-workgroups" | "wrong-barrier" | "timing" | "timing-across-workgroups";

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
export function memoryOf({ site }: Seen): "workgroup" | "storage" {
  return site.space === "workgroup" ? "workgroup" : "storage";
}

/** By what pairs are told as one. */
export type Pairs = ReadonlyMap<number, Pair>;

/** Cells of an area that are looked at. */
export type SuspectCells = Pick<ReadonlySet<number>, "size" | "has">;

/** Puts together what was found in portions of the cells. */
export function addPairs(into: Map<number, Pair>, pairs: Pairs): void {
  for (const [key, pair] of pairs) {
    const known = into.get(key);
    if (known === undefined) into.set(key, pair);
    else known.count += pair.count;
  }
}

interface Entry {
  readonly site: AccessSite;
  readonly role: AtomicRole;
  /** Of atomic stores each value has an entry, as equal ones do not matter. */
  readonly value: number;
  /** In this epoch since the last barrier of any kind, by two invocations … */
  barriers: number;
  first: Seen;
  second: Seen | null;
  /** … and before that, in the same epoch. */
  olderFirst: Seen | null;
  olderSecond: Seen | null;
}

/** The first two accesses of a pair of places. */
type Met = readonly [PairKind, Seen, Seen];

/** Accesses of one cell that may be unordered: in one epoch of a workgroup, or of all workgroups. */
interface Scope {
  epoch: number;
  entries: Entry[];
  /** By `pairKey`; null: none yet. */
  pairs: Map<number, Met> | null;
  written: Seen | null;
  sameValue: boolean;
  /** Who took the cell by compare-exchange or exchange and has not set it since: setting it is giving it back. */
  owner: number;
}

/** What is known of a workgroup that has not ended. */
interface Within {
  readonly scopes: Map<number, Scope>;
  /** The barriers that it has passed. */
  readonly barriers: BarrierSite[];
}

/** Values of an atomic store that are told apart. */
const MOST_VALUES = 4;

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
  readonly #given = new Map<number, Map<string, { root: number; offset: number }>>();
  readonly #pairs = new Map<number, Pair>();
  /** Is told of each pair whenever it is counted. */
  counted: ((pair: Pair) => void) | null = null;

  constructor(
    map: MemoryMap,
    suspects: readonly SuspectCells[],
    uses: AtomicUses,
    reservations: ReadonlyMap<string, ReadonlySet<string>>,
  ) {
    this.#map = map;
    this.#suspects = suspects;
    this.#uses = uses;
    this.#reservations = reservations;
    this.#counterKeys = new Set([...reservations.values()].flatMap((keys) => [...keys]));
  }

  workgroupStarted(workgroup: Group): void {
    this.#within.set(workgroup, { scopes: new Map(), barriers: [] });
  }

  workgroupEnded(workgroup: Group): void {
    const { scopes, barriers } = this.#within.get(workgroup)!;
    for (const scope of scopes.values()) this.#flush(scope, barriers);
    this.#within.delete(workgroup);
    for (let local = 0; local < workgroup.size; local++) this.#given.delete(workgroup.index * workgroup.size + local);
  }

  barrier({ site, workgroup }: Pick<BarrierEvent, "site"> & { readonly workgroup: Group }): void {
    this.#within.get(workgroup)!.barriers.push(site);
  }

  access(event: RaceEvent): void {
    const { site, inBounds } = event;
    if (!inBounds || site.root === null) return;
    const key = this.#keyOf(site);
    if (this.#counterKeys.has(key)) this.#noteCounter(event, key);
    const region = this.#map.region(site.root);
    if (region === null) return;
    const suspects = this.#suspects[region.area];
    if (suspects.size === 0) return;
    const cells = this.#map.cellsOf(site, region);
    const first = cells.first(region.offset + event.offset);
    const role = this.#roleOf(event, key);
    let seen: Seen | null = null;
    for (let i = 0; i < cells.relative.length; i++) {
      const cell = first + cells.relative[i];
      if (!suspects.has(cell)) continue;
      const id = region.area * 2 ** 32 + cell;
      const scope = this.#scopeOf(event, id);
      const across = this.#map.areas[region.area].memory === null ? null : this.#acrossOf(id);
      // Most accesses add nothing to what is known, and are not looked at further.
      const isNews = !isSettled(scope, site, role, barriersPassed(event.workgroup.phases), false);
      if (!isNews && (across === null || isSettled(across, site, role, 0, true))) continue;
      seen ??= this.#seen(event, key, role);
      this.#note(event, seen, scope, across);
    }
  }

  /** All pairs of places, also of workgroups that have not ended. */
  finish(): Pairs {
    for (const { scopes, barriers } of this.#within.values()) {
      for (const scope of scopes.values()) this.#flush(scope, barriers);
    }
    for (const scope of this.#across.values()) this.#flush(scope, []);
    this.#within.clear();
    this.#across.clear();
    return this.#pairs;
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
    const given = this.#given.get(invocation) ?? new Map<string, { root: number; offset: number }>();
    given.set(key, { root: site.root!, offset });
    this.#given.set(invocation, given);
  }

  #reservation({ workgroup, localIndex }: RaceEvent, key: string): Seen["reservation"] {
    const counters = this.#reservations.get(key);
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

  #seen(event: RaceEvent, key: string, role: AtomicRole): Seen {
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
      values: Array.from(after.subarray(0, site.shape.offsets.length)),
      reservation: this.#reservation(event, key),
    };
  }

  #scopeOf({ workgroup, site }: RaceEvent, id: number): Scope {
    const { scopes, barriers } = this.#within.get(workgroup)!;
    const epoch = epochOf(site.space, workgroup.phases);
    let scope = scopes.get(id);
    if (scope === undefined || scope.epoch !== epoch) {
      if (scope !== undefined) this.#flush(scope, barriers);
      scope = newScope(epoch);
      scopes.set(id, scope);
    }
    return scope;
  }

  #acrossOf(id: number): Scope {
    let across = this.#across.get(id);
    if (across === undefined) {
      across = newScope(0);
      this.#across.set(id, across);
    }
    return across;
  }

  #note({ workgroup }: RaceEvent, seen: Seen, scope: Scope, across: Scope | null): void {
    noteInScope(scope, seen, workgroup.size, (entry) => {
      if (entry.barriers !== seen.barriers) age(entry, seen.barriers);
      return [entry.first, entry.second, entry.olderFirst, entry.olderSecond];
    });
    if (across !== null) noteAcross(across, seen, workgroup.size);
  }

  #flush({ pairs, sameValue }: Scope, barriers: readonly BarrierSite[]): void {
    if (pairs === null) return;
    const benign = sameValue && allPureWrites(pairs);
    for (const [placesKey, met] of pairs) {
      const isSame = benign && !isTiming(met[0]);
      const key = placesKey * 2 + (isSame ? 1 : 0);
      let pair = this.#pairs.get(key);
      if (pair === undefined) {
        pair = pairOf(met, isSame, barriers);
        this.#pairs.set(key, pair);
      }
      pair.count++;
      this.counted?.(pair);
    }
  }
}

function newScope(epoch: number): Scope {
  return { epoch, entries: [], pairs: null, written: null, sameValue: true, owner: -1 };
}

function pairOf([kind, a, b]: Met, sameValue: boolean, barriers: readonly BarrierSite[]): Pair {
  const [first, second] = inOrder(a, b);
  const overrun = !isTiming(kind) && isOverrun(a, b);
  const between =
    a.workgroup === b.workgroup && a.barriers !== b.barriers ? barriers[Math.min(a.barriers, b.barriers)] : null;
  return { kind, sameValue, overrun, first, second, barrier: between ?? null, count: 0 };
}

export function isTiming(kind: PairKind): boolean {
  return kind === "timing" || kind === "timing-across-workgroups";
}

function allPureWrites(pairs: ReadonlyMap<number, Met>): boolean {
  for (const [, a, b] of pairs.values()) if (!isPureWrite(a) || !isPureWrite(b)) return false;
  return true;
}

function isPureWrite({ kind }: Seen): boolean {
  return kind === "write" || kind === "atomic-write";
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

function isOverrun(a: Seen, b: Seen): boolean {
  if (a.reservation === null || b.reservation === null) return false;
  return a.reservation.root === b.reservation.root && a.reservation.offset !== b.reservation.offset;
}

/** What was seen before a barrier of another kind. */
function age(entry: Entry, barriers: number): void {
  for (const seen of [entry.first, entry.second]) {
    if (seen === null) continue;
    if (entry.olderFirst === null) entry.olderFirst = seen;
    else if (entry.olderSecond === null && entry.olderFirst.local !== seen.local) entry.olderSecond = seen;
  }
  // `first` stays, though it is among the older ones now, until there is a newer one.
  entry.barriers = barriers;
  entry.second = null;
}

/** Tells the scope of a write, and who owns the cell. The role of what an owner sets is nobody's concern. */
function update(scope: Scope, seen: Seen, invocation: number): Seen {
  if (writes(seen.kind)) {
    const { written } = scope;
    if (written === null) scope.written = seen;
    else if (!sameWrite(written, seen)) scope.sameValue = false;
  }
  if (seen.role === "sets" && scope.owner === invocation) {
    scope.owner = -1;
    return { ...seen, role: "none" };
  }
  const { atomic } = seen.site;
  const takes = atomic === "atomicCompareExchangeWeak" ? seen.role === "changes" : seen.role === "takes";
  if (takes) scope.owner = invocation;
  return seen;
}

function sameWrite(a: Seen, b: Seen): boolean {
  if (a.offset !== b.offset || a.values.length !== b.values.length) return false;
  for (let i = 0; i < a.values.length; i++) if (a.values[i] !== b.values[i]) return false;
  return true;
}

function noteInScope(
  scope: Scope,
  access: Seen,
  size: number,
  others: (entry: Entry) => readonly (Seen | null)[],
): void {
  const seen = update(scope, access, access.workgroup * size + access.local);
  for (const entry of scope.entries) {
    for (const other of others(entry)) {
      if (other === null || other.local === seen.local) continue;
      if (!isBehind(other, seen)) addPair(scope, other, seen);
    }
  }
  const value = seen.role === "sets" ? seen.values[0] : 0;
  const entry = findEntry(scope, seen.site, seen.role, value);
  if (entry === null) scope.entries.push(newEntry(seen, value));
  else if (entry.first.barriers !== seen.barriers) entry.first = seen;
  else if (entry.second === null && entry.first.local !== seen.local) entry.second = seen;
}

function noteAcross(scope: Scope, access: Seen, size: number): void {
  const seen = update(scope, access, access.workgroup * size + access.local);
  for (const { first, second } of scope.entries) {
    const other = first.workgroup !== seen.workgroup ? first : second;
    if (other === null || other.workgroup === seen.workgroup || isBehind(other, seen)) continue;
    addPair(scope, other, seen);
  }
  const value = seen.role === "sets" ? seen.values[0] : 0;
  const entry = findEntry(scope, seen.site, seen.role, value);
  if (entry === null) scope.entries.push(newEntry(seen, value));
  else if (entry.second === null && entry.first.workgroup !== seen.workgroup) entry.second = seen;
}

/** The count has told the last one that atomics before it are through. */
function isBehind(earlier: Seen, later: Seen): boolean {
  return later.byTheLast && isAtomic(earlier.kind);
}

function newEntry(seen: Seen, value: number): Entry {
  const { site, role, barriers } = seen;
  return { site, role, value, barriers, first: seen, second: null, olderFirst: null, olderSecond: null };
}

/** The entry for such accesses; of atomic stores of too many values the first. */
function findEntry(scope: Scope, site: AccessSite, role: AtomicRole, value: number): Entry | null {
  let count = 0;
  let any: Entry | null = null;
  for (const entry of scope.entries) {
    if (entry.site !== site || entry.role !== role) continue;
    if (entry.value === value) return entry;
    any ??= entry;
    count++;
  }
  return count >= MOST_VALUES ? any : null;
}

/**
 * Whether one more such access can add nothing: its place is known by two invocations (or workgroups) already, so that it
 * meets nobody whom these have not met, and what it writes does not matter any more.
 */
function isSettled(scope: Scope, site: AccessSite, role: AtomicRole, barriers: number, across: boolean): boolean {
  if (role !== "none" || (scope.sameValue && site.kind !== "read")) return false;
  const entry = findEntry(scope, site, role, 0);
  return entry !== null && entry.second !== null && (across || entry.barriers === barriers);
}

const PAIR_KINDS: readonly PairKind[] = [
  "race",
  "race-across-workgroups",
  "wrong-barrier",
  "timing",
  "timing-across-workgroups",
];

/** Pairs of places are numbered like the cells of a triangle: so that numbers are small, as maps like them. */
function pairKey(kind: PairKind, a: Seen, b: Seen, overrun: boolean): number {
  const [low, high] = a.site.id < b.site.id ? [a.site.id, b.site.id] : [b.site.id, a.site.id];
  return ((high * (high + 1)) / 2 + low) * 16 + PAIR_KINDS.indexOf(kind) * 2 + (overrun ? 1 : 0);
}

function addPair(scope: Scope, a: Seen, b: Seen): void {
  const verdict = unordered(a, b);
  if (verdict === "none") return;
  let kind: PairKind;
  if (conflict(a.kind, b.kind)) kind = verdict;
  else {
    if (!timingMatters(a.role, b.role)) return;
    if (a.role === "sets" && b.role === "sets" && sameWrite(a, b)) return;
    kind = verdict === "race-across-workgroups" ? "timing-across-workgroups" : "timing";
  }
  // An overrun says more than the race that it is.
  const key = pairKey(kind, a, b, !isTiming(kind) && isOverrun(a, b));
  scope.pairs ??= new Map();
  if (!scope.pairs.has(key)) scope.pairs.set(key, [kind, a, b]);
}
