/**
 * Pairs of places that race, as many as somebody reads. Lines that all race with each other are n (n + 1) / 2 pairs: of
 * so many, those of the first places are kept, and of each other place the first pair of each kind, so that each place
 * that races is told. Which these are hangs on the pairs alone and not on the order in which they are found, so that cells
 * may be looked at in parts; and as each is kept from the first time that it is seen, its count is that of all cells.
 */
import type { AccessSite } from "../engine/flat.ts";
import { MetSpots, type SpotOf } from "./met-spots.ts";
import { isOfOverrun, kindOf, orderAmong, orderOf, PAIR_KINDS, type PairKind, placesOf } from "./pair-keys.ts";
import type { Pair } from "./race-log.ts";
import type { Entry, Met, Scope, ScopeRoom } from "./race-scope.ts";
import { kindIn, mayMatter, meets, placesIn, waysIn } from "./who-met.ts";

/** Pairs that are kept, beside those by which places are told that have no other. */
const MOST_PAIRS = 2 ** 16;

/** Kinds that places are told of: those of `PairKind`, and that all write the same. */
const SLOTS = PAIR_KINDS.length + 1;
const SAME = PAIR_KINDS.length;
/** Slots of errors, which come first. */
const ERRORS = 3;

/** By what pairs are told as one. */
export type Pairs = ReadonlyMap<number, Pair>;

/** Pairs of spots that are not among those kept. */
export interface More {
  readonly races: number;
  readonly timing: number;
}

/** What is kept, and how much more there is. */
export interface FoundPairs {
  readonly pairs: readonly Pair[];
  readonly more: More;
}

const NO_MORE: More = { races: 0, timing: 0 };

export class PairStore implements ScopeRoom {
  readonly #pairs = new Map<number, Pair>();
  readonly #spotOf: SpotOf;
  readonly #most: number;
  /** Pairs up to this one are kept for their own sake. */
  #limit = Number.POSITIVE_INFINITY;
  /** The first pair of each place and kind, as `orderOf` has it. */
  #first: number[] = [];
  /** Pairs that there may be before they are thinned. */
  #room: number;
  /** All pairs of spots; null: they follow from those that are kept. */
  #met: MetSpots | null = null;
  /** By site: the pairs of lazy scopes with sites of lower numbers, by these: a look into `#pairs` takes too long where many meet at many cells. */
  readonly #rows = new Map<number, Pair[]>();

  constructor(spotOf: SpotOf = ({ id }) => id, most = MOST_PAIRS) {
    this.#spotOf = spotOf;
    this.#most = most;
    this.#room = 2 * most;
  }

  /** One for a part of the cells, to be added when it is done. What is known not to be wanted is not wanted there either. */
  part(): PairStore {
    const part = new PairStore(this.#spotOf, this.#most);
    part.#limit = this.#limit;
    part.#first = this.#first.slice();
    // Those that met have, whatever becomes of the part.
    part.#met = this.#met;
    return part;
  }

  get pairs(): Pairs {
    return this.#pairs;
  }

  /** So many that it is worth while to thin them. */
  get most(): number {
    return 2 * this.#most;
  }

  finish(): FoundPairs {
    this.thin(true);
    return { pairs: [...this.#pairs.values()], more: this.#more };
  }

  get #more(): More {
    if (this.#met === null) return NO_MORE;
    const told = new MetSpots(this.#spotOf);
    for (const [key, pair] of this.#pairs) told.mark(kindOf(key), pair.first.site, pair.second.site);
    const [met, known] = [this.#met.counts, told.counts];
    return { races: met.races - known.races, timing: met.timing - known.timing };
  }

  /** Whether a pair that is new has to be kept. */
  wants(key: number): boolean {
    const order = orderOf(key);
    if (order <= this.#limit) return true;
    const [low, high] = placesOf(key);
    const slot = slotOf(key);
    return order <= this.#firstOf(low, slot) || order <= this.#firstOf(high, slot);
  }

  set(key: number, pair: Pair): void {
    this.#pairs.set(key, pair);
    this.#noteFirst(key);
  }

  #noteFirst(key: number): void {
    const order = orderOf(key);
    const slot = slotOf(key);
    for (const place of placesOf(key)) {
      if (order < this.#firstOf(place, slot)) this.#first[place * SLOTS + slot] = order;
    }
  }

  #firstOf(place: number, slot: number): number {
    return this.#first[place * SLOTS + slot] ?? Number.POSITIVE_INFINITY;
  }

  /** Pairs of the site with that number and those with lower ones, in scopes of which all races are of the same value or not. */
  row(site: number, { isAcross }: Scope, overrun: boolean, allSame: boolean): (Pair | undefined)[] {
    const key = site * 8 + (isAcross ? 4 : 0) + (overrun ? 2 : 0) + (allSame ? 1 : 0);
    let row = this.#rows.get(key);
    if (row === undefined) {
      row = [];
      this.#rows.set(key, row);
    }
    return row;
  }

  /** Adds what was found at other cells. */
  add(part: PairStore): void {
    for (const [key, pair] of part.#pairs) {
      const known = this.#pairs.get(key);
      if (known !== undefined) known.count += pair.count;
      else if (this.wants(key)) this.set(key, pair);
    }
    if (part.#met !== null && part.#met !== this.#met) this.#all().add(part.#met);
    else if (this.#met !== null && part.#met === null)
      for (const [key, { first, second }] of part.#pairs) this.#met.mark(kindOf(key), first.site, second.site);
    this.thin(false);
  }

  // ---------------------------------------------------------------- more than are kept

  /** Whether a scope with so many places may have more pairs than it is useful to go through one by one. */
  isBeyond(places: number): boolean {
    return this.#met !== null || (places * (places + 1)) / 2 > this.#most;
  }

  /** Takes away what is too much: where more are to come, of enough to be worth while. */
  thin(isLast: boolean): void {
    if (this.#pairs.size <= (isLast ? this.#most : this.#room)) return;
    this.#all();
    this.#limit = Math.min(this.#limit, thin(this.#pairs, this.#most));
    this.#room = this.#pairs.size + this.#most;
    this.#rows.clear();
  }

  /** A scope that has too many pairs of its own keeps what is kept of all. */
  thinScope({ pairs, sameValue }: Scope): void {
    this.#mark(pairs!);
    const limit = thin(pairs!, this.#most);
    // As pairs of whom all write the same they would come later.
    if (sameValue) return;
    this.#limit = Math.min(this.#limit, limit);
    for (const key of pairs!.keys()) this.#noteFirst(key);
  }

  isNothing(key: number, a: AccessSite, b: AccessSite): boolean {
    return this.#met !== null && !this.wants(key) && this.#met.has(kindOf(key), a, b);
  }

  isTold(key: number): boolean {
    return this.#pairs.has(key);
  }

  /** Notes which met, before some of them are not kept. */
  noteMet(pairs: ReadonlyMap<number, Met>): void {
    if (this.#met !== null) this.#mark(pairs);
  }

  #mark(pairs: ReadonlyMap<number, Met>): void {
    const met = this.#all();
    for (const [kind, a, b] of pairs.values()) met.mark(kind, a.site, b.site);
  }

  #all(): MetSpots {
    if (this.#met === null) {
      this.#met = new MetSpots(this.#spotOf);
      for (const [key, { first, second }] of this.#pairs) this.#met.mark(kindOf(key), first.site, second.site);
    }
    return this.#met;
  }

  /**
   * Who met at a lazy scope, as far as it is kept: `keep` is called with each pair of places that is new or known, that of
   * the higher number first. All that met are noted.
   */
  eachKept(scope: Scope, allSame: boolean, keep: Keep): void {
    const places = placesIn(scope);
    this.#all().markScope(scope, places);
    const { isAcross, hasPlain, hasAtomics } = scope;
    const isMixed = hasPlain && hasAtomics;
    const ways = waysIn(scope);
    const ofKind = (kind: PairKind, isSame: boolean) =>
      this.#eachOfKind({ scope, places, kind, isSame, isMixed, ways }, keep);
    if (hasPlain) ofKind(isAcross ? "race-across-workgroups" : "race", allSame);
    if (hasAtomics) ofKind(isAcross ? "timing-across-workgroups" : "timing", false);
  }

  #eachOfKind(among: Among, keep: Keep): void {
    const { places, kind, isSame } = among;
    const orderIn = orderAmong(kind, isSame);
    const last = this.#eachOfTheFirst(among, orderIn, keep);
    const slot = isSame ? SAME : PAIR_KINDS.indexOf(kind);
    const firsts = firstPartners(among);
    for (const [i, { site }] of places.entries()) {
      const first = firsts[i];
      if (first === null) continue;
      const order = orderIn(site.id, first.partner.site.id, first.overrun);
      if (order < this.#firstOf(site.id, slot)) this.#first[site.id * SLOTS + slot] = order;
    }
    this.#eachOfTheOthers(among, slot, last, keep);
  }

  /** Those that are kept for their own sake; gives the last one that can be. */
  #eachOfTheFirst(among: Among, orderIn: OrderIn, keep: Keep): number {
    const { places, ways } = among;
    let left = this.#most;
    for (let i = 0; i < places.length; i++) {
      const a = places[i];
      for (let j = 0; j <= i; j++) {
        const b = places[j];
        for (const overrun of ways) {
          const order = orderIn(a.site.id, b.site.id, overrun);
          if (order > this.#limit) return this.#limit;
          if (!areMet(among, a, b, overrun)) continue;
          keep(a, b, overrun);
          // So many come before all others of this scope.
          if (--left === 0) return order;
        }
      }
    }
    return this.#limit;
  }

  /** Those behind the last of the first that are the first of a place. */
  #eachOfTheOthers(among: Among, slot: number, last: number, keep: Keep): void {
    const { places } = among;
    const at = new Map(places.map((place) => [place.site.id, place]));
    const kept = new Set<number>();
    for (const { site } of places) {
      const order = this.#firstOf(site.id, slot);
      if (order <= last || order === Number.POSITIVE_INFINITY || kept.has(order)) continue;
      kept.add(order);
      const [low, high] = placesOf(order).map((place) => at.get(place));
      const overrun = isOfOverrun(order);
      if (low !== undefined && high !== undefined && areMet(among, high, low, overrun)) keep(high, low, overrun);
    }
  }
}

/** Pairs of a kind among places of a scope, which are given by number of their sites. */
interface Among {
  readonly scope: Scope;
  readonly places: readonly Entry[];
  readonly kind: PairKind;
  readonly isSame: boolean;
  /** There are pairs of other kinds as well. */
  readonly isMixed: boolean;
  /** Whether different counters can have given places to those who met. */
  readonly ways: readonly boolean[];
}

type Keep = (a: Entry, b: Entry, overrun: boolean) => void;
type OrderIn = ReturnType<typeof orderAmong>;

function areMet({ scope, kind, isMixed }: Among, a: Entry, b: Entry, overrun: boolean): boolean {
  return (!isMixed || kindIn(scope, a.site, b.site) === kind) && meets(scope, a, b, overrun);
}

interface FirstPartner {
  readonly partner: Entry;
  readonly overrun: boolean;
}

function slotOf(key: number): number {
  return key % 2 === 1 ? SAME : PAIR_KINDS.indexOf(kindOf(key));
}

/** Takes away all but the first so many, and of each place the first one of each kind. Gives the last of the first. */
function thin(pairs: Map<number, unknown>, most: number): number {
  const orders = Float64Array.from(pairs.keys(), orderOf).sort();
  if (orders.length <= most) return Number.POSITIVE_INFINITY;
  const told = new Set<number>();
  const kept = new Set<number>();
  for (const [i, order] of orders.entries()) {
    const slot = slotOf(order);
    for (const place of placesOf(order)) {
      if (isTold(told, place, slot)) continue;
      told.add(place * SLOTS + slot);
      if (i >= most) kept.add(order);
    }
  }
  const limit = orders[most - 1];
  for (const key of pairs.keys()) {
    const order = orderOf(key);
    if (order > limit && !kept.has(order)) pairs.delete(key);
  }
  return limit;
}

/** That all write the same is not said of a place that races otherwise as well. */
function isTold(told: ReadonlySet<number>, place: number, slot: number): boolean {
  if (told.has(place * SLOTS + slot)) return true;
  if (slot !== SAME) return false;
  for (let error = 0; error < ERRORS; error++) if (told.has(place * SLOTS + error)) return true;
  return false;
}

/** Of each place the one with the lowest number that it met; null: nobody. */
function firstPartners(among: Among): readonly (FirstPartner | null)[] {
  const { places, ways } = among;
  // Those who read do not meet each other, and so on: where all of a place is so, they are not looked through.
  const byPart = new Map<number, Entry[]>();
  for (const place of places) {
    for (const part of partsOf(place)) {
      const alike = byPart.get(part);
      if (alike === undefined) byPart.set(part, [place]);
      else alike.push(place);
    }
  }
  return places.map((own) => {
    const parts = partsOf(own);
    let first: Entry | null = null;
    for (const [part, others] of byPart) {
      if (!parts.some((each) => mayMatter(each, part))) continue;
      const other = others.find((place) => ways.some((overrun) => areMet(among, own, place, overrun)));
      if (other !== undefined && (first === null || other.site.id < first.site.id)) first = other;
    }
    return first === null ? null : { partner: first, overrun: !areMet(among, own, first, false) };
  });
}

/** What is done at a place. */
function partsOf(place: Entry): readonly number[] {
  const parts: number[] = [];
  for (let entry: Entry | null = place; entry !== null; entry = entry.next) {
    if (!parts.includes(entry.part)) parts.push(entry.part);
  }
  return parts;
}
