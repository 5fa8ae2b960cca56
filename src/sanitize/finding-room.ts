/**
 * How many races of a launch are told: nobody reads tens of thousands of findings, which take some kilobytes each. Where
 * there are more, those that say most come first, and of the others each that is the first of one of its lines.
 */
import type { IrModule } from "../ir/ir.ts";
import { type FindingPlace, keyOf } from "./fold.ts";

/** Findings of races that are told, beside those of lines that have no other. */
const MOST_TOLD = 2 ** 15;
/** … of what was tried on a part of a dispatch. */
const MOST_SAMPLED = 2 ** 12;

/** One of the things that there are to tell. */
export interface Tellable {
  readonly place: FindingPlace;
  readonly isError: boolean;
  /** Lower ones say more. */
  readonly rank: number;
}

export class FindingRoom {
  #left: number;
  readonly #parent: FindingRoom | null;
  readonly #told = new Set<string>();
  readonly #lines = new Set<string>();
  readonly #untold = new Map<IrModule, number>();
  /** Some of what is not told is an error. */
  hasUntoldErrors = false;

  constructor(most = MOST_TOLD, parent: FindingRoom | null = null) {
    this.#left = most;
    this.#parent = parent;
  }

  /** For what is tried on a part, while something else may be under way. */
  sample(): FindingRoom {
    return new FindingRoom(MOST_SAMPLED, this);
  }

  /** Pairs of lines of which at least nothing is told. Of each shader, as its dispatches have the same lines. */
  get untold(): number {
    return [...this.#untold.values()].reduce((sum, count) => sum + count, 0);
  }

  note(module: IrModule, untold: number, hasErrors: boolean): void {
    if (untold === 0) return;
    this.#untold.set(module, Math.max(untold, this.#untold.get(module) ?? 0));
    this.hasUntoldErrors ||= hasErrors;
    this.#parent?.note(module, untold, hasErrors);
  }

  /** Those that are told, in their order. What was told before is told again. */
  chosen<Item extends Tellable>(all: readonly Item[]): readonly Item[] {
    const fresh = all.filter(({ place }) => !this.#told.has(keyOf(place)));
    const isAll = fresh.length <= this.#left;
    const wanted = new Set(isAll ? fresh : fresh.toSorted(inOrder));
    for (const item of wanted) {
      const { place } = item;
      const lines = linesOf(place);
      if (this.#left <= 0 && !this.#isFirst(item, lines)) wanted.delete(item);
      else {
        this.#left--;
        this.#told.add(keyOf(place));
        for (const line of lines) this.#lines.add(lineKey(place, item.isError, line));
      }
    }
    const isFresh = new Set(fresh);
    return isAll ? all : all.filter((item) => wanted.has(item) || !isFresh.has(item));
  }

  /** Whether one of its lines is not told of yet; that something may go wrong is not said where something does. */
  #isFirst({ place, isError }: Tellable, lines: readonly number[]): boolean {
    return lines.some(
      (line) =>
        !this.#lines.has(lineKey(place, isError, line)) && (isError || !this.#lines.has(lineKey(place, true, line))),
    );
  }
}

function lineKey({ code, source, resource }: FindingPlace, isError: boolean, line: number): string {
  return [isError ? "error" : code, source.path, resource?.name, line].join("\n");
}

function linesOf({ source, accesses }: FindingPlace): readonly number[] {
  return accesses.map(({ span }) => source.position(span.start).line);
}

function inOrder(a: Tellable, b: Tellable): number {
  const [starts, others] = [a, b].map(({ place }) => place.accesses.map(({ span }) => span.start));
  return (
    Number(b.isError) - Number(a.isError) ||
    a.rank - b.rank ||
    Math.max(...starts) - Math.max(...others) ||
    Math.min(...starts) - Math.min(...others)
  );
}
