/** Variables and values: `var`, `let`, `const`, `override`, and type aliases. spec: #var-and-value, #type-aliases */
import { type Fix, fix, type MessageValue, note, phrase } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { concretize } from "../types/conversion.ts";
import { isConstructible, isHandle } from "../types/predicates.ts";
import { type AccessMode, type AddressSpace, ERROR, isScalar, type Type, typeName } from "../types/type.ts";
import { checkLayoutConstraints, checkViewType, fitsMemory, isOrdinaryValue, sizeOf } from "./address-spaces.ts";
import { attributeInteger, attributesOf } from "./attributes.ts";
import type { Context } from "./context.ts";
import { expectType, makeConcrete, value } from "./conversions.ts";
import { AliasEntity, OverrideEntity, ValueEntity, VariableEntity } from "./entities.ts";
import { CONST, OVERRIDE, RUNTIME } from "./fact-table.ts";
import { MAX_IMMEDIATE_BYTES } from "./limits.ts";
import { hasLanguageFeature } from "./options.ts";
import { textOf } from "./text-of.ts";
import { accessFor, addressSpace, defaultAccess, typeSpecifier } from "./types.ts";

/** Type of a declaration: the one written, else that of the initializer. spec: #effective-value-type */
interface Declared {
  readonly type: Type;
  /** There is an initializer, and its value is of that type. */
  readonly initialized: boolean;
}

/**
 * `let x = 1;` is an i32, `const x = 1;` stays abstract (`concrete` false), `var x: f32 = 1;` has the type that is written
 * and the initializer is converted to it.
 */
function declaredType(
  context: Context,
  node: { readonly name: ast.Name; readonly type: ast.IdentifierExpr | null; readonly initializer: ast.Expr | null },
  concrete: boolean,
): Declared {
  const written = node.type === null ? null : typeSpecifier(context, node.type);
  const given = node.initializer === null ? null : value(context, node.initializer);
  if (written === null && given === null) {
    // A name that lacks was reported, and what follows it was not read.
    if (node.name.text !== "") context.diagnostics.report("no-type", node.name.span, { name: node.name.text });
    return { type: ERROR, initialized: false };
  }
  if (written !== null) {
    if (node.name.text === "") return { type: written, initialized: false };
    const fits = given === written || (given !== null && convertsTo(context, node, given, written));
    return { type: written, initialized: fits };
  }
  const type = concrete ? makeConcrete(context, node.initializer!, given!) : given!;
  return { type, initialized: true };
}

/** Apart from where it is asked: what a message would name is held together for the whole of a function. */
function convertsTo(
  context: Context,
  { name, initializer }: { readonly name: ast.Name; readonly initializer: ast.Expr | null },
  given: Type,
  written: Type,
): boolean {
  return expectType(context, initializer!, given, written, () => `‘${name.text}’`);
}

// ---------------------------------------------------------------- const, let, override

/** spec: #const-decls */
export function constDeclaration(context: Context, node: ast.ConstDecl): void {
  attributesOf(context, node.attributes, "constant");
  const { type, initialized } = declaredType(context, node, false);
  const usable = constType(context, node, type);
  const value = usable && initialized ? constValue(context, node) : null;
  context.facts.declare(node.id, new ValueEntity(node, usable ? type : ERROR, value));
}

function constType(context: Context, node: ast.ConstDecl, type: Type): boolean {
  if (type.kind === "error") return false;
  if (isConstructible(type)) return true;
  const span = (node.type ?? node.initializer ?? node).span;
  context.diagnostics.report("value-type", span, { name: node.name.text, type: typeName(type), keyword: "const" });
  return false;
}

function constValue(context: Context, node: ast.ConstDecl) {
  if (node.initializer === null) return null;
  if (context.facts.time(node.initializer.id) !== CONST) {
    const what = phrase("const-initializer-of", { name: node.name.text });
    reportNotConstant(context, node.initializer, what, node);
    return null;
  }
  return context.facts.valueAsUsed(node.initializer.id);
}

/** Names the first part that is known too late: in `n * f(x)` the call, or `n` if that is an override. */
export function reportNotConstant(
  context: Context,
  expr: ast.Expr,
  what: MessageValue,
  declared: ast.ConstDecl | null = null,
  allowsOverride = false,
): void {
  const culprit = latePart(context, expr);
  const notes = culprit === null ? [] : [note("not-known-yet", culprit.span, { name: textOf(context, culprit) })];
  if (allowsOverride) notes.push(note("const-or-override", expr.span, {}));
  const when = phrase(allowsOverride ? "before-run" : "module-made");
  const fixes = declared === null ? [] : laterDeclaration(context, declared, expr);
  context.diagnostics.report("not-constant", expr.span, { what, when }, { notes, fixes });
}

/** What is known later is a `let` in a function, and outside an `override` where it depends on overrides alone. */
function laterDeclaration(context: Context, { span, name }: ast.ConstDecl, initializer: ast.Expr): readonly Fix[] {
  const keyword = { start: span.start, end: span.start + "const".length };
  if (context.current !== null) return [fix("declare-let", { name: name.text }, [{ span: keyword, text: "let" }])];
  const isOverride = context.facts.time(initializer.id) === OVERRIDE && isScalar(context.facts.usedAs(initializer.id)!);
  return isOverride ? [fix("declare-override", { name: name.text }, [{ span: keyword, text: "override" }])] : [];
}

function latePart(context: Context, expr: ast.Expr): ast.Expr | null {
  if (expr.kind === "identifier") return context.facts.time(expr.id) === CONST ? null : expr;
  if (expr.kind === "call" && context.facts.callOf(expr.id)?.kind === "function") return expr;
  const parts =
    expr.kind === "call"
      ? expr.args
      : expr.kind === "binary"
        ? [expr.left, expr.right]
        : expr.kind === "unary"
          ? [expr.operand]
          : expr.kind === "index"
            ? [expr.object, expr.index]
            : expr.kind === "member"
              ? [expr.object]
              : [];
  for (const part of parts) {
    const found = latePart(context, part);
    if (found !== null) return found;
  }
  return null;
}

/** spec: #let-decls */
export function letDeclaration(context: Context, node: ast.LetDecl): void {
  const { type } = declaredType(context, node, true);
  const usable = letType(context, node, type);
  context.facts.declare(node.id, new ValueEntity(node, usable ? type : ERROR, null));
}

function letType(context: Context, node: ast.LetDecl, type: Type): boolean {
  if (type.kind === "error") return false;
  if (isConstructible(type) || type.kind === "pointer") return true;
  if (isHandle(type)) {
    if (hasLanguageFeature(context.target, "texture_and_sampler_let")) return true;
    const feature = "texture_and_sampler_let";
    context.diagnostics.report("language-feature", node.name.span, { name: typeName(type), feature });
    return false;
  }
  const span = (node.type ?? node.initializer).span;
  context.diagnostics.report("value-type", span, { name: node.name.text, type: typeName(type), keyword: "let" });
  return false;
}

/** spec: #override-decls */
export function overrideDeclaration(context: Context, node: ast.OverrideDecl): void {
  const attributes = attributesOf(context, node.attributes, "override");
  const id = attributes.get("id");
  const pipelineId = id === undefined ? null : attributeInteger(context, id, 0);
  if (pipelineId !== null && pipelineId > 65535) {
    context.diagnostics.report("override-id-range", id!.span, { value: pipelineId });
  }
  const { type, initialized } = declaredType(context, node, true);
  const usable = overrideType(context, node, type);
  const defaultValue = usable && initialized ? overrideDefault(context, node) : null;
  const info = new OverrideEntity(node, usable ? type : ERROR, pipelineId, defaultValue);
  context.facts.declare(node.id, info);
  context.overrides.push(info);
}

function overrideType(context: Context, node: ast.OverrideDecl, type: Type): boolean {
  if (type.kind === "error") return false;
  if (isScalar(type)) return true;
  context.diagnostics.report("override-type", (node.type ?? node.name).span, {
    name: node.name.text,
    type: typeName(type),
  });
  return false;
}

function overrideDefault(context: Context, node: ast.OverrideDecl) {
  if (node.initializer === null) return null;
  if (context.facts.time(node.initializer.id) === RUNTIME) {
    reportNotConstant(context, node.initializer, phrase("default-of", { name: node.name.text }));
  }
  return context.facts.valueAsUsed(node.initializer.id);
}

/** Two overrides must not have the same pipeline constant id. spec: #override-decls */
export function overrideIdsDiffer(context: Context): void {
  const seen = new Map<number, ast.OverrideDecl>();
  for (const { pipelineId, declaration, name } of context.overrides) {
    if (pipelineId === null) continue;
    const earlier = seen.get(pipelineId);
    if (earlier === undefined) {
      seen.set(pipelineId, declaration);
      continue;
    }
    const notes = [note("declared-here", earlier.name.span, { name: earlier.name.text })];
    context.diagnostics.report("duplicate-override-id", declaration.name.span, { name, id: pipelineId }, { notes });
  }
}

/** spec: #type-aliases */
export function aliasDeclaration(context: Context, node: ast.AliasDecl): void {
  const type = typeSpecifier(context, node.type);
  context.facts.declare(node.id, new AliasEntity(node, type));
}

// ---------------------------------------------------------------- var

interface View {
  readonly space: AddressSpace;
  readonly access: AccessMode;
}

const UNKNOWN_VIEW: View = { space: "private", access: "read_write" };

/** spec: #var-decls */
export function moduleVariable(context: Context, node: ast.VarDecl): void {
  const attributes = attributesOf(context, node.attributes, "module-scope variable");
  const { type } = declaredType(context, node, true);
  const view = moduleView(context, node, type);
  const group = attributes.get("group");
  const binding = attributes.get("binding");
  const groupNumber = group === undefined ? null : attributeInteger(context, group, 0);
  const bindingNumber = binding === undefined ? null : attributeInteger(context, binding, 0);
  let usable = view !== null && type.kind !== "error";
  if (view !== null) {
    usable &&= moduleVariableType(context, node, view, type);
    moduleInitializer(context, node, view);
    resourceAttributes(context, node, view, group, binding);
  }
  const { space, access } = view ?? UNKNOWN_VIEW;
  const info = new VariableEntity(node, usable ? type : ERROR, "module", space, access, groupNumber, bindingNumber);
  context.facts.declare(node.id, info);
  context.variables.push(info);
}

/** At module scope only textures and samplers go without an address space. spec: #var-decls */
function moduleView(context: Context, node: ast.VarDecl, type: Type): View | null {
  const written = node.template ?? [];
  if (written.length === 0) {
    if (type.kind === "error") return null;
    if (isHandle(type)) return { space: "handle", access: "read" };
    const bound = node.attributes.some(({ name }) => name.text === "binding" || name.text === "group");
    const notes = [note(bound ? "buffer-spaces" : "own-spaces", node.name.span, {})];
    const args = { name: node.name.text, type: typeName(type) };
    context.diagnostics.report("no-address-space", node.name.span, args, { notes });
    return null;
  }
  const space = variableTemplate(context, node, written);
  if (space === null) return null;
  if (space === "function") {
    context.diagnostics.report("address-space-scope", written[0].span, { space, where: phrase("in-functions") });
    return null;
  }
  const access = accessFor(context, space, written[1]);
  return access === null ? null : { space, access };
}

function variableTemplate(context: Context, node: ast.VarDecl, written: readonly ast.Expr[]): AddressSpace | null {
  if (written.length > 2) {
    context.diagnostics.report("template-count", node.name.span, { name: "var", shape: "var<storage, read_write>" });
    return null;
  }
  return addressSpace(context, written[0]);
}

/** What the variable holds must be able to lie in its memory, and be laid out as the memory asks for. */
function moduleVariableType(context: Context, node: ast.VarDecl, view: View, type: Type): boolean {
  const span = (node.type ?? node.name).span;
  if (!checkViewType(context, span, "variable", view.space, view.access, type)) return false;
  if (!checkLayoutConstraints(context, span, view.space, type)) return false;
  const size = sizeOf(type);
  if (view.space === "immediate" && size !== null && size > MAX_IMMEDIATE_BYTES) {
    const limit = MAX_IMMEDIATE_BYTES;
    context.diagnostics.report("immediate-size", span, { name: node.name.text, size, limit });
    return false;
  }
  return true;
}

/** Only private and function variables start with a value of their own. spec: #var-decls */
function moduleInitializer(context: Context, node: ast.VarDecl, view: View): void {
  if (node.initializer === null) return;
  if (view.space !== "private") {
    context.diagnostics.report("initializer-not-allowed", node.initializer.span, {
      name: node.name.text,
      space: view.space,
    });
  } else if (context.facts.time(node.initializer.id) === RUNTIME) {
    reportNotConstant(context, node.initializer, phrase("private-initializer-of", { name: node.name.text }));
  }
}

/** Resources have both `@group` and `@binding`, nothing else has either. spec: #resource-interface */
function resourceAttributes(
  context: Context,
  node: ast.VarDecl,
  view: View,
  group: ast.Attribute | undefined,
  binding: ast.Attribute | undefined,
): void {
  const isResource = view.space === "handle" || view.space === "storage" || view.space === "uniform";
  const name = node.name.text;
  if (isResource) {
    if (group !== undefined && binding !== undefined) return;
    // A misspelt or duplicate attribute was reported by itself.
    if (["group", "binding"].every((wanted) => node.attributes.some((a) => a.text === wanted))) return;
    context.diagnostics.report("resource-without-binding", node.name.span, { name });
    return;
  }
  // With both of them it is one mistake.
  const attribute = group ?? binding;
  if (attribute === undefined) return;
  const args = { attribute: attribute.text, name, space: view.space };
  context.diagnostics.report("binding-on-non-resource", attribute.span, args);
}

/** spec: #var-decls: variables of functions */
export function functionVariable(context: Context, node: ast.VarDecl): void {
  attributesOf(context, node.attributes, "function-scope variable");
  const { type } = declaredType(context, node, true);
  const usable = functionView(context, node) && type.kind !== "error" && functionVariableType(context, node, type);
  const access = defaultAccess("function");
  context.facts.declare(node.id, new VariableEntity(node, usable ? type : ERROR, "function", "function", access));
}

function functionView(context: Context, node: ast.VarDecl): boolean {
  const written = node.template ?? [];
  if (written.length === 0) return true;
  const space = variableTemplate(context, node, written);
  if (space === null) return false;
  if (space !== "function") {
    context.diagnostics.report("address-space-scope", written[0].span, { space, where: phrase("at-module-scope") });
    return false;
  }
  return accessFor(context, space, written[1]) !== null;
}

function functionVariableType(context: Context, node: ast.VarDecl, type: Type): boolean {
  if (isOrdinaryValue(type)) return true;
  const span = (node.type ?? node.name).span;
  return (
    checkViewType(context, span, "variable", "function", "read_write", concretize(type)) &&
    fitsMemory(context, span, type)
  );
}
