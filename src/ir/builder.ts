/**
 * Makes the instructions of one function. `FunctionBuilder` holds what they share: ids, types, roots, the open blocks;
 * an `Emitter` is a builder at a place of the source, each of its methods appends one instruction and returns its id.
 * Result types follow from the operands, so that a type is stated only where the operands do not say it.
 */
import { layoutOf } from "../layout/layout.ts";
import type { Span } from "../text/source.ts";
import {
  BOOL,
  isScalar,
  type PointerType,
  pointerType,
  type ScalarType,
  type Type,
  typeName,
  U32,
  VOID,
  vectorType,
} from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import type {
  AccessInst,
  AtomicOperation,
  BarrierInst,
  BinaryInst,
  Block,
  FunctionId,
  InstId,
  Instruction,
  IrParam,
  Local,
  LocalId,
  Root,
  RootId,
  SwitchInst,
  UnaryInst,
} from "./ir.ts";

/** The parts of a value that `extract` takes out, or that a pointer step leads to. */
export function partType(type: Type, index: number): Type {
  switch (type.kind) {
    case "vector":
    case "array":
      return type.element;
    case "matrix":
      return vectorType(type.rows, type.element);
    case "struct":
      return type.members[index].type;
    default:
      throw new TypeError(`${typeName(type)} has no parts`);
  }
}

/** What a step from a pointer to this store type is called. */
export function stepInto(type: Type): AccessInst["step"] {
  switch (type.kind) {
    case "struct":
      return "member";
    case "array":
      return "element";
    case "matrix":
      return "column";
    case "vector":
      return "component";
    default:
      throw new TypeError(`${typeName(type)} has no parts`);
  }
}

/** `element`, or a vector of it where `shape` is a vector. */
export function shapedLike(shape: Type, element: ScalarType): Type {
  return shape.kind === "vector" ? vectorType(shape.size, element) : element;
}

const COMPARISONS: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">="]);

export function binaryResult(operator: BinaryInst["operator"], left: Type): Type {
  return COMPARISONS.has(operator) ? shapedLike(left, BOOL) : left;
}

interface OpenBlock {
  readonly instructions: Instruction[];
  /** True after a `break`, `continue` or `return`: nothing may follow. */
  closed: boolean;
}

/** State of one function under construction; blocks nest as the calls of `block` do. */
export class FunctionBuilder {
  readonly params: IrParam[] = [];
  readonly locals: Local[] = [];
  readonly #types: Type[] = [];
  readonly #roots: (RootId | null)[] = [];
  readonly #open: OpenBlock[] = [];
  readonly #moduleRoots: readonly Root[];

  /** `moduleRoots` may still grow while the function is built. */
  constructor(moduleRoots: readonly Root[]) {
    this.#moduleRoots = moduleRoots;
  }

  get instructionCount(): number {
    return this.#types.length;
  }

  /** True where control cannot come: after a `break`, `continue` or `return` of the open block. */
  get closed(): boolean {
    return this.#open[this.#open.length - 1].closed;
  }

  typeOf(id: InstId): Type {
    return this.#types[id];
  }

  /** The root variable of a pointer; null where it is not known or the value is no pointer. */
  rootOf(id: InstId): RootId | null {
    return this.#roots[id];
  }

  moduleRoot(id: RootId): Root {
    return this.#moduleRoots[id];
  }

  at(span: Span): Emitter {
    return new Emitter(this, span);
  }

  /** Parameters come before any instruction: ids run on from them. */
  param(name: string, type: Type, root: RootId | null, builtin: string | null): InstId {
    const id = this.newId(type, root);
    this.params.push({ id, name, type, root, builtin });
    return id;
  }

  local(name: string, type: Type, span: Span): LocalId {
    const id = this.locals.length;
    this.locals.push({ id, name, type, span });
    return id;
  }

  /** Ids are given when an instruction begins, so that an `if` has a lower one than what stands in it. */
  newId(type: Type, root: RootId | null): InstId {
    this.#types.push(type);
    this.#roots.push(root);
    return this.#types.length - 1;
  }

  /** @throws Error after the end of the open block: callers ask `closed` first */
  append(instruction: Instruction): InstId {
    const block = this.#open[this.#open.length - 1];
    if (block.closed) throw new Error(`internal: ‘${instruction.kind}’ after the end of its block`);
    block.instructions.push(instruction);
    const { kind } = instruction;
    if (kind === "break" || kind === "continue" || kind === "return") block.closed = true;
    return instruction.id;
  }

  /** The instructions that `fill` appends, as a block of their own. */
  block(fill: () => void): Block {
    this.#open.push({ instructions: [], closed: false });
    fill();
    const { instructions } = this.#open.pop()!;
    // As long as it is: one that grows by itself has room for more, and most blocks are short.
    return { instructions: instructions.slice() };
  }
}

/** Appends instructions that have one span; see the methods for what they work out by themselves. */
export class Emitter {
  readonly builder: FunctionBuilder;
  readonly span: Span;

  constructor(builder: FunctionBuilder, span: Span) {
    this.builder = builder;
    this.span = span;
  }

  typeOf(id: InstId): Type {
    return this.builder.typeOf(id);
  }

  #id(type: Type, root: RootId | null = null): InstId {
    return this.builder.newId(type, root);
  }

  /** Of what there is most each maker names these itself, as objects take less memory if all is named at once. */
  #base(type: Type, root: RootId | null = null) {
    return { id: this.#id(type, root), type, span: this.span };
  }

  // -------------------------------------------------------------- values

  constant(value: ConstValue): InstId {
    const { type } = value;
    return this.builder.append({ kind: "const", id: this.#id(type), type, span: this.span, value });
  }

  /** A number as a constant of a scalar type, or of a vector whose components all have it. */
  number(value: number, type: Type): InstId {
    if (type.kind !== "vector") return this.constant({ type, value });
    const component: ConstValue = { type: type.element, value };
    return this.constant({ type, value: new Array<ConstValue>(type.size).fill(component) });
  }

  unary(operator: UnaryInst["operator"], operand: InstId): InstId {
    return this.builder.append({ kind: "unary", ...this.#base(this.typeOf(operand)), operator, operand });
  }

  /** Operands of equal shape; `emitBinary` is for operands of any shape. */
  binary(operator: BinaryInst["operator"], left: InstId, right: InstId): InstId {
    const type = binaryResult(operator, this.typeOf(left));
    return this.builder.append({ kind: "binary", id: this.#id(type), type, span: this.span, operator, left, right });
  }

  /** The operand itself where it has that type already. */
  convert(operand: InstId, type: Type): InstId {
    if (this.typeOf(operand) === type) return operand;
    return this.builder.append({ kind: "convert", ...this.#base(type), operand });
  }

  bitcast(operand: InstId, type: Type): InstId {
    if (this.typeOf(operand) === type) return operand;
    return this.builder.append({ kind: "bitcast", ...this.#base(type), operand });
  }

  /** `emitConstruct` is for arguments as WGSL allows them; here each part has the type of its place. */
  construct(type: Type, parts: readonly InstId[]): InstId {
    return this.builder.append({ kind: "construct", ...this.#base(type), parts });
  }

  splat(operand: InstId, size: number): InstId {
    const type = vectorType(size, this.typeOf(operand) as ScalarType);
    return this.builder.append({ kind: "splat", ...this.#base(type), operand });
  }

  /** The scalar, splatted where `shape` is a vector; a vector stays what it is. */
  shaped(operand: InstId, shape: Type): InstId {
    return shape.kind === "vector" && isScalar(this.typeOf(operand)) ? this.splat(operand, shape.size) : operand;
  }

  extract(operand: InstId, index: number): InstId {
    const type = partType(this.typeOf(operand), index);
    return this.builder.append({ kind: "extract", ...this.#base(type), operand, index });
  }

  extractDynamic(operand: InstId, index: InstId): InstId {
    const type = partType(this.typeOf(operand), 0);
    return this.builder.append({ kind: "extract-dynamic", ...this.#base(type), operand, index });
  }

  /** All parts of a vector, matrix, array or structure value, in order. */
  parts(operand: InstId): InstId[] {
    return Array.from({ length: partCount(this.typeOf(operand)) }, (_, index) => this.extract(operand, index));
  }

  swizzle(operand: InstId, components: readonly number[]): InstId {
    const vector = this.typeOf(operand) as Extract<Type, { kind: "vector" }>;
    const type = vectorType(components.length, vector.element);
    return this.builder.append({ kind: "swizzle", ...this.#base(type), operand, components });
  }

  /** In order of the condition’s values; WGSL’s `select` takes false first. */
  select(condition: InstId, ifTrue: InstId, ifFalse: InstId): InstId {
    const type = this.typeOf(ifTrue);
    return this.builder.append({ kind: "select", ...this.#base(type), condition, ifTrue, ifFalse });
  }

  builtin(name: string, args: readonly InstId[], type: Type): InstId {
    return this.builder.append({ kind: "builtin", ...this.#base(type), name, args });
  }

  call(callee: FunctionId, args: readonly InstId[], type: Type): InstId {
    return this.builder.append({ kind: "call", id: this.#id(type), type, span: this.span, function: callee, args });
  }

  // -------------------------------------------------------------- memory

  /** The pointer that `&v` gives for a module-scope variable. spec: #address-of-expr */
  variable(root: RootId): InstId {
    const { space, type: store, access } = this.builder.moduleRoot(root);
    const type = pointerType(space, store, access);
    return this.builder.append({ kind: "variable", id: this.#id(type, root), type, span: this.span, root });
  }

  local(local: LocalId): InstId {
    const type = pointerType("function", this.builder.locals[local].type, "read_write");
    return this.builder.append({ kind: "local", id: this.#id(type), type, span: this.span, local });
  }

  #pointer(pointer: InstId): PointerType {
    const type = this.typeOf(pointer);
    if (type.kind !== "pointer") throw new TypeError(`internal: memory operation on ${typeName(type)}`);
    return type;
  }

  /** One step from a pointer to a part of what it points to. spec: #forming-references-and-pointers */
  access(pointer: InstId, index: AccessInst["index"]): InstId {
    const from = this.#pointer(pointer);
    const part = partType(from.store, typeof index === "number" ? index : 0);
    const root = this.builder.rootOf(pointer);
    const type = pointerType(from.space, part, from.access);
    const [id, step] = [this.#id(type, root), stepInto(from.store)];
    return this.builder.append({ kind: "access", id, type, span: this.span, step, pointer, index, root });
  }

  /** What memory instructions have in common; the size is that of the store type. spec: #alignment-and-size */
  #memory(pointer: InstId, type: Type) {
    const { space, store } = this.#pointer(pointer);
    const base = this.#base(type);
    return { ...base, pointer, space, root: this.builder.rootOf(pointer), size: layoutOf(store).size };
  }

  load(pointer: InstId): InstId {
    const { id, type, span, space, root, size } = this.#memory(pointer, this.#pointer(pointer).store);
    return this.builder.append({ kind: "load", id, type, span, pointer, space, root, size });
  }

  store(pointer: InstId, value: InstId): InstId {
    const { id, type, span, space, root, size } = this.#memory(pointer, VOID);
    return this.builder.append({ kind: "store", id, type, span, pointer, space, root, size, value });
  }

  arrayLength(pointer: InstId): InstId {
    const root = this.builder.rootOf(pointer)!;
    return this.builder.append({ kind: "array-length", id: this.#id(U32), type: U32, span: this.span, pointer, root });
  }

  atomic(operation: AtomicOperation, pointer: InstId, args: readonly InstId[], type: Type): InstId {
    return this.builder.append({ kind: "atomic", ...this.#memory(pointer, type), operation, args });
  }

  barrier(barrier: BarrierInst["barrier"]): InstId {
    return this.builder.append({ kind: "barrier", ...this.#base(VOID), barrier });
  }

  uniformLoad(pointer: InstId, type: Type): InstId {
    return this.builder.append({ kind: "uniform-load", ...this.#memory(pointer, type) });
  }

  subgroup(name: string, args: readonly InstId[], type: Type): InstId {
    return this.builder.append({ kind: "subgroup", ...this.#base(type), name, args });
  }

  // -------------------------------------------------------------- control flow

  if(condition: InstId, fillThen: () => void, fillOtherwise: () => void): InstId {
    const id = this.#id(VOID);
    const then = this.builder.block(fillThen);
    const otherwise = this.builder.block(fillOtherwise);
    return this.builder.append({ kind: "if", id, type: VOID, span: this.span, condition, then, otherwise });
  }

  switch(selector: InstId, clauses: SwitchInst["clauses"]): InstId {
    return this.builder.append({ kind: "switch", ...this.#base(VOID), selector, clauses });
  }

  /** `fillContinuing` returns the condition of its `break if`, null where there is none. */
  loop(fillBody: () => void, fillContinuing: () => InstId | null): InstId {
    const base = this.#base(VOID);
    const body = this.builder.block(fillBody);
    let breakIf: InstId | null = null;
    const continuing = this.builder.block(() => {
      breakIf = fillContinuing();
    });
    return this.builder.append({ kind: "loop", ...base, body, continuing, breakIf });
  }

  break(): InstId {
    return this.builder.append({ kind: "break", ...this.#base(VOID) });
  }

  continue(): InstId {
    return this.builder.append({ kind: "continue", ...this.#base(VOID) });
  }

  return(value: InstId | null): InstId {
    return this.builder.append({ kind: "return", ...this.#base(VOID), value });
  }
}

/** Number of parts of a constructible composite; 0 for a scalar. */
export function partCount(type: Type): number {
  switch (type.kind) {
    case "vector":
      return type.size;
    case "matrix":
      return type.columns;
    case "array":
      return type.count as number;
    case "struct":
      return type.members.length;
    default:
      return 0;
  }
}
