/**
 * Sizes, alignments, offsets and strides of types in memory: the only place that computes them.
 * spec: #memory-layouts, #alignment-and-size, #structure-member-layout
 */
import { listOf } from "../text/list.ts";
import { hasOverrideCount } from "../types/counts.ts";
import { remembered, type ScalarType, type Type, typeName, vectorType } from "../types/type.ts";

/** Where a type's parts lie; all figures in bytes. */
export interface Layout {
  readonly type: Type;
  /** Of a runtime-sized type: with no elements in the runtime-sized array. */
  readonly size: number;
  readonly align: number;
  /** Distance between array elements or matrix columns; null for all other types. */
  readonly stride: number | null;
  /** Elements of an array (null: runtime-sized), columns of a matrix, components of a vector; 0 for all other types. */
  readonly count: number | null;
  /** Layout of an array element, a matrix column, a vector component. */
  readonly element: Layout | null;
  readonly members: readonly MemberLayout[];
  /** A runtime-sized array, or a structure that ends in one. */
  readonly runtimeSized: boolean;
}

export interface MemberLayout {
  readonly name: string;
  readonly offset: number;
  /** As laid out: with `@size` and `@align` where given. */
  readonly size: number;
  readonly align: number;
  readonly layout: Layout;
}

const NO_MEMBERS: readonly MemberLayout[] = [];

// Classes, so that layouts die young with the structures of their module: see `listOf`.

class TypeLayout implements Layout {
  readonly type: Type;
  readonly size: number;
  readonly align: number;
  readonly stride: number | null;
  readonly count: number | null;
  readonly element: Layout | null;
  readonly members: readonly MemberLayout[];
  readonly runtimeSized: boolean;

  constructor(
    type: Type,
    size: number,
    align: number,
    stride: number | null,
    count: number | null,
    element: Layout | null,
    members: readonly MemberLayout[],
    runtimeSized: boolean,
  ) {
    this.type = type;
    this.size = size;
    this.align = align;
    this.stride = stride;
    this.count = count;
    this.element = element;
    this.members = members;
    this.runtimeSized = runtimeSized;
  }
}

class LaidOutMember implements MemberLayout {
  readonly name: string;
  readonly offset: number;
  readonly size: number;
  readonly align: number;
  readonly layout: Layout;

  constructor(name: string, offset: number, size: number, align: number, layout: Layout) {
    this.name = name;
    this.offset = offset;
    this.size = size;
    this.align = align;
    this.layout = layout;
  }
}

/** `value` rounded up to a multiple of `align`. spec: #roundup */
export function roundUp(align: number, value: number): number {
  return Math.ceil(value / align) * align;
}

/**
 * The layout of a type that can lie in a buffer or in workgroup, private or function memory.
 * @throws RangeError for types without a layout (pointers, textures, abstract types) and for counts that still hang on an override.
 */
export const layoutOf: (type: Type) => Layout = remembered(computeLayout);

// spec: #alignof, #sizeof
function computeLayout(type: Type): Layout {
  switch (type.kind) {
    case "bool":
    case "i32":
    case "u32":
    case "f32":
    case "f16":
      return leaf(type, scalarSize(type), scalarSize(type));
    case "atomic":
      return leaf(type, scalarSize(type.element), scalarSize(type.element));
    case "vector": {
      const component = layoutOf(type.element);
      const align = component.size * (type.size === 2 ? 2 : 4);
      return sequence(type, component, type.size, component.size, component.size * type.size, align);
    }
    case "matrix": {
      const column = columnLayout(type);
      const stride = roundUp(column.align, column.size);
      return sequence(type, column, type.columns, stride, stride * type.columns, column.align);
    }
    case "array": {
      if (hasOverrideCount(type)) throw new RangeError(`the count of ${typeName(type)} hangs on an override`);
      const element = layoutOf(type.element);
      const stride = roundUp(element.align, element.size);
      const count = type.count as number | null;
      return sequence(type, element, count, stride, stride * (count ?? 0), element.align);
    }
    case "struct":
      return structLayout(type);
    case "buffer":
      if (hasOverrideCount(type)) throw new RangeError(`the size of ${typeName(type)} hangs on an override`);
      return new TypeLayout(type, (type.size as number | null) ?? 0, 16, null, 0, null, NO_MEMBERS, type.size === null);
    default:
      throw new RangeError(`${typeName(type)} has no memory layout`);
  }
}

function scalarSize(type: ScalarType): number {
  return type.kind === "f16" ? 2 : 4;
}

function leaf(type: Type, size: number, align: number): Layout {
  return new TypeLayout(type, size, align, null, 0, null, NO_MEMBERS, false);
}

function sequence(
  type: Type,
  element: Layout,
  count: number | null,
  stride: number,
  size: number,
  align: number,
): Layout {
  const between = type.kind === "vector" ? null : stride;
  return new TypeLayout(type, size, align, between, count, element, NO_MEMBERS, count === null);
}

function columnLayout(type: Extract<Type, { kind: "matrix" }>): Layout {
  return layoutOf(vectorType(type.rows, type.element));
}

// spec: #structure-member-layout
function structLayout(type: Extract<Type, { kind: "struct" }>): Layout {
  const members: MemberLayout[] = listOf();
  let end = 0;
  let structAlign = 1;
  let runtimeSized = false;
  for (const member of type.members) {
    const layout = layoutOf(member.type);
    const align = member.align ?? layout.align;
    const size = member.size ?? layout.size;
    const offset = roundUp(align, end);
    members.push(new LaidOutMember(member.name, offset, size, align, layout));
    end = offset + size;
    structAlign = Math.max(structAlign, align);
    runtimeSized = layout.runtimeSized;
  }
  // The runtime-sized tail begins where its member does: the size without elements is not rounded up.
  const size = runtimeSized ? end : roundUp(structAlign, end);
  return new TypeLayout(type, size, structAlign, null, 0, null, members, runtimeSized);
}

/** Bytes that a value takes with `count` elements in its runtime-sized array (ignored for other types). */
export function sizeWithElements(layout: Layout, count: number): number {
  const tail = runtimeArray(layout);
  if (tail === null) return layout.size;
  const end = tail.offset + tail.array.stride! * count;
  return layout.members.length > 0 ? roundUp(layout.align, end) : end;
}

/** Element count of the runtime-sized array in a binding of `bytes` bytes. spec: #buffer-binding-determines-runtime-sized-array-element-count */
export function runtimeElementCount(layout: Layout, bytes: number): number {
  const tail = runtimeArray(layout);
  return tail === null ? 0 : Math.max(0, Math.floor((bytes - tail.offset) / tail.array.stride!));
}

/** The runtime-sized array of a runtime-sized layout and where it begins. */
export function runtimeArray(layout: Layout): { readonly array: Layout; readonly offset: number } | null {
  if (!layout.runtimeSized) return null;
  if (layout.members.length === 0) return { array: layout, offset: 0 };
  const last = layout.members[layout.members.length - 1];
  return { array: last.layout, offset: last.offset };
}

/** Smallest buffer that can be bound to a variable of this type. webgpu: #minimum-buffer-binding-size */
export function minBindingSize(layout: Layout): number {
  return layout.type.kind === "buffer" ? Math.max(4, layout.size) : sizeWithElements(layout, 1);
}

/** What lies at a byte: `cells[3].vel.y`; null in padding or past the end. `prefix` is the variable's name. */
export function pathAt(layout: Layout, offset: number, prefix: string): string | null {
  if (offset < 0) return null;
  if (layout.members.length > 0) {
    const member = layout.members.findLast((m) => m.offset <= offset);
    return member === undefined ? null : pathAt(member.layout, offset - member.offset, `${prefix}.${member.name}`);
  }
  if (layout.element === null) return offset < layout.size ? prefix : null;
  if (layout.type.kind === "vector") {
    const component = Math.floor(offset / layout.element.size);
    return component < layout.type.size ? `${prefix}.${"xyzw"[component]}` : null;
  }
  const index = Math.floor(offset / layout.stride!);
  if (layout.count !== null && index >= layout.count) return null;
  return pathAt(layout.element, offset - index * layout.stride!, `${prefix}[${index}]`);
}
