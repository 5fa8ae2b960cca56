/** Racing cells in portions: so many are looked at in one run, and only so many runs are made. */
import type { Watched } from "./report-races.ts";

/** Cells that are looked at in one run: as much memory as it may take. */
const CELLS_AT_ONCE = 2 ** 16;
/** Runs that are made in any case. */
const LEAST_RUNS = 4;

/** By variable, or by area of memory. */
export type Portion<Key, Cell> = ReadonlyMap<Key, readonly Cell[]>;

/** In the order in which they are given. */
export function portionsOf<Key, Cell>(
  cells: Iterable<readonly [Key, readonly Cell[]]>,
  most = CELLS_AT_ONCE,
): readonly Portion<Key, Cell>[] {
  const portions: Map<Key, readonly Cell[]>[] = [];
  let left = 0;
  for (const [key, all] of cells) {
    for (let at = 0; at < all.length; ) {
      if (left === 0) {
        portions.push(new Map());
        left = most;
      }
      const some = all.slice(at, at + left);
      portions.at(-1)!.set(key, some);
      at += some.length;
      left -= some.length;
    }
  }
  return portions;
}

/** Accesses that all runs may have together, as they are, and where a run is divided. */
export interface RunBudget {
  readonly usual: number;
  readonly divided: number;
}

/** Of runs on the interpreter. */
export const INTERPRETED: RunBudget = { usual: 2 ** 26, divided: 2 ** 28 };

/** The runs that are made, one after another. */
export class Runs<Key, Cell> {
  readonly #all: number;
  /** Runs that are made once some were divided. */
  readonly #most: number;
  #left: readonly Portion<Key, Cell>[];
  #isDivided = false;
  #made = 0;
  #watched = 0;

  /** Each run takes so many accesses, and has so many cells at most. */
  constructor(
    cells: Iterable<readonly [Key, readonly Cell[]]>,
    accesses: number,
    budget: RunBudget,
    most = CELLS_AT_ONCE,
  ) {
    const portions = portionsOf(cells, most);
    const affordable = (most: number) => Math.floor(most / Math.max(1, accesses));
    this.#all = portions.reduce((sum, portion) => sum + sizeOf(portion), 0);
    this.#left = portions.slice(0, Math.max(LEAST_RUNS, affordable(budget.usual)));
    this.#most = Math.max(1, affordable(budget.divided));
  }

  /** null: no more. */
  get next(): Portion<Key, Cell> | null {
    return this.count > 0 ? this.#left[0] : null;
  }

  /** How many are still to come. */
  get count(): number {
    return this.#isDivided ? Math.min(this.#most - this.#made, this.#left.length) : this.#left.length;
  }

  made(): void {
    this.#made++;
    const [portion, ...others] = this.#left;
    if (portion !== undefined) this.#watched += sizeOf(portion);
    this.#left = others;
  }

  /** The next one was too much. */
  divide(parts: number): void {
    this.#isDivided = true;
    this.#left = [...divided(this.#left[0], parts), ...this.#left.slice(1)];
  }

  /** null: all cells were looked at. */
  get watched(): Watched | null {
    return this.#watched === this.#all ? null : { parts: "addresses", watched: this.#watched, all: this.#all };
  }
}

/** Cells of a portion. */
export function sizeOf(portion: Portion<unknown, unknown>): number {
  return [...portion.values()].reduce((sum, cells) => sum + cells.length, 0);
}

/** In so many parts, as long as there are as many cells, each from everywhere: what holds for all places is seen in any. */
export function divided<Key, Cell>(portion: Portion<Key, Cell>, parts: number): readonly Portion<Key, Cell>[] {
  const made = Array.from({ length: Math.min(parts, sizeOf(portion)) }, () => new Map<Key, Cell[]>());
  let at = 0;
  for (const [key, cells] of portion) {
    for (const cell of cells) {
      const part = made[at++ % made.length];
      const known = part.get(key);
      if (known === undefined) part.set(key, [cell]);
      else known.push(cell);
    }
  }
  return made;
}
