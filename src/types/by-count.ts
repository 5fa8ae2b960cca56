/** So many are at hand without a look which of them are left. */
const MOST_RECENT = 16;

/**
 * Objects by a count, of which there is no end: who lasts as long as the program must not hold all that it was ever asked
 * for. Those asked for lately stay, all others live as long as somebody uses them.
 */
export class ByCount<T extends object> {
  readonly #recent = new Map<number, T>();
  readonly #all = new Map<number, WeakRef<T>>();
  #mostKnown = 2 * MOST_RECENT;

  get(count: number): T | undefined {
    const recent = this.#recent.get(count);
    if (recent !== undefined) return recent;
    const found = this.#all.get(count)?.deref();
    if (found !== undefined) this.#keep(count, found);
    return found;
  }

  set(count: number, made: T): void {
    if (this.#all.size === this.#mostKnown) this.#forget();
    this.#all.set(count, new WeakRef(made));
    this.#keep(count, made);
  }

  #keep(count: number, object: T): void {
    if (this.#recent.size === MOST_RECENT) this.#recent.clear();
    this.#recent.set(count, object);
  }

  /** Drops the counts of objects that are no more. */
  #forget(): void {
    for (const [count, reference] of this.#all) if (reference.deref() === undefined) this.#all.delete(count);
    this.#mostKnown = 2 * Math.max(this.#all.size, MOST_RECENT);
  }
}
