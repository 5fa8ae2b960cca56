/** Makes nodes: all fields in one order, ids without holes. */
import type { Span } from "../text/source.ts";
import type * as ast from "./ast.ts";

type Attributes = readonly ast.Attribute[];

export class NodeFactory {
  #count = 0;

  /** Nodes made so far. */
  get count(): number {
    return this.#count;
  }

  // ---------------------------------------------------------------- expressions

  literal(span: Span, type: ast.LiteralType, value: boolean | bigint | number): ast.LiteralExpr {
    return { kind: "literal", id: this.#count++, span, type, value };
  }

  identifier(span: Span, name: ast.Name, template: readonly ast.Expr[] | null): ast.IdentifierExpr {
    return { kind: "identifier", id: this.#count++, span, name, template };
  }

  call(span: Span, callee: ast.IdentifierExpr, args: readonly ast.Expr[]): ast.CallExpr {
    return { kind: "call", id: this.#count++, span, callee, args };
  }

  index(span: Span, object: ast.Expr, index: ast.Expr): ast.IndexExpr {
    return { kind: "index", id: this.#count++, span, object, index };
  }

  member(span: Span, object: ast.Expr, member: ast.Name): ast.MemberExpr {
    return { kind: "member", id: this.#count++, span, object, member };
  }

  unary(span: Span, operator: ast.UnaryOperator, operand: ast.Expr): ast.UnaryExpr {
    return { kind: "unary", id: this.#count++, span, operator, operand };
  }

  binary(
    span: Span,
    operator: ast.BinaryOperator,
    operatorSpan: Span,
    left: ast.Expr,
    right: ast.Expr,
  ): ast.BinaryExpr {
    return { kind: "binary", id: this.#count++, span, operator, operatorSpan, left, right };
  }

  paren(span: Span, expression: ast.Expr): ast.ParenExpr {
    return { kind: "paren", id: this.#count++, span, expression };
  }

  errorExpression(span: Span): ast.ErrorExpr {
    return { kind: "error-expression", id: this.#count++, span };
  }

  // ---------------------------------------------------------------- attributes and directives

  attribute(
    span: Span,
    name: ast.Name,
    args: readonly ast.Expr[] | null,
    control: ast.DiagnosticControl | null,
  ): ast.Attribute {
    return { kind: "attribute", id: this.#count++, span, name, args, control };
  }

  enable(span: Span, names: readonly ast.Name[]): ast.EnableDirective {
    return { kind: "enable", id: this.#count++, span, names };
  }

  requires(span: Span, names: readonly ast.Name[]): ast.RequiresDirective {
    return { kind: "requires", id: this.#count++, span, names };
  }

  diagnostic(span: Span, control: ast.DiagnosticControl): ast.DiagnosticDirective {
    return { kind: "diagnostic", id: this.#count++, span, control };
  }

  // ---------------------------------------------------------------- declarations

  variable(
    span: Span,
    attributes: Attributes,
    template: readonly ast.Expr[] | null,
    name: ast.Name,
    type: ast.IdentifierExpr | null,
    initializer: ast.Expr | null,
  ): ast.VarDecl {
    return { kind: "var", id: this.#count++, span, attributes, template, name, type, initializer };
  }

  let(span: Span, name: ast.Name, type: ast.IdentifierExpr | null, initializer: ast.Expr): ast.LetDecl {
    return { kind: "let", id: this.#count++, span, name, type, initializer };
  }

  const(
    span: Span,
    attributes: Attributes,
    name: ast.Name,
    type: ast.IdentifierExpr | null,
    initializer: ast.Expr,
  ): ast.ConstDecl {
    return { kind: "const", id: this.#count++, span, attributes, name, type, initializer };
  }

  override(
    span: Span,
    attributes: Attributes,
    name: ast.Name,
    type: ast.IdentifierExpr | null,
    initializer: ast.Expr | null,
  ): ast.OverrideDecl {
    return { kind: "override", id: this.#count++, span, attributes, name, type, initializer };
  }

  alias(span: Span, name: ast.Name, type: ast.IdentifierExpr): ast.AliasDecl {
    return { kind: "alias", id: this.#count++, span, name, type };
  }

  struct(span: Span, name: ast.Name, members: readonly ast.StructMember[]): ast.StructDecl {
    return { kind: "struct", id: this.#count++, span, name, members };
  }

  structMember(span: Span, attributes: Attributes, name: ast.Name, type: ast.IdentifierExpr): ast.StructMember {
    return { kind: "struct-member", id: this.#count++, span, attributes, name, type };
  }

  function(
    span: Span,
    attributes: Attributes,
    name: ast.Name,
    params: readonly ast.Param[],
    returnAttributes: Attributes,
    returnType: ast.IdentifierExpr | null,
    body: ast.CompoundStatement,
  ): ast.FunctionDecl {
    return {
      kind: "function",
      id: this.#count++,
      span,
      attributes,
      name,
      params,
      returnAttributes,
      returnType,
      body,
    };
  }

  param(span: Span, attributes: Attributes, name: ast.Name, type: ast.IdentifierExpr): ast.Param {
    return { kind: "param", id: this.#count++, span, attributes, name, type };
  }

  constAssert(span: Span, condition: ast.Expr): ast.ConstAssert {
    return { kind: "const-assert", id: this.#count++, span, condition };
  }

  errorDeclaration(span: Span): ast.ErrorDecl {
    return { kind: "error-declaration", id: this.#count++, span };
  }

  // ---------------------------------------------------------------- statements

  compound(span: Span, attributes: Attributes, statements: readonly ast.Statement[]): ast.CompoundStatement {
    return { kind: "compound", id: this.#count++, span, attributes, statements };
  }

  assign(
    span: Span,
    operator: ast.AssignOperator,
    operatorSpan: Span,
    left: ast.Expr,
    right: ast.Expr,
  ): ast.AssignStatement {
    return { kind: "assign", id: this.#count++, span, operator, operatorSpan, left, right };
  }

  phonyAssign(span: Span, value: ast.Expr): ast.PhonyAssignStatement {
    return { kind: "phony-assign", id: this.#count++, span, value };
  }

  increment(span: Span, operator: "++" | "--", operatorSpan: Span, left: ast.Expr): ast.IncrementStatement {
    return { kind: "increment", id: this.#count++, span, operator, operatorSpan, left };
  }

  callStatement(span: Span, call: ast.CallExpr): ast.CallStatement {
    return { kind: "call-statement", id: this.#count++, span, call };
  }

  if(
    span: Span,
    attributes: Attributes,
    condition: ast.Expr,
    then: ast.CompoundStatement,
    otherwise: ast.IfStatement | ast.CompoundStatement | null,
  ): ast.IfStatement {
    return { kind: "if", id: this.#count++, span, attributes, condition, then, otherwise };
  }

  switch(
    span: Span,
    attributes: Attributes,
    selector: ast.Expr,
    bodyAttributes: Attributes,
    clauses: readonly ast.SwitchClause[],
  ): ast.SwitchStatement {
    return { kind: "switch", id: this.#count++, span, attributes, selector, bodyAttributes, clauses };
  }

  switchClause(
    span: Span,
    selectors: readonly (ast.Expr | ast.DefaultSelector)[],
    body: ast.CompoundStatement,
  ): ast.SwitchClause {
    return { kind: "switch-clause", id: this.#count++, span, selectors, body };
  }

  defaultSelector(span: Span): ast.DefaultSelector {
    return { kind: "default", id: this.#count++, span };
  }

  loop(
    span: Span,
    attributes: Attributes,
    body: ast.CompoundStatement,
    continuing: ast.ContinuingBlock | null,
  ): ast.LoopStatement {
    return { kind: "loop", id: this.#count++, span, attributes, body, continuing };
  }

  continuing(span: Span, body: ast.CompoundStatement, breakIf: ast.Expr | null): ast.ContinuingBlock {
    return { kind: "continuing", id: this.#count++, span, body, breakIf };
  }

  for(
    span: Span,
    attributes: Attributes,
    initializer: ast.Statement | null,
    condition: ast.Expr | null,
    update: ast.Statement | null,
    body: ast.CompoundStatement,
  ): ast.ForStatement {
    return { kind: "for", id: this.#count++, span, attributes, initializer, condition, update, body };
  }

  while(span: Span, attributes: Attributes, condition: ast.Expr, body: ast.CompoundStatement): ast.WhileStatement {
    return { kind: "while", id: this.#count++, span, attributes, condition, body };
  }

  break(span: Span): ast.BreakStatement {
    return { kind: "break", id: this.#count++, span };
  }

  continue(span: Span): ast.ContinueStatement {
    return { kind: "continue", id: this.#count++, span };
  }

  return(span: Span, value: ast.Expr | null): ast.ReturnStatement {
    return { kind: "return", id: this.#count++, span, value };
  }

  discard(span: Span): ast.DiscardStatement {
    return { kind: "discard", id: this.#count++, span };
  }

  empty(span: Span): ast.EmptyStatement {
    return { kind: "empty", id: this.#count++, span };
  }

  errorStatement(span: Span): ast.ErrorStatement {
    return { kind: "error-statement", id: this.#count++, span };
  }
}
