/** What the wasm engine needs of its host, which `platform` provides. */
import type { Host } from "../dispatch.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

export interface HostThreads extends Host {
  /** How many threads can run at once. */
  readonly cores: number;
  /** False where memory cannot be shared between threads: in pages that are not cross-origin isolated. */
  readonly sharesMemory: boolean;
  /** Starts a thread with the engine's worker script, which passes messages to `createWorker`. */
  start(events: ThreadEvents): HostThread;
}

export interface ThreadEvents {
  message(message: FromWorker): void;
  /** The thread could not be started, or something of its own went wrong; it answers no more. */
  failed(error: Error): void;
}

export interface HostThread {
  post(message: ToWorker): void;
  /** Whether the process is to wait for this thread before it exits; false from the start. */
  keepAlive(wanted: boolean): void;
  /** Ends it wherever it is, in an endless loop too; resolves when it touches no memory any more. */
  terminate(): Promise<void>;
}
