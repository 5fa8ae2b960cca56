/** Values and memory by their scalars: how many there are, of which kind, where they lie. */
import { layoutOf } from "../../layout/layout.ts";
import type { ScalarKind, Type } from "../../types/type.ts";
import { scalarCount } from "../flatten-values.ts";
import { type FourType, fourOf } from "./four.ts";
import type { ScalarType } from "./instructions.ts";

export type Kind = Exclude<ScalarKind, "abstract-int" | "abstract-float">;

export interface ScalarPlace {
  readonly kind: Kind;
  /** Bytes from the start of the value in memory. */
  readonly offset: number;
}

/** Values of more scalars than this are kept in memory, not in locals. */
export const MOST_SCALARS = 64;

export function isLarge(type: Type): boolean {
  return type.kind !== "pointer" && type.kind !== "void" && scalarCount(type) > MOST_SCALARS;
}

/** bool, i32 and u32 are i32; f16 is the f32 that it equals. */
export function wasmType(kind: Kind): ScalarType {
  return kind === "f32" || kind === "f16" ? "f32" : "i32";
}

/** Kind of a scalar or of the components of a vector. */
export function componentKind(type: Type): Kind {
  switch (type.kind) {
    case "vector":
    case "matrix":
    case "atomic":
      return componentKind(type.element);
    default:
      return type.kind as Kind;
  }
}

const places = new WeakMap<Type, readonly ScalarPlace[]>();

/** The scalars of a type in order. Not for large types. */
export function scalarPlaces(type: Type): readonly ScalarPlace[] {
  let found = places.get(type);
  if (found === undefined) {
    const collected: ScalarPlace[] = [];
    if (type.kind !== "void") collect(type, 0, collected);
    found = collected;
    places.set(type, found);
  }
  return found;
}

function collect(type: Type, at: number, into: ScalarPlace[]): void {
  const layout = layoutOf(type);
  switch (type.kind) {
    case "struct":
      for (const member of layout.members) collect(member.layout.type, at + member.offset, into);
      return;
    case "array":
    case "matrix":
    case "vector": {
      const element = layout.element!;
      const stride = layout.stride ?? element.size;
      for (let i = 0; i < layout.count!; i++) collect(element.type, at + i * stride, into);
      return;
    }
    default:
      into.push({ kind: componentKind(type), offset: at });
  }
}

export function wasmTypes(type: Type): readonly ScalarType[] {
  return scalarPlaces(type).map(({ kind }) => wasmType(kind));
}

/** Of values that differ between four invocations. */
export function fourTypes(type: Type): readonly FourType[] {
  return scalarPlaces(type).map(({ kind }) => (kind === "bool" ? "b32x4" : fourOf(wasmType(kind))));
}

const contiguous = new WeakMap<Type, boolean>();

/** Whether every byte of a value belongs to a scalar, so that it may be copied as it is. */
export function hasNoPadding(type: Type): boolean {
  let known = contiguous.get(type);
  if (known === undefined) {
    known = computeNoPadding(type);
    contiguous.set(type, known);
  }
  return known;
}

function computeNoPadding(type: Type): boolean {
  const layout = layoutOf(type);
  switch (type.kind) {
    case "struct": {
      let end = 0;
      for (const { offset, size, layout: member } of layout.members) {
        if (offset !== end || size !== member.size || !hasNoPadding(member.type)) return false;
        end = offset + size;
      }
      return end === layout.size;
    }
    case "array":
    case "matrix":
      return layout.stride === layout.element!.size && hasNoPadding(layout.element!.type);
    default:
      return true;
  }
}

/** Bytes that a value takes in memory. */
export function sizeOf(type: Type): number {
  return layoutOf(type).size;
}
