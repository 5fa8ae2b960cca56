/** What engines have in common: a dispatch goes in, buffers are changed, a report comes out. */
import type { IrModule } from "../ir/ir.ts";
import type { ExecutionOptions, Fault, Place, Statistics } from "./execution.ts";
import type { Schedule, Turn } from "./schedule.ts";

export interface DispatchRequest extends ExecutionOptions {
  readonly module: IrModule;
  /** In milliseconds; 60,000 if left out. */
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
}

/** The budget ran out. */
export interface Timeout {
  readonly reason: "milliseconds" | "instructions";
  /** Invocations that had not ended, a few of them. */
  readonly places: readonly Place[];
  /** How many there were. */
  readonly count: number;
}

export interface DispatchResult {
  readonly status: "ok" | "timeout" | "fault";
  readonly faults: readonly Fault[];
  readonly timeout: Timeout | null;
  readonly statistics: Statistics;
  readonly milliseconds: number;
  /** Null unless asked for. */
  readonly turns: readonly Turn[] | null;
}

export interface Engine {
  readonly name: "interpreter" | "wasm";
  /**
   * Runs one dispatch. Rejects with TypeError or RangeError where the request is wrong, with the signal's reason where it
   * was aborted; the buffers then hold what had been written.
   */
  dispatch(request: DispatchRequest): Promise<DispatchResult>;
}

/** What an engine needs of its host. */
export interface Host {
  /** Milliseconds from some fixed time on. */
  now(): number;
  /** Lets the host do what else it has to do. */
  pause(): Promise<void>;
}
