/**
 * Pointers and accesses. A pointer is known in parts when a program is flattened: its root, the fixed part of its offset,
 * and the slots of the dynamic part and of the fault (both the constant 0 where every index was known). So only dynamic
 * indices cost instructions.
 */
import { partType } from "../ir/builder.ts";
import type { AccessInst, AtomicInst, AtomicOperation, RootId } from "../ir/ir.ts";
import { layoutOf } from "../layout/layout.ts";
import { type AddressSpace, I32, type Type, U32, VOID } from "../types/type.ts";
import type { AccessKind } from "./flat.ts";
import type { FlatBuilder } from "./flat-builder.ts";
import { emitCopy, scalarCount, scalarsBefore, type Value } from "./flatten-values.ts";
import { ATOMICS, type AtomicName } from "./opcodes.ts";

export interface Pointer {
  readonly space: AddressSpace;
  /** null: into the frame (function and private memory). */
  readonly root: RootId | null;
  /** Type of what it points to. */
  readonly type: Type;
  /** Slot of the dynamic part of the offset. */
  readonly address: number;
  /** Slot that is not 0 where an index was out of bounds. */
  readonly fault: number;
  /** Fixed part: bytes from the start of the root, or a slot of the frame. */
  readonly offset: number;
  /** The vector of which this is a component. */
  readonly vector: Type | null;
}

export function framePointer(builder: FlatBuilder, space: AddressSpace, type: Type, slot: number): Pointer {
  const zero = builder.constant(0);
  return { space, root: null, type, address: zero, fault: zero, offset: slot, vector: null };
}

export function rootPointer(builder: FlatBuilder, root: RootId): Pointer {
  const { space, type } = builder.module.roots[root];
  const zero = builder.constant(0);
  return { space, root, type, address: zero, fault: zero, offset: 0, vector: null };
}

/** Distance between neighbouring parts: bytes in memory, scalars in the frame. */
function partStride(pointer: Pointer): number {
  const { type } = pointer;
  if (pointer.root === null) return scalarCount(partType(type, 0));
  const layout = layoutOf(type);
  return layout.stride ?? layout.element!.size;
}

function partOffset(pointer: Pointer, index: number): number {
  const { type } = pointer;
  if (pointer.root === null) return scalarsBefore(type, index);
  return type.kind === "struct" ? layoutOf(type).members[index].offset : index * partStride(pointer);
}

/** Slot of the number of parts that a dynamic index may choose from. */
function countSlot(builder: FlatBuilder, { type, root }: Pointer): number {
  if (type.kind === "array" && type.count === null) return builder.lengthSlot(root!);
  return builder.constant(layoutOf(type).count!);
}

/** `index` gives the slot and the type of a dynamic index. */
export function emitAccess(
  builder: FlatBuilder,
  pointer: Pointer,
  inst: AccessInst,
  index: (inst: Exclude<AccessInst["index"], number>) => { readonly slot: number; readonly type: Type },
): Pointer {
  const vector = inst.step === "component" ? pointer.type : null;
  const runtimeSized = pointer.type.kind === "array" && pointer.type.count === null;
  if (typeof inst.index === "number" && !runtimeSized) {
    const type = partType(pointer.type, inst.index);
    return { ...pointer, type, offset: pointer.offset + partOffset(pointer, inst.index), vector };
  }
  const chosen = typeof inst.index === "number" ? { slot: builder.constant(inst.index), type: U32 } : index(inst.index);
  const address = builder.slots(2);
  const count = countSlot(builder, pointer);
  const signed = chosen.type === I32 ? 1 : 0;
  builder.emit("access", address, pointer.address, pointer.fault, chosen.slot, count, partStride(pointer), signed);
  return { ...pointer, type: partType(pointer.type, 0), address, fault: address + 1, vector };
}

/** The pointer's dynamic form, for passing it on: address and fault in the two slots from `d` on. */
export function emitPointer(builder: FlatBuilder, d: number, pointer: Pointer): void {
  builder.emit("add-i32", d, pointer.address, builder.constant(pointer.offset));
  builder.emit("move", d + 1, pointer.fault);
}

/** What a parameter that was passed by `emitPointer` points to. */
export function passedPointer(space: AddressSpace, root: RootId | null, type: Type, slot: number): Pointer {
  return { space, root, type, address: slot, fault: slot + 1, offset: 0, vector: null };
}

/** Every access to memory that others may write at the same time is a place where the schedule may change. */
function emitTurn(builder: FlatBuilder, pointer: Pointer): void {
  if (pointer.space === "storage" || pointer.space === "workgroup") builder.emit("turn");
}

function isStaticFrame(builder: FlatBuilder, pointer: Pointer): boolean {
  return pointer.root === null && pointer.address === builder.constant(0);
}

function declareSite(builder: FlatBuilder, pointer: Pointer, kind: AccessKind, atomic: string | null): void {
  const { space, root, type, vector } = pointer;
  const shape = builder.shapeAt(builder.shape(type));
  const whole = vector === null ? null : layoutOf(vector);
  builder.site({
    kind,
    atomic,
    space,
    root,
    type,
    size: extent(builder, type),
    shape,
    vector: whole === null ? null : { align: whole.align, size: whole.size },
  });
}

/** Bytes from the first to the last one that an access touches. */
function extent(builder: FlatBuilder, type: Type): number {
  const last = builder.shapeAt(builder.shape(type)).runs.at(-1)!;
  return last.offset + last.size;
}

function isWord(builder: FlatBuilder, type: Type): boolean {
  const { halves } = builder.shapeAt(builder.shape(type));
  return halves.length === 1 && halves[0] === 0;
}

export function emitLoad(builder: FlatBuilder, pointer: Pointer): Value {
  const { root, address, fault, offset, type } = pointer;
  const value = builder.range(scalarCount(type));
  const d = value[0];
  if (value.length === 0) return value;
  if (isStaticFrame(builder, pointer)) {
    emitCopy(
      builder,
      d,
      value.map((_, index) => offset + index),
    );
    return value;
  }
  emitTurn(builder, pointer);
  declareSite(builder, pointer, type.kind === "atomic" ? "atomic-read" : "read", null);
  if (root === null) builder.emitAccess("load-frame", address, fault, offset, d, value.length);
  else if (isWord(builder, type)) builder.emitAccess("load-word", root, address, fault, offset, 4, d);
  else builder.emitAccess("load", root, address, fault, offset, extent(builder, type), d, builder.shape(type));
  return value;
}

export function emitStore(builder: FlatBuilder, pointer: Pointer, value: Value): void {
  const { root, address, fault, offset, type } = pointer;
  if (value.length === 0) return;
  if (isStaticFrame(builder, pointer)) {
    emitCopy(builder, offset, value);
    return;
  }
  emitTurn(builder, pointer);
  declareSite(builder, pointer, "write", null);
  if (root === null) builder.emitAccess("store-frame", address, fault, offset, builder.slotList(value));
  else if (isWord(builder, type)) builder.emitAccess("store-word", root, address, fault, offset, 4, value[0]);
  else {
    builder.emitAccess(
      "store",
      root,
      address,
      fault,
      offset,
      extent(builder, type),
      builder.slotList(value),
      builder.shape(type),
    );
  }
}

export const ATOMIC_FUNCTIONS: Readonly<Record<AtomicOperation, string>> = {
  load: "atomicLoad",
  store: "atomicStore",
  add: "atomicAdd",
  sub: "atomicSub",
  max: "atomicMax",
  min: "atomicMin",
  and: "atomicAnd",
  or: "atomicOr",
  xor: "atomicXor",
  exchange: "atomicExchange",
  "compare-exchange-weak": "atomicCompareExchangeWeak",
};

function atomicName(operation: Exclude<AtomicOperation, "compare-exchange-weak">, type: Type): AtomicName {
  if (operation !== "max" && operation !== "min") return operation;
  return type.kind === "atomic" && type.element.kind === "i32" ? `${operation}-i32` : `${operation}-u32`;
}

function atomicKind(operation: AtomicOperation): AccessKind {
  if (operation === "load") return "atomic-read";
  return operation === "store" ? "atomic-write" : "atomic-rmw";
}

/** `args` are the slots of the operation's arguments. spec: #atomic-builtin-functions */
export function emitAtomic(builder: FlatBuilder, pointer: Pointer, inst: AtomicInst, args: readonly number[]): Value {
  const { address, fault, offset } = pointer;
  const root = pointer.root!;
  const result = builder.range(inst.operation === "compare-exchange-weak" ? 2 : 1);
  const [d] = result;
  emitTurn(builder, pointer);
  declareSite(builder, pointer, atomicKind(inst.operation), ATOMIC_FUNCTIONS[inst.operation]);
  if (inst.operation === "compare-exchange-weak") {
    builder.emitAccess("compare-exchange", root, address, fault, offset, 4, d, args[0], args[1]);
  } else {
    const number = ATOMICS.indexOf(atomicName(inst.operation, pointer.type));
    builder.emitAccess("atomic", root, address, fault, offset, 4, d, number, args[0] ?? builder.constant(0));
  }
  return inst.type === VOID ? [] : result;
}
