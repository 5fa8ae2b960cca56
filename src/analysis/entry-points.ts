/** Entry points: their stage, their size, what they take and give. spec: #entry-points */
import { builtinValues } from "../builtins/builtin-values.ts";
import { insertion, type Note, note, phrase } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { copyOf, listOf } from "../text/list.ts";
import { isSameSpan, type Span } from "../text/source.ts";
import { commonType, concretize } from "../types/conversion.ts";
import { isConcreteInteger, isIntegerScalar } from "../types/predicates.ts";
import { ERROR, type Type, typeName, VOID } from "../types/type.ts";
import { type AttributeMap, hasUnknownAttribute } from "./attributes.ts";
import type { Context, Mutable } from "./context.ts";
import { convertTo, value } from "./conversions.ts";
import { reportNotConstant } from "./declarations.ts";
import { OVERRIDE, RUNTIME } from "./fact-table.ts";
import { structOf } from "./facts.ts";
import { isIntegral, locationsDiffer, SAMPLINGS } from "./interface-values.ts";
import type { FunctionInfo, InterfaceValue, ParameterInfo, Stage } from "./program.ts";

const STAGES: readonly Stage[] = ["vertex", "fragment", "compute"];

/** At most one stage attribute. spec: #shader-stage-attr */
export function stageOf(context: Context, node: ast.FunctionDecl, attributes: AttributeMap): Stage | null {
  let given: Stage | null = null;
  for (const stage of STAGES) {
    const attribute = attributes.get(stage);
    if (attribute === undefined) continue;
    if (given === null) given = stage;
    else {
      context.diagnostics.report("several-stages", attribute.span, { name: node.name.text });
      break;
    }
  }
  return given;
}

// ---------------------------------------------------------------- @workgroup_size, @subgroup_size

export function workgroupAttributes(context: Context, info: FunctionInfo, attributes: AttributeMap): void {
  if (info.declaration.attributes.length === 0) return;
  const workgroup = attributes.get("workgroup_size");
  const subgroup = attributes.get("subgroup_size");
  const isTold = hasUnknownAttribute(info.declaration);
  for (const attribute of [workgroup, subgroup]) {
    if (attribute === undefined || isTold || attributes.has("compute") || hasAttribute(info, "compute")) continue;
    const name = attribute.text;
    context.diagnostics.report("compute-only-attribute", attribute.span, { name, function: info.name });
  }
  if (workgroup !== undefined) workgroupSize(context, workgroup);
  if (subgroup !== undefined) subgroupSize(context, subgroup);
  if (info.stage !== "compute" || info.name === "" || isTold || hasAttribute(info, "workgroup_size")) return;
  context.diagnostics.report("no-workgroup-size", info.declaration.name.span, { name: info.name });
}

function hasAttribute(info: FunctionInfo, name: string): boolean {
  for (const attribute of info.declaration.attributes) if (attribute.text === name) return true;
  return false;
}

/**
 * All of one integer type, each const or override, each positive. The upper limits are those of the device: they are
 * checked when a pipeline is made. spec: #workgroup-size-attr
 */
function workgroupSize(context: Context, attribute: ast.Attribute): void {
  const args = attribute.args!;
  const types = new Array<Type>(args.length);
  for (let at = 0; at < args.length; at++) types[at] = value(context, args[at]);
  if (types.includes(ERROR)) return;
  const type = sizeType(context, attribute, types);
  if (type === null) return;
  for (let at = 0; at < args.length; at++) {
    convertTo(context, args[at], types[at], type);
    sizeValue(context, args[at], "workgroup_size");
  }
}

function sizeType(context: Context, attribute: ast.Attribute, types: readonly Type[]): Type | null {
  const wrong = types.findIndex(isNoInteger);
  const name = attribute.text;
  if (wrong >= 0) {
    const args = { name, actual: typeName(types[wrong]) };
    context.diagnostics.report("attribute-type", attribute.args![wrong].span, args);
    return null;
  }
  const common = commonType(types);
  const type = common === null ? null : concretize(common);
  if (type !== null && isConcreteInteger(type)) return type;
  context.diagnostics.report("workgroup-size-types", attribute.span, { types: types.map(typeName).join(", ") });
  return null;
}

function isNoInteger(type: Type): boolean {
  return !isIntegerScalar(type);
}

function sizeValue(context: Context, argument: ast.Expr, name: string): number | null {
  const time = context.facts.time(argument.id);
  if (time === RUNTIME) {
    reportNotConstant(context, argument, phrase("argument-of-attribute", { name }), null, true);
    return null;
  }
  if (time === OVERRIDE) return null;
  const known = context.facts.valueAsUsed(argument.id);
  if (known === null) return null;
  const size = Number(known.value);
  if (size >= 1) return size;
  context.diagnostics.report("attribute-value", argument.span, { name, value: size, least: 1 });
  return null;
}

/** spec: #subgroup-size-attr */
function subgroupSize(context: Context, attribute: ast.Attribute): void {
  const [argument] = attribute.args!;
  const given = value(context, argument);
  if (given.kind === "error") return;
  const type = sizeType(context, attribute, [given]);
  if (type === null) return;
  convertTo(context, argument, given, type);
  const size = sizeValue(context, argument, "subgroup_size");
  if (size === null || Number.isInteger(Math.log2(size))) return;
  context.diagnostics.report("subgroup-size-power-of-two", argument.span, { size });
}

// ---------------------------------------------------------------- inputs and outputs

/**
 * Inputs are the parameters, outputs the result; one in a structure counts as its members do, so that two structures as
 * parameters must not both have `@location(0)`. Takes the structures apart and checks what the stage asks of each value.
 * spec: #stage-inputs-outputs
 */
export function entryPointInterface(context: Context, info: Mutable<FunctionInfo>): void {
  const { stage, declaration } = info;
  if (stage === null) return;
  const inputs: InterfaceValue[] = listOf();
  let owned = 0;
  for (const param of info.params) {
    // Those of parameters themselves stand in the order of the parameters.
    const own = info.inputs[owned];
    if (own !== undefined && isSameSpan(own.span, param.declaration.name)) {
      inputs.push(own);
      owned++;
    } else for (const value of values(context, info, carrierOf(param))) inputs.push(value);
  }
  const outputs =
    info.returnType === VOID || declaration.returnType === null
      ? NO_VALUES
      : info.outputs.length > 0
        ? info.outputs
        : values(context, info, resultOf(info, declaration.returnType));
  info.inputs = copyOf(inputs);
  info.outputs = outputs;
  for (const input of inputs) checkValue(context, info, input, "input");
  // A compute shader has no outputs at all: one message says so.
  if (stage !== "compute") for (const output of outputs) checkValue(context, info, output, "output");
  builtinsDiffer(context, inputs);
  builtinsDiffer(context, outputs);
  locationsDiffer(context, inputs);
  positionRequired(context, info);
  computeReturnsNothing(context, info);
}

function carrierOf({ name, type, declaration }: ParameterInfo): Carrier {
  return { name, type, span: declaration.type.span, attributes: declaration.attributes };
}

/** A parameter, the result, or a structure member. */
interface Carrier {
  readonly name: string;
  readonly type: Type;
  readonly span: Span;
  readonly attributes: readonly ast.Attribute[];
}

const NO_VALUES: readonly InterfaceValue[] = [];

const THE_RESULT = "the result";

function resultOf(info: FunctionInfo, type: ast.IdentifierExpr): Carrier {
  const attributes = info.declaration.returnAttributes;
  return { name: THE_RESULT, type: info.returnType, span: type.span, attributes };
}

/** Of what has no attributes itself: the members of a structure, each with attributes. spec: #entry-point-decl */
function values(context: Context, info: FunctionInfo, carrier: Carrier): readonly InterfaceValue[] {
  if (carrier.type.kind === "struct") return structValues(context, info, carrier.type, carrier.span);
  attributeMissing(context, info, carrier, []);
  return NO_VALUES;
}

/** Told of what has no IO attribute; a wrong one was reported by itself. */
function attributeMissing(context: Context, info: FunctionInfo, carrier: Carrier, notes: readonly Note[]): void {
  const { name, type, span, attributes } = carrier;
  // That a compute shader returns nothing at all is told by itself.
  if (info.stage === "compute" && name === THE_RESULT) return;
  if (type.kind === "error" || hasUnknownAttribute(carrier)) return;
  if (attributes.some((attribute) => /^(builtin|location)$/.test(attribute.text))) return;
  const args = { name, function: info.name, type: typeName(type) };
  context.diagnostics.report("no-io-attribute", span, args, { notes });
}

function structValues(
  context: Context,
  info: FunctionInfo,
  type: Type & { kind: "struct" },
  span: Span,
): readonly InterfaceValue[] {
  const declaration = structOf(context, type);
  if (declaration === null) return NO_VALUES;
  const found: InterfaceValue[] = listOf();
  for (const [at, member] of declaration.members.entries()) {
    const io = context.memberInterfaces.get(member.id);
    if (io !== undefined) {
      found.push(io);
      continue;
    }
    const notes = [note("used-as-interface", span, { name: info.name })];
    const name = `${type.name}.${member.name.text}`;
    const carrier = { name, type: type.members[at].type, span: member.name.span, attributes: member.attributes };
    attributeMissing(context, info, carrier, notes);
  }
  return found;
}

type Direction = "input" | "output";

function checkValue(context: Context, info: FunctionInfo, io: InterfaceValue, direction: Direction): void {
  if (io.builtin !== null) builtinForStage(context, info, io, direction);
  else if (io.location !== null) userDefined(context, info, io, direction);
}

/** spec: #builtin-inputs-outputs */
function builtinForStage(context: Context, info: FunctionInfo, io: InterfaceValue, direction: Direction): void {
  const rows = builtinValues(io.builtin!);
  for (const row of rows) if (row.stage === info.stage && row.direction === direction) return;
  const accepted = rows.map((row) => `${row.stage} ${row.direction}`).join(", ");
  const used = `${info.stage} ${direction}`;
  const place = builtinAttribute(info, io) ?? io.span;
  const notes = usedBy(info);
  if (used === "vertex input") notes.push(note("vertex-location", place, {}));
  context.diagnostics.report("builtin-value-stage", place, { name: io.builtin!, used, accepted }, { notes });
}

/** Where a parameter says that it is a built-in value; null: a member or the result says so. */
function builtinAttribute({ declaration }: FunctionInfo, { span }: InterfaceValue): Span | null {
  const param = declaration.params.find(({ name }) => isSameSpan(name.span, span));
  return param?.attributes.find(({ name }) => name.text === "builtin")?.span ?? null;
}

function usedBy(info: FunctionInfo) {
  return [note("used-as-interface", info.declaration.name.span, { name: info.name })];
}

/** spec: #user-defined-inputs-outputs, #interpolation, #blend-src-attr */
function userDefined(context: Context, info: FunctionInfo, io: InterfaceValue, direction: Direction): void {
  if (info.stage === "compute") {
    context.diagnostics.report("location-in-compute", io.span, { name: io.name }, { notes: usedBy(info) });
    return;
  }
  // Told of the first of the two sources.
  if (io.blendSource === 0 && (info.stage !== "fragment" || direction !== "output")) {
    context.diagnostics.report("blend-src-stage", io.span, { name: io.name }, { notes: usedBy(info) });
  }
  const interpolated = (info.stage === "vertex") === (direction === "output");
  const { type = "perspective" } = io.interpolation ?? {};
  // Of another type it was told that there is none.
  if (interpolated && isIntegral(io.type) && type !== "flat" && Object.hasOwn(SAMPLINGS, type)) {
    const text = "@interpolate(flat)";
    const fixes = io.interpolation === null ? [insertion(io.span.start, text, `${text} `)] : [];
    const args = { name: io.name, type: typeName(io.type) };
    context.diagnostics.report("integer-not-flat", io.span, args, { notes: usedBy(info), fixes });
  }
}

function builtinsDiffer(context: Context, list: readonly InterfaceValue[]): void {
  if (list.length < 2) return;
  const seen = new Map<string, InterfaceValue>();
  for (const io of list) {
    if (io.builtin === null) continue;
    const earlier = seen.get(io.builtin);
    if (earlier === undefined) seen.set(io.builtin, io);
    else {
      const notes = [note("first-here", earlier.span, { name: `@builtin(${io.builtin})` })];
      context.diagnostics.report("duplicate-builtin-value", io.span, { name: io.builtin }, { notes });
    }
  }
}

/** spec: #function-restriction */
function positionRequired(context: Context, info: FunctionInfo): void {
  if (info.stage !== "vertex" || info.returnType.kind === "error") return;
  // Of two stages it is not known which one is meant.
  if (info.declaration.attributes.filter(({ text }) => STAGES.includes(text as Stage)).length > 1) return;
  // What has no attribute at all was told so, and may be meant to be the position.
  if (info.returnType !== VOID && info.outputs.length === 0) return;
  if (info.outputs.some((io) => io.builtin === "position")) return;
  context.diagnostics.report("no-position", info.declaration.name.span, { name: info.name });
}

/** spec: #entry-point-decl */
function computeReturnsNothing(context: Context, info: FunctionInfo): void {
  if (info.stage !== "compute" || info.returnType === VOID || info.returnType.kind === "error") return;
  const { returnType, name } = info.declaration;
  context.diagnostics.report("compute-returns", (returnType ?? name).span, { name: info.name });
}
