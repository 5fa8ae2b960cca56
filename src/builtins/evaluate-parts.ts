/** What all const-evaluation is made of: taking values apart, doing something to each component, checking the result. */

import { type Phrase, phrase } from "../diagnostics/diagnostic.ts";
import { roundToF16 } from "../numeric/float16.ts";
import type { NumericFailure } from "../numeric/integer.ts";
import type { ScalarKind, ScalarType, Type } from "../types/type.ts";
import { isScalar, remembered, typeName, vectorType } from "../types/type.ts";
import { type ConstValue, constValue } from "../types/value.ts";
import { type Evaluate, type EvaluationError, type EvaluationResult, isEvaluationError } from "./row.ts";

export type Scalar = boolean | bigint | number;

/** The floating point types, and only those. */
export type FloatKind = "f32" | "f16" | "abstract-float";

export function failure(error: Phrase): EvaluationError {
  return { error };
}

/** Whole numbers below this, and truth values, are one object each: most constants are such, and values never change. */
const SHARED = 256;
const sharedOf = remembered((_: Type): (ConstValue | undefined)[] => []);

export function scalarValue(type: Type, value: Scalar): ConstValue {
  const number = Number(value);
  const isShared = number >= 0 && number < SHARED && Math.trunc(number) === number && !Object.is(number, -0);
  return isShared ? (sharedOf(type)[number] ??= constValue(type, value)) : constValue(type, value);
}

/** The value of a scalar. */
export function scalarOf(value: ConstValue): Scalar {
  return value.value as Scalar;
}

export function numberOf(value: ConstValue): number {
  return value.value as number;
}

/** The components of a vector, columns of a matrix, elements of an array, members of a structure. */
export function partsOf(value: ConstValue): readonly ConstValue[] {
  return value.value as readonly ConstValue[];
}

/** The components of a vector of numbers. */
export function numbersOf(value: ConstValue): number[] {
  return partsOf(value).map(numberOf);
}

/** A vector of `element`s. */
export function vectorValue(element: ScalarType, components: readonly Scalar[]): ConstValue {
  return constValue(
    vectorType(components.length, element),
    components.map((component) => scalarValue(element, component)),
  );
}

/** A composite of parts that may have failed: the first failure, or the composite. */
export function composed(type: Type, parts: readonly EvaluationResult[]): EvaluationResult {
  const failed = parts.find(isEvaluationError);
  return failed ?? constValue(type, parts as readonly ConstValue[]);
}

/** spec: #const-expr: the reason why a value cannot be. `kind` is the type of the result. */
export function reasonOf(reason: NumericFailure, kind: ScalarKind): Phrase {
  switch (reason) {
    case "overflow":
      return phrase("result-overflows", { type: typeNameOf(kind) });
    case "zero-divisor":
      return phrase("divisor-zero");
    case "shift-amount":
      return phrase("shift-too-far", { bits: bitWidthOf(kind), type: typeNameOf(kind) });
    case "bit-range":
      return phrase("bit-range-too-long");
    default:
      return reason satisfies never;
  }
}

function typeNameOf(kind: ScalarKind): string {
  return typeName({ kind });
}

export function bitWidthOf(kind: ScalarKind): number {
  if (kind === "f16") return 16;
  return kind === "abstract-int" || kind === "abstract-float" ? 64 : 32;
}

/** The scalar, or why there is none. */
export function checkedScalar(type: ScalarType, value: Scalar | NumericFailure): EvaluationResult {
  return typeof value === "string" ? failure(reasonOf(value, type.kind)) : scalarValue(type, value);
}

export function roundTo(kind: FloatKind, x: number): number {
  if (kind === "f32") return Math.fround(x);
  return kind === "f16" ? roundToF16(x) : x;
}

/** spec: #floating-point-rounding-and-overflow: rounds, and refuses infinities and NaN. */
export function checkedFloat(type: ScalarType, x: number): EvaluationResult {
  const rounded = roundTo(type.kind as FloatKind, x);
  if (Number.isFinite(rounded)) return scalarValue(type, rounded);
  return failure(notFinite(rounded, type.kind));
}

/** Why a result that is an infinity or NaN is none. */
export function notFinite(rounded: number, kind: ScalarKind): Phrase {
  return Number.isNaN(rounded) ? phrase("result-nan") : reasonOf("overflow", kind);
}

/** One component of the result, from one component of each argument. */
export type ComponentFunction = (args: readonly ConstValue[], result: ScalarType) => EvaluationResult;

/** spec: #vector-types: component-wise; a scalar among vectors goes with each component. */
export function componentWise(compute: ComponentFunction): Evaluate {
  return (args, result) => {
    if (isScalar(result)) return compute(args, result);
    if (result.kind !== "vector") return failure(phrase("no-components", { type: typeName(result) }));
    const components: EvaluationResult[] = [];
    for (let index = 0; index < result.size; index++) {
      const component = compute(componentsAt(args, index), result.element);
      if (isEvaluationError(component)) return component;
      components.push(component);
    }
    return composed(result, components);
  };
}

/** One component of each vector; scalars go with each. */
function componentsAt(args: readonly ConstValue[], index: number): readonly ConstValue[] {
  const components = new Array<ConstValue>(args.length);
  for (let at = 0; at < args.length; at++) components[at] = componentAt(args[at], index);
  return components;
}

/** A component of a vector; a scalar goes with each. */
export function componentAt(value: ConstValue, index: number): ConstValue {
  return value.type.kind === "vector" ? partsOf(value)[index] : value;
}

/** What a function does to numbers of each kind. All numbers that a function takes have one type. */
export interface NumberFunctions {
  readonly abstract?: (...args: bigint[]) => bigint | NumericFailure;
  readonly i32?: (...args: number[]) => number | NumericFailure;
  readonly u32?: (...args: number[]) => number | NumericFailure;
  /** In f64; rounded and checked behind it. A phrase is an error of the domain. */
  readonly float?: (...args: number[]) => number | Phrase;
}

/** Applies the function of the arguments' type to each component. */
export function onNumbers(functions: NumberFunctions): Evaluate {
  return componentWise((args, result) => numberResult(functions, args, result));
}

export function numberResult(
  functions: NumberFunctions,
  args: readonly ConstValue[],
  result: ScalarType,
): EvaluationResult {
  switch (result.kind) {
    case "abstract-int":
      return checkedScalar(result, applied(functions.abstract!, args));
    case "i32":
      return checkedScalar(result, applied(functions.i32!, args));
    case "u32":
      return checkedScalar(result, applied(functions.u32!, args));
    default: {
      const value = applied(functions.float!, args);
      return typeof value === "object" ? failure(value) : checkedFloat(result, value);
    }
  }
}

/** By the number of arguments: a call with a list of any length is slow. */
function applied<T extends Scalar, R>(compute: (...args: T[]) => R, args: readonly ConstValue[]): R {
  const first = args[0].value as T;
  if (args.length === 1) return compute(first);
  const second = args[1].value as T;
  return args.length === 2
    ? compute(first, second)
    : compute(first, second, ...args.slice(2).map((arg) => arg.value as T));
}

/** A function of floating point numbers only. */
export function onFloats(compute: (...args: number[]) => number | Phrase): Evaluate {
  return onNumbers({ float: compute });
}
