/** The worker script in Node. */
import { setImmediate } from "node:timers/promises";
import { parentPort } from "node:worker_threads";
import { waitAt } from "../../engine/wasm-engine/bell.ts";
import type { ToWorker } from "../../engine/wasm-engine/messages.ts";
import { createWorker } from "../../engine/wasm-engine/worker.ts";

const port = parentPort!;
const receive = createWorker({
  now: () => performance.now(),
  pause: () => setImmediate(),
  wait: waitAt,
  post: (message, transfer) => port.postMessage(message, transfer),
});
port.on("message", (message: ToWorker) => receive(message));
