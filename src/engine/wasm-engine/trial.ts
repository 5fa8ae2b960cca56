/**
 * How many workers a kernel with atomics on storage is given. Several need real atomics, which wait for each other where
 * they meet: a histogram of few bins takes two workers four times as long as one, that of many bins half as long. So both
 * are tried, and the faster one is kept.
 */

/** Dispatches, half of them on one worker. */
const TRIALS = 6;
/** Milliseconds below which nothing can be told. */
const LEAST = 0.2;

export class Trial {
  #count = 0;
  /** Milliseconds for a workgroup, the best of all tries. */
  #alone = Number.POSITIVE_INFINITY;
  #together = Number.POSITIVE_INFINITY;

  /** Whether the next dispatch is to run on one worker. */
  get alone(): boolean {
    return this.#count < TRIALS ? this.#count % 2 === 1 : this.#alone < this.#together;
  }

  /** Takes notice of a dispatch that has ended well. */
  note(alone: boolean, milliseconds: number, workgroups: number): void {
    if (milliseconds < LEAST) return;
    this.#count++;
    const cost = milliseconds / workgroups;
    if (alone) this.#alone = Math.min(this.#alone, cost);
    else this.#together = Math.min(this.#together, cost);
  }
}
