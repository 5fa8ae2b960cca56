/**
 * How checkers watch an execution. The engine says what happens; what it means (a race, an error) is theirs to know.
 * An observer that leaves a method out is not asked.
 */
import type { InstId } from "../ir/ir.ts";
import type { Execution } from "./execution.ts";
import type { AccessSite, BarrierSite } from "./flat.ts";
import type { Workgroup } from "./workgroup.ts";

/** Valid during the call only: the engine uses the same object again. */
export interface AccessEvent {
  readonly site: AccessSite;
  readonly workgroup: Workgroup;
  /** Of the invocation, in its workgroup. */
  readonly localIndex: number;
  /**
   * Bytes from the start of the root variable; where an index was out of bounds, as if it had not been (it may be
   * negative). In function and private memory, from the start of the array or vector whose index it was.
   */
  readonly offset: number;
  /** False where the access was not performed as written. */
  readonly inBounds: boolean;
  /** Set where it was an index that left its bounds; null with `inBounds` false: the binding is too small. */
  readonly fault: BoundsFault | null;
  /** Bits of the scalars in memory before the access, in the order of `site.shape`; as many as that has. Zeros where out of bounds. */
  readonly before: Int32Array;
  /** … and after it. An access that changes nothing has the same twice. */
  readonly after: Int32Array;
}

export interface BoundsFault {
  /** The `access` instruction whose index it was. */
  readonly instruction: InstId;
  readonly index: number;
  readonly count: number;
}

export interface BarrierEvent {
  readonly site: BarrierSite;
  readonly workgroup: Workgroup;
}

export interface Observer {
  begin?(execution: Execution): void;
  /** After each access to workgroup, storage and uniform memory, and after those out of bounds of other memory. */
  access?(event: AccessEvent): void;
  /** When all invocations of a workgroup have arrived at a barrier, before any goes on; `workgroup.phases` counts it already. */
  barrier?(event: BarrierEvent): void;
  workgroupStarted?(workgroup: Workgroup): void;
  workgroupEnded?(workgroup: Workgroup): void;
}
