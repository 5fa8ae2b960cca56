/// <reference types="@webgpu/types" preserve="true" />
/** WebGPU compute without a GPU: shaped like the npm package `webgpu`, so that switching is one import. */
import { createInterpreter } from "./engine/interpreter.ts";
import { createWasmEngine } from "./engine/wasm-engine/engine.ts";
import { nodeHost } from "./platform/node/host.ts";
import { nodeThreads } from "./platform/node/threads.ts";
import { warn } from "./platform/node/warn.ts";
import { createWith, type GpuOptions } from "./webgpu/create.ts";
import { engines } from "./webgpu/engines.ts";
import { GLOBALS } from "./webgpu/globals.ts";

export type { GpuOptions };

const engine = engines({
  wasm: (workers) => createWasmEngine(nodeThreads, workers === undefined ? {} : { workers }),
  interpreter: () => createInterpreter(nodeHost),
});

/**
 * A `GPU` that runs compute shaders on the CPU.
 * @param options what the device is to be like; flags of `webgpu` (an array of strings) are taken and mean nothing
 * @throws RangeError for options that make no sense
 */
export function create(options: readonly string[] | GpuOptions = {}): GPU {
  return createWith({ host: nodeHost, engine, warn }, options);
}

/** The classes and flags of WebGPU by name, as a page has them: `Object.assign(globalThis, globals)`. */
export const globals: Readonly<Record<string, unknown>> = GLOBALS;
