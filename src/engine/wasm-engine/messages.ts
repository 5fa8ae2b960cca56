/** What the engine and its workers tell each other. */
import type { WasmMemory, WasmModule } from "./webassembly.ts";

export type ToWorker =
  | { readonly kind: "memory"; readonly memory: WasmMemory }
  /** Sent once, before the first job that names it. */
  | { readonly kind: "kernel"; readonly kernel: number; readonly module: WasmModule }
  | { readonly kind: "forget"; readonly kernel: number }
  | { readonly kind: "job"; readonly job: Job }
  /** Where memory is not shared: to take no more workgroups. */
  | { readonly kind: "stop" };

export interface Job {
  readonly kernel: number;
  /** Address of the parameter block of this worker. */
  readonly parameters: number;
  /** Address of the control words (`CONTROL`), of all workers. */
  readonly control: number;
  readonly workgroups: number;
  readonly workers: number;
  /** Null where memory is shared. Otherwise the worker's memory is made to hold these bytes, and the job gives those of `back` back. */
  readonly copies: Copies | null;
}

export interface Copies {
  readonly into: readonly { readonly address: number; readonly bytes: Uint8Array }[];
  readonly back: readonly { readonly address: number; readonly size: number }[];
  /** How large the memory has to be. */
  readonly end: number;
}

/** Indices of the control words, each on a cache line of its own. */
export const CONTROL = {
  /** The first workgroup that nobody has taken. */
  next: 0,
  /** Not zero: kernels are to return at their next look at it. */
  abort: 16,
  words: 32,
} as const;

export type FromWorker =
  /** It has started and listens. */
  | { readonly kind: "ready" }
  /** What became of the share of a job that this worker did. */
  | { readonly kind: "done"; readonly report: WorkerReport };

export interface WorkerReport {
  /** Workgroups that ended. */
  readonly finished: number;
  /** Where it stopped before all were taken; null where it did not. */
  readonly stopped: Stopped | null;
  /** What the kernel threw: a fault of the engine, or a stack overflow. */
  readonly error: string | null;
  readonly back: readonly Uint8Array[];
}

/** Where a kernel was when it was stopped: what the parameter block says (`PARAMETER`). */
export interface Stopped {
  readonly workgroup: number;
  readonly loop: number;
  readonly invocation: number;
}
