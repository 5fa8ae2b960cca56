import { arrayType, bufferType, type ElementCount, type OverrideCount, type Type } from "./type.ts";

/**
 * True where some count inside the type is known only when overrides are. Such an array is the store type of a workgroup
 * variable or its element, never a structure member. spec: #array-types
 */
export function hasOverrideCount(type: Type): boolean {
  switch (type.kind) {
    case "array":
      return isOverrideCount(type.count) || hasOverrideCount(type.element);
    case "buffer":
      return isOverrideCount(type.size);
    default:
      return false;
  }
}

/** The same type with every override count replaced by its number. */
export function resolveCounts(type: Type, countOf: (count: OverrideCount) => number): Type {
  if (!hasOverrideCount(type)) return type;
  const resolve = (count: ElementCount): ElementCount => (isOverrideCount(count) ? countOf(count) : count);
  switch (type.kind) {
    case "array":
      return arrayType(resolveCounts(type.element, countOf), resolve(type.count));
    case "buffer":
      return bufferType(resolve(type.size));
    default:
      return type;
  }
}

function isOverrideCount(count: ElementCount): count is OverrideCount {
  return count !== null && typeof count === "object";
}
