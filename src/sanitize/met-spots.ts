/**
 * Which spots of a source met, a bit for each two: of lines that all race with each other there are millions of pairs, of
 * which few are kept, and all are counted.
 */
import type { AccessSite } from "../engine/flat.ts";
import { writes } from "./race.ts";
import { type Entry, isTiming, kindOf, type PairKind, type Scope, whoOf } from "./race-scope.ts";

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

  mark(key: number, a: AccessSite, b: AccessSite): void {
    const [one, other] = [this.#spotOf(a), this.#spotOf(b)];
    const [low, high] = one < other ? [one, other] : [other, one];
    if (high < MOST_SPOTS) this.#row(kindOf(key), high)[low >> 5] |= 1 << (low & 31);
  }

  /** Of spots that are not told apart nothing is noted. */
  has(key: number, a: AccessSite, b: AccessSite): boolean {
    const [one, other] = [this.#spotOf(a), this.#spotOf(b)];
    const [low, high] = one < other ? [one, other] : [other, one];
    if (high >= MOST_SPOTS) return true;
    const row = this.#rows.get(kindOf(key))?.[high];
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

  /** All that met at a plain scope, many at a time. `entries`: its own, by number of their sites. */
  markScope(scope: Scope, kind: PairKind, entries: readonly Entry[]): void {
    const spots = entries.map(({ site }) => this.#spotOf(site));
    if (this.#isKnown(scope, kind, entries)) return;
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
      if (entry.second === null) {
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
      const { all: any, writing } = entry.second === null ? met.get(whoOf(scope, entry.first))! : all;
      const row = this.#row(kind, spots[i]);
      const mask = writes(entry.site.kind) ? any : writing;
      const last = row.length - 1;
      for (let word = 0; word < last; word++) row[word] |= mask[word];
      row[last] |= mask[last] & lowBits(spots[i] & 31);
    }
  }

  /** Whether a scope in which the same met was noted before. */
  #isKnown(scope: Scope, kind: PairKind, entries: readonly Entry[]): boolean {
    const hash = hashOf(scope, kind, entries);
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

/** Of who met whom: the places, which of them several came to, and which of the others are of one. */
function hashOf(scope: Scope, kind: PairKind, entries: readonly Entry[]): number {
  const numbers = new Map<number, number>();
  let [high, low] = [kind.length, 17];
  const mix = (value: number): void => {
    high = (Math.imul(high, 31) + value) | 0;
    low = Math.imul(low ^ value, 16777619);
    low ^= low >>> 15;
  };
  for (const { site, first, second } of entries) {
    mix(site.id);
    if (second !== null) continue;
    const who = whoOf(scope, first);
    if (!numbers.has(who)) numbers.set(who, -1 - numbers.size);
    mix(numbers.get(who)!);
  }
  return (high >>> 0) * 2 ** 21 + (low >>> 11);
}
