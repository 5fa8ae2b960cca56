/**
 * The shape of one row of the builtin table: one overload of a function, operator or constructor as the specification
 * states it, plus what the rest of halay needs to know of it. Names, overload resolution, const-evaluation, uniformity,
 * lowering, hover and the generated tests all read these rows and nothing else.
 */
import type { Phrase } from "../diagnostics/diagnostic.ts";
import type { Numbered } from "../types/numbering.ts";
import type { Type } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";

/** Why a const-evaluation is a shader-creation error (or pipeline-creation error, for overrides). */
export interface EvaluationError {
  readonly error: Phrase;
}

export type EvaluationResult = ConstValue | EvaluationError;

/** `args` are already converted to the parameter types; `result` is the return type. */
export type Evaluate = (args: readonly ConstValue[], result: Type) => EvaluationResult;

export function isEvaluationError(result: EvaluationResult): result is EvaluationError {
  return "error" in result;
}

/** spec: #uniformity-function-calls */
export interface Uniformity {
  /**
   * What a call in non-uniform control flow is: fine; an error (synchronisation functions); or a diagnostic of the named
   * filterable rule.
   */
  readonly callSite: "none" | "error" | "derivative_uniformity" | "subgroup_uniformity";
  /**
   * The result is uniform if the arguments are; always (`workgroupUniformLoad`); never; or at subgroup scope only.
   */
  readonly result: "arguments" | "uniform" | "non-uniform" | "subgroup";
  /** Index of a parameter that has to be uniform, by the same rule as the call site; null when there is none. */
  readonly parameter: number | null;
}

export type MemoryEffect = "none" | "reads" | "writes" | "reads-and-writes" | "barrier";

export type Stage = "compute" | "vertex" | "fragment";

export interface BuiltinRow {
  readonly name: string;
  /**
   * As the specification writes it, with its parameterization behind `where`:
   * `fn atomicAdd(atomic_ptr: ptr<AS, atomic<T>, read_write>, v: T) -> T where AS: storage|workgroup, T: i32|u32`.
   * What stands in angle brackets behind the name is a template list of the call: `fn bitcast<T>(e: S) -> T where …`.
   */
  readonly signature: string;
  /** null: not `@const`. */
  readonly evaluate: Evaluate | null;
  readonly stages: readonly Stage[];
  readonly mustUse: boolean;
  /** Enable-extension that it needs, or null. */
  readonly enable: string | null;
  /** Language extension that it needs, or null. */
  readonly requires: string | null;
  readonly uniformity: Uniformity;
  readonly memory: MemoryEffect;
  /** Whether those arguments that are known can be wrong although others are not known: see `const-checks.ts`. */
  readonly isChecked: boolean;
  /** The arguments that have to be known, all of them, for those to be wrong. */
  readonly judged: readonly number[];
  /** Whether more is asked of a call than arguments that fit: an extension, a stage, a place, known arguments. */
  readonly isRestricted: boolean;
  /** Section anchor: `#atomic-add`. */
  readonly spec: string;
}

/** What a call means, other than one of a function of the module. */
export type BuiltinCall =
  /** A builtin function after overload resolution; `args` are the types that the arguments are converted to. */
  | {
      readonly kind: "builtin";
      readonly name: string;
      readonly args: readonly Type[];
      readonly result: Type;
      readonly template: Type | null;
    }
  /** Zero value (no arguments), conversion, or composition of a value of `type`. */
  | { readonly kind: "construct"; readonly type: Type; readonly args: readonly Type[] };

export interface Resolved extends Numbered {
  readonly ok: true;
  readonly row: BuiltinRow;
  /** Types that the arguments are converted to. */
  readonly args: readonly Type[];
  /** `VOID` when nothing is returned. */
  readonly result: Type;
  /** null: it is an operator. All calls that are resolved in the same way share it. */
  readonly call: BuiltinCall | null;
  /** Whether an argument can have another type than the one that it is converted to. */
  readonly converts: boolean;
}
export interface Unresolved {
  readonly ok: false;
  /** The overloads that came nearest, nearest first, as the specification writes them. */
  readonly candidates: readonly BuiltinRow[];
  /** True where the call fits more than one overload equally. */
  readonly ambiguous: boolean;
}
