import { arrayType, bufferType, type ElementCount, type OverrideCount, type StructType, type Type } from "./type.ts";

/** True where some count inside the type is known only when overrides are. */
export function hasOverrideCount(type: Type): boolean {
  switch (type.kind) {
    case "array":
      return isOverrideCount(type.count) || hasOverrideCount(type.element);
    case "buffer":
      return isOverrideCount(type.size);
    case "struct":
      return type.members.some((member) => hasOverrideCount(member.type));
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
    case "struct":
      return {
        ...type,
        members: type.members.map((member) => ({ ...member, type: resolveCounts(member.type, countOf) })),
      } satisfies StructType;
    default:
      return type;
  }
}

function isOverrideCount(count: ElementCount): count is OverrideCount {
  return count !== null && typeof count === "object";
}
