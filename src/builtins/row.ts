/**
 * The shape of one row of the builtin table: one overload of a function, operator or constructor as the specification
 * states it, plus what the rest of halay needs to know of it. Names, overload resolution, const-evaluation, uniformity,
 * lowering, hover and the generated tests all read these rows and nothing else.
 */
import type { Type } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";

/** Why a const-evaluation is a shader-creation error (or pipeline-creation error, for overrides). */
export interface EvaluationError {
  readonly error: string;
}

export type EvaluationResult = ConstValue | EvaluationError;

/** `args` are already converted to the parameter types; `result` is the return type. */
export type Evaluate = (args: readonly ConstValue[], result: Type) => EvaluationResult;

export type Uniformity =
  /** Result is uniform if the arguments are. */
  | "none"
  /** Must be called in uniform control flow (barriers), or in uniform flow of the stated diagnostic's rule. */
  | "workgroup-barrier"
  | "workgroup-uniform-load"
  | "derivative"
  | "subgroup"
  /** Result is never uniform (reads of read_write memory, atomics). */
  | "non-uniform-result";

export type MemoryEffect = "none" | "reads" | "writes" | "reads-and-writes" | "barrier";

export interface BuiltinRow {
  readonly name: string;
  /** `fn atomicAdd<AS: workgroup|storage, T: i32|u32>(p: ptr<AS, atomic<T>, read_write>, v: T) -> T` */
  readonly signature: string;
  readonly evaluate: Evaluate | null;
  readonly stages: readonly ("compute" | "vertex" | "fragment")[];
  readonly mustUse: boolean;
  /** Enable-extension or language extension that it needs, or null. */
  readonly enable: string | null;
  readonly requires: string | null;
  readonly uniformity: Uniformity;
  readonly memory: MemoryEffect;
  /** Section anchor: `#atomic-add`. */
  readonly spec: string;
}

export interface Resolved {
  readonly ok: true;
  readonly row: BuiltinRow;
  /** Types that the arguments are converted to. */
  readonly args: readonly Type[];
  readonly result: Type;
}
export interface Unresolved {
  readonly ok: false;
  /** The overloads that came nearest, nearest first, as the specification writes them. */
  readonly candidates: readonly BuiltinRow[];
  /** True where the call fits more than one overload equally. */
  readonly ambiguous: boolean;
}
