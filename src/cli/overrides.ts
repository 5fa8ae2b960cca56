/** Values of overrides from the command line, and whether pipelines can be made with them. */
import { byPipelineKey, checkPipeline, type OverrideValues } from "../analysis/overrides.ts";
import type { Program } from "../analysis/program.ts";
import type { PlacedDiagnostic } from "../diagnostics/diagnostic.ts";
import { nearestName } from "../text/nearest.ts";
import { UsageError } from "./io.ts";

/** The value of `--override NAME=VALUE`: a number or a truth value. */
export function overrideValue(name: string, text: string): number | boolean {
  if (text === "true" || text === "false") return text === "true";
  const value = Number(text);
  if (text.trim() === "" || Number.isNaN(value)) {
    throw new UsageError(`--override ${name}=${text}: expected a number, true or false`);
  }
  return value;
}

/** @throws UsageError for a name that no override has */
export function overridesOf(program: Program, given: Readonly<Record<string, string>>): OverrideValues {
  for (const name of Object.keys(given)) {
    const known = program.overrides.map((each) => each.name);
    if (known.includes(name) || program.overrides.some((each) => String(each.pipelineId) === name)) continue;
    const near = nearestName(name, known);
    const hint =
      near === null ? `the shader has ${known.length === 0 ? "none" : known.join(", ")}` : `did you mean ‘${near}’?`;
    throw new UsageError(`there is no override ‘${name}’; ${hint}`);
  }
  return Object.fromEntries(Object.entries(given).map(([name, text]) => [name, overrideValue(name, text)]));
}

/** Why no pipeline can be made with these values. */
export function pipelineProblems(program: Program, overrides: OverrideValues): readonly PlacedDiagnostic[] {
  const given = byPipelineKey(program, overrides);
  const all = program.entryPoints.flatMap((entry) => checkPipeline(program, entry, given));
  const wrong = all.filter(({ severity }) => severity === "error");
  const distinct = new Map(wrong.map((item) => [`${item.code} ${item.span.start}`, item]));
  return [...distinct.values()].map((item) => ({ ...item, source: program.source }));
}
