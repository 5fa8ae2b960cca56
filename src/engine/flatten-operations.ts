/** Operations on values, scalar by scalar. */
import type { BinaryInst, BuiltinInst, UnaryInst } from "../ir/ir.ts";
import type { ScalarKind, Type } from "../types/type.ts";
import type { FlatBuilder } from "./flat-builder.ts";
import type { Value } from "./flatten-values.ts";
import type { Opcode } from "./opcodes.ts";

/** Kind of a scalar, of a vector's components; of anything else null. */
export function scalarKind(type: Type): Exclude<ScalarKind, "abstract-int" | "abstract-float"> | null {
  switch (type.kind) {
    case "bool":
    case "i32":
    case "u32":
    case "f32":
    case "f16":
      return type.kind;
    case "vector":
    case "atomic":
      return scalarKind(type.element);
    default:
      return null;
  }
}

const isFloat = (kind: string | null): boolean => kind === "f32" || kind === "f16";

/** One result slot per element, filled by `emit`. */
function mapped(builder: FlatBuilder, count: number, emit: (d: number, index: number) => void): Value {
  const result = builder.range(count);
  for (const [index, d] of result.entries()) emit(d, index);
  return result;
}

const F32_MINUS_ONE = 0xbf800000;

// spec: #arithmetic-expr, #bit-expr, #logical-expr
export function emitUnary(builder: FlatBuilder, operator: UnaryInst["operator"], operand: Value, type: Type): Value {
  const float = isFloat(scalarKind(type));
  return mapped(builder, operand.length, (d, index) => {
    const a = operand[index];
    if (operator === "!") builder.emit("not-bool", d, a);
    else if (operator === "~") builder.emit("xor", d, a, builder.constant(-1));
    else if (float) builder.emit("multiply-f32", d, a, builder.constant(F32_MINUS_ONE));
    else builder.emit("subtract-i32", d, builder.constant(0), a);
  });
}

interface BinaryOpcode {
  readonly opcode: Opcode;
  /** The operands change places. */
  readonly swapped?: boolean;
}

/** The instruction for an operator on operands of a scalar kind; null: a scalar function. */
function binaryOpcode(operator: BinaryInst["operator"], kind: string): BinaryOpcode | null {
  const float = isFloat(kind);
  const suffix = float ? "f32" : kind === "i32" ? "i32" : "u32";
  switch (operator) {
    case "&":
      return { opcode: "and" };
    case "|":
      return { opcode: "or" };
    case "^":
      return { opcode: "xor" };
    case "<<":
      return { opcode: "shift-left" };
    case ">>":
      return { opcode: kind === "i32" ? "shift-right-i32" : "shift-right-u32" };
    case "==":
      return { opcode: float ? "equal-f32" : "equal" };
    case "!=":
      return { opcode: float ? "not-equal-f32" : "not-equal" };
    case "<":
    case ">":
      return { opcode: `less-${suffix}`, swapped: operator === ">" };
    case "<=":
    case ">=":
      return { opcode: `less-equal-${suffix}`, swapped: operator === ">=" };
    default:
      return arithmeticOpcode(operator, kind);
  }
}

function arithmeticOpcode(operator: "+" | "-" | "*" | "/" | "%", kind: string): BinaryOpcode | null {
  // f16 is rounded in a scalar function, and integer division has cases of its own there.
  if (kind === "f16" || operator === "%" || (operator === "/" && kind !== "f32")) return null;
  if (operator === "/") return { opcode: "divide-f32" };
  const name = operator === "+" ? "add" : operator === "-" ? "subtract" : "multiply";
  return { opcode: `${name}-${kind === "f32" ? "f32" : "i32"}` };
}

/** `type` is that of the operands. */
export function emitBinary(
  builder: FlatBuilder,
  operator: BinaryInst["operator"],
  left: Value,
  right: Value,
  type: Type,
): Value {
  const kind = scalarKind(type)!;
  const found = binaryOpcode(operator, kind);
  return mapped(builder, left.length, (d, index) => {
    const [a, b] = [left[index], right[index]];
    if (found === null) builder.scalar(`${operator} ${kind}`, d, [a, b]);
    else if (found.swapped === true) builder.emit(found.opcode, d, b, a);
    else builder.emit(found.opcode, d, a, b);
  });
}

// spec: #value-constructor-builtin-function
export function emitConvert(builder: FlatBuilder, operand: Value, from: Type, to: Type): Value {
  const [source, target] = [scalarKind(from)!, scalarKind(to)!];
  if (source === target || sameBits(source, target)) return operand;
  const zero = builder.constant(0);
  return mapped(builder, operand.length, (d, index) => {
    const a = operand[index];
    if (target === "bool") builder.emit(isFloat(source) ? "not-equal-f32" : "not-equal", d, a, zero);
    else builder.scalar(`convert ${source} ${target}`, d, [a]);
  });
}

/** True where a conversion changes nothing in the slot. */
function sameBits(source: string, target: string): boolean {
  const integers = target === "i32" || target === "u32";
  if (source === "f16") return target === "f32";
  return integers && (source === "i32" || source === "u32" || source === "bool");
}

/** Slots have no type, so only f16 bits have to move. spec: #bitcast-builtin */
export function emitBitcast(builder: FlatBuilder, operand: Value, from: Type, to: Type): Value {
  const [source, target] = [scalarKind(from)!, scalarKind(to)!];
  if ((source === "f16") === (target === "f16")) return operand;
  if (target === "f16") {
    return mapped(builder, 2, (d, index) =>
      builder.scalar("bitcast u32 f16", d, [operand[0], builder.constant(index)]),
    );
  }
  return mapped(builder, 1, (d) => builder.scalar("bitcast f16 u32", d, operand));
}

export function emitSelect(builder: FlatBuilder, condition: Value, ifTrue: Value, ifFalse: Value): Value {
  return mapped(builder, ifTrue.length, (d, index) => {
    const bit = condition.length === 1 ? condition[0] : condition[index];
    builder.emit("select", d, bit, ifTrue[index], ifFalse[index]);
  });
}

/** `types` are those of the arguments. */
export function emitBuiltin(
  builder: FlatBuilder,
  inst: BuiltinInst,
  args: readonly Value[],
  types: readonly Type[],
): Value {
  const { name } = inst;
  if (name.startsWith("unpack")) {
    const count = inst.type.kind === "vector" ? inst.type.size : 1;
    return mapped(builder, count, (d, index) => builder.scalar(name, d, [args[0][0], builder.constant(index)]));
  }
  if (name.startsWith("pack")) return mapped(builder, 1, (d) => builder.scalar(name, d, args[0]));
  if (name.startsWith("dot4")) return mapped(builder, 1, (d) => builder.scalar(name, d, [args[0][0], args[1][0]]));
  const kind = scalarKind(types[0])!;
  return mapped(builder, args[0].length, (d, index) => {
    builder.scalar(
      `${name} ${kind}`,
      d,
      args.map((arg) => arg[index]),
    );
  });
}
