/** Questions about types that the specification has a word for. None of them looks through a reference. */
import type { ArrayType, MatrixType, ScalarType, TextureType, Type, VectorType } from "./type.ts";
import { F16, isScalar } from "./type.ts";

/** spec: #integer-types, with abstract integers. */
export function isInteger(type: Type): type is ScalarType {
  return type.kind === "i32" || type.kind === "u32" || type.kind === "abstract-int";
}

/** spec: #floating-point-types, with abstract floats. */
export function isFloat(type: Type): type is ScalarType {
  return type.kind === "f32" || type.kind === "f16" || type.kind === "abstract-float";
}

/** spec: #scalar-types: a numeric scalar. */
export function isNumericScalar(type: Type): type is ScalarType {
  return isScalar(type) && type.kind !== "bool";
}

/** spec: #vector-types: a numeric vector. */
export function isNumericVector(type: Type): type is VectorType {
  return type.kind === "vector" && type.element.kind !== "bool";
}

/** Numeric scalar, numeric vector or matrix. */
export function isNumeric(type: Type): type is ScalarType | VectorType | MatrixType {
  return isNumericScalar(type) || isNumericVector(type) || type.kind === "matrix";
}

/** spec: #abstract-types: an abstract numeric type, or one that contains such. */
export function isAbstract(type: Type): boolean {
  switch (type.kind) {
    case "abstract-int":
    case "abstract-float":
      return true;
    case "vector":
    case "matrix":
    case "array":
      return isAbstract(type.element);
    case "struct":
      return type.members.some((member) => isAbstract(member.type));
    default:
      return false;
  }
}

/** spec: #abstract-types */
export function isConcrete(type: Type): boolean {
  return !isAbstract(type);
}

/** spec: #texture-sampler-types */
export function isTexture(type: Type): type is TextureType {
  return type.kind.endsWith("texture");
}

/** spec: #plain-types-section */
export function isPlain(type: Type): boolean {
  return isScalar(type) || type.kind === "atomic" || isComposite(type);
}

/** spec: #composite-types */
export function isComposite(type: Type): boolean {
  return type.kind === "vector" || type.kind === "matrix" || type.kind === "array" || type.kind === "struct";
}

/** spec: #array-types: an array whose element count is known when the pipeline is created. */
export function isFixedSizeArray(type: Type): type is ArrayType {
  return type.kind === "array" && type.count !== null;
}

/** spec: #constructible-types */
export function isConstructible(type: Type): boolean {
  switch (type.kind) {
    case "array":
      return typeof type.count === "number" && isConstructible(type.element);
    case "struct":
      return type.members.every((member) => isConstructible(member.type));
    default:
      return isScalar(type) || type.kind === "vector" || type.kind === "matrix";
  }
}

/** spec: #fixed-footprint-types: the size is known when the module is created. */
export function hasCreationFixedFootprint(type: Type): boolean {
  switch (type.kind) {
    case "array":
      return typeof type.count === "number" && hasCreationFixedFootprint(type.element);
    case "struct":
      return type.members.every((member) => hasCreationFixedFootprint(member.type));
    case "buffer":
      return typeof type.size === "number";
    default:
      return isPlain(type);
  }
}

/** spec: #fixed-footprint-types: the size is known when the pipeline is created. */
export function hasFixedFootprint(type: Type): boolean {
  if (type.kind === "array") return type.count !== null && hasCreationFixedFootprint(type.element);
  if (type.kind === "buffer") return type.size !== null;
  return hasCreationFixedFootprint(type);
}

/** spec: #storable-types */
export function isStorable(type: Type): boolean {
  return (isPlain(type) && isConcrete(type)) || isTexture(type) || type.kind === "sampler" || type.kind === "buffer";
}

/** spec: #host-shareable-types */
export function isHostShareable(type: Type): boolean {
  switch (type.kind) {
    case "vector":
    case "matrix":
      return type.element.kind !== "bool" && isConcrete(type);
    case "atomic":
    case "buffer":
      return true;
    case "array":
      return (type.count === null || typeof type.count === "number") && isHostShareable(type.element);
    case "struct":
      return type.members.every((member) => isHostShareable(member.type));
    default:
      return isNumericScalar(type) && isConcrete(type);
  }
}

/** Whether `type` is, or has somewhere inside, a type of which `test` holds. Does not follow pointers. */
export function contains(type: Type, test: (part: Type) => boolean): boolean {
  if (test(type)) return true;
  switch (type.kind) {
    case "vector":
    case "matrix":
    case "atomic":
    case "array":
      return contains(type.element, test);
    case "struct":
      return type.members.some((member) => contains(member.type, test));
    default:
      return false;
  }
}

export function containsAtomic(type: Type): boolean {
  return contains(type, (part) => part.kind === "atomic");
}

export function containsRuntimeSizedArray(type: Type): boolean {
  return contains(type, (part) => part.kind === "array" && part.count === null);
}

/** spec: #composite-types: NestDepth; 0 for what is not composite. */
export function nestingDepth(type: Type): number {
  switch (type.kind) {
    case "vector":
      return 1;
    case "matrix":
      return 2;
    case "array":
      return 1 + nestingDepth(type.element);
    case "struct":
      return 1 + Math.max(0, ...type.members.map((member) => nestingDepth(member.type)));
    default:
      return 0;
  }
}

/** Whether the type needs the extension `f16`. */
export function usesF16(type: Type): boolean {
  return contains(type, (part) => part === F16);
}
