/** What a bind group holds, and for which stages. webgpu: #gpubindgrouplayout */
import type { DeviceObject } from "./device-object.ts";
import {
  bufferBindingType,
  samplerBindingType,
  storageTextureAccess,
  textureSampleType,
  textureViewDimension,
} from "./enums.ts";
import { allFlags, flagNames, GPUShaderStage } from "./flags.ts";
import { boolean, sequence, size32, size64 } from "./idl/convert.ts";
import { type Converted, defaulted, dictionary, optional, required } from "./idl/dictionary.ts";
import { defineInterface, LABEL } from "./idl/interface.ts";
import type { LimitName, Limits } from "./limits.ts";
import { checked, InternalObject, objectDescriptorBase } from "./object.ts";
import { formatInfo, requireFormat, supports, textureFormat, wayTo } from "./texture-formats.ts";

const bufferLayout = dictionary("GPUBufferBindingLayout", {
  type: defaulted(bufferBindingType, "uniform"),
  hasDynamicOffset: defaulted(boolean, false),
  minBindingSize: defaulted(size64, 0),
});

const samplerLayout = dictionary("GPUSamplerBindingLayout", { type: defaulted(samplerBindingType, "filtering") });

const textureLayout = dictionary("GPUTextureBindingLayout", {
  sampleType: defaulted(textureSampleType, "float"),
  viewDimension: defaulted(textureViewDimension, "2d"),
  multisampled: defaulted(boolean, false),
});

const storageTextureLayout = dictionary("GPUStorageTextureBindingLayout", {
  access: defaulted(storageTextureAccess, "write-only"),
  format: required(textureFormat),
  viewDimension: defaulted(textureViewDimension, "2d"),
});

const layoutEntry = dictionary("GPUBindGroupLayoutEntry", {
  binding: required(size32),
  visibility: required(size32),
  buffer: optional(bufferLayout),
  sampler: optional(samplerLayout),
  texture: optional(textureLayout),
  storageTexture: optional(storageTextureLayout),
  externalTexture: optional(dictionary("GPUExternalTextureBindingLayout", {})),
});

export type LayoutEntry = Converted<typeof layoutEntry>;

/** An entry with nothing but what is given. */
export function entryOf(
  binding: number,
  visibility: number,
  member: Partial<Omit<LayoutEntry, "binding" | "visibility">>,
): LayoutEntry {
  const none = {
    buffer: undefined,
    sampler: undefined,
    texture: undefined,
    storageTexture: undefined,
    externalTexture: undefined,
  };
  return { binding, visibility, ...none, ...member };
}

/** webgpu: #dictdef-gpubindgrouplayoutdescriptor */
export const bindGroupLayoutDescriptor = dictionary(
  "GPUBindGroupLayoutDescriptor",
  { entries: required(sequence(layoutEntry)) },
  objectDescriptorBase,
);

export class BindGroupLayoutObject extends InternalObject {
  readonly kind = "bind group layout";
  /** By binding, in increasing order. */
  readonly entries: ReadonlyMap<number, LayoutEntry>;
  /** How many entries there were: of invalid ones, two may have had the same binding. */
  readonly entryCount: number;
  readonly dynamicOffsetCount: number;
  /** The pipeline for whose default layout it was made; bind groups of it go with no other. */
  readonly exclusivePipeline: object | null;
  readonly #key: string;

  constructor(
    device: DeviceObject,
    { label, entries }: { readonly label: string; readonly entries: readonly LayoutEntry[] },
    exclusivePipeline: object | null = null,
  ) {
    super(device, label);
    const sorted = entries.toSorted((a, b) => a.binding - b.binding);
    this.entries = new Map(sorted.map((entry) => [entry.binding, entry]));
    this.entryCount = entries.length;
    this.dynamicOffsetCount = entries.filter(({ buffer }) => buffer?.hasDynamicOffset === true).length;
    this.exclusivePipeline = exclusivePipeline;
    this.#key = JSON.stringify(sorted);
  }

  /** webgpu: #group-equivalent */
  isEquivalent(other: BindGroupLayoutObject): boolean {
    return this.exclusivePipeline === other.exclusivePipeline && this.#key === other.#key;
  }
}

/** webgpu: #dom-gpudevice-createbindgrouplayout */
export function createBindGroupLayout(
  device: DeviceObject,
  descriptor: Converted<typeof bindGroupLayoutDescriptor>,
): GPUBindGroupLayout {
  const operation = "GPUDevice.createBindGroupLayout()";
  for (const { storageTexture } of descriptor.entries) {
    if (storageTexture !== undefined) requireFormat(device, storageTexture.format, operation);
  }
  const layout = new BindGroupLayoutObject(device, descriptor);
  return GPUBindGroupLayout.wrap(checked(layout, operation, layoutProblem(device, descriptor.entries)));
}

// ---------------------------------------------------------------- rules

export function layoutProblem(device: DeviceObject, entries: readonly LayoutEntry[]): string | null {
  const { limits } = device;
  const seen = new Set<number>();
  for (const entry of entries) {
    const { binding } = entry;
    if (seen.has(binding)) return `two entries have the binding ${binding}`;
    seen.add(binding);
    if (binding >= limits.maxBindingsPerBindGroup) {
      return `the binding ${binding} is not below maxBindingsPerBindGroup, which is ${limits.maxBindingsPerBindGroup}`;
    }
    const problem = entryProblem(device, entry);
    if (problem !== null) return `the entry of binding ${binding} ${problem}`;
  }
  return slotsProblem(limits, entries);
}

function entryProblem(device: DeviceObject, entry: LayoutEntry): string | null {
  return (
    memberProblem(entry) ??
    visibilityProblem(entry) ??
    vertexProblem(entry) ??
    multisampledProblem(entry) ??
    storageTextureProblem(device, entry)
  );
}

const MEMBERS = ["buffer", "sampler", "texture", "storageTexture", "externalTexture"] as const;

/** webgpu: #binding-member */
export function memberOf(entry: LayoutEntry): (typeof MEMBERS)[number] {
  return MEMBERS.find((member) => entry[member] !== undefined)!;
}

function memberProblem(entry: LayoutEntry): string | null {
  const given = MEMBERS.filter((member) => entry[member] !== undefined);
  if (given.length === 1) return null;
  if (given.length > 1)
    return `has ${given.map((member) => `‘${member}’`).join(" and ")}: only one of them may be given`;
  return `has none of ${MEMBERS.map((member) => `‘${member}’`).join(", ")}: one must be given`;
}

function visibilityProblem({ visibility }: LayoutEntry): string | null {
  if ((visibility & ~allFlags(GPUShaderStage)) === 0) return null;
  return `has the visibility ${flagNames(visibility, GPUShaderStage)}, with bits that are no shader stage`;
}

function vertexProblem({ visibility, buffer, storageTexture }: LayoutEntry): string | null {
  if ((visibility & GPUShaderStage.VERTEX) === 0) return null;
  if (buffer?.type === "storage") {
    return `is visible to vertex shaders, which cannot write: the type must be "read-only-storage" or "uniform", not "storage"`;
  }
  if (storageTexture === undefined || storageTexture.access === "read-only") return null;
  return `is visible to vertex shaders, which cannot write: the access must be "read-only", not "${storageTexture.access}"`;
}

function multisampledProblem({ texture }: LayoutEntry): string | null {
  if (texture?.multisampled !== true) return null;
  if (texture.viewDimension !== "2d")
    return `is multisampled: the viewDimension must be "2d", not "${texture.viewDimension}"`;
  return texture.sampleType === "float" ? `is multisampled: the sampleType cannot be "float"` : null;
}

function storageTextureProblem(device: DeviceObject, { storageTexture }: LayoutEntry): string | null {
  if (storageTexture === undefined) return null;
  const { viewDimension, format, access } = storageTexture;
  if (viewDimension === "cube" || viewDimension === "cube-array") {
    return `has a storage texture with the viewDimension "${viewDimension}", which there is not`;
  }
  const support = formatInfo(format).storage[access];
  return supports(device, support)
    ? null
    : `has the format "${format}", which is not for "${access}" access${wayTo(support)}`;
}

/** webgpu: #exceeds-the-binding-slot-limits */
export function slotsProblem(limits: Limits, entries: Iterable<LayoutEntry>): string | null {
  const used = new Map<string, number>();
  const use = (limit: LimitName, stage: string, slots = 1): void => {
    const key = `${limit} ${stage}`;
    used.set(key, (used.get(key) ?? 0) + slots);
  };
  for (const entry of entries) {
    if (entry.buffer?.hasDynamicOffset === true) {
      if (entry.buffer.type === "uniform") use("maxDynamicUniformBuffersPerPipelineLayout", "");
      else use("maxDynamicStorageBuffersPerPipelineLayout", "");
    }
    for (const [stage, bit] of Object.entries(STAGES)) {
      if ((entry.visibility & bit.flag) !== 0)
        useInStage(entry, bit.suffix, (limit, slots) => use(limit, stage, slots));
    }
  }
  for (const [key, slots] of used) {
    const [limit, stage] = key.split(" ");
    const most = limits[limit as LimitName];
    if (slots > most) {
      const where = stage === "" ? "" : ` in the ${stage} stage`;
      return `${slots} slots are used${where}: ${limit} is ${most}`;
    }
  }
  return null;
}

const STAGES = {
  vertex: { flag: GPUShaderStage.VERTEX, suffix: "InVertexStage" },
  fragment: { flag: GPUShaderStage.FRAGMENT, suffix: "InFragmentStage" },
  compute: { flag: GPUShaderStage.COMPUTE, suffix: "PerShaderStage" },
} as const;

type Suffix = (typeof STAGES)[keyof typeof STAGES]["suffix"];

function useInStage(entry: LayoutEntry, suffix: Suffix, use: (limit: LimitName, slots?: number) => void): void {
  if (entry.buffer?.type === "uniform") use("maxUniformBuffersPerShaderStage");
  else if (entry.buffer !== undefined) use(`maxStorageBuffers${suffix}`);
  else if (entry.sampler !== undefined) use("maxSamplersPerShaderStage");
  else if (entry.texture !== undefined) use("maxSampledTexturesPerShaderStage");
  else if (entry.storageTexture !== undefined) use(`maxStorageTextures${suffix}`);
  else if (entry.externalTexture !== undefined) {
    use("maxSampledTexturesPerShaderStage", 4);
    use("maxSamplersPerShaderStage");
    use("maxUniformBuffersPerShaderStage");
  }
}

/** webgpu: #gpubindgrouplayout */
export const GPUBindGroupLayout = defineInterface<BindGroupLayoutObject, GPUBindGroupLayout>("GPUBindGroupLayout", {
  attributes: { ...LABEL },
});
