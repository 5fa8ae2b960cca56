/** Visits every statement and expression under a statement, each before its parts, in the order of the text. */
import type * as ast from "./ast.ts";

export function forEachExpression(
  statement: ast.Statement,
  onExpression: (expression: ast.Expr) => void,
  onStatement: (statement: ast.Statement) => void = () => {},
): void {
  const expression = (root: ast.Expr | null): void => {
    if (root === null) return;
    onExpression(root);
    forEachOperand(root, expression);
  };
  const visit = (node: ast.Statement | null): void => {
    if (node === null) return;
    onStatement(node);
    forEachPart(node, visit, expression);
  };
  visit(statement);
}

/** By node id: every expression of a module, those in types and attributes too; null for all other nodes. */
export function expressionsById(module: ast.Module): readonly (ast.Expr | null)[] {
  return nodesById(module, isExpression);
}

/** By node id: those nodes of a module that are wanted, wherever they stand; null for all others. */
export function nodesById<Node extends ast.NodeBase>(
  module: ast.Module,
  isWanted: (part: object) => part is Node,
): readonly (Node | null)[] {
  const found = new Array<Node | null>(module.nodeCount).fill(null);
  const pending: unknown[] = [module.declarations];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== "object" || next === null) continue;
    if (isWanted(next)) found[next.id] = next;
    if (isCall(next)) {
      const { callee } = next;
      if (isWanted(callee)) found[callee.id] = callee;
    }
    for (const part of Object.values(next)) if (typeof part === "object" && part !== null) pending.push(part);
  }
  return found;
}

function isCall(part: object): part is ast.CallExpr {
  return "kind" in part && part.kind === "call";
}

const EXPRESSIONS: Readonly<Record<ast.Expr["kind"], true>> = {
  literal: true,
  identifier: true,
  call: true,
  index: true,
  member: true,
  unary: true,
  binary: true,
  "error-expression": true,
};

export function isExpression(node: object): node is ast.Expr {
  return "kind" in node && Object.hasOwn(EXPRESSIONS, node.kind as string);
}

/** The expressions directly under an expression. */
export function forEachOperand(node: ast.Expr, visit: (expression: ast.Expr) => void): void {
  switch (node.kind) {
    case "literal":
    case "error-expression":
      return;
    case "identifier":
      node.template?.forEach(visit);
      return;
    case "call":
      node.template?.forEach(visit);
      for (let at = 0; at < node.argCount; at++) visit(node.arg(at));
      return;
    case "index":
      visit(node.object);
      visit(node.index);
      return;
    case "member":
      visit(node.object);
      return;
    case "unary":
      visit(node.operand);
      return;
    case "binary":
      visit(node.left);
      visit(node.right);
      return;
    default:
      node satisfies never;
  }
}

/** The operands of an expression that are values, one by one; null: there are no more. */
export function operandAt(node: ast.Expr, at: number): ast.Expr | null {
  switch (node.kind) {
    case "call":
      return at < node.argCount ? node.arg(at) : null;
    case "binary":
      return at === 0 ? node.left : at === 1 ? node.right : null;
    case "index":
      return at === 0 ? node.object : at === 1 ? node.index : null;
    case "member":
      return at === 0 ? node.object : null;
    case "unary":
      return at === 0 ? node.operand : null;
    default:
      return null;
  }
}

/** The statements and expressions directly under a statement. */
export function forEachPart(
  node: ast.Statement,
  statement: (part: ast.Statement) => void,
  expression: (part: ast.Expr) => void,
): void {
  switch (node.kind) {
    case "compound":
      node.statements.forEach(statement);
      return;
    case "var":
    case "let":
    case "const":
      if (node.initializer !== null) expression(node.initializer);
      return;
    case "const-assert":
      expression(node.condition);
      return;
    case "assign":
      expression(node.left);
      expression(node.right);
      return;
    case "phony-assign":
      expression(node.value);
      return;
    case "increment":
      expression(node.left);
      return;
    case "call-statement":
      expression(node.call);
      return;
    case "if":
      expression(node.condition);
      statement(node.then);
      if (node.otherwise !== null) statement(node.otherwise);
      return;
    case "switch":
      expression(node.selector);
      for (const clause of node.clauses) {
        for (const selector of clause.selectors) if (selector.kind !== "default") expression(selector);
        statement(clause.body);
      }
      return;
    case "loop":
      statement(node.body);
      if (node.continuing !== null) statement(node.continuing.body);
      if (node.continuing?.breakIf != null) expression(node.continuing.breakIf);
      return;
    case "for":
      if (node.initializer !== null) statement(node.initializer);
      if (node.condition !== null) expression(node.condition);
      if (node.update !== null) statement(node.update);
      statement(node.body);
      return;
    case "while":
      expression(node.condition);
      statement(node.body);
      return;
    case "return":
      if (node.value !== null) expression(node.value);
      return;
    case "break":
    case "continue":
    case "discard":
    case "empty":
    case "error-statement":
      return;
    default:
      node satisfies never;
  }
}
