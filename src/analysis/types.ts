/** Type specifiers: which type an identifier with its template list denotes. spec: #type-expr, #predeclared-types */
import { texelFormat } from "../builtins/texel-formats.ts";
import { type MessageValue, note, type Phrase, phrase, replacement } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { hasCreationFixedFootprint, isHandle, isIntegerScalar, isPlain, nestingDepth } from "../types/predicates.ts";
import {
  type AccessMode,
  type AddressSpace,
  arrayType,
  atomicType,
  bufferType,
  DEPTH_MULTISAMPLED_TEXTURE,
  type DepthTextureType,
  depthTextureType,
  type ElementCount,
  ERROR,
  EXTERNAL_TEXTURE,
  F16,
  F32,
  I32,
  isScalar,
  matrixType,
  multisampledTextureType,
  type OverrideCount,
  pointerType,
  SCALARS,
  type ScalarKind,
  type ScalarType,
  type StorageTextureType,
  sampledTextureType,
  samplerType,
  storageTextureType,
  type TextureDimension,
  type Type,
  typeName,
  U32,
  vectorType,
} from "../types/type.ts";
import { checkViewType } from "./address-spaces.ts";
import type { Context, Declaration } from "./context.ts";
import { concreteValue } from "./conversions.ts";
import { requireExtension, requireLanguageFeature } from "./extensions.ts";
import { OVERRIDE, RUNTIME } from "./fact-table.ts";
import { MAX_NESTING_DEPTH } from "./limits.ts";
import { senseOf } from "./predeclared.ts";
import type { PredeclaredEntity } from "./program.ts";
import { textOf } from "./text-of.ts";

/**
 * spec: #type-expr. A type is written as an identifier, in a template list also in parentheses: `array<(f32), 4>`. What is
 * wrong gives the error type, about which nobody complains again.
 */
export function typeSpecifier(context: Context, node: ast.Expr): Type {
  if (node.kind === "error-expression") return ERROR;
  if (node.kind !== "identifier") {
    context.diagnostics.report("not-a-type", node.span, { name: textOf(context, node), what: phrase("an-expression") });
    return ERROR;
  }
  const entity = context.facts.predeclaredOf(node.id);
  if (entity === null) {
    const target = context.facts.declarationOf(node.id);
    return target === null ? ERROR : declaredType(context, node, target);
  }
  if (entity.kind === "builtin-type") return predeclaredType(context, node, senseOf(entity, shapeOf));
  const what = entity.kind === "builtin-function" ? "a-builtin-function" : "an-enumerant";
  context.diagnostics.report("not-a-type", node.span, { name: node.text, what: phrase(what) });
  return ERROR;
}

const WHAT: Readonly<Record<string, Phrase>> = {
  var: phrase("a-variable"),
  let: phrase("a-value"),
  const: phrase("a-value"),
  override: phrase("an-override"),
  param: phrase("parameter"),
  function: phrase("a-function"),
};

function declaredType(context: Context, node: ast.IdentifierExpr, target: Declaration): Type {
  if (target.kind !== "struct" && target.kind !== "alias") {
    const name = target.name.text;
    context.diagnostics.report(
      "not-a-type",
      node.span,
      { name, what: WHAT[target.kind] },
      { notes: [note("declared-here", target.name.span, { name })] },
    );
    return ERROR;
  }
  if (node.template !== null) noTemplate(context, node);
  const entity = context.facts.declared(target.id);
  return entity?.kind === "struct" || entity?.kind === "alias" ? entity.type : ERROR;
}

/** True, with a message, where a template list stands that must not. */
export function noTemplate(context: Context, node: ast.IdentifierExpr): boolean {
  if (node.template === null) return false;
  context.diagnostics.report("no-template-expected", node.span, { name: node.text });
  return true;
}

/** The template arguments, if there are as many as there must be. `shape`: what is written behind the name. */
function templateArguments(
  context: Context,
  node: ast.IdentifierExpr,
  least: number,
  most: number,
  shape: string,
): readonly ast.Expr[] | null {
  const given = node.template ?? [];
  if (given.length >= least && given.length <= most) return given;
  context.diagnostics.report("template-count", node.span, { name: node.text, shape: node.text + shape });
  return null;
}

const SHORTHAND_SCALARS: Readonly<Record<string, ScalarType>> = { i: I32, u: U32, f: F32, h: F16 };

/** What the name of a scalar, vector or matrix says: sizes, and the component type where it has one. */
interface Shape {
  /** null: a template list has to say it. */
  readonly type: Type | null;
  readonly element: ScalarType | null;
  readonly size: number | null;
  readonly columns: number | null;
  readonly rows: number | null;
}

/** `f32`, `vec3`, its short form `vec3f`, `mat2x3`, `mat2x3h`; null: of another kind. */
function shapeOf(name: string): Shape | null {
  if (Object.hasOwn(SCALARS, name)) {
    const element = SCALARS[name as ScalarKind];
    return { type: element, element, size: null, columns: null, rows: null };
  }
  const parts = /^(?:vec(\d)|mat(\d)x(\d))([iufh])?$/.exec(name);
  if (parts === null) return null;
  const element = parts[4] === undefined ? null : SHORTHAND_SCALARS[parts[4]];
  if (parts[1] !== undefined) {
    const size = Number(parts[1]);
    return { type: element === null ? null : vectorType(size, element), element, size, columns: null, rows: null };
  }
  const [columns, rows] = [Number(parts[2]), Number(parts[3])];
  return { type: element === null ? null : matrixType(columns, rows, element), element, size: null, columns, rows };
}

/** The type that a name without template list denotes: `f32`, `vec3f`, `mat4x4h`; null: none. spec: #vector-types */
export function typeNamed(name: string): Type | null {
  return shapeOf(name)?.type ?? null;
}

/** What the name of a predeclared object says, where no extension decides whether it is known; null: nothing, or one does. */
function plainShapeOf(entity: PredeclaredEntity | null): Shape | null {
  const shape = entity?.kind === "builtin-type" ? senseOf(entity, shapeOf) : null;
  return shape?.element === F16 ? null : shape;
}

/**
 * The type of most callees, `f32`, `vec3f` or `vec3<f32>`, from their parts: a call has no node for its callee. null: it is
 * another one, or something is wrong with it.
 */
export function calledType(
  context: Context,
  entity: PredeclaredEntity,
  template: readonly ast.Expr[] | null,
): Type | null {
  const shape = plainShapeOf(entity);
  if (shape === null || template === null) return shape === null ? null : shape.type;
  if (shape.type !== null || shape.size === null || template.length !== 1) return null;
  const argument = template[0];
  if (argument.kind !== "identifier" || argument.template !== null) return null;
  const element = plainShapeOf(context.facts.predeclaredOf(argument.id))?.type ?? null;
  return element !== null && isScalar(element) ? vectorType(shape.size, element) : null;
}

/**
 * spec: #predeclared-types. The name was found among the predeclared ones, so whatever is left at the end is a texture.
 */
function predeclaredType(context: Context, node: ast.IdentifierExpr, shape: Shape | null): Type {
  if (shape !== null) return plainType(context, node, shape);
  const name = node.text;
  switch (name) {
    case "atomic":
      return atomic(context, node);
    case "array":
      return array(context, node);
    case "ptr":
      return pointer(context, node);
    case "buffer":
      return buffer(context, node);
    case "sampler":
    case "sampler_comparison":
      return noTemplate(context, node) ? ERROR : samplerType(name === "sampler_comparison");
    default:
      return texture(context, node);
  }
}

/** spec: #extension-f16 */
export function requireF16(context: Context, node: ast.Expr): void {
  if (!context.enabled.has("f16")) requireExtension(context, node.span, textOf(context, node), "f16");
}

function plainType(context: Context, node: ast.IdentifierExpr, shape: Shape): Type {
  if (shape.type !== null) {
    if (noTemplate(context, node)) return ERROR;
    if (shape.element === F16) requireF16(context, node);
    return shape.type;
  }
  const element = writtenElement(context, node);
  if (element.kind === "error") return ERROR;
  if (shape.size !== null) {
    if (isScalar(element)) return vectorType(shape.size, element);
    return badElement(context, node, element, "bool, i32, u32, f32 or f16");
  }
  if (element.kind === "f32" || element.kind === "f16") return matrixType(shape.columns!, shape.rows!, element);
  return badElement(context, node, element, "f32 or f16");
}

/** `vec3<f32>` */
function writtenElement(context: Context, node: ast.IdentifierExpr): Type {
  const args = templateArguments(context, node, 1, 1, "<T>");
  return args === null ? ERROR : typeSpecifier(context, args[0]);
}

function badElement(context: Context, node: ast.IdentifierExpr, element: Type, accepted: string): Type {
  const span = node.template?.[0]?.span ?? node.span;
  context.diagnostics.report("bad-component-type", span, {
    name: node.text,
    actual: typeName(element),
    accepted,
  });
  return ERROR;
}

/** spec: #atomic-types */
function atomic(context: Context, node: ast.IdentifierExpr): Type {
  const args = templateArguments(context, node, 1, 1, "<u32>");
  if (args === null) return ERROR;
  const element = typeSpecifier(context, args[0]);
  if (element.kind === "error") return ERROR;
  if (element.kind === "i32" || element.kind === "u32") return atomicType(element);
  const code = element.kind === "f32" || element.kind === "f16" ? "atomic-of-float" : "atomic-element";
  context.diagnostics.report(code, args[0].span, { actual: typeName(element) });
  return ERROR;
}

/** spec: #array-types */
function array(context: Context, node: ast.IdentifierExpr): Type {
  const args = templateArguments(context, node, 1, 2, "<T, N>’ or ‘array<T>");
  if (args === null) return ERROR;
  const element = typeSpecifier(context, args[0]);
  const count = args.length === 2 ? elementCount(context, args[1], "array") : null;
  if (element.kind === "error" || count === undefined) return ERROR;
  if (!isArrayElement(context, args[0], element)) return ERROR;
  const type = arrayType(element, count);
  return nestsTooDeep(context, node, type) ? ERROR : type;
}

/** An element is a plain type whose size is known when the module is made. spec: #array-types */
function isArrayElement(context: Context, node: ast.Expr, element: Type): boolean {
  if (isPlain(element) && hasCreationFixedFootprint(element)) return true;
  const why = phrase(isHandle(element) ? "handle-alone" : "size-unknown");
  const layers = typeName(element).replace(/^(texture(?:_depth)?_(?:2d|cube))(?=<|$)/, "$1_array");
  const isLayered = isHandle(element) && layers !== typeName(element);
  const notes = isLayered ? [note("several-layers", node.span, { type: layers })] : [];
  context.diagnostics.report("array-element", node.span, { actual: typeName(element), why }, { notes });
  return false;
}

/** spec: #limits */
export function nestsTooDeep(context: Context, node: { readonly span: ast.Name["span"] }, type: Type): boolean {
  if (nestingDepth(type) <= MAX_NESTING_DEPTH) return false;
  context.diagnostics.report("nesting-depth", node.span, { name: typeName(type), limit: MAX_NESTING_DEPTH });
  return true;
}

/** The number of elements of an array or of bytes of a buffer; undefined where it is wrong. spec: #array-types */
function elementCount(context: Context, expr: ast.Expr, what: string): ElementCount | undefined {
  // The count gives a type, so it is evaluated even where the expression around it is skipped.
  const { notEvaluated } = context;
  context.notEvaluated = false;
  const type = concreteValue(context, expr);
  context.notEvaluated = notEvaluated;
  if (type.kind === "error") return undefined;
  if (!isIntegerScalar(type)) {
    context.diagnostics.report("count-type", expr.span, { what, actual: typeName(type) });
    return undefined;
  }
  const time = context.facts.time(expr.id);
  if (time === OVERRIDE) return overrideCount(context, expr);
  if (time === RUNTIME) {
    context.diagnostics.report("count-not-constant", expr.span, { what, name: textOf(context, expr) });
    return undefined;
  }
  const known = context.facts.constOf(expr.id);
  if (known === null) return undefined;
  const count = Number(known.value);
  if (count > 0) return count;
  context.diagnostics.report("count-not-positive", expr.span, { what, count });
  return undefined;
}

/**
 * Counts that are one and the same override, named alone, are one and the same count; in parentheses they are not.
 * spec: #array-types, #example-workgroup-variables-sized-by-override
 */
function overrideCount(context: Context, expr: ast.Expr): OverrideCount {
  const { isParenthesized } = expr;
  const target = expr.kind === "identifier" && !isParenthesized ? context.facts.declarationOf(expr.id) : null;
  const key = target === null ? expr.id : target.id;
  let count = context.overrideCounts.get(key);
  if (count === undefined) {
    const text = textOf(context, expr);
    count = { kind: "override-count", expression: expr.id, text: isParenthesized ? `(${text})` : text };
    context.overrideCounts.set(key, count);
  }
  return count;
}

/** spec: #buffer-types */
function buffer(context: Context, node: ast.IdentifierExpr): Type {
  if (!requireLanguageFeature(context, node.span, textOf(context, node), "buffer_view")) return ERROR;
  const args = templateArguments(context, node, 0, 1, "<N>");
  if (args === null) return ERROR;
  if (args.length === 0) return bufferType(null);
  const size = elementCount(context, args[0], "buffer");
  if (size === undefined) return ERROR;
  const unit = context.enabled.has("f16") ? 2 : 4;
  if (typeof size === "number" && size % unit !== 0) {
    context.diagnostics.report("buffer-size-unit", args[0].span, { size, unit });
    return ERROR;
  }
  return bufferType(size);
}

/** The name of the enumerant that a template argument denotes; null, with a message, where it denotes none. */
export function enumerant(context: Context, node: ast.Expr, accepted: MessageValue): string | null {
  const entity = node.kind === "identifier" ? context.facts.predeclaredOf(node.id) : null;
  if (node.kind === "identifier" && entity?.kind === "enumerant") {
    return noTemplate(context, node) ? null : entity.name;
  }
  const unresolved =
    node.kind === "error-expression" ||
    (node.kind === "identifier" && entity === null && context.facts.declarationOf(node.id) === null);
  if (!unresolved)
    context.diagnostics.report("enumerant-expected", node.span, { name: textOf(context, node), accepted });
  return null;
}

const ADDRESS_SPACES: ReadonlySet<string> = new Set([
  "function",
  "private",
  "workgroup",
  "uniform",
  "storage",
  "immediate",
]);
const SPACES_TEXT = phrase("one-or-other", {
  first: "function, private, workgroup, uniform, storage",
  second: "immediate",
});

/** spec: #address-space */
export function addressSpace(context: Context, expr: ast.Expr): AddressSpace | null {
  const name = enumerant(context, expr, SPACES_TEXT);
  if (name === null) return null;
  if (!ADDRESS_SPACES.has(name)) {
    // `var<read_write> x`
    const isAccess = name === "read" || name === "read_write";
    const fixes = isAccess ? [replacement(expr.span, `storage, ${name}`)] : [];
    context.diagnostics.report("enumerant-expected", expr.span, { name, accepted: SPACES_TEXT }, { fixes });
    return null;
  }
  if (
    name === "immediate" &&
    !requireLanguageFeature(context, expr.span, textOf(context, expr), "immediate_address_space")
  )
    return null;
  return name as AddressSpace;
}

const ACCESS_MODES_TEXT = phrase("one-or-other", { first: "read, write", second: "read_write" });

/** spec: #memory-access-mode */
export function accessMode(context: Context, expr: ast.Expr): AccessMode | null {
  const accepted = ACCESS_MODES_TEXT;
  const name = enumerant(context, expr, accepted);
  if (name === null) return null;
  if (name === "read" || name === "write" || name === "read_write") return name;
  context.diagnostics.report("enumerant-expected", expr.span, { name, accepted });
  return null;
}

export function defaultAccess(space: AddressSpace): AccessMode {
  return space === "function" || space === "private" || space === "workgroup" ? "read_write" : "read";
}

/** The access mode of a variable or pointer: written only for storage. spec: #address-space */
export function accessFor(context: Context, space: AddressSpace, written: ast.Expr | undefined): AccessMode | null {
  if (written === undefined) return defaultAccess(space);
  const access = accessMode(context, written);
  if (access === null) return null;
  if (space !== "storage") {
    context.diagnostics.report("access-mode-not-allowed", written.span, { space });
    return null;
  }
  if (access === "write") {
    const fixes = [replacement(written.span, "read_write")];
    context.diagnostics.report("storage-write-only", written.span, {}, { fixes });
    return null;
  }
  return access;
}

/** spec: #ref-ptr-types */
function pointer(context: Context, node: ast.IdentifierExpr): Type {
  const args = templateArguments(context, node, 2, 3, "<space, T>");
  if (args === null) return ERROR;
  const space = addressSpace(context, args[0]);
  if (space === null) return ERROR;
  const store = typeSpecifier(context, args[1]);
  const access = accessFor(context, space, args[2]);
  if (access === null || store.kind === "error") return ERROR;
  if (!checkViewType(context, args[1].span, "pointer", space, access, store)) return ERROR;
  return pointerType(space, store, access);
}

/** spec: #texture-sampler-types */
function texture(context: Context, node: ast.IdentifierExpr): Type {
  const name = node.text;
  if (name.startsWith("texture_storage_")) return storageTexture(context, node);
  if (name === "texture_external") return noTemplate(context, node) ? ERROR : EXTERNAL_TEXTURE;
  if (name === "texture_depth_multisampled_2d") return noTemplate(context, node) ? ERROR : DEPTH_MULTISAMPLED_TEXTURE;
  if (name.startsWith("texture_depth_")) {
    if (noTemplate(context, node)) return ERROR;
    return depthTextureType(dimension(name, "texture_depth_") as DepthTextureType["dimension"]);
  }
  const args = templateArguments(context, node, 1, 1, "<f32>");
  if (args === null) return ERROR;
  const sampled = typeSpecifier(context, args[0]);
  if (sampled.kind === "error") return ERROR;
  if (sampled.kind !== "f32" && sampled.kind !== "i32" && sampled.kind !== "u32") {
    return badElement(context, node, sampled, "f32, i32 or u32");
  }
  if (name === "texture_multisampled_2d") return multisampledTextureType(sampled);
  return sampledTextureType(dimension(name, "texture_") as TextureDimension, sampled);
}

function dimension(name: string, prefix: string): string {
  return name.slice(prefix.length).replace("_", "-");
}

/** spec: #texture-storage */
function storageTexture(context: Context, node: ast.IdentifierExpr): Type {
  const name = node.text;
  const args = templateArguments(context, node, 2, 2, "<rgba8unorm, write>");
  if (args === null) return ERROR;
  const accepted = phrase("a-texel-format", { example: "rgba8unorm" });
  const format = enumerant(context, args[0], accepted);
  const access = accessMode(context, args[1]);
  if (format === null || access === null) return ERROR;
  const known = texelFormat(format);
  if (known === undefined) {
    context.diagnostics.report("enumerant-expected", args[0].span, { name: format, accepted });
    return ERROR;
  }
  if (
    known.requires !== null &&
    !requireLanguageFeature(context, args[0].span, textOf(context, args[0]), known.requires)
  )
    return ERROR;
  if (
    access !== "write" &&
    !requireLanguageFeature(context, args[1].span, textOf(context, args[1]), "readonly_and_readwrite_storage_textures")
  )
    return ERROR;
  return storageTextureType(dimension(name, "texture_storage_") as StorageTextureType["dimension"], format, access);
}
