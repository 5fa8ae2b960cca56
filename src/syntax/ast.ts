/**
 * The syntax tree: unions with a `kind`, a dense `id` (index into the tables of later passes) and a span. A parser never
 * fails: what cannot be read becomes an error node. An absent part is `null`.
 *
 * A large shader has a hundred thousand nodes, which all live until it is checked: a node is one object, with numbers where
 * a span or a name would be another one. Nodes are classes for the sake of the getters that make those, and of hidden
 * classes; they have no behaviour, and are told apart by their `kind`.
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
  | ParenExpr
  | ErrorExpr;

export type LiteralType = "bool" | "abstract-int" | "i32" | "u32" | "abstract-float" | "f32" | "f16";

/** spec: #literal-expressions. Abstract integers are `bigint`, booleans `boolean`, all others `number`. */
export interface LiteralExpr extends NodeBase {
  readonly kind: "literal";
  readonly type: LiteralType;
  readonly value: boolean | bigint | number;
  /** The same for all literals of a module that are written the same; a small number. */
  readonly word: number;
}

/** template_elaborated_ident: a name with an optional template list; also how a type is written. */
export interface IdentifierExpr extends NodeBase {
  readonly kind: "identifier";
  /** Of the name: as `Name` has it. */
  readonly text: string;
  /** Arguments of the template list, null when there is none. */
  readonly template: readonly Expr[] | null;
  /** Made at each call. */
  readonly name: Name;
}

export interface CallExpr extends NodeBase {
  readonly kind: "call";
  readonly callee: IdentifierExpr;
  readonly args: readonly Expr[];
}

export interface IndexExpr extends NodeBase {
  readonly kind: "index";
  readonly object: Expr;
  readonly index: Expr;
}

/** `object.member`: a structure member or a swizzle. */
export interface MemberExpr extends NodeBase {
  readonly kind: "member";
  readonly object: Expr;
  /** Of the name behind the period: as `Name` has it. */
  readonly text: string;
  /** Made at each call. */
  readonly member: Name;
}

export interface UnaryExpr extends NodeBase {
  readonly kind: "unary";
  readonly operator: UnaryOperator;
  readonly operand: Expr;
}

export interface BinaryExpr extends NodeBase {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: Expr;
  readonly right: Expr;
}

export interface ParenExpr extends NodeBase {
  readonly kind: "paren";
  readonly expression: Expr;
}

/** What could not be read as an expression; a message was given where it was made. */
export interface ErrorExpr extends NodeBase {
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
  declare readonly name: Name;
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
    this.name = name;
    this.args = args;
    this.control = control;
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

/** What a name inside a function can be declared by. */
export type LocalDecl = VarDecl | LetDecl | ConstDecl;

/** `var`, at module scope or in a function. `template` holds address space and access mode as written. */
export class VarDecl extends Node<"var"> {
  declare readonly attributes: readonly Attribute[];
  declare readonly template: readonly Expr[] | null;
  declare readonly name: Name;
  declare readonly type: IdentifierExpr | null;
  declare readonly initializer: Expr | null;

  constructor(
    ids: NodeIds,
    start: number,
    end: number,
    attributes: readonly Attribute[],
    template: readonly Expr[] | null,
    name: Name,
    type: IdentifierExpr | null,
    initializer: Expr | null,
  ) {
    super("var", ids, start, end);
    this.attributes = attributes;
    this.template = template;
    this.name = name;
    this.type = type;
    this.initializer = initializer;
  }
}

export class LetDecl extends Node<"let"> {
  declare readonly name: Name;
  declare readonly type: IdentifierExpr | null;
  declare readonly initializer: Expr;

  constructor(ids: NodeIds, start: number, end: number, name: Name, type: IdentifierExpr | null, initializer: Expr) {
    super("let", ids, start, end);
    this.name = name;
    this.type = type;
    this.initializer = initializer;
  }
}

export class ConstDecl extends Node<"const"> {
  /** Empty: never legal, the parser says so. */
  declare readonly attributes: readonly Attribute[];
  declare readonly name: Name;
  declare readonly type: IdentifierExpr | null;
  declare readonly initializer: Expr;

  constructor(
    ids: NodeIds,
    start: number,
    end: number,
    attributes: readonly Attribute[],
    name: Name,
    type: IdentifierExpr | null,
    initializer: Expr,
  ) {
    super("const", ids, start, end);
    this.attributes = attributes;
    this.name = name;
    this.type = type;
    this.initializer = initializer;
  }
}

export class OverrideDecl extends Node<"override"> {
  declare readonly attributes: readonly Attribute[];
  declare readonly name: Name;
  declare readonly type: IdentifierExpr | null;
  declare readonly initializer: Expr | null;

  constructor(
    ids: NodeIds,
    start: number,
    end: number,
    attributes: readonly Attribute[],
    name: Name,
    type: IdentifierExpr | null,
    initializer: Expr | null,
  ) {
    super("override", ids, start, end);
    this.attributes = attributes;
    this.name = name;
    this.type = type;
    this.initializer = initializer;
  }
}

export class AliasDecl extends Node<"alias"> {
  declare readonly name: Name;
  declare readonly type: IdentifierExpr;

  constructor(ids: NodeIds, start: number, end: number, name: Name, type: IdentifierExpr) {
    super("alias", ids, start, end);
    this.name = name;
    this.type = type;
  }
}

export class StructDecl extends Node<"struct"> {
  declare readonly name: Name;
  declare readonly members: readonly StructMember[];

  constructor(ids: NodeIds, start: number, end: number, name: Name, members: readonly StructMember[]) {
    super("struct", ids, start, end);
    this.name = name;
    this.members = members;
  }
}

export class StructMember extends Node<"struct-member"> {
  declare readonly attributes: readonly Attribute[];
  declare readonly name: Name;
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
    this.name = name;
    this.type = type;
  }
}

export class FunctionDecl extends Node<"function"> {
  declare readonly attributes: readonly Attribute[];
  declare readonly name: Name;
  declare readonly params: readonly Param[];
  declare readonly returnAttributes: readonly Attribute[];
  declare readonly returnType: IdentifierExpr | null;
  declare readonly body: CompoundStatement;

  constructor(
    ids: NodeIds,
    start: number,
    end: number,
    attributes: readonly Attribute[],
    name: Name,
    params: readonly Param[],
    returnAttributes: readonly Attribute[],
    returnType: IdentifierExpr | null,
    body: CompoundStatement,
  ) {
    super("function", ids, start, end);
    this.attributes = attributes;
    this.name = name;
    this.params = params;
    this.returnAttributes = returnAttributes;
    this.returnType = returnType;
    this.body = body;
  }
}

export class Param extends Node<"param"> {
  declare readonly attributes: readonly Attribute[];
  declare readonly name: Name;
  declare readonly type: IdentifierExpr;

  constructor(
    ids: NodeIds,
    start: number,
    end: number,
    attributes: readonly Attribute[],
    name: Name,
    type: IdentifierExpr,
  ) {
    super("param", ids, start, end);
    this.attributes = attributes;
    this.name = name;
    this.type = type;
  }
}

/** A declaration at module scope and a statement in a function. */
export class ConstAssert extends Node<"const-assert"> {
  declare readonly condition: Expr;

  constructor(ids: NodeIds, start: number, end: number, condition: Expr) {
    super("const-assert", ids, start, end);
    this.condition = condition;
  }
}

export class ErrorDecl extends Node<"error-declaration"> {
  constructor(ids: NodeIds, start: number, end: number) {
    super("error-declaration", ids, start, end);
  }
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

export class CompoundStatement extends Node<"compound"> {
  declare readonly attributes: readonly Attribute[];
  declare readonly statements: readonly Statement[];

  constructor(
    ids: NodeIds,
    start: number,
    end: number,
    attributes: readonly Attribute[],
    statements: readonly Statement[],
  ) {
    super("compound", ids, start, end);
    this.attributes = attributes;
    this.statements = statements;
  }
}

/** The binary operator that a compound assignment applies; null for plain `=`. */
export type AssignOperator = Extract<
  BinaryOperator,
  "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "<<" | ">>"
> | null;

export class AssignStatement extends Node<"assign"> {
  declare readonly operator: AssignOperator;
  declare readonly left: Expr;
  declare readonly right: Expr;

  constructor(ids: NodeIds, start: number, end: number, operator: AssignOperator, left: Expr, right: Expr) {
    super("assign", ids, start, end);
    this.operator = operator;
    this.left = left;
    this.right = right;
  }
}

/** `_ = value;` */
export class PhonyAssignStatement extends Node<"phony-assign"> {
  declare readonly value: Expr;

  constructor(ids: NodeIds, start: number, end: number, value: Expr) {
    super("phony-assign", ids, start, end);
    this.value = value;
  }
}

/** `left++` or `left--` */
export class IncrementStatement extends Node<"increment"> {
  declare readonly operator: "++" | "--";
  declare readonly left: Expr;

  constructor(ids: NodeIds, start: number, end: number, operator: "++" | "--", left: Expr) {
    super("increment", ids, start, end);
    this.operator = operator;
    this.left = left;
  }
}

export class CallStatement extends Node<"call-statement"> {
  declare readonly call: CallExpr;

  constructor(ids: NodeIds, start: number, end: number, call: CallExpr) {
    super("call-statement", ids, start, end);
    this.call = call;
  }
}

export class IfStatement extends Node<"if"> {
  declare readonly attributes: readonly Attribute[];
  declare readonly condition: Expr;
  // biome-ignore lint/suspicious/noThenProperty: no function, so that nobody takes it for a promise
  declare readonly then: CompoundStatement;
  declare readonly otherwise: IfStatement | CompoundStatement | null;

  constructor(
    ids: NodeIds,
    start: number,
    end: number,
    attributes: readonly Attribute[],
    condition: Expr,
    then: CompoundStatement,
    otherwise: IfStatement | CompoundStatement | null,
  ) {
    super("if", ids, start, end);
    this.attributes = attributes;
    this.condition = condition;
    // biome-ignore lint/suspicious/noThenProperty: see above
    this.then = then;
    this.otherwise = otherwise;
  }
}

export class SwitchStatement extends Node<"switch"> {
  declare readonly attributes: readonly Attribute[];
  declare readonly selector: Expr;
  /** Attributes between the selector and `{`. */
  declare readonly bodyAttributes: readonly Attribute[];
  declare readonly clauses: readonly SwitchClause[];

  constructor(
    ids: NodeIds,
    start: number,
    end: number,
    attributes: readonly Attribute[],
    selector: Expr,
    bodyAttributes: readonly Attribute[],
    clauses: readonly SwitchClause[],
  ) {
    super("switch", ids, start, end);
    this.attributes = attributes;
    this.selector = selector;
    this.bodyAttributes = bodyAttributes;
    this.clauses = clauses;
  }
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

export class LoopStatement extends Node<"loop"> {
  declare readonly attributes: readonly Attribute[];
  /** `attributes` of the compound are those between `loop` and `{`; the continuing block is not among its statements. */
  declare readonly body: CompoundStatement;
  declare readonly continuing: ContinuingBlock | null;

  constructor(
    ids: NodeIds,
    start: number,
    end: number,
    attributes: readonly Attribute[],
    body: CompoundStatement,
    continuing: ContinuingBlock | null,
  ) {
    super("loop", ids, start, end);
    this.attributes = attributes;
    this.body = body;
    this.continuing = continuing;
  }
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

export class ForStatement extends Node<"for"> {
  declare readonly attributes: readonly Attribute[];
  declare readonly initializer: Statement | null;
  declare readonly condition: Expr | null;
  declare readonly update: Statement | null;
  declare readonly body: CompoundStatement;

  constructor(
    ids: NodeIds,
    start: number,
    end: number,
    attributes: readonly Attribute[],
    initializer: Statement | null,
    condition: Expr | null,
    update: Statement | null,
    body: CompoundStatement,
  ) {
    super("for", ids, start, end);
    this.attributes = attributes;
    this.initializer = initializer;
    this.condition = condition;
    this.update = update;
    this.body = body;
  }
}

export class WhileStatement extends Node<"while"> {
  declare readonly attributes: readonly Attribute[];
  declare readonly condition: Expr;
  declare readonly body: CompoundStatement;

  constructor(
    ids: NodeIds,
    start: number,
    end: number,
    attributes: readonly Attribute[],
    condition: Expr,
    body: CompoundStatement,
  ) {
    super("while", ids, start, end);
    this.attributes = attributes;
    this.condition = condition;
    this.body = body;
  }
}

export class BreakStatement extends Node<"break"> {
  constructor(ids: NodeIds, start: number, end: number) {
    super("break", ids, start, end);
  }
}

export class ContinueStatement extends Node<"continue"> {
  constructor(ids: NodeIds, start: number, end: number) {
    super("continue", ids, start, end);
  }
}

export class ReturnStatement extends Node<"return"> {
  declare readonly value: Expr | null;

  constructor(ids: NodeIds, start: number, end: number, value: Expr | null) {
    super("return", ids, start, end);
    this.value = value;
  }
}

export class DiscardStatement extends Node<"discard"> {
  constructor(ids: NodeIds, start: number, end: number) {
    super("discard", ids, start, end);
  }
}

/** A lone `;` */
export class EmptyStatement extends Node<"empty"> {
  constructor(ids: NodeIds, start: number, end: number) {
    super("empty", ids, start, end);
  }
}

export class ErrorStatement extends Node<"error-statement"> {
  constructor(ids: NodeIds, start: number, end: number) {
    super("error-statement", ids, start, end);
  }
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
