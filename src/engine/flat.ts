/** Flat programs: what `flatten` makes of an `IrModule` and the interpreter runs. */
import type { FunctionId, InstId, IrModule, RootId } from "../ir/ir.ts";
import type { Span } from "../text/source.ts";
import type { AddressSpace, Type } from "../types/type.ts";

export interface FlatProgram {
  readonly module: IrModule;
  readonly code: Int32Array;
  /** Where the entry point begins. */
  readonly start: number;
  /** Slots of one invocation's frame. */
  readonly frameSize: number;
  /** What a frame holds before its invocation starts: constants and private variables. */
  readonly template: Int32Array;
  /** Slots that get the element count of a runtime-sized array, which only the binding tells. */
  readonly lengths: readonly { readonly slot: number; readonly root: RootId }[];
  /** Slots that get the builtin values that the entry point takes. */
  readonly builtins: readonly { readonly name: string; readonly slots: readonly number[] }[];
  readonly switches: readonly { readonly targets: ReadonlyMap<number, number>; readonly otherwise: number }[];
  readonly barriers: readonly BarrierSite[];
  readonly subgroups: readonly SubgroupSite[];
  readonly slotLists: readonly Int32Array[];
  readonly shapes: readonly Shape[];
  readonly sites: readonly AccessSite[];
  /** By position in `code`, at the start of each instruction: index into `sites`, or -1. */
  readonly siteAt: Int32Array;
  /** Likewise: index into `origins`. */
  readonly originAt: Int32Array;
  readonly origins: readonly Origin[];
  readonly functions: readonly FlatFunction[];
  /** First slot of each private variable, by root; -1 for all other roots. */
  readonly privateSlots: Int32Array;
  /** Slots of all private variables: the first ones of a frame. Others hold what never changes, or is written first. */
  readonly privateSize: number;
}

/** Where flat instructions come from. */
export interface Origin {
  readonly function: FunctionId;
  /** -1: the end of the function. */
  readonly instruction: InstId;
  readonly span: Span;
}

/** How to find the values of a function in a frame. */
export interface FlatFunction {
  readonly start: number;
  /** Slot of the position to return to; -1 for the entry point. */
  readonly returnSlot: number;
  /** By instruction id: the slots of its value's scalars in order; null where it has none. */
  readonly values: readonly (readonly number[] | null)[];
  /** First slot of each local variable. */
  readonly locals: readonly number[];
}

/** Where the scalars of a type lie in memory, in order. */
export interface Shape {
  /** Byte offset of each scalar. */
  readonly offsets: Int32Array;
  /** 1 for each scalar that is an f16 (two bytes in memory), else 0. */
  readonly halves: Uint8Array;
  /** The bytes covered, without padding: adjacent scalars joined. */
  readonly runs: readonly { readonly offset: number; readonly size: number }[];
}

export type AccessKind = "read" | "write" | "atomic-read" | "atomic-write" | "atomic-rmw";

/** What is known beforehand of one load, store or atomic function. */
export interface AccessSite extends Origin {
  readonly id: number;
  readonly kind: AccessKind;
  /** By its WGSL name, for messages: `atomicAdd`; null where it is no atomic function. */
  readonly atomic: string | null;
  readonly space: AddressSpace;
  /** null: function or private memory. */
  readonly root: RootId | null;
  /** What is loaded or stored. */
  readonly type: Type;
  /** Bytes from the first to the last one touched. */
  readonly size: number;
  readonly shape: Shape;
  /**
   * Set where a single component of a vector (or of a matrix column) is accessed: alignment and size of the whole vector,
   * so that its first byte is the access's offset rounded down to `align`.
   */
  readonly vector: { readonly align: number; readonly size: number } | null;
}

export interface BarrierSite extends Origin {
  readonly id: number;
  readonly barrier: "workgroup" | "storage" | "texture";
  /** One of the two barriers of a `workgroupUniformLoad`. */
  readonly uniformLoad: boolean;
}

export interface SubgroupSite extends Origin {
  readonly name: string;
  /** Scalar kind of the first argument, `null` where there is none. */
  readonly operand: "bool" | "i32" | "u32" | "f32" | "f16" | null;
  /** Slots of the arguments' scalars. */
  readonly args: readonly (readonly number[])[];
  readonly result: readonly number[];
}
