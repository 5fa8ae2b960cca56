/** External textures: there is no video here to import them from. webgpu: #gpuexternaltexture */
import type { DeviceObject } from "./device-object.ts";
import { refuse } from "./idl/convert.ts";
import { dictionary, required } from "./idl/dictionary.ts";
import { defineInterface, LABEL } from "./idl/interface.ts";
import { InternalObject, objectDescriptorBase } from "./object.ts";

/** None is ever made: nothing converts to their source. */
export class ExternalTextureObject extends InternalObject {
  readonly kind = "external texture";
}

/** webgpu: #dictdef-gpuexternaltexturedescriptor */
export const externalTextureDescriptor = dictionary(
  "GPUExternalTextureDescriptor",
  { source: required((value, what): never => refuse(what, "an HTMLVideoElement or VideoFrame of a page", value)) },
  objectDescriptorBase,
);

export function importExternalTexture(device: DeviceObject, { label }: { readonly label: string }): GPUExternalTexture {
  return GPUExternalTexture.wrap(new ExternalTextureObject(device, label));
}

/** webgpu: #gpuexternaltexture */
export const GPUExternalTexture = defineInterface<ExternalTextureObject, GPUExternalTexture>("GPUExternalTexture", {
  attributes: { ...LABEL },
});
