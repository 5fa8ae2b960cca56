/** From the text of a launch file to a launch. */
import { note, type PlacedDiagnostic } from "../diagnostics/diagnostic.ts";
import { Source, type Span } from "../text/source.ts";
import { jsonProblem, jsonValue, repeatedKeys } from "./json-syntax.ts";
import type { Launch } from "./launch.ts";
import { LaunchReport } from "./problem.ts";
import { checkSchema, LAUNCH_SCHEMA } from "./schema.ts";

export interface ReadLaunch {
  /** null where the text is no launch. */
  readonly launch: Launch | null;
  readonly source: Source;
  readonly diagnostics: readonly PlacedDiagnostic[];
}

/** Reads a launch file; every fault has its place in the text. Never throws. */
export function readLaunch(text: string, path = "launch.json"): ReadLaunch {
  const source = new Source(text, path);
  const report = new LaunchReport(source);
  const fault = jsonProblem(text);
  if (fault !== null) {
    const { offset, end, expected, found } = fault;
    report.atShader(source, { start: offset, end }, "launch-syntax", { expected, found });
    return { launch: null, source, diagnostics: report.items };
  }
  for (const { name, start, end } of repeatedKeys(text)) {
    report.atShader(source, { start, end }, "launch-repeated-key", { name });
  }
  const value = jsonValue(text);
  for (const { path, code, args, near, onKey } of checkSchema(value, LAUNCH_SCHEMA)) {
    const example = code === "launch-unknown-key" ? asValues(value, path) : null;
    const notesAt = (span: Span) => {
      if (near !== null) return [note("did-you-mean", span, { name: near })];
      return example === null ? [] : [note("values-key", span, { example })];
    };
    report.atLaunch(path, code, args as never, {}, onKey, notesAt);
  }
  if (!report.hasErrors)
    for (const [name, other] of conflicts(value as Launch)) {
      report.atLaunch([other], "launch-conflict", { name, other }, {}, true);
    }
  return { launch: report.hasErrors ? null : (value as Launch), source, diagnostics: report.items };
}

/** The shaders that the text of a launch file names, whatever else is wrong with it; null: it is no JSON. */
export function namedShaders(text: string): readonly string[] | null {
  if (jsonProblem(text) !== null) return null;
  const launch = jsonValue(text) as { readonly shader?: unknown; readonly steps?: unknown } | null;
  const steps: readonly { readonly shader?: unknown }[] = Array.isArray(launch?.steps) ? launch.steps : [];
  const shaders = [launch?.shader, ...steps.map((step) => step?.shader)];
  return shaders.filter((shader) => typeof shader === "string");
}

/** The contents of a buffer as they have to be written, where its members stand beside each other; null: that is not so. */
function asValues(launch: unknown, [map, name, ...rest]: readonly (string | number)[]): string | null {
  if ((map !== "buffers" && map !== "expect") || rest.length !== 1) return null;
  const contents = (launch as Readonly<Record<string, Readonly<Record<string, object>>>>)[map][name];
  const text = JSON.stringify({ values: contents });
  return text.length <= LONGEST_EXAMPLE ? text : '{"values": …}';
}

const LONGEST_EXAMPLE = 60;

/** Pairs of entries of which only one may stand in a launch. */
const EXCLUSIVE: readonly (readonly [keyof Launch, keyof Launch])[] = [
  ["workgroups", "invocations"],
  ["steps", "entry"],
  ["steps", "workgroups"],
  ["steps", "invocations"],
  ["steps", "call"],
  ["call", "entry"],
];

/** Entries of a launch that exclude each other. */
export function conflicts(launch: Launch): readonly (readonly [keyof Launch, keyof Launch])[] {
  return EXCLUSIVE.filter(([a, b]) => launch[a] !== undefined && launch[b] !== undefined);
}
