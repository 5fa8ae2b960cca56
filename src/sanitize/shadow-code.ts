/**
 * The code by which an access is noted in the cell that it touches. A cell has a word for each class of accesses that
 * some other access of the variable has to be ordered with (`AGAINST`): the stamp of its last access of this class.
 *
 * Stamps are numbers of one row: those of a dispatch come after those of all earlier ones, in it those of a workgroup
 * after those of workgroups that its worker ran before, in it those of an epoch after those of earlier epochs; an epoch
 * has one for each invocation, and one more that says “several of this epoch”. The first number of a dispatch says
 * “several workgroups”. So nothing is ever cleared, and a few comparisons say whether two accesses are ordered.
 *
 * Workgroup memory is new in each workgroup, and so are its cells: there the row begins with the workgroup.
 */
import type { Emitter } from "../ir/builder.ts";
import type { AccessInst, InstId, RootId } from "../ir/ir.ts";
import { U32 } from "../types/type.ts";
import { AGAINST, WRITE } from "./shadow.ts";
import { tellPlace } from "./tell-code.ts";

/** Words of the variable `$parameters`. */
export const PARAMETERS = {
  /** First stamp of the dispatch. */
  dispatch: 0,
  /** Stamps that a workgroup has. */
  workgroup: 1,
  words: 4,
} as const;

/** Words of the variable `$found`, in pairs: sums carry over into the second one. */
export const FOUND = {
  race: 0,
  /** A workgroup needed more stamps than it had. */
  stamps: 2,
  accesses: 4,
  /** Of each place that is looked at `PLACE.words`. */
  places: 6,
} as const;

/** How often it went wrong at a place, and the complement of the first stamp of the first workgroup where it did. */
export const PLACE = { count: 0, first: 2, words: 4 } as const;

/** Words of a mark: the dispatch in which its cell was found to race, and the stamps of the two that did. */
export const MARK = { dispatch: 0, own: 1, other: 2, words: 3 } as const;

/** A shadowed variable: `classes` says which class each word of its cells is for. */
export interface CellWords {
  readonly space: "workgroup" | "storage";
  readonly classes: readonly number[];
}

/** Where the stamps of the invocation that runs begin. */
export interface Stamps {
  /** First of the epoch. */
  readonly epoch: InstId;
  /** Of the invocation. */
  readonly own: InstId;
  /** First of the workgroup among those of storage. */
  readonly start: InstId;
  /** First of the workgroup; null: nothing is older than the epoch. */
  readonly workgroup: InstId | null;
  /** First of the dispatch; null: nothing is older than the workgroup. */
  readonly dispatch: InstId | null;
}

export interface ShadowRoots {
  readonly parameters: RootId;
  /** Is counted in, and not looked at. */
  readonly found: RootId;
}

/** Notes an access of a class; where it is not ordered against an earlier one, the cell is marked, and `tell` emits more. */
export function noteAccess(
  em: Emitter,
  roots: ShadowRoots,
  { classes }: CellWords,
  cell: { readonly shadow: InstId; readonly mark: InstId },
  kind: number,
  stamps: Stamps,
  invocations: number,
  tell: (other: InstId) => void,
): void {
  const word = (of: number): InstId => em.access(cell.shadow, classes.indexOf(of));
  for (const other of AGAINST[kind]) {
    if (!classes.includes(other)) continue;
    const stamp = em.load(word(other));
    const partner = stamps.dispatch === null ? stamps.start : stamp;
    whereUnordered(em, stamp, stamps, () => {
      mark(em, roots, cell.mark, stamps, partner);
      tell(partner);
    });
  }
  if (!classes.includes(kind)) return;
  if (kind === WRITE) em.store(word(WRITE), stamps.own);
  else keep(em, word(kind), stamps, invocations);
}

/** The first conflict of a cell is kept. */
function mark(em: Emitter, roots: ShadowRoots, cell: InstId, { start }: Stamps, other: InstId): void {
  const word = (index: number): InstId => em.access(cell, index);
  const dispatch = parameter(em, roots, PARAMETERS.dispatch);
  const keepFirst = (): void => {
    em.store(word(MARK.dispatch), dispatch);
    em.store(word(MARK.own), start);
    em.store(word(MARK.other), other);
  };
  em.if(em.binary("!=", em.load(word(MARK.dispatch)), dispatch), keepFirst, () => {});
  change(em, roots, "or", FOUND.race, em.number(1, U32));
}

/**
 * An earlier access that is of this dispatch, and not of this workgroup and of another epoch, nor of this invocation. Most
 * are of before, so that is asked first.
 */
function whereUnordered(
  em: Emitter,
  stamp: InstId,
  { epoch, own, workgroup, dispatch }: Stamps,
  emit: () => void,
): void {
  const where = (condition: InstId, then: () => void) => em.if(condition, then, () => {});
  where(em.binary(">=", stamp, dispatch ?? epoch), () => {
    where(em.binary("!=", stamp, own), () => {
      if (dispatch === null || workgroup === null) emit();
      else where(em.binary("|", em.binary("<", stamp, workgroup), em.binary(">=", stamp, epoch)), emit);
    });
  });
}

/** Remembers one access, that there were several of this epoch, or of several workgroups. */
function keep(em: Emitter, word: InstId, { epoch, own, workgroup, dispatch }: Stamps, invocations: number): void {
  const stamp = em.load(word);
  const several = (): void => {
    em.store(word, em.binary("+", epoch, em.number(invocations, U32)));
  };
  const store = (value: InstId) => (): void => {
    em.store(word, value);
  };
  const ofEpoch = (): void => {
    em.if(em.binary("!=", stamp, own), several, () => {});
  };
  // Of before; of this dispatch; of this workgroup; of this epoch.
  const ofWorkgroup = (): void => {
    em.if(em.binary("<", stamp, epoch), store(own), ofEpoch);
  };
  if (dispatch === null) {
    ofWorkgroup();
    return;
  }
  const ofDispatch = (): void => {
    em.if(em.binary("<", stamp, workgroup ?? epoch), store(dispatch), workgroup === null ? ofEpoch : ofWorkgroup);
  };
  em.if(em.binary("<", stamp, dispatch), store(own), ofDispatch);
}

/** Places of a variable that an operation forgets the counts of one by one. */
export const MOST_FORGOTTEN = 16;

/**
 * Words of the cells that count: stamps of the last and of the first workgroup that came, how many came, then operations by
 * place. Where places share these words, a bit for each place that came follows.
 */
export const COUNTS = { stamp: 0, first: 1, groups: 2, places: 3 } as const;

/** How the operations of `places` are counted: in as many words, or in fewer, that they share. */
export interface CountedIn {
  readonly places: readonly string[];
  readonly sums: number;
}

/** Where a place has its count and its bit (in which word, and which one); null: as it has a count of its own, it needs none. */
export function placeIn({ places, sums }: CountedIn, place: number) {
  const word = COUNTS.places + (place % sums);
  const bit = sums === places.length ? null : { word: COUNTS.places + sums + (place >> 5), mask: 2 ** (place & 31) };
  return { word, bit };
}

/** Words of a cell that counts. */
export function countWords({ places, sums }: CountedIn): number {
  return COUNTS.places + sums + (sums === places.length ? 0 : Math.ceil(places.length / 32));
}

/**
 * Counts an operation on the address of a cell of so many words, in the word of its place, of which the bit is set too if it
 * shares that word. What earlier dispatches counted is forgotten when the first one comes.
 * `isUsual`: mostly the workgroup has been there; where that is anybody's guess it is not branched on.
 */
export function countOperation(
  em: Emitter,
  cell: InstId,
  place: { readonly word: AccessInst["index"]; readonly bit: BitOf | null },
  words: number,
  { workgroup, dispatch }: { readonly workgroup: InstId; readonly dispatch: InstId },
  isUsual: boolean,
): void {
  const word = (index: AccessInst["index"]): InstId => em.access(cell, index);
  const one = em.number(1, U32);
  const add = (index: AccessInst["index"], by: InstId): void => {
    em.store(word(index), em.binary("+", em.load(word(index)), by));
  };
  const stamp = em.load(word(COUNTS.stamp));
  const forget = (): void => {
    em.store(word(COUNTS.first), workgroup);
    if (words <= COUNTS.places + MOST_FORGOTTEN) {
      for (let i = COUNTS.groups; i < words; i++) em.store(word(i), em.number(0, U32));
      return;
    }
    // Where nobody has been all is zero, and takes no memory of the machine until it is written.
    const isUsed = em.binary("!=", stamp, em.number(0, U32));
    em.if(
      isUsed,
      () => clearWords(em, cell, COUNTS.groups, words),
      () => {},
    );
  };
  const isNew = em.binary("!=", stamp, workgroup);
  const enter = (by: InstId) => (): void => {
    em.if(em.binary("<", stamp, dispatch), forget, () => {});
    em.store(word(COUNTS.stamp), workgroup);
    add(COUNTS.groups, by);
  };
  if (isUsual) em.if(isNew, enter(one), () => {});
  else enter(em.convert(isNew, U32))();
  add(place.word, one);
  if (place.bit === null) return;
  const { word: at, mask } = place.bit;
  em.store(word(at), em.binary("|", em.load(word(at)), mask));
}

interface BitOf {
  readonly word: AccessInst["index"];
  readonly mask: InstId;
}

function clearWords(em: Emitter, array: InstId, from: number, to: number): void {
  const index = em.builder.local("$index", U32, em.span);
  em.store(em.local(index), em.number(from, U32));
  em.loop(
    () => em.store(em.access(array, { dynamic: em.load(em.local(index)) }), em.number(0, U32)),
    () => {
      const next = em.binary("+", em.load(em.local(index)), em.number(1, U32));
      em.store(em.local(index), next);
      return em.binary(">=", next, em.number(to, U32));
    },
  );
}

export function parameter(em: Emitter, { parameters }: ShadowRoots, index: number): InstId {
  return em.load(em.access(em.variable(parameters), index));
}

export function outOfStamps(em: Emitter, roots: ShadowRoots): void {
  change(em, roots, "or", FOUND.stamps, em.number(1, U32));
}

export function countAccesses(em: Emitter, roots: ShadowRoots, count: InstId): void {
  change(em, roots, "add", FOUND.accesses, count);
}

/** Counts that something went wrong at a place. */
export function countPlace(em: Emitter, roots: ShadowRoots, place: number, start: InstId): void {
  const first = FOUND.places + PLACE.words * place;
  change(em, roots, "add", first + PLACE.count, em.number(1, U32));
  change(em, roots, "max", first + PLACE.first, em.unary("~", start));
}

/** The same, where the number of the place is known at run time alone. */
export function countPlaceOf(em: Emitter, roots: ShadowRoots, place: InstId, start: InstId): void {
  const first = em.binary("+", em.binary("*", place, em.number(PLACE.words, U32)), em.number(FOUND.places, U32));
  const word = (index: number): InstId => {
    return em.access(em.variable(roots.found), { dynamic: em.binary("+", first, em.number(index, U32)) });
  };
  const one = em.number(1, U32);
  const before = em.atomic("add", word(PLACE.count), [one], U32);
  const carry = (): void => {
    em.atomic("add", word(PLACE.count + 1), [one], U32);
  };
  em.if(em.binary("==", before, em.number(2 ** 32 - 1, U32)), carry, () => {});
  em.atomic("max", word(PLACE.first), [em.unary("~", start)], U32);
}

function change(em: Emitter, { found }: ShadowRoots, operation: "add" | "max" | "or", word: number, by: InstId): void {
  em.atomic(operation, em.access(em.variable(found), word), [by], U32);
}

/**
 * Who raced at an access: the first two workgroups, and the first two where it writes what was not there before. Of these
 * are the place `told` and the three behind it; `differs` is whether it does, undefined where that is not asked.
 */
export function tellRace(
  em: Emitter,
  root: RootId,
  [told, differs]: readonly InstId[],
  stamps: readonly [own: InstId, other: InstId],
): void {
  const tell = (first: number) => {
    for (const [i, stamp] of stamps.entries())
      tellPlace(em, root, em.binary("+", told, em.number(first + i, U32)), stamp);
  };
  tell(0);
  if (differs !== undefined) {
    em.if(
      differs,
      () => tell(stamps.length),
      () => {},
    );
  }
}
