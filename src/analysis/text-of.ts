import type * as ast from "../syntax/ast.ts";
import type { Span } from "../text/source.ts";
import type { Context } from "./context.ts";

/** How the text of an expression stands in a message. */
export function textOf(context: Pick<Context, "source">, node: { readonly span: Span }): string {
  const text = context.source.slice(node.span).replace(/\s+/g, " ").trim();
  return text.length > 48 ? `${text.slice(0, 45)}…` : text;
}

/** The expression inside any parentheses. */
export function unparenthesized(expr: ast.Expr): ast.Expr {
  let inner = expr;
  while (inner.kind === "paren") inner = inner.expression;
  return inner;
}
