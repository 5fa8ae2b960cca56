/**
 * Lines of source with marks under them:
 *
 *     3 │   let a = foo(b, c);
 *       │           ^^^ ─  ─ and this
 *       │               │
 *       │               because of this
 */
import type { Source, Span } from "../text/source.ts";
import { type DisplayLine, displayLine, sliceColumns } from "./print-columns.ts";
import type { Paint, Style } from "./print-palette.ts";

export interface Mark {
  readonly span: Span;
  /** Said beside the mark; may be empty. */
  readonly text: string;
  readonly primary: boolean;
  readonly style: Style;
}

export interface FrameOptions {
  readonly paint: Paint;
  /** Columns of the terminal. */
  readonly width: number;
  /** Columns of the line numbers. */
  readonly gutter: number;
}

/** The part of a mark on one line, in columns of the line as shown. */
interface Segment {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly primary: boolean;
  readonly style: Style;
}

/** Units of a line that are looked at around a mark: a line of minified code may have millions. */
const REACH = 2000;

/** At least this many columns are shown of a line, however narrow the terminal. */
const NARROWEST = 30;

export function gutterWidth(source: Source, spans: readonly Span[]): number {
  return Math.max(1, ...spans.map(({ start, end }) => String(lastLineOf(source, { start, end })).length));
}

export interface Frame {
  readonly rows: readonly string[];
  /** Marks on the lines shown, but outside of the part that is shown. */
  readonly hidden: readonly Mark[];
}

export function renderFrame(source: Source, marks: readonly Mark[], options: FrameOptions): Frame {
  const { paint, gutter } = options;
  const hidden: Mark[] = [];
  const byLine = new Map<number, Mark[]>();
  for (const mark of marks) {
    for (const line of linesOf(source, mark.span)) byLine.set(line, [...(byLine.get(line) ?? []), mark]);
  }
  const rows: string[] = [];
  let previous: number | null = null;
  for (const line of [...byLine.keys()].sort((a, b) => a - b)) {
    if (previous !== null && line > previous + 2) rows.push(paint("frame", `${" ".repeat(gutter + 1)}⋮`));
    if (previous !== null && line === previous + 2) rows.push(...renderLine(source, previous + 1, [], options, hidden));
    rows.push(...renderLine(source, line, byLine.get(line) as Mark[], options, hidden));
    previous = line;
  }
  return { rows, hidden };
}

/** Lines of a span that are shown: all of a short one, the first and the last of a long one. */
function linesOf(source: Source, span: Span): readonly number[] {
  const first = source.position(span.start).line;
  const last = lastLineOf(source, span);
  if (last === first) return [first];
  return last - first <= 2 ? Array.from({ length: last - first + 1 }, (_, i) => first + i) : [first, last];
}

/** A span that ends with a line break ends on the line before. */
function lastLineOf(source: Source, { start, end }: Span): number {
  return source.position(end > start ? end - 1 : end).line;
}

function renderLine(
  source: Source,
  number: number,
  marks: readonly Mark[],
  options: FrameOptions,
  hidden: Mark[],
): string[] {
  const { paint, gutter } = options;
  const main = marks.find((mark) => mark.primary) ?? marks[0];
  const part = partOfLine(source, number, main?.span.start ?? 0);
  const shown = displayLine(part.text);
  const segments = marks.map((mark) => segmentOf(source, number, mark, part, shown));
  const cutout = cutoutOf(shown.width, segments.find((s) => s.primary) ?? segments[0], options);
  const bar = (text: string): string => paint("frame", text);
  const blank = bar(`${" ".repeat(gutter)} │`);
  const code = cut(shown, cutout, part);
  const rows = [`${bar(`${String(number).padStart(gutter)} │`)} ${code}`.trimEnd()];
  const seen = segments.filter(({ from, to }, i) => {
    const inside = to > cutout.from && from < cutout.to && isInPart(marks[i], part);
    if (!inside) hidden.push(marks[i]);
    return inside;
  });
  for (const row of markRows(seen, cutout, paint)) rows.push(`${blank} ${row}`);
  return rows;
}

/** The text of a line around an offset, and whether it goes on at either side. */
interface LinePart {
  readonly start: number;
  readonly text: string;
  readonly before: boolean;
  readonly after: boolean;
}

function partOfLine(source: Source, number: number, around: number): LinePart {
  const line = source.line(number);
  const lineStart = source.lineStarts[number - 1];
  if (line.length <= 2 * REACH) return { start: lineStart, text: line, before: false, after: false };
  const middle = Math.max(0, Math.min(around - lineStart, line.length));
  const from = Math.max(0, middle - REACH);
  const text = line.slice(from, middle + REACH);
  return { start: lineStart + from, text, before: from > 0, after: middle + REACH < line.length };
}

function isInPart({ span }: Mark, part: LinePart): boolean {
  return (!part.before || span.end > part.start) && (!part.after || span.start < part.start + part.text.length);
}

function segmentOf(source: Source, number: number, mark: Mark, part: LinePart, shown: DisplayLine): Segment {
  const { span, primary, style } = mark;
  const column = (offset: number): number => {
    const unit = Math.max(0, Math.min(offset - part.start, part.text.length));
    return shown.columns[unit];
  };
  const first = source.position(span.start).line;
  const last = lastLineOf(source, span);
  const indent = part.text.length - part.text.trimStart().length;
  const from = column(number === first ? span.start : part.start + indent);
  const to = number === last ? column(span.end) : shown.width;
  return { from, to: Math.max(to, from + 1), text: number === last ? mark.text : "", primary, style };
}

/** Columns of the line that are shown: all that fit, else those around the main mark. */
interface Cutout {
  readonly from: number;
  readonly to: number;
}

function cutoutOf(width: number, main: Segment | undefined, options: FrameOptions): Cutout {
  const room = Math.max(NARROWEST, options.width - options.gutter - 3);
  const wanted = (main?.from ?? 0) - Math.floor(room / 3);
  // One column is left after the end of the line: errors at the end of the text point there.
  const from = Math.max(0, Math.min(wanted, width + 1 - room));
  return { from, to: from + room };
}

/** What stands in the cutout, with an ellipsis where the line goes on. */
function cut(shown: DisplayLine, cutout: Cutout, part: LinePart): string {
  const before = cutout.from > 0 || part.before;
  const after = cutout.to < shown.width || part.after;
  const text = sliceColumns(shown.text, cutout.from + (before ? 1 : 0), cutout.to - (after ? 1 : 0));
  return `${before ? "…" : ""}${text}${after ? "…" : ""}`;
}

function markRows(segments: readonly Segment[], cutout: Cutout, paint: Paint): string[] {
  if (segments.length === 0) return [];
  const clipped = segments.map((segment) => clip(segment, cutout));
  const labelled = clipped.filter((s) => s.text !== "").sort((a, b) => b.from - a.from || b.to - a.to);
  const end = Math.max(...clipped.map((s) => s.to));
  const beside = labelled[0] !== undefined && labelled[0].to === end ? labelled[0] : null;
  const hanging = beside === null ? labelled : labelled.slice(1);
  const first = underline(clipped, paint) + (beside === null ? "" : ` ${paint(beside.style, beside.text)}`);
  const rows = [first];
  if (hanging.length > 0) rows.push(connectors(hanging, paint));
  for (const [i, label] of hanging.entries()) {
    rows.push(connectors(hanging.slice(i + 1), paint, label));
  }
  return rows;
}

function clip(segment: Segment, cutout: Cutout): Segment {
  const inside = (column: number): number => Math.max(0, Math.min(column - cutout.from, cutout.to - cutout.from));
  const from = Math.min(inside(segment.from), cutout.to - cutout.from - 1);
  return { ...segment, from, to: Math.max(inside(segment.to), from + 1) };
}

/** Carets under the main place, lines under the others; the main one wins where they overlap. */
function underline(segments: readonly Segment[], paint: Paint): string {
  const owners: (Segment | null)[] = new Array(Math.max(...segments.map((s) => s.to))).fill(null);
  const longestFirst = segments.toSorted(
    (a, b) => Number(a.primary) - Number(b.primary) || b.to - b.from - a.to + a.from,
  );
  for (const segment of longestFirst) owners.fill(segment, segment.from, segment.to);
  let row = "";
  for (let i = 0; i < owners.length; ) {
    const owner = owners[i];
    let next = i;
    while (next < owners.length && owners[next] === owner) next++;
    const length = next - i;
    row += owner === null ? " ".repeat(length) : paint(owner.style, (owner.primary ? "^" : "─").repeat(length));
    i = next;
  }
  return row;
}

/** Bars under the marks whose texts are still to come, and one text that starts under its mark. */
function connectors(waiting: readonly Segment[], paint: Paint, label?: Segment): string {
  let row = "";
  let column = 0;
  for (const segment of waiting.toReversed()) {
    if (segment.from < column || segment.from === label?.from) continue;
    row += " ".repeat(segment.from - column) + paint(segment.style, "│");
    column = segment.from + 1;
  }
  if (label === undefined) return row;
  const gap = label.from - column;
  return `${row}${gap >= 0 ? " ".repeat(gap) : " "}${paint(label.style, label.text)}`;
}
