/** The worker script in browsers: a module worker. */
import { waitAt } from "../../engine/wasm-engine/bell.ts";
import type { ToWorker } from "../../engine/wasm-engine/messages.ts";
import { createWorker } from "../../engine/wasm-engine/worker.ts";
import { browserHost } from "./host.ts";

/** What is used of the global scope of a worker; the types in use here are Node's. */
interface WorkerScope {
  onmessage: ((event: { readonly data: ToWorker }) => void) | null;
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
}

const scope = globalThis as unknown as WorkerScope;
const receive = createWorker({
  ...browserHost,
  wait: waitAt,
  post: (message, transfer) => scope.postMessage(message, transfer),
});
scope.onmessage = ({ data }) => receive(data);
