/**
 * Shadow variables have the shape of the variable that they belong to, with a cell in place of each innermost vector or
 * scalar: so the pointers of a program lead to its cells by the same steps with the same indices, and what is known of an
 * index (that it is in bounds) holds for both. Cells lie side by side, as they have no padding.
 */
import { type Layout, layoutOf, runtimeArray, runtimeElementCount } from "../layout/layout.ts";
import { type ArrayType, arrayType, type StructType, structType, type Type } from "../types/type.ts";
import { innermostParts } from "./cells.ts";

/** `type` with `cell` in place of its innermost vectors and scalars; `cell` is a u32 or an array of them. */
export function mirrored(type: Type, cell: Type): Type {
  switch (type.kind) {
    case "matrix":
      return arrayType(cell, type.columns);
    case "array":
      return arrayType(mirrored(type.element, cell), type.count);
    case "struct": {
      const members = type.members.map(({ name, type: member }) => ({
        name,
        type: mirrored(member, cell),
        align: null,
        size: null,
      }));
      return structType(`$${type.name}`, members, null);
    }
    default:
      return cell;
  }
}

/** What stands in `shadow` where `type` has an innermost vector or scalar. */
export function cellOf(type: Type, shadow: Type): Type {
  if (type.kind === "struct") return cellOf(type.members[0].type, (shadow as StructType).members[0].type);
  if (type.kind === "array") return cellOf(type.element, (shadow as ArrayType).element);
  return type.kind === "matrix" ? (shadow as ArrayType).element : shadow;
}

/** How many cells a variable of `size` bytes has. */
export function cellCount(type: Type, size: number): number {
  const { fixed, each, count } = partsOf(type);
  return fixed.length + each.length * (count ?? runtimeElementCount(layoutOf(type), size));
}

/** The byte at which the innermost vector or scalar of a cell begins. */
export function cellOffsets(type: Type): (cell: number) => number {
  const { fixed, each, start, stride } = partsOf(type);
  return (cell) => {
    if (cell < fixed.length) return fixed[cell];
    const index = cell - fixed.length;
    return start + Math.floor(index / each.length) * stride + each[index % each.length];
  };
}

interface Parts {
  /** Offsets of the cells in front of the elements of an array. */
  readonly fixed: readonly number[];
  /** Those in each element, from the start of the element. */
  readonly each: readonly number[];
  /** Where the elements begin. */
  readonly start: number;
  readonly stride: number;
  /** null: runtime-sized. */
  readonly count: number | null;
}

/** The array that a type is, or ends in at run time, is not taken apart: it may be long. */
function partsOf(type: Type): Parts {
  const layout = layoutOf(type);
  if (type.kind === "array") return { fixed: [], ...elementsOf(layout, 0) };
  const tail = runtimeArray(layout);
  const fixed = offsetsIn(type);
  return tail === null
    ? { fixed, each: [], start: 0, stride: 0, count: 0 }
    : { fixed, ...elementsOf(tail.array, tail.offset) };
}

function elementsOf({ element, stride, count }: Layout, start: number): Omit<Parts, "fixed"> {
  return { each: offsetsIn(element!.type), start, stride: stride!, count };
}

function offsetsIn(type: Type): number[] {
  return innermostParts(type).map(({ offset }) => offset);
}
