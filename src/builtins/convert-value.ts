/** Conversions of values: the automatic ones, and those that a constructor asks for. */
import { phrase } from "../diagnostics/diagnostic.ts";
import {
  abstractFloatFromAbstractInt,
  boolFromNumber,
  checkedF16,
  checkedF16FromAbstractInt,
  checkedF32,
  checkedI32FromAbstractInt,
  checkedU32FromAbstractInt,
  f32FromAbstractInt,
  f32FromNumber,
  i32FromAbstractFloat,
  i32FromF16,
  i32FromF32,
  i32FromU32,
  numberFromBool,
  u32FromAbstractFloat,
  u32FromF16,
  u32FromF32,
  u32FromI32,
} from "../numeric/convert.ts";
import type { NumericFailure } from "../numeric/integer.ts";
import { concretize } from "../types/conversion.ts";
import type { ScalarKind, ScalarType, Type, VectorType } from "../types/type.ts";
import { isScalar, typeName, vectorType } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import { composed, failure, partsOf, type Scalar, scalarOf, scalarValue } from "./evaluate-parts.ts";
import type { EvaluationResult } from "./row.ts";

/**
 * spec: #conversion-rank: the value as `to`, to which its type converts automatically (`isConvertible`). An error where
 * the value does not fit: 4294967296 as u32, 1e40 as f32.
 */
export function convertValue(value: ConstValue, to: Type): EvaluationResult {
  if (value.type === to) return value;
  if (isScalar(to)) return convertScalar(value, to);
  switch (to.kind) {
    case "vector":
      return convertParts(value, to, () => to.element);
    case "matrix":
      return convertParts(value, to, () => vectorType(to.rows, to.element));
    case "array":
      return convertParts(value, to, () => to.element);
    case "struct":
      return convertParts(value, to, (index) => to.members[index].type);
    default:
      return failure(phrase("no-conversion", { from: typeName(value.type), to: typeName(to) }));
  }
}

function convertParts(value: ConstValue, to: Type, partType: (index: number) => Type): EvaluationResult {
  return composed(
    to,
    partsOf(value).map((part, index) => convertValue(part, partType(index))),
  );
}

/** spec: #conversion-rank: the value with a concrete type: abstract integers become i32, abstract floats f32. */
export function concretizeValue(value: ConstValue): EvaluationResult {
  return convertValue(value, concretize(value.type));
}

type Convert = (x: never) => Scalar | NumericFailure;

const same: Convert = (x) => x;

/** spec: #bool-builtin, #i32-builtin, #u32-builtin, #f32-builtin, #f16-builtin, #floating-point-conversion */
const CONVERSIONS: Readonly<Record<ScalarKind, Readonly<Record<ScalarKind, Convert>>>> = {
  bool: {
    bool: same,
    i32: boolFromNumber,
    u32: boolFromNumber,
    f32: boolFromNumber,
    f16: boolFromNumber,
    "abstract-int": boolFromNumber,
    "abstract-float": boolFromNumber,
  },
  i32: {
    bool: numberFromBool,
    i32: same,
    u32: i32FromU32,
    f32: i32FromF32,
    f16: i32FromF16,
    "abstract-int": checkedI32FromAbstractInt,
    "abstract-float": i32FromAbstractFloat,
  },
  u32: {
    bool: numberFromBool,
    i32: u32FromI32,
    u32: same,
    f32: u32FromF32,
    f16: u32FromF16,
    "abstract-int": checkedU32FromAbstractInt,
    "abstract-float": u32FromAbstractFloat,
  },
  f32: {
    bool: numberFromBool,
    i32: f32FromNumber,
    u32: f32FromNumber,
    f32: same,
    f16: same,
    "abstract-int": f32FromAbstractInt,
    "abstract-float": checkedF32,
  },
  f16: {
    bool: numberFromBool,
    i32: checkedF16,
    u32: checkedF16,
    f32: checkedF16,
    f16: same,
    "abstract-int": checkedF16FromAbstractInt,
    "abstract-float": checkedF16,
  },
  "abstract-int": {
    bool: same,
    i32: same,
    u32: same,
    f32: same,
    f16: same,
    "abstract-int": same,
    "abstract-float": same,
  },
  "abstract-float": {
    bool: same,
    i32: same,
    u32: same,
    f32: same,
    f16: same,
    "abstract-int": abstractFloatFromAbstractInt,
    "abstract-float": same,
  },
};

/** Any scalar to any concrete scalar, as the constructors `f32(…)`, `bool(…)` do; automatic conversions are among them. */
export function convertScalar(value: ConstValue, to: ScalarType): EvaluationResult {
  const converted = CONVERSIONS[to.kind][value.type.kind as ScalarKind](scalarOf(value) as never);
  if (typeof converted !== "string") return scalarValue(to, converted);
  return failure(phrase("not-representable", { value: shown(value), type: typeName(to) }));
}

/** As `convertScalar`, for each component. */
export function convertComponents(value: ConstValue, to: VectorType): EvaluationResult {
  return composed(
    to,
    partsOf(value).map((part) => convertScalar(part, to.element)),
  );
}

function shown(value: ConstValue): string {
  return String(scalarOf(value));
}
