/**
 * A launch: what a run needs, as one JSON file or one object in code. Names of buffers are WGSL variable names or
 * `"group.binding"`.
 */
import type { Program } from "../analysis/program.ts";

export interface Launch {
  /** Path of the shader beside the launch file; in code: source text or a `Program`. */
  readonly shader?: string | Program;
  /** Needed only when the shader has several entry points. */
  readonly entry?: string;
  readonly workgroups?: Workgroups;
  /** Number of invocations, rounded up to workgroups along x; instead of `workgroups`. */
  readonly invocations?: number;
  /** `fn(args)`: run one function per invocation, no entry point needed; `invocation` is a name in the arguments. */
  readonly call?: string;
  readonly overrides?: Readonly<Record<string, number | boolean>>;
  readonly buffers?: Readonly<Record<string, BufferContents>>;
  /** Values put into the buffers before the first dispatch, by path: `{"cont.free": 1}`. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** Buffers to read back: `name`, `name:FROM..TO` (half-open); default: all that a shader can write. */
  readonly read?: readonly string[];
  readonly expect?: Readonly<Record<string, Expectation>>;
  readonly tolerance?: Tolerance;
  readonly hostLayout?: Readonly<Record<string, HostLayout>>;
  readonly steps?: readonly Step[];
}

/** Groups along x, y, z (missing ones are 1), or words in a buffer at a byte offset. */
export type Workgroups = readonly number[] | number | Indirect;

export interface Indirect {
  readonly indirect: string;
  readonly offset?: number;
}

/** One dispatch, or `repeat` of them. */
export interface Step {
  readonly shader?: string | Program;
  readonly entry?: string;
  readonly workgroups?: Workgroups;
  readonly invocations?: number;
  readonly overrides?: Readonly<Record<string, number | boolean>>;
  /** Which buffer a variable is bound to, where the names differ. */
  readonly bind?: Readonly<Record<string, string>>;
  readonly repeat?: number;
  /** After each repetition these two buffers change names, so that the newest result is always the first. */
  readonly swap?: readonly [string, string];
}

/** A SPEC string (`"zeros:16"`, `"random:1024:seed=1"`, a JSON literal, a file name) or one of the object forms. */
export type BufferContents =
  | string
  | { readonly values: unknown }
  | { readonly spec: string }
  | { readonly file: string }
  | { readonly u32: readonly number[] }
  | { readonly i32: readonly number[] }
  | { readonly f32: readonly (number | string)[] }
  | { readonly bytes: string }
  | { readonly same: string }
  | { readonly unwritten: number }
  | ArrayBufferView
  | ArrayBuffer
  | readonly unknown[]
  | number
  | MemberValues;

/** In code: the values of a structure, by the names of its members. */
export interface MemberValues {
  readonly [member: string]: unknown;
}

export type Expectation = BufferContents | (BufferContents & ExpectationOptions);

export interface ExpectationOptions {
  /** Compare as a multiset. */
  readonly unordered?: boolean;
  /** How many elements count: a number, or the path of a value in a buffer after the run. */
  readonly count?: number | string;
}

/** How far a float may be from what is expected: any one that is met suffices. */
export interface Tolerance {
  readonly abs?: number;
  readonly rel?: number;
  readonly ulp?: number;
}

/** What the host code takes the layout to be; all figures in bytes. */
export interface HostLayout {
  /** Between elements of an array (of a structure: between its copies in an array) or columns of a matrix. */
  readonly stride?: number;
  /** Of the whole type; of a runtime-sized array: of one element. */
  readonly size?: number;
  /** Offsets by member name, also `outer.inner`; of an array: in its elements. */
  readonly members?: Readonly<Record<string, number | { readonly offset: number; readonly size?: number }>>;
}
