/**
 * What halay does not do: it does not draw, and textures hold no texels yet. Who tries is told so in the way that WebGPU
 * has for what an implementation cannot do: an internal error, and an invalid object.
 * webgpu: #gpuinternalerror, #render-passes
 */
import type { DeviceObject } from "./device-object.ts";
import type { EncoderObject } from "./encoder.ts";
import { GPUPipelineError } from "./errors.ts";
import { object } from "./idl/convert.ts";
import { defineInterface, LABEL, needed, type Operation, operation } from "./idl/interface.ts";
import { InternalObject, objectDescriptorBase } from "./object.ts";

const NO_DRAWING = "halay does not draw: it runs compute shaders only";
const NO_TEXELS = "halay does not copy to or from textures yet: they hold no texels";

export function tellNoTexels(device: DeviceObject, operation: string): void {
  device.internalError(`${operation}: ${NO_TEXELS}`);
}

class RenderPipelineObject extends InternalObject {
  readonly kind = "render pipeline";
}

class RenderPassObject extends InternalObject {
  readonly kind = "render pass";
}

class RenderBundleEncoderObject extends InternalObject {
  readonly kind = "render bundle encoder";
}

class RenderBundleObject extends InternalObject {
  readonly kind = "render bundle";
}

function refused<T extends InternalObject>(made: T, operation: string): T {
  made.invalidate(NO_DRAWING);
  made.device.internalError(`${operation}: ${NO_DRAWING}`);
  return made;
}

/** webgpu: #dom-gpudevice-createrenderpipeline */
export function createRenderPipeline(device: DeviceObject, descriptor: object): GPURenderPipeline {
  const { label } = objectDescriptorBase(descriptor, "the descriptor");
  return GPURenderPipeline.wrap(refused(new RenderPipelineObject(device, label), "GPUDevice.createRenderPipeline()"));
}

/** webgpu: #dom-gpudevice-createrenderpipelineasync */
export async function createRenderPipelineAsync(device: DeviceObject, descriptor: object): Promise<GPURenderPipeline> {
  const { label } = objectDescriptorBase(descriptor, "the descriptor");
  if (device.isLost) return GPURenderPipeline.wrap(new RenderPipelineObject(device, label));
  throw new GPUPipelineError(`GPUDevice.createRenderPipelineAsync(): ${NO_DRAWING}`, { reason: "internal" });
}

/** webgpu: #dom-gpudevice-createrenderbundleencoder */
export function createRenderBundleEncoder(device: DeviceObject, descriptor: object): GPURenderBundleEncoder {
  const { label } = objectDescriptorBase(descriptor, "the descriptor");
  const encoder = new RenderBundleEncoderObject(device, label);
  return GPURenderBundleEncoder.wrap(refused(encoder, "GPUDevice.createRenderBundleEncoder()"));
}

/** webgpu: #dom-gpucommandencoder-beginrenderpass */
export const beginRenderPass: Operation<EncoderObject> = operation([needed(object)], (encoder, descriptor) => {
  const { label } = objectDescriptorBase(descriptor, "the descriptor");
  const pass = new RenderPassObject(encoder.device, label);
  const what = "GPUCommandEncoder.beginRenderPass()";
  if (encoder.canEncode("beginRenderPass()")) encoder.invalidate(`${what}: ${NO_DRAWING}`);
  return GPURenderPassEncoder.wrap(refused(pass, what));
});

function texelCopy(name: string): Operation<EncoderObject> {
  return operation([needed(object), needed(object), needed(object)], (encoder) => {
    const what = `GPUCommandEncoder.${name}()`;
    if (!encoder.canEncode(`${name}()`)) return;
    encoder.invalidate(`${what}: ${NO_TEXELS}`);
    tellNoTexels(encoder.device, what);
  });
}

/** webgpu: #commands-texel-copies */
export const TEXEL_COPIES: Readonly<Record<string, Operation<EncoderObject>>> = {
  copyBufferToTexture: texelCopy("copyBufferToTexture"),
  copyTextureToBuffer: texelCopy("copyTextureToBuffer"),
  copyTextureToTexture: texelCopy("copyTextureToTexture"),
};

// ---------------------------------------------------------------- interfaces

/** Operations on objects that are invalid anyway: they do nothing. */
function ignored(names: readonly string[]): Readonly<Record<string, Operation<InternalObject>>> {
  return Object.fromEntries(names.map((name) => [name, operation([], () => undefined)]));
}

const DEBUG = ["pushDebugGroup", "popDebugGroup", "insertDebugMarker"];
const BINDING = ["setBindGroup", "setImmediates"];
const RENDER = [
  "setPipeline",
  "setIndexBuffer",
  "setVertexBuffer",
  "draw",
  "drawIndexed",
  "drawIndirect",
  "drawIndexedIndirect",
];
const RENDER_PASS = [
  "setViewport",
  "setScissorRect",
  "setBlendConstant",
  "setStencilReference",
  "beginOcclusionQuery",
  "endOcclusionQuery",
  "executeBundles",
  "end",
];

/** webgpu: #gpurenderpipeline */
export const GPURenderPipeline = defineInterface<RenderPipelineObject, GPURenderPipeline>("GPURenderPipeline", {
  attributes: { ...LABEL },
  operations: {
    getBindGroupLayout: operation([], () => {
      throw new TypeError(`GPURenderPipeline.getBindGroupLayout(): ${NO_DRAWING}`);
    }),
  },
});

/** webgpu: #gpurenderpassencoder */
export const GPURenderPassEncoder = defineInterface<RenderPassObject, GPURenderPassEncoder>("GPURenderPassEncoder", {
  attributes: { ...LABEL },
  operations: ignored([...RENDER_PASS, ...RENDER, ...DEBUG, ...BINDING]),
});

/** webgpu: #gpurenderbundle */
export const GPURenderBundle = defineInterface<RenderBundleObject, GPURenderBundle>("GPURenderBundle", {
  attributes: { ...LABEL },
});

/** webgpu: #gpurenderbundleencoder */
export const GPURenderBundleEncoder = defineInterface<RenderBundleEncoderObject, GPURenderBundleEncoder>(
  "GPURenderBundleEncoder",
  {
    attributes: { ...LABEL },
    operations: {
      ...ignored([...RENDER, ...DEBUG, ...BINDING]),
      finish: operation([], (encoder) => {
        const bundle = new RenderBundleObject(encoder.device, "");
        bundle.invalidate(NO_DRAWING);
        return GPURenderBundle.wrap(bundle);
      }),
    },
  },
);
