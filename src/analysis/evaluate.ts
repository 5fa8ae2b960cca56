/**
 * The value of a typed expression from the values of its parts: the same for const-expressions while they are checked and
 * for override-expressions when overrides are known. Types are settled before a value is asked for.
 * spec: #early-eval-exprs
 */

import { scalarValue } from "../builtins/evaluate-parts.ts";
import { type EvaluationResult, isEvaluationError } from "../builtins/row.ts";
import { type Phrase, phrase } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { listOf } from "../text/list.ts";
import { BOOL, type ScalarType, type Type } from "../types/type.ts";
import { type ConstValue, constValue } from "../types/value.ts";
import type { Facts } from "./fact-table.ts";

/** The value of a part, as the type that its place takes it; null: not known. */
export type Known = (expr: ast.Expr, facts: Facts) => EvaluationResult | null;

/** The value of a node whose parts are known; null where it is not known before the shader runs. */
export function evaluateNode(facts: Facts, expr: ast.Expr, known: Known): EvaluationResult | null {
  switch (expr.kind) {
    case "literal":
      return scalarValue(facts.typeOf(expr.id) as ScalarType, expr.value);
    case "call":
      return call(facts, expr, known);
    case "unary":
      return unary(facts, expr, known);
    case "binary":
      return binary(facts, expr, known);
    case "index":
      return element(facts, expr, known);
    case "member":
      return member(facts, expr, known);
    case "identifier":
    case "error-expression":
      return null;
    default:
      return expr satisfies never;
  }
}

function resultType(facts: Facts, expr: ast.CallExpr): Type {
  const call = facts.callOf(expr.id);
  return call?.kind === "builtin" ? call.result : call?.kind === "construct" ? call.type : facts.typeOf(expr.id)!;
}

/** Operators, builtin functions and constructors are all rows with a function from values to a value. */
function call(facts: Facts, expr: ast.CallExpr, known: Known): EvaluationResult | null {
  const row = facts.rowOf(expr.id);
  if (row === null || row.evaluate === null) return null;
  const args = new Array<ConstValue>(expr.argCount);
  for (let at = 0; at < args.length; at++) {
    const arg = known(expr.arg(at), facts);
    if (arg === null || isEvaluationError(arg)) return arg;
    args[at] = arg;
  }
  return row.evaluate(args, resultType(facts, expr));
}

function unary(facts: Facts, expr: ast.UnaryExpr, known: Known): EvaluationResult | null {
  const row = facts.rowOf(expr.id);
  if (row === null || row.evaluate === null) return null;
  const operand = known(expr.operand, facts);
  if (operand === null || isEvaluationError(operand)) return operand;
  return row.evaluate(listOf(operand), facts.typeOf(expr.id)!);
}

/** `&&` and `||` evaluate their right side only where the left one leaves the result open. spec: #logical-expr */
function binary(facts: Facts, expr: ast.BinaryExpr, known: Known): EvaluationResult | null {
  if (expr.operator !== "&&" && expr.operator !== "||") {
    const row = facts.rowOf(expr.id);
    if (row === null || row.evaluate === null) return null;
    const left = known(expr.left, facts);
    if (left === null || isEvaluationError(left)) return left;
    const right = known(expr.right, facts);
    if (right === null || isEvaluationError(right)) return right;
    return row.evaluate(listOf(left, right), facts.typeOf(expr.id)!);
  }
  const left = known(expr.left, facts);
  if (left === null || isEvaluationError(left)) return left;
  return left.value === (expr.operator === "||") ? constValue(BOOL, left.value) : known(expr.right, facts);
}

function element(facts: Facts, expr: ast.IndexExpr, known: Known): EvaluationResult | null {
  const object = known(expr.object, facts);
  if (object === null || isEvaluationError(object)) return object;
  const index = known(expr.index, facts);
  if (index === null || isEvaluationError(index)) return index;
  const parts = object.value as readonly ConstValue[];
  const at = Number(index.value);
  return parts[at] ?? { error: indexProblem(at, parts.length) };
}

export function indexProblem(index: number, count: number | null): Phrase {
  if (count === null) return phrase("index-negative", { index });
  return phrase("index-outside", { index, count });
}

function member(facts: Facts, expr: ast.MemberExpr, known: Known): EvaluationResult | null {
  const object = known(expr.object, facts);
  if (object === null || isEvaluationError(object)) return object;
  const info = facts.memberOf(expr.id);
  if (info === null) return null;
  const parts = object.value as readonly ConstValue[];
  if (info.kind === "member") return parts[info.index];
  if (info.components.length === 1) return parts[info.components[0]];
  const value: ConstValue[] = listOf();
  for (const component of info.components) value.push(parts[component]);
  return constValue(facts.typeOf(expr.id)!, value);
}
