/** The entry point. webgpu: #gpu-interface */
import { AdapterObject, GPUAdapter } from "./adapter.ts";
import { powerPreference } from "./enums.ts";
import type { Environment } from "./environment.ts";
import { NameSet, WGSLLanguageFeatures } from "./features.ts";
import { boolean, domString } from "./idl/convert.ts";
import { type Converted, defaulted, dictionary, optional } from "./idl/dictionary.ts";
import { defineInterface, leftAs, operation, promiseOperation } from "./idl/interface.ts";
import { LANGUAGE_FEATURES } from "./shader-module.ts";

/** webgpu: #dictdef-gpurequestadapteroptions */
const requestAdapterOptions = dictionary("GPURequestAdapterOptions", {
  featureLevel: defaulted(domString, "core"),
  powerPreference: optional(powerPreference),
  forceFallbackAdapter: defaulted(boolean, false),
  xrCompatible: defaulted(boolean, false),
});

export class GpuObject {
  readonly environment: Environment;
  readonly languageFeatures = WGSLLanguageFeatures.wrap(new NameSet(LANGUAGE_FEATURES));

  constructor(environment: Environment) {
    this.environment = environment;
  }

  /** webgpu: #dom-gpu-requestadapter. Compatibility mode is taken as core, as the specification lets us. */
  async requestAdapter(options: Converted<typeof requestAdapterOptions>): Promise<GPUAdapter | null> {
    const { featureLevel, forceFallbackAdapter } = options;
    if (featureLevel !== "core" && featureLevel !== "compatibility") return null;
    return GPUAdapter.wrap(new AdapterObject(this.environment, forceFallbackAdapter));
  }
}

/** webgpu: #gpu-interface */
export const GPU = defineInterface<GpuObject, GPU>("GPU", {
  attributes: { wgslLanguageFeatures: { get: ({ languageFeatures }) => languageFeatures } },
  operations: {
    requestAdapter: promiseOperation([leftAs(requestAdapterOptions, {})], (gpu, options) =>
      gpu.requestAdapter(options),
    ),
    getPreferredCanvasFormat: operation([], () => "rgba8unorm"),
  },
});

export function createGpu(environment: Environment): GPU {
  return GPU.wrap(new GpuObject(environment));
}
