/** Typed access to bytes by layout. */
import "../diagnostics/catalogue-beyond.ts";
import { type MessageValue, phrase, textOfValue } from "../diagnostics/diagnostic.ts";
import { f16FromBits, f16ToBits } from "../numeric/float16.ts";
import { F32_MIN_NORMAL } from "../numeric/float32.ts";
import { type ScalarType, type Type, typeName } from "../types/type.ts";
import { type Layout, runtimeElementCount } from "./layout.ts";

/** What a leaf holds; a value as JSON: numbers, booleans, `"NaN"`, `"Infinity"`, `"-Infinity"`, arrays, objects by member name. */
export type ViewValue = number | boolean | string | readonly ViewValue[] | { readonly [member: string]: ViewValue };

/** Thrown when a value does not fit a layout; `path` says where. */
export class ValueError extends TypeError {
  readonly path: string;
  /** In words, with the path. */
  readonly problem: MessageValue;

  constructor(path: string, problem: MessageValue) {
    const placed = path === "" ? problem : phrase("at-place", { place: path, problem });
    super(textOfValue(placed));
    this.name = "ValueError";
    this.path = path;
    this.problem = placed;
  }
}

/** Thrown for a step of a path that leads nowhere. */
export class PartError extends RangeError {
  readonly problem: MessageValue;

  /** `count`: how many elements there are; 0: it has none. */
  constructor(type: Type, step: string | number, count: number) {
    const problem = count
      ? phrase("index-of-elements", { index: step, count })
      : phrase("part-unknown", { type: typeName(type), name: step });
    super(textOfValue(problem));
    this.problem = problem;
  }
}

/** Bytes with the layout of what lies in them. Offsets and sizes in bytes; multi-byte values are little-endian. */
export class BufferView {
  readonly bytes: Uint8Array;
  readonly layout: Layout;
  readonly #data: DataView;

  constructor(bytes: Uint8Array, layout: Layout) {
    if (!layout.runtimeSized && bytes.byteLength < layout.size) {
      throw new RangeError(`${typeName(layout.type)} takes ${layout.size} bytes, the buffer holds ${bytes.byteLength}`);
    }
    this.bytes = bytes;
    this.layout = layout;
    this.#data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Elements in the runtime-sized array; 0 where there is none. */
  get elementCount(): number {
    return runtimeElementCount(this.layout, this.bytes.byteLength);
  }

  /** Everything, as plain values. */
  read(): ViewValue {
    return this.#read(this.layout, 0);
  }

  /** Writes plain values; parts that `value` leaves out keep their bytes. @throws ValueError where it does not fit. */
  write(value: unknown): void {
    this.#write(this.layout, 0, value, "");
  }

  /** The view of a part: members by name, elements, columns and components by number. @throws RangeError when there is none. */
  at(...path: readonly (string | number)[]): BufferView {
    let layout = this.layout;
    let offset = 0;
    for (const step of path) {
      const part = this.#part(layout, offset, step);
      if (part === null)
        throw new PartError(layout.type, step, layout.element && +step >= 0 ? this.#countOf(layout, offset) : 0);
      ({ layout, offset } = part);
    }
    const end = layout.runtimeSized ? this.bytes.byteLength : offset + layout.size;
    return new BufferView(this.bytes.subarray(offset, end), layout);
  }

  #part(layout: Layout, offset: number, step: string | number): { layout: Layout; offset: number } | null {
    if (typeof step === "string") {
      const member = layout.members.find((m) => m.name === step);
      if (member !== undefined) return { layout: member.layout, offset: offset + member.offset };
      const component = layout.type.kind === "vector" ? "xyzw".indexOf(step) : -1;
      return step.length === 1 && component >= 0 ? this.#part(layout, offset, component) : null;
    }
    if (layout.element === null || step < 0 || step >= this.#countOf(layout, offset)) return null;
    return { layout: layout.element, offset: offset + step * strideOf(layout) };
  }

  #countOf(layout: Layout, offset: number): number {
    return layout.count ?? runtimeElementCount(layout, this.bytes.byteLength - offset);
  }

  #read(layout: Layout, offset: number): ViewValue {
    if (layout.members.length > 0) {
      return Object.fromEntries(layout.members.map((m) => [m.name, this.#read(m.layout, offset + m.offset)]));
    }
    if (layout.element === null) return readScalar(this.#data, scalarOf(layout.type), offset);
    const count = this.#countOf(layout, offset);
    const stride = strideOf(layout);
    const values: ViewValue[] = new Array(count);
    for (let i = 0; i < count; i++) values[i] = this.#read(layout.element, offset + i * stride);
    return values;
  }

  #write(layout: Layout, offset: number, value: unknown, path: string): void {
    if (layout.members.length > 0) this.#writeMembers(layout, offset, value, path);
    else if (layout.element === null) writeScalar(this.#data, scalarOf(layout.type), offset, value, path);
    else this.#writeElements(layout, offset, value, path);
  }

  #writeMembers(layout: Layout, offset: number, value: unknown, path: string): void {
    if (Array.isArray(value) && value.length === layout.members.length) {
      for (const [i, m] of layout.members.entries())
        this.#write(m.layout, offset + m.offset, value[i], `${path}.${m.name}`);
      return;
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new ValueError(path, phrase("value-no-object", { type: typeName(layout.type), found: describe(value) }));
    }
    for (const [name, part] of Object.entries(value)) {
      const member = layout.members.find((m) => m.name === name);
      if (member === undefined) {
        const known = layout.members.map((m) => m.name).join(", ");
        throw new ValueError(path, phrase("value-no-member", { type: typeName(layout.type), name, known }));
      }
      this.#write(member.layout, offset + member.offset, part, `${path}.${name}`);
    }
  }

  #writeElements(layout: Layout, offset: number, value: unknown, path: string): void {
    const count = this.#countOf(layout, offset);
    const element = layout.element as Layout;
    const stride = strideOf(layout);
    if (!Array.isArray(value)) {
      throw new ValueError(path, phrase("value-no-array", { type: typeName(layout.type), found: describe(value) }));
    }
    const values = flatMatrix(layout, value);
    if (values.length > count || (layout.type.kind !== "array" && values.length !== count)) {
      const args = { found: values.length, count, type: typeName(layout.type) };
      throw new ValueError(path, phrase("value-count", args));
    }
    for (const [i, part] of values.entries()) this.#write(element, offset + i * stride, part, `${path}[${i}]`);
  }
}

/** A matrix may be given as its columns or as all numbers in a row, column after column. */
function flatMatrix(layout: Layout, value: readonly unknown[]): readonly unknown[] {
  const { type } = layout;
  if (type.kind !== "matrix" || value.length !== type.columns * type.rows || Array.isArray(value[0])) return value;
  return Array.from({ length: type.columns }, (_, c) => value.slice(c * type.rows, (c + 1) * type.rows));
}

function strideOf(layout: Layout): number {
  return layout.stride ?? (layout.element as Layout).size;
}

function scalarOf(type: Type): ScalarType {
  return type.kind === "atomic" ? type.element : (type as ScalarType);
}

function readScalar(data: DataView, type: ScalarType, offset: number): ViewValue {
  switch (type.kind) {
    case "i32":
      return data.getInt32(offset, true);
    case "f32":
      return floatValue(data.getFloat32(offset, true), shortestFloat32);
    case "f16":
      return floatValue(f16FromBits(data.getUint16(offset, true)), shortestFloat16);
    case "bool":
      return data.getUint32(offset, true) !== 0;
    default:
      return data.getUint32(offset, true);
  }
}

function floatValue(value: number, shortest: (value: number) => number): ViewValue {
  return Number.isFinite(value) ? shortest(value) : String(value);
}

/** The decimal number with the fewest digits that rounds to this f32. */
export function shortestFloat32(value: number): number {
  if (Number.isInteger(value) && Math.abs(value) < 16777216) return value;
  // Six digits survive in every normal f32, and `Number` drops the zeros at their end; subnormals may have fewer.
  for (let digits = Math.abs(value) < F32_MIN_NORMAL ? 1 : 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

function shortestFloat16(value: number): number {
  if (Number.isInteger(value)) return value;
  for (let digits = 1; digits < 5; digits++) {
    const short = Number(value.toPrecision(digits));
    if (f16FromBits(f16ToBits(short)) === value) return short;
  }
  return Number(value.toPrecision(5));
}

/** Writes one scalar at a byte offset. @throws ValueError where the type cannot hold it; `path` names it there. */
export function writeScalar(data: DataView, type: ScalarType, offset: number, value: unknown, path: string): void {
  const number = toNumber(value, path, type);
  switch (type.kind) {
    case "f32":
      if (Number.isFinite(number) && !Number.isFinite(Math.fround(number))) throw tooLarge(path, "f32", number);
      data.setFloat32(offset, number, true);
      return;
    case "f16": {
      const bits = f16ToBits(number);
      if (Number.isFinite(number) && !Number.isFinite(f16FromBits(bits))) throw tooLarge(path, "f16", number);
      data.setUint16(offset, bits, true);
      return;
    }
    case "bool":
      data.setUint32(offset, number === 0 ? 0 : 1, true);
      return;
    default: {
      const [low, high] = type.kind === "i32" ? [-2147483648, 2147483647] : [0, 4294967295];
      if (!Number.isInteger(number) || number < low || number > high) {
        throw new ValueError(path, phrase("value-whole", { type: type.kind, low, high, number }));
      }
      data.setUint32(offset, number >>> 0, true);
    }
  }
}

const LARGEST = { f32: "3.4028235e+38", f16: "65504" } as const;

/** A finite number that would silently become infinite. */
export function tooLarge(path: string, type: keyof typeof LARGEST, number: number): ValueError {
  return new ValueError(path, phrase("value-large", { type, limit: LARGEST[type], number }));
}

function toNumber(value: unknown, path: string, type: ScalarType): number {
  if (typeof value === "number") return value;
  if (typeof value === "boolean" && type.kind === "bool") return value ? 1 : 0;
  if (typeof value === "bigint") return Number(value);
  if (value === "NaN" || value === "Infinity" || value === "-Infinity") return Number(value);
  throw new ValueError(path, phrase("value-no-number", { type: type.kind, found: describe(value) }));
}

function describe(value: unknown): MessageValue {
  if (value === null) return "null";
  if (Array.isArray(value)) return phrase("json-array");
  if (typeof value === "object") return phrase("json-object");
  return phrase("the-value", { type: typeof value, value: JSON.stringify(value) ?? String(value) });
}
