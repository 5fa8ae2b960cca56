/** What may be passed as a pointer where `unrestricted_pointer_parameters` is missing. spec: #language_extension-unrestricted_pointer_parameters */
import type * as ast from "../syntax/ast.ts";
import type { Type } from "../types/type.ts";
import type { Context } from "./context.ts";
import { hasLanguageFeature } from "./options.ts";
import { textOf } from "./text-of.ts";

/** An argument has the memory view of its root identifier: no part of it was taken. */
export function checkPointerArgument(context: Context, expr: ast.Expr, type: Type): void {
  if (type.kind !== "pointer" || hasLanguageFeature(context.target, "unrestricted_pointer_parameters")) return;
  if (isWholeView(context, expr)) return;
  context.diagnostics.report("pointer-argument-part", expr.span, { name: textOf(context, expr) });
}

function isWholeView(context: Context, argument: ast.Expr): boolean {
  let expr = argument;
  for (;;) {
    if (expr.kind === "unary" && (expr.operator === "&" || expr.operator === "*")) {
      expr = expr.operand;
    } else if (expr.kind === "identifier") {
      const target = context.facts.declarationOf(expr.id);
      if (target?.kind !== "let") return true;
      expr = target.initializer;
    } else {
      return false;
    }
  }
}
