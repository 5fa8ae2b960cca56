/**
 * Adds checks of numbers to a module: behind each operation that can go wrong a condition and, under it, a call that stores
 * to a variable of the checker's own. The stores are what an observer sees, so that this works with every engine.
 *
 * In: any module that keeps the contract of `ir.ts`. Out: the same module, with one storage variable more (`$numbers`, the
 * last root, an `array<u32>` with one element for each site), routines before its functions, and instructions that only
 * read what was there before.
 */
import "../diagnostics/catalogue-beyond.ts";
import type { Emitter } from "../ir/builder.ts";
import type {
  BinaryInst,
  ConvertInst,
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
import { arrayType, F32, type ScalarType, type Type, typeName, U32 } from "../types/type.ts";
import { builderOf } from "./function-code.ts";
import { Routines } from "./routines.ts";
import { type Flow, type NodeId, type ValueGraph, valueGraph } from "./value-graph.ts";

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
  /** How many functions stand before those of the plain module. */
  readonly routines: number;
  readonly root: RootId;
  readonly sites: readonly NumericSite[];
}

export function addNumericChecks(module: IrModule): NumericModule {
  const root: Root = {
    id: module.roots.length,
    name: "$numbers",
    space: "storage",
    access: "read_write",
    type: arrayType(U32, null),
    group: null,
    binding: null,
    initializer: null,
    span: module.functions[module.entryPoint].span,
  };
  const pass = new NumericPass(module, root);
  const made = pass.run();
  const routines = made.functions.length - module.functions.length;
  return { module: made, plain: module, routines, root: root.id, sites: pass.sites };
}

const FLOAT_ONLY: ReadonlySet<string> = new Set(["+", "-", "*", "/", "%"]);
const INDEX_OPERATORS: ReadonlySet<string> = new Set(["+", "-", "*"]);
const MADE_OF: ReadonlySet<Flow> = new Set(["copy", "add", "minus", "compute"]);
const DIGITS = 256;
const NOTHING = (): void => {};

class NumericPass {
  readonly sites: NumericSite[] = [];
  readonly #module: IrModule;
  readonly #roots: readonly Root[];
  readonly #root: RootId;
  readonly #graph: ValueGraph;
  readonly #indices: ReadonlySet<NodeId>;
  readonly #routines: Routines;
  #fn: FunctionId = 0;

  constructor(module: IrModule, root: Root) {
    this.#module = module;
    this.#root = root.id;
    this.#roots = [...module.roots, root];
    this.#routines = new Routines(this.#roots);
    this.#graph = valueGraph(module);
    this.#indices = indexNodes(this.#graph);
  }

  run(): IrModule {
    const functions = this.#module.functions.map((fn) => this.#rewrite(fn));
    return this.#routines.finish(this.#module, functions);
  }

  #rewrite(fn: IrFunction): IrFunction {
    this.#fn = fn.id;
    const builder = builderOf(fn, this.#roots);
    const body = mapBlock(fn.body, (inst) => {
      const checks = builder.block(() => this.#checks(builder.at(inst.span), inst));
      return [inst, ...checks.instructions];
    });
    return { ...fn, body, instructionCount: builder.instructionCount };
  }

  #checks(em: Emitter, inst: Instruction): void {
    if (inst.kind === "binary") this.#binary(em, inst);
    else if (inst.kind === "convert") this.#convert(em, inst);
    if (canMakeNan(inst) && isFloat(inst.type)) this.#nan(em, inst);
  }

  // ---------------------------------------------------------------- what is checked

  #binary(em: Emitter, inst: BinaryInst): void {
    const { operator, left, right, id } = inst;
    const element = elementOf(inst.type);
    if (element === null || !isInteger(element)) return;
    if (operator === "/" || operator === "%") {
      const isZero = em.binary("==", right, em.number(0, em.typeOf(right)));
      this.#report(em, "division-by-zero", inst, isZero, left);
    } else if (operator === "<<" || operator === ">>") {
      const isWide = em.binary(">=", right, em.number(32, em.typeOf(right)));
      this.#report(em, "shift-width", inst, isWide, right);
    } else if (INDEX_OPERATORS.has(operator) && inst.type.kind !== "vector" && this.#isIndex(inst)) {
      this.#report(em, "index-overflow", inst, wraps(em, inst), id);
    }
  }

  #convert(em: Emitter, inst: ConvertInst): void {
    const { operand, type } = inst;
    const from = em.typeOf(operand);
    const [source, element] = [elementOf(from), elementOf(type)];
    if (!isFloat(from) || element === null || !isInteger(element)) return;
    const isSigned = element.kind === "i32";
    const [below, above] = isSigned ? [-2147483904, 2147483648] : [-1, 4294967296];
    const conditions = [em.binary("!=", operand, operand)];
    // All halves are inside of these, but that u32 has no negative numbers.
    if (source!.kind === "f32") conditions.push(em.binary(">=", operand, em.number(above, from)));
    if (source!.kind === "f32" || !isSigned) conditions.push(em.binary("<=", operand, em.number(below, from)));
    const any = conditions.reduce((a, b) => em.binary("|", a, b));
    this.#report(em, "conversion-saturates", inst, any, operand);
  }

  /** The result is no finite number although all operands are: what these are is asked only where it is none. */
  #nan(em: Emitter, inst: Instruction): void {
    const { id } = inst;
    const operands = [...new Set(operandsOf(inst))].filter((operand) => isFloat(em.typeOf(operand)));
    const site = this.#site("nan-origin", inst, em.typeOf(id));
    const name = `$made ${[id, ...operands].map((each) => typeName(em.typeOf(each))).join(" ")}`;
    const check = (): void => {
      this.#routines.call(em, name, [...digits(em, site), id, ...operands], (own, [high, low, result, ...given]) => {
        const tell = (): void => this.#tell(own, [high, low], result);
        given.reduce((then, each) => () => own.if(all(own, isFiniteNumber(own, each)), then, NOTHING), tell)();
      });
    };
    const difference = em.binary("-", id, id);
    const isNone = em.binary("!=", difference, em.number(0, inst.type));
    em.if(any(em, isNone), check, NOTHING);
  }

  #isIndex({ id }: BinaryInst): boolean {
    return this.#indices.has(this.#graph.node(this.#fn, id));
  }

  // ---------------------------------------------------------------- what is told

  /** Where some part of the condition holds the value is told. */
  #report(em: Emitter, kind: NumericKind, inst: Instruction, condition: InstId, value: InstId): void {
    const site = this.#site(kind, inst, em.typeOf(value));
    em.if(any(em, condition), () => this.#tell(em, digits(em, site), value), NOTHING);
  }

  #site(kind: NumericKind, { id, span, type: to }: Instruction, told: Type): number {
    const element = elementOf(told)!;
    const type = element.kind === "f16" ? F32 : element;
    return this.sites.push({ kind, function: this.#fn, instruction: id, span, type, to }) - 1;
  }

  /** `$numbers[site] = bits of the first scalar of value;` */
  #tell(em: Emitter, site: readonly InstId[], value: InstId): void {
    const scalar = em.typeOf(value).kind === "vector" ? em.extract(value, 0) : value;
    const wide = em.typeOf(scalar).kind === "f16" ? em.convert(scalar, F32) : scalar;
    this.#routines.call(em, "$tell", [...site, em.bitcast(wide, U32)], (own, [high, low, bits]) => {
      const place = own.binary("+", own.binary("*", high, own.number(DIGITS, U32)), low);
      own.store(own.access(own.variable(this.#root), { dynamic: place }), bits);
    });
  }
}

/** A number of which there are many, in two of which there are few: the interpreter's invocations each hold all constants. */
function digits(em: Emitter, number: number): readonly InstId[] {
  return [Math.floor(number / DIGITS), number % DIGITS].map((digit) => em.number(digit, U32));
}

/** Whether a result is not the mathematical one. */
function wraps(em: Emitter, { operator, left, right, id, type }: BinaryInst): InstId {
  const zero = em.number(0, type);
  if (operator === "*") {
    // Division undoes a multiplication that did not wrap; by zero nothing does.
    const isSome = em.binary("!=", left, zero);
    return em.binary("&", isSome, em.binary("!=", em.binary("/", id, left), right));
  }
  if (type.kind === "u32") return operator === "+" ? em.binary("<", id, left) : em.binary("<", left, right);
  const a = em.binary("^", left, id);
  const b = operator === "+" ? em.binary("^", right, id) : em.binary("^", left, right);
  return em.binary("<", em.binary("&", a, b), zero);
}

function isFiniteNumber(em: Emitter, id: InstId): InstId {
  return em.binary("==", em.binary("-", id, id), em.number(0, em.typeOf(id)));
}

function any(em: Emitter, condition: InstId): InstId {
  return folded(em, "|", condition);
}

function all(em: Emitter, condition: InstId): InstId {
  return folded(em, "&", condition);
}

/** Of a vector its components together. */
function folded(em: Emitter, operator: "|" | "&", condition: InstId): InstId {
  if (em.typeOf(condition).kind !== "vector") return condition;
  return em.parts(condition).reduce((a, b) => em.binary(operator, a, b));
}

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

/** Nodes that indices are made of. */
function indexNodes(graph: ValueGraph): ReadonlySet<NodeId> {
  const found = new Set<NodeId>();
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
