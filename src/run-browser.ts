/** `run` and `sanitize` in browsers. A file of its own, so that who only checks does not load what executes. */
import { browserThreads } from "./platform/browser/threads.ts";
import { enginesOn, profileOn, runOn, sanitizeOn } from "./run.ts";

const engines = enginesOn(browserThreads);
/** Runs a launch and reads its buffers back. */
export const run = runOn(engines);
/** Runs a launch and looks for races, divergent barriers, accesses out of bounds and the like. */
export const sanitize = sanitizeOn(engines);
/** Runs a launch and counts where its invocations queue up. */
export const profile = profileOn(engines);
