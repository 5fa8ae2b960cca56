import type { Located } from "./print.ts";
import { printable } from "./print-columns.ts";

/** `file:line:column: severity code message`, one line each: what editors, `grep` and problem matchers read. */
export function printCompact({ diagnostic, source }: Located): string {
  const { line, column } = source.position(diagnostic.span.start);
  const message = printable(diagnostic.message.replaceAll("\n", " "));
  return `${printable(source.path)}:${line}:${column}: ${diagnostic.severity} ${diagnostic.code} ${message}\n`;
}
