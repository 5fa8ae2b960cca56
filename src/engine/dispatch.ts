/** What engines have in common: a dispatch goes in, buffers are changed, a report comes out. */
import type { IrModule, RootId } from "../ir/ir.ts";
import type { ExecutionOptions, Fault, Place } from "./execution.ts";
import type { Origin } from "./flat.ts";
import type { Memory } from "./memory.ts";
import type { Schedule, Turn } from "./schedule.ts";

export interface DispatchRequest extends ExecutionOptions {
  readonly module: IrModule;
  /** In milliseconds; if left out, 60,000 for the interpreter, 10,000 for the wasm engine. */
  readonly timeout?: number;
  /** Instructions of the engine's own kind; without limit if left out. */
  readonly maxInstructions?: number;
  readonly signal?: AbortSignal;
  /** Interpreter only: `in-order` if left out. */
  readonly schedule?: Schedule;
  /** Interpreter only: how many workgroups are under way at most; 64 if left out. */
  readonly residency?: number;
  /** Interpreter only: keep the turns, so that a `given` schedule can repeat them. */
  readonly record?: boolean;
  /** Threads that may take part; all of the engine's if left out. */
  readonly workers?: number;
  /** Variables of which each worker has its own: their bindings say where that of the first is, the others come behind it. */
  readonly perWorker?: ReadonlySet<RootId>;
  /**
   * Some of those, in which the module only counts: by atomic functions without results, at places that are known. They
   * may be brought up to date late; what is added to a word carries over into the next one.
   */
  readonly tallies?: ReadonlySet<RootId>;
  /** Called when threads are at work, if it is they who run it: what the calling thread does then costs no time. */
  readonly meanwhile?: () => void;
}

/** The budget ran out. */
export interface Timeout {
  readonly reason: "milliseconds" | "instructions";
  /** How many of these there were to spend. */
  readonly budget: number;
  /** Invocations that had not ended, a few of them. */
  readonly places: readonly Place[];
  /** How many there were in the workgroups that had begun. */
  readonly count: number;
  /** Loops at these places that end only when another invocation writes one of these variables. */
  readonly waits: readonly Wait[];
}

export interface Wait {
  /** The loop. */
  readonly origin: Origin;
  readonly roots: readonly RootId[];
}

/** null: not counted. */
export interface DispatchStatistics {
  readonly invocations: number;
  readonly instructions: number | null;
  /** Accesses to storage and workgroup memory. */
  readonly sharedAccesses: number | null;
  /** Barriers passed, counted once per workgroup. */
  readonly barriers: number | null;
}

/**
 * Why a dispatch did not run as it usually does. `no-shared-memory`: on one worker that works on copies of the buffers;
 * all others: on the interpreter, for the sake of what was asked for or of what the shader uses.
 */
export type DispatchNote =
  | "no-shared-memory"
  | "observed"
  | "scheduled"
  | "spurious-failures"
  | "out-of-bounds"
  | "grid-too-large"
  | "misaligned-binding"
  | "polls-workgroup"
  | "binding-too-small"
  | "unsupported";

export interface DispatchResult {
  readonly status: "ok" | "timeout" | "fault";
  readonly faults: readonly Fault[];
  readonly timeout: Timeout | null;
  readonly statistics: DispatchStatistics;
  readonly milliseconds: number;
  /** Null unless asked for. */
  readonly turns: readonly Turn[] | null;
  /** Which engine ran it. */
  readonly engine: EngineName;
  readonly notes: readonly DispatchNote[];
}

/** `gpu`: none of ours, the dispatches go to a `GPUDevice`. */
export type EngineName = "interpreter" | "wasm" | "gpu";

export interface Engine {
  readonly name: EngineName;
  /** False: it refuses dispatches with an observer. True if left out. */
  readonly canBeWatched?: boolean;
  /** Threads that take part in a dispatch; one if left out. */
  readonly workers?: number;
  /**
   * Runs one dispatch. Rejects with TypeError or RangeError where the request is wrong, with the signal's reason where it
   * was aborted; the buffers then hold what had been written.
   */
  dispatch(request: DispatchRequest): Promise<DispatchResult>;
  /**
   * A memory of that size (zeros) or with these first bytes, where this engine need not copy it for each dispatch. It
   * holds until it is released or the engine is closed; views of its bytes must not be used after that.
   * @throws RangeError where no more memory can be had
   */
  allocate(contents: number | Uint8Array): Memory;
  release(memory: Memory): void;
  /** Ends the threads. Idle ones do not keep a process from exiting. */
  close(): void;
}

/** What an engine needs of its host. */
export interface Host {
  /** Milliseconds from some fixed time on. */
  now(): number;
  /** Lets the host do what else it has to do. */
  pause(): Promise<void>;
}
