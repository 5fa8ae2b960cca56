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
  isOverrun,
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
  readonly reservation: Reservation | null;
}

/** Where the counter lies that gave the place of an access that is not atomic; null: none did. */
export interface Reservation {
  readonly root: number;
  readonly offset: number;
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
  /** Of places that counters give each counter has an entry, as others than the own one matter more. */
  readonly reservation: Reservation | null;
  /** It is the first of its site. */
  readonly isFirst: boolean;
  /** Of the same site, the one that came next. */
  next: Entry | null;
  /** Of the first of its kind: that kind is known so well that no other value or counter and nobody else says more. */
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
   * There is nobody who came last: who met whom follows from the entries. So there are no `pairs` but those from before the
   * last barrier of another kind: a cell that many places come to has thousands.
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

/** Values of an atomic store, or counters, that have entries in any case; others if they say more. */
const MOST_ALIKE = 4;

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

// ---------------------------------------------------------------- what one more access says

/** An access, before it is known whether it says something. */
export interface Coming {
  readonly site: AccessSite;
  readonly offset: number;
  /** Bits of the scalars afterwards. */
  readonly after: Int32Array;
}

/** What tells entries of a place apart. */
type Trait = Pick<Entry, "role" | "value" | "reservation">;

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
export function isSettled(
  scope: Scope,
  coming: Coming,
  role: AtomicRole,
  reservation: Reservation | null,
  who: number,
  barriers: number,
): boolean {
  const { site, after } = coming;
  const isPlain = !isAtomic(site.kind);
  if (scope.sameValue && writes(site.kind) && (isPlain || !isWrittenAlike(scope.written, coming))) return false;
  const place = placeOf(scope, site);
  if (place === null) return false;
  const value = role === "sets" ? after[0] : 0;
  // There is more to hold it against than places.
  if (!scope.isLazy && role !== "none" && scope.lasts !== null) return false;
  const entry = entryFor(scope, place, { role, value, reservation }, who);
  if (entry === null || isOtherPhase(scope, barriers)) return false;
  if (entry.second !== null || !isOneCounter(entry.reservation, reservation)) return true;
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
  if (scope.isLazy && seen.byTheLast) {
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

/**
 * The entry that an access belongs to: one of a value or counter that is not needed belongs to the first of its kind. null:
 * a new one.
 */
function entryFor(scope: Scope, place: Entry, trait: Trait, who: number): Entry | null {
  let first: Entry | null = null;
  for (let entry: Entry | null = place; entry !== null; entry = entry.next) {
    if (!isOfKind(entry, trait)) continue;
    if (entry.value === trait.value && isOneCounter(entry.reservation, trait.reservation)) return entry;
    first ??= entry;
  }
  return first === null || first.isCovered || !isNeeded(scope, first, who) ? first : null;
}

/** Such accesses differ in values, or counters, alone. */
function isOfKind({ role, reservation }: Entry, trait: Trait): boolean {
  return role === trait.role && reservation?.root === trait.reservation?.root;
}

function isOneCounter(a: Reservation | null, b: Reservation | null): boolean {
  return a?.offset === b?.offset;
}

/**
 * Whether one more value or counter at a place by `who` says something. It does if somebody else with another one might meet
 * it and none of those that are known: these are all his own, or have what he has. `first` is the first of that kind.
 */
function isNeeded(scope: Scope, first: Entry, who: number): boolean {
  let count = 0;
  for (let entry: Entry | null = first; entry !== null; entry = entry.next)
    if (isKnownNow(scope, first, entry)) count++;
  if (count < MOST_ALIKE) return true;
  for (let entry: Entry | null = first; entry !== null; entry = entry.next) {
    const other = whoOf(scope, entry.first);
    if (isKnownNow(scope, first, entry) && other !== who && countOfOne(scope, first, other) >= count - 1) return true;
  }
  return false;
}

/** How many nobody else came with. */
function countOfOne(scope: Scope, first: Entry, who: number): number {
  let count = 0;
  for (let entry: Entry | null = first; entry !== null; entry = entry.next) {
    if (isKnownNow(scope, first, entry) && !isOfOthers(scope, entry, who)) count++;
  }
  return count;
}

/** A counter of which nothing was seen since a barrier of another kind does not stand for others. */
function isKnownNow(scope: Scope, first: Entry, entry: Entry): boolean {
  return isOfKind(entry, first) && (entry.reservation === null || isOfNow(scope, entry));
}

function isOfOthers(scope: Scope, { role, value, ...seen }: Entry, who: number): boolean {
  return [seen.first, seen.second, seen.olderFirst, seen.olderSecond].some(
    (each) => each !== null && (role !== "sets" || each.values[0] === value) && whoOf(scope, each) !== who,
  );
}

/** Nobody. */
const NOBODY = -1;

/** Keeps an access with its place if it is one of the first two there. */
function keep(scope: Scope, seen: Seen): void {
  const place = placeOf(scope, seen.site);
  const trait = traitOf(seen);
  const known = place === null ? null : entryFor(scope, place, trait, whoOf(scope, seen));
  const entry = known ?? addEntry(scope, place, seen);
  if (!isOneCounter(entry.reservation, seen.reservation)) return;
  if (!isOfNow(scope, entry)) {
    entry.first = seen;
    entry.firstAt = scope.time;
  } else if (entry.second === null && whoOf(scope, entry.first) !== whoOf(scope, seen)) {
    entry.second = seen;
    entry.secondAt = scope.time;
    entry.isSeveral = trait.value === entry.value;
  }
  if (seen.role !== "sets" && seen.reservation === null) return;
  let first = place ?? entry;
  while (!isOfKind(first, trait)) first = first.next!;
  first.isCovered ||= !isNeeded(scope, first, NOBODY);
}

function traitOf({ role, values, reservation }: Seen): Trait {
  return { role, value: role === "sets" ? values[0] : 0, reservation };
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
  const { site, kind } = seen;
  const { role, value, reservation } = traitOf(seen);
  return {
    index: entries.length,
    site,
    role,
    part: partOf(kind, role),
    value,
    reservation,
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
  if (entry.reservation !== null) entry.isCovered = false;
}

/** Keeps the pairs that follow from the entries, where they will no longer. */
function noteMeetings(scope: Scope): void {
  if (!scope.isShared) return;
  const { room, sameValue } = scope;
  const fresh: Meeting[] = [];
  eachMayMeet(scope, (kind, a, b, overrun, whens) => {
    const key = pairKey(kind, a.site, b.site, overrun);
    if (scope.pairs?.has(key) === true || (!sameValue && room.isNothing(key, a.site, b.site))) return;
    if (!sameValue && room.isTold(key)) {
      // How they met first is known from elsewhere.
      if (haveMet(scope, a, b, overrun, whens)) setPair(scope, key, [kind, a.first, b.first]);
      return;
    }
    const meeting = firstMeeting(scope, a, b, overrun, whens);
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
  if (place === null) return false;
  const entry = entryFor(scope, place, traitOf(seen), whoOf(scope, seen));
  return entry !== null && (entry.second !== null || !isOneCounter(entry.reservation, seen.reservation));
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
