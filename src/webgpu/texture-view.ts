/** Views of textures. webgpu: #texture-view-creation */
import { textureAspect, textureViewDimension } from "./enums.ts";
import { flagNames, GPUTextureUsage } from "./flags.ts";
import { domString, size32 } from "./idl/convert.ts";
import { type Converted, defaulted, dictionary, optional } from "./idl/dictionary.ts";
import { defineInterface, LABEL } from "./idl/interface.ts";
import { checked, InternalObject, nameOf, objectDescriptorBase, useProblem } from "./object.ts";
import type { TextureObject } from "./texture.ts";
import { aspectFormat, formatInfo, requireFormat, supports, textureFormat, wayTo } from "./texture-formats.ts";

/** webgpu: #dictdef-gputextureviewdescriptor */
export const textureViewDescriptor = dictionary(
  "GPUTextureViewDescriptor",
  {
    format: optional(textureFormat),
    dimension: optional(textureViewDimension),
    usage: defaulted(size32, 0),
    aspect: defaulted(textureAspect, "all"),
    baseMipLevel: defaulted(size32, 0),
    mipLevelCount: optional(size32),
    baseArrayLayer: defaulted(size32, 0),
    arrayLayerCount: optional(size32),
    swizzle: defaulted(domString, "rgba"),
  },
  objectDescriptorBase,
);

type Descriptor = Converted<typeof textureViewDescriptor>;

interface Resolved extends Descriptor {
  readonly format: string;
  readonly dimension: GPUTextureViewDimension;
  readonly mipLevelCount: number;
  readonly arrayLayerCount: number;
}

export class TextureViewObject extends InternalObject {
  readonly kind = "texture view";
  readonly texture: TextureObject;
  readonly descriptor: Resolved;

  constructor(texture: TextureObject, descriptor: Resolved) {
    super(texture.device, descriptor.label);
    this.texture = texture;
    this.descriptor = descriptor;
  }

  /** One key for each part of the texture that it shows. webgpu: #gputextureview-subresources */
  get subresources(): readonly string[] {
    const { baseMipLevel, mipLevelCount, baseArrayLayer, arrayLayerCount, aspect } = this.descriptor;
    const { depth, stencil } = formatInfo(this.texture.format);
    const aspects =
      depth !== null && stencil !== null && aspect === "all"
        ? ["depth-only", "stencil-only"]
        : [aspectKey(aspect, depth, stencil)];
    const keys: string[] = [];
    for (let level = baseMipLevel; level < baseMipLevel + mipLevelCount; level++) {
      for (let layer = baseArrayLayer; layer < baseArrayLayer + arrayLayerCount; layer++) {
        for (const each of aspects) keys.push(`${level} ${layer} ${each}`);
      }
    }
    return keys;
  }
}

/** The only aspect of a texture goes by one name, asked for or not. */
function aspectKey(aspect: GPUTextureAspect, depth: string | null, stencil: string | null): GPUTextureAspect {
  if (aspect !== "all") return aspect;
  return depth !== null ? "depth-only" : stencil !== null ? "stencil-only" : "all";
}

/** webgpu: #dom-gputexture-createview */
export function createView(texture: TextureObject, descriptor: Descriptor): GPUTextureView {
  return GPUTextureView.wrap(createViewObject(texture, descriptor));
}

export function createViewObject(texture: TextureObject, descriptor: Descriptor): TextureViewObject {
  const operation = "GPUTexture.createView()";
  if (descriptor.format !== undefined) requireFormat(texture.device, descriptor.format, operation);
  if (!/^[rgba01]{4}$/.test(descriptor.swizzle)) {
    throw new TypeError(
      `${operation}: a swizzle is four of the letters r, g, b, a, 0 and 1, not "${descriptor.swizzle}"`,
    );
  }
  const view = new TextureViewObject(texture, resolved(texture, descriptor));
  return checked(view, operation, viewProblem(texture, view.descriptor));
}

/** webgpu: #abstract-opdef-resolving-gputextureviewdescriptor-defaults */
function resolved(texture: TextureObject, descriptor: Descriptor): Resolved {
  const dimension = descriptor.dimension ?? defaultDimension(texture);
  const layers = { "1d": 1, "2d": 1, "3d": 1, cube: 6 } as const;
  const otherLayers = Math.max(0, texture.layers - descriptor.baseArrayLayer);
  return {
    ...descriptor,
    format: descriptor.format ?? aspectFormat(texture.format, descriptor.aspect) ?? texture.format,
    dimension,
    mipLevelCount: descriptor.mipLevelCount ?? Math.max(0, texture.mipLevelCount - descriptor.baseMipLevel),
    arrayLayerCount: descriptor.arrayLayerCount ?? layers[dimension as keyof typeof layers] ?? otherLayers,
    usage: descriptor.usage === 0 ? texture.usage : descriptor.usage,
  };
}

function defaultDimension({ dimension, layers }: TextureObject): GPUTextureViewDimension {
  return dimension === "2d" && layers > 1 ? "2d-array" : dimension;
}

// ---------------------------------------------------------------- rules

function viewProblem(texture: TextureObject, view: Resolved): string | null {
  return (
    useProblem(texture, texture.device) ??
    formatProblem(texture, view) ??
    swizzleProblem(texture, view) ??
    usageProblem(texture, view) ??
    rangeProblem(texture, view) ??
    dimensionProblem(texture, view)
  );
}

function formatProblem(texture: TextureObject, { aspect, format }: Resolved): string | null {
  const ofAspect = aspectFormat(texture.format, aspect);
  const name = nameOf(texture);
  if (ofAspect === null) return `the ${name} of format "${texture.format}" has no aspect "${aspect}"`;
  const allowed = aspect === "all" ? [texture.format, ...texture.viewFormats] : [ofAspect];
  if (allowed.includes(format)) return null;
  const list = allowed.map((each) => `"${each}"`).join(", ");
  return `the ${name} cannot be viewed as "${format}", only as ${list}`;
}

function swizzleProblem({ device }: TextureObject, { swizzle }: Resolved): string | null {
  if (swizzle === "rgba" || device.has("texture-component-swizzle")) return null;
  return `the swizzle "${swizzle}" needs the feature "texture-component-swizzle"`;
}

function usageProblem(texture: TextureObject, { usage, format }: Resolved): string | null {
  const { device } = texture;
  const { TRANSIENT_ATTACHMENT, RENDER_ATTACHMENT, STORAGE_BINDING } = GPUTextureUsage;
  const text = flagNames(usage, GPUTextureUsage);
  const whole = flagNames(texture.usage, GPUTextureUsage);
  if ((usage & ~texture.usage) !== 0) return `the usage ${text} is no part of the texture's, ${whole}`;
  if ((texture.usage & TRANSIENT_ATTACHMENT) !== 0 && usage !== texture.usage) {
    return `a view of a transient attachment has the whole usage ${whole}, not ${text}`;
  }
  const { renderable, storage } = formatInfo(format);
  if ((usage & RENDER_ATTACHMENT) !== 0 && !supports(device, renderable)) {
    return `the format "${format}" does not go with the usage RENDER_ATTACHMENT${wayTo(renderable)}`;
  }
  const ways = Object.values(storage);
  if ((usage & STORAGE_BINDING) !== 0 && !ways.some((way) => supports(device, way))) {
    return `the format "${format}" does not go with the usage STORAGE_BINDING${wayTo(ways.find(Boolean) ?? false)}`;
  }
  return null;
}

function rangeProblem(texture: TextureObject, view: Resolved): string | null {
  const { baseMipLevel, mipLevelCount, baseArrayLayer, arrayLayerCount } = view;
  if (mipLevelCount === 0) return "the view has no mip level";
  if (arrayLayerCount === 0) return "the view has no array layer";
  if (baseMipLevel + mipLevelCount > texture.mipLevelCount) {
    return `${mipLevelCount} mip levels from ${baseMipLevel} on leave the ${texture.mipLevelCount} of the ${nameOf(texture)}`;
  }
  if (baseArrayLayer + arrayLayerCount > texture.layers) {
    return `${arrayLayerCount} array layers from ${baseArrayLayer} on leave the ${texture.layers} of the ${nameOf(texture)}`;
  }
  return null;
}

function dimensionProblem(texture: TextureObject, { dimension, arrayLayerCount }: Resolved): string | null {
  const source = dimension === "1d" || dimension === "3d" ? dimension : "2d";
  const name = nameOf(texture);
  if (texture.dimension !== source) return `a ${dimension} view cannot show the ${texture.dimension} ${name}`;
  if (texture.sampleCount > 1 && dimension !== "2d")
    return `a view of the multisampled ${name} is 2d, not ${dimension}`;
  const isCube = dimension === "cube" || dimension === "cube-array";
  const { width, height } = texture.size;
  if (isCube && width !== height) return `a ${dimension} view asks for square layers, not ${width} × ${height}`;
  if (dimension === "cube" && arrayLayerCount !== 6) return `a cube view has 6 array layers, not ${arrayLayerCount}`;
  if (dimension === "cube-array") {
    return arrayLayerCount % 6 === 0 ? null : `a cube-array view has a multiple of 6 layers, not ${arrayLayerCount}`;
  }
  if (dimension === "2d-array" || dimension === "cube" || arrayLayerCount === 1) return null;
  return `a ${dimension} view has one array layer, not ${arrayLayerCount}`;
}

/** webgpu: #gputextureview */
export const GPUTextureView = defineInterface<TextureViewObject, GPUTextureView>("GPUTextureView", {
  attributes: { ...LABEL },
});
