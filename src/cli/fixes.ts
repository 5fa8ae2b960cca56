/** The edits that editors offer, under what the commands say. */
import type { Program } from "../analysis/program.ts";
import type { PlacedDiagnostic } from "../diagnostics/diagnostic.ts";
import type { Plan } from "../launch/plan.ts";
import { type RunResult, resultWith } from "../launch/results.ts";
import type { Finding } from "../sanitize/finding.ts";

/**
 * What is said, with the edits that mend it; of programs alone, so that nothing else is looked at. The first program of a
 * path has the text of the file: another one may have more, which no edit reaches.
 */
export async function withFixes<Item extends PlacedDiagnostic>(
  programs: readonly Program[],
  found: readonly Item[],
): Promise<readonly Item[]> {
  if (found.length === 0) return found;
  const { withFixes: mended } = await import("../ide/actions.ts");
  const known = new Map<Item, Item>();
  for (const program of new Set(programs)) {
    const end = programs.find(({ source }) => source.path === program.source.path)!.source.text.length;
    const own = found.filter(({ source }) => source === program.source);
    for (const [i, item] of mended(program, own).entries()) {
      const fixes = item.fixes.filter(({ edits }) => edits.every(({ span }) => span.end <= end));
      known.set(own[i], { ...item, fixes });
    }
  }
  return found.map((item) => known.get(item) ?? item);
}

/** A result with the edits that mend what is said of its shaders and what was found when they ran. */
export async function resultWithFixes<Result extends RunResult & { readonly findings?: readonly Finding[] }>(
  { programs, steps }: Plan,
  result: Result,
): Promise<Result> {
  const all = [...programs, ...steps.map(({ program }) => program)];
  const diagnostics = await withFixes(all, result.diagnostics);
  const { findings } = result;
  const fields = findings === undefined ? { diagnostics } : { diagnostics, findings: await withFixes(all, findings) };
  return resultWith(result, fields) as unknown as Result;
}
