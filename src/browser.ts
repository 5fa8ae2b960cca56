/** The package in browsers. */
import { browserThreads } from "./platform/browser/threads.ts";
import { runOn } from "./run.ts";

export * from "./api.ts";
export const run = runOn(browserThreads);
