/** What page and worker say to each other: calls with one reply each, and progress in between. Plain data only. */
import type {
  Check,
  Checked,
  Comparison,
  Diagnostic,
  JsonDiagnostic,
  JsonFinding,
  JsonProfile,
  LanguageName,
  Layout,
  Reflection,
} from "halay";
import type {
  Completions,
  Definition,
  Hover,
  NonUniformRange,
  Reference,
  Rename,
  SharedMemory,
  SignatureHelp,
  Token,
} from "halay/ide";

/** What is known of a text as soon as it is typed. */
export interface Inspection {
  readonly text: string;
  /** Of the messages. */
  readonly language: LanguageName;
  /** False: advice is still to come. */
  readonly isWhole: boolean;
  readonly tokens: readonly Token[];
  readonly diagnostics: readonly JsonDiagnostic[];
  /** Of legal shaders, else null. */
  readonly reflection: Reflection | null;
  readonly memory: SharedMemory;
}

/** The files that are open, by name. */
export interface Files {
  readonly texts: ReadonlyMap<string, string>;
  readonly data: ReadonlyMap<string, Uint8Array>;
}

export type Task = "run" | "sanitize" | "profile";
export type DeviceChoice = "cpu" | "gpu" | "both";

export interface ExecuteInput {
  readonly task: Task;
  readonly launchPath: string;
  readonly launchText: string;
  readonly files: Files;
  readonly device: DeviceChoice;
  /** On the GPU even if the CPU engine came to no end. */
  readonly gpuAnyway: boolean;
  readonly subgroupSize: number | null;
  readonly schedule: "in-order" | "interleave" | "random";
  readonly seed: number;
  /** null: the usual ones. */
  readonly checks: readonly Check[] | null;
  readonly language: LanguageName;
}

export type Scalar = "u32" | "i32" | "f32" | "f16" | "bool";

export interface Column {
  /** `.vel.y` from the element; empty for an array of scalars. */
  readonly name: string;
  readonly scalar: Scalar;
  /** In the element, in bytes. */
  readonly offset: number;
}

/** Rows of a table: the elements of an array, or the one row of all else that a buffer holds. */
export interface Part {
  /** Path in the buffer: `.items`; empty for the buffer itself. */
  readonly path: string;
  readonly isArray: boolean;
  readonly offset: number;
  readonly stride: number;
  /** Index of the first element, where only a part of the array was read. */
  readonly first: number;
  readonly count: number;
  readonly columns: readonly Column[];
  /** Where each element of an array has an array of its own, and its elements are the rows; null: it has not. */
  readonly inner: InnerArray | null;
}

/** An array in each element of another. */
export interface InnerArray {
  /** `.bins` from the outer element; empty for an array of arrays. */
  readonly path: string;
  /** Of its elements. */
  readonly stride: number;
  readonly count: number;
}

export interface BufferData {
  readonly name: string;
  readonly group: number | null;
  readonly binding: number | null;
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly layout: Layout;
  readonly parts: readonly Part[];
}

/** What a message is made of, in whatever language it is said: a diagnostic without the text that it is about. */
export type Sayable = Diagnostic;

/** A message in a language. */
export interface Said {
  readonly message: string;
  readonly notes: readonly string[];
  readonly fixes: readonly string[];
}

export interface Report {
  readonly task: Task;
  /** Of the messages. */
  readonly language: LanguageName;
  /** Why the GPU was not given the shader: what the CPU engine found; null: it was, or was not asked to. */
  readonly gpuRefused: "timeout" | "no-forward-progress" | null;
  readonly device: DeviceChoice;
  readonly engine: string;
  readonly notes: readonly string[];
  readonly defaults: readonly { readonly kind: string; readonly name: string; readonly value: string }[];
  readonly dispatches: readonly {
    readonly entry: string;
    readonly workgroups: readonly [number, number, number];
    readonly invocations: number;
    readonly milliseconds: number;
  }[];
  readonly buffers: readonly BufferData[];
  readonly comparisons: readonly Comparison[];
  readonly diagnostics: readonly JsonDiagnostic[];
  readonly findings: readonly JsonFinding[] | null;
  /** Of `diagnostics` and `findings`, one by one. */
  readonly sayable: { readonly diagnostics: readonly Sayable[]; readonly findings: readonly Sayable[] };
  readonly checked: Checked | null;
  readonly profile: readonly JsonProfile[] | null;
}

export type ExportFormat = "json" | "csv" | "npy" | "bin";

interface AtPlace {
  readonly path: string;
  readonly text: string;
  readonly offset: number;
}

export interface InspectInput {
  readonly path: string;
  readonly text: string;
  /** About a text that has had its first answer: waits for what advises to be loaded, and looks for fixes. */
  readonly isSecond: boolean;
  readonly language: LanguageName;
}

/** Calls by name: what goes in, what comes back. */
export interface Calls {
  inspect: [input: InspectInput, result: Inspection];
  inspectLaunch: [input: InspectInput, result: Inspection];
  typescript: [input: { readonly path: string; readonly text: string }, result: string];
  hover: [input: AtPlace & { readonly language: LanguageName }, result: Hover | null];
  definition: [input: AtPlace, result: Definition | null];
  references: [input: AtPlace, result: readonly Reference[]];
  rename: [input: AtPlace & { readonly name: string; readonly language: LanguageName }, result: Rename];
  completions: [input: AtPlace, result: Completions];
  signatureHelp: [input: AtPlace, result: SignatureHelp | null];
  nonUniformFlow: [
    input: { readonly path: string; readonly text: string; readonly language: LanguageName },
    result: readonly NonUniformRange[],
  ];
  warmUp: [input: null, result: { readonly gpu: boolean }];
  execute: [input: ExecuteInput, result: Report];
  exportBuffer: [
    input: Pick<BufferData, "name" | "bytes" | "layout"> & { readonly format: ExportFormat },
    result: Uint8Array,
  ];
  say: [input: { readonly items: readonly Sayable[]; readonly language: LanguageName }, result: readonly Said[]];
}

export type Method = keyof Calls;

export interface CallMessage<M extends Method = Method> {
  readonly id: number;
  readonly method: M;
  readonly input: Calls[M][0];
}

export interface Progress {
  /** Whether the CPU engine runs it first, before the GPU is given it. */
  readonly isTrial: boolean;
  readonly entry: string;
  /** From 1. */
  readonly dispatch: number;
  readonly total: number;
}

export type ReplyMessage =
  | { readonly kind: "result"; readonly id: number; readonly value: unknown }
  | { readonly kind: "failure"; readonly id: number; readonly message: string }
  | { readonly kind: "progress"; readonly id: number; readonly progress: Progress };
