import type * as ast from "../syntax/ast.ts";
import type { Span } from "../text/source.ts";
import type { Context } from "./context.ts";

/** How the text of an expression stands in a message. */
export function textOf(context: Pick<Context, "source">, node: { readonly span: Span }): string {
  const text = context.source.slice(node.span).replace(/\s+/g, " ").trim();
  return text.length > 48 ? `${text.slice(0, 45)}…` : text;
}

/** As `textOf`, of what shall stand beside an operator. */
export function operandText(context: Pick<Context, "source">, expr: ast.Expr): string {
  const text = textOf(context, expr);
  return expr.kind === "binary" ? `(${text})` : text;
}

/** As `textOf`, of what shall stand before `.` or `[`. */
export function objectText(context: Pick<Context, "source">, expr: ast.Expr): string {
  return expr.kind === "unary" ? `(${textOf(context, expr)})` : operandText(context, expr);
}
