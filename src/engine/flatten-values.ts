/** Values as lists of the slots that hold their scalars: taking apart and putting together cost nothing at run time. */

import { zeroValue } from "../builtins/evaluate-construct.ts";
import { partCount, partType } from "../ir/builder.ts";
import { f32ToSignedBits } from "../numeric/float32.ts";
import { type Type, typeName } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import type { FlatBuilder } from "./flat-builder.ts";

/** Slots of a value's scalars, in order. */
export type Value = readonly number[];

const counts = new WeakMap<Type, number>();

/** Number of scalars in a value of this type. */
export function scalarCount(type: Type): number {
  let count = counts.get(type);
  if (count === undefined) {
    count = countScalars(type);
    counts.set(type, count);
  }
  return count;
}

function countScalars(type: Type): number {
  switch (type.kind) {
    case "bool":
    case "i32":
    case "u32":
    case "f32":
    case "f16":
    case "atomic":
      return 1;
    case "struct":
      return type.members.reduce((sum, member) => sum + scalarCount(member.type), 0);
    case "vector":
    case "matrix":
    case "array":
      return partCount(type) * scalarCount(partType(type, 0));
    case "void":
      return 0;
    default:
      throw new TypeError(`internal: ${typeName(type)} has no scalars`);
  }
}

/** Number of scalars in front of a part. */
export function scalarsBefore(type: Type, index: number): number {
  if (type.kind !== "struct") return index * scalarCount(partType(type, 0));
  return type.members.slice(0, index).reduce((sum, member) => sum + scalarCount(member.type), 0);
}

/** The part of a value at a known index. */
export function partOf(value: Value, type: Type, index: number): Value {
  const start = scalarsBefore(type, index);
  return value.slice(start, start + scalarCount(partType(type, index)));
}

/** The 32 bits of a scalar as a slot holds it. */
function scalarBits({ type, value }: ConstValue): number {
  if (typeof value === "boolean") return value ? 1 : 0;
  return type.kind === "f32" || type.kind === "f16" ? f32ToSignedBits(value as number) : (value as number) | 0;
}

/** The bits of all scalars of a constant, in order. */
export function constantBits(constant: ConstValue, into: number[] = []): number[] {
  if (!Array.isArray(constant.value)) into.push(scalarBits(constant));
  else for (const part of constant.value) constantBits(part, into);
  return into;
}

/** Above this, equal scalars of a constant do not share slots: dynamic indexing wants consecutive ones. */
const SHARED = 16;

export function constantValue(builder: FlatBuilder, constant: ConstValue): Value {
  // Zero arrays may be long: all their scalars are one slot.
  if (constant === zeroValue(constant.type)) {
    return new Array<number>(scalarCount(constant.type)).fill(builder.constant(0));
  }
  const known = builder.composites.get(constant);
  if (known !== undefined) return known;
  const bits = constantBits(constant);
  if (bits.length <= SHARED && constant.type.kind !== "array") return bits.map((word) => builder.constant(word));
  const first = builder.lastingSlots(bits.length);
  const slots = bits.map((word, index) => {
    builder.initialize(first + index, word);
    return first + index;
  });
  builder.composites.set(constant, slots);
  return slots;
}

function isConsecutive(value: Value): boolean {
  return value.every((slot, index) => slot === value[0] + index);
}

/** Copies a value into the slots from `d` on. */
export function emitCopy(builder: FlatBuilder, d: number, value: Value): void {
  if (value.length === 0) return;
  if (value.length === 1) builder.emit("move", d, value[0]);
  else if (isConsecutive(value)) builder.emit("copy", d, value[0], value.length);
  else if (value.every((slot) => slot === value[0])) builder.emit("fill", d, value[0], value.length);
  else for (const [index, slot] of value.entries()) builder.emit("move", d + index, slot);
}

/** The same value in consecutive slots, as dynamic indexing needs it. */
export function consecutive(builder: FlatBuilder, value: Value): Value {
  if (isConsecutive(value)) return value;
  const copy = builder.range(value.length);
  emitCopy(builder, copy[0], value);
  return copy;
}
