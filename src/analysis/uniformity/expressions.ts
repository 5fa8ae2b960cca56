/** One function per row of the table of expressions. spec: #uniformity-expressions */
import type * as ast from "../../syntax/ast.ts";
import { RUNTIME } from "../fact-table.ts";
import type { Entity, ParameterInfo } from "../program.ts";
import { callExpression } from "./calls.ts";
import type { NodeIndex } from "./graph.ts";
import { combine, contents, control, isSettled, source, subgroupUniform, use, type Walk } from "./walk.ts";

/**
 * The value node of an RHSValue under some control flow. It leads to that control flow, unless it may be non-uniform in
 * every scope.
 */
export function expression(walk: Walk, expr: ast.Expr, cf: NodeIndex): NodeIndex {
  // Literals, constants, overrides and what is made of them: all their rows end at CF.
  if (walk.facts.time(expr.id) !== RUNTIME) return cf;
  switch (expr.kind) {
    case "binary":
      return operator(walk, expr, expression(walk, expr.left, cf), cf);
    case "unary":
      return unary(walk, expr, cf);
    case "identifier":
      return identifier(walk, expr, cf);
    case "member":
      return member(walk, expr, cf);
    case "index":
      return index(walk, expr, cf);
    case "call":
      return callExpression(walk, expr, cf);
    case "literal":
    case "error-expression":
      return cf;
    default:
      return expr satisfies never;
  }
}

/** `e1 op e2`: Result -> {V1, V2}. */
function operator(walk: Walk, node: ast.BinaryExpr, left: NodeIndex, cf: NodeIndex): NodeIndex {
  if (node.operator === "&&" || node.operator === "||") return shortCircuit(walk, node, left, cf);
  if (isSettled(walk, left)) return left;
  return combine(walk, cf, left, expression(walk, node.right, cf), node);
}

/** `e1 && e2`, `e1 || e2`: (V1, e2) => V2, which is the result. */
function shortCircuit(walk: Walk, node: ast.BinaryExpr, left: NodeIndex, cf: NodeIndex): NodeIndex {
  const mark = walk.values.mark();
  const right = expression(walk, node.right, control(walk, node, left, cf));
  walk.values.joinWithSkipped(mark, node);
  return right;
}

/** `op e` has the value of `e`; `&e` and `*e` are about memory views. */
function unary(walk: Walk, expr: ast.UnaryExpr, cf: NodeIndex): NodeIndex {
  if (expr.operator === "&" || expr.operator === "*") return memoryView(walk, expr, cf, isLoaded(walk, expr));
  return expression(walk, expr.operand, cf);
}

/** `e.field` has the value of `e`. */
function member(walk: Walk, expr: ast.MemberExpr, cf: NodeIndex): NodeIndex {
  if (walk.facts.typeOf(expr.id)?.kind === "reference") return memoryView(walk, expr, cf, isLoaded(walk, expr));
  // Several components taken through a pointer: it is followed and read.
  if (isPointer(walk, expr.object)) return memoryView(walk, expr.object, cf, true);
  return expression(walk, expr.object, cf);
}

/** `e2[e1]`: Result -> {V1, V2}. */
function index(walk: Walk, expr: ast.IndexExpr, cf: NodeIndex): NodeIndex {
  if (walk.facts.typeOf(expr.id)?.kind === "reference") return memoryView(walk, expr, cf, isLoaded(walk, expr));
  const object = expression(walk, expr.object, cf);
  if (isSettled(walk, object)) return object;
  return combine(walk, cf, object, expression(walk, expr.index, cf), expr);
}

/** A variable is the same view for all; what it holds need not be. */
function identifier(walk: Walk, expr: ast.IdentifierExpr, cf: NodeIndex): NodeIndex {
  const entity = walk.facts.entityOf(expr.id);
  if (entity?.kind === "variable") return isLoaded(walk, expr) ? contents(walk, entity, expr, cf) : cf;
  return valueIdentifier(walk, expr, entity, cf);
}

/** A `let` or a parameter: Result -> {CF, X}. A pointer is what it was made of, whatever the memory holds. */
function valueIdentifier(walk: Walk, expr: ast.IdentifierExpr, entity: Entity | null, cf: NodeIndex): NodeIndex {
  if (entity?.kind === "value") return use(walk, cf, walk.numbers[entity.declaration.id], expr);
  if (entity?.kind === "parameter") return parameter(walk, expr, entity, cf);
  return cf;
}

/** Of an entry point: a built-in value, or an input from elsewhere, which is never uniform. */
function parameter(walk: Walk, expr: ast.IdentifierExpr, info: ParameterInfo, cf: NodeIndex): NodeIndex {
  switch (walk.inputs?.[info.index]) {
    case undefined:
      return use(walk, cf, walk.parameterValues[info.index], expr);
    case "workgroup":
      return cf;
    case "subgroup":
      return subgroupUniform(walk, expr, cf);
    case "none":
      return source(walk, expr, cf);
  }
}

// ---------------------------------------------------------------- memory views

/** spec: #load-rule */
function isLoaded(walk: Walk, { id }: ast.Expr): boolean {
  return walk.facts.typeOf(id)?.kind === "reference" && walk.facts.usedAs(id)?.kind !== "reference";
}

function isPointer(walk: Walk, expr: ast.Expr): boolean {
  return walk.facts.typeOf(expr.id)?.kind === "pointer";
}

/**
 * A reference or a pointer: depends on the indices in it, and on what the memory holds if it is loaded. Pointers are
 * seen through to their root identifier. spec: #pointer-desugar
 */
export function memoryView(walk: Walk, expr: ast.Expr, cf: NodeIndex, loaded: boolean): NodeIndex {
  const view = viewOf(walk, expr, cf);
  const root = loaded ? walk.roots.of(expr) : null;
  return root === null ? view : combine(walk, cf, view, contents(walk, root, expr, cf), expr);
}

/** The view that an expression gives, not what the memory holds. */
function viewOf(walk: Walk, expr: ast.Expr, cf: NodeIndex): NodeIndex {
  switch (expr.kind) {
    case "identifier":
      return valueIdentifier(walk, expr, walk.facts.entityOf(expr.id), cf);
    case "unary":
      return viewOf(walk, expr.operand, cf);
    case "member":
      return viewOf(walk, expr.object, cf);
    case "index": {
      const object = viewOf(walk, expr.object, cf);
      if (isSettled(walk, object)) return object;
      return combine(walk, cf, object, expression(walk, expr.index, cf), expr);
    }
    case "call":
      return callExpression(walk, expr, cf);
    default:
      return cf;
  }
}
