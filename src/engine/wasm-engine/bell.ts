/** Waiting for what other threads change, in words that they share. */

/** `Atomics` as of ECMAScript 2024, which not all hosts have. */
interface WaitingAtomics {
  waitAsync?(words: Int32Array, index: number, value: number): { readonly value: unknown };
}
const atomics = Atomics as WaitingAtomics;

/** Whether other threads can ring by themselves. */
export const canWaitAsync = (): boolean => atomics.waitAsync !== undefined;

/** For the calling thread, which never blocks. */
export class Bell {
  readonly #words: Int32Array | null;
  readonly #index: number;
  #resume: () => void = () => {};

  /** `words`: shared, at `index` is the one that all threads ring the bell at; null: only the calling thread does. */
  constructor(words: Int32Array | null, index: number) {
    this.#words = canWaitAsync() ? words : null;
    this.#index = index;
  }

  /** Resolves when `holds` does; it is asked now, and whenever the bell has rung. */
  async until(holds: () => boolean): Promise<void> {
    for (;;) {
      const rung = this.#words === null ? 0 : Atomics.load(this.#words, this.#index);
      if (holds()) return;
      await this.#change(rung);
    }
  }

  #change(rung: number): unknown {
    if (this.#words !== null) return atomics.waitAsync!(this.#words, this.#index, rung).value;
    return new Promise<void>((resolve) => {
      this.#resume = resolve;
    });
  }

  ring(): void {
    if (this.#words === null) this.#resume();
    else ringAt(this.#words, this.#index);
  }
}

/** For workers: blocks until somebody rings, if the word has this value. @returns true, see `WaitingHost` */
export function waitAt(words: Int32Array, index: number, value: number): boolean {
  Atomics.wait(words, index, value);
  return true;
}

/** Wakes who waits there. */
export function ringAt(words: Int32Array, index: number): void {
  Atomics.add(words, index, 1);
  Atomics.notify(words, index);
}
