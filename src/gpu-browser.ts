/// <reference types="@webgpu/types" preserve="true" />
/** `halay/gpu` in browsers. */
import { browserThreads } from "./platform/browser/threads.ts";
import { warn } from "./platform/browser/warn.ts";
import { type Create, creator } from "./webgpu/create.ts";
import { GLOBALS } from "./webgpu/globals.ts";

export { type Capture, type CapturedDispatch, type CaptureOptions, capture } from "./webgpu/capture.ts";
export type { GpuOptions } from "./webgpu/create.ts";
export type { GpuFinding, SanitizeSettings } from "./webgpu/sanitizer.ts";

export const create: Create = creator(browserThreads, warn);
export const globals: Readonly<Record<string, unknown>> = GLOBALS;
