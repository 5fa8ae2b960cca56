/** Calls: user-defined functions, builtin functions, constructors. spec: #function-calls, #constructor-builtin-function */
import { checkConstArguments, hasConstChecks } from "../builtins/const-checks.ts";
import {
  type Builtin,
  builtinNamed,
  type ConstructorName,
  isConstructorName,
  type Resolution,
  resolveCall,
  resolveConstructor,
} from "../builtins/resolve.ts";
import type { BuiltinRow } from "../builtins/row.ts";
import { fix, note, phrase } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { pointerArgumentRank } from "../types/conversion.ts";
import { containsError, containsRuntimeArray, isConstructible } from "../types/predicates.ts";
import { ERROR, type PointerType, type Type, typeName } from "../types/type.ts";
import { fitsValue } from "./address-spaces.ts";
import { checkBufferView, checkViewedType } from "./buffer-views.ts";
import { type Context, type Declaration, declarationOf, type FunctionInfo } from "./context.ts";
import { convertTo, expectType, load, reportValue, setUsedAs, value, type Where } from "./conversions.ts";
import { requireExtension, requireLanguageFeature } from "./extensions.ts";
import { latest, valueAsUsed } from "./facts.ts";
import { argumentHints, componentHint, countHint } from "./hints.ts";
import { MAX_ARRAY_CONSTRUCTOR_ELEMENTS } from "./limits.ts";
import { hasLanguageFeature } from "./options.ts";
import { noteOverrideExpression } from "./override-expressions.ts";
import { checkPointerArgument } from "./pointer-arguments.ts";
import { textOf } from "./text-of.ts";
import { noTemplate, typeSpecifier } from "./types.ts";

/** What the callee denotes decides what kind of call it is. */
export function call(context: Context, expr: ast.CallExpr): Type {
  const { callee } = expr;
  const found = context.resolvedTo[callee.id];
  if (found === null) return untyped(context, expr);
  switch (found.kind) {
    case "builtin-function":
      return builtinCall(context, expr);
    case "builtin-type":
      return isConstructorName(callee.name.text) && callee.template === null
        ? construct(context, expr, callee.name.text)
        : construct(context, expr, typeSpecifier(context, callee));
    case "function":
      return userCall(context, expr, found);
    case "struct":
    case "alias":
      return construct(context, expr, typeSpecifier(context, callee));
    default:
      return notCallable(context, expr, declarationOf(context, callee));
  }
}

/** `target`: the declaration of the callee; null: it is predeclared. */
function notCallable(context: Context, expr: ast.CallExpr, target: Declaration | null): Type {
  const name = expr.callee.name.text;
  // What another language declared may have been a function.
  if (target?.kind === "var" && target.type?.name.text === "") return untyped(context, expr);
  const notes = target === null ? [] : [note("declared-here", target.name.span, { name })];
  context.diagnostics.report("not-callable", expr.callee.span, { name }, { notes });
  return untyped(context, expr);
}

/** A call that means nothing: its arguments are looked at all the same. */
function untyped(context: Context, expr: ast.CallExpr): Type {
  for (const argument of expr.args) context.rules.expression(context, argument);
  return ERROR;
}

// ---------------------------------------------------------------- user-defined functions

/**
 * spec: #function-calls. The result type holds whatever the arguments are, so that one wrong argument makes no second
 * message where the result is used.
 */
function userCall(context: Context, expr: ast.CallExpr, target: ast.FunctionDecl): Type {
  const types = argumentTypes(context, expr);
  context.timeOf[expr.id] = "runtime";
  const entity = context.declared[target.id];
  if (noTemplate(context, expr.callee) || entity?.kind !== "function") return ERROR;
  if (!callable(context, expr, entity)) return ERROR;
  context.callOf[expr.id] = { kind: "function", function: entity };
  if (takesPointer(entity)) context.pointerCalls.push({ call: expr, callee: entity });
  if (types.length !== entity.params.length) {
    reportCount(context, expr, entity.name, entity.params.length, target);
    return entity.returnType;
  }
  for (let at = 0; at < types.length; at++) argumentOf(context, expr.args[at], types[at], entity, at);
  return entity.returnType;
}

function takesPointer(info: FunctionInfo): boolean {
  for (const param of info.params) if (param.type.kind === "pointer") return true;
  return false;
}

function argumentTypes(context: Context, expr: ast.CallExpr): Type[] {
  const types = new Array<Type>(expr.args.length);
  for (let at = 0; at < types.length; at++) types[at] = value(context, expr.args[at]);
  return types;
}

function hasError(types: readonly Type[]): boolean {
  for (const type of types) if (type.kind === "error") return true;
  return false;
}

/** Functions are called from functions; entry points by nobody. spec: #function-restriction */
function callable(context: Context, expr: ast.CallExpr, entity: FunctionInfo): boolean {
  if (context.current === null) {
    context.diagnostics.report("call-at-module-scope", expr.span, { name: entity.name });
    return false;
  }
  if (entity.stage !== null) {
    const notes = [note("declared-here", entity.declaration.name.span, { name: entity.name })];
    context.diagnostics.report("entry-point-called", expr.callee.span, { name: entity.name }, { notes });
    return false;
  }
  if (!context.current.calls.has(entity)) context.current.calls.set(entity, expr);
  return true;
}

function reportCount(
  context: Context,
  expr: ast.CallExpr,
  name: string,
  wanted: number,
  target: ast.FunctionDecl,
): void {
  const notes = [note("declared-here", target.name.span, { name })];
  context.diagnostics.report("argument-count", expr.span, { name, wanted, given: expr.args.length }, { notes });
}

/**
 * An argument is converted like an initializer: `f(1)` for `fn f(x: f32)`. Only pointers to buffers convert among each
 * other, from a larger one to a smaller or to one without size, and only in calls of user-defined functions.
 */
function argumentOf(context: Context, expr: ast.Expr, type: Type, entity: FunctionInfo, at: number): void {
  const param = entity.params[at];
  if (param.type.kind === "pointer" && lacksAddressOf(context, expr, entity.name, param.type)) return;
  const buffers =
    hasLanguageFeature(context.target, "buffer_view") &&
    hasLanguageFeature(context.target, "unrestricted_pointer_parameters");
  if (buffers && type !== param.type && pointerArgumentRank(type, param.type) === 1 && type.kind === "pointer") {
    setUsedAs(context, expr, param.type);
    return;
  }
  if (type === param.type || expectType(context, expr, type, param.type, parameterText(entity, at))) {
    checkPointerArgument(context, expr, type);
  }
}

function parameterText(entity: FunctionInfo, at: number): Where {
  return () => phrase("parameter-of", { parameter: entity.params[at].name, name: entity.name });
}

/** A variable is passed where a pointer to it is wanted: the `&` is missed. */
function lacksAddressOf(context: Context, expr: ast.Expr, name: string, wanted: PointerType): boolean {
  const type = context.typeOf[expr.id];
  if (type?.kind !== "reference" || type.store !== wanted.store || type.space !== wanted.space) return false;
  reportMissingAddressOf(context, expr, name);
  return true;
}

function reportMissingAddressOf(context: Context, expr: ast.Expr, name: string): void {
  const argument = textOf(context, expr);
  const { start } = expr.span;
  const fixes = [fix("insert-address-of", { argument }, [{ span: { start, end: start }, text: "&" }])];
  context.diagnostics.report("missing-address-of", expr.span, { name, argument }, { fixes });
}

// ---------------------------------------------------------------- constructors

/**
 * `target` is a type that was written out, also by an alias, or the name of a generator whose element type comes from the
 * arguments: `vec3(1, 2, 3)` may stay abstract, `vec3f(1, 2, 3)` is concrete.
 */
function construct(context: Context, expr: ast.CallExpr, target: Type | ConstructorName): Type {
  const types = argumentTypes(context, expr);
  const time = latest(context, expr.args);
  context.timeOf[expr.id] = time;
  const written = typeof target === "string" ? ERROR : target;
  if (typeof target !== "string" && containsError(target)) return written;
  if (typeof target !== "string" && !isConstructible(target)) {
    const code = containsRuntimeArray(target) ? "construct-runtime-array" : "not-constructible-call";
    context.diagnostics.report(code, expr.callee.span, { type: typeName(target) });
    return ERROR;
  }
  if (hasError(types)) return written;
  if (tooManyElements(context, expr, target)) return written;
  if (typeof target !== "string" && !fitsValue(context, expr.callee.span, target)) return ERROR;
  const resolved = resolveConstructor(target, types, time === "const");
  if (!resolved.ok) {
    reportConstructor(context, expr, target, types);
    return written;
  }
  context.callOf[expr.id] = { kind: "construct", type: resolved.result, args: resolved.args };
  context.rowOf[expr.id] = resolved.row;
  convertArguments(context, expr, types, resolved.args);
  if (time !== "const") noteOverrideExpression(context, expr, expr.args);
  return resolved.result;
}

/** spec: #limits */
function tooManyElements(context: Context, expr: ast.CallExpr, target: Type | ConstructorName): boolean {
  const isArray = target === "array" || (typeof target !== "string" && target.kind === "array");
  if (!isArray || expr.args.length <= MAX_ARRAY_CONSTRUCTOR_ELEMENTS) return false;
  const limit = MAX_ARRAY_CONSTRUCTOR_ELEMENTS;
  context.diagnostics.report("array-constructor-elements", expr.span, { given: expr.args.length, limit });
  return true;
}

/**
 * Structures and arrays have one argument per part: the first that does not fit is named. For vectors and matrices, which
 * can be put together in many ways, the message names what was given.
 */
function reportConstructor(
  context: Context,
  expr: ast.CallExpr,
  target: Type | ConstructorName,
  types: readonly Type[],
): void {
  const name = typeof target === "string" ? target : typeName(target);
  const given = typesText(types);
  if (typeof target === "string" || (target.kind !== "struct" && target.kind !== "array")) {
    const notes = componentHint(expr.span, name, types);
    context.diagnostics.report("no-constructor", expr.span, { name, given }, { notes });
    return;
  }
  const parts = target.kind === "struct" ? target.members.map((member) => member.type) : null;
  const wanted = parts === null ? (target.kind === "array" ? Number(target.count) : 0) : parts.length;
  if (types.length !== wanted) {
    context.diagnostics.report("argument-count", expr.span, { name, wanted, given: types.length });
    return;
  }
  for (const [at, argument] of expr.args.entries()) {
    const to = target.kind === "struct" ? target.members[at].type : target.element;
    const where = () =>
      target.kind === "struct"
        ? phrase("member-of", { member: target.members[at].name, name })
        : phrase("element-of", { index: at, name });
    if (!expectType(context, argument, types[at], to, where)) return;
  }
}

function typesText(types: readonly Type[]): string {
  return `(${types.slice(0, 16).map(typeName).join(", ")}${types.length > 16 ? ", …" : ""})`;
}

function convertArguments(context: Context, expr: ast.CallExpr, from: readonly Type[], to: readonly Type[]): void {
  for (let at = 0; at < from.length; at++) {
    if (from[at] !== to[at]) convertTo(context, expr.args[at], from[at], to[at]);
  }
}

// ---------------------------------------------------------------- builtin functions

/**
 * spec: #builtin-functions. The rows of the table know all there is to know of a builtin: whether it is evaluated early,
 * in which stages it may be called, what it needs. Nothing about a single function is said here.
 */
function builtinCall(context: Context, expr: ast.CallExpr): Type {
  const { callee } = expr;
  const name = callee.name.text;
  const builtin = builtinNamed(name);
  if (builtin === null) return untyped(context, expr);
  const template =
    callee.template === null ? null : callee.template.map((argument) => typeSpecifier(context, argument));
  const types = new Array<Type>(expr.args.length);
  for (let at = 0; at < types.length; at++) types[at] = builtinArgument(context, expr.args[at], builtin, at);
  context.timeOf[expr.id] = "runtime";
  if (!extensionsOf(context, expr, builtin.rows[0])) return ERROR;
  if (hasError(types) || (template !== null && hasError(template))) return ERROR;
  const time = latest(context, expr.args);
  const resolved = resolveCall(builtin, template, types, time === "const");
  if (!resolved.ok) {
    reportNoOverload(context, expr, template, types, resolved);
    return ERROR;
  }
  const { row, args, result } = resolved;
  if (!extensionsOf(context, expr, row)) return ERROR;
  context.callOf[expr.id] = { kind: "builtin", name, args, result, template: template?.[0] ?? null };
  context.rowOf[expr.id] = row;
  if (row.evaluate !== null) context.timeOf[expr.id] = time;
  if (row.uniformity.callSite !== "none" && context.current !== null) context.current.info.requiresUniformity = true;
  convertArguments(context, expr, types, args);
  stageOf(context, expr, row);
  checkArguments(context, expr, row, result);
  return result;
}

/** The type of an argument; where a pointer is wanted and a variable is given, the `&` is missed. */
function builtinArgument(context: Context, expr: ast.Expr, builtin: Builtin, at: number): Type {
  const type = context.rules.expression(context, expr);
  if (type.kind !== "reference" || !builtin.takesPointer[at]) return load(context, expr, type);
  reportMissingAddressOf(context, expr, builtin.name);
  return ERROR;
}

/** spec: #extensions */
function extensionsOf(context: Context, expr: ast.CallExpr, row: BuiltinRow): boolean {
  const { span } = expr.callee;
  if (row.enable !== null) requireExtension(context, span, row.name, row.enable);
  return row.requires === null || requireLanguageFeature(context, span, row.name, row.requires);
}

/** Which stages may call it is checked once it is known which entry points do. */
function stageOf(context: Context, expr: ast.CallExpr, row: BuiltinRow): void {
  if (row.stages.length === 3 || context.current === null) return;
  const { span } = expr.callee;
  context.current.stageUses.push({ node: expr.id, span, what: row.name, stages: row.stages, spec: row.spec });
}

function checkArguments(context: Context, expr: ast.CallExpr, row: BuiltinRow, result: Type): void {
  checkBufferView(context, expr, row, result);
  if (context.notEvaluated) return;
  noteOverrideExpression(context, expr, expr.args);
  if (context.timeOf[expr.id] === "const" || !hasConstChecks(row)) return;
  const values = expr.args.map((argument) => valueAsUsed(context, argument));
  const problem = checkConstArguments(row, values, result);
  if (problem !== null) reportValue(context, expr.span, problem.error);
}

/** Some wrong calls are so common that they are told by name: an atomic function on what is no atomic, a wrong view. */
function reportNoOverload(
  context: Context,
  expr: ast.CallExpr,
  template: readonly Type[] | null,
  types: readonly Type[],
  resolved: Extract<Resolution, { ok: false }>,
): void {
  const name = expr.callee.name.text;
  const [first] = types;
  if (template?.length === 1 && !checkViewedType(context, expr, name, template[0])) return;
  if (name.startsWith("atomic") && first?.kind === "pointer" && first.store.kind !== "atomic") {
    const argument = textOf(context, expr.args[0]);
    context.diagnostics.report("not-atomic", expr.args[0].span, { name, argument, type: typeName(first.store) });
    return;
  }
  if (name.startsWith("atomic") && first?.kind === "pointer" && first.access === "read") {
    context.diagnostics.report("atomic-read-only", expr.args[0].span, { type: typeName(first.store) });
    return;
  }
  const notes = [
    ...(countHint(expr, name) ?? argumentHints(context, expr.args, types)),
    ...resolved.candidates.slice(0, 3).map(({ signature }) => note("candidate", expr.callee.span, { signature })),
  ];
  context.diagnostics.report("no-overload", expr.span, { name, given: typesText(types) }, { notes });
}
