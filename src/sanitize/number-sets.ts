/**
 * Sets of numbers that share what they have in common: a set is a tree over the bits of its numbers, equal trees are one
 * object, and uniting two sets takes as many steps as they have parts that differ. The empty set is null.
 */
export interface NumberSet {
  /** Different for each set. */
  readonly id: number;
  /** Numbers with a 0 in the bit of this level, and with a 1. */
  readonly low: NumberSet | null;
  readonly high: NumberSet | null;
}

export class NumberSets {
  readonly #levels: number;
  readonly #made = new Map<NumberSet | null, Map<NumberSet | null, NumberSet>>();
  readonly #singles = new Map<number, NumberSet>();
  #count = 0;

  /** Of numbers from 0 to below `limit`. */
  constructor(limit: number) {
    this.#levels = 32 - Math.clz32(limit);
  }

  single(number: number): NumberSet {
    let set = this.#singles.get(number);
    if (set === undefined) {
      set = { id: this.#count++, low: null, high: null };
      for (let level = 0; level < this.#levels; level++) {
        set = (number >> level) & 1 ? this.#of(null, set) : this.#of(set, null);
      }
      this.#singles.set(number, set);
    }
    return set;
  }

  union(a: NumberSet | null, b: NumberSet | null): NumberSet | null {
    if (a === b || b === null) return a;
    if (a === null) return b;
    return this.#of(this.union(a.low, b.low), this.union(a.high, b.high));
  }

  #of(low: NumberSet | null, high: NumberSet | null): NumberSet {
    let others = this.#made.get(low);
    if (others === undefined) {
      others = new Map();
      this.#made.set(low, others);
    }
    let set = others.get(high);
    if (set === undefined) {
      set = { id: this.#count++, low, high };
      others.set(high, set);
    }
    return set;
  }

  /**
   * The parts of some sets by level, those of the sets themselves first and single numbers last, each once. What sets say
   * about their numbers goes down through them, and what numbers say about the sets that hold them goes up.
   */
  partsOf(sets: Iterable<NumberSet>): readonly (readonly NumberSet[])[] {
    const levels: NumberSet[][] = [[...new Set(sets)]];
    for (let level = 0; level < this.#levels; level++) {
      const below = new Set<NumberSet>();
      for (const { low, high } of levels[level]) {
        if (low !== null) below.add(low);
        if (high !== null) below.add(high);
      }
      levels.push([...below]);
    }
    return levels;
  }
}
