/** Web Workers for the wasm engine. */
import type { FromWorker } from "../../engine/wasm-engine/messages.ts";
import type { HostThread, HostThreads, ThreadEvents } from "../../engine/wasm-engine/threads.ts";
import { browserHost } from "./host.ts";

/** What is used of `Worker` as browsers have it; the types in use here are Node's. */
interface WebWorker {
  onmessage: ((event: { readonly data: FromWorker }) => void) | null;
  onerror: ((event: { readonly message?: string; preventDefault(): void }) => void) | null;
  onmessageerror: (() => void) | null;
  postMessage(message: unknown): void;
  terminate(): void;
}
declare const Worker: new (script: URL, options: { type: "module"; name: string }) => WebWorker;

interface Scope {
  readonly crossOriginIsolated?: boolean;
  readonly navigator?: { readonly hardwareConcurrency?: number };
}
const scope = globalThis as unknown as Scope;

/** Browsers do not say when a thread has ended; Chromium lets it go on for two seconds where it does not stop by itself. */
const TERMINATION = 2500;

export const browserThreads: HostThreads = {
  ...browserHost,
  cores: scope.navigator?.hardwareConcurrency ?? 1,
  sharesMemory: scope.crossOriginIsolated === true,
  start,
};

function start(events: ThreadEvents): HostThread {
  // Bundlers look for exactly this expression.
  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "halay" });
  worker.onmessage = ({ data }) => events.message(data);
  worker.onerror = (event) => {
    event.preventDefault();
    events.failed(new Error(event.message ?? "the worker script of the wasm engine could not be loaded"));
  };
  worker.onmessageerror = () => events.failed(new Error("a message of a worker of the wasm engine could not be read"));
  return {
    post: (message) => worker.postMessage(message),
    keepAlive: () => {},
    terminate: () => {
      worker.terminate();
      return new Promise((resolve) => setTimeout(resolve, TERMINATION));
    },
  };
}
