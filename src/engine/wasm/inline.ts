/**
 * From the functions of a module to the code of its kernel: calls of what holds a barrier, of what is short and of what
 * is called once are inlined, the others stay functions. Value ids, variables and labels are numbered anew.
 */
import type { Block, FunctionId, InstId, Instruction, IrFunction, IrModule, LocalId, RootId } from "../../ir/ir.ts";
import { eachInstruction } from "../../ir/walk.ts";
import type { Span } from "../../text/source.ts";
import { pointerType, type Type, VOID } from "../../types/type.ts";
import type {
  Code,
  LabelId,
  Node,
  Operation,
  Parameter,
  SharedPrivate,
  ValueId,
  Variable,
  VariableId,
} from "./tree.ts";

/** In instructions. Shorter functions cost less than their call, … */
const SHORT = 60;
/** … unless, called from very many places, all copies together are more than this; those of a few are shorter than their call. */
const MANY_COPIES = 2 ** 14;
const TINY = 8;
/** Functions that are called once are inlined while their caller is not longer than this. */
const MOST_GROWN = 2 ** 14;
/** What inlining may add to a module for one function that is neither short nor called once. */
const TOLERATED = 400;
/** Barriers must be inlined, but not without end: where copies of code are more than this the interpreter runs it. */
const LARGEST = 100_000;

const apart = new WeakSet<IrFunction>();

/** The function, which is not to be inlined: it is a piece of one that was too long. */
export function keptApart(fn: IrFunction): IrFunction {
  apart.add(fn);
  return fn;
}

export interface InlinedModule {
  readonly kernel: Code;
  /** Functions that stay functions, callees before callers. Their code is made when it is asked for: all of it is much. */
  readonly functions: ReadonlyMap<FunctionId, () => Code>;
  /** Private variables that functions share with the kernel, by root. */
  readonly sharedPrivates: ReadonlyMap<RootId, SharedPrivate>;
  /** Private variables that the kernel alone uses. */
  readonly ownPrivates: readonly SharedPrivate[];
}

/** What is known of a function before anything is inlined. */
interface Summary {
  /** Instructions, with those of the functions inlined into it. */
  size: number;
  /** Those of the functions inlined into it. */
  inlinedSize: number;
  hasBarrier: boolean;
  calls: number;
  inlined: boolean;
  readonly privates: Set<RootId>;
}

/**
 * The module's kernel; null where inlining the functions with barriers would make it too large. `longest`: of the
 * functions without barriers only those with so few instructions are inlined; left out: those where it pays.
 */
export function inlineModule(module: IrModule, longest?: number): InlinedModule | null {
  const summaries = summarize(module, longest);
  if (copiedSize(summaries, module.entryPoint) > LARGEST) return null;
  const shared = new Set<RootId>();
  for (const [id, summary] of summaries.entries()) {
    const isFunction = !summary.inlined && summary.calls > 0;
    if (isFunction && id !== module.entryPoint) for (const root of summary.privates) shared.add(root);
  }
  const functions = new Map<FunctionId, () => Code>();
  for (const fn of module.functions) {
    if (summaries[fn.id].inlined || summaries[fn.id].calls === 0) continue;
    functions.set(fn.id, () => new CodeBuilder(module, summaries, null).build(fn));
  }
  const privates = new Map<RootId, SharedPrivate>();
  const builder = new CodeBuilder(module, summaries, privates);
  const kernel = builder.build(module.functions[module.entryPoint]);
  for (const root of shared) builder.private(root);
  const isShared = ([root]: [RootId, SharedPrivate]) => shared.has(root);
  return {
    kernel,
    functions,
    sharedPrivates: new Map([...privates].filter(isShared)),
    ownPrivates: [...privates].filter((entry) => !isShared(entry)).map(([, variable]) => variable),
  };
}

/** What inlining adds to the kernel beyond all of its code once. */
function copiedSize(summaries: readonly Summary[], entryPoint: FunctionId): number {
  const isUsed = ({ calls }: Summary, id: number) => calls > 0 || id === entryPoint;
  const once = summaries.filter(isUsed).reduce((sum, { size, inlinedSize }) => sum + size - inlinedSize, 0);
  return summaries[entryPoint].size - once;
}

/** Callees come before callers, so one pass decides. */
function summarize(module: IrModule, longest: number | undefined): readonly Summary[] {
  const calls = new Array<number>(module.functions.length).fill(0);
  const reachable = reachableFunctions(module);
  for (const fn of module.functions) {
    if (!reachable.has(fn.id)) continue;
    eachInstruction(fn.body, (inst) => {
      if (inst.kind === "call") calls[inst.function]++;
    });
  }
  const summaries: Summary[] = [];
  for (const fn of module.functions) {
    const summary: Summary = {
      size: 0,
      inlinedSize: 0,
      hasBarrier: false,
      calls: calls[fn.id],
      inlined: false,
      privates: new Set(),
    };
    eachInstruction(fn.body, (inst) => {
      summary.size++;
      if (inst.kind === "barrier" || inst.kind === "uniform-load") summary.hasBarrier = true;
      if (inst.kind === "variable" && module.roots[inst.root].space === "private") summary.privates.add(inst.root);
      if (inst.kind !== "call") return;
      const callee = summaries[inst.function];
      const isTooMuch = summary.size + summary.inlinedSize + callee.size > MOST_GROWN;
      if (longest === undefined && isTooMuch && callee.size > SHORT && !callee.hasBarrier && callee.calls === 1)
        callee.inlined = false;
      for (const root of callee.privates) summary.privates.add(root);
      if (callee.inlined) summary.inlinedSize += callee.size;
      summary.hasBarrier ||= callee.hasBarrier;
    });
    summary.size += summary.inlinedSize;
    const { size, hasBarrier } = summary;
    const all = size * summary.calls;
    const isShort = size <= TINY || (size <= SHORT && all <= MANY_COPIES);
    const pays = isShort || summary.calls === 1 || all <= TOLERATED;
    const cheap = !apart.has(fn) && (longest === undefined ? pays : size <= longest);
    summary.inlined = summary.calls > 0 && (hasBarrier || (cheap && size <= LARGEST / 10));
    summaries.push(summary);
  }
  return summaries;
}

export function reachableFunctions(module: IrModule): ReadonlySet<FunctionId> {
  const found = new Set<FunctionId>();
  const visit = (id: FunctionId): void => {
    if (found.has(id)) return;
    found.add(id);
    eachInstruction(module.functions[id].body, (inst) => {
      if (inst.kind === "call") visit(inst.function);
    });
  };
  visit(module.entryPoint);
  return found;
}

/** One function at the place where it is inlined. */
interface Frame {
  readonly fn: IrFunction;
  readonly values: Map<InstId, ValueId>;
  /** What stands for its variables, as far as they are named: a piece of a function has all of that function. */
  readonly locals: Map<LocalId, VariableId>;
  /** Where `return` goes; null where the only one is the function's last instruction. */
  readonly exit: { readonly label: LabelId; readonly result: VariableId | null } | null;
  readonly breakLabel: LabelId | null;
  readonly continueLabel: LabelId | null;
}

class CodeBuilder {
  readonly #module: IrModule;
  readonly #summaries: readonly Summary[];
  /** Null in functions: there private variables stay roots. */
  readonly #privates: Map<RootId, SharedPrivate> | null;
  readonly #types: Type[] = [];
  readonly #variables: Variable[] = [];
  /** What `&&` and `||` have become, by the pointer to the variable that they were to put it into. */
  readonly #combined = new Map<ValueId, ValueId>();
  #labels = 0;

  constructor(module: IrModule, summaries: readonly Summary[], privates: Map<RootId, SharedPrivate> | null) {
    this.#module = module;
    this.#summaries = summaries;
    this.#privates = privates;
  }

  build(fn: IrFunction): Code {
    const values = new Map<InstId, ValueId>();
    const parameters: Parameter[] = fn.params.map(({ id, type, builtin }) => {
      const value = this.#newValue(type);
      values.set(id, value);
      return { id: value, type, builtin };
    });
    const label = this.#labels++;
    const result = fn.returnType === VOID ? null : this.#newVariable("$result", fn.returnType);
    const exit = { label, result };
    const frame: Frame = { fn, values, locals: new Map(), exit, breakLabel: null, continueLabel: null };
    const nodes = withoutLastJump(this.#block(frame, fn.body), label);
    const { name, returnType, span } = fn;
    return {
      name,
      parameters,
      returnType,
      label,
      result,
      variables: this.#variables,
      nodes,
      types: this.#types,
      span,
    };
  }

  #newValue(type: Type): ValueId {
    return this.#types.push(type) - 1;
  }

  #newVariable(name: string, type: Type): VariableId {
    const id = this.#variables.length;
    this.#variables.push({ id, name, type });
    return id;
  }

  #local({ fn, locals }: Frame, local: LocalId): VariableId {
    let variable = locals.get(local);
    if (variable === undefined) {
      const { name, type } = fn.locals[local];
      variable = this.#newVariable(name, type);
      locals.set(local, variable);
    }
    return variable;
  }

  #block(frame: Frame, block: Block): Node[] {
    const nodes: Node[] = [];
    for (const inst of block.instructions) this.#instruction(frame, inst, nodes);
    return nodes;
  }

  #define(frame: Frame, inst: Instruction): ValueId {
    const id = this.#newValue(inst.type);
    frame.values.set(inst.id, id);
    return id;
  }

  #value(frame: Frame, id: InstId): ValueId {
    return frame.values.get(id)!;
  }

  #instruction(frame: Frame, inst: Instruction, nodes: Node[]): void {
    switch (inst.kind) {
      case "if":
        if (this.#shortCircuit(frame, inst, nodes)) return;
        nodes.push({
          kind: "if",
          condition: this.#value(frame, inst.condition),
          whenTrue: this.#block(frame, inst.then),
          whenFalse: this.#block(frame, inst.otherwise),
        });
        break;
      case "switch":
        this.#switch(frame, inst, nodes);
        break;
      case "loop":
        this.#loop(frame, inst, nodes);
        break;
      case "break":
        nodes.push({ kind: "jump", label: frame.breakLabel! });
        break;
      case "continue":
        nodes.push({ kind: "jump", label: frame.continueLabel! });
        break;
      case "return":
        this.#return(frame, inst, nodes);
        break;
      case "call":
        if (this.#summaries[inst.function].inlined) {
          this.#inline(frame, inst, nodes);
          break;
        }
        nodes.push(this.#operation(frame, inst));
        break;
      case "load": {
        const combined = this.#combined.get(this.#value(frame, inst.pointer));
        if (combined === undefined) nodes.push(this.#operation(frame, inst));
        else frame.values.set(inst.id, combined);
        break;
      }
      default:
        nodes.push(this.#operation(frame, inst));
    }
  }

  /** The operation with its operands renamed, and a private variable as a variable of the kernel. */
  #operation(frame: Frame, inst: Operation): Operation {
    if (inst.kind === "variable" && this.#privates !== null && this.#module.roots[inst.root].space === "private") {
      const { type, span } = inst;
      return { kind: "local", id: this.#define(frame, inst), type, span, local: this.private(inst.root) };
    }
    const renamed = rename(inst, (id) => this.#value(frame, id));
    const id = this.#define(frame, inst);
    if (renamed.kind === "local") return { ...renamed, id, local: this.#local(frame, renamed.local) };
    return { ...renamed, id };
  }

  /** The variable that stands for a private variable of the module. */
  private(root: RootId): VariableId {
    const privates = this.#privates!;
    let shared = privates.get(root);
    if (shared === undefined) {
      const { name, type, initializer } = this.#module.roots[root];
      shared = { variable: this.#newVariable(name, type), type, initializer };
      privates.set(root, shared);
    }
    return shared.variable;
  }

  #switch(frame: Frame, inst: Extract<Instruction, { kind: "switch" }>, nodes: Node[]): void {
    const label = this.#labels++;
    const inner = { ...frame, breakLabel: label };
    const clauses = inst.clauses.map(({ values, isDefault, body }) => ({
      values,
      isDefault,
      body: withoutLastJump(this.#block(inner, body), label),
    }));
    nodes.push({ kind: "switch", selector: this.#value(frame, inst.selector), label, clauses });
  }

  #loop(frame: Frame, inst: Extract<Instruction, { kind: "loop" }>, nodes: Node[]): void {
    const label = this.#labels++;
    const continueLabel = this.#labels++;
    const body = withoutLastJump(this.#block({ ...frame, breakLabel: label, continueLabel }, inst.body), continueLabel);
    const continuing = this.#block({ ...frame, breakLabel: null, continueLabel: null }, inst.continuing);
    const breakIf = inst.breakIf === null ? null : this.#value(frame, inst.breakIf);
    nodes.push({ kind: "loop", body, continuing, breakIf, label, continueLabel, span: inst.span });
  }

  #return(frame: Frame, inst: Extract<Instruction, { kind: "return" }>, nodes: Node[]): void {
    const { exit } = frame;
    // The value is taken where the function was called.
    if (exit === null) return;
    if (exit.result !== null && inst.value !== null) {
      const value = this.#value(frame, inst.value);
      this.#store(exit.result, value, inst.span, nodes);
    }
    nodes.push({ kind: "jump", label: exit.label });
  }

  #store(variable: VariableId, value: ValueId, span: Span, nodes: Node[]): void {
    const pointer = this.#pointer(variable, span, nodes);
    const id = this.#newValue(VOID);
    nodes.push({ kind: "store", id, type: VOID, span, pointer, space: "function", root: null, size: 0, value });
  }

  #pointer(variable: VariableId, span: Span, nodes: Node[]): ValueId {
    const type = pointerType("function", this.#variables[variable].type, "read_write");
    const pointer = this.#newValue(type);
    nodes.push({ kind: "local", id: pointer, type, span, local: variable });
    return pointer;
  }

  #inline(frame: Frame, inst: Extract<Instruction, { kind: "call" }>, nodes: Node[]): void {
    const fn = this.#module.functions[inst.function];
    const values = new Map<InstId, ValueId>();
    for (const [index, param] of fn.params.entries()) values.set(param.id, this.#value(frame, inst.args[index]));
    const inner = { fn, values, locals: new Map<LocalId, VariableId>(), breakLabel: null, continueLabel: null };
    const last = fn.body.instructions.at(-1);
    if (returnCount(fn.body) === (last?.kind === "return" ? 1 : 0)) {
      nodes.push(...this.#block({ ...inner, exit: null }, fn.body));
      if (last?.kind === "return" && last.value !== null) frame.values.set(inst.id, values.get(last.value)!);
      return;
    }
    const result = inst.type === VOID ? null : this.#newVariable("$result", inst.type);
    const label = this.#labels++;
    const body = this.#block({ ...inner, exit: { label, result } }, fn.body);
    nodes.push({ kind: "block", body: withoutLastJump(body, label), label });
    if (result === null) return;
    const pointer = this.#pointer(result, inst.span, nodes);
    const id = this.#define(frame, inst);
    const { type, span } = inst;
    nodes.push({ kind: "load", id, type, span, pointer, space: "function", root: null, size: 0 });
  }

  /**
   * `&&` and `||` whose right side is short and has no effects, in one piece: `$and = l; if l { $and = r }; $and` becomes
   * `l & r`. True where it was done.
   */
  #shortCircuit(frame: Frame, inst: Extract<Instruction, { kind: "if" }>, nodes: Node[]): boolean {
    const isAnd = inst.otherwise.instructions.length === 0;
    const { instructions } = isAnd ? inst.then : inst.otherwise;
    if (!isAnd && inst.then.instructions.length > 0) return false;
    const last = instructions.at(-1);
    if (last?.kind !== "store" || !instructions.slice(0, -1).every((each) => isShort(each))) return false;
    if (instructionCount(isAnd ? inst.then : inst.otherwise) > LONGEST_RIGHT_SIDE) return false;
    const store = nodes.at(-1);
    const left = this.#value(frame, inst.condition);
    // The left side was stored just before, by the same pointer.
    if (store?.kind !== "store" || store.value !== left || store.pointer !== frame.values.get(last.pointer))
      return false;
    const pointer = nodes.findLast((node) => node.kind === "local" && node.id === store.pointer);
    if (pointer?.kind !== "local" || !this.#variables[pointer.local].name.startsWith("$")) return false;
    nodes.pop();
    for (const each of instructions.slice(0, -1)) this.#instruction(frame, each, nodes);
    const { type } = this.#variables[pointer.local];
    const id = this.#newValue(type);
    const right = this.#value(frame, last.value);
    nodes.push({ kind: "binary", id, type, span: inst.span, operator: isAnd ? "&" : "|", left, right });
    this.#combined.set(store.pointer, id);
    return true;
  }
}

/** In instructions. */
const LONGEST_RIGHT_SIDE = 24;

function instructionCount(block: Block): number {
  let count = 0;
  eachInstruction(block, () => count++);
  return count;
}

/** Cheaper to evaluate than to jump over; loads of variables, not of shared memory. */
function isShort(inst: Instruction): boolean {
  switch (inst.kind) {
    case "const":
    case "extract":
    case "swizzle":
    case "construct":
    case "splat":
    case "convert":
    case "bitcast":
    case "unary":
    case "local":
    case "array-length":
    case "variable":
      return true;
    case "binary":
      return inst.operator !== "/" && inst.operator !== "%";
    case "access":
      return typeof inst.index === "number";
    case "load":
      return inst.space !== "storage" && inst.space !== "workgroup";
    // Of `&&` and `||` inside.
    case "store":
      return inst.space === "function";
    case "if":
      return [...inst.then.instructions, ...inst.otherwise.instructions].every((each) => isShort(each));
    default:
      return false;
  }
}

function returnCount(block: Block): number {
  let count = 0;
  eachInstruction(block, (inst) => {
    if (inst.kind === "return") count++;
  });
  return count;
}

/** A jump to what comes next anyway. */
function withoutLastJump(nodes: Node[], label: LabelId): Node[] {
  const last = nodes.at(-1);
  return last?.kind === "jump" && last.label === label ? nodes.slice(0, -1) : nodes;
}

/** A copy with other operands. */
function rename(inst: Operation, value: (id: InstId) => ValueId): Operation {
  switch (inst.kind) {
    case "const":
    case "variable":
    case "local":
    case "barrier":
      return inst;
    case "unary":
    case "convert":
    case "bitcast":
    case "splat":
    case "extract":
    case "swizzle":
      return { ...inst, operand: value(inst.operand) };
    case "binary":
      return { ...inst, left: value(inst.left), right: value(inst.right) };
    case "construct":
      return { ...inst, parts: inst.parts.map(value) };
    case "extract-dynamic":
      return { ...inst, operand: value(inst.operand), index: value(inst.index) };
    case "select":
      return {
        ...inst,
        condition: value(inst.condition),
        ifTrue: value(inst.ifTrue),
        ifFalse: value(inst.ifFalse),
      };
    case "builtin":
    case "subgroup":
    case "call":
      return { ...inst, args: inst.args.map(value) };
    case "access": {
      const { index } = inst;
      const pointer = value(inst.pointer);
      return { ...inst, pointer, index: typeof index === "number" ? index : { dynamic: value(index.dynamic) } };
    }
    case "load":
    case "uniform-load":
    case "array-length":
      return { ...inst, pointer: value(inst.pointer) };
    case "store":
      return { ...inst, pointer: value(inst.pointer), value: value(inst.value) };
    case "atomic":
      return { ...inst, pointer: value(inst.pointer), args: inst.args.map(value) };
    default:
      return inst satisfies never;
  }
}
