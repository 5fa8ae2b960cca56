/**
 * Gives every identifier the declaration that it denotes, and module-scope declarations their order: what is used comes
 * before its user. spec: #declaration-and-scope
 *
 * Context-dependent names (attribute names, builtin values, members, swizzles) are no identifiers and are not resolved.
 */
import { type Note, note } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { nearestName } from "../text/nearest.ts";
import type { Span } from "../text/source.ts";
import type { Context, Declaration, ModuleDeclaration } from "./context.ts";
import { foreignName } from "./foreign-names.ts";
import { predeclared, predeclaredNames } from "./predeclared.ts";

/** What is known of the declarations of a module once all names are resolved. */
export interface Resolution {
  /** Module-scope declarations, users after what they use; those in a cycle too, in some order. */
  readonly ordered: readonly ModuleDeclaration[];
  /** Module-scope declarations that a declaration mentions, with the first mention. */
  readonly mentions: ReadonlyMap<ModuleDeclaration, ReadonlyMap<ModuleDeclaration, Span>>;
}

type Scope = Map<string, Declaration>;

/** A loop whose continuing block may not use what a `continue` jumps over. */
interface Loop {
  readonly scope: Scope;
  firstContinue: ast.ContinueStatement | null;
}

interface Resolver {
  readonly context: Context;
  readonly moduleScope: Scope;
  /** Scopes of the function at hand, innermost last. */
  readonly scopes: Scope[];
  readonly loops: Loop[];
  /** Loops whose continuing block is being resolved. */
  readonly continuing: Loop[];
  readonly mentions: Map<ModuleDeclaration, Map<ModuleDeclaration, Span>>;
  mentioned: Map<ModuleDeclaration, Span>;
  /** What the function at hand declares, by name: the first of each. */
  readonly locals: Map<string, Declaration>;
  /** Names in the function at hand that denote nothing, with the names that are near. */
  readonly unresolved: { readonly name: ast.Name; readonly near: string | null }[];
  /** Suggestions still to be made: they cost a walk over all names. */
  suggestions: number;
}

const MOST_SUGGESTIONS = 20;

/** Attributes whose arguments are context-dependent names. */
const NAMED_ARGUMENTS: ReadonlySet<string> = new Set(["builtin", "interpolate", "diagnostic"]);

export function resolve(context: Context): Resolution {
  const resolver: Resolver = {
    context,
    moduleScope: new Map(),
    scopes: [],
    loops: [],
    continuing: [],
    mentions: new Map(),
    mentioned: new Map(),
    locals: new Map(),
    unresolved: [],
    suggestions: MOST_SUGGESTIONS,
  };
  const declarations: ModuleDeclaration[] = [];
  for (const declaration of context.module.declarations) {
    if (declaration.kind === "const-assert" || declaration.kind === "error-declaration") continue;
    declarations.push(declaration);
    declare(resolver, resolver.moduleScope, declaration);
  }
  for (const declaration of context.module.declarations) {
    resolver.mentioned = new Map();
    if (declaration.kind === "const-assert") expression(resolver, declaration.condition);
    else if (declaration.kind !== "error-declaration") {
      resolver.mentions.set(declaration, resolver.mentioned);
      moduleDeclaration(resolver, declaration);
    }
  }
  return { ordered: dependencyOrder(context, declarations, resolver.mentions), mentions: resolver.mentions };
}

/** Names must differ that end their scope at one place. spec: #declaration-and-scope */
function declare(resolver: Resolver, scope: Scope, declaration: Declaration): void {
  const name = declaration.name.text;
  if (name === "") return;
  const earlier = scope.get(name);
  if (earlier === undefined) {
    scope.set(name, declaration);
    return;
  }
  resolver.context.diagnostics.report(
    "duplicate-declaration",
    declaration.name.span,
    { name },
    { notes: [note("declared-here", earlier.name.span, { name })] },
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
  const scope: Scope = new Map();
  for (const param of node.params) declare(resolver, scope, param);
  inScope(resolver, scope, () => statements(resolver, node.body.statements));
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

function inScope(resolver: Resolver, scope: Scope, body: () => void): void {
  resolver.scopes.push(scope);
  body();
  resolver.scopes.pop();
}

function block(resolver: Resolver, node: ast.CompoundStatement): void {
  inScope(resolver, new Map(), () => statements(resolver, node.statements));
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
      declare(resolver, resolver.scopes[resolver.scopes.length - 1], node);
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
      loop(resolver, node);
      return;
    case "for":
      forLoop(resolver, node);
      return;
    case "while":
      expression(resolver, node.condition);
      loopBody(resolver, { scope: new Map(), firstContinue: null }, node.body.statements);
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

function loopBody(resolver: Resolver, loop: Loop, body: readonly ast.Statement[], after: () => void = () => {}): void {
  resolver.loops.push(loop);
  inScope(resolver, loop.scope, () => {
    statements(resolver, body);
    resolver.loops.pop();
    after();
  });
}

/** The continuing block sees what the body declares. spec: #loop-statement */
function loop(resolver: Resolver, node: ast.LoopStatement): void {
  const state: Loop = { scope: new Map(), firstContinue: null };
  const { continuing } = node;
  loopBody(resolver, state, node.body.statements, () => {
    if (continuing === null) return;
    resolver.continuing.push(state);
    inScope(resolver, new Map(), () => {
      statements(resolver, continuing.body.statements);
      if (continuing.breakIf !== null) expression(resolver, continuing.breakIf);
    });
    resolver.continuing.pop();
  });
}

/** A name in the initializer and one in the body end their scope together. spec: #for-statement */
function forLoop(resolver: Resolver, node: ast.ForStatement): void {
  const scope: Scope = new Map();
  inScope(resolver, scope, () => {
    if (node.initializer !== null) statement(resolver, node.initializer);
    if (node.condition !== null) expression(resolver, node.condition);
    if (node.update !== null) statement(resolver, node.update);
  });
  loopBody(resolver, { scope, firstContinue: null }, node.body.statements);
}

function expressions(resolver: Resolver, list: readonly ast.Expr[]): void {
  for (const node of list) expression(resolver, node);
}

function expression(resolver: Resolver, root: ast.Expr): void {
  let node = root;
  // Chains of operators hang on their left side: down there by a loop, not by recursion.
  while (node.kind === "binary") {
    const spine: ast.BinaryExpr[] = [];
    while (node.kind === "binary") {
      spine.push(node);
      node = node.left;
    }
    expression(resolver, node);
    for (let i = spine.length - 1; i >= 0; i--) expression(resolver, spine[i].right);
    return;
  }
  switch (node.kind) {
    case "identifier":
      identifier(resolver, node);
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
  const { context } = resolver;
  const name = node.name.text;
  for (let i = resolver.scopes.length - 1; i >= 0; i--) {
    const found = resolver.scopes[i].get(name);
    if (found === undefined) continue;
    context.targetOf[node.id] = found;
    if (resolver.continuing.length > 0) notSkipped(resolver, resolver.scopes[i], found, node);
    return;
  }
  const found = resolver.moduleScope.get(name) as ModuleDeclaration | undefined;
  if (found !== undefined) {
    context.targetOf[node.id] = found;
    if (!resolver.mentioned.has(found)) resolver.mentioned.set(found, node.name.span);
    return;
  }
  context.entityOf[node.id] = predeclared(name);
  if (context.entityOf[node.id] === null) unresolved(resolver, node.name);
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
  if (name.text === "") return;
  const suggest = foreignName(name.text) === null && resolver.suggestions-- > 0;
  resolver.unresolved.push({ name, near: suggest ? nearestName(name.text, namesInScope(resolver)) : null });
  if (resolver.scopes.length === 0) reportUnresolved(resolver);
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
  const foreign = foreignName(text);
  if (foreign !== null) return [note("wgsl-writes", span, { name: text, wgsl: foreign })];
  return near === null ? [] : [note("did-you-mean", span, { name: near })];
}

function* namesInScope(resolver: Resolver): Iterable<string> {
  for (const scope of resolver.scopes) yield* scope.keys();
  yield* resolver.moduleScope.keys();
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
