import type { PlacedDiagnostic } from "./diagnostic.ts";
import { printable } from "./print-columns.ts";

/** `file:line:column: severity code message`, one line each: what editors, `grep` and problem matchers read. */
export function printCompact({ severity, code, message, span, source }: PlacedDiagnostic): string {
  const { line, column } = source.position(span.start);
  const text = printable(message.replaceAll("\n", " "));
  return `${printable(source.path)}:${line}:${column}: ${severity} ${code} ${text}\n`;
}
