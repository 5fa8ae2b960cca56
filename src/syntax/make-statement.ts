/**
 * Makes statements and declarations. As with expressions, all are objects of one class, whatever their kind: whoever walks
 * over blocks asks each for its kind. Under the names of `ast.ts` their parts are getters of slots.
 */
import * as ast from "./ast.ts";

type Kind = ast.Statement["kind"] | ast.GlobalDecl["kind"] | "param";

class Statement extends ast.Node<Kind> {
  declare readonly first: unknown;
  declare readonly second: unknown;
  declare readonly third: unknown;
  declare readonly fourth: unknown;
  declare readonly fifth: unknown;
  declare readonly sixth: unknown;

  constructor(
    kind: Kind,
    ids: ast.NodeIds,
    start: number,
    end: number,
    first: unknown,
    second: unknown,
    third: unknown,
    fourth: unknown,
    fifth: unknown,
    sixth: unknown,
  ) {
    super(kind, ids, start, end);
    this.first = first;
    this.second = second;
    this.third = third;
    this.fourth = fourth;
    this.fifth = fifth;
    this.sixth = sixth;
  }

  // What has the same name in several kinds lies in the same slot.

  get attributes(): readonly ast.Attribute[] {
    return this.first as readonly ast.Attribute[];
  }

  get operator(): "++" | "--" | ast.AssignOperator {
    return this.first as "++" | "--" | ast.AssignOperator;
  }

  get members(): readonly ast.StructMember[] {
    return this.first as readonly ast.StructMember[];
  }

  get name(): ast.Name {
    return this.second as ast.Name;
  }

  // biome-ignore lint/suspicious/noThenProperty: no function, so that nobody takes it for a promise
  get then(): ast.CompoundStatement {
    return this.second as ast.CompoundStatement;
  }

  get statements(): readonly ast.Statement[] {
    return this.second as readonly ast.Statement[];
  }

  get left(): ast.Expr {
    return this.second as ast.Expr;
  }

  get value(): ast.Expr | null {
    return this.second as ast.Expr | null;
  }

  get call(): ast.CallExpr {
    return this.second as ast.CallExpr;
  }

  get selector(): ast.Expr {
    return this.second as ast.Expr;
  }

  get continuing(): ast.ContinuingBlock | null {
    return this.second as ast.ContinuingBlock | null;
  }

  get type(): ast.IdentifierExpr | null {
    return this.third as ast.IdentifierExpr | null;
  }

  get condition(): ast.Expr | null {
    return this.third as ast.Expr | null;
  }

  get right(): ast.Expr {
    return this.third as ast.Expr;
  }

  get bodyAttributes(): readonly ast.Attribute[] {
    return this.third as readonly ast.Attribute[];
  }

  get params(): readonly ast.Param[] {
    return this.third as readonly ast.Param[];
  }

  get initializer(): ast.Expr | null | ast.Statement {
    return this.fourth as ast.Expr | null | ast.Statement;
  }

  get clauses(): readonly ast.SwitchClause[] {
    return this.fourth as readonly ast.SwitchClause[];
  }

  get returnAttributes(): readonly ast.Attribute[] {
    return this.fourth as readonly ast.Attribute[];
  }

  get template(): readonly ast.Expr[] | null {
    return this.fifth as readonly ast.Expr[] | null;
  }

  get otherwise(): ast.IfStatement | ast.CompoundStatement | null {
    return this.fifth as ast.IfStatement | ast.CompoundStatement | null;
  }

  get update(): ast.Statement | null {
    return this.fifth as ast.Statement | null;
  }

  get returnType(): ast.IdentifierExpr | null {
    return this.fifth as ast.IdentifierExpr | null;
  }

  get body(): ast.CompoundStatement {
    return this.sixth as ast.CompoundStatement;
  }
}

export function varDecl(
  ids: ast.NodeIds,
  start: number,
  end: number,
  attributes: readonly ast.Attribute[],
  template: readonly ast.Expr[] | null,
  name: ast.Name,
  type: ast.IdentifierExpr | null,
  initializer: ast.Expr | null,
): ast.VarDecl {
  return new Statement("var", ids, start, end, attributes, name, type, initializer, template, null) as ast.VarDecl;
}

export function letDecl(
  ids: ast.NodeIds,
  start: number,
  end: number,
  name: ast.Name,
  type: ast.IdentifierExpr | null,
  initializer: ast.Expr,
): ast.LetDecl {
  return new Statement("let", ids, start, end, null, name, type, initializer, null, null) as ast.LetDecl;
}

export function constDecl(
  ids: ast.NodeIds,
  start: number,
  end: number,
  attributes: readonly ast.Attribute[],
  name: ast.Name,
  type: ast.IdentifierExpr | null,
  initializer: ast.Expr,
): ast.ConstDecl {
  return new Statement("const", ids, start, end, attributes, name, type, initializer, null, null) as ast.ConstDecl;
}

export function overrideDecl(
  ids: ast.NodeIds,
  start: number,
  end: number,
  attributes: readonly ast.Attribute[],
  name: ast.Name,
  type: ast.IdentifierExpr | null,
  initializer: ast.Expr | null,
): ast.OverrideDecl {
  return new Statement(
    "override",
    ids,
    start,
    end,
    attributes,
    name,
    type,
    initializer,
    null,
    null,
  ) as ast.OverrideDecl;
}

export function aliasDecl(
  ids: ast.NodeIds,
  start: number,
  end: number,
  name: ast.Name,
  type: ast.IdentifierExpr,
): ast.AliasDecl {
  return new Statement("alias", ids, start, end, null, name, type, null, null, null) as ast.AliasDecl;
}

export function structDecl(
  ids: ast.NodeIds,
  start: number,
  end: number,
  name: ast.Name,
  members: readonly ast.StructMember[],
): ast.StructDecl {
  return new Statement("struct", ids, start, end, members, name, null, null, null, null) as ast.StructDecl;
}

export function functionDecl(
  ids: ast.NodeIds,
  start: number,
  end: number,
  attributes: readonly ast.Attribute[],
  name: ast.Name,
  params: readonly ast.Param[],
  returnAttributes: readonly ast.Attribute[],
  returnType: ast.IdentifierExpr | null,
  body: ast.CompoundStatement,
): ast.FunctionDecl {
  return new Statement(
    "function",
    ids,
    start,
    end,
    attributes,
    name,
    params,
    returnAttributes,
    returnType,
    body,
  ) as ast.FunctionDecl;
}

export function param(
  ids: ast.NodeIds,
  start: number,
  end: number,
  attributes: readonly ast.Attribute[],
  name: ast.Name,
  type: ast.IdentifierExpr,
): ast.Param {
  return new Statement("param", ids, start, end, attributes, name, type, null, null, null) as ast.Param;
}

export function constAssert(ids: ast.NodeIds, start: number, end: number, condition: ast.Expr): ast.ConstAssert {
  return new Statement("const-assert", ids, start, end, null, null, condition, null, null, null) as ast.ConstAssert;
}

export function errorDecl(ids: ast.NodeIds, start: number, end: number): ast.ErrorDecl {
  return new Statement("error-declaration", ids, start, end, null, null, null, null, null, null) as ast.ErrorDecl;
}

export function compoundStatement(
  ids: ast.NodeIds,
  start: number,
  end: number,
  attributes: readonly ast.Attribute[],
  statements: readonly ast.Statement[],
): ast.CompoundStatement {
  return new Statement(
    "compound",
    ids,
    start,
    end,
    attributes,
    statements,
    null,
    null,
    null,
    null,
  ) as ast.CompoundStatement;
}

export function assignStatement(
  ids: ast.NodeIds,
  start: number,
  end: number,
  operator: ast.AssignOperator,
  left: ast.Expr,
  right: ast.Expr,
): ast.AssignStatement {
  return new Statement("assign", ids, start, end, operator, left, right, null, null, null) as ast.AssignStatement;
}

export function phonyAssignStatement(
  ids: ast.NodeIds,
  start: number,
  end: number,
  value: ast.Expr,
): ast.PhonyAssignStatement {
  return new Statement(
    "phony-assign",
    ids,
    start,
    end,
    null,
    value,
    null,
    null,
    null,
    null,
  ) as ast.PhonyAssignStatement;
}

export function incrementStatement(
  ids: ast.NodeIds,
  start: number,
  end: number,
  operator: "++" | "--",
  left: ast.Expr,
): ast.IncrementStatement {
  return new Statement("increment", ids, start, end, operator, left, null, null, null, null) as ast.IncrementStatement;
}

export function callStatement(ids: ast.NodeIds, start: number, end: number, call: ast.CallExpr): ast.CallStatement {
  return new Statement("call-statement", ids, start, end, null, call, null, null, null, null) as ast.CallStatement;
}

export function ifStatement(
  ids: ast.NodeIds,
  start: number,
  end: number,
  attributes: readonly ast.Attribute[],
  condition: ast.Expr,
  then: ast.CompoundStatement,
  otherwise: ast.IfStatement | ast.CompoundStatement | null,
): ast.IfStatement {
  return new Statement("if", ids, start, end, attributes, then, condition, null, otherwise, null) as ast.IfStatement;
}

export function switchStatement(
  ids: ast.NodeIds,
  start: number,
  end: number,
  attributes: readonly ast.Attribute[],
  selector: ast.Expr,
  bodyAttributes: readonly ast.Attribute[],
  clauses: readonly ast.SwitchClause[],
): ast.SwitchStatement {
  return new Statement(
    "switch",
    ids,
    start,
    end,
    attributes,
    selector,
    bodyAttributes,
    clauses,
    null,
    null,
  ) as ast.SwitchStatement;
}

export function loopStatement(
  ids: ast.NodeIds,
  start: number,
  end: number,
  attributes: readonly ast.Attribute[],
  body: ast.CompoundStatement,
  continuing: ast.ContinuingBlock | null,
): ast.LoopStatement {
  return new Statement("loop", ids, start, end, attributes, continuing, null, null, null, body) as ast.LoopStatement;
}

export function forStatement(
  ids: ast.NodeIds,
  start: number,
  end: number,
  attributes: readonly ast.Attribute[],
  initializer: ast.Statement | null,
  condition: ast.Expr | null,
  update: ast.Statement | null,
  body: ast.CompoundStatement,
): ast.ForStatement {
  return new Statement(
    "for",
    ids,
    start,
    end,
    attributes,
    null,
    condition,
    initializer,
    update,
    body,
  ) as ast.ForStatement;
}

export function whileStatement(
  ids: ast.NodeIds,
  start: number,
  end: number,
  attributes: readonly ast.Attribute[],
  condition: ast.Expr,
  body: ast.CompoundStatement,
): ast.WhileStatement {
  return new Statement("while", ids, start, end, attributes, null, condition, null, null, body) as ast.WhileStatement;
}

export function breakStatement(ids: ast.NodeIds, start: number, end: number): ast.BreakStatement {
  return new Statement("break", ids, start, end, null, null, null, null, null, null) as ast.BreakStatement;
}

export function continueStatement(ids: ast.NodeIds, start: number, end: number): ast.ContinueStatement {
  return new Statement("continue", ids, start, end, null, null, null, null, null, null) as ast.ContinueStatement;
}

export function returnStatement(
  ids: ast.NodeIds,
  start: number,
  end: number,
  value: ast.Expr | null,
): ast.ReturnStatement {
  return new Statement("return", ids, start, end, null, value, null, null, null, null) as ast.ReturnStatement;
}

export function discardStatement(ids: ast.NodeIds, start: number, end: number): ast.DiscardStatement {
  return new Statement("discard", ids, start, end, null, null, null, null, null, null) as ast.DiscardStatement;
}

export function emptyStatement(ids: ast.NodeIds, start: number, end: number): ast.EmptyStatement {
  return new Statement("empty", ids, start, end, null, null, null, null, null, null) as ast.EmptyStatement;
}

export function errorStatement(ids: ast.NodeIds, start: number, end: number): ast.ErrorStatement {
  return new Statement("error-statement", ids, start, end, null, null, null, null, null, null) as ast.ErrorStatement;
}
