/**
 * Loads, stores and atomic functions. Nothing traps: what an index takes out of bounds is branched around, unless the
 * index is known to be in bounds. spec: #out-of-bounds-access-sec
 */
import { layoutOf } from "../../layout/layout.ts";
import type { Type } from "../../types/type.ts";
import type { Emitter } from "./emitter.ts";
import { type Expr, isConstant, writeMemoryImmediate } from "./expression.ts";
import { isOfFour, loadChecked, storeFours } from "./four-memory.ts";
import { OP } from "./instructions.ts";
import type { Pointer } from "./pointers.ts";
import { type CheckedPlace, loadScalar, storeScalar } from "./scalar-memory.ts";
import { componentKind, hasNoPadding, isLarge, type ScalarPlace, scalarPlaces, wasmType } from "./scalars.ts";
import { countInMemory, tallyOf } from "./tallies.ts";
import type { Operation, ValueId } from "./tree.ts";
import { isLargeValue, type LargeValue, type Place, type Value } from "./values.ts";

/** What lies behind is out of bounds anyway; less than 2^32 by more than the largest value in locals. */
const LARGEST_OFFSET = 2 ** 32 - 1024;

/** Where a pointer points to. */
export function placeOf(e: Emitter, pointer: Pointer): CheckedPlace {
  const { x } = e;
  const base = basePlace(e, pointer);
  const indices = new Map<ValueId, Expr>();
  const indexOf = (id: ValueId): Expr => {
    let index = indices.get(id);
    if (index === undefined) {
      index = e.scalar(id);
      indices.set(id, index);
    }
    return index;
  };
  let valid = base.valid;
  for (const { index, count } of pointer.checks) {
    const limit = count === null ? e.surroundings.rootLength(rootOf(pointer)) : x.i32(count);
    if (typeof index === "object") {
      const inside = x.binary(OP.i32_lt_u, "i32", x.i32(index.known), limit);
      valid = both(e, valid, inside);
      continue;
    }
    let value = indexOf(index);
    if (x.facts.less(value, limit)) continue;
    value = e.keep(value);
    indices.set(index, value);
    valid = both(e, valid, x.binary(OP.i32_lt_u, "i32", value, limit));
  }
  let { address } = base;
  let offset = base.offset + pointer.offset;
  const terms: { readonly value: Expr; readonly stride: number }[] = [];
  for (const { index, stride } of pointer.terms) {
    for (const value of e.partsOf(indexOf(index))) {
      if (isConstant(value)) offset += value.low * stride;
      else terms.push({ value, stride });
    }
  }
  // Older values first: what does not change in a loop is added in front of it.
  for (const { value, stride } of terms.sort((a, b) => a.value.number - b.value.number)) {
    address = x.binary(OP.i32_add, "i32", address, x.binary(OP.i32_mul, "i32", value, x.i32(stride)));
  }
  return { address, offset: Math.min(offset, LARGEST_OFFSET), valid };
}

function both(e: Emitter, a: Expr | null, b: Expr): Expr | null {
  if (isConstant(b) && b.value !== 0) return a;
  return a === null ? b : e.x.binary(OP.i32_and, "i32", a, b);
}

function rootOf({ base }: Pointer): number {
  if (base.kind === "root") return base.root;
  if (base.kind === "parameter" && base.root !== null) return base.root;
  throw new Error("internal: a runtime-sized array that is no root");
}

function basePlace(e: Emitter, { base }: Pointer): CheckedPlace {
  switch (base.kind) {
    case "root":
      return { ...e.surroundings.rootPlace(base.root), valid: null };
    case "parameter": {
      const [address, valid] = e.scalars(base.parameter);
      return { address, offset: 0, valid };
    }
    case "variable": {
      const home = e.home(base.variable);
      if (home.kind !== "memory") throw new Error("internal: a variable without an address");
      return { ...home.place(), valid: null };
    }
  }
}

/** Runs code only where the place is valid. */
function guarded(e: Emitter, valid: Expr | null, emit: () => void): void {
  if (valid === null) {
    emit();
    return;
  }
  if (isConstant(valid) && valid.value === 0) return;
  e.write(valid);
  e.open(OP.if, null);
  emit();
  e.close();
}

// ------------------------------------------------------------------ loads

export function emitLoad(e: Emitter, operation: Extract<Operation, { kind: "load" | "uniform-load" }>): void {
  const pointer = e.input.pointers[operation.pointer]!;
  const { id, type } = operation;
  if (pointer.base.kind === "variable") {
    const home = e.home(pointer.base.variable);
    if (home.kind === "locals") {
      const count = scalarPlaces(type).length;
      const scalars = home.content.slice(pointer.firstScalar, pointer.firstScalar + count);
      e.define(
        id,
        scalars.map((scalar) => e.x.known(scalar)),
      );
      return;
    }
  }
  const place = placeOf(e, pointer);
  if (isLarge(type)) loadLarge(e, id, type, place);
  else e.define(id, loadScalars(e, type, place, e.input.needed.get(id)));
}

/** `needed`: zeros stand for the other scalars. */
function loadScalars(
  e: Emitter,
  type: Type,
  { address, offset, valid }: CheckedPlace,
  needed?: readonly boolean[],
): readonly Expr[] {
  const { x } = e;
  const all = scalarPlaces(type);
  if (needed?.includes(false)) {
    const places = all.filter((_, index) => needed[index]);
    const loaded = loadPlaces(e, places, { address, offset, valid });
    let next = 0;
    return all.map(({ kind }, index) => (needed[index] ? loaded[next++] : x.zero(wasmType(kind))));
  }
  return loadPlaces(e, all, { address, offset, valid });
}

function loadPlaces(
  e: Emitter,
  places: readonly ScalarPlace[],
  { address, offset, valid }: CheckedPlace,
): readonly Expr[] {
  const { x } = e;
  if (places.length === 0) return [];
  if (valid !== null && isConstant(valid)) return places.map(({ kind }) => x.zero(wasmType(kind)));
  if (valid !== null && isOfFour({ address, offset, valid })) return loadChecked(e, places, { address, offset }, valid);
  if (places.length === 1) {
    const [{ kind }] = places;
    const loaded = loadScalar(e, kind, address, offset + places[0].offset);
    return [valid === null ? loaded : x.conditional(valid, loaded, x.zero(wasmType(kind)))];
  }
  if (valid === null) {
    const kept = e.keep(address);
    return places.map(({ kind, offset: at }) => loadScalar(e, kind, kept, offset + at));
  }
  const locals = places.map(({ kind }) => e.locals.allocate(wasmType(kind)));
  const set = (values: readonly Expr[]): void => {
    for (const [index, value] of values.entries()) {
      e.write(value);
      e.setLocal(locals[index]);
    }
  };
  e.write(valid);
  e.open(OP.if, null);
  const kept = e.keep(address);
  set(places.map(({ kind, offset: at }) => loadScalar(e, kind, kept, offset + at)));
  e.out.byte(OP.else);
  set(places.map(({ kind }) => x.zero(wasmType(kind))));
  e.close();
  return locals.map((local, index) => x.local(local, wasmType(places[index].kind)));
}

function loadLarge(e: Emitter, id: ValueId, type: Type, place: CheckedPlace): void {
  const area = e.area(id, type, layoutOf(type).size);
  const { valid } = place;
  e.defineLarge(id, { type, ...area });
  if (valid === null) copy(e, area, place, type, false);
  else if (isConstant(valid)) clear(e, area, type, false);
  else {
    e.write(valid);
    e.open(OP.if, null);
    copy(e, area, place, type, false);
    e.out.byte(OP.else);
    clear(e, area, type, false);
    e.close();
  }
}

// ------------------------------------------------------------------ stores

export function emitStore(e: Emitter, operation: Extract<Operation, { kind: "store" }>): void {
  const pointer = e.input.pointers[operation.pointer]!;
  const value = e.value(operation.value);
  if (pointer.base.kind === "variable") {
    if (e.input.constants.has(pointer.base.variable)) return;
    const home = e.home(pointer.base.variable);
    if (home.kind === "locals") {
      e.assign(home, pointer.firstScalar, value as readonly Expr[]);
      return;
    }
  }
  const place = placeOf(e, pointer);
  e.flushReads();
  const { mask } = e;
  if (!isLargeValue(value) && (mask !== null || isOfFour(place, value))) {
    const valid = mask === null || place.valid === null ? (mask ?? place.valid) : both(e, mask, place.valid);
    storeFours(e, scalarPlaces(pointer.type), place, valid, value);
    return;
  }
  guarded(e, place.valid, () => storeValue(e, place, pointer.type, value, operation.space === "storage"));
}

/** `keepsPadding`: bytes between the scalars are not touched, as others may use them. */
export function storeValue(e: Emitter, place: Place, type: Type, value: Value, keepsPadding: boolean): void {
  if (isLargeValue(value)) {
    if (value.address === null) clear(e, place, type, keepsPadding);
    else copy(e, place, { address: value.address, offset: value.offset }, type, keepsPadding);
    return;
  }
  const places = scalarPlaces(type);
  const address = places.length === 1 ? place.address : e.keep(place.address);
  for (const [index, { kind, offset }] of places.entries()) {
    storeScalar(e, kind, { address, offset: place.offset + offset }, value[index]);
  }
}

// ------------------------------------------------------------------ large values

function pointerTo(e: Emitter, { address, offset }: Place): Expr {
  return e.x.binary(OP.i32_add, "i32", address, e.x.i32(offset));
}

function copy(e: Emitter, to: Place, from: Place, type: Type, keepsPadding: boolean): void {
  if (!keepsPadding || hasNoPadding(type)) {
    e.write(pointerTo(e, to));
    e.write(pointerTo(e, from));
    e.write(e.x.i32(layoutOf(type).size));
    e.out.opcode(OP.memory_copy);
    e.out.byte(0);
    e.out.byte(0);
    return;
  }
  byParts(e, to, from, type);
}

function clear(e: Emitter, to: Place, type: Type, keepsPadding: boolean): void {
  if (!keepsPadding || hasNoPadding(type)) {
    e.write(pointerTo(e, to));
    e.write(e.x.i32(0));
    e.write(e.x.i32(layoutOf(type).size));
    e.out.opcode(OP.memory_fill);
    e.out.byte(0);
    return;
  }
  byParts(e, to, null, type);
}

/** Copies (or clears) scalar by scalar, elements of long arrays in a loop. */
function byParts(e: Emitter, to: Place, from: Place | null, type: Type): void {
  const layout = layoutOf(type);
  if (!isLarge(type)) {
    for (const { kind, offset } of scalarPlaces(type)) {
      // As words: bits that are no number stay what they are.
      const op = kind === "f16" ? OP.i32_store16 : OP.i32_store;
      const load = kind === "f16" ? OP.i32_load16_u : OP.i32_load;
      e.write(to.address);
      e.write(from === null ? e.x.i32(0) : e.x.load(load, "i32", from.address, from.offset + offset));
      e.out.byte(op);
      writeMemoryImmediate(e.out, op, to.offset + offset);
    }
    return;
  }
  if (type.kind === "struct") {
    for (const { offset, layout: member } of layout.members) {
      const part = (place: Place): Place => ({ ...place, offset: place.offset + offset });
      byParts(e, part(to), from === null ? null : part(from), member.type);
    }
    return;
  }
  const stride = layout.stride!;
  repeat(e, layout.count! * stride, stride, (at) => {
    const part = (place: Place): Place => ({
      address: e.keep(e.x.binary(OP.i32_add, "i32", place.address, at)),
      offset: place.offset,
    });
    byParts(e, part(to), from === null ? null : part(from), layout.element!.type);
  });
}

/** `emit` for 0, step, 2 · step … below `end`. */
function repeat(e: Emitter, end: number, step: number, emit: (at: Expr) => void): void {
  const { x } = e;
  e.locals.open();
  const counter = e.locals.allocate("i32");
  e.write(x.i32(0));
  e.setLocal(counter);
  e.open(OP.loop, null);
  const at = x.local(counter, "i32");
  emit(at);
  const next = x.binary(OP.i32_add, "i32", at, x.i32(step));
  e.write(next);
  e.out.byte(OP.local_tee);
  e.out.unsigned(counter);
  e.out.byte(OP.i32_const);
  e.out.signed(end);
  e.out.byte(OP.i32_lt_u);
  e.out.byte(OP.br_if);
  e.out.unsigned(0);
  e.close();
  e.locals.close();
}

/** A part of a large value: its scalars, or where it lies. */
export function partOfLarge(e: Emitter, value: LargeValue, offset: number, type: Type): Value {
  if (value.address === null) {
    if (isLarge(type)) return { ...value, type };
    return scalarPlaces(type).map(({ kind }) => e.x.zero(wasmType(kind)));
  }
  const place = { address: value.address, offset: value.offset + offset };
  if (isLarge(type)) return { type, ...place };
  return loadScalars(e, type, { ...place, valid: null });
}

/** A part at an index that is not known. */
export function dynamicPartOfLarge(e: Emitter, value: LargeValue, index: Expr, type: Type): readonly Expr[] {
  const layout = layoutOf(value.type);
  const { x } = e;
  if (value.address === null) return scalarPlaces(type).map(({ kind }) => x.zero(wasmType(kind)));
  const kept = e.keep(index);
  const limit = x.i32(layout.count!);
  const valid = x.facts.less(kept, limit) ? null : x.binary(OP.i32_lt_u, "i32", kept, limit);
  const stride = layout.stride ?? layout.element!.size;
  const address = x.binary(OP.i32_add, "i32", value.address, x.binary(OP.i32_mul, "i32", kept, x.i32(stride)));
  return loadScalars(e, type, { address, offset: value.offset, valid });
}

/** The same where the part is large: it is copied, as no element may be there. */
export function largeDynamicPart(e: Emitter, id: ValueId, value: LargeValue, index: Expr, type: Type): void {
  const { x } = e;
  if (value.address === null) {
    e.defineLarge(id, { ...value, type });
    return;
  }
  const layout = layoutOf(value.type);
  const kept = e.keep(index);
  const valid = x.binary(OP.i32_lt_u, "i32", kept, x.i32(layout.count!));
  const address = x.binary(OP.i32_add, "i32", value.address, x.binary(OP.i32_mul, "i32", kept, x.i32(layout.stride!)));
  loadLarge(e, id, type, { address: e.keep(address), offset: value.offset, valid });
}

// ------------------------------------------------------------------ atomic functions

const ATOMIC_OPS: Readonly<Record<string, number>> = {
  add: OP.i32_atomic_rmw_add,
  sub: OP.i32_atomic_rmw_sub,
  and: OP.i32_atomic_rmw_and,
  or: OP.i32_atomic_rmw_or,
  xor: OP.i32_atomic_rmw_xor,
  exchange: OP.i32_atomic_rmw_xchg,
};

const PLAIN_OPS: Readonly<Record<string, number>> = {
  add: OP.i32_add,
  sub: OP.i32_sub,
  and: OP.i32_and,
  or: OP.i32_or,
  xor: OP.i32_xor,
};

type Atomic = Extract<Operation, { kind: "atomic" }>;

/** Workgroup memory is one worker's, so plain operations do there. spec: #atomic-builtin-functions */
export function emitAtomic(e: Emitter, operation: Atomic): void {
  const tally = tallyOf(operation, e.environment.tallies, e.input);
  if (tally !== null) {
    const value = e.scalar(operation.args[0]);
    if (e.tallies === null) countInMemory(e, tally, value);
    else e.tallies.count(tally, value);
    return;
  }
  const pointer = e.input.pointers[operation.pointer]!;
  const args = operation.args.map((arg) => e.keep(e.scalar(arg)));
  const place = placeOf(e, pointer);
  e.flushReads();
  const { x } = e;
  const isReal = e.environment.atomics && operation.space === "storage";
  const results = operation.operation === "compare-exchange-weak" ? 2 : operation.operation === "store" ? 0 : 1;
  const wanted = e.input.uses[operation.id] > 0 || e.eager.has(operation.id);
  const locals = wanted ? Array.from({ length: results }, () => e.locals.allocate("i32")) : [];
  const emit = (): void => {
    const address = e.keep(place.address);
    const at = { address, offset: place.offset };
    const isSigned = componentKind(pointer.type) === "i32";
    (isReal ? realAtomic : plainAtomic)(e, operation, at, args, isSigned, locals);
  };
  if (place.valid === null) emit();
  else if (isConstant(place.valid)) zeroLocals(e, locals);
  else {
    e.write(place.valid);
    e.open(OP.if, null);
    emit();
    if (locals.length > 0) {
      e.out.byte(OP.else);
      zeroLocals(e, locals);
    }
    e.close();
  }
  if (wanted && results > 0) {
    e.define(operation.id, [x.local(locals[0], "i32"), ...(results === 2 ? [x.local(locals[1], "i32", 0, 1)] : [])]);
  }
}

function zeroLocals(e: Emitter, locals: readonly number[]): void {
  for (const local of locals) {
    e.write(e.x.i32(0));
    e.setLocal(local);
  }
}

function setResult(e: Emitter, local: number | undefined): void {
  if (local === undefined) e.out.byte(OP.drop);
  else e.setLocal(local);
}

function atomicImmediate(e: Emitter, op: number, offset: number): void {
  e.out.opcode(op);
  writeMemoryImmediate(e.out, op, offset);
}

function realAtomic(
  e: Emitter,
  { operation }: Atomic,
  { address, offset }: Place,
  args: readonly Expr[],
  isSigned: boolean,
  locals: readonly number[],
): void {
  const { x } = e;
  switch (operation) {
    case "load":
      e.write(address);
      atomicImmediate(e, OP.i32_atomic_load, offset);
      setResult(e, locals[0]);
      break;
    case "store":
      e.write(address);
      e.write(args[0]);
      atomicImmediate(e, OP.i32_atomic_store, offset);
      break;
    case "compare-exchange-weak": {
      e.write(address);
      e.write(args[0]);
      e.write(args[1]);
      atomicImmediate(e, OP.i32_atomic_rmw_cmpxchg, offset);
      setResult(e, locals[0]);
      if (locals.length > 0) {
        e.write(x.binary(OP.i32_eq, "i32", x.local(locals[0], "i32"), args[0]));
        e.setLocal(locals[1]);
      }
      break;
    }
    case "max":
    case "min":
      exchangeLoop(e, operation, { address, offset }, args[0], isSigned, locals[0]);
      break;
    default:
      e.write(address);
      e.write(args[0]);
      atomicImmediate(e, ATOMIC_OPS[operation], offset);
      setResult(e, locals[0]);
  }
}

/** Until nobody came between. Nothing is written where the old value is the result. */
function exchangeLoop(
  e: Emitter,
  operation: "max" | "min",
  { address, offset }: Place,
  operand: Expr,
  isSigned: boolean,
  result: number | undefined,
): void {
  const { x } = e;
  const old = result ?? e.locals.allocate("i32");
  const seen = e.locals.allocate("i32");
  const oldValue = x.local(old, "i32");
  e.write(address);
  atomicImmediate(e, OP.i32_atomic_load, offset);
  e.setLocal(old);
  e.open(OP.block, null);
  e.open(OP.loop, null);
  e.write(x.binary(keepsOld(operation, isSigned), "i32", oldValue, operand));
  e.out.byte(OP.br_if);
  e.out.unsigned(1);
  e.write(oldValue);
  e.setLocal(seen);
  e.write(address);
  e.write(oldValue);
  e.write(operand);
  atomicImmediate(e, OP.i32_atomic_rmw_cmpxchg, offset);
  e.out.byte(OP.local_tee);
  e.out.unsigned(old);
  e.write(x.local(seen, "i32"));
  e.out.byte(OP.i32_ne);
  e.out.byte(OP.br_if);
  e.out.unsigned(0);
  e.close();
  e.close();
}

/** The comparison of the old value with the operand that is true where the old value stays. */
function keepsOld(operation: "max" | "min", isSigned: boolean): number {
  if (operation === "max") return isSigned ? OP.i32_ge_s : OP.i32_ge_u;
  return isSigned ? OP.i32_le_s : OP.i32_le_u;
}

function plainAtomic(
  e: Emitter,
  { operation }: Atomic,
  place: Place,
  args: readonly Expr[],
  isSigned: boolean,
  locals: readonly number[],
): void {
  const { x } = e;
  const { address, offset } = place;
  const loaded = x.load(OP.i32_load, "i32", address, offset);
  const store = (value: Expr): void => storeScalar(e, "u32", place, value);
  if (operation === "store") {
    store(args[0]);
    return;
  }
  const plain = PLAIN_OPS[operation];
  if (plain !== undefined && locals.length === 0) {
    store(x.binary(plain, "i32", loaded, args[0]));
    return;
  }
  const local = locals[0] ?? e.locals.allocate("i32");
  e.write(loaded);
  e.setLocal(local);
  const old = x.local(local, "i32");
  switch (operation) {
    case "load":
      break;
    case "exchange":
      store(args[0]);
      break;
    case "max":
    case "min":
      store(x.select(x.binary(keepsOld(operation, isSigned), "i32", old, args[0]), old, args[0]));
      break;
    case "compare-exchange-weak": {
      const equal = e.keep(x.binary(OP.i32_eq, "i32", old, args[0]));
      store(x.select(equal, args[1], old));
      if (locals.length > 1) {
        e.write(equal);
        e.setLocal(locals[1]);
      }
      break;
    }
    default:
      store(x.binary(plain, "i32", old, args[0]));
  }
}
