/** From the text of a launch file to a launch. */
import type { PlacedDiagnostic } from "../diagnostics/diagnostic.ts";
import { Source } from "../text/source.ts";
import { jsonProblem } from "./json-syntax.ts";
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
  const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
  for (const { path, code, args, onKey } of checkSchema(value, LAUNCH_SCHEMA)) {
    report.atLaunch(path, code, args as never, {}, onKey);
  }
  if (!report.hasErrors)
    for (const [name, other] of conflicts(value as Launch)) {
      report.atLaunch([other], "launch-conflict", { name, other }, {}, true);
    }
  return { launch: report.hasErrors ? null : (value as Launch), source, diagnostics: report.items };
}

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
