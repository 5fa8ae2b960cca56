/** How many atomic functions each address of storage got in a dispatch, from the counts that pass 1 keeps. */
import type { RootId } from "../ir/ir.ts";
import { COUNTS, type CountedIn, countWords, placeIn } from "./shadow-code.ts";

/** The counts of one variable, of all workers. */
export interface RootCounts extends CountedIn {
  readonly root: RootId;
  readonly words: Uint32Array;
  /** Words of one worker. */
  readonly stride: number;
  /** Byte of the variable at which a cell begins. */
  readonly offsetOf: (cell: number) => number;
}

export interface AddressCount {
  readonly root: RootId;
  readonly offset: number;
  readonly count: number;
  /** Workgroups that came here. */
  readonly groups: number;
  /** Index of the first one, of one worker in order. */
  readonly first: number;
  /** By key of the instruction; only those that came here. Of several that share a count it is what all of them have. */
  readonly places: ReadonlyMap<string, number>;
}

export class OperationCounts {
  readonly #roots: readonly RootCounts[];
  readonly #first: number;
  readonly #workgroupOf: (stamp: number) => number;

  /** `first`: the first stamp of the dispatch; what bears an older one is no count of it. */
  constructor(roots: readonly RootCounts[], first: number, workgroupOf: (stamp: number) => number) {
    this.#roots = roots;
    this.#first = first;
    this.#workgroupOf = workgroupOf;
  }

  /**
   * Of each variable the addresses with most operations, however many there are, if that is a share of all operations, and
   * a number; and how many operations there are.
   */
  busiest(
    share: number,
    operations: number,
  ): { readonly total: number; readonly addresses: readonly (readonly AddressCount[])[] } {
    const sums = this.#roots.map((counts) =>
      Float64Array.from({ length: this.#cells(counts) }, (_, cell) => this.#sum(counts, cell)),
    );
    const total = sums.reduce((sum, each) => each.reduce((a, b) => a + b, sum), 0);
    const addresses = this.#roots.flatMap((counts, i) => {
      const most = sums[i].reduce((a, b) => Math.max(a, b), 0);
      if (most === 0 || most < operations || most < share * total) return [];
      const busy = [...sums[i].keys()].filter((cell) => sums[i][cell] === most);
      return [busy.map((cell) => this.#address(counts, cell))];
    });
    return { total, addresses };
  }

  /** The bytes at which a place changed something. */
  *offsets(root: RootId, place: string): Generator<number> {
    const counts = this.#roots.find((each) => each.root === root);
    const index = counts?.places.indexOf(place) ?? -1;
    if (counts === undefined || index < 0) return;
    for (let cell = 0; cell < this.#cells(counts); cell++) {
      if (this.#countAt(counts, cell, index) > 0) yield counts.offsetOf(cell);
    }
  }

  #cells(counts: RootCounts): number {
    return counts.stride / countWords(counts);
  }

  /** Operations of a place, or of all with which it shares a count if it came there at all. */
  #countAt(counts: RootCounts, cell: number, place: number): number {
    const { word, bit } = placeIn(counts, place);
    const hasCome = bit === null || this.#hasBit(counts, cell, bit);
    return hasCome ? this.#word(counts, cell, word) : 0;
  }

  #hasBit(counts: RootCounts, cell: number, { word, mask }: { readonly word: number; readonly mask: number }): boolean {
    const { words, stride } = counts;
    for (let at = cell * countWords(counts); at < words.length; at += stride) {
      if (words[at + COUNTS.stamp] >= this.#first && (words[at + word] & mask) !== 0) return true;
    }
    return false;
  }

  /** Of all workers together. */
  #word(counts: RootCounts, cell: number, index: number): number {
    const { words, stride } = counts;
    const width = countWords(counts);
    let sum = 0;
    for (let at = cell * width; at < words.length; at += stride) {
      if (words[at + COUNTS.stamp] >= this.#first) sum += words[at + index];
    }
    return sum;
  }

  #firstWorkgroup(counts: RootCounts, cell: number): number {
    const { words, stride } = counts;
    let least = Number.POSITIVE_INFINITY;
    for (let at = cell * countWords(counts); at < words.length; at += stride) {
      if (words[at + COUNTS.stamp] >= this.#first) least = Math.min(least, words[at + COUNTS.first]);
    }
    return this.#workgroupOf(least);
  }

  #sum(counts: RootCounts, cell: number): number {
    const { words, stride, sums } = counts;
    const width = countWords(counts);
    let sum = 0;
    for (let at = cell * width; at < words.length; at += stride) {
      if (words[at + COUNTS.stamp] < this.#first) continue;
      for (let i = COUNTS.places; i < COUNTS.places + sums; i++) sum += words[at + i];
    }
    return sum;
  }

  #address(counts: RootCounts, cell: number): AddressCount {
    const { root, places, offsetOf } = counts;
    const byPlace = places.map((key, i) => [key, this.#countAt(counts, cell, i)] as const);
    return {
      root,
      offset: offsetOf(cell),
      count: this.#sum(counts, cell),
      groups: this.#word(counts, cell, COUNTS.groups),
      first: this.#firstWorkgroup(counts, cell),
      places: new Map(byPlace.filter(([, count]) => count > 0)),
    };
  }
}
