/**
 * What silences a finding: a comment `// halay-allow-next-line CODE -- reason` above one of its places, a filter of WGSL
 * (`@diagnostic(off, halay.race_storage)`) around its place, or a baseline.
 */
import { applyFilters } from "../diagnostics/filter.ts";
import { diagnosticsToJson } from "../diagnostics/print-json.ts";
import type { Source } from "../text/source.ts";
import type { Finding } from "./finding.ts";

const ALLOW = /\/\/\s*halay-allow-next-line\s+([\w-]+(?:\s*,\s*[\w-]+)*)\s*--\s*\S/;

/** Codes that are allowed on each line. A comment without a reason allows nothing. */
export function allowedLines(source: Source): ReadonlyMap<number, ReadonlySet<string>> {
  const allowed = new Map<number, ReadonlySet<string>>();
  let waiting = new Set<string>();
  for (let line = 1; line <= source.lineStarts.length; line++) {
    const text = source.line(line);
    const codes =
      ALLOW.exec(text)?.[1]
        .split(",")
        .map((code) => code.trim()) ?? null;
    if (codes !== null) for (const code of codes) waiting.add(code);
    else if (waiting.size > 0 && !/^\s*(\/\/.*)?$/.test(text)) {
      allowed.set(line, waiting);
      waiting = new Set();
    }
  }
  return allowed;
}

export interface Silencing {
  /** Fingerprints of findings that are known. */
  readonly baseline: ReadonlySet<string>;
}

/** What is left, and how many were silenced. The filters of each source are the program's own. */
export function silence(
  findings: readonly Finding[],
  filtersOf: (source: Source) => Parameters<typeof applyFilters>[1],
  baseline: ReadonlySet<string>,
): { readonly findings: readonly Finding[]; readonly suppressed: number } {
  const lines = new Map<Source, ReadonlyMap<number, ReadonlySet<string>>>();
  const prints = diagnosticsToJson(findings).map(({ fingerprint }) => fingerprint);
  const left = findings.flatMap((finding, i) => {
    const { source } = finding;
    let allowed = lines.get(source);
    if (allowed === undefined) {
      allowed = allowedLines(source);
      lines.set(source, allowed);
    }
    if (baseline.has(prints[i]) || isAllowed(finding, allowed)) return [];
    return applyFilters([finding], filtersOf(source)) as readonly Finding[];
  });
  return { findings: left, suppressed: findings.length - left.length };
}

/** One allowed place of a finding is enough: its code has to be named there. */
function isAllowed(
  { code, span, source, accesses }: Finding,
  allowed: ReadonlyMap<number, ReadonlySet<string>>,
): boolean {
  const spans = [span, ...accesses.map((access) => access.span)];
  return spans.some(({ start }) => allowed.get(source.position(start).line)?.has(code) === true);
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
