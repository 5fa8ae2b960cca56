/**
 * What the specification asks of types: concrete, constructible, storable, host-shareable, and the like. Structures nest
 * and share parts, so what walks them remembers its answer per type. The error type is whatever is asked of it, so that it
 * gives rise to no second message.
 */
import {
  isScalar,
  remembered,
  type ScalarType,
  type StructType,
  type TextureType,
  type Type,
  type VectorType,
} from "./type.ts";

/** spec: #type-concrete. A type is abstract if it is or holds an abstract numeric type. */
export const isAbstract = remembered((type: Type): boolean => {
  switch (type.kind) {
    case "abstract-int":
    case "abstract-float":
      return true;
    case "vector":
    case "matrix":
    case "array":
      return isAbstract(type.element);
    case "struct":
      return type.declaration === null && type.members.some((member) => isAbstract(member.type));
    default:
      return false;
  }
});

/** spec: #type-concrete */
export function isConcrete(type: Type): boolean {
  return !isAbstract(type);
}

/** spec: #integer-types. With the abstract one: `INT` of the type rules. */
export function isIntegerScalar(type: Type): type is ScalarType {
  return type.kind === "i32" || type.kind === "u32" || type.kind === "abstract-int";
}

export function isConcreteInteger(type: Type): type is ScalarType {
  return type.kind === "i32" || type.kind === "u32";
}

export function isFloatScalar(type: Type): type is ScalarType {
  return type.kind === "f32" || type.kind === "f16" || type.kind === "abstract-float";
}

/** spec: #numeric-scalar */
export function isNumericScalar(type: Type): type is ScalarType {
  return isScalar(type) && type.kind !== "bool";
}

/** spec: #numeric-vector */
export function isNumericVector(type: Type): type is VectorType {
  return type.kind === "vector" && type.element.kind !== "bool";
}

/** The scalar of a scalar, vector, matrix or atomic type; null for all others. */
export function scalarOf(type: Type): ScalarType | null {
  if (isScalar(type)) return type;
  return type.kind === "vector" || type.kind === "matrix" || type.kind === "atomic" ? type.element : null;
}

export function isTexture(type: Type): type is TextureType {
  return type.kind.endsWith("texture");
}

/** Types of the handle address space. */
export function isHandle(type: Type): boolean {
  return type.kind === "sampler" || isTexture(type);
}

/** spec: #composite-types */
export function isComposite(type: Type): boolean {
  return type.kind === "vector" || type.kind === "matrix" || type.kind === "array" || type.kind === "struct";
}

/** spec: #plain-types-section */
export function isPlain(type: Type): boolean {
  return isScalar(type) || isComposite(type) || type.kind === "atomic" || type.kind === "error";
}

function allMembers({ members }: StructType, holds: (type: Type) => boolean): boolean {
  for (const member of members) if (!holds(member.type)) return false;
  return true;
}

/** spec: #constructible-types */
export const isConstructible = remembered((type: Type): boolean => {
  switch (type.kind) {
    case "vector":
    case "matrix":
      return true;
    case "array":
      return typeof type.count === "number" && isConstructible(type.element);
    case "struct":
      return allMembers(type, isConstructible);
    case "error":
      return true;
    default:
      return isScalar(type);
  }
});

/** spec: #storable-types */
export function isStorable(type: Type): boolean {
  if (type.kind === "error") return true;
  return !isAbstract(type) && (isPlain(type) || isHandle(type) || type.kind === "buffer");
}

/** spec: #host-shareable-types */
export const isHostShareable = remembered((type: Type): boolean => {
  switch (type.kind) {
    case "vector":
      return type.element.kind !== "bool" && !isAbstract(type);
    case "matrix":
      return !isAbstract(type);
    case "atomic":
    case "buffer":
      return true;
    case "array":
      return (type.count === null || typeof type.count === "number") && isHostShareable(type.element);
    case "struct":
      return allMembers(type, isHostShareable);
    case "error":
      return true;
    default:
      return isNumericScalar(type) && !isAbstract(type);
  }
});

/** spec: #creation-fixed-footprint */
export const hasCreationFixedFootprint = remembered((type: Type): boolean => {
  switch (type.kind) {
    case "vector":
    case "matrix":
    case "atomic":
      return true;
    case "array":
      return typeof type.count === "number" && hasCreationFixedFootprint(type.element);
    case "buffer":
      return typeof type.size === "number";
    case "struct":
      return allMembers(type, hasCreationFixedFootprint);
    case "error":
      return true;
    default:
      return isScalar(type);
  }
});

/** spec: #fixed-footprint */
export function hasFixedFootprint(type: Type): boolean {
  if (type.kind === "array") return type.count !== null && hasCreationFixedFootprint(type.element);
  if (type.kind === "buffer") return type.size !== null;
  return hasCreationFixedFootprint(type);
}

/** True where `wanted` holds for the type or for any part of it. */
export function anyPart(wanted: (type: Type) => boolean): (type: Type) => boolean {
  const search = remembered((type: Type): boolean => {
    if (wanted(type)) return true;
    if (type.kind === "array") return search(type.element);
    if (type.kind === "struct") for (const member of type.members) if (search(member.type)) return true;
    return false;
  });
  return search;
}

/** Something in it was wrong and reported: no layout, no further message. */
export const containsError = anyPart((type) => type.kind === "error");
export const containsAtomic = anyPart((type) => type.kind === "atomic");
export const containsBuffer = anyPart((type) => type.kind === "buffer");
export const containsArray = anyPart((type) => type.kind === "array");
export const containsRuntimeArray = anyPart((type) => type.kind === "array" && type.count === null);
/** The type is or holds `bool`. */
export const containsBool = anyPart((type) => scalarOf(type)?.kind === "bool");

/** spec: #nesting-depth; 0 for types that are not composite. */
export const nestingDepth = remembered((type: Type): number => {
  switch (type.kind) {
    case "vector":
      return 1;
    case "matrix":
      return 2;
    case "array":
      return 1 + nestingDepth(type.element);
    case "struct":
      return 1 + type.members.reduce((depth, member) => Math.max(depth, nestingDepth(member.type)), 0);
    default:
      return 0;
  }
});
