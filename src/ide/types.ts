/**
 * What the editor services take and give: plain data, offsets in UTF-16 units. They all take a `Program`, which exists for
 * every text: `check(text).analysis`. Nothing here throws, whatever the text.
 */
import type { Program } from "../analysis/program.ts";
import type { Diagnostic, Fix, Note, Severity } from "../diagnostics/diagnostic.ts";
import type { Edit } from "../text/edit.ts";
import type { Span } from "../text/source.ts";
import type { AddressSpace } from "../types/type.ts";

// ---------------------------------------------------------------- colours

export type TokenClass =
  | "comment"
  | "keyword"
  /** `enable`, `requires`, `diagnostic` and the names that they take. */
  | "directive"
  /** With its `@`; also the names in `@builtin(…)`, `@interpolate(…)` and `@diagnostic(…)`. */
  | "attribute"
  | "type"
  | "builtin-function"
  | "function"
  | "variable"
  | "parameter"
  /** `const`, `let` and `override`. */
  | "constant"
  | "member"
  /** Address spaces, access modes, texel formats. */
  | "enumerant"
  | "number"
  | "operator"
  | "punctuation"
  | "reserved-word"
  | "invalid";

export interface Token extends Span {
  readonly class: TokenClass;
  /** Where something gets its name. */
  readonly isDeclaration: boolean;
  /** Of variables: the memory that they are in; null for all else. */
  readonly space: AddressSpace | null;
}

// ---------------------------------------------------------------- what stands at a place

export type HoverPart =
  /** As WGSL would declare it: `var<workgroup> tile: array<f32, 64>`. */
  | { readonly kind: "declaration"; readonly code: string }
  /** The value of a constant, of the default of an override. */
  | { readonly kind: "value"; readonly text: string }
  /** In bytes. `offset`: of members, from the start of their structure; `stride`: of arrays and matrices. */
  | {
      readonly kind: "layout";
      readonly offset: number | null;
      readonly size: number;
      readonly align: number;
      readonly stride: number | null;
      readonly isRuntimeSized: boolean;
    }
  /** Comment in front of the declaration, without its slashes. */
  | { readonly kind: "comment"; readonly text: string }
  /** As the specification writes it; of the overload that is called, else of all. */
  | { readonly kind: "signature"; readonly code: string }
  /** What a function gives back, in words; `translatedNote` says it in another language. */
  | { readonly kind: "returns"; readonly text: string; readonly note: Pick<Note, "code" | "message" | "args"> }
  /** `enable f16;` that it needs. */
  | { readonly kind: "needs"; readonly code: string }
  | { readonly kind: "specification"; readonly anchor: string; readonly address: string };

export interface Hover extends Span {
  readonly parts: readonly HoverPart[];
  /** The parts as one text. */
  readonly markdown: string;
}

/** Where something is declared: its name, and the whole declaration. */
export interface Definition {
  readonly name: Span;
  readonly declaration: Span;
}

export interface Reference extends Span {
  readonly isDeclaration: boolean;
}

export type Rename =
  | { readonly ok: true; readonly edits: readonly Edit[] }
  /** `translatedNote` says it in another language. */
  | {
      readonly ok: false;
      readonly code: Note["code"];
      readonly message: string;
      readonly args: Note["args"];
      /** The declaration or mention that is in the way. */
      readonly other: Span | null;
    };

// ---------------------------------------------------------------- the text as a whole

export type SymbolKind =
  | "function"
  | "entry-point"
  | "variable"
  | "constant"
  | "override"
  | "struct"
  | "member"
  | "alias";

export interface DocumentSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  /** Its type, or what its parameters and result are. */
  readonly detail: string;
  readonly nameSpan: Span;
  readonly span: Span;
  readonly children: readonly DocumentSymbol[];
}

export interface FoldingRange extends Span {
  readonly kind: "block" | "comment" | "directives";
}

export interface InlayHint {
  readonly offset: number;
  /** Behind a name: its type; before a member: where it lies. */
  readonly kind: "type" | "offset";
  readonly text: string;
  /** The offset; null: the hint is a type. */
  readonly bytes: number | null;
}

// ---------------------------------------------------------------- while typing

export type CompletionKind =
  | "keyword"
  | "attribute"
  | "type"
  | "builtin-function"
  | "function"
  | "variable"
  | "parameter"
  | "constant"
  | "member"
  | "swizzle"
  | "enumerant"
  | "extension"
  | "builtin-value"
  | "severity"
  | "rule";

export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** Its type or signature. */
  readonly detail: string;
  /** Other overloads; 0 for what has none. */
  readonly overloads: number;
  /** A list of arguments in parentheses belongs behind it. */
  readonly isCall: boolean;
  /** What it is, in markdown; null: nothing to say. */
  readonly documentation: string | null;
  /** Nearer things first: in the function, in the module, predeclared. */
  readonly rank: number;
}

export interface Completions {
  /** The word at the place so far, which the completion replaces. */
  readonly replace: Span;
  readonly items: readonly Completion[];
}

export interface SignatureHelp {
  readonly signatures: readonly {
    readonly label: string;
    /** Of each parameter in the label. */
    readonly parameters: readonly Span[];
    readonly documentation: string | null;
  }[];
  readonly activeSignature: number;
  readonly activeParameter: number;
}

export interface CodeAction extends Fix {
  /** What it mends. */
  readonly diagnostic: {
    readonly code: string;
    readonly severity: Severity;
    readonly message: string;
    readonly span: Span;
  };
}

// ---------------------------------------------------------------- shared memory

export interface SharedAccess extends Span {
  /** From 1. */
  readonly line: number;
  readonly kind: "read" | "write" | "atomic" | "wait";
  /** The variable; of a barrier null, except for what `workgroupUniformLoad` reads. */
  readonly variable: string | null;
  readonly space: "workgroup" | "storage" | null;
  /** Of atomic accesses and barriers: the builtin function. */
  readonly call: string | null;
}

/** A stretch of a function between barriers, whole lines. */
export interface PhaseRegion extends Span {
  readonly function: string;
  /** From 1, both included. */
  readonly startLine: number;
  readonly endLine: number;
  /** Barriers before it in the text of its function: of any kind, and of those that order each memory. */
  readonly phase: number;
  readonly workgroupPhase: number;
  readonly storagePhase: number;
  /** The phase at the head of the loop that its end leads back to; null: it does not. */
  readonly backTo: number | null;
}

export interface SharedMemory {
  readonly accesses: readonly SharedAccess[];
  /** Of functions that wait somewhere. */
  readonly regions: readonly PhaseRegion[];
}

/** Statements that not all invocations of the workgroup reach together. */
export interface NonUniformRange extends Span {
  readonly function: string;
  readonly reason: string;
  /** From the statement at which invocations part to the value that differs. */
  readonly notes: readonly Note[];
}

/** All services, as `halay/ide` exports them. */
export interface Services {
  /** The tokens of any text, in order. Quick enough for every key: of the analysis only names are needed. */
  highlight(text: string): readonly Token[];
  hover(program: Program, offset: number): Hover | null;
  definition(program: Program, offset: number): Definition | null;
  /** All places that name the same, in the order of the text. */
  references(program: Program, offset: number): readonly Reference[];
  rename(program: Program, offset: number, name: string): Rename;
  documentSymbols(program: Program): readonly DocumentSymbol[];
  foldingRanges(program: Program): readonly FoldingRange[];
  inlayHints(program: Program): readonly InlayHint[];
  completions(program: Program, offset: number): Completions;
  signatureHelp(program: Program, offset: number): SignatureHelp | null;
  /** Fixes of what was found in the range. */
  codeActions(program: Program, range: Span): readonly CodeAction[];
  /** What one diagnostic offers, or one finding of `sanitize`, and what its notes amount to. */
  fixesOf(program: Program, found: Diagnostic): readonly Fix[];
  /** By the way that an entry point takes through the functions; left out: all entry points, and functions that none calls. */
  sharedMemory(program: Program, entry?: string): SharedMemory;
  /** Where not all invocations of a workgroup go together; nothing for a program with errors. */
  uniformity(program: Program): readonly NonUniformRange[];
}
