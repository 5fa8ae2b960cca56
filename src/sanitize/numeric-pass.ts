/**
 * Adds checks of numbers to a module: behind each operation that can go wrong a condition and, under it, a store to a
 * variable of the checker's own. The stores are what an observer sees, so that this works with every engine.
 *
 * In: any module that keeps the contract of `ir.ts`. Out: the same module, with one storage variable more (`$numbers`, the
 * last root, an `array<u32>` with one element for each site) and instructions that only read what was there before.
 */
import "../diagnostics/catalogue-beyond.ts";
import { partCount, shapedLike } from "../ir/builder.ts";
import type {
  BinaryInst,
  Block,
  FunctionId,
  InstId,
  Instruction,
  IrFunction,
  IrModule,
  Root,
  RootId,
} from "../ir/ir.ts";
import { mapBlock, operandsOf } from "../ir/walk.ts";
import type { Span } from "../text/source.ts";
import { arrayType, BOOL, F32, pointerType, type ScalarType, type Type, U32, VOID } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import { type Flow, valueGraph } from "./value-graph.ts";

export type NumericKind = "division-by-zero" | "shift-width" | "conversion-saturates" | "index-overflow" | "nan-origin";

export interface NumericSite {
  readonly kind: NumericKind;
  readonly function: FunctionId;
  readonly instruction: InstId;
  readonly span: Span;
  /** Type of the scalar whose bits are stored: what is told of it. */
  readonly type: ScalarType;
  /** Of shifts: bits of what is shifted; of conversions: the type that it becomes. */
  readonly to: Type;
}

export interface NumericModule {
  /** With the checks, and without them. */
  readonly module: IrModule;
  readonly plain: IrModule;
  readonly root: RootId;
  readonly sites: readonly NumericSite[];
}

export function addNumericChecks(module: IrModule): NumericModule {
  const root = module.roots.length;
  const pass = new NumericPass(module, root);
  const functions = module.functions.map((fn) => pass.rewrite(fn));
  const { sites } = pass;
  const own: Root = {
    id: root,
    name: "$numbers",
    space: "storage",
    access: "read_write",
    type: arrayType(U32, Math.max(1, sites.length)),
    group: null,
    binding: null,
    initializer: null,
    span: module.functions[module.entryPoint].span,
  };
  // The pointers were made before the number of sites was known.
  const sized = functions.map((fn) => ({ ...fn, body: withType(fn.body, root, own.type) }));
  return { module: { ...module, roots: [...module.roots, own], functions: sized }, plain: module, root, sites };
}

function withType(block: Block, root: RootId, type: Type): Block {
  return mapBlock(block, (inst) =>
    inst.kind === "variable" && inst.root === root
      ? [{ ...inst, type: pointerType("storage", type, "read_write") }]
      : [inst],
  );
}

const FLOAT_ONLY: ReadonlySet<string> = new Set(["+", "-", "*", "/", "%"]);
const INDEX_OPERATORS: ReadonlySet<string> = new Set(["+", "-", "*"]);
const MADE_OF: ReadonlySet<Flow> = new Set(["copy", "add", "minus", "compute"]);

class NumericPass {
  readonly sites: NumericSite[] = [];
  readonly #module: IrModule;
  readonly #root: RootId;
  readonly #indices: ReadonlySet<number>;
  #fn: IrFunction | null = null;
  #next = 0;
  #types: (Type | undefined)[] = [];
  #out: Instruction[] = [];
  #span: Span = { start: 0, end: 0 };
  #at = 0;

  constructor(module: IrModule, root: RootId) {
    this.#module = module;
    this.#root = root;
    this.#indices = indexNodes(module);
  }

  rewrite(fn: IrFunction): IrFunction {
    this.#fn = fn;
    this.#next = fn.instructionCount;
    this.#types = [];
    for (const param of fn.params) this.#types[param.id] = param.type;
    mapBlock(fn.body, (inst) => {
      this.#types[inst.id] = inst.type;
      return [inst];
    });
    const body = mapBlock(fn.body, (inst) => [inst, ...this.#checks(inst)]);
    return { ...fn, body, instructionCount: this.#next };
  }

  #checks(inst: Instruction): readonly Instruction[] {
    this.#out = [];
    this.#span = inst.span;
    this.#at = inst.id;
    if (inst.kind === "binary") this.#binary(inst);
    else if (inst.kind === "convert") this.#convert(inst.operand, inst.type);
    if (canMakeNan(inst) && isFloat(inst.type)) this.#nan(inst);
    return this.#out;
  }

  // ---------------------------------------------------------------- what is checked

  #binary(inst: BinaryInst): void {
    const { operator, left, right } = inst;
    const element = elementOf(inst.type);
    if (element === null || !isInteger(element)) return;
    if (operator === "/" || operator === "%") {
      const zero = this.#compare("==", right, this.#number(0, this.#typeOf(right)));
      this.#report("division-by-zero", this.#any(zero), left, inst.type);
    } else if (operator === "<<" || operator === ">>") {
      const width = this.#number(32, this.#typeOf(right));
      this.#report("shift-width", this.#any(this.#compare(">=", right, width)), right, inst.type);
    } else if (INDEX_OPERATORS.has(operator) && this.#isIndex(inst)) this.#overflow(inst, element);
  }

  #overflow(inst: BinaryInst, element: ScalarType): void {
    const { operator, left, right, id } = inst;
    if (inst.type.kind === "vector") return;
    this.#report("index-overflow", this.#wraps(operator, element, left, right, id), id, inst.type);
  }

  /** Whether a result is not the mathematical one. */
  #wraps(operator: string, element: ScalarType, left: InstId, right: InstId, result: InstId): InstId {
    if (operator === "*") {
      // Division undoes a multiplication that did not wrap; by zero nothing does.
      const isSome = this.#compare("!=", left, this.#number(0, element));
      const back = this.#binaryInst("/", result, left, element);
      return this.#binaryInst("&", isSome, this.#compare("!=", back, right), BOOL);
    }
    if (element.kind === "u32") {
      return operator === "+" ? this.#compare("<", result, left) : this.#compare("<", left, right);
    }
    const a = this.#binaryInst("^", left, result, element);
    const b =
      operator === "+" ? this.#binaryInst("^", right, result, element) : this.#binaryInst("^", left, right, element);
    return this.#compare("<", this.#binaryInst("&", a, b, element), this.#number(0, element));
  }

  #convert(operand: InstId, to: Type): void {
    const from = this.#typeOf(operand);
    const element = elementOf(to);
    if (!isFloat(from) || element === null || !isInteger(element)) return;
    const isSigned = element.kind === "i32";
    const [below, above] = isSigned ? [-2147483904, 2147483648] : [-1, 4294967296];
    const least = elementOf(from)!.kind === "f16" ? Math.max(below, -65504) : below;
    const low = this.#compare("<=", operand, this.#number(least, from));
    const high = elementOf(from)!.kind === "f16" ? null : this.#compare(">=", operand, this.#number(above, from));
    const isNan = this.#compare("!=", operand, operand);
    const isLow = elementOf(from)!.kind === "f16" && isSigned ? null : low;
    const conditions = [isLow, high, isNan].filter((each) => each !== null).map((each) => this.#any(each));
    const any = conditions.reduce((a, b) => this.#binaryInst("|", a, b, BOOL));
    this.#report("conversion-saturates", any, operand, to);
  }

  /** The result is no finite number although all operands are. */
  #nan(inst: Instruction): void {
    const operands = operandsOf(inst).filter((id) => isFloat(this.#typeOf(id)));
    let condition = this.#not(this.#all(this.#isFinite(inst.id)));
    for (const operand of operands) {
      condition = this.#binaryInst("&", condition, this.#all(this.#isFinite(operand)), BOOL);
    }
    this.#report("nan-origin", condition, inst.id, inst.type);
  }

  #isFinite(id: InstId): InstId {
    const type = this.#typeOf(id);
    return this.#compare("==", this.#binaryInst("-", id, id, type), this.#number(0, type));
  }

  #isIndex({ id }: BinaryInst): boolean {
    return this.#indices.has(valueGraph(this.#module).node(this.#fn!.id, id));
  }

  // ---------------------------------------------------------------- instructions

  #typeOf(id: InstId): Type {
    return this.#types[id]!;
  }

  #emit(inst: DistributiveOmit<Instruction, "id" | "span">): InstId {
    const id = this.#next++;
    this.#types[id] = inst.type;
    this.#out.push({ ...inst, id, span: this.#span } as Instruction);
    return id;
  }

  #number(value: number, type: Type): InstId {
    const element = elementOf(type)!;
    const scalar: ConstValue = { type: element, value };
    const whole: ConstValue =
      type.kind === "vector" ? { type, value: new Array<ConstValue>(type.size).fill(scalar) } : scalar;
    return this.#emit({ kind: "const", type, value: whole });
  }

  #binaryInst(operator: BinaryInst["operator"], left: InstId, right: InstId, type: Type): InstId {
    return this.#emit({ kind: "binary", type, operator, left, right });
  }

  #compare(operator: BinaryInst["operator"], left: InstId, right: InstId): InstId {
    return this.#binaryInst(operator, left, right, shapedLike(this.#typeOf(left), BOOL));
  }

  #not(operand: InstId): InstId {
    return this.#emit({ kind: "unary", type: BOOL, operator: "!", operand });
  }

  #any(id: InstId): InstId {
    return this.#fold("|", id);
  }

  #all(id: InstId): InstId {
    return this.#fold("&", id);
  }

  #fold(operator: "|" | "&", id: InstId): InstId {
    const type = this.#typeOf(id);
    if (type.kind !== "vector") return id;
    let result = this.#emit({ kind: "extract", type: BOOL, operand: id, index: 0 });
    for (let index = 1; index < partCount(type); index++) {
      const part = this.#emit({ kind: "extract", type: BOOL, operand: id, index });
      result = this.#binaryInst(operator, result, part, BOOL);
    }
    return result;
  }

  /** `if (condition) { $numbers[site] = bits of the first scalar of value; }` */
  #report(kind: NumericKind, condition: InstId, value: InstId, to: Type): void {
    const site = this.sites.length;
    const outer = this.#out;
    this.#out = [];
    const type = elementOf(this.#typeOf(value))!;
    const scalar =
      this.#typeOf(value).kind === "vector" ? this.#emit({ kind: "extract", type, operand: value, index: 0 }) : value;
    const bits = this.#bits(scalar, type);
    // The type of the variable is put in when the number of sites is known.
    const whole = pointerType("storage", arrayType(U32, null), "read_write");
    const variable = this.#emit({ kind: "variable", type: whole, root: this.#root });
    const pointer = this.#emit({
      kind: "access",
      type: pointerType("storage", U32, "read_write"),
      step: "element",
      pointer: variable,
      index: site,
      root: this.#root,
    });
    this.#emit({ kind: "store", type: VOID, pointer, space: "storage", root: this.#root, size: 4, value: bits });
    const then: Block = { instructions: this.#out };
    this.#out = outer;
    this.#emit({ kind: "if", type: VOID, condition, then, otherwise: { instructions: [] } });
    this.sites.push({
      kind,
      function: this.#fn!.id,
      instruction: this.#at,
      span: this.#span,
      type: type.kind === "f16" ? F32 : type,
      to,
    });
  }

  #bits(id: InstId, type: ScalarType): InstId {
    if (type === U32) return id;
    const wide = type.kind === "f16" ? this.#emit({ kind: "convert", type: F32, operand: id }) : id;
    return this.#emit({ kind: "bitcast", type: U32, operand: wide });
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

function canMakeNan(inst: Instruction): boolean {
  if (inst.kind === "binary") return FLOAT_ONLY.has(inst.operator);
  return inst.kind === "builtin" || inst.kind === "convert";
}

function elementOf(type: Type): ScalarType | null {
  if (type.kind === "vector") return type.element;
  return type.kind === "i32" || type.kind === "u32" || type.kind === "f32" || type.kind === "f16" ? type : null;
}

function isInteger({ kind }: Type): boolean {
  return kind === "i32" || kind === "u32";
}

function isFloat(type: Type): boolean {
  const element = elementOf(type);
  return element !== null && (element.kind === "f32" || element.kind === "f16");
}

/** Operators behind which it does not show that a number has wrapped: hashes are brought into their bounds by them. */
const FOLDING: ReadonlySet<string> = new Set(["%", "&", ">>", "^", "/"]);

/** Nodes of the value graph that indices are made of. */
function indexNodes(module: IrModule): ReadonlySet<number> {
  const graph = valueGraph(module);
  const found = new Set<number>();
  for (const [node, uses] of graph.uses.entries()) {
    if (!uses.some(({ kind }) => kind === "index")) continue;
    if (folds(graph.instructions[node])) continue;
    const isEnd = (at: number) => graph.rootOf(at) !== null || folds(graph.instructions[at]);
    for (const source of graph.sources(node, MADE_OF, isEnd)) found.add(source);
  }
  return found;
}

function folds(inst: Instruction | null): boolean {
  return inst?.kind === "binary" && FOLDING.has(inst.operator);
}
