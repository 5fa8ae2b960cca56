/** What an adapter says of itself. webgpu: #gpuadapterinfo */
import type { AdapterCapabilities } from "./device-object.ts";
import { defineInterface } from "./idl/interface.ts";

interface Info {
  readonly subgroupMinSize: number;
  readonly subgroupMaxSize: number;
}

/** webgpu: #abstract-opdef-new-adapter-info */
export function adapterInfoOf({ subgroupMinSize, subgroupMaxSize }: AdapterCapabilities): Info {
  return { subgroupMinSize, subgroupMaxSize };
}

/** webgpu: #gpuadapterinfo */
export const GPUAdapterInfo = defineInterface<Info, GPUAdapterInfo>("GPUAdapterInfo", {
  attributes: {
    vendor: { get: () => "halay" },
    architecture: { get: () => "cpu" },
    device: { get: () => "" },
    description: { get: () => "compute shaders in JavaScript and WebAssembly, without a GPU" },
    subgroupMinSize: { get: ({ subgroupMinSize }) => subgroupMinSize },
    subgroupMaxSize: { get: ({ subgroupMaxSize }) => subgroupMaxSize },
    // Slower than a GPU, the same everywhere: what the specification calls a fallback adapter.
    isFallbackAdapter: { get: () => true },
  },
});
