/**
 * Loads and stores that need no note, as another one of the same invocation, of the same place in the same epoch, stands
 * for them: who conflicts with a load conflicts with a store too, so a place that is loaded and then stored to is noted
 * once, and one that was noted on the way to here need not be noted again.
 */
import { passesBarrier } from "../ir/barriers.ts";
import type { Block, InstId, Instruction, IrFunction, IrModule } from "../ir/ir.ts";
import { blocksOf, eachInstruction } from "../ir/walk.ts";

export function needlessNotes(module: IrModule, fn: IrFunction): ReadonlySet<InstId> {
  return new Search(module, fn).run();
}

/** A place by its way from the variable, and whether a store is noted, or a load. */
type Note = `${"load" | "store"} ${string}`;

class Search {
  readonly #module: IrModule;
  readonly #fn: IrFunction;
  readonly #found = new Set<InstId>();
  /** What is noted on the way to here, in this epoch. */
  readonly #known = new Set<Note>();
  readonly #defined = new Map<InstId, Instruction>();

  constructor(module: IrModule, fn: IrFunction) {
    this.#module = module;
    this.#fn = fn;
    eachInstruction(fn.body, (inst) => this.#defined.set(inst.id, inst));
  }

  run(): ReadonlySet<InstId> {
    this.#block(this.#fn.body);
    return this.#found;
  }

  #block({ instructions }: Block): void {
    const added: Note[] = [];
    const stored = this.#storedLater(instructions);
    for (const inst of instructions) {
      if (inst.kind === "load" || inst.kind === "store") this.#access(inst, added, stored.has(inst.id));
      // What the blocks around this one have noted was forgotten when control came in here.
      else if (passesBarrier(this.#module, inst)) this.#known.clear();
      for (const block of blocksOf(inst)) this.#block(block);
    }
    for (const note of added) this.#known.delete(note);
  }

  #access(inst: Extract<Instruction, { kind: "load" | "store" }>, added: Note[], isStoredLater: boolean): void {
    if (inst.root === null) return;
    const place = this.#place(inst.pointer);
    const isStored = this.#known.has(`store ${place}`);
    const isKnown = inst.kind === "store" ? isStored : isStored || this.#known.has(`load ${place}`);
    if (isKnown || isStoredLater) this.#found.add(inst.id);
    if (isKnown) return;
    const note: Note = `${inst.kind} ${place}`;
    this.#known.add(note);
    added.push(note);
  }

  /** Loads whose place is stored to behind them, before anything that control may leave by. */
  #storedLater(instructions: readonly Instruction[]): ReadonlySet<InstId> {
    const found = new Set<InstId>();
    const later = new Set<string>();
    for (let i = instructions.length - 1; i >= 0; i--) {
      const inst = instructions[i];
      if (blocksOf(inst).length > 0 || inst.kind === "call" || passesBarrier(this.#module, inst)) later.clear();
      if ((inst.kind !== "load" && inst.kind !== "store") || inst.root === null) continue;
      const place = this.#place(inst.pointer);
      if (inst.kind === "store") later.add(place);
      else if (later.has(place)) found.add(inst.id);
    }
    return found;
  }

  /** Equal places have equal names; a component goes by the name of its vector, as that is what has a cell. */
  #place(pointer: InstId): string {
    const inst = this.#defined.get(pointer);
    if (inst?.kind === "variable") return `variable ${inst.root}`;
    if (inst?.kind !== "access") return `pointer ${pointer}`;
    const whole = this.#place(inst.pointer);
    if (inst.step === "component") return whole;
    return `${whole}, ${typeof inst.index === "number" ? inst.index : `%${inst.index.dynamic}`}`;
  }
}
