import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import type { Host } from "../../engine/dispatch.ts";

/** Clock and event loop of Node. */
export const nodeHost: Host = {
  now: () => performance.now(),
  pause: () => setImmediate(),
};
