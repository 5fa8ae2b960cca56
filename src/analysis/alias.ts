/**
 * Finds calls that hand a function two ways to the same memory, one of which it writes through. Each function that such a
 * call reaches is summed up once, callees before callers. spec: #alias-analysis
 */
import { type DiagnosticList, type Note, note, phrase } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { forEachPart, operandAt } from "../syntax/walk.ts";
import { factsOf, type PointerCall } from "./context.ts";
import type { Facts } from "./fact-table.ts";
import type { FunctionInfo, Program, VariableInfo } from "./program.ts";
import { type Root, RootIdentifiers } from "./root-identifier.ts";

/** What a function does, itself or through what it calls, to memory that it did not declare; with the first place. */
interface Accesses {
  readonly reads: Map<Root, Place>;
  readonly writes: Map<Root, Place>;
}

/** A node; its span is made where there is a message. */
type Place = ast.Expr;

type AccessKind = keyof Accesses;

interface Pass {
  readonly facts: Facts;
  readonly diagnostics: DiagnosticList;
  readonly roots: RootIdentifiers;
  readonly accesses: Map<FunctionInfo, Accesses>;
  /** Module-scope variables that some call is given a pointer to: no others can alias. */
  readonly passed: ReadonlySet<VariableInfo>;
}

interface PointerArgument {
  readonly expr: ast.Expr;
  readonly root: Root;
  readonly read: Place | null;
  readonly written: Place | null;
}

/** `all`: the calls of functions that take pointers. */
export function analyzeAliases(program: Program, all: readonly PointerCall[], diagnostics: DiagnosticList): void {
  if (all.length === 0) return;
  const roots = new RootIdentifiers(program);
  const calls = all.filter((call) => canAlias(call, roots));
  const pass: Pass = {
    facts: factsOf(program),
    diagnostics,
    roots,
    accesses: new Map(),
    passed: passedVariables(calls, roots),
  };
  const reached = new Set(calls.map(({ callee }) => callee));
  for (const callee of reached) for (const next of callee.callees) reached.add(next);
  for (const info of program.functions) if (reached.has(info)) summarize(pass, info);
  for (const { call, callee } of calls) checkCall(pass, call, callee);
}

/** Whether a call passes two pointers to one variable, or one to a variable that the function can name. */
function canAlias({ call, callee }: PointerCall, roots: RootIdentifiers): boolean {
  const passed: Root[] = [];
  for (const param of callee.params) {
    const root = param.type.kind === "pointer" ? roots.of(call.arg(param.index)) : null;
    if (root === null) continue;
    if (passed.includes(root) || (root.kind === "variable" && root.scope === "module")) return true;
    passed.push(root);
  }
  return false;
}

function passedVariables(calls: readonly PointerCall[], roots: RootIdentifiers): ReadonlySet<VariableInfo> {
  const passed = new Set<VariableInfo>();
  for (const { call, callee } of calls) {
    for (const param of callee.params) {
      const root = param.type.kind === "pointer" ? roots.of(call.arg(param.index)) : null;
      if (root?.kind === "variable" && root.scope === "module") passed.add(root);
    }
  }
  return passed;
}

/** What a function accesses, those that it calls already being summed up. */
function summarize(pass: Pass, info: FunctionInfo): void {
  const accesses: Accesses = { reads: new Map(), writes: new Map() };
  pass.accesses.set(info, accesses);
  const expression = (expr: ast.Expr): void => expressionAccesses(pass, accesses, expr);
  const statement = (node: ast.Statement): void => {
    const reachesOut = pass.facts.reachesOut(node.id);
    if (reachesOut) assignmentAccess(pass, accesses, node);
    forEachPart(node, statement, reachesOut ? expression : ignore);
  };
  statement(info.declaration.body);
}

function ignore(): void {}

/** Of an expression, and then of its operands. */
function expressionAccesses(pass: Pass, accesses: Accesses, expr: ast.Expr): void {
  expressionAccess(pass, accesses, expr);
  for (let at = 0, part = operandAt(expr, 0); part !== null; part = operandAt(expr, ++at)) {
    expressionAccesses(pass, accesses, part);
  }
}

function enter(pass: Pass, accesses: Accesses, kind: AccessKind, root: Root | null, place: Place): void {
  if (root === null || accesses[kind].has(root)) return;
  if (root.kind === "parameter" || pass.passed.has(root)) accesses[kind].set(root, place);
}

function assignmentAccess(pass: Pass, accesses: Accesses, node: ast.Statement): void {
  if (node.kind !== "assign" && node.kind !== "increment") return;
  const root = pass.roots.of(node.left);
  enter(pass, accesses, "writes", root, node.left);
  if (node.kind === "increment" || node.operator !== null) enter(pass, accesses, "reads", root, node.left);
}

function expressionAccess(pass: Pass, accesses: Accesses, expr: ast.Expr): void {
  if (isLoaded(pass.facts, expr)) enter(pass, accesses, "reads", pass.roots.of(expr), expr);
  if (expr.kind !== "call") return;
  const info = pass.facts.callOf(expr.id);
  if (info?.kind === "builtin") builtinAccess(pass, accesses, expr);
  if (info?.kind === "function") callAccess(pass, accesses, expr, info.function);
}

/** spec: #load-rule; several components taken through a pointer are a load as well. */
function isLoaded(facts: Facts, expr: ast.Expr): boolean {
  const type = facts.typeOf(expr.id);
  if (type?.kind === "reference") return facts.usedAs(expr.id)?.kind !== "reference";
  return expr.kind === "member" && type?.kind === "vector" && facts.typeOf(expr.object.id)?.kind === "pointer";
}

/** Through the pointer that atomic functions and `workgroupUniformLoad` take first. */
function builtinAccess(pass: Pass, accesses: Accesses, call: ast.CallExpr): void {
  const memory = pass.facts.rowOf(call.id)!.memory;
  const [pointer] = call.args;
  if (memory === "none" || pointer === undefined || pass.facts.typeOf(pointer.id)?.kind !== "pointer") return;
  const root = pass.roots.of(pointer);
  if (memory !== "writes") enter(pass, accesses, "reads", root, call);
  if (memory === "writes" || memory === "reads-and-writes") enter(pass, accesses, "writes", root, call);
}

function callAccess(pass: Pass, accesses: Accesses, call: ast.CallExpr, callee: FunctionInfo): void {
  const inner = pass.accesses.get(callee)!;
  for (const { root, read, written } of pointerArguments(pass, call, callee, inner)) {
    if (read !== null) enter(pass, accesses, "reads", root, read);
    if (written !== null) enter(pass, accesses, "writes", root, written);
  }
  for (const kind of ["reads", "writes"] as const) {
    for (const [root, place] of inner[kind]) if (root.kind === "variable") enter(pass, accesses, kind, root, place);
  }
}

function checkCall(pass: Pass, call: ast.CallExpr, callee: FunctionInfo): void {
  const inner = pass.accesses.get(callee)!;
  const pointers = pointerArguments(pass, call, callee, inner);
  argumentsDiffer(pass, callee, pointers);
  argumentsAreNotUsed(pass, callee, pointers, inner);
}

function pointerArguments(
  pass: Pass,
  call: ast.CallExpr,
  callee: FunctionInfo,
  inner: Accesses,
): readonly PointerArgument[] {
  const pointers: PointerArgument[] = [];
  for (const param of callee.params) {
    if (param.type.kind !== "pointer") continue;
    const expr = call.arg(param.index);
    const root = pass.roots.of(expr);
    if (root === null) continue;
    pointers.push({ expr, root, read: inner.reads.get(param) ?? null, written: inner.writes.get(param) ?? null });
  }
  return pointers;
}

/** Two arguments with one root identifier, one of them written. spec: #aliasing */
function argumentsDiffer(pass: Pass, callee: FunctionInfo, pointers: readonly PointerArgument[]): void {
  const seen = new Map<Root, PointerArgument[]>();
  for (const pointer of pointers) {
    const others = seen.get(pointer.root) ?? [];
    seen.set(pointer.root, [...others, pointer]);
    const other = others.find((candidate) => clash(candidate, pointer));
    if (other === undefined) continue;
    const { name } = pointer.root;
    const notes: Note[] = [note("other-argument", other.expr.span, { name })];
    notes.push(note("written-through-pointer", (pointer.written ?? other.written)!.span, { function: callee.name }));
    pass.diagnostics.report("aliased-arguments", pointer.expr.span, { name, function: callee.name }, { notes });
  }
}

/** A pointer that is never used accesses nothing. */
function clash(a: PointerArgument, b: PointerArgument): boolean {
  if (a.written !== null) return b.written !== null || b.read !== null;
  return b.written !== null && a.read !== null;
}

/** A pointer to a module-scope variable that the function uses by its name. spec: #aliasing */
function argumentsAreNotUsed(
  pass: Pass,
  callee: FunctionInfo,
  pointers: readonly PointerArgument[],
  inner: Accesses,
): void {
  for (const { expr, root, read, written } of pointers) {
    if (root.kind !== "variable" || root.scope !== "module") continue;
    const byName = inner.writes.get(root) ?? (written === null ? null : (inner.reads.get(root) ?? null));
    if (byName === null || (read === null && written === null)) continue;
    const { name } = root;
    const verb = phrase(inner.writes.has(root) ? "writes" : "reads");
    const through = written === null ? "read-through-pointer" : "written-through-pointer";
    const notes = [
      note("used-by-name", byName.span, { name, function: callee.name, verb }),
      note(through, (written ?? read)!.span, { function: callee.name }),
    ];
    pass.diagnostics.report("aliased-variable", expr.span, { name, function: callee.name }, { notes });
  }
}
