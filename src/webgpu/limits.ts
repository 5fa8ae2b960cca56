/** How much a device allows. webgpu: #limits */
import { type Attribute, defineInterface } from "./idl/interface.ts";

interface LimitInfo {
  /** A maximum may be raised, an alignment lowered. */
  readonly kind: "maximum" | "alignment";
  /** What a device has unless more was asked for. */
  readonly default: number;
  /** The best that our adapters have: about what desktop GPUs have. */
  readonly best: number;
}

const maximum = (value: number, best = value): LimitInfo => ({ kind: "maximum", default: value, best });
const alignment = (value: number, best: number): LimitInfo => ({ kind: "alignment", default: value, best });

/** webgpu: #limits */
const TABLE = {
  maxTextureDimension1D: maximum(8192, 16384),
  maxTextureDimension2D: maximum(8192, 16384),
  maxTextureDimension3D: maximum(2048),
  maxTextureArrayLayers: maximum(256, 2048),
  maxBindGroups: maximum(4),
  maxBindGroupsPlusVertexBuffers: maximum(24),
  maxImmediateSize: maximum(64),
  maxBindingsPerBindGroup: maximum(1000),
  maxDynamicUniformBuffersPerPipelineLayout: maximum(8, 10),
  maxDynamicStorageBuffersPerPipelineLayout: maximum(4, 8),
  maxSampledTexturesPerShaderStage: maximum(16, 48),
  maxSamplersPerShaderStage: maximum(16),
  maxStorageBuffersPerShaderStage: maximum(8, 16),
  maxStorageBuffersInVertexStage: maximum(8, 16),
  maxStorageBuffersInFragmentStage: maximum(8, 16),
  maxStorageTexturesPerShaderStage: maximum(4, 8),
  maxStorageTexturesInVertexStage: maximum(4, 8),
  maxStorageTexturesInFragmentStage: maximum(4, 8),
  maxUniformBuffersPerShaderStage: maximum(12),
  maxUniformBufferBindingSize: maximum(65536),
  maxStorageBufferBindingSize: maximum(2 ** 27, 2 ** 30),
  minUniformBufferOffsetAlignment: alignment(256, 32),
  minStorageBufferOffsetAlignment: alignment(256, 32),
  maxVertexBuffers: maximum(8),
  maxBufferSize: maximum(2 ** 28, 2 ** 30),
  maxVertexAttributes: maximum(16, 30),
  maxVertexBufferArrayStride: maximum(2048),
  maxInterStageShaderVariables: maximum(16, 28),
  maxColorAttachments: maximum(8),
  maxColorAttachmentBytesPerSample: maximum(32, 128),
  maxComputeWorkgroupStorageSize: maximum(16384, 32768),
  maxComputeInvocationsPerWorkgroup: maximum(256, 1024),
  maxComputeWorkgroupSizeX: maximum(256, 1024),
  maxComputeWorkgroupSizeY: maximum(256, 1024),
  maxComputeWorkgroupSizeZ: maximum(64),
  maxComputeWorkgroupsPerDimension: maximum(65535),
} as const;

export type LimitName = keyof typeof TABLE;
export type Limits = Readonly<Record<LimitName, number>>;

export const LIMITS: Readonly<Record<LimitName, LimitInfo>> = TABLE;
export const LIMIT_NAMES = Object.keys(TABLE) as readonly LimitName[];

function valuesOf(field: "default" | "best"): Limits {
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, LIMITS[name][field]])) as Limits;
}

export const DEFAULT_LIMITS = valuesOf("default");
export const BEST_LIMITS = valuesOf("best");

export function isLimit(name: string): name is LimitName {
  return Object.hasOwn(LIMITS, name);
}

/** webgpu: #limit-better */
export function isBetter(name: LimitName, value: number, than: number): boolean {
  return LIMITS[name].kind === "maximum" ? value > than : value < than;
}

/** The limits of a device: the defaults, or what was asked for where that is better. webgpu: #a-new-device */
export function deviceLimits(asked: ReadonlyMap<string, number | undefined>): Limits {
  const limits: Record<LimitName, number> = { ...DEFAULT_LIMITS };
  for (const [name, value] of asked) {
    if (value !== undefined && isLimit(name) && isBetter(name, value, limits[name])) limits[name] = value;
  }
  sameInAllStages(limits, "Buffers");
  sameInAllStages(limits, "Textures");
  return limits;
}

/** With the core features, one limit holds in all stages: the greatest of the three. */
function sameInAllStages(limits: Record<LimitName, number>, what: "Buffers" | "Textures"): void {
  const names = [
    `maxStorage${what}PerShaderStage`,
    `maxStorage${what}InVertexStage`,
    `maxStorage${what}InFragmentStage`,
  ] as const;
  const most = Math.max(...names.map((name) => limits[name]));
  for (const name of names) limits[name] = most;
}

/** Why a device cannot have these limits; null: it can. webgpu: #dom-gpuadapter-requestdevice */
export function limitsProblem(asked: ReadonlyMap<string, number | undefined>, adapter: Limits): string | null {
  for (const [name, value] of asked) {
    if (value === undefined) continue;
    if (!isLimit(name)) return `‘${name}’ in requiredLimits is no limit`;
    if (isBetter(name, value, adapter[name])) {
      const most = LIMITS[name].kind === "maximum" ? "at most" : "at least";
      return `the adapter has a ${name} of ${most} ${adapter[name]}, not ${value}`;
    }
    if (LIMITS[name].kind === "alignment" && !(value < 2 ** 32 && Number.isInteger(Math.log2(value)))) {
      return `${name} must be a power of two below 2^32, not ${value}`;
    }
  }
  return null;
}

/** Limits as the application sees them: an object of its own for each adapter and device. */
export class LimitsObject {
  readonly values: Limits;

  constructor(values: Limits) {
    this.values = values;
  }
}

/** webgpu: #gpusupportedlimits */
export const GPUSupportedLimits = defineInterface<LimitsObject, GPUSupportedLimits>("GPUSupportedLimits", {
  attributes: Object.fromEntries(
    LIMIT_NAMES.map((name): [string, Attribute<LimitsObject>] => [name, { get: ({ values }) => values[name] }]),
  ),
});
