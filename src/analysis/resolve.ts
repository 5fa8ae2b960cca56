/**
 * Gives every identifier the declaration that it denotes, and module-scope declarations their order: what is used comes
 * before its user. spec: #declaration-and-scope
 *
 * Context-dependent names (attribute names, builtin values, members, swizzles) are no identifiers and are not resolved.
 */
import { type Note, note } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { foreignName, isForeignOutput } from "../syntax/foreign-names.ts";
import { nearestName } from "../text/nearest.ts";
import type { Span } from "../text/source.ts";
import type { Context, Declaration, ModuleDeclaration } from "./context.ts";
import { predeclared, predeclaredNames } from "./predeclared.ts";

/** What is known of the declarations of a module once all names are resolved. */
export interface Resolution {
  /** Module-scope declarations, users after what they use; those in a cycle too, in some order. */
  readonly ordered: readonly ModuleDeclaration[];
  /** Module-scope declarations that a declaration mentions, with the first mention. */
  readonly mentions: ReadonlyMap<ModuleDeclaration, ReadonlyMap<ModuleDeclaration, Span>>;
}

/** What a stretch of text declares. */
interface Scope {
  readonly names: string[];
}

/** What a name denotes here, and what it denotes again where the scope ends. */
interface Binding {
  readonly declaration: Declaration;
  /** null: the module. */
  readonly scope: Scope | null;
  readonly outer: Binding | null;
}

/** A loop whose continuing block may not use what a `continue` jumps over. */
interface Loop {
  readonly scope: Scope;
  firstContinue: ast.ContinueStatement | null;
}

interface Resolver {
  readonly context: Context;
  /** What each name denotes at the place at hand; null: nothing any more. */
  readonly visible: Map<string, Binding | null>;
  /** Innermost scope of the function at hand; null: the module. */
  scope: Scope | null;
  readonly loops: Loop[];
  /** Loops whose continuing block is being resolved. */
  readonly continuing: Loop[];
  readonly mentions: Map<ModuleDeclaration, ReadonlyMap<ModuleDeclaration, Span>>;
  /** What the declaration at hand mentions; null: nothing so far. */
  mentioned: Map<ModuleDeclaration, Span> | null;
  /** What the function at hand declares, by name: the first of each. */
  readonly locals: Map<string, Declaration>;
  /** Names in the function at hand that denote nothing, with the names that are near. */
  readonly unresolved: { readonly name: ast.Name; readonly near: string | null }[];
  /** Suggestions still to be made: they cost a walk over all names. */
  suggestions: number;
}

const NO_MENTIONS: ReadonlyMap<ModuleDeclaration, Span> = new Map();

const MOST_SUGGESTIONS = 20;

/** Attributes whose arguments are context-dependent names; `@stage` was one once. */
const NAMED_ARGUMENTS: ReadonlySet<string> = new Set(["builtin", "interpolate", "diagnostic", "stage"]);

export function resolve(context: Context): Resolution {
  const resolver: Resolver = {
    context,
    visible: new Map(),
    scope: null,
    loops: [],
    continuing: [],
    mentions: new Map(),
    mentioned: null,
    locals: new Map(),
    unresolved: [],
    suggestions: MOST_SUGGESTIONS,
  };
  const declarations: ModuleDeclaration[] = [];
  for (const declaration of context.module.declarations) {
    if (declaration.kind === "const-assert" || declaration.kind === "error-declaration") continue;
    declarations.push(declaration);
    declare(resolver, declaration);
  }
  for (const declaration of context.module.declarations) {
    resolver.mentioned = null;
    if (declaration.kind === "const-assert") expression(resolver, declaration.condition);
    else if (declaration.kind !== "error-declaration") {
      moduleDeclaration(resolver, declaration);
      resolver.mentions.set(declaration, resolver.mentioned ?? NO_MENTIONS);
    }
  }
  return { ordered: dependencyOrder(context, declarations, resolver.mentions), mentions: resolver.mentions };
}

/** Names must differ that end their scope at one place. spec: #declaration-and-scope */
function declare(resolver: Resolver, declaration: Declaration): void {
  const { visible, scope } = resolver;
  const name = declaration.name.text;
  if (name === "") return;
  const outer = visible.get(name) ?? null;
  if (outer === null || outer.scope !== scope) {
    visible.set(name, { declaration, scope, outer });
    scope?.names.push(name);
    return;
  }
  resolver.context.diagnostics.report(
    "duplicate-declaration",
    declaration.name.span,
    { name },
    { notes: [note("declared-here", outer.declaration.name.span, { name })] },
  );
}

function moduleDeclaration(resolver: Resolver, node: ModuleDeclaration): void {
  switch (node.kind) {
    case "var":
    case "const":
    case "override":
      variable(resolver, node);
      return;
    case "alias":
      expression(resolver, node.type);
      return;
    case "struct":
      for (const member of node.members) {
        attributes(resolver, member.attributes);
        expression(resolver, member.type);
      }
      return;
    case "function":
      functionDeclaration(resolver, node);
      return;
    default:
      node satisfies never;
  }
}

/** Types and attributes see the module only: a parameter is in scope in the body. */
function functionDeclaration(resolver: Resolver, node: ast.FunctionDecl): void {
  attributes(resolver, node.attributes);
  for (const param of node.params) {
    attributes(resolver, param.attributes);
    expression(resolver, param.type);
  }
  attributes(resolver, node.returnAttributes);
  if (node.returnType !== null) expression(resolver, node.returnType);
  // Parameters and the declarations of the body end their scope together.
  const outer = enterScope(resolver, { names: [] });
  for (const param of node.params) declare(resolver, param);
  statements(resolver, node.body.statements);
  leaveScope(resolver, outer);
  reportUnresolved(resolver);
  resolver.locals.clear();
}

function variable(resolver: Resolver, node: ast.VarDecl | ast.LetDecl | ast.ConstDecl | ast.OverrideDecl): void {
  if (node.kind !== "let") attributes(resolver, node.attributes);
  if (node.kind === "var" && node.template !== null) expressions(resolver, node.template);
  if (node.type !== null) expression(resolver, node.type);
  if (node.initializer !== null) expression(resolver, node.initializer);
}

function attributes(resolver: Resolver, list: readonly ast.Attribute[]): void {
  for (const attribute of list) {
    if (NAMED_ARGUMENTS.has(attribute.name.text)) continue;
    if (attribute.args !== null) expressions(resolver, attribute.args);
  }
}

/** Gives the scope around, for `leaveScope`. */
function enterScope(resolver: Resolver, scope: Scope): Scope | null {
  const outer = resolver.scope;
  resolver.scope = scope;
  return outer;
}

function leaveScope(resolver: Resolver, outer: Scope | null): void {
  const { visible, scope } = resolver;
  for (const name of scope!.names) visible.set(name, visible.get(name)!.outer);
  resolver.scope = outer;
}

function block(resolver: Resolver, node: ast.CompoundStatement): void {
  const outer = enterScope(resolver, { names: [] });
  statements(resolver, node.statements);
  leaveScope(resolver, outer);
}

function statements(resolver: Resolver, list: readonly ast.Statement[]): void {
  for (const node of list) statement(resolver, node);
}

function statement(resolver: Resolver, node: ast.Statement): void {
  switch (node.kind) {
    case "compound":
      block(resolver, node);
      return;
    case "var":
    case "let":
    case "const":
      variable(resolver, node);
      declare(resolver, node);
      if (!resolver.locals.has(node.name.text)) resolver.locals.set(node.name.text, node);
      return;
    case "const-assert":
      expression(resolver, node.condition);
      return;
    case "assign":
      expression(resolver, node.left);
      expression(resolver, node.right);
      return;
    case "phony-assign":
      expression(resolver, node.value);
      return;
    case "increment":
      expression(resolver, node.left);
      return;
    case "call-statement":
      expression(resolver, node.call);
      return;
    case "if":
      expression(resolver, node.condition);
      block(resolver, node.then);
      if (node.otherwise !== null) statement(resolver, node.otherwise);
      return;
    case "switch":
      expression(resolver, node.selector);
      for (const clause of node.clauses) {
        for (const selector of clause.selectors) if (selector.kind !== "default") expression(resolver, selector);
        block(resolver, clause.body);
      }
      return;
    case "loop":
      loopBody(resolver, newLoop(), node.body.statements, node.continuing);
      return;
    case "for":
      forLoop(resolver, node);
      return;
    case "while":
      expression(resolver, node.condition);
      loopBody(resolver, newLoop(), node.body.statements, null);
      return;
    case "return":
      if (node.value !== null) expression(resolver, node.value);
      return;
    case "continue": {
      const innermost = resolver.loops.at(-1);
      if (innermost !== undefined) innermost.firstContinue ??= node;
      return;
    }
    case "break":
    case "discard":
    case "empty":
    case "error-statement":
      return;
    default:
      node satisfies never;
  }
}

function newLoop(): Loop {
  return { scope: { names: [] }, firstContinue: null };
}

/** The continuing block sees what the body declares. spec: #loop-statement */
function loopBody(
  resolver: Resolver,
  loop: Loop,
  body: readonly ast.Statement[],
  continuing: ast.ContinuingBlock | null,
): void {
  const outer = enterScope(resolver, loop.scope);
  resolver.loops.push(loop);
  statements(resolver, body);
  resolver.loops.pop();
  if (continuing !== null) {
    resolver.continuing.push(loop);
    const inner = enterScope(resolver, { names: [] });
    statements(resolver, continuing.body.statements);
    if (continuing.breakIf !== null) expression(resolver, continuing.breakIf);
    leaveScope(resolver, inner);
    resolver.continuing.pop();
  }
  leaveScope(resolver, outer);
}

/** A name in the initializer and one in the body end their scope together. spec: #for-statement */
function forLoop(resolver: Resolver, node: ast.ForStatement): void {
  const loop = newLoop();
  const outer = enterScope(resolver, loop.scope);
  if (node.initializer !== null) statement(resolver, node.initializer);
  if (node.condition !== null) expression(resolver, node.condition);
  if (node.update !== null) statement(resolver, node.update);
  resolver.scope = outer;
  loopBody(resolver, loop, node.body.statements, null);
}

function expressions(resolver: Resolver, list: readonly ast.Expr[]): void {
  for (const node of list) expression(resolver, node);
}

function expression(resolver: Resolver, node: ast.Expr): void {
  switch (node.kind) {
    case "identifier":
      identifier(resolver, node);
      return;
    case "binary":
      expression(resolver, node.left);
      expression(resolver, node.right);
      return;
    case "call":
      identifier(resolver, node.callee);
      expressions(resolver, node.args);
      return;
    case "index":
      expression(resolver, node.object);
      expression(resolver, node.index);
      return;
    case "member":
      expression(resolver, node.object);
      return;
    case "unary":
      expression(resolver, node.operand);
      return;
    case "paren":
      expression(resolver, node.expression);
      return;
    case "literal":
    case "error-expression":
      return;
    default:
      node satisfies never;
  }
}

/** spec: #resolves */
function identifier(resolver: Resolver, node: ast.IdentifierExpr): void {
  if (node.template !== null) expressions(resolver, node.template);
  const { context, visible } = resolver;
  const name = node.name.text;
  const found = visible.get(name) ?? null;
  if (found !== null) {
    const { declaration, scope } = found;
    context.facts.resolveTo(node.id, declaration);
    if (scope !== null) {
      if (resolver.continuing.length > 0) notSkipped(resolver, scope, declaration, node);
    } else mention(resolver, declaration as ModuleDeclaration, node.name.span);
    return;
  }
  const entity = predeclared(name);
  if (entity === null) unresolved(resolver, node.name);
  else context.facts.resolveToPredeclared(node.id, entity);
}

/** The first mention counts. */
function mention(resolver: Resolver, declaration: ModuleDeclaration, place: Span): void {
  resolver.mentioned ??= new Map();
  if (!resolver.mentioned.has(declaration)) resolver.mentioned.set(declaration, place);
}

/** A `continue` must not jump past a declaration that the continuing block uses. spec: #continue-statement */
function notSkipped(resolver: Resolver, scope: Scope, found: Declaration, node: ast.IdentifierExpr): void {
  for (const { scope: body, firstContinue } of resolver.continuing) {
    if (body !== scope || firstContinue === null || firstContinue.span.start > found.span.start) continue;
    resolver.context.diagnostics.report(
      "continue-skips-declaration",
      firstContinue.span,
      { name: found.name.text },
      {
        notes: [
          note("declared-here", found.name.span, { name: found.name.text }),
          note("used-here", node.span, { name: found.name.text }),
        ],
      },
    );
  }
}

function unresolved(resolver: Resolver, name: ast.Name): void {
  // That a name begins with two underscores was told.
  if (name.text === "" || name.text.startsWith("__")) return;
  const suggest = foreignName(name.text) === null && !isForeignOutput(name.text) && resolver.suggestions-- > 0;
  resolver.unresolved.push({ name, near: suggest ? nearestName(name.text, namesInScope(resolver)) : null });
  if (resolver.scope === null) reportUnresolved(resolver);
}

/** Reports at the end of a function: only then is it known whether the name is declared further down, or was in a block. */
function reportUnresolved(resolver: Resolver): void {
  for (const { name, near } of resolver.unresolved) {
    resolver.context.diagnostics.report(
      "unresolved-identifier",
      name.span,
      { name: name.text },
      { notes: unresolvedNotes(resolver, name, near) },
    );
  }
  resolver.unresolved.length = 0;
}

function unresolvedNotes(resolver: Resolver, { text, span }: ast.Name, near: string | null): readonly Note[] {
  const local = resolver.locals.get(text);
  if (local !== undefined) {
    const code = local.span.end <= span.start ? "declared-in-block" : "declared-later";
    return [note(code, local.name.span, { name: text })];
  }
  if (isForeignOutput(text)) return [note("no-text-output", span, { name: text })];
  if (text === "void" && isResult(resolver.context.source.text, span)) return [note("no-void", span, {})];
  const foreign = foreignName(text);
  if (foreign !== null) return [note("wgsl-writes", span, { name: text, wgsl: foreign })];
  return near === null ? [] : [note("did-you-mean", span, { name: near })];
}

/** Whether an arrow stands close before a type. */
function isResult(text: string, { start }: Span): boolean {
  return text
    .slice(Math.max(0, start - 16), start)
    .trimEnd()
    .endsWith("->");
}

function* namesInScope(resolver: Resolver): Iterable<string> {
  for (const [name, binding] of resolver.visible) if (binding !== null && binding.scope !== null) yield name;
  for (const [name, binding] of resolver.visible) if (binding !== null && binding.scope === null) yield name;
  yield* predeclaredNames();
}

/**
 * Module-scope declarations may stand in any order, so each waits for what it mentions. Depth-first, without recursion:
 * chains of declarations may be long. A mention of what is still open closes a cycle: it is reported and then ignored.
 */
function dependencyOrder(
  context: Context,
  declarations: readonly ModuleDeclaration[],
  mentions: Resolution["mentions"],
): ModuleDeclaration[] {
  const ordered: ModuleDeclaration[] = [];
  const state = new Map<ModuleDeclaration, "open" | "done">();
  for (const root of declarations) {
    if (state.has(root)) continue;
    const path = [{ node: root, next: mentions.get(root)!.entries() }];
    state.set(root, "open");
    while (path.length > 0) {
      const { node, next } = path[path.length - 1];
      const step = next.next();
      if (step.done) {
        state.set(node, "done");
        ordered.push(node);
        path.pop();
        continue;
      }
      const [target, span] = step.value;
      const seen = state.get(target);
      if (seen === undefined) {
        state.set(target, "open");
        path.push({ node: target, next: mentions.get(target)!.entries() });
      } else if (seen === "open") {
        const from = path.findIndex((entry) => entry.node === target);
        reportCycle(
          context,
          path.slice(from).map((entry) => entry.node),
          span,
          mentions,
        );
      }
    }
  }
  return ordered;
}

/** No declaration may depend on itself. spec: #declaration-and-scope */
function reportCycle(
  context: Context,
  cycle: readonly ModuleDeclaration[],
  span: Span,
  mentions: Resolution["mentions"],
): void {
  const name = cycle[0].name.text;
  const steps = cycle.map((node, index) => {
    const target = cycle[(index + 1) % cycle.length];
    return note("mentions-here", mentions.get(node)!.get(target)!, { name: node.name.text, target: target.name.text });
  });
  const code = cycle.every((node) => node.kind === "function") ? "recursive-function" : "declaration-cycle";
  context.diagnostics.report(code, span, { name }, { notes: cycle.length > 1 ? steps.slice(0, 10) : [] });
}
