/** What every rule of advice is given, and the questions that several of them ask. */
import type { DiagnosticList } from "../../diagnostics/diagnostic.ts";
import type * as ast from "../../syntax/ast.ts";
import { forEachExpression, forEachOperand, isExpression } from "../../syntax/walk.ts";
import { evaluateExpression, evaluateOverrides, type KnownOverrides } from "../overrides.ts";
import type { Entity, FunctionInfo, ParameterInfo, Program, VariableInfo } from "../program.ts";
import type { Root } from "../root-identifier.ts";
import type { SharedStruct } from "./layout.ts";
import type { EventWalk } from "./memory-events.ts";
import type { AtomicCall, FunctionSurvey, Loop, Node, Survey } from "./survey.ts";

/** Beyond this depth of an expression, or of `let`s that hang on each other, nothing is followed. */
export const DEEPEST = 64;

/** Beyond as many names in one expression, anything may be in it. */
const MOST_NAMES = 256;

/** Parts of indices by the variable or parameter that they come from; any: one is too much to look at. */
export type Indexing = ReadonlyMap<Root, ReadonlySet<ast.Expr>> | "any";

/** A value where it is looked at. */
export interface Reached {
  readonly fn: FunctionSurvey;
  readonly at: ast.Expr;
}

export interface CallSite {
  /** Of the caller. */
  readonly fn: FunctionSurvey;
  readonly call: ast.CallExpr;
}

export class Advice {
  readonly survey: Survey;
  readonly program: Program;
  readonly found: DiagnosticList;
  /** Barriers that were said to be of the wrong kind. */
  readonly misfits = new Set<ast.CallExpr>();
  /**
   * What several rules ask for, found when first asked. Fields rather than weak maps of the modules that fill them: those
   * would keep whole programs alive until the next full collection of garbage.
   */
  readonly eventWalks = new Map<FunctionSurvey, EventWalk>();
  readonly atomicsByPlace = new Map<FunctionSurvey, ReadonlyMap<string, readonly AtomicCall[]>>();
  calledInLoop: ReadonlySet<FunctionInfo> | null = null;
  everywhere: ReadonlySet<FunctionInfo> | null = null;
  sharedStructs: readonly SharedStruct[] | null = null;
  indexing: Indexing | null = null;
  #defaults: KnownOverrides | null = null;
  #entryPointOf: ReadonlyMap<ParameterInfo, FunctionInfo> | null = null;
  #moduleVariables: ReadonlyMap<string, VariableInfo> | null = null;
  #callsOf: ReadonlyMap<FunctionInfo, readonly CallSite[]> | null = null;
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
    return expr.kind === "identifier" ? this.program.entityOf[expr.id] : null;
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

  get entryPointOf(): ReadonlyMap<ParameterInfo, FunctionInfo> {
    this.#entryPointOf ??= new Map(
      this.program.entryPoints.flatMap((info) => info.params.map((param) => [param, info] as const)),
    );
    return this.#entryPointOf;
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
    const at = this.parent(expr);
    return at?.kind === "let" || at?.kind === "const" ? at : null;
  }

  /** The places where a value stands: the expression itself, or the uses of the `let` that it is bound to, and so on. */
  occurrences(fn: FunctionSurvey, expr: ast.Expr): readonly ast.Expr[] {
    const bound = this.boundTo(expr);
    if (bound === null) return [expr];
    return this.uses(fn, bound).flatMap((use) => this.occurrences(fn, use));
  }

  /**
   * As `occurrences`, also behind a variable that nothing else is put into, and behind the calls of a function that
   * returns it.
   */
  reached(fn: FunctionSurvey, expr: ast.Expr): readonly Reached[] {
    const found: Reached[] = [];
    const seen = new Set<ast.Expr>();
    const open: Reached[] = [{ fn, at: expr }];
    while (open.length > 0) {
      const next = open.pop()!;
      if (seen.has(next.at)) continue;
      seen.add(next.at);
      const onward = this.#onward(next);
      if (onward.isEnd) found.push(...onward.uses);
      else for (const use of onward.uses.toReversed()) open.push(use);
    }
    return found;
  }

  /** Where a value goes on from a place; `isEnd`: it is looked at there, and not followed. */
  #onward(place: Reached): { readonly uses: readonly Reached[]; readonly isEnd: boolean } {
    const { fn, at } = place;
    const end = { uses: [place], isEnd: true };
    const around = this.parent(at);
    switch (around?.kind) {
      case "let":
      case "const":
        return { uses: this.uses(fn, around).map((use) => ({ fn, at: use })), isEnd: false };
      case "var":
        return this.#isWritten(around, 0) ? end : { uses: this.#reads(fn, around), isEnd: true };
      case "assign": {
        const kept = around.right === at && around.operator === null ? this.entity(around.left) : null;
        const isLocal = kept?.kind === "variable" && kept.scope === "function" && !this.#isWritten(kept.declaration, 1);
        return isLocal ? { uses: this.#reads(fn, kept.declaration, around), isEnd: true } : end;
      }
      case "return":
        return { uses: this.callsOf(fn.info).map(({ fn: caller, call }) => ({ fn: caller, at: call })), isEnd: false };
      default:
        return end;
    }
  }

  #isWritten({ id }: { readonly id: ast.NodeId }, times: number): boolean {
    return (this.survey.writesOf.get(id) ?? []).length > times;
  }

  /** Where a variable is read behind a statement. Not followed from there: it may be read to be written again. */
  #reads(fn: FunctionSurvey, declaration: { readonly id: ast.NodeId }, behind?: Node): readonly Reached[] {
    const uses = this.uses(fn, declaration);
    return uses.filter((use) => behind === undefined || use.span.start >= behind.span.end).map((at) => ({ fn, at }));
  }

  callsOf(info: FunctionInfo): readonly CallSite[] {
    this.#callsOf ??= callsByCallee(this.survey);
    return this.#callsOf.get(info) ?? [];
  }

  /** What an expression may stand for: of a parameter, what each call passes. */
  passed(expr: ast.Expr): readonly ast.Expr[] {
    const found: ast.Expr[] = [];
    const seen = new Set<ParameterInfo>();
    const open = [expr];
    while (open.length > 0) {
      const full = this.resolved(open.pop()!);
      const entity = this.entity(full);
      if (entity?.kind !== "parameter" || this.entryPointOf.has(entity)) {
        found.push(full);
        continue;
      }
      if (seen.has(entity)) continue;
      seen.add(entity);
      const { info, at } = this.#parameterAt(entity);
      for (const { call } of this.callsOf(info).toReversed()) open.push(call.args[at]);
    }
    return found;
  }

  /** Whose parameter it is, and which. */
  #parameterAt(parameter: ParameterInfo): { readonly info: FunctionInfo; readonly at: number } {
    const info = this.program.functions.find(({ params }) => params.includes(parameter))!;
    return { info, at: info.params.indexOf(parameter) };
  }

  /** Follows a `let` to what it stands for. */
  resolved(expr: ast.Expr): ast.Expr {
    let at = expr;
    for (let steps = 0; steps < DEEPEST; steps++) {
      const entity = this.entity(at);
      if (entity?.kind !== "value") return at;
      at = entity.declaration.initializer;
    }
    return at;
  }

  /** Whether something holds of an expression or of a part of it. No recursion: chains of operators may be long. */
  mentions(expr: ast.Expr, wanted: (part: ast.Expr) => boolean): boolean {
    const pending = [expr];
    for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
      if (wanted(part)) return true;
      const from = pending.length;
      forEachOperand(part, (operand) => pending.push(operand));
      // The first operand comes first.
      for (let i = from, k = pending.length - 1; i < k; i++, k--) {
        [pending[i], pending[k]] = [pending[k], pending[i]];
      }
    }
    return false;
  }

  /** As `mentions`, also in what the names stand for that `let` gave; each is followed once. */
  mentionsThrough(expr: ast.Expr, wanted: (part: ast.Expr) => boolean): boolean {
    const pending = [expr];
    const look = (part: ast.Expr): boolean => {
      if (wanted(part)) return true;
      const entity = part.kind === "identifier" ? this.program.entityOf[part.id] : null;
      if (entity?.kind !== "value") return false;
      const { initializer } = entity.declaration;
      if (!pending.includes(initializer)) pending.push(initializer);
      return false;
    };
    for (const each of pending) {
      if (pending.length > MOST_NAMES || this.mentions(each, look)) return true;
    }
    return false;
  }

  /** Structurally the same expression of the same names; calls, and what is very deep, are never the same. */
  same(a: ast.Expr, b: ast.Expr, depth = 0): boolean {
    if (depth > DEEPEST) return false;
    switch (a.kind) {
      case "identifier":
        return b.kind === "identifier" && a.template === null && this.#sameName(a, b);
      case "literal":
        return b.kind === "literal" && a.value === b.value;
      case "member":
        return b.kind === "member" && a.member.text === b.member.text && this.same(a.object, b.object, depth + 1);
      case "index":
        return b.kind === "index" && this.same(a.object, b.object, depth + 1) && this.same(a.index, b.index, depth + 1);
      case "unary":
        return b.kind === "unary" && a.operator === b.operator && this.same(a.operand, b.operand, depth + 1);
      case "binary":
        return (
          b.kind === "binary" &&
          a.operator === b.operator &&
          this.same(a.left, b.left, depth + 1) &&
          this.same(a.right, b.right, depth + 1)
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

function callsByCallee({ functions }: Survey): ReadonlyMap<FunctionInfo, readonly CallSite[]> {
  const all = new Map<FunctionInfo, CallSite[]>();
  for (const fn of functions) {
    for (const { call, callee } of fn.calls) {
      const known = all.get(callee);
      if (known === undefined) all.set(callee, [{ fn, call }]);
      else known.push({ fn, call });
    }
  }
  return all;
}

export function isLoop(node: Node): node is Loop {
  return node.kind === "loop" || node.kind === "for" || node.kind === "while";
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
