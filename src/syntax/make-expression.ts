/**
 * Makes expressions. Whatever their kind, all are objects of one class: whoever walks over a tree asks every expression
 * for its kind and id, and an engine answers several times faster where all objects that come by have one hidden class.
 * Under the names of `ast.ts` their parts are getters of three slots.
 */
import * as ast from "./ast.ts";

class Expression extends ast.Node<ast.Expr["kind"]> {
  declare readonly first: unknown;
  declare readonly second: unknown;
  declare readonly third: unknown;

  constructor(
    kind: ast.Expr["kind"],
    ids: ast.NodeIds,
    start: number,
    end: number,
    first: unknown,
    second: unknown,
    third: unknown,
  ) {
    super(kind, ids, start, end);
    this.first = first;
    this.second = second;
    this.third = third;
  }

  // What has the same name in several kinds lies in the same slot.

  get text(): string {
    return this.first as string;
  }

  get template(): readonly ast.Expr[] | null {
    return this.second as readonly ast.Expr[] | null;
  }

  get name(): ast.Name {
    return new ast.Name(this.text, this.start, this.template === null ? this.end : this.start + this.text.length);
  }

  get type(): ast.LiteralType {
    return this.first as ast.LiteralType;
  }

  get value(): boolean | bigint | number {
    return this.second as boolean | bigint | number;
  }

  get word(): number {
    return this.third as number;
  }

  get callee(): ast.IdentifierExpr {
    return this.first as ast.IdentifierExpr;
  }

  get args(): readonly ast.Expr[] {
    return this.second as readonly ast.Expr[];
  }

  get object(): ast.Expr {
    return this.second as ast.Expr;
  }

  get index(): ast.Expr {
    return this.first as ast.Expr;
  }

  get member(): ast.Name {
    return new ast.Name(this.text, this.end - this.text.length, this.end);
  }

  get operator(): ast.UnaryOperator | ast.BinaryOperator {
    return this.first as ast.UnaryOperator | ast.BinaryOperator;
  }

  get operand(): ast.Expr {
    return this.second as ast.Expr;
  }

  get left(): ast.Expr {
    return this.second as ast.Expr;
  }

  get right(): ast.Expr {
    return this.third as ast.Expr;
  }

  get expression(): ast.Expr {
    return this.first as ast.Expr;
  }
}

export function literal(
  ids: ast.NodeIds,
  start: number,
  end: number,
  type: ast.LiteralType,
  value: boolean | bigint | number,
  word: number,
): ast.LiteralExpr {
  return new Expression("literal", ids, start, end, type, value, word) as ast.LiteralExpr;
}

export function identifier(
  ids: ast.NodeIds,
  start: number,
  end: number,
  text: string,
  template: readonly ast.Expr[] | null,
): ast.IdentifierExpr {
  return new Expression("identifier", ids, start, end, text, template, null) as ast.IdentifierExpr;
}

export function call(
  ids: ast.NodeIds,
  start: number,
  end: number,
  callee: ast.IdentifierExpr,
  args: readonly ast.Expr[],
): ast.CallExpr {
  return new Expression("call", ids, start, end, callee, args, null) as ast.CallExpr;
}

export function index(ids: ast.NodeIds, start: number, end: number, object: ast.Expr, index: ast.Expr): ast.IndexExpr {
  return new Expression("index", ids, start, end, index, object, null) as ast.IndexExpr;
}

export function member(ids: ast.NodeIds, start: number, end: number, object: ast.Expr, text: string): ast.MemberExpr {
  return new Expression("member", ids, start, end, text, object, null) as ast.MemberExpr;
}

export function unary(
  ids: ast.NodeIds,
  start: number,
  end: number,
  operator: ast.UnaryOperator,
  operand: ast.Expr,
): ast.UnaryExpr {
  return new Expression("unary", ids, start, end, operator, operand, null) as ast.UnaryExpr;
}

export function binary(
  ids: ast.NodeIds,
  start: number,
  end: number,
  operator: ast.BinaryOperator,
  left: ast.Expr,
  right: ast.Expr,
): ast.BinaryExpr {
  return new Expression("binary", ids, start, end, operator, left, right) as ast.BinaryExpr;
}

export function paren(ids: ast.NodeIds, start: number, end: number, expression: ast.Expr): ast.ParenExpr {
  return new Expression("paren", ids, start, end, expression, null, null) as ast.ParenExpr;
}

export function errorExpression(ids: ast.NodeIds, start: number, end: number): ast.ErrorExpr {
  return new Expression("error-expression", ids, start, end, null, null, null) as ast.ErrorExpr;
}
