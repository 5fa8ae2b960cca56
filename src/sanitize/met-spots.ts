/**
 * Which spots of a source met, a bit for each two: of lines that all race with each other there are millions of pairs, of
 * which few are kept, and all are counted.
 */
import type { AccessSite } from "../engine/flat.ts";
import { isTiming, type PairKind } from "./pair-keys.ts";
import { writes } from "./race.ts";
import type { Entry, Scope } from "./race-scope.ts";
import { eachMet, isOfSeveral, kindIn, whoOf } from "./who-met.ts";

/** A number for what of a source is told as one: low ones, as far as there are such. */
export type SpotOf = (site: AccessSite) => number;

/** Spots that are told apart: 16 MiB of bits for each kind. Pairs with others are not counted. */
const MOST_SPOTS = 2 ** 14;
/** Scopes that are remembered, so that the same is not noted once more. */
const MOST_SCOPES = 2 ** 16;

interface Masks {
  /** All spots, and those that write. */
  readonly all: Uint32Array;
  readonly writing: Uint32Array;
}

export class MetSpots {
  readonly #spotOf: SpotOf;
  /** By kind, and spot: the spots with lower numbers that it met. */
  readonly #rows = new Map<PairKind, Uint32Array[]>();
  readonly #known = new Set<number>();

  constructor(spotOf: SpotOf) {
    this.#spotOf = spotOf;
  }

  mark(kind: PairKind, a: AccessSite, b: AccessSite): void {
    const [one, other] = [this.#spotOf(a), this.#spotOf(b)];
    const [low, high] = one < other ? [one, other] : [other, one];
    if (high < MOST_SPOTS) this.#row(kind, high)[low >> 5] |= 1 << (low & 31);
  }

  /** Of spots that are not told apart nothing is noted. */
  has(kind: PairKind, a: AccessSite, b: AccessSite): boolean {
    const [one, other] = [this.#spotOf(a), this.#spotOf(b)];
    const [low, high] = one < other ? [one, other] : [other, one];
    if (high >= MOST_SPOTS) return true;
    const row = this.#rows.get(kind)?.[high];
    return row !== undefined && (row[low >> 5] & (1 << (low & 31))) !== 0;
  }

  add(other: MetSpots): void {
    for (const [kind, rows] of other.#rows) {
      for (const [spot, row] of rows.entries()) if (row !== undefined) addTo(this.#row(kind, spot), row);
    }
  }

  get counts(): { readonly races: number; readonly timing: number } {
    let [races, timing] = [0, 0];
    for (const [kind, rows] of this.#rows) {
      const count = rows.reduce((sum, row) => sum + bitsIn(row), 0);
      if (isTiming(kind)) timing += count;
      else races += count;
    }
    return { races, timing };
  }

  #row(kind: PairKind, spot: number): Uint32Array {
    let rows = this.#rows.get(kind);
    if (rows === undefined) {
      rows = [];
      this.#rows.set(kind, rows);
    }
    rows[spot] ??= new Uint32Array((spot >> 5) + 1);
    return rows[spot];
  }

  /** All that met at a lazy scope. `places`: its own, by number of their sites. */
  markScope(scope: Scope, places: readonly Entry[]): void {
    if (this.#isKnown(scope, places)) return;
    if (!scope.hasAtomics) this.#markPlain(scope, scope.isAcross ? "race-across-workgroups" : "race", places);
    else eachMet(scope, (a, b) => this.mark(kindIn(scope, a.site, b.site), a.site, b.site));
  }

  /** Where there are no atomics, many at a time. */
  #markPlain(scope: Scope, kind: PairKind, entries: readonly Entry[]): void {
    const spots = entries.map(({ site }) => this.#spotOf(site));
    const words =
      (Math.min(
        MOST_SPOTS - 1,
        spots.reduce((a, b) => Math.max(a, b), 0),
      ) >>
        5) +
      1;
    const newMasks = (): Masks => ({ all: new Uint32Array(words), writing: new Uint32Array(words) });
    // Whoever came as several met everybody; who came alone met all but those alike.
    const several = newMasks();
    const alone = new Map<number, Masks>();
    for (const [i, entry] of entries.entries()) {
      if (spots[i] >= MOST_SPOTS) continue;
      let masks = several;
      if (!isOfSeveral(scope, entry)) {
        const who = whoOf(scope, entry.first);
        masks = alone.get(who) ?? newMasks();
        alone.set(who, masks);
      }
      put(masks.all, spots[i]);
      if (writes(entry.site.kind)) put(masks.writing, spots[i]);
    }
    const met = new Map([...alone].map(([who, masks]) => [who, others(masks, alone, several, newMasks())]));
    const all = newMasks();
    for (const masks of [several, ...alone.values()]) merge(all, masks);
    for (const [i, entry] of entries.entries()) {
      if (spots[i] >= MOST_SPOTS) continue;
      const { all: any, writing } = isOfSeveral(scope, entry) ? all : met.get(whoOf(scope, entry.first))!;
      const row = this.#row(kind, spots[i]);
      const mask = writes(entry.site.kind) ? any : writing;
      const last = row.length - 1;
      for (let word = 0; word < last; word++) row[word] |= mask[word];
      row[last] |= mask[last] & lowBits(spots[i] & 31);
    }
  }

  /** Whether a scope in which the same met was noted before. */
  #isKnown(scope: Scope, places: readonly Entry[]): boolean {
    const hash = hashOf(scope, places);
    if (this.#known.has(hash)) return true;
    if (this.#known.size < MOST_SCOPES) this.#known.add(hash);
    return false;
  }
}

/** Those whom one met who came alone: those who came as several, and others who came alone. */
function others(own: Masks, alone: ReadonlyMap<number, Masks>, several: Masks, into: Masks): Masks {
  merge(into, several);
  for (const masks of alone.values()) if (masks !== own) merge(into, masks);
  return into;
}

function merge(into: Masks, masks: Masks): void {
  addTo(into.all, masks.all);
  addTo(into.writing, masks.writing);
}

function addTo(into: Uint32Array, bits: Uint32Array): void {
  for (let word = 0; word < bits.length; word++) into[word] |= bits[word];
}

function put(mask: Uint32Array, spot: number): void {
  mask[spot >> 5] |= 1 << (spot & 31);
}

/** Up to the bit with that number. */
function lowBits(bit: number): number {
  return bit === 31 ? -1 : (2 << bit) - 1;
}

function bitsIn(row: Uint32Array): number {
  let count = 0;
  for (let word of row) for (; word !== 0; word = (word & (word - 1)) >>> 0) count++;
  return count;
}

/**
 * Of who met whom: the places, what is done there, which of them several came to, which of the others are of one, and which
 * set the same.
 */
function hashOf(scope: Scope, places: readonly Entry[]): number {
  const numbers = new Map<number, number>();
  const values = new Map<number, number>();
  let [high, low] = [scope.isAcross ? 1 : 0, 17];
  const mix = (value: number): void => {
    high = (Math.imul(high, 31) + value) | 0;
    low = Math.imul(low ^ value, 16777619);
    low ^= low >>> 15;
  };
  for (const place of places) {
    mix(place.site.id);
    for (let entry: Entry | null = place; entry !== null; entry = entry.next) {
      const { part, role, value, first, isSeveral } = entry;
      if (scope.hasAtomics) mix(part);
      if (role === "sets") {
        mix(numberOf(values, value));
        mix(first.offset - places[0].first.offset);
      }
      if (!isSeveral) mix(-1 - numberOf(numbers, whoOf(scope, first)));
    }
  }
  return (high >>> 0) * 2 ** 21 + (low >>> 11);
}

/** In the order in which they come first. */
function numberOf(numbers: Map<number, number>, item: number): number {
  let number = numbers.get(item);
  if (number === undefined) {
    number = numbers.size;
    numbers.set(item, number);
  }
  return number;
}
