/**
 * Ways out of type errors: what the writer most likely meant. Only asked where there is a message already, so that they may
 * look around.
 */
import { type Note, note } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { isAbstract, isConcreteInteger, isFloatScalar, scalarOf } from "../types/predicates.ts";
import { F32, isScalar, type Type, typeName } from "../types/type.ts";
import type { Context } from "./context.ts";
import { textOf, unparenthesized } from "./text-of.ts";

/** A value of type `from` stands where `to` is wanted. */
export function conversionHints(context: Context, expr: ast.Expr, from: Type, to: Type): readonly Note[] {
  if (!isScalar(from) || !isScalar(to) || to.kind.startsWith("abstract")) return [];
  if (to.kind === "bool") {
    const zero = isFloatScalar(from) ? "0.0" : "0";
    return [note("compare-with-zero", expr.span, { value: textOf(context, expr), zero })];
  }
  return wholeLiteral(context, expr, to) ?? [convertWith(context, expr, to)];
}

function convertWith(context: Context, expr: ast.Expr, to: Type): Note {
  return note("convert-with", expr.span, { type: typeName(to), value: textOf(context, expr) });
}

/** `1000.0` among integers: the same number is written `1000u`. */
function wholeLiteral(context: Context, expr: ast.Expr, to: Type): readonly Note[] | null {
  const value = context.constOf[expr.id]?.value;
  if (context.typeOf[expr.id]?.kind !== "abstract-float" || !isConcreteInteger(to)) return null;
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
  if (a === null || b === null || a === b || a.kind === "bool" || b.kind === "bool") return [];
  // What is abstract is a literal and easily changed; else the right side is.
  const changeLeft = isAbstract(a) && !isAbstract(b);
  const [changed, from, to] = changeLeft ? [leftExpr, left, b] : [rightExpr, right, a];
  if (isAbstract(to)) return [];
  if (!isScalar(from)) return [];
  const hints = [...(wholeLiteral(context, changed, to) ?? [convertWith(context, changed, to)])];
  // `i * 1.5` wants the integer to become a float, not the float an integer.
  const other = changeLeft ? rightExpr : leftExpr;
  if (isFloatScalar(from) && isConcreteInteger(changeLeft ? right : left)) {
    const float = convertWith(context, other, isAbstract(from) ? F32 : from);
    return wholeLiteral(context, changed, to) === null ? [float] : [...hints, float];
  }
  return hints;
}

/** spec: #arithmetic-expr */
function sizeHint(at: ast.Expr, left: Type, right: Type): Note | null {
  const wanted = left.kind === "matrix" ? left.columns : left.kind === "vector" ? left.size : null;
  const given = right.kind === "vector" ? right.size : right.kind === "matrix" ? right.rows : null;
  if (wanted === null || given === null || wanted === given) return null;
  const args = { left: typeName(left), wanted: `${wanted} components`, given, right: typeName(right) };
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

/** `x ** 2` reads as `x * (*2)`. */
export function powerHint(context: Context, expr: ast.UnaryExpr): readonly Note[] {
  const before = context.source.text[expr.span.start - 1];
  return before === "*" ? [note("no-power-operator", expr.span, {})] : [];
}

/** 4294967295 is no i32, but a u32 if it is written as one. */
export function unsignedHint(context: Context, operand: ast.Expr, to: Type): readonly Note[] {
  const expr = unparenthesized(operand);
  if (to.kind !== "i32" || expr.kind !== "literal" || typeof expr.value !== "bigint" || expr.value >= 2n ** 32n)
    return [];
  return [note("write-literal", expr.span, { literal: `${textOf(context, expr)}u`, type: "u32" })];
}
