/** What values of a layout look like in JSON, short: for who has none yet. */
import type { ReflectedLayout } from "halay";

const LONGEST = 160;

export function exampleValues(layout: ReflectedLayout): string {
  const text = exampleOf(layout);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function exampleOf({ type, members, element }: ReflectedLayout): string {
  if (members !== undefined) {
    return `{ ${members.map(({ name, layout }) => `"${name}": ${exampleOf(layout)}`).join(", ")} }`;
  }
  if (element !== undefined) return `[${exampleOf(element)}, …]`;
  return ofType(type);
}

function ofType(type: string): string {
  const inner = /^(?:array|atomic)<(.*)>$/.exec(type)?.[1].replace(/, \w+$/, "");
  if (inner !== undefined) return type.startsWith("atomic") ? ofType(inner) : `[${ofType(inner)}, …]`;
  const [, columns, rows] = /^(?:vec|mat)([234])(?:x([234]))?</.exec(type) ?? [];
  if (columns === undefined) return /f(?:16|32)$/.test(type) ? "0.5" : "1";
  const scalar = /[uib]\d*>$/.test(type) ? "1" : "0.5";
  const vector = (length: string) => `[${Array(Number(length)).fill(scalar).join(", ")}]`;
  return rows === undefined ? vector(columns) : `[${Array(Number(columns)).fill(vector(rows)).join(", ")}]`;
}
