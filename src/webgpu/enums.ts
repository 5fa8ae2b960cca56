/** The enumerations, as converters. */
import { enumeration } from "./idl/convert.ts";

export const powerPreference = enumeration("GPUPowerPreference", ["low-power", "high-performance"]);

export const errorFilter = enumeration("GPUErrorFilter", ["validation", "out-of-memory", "internal"]);

export const pipelineErrorReason = enumeration("GPUPipelineErrorReason", ["validation", "internal"]);

export const queryType = enumeration("GPUQueryType", ["occlusion", "timestamp"]);

export const bufferBindingType = enumeration("GPUBufferBindingType", ["uniform", "storage", "read-only-storage"]);

export const samplerBindingType = enumeration("GPUSamplerBindingType", ["filtering", "non-filtering", "comparison"]);

export const textureSampleType = enumeration("GPUTextureSampleType", [
  "float",
  "unfilterable-float",
  "depth",
  "sint",
  "uint",
]);

export const storageTextureAccess = enumeration("GPUStorageTextureAccess", ["write-only", "read-only", "read-write"]);

export const textureDimension = enumeration("GPUTextureDimension", ["1d", "2d", "3d"]);

export const textureViewDimension = enumeration("GPUTextureViewDimension", [
  "1d",
  "2d",
  "2d-array",
  "cube",
  "cube-array",
  "3d",
]);

export const textureAspect = enumeration("GPUTextureAspect", ["all", "stencil-only", "depth-only"]);

export const addressMode = enumeration("GPUAddressMode", ["clamp-to-edge", "repeat", "mirror-repeat"]);

export const filterMode = enumeration("GPUFilterMode", ["nearest", "linear"]);

export const mipmapFilterMode = enumeration("GPUMipmapFilterMode", ["nearest", "linear"]);

export const compareFunction = enumeration("GPUCompareFunction", [
  "never",
  "less",
  "equal",
  "less-equal",
  "greater",
  "not-equal",
  "greater-equal",
  "always",
]);

export const autoLayoutMode = enumeration("GPUAutoLayoutMode", ["auto"]);
