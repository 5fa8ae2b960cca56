import type { PlacedDiagnostic } from "./diagnostic.ts";
import { countSeverities, countText, specAddress, untoldFixes } from "./print.ts";
import { ENGLISH, type Words } from "./words.ts";

/** A report to paste into an issue or a job summary: one section per file. */
export function printMarkdown(found: readonly PlacedDiagnostic[], words: Words = ENGLISH): string {
  const byPath = new Map<string, PlacedDiagnostic[]>();
  for (const item of found) byPath.set(item.source.path, [...(byPath.get(item.source.path) ?? []), item]);
  const sections = [...byPath].map(
    ([path, items]) =>
      `### ${escapeText(path)}\n\n${countText(countSeverities(items), words)}\n\n${items.map((item) => itemText(item, words)).join("")}`,
  );
  return sections.join("\n");
}

function itemText(diagnostic: PlacedDiagnostic, words: Words): string {
  const { source } = diagnostic;
  const { line, column } = source.position(diagnostic.span.start);
  const section = diagnostic.spec === null ? "" : ` ([${diagnostic.spec}](${specAddress(diagnostic.spec)}))`;
  const notes = diagnostic.notes.map((note) => `  - ${escapeText(note.message)}${placeOf(note.span.start)}\n`).join("");
  const fixes = untoldFixes(diagnostic)
    .map(({ title }) => `  - ${words.say("fix")}: ${escapeText(title)}\n`)
    .join("");
  return `- **${diagnostic.severity}** ${line}:${column} \`${diagnostic.code}\`: ${escapeText(diagnostic.message)}${section}\n${notes}${fixes}${code()}`;

  function placeOf(offset: number): string {
    const at = source.position(offset).line;
    return at === line ? "" : ` (${words.say("on-line", { line: at })})`;
  }

  function code(): string {
    const text = source.line(line).trim().slice(0, 200);
    const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map((run) => run[0].length + 1)));
    return text === "" ? "" : `\n  ${fence}wgsl\n  ${text}\n  ${fence}\n`;
  }
}

function escapeText(text: string): string {
  return text.replace(/[\\`*_[\]<>|#]/g, "\\$&").replaceAll("\n", " ");
}
