/**
 * Tells a loop that waits for others from one that is merely long: every way out of it hangs on values of shared memory
 * that it does not itself bring about. WGSL promises no invocation that another one gets on meanwhile, so such a loop
 * may never end. spec: #compute-shader-workgroups
 *
 * A limit: what a called function does to variables that it is passed pointers to counts as progress of the loop's own,
 * where it reads through them.
 */
import { passesBarrier } from "../ir/barriers.ts";
import type {
  AtomicInst,
  Block,
  FunctionId,
  InstId,
  Instruction,
  IrFunction,
  IrModule,
  LoopInst,
  RootId,
  StoreInst,
} from "../ir/ir.ts";
import { blocksOf, eachInstruction, innermostLoop, operandsOf } from "../ir/walk.ts";
import { onceFor } from "../text/once.ts";
import { containsAtomic } from "../types/predicates.ts";
import type { Wait } from "./dispatch.ts";
import type { Origin } from "./flat.ts";

/** The innermost loop at or around a place, where it waits for others; null where it does not. */
export function waitAt(module: IrModule, place: Origin): Wait | null {
  const fn = module.functions[place.function];
  const loop = innermostLoop(fn.body, place.instruction);
  return loop === null ? null : waitIn(module, fn, loop);
}

/** The same of a loop. */
export function waitIn(module: IrModule, fn: IrFunction, loop: LoopInst): Wait | null {
  const roots = new LoopExits(module, fn, loop).roots();
  return roots.length === 0 ? null : { origin: { function: fn.id, instruction: loop.id, span: loop.span }, roots };
}

/** The innermost loop at or around where an invocation is, its calls the innermost first; null: there is none. */
export function loopOf(module: IrModule, calls: readonly Origin[]): LoopInst | null {
  for (const { function: fn, instruction } of calls) {
    const loop = innermostLoop(module.functions[fn].body, instruction);
    if (loop !== null) return loop;
  }
  return null;
}

/**
 * Whether an invocation looks in a loop, until it likes what it sees, at atomics of workgroup memory that the loop leaves
 * as they are: an engine that runs the invocations of a workgroup one after another would show it the same forever.
 * There may be other ways out, as a count of the rounds.
 */
export function pollsWorkgroup(module: IrModule): boolean {
  if (!module.roots.some(({ space, type }) => space === "workgroup" && containsAtomic(type))) return false;
  return module.functions.some((fn) => {
    let found = false;
    eachInstruction(fn.body, (inst) => {
      found ||= inst.kind === "loop" && new LoopExits(module, fn, inst).polls();
    });
    return found;
  });
}

/**
 * Whether the invocations of a workgroup may wait in a loop together for another workgroup: such a workgroup comes from
 * barrier to barrier, and yet gets nowhere.
 */
export const waitsTogether = onceFor((module: IrModule): boolean =>
  module.functions.some((fn) => {
    let isWait = false;
    eachInstruction(fn.body, (inst) => {
      isWait ||=
        inst.kind === "loop" && passesBarrier(module, inst) && new LoopExits(module, fn, inst).roots().length > 0;
    });
    return isWait;
  }),
);

/** By id; parameters are none. */
type Instructions = readonly (Instruction | undefined)[];

/** All loops of a function are looked at with the same. */
const instructionsOf = onceFor((fn: IrFunction): Instructions => {
  const made = new Array<Instruction | undefined>(fn.instructionCount).fill(undefined);
  eachInstruction(fn.body, (inst) => {
    made[inst.id] = inst;
  });
  return made;
});

/** A function and all that it calls, each once. */
function calledFrom({ functions }: IrModule, id: FunctionId): readonly IrFunction[] {
  const found = new Set([functions[id]]);
  for (const fn of found) {
    for (const inst of instructionsOf(fn)) if (inst?.kind === "call") found.add(functions[inst.function]);
  }
  return [...found];
}

/** An instruction inside of the loop, and the conditions in the loop under which it is reached. */
interface Inside {
  readonly inst: Instruction;
  readonly conditions: readonly InstId[];
}

const COUNTING: ReadonlySet<AtomicInst["operation"]> = new Set(["add", "sub", "xor"]);
const COMPUTING: ReadonlySet<string> = new Set(["+", "-", "*", "/", "%", "<<", ">>", "^"]);

/** A variable whose stores are being followed. */
interface Step {
  readonly variable: string;
  /** `#places` when it was come to. */
  readonly places: number;
  /** Whether the value is computed with on the way. */
  computes: boolean;
  /** Whether a round surely comes to the store. */
  isCertain: boolean;
  /** Whether each round begins with a value of its own. */
  readonly isNew: boolean;
}

/** Variables that are come to, by whatever ways: a loop that takes more to follow does more than wait. */
const MOST_STEPS = 2 ** 10;

class LoopExits {
  readonly #module: IrModule;
  readonly #loop: LoopInst;
  /** All of the function, by id. */
  readonly #all: Instructions;
  readonly #inside = new Map<InstId, Inside>();
  readonly #exits = new Set<InstId>();
  readonly #roots = new Set<RootId>();
  /** Those of them that are loaded as atomics. */
  readonly #polled = new Set<RootId>();
  readonly #done = new Set<InstId>();
  /** Whether all invocations of the workgroup come along. */
  readonly #meets: boolean;
  /** Variables whose stores are being followed, outermost first. */
  readonly #trail: Step[] = [];
  /** How many places in shared memory the value that is followed leads to, one in the other. */
  #places = 0;
  #progress = false;
  #stepsLeft = MOST_STEPS;

  constructor(module: IrModule, fn: IrFunction, loop: LoopInst) {
    this.#module = module;
    this.#loop = loop;
    this.#meets = passesBarrier(module, loop);
    this.#all = instructionsOf(fn);
    this.#collect(loop.body, [], true);
    this.#collect(loop.continuing, [], true);
    if (loop.breakIf !== null) this.#exits.add(loop.breakIf);
  }

  /**
   * The conditions, beside those of the block itself, under which a round goes on behind it: those of a `continue` in it;
   * null where there is none.
   */
  #collect(block: Block, conditions: readonly InstId[], leaves: boolean): readonly InstId[] | null {
    let here = conditions;
    let continues = false;
    for (const inst of block.instructions) {
      this.#inside.set(inst.id, { inst, conditions: here });
      if ((inst.kind === "break" && leaves) || inst.kind === "return") for (const id of here) this.#exits.add(id);
      if (inst.kind === "continue") continues = true;
      const added = inst.kind === "if" ? [inst.condition] : inst.kind === "switch" ? [inst.selector] : [];
      const stillLeaves = leaves && inst.kind === "if";
      const inner = blocksOf(inst).map((each) => this.#collect(each, [...here, ...added], stillLeaves));
      // Those of an inner loop are its own.
      if (inst.kind === "loop" || inner.every((each) => each === null)) continue;
      continues = true;
      here = [...here, ...added, ...inner.flatMap((each) => each ?? [])];
    }
    return continues ? here.slice(conditions.length) : null;
  }

  /** Variables whose values alone decide whether the loop ends; none where it brings its end about itself. */
  roots(): readonly RootId[] {
    for (const id of this.#exits) this.#follow(id);
    if (this.#meets) return this.#rootsOfAll();
    for (const { inst, conditions } of this.#inside.values()) {
      if (inst.kind === "store" && inst.root !== null && this.#roots.has(inst.root) && conditions.length === 0) {
        this.#progress = true;
      }
    }
    return this.#progress ? [] : [...this.#roots];
  }

  /** Where the whole workgroup goes round only other ones can be waited for, and nothing that it changes itself on the way. */
  #rootsOfAll(): readonly RootId[] {
    const roots = [...this.#roots].filter((root) => this.#module.roots[root].space === "storage");
    const changes = [...this.#inside.values()].flatMap(({ inst }) => {
      const isGivenBack = inst.kind === "atomic" && this.#takesBack(inst.operation, inst.root);
      return this.#done.has(inst.id) || isGivenBack ? [] : this.#changedBy(inst);
    });
    const changed = new Set(changes);
    return this.#progress || roots.some((root) => changed.has(root)) ? [] : roots;
  }

  /** Whether one way out hangs on atomics of workgroup memory alone that the loop only loads. */
  polls(): boolean {
    if (this.#meets) return false;
    const changed = new Set([...this.#inside.values()].flatMap(({ inst }) => this.#changedBy(inst)));
    return [...this.#exits]
      .flatMap((exit) => this.#parts(exit))
      .some((part) => {
        this.#forget();
        this.#follow(part);
        if (this.#progress || this.#polled.size === 0) return false;
        return ![...this.#roots].some((root) => changed.has(root) || this.#module.roots[root].space !== "workgroup");
      });
  }

  /** What a condition is put together of with `&&`, `||` and `!`: the first two go through a variable. */
  #parts(id: InstId, seen: ReadonlySet<InstId> = new Set()): readonly InstId[] {
    const inst = this.#inside.get(id)?.inst;
    if (inst === undefined || seen.has(id)) return [];
    const further = new Set(seen).add(id);
    if (inst.kind === "unary") return this.#parts(inst.operand, further);
    const variable = inst.kind === "load" ? this.#base(inst.pointer).variable : null;
    if (variable?.startsWith("local") !== true) return [id];
    return [...this.#inside.values()].flatMap(({ inst: each }) =>
      each.kind === "store" && overlap(this.#base(each.pointer).variable, variable)
        ? this.#parts(each.value, further)
        : [],
    );
  }

  /** Variables that an instruction changes; null: unknown ones. */
  #changedBy(inst: Instruction): readonly (RootId | null)[] {
    return this.#withCalled(inst).flatMap((each) =>
      each.kind === "store" || (each.kind === "atomic" && each.operation !== "load") ? [each.root] : [],
    );
  }

  #forget(): void {
    this.#roots.clear();
    this.#polled.clear();
    this.#done.clear();
    this.#progress = false;
  }

  #follow(id: InstId): void {
    const found = this.#inside.get(id);
    if (found === undefined || this.#done.has(id) || this.#progress) return; // The same in every round.
    const { inst } = found;
    if (inst.kind === "load") {
      this.#load(inst.pointer, inst.root);
      return;
    }
    if (inst.kind === "uniform-load") {
      // What the loop itself has put there before all came.
      if (inst.root !== null) this.#variable(`root ${inst.root}`);
      return;
    }
    this.#done.add(id);
    const computes = (inst.kind === "binary" && COMPUTING.has(inst.operator)) || inst.kind === "builtin";
    const before = this.#trail.map((each) => each.computes);
    if (computes) for (const each of this.#trail) each.computes ||= each.places === this.#places;
    if (inst.kind === "atomic") this.#atomic(inst, this.#all);
    if (inst.kind === "call") {
      this.#call(inst.function);
      for (const { variable } of inst.args.map((arg) => this.#base(arg)))
        if (variable?.startsWith("local") === true) this.#variable(variable);
    }
    if (inst.kind === "atomic") this.#followPlace(operandsOf(inst));
    else for (const operand of operandsOf(inst)) this.#follow(operand);
    for (const [i, each] of this.#trail.entries()) each.computes = before[i];
  }

  /** What says where in shared memory one looks: what is found there is not computed from it, but what others have put there. */
  #followPlace(ids: readonly InstId[]): void {
    this.#places++;
    for (const id of ids) this.#follow(id);
    this.#places--;
  }

  #load(pointer: InstId, root: RootId | null): void {
    const { variable, indices } = this.#base(pointer);
    const isShared = root !== null && this.#isShared(root);
    if (isShared) this.#followPlace(indices);
    else for (const index of indices) this.#follow(index);
    if (isShared) this.#roots.add(root);
    else if (variable === null) this.#progress = true;
    else this.#variable(variable);
  }

  /** Follows what the loop stores into a variable of this invocation. */
  #variable(variable: string): void {
    const open = this.#trail.findIndex((each) => each.variable === variable);
    if (open >= 0) {
      // What it was decides what it becomes: a counter, unless the value is only passed on, or of this round alone.
      const round = this.#trail.slice(open);
      const goesOn = round.some((each) => each.computes) && round.some((each) => !each.isNew);
      if (goesOn && round.every((each) => each.isCertain)) this.#progress = true;
      return;
    }
    if (--this.#stepsLeft < 0) this.#progress = true;
    if (this.#progress) return;
    const isNew = this.#isNew(variable);
    const step: Step = { variable, places: this.#places, computes: false, isCertain: true, isNew };
    this.#trail.push(step);
    for (const { inst, conditions } of this.#inside.values()) {
      if (inst.kind === "store" && this.#storesTo(inst, variable)) {
        this.#done.delete(inst.value);
        // While it waits it may not come to count.
        step.isCertain = !conditions.some((id) => this.#hangsOnAtomics(id));
        for (const id of [inst.value, ...conditions]) this.#follow(id);
      } else if (inst.kind === "call" && inst.args.some((arg) => overlap(this.#base(arg).variable, variable))) {
        const { reads, stores } = this.#pointersIn(inst.function);
        if (reads && stores) this.#progress = true;
        else if (stores) this.#call(inst.function);
      }
    }
    this.#trail.pop();
  }

  /**
   * Whether a round gives a value to the variable, as a whole, before it does anything else with it, and puts nothing into
   * it of what rounds before have left in others.
   */
  #isNew(variable: string): boolean {
    if (!variable.startsWith("local")) return false;
    let isGiven = false;
    for (const { inst, conditions } of this.#inside.values()) {
      if (inst.kind === "call" && inst.args.some((arg) => overlap(this.#base(arg).variable, variable))) return false;
      if (inst.kind === "load" && overlap(this.#base(inst.pointer).variable, variable) && !isGiven) return false;
      if (inst.kind !== "store") continue;
      const { variable: stored, indices } = this.#base(inst.pointer);
      if (!overlap(stored, variable)) continue;
      const isWhole = indices.length === 0 && variable.startsWith(stored!);
      isGiven ||= isWhole && conditions.length === 0 && this.#loop.body.instructions.includes(inst);
      if (!isGiven || !this.#isOfRound(inst.value, variable)) return false;
    }
    return isGiven;
  }

  /** Whether a value is made of a variable, of shared memory and of what is the same in each round. */
  #isOfRound(id: InstId, variable: string, seen: Set<InstId> = new Set()): boolean {
    const inst = this.#inside.get(id)?.inst;
    if (inst === undefined || inst.kind === "atomic" || seen.has(id)) return true;
    seen.add(id);
    if (inst.kind === "call") return false;
    if (inst.kind !== "load") return operandsOf(inst).every((each) => this.#isOfRound(each, variable, seen));
    return (inst.root !== null && this.#isShared(inst.root)) || this.#base(inst.pointer).variable === variable;
  }

  #hangsOnAtomics(id: InstId, seen: Set<InstId> = new Set()): boolean {
    const inst = this.#inside.get(id)?.inst;
    if (inst === undefined || seen.has(id)) return false;
    seen.add(id);
    if (inst.kind === "atomic") return true;
    const variable = inst.kind === "load" ? this.#base(inst.pointer).variable : null;
    const stored =
      variable === null
        ? []
        : [...this.#inside.values()].flatMap(({ inst: each }) =>
            each.kind === "store" && this.#storesTo(each, variable) ? [each.value] : [],
          );
    return [...operandsOf(inst), ...stored].some((each) => this.#hangsOnAtomics(each, seen));
  }

  #storesTo({ pointer, root }: StoreInst, variable: string): boolean {
    return overlap(variable, root === null ? this.#base(pointer).variable : `root ${root}`);
  }

  /** Who takes a permit and gives it back, because there was none, has got nowhere. */
  #takesBack(operation: AtomicInst["operation"], root: RootId | null): boolean {
    const opposite = operation === "add" ? "sub" : operation === "sub" ? "add" : null;
    return [...this.#inside.values()]
      .flatMap(({ inst }) => this.#withCalled(inst))
      .some((inst) => inst.kind === "atomic" && root !== null && inst.root === root && inst.operation === opposite);
  }

  /** An instruction, and in place of a call all that may be come to by it, once. */
  #withCalled(inst: Instruction): readonly Instruction[] {
    if (inst.kind !== "call") return [inst];
    return calledFrom(this.#module, inst.function).flatMap((fn) =>
      instructionsOf(fn).filter((each) => each !== undefined),
    );
  }

  /** `all`: of the function that it stands in. */
  #atomic({ operation, root, args }: AtomicInst, all: Instructions): void {
    if (root !== null) this.#roots.add(root);
    if (root !== null && operation === "load") this.#polled.add(root);
    const given = args.length === 1 ? all[args[0]] : undefined;
    const addsNothing = given?.kind === "const" && Number(given.value.value) === 0;
    if (COUNTING.has(operation) && !addsNothing && !this.#takesBack(operation, root)) this.#progress = true;
  }

  /** What a function returns hangs on all the shared memory that it reads. */
  #call(id: FunctionId): void {
    for (const fn of calledFrom(this.#module, id)) {
      const all = instructionsOf(fn);
      for (const inst of all) {
        if (inst?.kind === "atomic") this.#atomic(inst, all);
        else if (inst?.kind === "load" && inst.root !== null && this.#isShared(inst.root)) this.#roots.add(inst.root);
      }
    }
  }

  /** Whether a function reads what its parameters point to, and puts something there: if both, it may go on from there. */
  #pointersIn(id: FunctionId): { readonly reads: boolean; readonly stores: boolean } {
    const fn = this.#module.functions[id];
    const all = instructionsOf(fn);
    const given = new Set(
      fn.params.filter(({ type, root }) => type.kind === "pointer" && root === null).map((each) => each.id),
    );
    const isGiven = (pointer: InstId) => given.has(this.#base(pointer, all).start);
    let [reads, stores] = [false, false];
    eachInstruction(fn.body, (inst) => {
      if (inst.kind === "load") reads ||= isGiven(inst.pointer);
      else if (inst.kind === "store") stores ||= isGiven(inst.pointer);
      else if (inst.kind === "call" && inst.args.some(isGiven)) reads = stores = true;
    });
    return { reads, stores };
  }

  #isShared(root: RootId): boolean {
    const { space, access } = this.#module.roots[root];
    return space === "workgroup" || (space === "storage" && access !== "read");
  }

  /**
   * The variable behind a pointer, or the part of a local one that constant indices name (null: a parameter's), and the
   * dynamic indices on the way to it. `all`: of its function.
   */
  #base(
    pointer: InstId,
    all: Instructions = this.#all,
  ): { readonly variable: string | null; readonly start: InstId; readonly indices: readonly InstId[] } {
    const indices: InstId[] = [];
    let part = "";
    for (let id = pointer; ; ) {
      const inst = all[id];
      if (inst?.kind === "local") return { variable: `local ${inst.local}${part}`, start: id, indices };
      if (inst?.kind === "variable") return { variable: `root ${inst.root}`, start: id, indices };
      if (inst?.kind !== "access") return { variable: null, start: id, indices };
      if (typeof inst.index !== "number") indices.push(inst.index.dynamic);
      part = typeof inst.index === "number" ? `.${inst.index}${part}` : "";
      id = inst.pointer;
    }
  }
}

/** Whether one is the other, or a part of it. */
function overlap(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && (a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`));
}
