/** What this implementation of WebGPU needs of whoever makes it. */
import type { DispatchRequest, DispatchResult, Engine, Host } from "../engine/dispatch.ts";
import type { OutOfBounds } from "../engine/execution.ts";
import type { DispatchCommand } from "./commands.ts";
import type { AnyError } from "./errors.ts";
import type { Feature } from "./features.ts";
import type { LimitName } from "./limits.ts";

export interface Environment {
  readonly host: Host;
  /** The engine for all devices, made when first needed. */
  engine(): Engine;
  /** For developers. */
  warn(message: string): void;
  /** An error that no error scope and no listener took. */
  uncaptured(error: AnyError, device: GPUDevice): void;
  deviceMade(device: GPUDevice): void;
  /** What adapters are to look like. */
  readonly emulation: Emulation;
  /** Milliseconds that a dispatch may take; null: what the engine allows. */
  readonly timeout: number | null;
  /** Runs dispatches in place of the engine, to look at what they do. */
  readonly checker: DispatchChecker | null;
}

/** A device that is not the default one. */
export interface Emulation {
  readonly subgroupSize?: number;
  readonly outOfBounds?: OutOfBounds;
  /** The adapter's; no better than what it has by default. */
  readonly limits?: Readonly<Partial<Record<LimitName, number>>>;
  /** Features that the adapter lacks. */
  readonly without?: readonly Feature[];
}

export interface DispatchChecker {
  /** Runs the dispatch on the engine, leaving the buffers as it leaves them. */
  dispatch(engine: Engine, request: DispatchRequest, command: DispatchCommand): Promise<DispatchResult>;
}
