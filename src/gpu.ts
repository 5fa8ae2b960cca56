/// <reference types="@webgpu/types" preserve="true" />
/** WebGPU compute without a GPU: shaped like the npm package `webgpu`, so that switching is one import. */
import { nodeThreads } from "./platform/node/threads.ts";
import { warn } from "./platform/node/warn.ts";
import { type Capture, type CaptureOptions, capture as captureOn } from "./webgpu/capture.ts";
import { type Create, creator } from "./webgpu/create.ts";
import { GLOBALS } from "./webgpu/globals.ts";

export type { CapturedDispatch, CaptureOptions } from "./webgpu/capture.ts";
export type { GpuOptions } from "./webgpu/create.ts";
export type { GpuFinding, SanitizeSettings } from "./webgpu/sanitizer.ts";

/**
 * A `GPU` that runs compute shaders on the CPU.
 * @throws RangeError for options that make no sense
 */
export const create: Create = creator(nodeThreads, warn);

/** The classes and flags of WebGPU by name, as a page has them: `Object.assign(globalThis, globals)`. */
export const globals: Readonly<Record<string, unknown>> = GLOBALS;

export interface NodeCapture extends Capture {
  /** Writes what was captured to a folder. Paths of the files. */
  save(folder: string): Promise<readonly string[]>;
}

/**
 * Records what an application dispatches on a device, ours or a real one, with the contents of the buffers: so a kernel is
 * taken out of a running application, to be run and sanitized on its own. Only what is made after this call is known.
 */
export function capture(device: GPUDevice, options: CaptureOptions = {}): NodeCapture {
  const captured = captureOn(device, options);
  return Object.assign(captured, {
    save: async (folder: string) => {
      const { writeFolder } = await import("./platform/node/folder.ts");
      return writeFolder(folder, await captured.files());
    },
  });
}
