/** Which bind group layouts a pipeline takes. webgpu: #gpupipelinelayout */
import { type BindGroupLayoutObject, GPUBindGroupLayout, slotsProblem } from "./bind-group-layout.ts";
import type { DeviceObject } from "./device-object.ts";
import { nullable, sequence, size32 } from "./idl/convert.ts";
import { type Converted, defaulted, dictionary, required } from "./idl/dictionary.ts";
import { defineInterface, LABEL } from "./idl/interface.ts";
import { checked, InternalObject, nameOf, objectDescriptorBase, useProblem } from "./object.ts";

/** webgpu: #dictdef-gpupipelinelayoutdescriptor */
export const pipelineLayoutDescriptor = dictionary(
  "GPUPipelineLayoutDescriptor",
  {
    bindGroupLayouts: required(sequence(nullable(GPUBindGroupLayout.convert))),
    immediateSize: defaulted(size32, 0),
  },
  objectDescriptorBase,
);

type Descriptor = Converted<typeof pipelineLayoutDescriptor>;

export class PipelineLayoutObject extends InternalObject {
  readonly kind = "pipeline layout";
  /** By group; null: nothing is bound there. */
  readonly bindGroupLayouts: readonly (BindGroupLayoutObject | null)[];
  readonly immediateSize: number;

  constructor(
    device: DeviceObject,
    label: string,
    bindGroupLayouts: readonly (BindGroupLayoutObject | null)[],
    immediateSize: number,
  ) {
    super(device, label);
    this.bindGroupLayouts = bindGroupLayouts.map((layout) => (layout?.entryCount === 0 ? null : layout));
    this.immediateSize = immediateSize;
  }
}

/** webgpu: #dom-gpudevice-createpipelinelayout */
export function createPipelineLayout(device: DeviceObject, descriptor: Descriptor): GPUPipelineLayout {
  const { label, bindGroupLayouts, immediateSize } = descriptor;
  const layout = new PipelineLayoutObject(device, label, bindGroupLayouts, immediateSize);
  const problem = groupsProblem(device, descriptor) ?? immediateProblem(device, immediateSize);
  return GPUPipelineLayout.wrap(checked(layout, "GPUDevice.createPipelineLayout()", problem));
}

function groupsProblem(device: DeviceObject, { bindGroupLayouts }: Descriptor): string | null {
  const { limits } = device;
  if (bindGroupLayouts.length > limits.maxBindGroups) {
    return `${bindGroupLayouts.length} bind group layouts are more than maxBindGroups, which is ${limits.maxBindGroups}`;
  }
  for (const layout of bindGroupLayouts) {
    if (layout === null) continue;
    const problem = useProblem(layout, device);
    if (problem !== null) return problem;
    if (layout.exclusivePipeline !== null) {
      return `the ${nameOf(layout)} was made for the default layout of a pipeline and goes with that one only`;
    }
  }
  return slotsProblem(
    limits,
    bindGroupLayouts.flatMap((layout) => [...(layout?.entries.values() ?? [])]),
  );
}

function immediateProblem({ limits }: DeviceObject, size: number): string | null {
  if (size % 4 !== 0) return `the immediateSize ${size} is no multiple of 4`;
  if (size <= limits.maxImmediateSize) return null;
  return `the immediateSize ${size} is above maxImmediateSize, which is ${limits.maxImmediateSize}`;
}

/** webgpu: #gpupipelinelayout */
export const GPUPipelineLayout = defineInterface<PipelineLayoutObject, GPUPipelineLayout>("GPUPipelineLayout", {
  attributes: { ...LABEL },
});
