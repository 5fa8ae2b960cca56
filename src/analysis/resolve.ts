/**
 * Gives every identifier the declaration that it denotes, and module-scope declarations their order: what is used comes
 * before its user. spec: #declaration-and-scope
 *
 * Context-dependent names (attribute names, builtin values, members, swizzles) are no identifiers and are not resolved.
 */
import { TEXEL_FORMAT_NAMES } from "../builtins/texel-formats.ts";
import { type DiagnosticExtras, type Fix, fix, type Note, note, replacement } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { foreignName, isForeignOutput, isRenamed } from "../syntax/foreign-names.ts";
import { ENTRY, NO_WORD, type ScopeLog, Scoping } from "../syntax/scoping.ts";
import { forEachExpression } from "../syntax/walk.ts";
import { listOf } from "../text/list.ts";
import { nearestName } from "../text/nearest.ts";
import { type Span, span } from "../text/source.ts";
import type { Context, Declaration, ModuleDeclaration } from "./context.ts";
import { Dependent, mention, visitInOrder } from "./dependencies.ts";
import { ACCESS_MODE_NAMES, ADDRESS_SPACE_NAMES, predeclared, predeclaredNames } from "./predeclared.ts";
import { meant, suggested } from "./suggestions.ts";

/** What is known of the declarations of a module once all names are resolved. */
export interface Resolution {
  /** Module-scope declarations, users after what they use. */
  readonly ordered: readonly Dependent[];
}

/** A stretch of text that declares names. Those that follow each other in one scope take turns with one object. */
class Scope {
  readonly outer: Scope | null;
  /** The one for the next scope in it; null: there was none yet. */
  inner: Scope | null = null;
  /** How many names there were before. */
  mark = 0;
  isLoop = false;
  /** Where the first `continue` of a loop starts; -1: there is none. */
  firstContinue = -1;
  /** Its continuing block is being resolved: it may not use what a `continue` jumps over. */
  isContinuing = false;

  constructor(outer: Scope | null) {
    this.outer = outer;
  }
}

/** What a name denotes here, and what it denotes again where the scope ends: then the object is free for another name. */
class Binding {
  /** null: it is predeclared. */
  declaration: Declaration | null = null;
  /** Among all declarations, or among all that is predeclared and mentioned. */
  number = 0;
  /** Of what the module declares. */
  dependent: Dependent | null = null;
  /** null: around the module. */
  scope: Scope | null = null;
  /** Of those that are free: the next. */
  outer: Binding | null = null;
}

interface Resolver {
  readonly context: Context;
  readonly scoping: ScopeLog;
  /** By the number of a word, what it denotes at the place at hand; null: nothing yet, or nothing any more. */
  readonly visible: (Binding | null)[];
  readonly module: Scope;
  /** Innermost scope. */
  scope: Scope;
  /** Bindings of scopes that have ended. */
  free: Binding | null;
  /** Words declared in the scopes of the function at hand, innermost last. */
  readonly names: number[];
  /** The declaration at hand. */
  current: Dependent | null;
  /** Names in the function at hand that denote nothing, with the names that are near. */
  readonly unresolved: { readonly text: string; readonly span: Span; readonly near: string | null }[];
  /** Suggestions still to be made: they cost a walk over all names. */
  suggestions: number;
}

const MOST_SUGGESTIONS = 20;

/**
 * Hands over each module-scope declaration as soon as all that it mentions has been; those in a cycle too, in some order.
 * A declaration is resolved just before.
 */
export function resolve(
  context: Context,
  scoping: ScopeLog,
  take: (declaration: ModuleDeclaration) => void,
): Resolution {
  const module = new Scope(null);
  const resolver: Resolver = {
    context,
    scoping,
    visible: new Array<Binding | null>(scoping.words.texts.length).fill(null),
    module,
    scope: module,
    free: null,
    names: [],
    current: null,
    unresolved: [],
    suggestions: MOST_SUGGESTIONS,
  };
  const dependents: Dependent[] = listOf();
  const { declarations } = context.module;
  for (let index = 0; index < declarations.length; index++) {
    const declaration = declarations[index];
    if (declaration.kind === "const-assert" || declaration.kind === "error-declaration") continue;
    const dependent = new Dependent(declaration, index);
    dependents.push(dependent);
    declare(resolver, scoping.declared[index], declaration, dependent);
  }
  for (let index = 0; index < declarations.length; index++) {
    if (declarations[index].kind === "const-assert") names(resolver, index);
  }
  const ordered: Dependent[] = listOf();
  const enter = (dependent: Dependent): void => {
    resolver.current = dependent;
    names(resolver, dependent.index);
  };
  visitInOrder(context, dependents, enter, (dependent) => {
    ordered.push(dependent);
    take(dependent.declaration);
  });
  return { ordered };
}

/** Names must differ that end their scope at one place. spec: #declaration-and-scope */
function declare(resolver: Resolver, word: number, declaration: Declaration, dependent: Dependent | null): void {
  const { visible, scope } = resolver;
  if (word === NO_WORD) return;
  const outer = visible[word];
  if (outer === null || outer.scope !== scope) {
    const number = resolver.context.facts.addDeclaration(declaration);
    const binding = newBinding(resolver);
    binding.declaration = declaration;
    binding.number = number;
    binding.dependent = dependent;
    binding.scope = scope;
    binding.outer = outer;
    visible[word] = binding;
    if (dependent === null) resolver.names.push(word);
    return;
  }
  const name = declaration.name.text;
  resolver.context.diagnostics.report(
    "duplicate-declaration",
    declaration.name.span,
    { name },
    { notes: redeclarationNotes(declaration, outer.declaration!) },
  );
}

function newBinding(resolver: Resolver): Binding {
  const { free } = resolver;
  if (free === null) return new Binding();
  resolver.free = free.outer;
  return free;
}

function redeclarationNotes({ kind }: Declaration, earlier: Declaration): readonly Note[] {
  const { text: name, span } = earlier.name;
  if (earlier.kind === "param" && kind !== "param") return [note("scope-of-body", span, { name })];
  const notes = [note("declared-here", span, { name })];
  return kind === "function" && earlier.kind === "function" ? [...notes, note("no-overloading", span, {})] : notes;
}

/** Resolves what the declaration of the module with this index mentions. */
function names(resolver: Resolver, index: number): void {
  const { entries, ends, locals } = resolver.scoping;
  const end = ends[index];
  for (let at = index === 0 ? 0 : ends[index - 1]; at < end; at += ENTRY) {
    const what = entries[at];
    if (what >= 0) mentioned(resolver, what, entries[at + 1], entries[at + 2]);
    else if (what === Scoping.declare) declare(resolver, entries[at + 1], locals[entries[at + 2]], null);
    else if (what === Scoping.close) leaveScope(resolver);
    else if (what === Scoping.continue) noteContinue(resolver.scope, entries[at + 1]);
    else enterScope(resolver, what);
  }
}

function enterScope(resolver: Resolver, what: number): void {
  const { scope } = resolver;
  // The continuing block sees what the body declares. spec: #loop-statement
  if (what === Scoping.openContinuing) scope.isContinuing = true;
  scope.inner ??= new Scope(scope);
  const { inner } = scope;
  inner.mark = resolver.names.length;
  inner.isLoop = what === Scoping.openLoop;
  inner.firstContinue = -1;
  inner.isContinuing = false;
  resolver.scope = inner;
}

function leaveScope(resolver: Resolver): void {
  const { visible, names, scope, module } = resolver;
  const outer = scope.outer!;
  if (outer === module) reportUnresolved(resolver);
  while (names.length > scope.mark) {
    const word = names.pop()!;
    const binding = visible[word]!;
    visible[word] = binding.outer;
    binding.outer = resolver.free;
    resolver.free = binding;
  }
  outer.isContinuing = false;
  resolver.scope = outer;
}

/** In a continuing block it is that of a loop around. */
function noteContinue(innermost: Scope, start: number): void {
  for (let scope: Scope | null = innermost; scope !== null; scope = scope.outer) {
    if (!scope.isLoop || scope.isContinuing) continue;
    if (scope.firstContinue < 0) scope.firstContinue = start;
    return;
  }
}

/** spec: #resolves */
function mentioned(resolver: Resolver, word: number, id: ast.NodeId, start: number): void {
  const found = resolver.visible[word] ?? predeclaredBinding(resolver, word);
  const { facts } = resolver.context;
  if (found === null) unresolved(resolver, resolver.scoping.words.texts[word], start);
  else if (found.declaration === null) facts.resolveToPredeclared(id, found.number);
  else {
    facts.resolveTo(id, found.number);
    if (found.dependent !== null) {
      if (resolver.current !== null) mention(resolver.current, found.dependent, start);
    } else if (found.scope!.isContinuing) notSkipped(resolver, found.scope!.firstContinue, found.declaration, start);
  }
}

/** Becomes visible where it is mentioned first: few of them are. */
function predeclaredBinding({ context, scoping, visible }: Resolver, word: number): Binding | null {
  const entity = predeclared(scoping.words.texts[word]);
  if (entity === null) return null;
  const binding = new Binding();
  binding.number = context.facts.addPredeclared(entity);
  visible[word] = binding;
  return binding;
}

/** A `continue` must not jump past a declaration that the continuing block uses. spec: #continue-statement */
function notSkipped({ context }: Resolver, firstContinue: number, found: Declaration, start: number): void {
  if (firstContinue < 0 || firstContinue > found.start) return;
  const name = found.name.text;
  context.diagnostics.report(
    "continue-skips-declaration",
    span(firstContinue, firstContinue + "continue".length),
    { name },
    {
      notes: [
        note("declared-here", found.name.span, { name }),
        note("used-here", span(start, start + name.length), { name }),
      ],
    },
  );
}

function unresolved(resolver: Resolver, text: string, start: number): void {
  // That a name begins with two underscores was told.
  if (text.startsWith("__")) return;
  const suggest = foreignName(text) === null && !isForeignOutput(text) && resolver.suggestions-- > 0;
  const near = suggest ? nearestName(text, namesInScope(resolver)) : null;
  resolver.unresolved.push({ text, span: span(start, start + text.length), near });
  if (resolver.scope === resolver.module) reportUnresolved(resolver);
}

/** Reports at the end of a function: only then is it known whether the name is declared further down, or was in a block. */
function reportUnresolved(resolver: Resolver): void {
  if (resolver.unresolved.length === 0) return;
  const locals = localsOf(resolver);
  const told = new Set<string>();
  for (const { text, span, near } of resolver.unresolved) {
    // A declaration that lacks is one mistake, however often the function uses it.
    if (told.has(text)) continue;
    told.add(text);
    const extras = unresolvedExtras(resolver, text, span, locals.get(text) ?? null, near);
    resolver.context.diagnostics.report("unresolved-identifier", span, { name: text }, extras);
  }
  resolver.unresolved.length = 0;
}

function unresolvedExtras(
  resolver: Resolver,
  text: string,
  span: Span,
  local: ast.LocalDecl | null,
  near: string | null,
): DiagnosticExtras {
  const source = resolver.context.source.text;
  if (local !== null) {
    const code = local.end <= span.start ? "declared-in-block" : "declared-later";
    return { notes: [note(code, local.name.span, { name: text })] };
  }
  if (isForeignOutput(text)) return { notes: [note("no-text-output", span, { name: text })] };
  const before = source.slice(Math.max(0, span.start - LONGEST_TEMPLATE), span.start).trimEnd();
  if (text === "void" && before.endsWith("->")) return { notes: [note("no-void", span, {})] };
  const foreign = foreignName(text);
  if (foreign !== null) {
    const notes = [note("wgsl-writes", span, { name: text, wgsl: foreign })];
    return isRenamed(text, foreign) ? { notes, fixes: [replacement(span, foreign)] } : { notes };
  }
  const enumerants = enumerantsAt(before);
  if (enumerants !== null) return suggested(text, enumerants, span, { listed: true });
  if (near !== null) return meant(text, near, span);
  return beginsStatement(before) && /^\s*=[^=]/.test(source.slice(span.end, span.end + 16))
    ? { notes: [note("declare-it", span, { name: text })], fixes: [declared(text, span)] }
    : {};
}

/** Units before a name that are looked at. */
const LONGEST_TEMPLATE = 64;

/** The enumerants that can stand behind `before`, where it is clear that one has to. */
function enumerantsAt(before: string): readonly string[] | null {
  if (/\b(?:var|ptr)\s*<$/.test(before)) return ADDRESS_SPACE_NAMES;
  if (/\btexture_storage_\w+\s*<$/.test(before)) return TEXEL_FORMAT_NAMES;
  return /\b(?:var\s*<\s*storage|texture_storage_\w+\s*<\s*\w+)\s*,$/.test(before) ? ACCESS_MODE_NAMES : null;
}

function beginsStatement(before: string): boolean {
  return /[;{}]$|\bfor\s*\($/.test(before);
}

/** Of `i = 0`, where no `i` was declared. */
function declared(name: string, { start }: Span): Fix {
  return fix("declare-var", { name }, [{ span: { start, end: start }, text: "var " }]);
}

/** In the body of a function what it declares, wherever in it, by name: the first of each. Its head sees the module only. */
function localsOf({ scope, module, current }: Resolver): ReadonlyMap<string, ast.LocalDecl> {
  const locals = new Map<string, ast.LocalDecl>();
  if (scope === module || current?.declaration.kind !== "function") return locals;
  const note = (node: ast.Statement): void => {
    if (node.kind !== "var" && node.kind !== "let" && node.kind !== "const") return;
    if (!locals.has(node.name.text)) locals.set(node.name.text, node);
  };
  forEachExpression(current.declaration.body, () => {}, note);
  return locals;
}

function* namesInScope({ scoping, visible, module }: Resolver): Iterable<string> {
  const { texts } = scoping.words;
  for (const [word, binding] of visible.entries()) {
    if (binding !== null && binding.scope !== null && binding.scope !== module) yield texts[word];
  }
  for (const [word, binding] of visible.entries()) if (binding?.scope === module) yield texts[word];
  yield* predeclaredNames();
}
