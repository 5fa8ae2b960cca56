/** Automatic conversions: which there are, and which is preferred. */
import { isAbstract } from "./predicates.ts";
import { resultOrigin, resultTypeOf } from "./result-types.ts";
import type { ScalarType, Type, VectorType } from "./type.ts";
import { arrayType, F32, I32, matrixType, vectorType } from "./type.ts";

/** spec: #conversion-rank: the rows between scalars. */
function rankOfAbstractFloat(to: Type): number {
  switch (to.kind) {
    case "f32":
      return 1;
    case "f16":
      return 2;
    default:
      return Infinity;
  }
}

function rankOfAbstractInt(to: Type): number {
  switch (to.kind) {
    case "i32":
      return 3;
    case "u32":
      return 4;
    case "abstract-float":
      return 5;
    case "f32":
      return 6;
    case "f16":
      return 7;
    default:
      return Infinity;
  }
}

/**
 * spec: #conversion-rank: how preferable it is to convert a value of type `from` to type `to`: 0 is none or a load,
 * `Infinity` is not possible. The two rows about pointers to buffers hold for arguments of user-defined functions only:
 * see `pointerArgumentRank`.
 */
export function conversionRank(from: Type, to: Type): number {
  if (from === to) return 0;
  switch (from.kind) {
    case "abstract-int":
      return rankOfAbstractInt(to);
    case "abstract-float":
      return rankOfAbstractFloat(to);
    case "vector":
      return to.kind === "vector" && from.size === to.size ? conversionRank(from.element, to.element) : Infinity;
    case "matrix":
      return to.kind === "matrix" && from.columns === to.columns && from.rows === to.rows
        ? conversionRank(from.element, to.element)
        : Infinity;
    case "array":
      // Only arrays of a known count have an abstract element type.
      return to.kind === "array" && typeof from.count === "number" && from.count === to.count
        ? conversionRank(from.element, to.element)
        : Infinity;
    case "struct":
      return to.kind === "struct" ? resultRank(from, to) : Infinity;
    case "reference":
      return from.access !== "write" && from.store === to ? 0 : Infinity;
    default:
      return Infinity;
  }
}

function resultRank(from: Type & { kind: "struct" }, to: Type & { kind: "struct" }): number {
  const [source, target] = [resultOrigin(from), resultOrigin(to)];
  return source !== null && target !== null && source.family === target.family
    ? conversionRank(source.of, target.of)
    : Infinity;
}

/**
 * spec: #conversion-rank: as `conversionRank`, with the rows that let a pointer to a fixed-size buffer be passed to a
 * user-defined function that takes a smaller or a runtime-sized one.
 */
export function pointerArgumentRank(from: Type, to: Type): number {
  if (from.kind !== "pointer" || to.kind !== "pointer" || from === to) return conversionRank(from, to);
  if (from.space !== to.space || from.access !== to.access) return Infinity;
  if (from.store.kind !== "buffer" || to.store.kind !== "buffer" || from.store.size === null) return Infinity;
  const [source, target] = [from.store.size, to.store.size];
  if (target === null) return 1;
  return typeof source === "number" && typeof target === "number" && target < source ? 1 : Infinity;
}

export function isConvertible(from: Type, to: Type): boolean {
  return conversionRank(from, to) !== Infinity;
}

/** spec: #load-rule: the type of the value that a memory view gives when it is read; all other types stay. */
export function loadedType(type: Type): Type {
  return type.kind === "reference" && type.access !== "write" ? type.store : type;
}

/**
 * spec: #conversion-rank: the concretization of a type: abstract integers become `i32`, abstract floats `f32`, also
 * inside vectors, matrices, arrays and the results of `frexp` and `modf`; references are loaded.
 */
export function concretize(type: Type): Type {
  switch (type.kind) {
    case "abstract-int":
      return I32;
    case "abstract-float":
      return F32;
    case "vector":
      return vectorType(type.size, concretize(type.element) as ScalarType);
    case "matrix":
      return matrixType(type.columns, type.rows, concretize(type.element) as ScalarType);
    case "array":
      return isAbstract(type.element) ? arrayType(concretize(type.element), type.count) : type;
    case "struct": {
      const origin = resultOrigin(type);
      return origin === null ? type : resultTypeOf(origin.family, concretize(origin.of) as ScalarType | VectorType);
    }
    case "reference":
      return loadedType(type);
    default:
      return type;
  }
}

/**
 * The type among `types` that all of them convert to, references loaded; null when there is none. spec: #array-builtin
 * and wherever several expressions must agree on one type.
 */
export function commonType(types: readonly Type[]): Type | null {
  for (const candidate of types) {
    const target = loadedType(candidate);
    if (types.every((type) => isConvertible(type, target))) return target;
  }
  return null;
}
