/** The device as applications see it. webgpu: #gpudevice */
import { bindGroupDescriptor, createBindGroup } from "./bind-group.ts";
import { bindGroupLayoutDescriptor, createBindGroupLayout } from "./bind-group-layout.ts";
import { bufferDescriptor, createBuffer } from "./buffer.ts";
import { commandEncoderDescriptor, createCommandEncoder } from "./command-encoder.ts";
import { computePipelineDescriptor, createComputePipeline, createComputePipelineAsync } from "./compute-pipeline.ts";
import type { DeviceObject } from "./device-object.ts";
import { errorFilter } from "./enums.ts";
import { externalTextureDescriptor, importExternalTexture } from "./external-texture.ts";
import { GPUSupportedFeatures, NameSet } from "./features.ts";
import { object } from "./idl/convert.ts";
import { defineInterface, LABEL, leftAs, needed, operation, promiseOperation } from "./idl/interface.ts";
import { adapterInfoOf, GPUAdapterInfo } from "./info.ts";
import { GPUSupportedLimits, LimitsObject } from "./limits.ts";
import { createPipelineLayout, pipelineLayoutDescriptor } from "./pipeline-layout.ts";
import { createQuerySet, querySetDescriptor } from "./query-set.ts";
import { GPUQueue, QueueObject } from "./queue.ts";
import { createRenderBundleEncoder, createRenderPipeline, createRenderPipelineAsync } from "./rendering.ts";
import { createSampler, samplerDescriptor } from "./sampler.ts";
import { createShaderModule, shaderModuleDescriptor } from "./shader-module.ts";
import { createTexture, textureDescriptor } from "./texture.ts";

/** What an application gets from a device, each the same object every time. */
interface Parts {
  readonly features: GPUSupportedFeatures;
  readonly limits: GPUSupportedLimits;
  readonly adapterInfo: GPUAdapterInfo;
  readonly queue: GPUQueue;
  /** `onuncapturederror`, and the listener that calls it in its turn. */
  handler: ((this: unknown, event: Event) => unknown) | null;
  listener: ((event: Event) => void) | null;
}

const parts = new WeakMap<DeviceObject, Parts>();

/** The `GPUDevice` of a device that was just made. */
export function publishDevice(device: DeviceObject, queueLabel: string): GPUDevice {
  parts.set(device, {
    features: GPUSupportedFeatures.wrap(new NameSet(device.features)),
    limits: GPUSupportedLimits.wrap(new LimitsObject(device.limits)),
    adapterInfo: GPUAdapterInfo.wrap(adapterInfoOf(device.adapter)),
    queue: GPUQueue.wrap(new QueueObject(device, queueLabel)),
    handler: null,
    listener: null,
  });
  const published = GPUDevice.wrap(device);
  device.target = published;
  return published;
}

function partsOf(device: DeviceObject): Parts {
  return parts.get(device)!;
}

/** An event handler keeps its place among the listeners until it is taken away. webgpu: #dom-gpudevice-onuncapturederror */
function setHandler(device: DeviceObject, value: unknown): void {
  const own = partsOf(device);
  own.handler = typeof value === "function" ? (value as Parts["handler"]) : null;
  const target = device.target!;
  if (own.handler === null && own.listener !== null) {
    target.removeEventListener("uncapturederror", own.listener);
    own.listener = null;
  } else if (own.handler !== null && own.listener === null) {
    own.listener = (event) => {
      if (own.handler?.call(target, event) === false) event.preventDefault();
    };
    target.addEventListener("uncapturederror", own.listener);
  }
}

/** webgpu: #gpudevice */
export const GPUDevice = defineInterface<DeviceObject, GPUDevice>("GPUDevice", {
  extends: EventTarget,
  attributes: {
    features: { get: (device) => partsOf(device).features },
    limits: { get: (device) => partsOf(device).limits },
    adapterInfo: { get: (device) => partsOf(device).adapterInfo },
    queue: { get: (device) => partsOf(device).queue },
    lost: { get: (device) => device.lost },
    onuncapturederror: { get: (device) => partsOf(device).handler, set: setHandler },
    ...LABEL,
  },
  operations: {
    destroy: operation([], (device) => device.destroy()),
    createBuffer: operation([needed(bufferDescriptor)], createBuffer),
    createTexture: operation([needed(textureDescriptor)], createTexture),
    createSampler: operation([leftAs(samplerDescriptor, {})], createSampler),
    importExternalTexture: operation([needed(externalTextureDescriptor)], importExternalTexture),
    createBindGroupLayout: operation([needed(bindGroupLayoutDescriptor)], createBindGroupLayout),
    createPipelineLayout: operation([needed(pipelineLayoutDescriptor)], createPipelineLayout),
    createBindGroup: operation([needed(bindGroupDescriptor)], createBindGroup),
    createShaderModule: operation([needed(shaderModuleDescriptor)], createShaderModule),
    createComputePipeline: operation([needed(computePipelineDescriptor)], createComputePipeline),
    createComputePipelineAsync: promiseOperation([needed(computePipelineDescriptor)], createComputePipelineAsync),
    createRenderPipeline: operation([needed(object)], createRenderPipeline),
    createRenderPipelineAsync: promiseOperation([needed(object)], createRenderPipelineAsync),
    createCommandEncoder: operation([leftAs(commandEncoderDescriptor, {})], createCommandEncoder),
    createRenderBundleEncoder: operation([needed(object)], createRenderBundleEncoder),
    createQuerySet: operation([needed(querySetDescriptor)], createQuerySet),
    pushErrorScope: operation([needed(errorFilter)], (device, filter) => device.pushErrorScope(filter)),
    popErrorScope: promiseOperation([], (device) => device.popErrorScope()),
  },
});
