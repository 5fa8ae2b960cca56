/**
 * The host contract of a module: entry points, bindings, layouts, overrides, workgroup memory. Plain data, the JSON of
 * `halay reflect`. spec: #resource-interface, #entry-point-decl
 */
import { byPipelineKey, evaluateExpression, evaluateOverrides, type OverrideValues } from "../analysis/overrides.ts";
import {
  type FunctionInfo,
  isProgram,
  type OverrideInfo,
  type Program,
  type Stage,
  type VariableInfo,
} from "../analysis/program.ts";
import { type Layout, layoutOf, minBindingSize, roundUp } from "../layout/layout.ts";
import type { Position, Span } from "../text/source.ts";
import { resolveCounts } from "../types/counts.ts";
import { type AddressSpace, type Type, typeName } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import { type AccessKind, accessesOf } from "./accesses.ts";

/** Offsets, sizes, alignments and strides in bytes. */
export interface ReflectedLayout {
  readonly type: string;
  readonly size: number;
  readonly align: number;
  readonly stride?: number;
  readonly members?: readonly ReflectedMember[];
  /** Of an array or matrix with structures inside: the layout of one element. */
  readonly element?: ReflectedLayout;
  readonly runtimeSized?: true;
}

export interface ReflectedMember {
  readonly name: string;
  readonly offset: number;
  readonly size: number;
  readonly align: number;
  readonly type: string;
  readonly layout: ReflectedLayout;
}

export type BindingKind = "uniform" | "storage" | "read-only-storage" | "sampler" | "texture" | "storage-texture";

export interface ReflectedBinding {
  readonly group: number;
  readonly binding: number;
  readonly name: string;
  readonly kind: BindingKind;
  readonly type: string;
  /** null for textures and samplers. */
  readonly layout: ReflectedLayout | null;
  readonly minBindingSize: number | null;
}

export interface ReflectedAccess {
  readonly variable: string;
  readonly addressSpace: AddressSpace;
  readonly kind: AccessKind;
  readonly start: Position;
  readonly end: Position;
}

export interface ReflectedEntryPoint {
  readonly name: string;
  readonly stage: Stage;
  /** null where an override without a default is needed, and for stages without workgroups. */
  readonly workgroupSize: readonly [number, number, number] | null;
  readonly overrides: readonly string[];
  readonly bindings: readonly string[];
  readonly workgroupVariables: readonly string[];
  /** Sum over the workgroup variables, each rounded up to 16 bytes; null where an override without a default is needed. */
  readonly workgroupBytes: number | null;
  readonly builtins: readonly string[];
  readonly accesses: readonly ReflectedAccess[];
}

export interface ReflectedWorkgroupVariable {
  readonly name: string;
  readonly type: string;
  /** null where the size hangs on an override without a default. */
  readonly layout: ReflectedLayout | null;
}

export interface ReflectedOverride {
  readonly name: string;
  readonly id: number | null;
  readonly type: string;
  readonly default: number | boolean | null;
}

export interface Reflection {
  readonly version: 1;
  readonly path: string;
  readonly entryPoints: readonly ReflectedEntryPoint[];
  readonly bindings: readonly ReflectedBinding[];
  readonly workgroupVariables: readonly ReflectedWorkgroupVariable[];
  readonly structs: Readonly<Record<string, ReflectedLayout>>;
  readonly overrides: readonly ReflectedOverride[];
  readonly enables: readonly string[];
  readonly requires: readonly string[];
}

/**
 * The contract with these values of overrides, by name or `@id`; one that is left out has its default.
 * @throws TypeError for what is no Program
 */
export function reflect(program: Program, overrideValues: OverrideValues = {}): Reflection {
  // What is given instead may be a whole shader.
  if (!isProgram(program)) throw new TypeError(`a Program is reflected, as check gives it, not ${typeof program}`);
  const { values: defaults } = evaluateOverrides(program, {});
  const context: Context = {
    program,
    overrides: evaluateOverrides(program, byPipelineKey(program, overrideValues)).values,
  };
  return {
    version: 1,
    path: program.source.path,
    entryPoints: program.entryPoints.map((entry) => reflectEntryPoint(context, entry)),
    bindings: resources(program).map(reflectBinding),
    workgroupVariables: program.variables
      .filter((variable) => variable.space === "workgroup")
      .map((variable) => reflectWorkgroupVariable(context, variable)),
    structs: Object.fromEntries(program.structs.flatMap((s) => layoutEntry(s.name, s.type))),
    overrides: program.overrides.map((override) => reflectOverride(override, defaults.get(override) ?? null)),
    enables: program.enables,
    requires: program.requires,
  };
}

interface Context {
  readonly program: Program;
  readonly overrides: ReadonlyMap<OverrideInfo, ConstValue>;
}

function resources(program: Program): readonly VariableInfo[] {
  const found = program.variables.filter((variable) => variable.group !== null && variable.binding !== null);
  return found.toSorted((a, b) => (a.group ?? 0) - (b.group ?? 0) || (a.binding ?? 0) - (b.binding ?? 0));
}

export function bindingKey(variable: VariableInfo): string {
  return `${variable.group}.${variable.binding}`;
}

/** spec: #resource-interface; WebGPU's words for the kinds. */
export function bindingKind(variable: VariableInfo): BindingKind {
  switch (variable.type.kind) {
    case "sampler":
      return "sampler";
    case "storage-texture":
      return "storage-texture";
    case "sampled-texture":
    case "multisampled-texture":
    case "depth-texture":
    case "depth-multisampled-texture":
    case "external-texture":
      return "texture";
    default:
      if (variable.space === "uniform") return "uniform";
      return variable.access === "read" ? "read-only-storage" : "storage";
  }
}

function reflectBinding(variable: VariableInfo): ReflectedBinding {
  const hasLayout = variable.space === "uniform" || variable.space === "storage";
  const layout = hasLayout ? layoutOf(variable.type) : null;
  return {
    group: variable.group as number,
    binding: variable.binding as number,
    name: variable.name,
    kind: bindingKind(variable),
    type: typeName(variable.type),
    layout: layout === null ? null : reflectLayout(layout),
    minBindingSize: layout === null ? null : minBindingSize(layout),
  };
}

function layoutEntry(name: string, type: Type): [string, ReflectedLayout][] {
  try {
    return [[name, reflectLayout(layoutOf(type))]];
  } catch {
    return []; // A structure of textures, or one that analysis found fault with, has no layout.
  }
}

export function reflectLayout(layout: Layout): ReflectedLayout {
  const { element, stride } = layout;
  return {
    type: typeName(layout.type),
    size: layout.size,
    align: layout.align,
    ...(stride === null ? {} : { stride }),
    ...(layout.members.length === 0
      ? {}
      : {
          members: layout.members.map((member) => ({
            name: member.name,
            offset: member.offset,
            size: member.size,
            align: member.align,
            type: typeName(member.layout.type),
            layout: reflectLayout(member.layout),
          })),
        }),
    ...(layout.type.kind === "array" && element !== null ? { element: reflectLayout(element) } : {}),
    ...(layout.runtimeSized ? { runtimeSized: true as const } : {}),
  };
}

function reflectWorkgroupVariable(context: Context, variable: VariableInfo): ReflectedWorkgroupVariable {
  const layout = workgroupLayout(context, variable);
  const type = layout === null ? variable.type : layout.type;
  return { name: variable.name, type: typeName(type), layout: layout === null ? null : reflectLayout(layout) };
}

/** The layout with override counts filled in; null where one has no value. */
function workgroupLayout(context: Context, variable: VariableInfo): Layout | null {
  let known = true;
  const type = resolveCounts(variable.type, (count) => {
    const value = evaluateExpression(context.program, count.expression, context.overrides);
    known &&= value !== null;
    return value === null ? 1 : Number(value.value);
  });
  return known ? layoutOf(type) : null;
}

function reflectOverride(override: OverrideInfo, value: ConstValue | null): ReflectedOverride {
  const plain = value === null ? null : typeof value.value === "boolean" ? value.value : Number(value.value);
  return { name: override.name, id: override.pipelineId, type: typeName(override.type), default: plain };
}

function reflectEntryPoint(context: Context, entry: FunctionInfo): ReflectedEntryPoint {
  const workgroup = entry.usedVariables.filter((variable) => variable.space === "workgroup");
  const sizes = workgroup.map((variable) => workgroupLayout(context, variable));
  const bindings = resources(context.program).filter((variable) => entry.usedVariables.includes(variable));
  return {
    name: entry.name,
    stage: entry.stage as Stage,
    workgroupSize: workgroupSizeOf(context, entry),
    overrides: entry.usedOverrides.map((override) => override.name),
    bindings: bindings.map(bindingKey),
    workgroupVariables: workgroup.map((variable) => variable.name),
    workgroupBytes: sizes.reduce<number | null>(
      (sum, layout) => (sum === null || layout === null ? null : sum + roundUp(16, layout.size)),
      0,
    ),
    builtins: builtinsOf(context.program, entry),
    accesses: accessesOf(context.program, entry).map(({ variable, kind, span }) => ({
      variable: variable.name,
      addressSpace: variable.space,
      kind,
      ...places(context.program, span),
    })),
  };
}

function places(program: Program, span: Span): { start: Position; end: Position } {
  return { start: program.source.position(span.start), end: program.source.position(span.end) };
}

/** spec: #workgroup-size-attr */
function workgroupSizeOf(context: Context, entry: FunctionInfo): [number, number, number] | null {
  if (entry.stage !== "compute") return null;
  const size: [number, number, number] = [1, 1, 1];
  for (const [axis, expression] of entry.workgroupSize.entries()) {
    const value = evaluateExpression(context.program, expression.id, context.overrides);
    if (value === null) return null;
    size[axis] = Number(value.value);
  }
  return size;
}

/** Builtin values that an entry point takes or gives, also through structures, each once. */
function builtinsOf(program: Program, entry: FunctionInfo): readonly string[] {
  const names = new Set<string>();
  for (const { attributes, type } of [
    ...entry.params.map((param) => ({ attributes: param.declaration.attributes, type: param.type })),
    { attributes: entry.declaration.returnAttributes, type: entry.returnType },
  ]) {
    const members = program.structs.find((s) => s.type === type)?.declaration.members ?? [];
    for (const attribute of [...attributes, ...members.flatMap((member) => member.attributes)]) {
      const value = attribute.args?.[0];
      if (attribute.text === "builtin" && value?.kind === "identifier") names.add(value.text);
    }
  }
  return [...names];
}
