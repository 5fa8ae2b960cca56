/** Diagnostics for people: message, place, the lines with marks, second places, ways out, the section of the specification. */
import { applyEdits, type Edit } from "../text/edit.ts";
import { isSameSpan, Source } from "../text/source.ts";
import { FINDING_NOTES } from "./catalogue-findings.ts";
import { type Diagnostic, type Fix, type Note, type PlacedDiagnostic, renamings } from "./diagnostic.ts";
import { specAddress, untoldFixes } from "./print.ts";
import { printable } from "./print-columns.ts";
import { type FrameOptions, gutterWidth, type Mark, renderFrame } from "./print-frame.ts";
import { type Paint, plain } from "./print-palette.ts";
import { ENGLISH, type Words } from "./words.ts";

export interface PrettyOptions {
  readonly paint?: Paint;
  /** Columns of the terminal. */
  readonly width?: number;
  /** Of the labels; English if left out. */
  readonly words?: Words;
}

/** Rows of a fix that are shown. */
const LONGEST_FIX = 8;
/** Characters of lines that change together; of more, none are shown. */
const LARGEST_BLOCK = 2000;

export function printPretty(diagnostic: PlacedDiagnostic, options: PrettyOptions = {}): string {
  const paint = options.paint ?? plain;
  const words = options.words ?? ENGLISH;
  const { severity, code, span, source } = diagnostic;
  const hints = diagnostic.notes.filter((note) => isHint(note, diagnostic));
  const places = diagnostic.notes.filter((note) => !isHint(note, diagnostic));
  const gutter = gutterWidth(source, [span, ...places.map((note) => note.span)]);
  const frame: FrameOptions = { paint, width: options.width ?? 100, gutter };
  const { line, column } = source.position(span.start);
  const indent = " ".repeat(gutter);
  const bar = paint("frame", `${indent} │`);
  const marks: Mark[] = [
    { span, text: "", primary: true, style: severity },
    ...places.map((note): Mark => ({ span: note.span, text: printable(note.message), primary: false, style: "note" })),
  ];
  const rows = [
    `${paint(severity, `${severity}[${code}]`)}${paint("strong", `: ${printable(diagnostic.message)}`)}`,
    `${indent}${paint("frame", "-->")} ${printable(source.path)}:${line}:${column}`,
  ];
  const { rows: lines, hidden } = renderFrame(source, source.text === "" ? [] : marks, frame);
  if (lines.length > 0) rows.push(bar, ...lines);
  const before = rows.length;
  const aside = (label: "note" | "hint" | "fix" | "spec", text: string): string =>
    `${indent} ${paint("frame", "=")} ${paint("hint", words.say(label === "spec" ? "spec-label" : label))}: ${text}`;
  for (const { text, span } of hidden) {
    const at = source.position(span.start);
    if (text !== "") rows.push(aside("note", `${text} (${at.line}:${at.column})`));
  }
  for (const note of hints) rows.push(aside(labelOf(note), printable(note.message)));
  // The hint before says the name.
  for (const fix of renamings(diagnostic)) rows.push(...suggestedLines(fix, source, frame));
  for (const fix of untoldFixes(diagnostic)) {
    rows.push(aside("fix", printable(fix.title)), ...suggestedLines(fix, source, frame));
  }
  if (diagnostic.spec !== null) rows.push(aside("spec", specAddress(diagnostic.spec)));
  if (rows.length > before && lines.length > 0) rows.splice(before, 0, bar);
  return `${rows.join("\n")}\n`;
}

/** A note about the place itself says a way out rather than where else to look. */
function isHint(note: Note, diagnostic: Diagnostic): boolean {
  return isSameSpan(note.span, diagnostic.span);
}

/** Of findings, what was seen stands beside what can be done about it. */
function labelOf({ code }: Note): "note" | "hint" {
  return Object.hasOwn(FINDING_NOTES, code) && !code.startsWith("hint-") ? "note" : "hint";
}

/** The lines that the fix changes, as it would leave them and with the numbers that they then have. */
function suggestedLines({ edits }: Fix, source: Source, { paint, gutter }: FrameOptions): string[] {
  const rows: string[] = [];
  const gap = paint("frame", `${" ".repeat(gutter)} ⋮`);
  let added = 0;
  for (const { first, last, edits: own } of blocksOf(edits, source)) {
    const start = source.lineStarts[first - 1];
    const end = source.lineStarts[last] ?? source.text.length;
    if (end - start > LARGEST_BLOCK) return [];
    const moved = own.map(({ span, text }) => ({ span: { start: span.start - start, end: span.end - start }, text }));
    const text = source.text.slice(start, end);
    const [before, after] = [linesOf(text), linesOf(applyEdits(text, moved))];
    const same = commonStart(before, after);
    const tail = commonStart(before.slice(same).reverse(), after.slice(same).reverse());
    if (rows.length > 0) rows.push(gap);
    for (const [i, line] of after.slice(same, after.length - tail).entries()) {
      const number = String(first + added + same + i).padStart(gutter);
      rows.push(`${paint("frame", number)} ${paint("added", `+ ${printable(line.replaceAll("\t", "    "))}`)}`);
    }
    added += after.length - before.length;
  }
  return rows.length > LONGEST_FIX ? [...rows.slice(0, LONGEST_FIX), gap] : rows;
}

interface Block {
  readonly first: number;
  last: number;
  readonly edits: Edit[];
}

/** Edits on the same lines, or on neighbouring ones, together. */
function blocksOf(edits: readonly Edit[], source: Source): readonly Block[] {
  const blocks: Block[] = [];
  for (const edit of [...edits].sort((a, b) => a.span.start - b.span.start)) {
    const first = source.position(edit.span.start).line;
    const last = source.position(edit.span.end).line;
    const block = blocks.at(-1);
    if (block !== undefined && first <= block.last + 1) {
      block.last = last;
      block.edits.push(edit);
    } else blocks.push({ first, last, edits: [edit] });
  }
  return blocks;
}

function linesOf(text: string): readonly string[] {
  const source = new Source(text);
  const lines = source.lineStarts.map((_, i) => source.line(i + 1));
  return lines.length > 1 && lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** How many entries two lists have in common from the start. */
function commonStart(a: readonly string[], b: readonly string[]): number {
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) if (a[i] !== b[i]) return i;
  return end;
}
