/**
 * A small seeded generator of random numbers (PCG-RXS-M-XS, 32 bits): the same seed gives the same schedule on every
 * machine. Its whole state is one number, so a snapshot can hold it.
 */
export class Random {
  state: number;

  constructor(seed: number) {
    this.state = 0;
    this.next();
    this.state = (this.state + seed) | 0;
    this.next();
  }

  /** A u32. */
  next(): number {
    const state = this.state;
    this.state = (Math.imul(state, 747796405) + 2891336453) | 0;
    const word = Math.imul(((state >>> ((state >>> 28) + 4)) ^ state) | 0, 277803737);
    return ((word >>> 22) ^ word) >>> 0;
  }

  /** An integer from 0 to `count` - 1. */
  below(count: number): number {
    return Math.floor((this.next() / 2 ** 32) * count);
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.next() < probability * 2 ** 32;
  }
}
