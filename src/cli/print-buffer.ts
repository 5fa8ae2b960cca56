/** What a buffer holds, for people: scalars inline, arrays in aligned rows, structures by member; long ones folded. */
import { displayWidth, padColumns } from "../diagnostics/print-columns.ts";
import type { Paint } from "../diagnostics/print-palette.ts";
import type { Layout } from "../layout/layout.ts";
import type { BufferView, ViewValue } from "../layout/view.ts";
import type { Look } from "./report.ts";
import { columnWidths } from "./table.ts";

/** Rows of an array that are shown; of a longer one its head and its tail. */
const MOST_ROWS = 40;
const HEAD_ROWS = 12;
const TAIL_ROWS = 4;

/** Structures that are shown one below the other. */
const MOST_BLOCKS = 8;

/** Cells of one row; a power of two, so that the index of a row is easy to reckon with. */
const MOST_CELLS = 16;

export interface BufferText {
  /** Goes behind the name where it fits on one line, else null. */
  readonly inline: string | null;
  /** Lines below the name. */
  readonly lines: readonly string[];
}

/** `from` is the index of the first element, where only a part was read. */
export function bufferText(view: BufferView, look: Look, from = 0): BufferText {
  return valueText(view, look, from);
}

function valueText(view: BufferView, look: Look, from: number): BufferText {
  const { layout } = view;
  if (layout.type.kind === "array") return arrayText(view, look, from);
  if (layout.members.length > 0) return { inline: null, lines: memberLines(view, look) };
  return { inline: inlineValue(view.read(), layout), lines: [] };
}

function memberLines(view: BufferView, look: Look): string[] {
  const { members } = view.layout;
  const width = Math.max(...members.map(({ name }) => displayWidth(name)));
  return members.flatMap(({ name }) => {
    const inner = { ...look, width: look.width - 2 };
    const { inline, lines } = valueText(view.at(name), inner, 0);
    const head = `${padColumns(name, width)}  ${inline ?? ""}`.trimEnd();
    return [head, ...lines.map((line) => `  ${line}`)];
  });
}

function arrayText(view: BufferView, look: Look, from: number): BufferText {
  const element = view.layout.element as Layout;
  const count = view.layout.count ?? view.elementCount;
  if (count === 0) return { inline: look.paint("faint", look.words.say("no-elements")), lines: [] };
  const whole = element.members.length > 0 ? structRows(view, look, from, count) : cellRows(view, look, from, count);
  const inline = whole.length === 1 && from === 0 && element.members.length === 0 ? whole[0].trimStart() : null;
  return inline !== null && count === 1
    ? { inline: inlineValue(view.read(), view.layout), lines: [] }
    : { inline: null, lines: whole };
}

// ---------------------------------------------------------------- arrays of scalars, vectors, matrices, arrays

function cellRows(view: BufferView, look: Look, from: number, count: number): string[] {
  const element = view.layout.element as Layout;
  const cell = (index: number): string => inlineValue(view.at(index).read(), element);
  const gutter = indexWidth(from + count - 1);
  // How many fit is found with the cells of the longest head that could be shown.
  const sample = Array.from({ length: Math.min(count, HEAD_ROWS * MOST_CELLS) }, (_, i) => cell(i));
  const tail = Array.from({ length: Math.min(count, TAIL_ROWS * MOST_CELLS) }, (_, i) => cell(count - 1 - i));
  const width = Math.max(...[...sample, ...tail].map(displayWidth));
  const perRow = cellsPerRow(width, look.width - gutter - 4, count);
  const rowCount = Math.ceil(count / perRow);
  const row = (index: number): string => {
    const first = index * perRow;
    const cells = Array.from({ length: Math.min(perRow, count - first) }, (_, i) =>
      padColumns(cell(first + i), width, "left"),
    );
    return indexed(from + first, gutter, cells.join("  "), look.paint);
  };
  return foldedRows(rowCount, row, (skipped) => foldLine(view, skipped * perRow, HEAD_ROWS * perRow, gutter, look));
}

function cellsPerRow(width: number, room: number, count: number): number {
  let cells = MOST_CELLS;
  while (cells > 1 && cells * (width + 2) - 2 > room) cells /= 2;
  return Math.min(cells, count);
}

/** Rows by number, the middle ones replaced by one line where there are too many. */
function foldedRows(count: number, row: (index: number) => string, fold: (skipped: number) => string): string[] {
  if (count <= MOST_ROWS) return Array.from({ length: count }, (_, i) => row(i));
  const head = Array.from({ length: HEAD_ROWS }, (_, i) => row(i));
  const tail = Array.from({ length: TAIL_ROWS }, (_, i) => row(count - TAIL_ROWS + i));
  return [...head, fold(count - HEAD_ROWS - TAIL_ROWS), ...tail];
}

function foldLine(view: BufferView, skipped: number, first: number, gutter: number, { paint, words }: Look): string {
  const same = allSame(view, first, skipped)
    ? `, ${words.say("all-of-them", { value: inlineValue(view.at(first).read(), view.layout.element as Layout) })}`
    : "";
  return `${" ".repeat(gutter)} ${paint("frame", "⋮")} ${paint("faint", `${words.say("some-more", { count: words.number(skipped) })}${same}`)}`;
}

/** Whether elements hold the same bytes. */
function allSame(view: BufferView, first: number, count: number): boolean {
  const stride = view.layout.stride as number;
  const { size } = view.layout.element as Layout;
  const { bytes } = view;
  const start = first * stride;
  for (let i = 1; i < count; i++) {
    for (let byte = 0; byte < size; byte++) {
      if (bytes[start + i * stride + byte] !== bytes[start + byte]) return false;
    }
  }
  return true;
}

function indexWidth(last: number): number {
  return String(last).length + 2;
}

function indexed(index: number, gutter: number, text: string, paint: Paint): string {
  return `${paint("frame", `${`[${index}]`.padStart(gutter)} │`)} ${text}`;
}

// ---------------------------------------------------------------- arrays of structures

/** A column of a table of structures: a path of members to something that fits in a cell. */
interface Column {
  readonly title: string;
  readonly path: readonly string[];
  readonly layout: Layout;
}

function structRows(view: BufferView, look: Look, from: number, count: number): string[] {
  const columns = columnsOf(view.layout.element as Layout, []);
  const shown = count <= MOST_ROWS ? count : HEAD_ROWS + TAIL_ROWS;
  const indices = Array.from({ length: shown }, (_, i) =>
    count <= MOST_ROWS || i < HEAD_ROWS ? i : count - shown + i,
  );
  const rows = indices.map((index) =>
    columns.map(({ path, layout }) => inlineValue(view.at(index, ...path).read(), layout)),
  );
  const widths = columnWidths([columns.map(({ title }) => title), ...rows]);
  const gutter = indexWidth(from + count - 1);
  const total = widths.reduce((sum, width) => sum + width + 2, gutter + 2);
  if (total > look.width) return structBlocks(view, look, from, count);
  const line = (cells: readonly string[]): string =>
    cells.map((cell, i) => padColumns(cell, widths[i], "left")).join("  ");
  const lines = rows.map((row, i) => indexed(from + indices[i], gutter, line(row), look.paint));
  const folded =
    count <= MOST_ROWS ? lines : lines.toSpliced(HEAD_ROWS, 0, foldLine(view, count - shown, HEAD_ROWS, gutter, look));
  const header = `${" ".repeat(gutter)} ${look.paint("frame", "│")} ${look.paint("faint", line(columns.map(({ title }) => title)))}`;
  return [header, ...folded];
}

/** Members of a structure, those of structures in it with dots. */
function columnsOf(layout: Layout, path: readonly string[]): Column[] {
  if (layout.members.length === 0) return [{ title: path.join("."), path, layout }];
  return layout.members.flatMap((member) => columnsOf(member.layout, [...path, member.name]));
}

/** Each structure by itself, where a table would be too wide. */
function structBlocks(view: BufferView, look: Look, from: number, count: number): string[] {
  const gutter = indexWidth(from + count - 1);
  const most = count <= MOST_BLOCKS ? count : MOST_BLOCKS / 2;
  const lines: string[] = [];
  for (let i = 0; i < most; i++) {
    const members = memberLines(view.at(i), { ...look, width: look.width - gutter - 3 });
    const bar = `${" ".repeat(gutter)} ${look.paint("frame", "│")}`;
    lines.push(
      ...members.map((line, row) => (row === 0 ? indexed(from + i, gutter, line, look.paint) : `${bar} ${line}`)),
    );
  }
  return most === count ? lines : [...lines, foldLine(view, count - most, most, gutter, look)];
}

// ---------------------------------------------------------------- one value

/** A value on one line: vectors in parentheses, arrays and matrix columns in brackets. */
export function inlineValue(value: ViewValue, layout: Layout): string {
  if (Array.isArray(value)) {
    const parts = value.map((part) => inlineValue(part as ViewValue, layout.element as Layout)).join(", ");
    return layout.type.kind === "vector" ? `(${parts})` : `[${parts}]`;
  }
  if (typeof value === "object") {
    const object = value as Readonly<Record<string, ViewValue>>;
    return `{${layout.members.map((m) => `${m.name}: ${inlineValue(object[m.name], m.layout)}`).join(", ")}}`;
  }
  return Object.is(value, -0) ? "-0" : String(value);
}
