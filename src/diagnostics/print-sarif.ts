/**
 * SARIF 2.1.0, which code scanning services read: one run, the codes as rules, each message as a result. What a sanitizer
 * saw of a finding's accesses becomes code flows, one for each access.
 */
import "./catalogue-beyond.ts";
import { writeJson } from "../text/json.ts";
import type { Source, Span } from "../text/source.ts";
import { CATALOGUE, type DiagnosticCode } from "./catalogue.ts";
import type { Fix, PlacedDiagnostic, Severity } from "./diagnostic.ts";
import { specAddress } from "./print.ts";
import { diagnosticsToJson } from "./print-json.ts";
import { type LanguageName, templateOf } from "./translate.ts";

/** What findings have beyond other diagnostics. */
interface WithAccesses {
  readonly accesses?: readonly SarifAccess[];
}

interface SarifAccess {
  readonly kind: string;
  readonly atomic: string | null;
  readonly span: Span;
  readonly invocation: { readonly global: readonly number[]; readonly workgroup: readonly number[] };
  readonly phase: number;
}

const LEVELS: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "note" };

/** Piece by piece; `language` is the one that the messages are in. */
export function writeSarif(
  found: readonly (PlacedDiagnostic & WithAccesses)[],
  version: string,
  language: LanguageName,
  write: (piece: string) => void,
): void {
  const codes = [...new Set(found.map(({ code }) => code))].sort();
  const prints = fingerprints(found);
  const run = {
    tool: { driver: { name: "halay", semanticVersion: version, rules: codes.map((code) => ruleOf(code, language)) } },
    ...(language === "en" ? {} : { language }),
    columnKind: "utf16CodeUnits",
    results: found.map((item, i) => resultOf(item, codes.indexOf(item.code), prints[i])),
  };
  const log = { $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] };
  writeJson(log, write);
}

/** Equal ones are told apart within their file, as in the JSON output. */
function fingerprints(found: readonly PlacedDiagnostic[]): string[] {
  const prints: string[] = new Array(found.length);
  const byPath = new Map<string, number[]>();
  for (const [i, { source }] of found.entries()) byPath.set(source.path, [...(byPath.get(source.path) ?? []), i]);
  for (const indices of byPath.values()) {
    const json = diagnosticsToJson(indices.map((i) => found[i]));
    for (const [n, i] of indices.entries()) prints[i] = json[n].fingerprint;
  }
  return prints;
}

function ruleOf(code: DiagnosticCode, language: LanguageName): object {
  const { severity, spec } = CATALOGUE[code];
  return {
    id: code,
    shortDescription: { text: templateOf(code, language).replaceAll(/\{\w+\}/g, "…") },
    ...(spec === null ? {} : { helpUri: specAddress(spec) }),
    defaultConfiguration: { level: LEVELS[severity] },
  };
}

function resultOf(item: PlacedDiagnostic & WithAccesses, ruleIndex: number, fingerprint: string): object {
  const { code, severity, message, span, source, notes, fixes, accesses = [] } = item;
  const edited = fixes.filter(({ edits }) => edits.length > 0);
  return {
    ruleId: code,
    ruleIndex,
    level: LEVELS[severity],
    message: { text: message },
    locations: [{ physicalLocation: placeOf(source, span) }],
    ...(notes.length === 0
      ? {}
      : {
          relatedLocations: notes.map((note, i) => ({
            id: i + 1,
            physicalLocation: placeOf(source, note.span),
            message: { text: note.message },
          })),
        }),
    ...(edited.length === 0 ? {} : { fixes: edited.map((fix) => fixOf(source, fix)) }),
    ...(accesses.length === 0 ? {} : { codeFlows: accesses.map((access) => flowOf(source, access)) }),
    partialFingerprints: { "halay/v1": fingerprint },
  };
}

function flowOf(source: Source, { kind, atomic, span, invocation, phase }: SarifAccess): object {
  const who = `invocation (${invocation.global.join(", ")}) of workgroup (${invocation.workgroup.join(", ")})`;
  const text = `${atomic ?? kind} by ${who} in phase ${phase}`;
  const location = { physicalLocation: placeOf(source, span), message: { text } };
  return { message: { text: who }, threadFlows: [{ id: who, locations: [{ location }] }] };
}

function fixOf(source: Source, { title, edits }: Fix): object {
  const replacements = edits.map(({ span, text }) => ({
    deletedRegion: regionOf(source, span),
    ...(text === "" ? {} : { insertedContent: { text } }),
  }));
  return { description: { text: title }, artifactChanges: [{ artifactLocation: artifactOf(source), replacements }] };
}

function placeOf(source: Source, span: Span): object {
  return { artifactLocation: artifactOf(source), region: regionOf(source, span) };
}

function artifactOf({ path }: Source): object {
  return { uri: path.split(/[\\/]/).map(encodeURIComponent).join("/") };
}

function regionOf(source: Source, span: Span): object {
  const start = source.position(span.start);
  const end = source.position(span.end);
  return { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column };
}
