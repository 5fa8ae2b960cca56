/** The package in Node. */
import { nodeThreads } from "./platform/node/threads.ts";
import { runOn } from "./run.ts";

export * from "./api.ts";
export const run = runOn(nodeThreads);
