/** What the engine and its workers tell each other. */
import type { WasmMemory, WasmModule } from "./webassembly.ts";

export type ToWorker =
  /** First of all, where memory is shared. */
  | { readonly kind: "memory"; readonly memory: WasmMemory; readonly board: BoardPlace }
  /** Sent once, before the first job that names it. */
  | { readonly kind: "kernel"; readonly kernel: number; readonly module: WasmModule }
  | { readonly kind: "forget"; readonly kernel: number }
  /** Where memory is not shared. Otherwise jobs stand on the board. */
  | { readonly kind: "job"; readonly job: Job; readonly copies: Copies }
  /** Where memory is not shared: to take no more workgroups. */
  | { readonly kind: "stop" };

/** Where the board lies, which worker this is, and of how many. */
export interface BoardPlace {
  readonly address: number;
  readonly workers: number;
  readonly index: number;
  /** How many messages were counted at its place before it came. */
  readonly before: number;
  /** Whether the calling thread has to be sent a message when nobody is at work any more: it cannot wait at the board. */
  readonly callBack: boolean;
}

export interface Job {
  readonly kernel: number;
  /** Address of the parameter block of this worker. */
  readonly parameters: number;
  /** Address of the words `next` and `abort` (`BOARD`), of all workers. */
  readonly board: number;
  readonly workgroups: number;
  readonly workers: number;
}

/** The worker's memory is made to hold these bytes, and the job gives those of `back` back. */
export interface Copies {
  readonly into: readonly { readonly address: number; readonly bytes: Uint8Array }[];
  readonly back: readonly { readonly address: number; readonly size: number }[];
  /** How large the memory has to be. */
  readonly end: number;
}

export type FromWorker =
  /** It has started and listens. */
  | { readonly kind: "ready" }
  /** Nobody is at work any more. */
  | { readonly kind: "idle" }
  /** Where memory is not shared. */
  | { readonly kind: "done"; readonly report: WorkerReport };

/** What became of the share of a job that a worker did. */
export interface WorkerReport {
  /** Workgroups that ended. */
  readonly finished: number;
  /** Where it stopped before all were taken; null where it did not. */
  readonly stopped: Stopped | null;
  /** What the kernel threw: a fault of the engine, or a stack overflow. */
  readonly error: string | null;
  /** Where memory is not shared: the bytes that the job gives back. */
  readonly back: readonly Uint8Array[];
}

/** Where a kernel was when it was stopped: what the parameter block says (`PARAMETER`). */
export interface Stopped {
  readonly workgroup: number;
  readonly loop: number;
  readonly invocation: number;
}
