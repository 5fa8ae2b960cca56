/** Compute pipelines. webgpu: #gpucomputepipeline */
import { checkPipeline, evaluateExpression, evaluateOverrides, type OverrideValues } from "../analysis/overrides.ts";
import type { FunctionInfo, Program } from "../analysis/program.ts";
import type { IrModule, RootId } from "../ir/ir.ts";
import { lowerOnce } from "../ir/lower-once.ts";
import { UnsupportedError } from "../ir/unsupported.ts";
import { layoutOf, roundUp } from "../layout/layout.ts";
import {
  BindGroupLayoutObject,
  GPUBindGroupLayout,
  type LayoutEntry,
  layoutProblem,
  slotsProblem,
} from "./bind-group-layout.ts";
import type { DeviceObject } from "./device-object.ts";
import { GPUPipelineError } from "./errors.ts";
import { GPUShaderStage } from "./flags.ts";
import { double, record, unsigned32, usvString } from "./idl/convert.ts";
import { type Converted, defaulted, dictionary, optional, required } from "./idl/dictionary.ts";
import { defineInterface, LABEL, needed, operation } from "./idl/interface.ts";
import { accessibleSlots, immediateOf } from "./immediates.ts";
import { checked, InternalObject, nameOf, objectDescriptorBase, useProblem } from "./object.ts";
import { PipelineLayoutObject } from "./pipeline-layout.ts";
import { bindingProblem, defaultEntry, filteringProblem, leastSize, resourcesOf } from "./shader-bindings.ts";
import { GPUShaderModule, layoutOrAuto, placed } from "./shader-module.ts";
import { textureUses } from "./texture-uses.ts";

/** webgpu: #gpuprogrammablestage */
const programmableStage = dictionary("GPUProgrammableStage", {
  module: required(GPUShaderModule.convert),
  entryPoint: optional(usvString),
  constants: defaulted(record(usvString, double), {}),
});

/** webgpu: #dictdef-gpucomputepipelinedescriptor */
export const computePipelineDescriptor = dictionary(
  "GPUComputePipelineDescriptor",
  { layout: required(layoutOrAuto), compute: required(programmableStage) },
  objectDescriptorBase,
);

type Descriptor = Converted<typeof computePipelineDescriptor>;
type Stage = Descriptor["compute"];

/** What a valid pipeline knows of its shader. */
export interface ComputeShader {
  /** Of the shader module. */
  readonly moduleLabel: string;
  readonly program: Program;
  readonly entryPoint: FunctionInfo;
  readonly overrides: OverrideValues;
  /** null: it is legal, but our engines do not run it; `unsupported` says why. */
  readonly module: IrModule | null;
  readonly unsupported: string | null;
  /** Bytes that a binding must have, by `group.binding`. */
  readonly leastSizes: ReadonlyMap<string, number>;
  /** Root variables that are bound, by `group.binding`. */
  readonly roots: ReadonlyMap<string, RootId>;
  /** The root variable of the immediate data; null: it uses none. */
  readonly immediateRoot: RootId | null;
  /** Words of the immediate data that it can read. */
  readonly immediateSlots: readonly number[];
  /** null: the device's own. */
  readonly subgroupSize: number | null;
  /** Whether it counts workgroups, or invocations, in one number of 32 bits. */
  readonly countsWorkgroups: boolean;
  readonly countsInvocations: boolean;
}

export class ComputePipelineObject extends InternalObject {
  readonly kind = "compute pipeline";
  #layout: PipelineLayoutObject | null = null;
  #shader: ComputeShader | null = null;

  /** Of valid pipelines. */
  get layout(): PipelineLayoutObject {
    return this.#layout!;
  }

  get shader(): ComputeShader {
    return this.#shader!;
  }

  /** Makes it what the descriptor says; the problem if that cannot be. */
  initialize(descriptor: Descriptor): string | null {
    const { device } = this;
    const { compute } = descriptor;
    const unusable = useProblem(compute.module, device);
    if (unusable !== null) return unusable;
    const entryPoint = getEntryPoint(compute);
    if (typeof entryPoint === "string") return entryPoint;
    const layout =
      descriptor.layout === "auto" ? this.#defaultLayout(compute.module.program, entryPoint) : descriptor.layout;
    if (typeof layout === "string") return layout;
    const problem = useProblem(layout, device) ?? stageProblem(device, compute, entryPoint, layout);
    if (problem !== null) return problem;
    this.#layout = layout;
    this.#shader = shaderOf(compute, entryPoint);
    return null;
  }

  /** webgpu: #default-pipeline-layout */
  #defaultLayout(program: Program, entryPoint: FunctionInfo): PipelineLayoutObject | string {
    const { device } = this;
    const { limits } = device;
    const uses = textureUses(program, entryPoint);
    const groups: LayoutEntry[][] = [];
    for (const variable of resourcesOf(entryPoint.usedVariables)) {
      const { group, name } = variable;
      if (group >= limits.maxBindGroups)
        return `‘${name}’ has @group(${group}): maxBindGroups is ${limits.maxBindGroups}`;
      while (groups.length <= group) groups.push([]);
      groups[group].push(defaultEntry(variable, GPUShaderStage.COMPUTE, uses));
    }
    const problem =
      groups.map((entries) => layoutProblem(device, entries)).find((each) => each !== null) ??
      slotsProblem(limits, groups.flat());
    if (problem !== null) return `the default pipeline layout cannot be made: ${problem}`;
    const layouts = groups.map((entries) => new BindGroupLayoutObject(device, { label: "", entries }, this));
    return new PipelineLayoutObject(device, "", layouts, roundUp(4, immediateSize(entryPoint)));
  }

  /** A copy, with a label of its own. webgpu: #dom-gpupipelinebase-getbindgrouplayout */
  getBindGroupLayout(index: number): BindGroupLayoutObject {
    const { device } = this;
    const { maxBindGroups } = device.limits;
    const known = this.isValid ? (this.layout.bindGroupLayouts[index] ?? null) : null;
    const entries = [...(known?.entries.values() ?? [])];
    const layout = new BindGroupLayoutObject(device, { label: "", entries }, known?.exclusivePipeline ?? null);
    const problem =
      useProblem(this, device) ??
      (index < maxBindGroups ? null : `the index ${index} is not below maxBindGroups, which is ${maxBindGroups}`);
    return checked(layout, "GPUComputePipeline.getBindGroupLayout()", problem);
  }
}

/** webgpu: #abstract-opdef-get-the-entry-point */
function getEntryPoint({ module, entryPoint }: Stage): FunctionInfo | string {
  const { entryPoints } = module.program;
  const ofStage = entryPoints.filter(({ stage }) => stage === "compute");
  const names = ofStage.map(({ name }) => `‘${name}’`).join(", ");
  const has = ofStage.length === 0 ? "it has none" : `it has ${names}`;
  const where = `the ${nameOf(module)}`;
  if (entryPoint !== undefined) {
    const found = ofStage.find(({ name }) => name === entryPoint);
    return found ?? `${where} has no compute entry point ‘${entryPoint}’; ${has}`;
  }
  if (ofStage.length === 1) return ofStage[0];
  return ofStage.length === 0
    ? `${where} has no compute entry point`
    : `${where} has several compute entry points, ${names}: ‘entryPoint’ must name one`;
}

/** webgpu: #abstract-opdef-validating-gpuprogrammablestage */
function stageProblem(
  device: DeviceObject,
  { module, constants }: Stage,
  entryPoint: FunctionInfo,
  layout: PipelineLayoutObject,
): string | null {
  const { program } = module;
  for (const variable of resourcesOf(entryPoint.usedVariables)) {
    const problem = bindingProblem(variable, layout, GPUShaderStage.COMPUTE);
    if (problem !== null) return problem;
  }
  for (const use of textureUses(program, entryPoint)) {
    const problem = filteringProblem(use, layout);
    if (problem !== null) return problem;
  }
  const errors = checkPipeline(program, entryPoint, Object.fromEntries(constants), device.limits);
  const error = errors.find(({ severity }) => severity === "error");
  if (error !== undefined) {
    return error.code === "unknown-override" ? `constants: ${error.message}` : placed(error, program.source);
  }
  return immediateProblem(entryPoint, layout) ?? subgroupProblem(device, program, entryPoint, constants);
}

function immediateSize(entryPoint: FunctionInfo): number {
  const variable = immediateOf(entryPoint);
  return variable === null ? 0 : layoutOf(variable.type).size;
}

function immediateProblem(entryPoint: FunctionInfo, layout: PipelineLayoutObject): string | null {
  const size = immediateSize(entryPoint);
  if (size <= layout.immediateSize) return null;
  return `the shader reads ${size} bytes of immediate data: the layout's immediateSize is ${layout.immediateSize}`;
}

function subgroupSizeOf(program: Program, entryPoint: FunctionInfo, given: OverrideValues): number | null {
  const { subgroupSize } = entryPoint;
  if (subgroupSize === null) return null;
  const value = evaluateExpression(program, subgroupSize.id, evaluateOverrides(program, given).values);
  return value === null ? null : Number(value.value);
}

/** webgpu: #dom-gpufeaturename-subgroup-size-control */
function subgroupProblem(
  { adapter }: DeviceObject,
  program: Program,
  entryPoint: FunctionInfo,
  constants: ReadonlyMap<string, number>,
): string | null {
  const size = subgroupSizeOf(program, entryPoint, Object.fromEntries(constants));
  const { subgroupMinSize: least, subgroupMaxSize: most } = adapter;
  if (size === null || (size >= least && size <= most)) return null;
  return `the subgroup size ${size} of ‘${entryPoint.name}’ is not from ${least} to ${most}`;
}

// ---------------------------------------------------------------- shader

function shaderOf({ module, constants }: Stage, entryPoint: FunctionInfo): ComputeShader {
  const { program } = module;
  const overrides = Object.fromEntries(constants);
  const lowered = lowerOrNot(program, entryPoint, overrides);
  const resources = resourcesOf(entryPoint.usedVariables);
  const immediate = immediateOf(entryPoint);
  const builtins = new Set(entryPoint.inputs.map(({ builtin }) => builtin));
  const roots = lowered.module?.roots ?? [];
  return {
    moduleLabel: module.label,
    program,
    entryPoint,
    overrides,
    ...lowered,
    leastSizes: new Map(
      resources
        .filter(({ space }) => space === "uniform" || space === "storage")
        .map((variable) => [`${variable.group}.${variable.binding}`, leastSize(variable)]),
    ),
    roots: new Map(
      roots.filter(({ group }) => group !== null).map(({ id, group, binding }) => [`${group}.${binding}`, id]),
    ),
    immediateRoot: roots.find(({ space }) => space === "immediate")?.id ?? null,
    immediateSlots: immediate === null ? [] : accessibleSlots(layoutOf(immediate.type)),
    subgroupSize: subgroupSizeOf(program, entryPoint, overrides),
    countsWorkgroups: builtins.has("workgroup_index"),
    countsInvocations: builtins.has("global_invocation_index"),
  };
}

function lowerOrNot(
  program: Program,
  entryPoint: FunctionInfo,
  overrides: OverrideValues,
): Pick<ComputeShader, "module" | "unsupported"> {
  try {
    const { values } = evaluateOverrides(program, overrides);
    return { module: lowerOnce(program, entryPoint.name, values).module, unsupported: null };
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error;
    const { message, span } = error;
    return { module: null, unsupported: placed({ message, span }, program.source) };
  }
}

// ---------------------------------------------------------------- creation

/** webgpu: #dom-gpudevice-createcomputepipeline */
export function createComputePipeline(device: DeviceObject, descriptor: Descriptor): GPUComputePipeline {
  const pipeline = new ComputePipelineObject(device, descriptor.label);
  const problem = device.isLost ? null : pipeline.initialize(descriptor);
  return GPUComputePipeline.wrap(checked(pipeline, "GPUDevice.createComputePipeline()", problem));
}

/** webgpu: #dom-gpudevice-createcomputepipelineasync */
export async function createComputePipelineAsync(
  device: DeviceObject,
  descriptor: Descriptor,
): Promise<GPUComputePipeline> {
  const pipeline = new ComputePipelineObject(device, descriptor.label);
  await device.environment.host.pause();
  const problem = device.isLost ? "its device is lost" : pipeline.initialize(descriptor);
  if (problem !== null) pipeline.invalidate(problem);
  if (problem !== null && !device.isLost) {
    const message = `GPUDevice.createComputePipelineAsync(): ${problem}`;
    throw new GPUPipelineError(message, { reason: "validation" });
  }
  return GPUComputePipeline.wrap(pipeline);
}

/** webgpu: #gpucomputepipeline */
export const GPUComputePipeline = defineInterface<ComputePipelineObject, GPUComputePipeline>("GPUComputePipeline", {
  attributes: { ...LABEL },
  operations: {
    getBindGroupLayout: operation([needed(unsigned32)], (pipeline, index) =>
      GPUBindGroupLayout.wrap(pipeline.getBindGroupLayout(index)),
    ),
  },
});
