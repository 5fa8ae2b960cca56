import { displayWidth, padColumns } from "../diagnostics/print-columns.ts";

export type Align = "left" | "right";

/** Columns as wide as their widest cell, two blanks between; no blanks at the ends of lines. */
export function table(rows: readonly (readonly string[])[], align: readonly Align[], indent = "  "): string {
  const widths = columnWidths(rows);
  return rows
    .map((row) => {
      const cells = row.map((cell, i) => padColumns(cell, widths[i], align[i] === "right" ? "left" : "right"));
      return `${indent}${cells.join("  ")}`.trimEnd();
    })
    .map((line) => `${line}\n`)
    .join("");
}

export function columnWidths(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, displayWidth(cell));
  }
  return widths;
}
