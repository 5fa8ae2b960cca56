/** What a run gives. Plain data; large values are made when they are asked for. */
import type { PlacedDiagnostic } from "../diagnostics/diagnostic.ts";
import type { Triple } from "../engine/builtin-values.ts";
import type { DispatchNote } from "../engine/dispatch.ts";
import { type Layout, layoutOf } from "../layout/layout.ts";
import { BufferView, type ViewValue } from "../layout/view.ts";
import { f16FromBits } from "../numeric/float16.ts";
import type { Position } from "../text/source.ts";
import { arrayType } from "../types/type.ts";
import type { Launch } from "./launch.ts";
import { denseScalar } from "./leaves.ts";

export interface RunResult {
  /** Something ran, without an error among the diagnostics, and every comparison holds. */
  readonly ok: boolean;
  /** Path of the launch file, or of the shader where there is none. */
  readonly path: string;
  readonly device: "cpu" | "gpu" | "both";
  /** What ran the dispatches: "wasm", "interpreter", or both. */
  readonly engine: string;
  /** Why the engine did not run all dispatches as it usually does. */
  readonly notes: readonly DispatchNote[];
  /** The launch with every default that was chosen, as it can be saved. */
  readonly launch: Launch;
  /** What was chosen for want of a word in the launch. */
  readonly defaults: readonly DefaultChoice[];
  readonly dispatches: readonly Dispatch[];
  /** What was read back, by name of the WGSL variable (or of the buffer, or by path). */
  readonly buffers: Readonly<Record<string, ReadBuffer>>;
  readonly comparisons: readonly Comparison[];
  readonly diagnostics: readonly PlacedDiagnostic[];
  /** Who touched the cells that `trace` names; empty where it names none. */
  readonly traces: readonly Trace[];
}

/** No invocation ran: there is nothing of which anything could be said. */
export function ranNothing(dispatches: readonly Dispatch[]): boolean {
  return dispatches.every(({ invocations }) => invocations === 0);
}

/** The same with other fields, and further ones; its launch is made when it is asked for, and stays so. */
export function resultWith<Fields extends object>(
  result: RunResult,
  fields: Fields,
): Omit<RunResult, keyof Fields> & Fields {
  const descriptors = { ...Object.getOwnPropertyDescriptors(result), ...Object.getOwnPropertyDescriptors(fields) };
  return Object.defineProperties({}, descriptors) as Omit<RunResult, keyof Fields> & Fields;
}

export interface DefaultChoice {
  readonly kind: "entry" | "workgroups" | "buffer";
  /** Name of the entry point or buffer. */
  readonly name: string;
  /** As the launch would say it. */
  readonly value: string;
}

export interface Dispatch {
  readonly entry: string;
  readonly workgroups: Triple;
  readonly invocations: number;
  readonly milliseconds: number;
}

export interface Comparison {
  readonly name: string;
  readonly ok: boolean;
  /** How many values (unordered: elements) differ. */
  readonly count: number;
  /** How many were compared. */
  readonly compared: number;
  /** The largest difference of two floats, in units in the last place; Infinity: a NaN against a number. */
  readonly maxUlp: number;
  readonly first: ComparedDifference | null;
}

export interface ComparedDifference {
  /** `list[3].vel.y`. */
  readonly path: string;
  readonly expected: ViewValue;
  readonly actual: ViewValue;
  /** Who wrote the value last; null where nobody did or it is not known. */
  readonly writtenBy: WrittenBy | null;
}

export interface WrittenBy {
  readonly invocation: InvocationId;
  /** Of the shader. */
  readonly path: string;
  readonly start: Position;
}

export interface InvocationId {
  readonly global: Triple;
  readonly workgroup: Triple;
  readonly localIndex: number;
}

/** All accesses to one cell, in the order in which they happened. */
export interface Trace {
  /** As asked for: `bins[7]`. */
  readonly path: string;
  readonly events: readonly TraceEvent[];
  /** How many there were; more than `events` where it became too many. */
  readonly count: number;
}

export interface TraceEvent {
  /** Index of the dispatch in `dispatches`. */
  readonly dispatch: number;
  readonly invocation: InvocationId;
  readonly kind: "read" | "write" | "atomic-read" | "atomic-write" | "atomic-rmw";
  /** WGSL name of the atomic function; null for loads and stores. */
  readonly atomic: string | null;
  /** The scalar that was touched: `bins[7]`, `ps[3].vel.y`. */
  readonly cell: string;
  readonly before: ViewValue;
  readonly after: ViewValue;
  /** Of the shader. */
  readonly path: string;
  readonly start: Position;
  readonly end: Position;
}

/** A buffer, or a part of one, after a run. */
export class ReadBuffer {
  readonly group: number | null;
  readonly binding: number | null;
  readonly bytes: Uint8Array;
  readonly view: BufferView;
  /** Index of the first element, where only a part of an array was read. */
  readonly from: number;
  #values: ViewValue | undefined;

  constructor(view: BufferView, group: number | null, binding: number | null, from = 0) {
    this.view = view;
    this.bytes = view.bytes;
    this.group = group;
    this.binding = binding;
    this.from = from;
  }

  get layout(): Layout {
    return this.view.layout;
  }

  /** By the layout; made when first asked for. */
  get values(): ViewValue {
    this.#values ??= this.view.read();
    return this.#values;
  }

  /** The bytes as numbers of the type that all scalars have (f16 become f32), else as u32. */
  array(): Uint32Array | Int32Array | Float32Array {
    const { buffer, byteOffset, byteLength } = this.bytes;
    const kind = denseScalar(this.layout)?.kind;
    if (kind === "f16") return Float32Array.from(new Uint16Array(buffer, byteOffset, byteLength >> 1), f16FromBits);
    const count = byteLength >> 2;
    if (kind === "f32") return new Float32Array(buffer, byteOffset, count);
    return kind === "i32" ? new Int32Array(buffer, byteOffset, count) : new Uint32Array(buffer, byteOffset, count);
  }
}

/** Elements `from` to `to` of an array as an array of their own. */
export function sliceView(view: BufferView, from: number, to: number): BufferView {
  const { layout, bytes } = view;
  const stride = layout.stride!;
  if (layout.type.kind !== "array") throw new RangeError("only an array has elements");
  const part = layoutOf(arrayType(layout.type.element, null));
  return new BufferView(bytes.subarray(from * stride, to * stride), part);
}
