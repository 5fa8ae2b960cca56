/** Emits single operations: finds the operands, emits them scalar by scalar, and gives the value to its users. */
import { zeroValue } from "../../builtins/evaluate-construct.ts";
import { partType } from "../../ir/builder.ts";
import { layoutOf } from "../../layout/layout.ts";
import type { Type } from "../../types/type.ts";
import type { ConstValue } from "../../types/value.ts";
import { scalarCount, scalarsBefore } from "../flatten-values.ts";
import * as arithmetic from "./arithmetic.ts";
import type { Emitter } from "./emitter.ts";
import { constantScalars } from "./environment.ts";
import { type Expr, isConstant } from "./expression.ts";
import { OP, type ScalarType } from "./instructions.ts";
import {
  dynamicPartOfLarge,
  emitAtomic,
  emitLoad,
  emitStore,
  largeDynamicPart,
  partOfLarge,
  placeOf,
  storeValue,
} from "./memory-code.ts";
import { componentKind, isLarge, scalarPlaces, wasmType, wasmTypes } from "./scalars.ts";
import type { Operation, ValueId } from "./tree.ts";
import { isLargeValue, type Value } from "./values.ts";

export function emitOperation(e: Emitter, operation: Operation): void {
  const { id } = operation;
  switch (operation.kind) {
    // Pointers are nothing at run time; they are evaluated where they are used.
    case "variable":
    case "local":
    case "access":
    // They exist from the start.
    case "const":
      return;
    case "store":
      e.mark(operation.span);
      emitStore(e, operation);
      return;
    case "atomic":
      e.mark(operation.span);
      emitAtomic(e, operation);
      return;
    case "call":
      e.mark(operation.span);
      emitCall(e, operation);
      return;
    case "subgroup":
    case "barrier":
      throw new Error(`internal: ‘${operation.kind}’ in the code of one invocation`);
    default:
      if (e.input.uses[id] === 0) return;
      e.mark(operation.span);
      emitValue(e, operation);
  }
}

type Statement = Extract<
  Operation,
  { kind: "variable" | "local" | "access" | "const" | "store" | "atomic" | "call" | "subgroup" | "barrier" }
>;

/** Operations without effects. */
function emitValue(e: Emitter, operation: Exclude<Operation, Statement>): void {
  const { id, type } = operation;
  const { types } = e.input;
  switch (operation.kind) {
    case "load":
    case "uniform-load":
      emitLoad(e, operation);
      return;
    case "array-length":
      e.define(id, [e.surroundings.rootLength(operation.root)]);
      return;
    case "unary": {
      const kind = componentKind(type);
      e.define(
        id,
        e.scalars(operation.operand).map((a) => arithmetic.unary(e, operation.operator, kind, a)),
      );
      return;
    }
    case "binary": {
      const kind = componentKind(types[operation.left]);
      const [left, right] = [e.scalars(operation.left), e.scalars(operation.right)];
      e.define(
        id,
        left.map((a, index) => arithmetic.binary(e, operation.operator, kind, a, right[index])),
      );
      return;
    }
    case "convert": {
      const [from, to] = [componentKind(types[operation.operand]), componentKind(type)];
      e.define(
        id,
        e.scalars(operation.operand).map((a) => arithmetic.convert(e, from, to, a)),
      );
      return;
    }
    case "bitcast": {
      const [from, to] = [componentKind(types[operation.operand]), componentKind(type)];
      e.define(id, arithmetic.bitcast(e, from, to, e.scalars(operation.operand)));
      return;
    }
    case "splat": {
      const scalar = e.keep(e.scalar(operation.operand));
      e.define(id, new Array<Expr>(scalarCount(type)).fill(scalar));
      return;
    }
    case "swizzle": {
      const vector = e.scalars(operation.operand);
      e.define(
        id,
        operation.components.map((component) => vector[component]),
      );
      return;
    }
    case "construct":
      emitConstruct(e, id, type, operation.parts);
      return;
    case "extract":
      emitExtract(e, id, operation.operand, operation.index);
      return;
    case "extract-dynamic":
      emitDynamicExtract(e, operation);
      return;
    case "select":
      emitSelect(e, operation);
      return;
    case "builtin":
      emitBuiltin(e, operation);
      return;
    default:
      operation satisfies never;
  }
}

export function emitConstant(e: Emitter, id: ValueId, constant: ConstValue): void {
  const { type } = constant;
  if (isLarge(type)) {
    const isZero = constant === zeroValue(type);
    const address = isZero ? null : e.surroundings.constants();
    e.defineLarge(id, { type, address, offset: isZero ? 0 : e.environment.constants.add(constant) });
    return;
  }
  e.define(
    id,
    constantScalars(constant).map((scalar) => constantScalar(e, scalar)),
  );
}

function constantScalar(e: Emitter, { type, value }: ConstValue): Expr {
  if (typeof value === "boolean") return e.x.i32(value ? 1 : 0);
  if (type.kind !== "f32" && type.kind !== "f16") return e.x.i32(value as number);
  return e.surroundings.narrowConstant(value as number) ?? e.x.f32(value as number);
}

/** Where the part at a known index begins, in bytes. */
function partOffset(type: Type, index: number): number {
  const layout = layoutOf(type);
  return type.kind === "struct" ? layout.members[index].offset : index * (layout.stride ?? layout.element!.size);
}

function emitConstruct(e: Emitter, id: ValueId, type: Type, parts: readonly ValueId[]): void {
  if (!isLarge(type)) {
    e.define(
      id,
      parts.flatMap((part) => e.scalars(part)),
    );
    return;
  }
  const area = e.area(id, type, layoutOf(type).size);
  const values = parts.map((part) => e.value(part));
  e.flushReads();
  for (const [index, value] of values.entries()) {
    const place = { address: area.address, offset: area.offset + partOffset(type, index) };
    storeValue(e, place, partType(type, index), value, false);
  }
  e.defineLarge(id, { type, ...area });
}

function defineValue(e: Emitter, id: ValueId, value: Value): void {
  if (isLargeValue(value)) e.defineLarge(id, value);
  else e.define(id, value);
}

function emitExtract(e: Emitter, id: ValueId, operand: ValueId, index: number): void {
  const type = e.input.types[operand];
  const value = e.value(operand);
  const part = partType(type, index);
  if (isLargeValue(value)) {
    defineValue(e, id, partOfLarge(e, value, partOffset(type, index), part));
    return;
  }
  const first = scalarsBefore(type, index);
  e.define(id, value.slice(first, first + scalarCount(part)));
}

/** Up to so many parts are chosen from locals; more are put into memory first. */
const FEW_PARTS = 4;

/** Out of bounds gives zero. */
function emitDynamicExtract(e: Emitter, operation: Extract<Operation, { kind: "extract-dynamic" }>): void {
  const { id, operand } = operation;
  const type = e.input.types[operand];
  const part = partType(type, 0);
  const value = inMemory(e, operand, type);
  const index = e.scalar(operation.index);
  if (isLargeValue(value)) {
    if (isLarge(part)) largeDynamicPart(e, id, value, index, part);
    else e.define(id, dynamicPartOfLarge(e, value, index, part));
    return;
  }
  const kept = e.keep(index);
  const size = scalarCount(part);
  const places = scalarPlaces(part);
  const result = places.map(({ kind }, scalar) => {
    let chosen: Expr = e.x.zero(wasmType(kind));
    for (let i = layoutOf(type).count! - 1; i >= 0; i--) {
      const isIt = e.x.binary(OP.i32_eq, "i32", kept, e.x.i32(i));
      chosen = e.x.select(isIt, value[i * size + scalar], chosen);
    }
    return chosen;
  });
  e.define(id, result);
}

/** The operand; in memory if it has many parts. A constant is there anyway. */
function inMemory(e: Emitter, operand: ValueId, type: Type): Value {
  const constant = e.input.operations.get(operand);
  const isFew = layoutOf(type).count! <= FEW_PARTS;
  if (!isFew && constant?.kind === "const") {
    return { type, address: e.surroundings.constants(), offset: e.environment.constants.add(constant.value) };
  }
  const value = e.value(operand);
  if (isLargeValue(value) || isFew) return value;
  const area = e.area(operand, type, layoutOf(type).size);
  e.flushReads();
  storeValue(e, area, type, value, false);
  return { type, ...area };
}

function emitSelect(e: Emitter, operation: Extract<Operation, { kind: "select" }>): void {
  const { id, type } = operation;
  if (isLarge(type)) {
    const condition = e.keep(e.scalar(operation.condition));
    const area = e.area(id, type, layoutOf(type).size);
    const [ifTrue, ifFalse] = [e.value(operation.ifTrue), e.value(operation.ifFalse)];
    e.flushReads();
    e.write(condition);
    e.open(OP.if, null);
    storeValue(e, area, type, ifTrue, false);
    e.out.byte(OP.else);
    storeValue(e, area, type, ifFalse, false);
    e.close();
    e.defineLarge(id, { type, ...area });
    return;
  }
  let conditions = e.scalars(operation.condition);
  if (conditions.length === 1 && scalarCount(type) > 1) conditions = [e.keep(conditions[0])];
  const [ifTrue, ifFalse] = [e.scalars(operation.ifTrue), e.scalars(operation.ifFalse)];
  e.define(
    id,
    ifTrue.map((a, index) => arithmetic.select(e, conditions[index] ?? conditions[0], a, ifFalse[index])),
  );
}

function emitBuiltin(e: Emitter, operation: Extract<Operation, { kind: "builtin" }>): void {
  const { id, name } = operation;
  const args = operation.args.map((arg) => e.scalars(arg));
  const packed = arithmetic.packing(e, name, args);
  if (packed !== null) {
    e.define(id, packed);
    return;
  }
  const kind = componentKind(e.input.types[operation.args[0]]);
  e.define(
    id,
    args[0].map((_, index) =>
      arithmetic.builtin(
        e,
        name,
        kind,
        args.map((arg) => arg[index]),
      ),
    ),
  );
}

// ------------------------------------------------------------------ calls

/** How values of a type are passed to functions: pointers as address and validity, large values as an address. */
export function passedTypes(type: Type): readonly ScalarType[] {
  if (type.kind === "pointer") return ["i32", "i32"];
  return isLarge(type) ? ["i32"] : wasmTypes(type);
}

function emitCall(e: Emitter, operation: Extract<Operation, { kind: "call" }>): void {
  const { id, type } = operation;
  const { x } = e;
  const callee = e.environment.functions.get(operation.function)!;
  const args: Expr[] = [];
  for (const arg of operation.args) {
    const pointer = e.input.pointers[arg];
    if (pointer !== undefined) {
      const { address, offset, valid } = placeOf(e, pointer);
      args.push(x.binary(OP.i32_add, "i32", address, x.i32(offset)), valid ?? x.i32(1));
      continue;
    }
    const value = e.value(arg);
    if (!isLargeValue(value)) args.push(...value);
    else args.push(addressOfLarge(e, arg, value));
  }
  const returnsLarge = isLarge(type);
  const area = returnsLarge ? e.area(id, type, layoutOf(type).size) : null;
  if (area !== null) args.push(x.binary(OP.i32_add, "i32", area.address, x.i32(area.offset)));
  const kept = args.map((arg) => (isConstant(arg) ? arg : e.keep(arg)));
  e.flushReads();
  e.surroundings.beforeCall(operation.function);
  for (const arg of kept) e.write(arg);
  e.out.byte(OP.call);
  e.out.unsigned(callee.index);
  if (area !== null) {
    e.defineLarge(id, { type, ...area });
    return;
  }
  const results = scalarPlaces(type).map(({ kind }) => ({ kind, local: e.locals.allocate(wasmType(kind)) }));
  for (const { local } of results.toReversed()) e.setLocal(local);
  if (results.length === 0) return;
  e.define(
    id,
    results.map(({ kind, local }) => (kind === "bool" ? x.local(local, "i32", 0, 1) : x.local(local, wasmType(kind)))),
  );
}

/** The address of a large value; the zero value has none, so it is put somewhere. */
function addressOfLarge(e: Emitter, id: ValueId, value: Extract<Value, { type: Type }>): Expr {
  const { x } = e;
  if (value.address !== null) return x.binary(OP.i32_add, "i32", value.address, x.i32(value.offset));
  const area = e.area(id, value.type, layoutOf(value.type).size);
  e.flushReads();
  storeValue(e, area, value.type, value, false);
  return x.binary(OP.i32_add, "i32", area.address, x.i32(area.offset));
}
