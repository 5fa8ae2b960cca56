import type { Edit } from "../text/edit.ts";
import type { Source, Span } from "../text/source.ts";
import {
  CATALOGUE,
  type DiagnosticCode,
  FIXES,
  type FixCode,
  NOTES,
  type NoteCode,
  type PHRASES,
  type PhraseCode,
  type WordsCode,
  wordsOf,
} from "./catalogue.ts";

export type Severity = "error" | "warning" | "info";

/** A value that is words itself goes by its code, so that it can be said in another language. */
export interface Phrase {
  readonly phrase: WordsCode;
  readonly args: MessageArgs;
}

export type MessageValue = string | number | Phrase;

/** Values that a message names; kept beside the text so that it can be said in another language. */
export type MessageArgs = { readonly [Name in string]: MessageValue };

export interface Note {
  readonly code: NoteCode;
  readonly message: string;
  readonly args: MessageArgs;
  readonly span: Span;
}

export interface Fix {
  readonly code: FixCode;
  readonly title: string;
  readonly args: MessageArgs;
  readonly edits: readonly Edit[];
}

/** One message about one place: plain data, the same from lexer to sanitizer. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly message: string;
  readonly args: MessageArgs;
  readonly span: Span;
  readonly notes: readonly Note[];
  /** Section anchor of the WGSL specification, or null for what is beyond it. */
  readonly spec: string | null;
  readonly fixes: readonly Fix[];
}

/** A diagnostic with the text that its places are in. */
export interface PlacedDiagnostic extends Diagnostic {
  readonly source: Source;
}

/** The names in braces of a message template: `ArgNames<"{a} and {b}">` is `"a" | "b"`. */
type ArgNames<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ArgNames<Rest>
  : never;

export type ArgsOf<Text extends string> = { readonly [Name in ArgNames<Text>]: MessageValue };

export type DiagnosticArgs<Code extends DiagnosticCode> = ArgsOf<(typeof CATALOGUE)[Code]["text"]>;
export type NoteArgs<Code extends NoteCode> = ArgsOf<(typeof NOTES)[Code]>;
export type FixArgs<Code extends FixCode> = ArgsOf<(typeof FIXES)[Code]>;
type PhraseArgs<Code extends PhraseCode> = ArgsOf<(typeof PHRASES)[Code]>;

export interface DiagnosticExtras {
  readonly severity?: Severity;
  readonly notes?: readonly Note[];
  readonly fixes?: readonly Fix[];
  /** Overrides the catalogue's anchor where one code serves several rules. */
  readonly spec?: string;
}

export function diagnostic<Code extends DiagnosticCode>(
  code: Code,
  span: Span,
  args: DiagnosticArgs<Code>,
  extras: DiagnosticExtras = {},
): Diagnostic {
  const entry = CATALOGUE[code];
  return {
    code,
    severity: extras.severity ?? entry.severity,
    message: fillTemplate(entry.text, args),
    args,
    span,
    notes: extras.notes ?? [],
    spec: extras.spec ?? entry.spec,
    fixes: extras.fixes ?? [],
  };
}

export function note<Code extends NoteCode>(code: Code, span: Span, args: NoteArgs<Code>): Note {
  return { code, message: fillTemplate(NOTES[code], args), args, span };
}

export function fix<Code extends FixCode>(code: Code, args: FixArgs<Code>, edits: readonly Edit[]): Fix {
  return { code, title: fillTemplate(FIXES[code], args), args, edits };
}

/** The text takes the place of what stands there. */
export function replacement(place: Span, text: string): Fix {
  return fix("replace-with", { text }, [{ span: place, text }]);
}

/** `padded`: the text with the blanks that it needs where it is put in. */
export function insertion(offset: number, text: string, padded = text): Fix {
  return fix("insert", { text }, [{ span: { start: offset, end: offset }, text: padded }]);
}

/** `text`: what goes, without the blanks that go with it. */
export function removal(place: Span, text: string): Fix {
  return fix("remove", { text }, [{ span: place, text: "" }]);
}

/** A name that may have been meant takes the place of the one that is not known: of each note that names one. */
export function renamings({ notes }: Pick<Diagnostic, "notes">): readonly Fix[] {
  return notes.flatMap(({ code, args, span }) =>
    // The name of an attribute goes without its `@`.
    code === "did-you-mean" ? [replacement(span, String(args.name).replace(/^@/, ""))] : [],
  );
}

/** What a diagnostic says, as a value of another one. */
export function saidBy({ code, args }: Pick<Diagnostic, "code" | "args">): Phrase {
  return { phrase: code, args };
}

/** Takes no second argument where the phrase names no values. */
export function phrase<Code extends PhraseCode>(
  code: Code,
  ...[args]: keyof PhraseArgs<Code> extends never ? [] : [PhraseArgs<Code>]
): Phrase {
  return { phrase: code, args: args ?? {} };
}

/** A template with its values in place; `phrases` are those of the language that the template is in. */
export function fillTemplate(text: string, args: MessageArgs, words: (code: WordsCode) => string = wordsOf): string {
  let filled = "";
  let end = 0;
  for (;;) {
    const start = text.indexOf("{", end);
    const close = start < 0 ? -1 : text.indexOf("}", start);
    if (close < 0) return filled + text.slice(end);
    const name = text.slice(start + 1, close);
    filled += text.slice(end, start) + (name in args ? valueText(args[name], words) : `{${name}}`);
    end = close + 1;
  }
}

/** A value as an English message has it. */
export function textOfValue(value: MessageValue): string {
  return valueText(value, wordsOf);
}

/** A name of megabytes is whole in `args`; nobody reads it in a message. */
const LONGEST_VALUE = 4000;

function valueText(value: MessageValue, words: (code: WordsCode) => string): string {
  if (typeof value === "object") return fillTemplate(words(value.phrase), value.args, words);
  const text = String(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

const SEVERITY_ORDER: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

/** Order of reports: by place, then severity, then code. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return (
    a.span.start - b.span.start ||
    a.span.end - b.span.end ||
    SEVERITY_ORDER[a.severity] - SEVERITY_ORDER[b.severity] ||
    (a.code < b.code ? -1 : a.code > b.code ? 1 : 0)
  );
}

/** Whether a severity is another one, or graver. */
export function isAtLeast(severity: Severity, least: Severity): boolean {
  return SEVERITY_ORDER[severity] <= SEVERITY_ORDER[least];
}

export function hasErrors(items: readonly Pick<Diagnostic, "severity">[]): boolean {
  return items.some(({ severity }) => severity === "error");
}

/** For people: errors before warnings before hints, otherwise as they stood. */
export function gravestFirst<T extends Diagnostic>(items: readonly T[]): readonly T[] {
  return [...items].sort((a, b) => SEVERITY_ORDER[a.severity] - SEVERITY_ORDER[b.severity]);
}

/** So many of one code and severity are told in one text; of the rest, how many they are. */
export const MOST_ALIKE = 200;

/**
 * Collects diagnostics in one pass; the same code at the same place is kept once. What is wrong a million times is kept
 * `MOST_ALIKE` times, and counted.
 */
export class DiagnosticList {
  readonly #items: Diagnostic[] = [];
  #seen: Set<string> | null = null;
  readonly #counts = new Map<string, number>();

  report<Code extends DiagnosticCode>(
    code: Code,
    span: Span,
    args: DiagnosticArgs<Code>,
    extras: DiagnosticExtras = {},
  ): void {
    if (this.#has(code, extras.severity ?? CATALOGUE[code].severity, span)) return;
    this.#items.push(diagnostic(code, span, args, extras));
  }

  add(item: Diagnostic): void {
    if (!this.#has(item.code, item.severity, item.span)) this.#items.push(item);
  }

  /** Whether nothing new is told by a diagnostic; if something is, it has to be kept. */
  #has(code: DiagnosticCode, severity: Severity, span: Span): boolean {
    const kind = `${severity} ${code}`;
    const count = this.#counts.get(kind) ?? 0;
    if (count < MOST_ALIKE) {
      const key = `${code}:${span.start}:${span.end}`;
      this.#seen ??= new Set();
      if (this.#seen.has(key)) return true;
      this.#seen.add(key);
    }
    this.#counts.set(kind, count + 1);
    return count >= MOST_ALIKE;
  }

  get hasErrors(): boolean {
    return hasErrors(this.#items);
  }

  /** All, in the order of reports. */
  sorted(): readonly Diagnostic[] {
    const items = [...this.#items].sort(compareDiagnostics);
    for (const [kind, count] of this.#counts) if (count > MOST_ALIKE) items.push(rest(items, kind, count));
    return items.sort(compareDiagnostics);
  }
}

/** Stands behind the last of those that are told. */
function rest(items: readonly Diagnostic[], kind: string, count: number): Diagnostic {
  const [severity, of] = kind.split(" ") as [Severity, DiagnosticCode];
  const { end } = items.findLast((item) => item.code === of && item.severity === severity)!.span;
  const args = { count: count - MOST_ALIKE, of, limit: MOST_ALIKE };
  return diagnostic("more-of-the-same", { start: end, end }, args, { severity });
}

/** The code that a diagnostic is about: its own, or that of which it says how many more there are. */
export function subjectOf({ code, args }: Diagnostic): DiagnosticCode {
  return code === "more-of-the-same" ? (args.of as DiagnosticCode) : code;
}

/** Lists in the order of reports, as one. */
export function mergeDiagnostics(lists: readonly (readonly Diagnostic[])[]): readonly Diagnostic[] {
  const filled = lists.filter((list) => list.length > 0);
  return filled.length < 2 ? (filled[0] ?? []) : filled.flat().sort(compareDiagnostics);
}
