/** Resources, bound together. webgpu: #gpubindgroup */
import { type BindGroupLayoutObject, GPUBindGroupLayout, type LayoutEntry, memberOf } from "./bind-group-layout.ts";
import { BufferObject, GPUBuffer, usageProblem } from "./buffer.ts";
import type { DeviceObject } from "./device-object.ts";
import { ExternalTextureObject, GPUExternalTexture } from "./external-texture.ts";
import { flagNames, GPUTextureUsage } from "./flags.ts";
import { type Converter, sequence, size32, size64 } from "./idl/convert.ts";
import { type Converted, defaulted, dictionary, optional, required } from "./idl/dictionary.ts";
import { defineInterface, LABEL } from "./idl/interface.ts";
import { checked, InternalObject, nameOf, objectDescriptorBase, useProblem } from "./object.ts";
import { GPUSampler, SamplerObject } from "./sampler.ts";
import { GPUTexture, TextureObject } from "./texture.ts";
import { canSampleAs, formatInfo } from "./texture-formats.ts";
import { createViewObject, GPUTextureView, TextureViewObject, textureViewDescriptor } from "./texture-view.ts";
import type { Usage } from "./usage-scope.ts";

export interface BufferBinding {
  readonly buffer: BufferObject;
  readonly offset: number;
  /** undefined: to the end of the buffer. */
  readonly size: number | undefined;
}

const bufferBinding = dictionary("GPUBufferBinding", {
  buffer: required(GPUBuffer.convert),
  offset: defaulted(size64, 0),
  size: optional(size64),
});

export type Resource = SamplerObject | TextureViewObject | ExternalTextureObject | BufferBinding;
type GivenResource = Resource | TextureObject | BufferObject;

/** webgpu: #typedefdef-gpubindingresource */
const bindingResource: Converter<GivenResource> = (value, what) =>
  GPUBuffer.unwrap(value) ??
  GPUTextureView.unwrap(value) ??
  GPUTexture.unwrap(value) ??
  GPUSampler.unwrap(value) ??
  GPUExternalTexture.unwrap(value) ??
  bufferBinding(value, what);

const bindGroupEntry = dictionary("GPUBindGroupEntry", {
  binding: required(size32),
  resource: required(bindingResource),
});

/** webgpu: #dictdef-gpubindgroupdescriptor */
export const bindGroupDescriptor = dictionary(
  "GPUBindGroupDescriptor",
  { layout: required(GPUBindGroupLayout.convert), entries: required(sequence(bindGroupEntry)) },
  objectDescriptorBase,
);

type Descriptor = Converted<typeof bindGroupDescriptor>;

/** One resource with the place that it has in the layout. */
export interface BoundEntry {
  readonly layout: LayoutEntry;
  readonly resource: Resource;
}

export class BindGroupObject extends InternalObject {
  readonly kind = "bind group";
  readonly layout: BindGroupLayoutObject;
  /** In the order of their bindings. Empty if it is invalid. */
  readonly entries: readonly BoundEntry[];

  constructor(device: DeviceObject, label: string, layout: BindGroupLayoutObject, entries: readonly BoundEntry[]) {
    super(device, label);
    this.layout = layout;
    this.entries = entries;
  }

  /** Of the dynamic buffers, in order. */
  get dynamicEntries(): readonly { readonly layout: LayoutEntry; readonly resource: BufferBinding }[] {
    return this.entries.flatMap(({ layout, resource }) =>
      layout.buffer?.hasDynamicOffset === true ? [{ layout, resource: resource as BufferBinding }] : [],
    );
  }
}

/** A buffer that is bound, where it begins and how far it reaches. */
export interface BoundRange {
  readonly layout: LayoutEntry;
  readonly buffer: BufferObject;
  readonly offset: number;
  readonly size: number;
}

/** webgpu: #gpubindgroup-bound-buffer-ranges */
export function boundRanges(group: BindGroupObject, dynamicOffsets: readonly number[]): readonly BoundRange[] {
  let next = 0;
  const ranges: BoundRange[] = [];
  for (const { layout, resource } of group.entries) {
    if (layout.buffer === undefined) continue;
    const bound = resource as BufferBinding;
    const offset = bound.offset + (layout.buffer.hasDynamicOffset ? dynamicOffsets[next++] : 0);
    ranges.push({ layout, buffer: bound.buffer, offset, size: effectiveSize({ ...bound, offset }) });
  }
  return ranges;
}

/** webgpu: #abstract-opdef-effective-buffer-binding-size */
export function effectiveSize({ buffer, offset, size }: BufferBinding): number {
  return size ?? Math.max(0, buffer.size - offset);
}

/** webgpu: #binding-usage */
export function bindingUsage(entry: LayoutEntry): Usage {
  const { buffer, storageTexture } = entry;
  if (buffer !== undefined)
    return ({ uniform: "constant", storage: "storage", "read-only-storage": "storage-read" } as const)[buffer.type];
  if (storageTexture === undefined) return "constant";
  return storageTexture.access === "read-only" ? "storage-read" : "storage";
}

// ---------------------------------------------------------------- creation

/** webgpu: #dom-gpudevice-createbindgroup */
export function createBindGroup(device: DeviceObject, descriptor: Descriptor): GPUBindGroup {
  const { label, layout } = descriptor;
  const entries: BoundEntry[] = [];
  const problem = device.isLost ? null : entriesProblem(device, descriptor, entries);
  const isComplete = problem === null && !device.isLost;
  entries.sort((a, b) => a.layout.binding - b.layout.binding);
  const group = new BindGroupObject(device, label, layout, isComplete ? entries : []);
  return GPUBindGroup.wrap(checked(group, "GPUDevice.createBindGroup()", problem));
}

/** Finds the entries that go together, in `entries`. */
function entriesProblem(device: DeviceObject, { layout, entries }: Descriptor, found: BoundEntry[]): string | null {
  const unusable = useProblem(layout, device);
  if (unusable !== null) return unusable;
  if (entries.length !== layout.entryCount) {
    return `there are ${entries.length} entries where the ${nameOf(layout)} has ${layout.entryCount}`;
  }
  const seen = new Set<number>();
  for (const { binding, resource } of entries) {
    const entry = layout.entries.get(binding);
    if (entry === undefined) {
      const known = [...layout.entries.keys()].join(", ");
      return `the ${nameOf(layout)} has no binding ${binding}; it has ${known}`;
    }
    if (seen.has(binding)) return `two entries have the binding ${binding}`;
    seen.add(binding);
    const bound = asResource(resource);
    const problem = resourceProblem(device, entry, bound);
    if (problem !== null) return `at binding ${binding} ${problem}`;
    found.push({ layout: entry, resource: bound });
  }
  return null;
}

/** Short forms are spelled out. webgpu: #abstract-opdef-get-as-texture-view, #abstract-opdef-get-as-buffer-binding */
function asResource(resource: GivenResource): Resource {
  if (resource instanceof TextureObject)
    return createViewObject(resource, textureViewDescriptor({}, "the default view"));
  return resource instanceof BufferObject ? { buffer: resource, offset: 0, size: undefined } : resource;
}

function kindOf(resource: Resource): string {
  return resource instanceof InternalObject ? `the ${nameOf(resource)}` : `the ${nameOf(resource.buffer)}`;
}

function resourceProblem(device: DeviceObject, entry: LayoutEntry, resource: Resource): string | null {
  const member = memberOf(entry);
  switch (member) {
    case "sampler":
      if (!(resource instanceof SamplerObject)) return wrongKind("a sampler", resource);
      return useProblem(resource, device) ?? samplerProblem(entry.sampler!, resource);
    case "texture":
      if (!(resource instanceof TextureViewObject)) return wrongKind("a texture or a view of one", resource);
      return useProblem(resource, device) ?? textureProblem(device, entry.texture!, resource);
    case "storageTexture":
      if (!(resource instanceof TextureViewObject)) return wrongKind("a texture or a view of one", resource);
      return useProblem(resource, device) ?? storageTextureProblem(entry.storageTexture!, resource);
    case "buffer":
      if (resource instanceof InternalObject) return wrongKind("a buffer", resource);
      return useProblem(resource.buffer, device) ?? bufferProblem(device, entry.buffer!, resource);
    case "externalTexture":
      if (resource instanceof ExternalTextureObject) return useProblem(resource, device);
      if (!(resource instanceof TextureViewObject)) return wrongKind("an external texture", resource);
      return useProblem(resource, device) ?? externalProblem(resource);
    default:
      return member satisfies never;
  }
}

function wrongKind(wanted: string, resource: Resource): string {
  return `the layout wants ${wanted}, not ${kindOf(resource)}`;
}

// ---------------------------------------------------------------- rules

function samplerProblem({ type }: NonNullable<LayoutEntry["sampler"]>, sampler: SamplerObject): string | null {
  const name = nameOf(sampler);
  if (type === "comparison") {
    return sampler.isComparison ? null : `the layout wants a comparison sampler; the ${name} has no ‘compare’`;
  }
  if (sampler.isComparison) return `the layout wants a ${type} sampler; the ${name} has a ‘compare’`;
  if (type === "filtering" || !sampler.isFiltering) return null;
  return `the layout wants a non-filtering sampler; the ${name} has a filter that is "linear"`;
}

function textureProblem(
  device: DeviceObject,
  { viewDimension, sampleType, multisampled }: NonNullable<LayoutEntry["texture"]>,
  view: TextureViewObject,
): string | null {
  const { descriptor, texture } = view;
  const isMultisampled = texture.sampleCount > 1;
  return (
    dimensionProblem(viewDimension, view) ??
    sampleProblem(device, sampleType, view) ??
    viewUsageProblem(view, "TEXTURE_BINDING") ??
    (isMultisampled === multisampled
      ? null
      : `the layout has multisampled: ${multisampled}; the ${nameOf(texture)} has ${texture.sampleCount} samples`) ??
    (hasTwoAspects(descriptor.format) && descriptor.aspect === "all"
      ? `the ${nameOf(view)} shows depth and stencil; what is bound has one aspect`
      : null)
  );
}

function hasTwoAspects(format: string): boolean {
  const { depth, stencil } = formatInfo(format);
  return depth !== null && stencil !== null;
}

function sampleProblem(device: DeviceObject, type: GPUTextureSampleType, view: TextureViewObject): string | null {
  const { format } = view.descriptor;
  if (canSampleAs(device, format, type)) return null;
  const types = formatInfo(format).sampleTypes.filter((each) => canSampleAs(device, format, each));
  return `the layout wants the sampleType "${type}"; the format "${format}" gives ${types.map((each) => `"${each}"`).join(" or ")}`;
}

function dimensionProblem(wanted: GPUTextureViewDimension, view: TextureViewObject): string | null {
  const { dimension } = view.descriptor;
  return dimension === wanted ? null : `the layout wants a ${wanted} view; the ${nameOf(view)} is ${dimension}`;
}

function viewUsageProblem(view: TextureViewObject, usage: "TEXTURE_BINDING" | "STORAGE_BINDING"): string | null {
  const given = view.descriptor.usage;
  if ((given & GPUTextureUsage[usage]) !== 0) return null;
  return `the ${nameOf(view)} has the usage ${flagNames(given, GPUTextureUsage)}, which lacks ${usage}`;
}

function storageTextureProblem(
  layout: NonNullable<LayoutEntry["storageTexture"]>,
  view: TextureViewObject,
): string | null {
  const { format, mipLevelCount, swizzle } = view.descriptor;
  const problem = dimensionProblem(layout.viewDimension, view);
  if (problem !== null) return problem;
  if (format !== layout.format)
    return `the layout wants the format "${layout.format}"; the ${nameOf(view)} has "${format}"`;
  const lacking = viewUsageProblem(view, "STORAGE_BINDING");
  if (lacking !== null) return lacking;
  if (mipLevelCount !== 1) return `a storage texture has one mip level; the ${nameOf(view)} has ${mipLevelCount}`;
  return swizzle === "rgba" ? null : `a storage texture has no swizzle; the ${nameOf(view)} has "${swizzle}"`;
}

function externalProblem(view: TextureViewObject): string | null {
  const { dimension, mipLevelCount, format } = view.descriptor;
  const formats = ["rgba8unorm", "bgra8unorm", "rgba16float"];
  const lacking = viewUsageProblem(view, "TEXTURE_BINDING");
  if (lacking !== null) return lacking;
  if (dimension !== "2d" || mipLevelCount !== 1 || view.texture.sampleCount !== 1) {
    return `what stands for an external texture is 2d, with one mip level and one sample, unlike the ${nameOf(view)}`;
  }
  return formats.includes(format)
    ? null
    : `what stands for an external texture is ${formats.join(", ")}, not "${format}"`;
}

function bufferProblem(
  device: DeviceObject,
  { type, minBindingSize }: NonNullable<LayoutEntry["buffer"]>,
  binding: BufferBinding,
): string | null {
  const { buffer, offset } = binding;
  const { limits } = device;
  const size = effectiveSize(binding);
  const name = nameOf(buffer);
  const isUniform = type === "uniform";
  const lacking = usageProblem(buffer, isUniform ? "UNIFORM" : "STORAGE");
  if (lacking !== null) return lacking;
  if (size === 0) return `the bound part of the ${name}, from ${offset} on, is empty`;
  if (offset + size > buffer.size) return `${size} bytes at ${offset} leave the ${name} of ${buffer.size} bytes`;
  if (size < minBindingSize)
    return `${size} bytes of the ${name} are bound: the layout's minBindingSize is ${minBindingSize}`;
  const most = isUniform ? "maxUniformBufferBindingSize" : "maxStorageBufferBindingSize";
  if (size > limits[most]) return `${size} bytes of the ${name} are bound: ${most} is ${limits[most]}`;
  if (!isUniform && size % 4 !== 0) return `${size} bytes of the ${name} are bound, which is no multiple of 4`;
  const alignment = isUniform ? "minUniformBufferOffsetAlignment" : "minStorageBufferOffsetAlignment";
  if (offset % limits[alignment] === 0) return null;
  return `the offset ${offset} into the ${name} is no multiple of ${alignment}, which is ${limits[alignment]}`;
}

/** webgpu: #gpubindgroup */
export const GPUBindGroup = defineInterface<BindGroupObject, GPUBindGroup>("GPUBindGroup", {
  attributes: { ...LABEL },
});
