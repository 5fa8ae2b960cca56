/** Which expressions pipeline creation has to look at again, with the overrides known. spec: #override-expr */
import type * as ast from "../syntax/ast.ts";
import type { Context } from "./context.ts";
import { OVERRIDE } from "./fact-table.ts";

export function noteForPipeline(context: Context, expr: ast.Expr): void {
  const list = context.current?.overrideExpressions ?? context.overrideExpressions;
  list.push(expr);
}

/** Remembers a node with a part that is an override-expression: its value or its operands can turn out wrong. */
export function noteOverrideExpression(context: Context, expr: ast.Expr, parts: readonly ast.Expr[]): void {
  // Overrides are declared before what mentions them.
  if (context.overrides.length === 0) return;
  for (const part of parts) {
    if (context.facts.time(part.id) !== OVERRIDE) continue;
    noteForPipeline(context, expr);
    return;
  }
}
