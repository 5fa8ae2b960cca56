/** What encoders record and queues execute: plain data. webgpu: #gpu-command */
import type { BoundRange } from "./bind-group.ts";
import type { BufferObject } from "./buffer.ts";
import type { ComputePipelineObject } from "./compute-pipeline.ts";
import type { QuerySetObject } from "./query-set.ts";

export type Command = CopyCommand | ClearCommand | ResolveCommand | TimestampCommand | DispatchCommand;

export interface CopyCommand {
  readonly kind: "copy";
  readonly source: BufferObject;
  readonly sourceOffset: number;
  readonly destination: BufferObject;
  readonly destinationOffset: number;
  readonly size: number;
}

export interface ClearCommand {
  readonly kind: "clear";
  readonly buffer: BufferObject;
  readonly offset: number;
  readonly size: number;
}

export interface ResolveCommand {
  readonly kind: "resolve";
  readonly querySet: QuerySetObject;
  readonly firstQuery: number;
  readonly queryCount: number;
  readonly destination: BufferObject;
  readonly destinationOffset: number;
}

export interface TimestampCommand {
  readonly kind: "timestamp";
  readonly querySet: QuerySetObject;
  readonly index: number;
}

export interface DispatchCommand {
  readonly kind: "dispatch";
  readonly pipeline: ComputePipelineObject;
  /** By `group.binding`. */
  readonly bindings: ReadonlyMap<string, BoundRange>;
  readonly immediates: Uint8Array;
  readonly workgroups: readonly [number, number, number] | IndirectWorkgroups;
  /** Labels of the debug groups around it, outermost first. */
  readonly debugGroups: readonly string[];
}

export interface IndirectWorkgroups {
  readonly buffer: BufferObject;
  readonly offset: number;
}
