/** Comma-separated values: one row per element, one column per leaf scalar; a first row of names is passed over. */
import { phrase } from "../diagnostics/diagnostic.ts";
import type { Layout } from "../layout/layout.ts";
import { runtimeArray } from "../layout/layout.ts";
import { BufferView, writeScalar } from "../layout/view.ts";
import { typeName } from "../types/type.ts";
import { FormatError } from "./format-error.ts";
import { forEachLeaf, leafCount } from "./leaves.ts";
import { launchError } from "./problem.ts";
import { bufferSize } from "./spec.ts";

/** The rows of a text: fields between commas, semicolons or tabs; blank lines and lines that begin with `#` are none. */
export function csvRows(text: string): { readonly line: number; readonly fields: readonly string[] }[] {
  const rows: { line: number; fields: string[] }[] = [];
  for (const [index, line] of text
    .replace(/^\ufeff/, "")
    .split(/\r\n|\n|\r/)
    .entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const fields = line.split(/[,;\t]/).map((field) => field.trim().replace(/^"(.*)"$/, "$1"));
    if (fields.at(-1) === "") fields.pop();
    rows.push({ line: index + 1, fields });
  }
  if (rows.length > 0 && rows[0].fields.every((field) => toNumber(field) === null)) rows.shift();
  return rows;
}

function toNumber(field: string): number | null {
  const named = /^([+-]?)(nan|inf|infinity)$/i.exec(field);
  if (named !== null) return named[2].toLowerCase() === "nan" ? Number.NaN : named[1] === "-" ? -Infinity : Infinity;
  if (/^(true|false)$/i.test(field)) return field.toLowerCase() === "true" ? 1 : 0;
  return field === "" || Number.isNaN(Number(field)) ? null : Number(field);
}

/** The bytes of a buffer from the rows of a file. */
export function readCsv(text: string, layout: Layout, file: string): Uint8Array {
  const rows = csvRows(text);
  const numbers: number[] = [];
  const tail = runtimeArray(layout);
  const isArray = layout.type.kind === "array";
  const perElement = isArray ? leafCount(layout.element!) : 1;
  for (const { line, fields } of rows) {
    if (isArray && perElement > 1 && fields.length !== perElement) {
      const args = { file, row: line, found: fields.length, type: typeName(layout.type), expected: perElement };
      throw launchError([], "file-row", args);
    }
    for (const field of fields) {
      const value = toNumber(field);
      if (value === null) throw new FormatError(phrase("csv-no-number", { line, field }));
      if (!Number.isFinite(value) && /\d/.test(field)) {
        throw new FormatError(phrase("csv-too-large", { line, field }));
      }
      numbers.push(value);
    }
  }
  const fixed = leafCount(layout);
  const perTail = tail === null ? 1 : leafCount(tail.array.element!);
  const count = tail === null ? 0 : Math.floor((numbers.length - fixed) / perTail);
  const expected = fixed + Math.max(0, count) * perTail;
  if (numbers.length !== expected) {
    throw launchError([], "file-count", { file, found: numbers.length, type: typeName(layout.type), expected });
  }
  const bytes = new Uint8Array(bufferSize(layout, count));
  const data = new DataView(bytes.buffer);
  let next = 0;
  forEachLeaf(layout, bytes.byteLength, (type, offset) => {
    if (next < numbers.length) writeScalar(data, type, offset, numbers[next++], `${file}: value ${next}`);
  });
  return bytes;
}

/** One row per element, with a first row of names where an element has several leaves. */
export function writeCsv(bytes: Uint8Array, layout: Layout): string {
  const names: string[] = [];
  const view = new BufferView(bytes, layout);
  const rows = layout.type.kind === "array" ? (view.read() as readonly unknown[]) : [view.read()];
  const element = layout.type.kind === "array" ? layout.element! : layout;
  leafNames(element, "", names);
  const lines = rows.map((row) => flatten(row).join(","));
  return `${[...(names.length > 1 ? [names.join(",")] : []), ...lines].join("\n")}\n`;
}

function flatten(value: unknown): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [value];
  return Object.values(value).flatMap(flatten);
}

function leafNames(layout: Layout, prefix: string, names: string[]): void {
  if (layout.members.length > 0) {
    for (const member of layout.members) {
      leafNames(member.layout, prefix === "" ? member.name : `${prefix}.${member.name}`, names);
    }
  } else if (layout.element === null) names.push(prefix === "" ? "value" : prefix);
  else if (layout.type.kind === "vector") {
    for (let i = 0; i < layout.type.size; i++) names.push(prefix === "" ? "xyzw"[i] : `${prefix}.${"xyzw"[i]}`);
  } else for (let i = 0; i < (layout.count ?? 0); i++) leafNames(layout.element, `${prefix}[${i}]`, names);
}
