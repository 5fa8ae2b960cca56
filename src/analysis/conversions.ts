/** From what an expression is to what its place wants: the load rule and automatic conversions. spec: #conversion-rank, #load-rule */
import { returnsOf } from "../builtins/docs.ts";
import { isEvaluationError } from "../builtins/row.ts";
import { fix, type MessageValue, type Note, note, type Phrase } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import type { Span } from "../text/source.ts";
import { concretize, isConvertible } from "../types/conversion.ts";
import { containsAtomic, containsRuntimeArray, isConstructible, isHandle } from "../types/predicates.ts";
import { ERROR, type ReferenceType, type Type, typeName } from "../types/type.ts";
import type { Context } from "./context.ts";
import { conversionHints, unsignedHint } from "./hints.ts";
import { textOf } from "./text-of.ts";

/** Type of the value of an expression: never a reference, `ERROR` where there is none. */
export function value(context: Context, expr: ast.Expr): Type {
  return load(context, expr, context.rules.expression(context, expr));
}

/** spec: #load-rule */
export function load(context: Context, expr: ast.Expr, type: Type): Type {
  if (type.kind === "void") return noValue(context, expr);
  if (type.kind !== "reference") return type;
  if (!context.facts.setLoadedAgain(expr.id)) {
    if (!isLoadable(context, expr, type)) {
      context.facts.setUsedAs(expr.id, ERROR);
      return ERROR;
    }
    context.facts.setLoaded(expr.id, type);
  }
  return type.store;
}

function noValue(context: Context, expr: ast.Expr): Type {
  const name = expr.kind === "call" ? expr.text : textOf(context, expr);
  const returns = returnsOf(name);
  const notes = returns === null ? [] : [note("exchange-returns", expr.span, {})];
  context.diagnostics.report("no-value", expr.span, { name }, { notes });
  context.facts.setUsedAs(expr.id, ERROR);
  return ERROR;
}

/** An expression must not evaluate to an atomic, to a runtime-sized array, to a buffer. spec: #atomic-types, #array-types, #buffer-types */
function isLoadable(context: Context, expr: ast.Expr, type: ReferenceType): boolean {
  const { store } = type;
  if (isConstructible(store) || isHandle(store)) return true;
  const text = textOf(context, expr);
  if (store.kind === "atomic") {
    const edits = [
      { span: { start: expr.span.start, end: expr.span.start }, text: "atomicLoad(&" },
      { span: { start: expr.span.end, end: expr.span.end }, text: ")" },
    ];
    context.diagnostics.report(
      "atomic-plain-read",
      expr.span,
      { name: text, type: typeName(store) },
      { fixes: [fix("atomic-load", { name: text }, edits)] },
    );
  } else if (containsAtomic(store)) {
    context.diagnostics.report("atomic-copy", expr.span, { name: text, type: typeName(store) });
  } else if (containsRuntimeArray(store)) {
    context.diagnostics.report("runtime-array-value", expr.span, { name: text, type: typeName(store) });
  } else {
    context.diagnostics.report("not-a-value", expr.span, { name: text, type: typeName(store) });
  }
  return false;
}

/**
 * Hands the value of an expression, of type `from`, on as type `to`. False where there is no automatic conversion: the
 * caller says so in its own words. A value that `to` cannot represent is reported here.
 */
export function convertTo(context: Context, expr: ast.Expr, from: Type, to: Type): boolean {
  if (from === to || from.kind === "error" || to.kind === "error") return true;
  if (!isConvertible(from, to)) return false;
  context.facts.setUsedAs(expr.id, to);
  const converted = context.facts.valueAs(expr.id, to);
  if (converted !== null && isEvaluationError(converted)) {
    reportValue(context, expr.span, converted.error, unsignedHint(context, expr, to));
  }
  return true;
}

/** How a message names the place that wants a type; made when there is a message. */
export type Where = MessageValue | (() => MessageValue);

/** As `convertTo`, and says that the types do not match. */
export function expectType(context: Context, expr: ast.Expr, from: Type, to: Type, where: Where): boolean {
  if (convertTo(context, expr, from, to)) return true;
  context.diagnostics.report(
    "type-mismatch",
    expr.span,
    { where: typeof where === "function" ? where() : where, expected: typeName(to), actual: typeName(from) },
    { notes: conversionHints(context, expr, from, to) },
  );
  return false;
}

/** Makes the type of a value concrete where an abstract one cannot stay. */
export function concreteValue(context: Context, expr: ast.Expr): Type {
  return makeConcrete(context, expr, value(context, expr));
}

export function makeConcrete(context: Context, expr: ast.Expr, type: Type): Type {
  const concrete = concretize(type);
  convertTo(context, expr, type, concrete);
  return concrete;
}

/** What const-evaluation finds wrong with a value or an operation. */
export function reportValue(context: Context, span: Span, problem: Phrase, notes: readonly Note[] = []): void {
  context.diagnostics.report("evaluation-error", span, { problem }, { notes });
}
