/** The type rule of each kind of expression, and its value where it is known now. spec: #expressions */
import { isEvaluationError } from "../builtins/row.ts";
import { note } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import {
  ABSTRACT_FLOAT,
  ABSTRACT_INT,
  BOOL,
  ERROR,
  F16,
  F32,
  I32,
  referenceType,
  type ScalarType,
  type Type,
  U32,
} from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import { index, member } from "./access.ts";
import type { Context, Declaration } from "./context.ts";
import { reportValue } from "./conversions.ts";
import { evaluateNode } from "./evaluate.ts";
import { valueAsUsed } from "./facts.ts";
import { binary, unary } from "./operators.ts";
import { noTemplate, requireF16 } from "./types.ts";

/** Types an expression, all its parts first, and evaluates it if it is a const-expression. */
export function expression(context: Context, expr: ast.Expr): Type {
  if (expr.kind !== "binary") return node(context, expr);
  // Chains of operators hang on their left side: down there by a loop, not by recursion.
  const spine: ast.BinaryExpr[] = [];
  let leftmost: ast.Expr = expr;
  while (leftmost.kind === "binary") {
    spine.push(leftmost);
    leftmost = leftmost.left;
  }
  let type = node(context, leftmost);
  for (let i = spine.length - 1; i >= 0; i--) {
    type = binary(context, spine[i], type);
    settle(context, spine[i], type);
  }
  return type;
}

function node(context: Context, expr: Exclude<ast.Expr, ast.BinaryExpr>): Type {
  const type = typeRule(context, expr);
  settle(context, expr, type);
  return type;
}

function typeRule(context: Context, expr: Exclude<ast.Expr, ast.BinaryExpr>): Type {
  switch (expr.kind) {
    case "literal":
      return literal(context, expr);
    case "identifier":
      return identifier(context, expr);
    case "paren": {
      const type = expression(context, expr.expression);
      context.timeOf[expr.id] = context.timeOf[expr.expression.id];
      return type;
    }
    case "call":
      return context.rules.call(context, expr);
    case "index":
      return index(context, expr);
    case "member":
      return member(context, expr);
    case "unary":
      return unary(context, expr);
    case "error-expression":
      return ERROR;
    default:
      return expr satisfies never;
  }
}

/** Enters type and value into the tables. */
function settle(context: Context, expr: ast.Expr, type: Type): void {
  context.expressionOf[expr.id] = expr;
  context.typeOf[expr.id] = type;
  context.usedAs[expr.id] = type;
  if (context.timeOf[expr.id] !== "const" || context.notEvaluated || type.kind === "error") return;
  if (expr.kind === "identifier") return;
  const result = evaluateNode(context, expr, (part) => valueAsUsed(context, part));
  if (result === null) return;
  if (isEvaluationError(result)) reportValue(context, expr.span, result.error);
  else context.constOf[expr.id] = result;
}

const LITERAL_TYPES: Readonly<Record<ast.LiteralType, ScalarType>> = {
  bool: BOOL,
  "abstract-int": ABSTRACT_INT,
  i32: I32,
  u32: U32,
  "abstract-float": ABSTRACT_FLOAT,
  f32: F32,
  f16: F16,
};

/** spec: #literal-expressions */
function literal(context: Context, expr: ast.LiteralExpr): Type {
  if (expr.type === "f16") requireF16(context, expr);
  return LITERAL_TYPES[expr.type];
}

const NOT_VALUES: Readonly<Record<string, string>> = {
  function: "a function",
  struct: "a type",
  alias: "a type",
  "builtin-type": "a type",
  "builtin-function": "a builtin function",
  enumerant: "an enumerant",
};

function identifier(context: Context, expr: ast.IdentifierExpr): Type {
  const target = context.targetOf[expr.id];
  if (target === null) {
    const entity = context.entityOf[expr.id];
    return entity === null ? ERROR : notAValue(context, expr, NOT_VALUES[entity.kind], null);
  }
  if (target.kind === "function" || target.kind === "struct" || target.kind === "alias") {
    return notAValue(context, expr, NOT_VALUES[target.kind], target);
  }
  if (noTemplate(context, expr)) return ERROR;
  return declaredValue(context, expr, target);
}

function notAValue(context: Context, expr: ast.IdentifierExpr, what: string, target: Declaration | null): Type {
  const name = expr.name.text;
  const notes = target === null ? [] : [note("declared-here", target.name.span, { name })];
  context.diagnostics.report("not-a-value-name", expr.span, { name, what }, { notes });
  return ERROR;
}

/** spec: #var-identifier-expr, #formal-parameter-expr, #value-identifier-expr */
function declaredValue(context: Context, expr: ast.IdentifierExpr, target: Declaration): Type {
  const entity = context.declared[target.id];
  switch (entity?.kind) {
    case "variable":
      context.timeOf[expr.id] = "runtime";
      return entity.type.kind === "error" ? ERROR : referenceType(entity.space, entity.type, entity.access);
    case "value":
      if (target.kind === "let") context.timeOf[expr.id] = "runtime";
      else if (!context.notEvaluated) context.constOf[expr.id] = entity.value;
      return entity.type;
    case "override":
      context.timeOf[expr.id] = "override";
      return entity.type;
    case "parameter":
      context.timeOf[expr.id] = "runtime";
      return entity.type;
    default:
      // Declared, but with a mistake that was reported there.
      return ERROR;
  }
}

export type { ConstValue };
