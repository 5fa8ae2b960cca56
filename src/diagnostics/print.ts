/** What all printers of diagnostics share. */
import type { PlacedDiagnostic, Severity } from "./diagnostic.ts";

/** `3 errors, 1 warning`; empty where there is nothing to count. */
export function countText(counts: Readonly<Record<Severity, number>>): string {
  const parts = [
    plural(counts.error, "error"),
    plural(counts.warning, "warning"),
    counts.info === 0 ? "" : `${counts.info} info`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}

function plural(count: number, word: string): string {
  if (count === 0) return "";
  return count === 1 ? `1 ${word}` : `${count.toLocaleString("en")} ${word}s`;
}

export function countSeverities(found: readonly PlacedDiagnostic[]): Record<Severity, number> {
  const counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  for (const { severity } of found) counts[severity]++;
  return counts;
}

/** Address of the section that a diagnostic cites: of WGSL (`#resolves`) or of the API (`webgpu#buffer-usage`). */
export function specAddress(spec: string): string {
  return spec.startsWith("webgpu#")
    ? `https://www.w3.org/TR/webgpu/${spec.slice("webgpu".length)}`
    : `https://www.w3.org/TR/WGSL/${spec}`;
}
