/**
 * Makes statements and declarations. As with expressions, all are objects of two classes, whatever their kind: whoever walks
 * over blocks asks each for its kind. Under the names of `ast.ts` their parts are getters of slots, and kind and id share
 * one.
 */
import type { Span } from "../text/source.ts";
import type * as ast from "./ast.ts";

type Kind = ast.Statement["kind"] | ast.GlobalDecl["kind"] | "param";

const KINDS = [
  "var",
  "let",
  "const",
  "override",
  "alias",
  "struct",
  "function",
  "param",
  "const-assert",
  "error-declaration",
  "compound",
  "assign",
  "phony-assign",
  "increment",
  "call-statement",
  "if",
  "switch",
  "loop",
  "for",
  "while",
  "break",
  "continue",
  "return",
  "discard",
  "empty",
  "error-statement",
] as const satisfies readonly Kind[];

const VAR = 0;
const LET = 1;
const CONST = 2;
const OVERRIDE = 3;
const ALIAS = 4;
const STRUCT = 5;
const FUNCTION = 6;
const PARAM = 7;
const CONST_ASSERT = 8;
const ERROR_DECLARATION = 9;
const COMPOUND = 10;
const ASSIGN = 11;
const PHONY_ASSIGN = 12;
const INCREMENT = 13;
const CALL_STATEMENT = 14;
const IF = 15;
const SWITCH = 16;
const LOOP = 17;
const FOR = 18;
const WHILE = 19;
const BREAK = 20;
const CONTINUE = 21;
const RETURN = 22;
const DISCARD = 23;
const EMPTY = 24;
const ERROR_STATEMENT = 25;

/** Bits of the kind below the id. */
const KIND_BITS = 5;
const KIND = (1 << KIND_BITS) - 1;

class Statement {
  declare readonly kindAndId: number;
  declare readonly start: number;
  declare readonly end: number;
  declare readonly first: unknown;
  declare readonly second: unknown;
  declare readonly third: unknown;

  /** Ends before it begins what could not be read: such a node is empty. */
  constructor(
    kind: number,
    ids: ast.NodeIds,
    start: number,
    end: number,
    first: unknown,
    second: unknown,
    third: unknown,
  ) {
    this.kindAndId = kind | (ids.count++ << KIND_BITS);
    this.start = start;
    this.end = Math.max(start, end);
    this.first = first;
    this.second = second;
    this.third = third;
  }

  get kind(): Kind {
    return KINDS[this.kindAndId & KIND];
  }

  get id(): ast.NodeId {
    return this.kindAndId >> KIND_BITS;
  }

  get span(): Span {
    return { start: this.start, end: this.end };
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
}

/** One of more than three parts. */
class LongStatement extends Statement {
  declare readonly fourth: unknown;
  declare readonly fifth: unknown;
  declare readonly sixth: unknown;

  constructor(
    kind: number,
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
    super(kind, ids, start, end, first, second, third);
    this.fourth = fourth;
    this.fifth = fifth;
    this.sixth = sixth;
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
  return new LongStatement(VAR, ids, start, end, attributes, name, type, initializer, template, null) as ast.VarDecl;
}

export function letDecl(
  ids: ast.NodeIds,
  start: number,
  end: number,
  name: ast.Name,
  type: ast.IdentifierExpr | null,
  initializer: ast.Expr,
): ast.LetDecl {
  return new LongStatement(LET, ids, start, end, null, name, type, initializer, null, null) as ast.LetDecl;
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
  return new LongStatement(CONST, ids, start, end, attributes, name, type, initializer, null, null) as ast.ConstDecl;
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
  return new LongStatement(
    OVERRIDE,
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
  return new Statement(ALIAS, ids, start, end, null, name, type) as ast.AliasDecl;
}

export function structDecl(
  ids: ast.NodeIds,
  start: number,
  end: number,
  name: ast.Name,
  members: readonly ast.StructMember[],
): ast.StructDecl {
  return new Statement(STRUCT, ids, start, end, members, name, null) as ast.StructDecl;
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
  return new LongStatement(
    FUNCTION,
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
  return new Statement(PARAM, ids, start, end, attributes, name, type) as ast.Param;
}

export function constAssert(ids: ast.NodeIds, start: number, end: number, condition: ast.Expr): ast.ConstAssert {
  return new Statement(CONST_ASSERT, ids, start, end, null, null, condition) as ast.ConstAssert;
}

export function errorDecl(ids: ast.NodeIds, start: number, end: number): ast.ErrorDecl {
  return new Statement(ERROR_DECLARATION, ids, start, end, null, null, null) as ast.ErrorDecl;
}

export function compoundStatement(
  ids: ast.NodeIds,
  start: number,
  end: number,
  attributes: readonly ast.Attribute[],
  statements: readonly ast.Statement[],
): ast.CompoundStatement {
  return new Statement(COMPOUND, ids, start, end, attributes, statements, null) as ast.CompoundStatement;
}

export function assignStatement(
  ids: ast.NodeIds,
  start: number,
  end: number,
  operator: ast.AssignOperator,
  left: ast.Expr,
  right: ast.Expr,
): ast.AssignStatement {
  return new Statement(ASSIGN, ids, start, end, operator, left, right) as ast.AssignStatement;
}

export function phonyAssignStatement(
  ids: ast.NodeIds,
  start: number,
  end: number,
  value: ast.Expr,
): ast.PhonyAssignStatement {
  return new Statement(PHONY_ASSIGN, ids, start, end, null, value, null) as ast.PhonyAssignStatement;
}

export function incrementStatement(
  ids: ast.NodeIds,
  start: number,
  end: number,
  operator: "++" | "--",
  left: ast.Expr,
): ast.IncrementStatement {
  return new Statement(INCREMENT, ids, start, end, operator, left, null) as ast.IncrementStatement;
}

export function callStatement(ids: ast.NodeIds, start: number, end: number, call: ast.CallExpr): ast.CallStatement {
  return new Statement(CALL_STATEMENT, ids, start, end, null, call, null) as ast.CallStatement;
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
  return new LongStatement(IF, ids, start, end, attributes, then, condition, null, otherwise, null) as ast.IfStatement;
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
  return new LongStatement(
    SWITCH,
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
  return new LongStatement(LOOP, ids, start, end, attributes, continuing, null, null, null, body) as ast.LoopStatement;
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
  return new LongStatement(
    FOR,
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
  return new LongStatement(WHILE, ids, start, end, attributes, null, condition, null, null, body) as ast.WhileStatement;
}

export function breakStatement(ids: ast.NodeIds, start: number, end: number): ast.BreakStatement {
  return new Statement(BREAK, ids, start, end, null, null, null) as ast.BreakStatement;
}

export function continueStatement(ids: ast.NodeIds, start: number, end: number): ast.ContinueStatement {
  return new Statement(CONTINUE, ids, start, end, null, null, null) as ast.ContinueStatement;
}

export function returnStatement(
  ids: ast.NodeIds,
  start: number,
  end: number,
  value: ast.Expr | null,
): ast.ReturnStatement {
  return new Statement(RETURN, ids, start, end, null, value, null) as ast.ReturnStatement;
}

export function discardStatement(ids: ast.NodeIds, start: number, end: number): ast.DiscardStatement {
  return new Statement(DISCARD, ids, start, end, null, null, null) as ast.DiscardStatement;
}

export function emptyStatement(ids: ast.NodeIds, start: number, end: number): ast.EmptyStatement {
  return new Statement(EMPTY, ids, start, end, null, null, null) as ast.EmptyStatement;
}

export function errorStatement(ids: ast.NodeIds, start: number, end: number): ast.ErrorStatement {
  return new Statement(ERROR_STATEMENT, ids, start, end, null, null, null) as ast.ErrorStatement;
}
