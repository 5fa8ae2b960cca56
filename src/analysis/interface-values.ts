/**
 * IO attributes: what makes a parameter, a result, or a member an input or output of a shader stage. Rules that hold
 * wherever the attribute stands are here, those of an entry point in `entry-points.ts`. spec: #stage-inputs-outputs
 */
import { BUILTIN_VALUE_NAMES, type BuiltinValue, builtinValues } from "../builtins/builtin-values.ts";
import { note } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import type { Span } from "../text/source.ts";
import { isNumericScalar, isNumericVector, scalarOf } from "../types/predicates.ts";
import { type Type, typeName } from "../types/type.ts";
import { type AttributeMap, attributeInteger, attributeWord } from "./attributes.ts";
import type { Context } from "./context.ts";
import { requireExtension, requireLanguageFeature } from "./extensions.ts";
import { hasLanguageFeature } from "./options.ts";
import type { InterfaceValue } from "./program.ts";
import { suggested } from "./suggestions.ts";

const IO_ATTRIBUTES = ["builtin", "location", "blend_src", "interpolate", "invariant"];

/**
 * What the IO attributes of one declaration say; null when there are none. A structure may have them and never be used as
 * an interface: they are checked all the same, as far as that is possible without a stage.
 */
export function interfaceValue(
  context: Context,
  attributes: AttributeMap,
  name: string,
  type: Type,
  at: { readonly span: Span },
): InterfaceValue | null {
  if (attributes.isEmpty || !IO_ATTRIBUTES.some((attribute) => attributes.has(attribute))) return null;
  const builtin = builtinName(context, attributes, type);
  const locationAttribute = attributes.get("location");
  const location = locationAttribute === undefined ? null : attributeInteger(context, locationAttribute, 0);
  if (attributes.has("builtin") && locationAttribute !== undefined) {
    context.diagnostics.report("builtin-and-location", locationAttribute.span, { name });
  }
  if (locationAttribute !== undefined) userDefinedType(context, locationAttribute, type);
  return new InterfaceEntity(
    name,
    type,
    at.span,
    builtin,
    location,
    blendSource(context, attributes),
    interpolation(context, attributes),
    invariant(context, attributes, builtin),
  );
}

/** A class, see `entities.ts`. */
class InterfaceEntity implements InterfaceValue {
  readonly name: string;
  readonly type: Type;
  readonly span: Span;
  readonly builtin: string | null;
  readonly location: number | null;
  readonly blendSource: number | null;
  readonly interpolation: InterfaceValue["interpolation"];
  readonly invariant: boolean;

  constructor(
    name: string,
    type: Type,
    span: Span,
    builtin: string | null,
    location: number | null,
    blendSource: number | null,
    interpolation: InterfaceValue["interpolation"],
    invariant: boolean,
  ) {
    this.name = name;
    this.type = type;
    this.span = span;
    this.builtin = builtin;
    this.location = location;
    this.blendSource = blendSource;
    this.interpolation = interpolation;
    this.invariant = invariant;
  }
}

/** spec: #builtin-inputs-outputs */
function builtinName(context: Context, attributes: AttributeMap, type: Type): string | null {
  const attribute = attributes.get("builtin");
  if (attribute === undefined) return null;
  const name = attributeWord(context, attribute, 0);
  if (name === null) return null;
  const rows = builtinValues(name);
  if (rows.length === 0) {
    const { span } = attribute.args![0];
    const extras = suggested(name, BUILTIN_VALUE_NAMES, span, { listed: true });
    context.diagnostics.report("unknown-builtin-value", span, { name }, extras);
    return null;
  }
  const [row] = rows;
  if (!builtinExtensions(context, attribute, name, row)) return null;
  if (type.kind !== "error" && !accepts(row, type)) {
    const args = { name, expected: acceptedText(row), actual: typeName(type) };
    context.diagnostics.report("builtin-value-type", attribute.span, args);
  }
  depthMode(context, attribute, name);
  return name;
}

/** spec: #clip-distances-builtin-value: up to eight f32; all others have one type. */
const MAX_CLIP_DISTANCES = 8;

function accepts(row: BuiltinValue, type: Type): boolean {
  if (row.type !== null) return type === row.type;
  return type.kind === "array" && type.element.kind === "f32" && Number(type.count ?? Infinity) <= MAX_CLIP_DISTANCES;
}

function acceptedText(row: BuiltinValue): string {
  return row.type === null ? `array<f32, N> with N up to ${MAX_CLIP_DISTANCES}` : typeName(row.type);
}

function builtinExtensions(context: Context, attribute: ast.Attribute, name: string, row: BuiltinValue): boolean {
  if (row.enable !== null) requireExtension(context, attribute.span, name, row.enable);
  return row.requires === null || requireLanguageFeature(context, attribute.span, name, row.requires);
}

/** A second argument is for `frag_depth` only. spec: #frag-depth-builtin-value */
function depthMode(context: Context, attribute: ast.Attribute, name: string): void {
  if (attribute.args!.length < 2) return;
  const mode = attributeWord(context, attribute, 1);
  if (mode === null) return;
  const allowed = name === "frag_depth" && hasLanguageFeature(context.target, "fragment_depth");
  if (allowed && (mode === "less" || mode === "greater")) return;
  context.diagnostics.report("depth-mode", attribute.args![1].span, { name, mode });
}

/** spec: #user-defined-inputs-outputs */
function userDefinedType(context: Context, attribute: ast.Attribute, type: Type): void {
  if (type.kind === "error" || isNumericScalar(type) || isNumericVector(type)) return;
  context.diagnostics.report("location-type", attribute.span, { type: typeName(type) });
}

/** spec: #blend-src-attr */
function blendSource(context: Context, attributes: AttributeMap): number | null {
  const attribute = attributes.get("blend_src");
  if (attribute === undefined) return null;
  if (!attributes.has("location")) {
    context.diagnostics.report("needs-location", attribute.span, { name: "blend_src" });
  }
  const value = attributeInteger(context, attribute, 0);
  if (value === null || value <= 1) return value;
  context.diagnostics.report("blend-src-value", attribute.span, { value });
  return null;
}

/** By interpolation type, how it can be sampled. */
export const SAMPLINGS: Readonly<Record<string, readonly string[]>> = {
  perspective: ["center", "centroid", "sample"],
  linear: ["center", "centroid", "sample"],
  flat: ["first", "either"],
};

/** spec: #interpolation */
function interpolation(context: Context, attributes: AttributeMap): InterfaceValue["interpolation"] {
  const attribute = attributes.get("interpolate");
  if (attribute === undefined) return null;
  if (!attributes.has("location")) {
    context.diagnostics.report("needs-location", attribute.span, { name: "interpolate" });
  }
  const type = attributeWord(context, attribute, 0);
  const sampling = attribute.args!.length > 1 ? attributeWord(context, attribute, 1) : null;
  if (type === null) return null;
  if (!Object.hasOwn(SAMPLINGS, type)) {
    const { span } = attribute.args![0];
    const extras = suggested(type, Object.keys(SAMPLINGS), span);
    context.diagnostics.report("interpolation-type", span, { name: type }, extras);
    return { type, sampling };
  }
  if (sampling !== null && !SAMPLINGS[type].includes(sampling)) {
    const { span } = attribute.args![1];
    const args = { type, name: sampling, accepted: SAMPLINGS[type].join(", ") };
    context.diagnostics.report("interpolation-sampling", span, args, suggested(sampling, SAMPLINGS[type], span));
  }
  return { type, sampling };
}

/** spec: #invariant-attr */
function invariant(context: Context, attributes: AttributeMap, builtin: string | null): boolean {
  const attribute = attributes.get("invariant");
  if (attribute === undefined) return false;
  if (builtin !== "position") context.diagnostics.report("invariant-without-position", attribute.span, {});
  return true;
}

/** spec: #input-output-locations: the rules of every structure with locations, used for IO or not. */
export function locationsInStruct(context: Context, node: ast.StructDecl): void {
  const located: InterfaceValue[] = [];
  for (const member of node.members) {
    const io = context.memberInterfaces.get(member.id);
    if (io === undefined || io.location === null) continue;
    // A wrong `@blend_src` was reported: what goes with it cannot be judged.
    if (io.blendSource === null && member.attributes.some((attribute) => attribute.text === "blend_src")) return;
    located.push(io);
  }
  if (located.some((io) => io.blendSource !== null)) dualSourceBlending(context, node, located);
  else locationsDiffer(context, located);
}

export function locationsDiffer(context: Context, values: readonly InterfaceValue[]): void {
  if (values.length < 2) return;
  const seen = new Map<number, InterfaceValue>();
  for (const value of values) {
    // The two sources of dual source blending share their location.
    if (value.location === null || value.blendSource !== null) continue;
    const earlier = seen.get(value.location);
    if (earlier === undefined) seen.set(value.location, value);
    else {
      const notes = [note("first-here", earlier.span, { name: `@location(${value.location})` })];
      context.diagnostics.report("duplicate-location", value.span, { location: value.location }, { notes });
    }
  }
}

/** Exactly `@location(0) @blend_src(0)` and `@location(0) @blend_src(1)`, of one type. */
function dualSourceBlending(context: Context, node: ast.StructDecl, values: readonly InterfaceValue[]): void {
  const sources = values.map((value) => value.blendSource).sort();
  const complete = values.length === 2 && values.every((value) => value.location === 0) && sources.join() === "0,1";
  if (!complete) {
    context.diagnostics.report("dual-source-blending", node.name.span, { name: node.name.text });
  } else if (values[0].type !== values[1].type) {
    const args = { name: node.name.text, first: typeName(values[0].type), second: typeName(values[1].type) };
    context.diagnostics.report("dual-source-types", values[1].span, args);
  }
}

export function isIntegral(type: Type): boolean {
  const scalar = scalarOf(type);
  return scalar?.kind === "i32" || scalar?.kind === "u32";
}
