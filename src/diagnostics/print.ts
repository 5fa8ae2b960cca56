/** What all printers of diagnostics share. */
import type { Diagnostic, Fix, PlacedDiagnostic, Severity } from "./diagnostic.ts";
import { ENGLISH, type Words } from "./words.ts";

/** `3 errors, 1 warning`; empty where there is nothing to count. */
export function countText(counts: Readonly<Record<Severity, number>>, words: Words = ENGLISH): string {
  return (["error", "warning", "info"] as const)
    .flatMap((severity) => (counts[severity] === 0 ? [] : [words.count(severity, counts[severity])]))
    .join(", ");
}

export function countSeverities(found: readonly PlacedDiagnostic[]): Record<Severity, number> {
  const counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  for (const { severity } of found) counts[severity]++;
  return counts;
}

/** What is offered to people: a name that may have been meant is in a note already. */
export function untoldFixes({ notes, fixes }: Pick<Diagnostic, "notes" | "fixes">): readonly Fix[] {
  const isTold = ({ code, args }: Fix): boolean =>
    code === "replace-with" && notes.some((note) => note.code === "did-you-mean" && note.args.name === args.text);
  return fixes.filter((fix) => !isTold(fix));
}

/** Address of the section that a diagnostic cites: of WGSL (`#resolves`) or of the API (`webgpu#buffer-usage`). */
export function specAddress(spec: string): string {
  return spec.startsWith("webgpu#")
    ? `https://www.w3.org/TR/webgpu/${spec.slice("webgpu".length)}`
    : `https://www.w3.org/TR/WGSL/${spec}`;
}
