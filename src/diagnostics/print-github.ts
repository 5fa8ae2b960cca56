import type { PlacedDiagnostic, Severity } from "./diagnostic.ts";
import { untoldFixes } from "./print.ts";

const COMMANDS: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "notice" };

/** A workflow command of GitHub Actions, which shows the message at the line in the review. */
export function printGithub(diagnostic: PlacedDiagnostic): string {
  const { code, span, severity, source } = diagnostic;
  const start = source.position(span.start);
  const end = source.position(span.end);
  const places: [string, string | number][] = [
    ["file", source.path],
    ["line", start.line],
    ["endLine", end.line],
    ["col", start.column],
    // GitHub takes columns only where the place is within one line.
    ...(end.line === start.line ? [["endColumn", end.column] as [string, number]] : []),
    ["title", `halay ${code}`],
  ];
  const said = [
    ...diagnostic.notes.map(({ message }) => message),
    ...untoldFixes(diagnostic).map(({ title }) => title),
  ];
  const notes = said.map((text) => `\n${text}`).join("");
  const properties = places.map(([name, value]) => `${name}=${escapeProperty(String(value))}`).join(",");
  return `::${COMMANDS[severity]} ${properties}::${escapeData(diagnostic.message + notes)}\n`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
