/** Function declarations. spec: #function-declaration-sec, #function-restriction */

import { note } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { listOf, listOfEach } from "../text/list.ts";
import { containsAtomic, isConstructible, isHandle } from "../types/predicates.ts";
import { ERROR, type Type, typeName, VOID } from "../types/type.ts";
import { type AttributeMap, attributesOf, filterAttributes, hasUnknownAttribute } from "./attributes.ts";
import { type Context, FunctionState, NO_ACCESS } from "./context.ts";
import { ParameterEntity } from "./entities.ts";
import { stageOf, workgroupAttributes } from "./entry-points.ts";
import { interfaceValue } from "./interface-values.ts";
import { MAX_PARAMETERS } from "./limits.ts";
import { hasLanguageFeature } from "./options.ts";
import type { FunctionInfo, InterfaceValue, OverrideInfo, ParameterInfo, Stage, VariableInfo } from "./program.ts";
import { functionBody } from "./statements.ts";
import { typeSpecifier } from "./types.ts";

export function functionDeclaration(context: Context, node: ast.FunctionDecl): void {
  const attributes = attributesOf(context, node.attributes, "function");
  filterAttributes(context, node.attributes, node);
  const stage = stageOf(context, node, attributes);
  const inputs: InterfaceValue[] = listOf();
  // A misspelt stage is told as such.
  const isEntryPoint = stage !== null || hasUnknownAttribute(node);
  const params = listOfEach(node.params, (param, index) => parameter(context, param, index, isEntryPoint, inputs));
  parameterCount(context, node);
  const { type: returnType, output } = result(context, node, isEntryPoint);
  const info = new FunctionEntity(context, node, {
    params,
    returnType,
    stage,
    workgroupSize: attributes.get("workgroup_size")?.args ?? NO_SIZE,
    subgroupSize: attributes.get("subgroup_size")?.args?.[0] ?? null,
    mustUse: mustUse(context, node, attributes),
    inputs,
    outputs: output === null ? NO_OUTPUTS : listOf(output),
  });
  const state = new FunctionState(info, info.overrideExpressions);
  context.facts.declare(node.id, info);
  context.functions.push(state);
  context.current = state;
  workgroupAttributes(context, info, attributes);
  functionBody(context, node, returnType);
  context.current = null;
  if (state.calls !== null) info.callees = Array.from(state.calls.keys());
}

type Header = Pick<
  FunctionInfo,
  "params" | "returnType" | "stage" | "workgroupSize" | "subgroupSize" | "mustUse" | "inputs" | "outputs"
>;

const NO_CALLEES: readonly FunctionInfo[] = [];
const NO_SIZE: readonly ast.Expr[] = [];
const NO_OUTPUTS: readonly InterfaceValue[] = [];

/** A class for the sake of what is found only when asked for: getters in a literal would give each object its own shape. */
class FunctionEntity implements FunctionInfo {
  readonly kind = "function";
  readonly declaration: ast.FunctionDecl;
  readonly name: string;
  readonly params: readonly ParameterInfo[];
  readonly returnType: Type;
  readonly stage: Stage | null;
  callees = NO_CALLEES;
  readonly workgroupSize: readonly ast.Expr[];
  readonly subgroupSize: ast.Expr | null;
  readonly mustUse: boolean;
  requiresUniformity = false;
  readonly inputs: readonly InterfaceValue[];
  readonly outputs: readonly InterfaceValue[];
  readonly overrideExpressions: ast.Expr[] = listOf();
  readonly #context: Context;

  constructor(context: Context, declaration: ast.FunctionDecl, header: Header) {
    this.#context = context;
    this.declaration = declaration;
    this.name = declaration.name.text;
    this.params = header.params;
    this.returnType = header.returnType;
    this.stage = header.stage;
    this.workgroupSize = header.workgroupSize;
    this.subgroupSize = header.subgroupSize;
    this.mustUse = header.mustUse;
    this.inputs = header.inputs;
    this.outputs = header.outputs;
  }

  get usedVariables(): readonly VariableInfo[] {
    return (this.#context.access?.of(this.declaration) ?? NO_ACCESS).variables;
  }

  get usedOverrides(): readonly OverrideInfo[] {
    return (this.#context.access?.of(this.declaration) ?? NO_ACCESS).overrides;
  }
}

/** spec: #limits */
function parameterCount(context: Context, node: ast.FunctionDecl): void {
  const given = node.params.length;
  if (given <= MAX_PARAMETERS) return;
  context.diagnostics.report("parameter-count", node.name.span, {
    name: node.name.text,
    given,
    limit: MAX_PARAMETERS,
  });
}

function parameter(
  context: Context,
  node: ast.Param,
  index: number,
  isEntryPoint: boolean,
  inputs: InterfaceValue[],
): ParameterInfo {
  const attributes = attributesOf(context, node.attributes, "parameter");
  const written = typeSpecifier(context, node.type);
  const type = parameterType(context, node, written) ? written : ERROR;
  const name = node.name.text;
  const io = interfaceValue(context, attributes, name, type, node.name);
  if (io !== null) {
    onEntryPoint(context, node.attributes, isEntryPoint);
    inputs.push(io);
  }
  const info = new ParameterEntity(node, type, index, io?.builtin ?? null);
  context.facts.declare(node.id, info);
  return info;
}

/** Built-in values that compute shaders alone have. */
const COMPUTE_INPUT =
  /builtin\s*\(\s*(?:global_invocation_id|local_invocation_id|local_invocation_index|workgroup_id|num_workgroups)\b/;

/** IO attributes are for entry points and structures. spec: #builtin-attr, #location-attr */
function onEntryPoint(context: Context, list: readonly ast.Attribute[], isEntryPoint: boolean): void {
  if (isEntryPoint) return;
  const isCompute = COMPUTE_INPUT.test(context.source.slice(list[0].span));
  const notes = isCompute ? [note("make-compute", list[0].span, {})] : [];
  if (list[0].text === "builtin") notes.push(note("pass-as-parameter", list[0].span, {}));
  context.diagnostics.report("io-attribute-not-on-entry-point", list[0].span, { name: list[0].text }, { notes });
}

/** Constructible, a pointer, a texture or a sampler. spec: #function-restriction */
function parameterType(context: Context, node: ast.Param, type: Type): boolean {
  if (type.kind === "error") return false;
  const name = node.name.text;
  if (type.kind === "pointer") return pointerParameter(context, node, type);
  if (isConstructible(type) || isHandle(type)) return true;
  const code = containsAtomic(type) ? "atomic-parameter" : "parameter-type";
  context.diagnostics.report(code, node.type.span, { name, type: typeName(type) });
  return false;
}

/** spec: #language_extension-unrestricted_pointer_parameters */
function pointerParameter(context: Context, node: ast.Param, type: Type & { kind: "pointer" }): boolean {
  if (type.space === "function" || type.space === "private") return true;
  if (hasLanguageFeature(context.target, "unrestricted_pointer_parameters")) return true;
  context.diagnostics.report("pointer-parameter-space", node.type.span, { name: node.name.text, space: type.space });
  return false;
}

function result(
  context: Context,
  node: ast.FunctionDecl,
  isEntryPoint: boolean,
): { type: Type; output: InterfaceValue | null } {
  const attributes = attributesOf(context, node.returnAttributes, "return type");
  if (node.returnType === null) return { type: VOID, output: null };
  const written = typeSpecifier(context, node.returnType);
  const type = returnType(context, node.returnType, node.name.text, written) ? written : ERROR;
  const output = interfaceValue(context, attributes, node.name.text, type, node.returnType);
  if (output !== null) onEntryPoint(context, node.returnAttributes, isEntryPoint);
  return { type, output };
}

function returnType(context: Context, node: ast.IdentifierExpr, name: string, type: Type): boolean {
  if (type.kind === "error") return false;
  if (isConstructible(type)) return true;
  const notes = type.kind === "pointer" ? [note("return-value", node.span, {})] : [];
  context.diagnostics.report("return-type", node.span, { name, type: typeName(type) }, { notes });
  return false;
}

/** spec: #must-use-attr */
function mustUse(context: Context, node: ast.FunctionDecl, attributes: AttributeMap): boolean {
  const attribute = attributes.get("must_use");
  if (attribute === undefined) return false;
  if (node.returnType === null) {
    context.diagnostics.report("must-use-nothing", attribute.span, { name: node.name.text });
  }
  return true;
}
