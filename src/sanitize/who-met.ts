/**
 * Who met whom at a cell, so that nothing orders their accesses and it matters: it follows from what is kept of each
 * place. Of each place two accesses by different ones (invocations, or workgroups) are known if there are such, and
 * whoever came later met one of them.
 */
import type { AccessKind } from "../engine/flat.ts";
import type { PairKind } from "./pair-keys.ts";
import { type AtomicRole, conflict, timingMatters } from "./race.ts";
import type { Entry, Scope, Seen } from "./race-scope.ts";

export function whoOf({ isAcross }: Scope, { workgroup, local }: Seen): number {
  return isAcross ? workgroup : local;
}

// ---------------------------------------------------------------- what two parts are to each other

const ACCESS_KINDS: readonly AccessKind[] = ["read", "write", "atomic-read", "atomic-write", "atomic-rmw"];
const ROLES: readonly AtomicRole[] = ["sets", "takes", "changes", "looks", "decides", "none"];
const PARTS = ACCESS_KINDS.length * ROLES.length;

/** A number for what an access does, of which hangs what it is to others. */
export function partOf(kind: AccessKind, role: AtomicRole): number {
  return ACCESS_KINDS.indexOf(kind) * ROLES.length + ROLES.indexOf(role);
}

const RACE = 1;
const TIMING = 2;
/** Nothing hangs on which of two that set the same value comes first. */
const TIMING_UNLESS_EQUAL = 3;

/** By the parts of two that are not ordered: what that is; 0: nothing. It is asked of each two entries of each cell. */
const RELATIONS = Uint8Array.from({ length: PARTS * PARTS }, (_, at) => {
  const [[kind, role], [other, otherRole]] = [Math.floor(at / PARTS), at % PARTS].map(
    (part) => [ACCESS_KINDS[Math.floor(part / ROLES.length)], ROLES[part % ROLES.length]] as const,
  );
  if (conflict(kind, other)) return RACE;
  if (!timingMatters(role, otherRole)) return 0;
  return role === "sets" && otherRole === "sets" ? TIMING_UNLESS_EQUAL : TIMING;
});

/** Whether it matters of some of such parts that they are not ordered. */
export function mayMatter(part: number, other: number): boolean {
  return RELATIONS[part * PARTS + other] !== 0;
}

/** Whether it matters if accesses of two entries are not ordered. */
function matters(a: Entry, b: Entry): boolean {
  const relation = RELATIONS[a.part * PARTS + b.part];
  if (relation !== TIMING_UNLESS_EQUAL) return relation !== 0;
  return a.value !== b.value || a.first.offset !== b.first.offset;
}

/** Different counters gave them the place. */
export function isOverrun(a: Pick<Seen, "reservation">, b: Pick<Seen, "reservation">): boolean {
  if (a.reservation === null || b.reservation === null) return false;
  return a.reservation.root === b.reservation.root && a.reservation.offset !== b.reservation.offset;
}

/** What it is if two places of a scope met in one phase of a workgroup, or those of two. */
export function kindIn({ isAcross }: Scope, a: Pick<Seen, "kind">, b: Pick<Seen, "kind">): PairKind {
  if (conflict(a.kind, b.kind)) return isAcross ? "race-across-workgroups" : "race";
  return isAcross ? "timing-across-workgroups" : "timing";
}

export function isSameWrite(a: Seen, b: Seen): boolean {
  if (a.offset !== b.offset || a.values.length !== b.values.length) return false;
  for (let i = 0; i < a.values.length; i++) if (a.values[i] !== b.values[i]) return false;
  return true;
}

// ---------------------------------------------------------------- scopes in which no barrier of another kind came

/** The first entry of each place, by number of the sites: as they are where that is their order, as in most programs. */
export function placesIn({ entries, places }: Scope): readonly Entry[] {
  const firsts = entries.length === places ? entries : entries.filter(({ isFirst }) => isFirst);
  for (let i = 1; i < firsts.length; i++) {
    if (firsts[i - 1].site.id > firsts[i].site.id) return firsts.toSorted((a, b) => a.site.id - b.site.id);
  }
  return firsts;
}

/** Places of which some accesses met, those with the higher number first; by counters that ran into each other last. */
export function eachMet(scope: Scope, visit: (a: Entry, b: Entry, overrun: boolean) => void): void {
  if (!scope.isShared) return;
  const ways = waysIn(scope);
  const places = placesIn(scope);
  for (let i = 0; i < places.length; i++) {
    const a = places[i];
    for (let j = 0; j <= i; j++) {
      const b = places[j];
      for (const overrun of ways) if (meets(scope, a, b, overrun)) visit(a, b, overrun);
    }
  }
}

const USUAL: readonly boolean[] = [false];
const ALL_WAYS: readonly boolean[] = [false, true];

/** Whether different counters gave the place to those who met: not, and where that can be so as well. */
export function waysIn({ hasReservations }: Scope): readonly boolean[] {
  return hasReservations ? ALL_WAYS : USUAL;
}

/** Whether some accesses of two places met so, of which the first entries are given. */
export function meets(scope: Scope, a: Entry, b: Entry, overrun: boolean): boolean {
  if (a.next === null && b.next === null) return isMet(scope, a, b, overrun);
  for (let own: Entry | null = a; own !== null; own = own.next) {
    for (let other: Entry | null = b; other !== null; other = other.next) {
      if (isMet(scope, own, other, overrun)) return true;
    }
  }
  return false;
}

function isMet(scope: Scope, a: Entry, b: Entry, overrun: boolean): boolean {
  if (!matters(a, b) || isOverrun(a, b) !== overrun) return false;
  return a.isSeveral || b.isSeveral || whoOf(scope, a.first) !== whoOf(scope, b.first);
}

/** Whether not all accesses of a place are of one. */
export function isOfSeveral(scope: Scope, place: Entry): boolean {
  for (let entry: Entry | null = place; entry !== null; entry = entry.next) {
    if (entry.second !== null || whoOf(scope, entry.first) !== whoOf(scope, place.first)) return true;
  }
  return false;
}

/**
 * Whether all that met in a shared scope write and do nothing else, if there are races among it. Where there are no
 * atomics a read, and a write, is enough for some to have met.
 */
export function isAllWritten(scope: Scope): boolean {
  const { entries, hasAtomics, hasPlain } = scope;
  if (!hasPlain || entries.every(({ site }) => isPureWrite(site))) return hasPlain;
  if (!hasAtomics) return false;
  let isAll = true;
  eachMet(scope, (a, b) => {
    isAll &&= isPureWrite(a.site) && isPureWrite(b.site);
  });
  return isAll;
}

export function isPureWrite({ kind }: { readonly kind: AccessKind }): boolean {
  return kind === "write" || kind === "atomic-write";
}

// ---------------------------------------------------------------- how they met first

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

/** In the phase that goes on, or the later one in it and the earlier one before a barrier of another kind. */
type When = "now" | "before";

/** How two places met first: in the order of time, with the first access of the other one if it can be. null: they did not. */
export function firstMeeting(
  scope: Scope,
  a: Entry,
  b: Entry,
  overrun: boolean,
  whens: readonly When[] = NOW,
): Meeting | null {
  let best: Meeting | null = null;
  const look = (seen: Seen | null, time: number, partner: Entry): void => {
    if (seen === null) return;
    const { index } = partner;
    if (best !== null && (best.time < time || (best.time === time && best.index <= index))) return;
    const other = whomOf(scope, partner, seen, time, whens);
    if (other !== null) best = { time, index, other, seen };
  };
  const lookFor = (own: Entry, partner: Entry): void => {
    if (!isOfNow(scope, own)) return;
    look(own.first, own.firstAt, partner);
    look(own.second, own.secondAt, partner);
  };
  for (let own: Entry | null = a; own !== null; own = own.next) {
    for (let other: Entry | null = b; other !== null; other = other.next) {
      if (!mayMatter(own.part, other.part) || isOverrun(own, other) !== overrun) continue;
      lookFor(own, other);
      lookFor(other, own);
    }
  }
  return best;
}

/** Whom of an entry an access met that came at that time. */
function whomOf(scope: Scope, entry: Entry, seen: Seen, time: number, whens: readonly When[]): Seen | null {
  const isHere = isOfNow(scope, entry) && entry.firstAt < time;
  const { first, second, secondAt, last, olderFirst, olderSecond } = entry;
  for (const when of whens) {
    if (when === "before") {
      if (!isHere && isMetWith(scope, last, seen)) return last;
      if (isMetWith(scope, olderFirst, seen)) return olderFirst;
      if (isMetWith(scope, olderSecond, seen)) return olderSecond;
    } else if (isHere) {
      if (isMetWith(scope, first, seen)) return first;
      if (secondAt < time && isMetWith(scope, second, seen)) return second;
    }
  }
  return null;
}

/** Whether an entry has accesses of the phase that goes on. */
export function isOfNow(scope: Scope, { first }: Entry): boolean {
  return scope.isAcross || first.barriers === scope.barriers;
}

// ---------------------------------------------------------------- scopes in which such barriers came

const NOW: readonly When[] = ["now"];
const BEFORE: readonly When[] = ["before"];
const ANY: readonly When[] = ["now", "before"];

/** Two places that may have met, in one of these ways. */
type Visit = (kind: PairKind, a: Entry, b: Entry, overrun: boolean, whens: readonly When[]) => void;

/** Places that may have met in the phase that goes on, or one in it and the other before it. */
export function eachMayMeet(scope: Scope, visit: Visit): void {
  const { isAged } = scope;
  const places = placesIn(scope);
  const isHere = places.map((place) => isPlaceOfNow(scope, place));
  const ways = waysIn(scope);
  for (let i = 0; i < places.length; i++) {
    const a = places[i];
    for (let j = 0; j <= i; j++) {
      const b = places[j];
      if (!(isHere[i] || isHere[j]) || !haveToDo(a, b)) continue;
      const kind = kindIn(scope, a.site, b.site);
      for (const overrun of ways) {
        if (kind !== "race") visit(kind, a, b, overrun, isAged ? ANY : NOW);
        else {
          if (isHere[i] && isHere[j]) visit(kind, a, b, overrun, NOW);
          if (isAged) visit("wrong-barrier", a, b, overrun, BEFORE);
        }
      }
    }
  }
}

/** Whether two places met so; it takes less than to find how they did first. */
export function haveMet(scope: Scope, a: Entry, b: Entry, overrun: boolean, whens: readonly When[]): boolean {
  for (let own: Entry | null = a; own !== null; own = own.next) {
    for (let other: Entry | null = b; other !== null; other = other.next) {
      if (!mayMatter(own.part, other.part) || isOverrun(own, other) !== overrun) continue;
      for (const when of whens) {
        if (isMetBy(scope, own, other, when) || isMetBy(scope, other, own, when)) return true;
      }
    }
  }
  return false;
}

/** Whether accesses of this phase met another entry. */
function isMetBy(scope: Scope, own: Entry, other: Entry, when: When): boolean {
  if (!isOfNow(scope, own) || (when === "now" && !isOfNow(scope, other))) return false;
  for (let i = 0; i < 2; i++) {
    const seen = i === 0 ? own.first : own.second;
    if (seen === null) continue;
    if (when === "now") {
      if (isMetWith(scope, other.first, seen) || isMetWith(scope, other.second, seen)) return true;
    } else if (isMetWith(scope, other.olderFirst, seen) || isMetWith(scope, other.olderSecond, seen)) return true;
    else if (isMetWith(scope, other.last, seen)) return true;
  }
  return false;
}

/** Whether it matters that nothing orders two accesses, of entries of which some such matter. */
function isMetWith(scope: Scope, other: Seen | null, seen: Seen): boolean {
  if (other === null || whoOf(scope, other) === whoOf(scope, seen)) return false;
  // An entry may hold other values than its own.
  return other.role !== "sets" || seen.role !== "sets" || !isSameWrite(other, seen);
}

function isPlaceOfNow(scope: Scope, place: Entry): boolean {
  for (let entry: Entry | null = place; entry !== null; entry = entry.next) if (isOfNow(scope, entry)) return true;
  return false;
}

function haveToDo(a: Entry, b: Entry): boolean {
  for (let own: Entry | null = a; own !== null; own = own.next) {
    for (let other: Entry | null = b; other !== null; other = other.next) {
      if (mayMatter(own.part, other.part)) return true;
    }
  }
  return false;
}
