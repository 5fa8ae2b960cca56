/**
 * JSON for people and programs: objects indented, arrays of plain values on one line (a buffer may have millions), and
 * -0 as `-0`, which `JSON.stringify` would make 0.
 */
export function jsonText(value: unknown): string {
  const pieces: string[] = [];
  writeJson(value, (piece) => pieces.push(piece));
  return pieces.join("");
}

/** Characters that are written together, about: so few that what they are made of is garbage soon. */
const PIECE = 2 ** 13;

/** The same piece by piece: a report of many findings has more characters than should be kept at a time. */
export function writeJson(value: unknown, write: (piece: string) => void): void {
  let piece = "";
  const add = (text: string): void => {
    piece += text;
    if (piece.length < PIECE) return;
    write(piece);
    piece = "";
  };
  addValue(value, "", add);
  write(`${piece}\n`);
}

function addValue(value: unknown, indent: string, add: (text: string) => void): void {
  if (typeof value !== "object" || value === null) add(plainText(value));
  else if (Array.isArray(value)) addArray(value, indent, add);
  else addObject(value, indent, add);
}

function plainText(value: unknown): string {
  return Object.is(value, -0) ? "-0" : (JSON.stringify(value) ?? "null");
}

function addArray(values: readonly unknown[], indent: string, add: (text: string) => void): void {
  const isRow = values.every(isPlain);
  const inner = `${indent}  `;
  add(isRow ? "[" : `[\n${inner}`);
  const between = isRow ? ", " : `,\n${inner}`;
  for (let i = 0; i < values.length; i++) {
    if (i > 0) add(between);
    addValue(values[i], inner, add);
  }
  add(isRow ? "]" : `\n${indent}]`);
}

function addObject(value: object, indent: string, add: (text: string) => void): void {
  const inner = `${indent}  `;
  let before = "{";
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined) continue;
    add(`${before}\n${inner}${JSON.stringify(key)}: `);
    addValue(part, inner, add);
    before = ",";
  }
  add(before === "{" ? "{}" : `\n${indent}}`);
}

/** Numbers, texts, and short rows of them: vectors and matrices. */
function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Array.isArray(value) && value.length <= 4 && value.every((part) => typeof part !== "object");
}
