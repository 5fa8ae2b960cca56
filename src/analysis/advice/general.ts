/** Code without effect: what is never reached, never used, never read; and names that mislead. */
import { isBuiltinName } from "../../builtins/resolve.ts";
import { note } from "../../diagnostics/diagnostic.ts";
import type * as ast from "../../syntax/ast.ts";
import { forEachExpression } from "../../syntax/walk.ts";
import type { FunctionInfo, VariableInfo } from "../program.ts";
import type { Advice } from "./advice-context.ts";
import { type FunctionSurvey, type Node, READ, WRITTEN } from "./survey.ts";

/** Names that begin with an underscore are unused on purpose. */
function isExempt(name: ast.Name): boolean {
  return name.text.startsWith("_") || name.text === "";
}

export function unreachableCode(advice: Advice): void {
  for (const { first, last, by } of advice.survey.unreachable) {
    const notes = [note("leaves-before", by.span, {})];
    const span = { start: first.span.start, end: last.span.end };
    advice.found.report("unreachable-code", span, {}, { notes });
  }
}

/** A variable, `let` or `const` in a function that nothing mentions. */
export function unusedLocal(advice: Advice, fn: FunctionSurvey): void {
  for (const { id, name, kind } of fn.locals) {
    if (isExempt(name) || advice.survey.mentioned[id] !== 0) continue;
    advice.found.report("unused-variable", name.span, { what: kind, name: name.text });
  }
}

/** A variable that is assigned and never read: what is computed for it is lost. */
export function neverRead(advice: Advice, fn: FunctionSurvey): void {
  for (const { id, name } of fn.locals) {
    if (isExempt(name) || advice.survey.mentioned[id] !== WRITTEN) continue;
    const use = advice.uses(fn, { id })[0];
    const notes = use === undefined ? [] : [note("written-here", use.span, { name: name.text })];
    advice.found.report("never-read", name.span, { name: name.text }, { notes });
  }
}

export function unusedParameter(advice: Advice, fn: FunctionSurvey): void {
  for (const { declaration, name } of fn.info.params) {
    if (isExempt(declaration.name) || (advice.survey.mentioned[declaration.id] & READ) !== 0) continue;
    advice.found.report("unused-parameter", declaration.name.span, { name, function: fn.info.name });
  }
}

/** In a module without entry points every function may be meant for others. */
export function unusedFunction(advice: Advice): void {
  const { functions, entryPoints } = advice.program;
  if (entryPoints.length === 0) return;
  const reached = new Set<FunctionInfo>(entryPoints);
  for (const info of reached) for (const callee of info.callees) reached.add(callee);
  for (const info of functions) {
    if (reached.has(info) || isExempt(info.declaration.name)) continue;
    advice.found.report("unused-function", info.declaration.name.span, { name: info.name });
  }
}

/** Module-scope variables that no entry point reaches: a binding of them is in no automatic layout. */
export function unusedModuleVariable(advice: Advice): void {
  const { variables, entryPoints } = advice.program;
  const used = new Set<VariableInfo>();
  for (const info of entryPoints) for (const variable of info.usedVariables) used.add(variable);
  for (const variable of variables) {
    const { declaration, name, group, binding } = variable;
    if (isExempt(declaration.name) || used.has(variable)) continue;
    if (entryPoints.length === 0 && advice.survey.mentioned[declaration.id] !== 0) continue;
    if (group !== null && binding !== null) {
      advice.found.report("unused-binding", declaration.name.span, { name, group, binding });
    } else {
      advice.found.report("unused-variable", declaration.name.span, { what: "var", name });
    }
  }
}

// ---------------------------------------------------------------- shadowing

interface Named {
  readonly declaration: ast.LocalDecl;
  /** The block, `for` statement or function that the name is known in. */
  readonly scope: Node | null;
}

/** `let max = …;` where the same function also calls the builtin `max`. */
export function shadowedBuiltin(advice: Advice, fn: FunctionSurvey): void {
  let calls: ReadonlyMap<string, ast.CallExpr> | null = null;
  for (const { name } of [...fn.info.params.map((param) => param.declaration), ...fn.locals]) {
    if (!isBuiltinName(name.text)) continue;
    calls ??= builtinCalls(advice, fn);
    const call = calls.get(name.text);
    if (call === undefined) continue;
    const notes = [note("builtin-called-here", call.callee.span, { name: name.text })];
    advice.found.report("shadowed-builtin", name.span, { name: name.text }, { notes });
  }
}

/** The first call of each builtin function. */
function builtinCalls(advice: Advice, fn: FunctionSurvey): ReadonlyMap<string, ast.CallExpr> {
  const calls = new Map<string, ast.CallExpr>();
  forEachExpression(fn.info.declaration.body, (expr) => {
    const name = advice.builtin(expr);
    if (name !== null && !calls.has(name)) calls.set(name, expr as ast.CallExpr);
  });
  return calls;
}

/** A name declared anew in an inner block, while the outer variable is read behind the block as if it had been changed. */
export function misleadingShadow(advice: Advice, fn: FunctionSurvey): void {
  const known = new Map<string, Named[]>();
  for (const declaration of fn.locals) {
    const name = declaration.name.text;
    const inner: Named = { declaration, scope: advice.parent(declaration) };
    const same = known.get(name);
    // Declarations come in the order of the text: a scope that has ended will not hold another one.
    while (same !== undefined && same.length > 0 && hasEnded(same[same.length - 1], declaration)) same.pop();
    for (const outer of same ?? []) compare(advice, fn, outer, inner);
    const global = inner.scope === fn.info.declaration.body ? undefined : advice.moduleVariables.get(name);
    if (global !== undefined) compare(advice, fn, { declaration: global.declaration, scope: null }, inner);
    if (declaration.kind !== "var") continue;
    if (same === undefined) known.set(name, [inner]);
    else same.push(inner);
  }
}

function hasEnded({ scope }: Named, at: ast.LocalDecl): boolean {
  return scope !== null && scope.span.end <= at.span.start;
}

function compare(advice: Advice, fn: FunctionSurvey, outer: Named, inner: Named): void {
  if (inner.scope === null || !isInside(advice, inner.scope, outer.scope)) return;
  const end = inner.scope.span.end;
  const after = advice.uses(fn, outer.declaration).find((use) => use.span.start >= end && !isTarget(advice, use));
  if (after === undefined) return;
  const name = outer.declaration.name.text;
  const notes = [
    note("declared-here", outer.declaration.name.span, { name }),
    note("outer-read-here", after.span, { name }),
  ];
  advice.found.report("misleading-shadow", inner.declaration.name.span, { name }, { notes });
}

function isInside(advice: Advice, scope: Node, outer: Node | null): boolean {
  if (outer === null) return true;
  for (const at of advice.ancestors(scope)) if (at === outer) return true;
  return false;
}

/** Assigned as a whole, its value from before does not matter. */
function isTarget(advice: Advice, use: ast.IdentifierExpr): boolean {
  const at = advice.parent(use);
  return at?.kind === "assign" && at.left === use && at.operator === null;
}
