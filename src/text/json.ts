/**
 * JSON for people and programs: objects indented, arrays of plain values on one line (a buffer may have millions), and
 * -0 as `-0`, which `JSON.stringify` would make 0.
 */
export function jsonText(value: unknown): string {
  return `${text(value, "")}\n`;
}

function text(value: unknown, indent: string): string {
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : JSON.stringify(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every(isPlain)) return `[${value.map((part) => text(part, inner)).join(", ")}]`;
    return `[\n${value.map((part) => inner + text(part, inner)).join(",\n")}\n${indent}]`;
  }
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  if (entries.length === 0) return "{}";
  const lines = entries.map(([key, part]) => `${inner}${JSON.stringify(key)}: ${text(part, inner)}`);
  return `{\n${lines.join(",\n")}\n${indent}}`;
}

/** Numbers, texts, and short rows of them: vectors and matrices. */
function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Array.isArray(value) && value.length <= 4 && value.every((part) => typeof part !== "object");
}
