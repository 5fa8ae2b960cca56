/** `run` in browsers. A file of its own, so that who only checks does not load what executes. */
import { browserThreads } from "./platform/browser/threads.ts";
import { runOn } from "./run.ts";

export const run = runOn(browserThreads);
