/** Unary and binary operators. spec: #logical-expr, #arithmetic-expr, #comparison-expr, #bit-expr, #address-of-expr, #indirection-expr */
import { checkConstArguments } from "../builtins/const-checks.ts";
import { resolveOperation, resolveUnary } from "../builtins/resolve.ts";
import type { BuiltinRow } from "../builtins/row.ts";
import { type Note, note, removal } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { Token } from "../syntax/tokens.ts";
import type { Span } from "../text/source.ts";
import { BOOL, ERROR, pointerType, referenceType, type Type, typeName } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import type { Context } from "./context.ts";
import { convertTo, load, reportValue, value } from "./conversions.ts";
import { CONST, RUNTIME, type Time } from "./fact-table.ts";
import { latest } from "./facts.ts";
import { operandHint, operandHints, powerHint } from "./hints.ts";
import { noteOverrideExpression } from "./override-expressions.ts";
import { textOf } from "./text-of.ts";

/**
 * `&` and `*` turn memory views into pointers and back and are rules of their own; `-`, `!` and `~` are overloads like
 * builtin functions.
 */
export function unary(context: Context, expr: ast.UnaryExpr): Type {
  if (expr.operator === "&") return addressOf(context, expr);
  if (expr.operator === "*") return indirection(context, expr);
  const operand = value(context, expr.operand);
  context.facts.setTime(expr.id, context.facts.time(expr.operand.id));
  if (operand.kind === "error") return ERROR;
  const resolved = resolveUnary(expr.operator, operand);
  if (!resolved.ok) {
    const args = { operator: expr.operator, type: typeName(operand) };
    const hints = operandHint(context, expr, operand);
    const notes = hints.length > 0 ? hints : candidates(expr.span, resolved.candidates);
    context.diagnostics.report("no-unary-operator", expr.span, args, { notes });
    return ERROR;
  }
  context.facts.apply(expr.id, resolved);
  if (resolved.converts) convertTo(context, expr.operand, operand, resolved.args[0]);
  return resolved.result;
}

/** spec: #address-of-expr */
function addressOf(context: Context, expr: ast.UnaryExpr): Type {
  const type = context.rules.expression(context, expr.operand);
  context.facts.setTime(expr.id, RUNTIME);
  if (type.kind === "error") return ERROR;
  if (type.kind === "reference" && type.space !== "handle" && !isVectorComponent(context, expr.operand)) {
    return pointerType(type.space, type.store, type.access);
  }
  const name = textOf(context, expr.operand);
  if (type.kind !== "reference") {
    context.diagnostics.report("address-of-value", expr.span, { name, type: typeName(type) });
  } else if (type.space === "handle") {
    context.diagnostics.report("address-of-handle", expr.span, { name, type: typeName(type.store) });
  } else {
    context.diagnostics.report("address-of-component", expr.span, { name });
  }
  return ERROR;
}

/** spec: #component-reference-from-vector-memory-view */
function isVectorComponent(context: Context, expr: ast.Expr): boolean {
  if (expr.kind !== "member" && expr.kind !== "index") return false;
  const object = context.facts.typeOf(expr.object.id);
  return (object?.kind === "reference" || object?.kind === "pointer") && object.store.kind === "vector";
}

/** spec: #indirection-expr */
function indirection(context: Context, expr: ast.UnaryExpr): Type {
  const type = value(context, expr.operand);
  context.facts.setTime(expr.id, RUNTIME);
  if (type.kind === "error") return ERROR;
  if (type.kind !== "pointer") {
    const args = { name: textOf(context, expr.operand), type: typeName(type) };
    const notes = powerHint(context, expr);
    const star = { start: expr.span.start, end: expr.span.start + 1 };
    const fixes = notes.length > 0 ? [] : [removal(star, "*")];
    context.diagnostics.report("indirection-of-value", expr.span, args, { notes, fixes });
    return ERROR;
  }
  return referenceType(type.space, type.store, type.access);
}

/**
 * Enters type and time. Both operands are loaded, then overload resolution finds the types that they are converted to:
 * `1 + x` with `x: f32` makes the 1 an f32. `leftType`: type of the left operand, which is typed already.
 */
export function binary(context: Context, expr: ast.BinaryExpr, leftType: Type): Type {
  const left = load(context, expr.left, leftType);
  // `vec4<f32(1.0)`: what is on the right was meant to be something else.
  if (left.kind === "error" && expr.operator === "<" && isTypeName(context, expr.left)) {
    return noOperation(context, expr, RUNTIME);
  }
  const shortCircuits = expr.operation === Token.andAnd || expr.operation === Token.orOr;
  const right = shortCircuits ? rightOfShortCircuit(context, expr) : value(context, expr.right);
  const times = context.facts.time(expr.left.id) | context.facts.time(expr.right.id);
  const time = latest(times);
  if (left.kind === "error" || right.kind === "error") return noOperation(context, expr, time);
  const resolved = resolveOperation(expr.operation, left, right, time === CONST);
  if (!resolved.ok) {
    reportNoOperator(context, expr, left, right, resolved.candidates);
    return noOperation(context, expr, time);
  }
  context.facts.setOperation(expr.id, resolved, time);
  if (resolved.converts) {
    convertTo(context, expr.left, left, resolved.args[0]);
    convertTo(context, expr.right, right, resolved.args[1]);
  }
  if (time !== CONST && !context.notEvaluated) {
    noteOverrideExpression(context, expr, times);
    checkOperands(context, expr, resolved.row, resolved.result);
  }
  return resolved.result;
}

function isTypeName({ facts }: Context, { kind, id }: ast.Expr): boolean {
  return kind === "identifier" && facts.predeclaredOf(id)?.kind === "builtin-type";
}

function noOperation({ facts }: Context, { id }: ast.BinaryExpr, time: Time): Type {
  facts.setTime(id, time);
  facts.setType(id, ERROR);
  return ERROR;
}

/** Where the left side decides, the right side is typed but not evaluated. spec: #logical-expr */
function rightOfShortCircuit(context: Context, expr: ast.BinaryExpr): Type {
  const decided = context.facts.valueAsUsed(expr.left.id);
  const before = context.notEvaluated;
  if (decided?.type === BOOL && decided.value === (expr.operator === "||")) context.notEvaluated = true;
  const type = value(context, expr.right);
  context.notEvaluated = before;
  return type;
}

/** What is wrong whatever the other operand is: division by zero, too wide a shift. spec: #arithmetic-expr, #bit-expr */
function checkOperands(context: Context, expr: ast.BinaryExpr, row: BuiltinRow, result: Type): void {
  // All checks of operators are about the right operand: zero divisors, and shifts by all bits or more.
  const right = context.facts.constOf(expr.right.id);
  if (right === null || isHarmless(right, expr.operation) || !row.isChecked) return;
  const problem = checkConstArguments(
    row,
    [context.facts.valueAsUsed(expr.left.id), context.facts.valueAsUsed(expr.right.id)],
    result,
  );
  if (problem !== null) reportValue(context, expr.span, problem.error);
}

/** What most constants are: above 0, and below 32 as a shift. */
function isHarmless({ value }: ConstValue, operation: number): boolean {
  if (typeof value !== "number" && typeof value !== "bigint") return false;
  return value > 0 && (value < 32 || (operation !== Token.shiftLeft && operation !== Token.shiftRight));
}

/** Where nothing better is known: what the operator takes. */
function candidates(place: Span, nearest: readonly BuiltinRow[]): readonly Note[] {
  return nearest.slice(0, 2).map(({ signature }) => note("candidate", place, { signature }));
}

function reportNoOperator(
  context: Context,
  expr: ast.BinaryExpr,
  left: Type,
  right: Type,
  nearest: readonly BuiltinRow[],
): void {
  const hints = operandHints(context, [expr.left, expr.right], left, right, expr.operator);
  const notes = hints.length > 0 ? hints : candidates(expr.span, nearest);
  context.diagnostics.report(
    "no-binary-operator",
    expr.span,
    { operator: expr.operator, left: typeName(left), right: typeName(right) },
    { notes },
  );
}
