/** What every rule of advice is given, and the questions that several of them ask. */
import type { DiagnosticList } from "../../diagnostics/diagnostic.ts";
import type * as ast from "../../syntax/ast.ts";
import { forEachExpression, forEachOperand } from "../../syntax/walk.ts";
import { evaluateExpression, evaluateOverrides, type KnownOverrides } from "../overrides.ts";
import type { Entity, FunctionInfo, Program, VariableInfo } from "../program.ts";
import { unparenthesized } from "../text-of.ts";
import type { FunctionSurvey, Loop, Node, Survey } from "./survey.ts";

export class Advice {
  readonly survey: Survey;
  readonly program: Program;
  readonly found: DiagnosticList;
  /** Barriers that were said to be of the wrong kind. */
  readonly misfits = new Set<ast.CallExpr>();
  #defaults: KnownOverrides | null = null;
  #moduleVariables: ReadonlyMap<string, VariableInfo> | null = null;
  readonly #uses = new Map<FunctionSurvey, ReadonlyMap<ast.NodeId, readonly ast.IdentifierExpr[]>>();

  constructor(survey: Survey, found: DiagnosticList) {
    this.survey = survey;
    this.program = survey.program;
    this.found = found;
  }

  parent(node: Node): Node | null {
    return this.survey.parentOf[node.id];
  }

  entity(expr: ast.Expr): Entity | null {
    const inner = unparenthesized(expr);
    return inner.kind === "identifier" ? this.program.entityOf[inner.id] : null;
  }

  /** Name of the builtin function that is called; null for all other expressions. */
  builtin(expr: ast.Expr): string | null {
    if (expr.kind !== "call") return null;
    const call = this.program.callOf[expr.id];
    return call?.kind === "builtin" ? call.name : null;
  }

  /** Value of an override or const-expression, overrides by their defaults; null: known only when the shader runs. */
  number(expr: ast.Expr): number | null {
    if (this.program.timeOf[expr.id] === "runtime") return null;
    this.#defaults ??= evaluateOverrides(this.program, {}).values;
    const known = evaluateExpression(this.program, expr.id, this.#defaults);
    return known === null || typeof known.value === "object" ? null : Number(known.value);
  }

  get overrides(): KnownOverrides {
    this.#defaults ??= evaluateOverrides(this.program, {}).values;
    return this.#defaults;
  }

  get moduleVariables(): ReadonlyMap<string, VariableInfo> {
    this.#moduleVariables ??= new Map(this.program.variables.map((info) => [info.name, info]));
    return this.#moduleVariables;
  }

  /** Text of an expression as it stands in a message. */
  text(node: { readonly span: ast.Expr["span"] }): string {
    const text = this.program.source.slice(node.span).replace(/\s+/g, " ").trim();
    return text.length > 48 ? `${text.slice(0, 45)}…` : text;
  }

  // ---------------------------------------------------------------- around a node

  /** The first around it that is no parenthesis. */
  context(expr: ast.Expr): Node | null {
    let at = this.parent(expr);
    while (at?.kind === "paren") at = this.parent(at);
    return at;
  }

  *ancestors(node: Node): Iterable<Node> {
    for (let at = this.parent(node); at !== null; at = this.parent(at)) yield at;
  }

  innermostLoop(node: Node): Loop | null {
    for (const at of this.ancestors(node)) if (isLoop(at)) return at;
    return null;
  }

  statementOf(node: Node): ast.Statement {
    let at: Node = node;
    while (isExpression(at)) at = this.parent(at)!;
    return at;
  }

  // ---------------------------------------------------------------- where a value goes

  /** All identifiers of a function by the declaration that they denote. */
  uses(fn: FunctionSurvey, declaration: { readonly id: ast.NodeId }): readonly ast.IdentifierExpr[] {
    let all = this.#uses.get(fn);
    if (all === undefined) this.#uses.set(fn, (all = usesOf(this.program, fn.info)));
    return all.get(declaration.id) ?? [];
  }

  /** The `let` or `const` that is exactly this value; null: it goes elsewhere. */
  boundTo(expr: ast.Expr): ast.LetDecl | ast.ConstDecl | null {
    const at = this.context(expr);
    return at?.kind === "let" || at?.kind === "const" ? at : null;
  }

  /** The places where a value stands: the expression itself, or the uses of the `let` that it is bound to, and so on. */
  occurrences(fn: FunctionSurvey, expr: ast.Expr): readonly ast.Expr[] {
    const bound = this.boundTo(expr);
    if (bound === null) return [expr];
    return this.uses(fn, bound).flatMap((use) => this.occurrences(fn, use));
  }

  /** Follows a `let` to what it stands for. */
  resolved(expr: ast.Expr): ast.Expr {
    let at = unparenthesized(expr);
    for (;;) {
      const entity = this.entity(at);
      if (entity?.kind !== "value") return at;
      at = unparenthesized(entity.declaration.initializer);
    }
  }

  mentions(expr: ast.Expr, wanted: (part: ast.Expr) => boolean): boolean {
    if (wanted(expr)) return true;
    let found = false;
    forEachOperand(expr, (part) => {
      found ||= this.mentions(part, wanted);
    });
    return found;
  }

  /** Structurally the same expression of the same names; calls are never the same. */
  same(left: ast.Expr, right: ast.Expr): boolean {
    const a = unparenthesized(left);
    const b = unparenthesized(right);
    switch (a.kind) {
      case "identifier":
        return b.kind === "identifier" && a.template === null && this.#sameName(a, b);
      case "literal":
        return b.kind === "literal" && a.value === b.value;
      case "member":
        return b.kind === "member" && a.member.text === b.member.text && this.same(a.object, b.object);
      case "index":
        return b.kind === "index" && this.same(a.object, b.object) && this.same(a.index, b.index);
      case "unary":
        return b.kind === "unary" && a.operator === b.operator && this.same(a.operand, b.operand);
      case "binary":
        return (
          b.kind === "binary" && a.operator === b.operator && this.same(a.left, b.left) && this.same(a.right, b.right)
        );
      default:
        return false;
    }
  }

  #sameName(a: ast.IdentifierExpr, b: ast.IdentifierExpr): boolean {
    const entity = this.program.entityOf[a.id];
    return entity !== null && entity === this.program.entityOf[b.id];
  }
}

export function isLoop(node: Node): node is Loop {
  return node.kind === "loop" || node.kind === "for" || node.kind === "while";
}

const EXPRESSIONS: ReadonlySet<string> = new Set([
  "literal",
  "identifier",
  "call",
  "index",
  "member",
  "unary",
  "binary",
  "paren",
  "error-expression",
] satisfies ast.Expr["kind"][]);

export function isExpression(node: Node): node is ast.Expr {
  return EXPRESSIONS.has(node.kind);
}

function usesOf(program: Program, info: FunctionInfo): ReadonlyMap<ast.NodeId, readonly ast.IdentifierExpr[]> {
  const all = new Map<ast.NodeId, ast.IdentifierExpr[]>();
  forEachExpression(info.declaration.body, (expr) => {
    if (expr.kind !== "identifier") return;
    const entity = program.entityOf[expr.id];
    if (entity === null || !("declaration" in entity)) return;
    const known = all.get(entity.declaration.id);
    if (known === undefined) all.set(entity.declaration.id, [expr]);
    else known.push(expr);
  });
  return all;
}

export const COMPARISONS: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">="]);

export function isComparison(node: Node): node is ast.BinaryExpr {
  return node.kind === "binary" && COMPARISONS.has(node.operator);
}
