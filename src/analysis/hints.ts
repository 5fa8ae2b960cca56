/**
 * Ways out of type errors: what the writer most likely meant. Only asked where there is a message already, so that they may
 * look around.
 */
import { type Note, note, phrase } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { concretize } from "../types/conversion.ts";
import { isAbstract, isConcreteInteger, isFloatScalar, isIntegerScalar, scalarOf } from "../types/predicates.ts";
import {
  BOOL,
  F32,
  I32,
  isScalar,
  type PointerType,
  type ScalarType,
  type Type,
  typeName,
  U32,
  vectorType,
} from "../types/type.ts";
import type { Context } from "./context.ts";
import { objectText, operandText, textOf } from "./text-of.ts";

/** A value of type `from` stands where `to` is wanted. */
export function conversionHints(context: Context, expr: ast.Expr, from: Type, to: Type): readonly Note[] {
  const text = textOf(context, expr);
  if (to.kind === "bool" && from.kind === "struct" && from.declaration === null) {
    if (from.members.some(({ name }) => name === "exchanged"))
      return [note("use-exchanged", expr.span, { value: text })];
  }
  if (to.kind === "struct" && isScalar(from) && to.declaration !== null) {
    return [note("with-parentheses", expr.span, { name: typeName(to) })];
  }
  if (from.kind === "pointer") return pointerHint(expr, from, to, text);
  if (from.kind === "vector" || to.kind === "vector") return vectorHint(context, expr, from, to);
  if (!isScalar(from) || !isScalar(to) || to.kind.startsWith("abstract")) return [];
  if (to.kind === "bool") {
    return [note("compare-with-zero", expr.span, { value: operandText(context, expr), zero: zeroOf(from) })];
  }
  return wholeLiteral(context, expr, to) ?? [convertWith(context, expr, to)];
}

function zeroOf({ kind }: Type): string {
  if (kind === "u32") return "0u";
  return kind === "f32" || kind === "f16" || kind === "abstract-float" ? "0.0" : "0";
}

function pointerHint(expr: ast.Expr, from: PointerType, to: Type, value: string): readonly Note[] {
  if (from.store === to) return [note("take-value", expr.span, { value })];
  if (to.kind !== "pointer") return [];
  // Only of storage buffers the access mode is written.
  const access = from.space === "storage" ? `, ${from.access}` : "";
  return [note("pointer-parameter", expr.span, { type: `ptr<${from.space}, ${typeName(from.store)}${access}>` })];
}

function vectorHint(context: Context, expr: ast.Expr, from: Type, to: Type): readonly Note[] {
  const value = textOf(context, expr);
  const whole = objectText(context, expr);
  if (from.kind === "vector" && to.kind === "bool" && from.element.kind === "bool") {
    return [note("all-or-any", expr.span, { value })];
  }
  if (from.kind === "vector" && isScalar(to) && from.element === to)
    return [note("take-components", expr.span, { value: `${whole}.x` })];
  if (from.kind !== "vector" || to.kind !== "vector") {
    return isScalar(from) && to.kind === "vector" ? [convertWith(context, expr, to)] : [];
  }
  if (from.size === to.size) return [convertWith(context, expr, to)];
  if (from.element !== to.element) return [];
  if (from.size > to.size) {
    return [note("take-components", expr.span, { value: `${whole}.${"xyz".slice(0, to.size)}` })];
  }
  return to.size - from.size > 1 || !isFloatScalar(to.element) ? [] : [addComponent(expr, to.size, value)];
}

function addComponent({ span }: ast.Expr, size: number, value: string): Note {
  return note("add-component", span, { text: `vec${size}(${value}, ${size === 4 ? "1.0" : "0.0"})` });
}

/** `!n`, `-n` of a u32, `~x` of a float. */
export function operandHint(context: Context, expr: ast.UnaryExpr, type: Type): readonly Note[] {
  if (expr.operator === "!" && isScalar(type) && type.kind !== "bool") {
    return [note("compare-equal-zero", expr.span, { value: operandText(context, expr.operand), zero: zeroOf(type) })];
  }
  const value = textOf(context, expr.operand);
  if (expr.operator === "-" && type === U32) return [note("no-negative-operand", expr.span, { value })];
  return expr.operator === "~" && isFloatScalar(type) ? [note("bits-of-integers", expr.operand.span, { value })] : [];
}

export function convertWith(context: Context, expr: ast.Expr, to: Type): Note {
  return note("convert-with", expr.span, { type: typeName(to), value: textOf(context, expr) });
}

/** `1000.0` among integers: the same number is written `1000u`. */
function wholeLiteral(context: Context, expr: ast.Expr, to: Type): readonly Note[] | null {
  const value = context.facts.constOf(expr.id)?.value;
  if (context.facts.typeOf(expr.id)?.kind !== "abstract-float" || !isConcreteInteger(to)) return null;
  if (typeof value !== "number" || !Number.isInteger(value)) return null;
  return [
    note("write-literal", expr.span, { literal: `${value}${to.kind === "u32" ? "u" : "i"}`, type: typeName(to) }),
  ];
}

/** Two operands that no operator takes: numbers of different types, vectors of different sizes. */
export function operandHints(
  context: Context,
  [leftExpr, rightExpr]: readonly [ast.Expr, ast.Expr],
  left: Type,
  right: Type,
  operator: ast.BinaryOperator,
): readonly Note[] {
  const operands = [
    { expr: leftExpr, type: left },
    { expr: rightExpr, type: right },
  ];
  if (operator === "&&" || operator === "||") return logicalHints(context, operands, operator);
  const float = operands.find(({ type }) => isFloatScalar(type));
  if (BITWISE.has(operator) && float !== undefined) {
    return [note("bits-of-integers", float.expr.span, { value: textOf(context, float.expr) })];
  }
  const pointer = operands.find(({ type }) => type.kind === "pointer");
  if (pointer !== undefined) {
    return [note("take-value", pointer.expr.span, { value: textOf(context, pointer.expr) })];
  }
  if (left.kind === "struct" || left.kind === "array") return [note("compare-parts", leftExpr.span, {})];
  const vector = operands.find(({ type }) => type.kind === "vector");
  const alone = operands.find(({ type }) => isScalar(type) && type.kind !== "bool");
  if (vector !== undefined && alone !== undefined && !ARITHMETIC.has(operator)) {
    return [convertWith(context, alone.expr, concretize(vector.type))];
  }
  const sizes = sizeHint(leftExpr, left, right);
  if (sizes !== null) {
    const [matrix, vector] =
      left.kind === "matrix" ? [left.columns, operands[1]] : [right.kind === "matrix" ? right.rows : 0, operands[0]];
    const isShort = matrix === 4 && vector.type.kind === "vector" && vector.type.size === 3;
    return isShort ? [sizes, addComponent(vector.expr, 4, textOf(context, vector.expr))] : [sizes];
  }
  const truth = operands.find(({ type }) => type.kind === "bool");
  const number = operands.find(({ type }) => isScalar(type) && type.kind !== "bool");
  if (truth !== undefined && number !== undefined && ARITHMETIC.has(operator)) {
    return [convertWith(context, truth.expr, concretize(number.type))];
  }
  const [a, b] = [scalarOf(left), scalarOf(right)];
  if (a === null || b === null || a.kind === "bool" || b.kind === "bool") return [];
  // Integers of one type go together everywhere but in a shift, whose right side has no sign.
  if (isIntegerScalar(a) && b === I32 && (a === b || isAbstract(a))) {
    return [convertWith(context, rightExpr, withScalar(right, U32))];
  }
  if (a === b) return [];
  // `i * 1.5` wants the integer to become a float, not the float an integer: of vectors all components.
  if (isFloatScalar(a) && isConcreteInteger(b)) return [...toFloat(context, leftExpr, a, rightExpr, right, b)];
  if (isFloatScalar(b) && isConcreteInteger(a)) return [...toFloat(context, rightExpr, b, leftExpr, left, a)];
  if (isAbstract(a) || isAbstract(b) || left.kind === "matrix" || right.kind === "matrix") return [];
  return [convertWith(context, rightExpr, withScalar(right, a))];
}

const ARITHMETIC: ReadonlySet<string> = new Set(["+", "-", "*", "/", "%"]);
const BITWISE: ReadonlySet<string> = new Set(["<<", ">>", "&", "|", "^"]);

/** `a && b` of numbers: as in C, or for `a & b`. */
function logicalHints(
  context: Context,
  operands: readonly { readonly expr: ast.Expr; readonly type: Type }[],
  operator: "&&" | "||",
): readonly Note[] {
  const notes = operands.flatMap(({ expr, type }) =>
    type.kind === "bool" ? [] : conversionHints(context, expr, type, BOOL),
  );
  const areIntegers = operands.every(({ type }) => isIntegerScalar(type));
  const [left, right] = operands.map(({ expr }) => operandText(context, expr));
  const text = `${left} ${operator[0]} ${right}`;
  return areIntegers ? [...notes, note("use-bitwise", operands[0].expr.span, { operator: text })] : notes;
}

/** `a += b` keeps the type of `a`: what is on the right converts. */
export function compoundHints(context: Context, expr: ast.Expr, left: Type, right: Type): readonly Note[] {
  const sizes = sizeHint(expr, left, right);
  if (sizes !== null) return [sizes];
  const [a, b] = [scalarOf(left), scalarOf(right)];
  if (a === null || b === null || a === b || left.kind === "matrix" || right.kind === "matrix") return [];
  return wholeLiteral(context, expr, a) ?? [convertWith(context, expr, withScalar(right, a))];
}

/** Brings the integer side to the scalar of the float side; a float that is whole may be written as an integer instead. */
export function* toFloat(
  context: Context,
  floatExpr: ast.Expr,
  float: ScalarType,
  integerExpr: ast.Expr,
  integer: Type,
  scalar: ScalarType,
): Iterable<Note> {
  yield* wholeLiteral(context, floatExpr, scalar) ?? [];
  yield convertWith(context, integerExpr, withScalar(integer, isAbstract(float) ? F32 : float));
}

/** A scalar or vector type with another scalar. */
export function withScalar(type: Type, scalar: ScalarType): Type {
  return type.kind === "vector" ? vectorType(type.size, scalar) : scalar;
}

/** spec: #arithmetic-expr */
function sizeHint(at: ast.Expr, left: Type, right: Type): Note | null {
  const wanted = left.kind === "matrix" ? left.columns : left.kind === "vector" ? left.size : null;
  const given = right.kind === "vector" ? right.size : right.kind === "matrix" ? right.rows : null;
  if (wanted === null || given === null || wanted === given) return null;
  const args = { left: typeName(left), wanted: phrase("components", { count: wanted }), given, right: typeName(right) };
  return note("sizes-differ", at.span, args);
}

/** `x ** 2` reads as `x * (*2)`. */
export function powerHint(context: Context, expr: ast.UnaryExpr): readonly Note[] {
  const before = context.source.text[expr.span.start - 1];
  return before === "*" ? [note("no-power-operator", expr.span, {})] : [];
}

/** 4294967295 is no i32, but a u32 if it is written as one; -1 is no u32 however it is written. */
export function unsignedHint(context: Context, expr: ast.Expr, to: Type): readonly Note[] {
  const value = context.facts.constOf(expr.id)?.value;
  if (to.kind === "u32" && (typeof value === "bigint" || typeof value === "number") && value < 0) {
    return [note("no-negative", expr.span, {})];
  }
  if (to.kind !== "i32" || expr.kind !== "literal" || typeof expr.value !== "bigint" || expr.value >= 2n ** 32n)
    return [];
  return [note("write-literal", expr.span, { literal: `${textOf(context, expr)}u`, type: "u32" })];
}
