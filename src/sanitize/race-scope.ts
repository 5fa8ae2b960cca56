/**
 * What the judge of races knows of one cell: who came to it from which places, in one epoch of a workgroup or from all
 * workgroups, and which places met so that nothing orders their accesses.
 */
import type { AccessSite } from "../engine/flat.ts";
import { isTiming, type PairKind, pairKey } from "./pair-keys.ts";
import { type AtomicRole, conflict, isAtomic, type Party, timingMatters, unordered, writes } from "./race.ts";
import {
  eachMayMeet,
  firstMeeting,
  haveMet,
  inTime,
  isOfNow,
  isSameWrite,
  type Meeting,
  partOf,
  whoOf,
} from "./who-met.ts";

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

/** What is kept of the pairs of scopes that have very many. */
export interface ScopeRoom {
  /** Pairs that a scope may have, about. */
  readonly most: number;
  /** Takes away what need not be kept. */
  thinScope(scope: Scope): void;
  /** Whether it is known of a pair that it met, and is not kept if not all write the same. */
  isNothing(key: number, a: AccessSite, b: AccessSite): boolean;
  /** Whether it is known of a pair how it met first. */
  isTold(key: number): boolean;
}

export interface Entry {
  /** Among those of its scope. */
  readonly index: number;
  readonly site: AccessSite;
  readonly role: AtomicRole;
  /** What its accesses do, as `partOf` has it. */
  readonly part: number;
  /** Of atomic stores each value has an entry, as equal ones do not matter. */
  readonly value: number;
  /** It is the first of its site. */
  readonly isFirst: boolean;
  /** Of the same site, the one that came next. */
  next: Entry | null;
  /** Of the first of a site: what is set there is known so well that no other value and nobody else says more. */
  isCovered: boolean;
  /** The second one sets the value of the entry as well, if it is of one: it may stand for all other values. */
  isSeveral: boolean;
  /** In this epoch since the last barrier of any kind, by two invocations … */
  first: Seen;
  second: Seen | null;
  /** When they came, in accesses to the scope. */
  firstAt: number;
  secondAt: number;
  /** … and before that, in the same epoch: the first since the barrier before, and two of all. */
  last: Seen | null;
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
  /** How many there are. */
  places: number;
  /** Accesses so far. */
  time: number;
  /** Barriers of all kinds that its workgroup has passed. */
  barriers: number;
  /** Not all are of one invocation, or workgroup. */
  isShared: boolean;
  hasAtomics: boolean;
  hasPlain: boolean;
  /**
   * There are no reservations, and nobody who came last: who met whom follows from the entries. So there are no `pairs`
   * but those from before the last barrier of another kind: a cell that many places come to has thousands.
   */
  isLazy: boolean;
  /** Barriers of another kind came between. */
  isAged: boolean;
  hasReservations: boolean;
  /** Of those who came last; null: there are none. */
  lasts: Entry[] | null;
  /** By `pairKey`; null: none yet. */
  pairs: Map<number, Met> | null;
  written: Seen | null;
  sameValue: boolean;
  /** Who took the cell by compare-exchange or exchange and has not set it since: setting it is giving it back. */
  owner: number;
}

/** Values of an atomic store that have entries in any case; others if they say more. */
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
    places: 0,
    time: 0,
    barriers: 0,
    isShared: false,
    hasAtomics: false,
    hasPlain: false,
    isLazy: true,
    isAged: false,
    hasReservations: false,
    lasts: null,
    pairs: null,
    written: null,
    sameValue: true,
    owner: -1,
  };
}

export function isOverrun(a: Seen, b: Seen): boolean {
  if (a.reservation === null || b.reservation === null) return false;
  return a.reservation.root === b.reservation.root && a.reservation.offset !== b.reservation.offset;
}

// ---------------------------------------------------------------- what one more access says

/** An access, before it is known whether it says something. */
export interface Coming {
  readonly site: AccessSite;
  readonly offset: number;
  /** Bits of the scalars afterwards. */
  readonly after: Int32Array;
}

/**
 * Tells the scope who owns the cell; of each access, before anything else. Gives the role that it has here: what an owner
 * sets is nobody's concern.
 */
export function roleIn(scope: Scope, { atomic }: AccessSite, role: AtomicRole, invocation: number): AtomicRole {
  if (role === "sets" && scope.owner === invocation) {
    scope.owner = -1;
    return "none";
  }
  const takes = atomic === "atomicCompareExchangeWeak" ? role === "changes" : role === "takes";
  if (takes) scope.owner = invocation;
  return role;
}

/**
 * Whether such an access can add nothing: its place is known by two invocations (or workgroups) already, so that it meets
 * nobody whom these have not met, and what it writes does not matter any more.
 */
export function isSettled(scope: Scope, coming: Coming, role: AtomicRole, who: number, barriers: number): boolean {
  const { site, after } = coming;
  const isPlain = !isAtomic(site.kind);
  if (
    scope.sameValue &&
    writes(site.kind) &&
    (isPlain || scope.hasReservations || !isWrittenAlike(scope.written, coming))
  )
    return false;
  const place = placeOf(scope, site);
  if (place === null) return false;
  const value = role === "sets" ? after[0] : 0;
  // There is more to hold it against than places.
  if (!scope.isLazy && role !== "none" && (scope.lasts !== null || scope.hasReservations)) return false;
  const entry = entryFor(scope, place, role, value, who);
  if (entry === null || isOtherPhase(scope, barriers)) return false;
  if (entry.second !== null) return true;
  return !isPlain && scope.isLazy && !scope.isAged && whoOf(scope, entry.first) === who;
}

function isWrittenAlike(written: Seen | null, { offset, after }: Coming): boolean {
  return written !== null && written.offset === offset && written.values.length === 1 && written.values[0] === after[0];
}

/** A barrier of another kind has come between. */
function isOtherPhase(scope: Scope, barriers: number): boolean {
  return !scope.isAcross && scope.barriers !== barriers;
}

/** An access in a workgroup, or among those of all; its role is that which it has in this scope. */
export function note(scope: Scope, seen: Seen): void {
  begin(scope, seen);
  if (!scope.isLazy) holdAgainstOthers(scope, seen);
  keep(scope, seen);
}

/** What an access says of the scope as a whole. */
function begin(scope: Scope, seen: Seen): void {
  if (writes(seen.kind)) {
    const { written } = scope;
    if (written === null) scope.written = seen;
    else if (!isSameWrite(written, seen)) scope.sameValue = false;
  }
  const { entries } = scope;
  if (entries.length > 0) {
    if (whoOf(scope, entries[0].first) !== whoOf(scope, seen)) scope.isShared = true;
    if (isOtherPhase(scope, seen.barriers)) endPhase(scope);
  }
  scope.barriers = seen.barriers;
  scope.time++;
  if (seen.reservation !== null) scope.hasReservations = true;
  if (scope.isLazy && (seen.reservation !== null || seen.byTheLast)) {
    noteMeetings(scope);
    scope.isLazy = false;
  }
}

// ---------------------------------------------------------------- entries

/** The first entry of a site; null: nobody came from there. */
function placeOf({ entries, bySite }: Scope, site: AccessSite): Entry | null {
  if (bySite !== null) return bySite.get(site.id) ?? null;
  for (const entry of entries) if (entry.site === site) return entry;
  return null;
}

/** The entry of a site for such accesses. */
function findEntry(place: Entry, role: AtomicRole, value: number): Entry | null {
  for (let entry: Entry | null = place; entry !== null; entry = entry.next) {
    if (entry.role === role && entry.value === value) return entry;
  }
  return null;
}

/** The entry that an access belongs to: what sets a value that is not needed belongs to that of the first value. null: a new one. */
function entryFor(scope: Scope, place: Entry, role: AtomicRole, value: number, who: number): Entry | null {
  const exact = findEntry(place, role, value);
  if (exact !== null || role !== "sets") return exact;
  return place.isCovered || !isNeeded(scope, place, who) ? firstValueOf(place) : null;
}

function firstValueOf(place: Entry): Entry | null {
  let entry: Entry | null = place;
  while (entry !== null && entry.role !== "sets") entry = entry.next;
  return entry;
}

/**
 * Whether one more value set at a place by `who` says something. It does if somebody else who sets a value might meet it
 * and none of those that are known: these are all his own, or set that same value.
 */
function isNeeded(scope: Scope, place: Entry, who: number): boolean {
  let values = 0;
  for (let entry: Entry | null = place; entry !== null; entry = entry.next) if (entry.role === "sets") values++;
  if (values < MOST_VALUES) return true;
  for (let entry: Entry | null = place; entry !== null; entry = entry.next) {
    const other = whoOf(scope, entry.first);
    if (entry.role === "sets" && other !== who && valuesOfOne(scope, place, other) >= values - 1) return true;
  }
  return false;
}

/** How many values nobody else set. */
function valuesOfOne(scope: Scope, place: Entry, who: number): number {
  let count = 0;
  for (let entry: Entry | null = place; entry !== null; entry = entry.next) {
    if (entry.role === "sets" && !isOfOthers(scope, entry, who)) count++;
  }
  return count;
}

function isOfOthers(scope: Scope, { value, first, second, olderFirst, olderSecond }: Entry, who: number): boolean {
  return [first, second, olderFirst, olderSecond].some(
    (seen) => seen !== null && seen.values[0] === value && whoOf(scope, seen) !== who,
  );
}

/** Nobody. */
const NOBODY = -1;

/** Keeps an access with its place if it is one of the first two there. */
function keep(scope: Scope, seen: Seen): void {
  const place = placeOf(scope, seen.site);
  const value = valueSetBy(seen);
  const known = place === null ? null : entryFor(scope, place, seen.role, value, whoOf(scope, seen));
  const entry = known ?? addEntry(scope, place, seen);
  if (!isOfNow(scope, entry)) {
    entry.first = seen;
    entry.firstAt = scope.time;
  } else if (entry.second === null && whoOf(scope, entry.first) !== whoOf(scope, seen)) {
    entry.second = seen;
    entry.secondAt = scope.time;
    entry.isSeveral = value === entry.value;
  }
  if (seen.role !== "sets") return;
  const first = place ?? entry;
  first.isCovered ||= !isNeeded(scope, first, NOBODY);
}

/** Of what sets one, as equal ones do not matter. */
function valueSetBy({ role, values }: Pick<Seen, "role" | "values">): number {
  return role === "sets" ? values[0] : 0;
}

function addEntry(scope: Scope, place: Entry | null, seen: Seen): Entry {
  const entry = newEntry(scope, seen, place === null);
  scope.entries.push(entry);
  if (isAtomic(seen.kind)) scope.hasAtomics = true;
  else scope.hasPlain = true;
  if (seen.byTheLast) {
    scope.lasts ??= [];
    scope.lasts.push(entry);
  }
  if (place !== null) {
    let last = place;
    while (last.next !== null) last = last.next;
    last.next = entry;
    return entry;
  }
  scope.places++;
  if (scope.bySite !== null) scope.bySite.set(seen.site.id, entry);
  else if (scope.entries.length >= MANY_ENTRIES) {
    scope.bySite = new Map();
    for (const each of scope.entries) if (each.isFirst) scope.bySite.set(each.site.id, each);
  }
  return entry;
}

function newEntry({ entries, time }: Scope, seen: Seen, isFirst: boolean): Entry {
  const { site, kind, role } = seen;
  return {
    index: entries.length,
    site,
    role,
    part: partOf(kind, role),
    value: valueSetBy(seen),
    isFirst,
    next: null,
    isCovered: false,
    isSeveral: false,
    first: seen,
    second: null,
    firstAt: time,
    secondAt: 0,
    last: null,
    olderFirst: null,
    olderSecond: null,
  };
}

// ---------------------------------------------------------------- barriers of another kind

/** What came in a workgroup before a barrier of another kind, and comes after it. */
function endPhase(scope: Scope): void {
  if (scope.isLazy) noteMeetings(scope);
  scope.isAged = true;
  for (const entry of scope.entries) age(entry);
}

function age(entry: Entry): void {
  for (const seen of [entry.first, entry.second]) {
    if (seen === null) continue;
    if (entry.olderFirst === null) entry.olderFirst = seen;
    else if (entry.olderSecond === null && entry.olderFirst.local !== seen.local) entry.olderSecond = seen;
  }
  // `first` stays, though it is among the older ones now, until there is a newer one.
  entry.last = entry.first;
  entry.second = null;
  entry.isSeveral = false;
}

/** Keeps the pairs that follow from the entries, where they will no longer. */
function noteMeetings(scope: Scope): void {
  if (!scope.isShared) return;
  const { room, sameValue } = scope;
  const fresh: Meeting[] = [];
  eachMayMeet(scope, (kind, a, b, whens) => {
    const key = pairKey(kind, a.site, b.site, false);
    if (scope.pairs?.has(key) === true || (!sameValue && room.isNothing(key, a.site, b.site))) return;
    if (!sameValue && room.isTold(key)) {
      // How they met first is known from elsewhere.
      if (haveMet(scope, a, b, whens)) setPair(scope, key, [kind, a.first, b.first]);
      return;
    }
    const meeting = firstMeeting(scope, a, b, whens);
    if (meeting !== null) fresh.push(meeting);
  });
  for (const { other, seen } of inTime(fresh)) addPair(scope, other, seen);
}

/** The pairs of a scope in which nobody comes any more; null: there are none, or they follow from the entries. */
export function pairsOf(scope: Scope): ReadonlyMap<number, Met> | null {
  if (scope.isLazy && scope.isAged) noteMeetings(scope);
  return scope.pairs;
}

// ---------------------------------------------------------------- pairs that do not follow from the entries

/** Adds the pairs of an access and those before it. Where as much is known of its place as there is, only who came last is new to it. */
function holdAgainstOthers(scope: Scope, seen: Seen): void {
  const others = isKnown(scope, seen) ? scope.lasts : scope.entries;
  for (const { first, second, olderFirst, olderSecond } of others ?? []) {
    if (!scope.isAcross) for (const other of [first, second, olderFirst, olderSecond]) hold(scope, other, seen);
    else hold(scope, first.workgroup !== seen.workgroup ? first : second, seen);
  }
}

function isKnown(scope: Scope, seen: Seen): boolean {
  const place = placeOf(scope, seen.site);
  // Whom a counter gave the place of another one is more than that they met.
  if (place === null || scope.hasReservations) return false;
  const entry = entryFor(scope, place, seen.role, valueSetBy(seen), whoOf(scope, seen));
  return entry !== null && entry.second !== null;
}

function hold(scope: Scope, other: Seen | null, seen: Seen): void {
  if (other === null || whoOf(scope, other) === whoOf(scope, seen) || isBehind(other, seen)) return;
  addPair(scope, other, seen);
}

/** The count has told the last one that atomics before it are through. */
function isBehind(earlier: Seen, later: Seen): boolean {
  return later.byTheLast && isAtomic(earlier.kind);
}

function addPair(scope: Scope, a: Seen, b: Seen): void {
  const verdict = unordered(a, b);
  if (verdict === "none") return;
  let kind: PairKind;
  if (conflict(a.kind, b.kind)) kind = verdict;
  else {
    if (!timingMatters(a.role, b.role)) return;
    if (a.role === "sets" && b.role === "sets" && isSameWrite(a, b)) return;
    kind = verdict === "race-across-workgroups" ? "timing-across-workgroups" : "timing";
  }
  // An overrun says more than the race that it is.
  const key = pairKey(kind, a.site, b.site, !isTiming(kind) && isOverrun(a, b));
  if (!scope.sameValue && scope.room.isNothing(key, a.site, b.site)) return;
  if (scope.pairs?.has(key) !== true) setPair(scope, key, [kind, a, b]);
}

function setPair(scope: Scope, key: number, met: Met): void {
  scope.pairs ??= new Map();
  scope.pairs.set(key, met);
  if (scope.pairs.size > scope.room.most) scope.room.thinScope(scope);
}
