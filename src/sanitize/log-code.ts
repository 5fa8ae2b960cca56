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
import type { InstId, LocalId, RootId } from "../ir/ir.ts";
import { U32 } from "../types/type.ts";
import type { Routines } from "./routines.ts";

/** Words of the variable `$header`. Places among the records are counted in records. */
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
  /** Where the records of the workgroup that goes on begin, and those of the one that it is compared with begin and end. */
  start: 6,
  pattern: 7,
  patternEnd: 8,
  /** The record that the next one is compared with. */
  next: 9,
  /** Not 0: a record was not like that one, or such that more than what is compared matters. */
  differs: 10,
  /** The record that says how many workgroups were like the pattern; 0: none was yet. */
  repeat: 11,
  words: 12,
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
/** In place of a place: says how many workgroups have the records of the one before (at `RECORD.lane`). */
export const REPEAT = 2 ** 29;

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

/**
 * Of a place: the phase in which it has nothing new to say; the phase of its last record, by which invocation, from which
 * workgroup; whether it has nothing new to say of the dispatch.
 */
const PLACE = { quiet: 0, phase: 1, lane: 2, workgroup: 3, settled: 4, words: 5 } as const;
/** Of places that share: the number of the one that it is of, plus one. */
const OWNER = PLACE.words;
const SHARED_WORDS = OWNER + 1;
const SEVERAL = 2 ** 32 - 1;

/** Words that the states of all cells of a run may have: 64 MiB. */
const STATE_WORDS = 2 ** 24;

/**
 * States of places that each of so many cells may have. Where a variable has more places they share, as few of them come to
 * any one cell: a place that finds the state of another one makes it its own and begins anew. What it said before it then
 * says again, in records that add nothing.
 */
export function mostStates(cells: number): number {
  const words = Math.floor(STATE_WORDS / Math.max(1, cells)) - CELL.places;
  return 2 ** Math.max(0, Math.floor(Math.log2(words / SHARED_WORDS)));
}

/** Words of the state of a cell of a variable with that many places. */
export function stateWords(places: number, shared: number | null): number {
  return CELL.places + (shared === null ? places * PLACE.words : shared * SHARED_WORDS);
}

export interface LogRoots {
  readonly header: RootId;
  readonly records: RootId;
  readonly states: RootId;
  /** States of places that a cell has, where places share them; null: each place has its own. */
  readonly shared: number | null;
}

/** What the code is emitted into. */
export interface LogTarget extends LogRoots {
  readonly routines: Routines;
  /** Of the state of a cell. */
  readonly stateWords: number;
  /** So many accesses that what stands at each of them is called. */
  readonly isLarge: boolean;
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
  /** Workgroups that have it at the same place, by the same invocation, at the same cell have the same of it. */
  readonly isComparable: boolean;
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

/**
 * `how`: whether a workgroup with such a record is like another one that has the same place, invocation and cell; or that
 * the record is of the place alone; or that it is not to be compared.
 */
export function appendRecord(
  em: Emitter,
  target: LogTarget,
  words: readonly InstId[],
  how: "compared" | "place" | "apart",
): void {
  target.routines.call(em, `$append ${words.length} ${how}`, words, (inner, params) =>
    append(inner, target, params, how),
  );
}

function append(em: Emitter, roots: LogRoots, words: readonly InstId[], how: "compared" | "place" | "apart"): void {
  const start = headerWord(em, roots, HEADER.length);
  const records = em.variable(roots.records);
  const write = (): void => {
    const record = em.access(records, { dynamic: start });
    for (const [i, word] of words.entries()) em.store(em.access(record, i), word);
    setHeader(em, roots, HEADER.length, em.binary("+", start, em.number(1, U32)));
    if (how === "apart") setHeader(em, roots, HEADER.differs, em.number(1, U32));
    else compareRecord(em, roots, how === "place" ? words.slice(0, 1) : words);
  };
  const fits = em.binary("<", start, em.arrayLength(records));
  em.if(fits, write, () => setHeader(em, roots, HEADER.full, em.number(1, U32)));
}

function compareRecord(em: Emitter, roots: LogRoots, words: readonly InstId[]): void {
  const next = headerWord(em, roots, HEADER.next);
  const records = em.variable(roots.records);
  const compare = (): void => {
    const record = em.access(records, { dynamic: next });
    const compared = words.length === 1 ? [RECORD.place] : [RECORD.place, RECORD.lane, RECORD.cell];
    const differences = compared.map((index) => em.binary("^", words[index], em.load(em.access(record, index))));
    // What may say something new of the dispatch is like nothing.
    if (words.length > 1) {
      const settled = em.number(SETTLED, U32);
      differences.push(em.binary("^", em.binary("&", words[RECORD.place], settled), settled));
    }
    const all = [headerWord(em, roots, HEADER.differs), ...differences].reduce((a, b) => em.binary("|", a, b));
    setHeader(em, roots, HEADER.differs, all);
    setHeader(em, roots, HEADER.next, em.binary("+", next, em.number(1, U32)));
  };
  em.if(em.binary("<", next, em.arrayLength(records)), compare, () => {});
}

/**
 * By the first invocation of a workgroup, where `workgroup` is its index: if the one before had the records of the pattern,
 * these are dropped and counted in a record of their own; else they are the pattern now.
 */
export function beginWorkgroup(em: Emitter, roots: LogRoots, workgroup: InstId): void {
  const word = (index: number) => headerWord(em, roots, index);
  const set = (index: number, value: InstId) => setHeader(em, roots, index, value);
  const [zero, one] = [em.number(0, U32), em.number(1, U32)];
  for (const index of [HEADER.phase, HEADER.workgroup, HEADER.storage]) countUp(em, roots, index);
  const [start, pattern, end] = [HEADER.start, HEADER.pattern, HEADER.patternEnd].map(word);
  const isLike = [
    em.binary("==", word(HEADER.differs), zero),
    em.binary("==", word(HEADER.next), end),
    em.binary("!=", pattern, end),
  ].reduce((a, b) => em.binary("&", a, b));
  const records = em.variable(roots.records);
  const repeated = (index: InstId) => em.access(em.access(records, { dynamic: index }), RECORD.lane);
  const tellFirst = (): void => {
    const record = em.access(records, { dynamic: start });
    em.store(em.access(record, RECORD.place), em.number(REPEAT, U32));
    em.store(em.access(record, RECORD.workgroup), em.binary("-", workgroup, one));
    em.store(em.access(record, RECORD.lane), one);
    set(HEADER.repeat, start);
    set(HEADER.start, em.binary("+", start, one));
  };
  const tellAnother = (): void => {
    const count = repeated(word(HEADER.repeat));
    em.store(count, em.binary("+", em.load(count), one));
  };
  const drop = (): void => {
    em.if(em.binary("==", word(HEADER.repeat), zero), tellFirst, tellAnother);
    set(HEADER.length, word(HEADER.start));
    set(HEADER.next, pattern);
  };
  const keep = (): void => {
    const length = word(HEADER.length);
    set(HEADER.pattern, start);
    set(HEADER.patternEnd, length);
    set(HEADER.next, start);
    set(HEADER.start, length);
    set(HEADER.repeat, zero);
    set(HEADER.differs, zero);
  };
  em.if(isLike, drop, keep);
}

/** What is known of an access beside the flags of its record, while they are found. */
interface LogLocals {
  /** Flags of the record. */
  readonly flags: LocalId;
  /** Not 0: it says something new of its epoch. */
  readonly news: LocalId;
}

/** The record of an access, whatever is known. */
export function logAlways(em: Emitter, target: LogTarget, access: CellAccess): void {
  appendRecord(em, target, recordOf(em, access, em.number(access.place, U32)), "apart");
}

/** The record of a `workgroupUniformLoad` of a cell: there are no other workgroups to meet. */
export function logUniformLoad(em: Emitter, target: LogTarget, access: CellAccess): void {
  appendRecord(em, target, recordOf(em, access, em.number(access.place + SETTLED, U32)), howOf(access));
}

function howOf({ isComparable }: CellAccess): "compared" | "apart" {
  return isComparable ? "compared" : "apart";
}

function recordOf(em: Emitter, access: CellAccess, place: InstId): InstId[] {
  const { workgroup, lane, cell, offset, before, values } = access;
  return [place, workgroup, lane, cell, offset, ...(before === null ? [] : [before]), ...values];
}

/** The record of an access to one cell, unless it is not watched or says nothing new. */
export function logAccess(em: Emitter, target: LogTarget, access: CellAccess): void {
  if (target.isLarge) {
    const isWatched = em.binary("!=", access.cell, em.number(0, U32));
    em.if(
      isWatched,
      () => callOf(em, target, access),
      () => {},
    );
    return;
  }
  const log = (): void => {
    if (!access.isPlain || target.shared !== null) {
      callOf(em, target, access);
      return;
    }
    // Most accesses have nothing new to say, and need no call to find out.
    const quiet = em.load(em.access(stateOf(em, target, access.cell), placeAt(target, access.own) + PLACE.quiet));
    em.if(
      em.binary("!=", quiet, headerWord(em, target, HEADER.phase)),
      () => callOf(em, target, access),
      () => {},
    );
  };
  whereWatched(em, target, access.cell, log);
}

/** Asked once, it need not be asked at each word; a cell that is not watched has no state. */
function whereWatched(em: Emitter, target: LogTarget, cell: InstId, then: () => void): void {
  const index = em.binary("-", cell, em.number(1, U32));
  em.if(em.binary("<", index, em.arrayLength(em.variable(target.states))), then, () => {});
}

function stateOf(em: Emitter, { states }: LogTarget, cell: InstId): InstId {
  return em.access(em.variable(states), { dynamic: em.binary("-", cell, em.number(1, U32)) });
}

/** Where in the state of a cell that of a place begins. */
function placeAt({ shared }: LogTarget, own: number): number {
  return CELL.places + (shared === null ? own * PLACE.words : (own % shared) * SHARED_WORDS);
}

/** What is noted of an access is noted by a routine that all such accesses have in common. */
function callOf(em: Emitter, target: LogTarget, access: CellAccess): void {
  const { own, space, writes, isPlain, isComparable, skipsAlike, before, values } = access;
  const at = em.number(placeAt(target, own), U32);
  const args = [at, em.number(own, U32), ...recordOf(em, access, em.number(access.place, U32))];
  const flags = [writes, isPlain, isComparable, skipsAlike, before !== null].map(Number).join("");
  target.routines.call(em, `$log ${space} ${flags} ${values.length}`, args, (inner, params) => {
    const [placeAt, own, place, workgroup, lane, cell, offset, ...bits] = params;
    const words = { placeAt, own, place, workgroup, lane, cell, offset };
    const passed: Passed = {
      ...access,
      ...words,
      before: before === null ? null : bits[0],
      values: before === null ? bits : bits.slice(1),
    };
    whereWatched(inner, target, cell, () => note(inner, target, passed));
  });
}

/** An access as a routine sees it, which does not know of which place it is. */
interface Passed extends Omit<CellAccess, "place" | "own"> {
  readonly place: InstId;
  readonly own: InstId;
  /** Where in the state of the cell that of the place begins. */
  readonly placeAt: InstId;
}

function note(em: Emitter, target: LogTarget, access: Passed): void {
  const state = new CellState(em, target, access);
  if (access.isPlain) {
    state.logNews();
    return;
  }
  state.noteWritten();
  appendRecord(em, target, recordOf(em, access, access.place), "apart");
}

/** What is known of a cell. */
class CellState {
  readonly #em: Emitter;
  readonly #target: LogTarget;
  readonly #access: Passed;
  readonly #locals: LogLocals;
  readonly #state: InstId;
  readonly #phase: InstId;

  constructor(em: Emitter, target: LogTarget, access: Passed) {
    this.#em = em;
    this.#target = target;
    this.#access = access;
    const local = (name: string) => em.builder.local(name, U32, em.span);
    this.#locals = { flags: local("$flags"), news: local("$news") };
    this.#state = stateOf(em, target, access.cell);
    this.#phase = headerWord(em, target, HEADER.phase);
  }

  #load(index: number): InstId {
    return this.#em.load(this.#em.access(this.#state, index));
  }

  #store(index: number, value: InstId): void {
    this.#em.store(this.#em.access(this.#state, index), value);
  }

  /** A word of the state of the place. */
  #known(index: number): InstId {
    return this.#em.load(this.#place(index));
  }

  #know(index: number, value: InstId): void {
    this.#em.store(this.#place(index), value);
  }

  #place(index: number): InstId {
    const dynamic = this.#em.binary("+", this.#access.placeAt, this.#number(index));
    return this.#em.access(this.#state, { dynamic });
  }

  #number(value: number): InstId {
    return this.#em.number(value, U32);
  }

  get #isStorage(): boolean {
    return this.#access.space === "storage";
  }

  #where(condition: InstId, then: () => void): void {
    this.#em.if(condition, then, () => {});
  }

  #addFlag(flag: number): void {
    const flags = this.#em.local(this.#locals.flags);
    this.#em.store(flags, this.#em.binary("|", this.#em.load(flags), this.#number(flag)));
  }

  #setNews(): void {
    this.#em.store(this.#em.local(this.#locals.news), this.#number(1));
  }

  /** Makes a record unless this place has nothing new to say in this phase, as holds for most accesses. */
  logNews(): void {
    if (this.#target.shared !== null) this.#takeState();
    this.#where(this.#em.binary("!=", this.#known(PLACE.quiet), this.#phase), () => this.#log());
  }

  #takeState(): void {
    const owner = this.#em.binary("+", this.#access.own, this.#number(1));
    this.#where(this.#em.binary("!=", this.#known(OWNER), owner), () => {
      this.#know(OWNER, owner);
      for (const word of [PLACE.quiet, PLACE.phase, PLACE.workgroup, PLACE.settled]) {
        this.#know(word, this.#number(0));
      }
    });
  }

  #log(): void {
    const em = this.#em;
    const { flags, news } = this.#locals;
    em.store(em.local(flags), this.#access.place);
    em.store(em.local(news), this.#number(0));
    this.#noteInPhase();
    if (this.#access.writes) this.#noteWrite();
    if (this.#isStorage) this.#noteAcross();
    else this.#addFlag(SETTLED);
    const place = em.load(em.local(flags));
    const isSettled = em.binary("!=", em.binary("&", place, this.#number(SETTLED)), this.#number(0));
    const isOld = em.binary("==", em.load(em.local(news)), this.#number(0));
    em.if(
      em.binary("&", isSettled, isOld),
      () => {},
      () => appendRecord(em, this.#target, recordOf(em, this.#access, place), howOf(this.#access)),
    );
    this.#fallSilent();
  }

  /** What is so after one access holds for those that follow, if it does not hang on who comes with which value. */
  #fallSilent(): void {
    const em = this.#em;
    const { writes, space } = this.#access;
    const isSeveral = em.binary("==", this.#known(PLACE.lane), this.#number(SEVERAL));
    const conditions = [isSeveral];
    if (this.#isStorage) conditions.push(em.binary("!=", this.#known(PLACE.settled), this.#number(0)));
    if (writes) conditions.push(em.binary("==", this.#load(CELL.differs), headerWord(em, this.#target, HEADER[space])));
    const all = conditions.reduce((a, b) => em.binary("&", a, b));
    this.#where(all, () => this.#know(PLACE.quiet, this.#phase));
  }

  /** Whether the place is known by two invocations of the phase, or by the one that comes again. */
  #noteInPhase(): void {
    const em = this.#em;
    const own = em.binary("+", this.#access.lane, this.#number(1));
    const first = (): void => {
      this.#know(PLACE.phase, this.#phase);
      this.#know(PLACE.lane, own);
      this.#setNews();
    };
    const next = () => this.#join(PLACE.lane, own, () => this.#setNews());
    em.if(em.binary("!=", this.#known(PLACE.phase), this.#phase), first, next);
  }

  /** One more comes to a place: `tell` where that says something new. */
  #join(index: number, who: InstId, tell: () => void): void {
    const em = this.#em;
    const { skipsAlike } = this.#access;
    const known = this.#known(index);
    const isOther = em.binary("!=", known, who);
    const one = (): void => {
      if (!skipsAlike) tell();
      this.#where(isOther, () => {
        if (skipsAlike) tell();
        this.#know(index, this.#number(SEVERAL));
      });
    };
    this.#where(em.binary("!=", known, this.#number(SEVERAL)), one);
  }

  /** Offsets are even: of what has several scalars only the first one is compared, so that equal ones may still differ. */
  #written() {
    const { values, offset } = this.#access;
    const isSingle = values.length === 1;
    return { offset: isSingle ? offset : this.#em.binary("|", offset, this.#number(1)), value: values[0] };
  }

  /** What is like what was written first says nothing new. */
  get #skipsEqual(): boolean {
    return this.#access.skipsAlike && this.#access.values.length === 1;
  }

  /** Notes what is written, and whether it is what was written first in the epoch. */
  #noteWrite(): void {
    const em = this.#em;
    const written = this.#written();
    const epoch = headerWord(em, this.#target, HEADER[this.#access.space]);
    const same = (): void => {
      this.#addFlag(SAME);
      if (!this.#skipsEqual) this.#where(em.binary("!=", this.#load(CELL.differs), epoch), () => this.#setNews());
    };
    const first = (): void => {
      this.#store(CELL.epoch, epoch);
      this.#keep(CELL.offset, written);
      this.#addFlag(SAME);
      if (!this.#skipsEqual) this.#setNews();
    };
    const other = (): void => {
      this.#where(em.binary("!=", this.#load(CELL.differs), epoch), () => {
        this.#store(CELL.differs, epoch);
        this.#setNews();
      });
    };
    const next = () => em.if(this.#equals(CELL.offset, written), same, other);
    em.if(em.binary("!=", this.#load(CELL.epoch), epoch), first, next);
  }

  /** Whether it meets nobody of another workgroup whom its place has not met, and says nothing new of what is written. */
  #noteAcross(): void {
    const em = this.#em;
    em.if(
      em.binary("!=", this.#known(PLACE.settled), this.#number(0)),
      () => this.#addFlag(SETTLED),
      () => this.#meetOthers(),
    );
  }

  #meetOthers(): void {
    const em = this.#em;
    this.#addFlag(SETTLED);
    const unsettle = (): void => {
      const flags = em.local(this.#locals.flags);
      em.store(flags, em.binary("&", em.load(flags), this.#number(SETTLED - 1)));
    };
    const group = em.binary("+", this.#access.workgroup, this.#number(1));
    const first = (): void => {
      this.#know(PLACE.workgroup, group);
      unsettle();
    };
    const isFirst = em.binary("==", this.#known(PLACE.workgroup), this.#number(0));
    em.if(isFirst, first, () => this.#join(PLACE.workgroup, group, unsettle));
    if (this.#access.writes) this.#noteWriteAcross(unsettle);
    const isSeveral = em.binary("==", this.#known(PLACE.workgroup), this.#number(SEVERAL));
    const differs = this.#access.writes ? em.binary("!=", this.#load(CELL.anyDiffers), this.#number(0)) : null;
    const isOver = differs === null ? isSeveral : em.binary("&", isSeveral, differs);
    this.#where(isOver, () => this.#know(PLACE.settled, this.#number(1)));
  }

  #noteWriteAcross(tell: () => void): void {
    const em = this.#em;
    const written = this.#written();
    const isOld = () => em.binary("!=", this.#load(CELL.anyDiffers), this.#number(0));
    const first = (): void => {
      this.#store(CELL.written, this.#number(1));
      this.#keep(CELL.firstOffset, written);
      if (!this.#skipsEqual) tell();
    };
    const same = (): void => {
      if (!this.#skipsEqual) em.if(isOld(), () => {}, tell);
    };
    const other = (): void => {
      const tellOther = (): void => {
        this.#store(CELL.anyDiffers, this.#number(1));
        tell();
      };
      em.if(isOld(), () => {}, tellOther);
    };
    const next = () => em.if(this.#equals(CELL.firstOffset, written), same, other);
    em.if(em.binary("==", this.#load(CELL.written), this.#number(0)), first, next);
  }

  /** What is written, by an access that has a record in any case. */
  noteWritten(): void {
    if (!this.#access.writes) return;
    this.#em.store(this.#em.local(this.#locals.flags), this.#number(0));
    this.#noteWrite();
    if (this.#isStorage) this.#noteWriteAcross(() => {});
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
