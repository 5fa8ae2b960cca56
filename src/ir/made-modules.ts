/**
 * What passes make of modules: of the same the same, as engines keep what they have compiled of it. Of a large module it is
 * large; so only what was made last is kept in any case, and the rest until memory is looked for.
 */
import type { IrModule } from "./ir.ts";

/** Instructions, of all modules together, that are kept: some 10 MB. */
const MOST_KEPT = 2 ** 17;

interface Made {
  readonly module: IrModule;
}

/** In the order of their last use. */
const kept = new Map<Made, number>();

export class MadeModules<T extends Made> {
  readonly #known = new WeakMap<IrModule, Map<string, WeakRef<T>>>();

  /** `key`: how it is made. What `make` gives may be null: it cannot be made. */
  get<Result extends T | null>(module: IrModule, key: string, make: () => Result): T | Result {
    const known = this.#known.get(module) ?? new Map<string, WeakRef<T>>();
    this.#known.set(module, known);
    const made = known.get(key)?.deref() ?? make();
    if (made === null) return made;
    known.set(key, new WeakRef(made));
    keep(made);
    return made;
  }
}

function keep(made: Made): void {
  const size = kept.get(made) ?? made.module.functions.reduce((sum, each) => sum + each.instructionCount, 0);
  kept.delete(made);
  kept.set(made, size);
  let all = 0;
  for (const each of kept.values()) all += each;
  for (const [oldest, each] of kept) {
    if (all <= MOST_KEPT) break;
    kept.delete(oldest);
    all -= each;
  }
}
