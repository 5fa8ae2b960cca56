/**
 * Gives every identifier the declaration that it denotes, and module-scope declarations their order: what is used comes
 * before its user. spec: #declaration-and-scope
 *
 * Context-dependent names (attribute names, builtin values, members, swizzles) are no identifiers and are not resolved.
 */
import { type DiagnosticExtras, type Fix, fix, type Note, note } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { foreignName, isForeignOutput, isRenamed } from "../syntax/foreign-names.ts";
import { forEachExpression } from "../syntax/walk.ts";
import { isSameWord, nearestName } from "../text/nearest.ts";
import type { Span } from "../text/source.ts";
import type { Context, Declaration, ModuleDeclaration } from "./context.ts";
import { Dependent, mention, visitInOrder } from "./dependencies.ts";
import { predeclared, predeclaredNames } from "./predeclared.ts";

/** What is known of the declarations of a module once all names are resolved. */
export interface Resolution {
  /** Module-scope declarations, users after what they use. */
  readonly ordered: readonly Dependent[];
}

/** What a name denotes here, and what it denotes again where the scope ends. */
class Binding {
  /** null: it is predeclared. */
  readonly declaration: Declaration | null;
  /** Among all declarations, or among all that is predeclared and mentioned. */
  readonly number: number;
  /** Of what the module declares. */
  readonly dependent: Dependent | null;
  readonly scope: Scope;
  readonly outer: Binding | null;

  constructor(
    declaration: Declaration | null,
    number: number,
    dependent: Dependent | null,
    scope: Scope,
    outer: Binding | null,
  ) {
    this.declaration = declaration;
    this.number = number;
    this.dependent = dependent;
    this.scope = scope;
    this.outer = outer;
  }
}

/** The number of a stretch of text that declares names. */
type Scope = number;
const PREDECLARED: Scope = -1;
const MODULE: Scope = 0;

/** A loop whose continuing block may not use what a `continue` jumps over. */
interface Loop {
  readonly scope: Scope;
  firstContinue: ast.ContinueStatement | null;
}

interface Resolver {
  readonly context: Context;
  /** What each name denotes at the place at hand; null: nothing any more. */
  readonly visible: Map<string, Binding | null>;
  /** Innermost scope, and the last that there was. */
  scope: Scope;
  lastScope: Scope;
  /** Names in the scopes of the function at hand, innermost last. */
  readonly names: string[];
  readonly loops: Loop[];
  /** Loops whose continuing block is being resolved. */
  readonly continuing: Loop[];
  /** The declaration at hand. */
  current: Dependent | null;
  /** Names in the function at hand that denote nothing, with the names that are near. */
  readonly unresolved: { readonly name: ast.Name; readonly near: string | null }[];
  /** Suggestions still to be made: they cost a walk over all names. */
  suggestions: number;
}

const MOST_SUGGESTIONS = 20;

/** Attributes whose arguments are context-dependent names; `@stage` was one once. */
const NAMED_ARGUMENTS: ReadonlySet<string> = new Set(["builtin", "interpolate", "diagnostic", "stage"]);

/**
 * Hands over each module-scope declaration as soon as all that it mentions has been; those in a cycle too, in some order.
 * A declaration is resolved just before, so that whoever takes it finds its tree in the caches of the processor.
 */
export function resolve(context: Context, take: (declaration: ModuleDeclaration) => void): Resolution {
  const resolver: Resolver = {
    context,
    visible: new Map(),
    scope: MODULE,
    lastScope: MODULE,
    names: [],
    loops: [],
    continuing: [],
    current: null,
    unresolved: [],
    suggestions: MOST_SUGGESTIONS,
  };
  const dependents: Dependent[] = [];
  for (const declaration of context.module.declarations) {
    if (declaration.kind === "const-assert" || declaration.kind === "error-declaration") continue;
    const dependent = new Dependent(declaration);
    dependents.push(dependent);
    declare(resolver, declaration, dependent);
  }
  for (const declaration of context.module.declarations) {
    if (declaration.kind === "const-assert") expression(resolver, declaration.condition);
  }
  const ordered: Dependent[] = [];
  const enter = (dependent: Dependent): void => {
    resolver.current = dependent;
    moduleDeclaration(resolver, dependent.declaration);
  };
  visitInOrder(context, dependents, enter, (dependent) => {
    ordered.push(dependent);
    take(dependent.declaration);
  });
  return { ordered };
}

/** Names must differ that end their scope at one place. spec: #declaration-and-scope */
function declare(resolver: Resolver, declaration: Declaration, dependent: Dependent | null): void {
  const { visible, scope } = resolver;
  const name = declaration.name.text;
  if (name === "") return;
  const outer = visible.get(name) ?? null;
  if (outer === null || outer.scope !== scope) {
    const number = resolver.context.facts.addDeclaration(declaration);
    visible.set(name, new Binding(declaration, number, dependent, scope, outer));
    if (scope !== MODULE) resolver.names.push(name);
    return;
  }
  resolver.context.diagnostics.report(
    "duplicate-declaration",
    declaration.name.span,
    { name },
    { notes: redeclarationNotes(declaration, outer.declaration!) },
  );
}

function redeclarationNotes({ kind }: Declaration, earlier: Declaration): readonly Note[] {
  const { text: name, span } = earlier.name;
  if (earlier.kind === "param" && kind !== "param") return [note("scope-of-body", span, { name })];
  const notes = [note("declared-here", span, { name })];
  return kind === "function" && earlier.kind === "function" ? [...notes, note("no-overloading", span, {})] : notes;
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
  const mark = resolver.names.length;
  const outer = enterScope(resolver);
  for (const param of node.params) declare(resolver, param, null);
  statements(resolver, node.body.statements);
  reportUnresolved(resolver);
  leaveScope(resolver, outer, mark);
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
function enterScope(resolver: Resolver): Scope {
  const outer = resolver.scope;
  resolver.scope = ++resolver.lastScope;
  return outer;
}

/** `mark`: how many names there were before. */
function leaveScope(resolver: Resolver, outer: Scope, mark: number): void {
  const { visible, names } = resolver;
  while (names.length > mark) {
    const name = names.pop()!;
    visible.set(name, visible.get(name)!.outer);
  }
  resolver.scope = outer;
}

function block(resolver: Resolver, node: ast.CompoundStatement): void {
  if (node.statements.length === 0) return;
  const mark = resolver.names.length;
  const outer = enterScope(resolver);
  statements(resolver, node.statements);
  leaveScope(resolver, outer, mark);
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
      declare(resolver, node, null);
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
      loop(resolver, node.body, node.continuing);
      return;
    case "for":
      forLoop(resolver, node);
      return;
    case "while":
      expression(resolver, node.condition);
      loop(resolver, node.body, null);
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

function loop(resolver: Resolver, body: ast.CompoundStatement, continuing: ast.ContinuingBlock | null): void {
  const mark = resolver.names.length;
  const outer = enterScope(resolver);
  loopBody(resolver, body, continuing);
  leaveScope(resolver, outer, mark);
}

/** The continuing block sees what the body declares. spec: #loop-statement */
function loopBody(resolver: Resolver, body: ast.CompoundStatement, continuing: ast.ContinuingBlock | null): void {
  const around: Loop = { scope: resolver.scope, firstContinue: null };
  resolver.loops.push(around);
  statements(resolver, body.statements);
  resolver.loops.pop();
  if (continuing === null) return;
  resolver.continuing.push(around);
  const mark = resolver.names.length;
  const outer = enterScope(resolver);
  statements(resolver, continuing.body.statements);
  if (continuing.breakIf !== null) expression(resolver, continuing.breakIf);
  leaveScope(resolver, outer, mark);
  resolver.continuing.pop();
}

/** A name in the initializer and one in the body end their scope together. spec: #for-statement */
function forLoop(resolver: Resolver, node: ast.ForStatement): void {
  const mark = resolver.names.length;
  const outer = enterScope(resolver);
  if (node.initializer !== null) statement(resolver, node.initializer);
  if (node.condition !== null) expression(resolver, node.condition);
  if (node.update !== null) statement(resolver, node.update);
  loopBody(resolver, node.body, null);
  leaveScope(resolver, outer, mark);
}

function expressions(resolver: Resolver, list: readonly ast.Expr[]): void {
  for (const node of list) expression(resolver, node);
}

/** The last operand of each node is followed by the loop, the others by recursion. */
function expression(resolver: Resolver, root: ast.Expr): void {
  let node = root;
  for (;;) {
    switch (node.kind) {
      case "identifier":
        identifier(resolver, node);
        return;
      case "binary":
        expression(resolver, node.left);
        node = node.right;
        break;
      case "call":
        identifier(resolver, node.callee);
        expressions(resolver, node.args);
        return;
      case "index":
        expression(resolver, node.object);
        node = node.index;
        break;
      case "member":
        node = node.object;
        break;
      case "unary":
        node = node.operand;
        break;
      case "paren":
        node = node.expression;
        break;
      case "literal":
      case "error-expression":
        return;
      default:
        node satisfies never;
        return;
    }
  }
}

/** spec: #resolves */
function identifier(resolver: Resolver, node: ast.IdentifierExpr): void {
  if (node.template !== null) expressions(resolver, node.template);
  const found = resolver.visible.get(node.text) ?? predeclaredBinding(resolver, node.text);
  const { facts } = resolver.context;
  if (found === null) unresolved(resolver, node.name);
  else if (found.declaration === null) facts.resolveToPredeclared(node.id, found.number);
  else {
    facts.resolveTo(node.id, found.number);
    if (found.dependent !== null) {
      if (resolver.current !== null) mention(resolver.current, found.dependent, node);
    } else if (resolver.continuing.length > 0) notSkipped(resolver, found.scope, found.declaration, node);
  }
}

/** Becomes visible where it is mentioned first: few of them are. */
function predeclaredBinding({ context, visible }: Resolver, name: string): Binding | null {
  const entity = predeclared(name);
  if (entity === null) return null;
  const number = context.facts.addPredeclared(entity);
  const binding = new Binding(null, number, null, PREDECLARED, null);
  visible.set(name, binding);
  return binding;
}

/** A `continue` must not jump past a declaration that the continuing block uses. spec: #continue-statement */
function notSkipped(resolver: Resolver, scope: Scope, found: Declaration, node: ast.IdentifierExpr): void {
  for (const { scope: body, firstContinue } of resolver.continuing) {
    if (body !== scope || firstContinue === null || firstContinue.start > found.start) continue;
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
  if (resolver.scope === MODULE) reportUnresolved(resolver);
}

/** Reports at the end of a function: only then is it known whether the name is declared further down, or was in a block. */
function reportUnresolved(resolver: Resolver): void {
  if (resolver.unresolved.length === 0) return;
  const locals = localsOf(resolver);
  const told = new Set<string>();
  for (const { name, near } of resolver.unresolved) {
    // A declaration that lacks is one mistake, however often the function uses it.
    if (told.has(name.text)) continue;
    told.add(name.text);
    const extras = unresolvedExtras(resolver, name, locals.get(name.text) ?? null, near);
    resolver.context.diagnostics.report("unresolved-identifier", name.span, { name: name.text }, extras);
  }
  resolver.unresolved.length = 0;
}

function unresolvedExtras(
  resolver: Resolver,
  { text, span }: ast.Name,
  local: ast.LocalDecl | null,
  near: string | null,
): DiagnosticExtras {
  const source = resolver.context.source.text;
  if (local !== null) {
    const code = local.end <= span.start ? "declared-in-block" : "declared-later";
    return { notes: [note(code, local.name.span, { name: text })] };
  }
  if (isForeignOutput(text)) return { notes: [note("no-text-output", span, { name: text })] };
  const before = source.slice(Math.max(0, span.start - 16), span.start).trimEnd();
  if (text === "void" && before.endsWith("->")) return { notes: [note("no-void", span, {})] };
  if (/\bvar\s*<$/.test(before)) return { notes: [note("builtin-values", span, { names: ADDRESS_SPACES })] };
  const foreign = foreignName(text);
  if (foreign !== null) {
    const notes = [note("wgsl-writes", span, { name: text, wgsl: foreign })];
    return isRenamed(text, foreign) ? { notes, fixes: [replaced(span, foreign)] } : { notes };
  }
  if (near !== null) {
    const notes = [note("did-you-mean", span, { name: near })];
    return isSameWord(text, near) ? { notes, fixes: [replaced(span, near)] } : { notes };
  }
  return beginsStatement(before) && /^\s*=[^=]/.test(source.slice(span.end, span.end + 16))
    ? { notes: [note("declare-it", span, { name: text })], fixes: [declared(text, span)] }
    : {};
}

const ADDRESS_SPACES = "function, private, workgroup, uniform, storage, immediate";

function beginsStatement(before: string): boolean {
  return /[;{}]$|\bfor\s*\($/.test(before);
}

function replaced(place: Span, text: string): Fix {
  return fix("replace-with", { text }, [{ span: place, text }]);
}

/** Of `i = 0`, where no `i` was declared. */
function declared(name: string, { start }: Span): Fix {
  return fix("declare-var", { name }, [{ span: { start, end: start }, text: "var " }]);
}

/** In the body of a function what it declares, wherever in it, by name: the first of each. Its head sees the module only. */
function localsOf({ scope, current }: Resolver): ReadonlyMap<string, ast.LocalDecl> {
  const locals = new Map<string, ast.LocalDecl>();
  if (scope === MODULE || current?.declaration.kind !== "function") return locals;
  const note = (node: ast.Statement): void => {
    if (node.kind !== "var" && node.kind !== "let" && node.kind !== "const") return;
    if (!locals.has(node.name.text)) locals.set(node.name.text, node);
  };
  forEachExpression(current.declaration.body, () => {}, note);
  return locals;
}

function* namesInScope(resolver: Resolver): Iterable<string> {
  for (const [name, binding] of resolver.visible) if (binding !== null && binding.scope > MODULE) yield name;
  for (const [name, binding] of resolver.visible) if (binding?.scope === MODULE) yield name;
  yield* predeclaredNames();
}
