/** Small questions to the tables that several rules ask. */
import { convertValue } from "../builtins/convert-value.ts";
import { isEvaluationError } from "../builtins/row.ts";
import type * as ast from "../syntax/ast.ts";
import type { StructType } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import type { Context } from "./context.ts";
import type { EvaluationTime } from "./program.ts";

/** The value of a const-expression as the type that its place takes it; null: not known. */
export function valueAsUsed(context: Context, expr: ast.Expr): ConstValue | null {
  const { id } = expr;
  const value = context.constOf[id];
  if (value === null) return null;
  const wanted = context.usedAs[id];
  if (wanted === null || value.type === wanted) return value;
  const converted = convertValue(value, wanted);
  return isEvaluationError(converted) ? null : converted;
}

/** When both are known. */
export function later(a: EvaluationTime, b: EvaluationTime): EvaluationTime {
  if (a === "runtime" || b === "runtime") return "runtime";
  return a === "override" ? a : b;
}

/** When the last of some expressions is known. */
export function latest(context: Context, parts: readonly ast.Expr[]): EvaluationTime {
  let time: EvaluationTime = "const";
  for (const part of parts) time = later(time, context.timeOf[part.id]);
  return time;
}

/** The declaration of a structure type; null for the results of builtin functions. */
export function structOf(context: Context, type: StructType): ast.StructDecl | null {
  const entity = type.declaration === null ? null : context.declared[type.declaration];
  return entity?.kind === "struct" ? entity.declaration : null;
}
