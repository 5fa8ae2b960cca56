/**
 * Pass 1: which cells race. Accesses of a cell are put in classes; of each class a cell remembers whether one or several
 * workgroups are in it, of one workgroup the epoch of its last access, and whether one or several invocations made it in
 * that epoch. A new access races with a class exactly if the class holds another workgroup, or in this epoch another
 * invocation; so no racy cell is missed and none is wrongly suspected (`race.test.ts` compares it with all pairs).
 *
 * A cell carries the number of the run that it was used in last, so nothing is cleared between dispatches and workgroups.
 */

/** Classes of accesses, and with which of them each has to be ordered. */
export const WRITE = 0;
export const READ = 1;
/** Atomic functions that make a new value of the old one. */
export const CHANGE = 2;
/** Atomic stores, and exchanges whose result is dropped. */
export const SET = 3;
/** Atomic reads whose value goes on. */
export const LOOK = 4;
export const OTHER_ATOMIC_READ = 5;
export const CLASSES = 6;

export const AGAINST: readonly (readonly number[])[] = [
  [WRITE, READ, CHANGE, SET, LOOK, OTHER_ATOMIC_READ],
  [WRITE, CHANGE, SET],
  [WRITE, READ, SET, LOOK],
  [WRITE, READ, CHANGE, SET, LOOK],
  [WRITE, CHANGE, SET],
  [WRITE],
];

/** The run's number; then of each class: workgroup + 1 (0: nobody, -1: several), epoch, invocation + 1 (-1: several). */
const WORDS = 1 + CLASSES * 3;
const SEVERAL = -1;

/** What an access is to earlier ones that nothing orders against it. */
export const ORDERED = 0;
/** Both are atomic: what they do to each other may matter. */
export const ATOMIC = 1;
/** They race, whatever they do. */
export const RACE = 2;
export type Relation = typeof ORDERED | typeof ATOMIC | typeof RACE;

/** Cells of one page; pages are made when they are touched. */
const PAGE_SHIFT = 8;
const PAGE = 1 << PAGE_SHIFT;
/** Bytes of shadow for each cell. */
export const CELL_BYTES = WORDS * 4;

export class Shadow {
  readonly #cells: number;
  readonly #pages: (Int32Array | null)[];

  constructor(cells: number) {
    this.#cells = cells;
    this.#pages = new Array<Int32Array | null>(((cells - 1) >> PAGE_SHIFT) + 1).fill(null);
  }

  /** From this cell on; small variables are many. */
  #page(first: number): Int32Array {
    return new Int32Array(Math.min(PAGE, this.#cells - first) * WORDS);
  }

  /**
   * Notes an access, and says what it is to those before it.
   * @param run a number above 0 that tells dispatches (of workgroup memory: workgroups) apart
   */
  touch(run: number, cell: number, kind: number, workgroup: number, epoch: number, local: number): Relation {
    const page = (this.#pages[cell >> PAGE_SHIFT] ??= this.#page(cell & -PAGE));
    const base = (cell & (PAGE - 1)) * WORDS;
    if (page[base] !== run) {
      page.fill(0, base, base + WORDS);
      page[base] = run;
    }
    const who = workgroup + 1;
    const relation = relationTo(page, base + 1, kind, who, epoch, local + 1);
    const at = base + 1 + kind * 3;
    const held = page[at];
    if (held === 0 || (held === who && page[at + 1] !== epoch)) {
      page[at] = who;
      page[at + 1] = epoch;
      page[at + 2] = local + 1;
    } else if (held === who) {
      if (page[at + 2] !== local + 1) page[at + 2] = SEVERAL;
    } else page[at] = SEVERAL;
    return relation;
  }
}

function relationTo(
  page: Int32Array,
  classes: number,
  kind: number,
  who: number,
  epoch: number,
  local: number,
): Relation {
  const against = AGAINST[kind];
  for (let i = 0; i < against.length; i++) {
    const at = classes + against[i] * 3;
    const held = page[at];
    if (held === 0) continue;
    // Classes that are not atomic come first.
    if (held !== who || (page[at + 1] === epoch && page[at + 2] !== local))
      return kind <= READ || against[i] <= READ ? RACE : ATOMIC;
  }
  return ORDERED;
}
