/**
 * NumPy's `.npy` files: a header in Python's notation, then the array. Written with a structured type where a layout has
 * members or gaps, so that NumPy sees the same strides. https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 */
import "../diagnostics/catalogue-beyond.ts";
import { phrase } from "../diagnostics/diagnostic.ts";
import { type Layout, runtimeElementCount } from "../layout/layout.ts";
import type { FileArray } from "./file-array.ts";
import { FormatError } from "./format-error.ts";
import { scalarOf } from "./leaves.ts";

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];

/** By the letter and size of NumPy's type strings. */
const KINDS: Readonly<Record<string, string>> = {
  f2: "f16",
  f4: "f32",
  f8: "f64",
  i1: "i8",
  i2: "i16",
  i4: "i32",
  i8: "i64",
  u1: "u8",
  u2: "u16",
  u4: "u32",
  u8: "u64",
  b1: "bool of 1 byte",
};

/** What Python literals in a header become; tuples and lists are arrays. */
type Literal = string | number | boolean | null | readonly Literal[] | { readonly [key: string]: Literal };

export function readNpy(bytes: Uint8Array): FileArray {
  if (bytes.length < 10 || MAGIC.some((byte, i) => bytes[i] !== byte))
    throw new FormatError(phrase("begins-otherwise"));
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const long = bytes[6] >= 2;
  if (long && bytes.length < 12) throw new FormatError(phrase("header-cut"));
  const start = long ? 12 : 10;
  const end = start + (long ? data.getUint32(8, true) : data.getUint16(8, true));
  if (end > bytes.length) throw new FormatError(phrase("header-cut"));
  const header = new LiteralReader(new TextDecoder().decode(bytes.subarray(start, end))).read();
  if (typeof header !== "object" || header === null || Array.isArray(header))
    throw new FormatError(phrase("header-no-dict"));
  const { descr, fortran_order, shape } = header as Record<string, Literal>;
  if (!Array.isArray(shape) || !shape.every((n) => Number.isInteger(n) && (n as number) >= 0)) {
    throw new FormatError(phrase("header-no-shape"));
  }
  const type = readType(descr ?? null, 0);
  const count = (shape as readonly number[]).reduce((product, n) => product * n, 1);
  if (end + count * type.size > bytes.length) {
    throw new FormatError(phrase("header-bytes", { told: count * type.size, found: bytes.length - end }));
  }
  return {
    bytes: bytes.slice(end, end + count * type.size),
    scalar: type.scalar,
    scalarSize: type.size,
    shape: shape as readonly number[],
    fortranOrder: fortran_order === true && shape.length > 1,
  };
}

interface NpyType {
  /** In bytes. */
  readonly size: number;
  /** null: structured or raw bytes, of which only the size counts. */
  readonly scalar: string | null;
}

function readType(descr: Literal, depth: number): NpyType {
  if (depth > 32) throw new FormatError(phrase("type-too-deep"));
  if (typeof descr === "string") return scalarType(descr);
  if (!Array.isArray(descr)) throw new FormatError(phrase("header-no-type"));
  let size = 0;
  for (const field of descr as readonly Literal[]) {
    if (!Array.isArray(field) || field.length < 2) throw new FormatError(phrase("field-no-tuple"));
    const [, type, shape] = field as readonly Literal[];
    const dimensions = shape === undefined ? [] : Array.isArray(shape) ? shape : [shape];
    size += (dimensions as readonly number[]).reduce((product, n) => product * n, readType(type, depth + 1).size);
  }
  if (!Number.isSafeInteger(size)) throw new FormatError(phrase("field-no-shape"));
  return { size, scalar: null };
}

function scalarType(text: string): NpyType {
  const [, order, kind, digits] = /^([<>|=]?)([a-zA-Z])(\d*)$/.exec(text) ?? [];
  const size = Number(digits);
  if (kind === undefined || digits === "") throw new FormatError(phrase("type-unknown", { text }));
  if (order === ">" && size > 1) throw new FormatError(phrase("big-endian", { text }));
  if (kind === "V" || kind === "S") return { size, scalar: null };
  return { size: kind === "U" ? size * 4 : size, scalar: KINDS[kind + digits] ?? `‘${text}’` };
}

/** The subset of Python's literals that headers are made of. */
class LiteralReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(depth = 0): Literal {
    if (depth > 32) throw new FormatError(phrase("header-too-deep"));
    const token = this.#token();
    if (token === "{") return this.#dict(depth);
    if (token === "[" || token === "(") return this.#list(token === "[" ? "]" : ")", depth);
    if (token === "True" || token === "False") return token === "True";
    if (token === "None") return null;
    if (/^['"]/.test(token)) return token.slice(1, -1);
    if (/^-?\d+L?$/.test(token)) return Number(token.replace("L", ""));
    throw new FormatError(phrase("header-holds", { token: String(token) }));
  }

  #dict(depth: number): Literal {
    const entries: [string, Literal][] = [];
    for (;;) {
      if (this.#peek() === "}") break;
      const key = this.read(depth + 1);
      if (this.#token() !== ":") throw new FormatError(phrase("header-no-dict"));
      entries.push([String(key), this.read(depth + 1)]);
      if (this.#peek() === ",") this.#token();
    }
    this.#token();
    return Object.fromEntries(entries);
  }

  #list(close: string, depth: number): Literal {
    const items: Literal[] = [];
    while (this.#peek() !== close) {
      items.push(this.read(depth + 1));
      if (this.#peek() === ",") this.#token();
    }
    this.#token();
    return items;
  }

  #peek(): string {
    const before = this.#at;
    const token = this.#token();
    this.#at = before;
    return token;
  }

  #token(): string {
    const pattern = /\s*([{}[\](),:]|'[^']*'|"[^"]*"|[\w-]+)/y;
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) throw new FormatError(phrase("header-unreadable"));
    this.#at = pattern.lastIndex;
    return match[1];
  }
}

// ------------------------------------------------------------------ writing

/** A whole `.npy` file with the bytes of a buffer. */
export function writeNpy(bytes: Uint8Array, layout: Layout): Uint8Array {
  const array = layout.type.kind === "array";
  const count = array ? (layout.count ?? runtimeElementCount(layout, bytes.byteLength)) : 1;
  const element = array ? layout.element! : layout;
  const size = array ? layout.stride! : layout.runtimeSized ? bytes.byteLength : layout.size;
  const { text, shape } = topType(element, size);
  const dimensions = [...(array ? [count] : []), ...shape];
  const tuple = dimensions.length === 1 ? `(${dimensions[0]},)` : `(${dimensions.join(", ")})`;
  const header = `{'descr': ${text}, 'fortran_order': False, 'shape': ${tuple}, }`;
  const padding = (64 - ((10 + header.length + 1) % 64)) % 64;
  const head = new TextEncoder().encode(`${header}${" ".repeat(padding)}\n`);
  const file = new Uint8Array(10 + head.length + count * size);
  file.set([...MAGIC, 1, 0, head.length & 255, head.length >> 8]);
  file.set(head, 10);
  file.set(bytes.subarray(0, count * size), 10 + head.length);
  return file;
}

/** The outermost type: plain vectors and matrices without gaps become dimensions of the array, all else a structured type. */
function topType(layout: Layout, size: number): { readonly text: string; readonly shape: readonly number[] } {
  const shape: number[] = [];
  let inner = layout;
  let room = size;
  while (inner.element !== null && inner.count !== null && inner.size === room) {
    shape.push(inner.count);
    room = inner.stride ?? inner.element.size;
    inner = inner.element;
  }
  if (inner.element === null && inner.members.length === 0 && inner.size === room) {
    return { text: `'${scalarText(inner)}'`, shape };
  }
  return { text: structured(layout, size), shape: [] };
}

/** A list of fields that take `size` bytes together. */
function structured(layout: Layout, size: number): string {
  const fields: string[] = [];
  let end = 0;
  const gap = (to: number) => {
    if (to > end) fields.push(`('', '|V${to - end}')`);
  };
  if (layout.members.length === 0) {
    fields.push(field("value", layout));
    end = layout.size;
  }
  for (const member of layout.members) {
    gap(member.offset);
    const length = member.layout.runtimeSized ? size - member.offset : member.layout.size;
    fields.push(member.layout.runtimeSized ? `('${member.name}', '|V${length}')` : field(member.name, member.layout));
    end = member.offset + length;
  }
  gap(size);
  return `[${fields.join(", ")}]`;
}

function field(name: string, layout: Layout): string {
  if (layout.members.length > 0) return `('${name}', ${structured(layout, layout.size)})`;
  if (layout.element === null) return `('${name}', '${scalarText(layout)}')`;
  const { text, shape } = topType(layout.element, layout.stride ?? layout.element.size);
  return `('${name}', ${text}, (${[layout.count ?? 0, ...shape].join(", ")},))`;
}

function scalarText(layout: Layout): string {
  const { kind } = scalarOf(layout.type);
  return kind === "f32" ? "<f4" : kind === "f16" ? "<f2" : kind === "i32" ? "<i4" : "<u4";
}
