/**
 * The syntax tree: unions with a `kind`, a dense `id` (index into the tables of later passes) and a span. A parser never
 * fails: what cannot be read becomes an error node. An absent part is `null`.
 *
 * A large shader has a hundred thousand nodes, which all live until it is checked: a node is one object, with numbers where
 * a span or a name would be another one. Nodes are told apart by their `kind` and have no behaviour; they are classes for
 * the sake of the getters that make those, and of hidden classes. There is one class for all expressions and one for all
 * statements and declarations (make-expression.ts, make-statement.ts): there, ask for the kind, not whether a part is `in`.
 */
import type { Span } from "../text/source.ts";

/** Index of a node in the tables of later passes; ids of one module run from 0 without holes. */
export type NodeId = number;

/** Where the ids of the nodes of one module come from. */
export interface NodeIds {
  /** Ids given so far. */
  count: number;
}

/**
 * A name as written, where it is declared or mentioned without being an expression. Its text is empty where no name could
 * be read, and where a reserved word is used: a message was given, and nobody shall look it up.
 */
export class Name {
  declare readonly text: string;
  declare readonly start: number;
  declare readonly end: number;

  constructor(text: string, start: number, end: number) {
    this.text = text;
    this.start = start;
    this.end = end;
  }

  get span(): Span {
    return { start: this.start, end: this.end };
  }
}

export interface NodeBase {
  readonly id: NodeId;
  /** UTF-16 offsets of the first unit and behind the last one. */
  readonly start: number;
  readonly end: number;
  /** The same two as an object of its own, made at each call. */
  readonly span: Span;
}

export abstract class Node<Kind extends string> {
  declare readonly kind: Kind;
  declare readonly id: NodeId;
  declare readonly start: number;
  declare readonly end: number;

  /** Ends before it begins what could not be read: such a node is empty. */
  constructor(kind: Kind, ids: NodeIds, start: number, end: number) {
    this.kind = kind;
    this.id = ids.count++;
    this.start = start;
    this.end = Math.max(start, end);
  }

  get span(): Span {
    return { start: this.start, end: this.end };
  }
}

// ---------------------------------------------------------------- expressions

export type UnaryOperator = "-" | "!" | "~" | "*" | "&";
export type BinaryOperator =
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "&"
  | "|"
  | "^"
  | "<<"
  | ">>"
  | "=="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "&&"
  | "||";

export type Expr =
  | LiteralExpr
  | IdentifierExpr
  | CallExpr
  | IndexExpr
  | MemberExpr
  | UnaryExpr
  | BinaryExpr
  | ErrorExpr;

export type LiteralType = "bool" | "abstract-int" | "i32" | "u32" | "abstract-float" | "f32" | "f16";

export interface ExprBase extends NodeBase {
  /**
   * Whether it was read in parentheses. They are no node: they show in how the tree is built, the span of an expression is
   * without its own and covers those of its operands. spec: #parenthesized-expressions
   */
  readonly isParenthesized: boolean;
}

/** spec: #literal-expressions. Abstract integers are `bigint`, booleans `boolean`, all others `number`. */
export interface LiteralExpr extends ExprBase {
  readonly kind: "literal";
  readonly type: LiteralType;
  readonly value: boolean | bigint | number;
  /** The same for all literals of a module that are written the same; a small number. */
  readonly word: number;
}

/** template_elaborated_ident: a name with an optional template list; also how a type is written. */
export interface IdentifierExpr extends ExprBase {
  readonly kind: "identifier";
  /** Of the name: as `Name` has it. */
  readonly text: string;
  /** Arguments of the template list, null when there is none. */
  readonly template: readonly Expr[] | null;
  /** Made at each call. */
  readonly name: Name;
}

export interface CallExpr extends ExprBase {
  readonly kind: "call";
  /** Name and template list of the callee. */
  readonly text: string;
  readonly template: readonly Expr[] | null;
  readonly argCount: number;
  arg(at: number): Expr;
  /** Made at each call. */
  readonly args: readonly Expr[];
  /** What the callee denotes is known of this id. */
  readonly calleeId: NodeId;
  /** Name and template list as an expression, made at each call: the tree has none. */
  readonly callee: IdentifierExpr;
}

export interface IndexExpr extends ExprBase {
  readonly kind: "index";
  readonly object: Expr;
  readonly index: Expr;
}

/** `object.member`: a structure member or a swizzle. */
export interface MemberExpr extends ExprBase {
  readonly kind: "member";
  readonly object: Expr;
  /** Of the name behind the period: as `Name` has it. */
  readonly text: string;
  /** Made at each call. */
  readonly member: Name;
}

export interface UnaryExpr extends ExprBase {
  readonly kind: "unary";
  readonly operator: UnaryOperator;
  readonly operand: Expr;
}

export interface BinaryExpr extends ExprBase {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  /** The kind of its token: a number for each operator. */
  readonly operation: number;
  readonly left: Expr;
  readonly right: Expr;
}

/** What could not be read as an expression; a message was given where it was made. */
export interface ErrorExpr extends ExprBase {
  readonly kind: "error-expression";
}

// ---------------------------------------------------------------- attributes and directives

/** spec: #diagnostic-filtering: `(off, derivative_uniformity)`; a rule has one or two parts. */
export interface DiagnosticControl {
  readonly severity: Name;
  readonly rule: readonly Name[];
}

/**
 * spec: #attributes. Context-dependent names (`@builtin(position)`, `@interpolate(flat, center)`) stand as identifier
 * expressions in `args`; `@diagnostic` has `control` instead.
 */
export class Attribute extends Node<"attribute"> {
  /** Of the name: as `Name` has it. */
  declare readonly text: string;
  declare readonly nameStart: number;
  /** null when there is no parenthesis at all. */
  declare readonly args: readonly Expr[] | null;
  declare readonly control: DiagnosticControl | null;

  constructor(
    ids: NodeIds,
    start: number,
    end: number,
    name: Name,
    args: readonly Expr[] | null,
    control: DiagnosticControl | null,
  ) {
    super("attribute", ids, start, end);
    this.text = name.text;
    this.nameStart = name.start;
    this.args = args;
    this.control = control;
  }

  /** Made at each call. */
  get name(): Name {
    return new Name(this.text, this.nameStart, this.nameStart + this.text.length);
  }
}

export type Directive = EnableDirective | RequiresDirective | DiagnosticDirective;

export class EnableDirective extends Node<"enable"> {
  declare readonly names: readonly Name[];

  constructor(ids: NodeIds, start: number, end: number, names: readonly Name[]) {
    super("enable", ids, start, end);
    this.names = names;
  }
}

export class RequiresDirective extends Node<"requires"> {
  declare readonly names: readonly Name[];

  constructor(ids: NodeIds, start: number, end: number, names: readonly Name[]) {
    super("requires", ids, start, end);
    this.names = names;
  }
}

export class DiagnosticDirective extends Node<"diagnostic"> {
  declare readonly control: DiagnosticControl;

  constructor(ids: NodeIds, start: number, end: number, control: DiagnosticControl) {
    super("diagnostic", ids, start, end);
    this.control = control;
  }
}

// ---------------------------------------------------------------- declarations

export type GlobalDecl =
  | VarDecl
  | ConstDecl
  | OverrideDecl
  | AliasDecl
  | StructDecl
  | FunctionDecl
  | ConstAssert
  | ErrorDecl;

export type NamedDecl = Exclude<GlobalDecl, ConstAssert | ErrorDecl>;

export function isNamed(node: GlobalDecl): node is NamedDecl {
  return node.kind !== "const-assert" && node.kind !== "error-declaration";
}

/** What a name inside a function can be declared by. */
export type LocalDecl = VarDecl | LetDecl | ConstDecl;

/** `var`, at module scope or in a function. `template` holds address space and access mode as written. */
export interface VarDecl extends NodeBase {
  readonly kind: "var";
  readonly attributes: readonly Attribute[];
  readonly template: readonly Expr[] | null;
  readonly name: Name;
  readonly type: IdentifierExpr | null;
  readonly initializer: Expr | null;
}

export interface LetDecl extends NodeBase {
  readonly kind: "let";
  readonly name: Name;
  readonly type: IdentifierExpr | null;
  readonly initializer: Expr;
}

export interface ConstDecl extends NodeBase {
  readonly kind: "const";
  /** Empty: never legal, the parser says so. */
  readonly attributes: readonly Attribute[];
  readonly name: Name;
  readonly type: IdentifierExpr | null;
  readonly initializer: Expr;
}

export interface OverrideDecl extends NodeBase {
  readonly kind: "override";
  readonly attributes: readonly Attribute[];
  readonly name: Name;
  readonly type: IdentifierExpr | null;
  readonly initializer: Expr | null;
}

export interface AliasDecl extends NodeBase {
  readonly kind: "alias";
  readonly name: Name;
  readonly type: IdentifierExpr;
}

export interface StructDecl extends NodeBase {
  readonly kind: "struct";
  readonly name: Name;
  readonly members: readonly StructMember[];
}

export class StructMember extends Node<"struct-member"> {
  declare readonly attributes: readonly Attribute[];
  /** Of the name: as `Name` has it. */
  declare readonly text: string;
  declare readonly nameStart: number;
  declare readonly type: IdentifierExpr;

  constructor(
    ids: NodeIds,
    start: number,
    end: number,
    attributes: readonly Attribute[],
    name: Name,
    type: IdentifierExpr,
  ) {
    super("struct-member", ids, start, end);
    this.attributes = attributes;
    this.text = name.text;
    this.nameStart = name.start;
    this.type = type;
  }

  /** Made at each call. */
  get name(): Name {
    return new Name(this.text, this.nameStart, this.nameStart + this.text.length);
  }
}

export interface FunctionDecl extends NodeBase {
  readonly kind: "function";
  readonly attributes: readonly Attribute[];
  readonly name: Name;
  readonly params: readonly Param[];
  readonly returnAttributes: readonly Attribute[];
  readonly returnType: IdentifierExpr | null;
  readonly body: CompoundStatement;
}

export interface Param extends NodeBase {
  readonly kind: "param";
  readonly attributes: readonly Attribute[];
  readonly name: Name;
  readonly type: IdentifierExpr;
}

/** A declaration at module scope and a statement in a function. */
export interface ConstAssert extends NodeBase {
  readonly kind: "const-assert";
  readonly condition: Expr;
}

export interface ErrorDecl extends NodeBase {
  readonly kind: "error-declaration";
}

// ---------------------------------------------------------------- statements

export type Statement =
  | CompoundStatement
  | VarDecl
  | LetDecl
  | ConstDecl
  | ConstAssert
  | AssignStatement
  | PhonyAssignStatement
  | IncrementStatement
  | CallStatement
  | IfStatement
  | SwitchStatement
  | LoopStatement
  | ForStatement
  | WhileStatement
  | BreakStatement
  | ContinueStatement
  | ReturnStatement
  | DiscardStatement
  | EmptyStatement
  | ErrorStatement;

export interface CompoundStatement extends NodeBase {
  readonly kind: "compound";
  readonly attributes: readonly Attribute[];
  readonly statements: readonly Statement[];
}

/** The binary operator that a compound assignment applies; null for plain `=`. */
export type AssignOperator = Extract<
  BinaryOperator,
  "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "<<" | ">>"
> | null;

export interface AssignStatement extends NodeBase {
  readonly kind: "assign";
  readonly operator: AssignOperator;
  readonly left: Expr;
  readonly right: Expr;
}

/** `_ = value;` */
export interface PhonyAssignStatement extends NodeBase {
  readonly kind: "phony-assign";
  readonly value: Expr;
}

/** `left++` or `left--` */
export interface IncrementStatement extends NodeBase {
  readonly kind: "increment";
  readonly operator: "++" | "--";
  readonly left: Expr;
}

export interface CallStatement extends NodeBase {
  readonly kind: "call-statement";
  readonly call: CallExpr;
}

export interface IfStatement extends NodeBase {
  readonly kind: "if";
  readonly attributes: readonly Attribute[];
  readonly condition: Expr;
  readonly then: CompoundStatement;
  readonly otherwise: IfStatement | CompoundStatement | null;
}

export interface SwitchStatement extends NodeBase {
  readonly kind: "switch";
  readonly attributes: readonly Attribute[];
  readonly selector: Expr;
  /** Attributes between the selector and `{`. */
  readonly bodyAttributes: readonly Attribute[];
  readonly clauses: readonly SwitchClause[];
}

export class SwitchClause extends Node<"switch-clause"> {
  declare readonly selectors: readonly (Expr | DefaultSelector)[];
  declare readonly body: CompoundStatement;

  constructor(
    ids: NodeIds,
    start: number,
    end: number,
    selectors: readonly (Expr | DefaultSelector)[],
    body: CompoundStatement,
  ) {
    super("switch-clause", ids, start, end);
    this.selectors = selectors;
    this.body = body;
  }
}

export class DefaultSelector extends Node<"default"> {
  constructor(ids: NodeIds, start: number, end: number) {
    super("default", ids, start, end);
  }
}

export interface LoopStatement extends NodeBase {
  readonly kind: "loop";
  readonly attributes: readonly Attribute[];
  /** `attributes` of the compound are those between `loop` and `{`; the continuing block is not among its statements. */
  readonly body: CompoundStatement;
  readonly continuing: ContinuingBlock | null;
}

export class ContinuingBlock extends Node<"continuing"> {
  /** Its statements, without the closing `break if`. */
  declare readonly body: CompoundStatement;
  declare readonly breakIf: Expr | null;

  constructor(ids: NodeIds, start: number, end: number, body: CompoundStatement, breakIf: Expr | null) {
    super("continuing", ids, start, end);
    this.body = body;
    this.breakIf = breakIf;
  }
}

export interface ForStatement extends NodeBase {
  readonly kind: "for";
  readonly attributes: readonly Attribute[];
  readonly initializer: Statement | null;
  readonly condition: Expr | null;
  readonly update: Statement | null;
  readonly body: CompoundStatement;
}

export interface WhileStatement extends NodeBase {
  readonly kind: "while";
  readonly attributes: readonly Attribute[];
  readonly condition: Expr;
  readonly body: CompoundStatement;
}

export interface BreakStatement extends NodeBase {
  readonly kind: "break";
}

export interface ContinueStatement extends NodeBase {
  readonly kind: "continue";
}

export interface ReturnStatement extends NodeBase {
  readonly kind: "return";
  readonly value: Expr | null;
}

export interface DiscardStatement extends NodeBase {
  readonly kind: "discard";
}

/** A lone `;` */
export interface EmptyStatement extends NodeBase {
  readonly kind: "empty";
}

export interface ErrorStatement extends NodeBase {
  readonly kind: "error-statement";
}

// ---------------------------------------------------------------- module

export interface Comment {
  readonly span: Span;
}

export interface Module {
  readonly kind: "module";
  readonly span: Span;
  readonly directives: readonly Directive[];
  readonly declarations: readonly GlobalDecl[];
  readonly comments: readonly Comment[];
  /** Ids of nodes run from 0 up to this. */
  readonly nodeCount: number;
}
