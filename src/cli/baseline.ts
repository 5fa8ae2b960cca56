/** Baselines: earlier reports, of which nothing is told once more. */

import { type PlacedDiagnostic, textOfValue } from "../diagnostics/diagnostic.ts";
import { triggeringRule } from "../diagnostics/filter.ts";
import { diagnosticsToJson } from "../diagnostics/print-json.ts";
import { jsonProblem, jsonValue } from "../launch/json-syntax.ts";
import { baselineOf } from "../sanitize/suppress.ts";
import { type Io, UsageError } from "./io.ts";
import { readTextFile } from "./read-text.ts";

/** Fingerprints of what a report holds. @throws UsageError where it cannot be read */
export function readBaseline(file: string, io: Io): ReadonlySet<string> {
  const fail = (reason: string): never => {
    throw new UsageError(`the baseline ‘${file}’ cannot be read: ${reason}; --format json writes one`);
  };
  const { text, problem } = readTextFile(file, io.cwd);
  if (text === null) return fail(textOfValue(problem.args.reason));
  if (jsonProblem(text) !== null) return fail("it is no JSON");
  const report = jsonValue(text);
  const isReport = Array.isArray((report as { results?: unknown } | null)?.results);
  return isReport ? baselineOf(report) : fail("it is no report");
}

/** What a baseline does not hold, and what nothing silences: errors of the language. */
export function notIn(
  baseline: ReadonlySet<string>,
  diagnostics: readonly PlacedDiagnostic[],
): readonly PlacedDiagnostic[] {
  const prints = diagnosticsToJson(diagnostics).map(({ fingerprint }) => fingerprint);
  return diagnostics.filter(({ code }, i) => !baseline.has(prints[i]) || triggeringRule(code) === null);
}
