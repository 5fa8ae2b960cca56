/** The leaf scalars of a layout, in the order of their declaration; padding is none. */
import { type Layout, runtimeElementCount } from "../layout/layout.ts";
import type { ScalarType, Type } from "../types/type.ts";

/** The scalar type of a leaf layout. */
export function scalarOf(type: Type): ScalarType {
  return type.kind === "atomic" ? type.element : (type as ScalarType);
}

/**
 * The scalar type where the whole layout is scalars of one type without a gap: `array<vec4f>`, not `array<vec3f>`; else
 * null. Such bytes are one typed array.
 */
export function denseScalar(layout: Layout): ScalarType | null {
  if (layout.members.length > 0) return denseMembers(layout);
  if (layout.element === null) return layout.type.kind === "buffer" ? null : scalarOf(layout.type);
  const scalar = denseScalar(layout.element);
  return scalar !== null && (layout.stride ?? layout.element.size) === layout.element.size ? scalar : null;
}

function denseMembers(layout: Layout): ScalarType | null {
  let end = 0;
  let common: ScalarType | null = null;
  for (const member of layout.members) {
    const scalar = denseScalar(member.layout);
    if (scalar === null || (common !== null && scalar !== common) || member.offset !== end) return null;
    common = scalar;
    end = member.offset + member.layout.size;
  }
  return layout.size === end ? common : null;
}

/** Calls `visit` for each leaf of a value of `layout` in `bytes` bytes, with the leaf's byte offset. */
export function forEachLeaf(layout: Layout, bytes: number, visit: (type: ScalarType, offset: number) => void): void {
  leaves(layout, 0, bytes, visit);
}

function leaves(layout: Layout, offset: number, end: number, visit: (type: ScalarType, offset: number) => void): void {
  if (layout.members.length > 0) {
    for (const member of layout.members) leaves(member.layout, offset + member.offset, end, visit);
  } else if (layout.element === null) {
    visit(scalarOf(layout.type), offset);
  } else {
    const stride = layout.stride ?? layout.element.size;
    const count = layout.count ?? runtimeElementCount(layout, end - offset);
    for (let i = 0; i < count; i++) leaves(layout.element, offset + i * stride, end, visit);
  }
}

/** How many leaves a layout has; of a runtime-sized one: with no elements. */
export function leafCount(layout: Layout): number {
  if (layout.members.length > 0) return layout.members.reduce((sum, member) => sum + leafCount(member.layout), 0);
  return layout.element === null ? 1 : (layout.count ?? 0) * leafCount(layout.element);
}
