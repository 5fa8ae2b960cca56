/**
 * Ways out of type errors: what the writer most likely meant. Only asked where there is a message already, so that they may
 * look around.
 */
import { isBuiltinName, rowsOf } from "../builtins/resolve.ts";
import { type Note, note, phrase } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { isAbstract, isConcreteInteger, isFloatScalar, isIntegerScalar, scalarOf } from "../types/predicates.ts";
import {
  F32,
  I32,
  isScalar,
  type ScalarType,
  type Type,
  typeName,
  U32,
  type VectorType,
  vectorType,
} from "../types/type.ts";
import type { Context } from "./context.ts";
import { textOf, unparenthesized } from "./text-of.ts";

/** A value of type `from` stands where `to` is wanted. */
export function conversionHints(context: Context, expr: ast.Expr, from: Type, to: Type): readonly Note[] {
  const text = textOf(context, unparenthesized(expr));
  if (to.kind === "bool" && from.kind === "struct" && from.declaration === null) {
    if (from.members.some(({ name }) => name === "exchanged"))
      return [note("use-exchanged", expr.span, { value: text })];
  }
  if (!isScalar(from) || !isScalar(to) || to.kind.startsWith("abstract")) return [];
  if (to.kind === "bool") {
    const zero = isFloatScalar(from) ? "0.0" : from === U32 ? "0u" : "0";
    return [note("compare-with-zero", expr.span, { value: text, zero })];
  }
  return wholeLiteral(context, expr, to) ?? [convertWith(context, expr, to)];
}

function convertWith(context: Context, expr: ast.Expr, to: Type): Note {
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
): readonly Note[] {
  const sizes = sizeHint(leftExpr, left, right);
  if (sizes !== null) return [sizes];
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

/** Brings the integer side to the scalar of the float side; a float that is whole may be written as an integer instead. */
function* toFloat(
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
function withScalar(type: Type, scalar: ScalarType): Type {
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

/** Components that a constructor of a vector gets and wants; null where their number is right. */
export function componentHint(span: ast.Expr["span"], name: string, types: readonly Type[]): readonly Note[] {
  const wanted = /^vec([234])/.exec(name)?.[1];
  if (wanted === undefined || types.length === 0) return [];
  const given = types.reduce((sum, type) => sum + (type.kind === "vector" ? type.size : 1), 0);
  if (!types.every((type) => isScalar(type) || type.kind === "vector") || given === Number(wanted)) return [];
  return [note("component-count", span, { name, wanted, given })];
}

/** Arguments that a builtin function takes, where it is given another number of them; null: the number is right. */
export function countHint(expr: ast.CallExpr, name: string): readonly Note[] | null {
  if (!isBuiltinName(name)) return null;
  const counts = [...new Set(rowsOf(name).map(({ signature }) => parametersIn(signature)))].sort((a, b) => a - b);
  const given = expr.args.length;
  if (counts.includes(given)) return null;
  return [note("takes-arguments", expr.callee.span, { name, wanted: counts.join(" or "), given })];
}

/** Arguments of a builtin function that do not go together: vectors of two sizes, numbers of two types. */
export function argumentHints(context: Context, args: readonly ast.Expr[], types: readonly Type[]): readonly Note[] {
  const [first] = types;
  if (first === undefined || scalarOf(first) === null) return [];
  for (let at = 1; at < types.length; at++) {
    const type = types[at];
    if (scalarOf(type) === null || first.kind === "matrix" || type.kind === "matrix") continue;
    const both = first.kind === "vector" && type.kind === "vector";
    const hints =
      both && first.size !== type.size ? [sizesDiffer(args[at], first, type)] : mixed(context, args, at, types);
    if (hints.length > 0) return hints;
  }
  return [];
}

function sizesDiffer(at: ast.Expr, left: VectorType, right: VectorType): Note {
  const args = {
    left: typeName(left),
    wanted: phrase("components", { count: left.size }),
    given: right.size,
    right: typeName(right),
  };
  return note("sizes-differ", at.span, args);
}

/** Of an integer and a float, the integer becomes a float. */
function mixed(context: Context, args: readonly ast.Expr[], at: number, types: readonly Type[]): readonly Note[] {
  const [a, b] = [scalarOf(types[0])!, scalarOf(types[at])!];
  if (isFloatScalar(a) && isConcreteInteger(b)) return [...toFloat(context, args[0], a, args[at], types[at], b)];
  if (isFloatScalar(b) && isConcreteInteger(a)) return [...toFloat(context, args[at], b, args[0], types[0], a)];
  return [];
}

/** Parameters of `fn f<T>(a: vec2<T>, b: T) -> T`: commas in angle brackets are not between parameters. */
function parametersIn(signature: string): number {
  const list = signature.slice(signature.indexOf("(") + 1, signature.indexOf(")"));
  return list.split(":").length - 1;
}

/** `x ** 2` reads as `x * (*2)`. */
export function powerHint(context: Context, expr: ast.UnaryExpr): readonly Note[] {
  const before = context.source.text[expr.span.start - 1];
  return before === "*" ? [note("no-power-operator", expr.span, {})] : [];
}

/** 4294967295 is no i32, but a u32 if it is written as one; -1 is no u32 however it is written. */
export function unsignedHint(context: Context, operand: ast.Expr, to: Type): readonly Note[] {
  const expr = unparenthesized(operand);
  const value = context.facts.constOf(operand.id)?.value;
  if (to.kind === "u32" && (typeof value === "bigint" || typeof value === "number") && value < 0) {
    return [note("no-negative", expr.span, {})];
  }
  if (to.kind !== "i32" || expr.kind !== "literal" || typeof expr.value !== "bigint" || expr.value >= 2n ** 32n)
    return [];
  return [note("write-literal", expr.span, { literal: `${textOf(context, expr)}u`, type: "u32" })];
}
