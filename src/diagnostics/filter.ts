/** Diagnostic filters: `diagnostic(off, rule);` and `@diagnostic(off, rule)`. spec: #diagnostic-filtering */
import type { Span } from "../text/source.ts";
import { CATALOGUE, type DiagnosticCode, FINDING_CODES, isWhole } from "./catalogue.ts";
import { type Diagnostic, type Severity, subjectOf } from "./diagnostic.ts";

export type FilterSeverity = Severity | "off";

export const FILTER_SEVERITIES: readonly string[] = ["error", "warning", "info", "off"] satisfies FilterSeverity[];

/** Ranges nest: of two filters whose ranges both hold a place, the smaller range decides. */
export interface DiagnosticFilter {
  readonly range: Span;
  readonly severity: FilterSeverity;
  /** `derivative_uniformity`, `halay.race_storage`. */
  readonly rule: string;
}

/** spec: #filterable-triggering-rules */
const STANDARD_RULES: Readonly<Record<string, string>> = {
  "derivative-uniformity": "derivative_uniformity",
  "subgroup-uniformity": "subgroup_uniformity",
  "subgroup-argument-uniformity": "subgroup_uniformity",
};

/** Before the names of our own rules. */
const OWN = "halay.";

/** The rule that a filter names to reach a diagnostic; null for errors that no filter reaches. */
export function triggeringRule(code: DiagnosticCode): string | null {
  if (Object.hasOwn(STANDARD_RULES, code)) return STANDARD_RULES[code];
  const filterable = CATALOGUE[code].severity !== "error" || FINDING_CODES.has(code);
  return filterable ? `${OWN}${code.replaceAll("-", "_")}` : null;
}

/** Rules of other makers, in two parts, are known to them alone: we leave them be. */
export function isKnownRule(rule: string): boolean {
  if (Object.values(STANDARD_RULES).includes(rule)) return true;
  if (!rule.startsWith(OWN)) return rule.includes(".");
  const code = rule.slice(OWN.length).replaceAll("_", "-");
  return Object.hasOwn(CATALOGUE, code) ? triggeringRule(code as DiagnosticCode) === rule : !isWhole();
}

export function knownRules(): readonly string[] {
  const own = (Object.keys(CATALOGUE) as DiagnosticCode[]).map(triggeringRule).filter((rule) => rule !== null);
  return [...Object.values(STANDARD_RULES), ...own];
}

/** The severity that the filters leave a triggered diagnostic. spec: #diagnostic-processing */
export function filteredSeverity(
  filters: readonly DiagnosticFilter[],
  rule: string,
  offset: number,
  severity: Severity,
): FilterSeverity {
  let nearest: DiagnosticFilter | null = null;
  for (const filter of filters) {
    if (filter.rule !== rule || offset < filter.range.start || offset >= filter.range.end) continue;
    if (nearest === null || lengthOf(filter.range) <= lengthOf(nearest.range)) nearest = filter;
  }
  return nearest?.severity ?? severity;
}

function lengthOf(range: Span): number {
  return range.end - range.start;
}

/** What the filters leave of some diagnostics. */
export function applyFilters(
  diagnostics: readonly Diagnostic[],
  filters: readonly DiagnosticFilter[],
): readonly Diagnostic[] {
  if (filters.length === 0) return diagnostics;
  return diagnostics.flatMap((item) => {
    const rule = triggeringRule(subjectOf(item));
    if (rule === null) return [item];
    const severity = filteredSeverity(filters, rule, item.span.start, item.severity);
    if (severity === "off") return [];
    return severity === item.severity ? [item] : [{ ...item, severity }];
  });
}
