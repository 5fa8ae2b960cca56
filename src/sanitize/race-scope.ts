/**
 * What the judge of races knows of one cell: who came to it from which places, in one epoch of a workgroup or from all
 * workgroups, and which places met so that nothing orders their accesses.
 */
import type { AccessSite } from "../engine/flat.ts";
import { type AtomicRole, conflict, isAtomic, type Party, timingMatters, unordered, writes } from "./race.ts";

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

/** What is kept of the pairs of scopes that have very many. */
export interface ScopeRoom {
  /** Pairs that a scope may have, about. */
  readonly most: number;
  /** Takes away what need not be kept. */
  thinScope(scope: Scope): void;
  /** Whether it is known of a pair that it met, and is not kept if not all write the same. */
  isNothing(key: number, a: AccessSite, b: AccessSite): boolean;
}

export interface Entry {
  /** Among those of its scope. */
  readonly index: number;
  readonly site: AccessSite;
  readonly role: AtomicRole;
  /** Of atomic stores each value has an entry, as equal ones do not matter. */
  readonly value: number;
  /** Of the same site, the one that came next. */
  next: Entry | null;
  /** In this epoch since the last barrier of any kind, by two invocations … */
  barriers: number;
  first: Seen;
  second: Seen | null;
  /** When they came, in accesses to the scope. */
  readonly firstAt: number;
  secondAt: number;
  /** … and before that, in the same epoch. */
  olderFirst: Seen | null;
  olderSecond: Seen | null;
}

/** The first two accesses of a pair of places. */
export type Met = readonly [PairKind, Seen, Seen];

/** Accesses of one cell that may be unordered: in one epoch of a workgroup, or of all workgroups. */
export interface Scope {
  /** Of all workgroups. */
  readonly isAcross: boolean;
  readonly epoch: number;
  readonly room: ScopeRoom;
  readonly entries: Entry[];
  /** The first of each site, by its number; null: they are few. */
  bySite: Map<number, Entry> | null;
  /** Accesses so far. */
  time: number;
  /** Not all are of one invocation, or workgroup. */
  isShared: boolean;
  /**
   * There are no atomics, reservations, barriers of another kind: who met whom follows from the entries. So there are no
   * `pairs`, of which a cell that many places come to has thousands.
   */
  isPlain: boolean;
  /** By `pairKey`; null: none yet. */
  pairs: Map<number, Met> | null;
  written: Seen | null;
  sameValue: boolean;
  /** Who took the cell by compare-exchange or exchange and has not set it since: setting it is giving it back. */
  owner: number;
}

/** Values of an atomic store that are told apart. */
const MOST_VALUES = 4;

/** Entries that are no longer looked through one by one. */
const MANY_ENTRIES = 64;

export function newScope(epoch: number, isAcross: boolean, room: ScopeRoom): Scope {
  return {
    isAcross,
    epoch,
    room,
    entries: [],
    bySite: null,
    time: 0,
    isShared: false,
    isPlain: true,
    pairs: null,
    written: null,
    sameValue: true,
    owner: -1,
  };
}

export function isTiming(kind: PairKind): boolean {
  return kind === "timing" || kind === "timing-across-workgroups";
}

export function isOverrun(a: Seen, b: Seen): boolean {
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

/** An access in a workgroup of `size` invocations. */
export function noteWithin(scope: Scope, access: Seen, size: number): void {
  const seen = begin(scope, access, size);
  if (!scope.isPlain) {
    for (const entry of scope.entries) {
      if (entry.barriers !== seen.barriers) age(entry, seen.barriers);
      for (const other of [entry.first, entry.second, entry.olderFirst, entry.olderSecond]) {
        if (other === null || other.local === seen.local) continue;
        if (!isBehind(other, seen)) addPair(scope, other, seen);
      }
    }
  }
  const entry = entryOf(scope, seen);
  if (entry.first.barriers !== seen.barriers) entry.first = seen;
  else if (entry.second === null && entry.first.local !== seen.local) join(scope, entry, seen);
}

/** Likewise, among those of all workgroups. */
export function noteAcross(scope: Scope, access: Seen, size: number): void {
  const seen = begin(scope, access, size);
  if (!scope.isPlain) {
    for (const { first, second } of scope.entries) {
      const other = first.workgroup !== seen.workgroup ? first : second;
      if (other === null || other.workgroup === seen.workgroup || isBehind(other, seen)) continue;
      addPair(scope, other, seen);
    }
  }
  const entry = entryOf(scope, seen);
  if (entry.second === null && entry.first.workgroup !== seen.workgroup) join(scope, entry, seen);
}

/** What an access says of the scope as a whole. */
function begin(scope: Scope, access: Seen, size: number): Seen {
  const seen = update(scope, access, access.workgroup * size + access.local);
  const first = scope.entries.length === 0 ? seen : scope.entries[0].first;
  scope.time++;
  if (whoOf(scope, first) !== whoOf(scope, seen)) scope.isShared = true;
  if (scope.isPlain && !staysPlain(scope, seen, first)) leavePlain(scope);
  return seen;
}

function join(scope: Scope, entry: Entry, seen: Seen): void {
  entry.second = seen;
  entry.secondAt = scope.time;
}

/** The entry that an access belongs to, with it in it where it is the first one. */
function entryOf(scope: Scope, seen: Seen): Entry {
  const value = seen.role === "sets" ? seen.values[0] : 0;
  const known = findEntry(scope, seen.site, seen.role, value);
  if (known !== null) return known;
  const entry = newEntry(seen, value, scope.entries.length, scope.time);
  scope.entries.push(entry);
  if (scope.bySite !== null) putBySite(scope.bySite, entry);
  else if (scope.entries.length === MANY_ENTRIES) {
    scope.bySite = new Map();
    for (const each of scope.entries) putBySite(scope.bySite, each);
  }
  return entry;
}

function putBySite(bySite: Map<number, Entry>, entry: Entry): void {
  let last = bySite.get(entry.site.id);
  if (last === undefined) bySite.set(entry.site.id, entry);
  else {
    while (last.next !== null) last = last.next;
    last.next = entry;
  }
}

/** The count has told the last one that atomics before it are through. */
function isBehind(earlier: Seen, later: Seen): boolean {
  return later.byTheLast && isAtomic(earlier.kind);
}

function newEntry(seen: Seen, value: number, index: number, firstAt: number): Entry {
  const { site, role, barriers } = seen;
  const others = { second: null, olderFirst: null, olderSecond: null, next: null };
  return { index, site, role, value, barriers, first: seen, firstAt, secondAt: 0, ...others };
}

/** The entry for such accesses; of atomic stores of too many values the first. */
function findEntry(scope: Scope, site: AccessSite, role: AtomicRole, value: number): Entry | null {
  let count = 0;
  let any: Entry | null = null;
  const { entries, bySite } = scope;
  let at = 0;
  for (let entry = bySite === null ? entries[0] : bySite.get(site.id); entry; ) {
    if (entry.site === site && entry.role === role) {
      if (entry.value === value) return entry;
      any ??= entry;
      count++;
    }
    entry = bySite === null ? entries[++at] : (entry.next ?? undefined);
  }
  return count >= MOST_VALUES ? any : null;
}

/**
 * Whether one more such access can add nothing: its place is known by two invocations (or workgroups) already, so that it
 * meets nobody whom these have not met, and what it writes does not matter any more.
 */
export function isSettled(
  scope: Scope,
  site: AccessSite,
  role: AtomicRole,
  barriers: number,
  across: boolean,
): boolean {
  if (role !== "none" || (scope.sameValue && site.kind !== "read")) return false;
  const entry = findEntry(scope, site, role, 0);
  return entry !== null && entry.second !== null && (across || entry.barriers === barriers);
}

/** Errors first. */
export const PAIR_KINDS: readonly PairKind[] = [
  "race",
  "race-across-workgroups",
  "wrong-barrier",
  "timing",
  "timing-across-workgroups",
];

// ---------------------------------------------------------------- plain scopes

export function whoOf({ isAcross }: Scope, { workgroup, local }: Seen): number {
  return isAcross ? workgroup : local;
}

/** Of two such accesses it is known without looking at others whether they are ordered. */
function isPlainAccess({ kind, reservation }: Seen): boolean {
  return !isAtomic(kind) && reservation === null;
}

function staysPlain({ isAcross }: Scope, seen: Seen, first: Seen): boolean {
  return isPlainAccess(seen) && (isAcross || seen.barriers === first.barriers);
}

/** From now on the pairs are kept. */
function leavePlain(scope: Scope): void {
  scope.isPlain = false;
  const met: Meeting[] = [];
  eachMet(scope, (a, b) => met.push(firstMeeting(scope, a, b)));
  for (const { other, seen } of inTime(met)) addPair(scope, other, seen);
}

/** When and how accesses of two places met first. */
export interface Meeting {
  readonly time: number;
  /** Of the entry of the earlier one. */
  readonly index: number;
  readonly other: Seen;
  readonly seen: Seen;
}

/** In the order in which they are found where each access is held against all before it. */
export function inTime(met: Meeting[]): readonly Meeting[] {
  return met.sort((a, b) => a.time - b.time || a.index - b.index);
}

/**
 * Places of a plain scope of which some accesses are not ordered, those with the higher number first. Of each place two
 * accesses by different ones (invocations, or workgroups) are known if there are such, and whoever came later met one of them.
 */
export function eachMet(scope: Scope, visit: (a: Entry, b: Entry) => void): void {
  if (!scope.isShared) return;
  const entries = bySite(scope.entries);
  for (let i = 0; i < entries.length; i++) {
    const a = entries[i];
    if (meets(scope, a, a)) visit(a, a);
    for (let j = 0; j < i; j++) if (meets(scope, a, entries[j])) visit(a, entries[j]);
  }
}

/** Whether some accesses of two places of a plain scope are not ordered, one of which writes. */
export function meets(scope: Scope, a: Entry, b: Entry): boolean {
  if (!writes(a.site.kind) && !writes(b.site.kind)) return false;
  return a.second !== null || b.second !== null || whoOf(scope, a.first) !== whoOf(scope, b.first);
}

/** As they are where that is their order, as in most programs. */
export function bySite(entries: readonly Entry[]): readonly Entry[] {
  for (let i = 1; i < entries.length; i++) {
    if (entries[i - 1].site.id > entries[i].site.id) return entries.toSorted((a, b) => a.site.id - b.site.id);
  }
  return entries;
}

/** How two entries that met did so first: in the order of time, with the first access of the other one if it can be. */
export function firstMeeting(scope: Scope, a: Entry, b: Entry): Meeting {
  let best: Meeting | null = null;
  const look = (seen: Seen | null, time: number, partner: Entry): void => {
    if (seen === null || (best !== null && best.time <= time)) return;
    const who = whoOf(scope, seen);
    const { index, first, firstAt, second, secondAt } = partner;
    if (firstAt < time && whoOf(scope, first) !== who) best = { time, index, other: first, seen };
    else if (second !== null && secondAt < time && whoOf(scope, second) !== who)
      best = { time, index, other: second, seen };
  };
  for (const [own, partner] of [
    [a, b],
    [b, a],
  ]) {
    look(own.first, own.firstAt, partner);
    look(own.second, own.secondAt, partner);
  }
  return best!;
}

/** Whether all that met in a shared scope are writes, if any met: a read there, and a write, is enough for some to have met. */
export function allWrite({ entries }: Scope): boolean {
  return entries.every(({ site }) => writes(site.kind));
}

// ---------------------------------------------------------------- other scopes

/** Pairs of places are numbered like the cells of a triangle: so that numbers are small, as maps like them. */
export function pairKey(kind: PairKind, a: Pick<Seen, "site">, b: Pick<Seen, "site">, overrun: boolean): number {
  return cellOf(a.site.id, b.site.id) * KEYS + PAIR_KINDS.indexOf(kind) * 4 + (overrun ? 2 : 0);
}

function cellOf(a: number, b: number): number {
  return a < b ? (b * (b + 1)) / 2 + a : (a * (a + 1)) / 2 + b;
}

/** The order of such pairs of plain scopes, by numbers of their sites: of all that there are. */
export function plainOrder(kind: PairKind, isSame: boolean): (a: number, b: number) => number {
  const least = orderOf(PAIR_KINDS.indexOf(kind) * 4 + (isSame ? 1 : 0));
  return (a, b) => cellOf(a, b) * KEYS + least;
}

/** The key of a pair of whom all write the same, or not. */
export function withSame(key: number, isSame: boolean): number {
  return isSame ? key + 1 : key;
}

/** Keys of each two places. */
const KEYS = 32;

export function kindOf(key: number): PairKind {
  return PAIR_KINDS[Math.floor(key / 4) % 8];
}

/** Greater than any key. */
const BEHIND = 2 ** 50;

/** Keys in the order of what is told first: errors, and of these first places. From each order its key can be had. */
export function orderOf(key: number): number {
  return key % 2 === 1 || isTiming(kindOf(key)) ? key + BEHIND : key;
}

/** Numbers of the sites of a pair, the lower one first. */
export function placesOf(key: number): readonly [number, number] {
  const number = Math.floor((key % BEHIND) / KEYS);
  let high = Math.floor((Math.sqrt(8 * number + 1) - 1) / 2);
  while ((high * (high + 1)) / 2 > number) high--;
  while (((high + 1) * (high + 2)) / 2 <= number) high++;
  return [number - (high * (high + 1)) / 2, high];
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
  if (!scope.sameValue && scope.room.isNothing(key, a.site, b.site)) return;
  scope.pairs ??= new Map();
  if (scope.pairs.has(key)) return;
  scope.pairs.set(key, [kind, a, b]);
  if (scope.pairs.size > scope.room.most) scope.room.thinScope(scope);
}
