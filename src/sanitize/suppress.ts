/**
 * What silences a finding: a comment `// halay-allow-next-line CODE -- reason` above one of its places, a filter of WGSL
 * (`@diagnostic(off, halay.race_storage)`) around its place, or a baseline.
 */
import type { Program } from "../analysis/program.ts";
import { type Allowances, allowancesIn } from "../diagnostics/allowances.ts";
import { CATALOGUE } from "../diagnostics/catalogue.ts";
import type { PlacedDiagnostic } from "../diagnostics/diagnostic.ts";
import { applyFilters, filteredSeverity, triggeringRule } from "../diagnostics/filter.ts";
import { diagnosticsToJson } from "../diagnostics/print-json.ts";
import { onceFor } from "../text/once.ts";
import type { Source } from "../text/source.ts";
import type { Finding } from "./finding.ts";
import type { FindingPlace } from "./fold.ts";

/** What the source leaves of a finding: null where it silences it, another severity where a filter says so. */
export type LeftBySource = (finding: Finding) => Finding | null;

/** `programOf` gives null for texts that are no shader. */
export function leftBySource(programOf: (source: Source) => Program | null): LeftBySource {
  return (finding) => {
    const program = programOf(finding.source);
    if (program === null) return finding;
    if (isAllowed(finding, allowancesOf(program))) return null;
    const [left = null] = applyFilters([finding], program.diagnosticFilters) as readonly Finding[];
    return left;
  };
}

const allowancesOf = onceFor((program: Program): Allowances => allowancesIn(program.source, program.module.comments));

/** Whether the source would leave a finding at some places an error. */
export function isLeftAsError(program: Program, place: Omit<FindingPlace, "resource">): boolean {
  if (isAllowed(place, allowancesOf(program))) return false;
  const { severity } = CATALOGUE[place.code];
  const rule = triggeringRule(place.code)!;
  return filteredSeverity(program.diagnosticFilters, rule, place.span.start, severity) === "error";
}

/** What is wrong with the marks of a program that were meant to silence something. */
export function wrongMarks(program: Program): readonly PlacedDiagnostic[] {
  const { source, diagnosticFilters } = program;
  return applyFilters(allowancesOf(program).diagnostics, diagnosticFilters).map((item) => ({ ...item, source }));
}

/** What is left, and how many were silenced. */
export function silence(
  findings: readonly Finding[],
  left: LeftBySource,
  baseline: ReadonlySet<string>,
): { readonly findings: readonly Finding[]; readonly suppressed: number } {
  const prints = baseline.size === 0 ? [] : diagnosticsToJson(findings).map(({ fingerprint }) => fingerprint);
  const told = findings.flatMap((finding, i) => (baseline.has(prints[i]) ? [] : (left(finding) ?? [])));
  return { findings: told, suppressed: findings.length - told.length };
}

/** One allowed place of a finding is enough: its code has to be named there. */
function isAllowed(
  { code, span, source, accesses }: Omit<FindingPlace, "resource">,
  { codesByLine }: Allowances,
): boolean {
  const spans = [span, ...accesses.map((access) => access.span)];
  return spans.some(({ start }) => codesByLine.get(source.position(start).line)?.has(code) === true);
}

/** Fingerprints in a report of an earlier run, wherever they stand in it. */
export function baselineOf(json: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const part of value) visit(part);
    else if (typeof value === "object" && value !== null) {
      for (const [key, part] of Object.entries(value)) {
        if (key === "fingerprint" && typeof part === "string") found.add(part);
        else visit(part);
      }
    }
  };
  visit(json);
  return found;
}
