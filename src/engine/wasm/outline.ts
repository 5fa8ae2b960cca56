/**
 * Functions in pieces that compilers can take: what V8 takes for one function grows faster than the function does, in time
 * and in memory. So branches of very long functions become functions of their own, and statements that are long together,
 * where they have no barriers, do not jump out, and need no variable of the function that is used elsewhere.
 * spec: nothing of this can be seen in results.
 * What has to stay in one function, because of such a variable, `parts.ts` makes cheaper to compile, and what has barriers
 * `pieces.ts` divides when its code is there.
 */
import { hasBarrier } from "../../ir/barriers.ts";
import type {
  Block,
  FunctionId,
  InstId,
  Instruction,
  IrFunction,
  IrModule,
  IrParam,
  LocalId,
  LoopInst,
  SwitchInst,
} from "../../ir/ir.ts";
import { blocksOf, eachInstruction, mapBlock, operandsOf } from "../../ir/walk.ts";
import { pushAll } from "../../text/list.ts";
import { type Type, VOID } from "../../types/type.ts";
import { keptApart } from "./inline.ts";

/** In instructions: longer functions are divided, into pieces that are about so long, … */
const LONG = 2 ** 14;
/** … and not shorter than this. */
const SHARE = 8;
/** What is needed so many instructions later stays outside of the groups that need it. */
const FAR = 2 ** 6;

/** The module with its longest functions divided; itself, if there are none. `long`: other than what pays. */
export function outlined(module: IrModule, long: number = LONG): IrModule {
  if (module.functions.every((fn) => fn.instructionCount <= long)) return module;
  const functions: IrFunction[] = [];
  const ids = new Map<FunctionId, FunctionId>();
  for (const fn of module.functions) {
    // While no piece has come before it, all that it calls has the same id as ever.
    const whole = functions.length === fn.id ? fn : { ...fn, body: withCalls(fn.body, ids) };
    const made =
      fn.instructionCount <= long ? whole : new Divider({ ...module, functions }, whole, functions, long).run();
    const id = functions.length;
    ids.set(fn.id, id);
    functions.push({ ...made, id });
  }
  return { ...module, functions, entryPoint: ids.get(module.entryPoint)! };
}

function withCalls(body: Block, ids: ReadonlyMap<FunctionId, FunctionId>): Block {
  return mapBlock(body, (inst) => {
    if (inst.kind !== "call") return [inst];
    const id = ids.get(inst.function)!;
    return [id === inst.function ? inst : { ...inst, function: id }];
  });
}

type Clause = SwitchInst["clauses"][number];

class Divider {
  readonly #module: IrModule;
  readonly #fn: IrFunction;
  /** Callees come before the function. */
  readonly #functions: IrFunction[];
  readonly #least: number;
  readonly #types: Type[] = [];
  readonly #roots: IrParam["root"][] = [];
  /** How often a variable of the function is named. */
  readonly #uses = new Map<LocalId, number>();
  readonly #sizes = new Map<Block, number>();

  constructor(module: IrModule, fn: IrFunction, functions: IrFunction[], long: number) {
    this.#module = module;
    this.#fn = fn;
    this.#functions = functions;
    this.#least = Math.max(1, Math.floor(long / SHARE));
    for (const { id, type, root } of fn.params) [this.#types[id], this.#roots[id]] = [type, root];
    eachInstruction(fn.body, (inst) => {
      this.#types[inst.id] = inst.type;
      this.#roots[inst.id] = inst.kind === "variable" || inst.kind === "access" ? inst.root : null;
      if (inst.kind === "local") this.#uses.set(inst.local, (this.#uses.get(inst.local) ?? 0) + 1);
    });
  }

  run(): IrFunction {
    return { ...this.#fn, body: this.#inside(this.#fn.body) };
  }

  /** The block with what it holds divided. `needed`: values of it that are needed behind it. */
  #inside({ instructions }: Block, needed: ReadonlySet<InstId> = NONE): Block {
    const inner = { instructions: instructions.map((inst) => this.#instruction(inst)) };
    return this.#size(inner) < 2 * this.#least ? inner : { instructions: this.#statements(inner, needed) };
  }

  /** Statements that are long together: each group, of at least two with branches, is called. */
  #statements({ instructions }: Block, needed: ReadonlySet<InstId>): readonly Instruction[] {
    const lasts = lastUses(instructions, needed);
    const grouped: Instruction[] = [];
    let group: Instruction[] = [];
    let branches = 0;
    let size = 0;
    /** Index of the last instruction that needs something of the group. */
    let end = 0;
    const close = (next: number): void => {
      const block = { instructions: group };
      const isShort = size < this.#least || branches < 2;
      const inputs = isShort || end >= next ? null : this.#inputs(block);
      if (inputs === null) pushAll(grouped, group);
      else pushAll(grouped, this.#call(block, inputs, group[0]).instructions);
      group = [];
      [branches, size] = [0, 0];
    };
    for (const [index, inst] of instructions.entries()) {
      if (lasts[index] - index > FAR) {
        close(index);
        grouped.push(inst);
        continue;
      }
      group.push(inst);
      if (blocksOf(inst).length > 0) branches++;
      size += this.#sizeOf(inst);
      end = Math.max(end, lasts[index]);
      if (end <= index && size >= this.#least && branches > 1) close(index + 1);
    }
    close(instructions.length);
    return grouped;
  }

  #instruction(inst: Instruction): Instruction {
    switch (inst.kind) {
      case "if":
        // biome-ignore lint/suspicious/noThenProperty: it is what the branch is called
        return { ...inst, then: this.#branch(inst.then), otherwise: this.#branch(inst.otherwise) };
      case "switch": {
        const clauses = inst.clauses.map((clause) => ({ ...clause, body: this.#branch(clause.body) }));
        return { ...inst, clauses: this.#groups({ ...inst, clauses }) };
      }
      case "loop":
        return this.#loop(inst);
      default:
        return inst;
    }
  }

  #loop(inst: LoopInst): Instruction {
    const { breakIf } = inst;
    const atEnd = new Set(breakIf === null ? [] : [breakIf]);
    const behind = new Set(atEnd);
    eachUse(inst.continuing, (id) => behind.add(id));
    return { ...inst, body: this.#inside(inst.body, behind), continuing: this.#inside(inst.continuing, atEnd) };
  }

  /** A branch that is long enough: what is still long in it first. */
  #branch(block: Block): Block {
    if (this.#size(block) < this.#least) return block;
    const inner = this.#inside(block);
    if (this.#size(inner) < this.#least) return inner;
    const inputs = this.#inputs(inner);
    return inputs === null ? inner : this.#call(inner, inputs, inner.instructions[0]);
  }

  /** Clauses that are long together: each group is a `switch` of its own, which the clause for all of them calls. */
  #groups(inst: SwitchInst): readonly Clause[] {
    const { clauses } = inst;
    if (this.#sizeOf(inst) < 2 * this.#least) return clauses;
    const grouped: Clause[] = [];
    let group: Clause[] = [];
    let size = 0;
    for (const clause of clauses) {
      if (clause.isDefault || clause.body.instructions.length === 0) {
        grouped.push(clause);
        continue;
      }
      group.push(clause);
      size += this.#size(clause.body);
      if (size < this.#least) continue;
      grouped.push(...this.#group(inst, group));
      group = [];
      size = 0;
    }
    return [...grouped, ...group];
  }

  #group(inst: SwitchInst, clauses: readonly Clause[]): readonly Clause[] {
    const none = { values: [], isDefault: true, body: { instructions: [] } };
    const block = { instructions: [{ ...inst, clauses: [...clauses, none] }] };
    const inputs = clauses.length === 1 ? null : this.#inputs(block);
    if (inputs === null) return clauses;
    const [first] = clauses[0].body.instructions;
    const body = this.#call(block, inputs, first);
    return [{ values: clauses.flatMap(({ values }) => values), isDefault: false, body }];
  }

  #size(block: Block): number {
    let size = this.#sizes.get(block);
    if (size === undefined) {
      size = 0;
      for (const inst of block.instructions) size += this.#sizeOf(inst);
      this.#sizes.set(block, size);
    }
    return size;
  }

  #sizeOf(inst: Instruction): number {
    let size = 1;
    for (const inner of blocksOf(inst)) size += this.#size(inner);
    return size;
  }

  /** The values from outside that the block needs; null: it cannot be a function. */
  #inputs(block: Block): readonly InstId[] | null {
    if (hasBarrier(this.#module, block) || jumpsOut(block, false)) return null;
    const inside = new Set<InstId>();
    const inputs = new Set<InstId>();
    const uses = new Map<LocalId, number>();
    eachInstruction(block, (inst) => {
      inside.add(inst.id);
      if (inst.kind === "local") uses.set(inst.local, (uses.get(inst.local) ?? 0) + 1);
    });
    eachUse(block, (id) => {
      if (!inside.has(id)) inputs.add(id);
    });
    for (const [local, count] of uses) if (count !== this.#uses.get(local)) return null;
    // Variables of the function stay where they are, and so does what is neither a value nor a pointer.
    const isPassed = (id: InstId) => (this.#types[id].kind === "pointer") === (this.#roots[id] !== null);
    return [...inputs].every(isPassed) ? [...inputs] : null;
  }

  /** A call of the block as a function. An instruction of it that is no longer here leaves its number to the call. */
  #call(block: Block, inputs: readonly InstId[], { id: number, span }: Instruction): Block {
    const id = this.#functions.length;
    this.#functions.push(keptApart(this.#function(id, block, inputs)));
    this.#types[number] = VOID;
    return { instructions: [{ kind: "call", id: number, type: VOID, span, function: id, args: inputs }] };
  }

  /** All in it keeps its number, so that nothing has to be made anew; what is passed has the number that it has outside. */
  #function(id: FunctionId, body: Block, inputs: readonly InstId[]): IrFunction {
    const params = inputs.map((input, index): IrParam => {
      const [type, root] = [this.#types[input], this.#roots[input]];
      return { id: input, name: `$${index}`, type, root, builtin: null };
    });
    return { ...this.#fn, id, params, returnType: VOID, body };
  }
}

const NONE: ReadonlySet<InstId> = new Set();

/** Every value that something in a block needs, as often as it does; those that it makes itself too. */
function eachUse(block: Block, visit: (id: InstId) => void): void {
  eachInstruction(block, (inst) => {
    for (const id of operandsOf(inst)) visit(id);
    if (inst.kind === "loop" && inst.breakIf !== null) visit(inst.breakIf);
  });
}

/** By instruction of a list: index of the last one that needs its value, itself where none does; infinite: of `needed`. */
function lastUses(list: readonly Instruction[], needed: ReadonlySet<InstId>): readonly number[] {
  const indices = new Map<InstId, number>();
  const lasts = list.map((_, index) => index);
  for (const [index, inst] of list.entries()) {
    eachUse({ instructions: [inst] }, (id) => {
      const at = indices.get(id);
      if (at !== undefined) lasts[at] = index;
    });
    indices.set(inst.id, index);
  }
  for (const id of needed) if (indices.has(id)) lasts[indices.get(id)!] = Number.POSITIVE_INFINITY;
  return lasts;
}

/** Whether a `return` stands in the block, or a jump to what is around it. */
function jumpsOut({ instructions }: Block, isInLoop: boolean, isInSwitch = isInLoop): boolean {
  return instructions.some((inst) => {
    switch (inst.kind) {
      case "return":
        return true;
      case "break":
        return !isInSwitch;
      case "continue":
        return !isInLoop;
      case "loop":
        return blocksOf(inst).some((inner) => jumpsOut(inner, true));
      case "switch":
        return blocksOf(inst).some((inner) => jumpsOut(inner, isInLoop, true));
      default:
        return blocksOf(inst).some((inner) => jumpsOut(inner, isInLoop, isInSwitch));
    }
  });
}
