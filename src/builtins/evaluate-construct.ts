/** Const-evaluation of constructors and of `bitcast`. spec: #constructor-builtin-function, #bitcast-builtin */
import { phrase } from "../diagnostics/diagnostic.ts";
import { bitcastToF16, bitcastToF32, bitcastVec2F16ToU32 } from "../numeric/convert.ts";
import { f32ToBits } from "../numeric/float32.ts";
import { listOf } from "../text/list.ts";
import type { ScalarType, Type } from "../types/type.ts";
import { isScalar, remembered, typeName, vectorType } from "../types/type.ts";
import { type ConstValue, constValue } from "../types/value.ts";
import { convertComponents, convertScalar } from "./convert-value.ts";
import { composed, failure, numberOf, partsOf, scalarValue } from "./evaluate-parts.ts";
import type { Evaluate, EvaluationResult } from "./row.ts";

/** spec: #zero-value-builtin-function. The type is constructible; abstract numbers have a zero value too. */
export const zeroValue: (type: Type) => ConstValue = remembered(newZeroValue);

function newZeroValue(type: Type): ConstValue {
  if (isScalar(type)) {
    return scalarValue(type, type.kind === "bool" ? false : type.kind === "abstract-int" ? 0n : 0);
  }
  switch (type.kind) {
    case "vector":
      return repeated(type, type.size, type.element);
    case "matrix":
      return repeated(type, type.columns, vectorType(type.rows, type.element));
    case "array":
      return repeated(type, type.count as number, type.element);
    case "struct":
      return constValue(
        type,
        type.members.map((member) => zeroValue(member.type)),
      );
    default:
      throw new TypeError(`the type ‘${typeName(type)}’ has no zero value`);
  }
}

/** All parts of a zero value are the same object: values never change. */
function repeated(type: Type, count: number, part: Type): ConstValue {
  return constValue(type, new Array<ConstValue>(count).fill(zeroValue(part)));
}

export const evaluateZeroValue: Evaluate = (_, result) => zeroValue(result);

/** `f32(e)`, `bool(e)` … */
export const evaluateScalar: Evaluate = ([value], result) => convertScalar(value, result as ScalarType);

/** `vec3(e)`, `vec3(v)` with conversion, `vec3(a, b, c)`, `vec3(v, c)`, `vec3()` */
export const evaluateVector: Evaluate = (args, result) => {
  if (result.kind !== "vector") return failure(phrase("no-vector", { type: typeName(result) }));
  if (args.length === 0) return zeroValue(result);
  if (args.length === 1) {
    const [value] = args;
    if (value.type.kind === "vector") return convertComponents(value, result);
    return constValue(result, splat(value, result.size));
  }
  if (args.length === result.size) return constValue(result, args);
  return constValue(result, args.flatMap(componentsOf));
};

function splat(value: ConstValue, size: 2 | 3 | 4): readonly ConstValue[] {
  if (size === 2) return listOf(value, value);
  return size === 3 ? listOf(value, value, value) : listOf(value, value, value, value);
}

function componentsOf(value: ConstValue): ConstValue | readonly ConstValue[] {
  return value.type.kind === "vector" ? partsOf(value) : value;
}

/** `mat2x3(m)` with conversion, `mat2x3(v1, v2)`, `mat2x3(e1, … e6)` */
export const evaluateMatrix: Evaluate = (args, result) => {
  if (result.kind !== "matrix") return failure(phrase("no-matrix", { type: typeName(result) }));
  const column = vectorType(result.rows, result.element);
  const [first] = args;
  if (first.type.kind === "matrix") {
    return composed(
      result,
      partsOf(first).map((value) => convertComponents(value, column)),
    );
  }
  if (first.type.kind === "vector") return constValue(result, args);
  const columns: ConstValue[] = [];
  for (let start = 0; start < args.length; start += result.rows) {
    columns.push(constValue(column, args.slice(start, start + result.rows)));
  }
  return constValue(result, columns);
};

/** `array(…)` and structures: the arguments are the parts. */
export const evaluateComposition: Evaluate = (args, result) => constValue(result, args);

/** spec: #bitcast-builtin, #internal-value-layout: the bits of the argument, read as the result. */
export const evaluateBitcast: Evaluate = ([value], result) => {
  if (value.type === result) return value;
  // Of abstract integers, only those that u32 can represent.
  if (isAbstractInteger(value.type)) {
    return result.kind === "vector" ? convertComponents(value, result) : convertScalar(value, result as ScalarType);
  }
  return fromWords(wordsOf(value), result);
};

function isAbstractInteger(type: Type): boolean {
  return (type.kind === "vector" ? type.element : type).kind === "abstract-int";
}

/** The 32-bit words of a value whose size is a multiple of four bytes. */
function wordsOf(value: ConstValue): number[] {
  if (value.type.kind !== "vector") return [wordOf(value)];
  const parts = partsOf(value);
  if (value.type.element.kind !== "f16") return parts.map(wordOf);
  const words: number[] = [];
  for (let index = 0; index < parts.length; index += 2) {
    words.push(bitcastVec2F16ToU32(numberOf(parts[index]), numberOf(parts[index + 1])));
  }
  return words;
}

function wordOf(value: ConstValue): number {
  return value.type.kind === "f32" ? f32ToBits(numberOf(value)) : numberOf(value) >>> 0;
}

function fromWords(words: readonly number[], result: Type): EvaluationResult {
  if (result.kind !== "vector") return fromWord(words[0], result as ScalarType);
  const { element } = result;
  return composed(
    result,
    element.kind === "f16"
      ? words.flatMap((word) => [0, 1].map((index) => finite(bitcastToF16(word, index), element)))
      : words.map((word) => fromWord(word, element)),
  );
}

function fromWord(word: number, result: ScalarType): EvaluationResult {
  switch (result.kind) {
    case "u32":
      return scalarValue(result, word);
    case "i32":
      return scalarValue(result, word | 0);
    default:
      return finite(bitcastToF32(word), result);
  }
}

/** spec: #differences-from-ieee754: a const-expression has no infinity and no NaN. */
function finite(value: number, type: ScalarType): EvaluationResult {
  return Number.isFinite(value)
    ? scalarValue(type, value)
    : failure(phrase(Number.isNaN(value) ? "bits-nan" : "bits-infinite", { type: typeName(type) }));
}
