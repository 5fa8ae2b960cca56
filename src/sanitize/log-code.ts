/**
 * The code by which pass 2 on the wasm engine notes accesses to cells that race: a row of records, which `log-reader.ts`
 * tells the same judge (`race-log.ts`) that watches on the interpreter. One worker runs it, in order.
 *
 * Most accesses say nothing new, and no record is made of them. Such an access is left out where its place is known by two
 * invocations of the phase and by two workgroups, and something else than what was written first was written already: the
 * judge leaves it out itself. Where pairs do not hang on order (`skipsAlike`), also what is written first once more, and who
 * comes again: whoever meets such an access has met, with the same outcome, one of the two that are known, or the same
 * invocation (workgroup), since workgroups come one after another; and what is equal does not change whether all is.
 */
import type { Emitter } from "../ir/builder.ts";
import type { InstId, RootId } from "../ir/ir.ts";
import { BOOL, U32 } from "../types/type.ts";

/** Words of the variable `$header`. */
export const HEADER = {
  /** Records so far. */
  length: 0,
  /** A record did not fit. */
  full: 1,
  /** An invocation made so many accesses without a barrier that the interpreter gives others their turns. */
  long: 2,
  /** Numbers of what goes on now: counted are all barriers, and those for each kind of memory, of all workgroups. */
  phase: 3,
  workgroup: 4,
  storage: 5,
  words: 6,
} as const;

/** Words of a record, in front of the bits before (of atomic functions) and the bits of the scalars. */
export const RECORD = {
  /** Index of the place, and flags. */
  place: 0,
  workgroup: 1,
  lane: 2,
  /** Which of the states is the cell's, plus one; 0: of several cells, or of one that is not watched. */
  cell: 3,
  /** Byte of the variable. */
  offset: 4,
  words: 5,
} as const;

/** It writes what was written first in its epoch. */
export const SAME = 2 ** 30;
/** It meets nobody of another workgroup whom its place has not met. */
export const SETTLED = 2 ** 31;
export const PLACE_BITS = 2 ** 20 - 1;

/** Words of the state of a cell: what was written first in an epoch, and by the dispatch; then those of each place. */
const CELL = {
  epoch: 0,
  offset: 1,
  value: 2,
  /** The epoch in which something else was written as well. */
  differs: 3,
  written: 4,
  firstOffset: 5,
  firstValue: 6,
  /** Something else was written. */
  anyDiffers: 7,
  places: 8,
} as const;

/** Of a place: the phase in which it has nothing new to say; the phase of its last record, by which invocation, from which workgroup. */
const PLACE = { quiet: 0, phase: 1, lane: 2, workgroup: 3, words: 4 } as const;
const SEVERAL = 2 ** 32 - 1;

/** Words of the state of a cell of a variable with that many places. */
export function stateWords(places: number): number {
  return CELL.places + places * PLACE.words;
}

export interface LogRoots {
  readonly header: RootId;
  readonly records: RootId;
  readonly states: RootId;
}

/** One access to a cell. */
export interface CellAccess {
  /** Index in the log module's list. */
  readonly place: number;
  /** Among the places of its variable. */
  readonly own: number;
  readonly space: "workgroup" | "storage";
  readonly writes: boolean;
  /** It takes no part in what hangs on timing, so that its place, invocation and value are all that matters. */
  readonly isPlain: boolean;
  /** What is like an earlier access adds nothing: what pairs say does not hang on which of the two came first. */
  readonly skipsAlike: boolean;
  readonly cell: InstId;
  readonly offset: InstId;
  readonly lane: InstId;
  readonly workgroup: InstId;
  /** Bits before (of atomic functions), and those of the scalars. */
  readonly before: InstId | null;
  readonly values: readonly InstId[];
}

export function headerWord(em: Emitter, { header }: LogRoots, index: number): InstId {
  return em.load(em.access(em.variable(header), index));
}

export function setHeader(em: Emitter, { header }: LogRoots, index: number, value: InstId): void {
  em.store(em.access(em.variable(header), index), value);
}

export function countUp(em: Emitter, roots: LogRoots, index: number): void {
  setHeader(em, roots, index, em.binary("+", headerWord(em, roots, index), em.number(1, U32)));
}

export function appendRecord(em: Emitter, roots: LogRoots, words: readonly InstId[]): void {
  const start = headerWord(em, roots, HEADER.length);
  const records = em.variable(roots.records);
  const append = (): void => {
    const record = em.access(records, { dynamic: start });
    for (const [i, word] of words.entries()) em.store(em.access(record, i), word);
    setHeader(em, roots, HEADER.length, em.binary("+", start, em.number(1, U32)));
  };
  const fits = em.binary("<", start, em.arrayLength(records));
  em.if(fits, append, () => setHeader(em, roots, HEADER.full, em.number(1, U32)));
}

/** The record of an access, whatever is known. */
export function logAlways(em: Emitter, roots: LogRoots, access: CellAccess): void {
  appendRecord(em, roots, recordOf(em, access, em.number(access.place, U32)));
}

function recordOf(em: Emitter, access: CellAccess, place: InstId): InstId[] {
  const { workgroup, lane, cell, offset, before, values } = access;
  return [place, workgroup, lane, cell, offset, ...(before === null ? [] : [before]), ...values];
}

/** The record of an access to one cell that is watched, unless it says nothing new. */
export function logAccess(em: Emitter, roots: LogRoots, access: CellAccess): void {
  const state = new CellState(em, roots, access);
  if (access.isPlain)
    em.if(
      state.isQuiet(),
      () => {},
      () => logNews(em, roots, access, state),
    );
  else {
    state.write();
    logAlways(em, roots, access);
  }
}

function logNews(em: Emitter, roots: LogRoots, access: CellAccess, state: CellState): void {
  const { isKnown, isKnownAcross } = state.known();
  const written = access.writes ? state.write() : null;
  const both = (a: InstId, b: InstId) => em.binary("&", a, b);
  const settled = written === null ? isKnown : both(isKnown, written.isOld);
  const settledAcross = written === null ? isKnownAcross : both(isKnownAcross, written.isOldAcross);
  const record = (): void => {
    state.note();
    const zero = em.number(0, U32);
    const flags = [
      em.number(access.place, U32),
      em.select(settledAcross, em.number(SETTLED, U32), zero),
      written === null ? zero : em.select(written.same, em.number(SAME, U32), zero),
    ];
    const place = flags.reduce((a, b) => em.binary("|", a, b));
    appendRecord(em, roots, recordOf(em, access, place));
  };
  em.if(both(settled, settledAcross), () => state.fallSilent(), record);
}

/** What is known of a cell. Conditions are asked before anything is changed. */
class CellState {
  readonly #em: Emitter;
  readonly #roots: LogRoots;
  readonly #access: CellAccess;
  readonly #state: InstId;
  readonly #phase: InstId;

  constructor(em: Emitter, roots: LogRoots, access: CellAccess) {
    this.#em = em;
    this.#roots = roots;
    this.#access = access;
    const index = em.binary("-", access.cell, em.number(1, U32));
    this.#state = em.access(em.variable(roots.states), { dynamic: index });
    this.#phase = headerWord(em, roots, HEADER.phase);
  }

  #load(index: number): InstId {
    return this.#em.load(this.#em.access(this.#state, index));
  }

  #store(index: number, value: InstId): void {
    this.#em.store(this.#em.access(this.#state, index), value);
  }

  #number(value: number): InstId {
    return this.#em.number(value, U32);
  }

  #place(index: number): number {
    return CELL.places + this.#access.own * PLACE.words + index;
  }

  get #isStorage(): boolean {
    return this.#access.space === "storage";
  }

  /** Whether this place has nothing new to say in this phase, as holds for most accesses. */
  isQuiet(): InstId {
    return this.#em.binary("==", this.#load(this.#place(PLACE.quiet)), this.#phase);
  }

  /** What was found to be so for one access holds for those that follow, if it does not hang on who comes with which value. */
  fallSilent(): void {
    const em = this.#em;
    const { writes, space } = this.#access;
    const isSeveral = (index: number) => em.binary("==", this.#load(this.#place(index)), this.#number(SEVERAL));
    const conditions = [isSeveral(PLACE.lane)];
    if (this.#isStorage) conditions.push(isSeveral(PLACE.workgroup));
    if (writes) conditions.push(em.binary("==", this.#load(CELL.differs), headerWord(em, this.#roots, HEADER[space])));
    if (writes && this.#isStorage) conditions.push(em.binary("!=", this.#load(CELL.anyDiffers), this.#number(0)));
    const all = conditions.reduce((a, b) => em.binary("&", a, b));
    this.#where(all, () => this.#store(this.#place(PLACE.quiet), this.#phase));
  }

  /** Whether the place is known by two invocations of the phase, and by two workgroups. */
  known() {
    const em = this.#em;
    const { lane, workgroup } = this.#access;
    const inPhase = em.binary("==", this.#load(this.#place(PLACE.phase)), this.#phase);
    const isKnown = em.binary("&", inPhase, this.#isBySeveral(PLACE.lane, lane));
    return { isKnown, isKnownAcross: this.#isStorage ? this.#isBySeveral(PLACE.workgroup, workgroup) : this.#always() };
  }

  /** … or by the one that comes again. */
  #isBySeveral(index: number, who: InstId): InstId {
    const em = this.#em;
    const known = this.#load(this.#place(index));
    const isSeveral = em.binary("==", known, this.#number(SEVERAL));
    if (!this.#access.skipsAlike) return isSeveral;
    return em.binary("|", isSeveral, em.binary("==", known, em.binary("+", who, this.#number(1))));
  }

  #always(): InstId {
    return this.#em.constant({ type: BOOL, value: true });
  }

  /** Who makes a record of this place. */
  note(): void {
    const em = this.#em;
    const { lane, workgroup } = this.#access;
    const [own, group] = [lane, workgroup].map((index) => em.binary("+", index, this.#number(1)));
    const isFirst = em.binary("!=", this.#load(this.#place(PLACE.phase)), this.#phase);
    const first = (): void => {
      this.#store(this.#place(PLACE.phase), this.#phase);
      this.#store(this.#place(PLACE.lane), own);
    };
    em.if(isFirst, first, () => this.#join(this.#place(PLACE.lane), own));
    if (!this.#isStorage) return;
    const at = this.#place(PLACE.workgroup);
    em.if(
      em.binary("==", this.#load(at), this.#number(0)),
      () => this.#store(at, group),
      () => this.#join(at, group),
    );
  }

  #join(at: number, who: InstId): void {
    const em = this.#em;
    this.#where(em.binary("!=", this.#load(at), who), () => this.#store(at, this.#number(SEVERAL)));
  }

  /**
   * Notes what is written. `same`: it is what was written first in the epoch. `isOld`: it says nothing new of what is
   * written; likewise of the dispatch.
   */
  write() {
    const { space, values, skipsAlike } = this.#access;
    const em = this.#em;
    const isSingle = values.length === 1;
    // Offsets are even: of what has several scalars only the first one is compared, so that equal ones may still differ.
    const offset = isSingle ? this.#access.offset : em.binary("|", this.#access.offset, this.#number(1));
    const what = { offset, value: values[0] };
    const epoch = headerWord(em, this.#roots, HEADER[space]);
    const isFirst = em.binary("!=", this.#load(CELL.epoch), epoch);
    const differs = em.binary("==", this.#load(CELL.differs), epoch);
    const same = em.binary("|", isFirst, this.#equals(CELL.offset, what));
    const isOld = isSingle && skipsAlike ? em.binary("|", same, differs) : differs;
    const keep = (): void => {
      this.#store(CELL.epoch, epoch);
      this.#keep(CELL.offset, what);
    };
    em.if(isFirst, keep, () => this.#where(em.unary("!", same), () => this.#store(CELL.differs, epoch)));
    if (!this.#isStorage) return { same, isOld, isOldAcross: this.#always() };
    return { same, isOld, isOldAcross: this.#writeAcross(what, isSingle && skipsAlike) };
  }

  #writeAcross(what: { readonly offset: InstId; readonly value: InstId }, skipsAlike: boolean): InstId {
    const em = this.#em;
    const one = this.#number(1);
    const isFirst = em.binary("==", this.#load(CELL.written), this.#number(0));
    const differs = em.binary("!=", this.#load(CELL.anyDiffers), this.#number(0));
    const same = em.binary("|", isFirst, this.#equals(CELL.firstOffset, what));
    const isOld = skipsAlike ? em.binary("|", same, differs) : differs;
    const keep = (): void => {
      this.#store(CELL.written, one);
      this.#keep(CELL.firstOffset, what);
    };
    em.if(isFirst, keep, () => this.#where(em.unary("!", same), () => this.#store(CELL.anyDiffers, one)));
    return isOld;
  }

  #where(condition: InstId, then: () => void): void {
    this.#em.if(condition, then, () => {});
  }

  #equals(at: number, { offset, value }: { readonly offset: InstId; readonly value: InstId }): InstId {
    const em = this.#em;
    return em.binary("&", em.binary("==", this.#load(at), offset), em.binary("==", this.#load(at + 1), value));
  }

  #keep(at: number, { offset, value }: { readonly offset: InstId; readonly value: InstId }): void {
    this.#store(at, offset);
    this.#store(at + 1, value);
  }
}
