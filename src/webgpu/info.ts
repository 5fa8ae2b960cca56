/** What an adapter says of itself. webgpu: #gpuadapterinfo */
import type { AdapterCapabilities } from "./device-object.ts";
import { defineInterface } from "./idl/interface.ts";

interface Info {
  readonly subgroupMinSize: number;
  readonly subgroupMaxSize: number;
  readonly isFallback: boolean;
}

/** webgpu: #abstract-opdef-new-adapter-info */
export function adapterInfoOf({ subgroupMinSize, subgroupMaxSize, isFallback }: AdapterCapabilities): Info {
  return { subgroupMinSize, subgroupMaxSize, isFallback };
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
    // Ours may well count as one, but many programs refuse those that they did not ask for.
    isFallbackAdapter: { get: ({ isFallback }) => isFallback },
  },
});
