/** Results of the sanitizer and the profiler as the JSON of the contract. */
import { diagnosticsToJson, type JsonDiagnostic, type JsonPlace } from "../diagnostics/print-json.ts";
import { type JsonRunResult, runResultToJson } from "../launch/result-json.ts";
import type { InvocationId } from "../launch/results.ts";
import type { ViewValue } from "../layout/view.ts";
import type { Source, Span } from "../text/source.ts";
import type { Checked, Finding, FindingAccess, Replay, Resource, SanitizeResult } from "./finding.ts";
import type { DispatchProfile, ProfiledPlace, ProfileResult } from "./profile.ts";

export interface JsonFinding extends JsonDiagnostic {
  readonly resource: Resource | null;
  readonly accesses: readonly JsonAccess[];
  readonly count: number;
  readonly replay: Replay | null;
}

export interface JsonAccess extends JsonPlace {
  readonly kind: FindingAccess["kind"];
  readonly atomic: string | null;
  readonly invocation: InvocationId;
  readonly phase: number;
  readonly value: ViewValue;
}

export function findingsToJson(findings: readonly Finding[]): readonly JsonFinding[] {
  return diagnosticsToJson(findings).map((json, i) => {
    const { source, resource, accesses, count, replay } = findings[i];
    return {
      ...json,
      resource,
      accesses: accesses.map(({ span, kind, atomic, invocation, phase, value }) => ({
        kind,
        atomic,
        ...placeOf(source, span),
        invocation,
        phase,
        value,
      })),
      count,
      replay,
    };
  });
}

function placeOf(source: Source, { start, end }: Span): JsonPlace {
  return { path: source.path, start: source.position(start), end: source.position(end) };
}

export interface JsonSanitizeResult extends JsonRunResult {
  readonly findings: readonly JsonFinding[];
  readonly checked: Checked;
}

/** One entry of `results`. `raw`: with the bytes of the buffers. */
export function sanitizeResultToJson(result: SanitizeResult, raw = false): JsonSanitizeResult {
  return { ...runResultToJson(result, raw), findings: findingsToJson(result.findings), checked: result.checked };
}

export interface JsonProfile extends Omit<DispatchProfile, "places"> {
  readonly places: readonly (Omit<ProfiledPlace, "source" | "span"> & JsonPlace)[];
}

export interface JsonProfileResult extends JsonRunResult {
  readonly findings: readonly JsonFinding[];
  readonly profile: readonly JsonProfile[];
  /** Left out unless checks were asked for. */
  readonly checked?: Checked;
}

export function profileResultToJson(result: ProfileResult, raw = false): JsonProfileResult {
  return {
    ...runResultToJson(result, raw),
    findings: findingsToJson(result.findings),
    profile: result.profile.map((each) => ({
      ...each,
      places: each.places.map(({ source, span, ...place }) => ({ ...place, ...placeOf(source, span) })),
    })),
    ...(result.checked === null ? {} : { checked: result.checked }),
  };
}
