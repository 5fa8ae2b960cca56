/**
 * The code by which pass 2 on the wasm engine looks for atomic additions and subtractions that wrap: step by step what
 * `counters.ts` does with what it is told of. Kept are the last change of each invocation, of each address how often it
 * went beyond its ends, of each place how often it wrapped; of the first time there is a record.
 */
import type { Emitter } from "../ir/builder.ts";
import type { InstId, RootId } from "../ir/ir.ts";
import { I32, U32 } from "../types/type.ts";
import { appendRecord, type LogTarget, RECORD } from "./log-code.ts";
import { isNegative, wraps } from "./wrap-code.ts";

/** The checker's own variables for that. */
export interface CounterRoots {
  /** Private: the last change of the invocation. */
  readonly last: { readonly place: RootId; readonly offset: RootId; readonly delta: RootId; readonly wrapped: RootId };
  /** Of each place, for both ends: how often, and the place plus one that undid it last. */
  readonly wrapped: RootId;
  /** Beside each variable that is counted in: for which workgroup (of storage 1), how often above its greatest value less below its least. */
  readonly rounds: ReadonlyMap<RootId, RootId>;
}

/** Words of `wrapped` for one end of a place. */
export const WRAPPED = { count: 0, undo: 1, words: 2 } as const;
const ROUNDS = { of: 0, count: 1, words: 2 } as const;
export const ROUND_WORDS = ROUNDS.words;

/** What is known of an addition or subtraction when the code is made. */
export interface Counted {
  readonly operation: "add" | "sub";
  readonly isSigned: boolean;
  /** It adds the opposite of a number. */
  readonly isNegated: boolean;
  readonly root: RootId;
  readonly space: "workgroup" | "storage";
}

/** Values of one, after it was made. */
export interface Change {
  /** Pointer to what is kept beside its address. */
  readonly rounds: InstId;
  /** Its number among all of them, plus one; the number of its lower end, plus one. */
  readonly number: InstId;
  readonly firstEnd: InstId;
  /** Of the records that tell of its lower end; the upper one's is next. */
  readonly firstPlace: InstId;
  readonly offset: InstId;
  readonly before: InstId;
  /** What it adds, as bits: where that is a constant most questions have an answer beforehand. */
  readonly delta: InstId;
  readonly workgroup: InstId;
  readonly lane: InstId;
}

/** Looks whether it wrapped; in large modules by a routine. */
export function lookForWrap(em: Emitter, target: LogTarget, own: CounterRoots, counted: Counted, change: Change): void {
  if (!target.isLarge) {
    new CounterCode(em, target, own, counted, change).emit();
    return;
  }
  const { operation, isSigned, isNegated, root } = counted;
  const { rounds, number, firstEnd, firstPlace, offset, before, delta, workgroup, lane } = change;
  const args = [rounds, number, firstEnd, firstPlace, offset, before, delta, workgroup, lane];
  target.routines.call(em, `$wrap ${operation} ${isSigned} ${isNegated} ${root}`, args, (inner, params) => {
    const [rounds, number, firstEnd, firstPlace, offset, before, delta, workgroup, lane] = params;
    const passed = { rounds, number, firstEnd, firstPlace, offset, before, delta, workgroup, lane };
    new CounterCode(inner, target, own, counted, passed).emit();
  });
}

class CounterCode {
  readonly #em: Emitter;
  readonly #target: LogTarget;
  readonly #own: CounterRoots;
  readonly #counted: Counted;
  readonly #change: Change;
  readonly #delta: InstId;

  constructor(em: Emitter, target: LogTarget, own: CounterRoots, counted: Counted, change: Change) {
    this.#em = em;
    this.#target = target;
    this.#own = own;
    this.#counted = counted;
    this.#change = change;
    this.#delta = change.delta;
  }

  emit(): void {
    this.#where(this.#em.binary("!=", this.#delta, this.#number(0)), () => this.#changed());
  }

  #number(value: number): InstId {
    return this.#em.number(value, U32);
  }

  #where(condition: InstId, then: () => void): void {
    this.#em.if(condition, then, () => {});
  }

  #both(...conditions: readonly InstId[]): InstId {
    return conditions.reduce((a, b) => this.#em.binary("&", a, b));
  }

  #load(root: RootId): InstId {
    return this.#em.load(this.#em.variable(root));
  }

  #store(root: RootId, value: InstId): void {
    this.#em.store(this.#em.variable(root), value);
  }

  #changed(): void {
    const em = this.#em;
    const { last } = this.#own;
    const { offset } = this.#change;
    const place = this.#number(this.#counted.root + 1);
    // The least number is its own opposite, and undoes nothing.
    const undoes = this.#both(
      em.binary("==", this.#load(last.place), place),
      em.binary("==", this.#load(last.offset), offset),
      em.binary("==", em.binary("+", this.#load(last.delta), this.#delta), this.#number(0)),
      em.binary("!=", this.#delta, this.#number(2 ** 31)),
    );
    const wrapped = this.#newWrap();
    const undo = (): void => {
      const was = this.#load(last.wrapped);
      const note = () => em.store(this.#word(was, WRAPPED.undo), this.#change.number);
      this.#where(em.binary("!=", was, this.#number(0)), note);
      this.#store(last.place, this.#number(0));
    };
    const keep = (): void => {
      this.#where(em.binary("!=", wrapped, this.#number(0)), () => this.#count(wrapped));
      this.#store(last.place, place);
      this.#store(last.offset, offset);
      this.#store(last.delta, this.#delta);
      this.#store(last.wrapped, wrapped);
    };
    em.if(undoes, undo, keep);
  }

  /** Number of the end of the place beyond which it went, plus one; 0: it did not, or only came back from beyond the other one. */
  #newWrap(): InstId {
    const em = this.#em;
    const { rounds: cell, firstEnd, workgroup } = this.#change;
    const found = em.builder.local("$wrapped", U32, em.span);
    em.store(em.local(found), this.#number(0));
    const { did, isDown } = this.#wrap();
    this.#where(did, () => {
      const word = (index: number) => em.access(cell, index);
      const isOfWorkgroup = this.#counted.space === "workgroup";
      const of = isOfWorkgroup ? em.binary("+", workgroup, this.#number(1)) : this.#number(1);
      const isKnown = em.binary("==", em.load(word(ROUNDS.of)), of);
      const rounds = em.bitcast(em.select(isKnown, em.load(word(ROUNDS.count)), this.#number(0)), I32);
      const zero = em.number(0, I32);
      const isWayBack = em.select(isDown, em.binary(">", rounds, zero), em.binary("<", rounds, zero));
      const step = em.select(isDown, em.number(-1, I32), em.number(1, I32));
      em.store(word(ROUNDS.of), of);
      em.store(word(ROUNDS.count), em.bitcast(em.binary("+", rounds, step), U32));
      const end = em.binary("+", firstEnd, em.select(isDown, this.#number(0), this.#number(1)));
      em.store(em.local(found), em.select(isWayBack, this.#number(0), end));
    });
    return em.load(em.local(found));
  }

  /** Whether it went beyond an end, and if so, whether that is the lower one. */
  #wrap(): { readonly did: InstId; readonly isDown: InstId } {
    const em = this.#em;
    const { before } = this.#change;
    const { operation, isSigned, isNegated } = this.#counted;
    const operand = operation === "sub" ? em.binary("-", this.#number(0), this.#delta) : this.#delta;
    if (isSigned) {
      const [old, by] = [before, operand].map((bits) => em.bitcast(bits, I32));
      return { did: wraps(em, operation, old, by, isNegated), isDown: em.binary("<", old, em.number(0, I32)) };
    }
    const isMinus = isNegative(em, operand, isNegated);
    return {
      did: wraps(em, operation, before, operand, isNegated),
      isDown: operation === "add" ? isMinus : em.unary("!", isMinus),
    };
  }

  /** Of an end by its number plus one. */
  #word(end: InstId, index: number): InstId {
    const em = this.#em;
    const first = em.binary("*", em.binary("-", end, this.#number(1)), this.#number(WRAPPED.words));
    const at = em.binary("+", first, this.#number(index));
    return em.access(em.variable(this.#own.wrapped), { dynamic: at });
  }

  #count(end: InstId): void {
    const em = this.#em;
    const { firstPlace, firstEnd, offset, before, workgroup, lane } = this.#change;
    const count = em.load(this.#word(end, WRAPPED.count));
    this.#where(em.binary("==", count, this.#number(0)), () => {
      const place = em.binary("+", em.binary("-", end, firstEnd), firstPlace);
      const after = em.binary("+", before, this.#delta);
      appendRecord(em, this.#target, [place, workgroup, lane, this.#number(0), offset, before, after], "apart");
    });
    em.store(this.#word(end, WRAPPED.count), em.binary("+", count, this.#number(1)));
  }
}

/** Words of such a record. */
export const WRAP_RECORD = RECORD.words + 2;
