/** Where the generator takes its decisions from. */
/** A `Random` of fast-check is one. */
export interface Numbers {
  /** A whole number from `low` to `high`, both included. */
  nextInt(low: number, high: number): number;
}

export class Choice {
  readonly #random: Numbers;

  constructor(random: Numbers) {
    this.#random = random;
  }

  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number {
    return this.#random.nextInt(low, high);
  }

  /** True once in `times`. */
  once(times: number): boolean {
    return this.int(1, times) === 1;
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new RangeError("nothing to pick from");
    return list[this.int(0, list.length - 1)];
  }

  /** One of the values whose weight is above zero. */
  weighted<T>(...choices: readonly (readonly [weight: number, value: T])[]): T {
    const total = choices.reduce((sum, [weight]) => sum + weight, 0);
    let rest = this.int(1, total);
    for (const [weight, value] of choices) {
      rest -= weight;
      if (rest <= 0) return value;
    }
    throw new RangeError("no weights");
  }

  shuffled<T>(list: readonly T[]): T[] {
    const copy = [...list];
    for (let i = copy.length - 1; i > 0; i--) {
      const j = this.int(0, i);
      [copy[i], copy[j]] = [copy[j], copy[i]];
    }
    return copy;
  }

  list<T>(low: number, high: number, make: (index: number) => T): T[] {
    return Array.from({ length: this.int(low, high) }, (_, index) => make(index));
  }
}
