/** Calls: user-defined functions, builtin functions, constructors. spec: #function-calls, #constructor-builtin-function */
import { checkConstArguments } from "../builtins/const-checks.ts";
import {
  type Builtin,
  builtinNamed,
  type ConstructorName,
  callStep,
  constructorStep,
  follow,
  isConstructorName,
  type Resolution,
  recall,
  resolveCall,
  resolveConstruction,
  takesPointer,
} from "../builtins/resolve.ts";
import type { BuiltinRow } from "../builtins/row.ts";
import { fix, note, type Phrase, phrase } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { pointerArgumentRank } from "../types/conversion.ts";
import { containsError, containsRuntimeArray, isConstructible } from "../types/predicates.ts";
import { ERROR, isScalar, type PointerType, type Type, typeName } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import { fitsValue } from "./address-spaces.ts";
import { checkBufferView, checkViewedType } from "./buffer-views.ts";
import { argumentCount, argumentHints, constructorHints, countHint, thoseOf } from "./call-hints.ts";
import { type Context, type Declaration, type FunctionInfo, PointerCall } from "./context.ts";
import { convertTo, expectType, load, reportValue, value, type Where } from "./conversions.ts";
import { requireExtension, requireLanguageFeature } from "./extensions.ts";
import { type Application, CONST, RUNTIME, type Times } from "./fact-table.ts";
import { latest } from "./facts.ts";
import { MAX_ARRAY_CONSTRUCTOR_ELEMENTS } from "./limits.ts";
import { hasLanguageFeature } from "./options.ts";
import { noteOverrideExpression } from "./override-expressions.ts";
import { checkPointerArgument } from "./pointer-arguments.ts";
import { senseOf } from "./predeclared.ts";
import type { PredeclaredEntity } from "./program.ts";
import { textOf } from "./text-of.ts";
import { calledType, noTemplate, typeSpecifier } from "./types.ts";

/** What the callee denotes decides what kind of call it is. */
export function call(context: Context, expr: ast.CallExpr): Type {
  const predeclared = context.facts.predeclaredOf(expr.calleeId);
  if (predeclared !== null) return predeclaredCall(context, expr, predeclared);
  const target = context.facts.declarationOf(expr.calleeId);
  switch (target?.kind) {
    case undefined:
      return untyped(context, expr);
    case "function":
      return userCall(context, expr, target);
    case "struct":
    case "alias":
      return construct(context, expr, typeSpecifier(context, expr.callee));
    default:
      return notCallable(context, expr, target);
  }
}

function predeclaredCall(context: Context, expr: ast.CallExpr, entity: PredeclaredEntity): Type {
  const { kind, name } = entity;
  if (kind === "builtin-function") return builtinCall(context, expr, senseOf(entity, builtinNamed)!);
  if (kind === "enumerant") return notCallable(context, expr, null);
  const plain = calledType(context, entity, expr.template);
  if (plain !== null) return construct(context, expr, plain);
  const isInferred = expr.template === null && isConstructorName(name);
  return construct(context, expr, isInferred ? name : typeSpecifier(context, expr.callee));
}

/** `target`: the declaration of the callee; null: it is predeclared. */
function notCallable(context: Context, expr: ast.CallExpr, target: Declaration | null): Type {
  const name = expr.text;
  // What another language declared may have been a function.
  if (target?.kind === "var" && target.type?.name.text === "") return untyped(context, expr);
  const notes = target === null ? [] : [note("declared-here", target.name.span, { name })];
  if (expr.template !== null) notes.push(note("read-as-template", expr.callee.span, { name }));
  context.diagnostics.report("not-callable", expr.callee.span, { name }, { notes });
  return untyped(context, expr);
}

/** A call that means nothing: its arguments are looked at all the same. */
function untyped(context: Context, expr: ast.CallExpr): Type {
  for (const argument of expr.args) if (!isType(context, argument)) context.rules.expression(context, argument);
  return ERROR;
}

/** `sizeof(S)`: that there is no such function is enough. */
function isType({ facts }: Context, expr: ast.Expr): boolean {
  if (expr.kind !== "identifier") return false;
  const { kind } = facts.declarationOf(expr.id) ?? facts.predeclaredOf(expr.id) ?? { kind: null };
  return kind === "struct" || kind === "alias" || kind === "builtin-type";
}

// ---------------------------------------------------------------- user-defined functions

/**
 * spec: #function-calls. The result type holds whatever the arguments are, so that one wrong argument makes no second
 * message where the result is used.
 */
function userCall(context: Context, expr: ast.CallExpr, target: ast.FunctionDecl): Type {
  for (let at = 0; at < expr.argCount; at++) value(context, expr.arg(at));
  context.facts.setTime(expr.id, RUNTIME);
  context.reachesOut = true;
  context.acts = true;
  const entity = context.facts.declared(target.id);
  if ((expr.template !== null && noTemplate(context, expr.callee)) || entity?.kind !== "function") return ERROR;
  if (!callable(context, expr, entity)) return ERROR;
  context.facts.apply(expr.id, callOf(context, entity));
  if (hasPointers(entity)) context.pointerCalls.push(new PointerCall(expr, entity));
  if (expr.argCount !== entity.params.length) {
    // An argument that could not be read may have been several.
    const types = typesOf(context, expr);
    if (!hasError(types)) reportCount(context, expr, entity.name, entity.params.length, target);
    return entity.returnType;
  }
  for (let at = 0; at < expr.argCount; at++) {
    const argument = expr.arg(at);
    argumentOf(context, argument, context.facts.usedAs(argument.id)!, entity, at);
  }
  return entity.returnType;
}

class FunctionCall {
  readonly kind = "function";
  readonly function: FunctionInfo;

  constructor(entity: FunctionInfo) {
    this.function = entity;
  }
}

class FunctionApplication implements Application {
  readonly row = null;
  readonly call: FunctionCall;
  numbering = 0;
  number = 0;

  constructor(entity: FunctionInfo) {
    this.call = new FunctionCall(entity);
  }
}

/** One for all calls of a function. */
function callOf({ functionCalls }: Context, entity: FunctionInfo): Application {
  let application = functionCalls.get(entity);
  if (application === undefined) {
    application = new FunctionApplication(entity);
    functionCalls.set(entity, application);
  }
  return application;
}

function hasPointers(info: FunctionInfo): boolean {
  for (const param of info.params) if (param.type.kind === "pointer") return true;
  return false;
}

/** Types of typed arguments. */
function typesOf(context: Context, expr: ast.CallExpr): readonly Type[] {
  const types: Type[] = [];
  for (let at = 0; at < expr.argCount; at++) types.push(context.facts.usedAs(expr.arg(at).id)!);
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
  context.current.calls ??= new Map();
  if (!context.current.calls.has(entity)) context.current.calls.set(entity, expr);
  return true;
}

function reportCount(
  context: Context,
  expr: ast.CallExpr,
  name: string,
  wanted: number,
  target: Declaration | null,
): void {
  const notes = target === null ? [] : [note("declared-here", target.name.span, { name })];
  const args = { name, wanted: argumentCount(wanted), given: expr.argCount };
  context.diagnostics.report("argument-count", expr.span, args, { notes });
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
    context.facts.setUsedAs(expr.id, param.type);
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
  const type = context.facts.typeOf(expr.id);
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
  let step = constructorStep(target);
  let isSound = true;
  let times: Times = CONST;
  for (let at = 0; at < expr.argCount; at++) {
    const argument = expr.arg(at);
    const type = value(context, argument);
    times |= context.facts.time(argument.id);
    if (type.kind === "error") isSound = false;
    else step = follow(step, type);
  }
  const time = latest(times);
  context.facts.setTime(expr.id, time);
  const written = typeof target === "string" ? ERROR : target;
  const isPlain = typeof target === "string" || isOfNumbers(target);
  if (!isPlain && containsError(target)) return written;
  if (!isPlain && !constructible(context, expr, target)) return ERROR;
  if (!isSound) return written;
  if (tooManyElements(context, expr, target)) return written;
  if (!isPlain && !fitsValue(context, expr.callee, target)) return ERROR;
  const constant = time === CONST;
  const resolved = recall(step, constant) ?? resolveConstruction(step, target, typesOf(context, expr), constant);
  if (!resolved.ok) {
    reportConstructor(context, expr, target, typesOf(context, expr));
    return written;
  }
  context.facts.setOperation(expr.id, resolved, time);
  if (resolved.converts) convertArguments(context, expr, resolved.args);
  noteOverrideExpression(context, expr, times);
  return resolved.result;
}

/** Scalars, vectors, matrices: of those, nothing can be wrong but the arguments. */
function isOfNumbers(target: Type): boolean {
  return target.kind === "vector" || target.kind === "matrix" || isScalar(target);
}

function constructible(context: Context, expr: ast.CallExpr, target: Type): boolean {
  if (isConstructible(target)) return true;
  const code = containsRuntimeArray(target) ? "construct-runtime-array" : "not-constructible-call";
  context.diagnostics.report(code, expr.callee.span, { type: typeName(target) });
  return false;
}

/** spec: #limits */
function tooManyElements(context: Context, expr: ast.CallExpr, target: Type | ConstructorName): boolean {
  const isArray = target === "array" || (typeof target !== "string" && target.kind === "array");
  if (!isArray || expr.argCount <= MAX_ARRAY_CONSTRUCTOR_ELEMENTS) return false;
  const limit = MAX_ARRAY_CONSTRUCTOR_ELEMENTS;
  context.diagnostics.report("array-constructor-elements", expr.span, { given: expr.argCount, limit });
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
    const notes = constructorHints(context, expr, target, types);
    context.diagnostics.report("no-constructor", expr.span, { name, given }, { notes });
    return;
  }
  const parts = target.kind === "struct" ? target.members.map((member) => member.type) : null;
  const wanted = parts === null ? (target.kind === "array" ? Number(target.count) : 0) : parts.length;
  if (types.length !== wanted) {
    reportCount(context, expr, name, wanted, context.facts.declarationOf(expr.calleeId));
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

function convertArguments(context: Context, expr: ast.CallExpr, to: readonly Type[]): void {
  for (let at = 0; at < expr.argCount; at++) {
    const argument = expr.arg(at);
    const from = context.facts.usedAs(argument.id)!;
    if (from !== to[at]) convertTo(context, argument, from, to[at]);
  }
}

// ---------------------------------------------------------------- builtin functions

/**
 * spec: #builtin-functions. The rows of the table know all there is to know of a builtin: whether it is evaluated early,
 * in which stages it may be called, what it needs. Nothing about a single function is said here.
 */
function builtinCall(context: Context, expr: ast.CallExpr, builtin: Builtin): Type {
  const template = expr.template === null ? null : typesWritten(context, expr.template);
  let step = callStep(builtin, template);
  let isSound = template === null || !hasError(template);
  let times: Times = CONST;
  for (let at = 0; at < expr.argCount; at++) {
    const argument = expr.arg(at);
    const type = builtinArgument(context, argument, builtin, at);
    times |= context.facts.time(argument.id);
    if (type.kind === "error") isSound = false;
    else step = follow(step, type);
  }
  if (builtin.isExtension && !extensionsOf(context, expr, builtin.rows[0])) return unknownCall(context, expr);
  if (!isSound) return unknownCall(context, expr);
  const time = latest(times);
  const constant = time === CONST;
  const resolved = recall(step, constant) ?? resolveCall(step, builtin, template, typesOf(context, expr), constant);
  if (!resolved.ok) {
    reportNoOverload(context, expr, template, typesOf(context, expr), resolved);
    return unknownCall(context, expr);
  }
  const { row, result } = resolved;
  if (row.isRestricted && !extensionsOf(context, expr, row)) return unknownCall(context, expr);
  context.facts.setOperation(expr.id, resolved, row.evaluate === null ? RUNTIME : time);
  if (resolved.converts) convertArguments(context, expr, resolved.args);
  if (row.isRestricted) restrictions(context, expr, row, result);
  if (!context.notEvaluated) noteOverrideExpression(context, expr, times);
  return result;
}

/** Whatever the types of the arguments. */
function restrictions(context: Context, expr: ast.CallExpr, row: BuiltinRow, result: Type): void {
  if (row.uniformity.callSite !== "none" && context.current !== null) {
    context.current.info.requiresUniformity = true;
    context.acts = true;
  }
  stageOf(context, expr, row);
  checkBufferView(context, expr, row, result);
  if (row.isChecked) checkArguments(context, expr, row, result);
}

function typesWritten(context: Context, list: readonly ast.Expr[]): readonly Type[] {
  const types = new Array<Type>(list.length);
  for (let at = 0; at < list.length; at++) types[at] = typeSpecifier(context, list[at]);
  return types;
}

function unknownCall(context: Context, expr: ast.CallExpr): Type {
  context.facts.setTime(expr.id, RUNTIME);
  return ERROR;
}

/** The type of an argument; where a pointer is wanted and a variable is given, the `&` is missed. */
function builtinArgument(context: Context, expr: ast.Expr, builtin: Builtin, at: number): Type {
  const type = context.rules.expression(context, expr);
  if (type.kind !== "reference" || !takesPointer(builtin, at)) return load(context, expr, type);
  reportMissingAddressOf(context, expr, builtin.name);
  return ERROR;
}

/** spec: #extensions */
function extensionsOf(context: Context, expr: ast.CallExpr, row: BuiltinRow): boolean {
  if (row.enable !== null) requireExtension(context, expr.callee.span, row.name, row.enable);
  return row.requires === null || requireLanguageFeature(context, expr.callee.span, row.name, row.requires);
}

/** Which stages may call it is checked once it is known which entry points do. */
function stageOf(context: Context, expr: ast.CallExpr, row: BuiltinRow): void {
  if (row.stages.length === 3 || context.current === null) return;
  context.current.stageUses.push(expr);
}

function checkArguments(context: Context, expr: ast.CallExpr, row: BuiltinRow, result: Type): void {
  if (context.notEvaluated || context.facts.time(expr.id) === CONST) return;
  for (const at of row.judged) if (context.facts.constOf(expr.arg(at).id) === null) return;
  const values = new Array<ConstValue | null>(expr.argCount);
  for (let at = 0; at < values.length; at++) values[at] = context.facts.valueAsUsed(expr.arg(at).id);
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
  const name = expr.text;
  const [first] = types;
  if (template?.length === 1 && !checkViewedType(context, expr, name, template[0])) return;
  if (name.startsWith("atomic") && first?.kind === "pointer" && first.store.kind !== "atomic") {
    const argument = textOf(context, expr.args[0]);
    const args = { name, argument, type: typeName(first.store), way: wayToAtomic(first.store, argument) };
    context.diagnostics.report("not-atomic", expr.args[0].span, args);
    return;
  }
  if (name.startsWith("atomic") && first?.kind === "pointer" && first.access === "read") {
    context.diagnostics.report("atomic-read-only", expr.args[0].span, { type: typeName(first.store) });
    return;
  }
  const nearest = thoseOf(resolved.candidates, types);
  if (template === null && nearest.every(({ signature }) => signature.startsWith(`fn ${name}<`))) {
    context.diagnostics.report("template-count", expr.callee.span, { name, shape: `${name}<T>(…)` });
    return;
  }
  const notes = [
    ...(countHint(expr, name, types) ?? argumentHints(context, expr, types, nearest)),
    ...nearest.slice(0, 3).map(({ signature }) => note("candidate", expr.callee.span, { signature })),
  ];
  context.diagnostics.report("no-overload", expr.span, { name, given: typesText(types) }, { notes });
}

/** `&bins` of an array of atomics: one of them is meant. */
function wayToAtomic(store: Type, pointer: string): Phrase {
  if (store.kind === "array" && store.element.kind === "atomic") {
    return phrase("take-one-atomic", { place: `${pointer}[0]` });
  }
  const member = store.kind === "struct" ? store.members.find(({ type }) => type.kind === "atomic") : undefined;
  if (member !== undefined) return phrase("take-one-atomic", { place: `${pointer}.${member.name}` });
  return phrase("declare-atomic");
}
