/** Diagnostics for people: message, place, the lines with marks, second places, ways out, the section of the specification. */
import { applyEdits } from "../text/edit.ts";
import { isSameSpan, type Source } from "../text/source.ts";
import { FINDING_NOTES } from "./catalogue-findings.ts";
import type { Diagnostic, Fix, Note, PlacedDiagnostic } from "./diagnostic.ts";
import { specAddress } from "./print.ts";
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

/** A line that a fix makes longer than this is not shown as a whole. */
const LONGEST_FIX = 8;

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
  for (const fix of diagnostic.fixes) {
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

/** The lines as the fix would leave them. */
function suggestedLines(fix: Fix, source: Source, { paint, gutter }: FrameOptions): string[] {
  if (fix.edits.length === 0) return [];
  const first = source.position(Math.min(...fix.edits.map((edit) => edit.span.start))).line;
  const last = source.position(Math.max(...fix.edits.map((edit) => edit.span.end))).line;
  const start = source.lineStarts[first - 1];
  const end = source.lineStarts[last] ?? source.text.length;
  if (end - start > 2000) return [];
  const moved = fix.edits.map(({ span, text }) => ({
    span: { start: span.start - start, end: span.end - start },
    text,
  }));
  const lines = applyEdits(source.text.slice(start, end), moved)
    .replace(/\r?\n$/, "")
    .split(/\r?\n/);
  const rows = lines.slice(0, LONGEST_FIX).map((text, i) => {
    const number = String(first + i).padStart(gutter);
    return `${paint("frame", number)} ${paint("added", `+ ${printable(text.replaceAll("\t", "    "))}`)}`;
  });
  return lines.length > LONGEST_FIX ? [...rows, paint("frame", `${" ".repeat(gutter)} ⋮`)] : rows;
}
