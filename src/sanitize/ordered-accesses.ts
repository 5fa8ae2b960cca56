/**
 * Accesses that need no note because nothing that they could race with is made between the same two barriers, as is seen
 * from the program alone: all invocations of a workgroup pass the same barriers, so what one of them may do after a barrier
 * and before the next one is all that any does meanwhile. Two such accesses do not race if their classes need no order, or
 * if each invocation has elements of its own there, by its local index.
 *
 * Of storage the whole dispatch is one such part, in which each invocation may have elements of its own by its global index.
 */
import type { AccessInst, Block, InstId, Instruction, IrFunction, IrModule, RootId } from "../ir/ir.ts";
import { blocksOf, eachInstruction } from "../ir/walk.ts";
import { isConcreteInteger } from "../types/predicates.ts";
import { classOf, isSharedAccess, type MemoryInst } from "./access-class.ts";
import { type AtomicUses, instructionKey, resultMatters } from "./atomic-uses.ts";
import { type NumberSet, NumberSets } from "./number-sets.ts";
import { AGAINST } from "./shadow.ts";

/** Keys of the instructions. `isAlong`: whether the dispatch has more than one invocation along each axis. */
export function orderedAccesses(
  module: IrModule,
  uses: AtomicUses,
  isAlong: readonly [boolean, boolean, boolean],
): ReadonlySet<string> {
  return new Search(module, uses, isAlong).run();
}

/** Accesses of a variable between the same barriers, or in the whole dispatch. */
interface Part {
  readonly keys: Set<string>;
  readonly classes: Set<number>;
  /** The way to the elements that each invocation has for itself, if all accesses begin so; null: they do not. */
  own: string | null;
}

/** Barriers that may have been passed last, by number; the start of the program is number 0. null: nobody comes here. */
type State = NumberSet | null;

type Left = Readonly<Record<"break" | "continue" | "return", State>>;
const NOWHERE: Left = { break: null, continue: null, return: null };

class Search {
  readonly #module: IrModule;
  readonly #uses: AtomicUses;
  readonly #isAlong: readonly boolean[];
  readonly #isAlongWorkgroup: readonly boolean[];
  readonly #sets: NumberSets;
  readonly #barriers = new Map<string, State>();
  /** Of storage, by variable. */
  readonly #wholes = new Map<RootId, Part>();
  /** Of workgroup memory, by variable and by the barriers that may have been passed last. */
  readonly #parts = new Map<RootId, Map<NumberSet, Part>>();
  /** What is known of functions and loops that begin alike. */
  readonly #known = new Map<string, { readonly after: State; readonly left: Left }>();
  /** Of the entry point. */
  readonly #defined = new Map<InstId, Instruction>();
  /** Where control may have left the loop or switch that it was in, gone on in the loop, or left the function. */
  #left: Left = NOWHERE;

  constructor(module: IrModule, uses: AtomicUses, isAlong: readonly boolean[]) {
    this.#module = module;
    this.#uses = uses;
    this.#isAlong = isAlong;
    this.#isAlongWorkgroup = module.workgroupSize.map((count) => count > 1);
    eachInstruction(module.functions[module.entryPoint].body, (inst) => this.#defined.set(inst.id, inst));
    let barriers = 1;
    for (const { body } of module.functions) {
      eachInstruction(body, ({ kind }) => {
        if (kind === "barrier" || kind === "uniform-load") barriers++;
      });
    }
    this.#sets = new NumberSets(barriers);
  }

  run(): ReadonlySet<string> {
    this.#function(this.#module.functions[this.#module.entryPoint], this.#sets.single(0));
    const [ordered, others] = [new Set<string>(), new Set<string>()];
    const judge = ({ keys }: Part, isOrdered: boolean): void => {
      for (const key of keys) (isOrdered ? ordered : others).add(key);
    };
    for (const part of this.#wholes.values()) judge(part, isOrdered(part));
    for (const parts of this.#parts.values()) {
      const unordered = unorderedSets(this.#sets, parts);
      for (const [set, part] of parts) judge(part, !unordered.has(set));
    }
    for (const key of others) ordered.delete(key);
    return ordered;
  }

  // ---------------------------------------------------------------- control flow

  #function(fn: IrFunction, state: State): State {
    const outer = this.#left;
    this.#left = NOWHERE;
    const end = this.#once(`${fn.id} ${state?.id}`, () => this.#block(fn, fn.body, state));
    const after = this.#sets.union(end, this.#left.return);
    this.#left = outer;
    return after;
  }

  #once(key: string, run: () => State): State {
    const known = this.#known.get(key) ?? { after: run(), left: this.#left };
    this.#known.set(key, known);
    this.#left = known.left;
    return known.after;
  }

  #block(fn: IrFunction, { instructions }: Block, before: State): State {
    return instructions.reduce((state, inst) => this.#instruction(fn, inst, state), before);
  }

  #instruction(fn: IrFunction, inst: Instruction, state: State): State {
    switch (inst.kind) {
      case "barrier":
        return inst.barrier === "workgroup" ? this.#barrier(fn, inst.id) : state;
      case "uniform-load":
        return this.#barrier(fn, inst.id);
      case "break":
      case "continue":
      case "return":
        this.#left = { ...this.#left, [inst.kind]: this.#sets.union(this.#left[inst.kind], state) };
        return state;
      case "call":
        return this.#function(this.#module.functions[inst.function], state);
      case "loop":
        return this.#loop(fn, inst, state);
      case "if":
        return this.#branches(fn, inst, state);
      case "switch": {
        const { break: outer } = this.#left;
        this.#left = { ...this.#left, break: null };
        const end = this.#branches(fn, inst, state);
        const after = this.#sets.union(end, this.#left.break);
        this.#left = { ...this.#left, break: outer };
        return after;
      }
      default:
        if (isSharedAccess(inst)) this.#access(fn, inst, state);
        return state;
    }
  }

  #barrier(fn: IrFunction, id: InstId): State {
    const key = instructionKey(fn.id, id);
    const state = this.#barriers.get(key) ?? this.#sets.single(this.#barriers.size + 1);
    this.#barriers.set(key, state);
    return state;
  }

  #branches(fn: IrFunction, inst: Instruction, state: State): State {
    const ends = blocksOf(inst).map((block) => this.#block(fn, block, state));
    return ends.reduce((all, end) => this.#sets.union(all, end), null);
  }

  #loop(fn: IrFunction, inst: Extract<Instruction, { kind: "loop" }>, state: State): State {
    const outer = this.#left;
    this.#left = { ...NOWHERE, return: outer.return };
    const after = this.#once(`${fn.id} ${inst.id} ${state?.id} ${outer.return?.id}`, () =>
      this.#rounds(fn, inst, state),
    );
    this.#left = { ...outer, return: this.#left.return };
    return after;
  }

  /** A loop is left by `break`, or behind what continues it. */
  #rounds(fn: IrFunction, { body, continuing }: Extract<Instruction, { kind: "loop" }>, state: State): State {
    for (let all = state; ; ) {
      const end = this.#block(fn, body, all);
      const round = this.#block(fn, continuing, this.#sets.union(end, this.#left.continue));
      const next = this.#sets.union(all, round);
      if (next === all) return this.#sets.union(round, this.#left.break);
      all = next;
    }
  }

  // ---------------------------------------------------------------- accesses

  #access(fn: IrFunction, inst: MemoryInst, state: State): void {
    if (inst.root === null) return;
    if (inst.space === "storage") {
      this.#note(this.#wholes, inst.root, fn, inst);
    } else if (state !== null) {
      const parts = this.#parts.get(inst.root) ?? new Map<NumberSet, Part>();
      this.#parts.set(inst.root, parts);
      this.#note(parts, state, fn, inst);
    }
  }

  #note<Key>(parts: Map<Key, Part>, place: Key, fn: IrFunction, inst: MemoryInst): void {
    const key = instructionKey(fn.id, inst.id);
    const own = this.#own(fn, inst);
    const part = parts.get(place) ?? { keys: new Set(), classes: new Set(), own };
    parts.set(place, part);
    part.keys.add(key);
    part.classes.add(classOf(inst, resultMatters(this.#uses, key)));
    if (part.own !== own) part.own = null;
  }

  /** The first steps to a cell, if no two invocations take the same; null: they may. */
  #own(fn: IrFunction, { pointer, space }: MemoryInst): string | null {
    if (fn.id !== this.#module.entryPoint) return null;
    const isStorage = space === "storage";
    const isAlong = isStorage ? this.#isAlong : this.#isAlongWorkgroup;
    const axes = new Set([0, 1, 2].filter((axis) => isAlong[axis]));
    let way = "";
    for (const index of this.#steps(pointer)) {
      if (axes.size === 0) break;
      const taken = typeof index === "number" ? [] : this.#axes(fn, index.dynamic, isStorage ? "global" : "local");
      if (taken === null) return null;
      way += typeof index === "number" ? `.${index}` : `[${taken.filter((axis) => isAlong[axis]).join()}]`;
      for (const axis of taken) axes.delete(axis);
    }
    return axes.size === 0 ? way : null;
  }

  /** From the variable to the cell: a vector has one as a whole. */
  #steps(pointer: InstId): readonly AccessInst["index"][] {
    const inst = this.#defined.get(pointer);
    if (inst?.kind !== "access") return [];
    const before = this.#steps(inst.pointer);
    if (inst.step === "component") return before;
    return [...before, inst.index];
  }

  /** The axes of the position that an index tells apart; null: it is something else. */
  #axes(fn: IrFunction, index: InstId, which: "local" | "global"): readonly number[] | null {
    const builtin = (id: InstId) => fn.params.find((param) => param.id === id)?.builtin;
    const inst = this.#defined.get(index);
    if (inst === undefined) return builtin(index) === `${which}_invocation_index` ? [0, 1, 2] : null;
    if (inst.kind === "convert" || inst.kind === "bitcast") {
      return isConcreteInteger(inst.type) ? this.#axes(fn, inst.operand, which) : null;
    }
    if (inst.kind !== "extract" || builtin(inst.operand) !== `${which}_invocation_id`) return null;
    return [inst.index];
  }
}

type Kinds = Pick<Part, "classes" | "own">;

function isOrdered({ classes, own }: Kinds): boolean {
  return own !== null || [...classes].every((kind) => !AGAINST[kind].some((other) => classes.has(other)));
}

/**
 * Between the same two barriers is made what may be made wherever the first of them may have been passed last. Sets of
 * barriers one of which stands before something that needs an order.
 */
function unorderedSets(sets: NumberSets, parts: ReadonlyMap<NumberSet, Part>): ReadonlySet<NumberSet> {
  const levels = sets.partsOf(parts.keys());
  const made = new Map<NumberSet, Kinds>(parts);
  for (const level of levels) {
    for (const set of level) {
      for (const half of [set.low, set.high])
        if (half !== null) made.set(half, together(made.get(half), made.get(set)!));
    }
  }
  const unordered = new Set(levels.at(-1)!.filter((number) => !isOrdered(made.get(number)!)));
  for (const level of levels.toReversed().slice(1)) {
    for (const set of level)
      if ([set.low, set.high].some((half) => half !== null && unordered.has(half))) unordered.add(set);
  }
  return unordered;
}

function together(a: Kinds | undefined, b: Kinds): Kinds {
  if (a === undefined) return b;
  return { classes: new Set([...a.classes, ...b.classes]), own: a.own === b.own ? a.own : null };
}
