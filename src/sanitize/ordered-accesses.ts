/**
 * Accesses that need no note because nothing that they could race with is made between the same two barriers, as is seen
 * from the program alone: all invocations of a workgroup pass the same barriers, so what one of them may do after a barrier
 * and before the next one is all that any does meanwhile. Two such accesses do not race if their classes need no order, or
 * if each invocation has elements of its own there, by its local index.
 *
 * Of storage the whole dispatch is one such part, in which each invocation may have elements of its own by its global index.
 */
import type { AccessInst, Block, InstId, Instruction, IrFunction, IrModule } from "../ir/ir.ts";
import { blocksOf, eachInstruction } from "../ir/walk.ts";
import { isConcreteInteger } from "../types/predicates.ts";
import { classOf, isSharedAccess, type MemoryInst } from "./access-class.ts";
import { type AtomicUses, instructionKey, resultMatters } from "./atomic-uses.ts";
import { AGAINST } from "./shadow.ts";

/** Keys of the instructions. `isAlong`: whether the dispatch has more than one invocation along each axis. */
export function orderedAccesses(
  module: IrModule,
  uses: AtomicUses,
  isAlong: readonly [boolean, boolean, boolean],
): ReadonlySet<string> {
  return new Search(module, uses, isAlong).run();
}

/** Accesses of a variable between two barriers, or in the whole dispatch. */
interface Part {
  readonly keys: Set<string>;
  readonly classes: Set<number>;
  /** The way to the elements that each invocation has for itself, if all accesses begin so; null: they do not. */
  own: string | null;
}

/** Barriers that may have been passed last: bits by number; the start of the program is number 0. */
type State = bigint;

type Left = Readonly<Record<"break" | "continue" | "return", State>>;
const NOWHERE: Left = { break: 0n, continue: 0n, return: 0n };

class Search {
  readonly #module: IrModule;
  readonly #uses: AtomicUses;
  readonly #isAlong: readonly boolean[];
  readonly #isAlongWorkgroup: readonly boolean[];
  readonly #barriers = new Map<string, State>();
  /** By variable and number of the barrier. */
  readonly #parts = new Map<string, Part>();
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
  }

  run(): ReadonlySet<string> {
    this.#function(this.#module.functions[this.#module.entryPoint], 1n);
    const [ordered, others] = [new Set<string>(), new Set<string>()];
    for (const { keys, classes, own } of this.#parts.values()) {
      const isOrdered =
        own !== null || [...classes].every((kind) => !AGAINST[kind].some((other) => classes.has(other)));
      for (const key of keys) (isOrdered ? ordered : others).add(key);
    }
    for (const key of others) ordered.delete(key);
    return ordered;
  }

  // ---------------------------------------------------------------- control flow

  #function(fn: IrFunction, state: State): State {
    const outer = this.#left;
    this.#left = NOWHERE;
    const after = this.#once(`${fn.id} ${state}`, () => this.#block(fn, fn.body, state)) | this.#left.return;
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
        this.#left = { ...this.#left, [inst.kind]: this.#left[inst.kind] | state };
        return state;
      case "call":
        return this.#function(this.#module.functions[inst.function], state);
      case "loop":
        return this.#loop(fn, inst, state);
      case "if":
        return this.#branches(fn, inst, state);
      case "switch": {
        const { break: outer } = this.#left;
        this.#left = { ...this.#left, break: 0n };
        const after = this.#branches(fn, inst, state) | this.#left.break;
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
    const state = this.#barriers.get(key) ?? 1n << BigInt(this.#barriers.size + 1);
    this.#barriers.set(key, state);
    return state;
  }

  #branches(fn: IrFunction, inst: Instruction, state: State): State {
    return blocksOf(inst).reduce((sum, block) => sum | this.#block(fn, block, state), 0n);
  }

  #loop(fn: IrFunction, inst: Extract<Instruction, { kind: "loop" }>, state: State): State {
    const outer = this.#left;
    this.#left = { ...NOWHERE, return: outer.return };
    const after = this.#once(`${fn.id} ${inst.id} ${state} ${outer.return}`, () => this.#rounds(fn, inst, state));
    this.#left = { ...outer, return: this.#left.return };
    return after;
  }

  /** A loop is left by `break`, or behind what continues it. */
  #rounds(fn: IrFunction, { body, continuing }: Extract<Instruction, { kind: "loop" }>, state: State): State {
    for (let all = state; ; ) {
      const end = this.#block(fn, body, all) | this.#left.continue;
      const round = this.#block(fn, continuing, end);
      if ((all | round) === all) return round | this.#left.break;
      all |= round;
    }
  }

  // ---------------------------------------------------------------- accesses

  #access(fn: IrFunction, inst: MemoryInst, state: State): void {
    if (inst.root === null) return;
    if (inst.space === "storage") {
      this.#note(`${inst.root}`, fn, inst);
      return;
    }
    for (let [rest, number] = [state, 0]; rest !== 0n; rest >>= 1n, number++) {
      if ((rest & 1n) === 1n) this.#note(`${inst.root} ${number}`, fn, inst);
    }
  }

  #note(name: string, fn: IrFunction, inst: MemoryInst): void {
    const key = instructionKey(fn.id, inst.id);
    const own = this.#own(fn, inst);
    const part = this.#parts.get(name) ?? { keys: new Set(), classes: new Set(), own };
    this.#parts.set(name, part);
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
