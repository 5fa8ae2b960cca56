/**
 * The syntax tree: readonly unions with a `kind`, a dense `id` (index into the tables of later passes) and a span.
 * A parser never fails: what cannot be read becomes an error node. Nodes are made only by the factories of the parser,
 * which set every field in one order, so that all nodes of a kind share a hidden class; an absent part is `null`.
 */
import type { Span } from "../text/source.ts";

/** Index of a node in the tables of later passes; ids of one module run from 0 without holes. */
export type NodeId = number;

/**
 * A name as written, where it is declared or mentioned without being an expression. Its text is empty where no name could
 * be read, and where a reserved word is used: a message was given, and nobody shall look it up.
 */
export interface Name {
  readonly text: string;
  readonly span: Span;
}

interface NodeBase {
  readonly id: NodeId;
  readonly span: Span;
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
}

/** template_elaborated_ident: a name with an optional template list; also how a type is written. */
export interface IdentifierExpr extends NodeBase {
  readonly kind: "identifier";
  readonly name: Name;
  /** Arguments of the template list, null when there is none. */
  readonly template: readonly Expr[] | null;
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
  readonly operatorSpan: Span;
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
export interface Attribute extends NodeBase {
  readonly kind: "attribute";
  readonly name: Name;
  /** null when there is no parenthesis at all. */
  readonly args: readonly Expr[] | null;
  readonly control: DiagnosticControl | null;
}

export type Directive = EnableDirective | RequiresDirective | DiagnosticDirective;

export interface EnableDirective extends NodeBase {
  readonly kind: "enable";
  readonly names: readonly Name[];
}

export interface RequiresDirective extends NodeBase {
  readonly kind: "requires";
  readonly names: readonly Name[];
}

export interface DiagnosticDirective extends NodeBase {
  readonly kind: "diagnostic";
  readonly control: DiagnosticControl;
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

export interface StructMember extends NodeBase {
  readonly kind: "struct-member";
  readonly attributes: readonly Attribute[];
  readonly name: Name;
  readonly type: IdentifierExpr;
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
  readonly operatorSpan: Span;
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
  readonly operatorSpan: Span;
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

export interface SwitchClause extends NodeBase {
  readonly kind: "switch-clause";
  readonly selectors: readonly (Expr | DefaultSelector)[];
  readonly body: CompoundStatement;
}

export interface DefaultSelector extends NodeBase {
  readonly kind: "default";
}

export interface LoopStatement extends NodeBase {
  readonly kind: "loop";
  readonly attributes: readonly Attribute[];
  /** `attributes` of the compound are those between `loop` and `{`; the continuing block is not among its statements. */
  readonly body: CompoundStatement;
  readonly continuing: ContinuingBlock | null;
}

export interface ContinuingBlock extends NodeBase {
  readonly kind: "continuing";
  /** Its statements, without the closing `break if`. */
  readonly body: CompoundStatement;
  readonly breakIf: Expr | null;
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
