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

/** As many as may be looked at if a run takes so many accesses and all runs `most`. `watched`: null where that is all. */
export function affordable<Key, Cell>(
  all: readonly Portion<Key, Cell>[],
  accesses: number,
  most: number,
): { readonly portions: readonly Portion<Key, Cell>[]; readonly watched: Watched | null } {
  const portions = all.slice(0, Math.max(LEAST_RUNS, Math.floor(most / Math.max(1, accesses))));
  if (portions.length === all.length) return { portions, watched: null };
  return { portions, watched: { parts: "addresses", watched: cellsIn(portions), all: cellsIn(all) } };
}

function cellsIn(portions: readonly Portion<unknown, unknown>[]): number {
  return portions.reduce((sum, portion) => sum + sizeOf(portion), 0);
}

/** Cells of a portion. */
export function sizeOf(portion: Portion<unknown, unknown>): number {
  return [...portion.values()].reduce((sum, cells) => sum + cells.length, 0);
}

/** In so many parts, as long as there are as many cells. */
export function divided<Key, Cell>(portion: Portion<Key, Cell>, parts: number): readonly Portion<Key, Cell>[] {
  return portionsOf(portion, Math.ceil(sizeOf(portion) / parts));
}
