/**
 * Makes expressions. Whatever their kind, all are objects of few classes: whoever walks over a tree asks every expression
 * for its kind and id, and an engine answers several times faster where the objects that come by have few hidden classes,
 * and finds those in one place. Under the names of `ast.ts` their parts are getters of a few slots.
 *
 * A large module has more expressions than all else, and all of them live until it is checked: an engine copies them
 * twice until it takes them for old. So each slot counts: kind and id share one, with what tells of parentheses. And each
 * object does: a list is two of them, so few arguments of a call have slots of their own.
 */
import { listFrom } from "../text/list.ts";
import type { Span } from "../text/source.ts";
import * as ast from "./ast.ts";
import { TOKEN_TEXT } from "./tokens.ts";

const LITERAL = 0;
const IDENTIFIER = 1;
const CALL = 2;
const INDEX = 3;
const MEMBER = 4;
const UNARY = 5;
const BINARY = 6;
const ERROR = 7;

const KINDS: readonly ast.Expr["kind"][] = [
  "literal",
  "identifier",
  "call",
  "index",
  "member",
  "unary",
  "binary",
  "error-expression",
];

/** Below the id: the kind, whether the expression was read in parentheses, and how many arguments have slots. */
const KIND = 7;
const PARENTHESIZED = 8;
const SLOTS_SHIFT = 4;
const MOST_SLOTS = 3;
const ID_SHIFT = 6;

/** What all literals of a module have in common that are written the same. */
export class Spelling {
  declare readonly type: ast.LiteralType;
  declare readonly value: boolean | bigint | number;
  declare readonly word: number;
  declare readonly length: number;

  constructor(type: ast.LiteralType, value: boolean | bigint | number, word: number, length: number) {
    this.type = type;
    this.value = value;
    this.word = word;
    this.length = length;
  }
}

abstract class Expression {
  declare kindAndId: number;
  declare readonly start: number;
  declare readonly first: unknown;
  // Not all have these slots, and nobody asks those that do not.
  declare protected second: unknown;
  declare protected third: unknown;
  declare protected fourth: unknown;
  abstract readonly end: number;

  constructor(kind: number, id: ast.NodeId, start: number, first: unknown) {
    this.kindAndId = kind | (id << ID_SHIFT);
    this.start = start;
    this.first = first;
  }

  get kind(): ast.Expr["kind"] {
    return KINDS[this.kindAndId & KIND];
  }

  get id(): ast.NodeId {
    return this.kindAndId >> ID_SHIFT;
  }

  get isParenthesized(): boolean {
    return (this.kindAndId & PARENTHESIZED) !== 0;
  }

  get span(): Span {
    return { start: this.start, end: this.end };
  }

  /** How many arguments of a call have slots of their own, in the order of the slots; 0: they are a list. */
  get slots(): number {
    return (this.kindAndId >> SLOTS_SHIFT) & MOST_SLOTS;
  }

  // What has the same name in several kinds lies in the same slot.

  get text(): string {
    return this.first as string;
  }

  get name(): ast.Name {
    return new ast.Name(this.text, this.start, this.template === null ? this.end : this.start + this.text.length);
  }

  get type(): ast.LiteralType {
    return (this.first as Spelling).type;
  }

  get value(): boolean | bigint | number {
    return (this.first as Spelling).value;
  }

  get word(): number {
    return (this.first as Spelling).word;
  }

  get calleeId(): ast.NodeId {
    return this.id - 1;
  }

  get calleeStart(): number {
    return this.start;
  }

  /** Behind the name and the template list of a call. */
  get calleeEnd(): number {
    return this.start + this.text.length;
  }

  get callee(): ast.IdentifierExpr {
    return name(this.calleeId, this.calleeStart, this.calleeEnd, this.text, this.template);
  }

  /** Of names and calls. */
  get template(): readonly ast.Expr[] | null {
    return null;
  }

  get args(): readonly ast.Expr[] {
    if (this.slots === 0) return this.second as readonly ast.Expr[];
    const args = new Array<ast.Expr>(this.slots);
    for (let at = 0; at < args.length; at++) args[at] = this.arg(at);
    return args;
  }

  get argCount(): number {
    const slots = this.slots;
    return slots > 0 ? slots : (this.second as readonly ast.Expr[]).length;
  }

  arg(at: number): ast.Expr {
    if (this.slots === 0) return (this.second as readonly ast.Expr[])[at];
    return (at === 0 ? this.second : at === 1 ? this.third : this.fourth) as ast.Expr;
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
    return TOKEN_TEXT[this.operation] as ast.UnaryOperator | ast.BinaryOperator;
  }

  get operation(): number {
    return this.first as number;
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
}

/** A literal, or a name without template list: it ends where its text does. */
class Leaf extends Expression {
  get end(): number {
    return this.start + (this.first as string | Spelling).length;
  }
}

/** One of two parts. */
class Pair extends Expression {
  declare readonly end: number;

  /** Ends before it begins what could not be read: such a node is empty. */
  constructor(kind: number, id: ast.NodeId, start: number, end: number, first: unknown, second: unknown) {
    super(kind, id, start, first);
    this.end = Math.max(start, end);
    this.second = second;
  }

  override get template(): readonly ast.Expr[] | null {
    return (this.kindAndId & KIND) === IDENTIFIER ? (this.second as readonly ast.Expr[] | null) : null;
  }
}

/** One of three parts. */
class Triple extends Pair {
  constructor(
    kind: number,
    id: ast.NodeId,
    start: number,
    end: number,
    first: unknown,
    second: unknown,
    third: unknown,
  ) {
    super(kind, id, start, end, first, second);
    this.third = third;
  }
}

/** A call of three arguments. Or one with a template list or of what is no name: then that and its end are the last slots. */
class LongCall extends Pair {
  constructor(
    kind: number,
    id: ast.NodeId,
    start: number,
    end: number,
    text: string,
    second: unknown,
    third: unknown,
    fourth: unknown,
  ) {
    super(kind, id, start, end, text, second);
    this.third = third;
    this.fourth = fourth;
  }

  override get template(): readonly ast.Expr[] | null {
    return this.slots < MOST_SLOTS ? (this.third as readonly ast.Expr[] | null) : null;
  }

  override get calleeEnd(): number {
    return this.slots < MOST_SLOTS ? (this.fourth as number) : this.start + this.text.length;
  }
}

/** A call that its callee does not begin: `(float)x`, which is none, but read as one. */
class Cast extends LongCall {
  declare readonly fifth: number;

  constructor(id: ast.NodeId, start: number, end: number, callee: Span, type: string, operand: ast.Expr) {
    super(callOf(1), id, start, end, type, operand, null, callee.end);
    this.fifth = callee.start;
  }

  override get calleeStart(): number {
    return this.fifth;
  }
}

/** With so many arguments in slots. */
function callOf(slots: number): number {
  return CALL | (slots << SLOTS_SHIFT);
}

export function literal(ids: ast.NodeIds, start: number, spelling: Spelling): ast.LiteralExpr {
  return new Leaf(LITERAL, ids.count++, start, spelling) as Expression as ast.LiteralExpr;
}

/** `end`: a name that could not be read, or which is read as another one, ends elsewhere than its text. */
function name(
  id: ast.NodeId,
  start: number,
  end: number,
  text: string,
  template: readonly ast.Expr[] | null,
): ast.IdentifierExpr {
  const isLeaf = template === null && end - start === text.length;
  return (isLeaf
    ? new Leaf(IDENTIFIER, id, start, text)
    : new Pair(IDENTIFIER, id, start, end, text, template)) as Expression as ast.IdentifierExpr;
}

/** One without template list, which is written as its text says. */
export function plainIdentifier(ids: ast.NodeIds, start: number, text: string): ast.IdentifierExpr {
  return new Leaf(IDENTIFIER, ids.count++, start, text) as Expression as ast.IdentifierExpr;
}

export function identifier(
  ids: ast.NodeIds,
  start: number,
  end: number,
  text: string,
  template: readonly ast.Expr[] | null,
): ast.IdentifierExpr {
  return name(ids.count++, start, end, text, template);
}

/** Its id follows on that of its callee. Its arguments are the `count` items from `base`. */
export function call(
  id: ast.NodeId,
  start: number,
  end: number,
  calleeEnd: number,
  text: string,
  template: readonly ast.Expr[] | null,
  items: readonly ast.Expr[],
  base: number,
  count: number,
): ast.CallExpr {
  const isPlain = template === null && calleeEnd - start === text.length;
  if (isPlain) return plainCall(id, start, end, text, items, base, count) as ast.CallExpr;
  const slots = count === 1 ? 1 : 0;
  const args = slots === 1 ? items[base] : listFrom(items, base, count);
  return new LongCall(callOf(slots), id, start, end, text, args, template, calleeEnd) as Expression as ast.CallExpr;
}

const NO_ARGUMENTS: readonly ast.Expr[] = [];

function plainCall(
  id: ast.NodeId,
  start: number,
  end: number,
  text: string,
  items: readonly ast.Expr[],
  base: number,
  count: number,
): Expression {
  switch (count) {
    case 1:
      return new Pair(callOf(1), id, start, end, text, items[base]);
    case 2:
      return new Triple(callOf(2), id, start, end, text, items[base], items[base + 1]);
    case 3:
      return new LongCall(callOf(3), id, start, end, text, items[base], items[base + 1], items[base + 2]);
    default:
      return new Pair(CALL, id, start, end, text, count === 0 ? NO_ARGUMENTS : listFrom(items, base, count));
  }
}

/** As `call`. */
export function cast(
  id: ast.NodeId,
  start: number,
  end: number,
  callee: Span,
  type: string,
  operand: ast.Expr,
): ast.CallExpr {
  return new Cast(id, start, end, callee, type, operand) as Expression as ast.CallExpr;
}

export function index(ids: ast.NodeIds, start: number, end: number, object: ast.Expr, index: ast.Expr): ast.IndexExpr {
  return new Pair(INDEX, ids.count++, start, end, index, object) as Expression as ast.IndexExpr;
}

export function member(ids: ast.NodeIds, start: number, end: number, object: ast.Expr, text: string): ast.MemberExpr {
  return new Pair(MEMBER, ids.count++, start, end, text, object) as Expression as ast.MemberExpr;
}

export function unary(
  ids: ast.NodeIds,
  start: number,
  end: number,
  operation: number,
  operand: ast.Expr,
): ast.UnaryExpr {
  return new Pair(UNARY, ids.count++, start, end, operation, operand) as Expression as ast.UnaryExpr;
}

export function binary(
  ids: ast.NodeIds,
  start: number,
  end: number,
  operation: number,
  left: ast.Expr,
  right: ast.Expr,
): ast.BinaryExpr {
  return new Triple(BINARY, ids.count++, start, end, operation, left, right) as Expression as ast.BinaryExpr;
}

/** The same expression, now as one that was read in parentheses. */
export function parenthesized(expression: ast.Expr): ast.Expr {
  (expression as ast.ExprBase as Expression).kindAndId |= PARENTHESIZED;
  return expression;
}

export function errorExpression(ids: ast.NodeIds, start: number, end: number): ast.ErrorExpr {
  return new Pair(ERROR, ids.count++, start, end, null, null) as Expression as ast.ErrorExpr;
}
