/**
 * Textures, as far as they can be made, viewed and bound: they hold no texels yet (see `docs/gaps.md`).
 * webgpu: #textures
 */
import type { DeviceObject } from "./device-object.ts";
import { textureDimension, textureViewDimension } from "./enums.ts";
import { type Extent3D, extent3D } from "./extent.ts";
import { allFlags, flagNames, GPUTextureUsage } from "./flags.ts";
import { sequence, size32 } from "./idl/convert.ts";
import { type Converted, defaulted, dictionary, optional, required } from "./idl/dictionary.ts";
import { defineInterface, LABEL, leftAs, operation } from "./idl/interface.ts";
import { checked, InternalObject, objectDescriptorBase } from "./object.ts";
import {
  formatInfo,
  isCompressed,
  isDepthOrStencil,
  isViewCompatible,
  requireFormat,
  supports,
  textureFormat,
  wayTo,
} from "./texture-formats.ts";
import { createView, textureViewDescriptor } from "./texture-view.ts";

/** webgpu: #gputexturedescriptor */
export const textureDescriptor = dictionary(
  "GPUTextureDescriptor",
  {
    size: required(extent3D),
    mipLevelCount: defaulted(size32, 1),
    sampleCount: defaulted(size32, 1),
    dimension: defaulted(textureDimension, "2d"),
    format: required(textureFormat),
    usage: required(size32),
    viewFormats: defaulted(sequence(textureFormat), []),
    textureBindingViewDimension: optional(textureViewDimension),
  },
  objectDescriptorBase,
);

type Descriptor = Converted<typeof textureDescriptor>;

export class TextureObject extends InternalObject {
  readonly kind = "texture";
  readonly size: Extent3D;
  readonly mipLevelCount: number;
  readonly sampleCount: number;
  readonly dimension: GPUTextureDimension;
  readonly format: string;
  readonly usage: number;
  readonly viewFormats: readonly string[];
  isDestroyed = false;

  constructor(device: DeviceObject, descriptor: Descriptor) {
    super(device, descriptor.label);
    this.size = descriptor.size;
    this.mipLevelCount = descriptor.mipLevelCount;
    this.sampleCount = descriptor.sampleCount;
    this.dimension = descriptor.dimension;
    this.format = descriptor.format;
    this.usage = descriptor.usage;
    this.viewFormats = descriptor.viewFormats;
  }

  /** webgpu: #abstract-opdef-array-layer-count */
  get layers(): number {
    return this.dimension === "2d" ? this.size.depthOrArrayLayers : 1;
  }
}

/** More than this there is not. */
const MOST_BYTES = 2 ** 34;

/** webgpu: #dom-gpudevice-createtexture */
export function createTexture(device: DeviceObject, descriptor: Descriptor): GPUTexture {
  const operation = "GPUDevice.createTexture()";
  for (const format of [descriptor.format, ...descriptor.viewFormats]) requireFormat(device, format, operation);
  const texture = new TextureObject(device, descriptor);
  checked(texture, operation, descriptorProblem(device, descriptor));
  const bytes = textureBytes(descriptor);
  if (texture.isValid && bytes > MOST_BYTES) {
    texture.invalidate("there is no memory for it");
    device.outOfMemoryError(`${operation}: there is no memory for a texture of ${bytes} bytes`);
  }
  return GPUTexture.wrap(texture);
}

function textureBytes({ size, format, sampleCount }: Descriptor): number {
  const { blockWidth, blockHeight, blockBytes } = formatInfo(format);
  const blocks = (size.width / blockWidth) * (size.height / blockHeight) * size.depthOrArrayLayers;
  return blocks * blockBytes * sampleCount;
}

// ---------------------------------------------------------------- rules

/** webgpu: #abstract-opdef-validating-gputexturedescriptor */
function descriptorProblem(device: DeviceObject, descriptor: Descriptor): string | null {
  return (
    usageProblem(descriptor) ??
    sizeProblem(descriptor) ??
    dimensionProblem(device, descriptor) ??
    blockProblem(descriptor) ??
    multisampleProblem(device, descriptor) ??
    mipLevelProblem(descriptor) ??
    attachmentProblem(device, descriptor) ??
    storageProblem(device, descriptor) ??
    transientProblem(descriptor) ??
    viewFormatProblem(device, descriptor)
  );
}

function has(usage: number, name: keyof typeof GPUTextureUsage): boolean {
  return (usage & GPUTextureUsage[name]) !== 0;
}

function usageProblem({ usage }: Descriptor): string | null {
  if (usage === 0) return "the usage is 0: a texture needs at least one usage";
  if ((usage & ~allFlags(GPUTextureUsage)) === 0) return null;
  return `the usage ${flagNames(usage, GPUTextureUsage)} has bits that are no texture usage`;
}

function sizeProblem({ size, mipLevelCount, sampleCount }: Descriptor): string | null {
  const { width, height, depthOrArrayLayers } = size;
  if (width * height * depthOrArrayLayers === 0) {
    return `the size ${sizeText(size)} has a part that is 0`;
  }
  if (mipLevelCount === 0) return "the mipLevelCount is 0";
  return sampleCount === 1 || sampleCount === 4 ? null : `the sampleCount must be 1 or 4, not ${sampleCount}`;
}

function sizeText({ width, height, depthOrArrayLayers }: Extent3D): string {
  return `${width} × ${height} × ${depthOrArrayLayers}`;
}

function dimensionProblem(device: DeviceObject, descriptor: Descriptor): string | null {
  const { size, dimension } = descriptor;
  const { limits } = device;
  if (dimension === "2d") {
    return (
      limitProblem(size, ["width", "height"], limits, "maxTextureDimension2D") ??
      limitProblem(size, ["depthOrArrayLayers"], limits, "maxTextureArrayLayers")
    );
  }
  const info = formatInfo(descriptor.format);
  if (descriptor.sampleCount !== 1) return `a ${dimension} texture has one sample, not ${descriptor.sampleCount}`;
  if (dimension === "3d") {
    const problem = limitProblem(size, ["width", "height", "depthOrArrayLayers"], limits, "maxTextureDimension3D");
    if (problem !== null || supports(device, info.volume)) return problem;
    return `a 3d texture cannot have the format "${info.name}"${wayTo(info.volume)}`;
  }
  if (size.height !== 1 || size.depthOrArrayLayers !== 1) return `a 1d texture cannot be ${sizeText(size)}`;
  if (isCompressed(info) || isDepthOrStencil(info)) return `a 1d texture cannot have the format "${info.name}"`;
  return limitProblem(size, ["width"], limits, "maxTextureDimension1D");
}

function limitProblem(
  size: Extent3D,
  parts: readonly (keyof Extent3D)[],
  limits: DeviceObject["limits"],
  name: "maxTextureDimension1D" | "maxTextureDimension2D" | "maxTextureDimension3D" | "maxTextureArrayLayers",
): string | null {
  const part = parts.find((each) => size[each] > limits[name]);
  return part === undefined ? null : `the ${part} ${size[part]} is above ${name}, which is ${limits[name]}`;
}

function blockProblem({ size, format }: Descriptor): string | null {
  const { blockWidth, blockHeight } = formatInfo(format);
  if (size.width % blockWidth === 0 && size.height % blockHeight === 0) return null;
  return `the size ${sizeText(size)} is no multiple of the ${blockWidth} × ${blockHeight} blocks of "${format}"`;
}

function multisampleProblem(device: DeviceObject, descriptor: Descriptor): string | null {
  const { sampleCount, mipLevelCount, size, usage, format } = descriptor;
  if (sampleCount === 1) return null;
  const what = "a multisampled texture";
  if (mipLevelCount !== 1) return `${what} has one mip level, not ${mipLevelCount}`;
  if (size.depthOrArrayLayers !== 1) return `${what} has one layer, not ${size.depthOrArrayLayers}`;
  if (has(usage, "STORAGE_BINDING")) return `${what} cannot have the usage STORAGE_BINDING`;
  if (!has(usage, "RENDER_ATTACHMENT")) return `${what} needs the usage RENDER_ATTACHMENT`;
  const { multisampled } = formatInfo(format);
  return supports(device, multisampled) ? null : `${what} cannot have the format "${format}"${wayTo(multisampled)}`;
}

/** webgpu: #abstract-opdef-maximum-miplevel-count */
function mipLevelProblem({ size, dimension, mipLevelCount }: Descriptor): string | null {
  const { width, height, depthOrArrayLayers } = size;
  const longest = { "1d": 1, "2d": Math.max(width, height), "3d": Math.max(width, height, depthOrArrayLayers) };
  const most = Math.floor(Math.log2(longest[dimension])) + 1;
  if (mipLevelCount <= most) return null;
  return `a ${dimension} texture of ${sizeText(size)} has up to ${most} mip levels, not ${mipLevelCount}`;
}

function attachmentProblem(device: DeviceObject, { usage, format, dimension }: Descriptor): string | null {
  if (!has(usage, "RENDER_ATTACHMENT")) return null;
  if (dimension === "1d") return "a 1d texture cannot have the usage RENDER_ATTACHMENT";
  const { renderable } = formatInfo(format);
  if (supports(device, renderable)) return null;
  return `the format "${format}" does not go with the usage RENDER_ATTACHMENT${wayTo(renderable)}`;
}

function storageProblem(device: DeviceObject, { usage, format }: Descriptor): string | null {
  if (!has(usage, "STORAGE_BINDING")) return null;
  const ways = Object.values(formatInfo(format).storage);
  if (ways.some((way) => supports(device, way))) return null;
  return `the format "${format}" does not go with the usage STORAGE_BINDING${wayTo(ways.find(Boolean) ?? false)}`;
}

/** webgpu: #dom-gputextureusage-transient_attachment */
function transientProblem({ usage, viewFormats, dimension, mipLevelCount, size }: Descriptor): string | null {
  const { TRANSIENT_ATTACHMENT, RENDER_ATTACHMENT } = GPUTextureUsage;
  if ((usage & TRANSIENT_ATTACHMENT) === 0) return null;
  const what = "a texture with the usage TRANSIENT_ATTACHMENT";
  if (usage !== (TRANSIENT_ATTACHMENT | RENDER_ATTACHMENT)) return `${what} has RENDER_ATTACHMENT and nothing else`;
  if (viewFormats.length > 0) return `${what} has no viewFormats`;
  if (dimension !== "2d") return `${what} is 2d`;
  return mipLevelCount === 1 && size.depthOrArrayLayers === 1 ? null : `${what} has one mip level and one layer`;
}

function viewFormatProblem(device: DeviceObject, { format, viewFormats }: Descriptor): string | null {
  const wrong = viewFormats.find((view) => !isViewCompatible(device, format, view));
  return wrong === undefined ? null : `a texture of format "${format}" cannot be viewed as "${wrong}"`;
}

/** webgpu: #gputexture */
export const GPUTexture = defineInterface<TextureObject, GPUTexture>("GPUTexture", {
  attributes: {
    width: { get: ({ size }) => size.width },
    height: { get: ({ size }) => size.height },
    depthOrArrayLayers: { get: ({ size }) => size.depthOrArrayLayers },
    mipLevelCount: { get: ({ mipLevelCount }) => mipLevelCount },
    sampleCount: { get: ({ sampleCount }) => sampleCount },
    dimension: { get: ({ dimension }) => dimension },
    format: { get: ({ format }) => format },
    usage: { get: ({ usage }) => usage },
    // Only devices without the core features have one.
    textureBindingViewDimension: { get: () => undefined },
    ...LABEL,
  },
  operations: {
    createView: operation([leftAs(textureViewDescriptor, {})], createView),
    destroy: operation([], (texture) => {
      texture.isDestroyed = true;
    }),
  },
});
