/** All that WebGPU adds to the global object: the interfaces and the namespaces of bits. */
import { GPUAdapter } from "./adapter.ts";
import { GPUBindGroup } from "./bind-group.ts";
import { GPUBindGroupLayout } from "./bind-group-layout.ts";
import { GPUBuffer } from "./buffer.ts";
import { GPUCommandBuffer, GPUCommandEncoder } from "./command-encoder.ts";
import { GPUComputePassEncoder } from "./compute-pass.ts";
import { GPUComputePipeline } from "./compute-pipeline.ts";
import { GPUDevice } from "./device.ts";
import { GPUDeviceLostInfo } from "./device-object.ts";
import {
  GPUError,
  GPUInternalError,
  GPUOutOfMemoryError,
  GPUPipelineError,
  GPUUncapturedErrorEvent,
  GPUValidationError,
} from "./errors.ts";
import { GPUExternalTexture } from "./external-texture.ts";
import { GPUSupportedFeatures, WGSLLanguageFeatures } from "./features.ts";
import { GPUBufferUsage, GPUColorWrite, GPUMapMode, GPUShaderStage, GPUTextureUsage } from "./flags.ts";
import { GPU } from "./gpu.ts";
import { GPUAdapterInfo } from "./info.ts";
import { GPUSupportedLimits } from "./limits.ts";
import { GPUPipelineLayout } from "./pipeline-layout.ts";
import { GPUQuerySet } from "./query-set.ts";
import { GPUQueue } from "./queue.ts";
import { GPURenderBundle, GPURenderBundleEncoder, GPURenderPassEncoder, GPURenderPipeline } from "./rendering.ts";
import { GPUSampler } from "./sampler.ts";
import { GPUCompilationInfo, GPUCompilationMessage, GPUShaderModule } from "./shader-module.ts";
import { GPUTexture } from "./texture.ts";
import { GPUTextureView } from "./texture-view.ts";

const INTERFACES = [
  GPU,
  GPUAdapter,
  GPUAdapterInfo,
  GPUBindGroup,
  GPUBindGroupLayout,
  GPUBuffer,
  GPUCommandBuffer,
  GPUCommandEncoder,
  GPUCompilationInfo,
  GPUCompilationMessage,
  GPUComputePassEncoder,
  GPUComputePipeline,
  GPUDevice,
  GPUDeviceLostInfo,
  GPUExternalTexture,
  GPUPipelineLayout,
  GPUQuerySet,
  GPUQueue,
  GPURenderBundle,
  GPURenderBundleEncoder,
  GPURenderPassEncoder,
  GPURenderPipeline,
  GPUSampler,
  GPUShaderModule,
  GPUSupportedFeatures,
  GPUSupportedLimits,
  GPUTexture,
  GPUTextureView,
  WGSLLanguageFeatures,
] as const;

/** By name. */
export const GLOBALS: Readonly<Record<string, unknown>> = Object.freeze({
  ...Object.fromEntries(INTERFACES.map(({ name, interfaceObject }) => [name, interfaceObject])),
  GPUError,
  GPUValidationError,
  GPUOutOfMemoryError,
  GPUInternalError,
  GPUPipelineError,
  GPUUncapturedErrorEvent,
  GPUBufferUsage,
  GPUColorWrite,
  GPUMapMode,
  GPUShaderStage,
  GPUTextureUsage,
});
