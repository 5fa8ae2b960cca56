/** A small bar chart of numbers, made of Unicode blocks. */
import { displayWidth } from "../diagnostics/print-columns.ts";
import type { ViewValue } from "../layout/view.ts";
import type { Look } from "./report.ts";

const HEIGHT = 8;
const EIGHTHS = " ▁▂▃▄▅▆▇█";

/** The numbers in a value, in their order in memory; what is no finite number counts as 0. */
export function numbersIn(value: ViewValue): number[] {
  const numbers: number[] = [];
  const visit = (part: ViewValue): void => {
    if (Array.isArray(part)) for (const item of part) visit(item as ViewValue);
    else if (typeof part === "object") for (const item of Object.values(part)) visit(item as ViewValue);
    else numbers.push(Number.isFinite(Number(part)) ? Number(part) : 0);
  };
  visit(value);
  return numbers;
}

/** Bars from zero, or from the least value where there are negative ones. More numbers than columns are averaged. */
export function plot(numbers: readonly number[], { paint, width, words }: Look): string[] {
  if (numbers.length === 0) return [paint("faint", words.say("nothing-to-plot"))];
  // Room for the labels first, as the longest number has it.
  const most = Math.max(10, width - 14);
  const bars = numbers.length > most ? averages(numbers, most) : numbers;
  const low = Math.min(0, ...bars);
  const high = Math.max(0, ...bars);
  const labels = [label(high), label(low)];
  const gutter = Math.max(...labels.map(displayWidth));
  const room = Math.max(bars.length, width - gutter - 3);
  const thickness = Math.max(1, Math.min(4, Math.floor(room / bars.length)));
  const scale = high === low ? 0 : (HEIGHT * 8) / (high - low);
  const heights = bars.map((bar) => Math.max(bar > low ? 1 : 0, Math.round((bar - low) * scale)));
  const rows: string[] = [];
  for (let row = HEIGHT - 1; row >= 0; row--) {
    const cells = heights.map((height) => EIGHTHS[Math.max(0, Math.min(8, height - row * 8))].repeat(thickness));
    const text = row === HEIGHT - 1 ? labels[0] : row === 0 ? labels[1] : "";
    rows.push(`${paint("frame", `${text.padStart(gutter)} │`)}${paint("note", cells.join("").trimEnd())}`);
  }
  return [
    ...rows,
    `${paint("frame", `${" ".repeat(gutter)} └`)}${paint("faint", axis(numbers.length, bars.length * thickness))}`,
  ];
}

/** Averages of as many runs of neighbours as there is room for. */
function averages(numbers: readonly number[], room: number): number[] {
  return Array.from({ length: room }, (_, i) => {
    const from = Math.floor((i * numbers.length) / room);
    const to = Math.max(from + 1, Math.floor(((i + 1) * numbers.length) / room));
    return numbers.slice(from, to).reduce((sum, number) => sum + number, 0) / (to - from);
  });
}

function label(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
}

function axis(count: number, columns: number): string {
  const last = String(count - 1);
  return count === 1 ? "0" : `0${last.padStart(Math.max(columns - 1, last.length + 1))}`;
}
