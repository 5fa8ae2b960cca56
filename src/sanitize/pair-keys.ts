/** Numbers of pairs of places: one for each two places, and what is told of them. */
import type { AccessSite } from "../engine/flat.ts";

export type PairKind = "race" | "race-across-workgroups" | "wrong-barrier" | "timing" | "timing-across-workgroups";

/** Errors first. */
export const PAIR_KINDS: readonly PairKind[] = [
  "race",
  "race-across-workgroups",
  "wrong-barrier",
  "timing",
  "timing-across-workgroups",
];

export function isTiming(kind: PairKind): boolean {
  return kind === "timing" || kind === "timing-across-workgroups";
}

/** Keys of each two places. */
const KEYS = 32;
const OVERRUN = 2;

/** Pairs of places are numbered like the cells of a triangle: so that numbers are small, as maps like them. */
export function pairKey(kind: PairKind, a: AccessSite, b: AccessSite, overrun: boolean): number {
  return cellOf(a.id, b.id) * KEYS + PAIR_KINDS.indexOf(kind) * 4 + (overrun ? OVERRUN : 0);
}

function cellOf(a: number, b: number): number {
  return a < b ? (b * (b + 1)) / 2 + a : (a * (a + 1)) / 2 + b;
}

/** The order of pairs of a kind, by numbers of their sites: of all that there are. */
export function orderAmong(kind: PairKind, isSame: boolean): (a: number, b: number, overrun: boolean) => number {
  const least = orderOf(PAIR_KINDS.indexOf(kind) * 4 + (isSame ? 1 : 0));
  return (a, b, overrun) => cellOf(a, b) * KEYS + least + (overrun ? OVERRUN : 0);
}

/** Of a key, or its order: whether different counters gave the place. */
export function isOfOverrun(key: number): boolean {
  return Math.floor(key / OVERRUN) % 2 === 1;
}

/** The key of a pair of whom all write the same, or not. */
export function withSame(key: number, isSame: boolean): number {
  return isSame ? key + 1 : key;
}

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
