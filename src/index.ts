/** The package in Node. */
import { nodeThreads } from "./platform/node/threads.ts";
import { enginesOn, profileOn, runOn, sanitizeOn } from "./run.ts";

export * from "./api.ts";

const engines = enginesOn(nodeThreads);
/** Runs a launch and reads its buffers back. */
export const run = runOn(engines);
/** Runs a launch and looks for races, divergent barriers, accesses out of bounds and the like. */
export const sanitize = sanitizeOn(engines);
/** Runs a launch and counts where its invocations queue up. */
export const profile = profileOn(engines);
