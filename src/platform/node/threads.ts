/** Threads of Node for the wasm engine. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { FromWorker } from "../../engine/wasm-engine/messages.ts";
import type { HostThread, HostThreads, ThreadEvents } from "../../engine/wasm-engine/threads.ts";
import { nodeHost } from "./host.ts";

/** Beside this file, as compiled. Where the sources are run as they are, that is the caller's to arrange. */
const SCRIPT = new URL("./worker.js", import.meta.url);

export const nodeThreads: HostThreads = {
  ...nodeHost,
  cores: availableParallelism(),
  sharesMemory: true,
  start,
};

function start(events: ThreadEvents): HostThread {
  // Its own, empty, command line: options meant for the program's main thread are none of the worker's business.
  const worker = new Worker(SCRIPT, { name: "halay", execArgv: [], argv: [] });
  worker.unref();
  worker.on("message", (message: FromWorker) => events.message(message));
  worker.on("error", (error: Error) => events.failed(error));
  worker.on("messageerror", (error: Error) => events.failed(error));
  worker.on("exit", (code) => events.failed(new Error(`a worker of the wasm engine exited with code ${code}`)));
  return {
    post: (message) => worker.postMessage(message),
    keepAlive: (wanted) => (wanted ? worker.ref() : worker.unref()),
    terminate: async () => {
      await worker.terminate();
    },
  };
}
