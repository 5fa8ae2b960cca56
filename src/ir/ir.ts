/**
 * The intermediate representation that both engines run: structured blocks of single-operation instructions, made by
 * lowering one entry point of a `Program` under one set of overrides.
 *
 * The contract (a verifier checks it):
 * - An instruction is evaluated when control reaches its place in its block, once. Operands name instructions that come
 *   earlier in the same block or in a block around it; there are no phi nodes: what changes is a variable.
 * - Every value has a concrete constructible type, or a pointer type. Counts of arrays are numbers or null (runtime-sized).
 * - The continuing block of a loop (and `breakIf`) also sees the instructions that stand directly in the loop's body before
 *   its first `continue`.
 * - Pointers are formed by `variable` and `access` and never stored. In the storage, uniform, workgroup and handle
 *   address spaces the root variable of a pointer is known at every instruction: functions are specialised per root of
 *   the pointers they are passed, and `root` says which. A pointer into function or private memory may come from several
 *   variables; its `root` is null where it is a parameter.
 * - Operands of `binary`, `select` and componentwise `builtin` have equal shapes: scalars are splatted, matrix arithmetic is
 *   spelled out in vector operations, `dot`, `length` and the like in basic ones, always in the same order. So two
 *   engines that agree on scalar operations agree on all.
 * - `&&` and `||` are `if`s. Effects (loads, stores, atomics, barriers, calls) happen in the order of instructions.
 * - A block ends at the first `break`, `continue` or `return`; nothing follows it. `break` leaves the nearest `loop` or
 *   `switch`; `continue` goes to the `continuing` block of the nearest `loop`. A continuing block holds no `continue`, no
 *   `return`, and no `break` out of its loop but `breakIf`.
 * - Every instruction, function and entry point has a span in the source.
 */
import type { Span } from "../text/source.ts";
import type { AccessMode, AddressSpace, Type } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";

/** Dense over one function. */
export type InstId = number & { readonly __inst?: never };
/** Index into `IrModule.roots`. */
export type RootId = number & { readonly __root?: never };
/** Index into `IrModule.functions`. */
export type FunctionId = number & { readonly __function?: never };
/** Index into `IrFunction.locals`. */
export type LocalId = number & { readonly __local?: never };

/** A module-scope variable that the entry point uses. */
export interface Root {
  readonly id: RootId;
  readonly name: string;
  readonly space: Exclude<AddressSpace, "function">;
  readonly access: AccessMode;
  /** Store type, counts resolved. */
  readonly type: Type;
  readonly group: number | null;
  readonly binding: number | null;
  /** Private variables: the value they start with; null: zero value. Workgroup variables are zeroed. */
  readonly initializer: ConstValue | null;
  readonly span: Span;
}

/**
 * A variable of a function. Declared once; a `store` of its initial (or zero) value stands where it is declared. Names
 * that begin with `$` are made by lowering (the result of `&&`), all others are the source's.
 */
export interface Local {
  readonly id: LocalId;
  readonly name: string;
  readonly type: Type;
  readonly span: Span;
}

export interface IrParam {
  /** The instruction id by which the body names the parameter. */
  readonly id: InstId;
  readonly name: string;
  readonly type: Type;
  /** Pointers into storage, uniform, workgroup or handle memory: the root that this specialisation is for. */
  readonly root: RootId | null;
  /** Of entry points: the builtin value it takes. */
  readonly builtin: string | null;
}

export interface IrFunction {
  readonly id: FunctionId;
  readonly name: string;
  readonly params: readonly IrParam[];
  readonly returnType: Type;
  readonly locals: readonly Local[];
  readonly body: Block;
  /** Number of instruction ids in use, parameters included. */
  readonly instructionCount: number;
  readonly span: Span;
}

export interface IrModule {
  readonly roots: readonly Root[];
  /** Callees come before callers; no recursion. */
  readonly functions: readonly IrFunction[];
  readonly entryPoint: FunctionId;
  readonly workgroupSize: readonly [number, number, number];
}

export interface Block {
  readonly instructions: readonly Instruction[];
}

interface InstBase {
  readonly id: InstId;
  /** Type of the value; `VOID` where there is none. */
  readonly type: Type;
  readonly span: Span;
}

export type Instruction =
  | ConstInst
  | UnaryInst
  | BinaryInst
  | ConvertInst
  | BitcastInst
  | ConstructInst
  | SplatInst
  | ExtractInst
  | ExtractDynamicInst
  | SwizzleInst
  | SelectInst
  | BuiltinInst
  | CallInst
  | VariableInst
  | LocalInst
  | AccessInst
  | LoadInst
  | StoreInst
  | ArrayLengthInst
  | AtomicInst
  | BarrierInst
  | UniformLoadInst
  | SubgroupInst
  | IfInst
  | SwitchInst
  | LoopInst
  | BreakInst
  | ContinueInst
  | ReturnInst;

// ---------------------------------------------------------------- values

export interface ConstInst extends InstBase {
  readonly kind: "const";
  readonly value: ConstValue;
}
export interface UnaryInst extends InstBase {
  readonly kind: "unary";
  readonly operator: "-" | "!" | "~";
  readonly operand: InstId;
}
/** Componentwise on scalars or vectors. Comparisons give bool (vectors). The right side of a shift is u32 (vector). */
export interface BinaryInst extends InstBase {
  readonly kind: "binary";
  readonly operator:
    | "+"
    | "-"
    | "*"
    | "/"
    | "%"
    | "&"
    | "|"
    | "^"
    | "<<"
    | ">>"
    | "=="
    | "!="
    | "<"
    | "<="
    | ">"
    | ">=";
  readonly left: InstId;
  readonly right: InstId;
}
/** Value conversion between scalars or vectors of equal size. */
export interface ConvertInst extends InstBase {
  readonly kind: "convert";
  readonly operand: InstId;
}
/** Scalars or vectors of equal component width and size, or a 32-bit scalar and `vec2<f16>` (first component lowest). */
export interface BitcastInst extends InstBase {
  readonly kind: "bitcast";
  readonly operand: InstId;
}
/** A vector from its scalars, a matrix from its columns, an array from its elements, a structure from its members. */
export interface ConstructInst extends InstBase {
  readonly kind: "construct";
  readonly parts: readonly InstId[];
}
export interface SplatInst extends InstBase {
  readonly kind: "splat";
  readonly operand: InstId;
}
/** Component, column, element or member of a value at an index known here. */
export interface ExtractInst extends InstBase {
  readonly kind: "extract";
  readonly operand: InstId;
  readonly index: number;
}
/** Component, column or element of a value; out of bounds gives the zero value. `index` is i32 or u32. */
export interface ExtractDynamicInst extends InstBase {
  readonly kind: "extract-dynamic";
  readonly operand: InstId;
  readonly index: InstId;
}
export interface SwizzleInst extends InstBase {
  readonly kind: "swizzle";
  readonly operand: InstId;
  readonly components: readonly number[];
}
/** `condition` is bool, or a bool vector of the operands' size. */
export interface SelectInst extends InstBase {
  readonly kind: "select";
  readonly condition: InstId;
  readonly ifTrue: InstId;
  readonly ifFalse: InstId;
}
/** A numeric builtin without effects, componentwise on scalars or vectors (or packing), by its WGSL name. */
export interface BuiltinInst extends InstBase {
  readonly kind: "builtin";
  readonly name: string;
  readonly args: readonly InstId[];
}
export interface CallInst extends InstBase {
  readonly kind: "call";
  readonly function: FunctionId;
  readonly args: readonly InstId[];
}

// ---------------------------------------------------------------- memory

/** Pointer to a module-scope variable. */
export interface VariableInst extends InstBase {
  readonly kind: "variable";
  readonly root: RootId;
}
/** Pointer to a variable of this function. */
export interface LocalInst extends InstBase {
  readonly kind: "local";
  readonly local: LocalId;
}
/**
 * Pointer to a part of what `pointer` points to. Steps: a structure member (index known), an array element, a matrix
 * column, a vector component. A dynamic index (i32 or u32) may be out of bounds, and so may a known one into a
 * runtime-sized array: loads through the pointer then give zero, stores and atomics do nothing.
 */
export interface AccessInst extends InstBase {
  readonly kind: "access";
  readonly step: "member" | "element" | "column" | "component";
  readonly pointer: InstId;
  readonly index: number | { readonly dynamic: InstId };
  readonly root: RootId | null;
}
/** What all memory operations say of the memory they touch. `size` is in bytes. */
interface MemoryBase extends InstBase {
  readonly pointer: InstId;
  readonly space: AddressSpace;
  readonly root: RootId | null;
  readonly size: number;
}
export interface LoadInst extends MemoryBase {
  readonly kind: "load";
}
export interface StoreInst extends MemoryBase {
  readonly kind: "store";
  readonly value: InstId;
}
/** Element count of the runtime-sized array that `pointer` points to: u32. */
export interface ArrayLengthInst extends InstBase {
  readonly kind: "array-length";
  readonly pointer: InstId;
  readonly root: RootId;
}
export type AtomicOperation =
  | "load"
  | "store"
  | "add"
  | "sub"
  | "max"
  | "min"
  | "and"
  | "or"
  | "xor"
  | "exchange"
  | "compare-exchange-weak";
/**
 * One atomic function. Operations other than `store` give the old value; `compare-exchange-weak` gives the structure
 * `{old_value, exchanged}`. `args`: none for load; value; for compare-exchange comparand and value.
 */
export interface AtomicInst extends MemoryBase {
  readonly kind: "atomic";
  readonly operation: AtomicOperation;
  readonly args: readonly InstId[];
}
export interface BarrierInst extends InstBase {
  readonly kind: "barrier";
  readonly barrier: "workgroup" | "storage" | "texture" | "subgroup";
}
/** `workgroupUniformLoad`: barrier, one value read for all, barrier. */
export interface UniformLoadInst extends MemoryBase {
  readonly kind: "uniform-load";
}
/** A subgroup or quad operation, by its WGSL name. */
export interface SubgroupInst extends InstBase {
  readonly kind: "subgroup";
  readonly name: string;
  readonly args: readonly InstId[];
}

// ---------------------------------------------------------------- control flow

export interface IfInst extends InstBase {
  readonly kind: "if";
  readonly condition: InstId;
  readonly then: Block;
  readonly otherwise: Block;
}
export interface SwitchInst extends InstBase {
  readonly kind: "switch";
  readonly selector: InstId;
  /** No falling through; `values` of the default clause hold no entry for `default`, `isDefault` marks it. */
  readonly clauses: readonly {
    readonly values: readonly number[];
    readonly isDefault: boolean;
    readonly body: Block;
  }[];
}
export interface LoopInst extends InstBase {
  readonly kind: "loop";
  readonly body: Block;
  readonly continuing: Block;
  /** Evaluated in `continuing`: the loop ends when it is true. */
  readonly breakIf: InstId | null;
}
export interface BreakInst extends InstBase {
  readonly kind: "break";
}
export interface ContinueInst extends InstBase {
  readonly kind: "continue";
}
export interface ReturnInst extends InstBase {
  readonly kind: "return";
  readonly value: InstId | null;
}
