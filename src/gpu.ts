/// <reference types="@webgpu/types" preserve="true" />
/** WebGPU compute without a GPU: shaped like the npm package `webgpu`, so that switching is one import. */
import { nodeThreads } from "./platform/node/threads.ts";
import { warn } from "./platform/node/warn.ts";
import { type Create, creator } from "./webgpu/create.ts";
import { GLOBALS } from "./webgpu/globals.ts";

export type { GpuOptions } from "./webgpu/create.ts";
export type { GpuFinding, SanitizeSettings } from "./webgpu/sanitizer.ts";

/**
 * A `GPU` that runs compute shaders on the CPU.
 * @throws RangeError for options that make no sense
 */
export const create: Create = creator(nodeThreads, warn);

/** The classes and flags of WebGPU by name, as a page has them: `Object.assign(globalThis, globals)`. */
export const globals: Readonly<Record<string, unknown>> = GLOBALS;
