/** Samplers, as far as they can be made and bound. webgpu: #samplers */
import type { DeviceObject } from "./device-object.ts";
import { addressMode, compareFunction, filterMode, mipmapFilterMode } from "./enums.ts";
import { clamped16, float } from "./idl/convert.ts";
import { type Converted, defaulted, dictionary, optional } from "./idl/dictionary.ts";
import { defineInterface, LABEL } from "./idl/interface.ts";
import { checked, InternalObject, objectDescriptorBase } from "./object.ts";

/** webgpu: #GPUSamplerDescriptor */
export const samplerDescriptor = dictionary(
  "GPUSamplerDescriptor",
  {
    addressModeU: defaulted(addressMode, "clamp-to-edge"),
    addressModeV: defaulted(addressMode, "clamp-to-edge"),
    addressModeW: defaulted(addressMode, "clamp-to-edge"),
    magFilter: defaulted(filterMode, "nearest"),
    minFilter: defaulted(filterMode, "nearest"),
    mipmapFilter: defaulted(mipmapFilterMode, "nearest"),
    lodMinClamp: defaulted(float, 0),
    lodMaxClamp: defaulted(float, 32),
    compare: optional(compareFunction),
    maxAnisotropy: defaulted(clamped16, 1),
  },
  objectDescriptorBase,
);

type Descriptor = Converted<typeof samplerDescriptor>;

export class SamplerObject extends InternalObject {
  readonly kind = "sampler";
  readonly isComparison: boolean;
  readonly isFiltering: boolean;

  constructor(device: DeviceObject, descriptor: Descriptor) {
    super(device, descriptor.label);
    this.isComparison = descriptor.compare !== undefined;
    this.isFiltering = filters(descriptor).includes("linear");
  }
}

function filters({ minFilter, magFilter, mipmapFilter }: Descriptor): readonly string[] {
  return [minFilter, magFilter, mipmapFilter];
}

/** webgpu: #dom-gpudevice-createsampler */
export function createSampler(device: DeviceObject, descriptor: Descriptor): GPUSampler {
  const sampler = new SamplerObject(device, descriptor);
  return GPUSampler.wrap(checked(sampler, "GPUDevice.createSampler()", problemOf(descriptor)));
}

function problemOf(descriptor: Descriptor): string | null {
  const { lodMinClamp, lodMaxClamp, maxAnisotropy } = descriptor;
  if (lodMinClamp < 0) return `the lodMinClamp ${lodMinClamp} is below 0`;
  if (lodMaxClamp < lodMinClamp) return `the lodMaxClamp ${lodMaxClamp} is below the lodMinClamp ${lodMinClamp}`;
  if (maxAnisotropy < 1) return `the maxAnisotropy ${maxAnisotropy} is below 1`;
  if (maxAnisotropy === 1 || filters(descriptor).every((filter) => filter === "linear")) return null;
  return `a maxAnisotropy of ${maxAnisotropy} asks for the filters magFilter, minFilter and mipmapFilter to be "linear"`;
}

/** webgpu: #gpusampler */
export const GPUSampler = defineInterface<SamplerObject, GPUSampler>("GPUSampler", { attributes: { ...LABEL } });
