/** Which expressions pipeline creation has to look at again, with the overrides known. spec: #override-expr */
import type * as ast from "../syntax/ast.ts";
import type { Context } from "./context.ts";
import { OVERRIDE, type Times } from "./fact-table.ts";

export function noteForPipeline(context: Context, expr: ast.Expr): void {
  const list = context.current?.overrideExpressions ?? context.overrideExpressions;
  list.push(expr);
}

/**
 * Remembers a node with a part that is an override-expression: its value or its operands can turn out wrong. `times`: of
 * its parts.
 */
export function noteOverrideExpression(context: Context, expr: ast.Expr, times: Times): void {
  if ((times & OVERRIDE) !== 0) noteForPipeline(context, expr);
}
