/** What a run did, for people: the dispatches, the choices made, each buffer, the comparisons, the traces. */

import type { TerminalCode, Words } from "../diagnostics/words.ts";
import type { DispatchNote } from "../engine/dispatch.ts";
import type {
  Comparison,
  Dispatch,
  InvocationId,
  ReadBuffer,
  RunResult,
  Trace,
  TraceEvent,
} from "../launch/results.ts";
import type { ViewValue } from "../layout/view.ts";
import type { Replay } from "../sanitize/finding.ts";
import { typeName } from "../types/type.ts";
import { numbersIn, plot } from "./plot.ts";
import { bufferText } from "./print-buffer.ts";
import type { Look } from "./report.ts";
import { table } from "./table.ts";

export interface RunTextOptions {
  /** Names of buffers, as read, that are shown as a chart too. */
  readonly plot: readonly string[];
  /** The device that was emulated. */
  readonly emulated: string | null;
  /** The order in which it was run, where that was asked for. */
  readonly schedule: AskedSchedule;
}

/** As the options have it. */
export interface AskedSchedule {
  readonly schedule?: Replay["schedule"];
  readonly seed?: number;
  readonly weakFail?: number;
}

/** Events of a trace that are shown; of more the first and the last. */
const MOST_EVENTS = 40;
const TAIL_EVENTS = 8;

/** Rows of dispatches that are shown. */
const MOST_DISPATCHES = 12;

export function printRun(result: RunResult, options: RunTextOptions, look: Look): string {
  const { paint } = look;
  const parts = [
    `${paint("strong", result.path)}\n`,
    dispatchLines(result.dispatches, look),
    ...choiceLines(result, options, look),
  ];
  for (const [name, buffer] of Object.entries(result.buffers))
    parts.push(`\n${bufferBlock(name, buffer, options, look)}`);
  for (const trace of result.traces) parts.push(`\n${traceBlock(trace, result, look)}`);
  if (result.comparisons.length > 0) parts.push("\n");
  for (const comparison of result.comparisons) parts.push(comparisonLines(comparison, look));
  return `${parts.join("")}\n`;
}

/** One line for a run that went as expected. */
export function briefRun(result: RunResult, { emulated }: RunTextOptions, { paint, words }: Look): string {
  const { path, comparisons, dispatches } = result;
  const milliseconds = dispatches.reduce((sum, dispatch) => sum + dispatch.milliseconds, 0);
  const what = comparisons.map(({ name }) => name).join(", ");
  const how = emulated === null ? "" : ` (${emulated})`;
  return `${paint("good", "✓")} ${path}${how}  ${paint("faint", `${words.say("as-expected", { what })}, ${timeText(milliseconds)}`)}\n`;
}

// ---------------------------------------------------------------- what was run

function dispatchLines(dispatches: readonly Dispatch[], { paint, words }: Look): string {
  const runs: { first: Dispatch; count: number; milliseconds: number }[] = [];
  for (const dispatch of dispatches) {
    const last = runs.at(-1);
    if (last !== undefined && isSame(last.first, dispatch)) {
      last.count++;
      last.milliseconds += dispatch.milliseconds;
    } else runs.push({ first: dispatch, count: 1, milliseconds: dispatch.milliseconds });
  }
  const rows = runs.slice(0, MOST_DISPATCHES).map(({ first, count, milliseconds }) => {
    const groups = first.workgroups.filter(
      (size, axis) => axis === 0 || first.workgroups.slice(axis).some((n) => n !== 1),
    );
    const amount = first.workgroups.reduce((product, size) => product * size, 1);
    const shape = groups.length > 1 ? ` (${groups.join(" × ")})` : "";
    const times = count > 1 ? `  ${words.say("times-run", { count: words.number(count) })}` : "";
    const size = `${words.count("workgroup", amount)}${shape}, ${words.count("invocation", first.invocations)}`;
    return [first.entry, `${size}${times}`, timeText(milliseconds)];
  });
  const hidden = runs.length - rows.length;
  const more = hidden > 0 ? `  ${paint("faint", words.count("more-dispatch", hidden))}\n` : "";
  return table(rows, ["left", "left", "right"]) + more;
}

function isSame(a: Dispatch, b: Dispatch): boolean {
  return a.entry === b.entry && a.workgroups.every((size, axis) => size === b.workgroups[axis]);
}

export function timeText(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${milliseconds >= 10 ? Math.round(milliseconds) : milliseconds.toFixed(1)} ms`;
}

/** What nobody has asked for, and may wonder about. */
const ENGINE_NOTES = {
  "no-shared-memory": "on-one-worker",
  "grid-too-large": "grid-too-large",
  "misaligned-binding": "misaligned-binding",
  "polls-workgroup": "polls-workgroup",
  "binding-too-small": "binding-too-small",
  unsupported: "unsupported",
} as const satisfies Partial<Readonly<Record<DispatchNote, TerminalCode>>>;

/** What halay chose because nobody said it: one text or none. */
function chosenTexts({ defaults }: RunResult, words: Words): readonly string[] {
  const choices = defaults.map(({ kind, name, value }) => {
    if (kind === "buffer") return `${name} = ${value}`;
    return kind === "entry" ? words.say("entry-point", { name: value }) : words.say("workgroups-are", { value });
  });
  return choices.length === 0 ? [] : [words.say("chosen", { choices: choices.join(", ") })];
}

/** The same as a line, where sizes or contents are among it: what is found, and what is not, hangs on them. */
export function chosenLine(result: RunResult, { paint, words }: Look): string {
  if (result.defaults.every(({ kind }) => kind === "entry")) return "";
  return chosenTexts(result, words)
    .map((text) => `  ${paint("faint", text)}\n`)
    .join("");
}

/** Says what halay chose because nobody said it, and what was asked for beyond the launch. */
function choiceLines(result: RunResult, { emulated, schedule }: RunTextOptions, { paint, words }: Look): string[] {
  const order = scheduleText(schedule, words);
  const lines = [
    ...chosenTexts(result, words),
    ...(order === "" ? [] : [order]),
    ...(emulated === null ? [] : [words.say("emulating", { device: emulated })]),
    ...result.notes.flatMap((note) => (note in ENGINE_NOTES ? [words.say(ENGINE_NOTES[note as "unsupported"])] : [])),
  ];
  return lines.map((line) => `  ${paint("faint", line)}\n`);
}

/** How it was run, where that was asked for. */
export function scheduleText({ schedule, seed = 1, weakFail = 0 }: AskedSchedule, words: Words): string {
  const parts = [
    ...(schedule === undefined
      ? []
      : [schedule === "random" ? words.say("schedule-random", { seed }) : words.say("schedule-is", { schedule })]),
    ...(weakFail > 0 ? [words.say("exchange-fails", { rate: weakFail, seed })] : []),
  ];
  return parts.join(", ");
}

// ---------------------------------------------------------------- buffers

function bufferBlock(name: string, buffer: ReadBuffer, options: RunTextOptions, look: Look): string {
  const { paint } = look;
  const { inline, lines } = bufferText(buffer.view, { ...look, width: look.width - 2 }, buffer.from);
  const type = paint("faint", typeName(buffer.layout.type));
  const head = inline === null ? `${paint("strong", name)}  ${type}` : `${paint("strong", name)}  ${inline}  ${type}`;
  const chart = options.plot.includes(name) ? ["", ...chartOf(buffer, look)] : [];
  return [head, ...[...lines, ...chart].map((line) => (line === "" ? "" : `  ${line}`))]
    .map((line) => `${line}\n`)
    .join("");
}

function chartOf(buffer: ReadBuffer, look: Look): readonly string[] {
  return plot(numbersIn(buffer.values), { ...look, width: look.width - 2 });
}

/** Charts of some buffers alone. */
export function plots({ buffers }: Pick<RunResult, "buffers">, names: readonly string[], look: Look): string {
  const lines = names.flatMap((name) => {
    const buffer = buffers[name];
    if (buffer === undefined) return [];
    const head = `${look.paint("strong", name)}  ${look.paint("faint", typeName(buffer.layout.type))}`;
    return ["", head, ...chartOf(buffer, look).map((line) => `  ${line}`)];
  });
  return lines.map((line) => `${line}\n`).join("");
}

// ---------------------------------------------------------------- comparisons

export function comparisonLines(comparison: Comparison, { paint, words }: Pick<Look, "paint" | "words">): string {
  const { name, ok, count, compared, maxUlp, first } = comparison;
  const ulps = maxUlp > 0 ? `, ${words.say("ulps-apart", { count: words.number(maxUlp) })}` : "";
  const values = words.count("value", compared);
  if (ok) return `${paint("good", "✓")} ${name}: ${words.say("as-expected", { what: values })}${ulps}\n`;
  const several = count === 1 ? words.say("one-differs", { values }) : null;
  const differ =
    compared === 1
      ? words.say("value-differs")
      : (several ?? words.say("several-differ", { count: words.number(count), values }));
  const head = `${paint("bad", "✗")} ${name}: ${differ}${ulps}\n`;
  if (first === null) return head;
  const expected = paint("good", plainValue(first.expected));
  const found = paint("bad", plainValue(first.actual));
  const where = `  ${first.path}  ${words.say("expected-found", { expected, found })}\n`;
  const writer = first.writtenBy;
  if (writer === null) return head + where;
  const place = `${writer.path}:${writer.start.line}:${writer.start.column}`;
  return `${head}${where}  ${words.say("last-written", { who: invocationText(writer.invocation, words), place })}\n`;
}

/** The comparisons that do not hold. */
export function differences({ comparisons }: Pick<RunResult, "comparisons">, look: Look): string {
  return comparisons.flatMap((each) => (each.ok ? [] : [comparisonLines(each, look)])).join("");
}

function plainValue(value: ViewValue): string {
  const text = typeof value === "string" ? value : Object.is(value, -0) ? "-0" : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

function invocationText({ global, workgroup }: InvocationId, words: Words): string {
  return words.say("invocation-of", { invocation: tripleText(global), workgroup: tripleText(workgroup) });
}

/** A position in a dispatch: one number where it has one dimension. */
function tripleText([x, y, z]: InvocationId["global"]): string {
  return y === 0 && z === 0 ? String(x) : `(${x}, ${y}, ${z})`;
}

// ---------------------------------------------------------------- traces

function traceBlock(trace: Trace, result: RunResult, { paint, words }: Look): string {
  const { path, events, count } = trace;
  const head = `${paint("strong", words.say("trace-of", { path }))}  ${paint("faint", words.count("access", count))}\n`;
  if (events.length === 0) return head;
  const several = result.dispatches.length > 1;
  const cells = new Set(events.map(({ cell }) => cell)).size > 1;
  const files = new Set(events.map((event) => event.path)).size > 1;
  const titles = [
    ...(several ? (["title-dispatch"] as const) : []),
    "title-invocation",
    "title-workgroup",
    "title-line",
    "title-access",
    ...(cells ? (["title-cell"] as const) : []),
    "title-value",
  ] as const;
  const row = (event: TraceEvent): string[] => [
    ...(several ? [String(event.dispatch)] : []),
    tripleText(event.invocation.global),
    tripleText(event.invocation.workgroup),
    files ? `${event.path}:${event.start.line}` : String(event.start.line),
    event.atomic ?? event.kind,
    ...(cells ? [event.cell] : []),
    changeText(event),
  ];
  const aligns = titles.map(
    (title) => (/^title-(?:access|cell|value)$/.test(title) ? "left" : "right") as "left" | "right",
  );
  const isShort = events.length <= MOST_EVENTS;
  const shown = isShort ? events : [...events.slice(0, MOST_EVENTS - TAIL_EVENTS), ...events.slice(-TAIL_EVENTS)];
  const lines = table([titles.map((title) => words.say(title)), ...shown.map(row)], aligns)
    .split("\n")
    .slice(0, -1);
  lines[0] = paint("faint", lines[0]);
  if (!isShort) {
    lines.splice(
      1 + MOST_EVENTS - TAIL_EVENTS,
      0,
      `  ${paint("faint", `⋮ ${words.say("some-more", { count: words.number(events.length - MOST_EVENTS) })}`)}`,
    );
  }
  return `${head}${lines.join("\n")}\n`;
}

function changeText({ kind, before, after }: TraceEvent): string {
  if (kind === "read" || kind === "atomic-read") return plainValue(before);
  return `${plainValue(before)} → ${plainValue(after)}`;
}
