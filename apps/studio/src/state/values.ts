/** Values of a buffer that was read back, one at a time: tables show few of many. */
import type { BufferData, Column, Part, Scalar } from "../engine/protocol.ts";

/** Where a row begins, in bytes. */
function rowStart({ offset, stride, inner }: Part, row: number): number {
  if (inner === null) return offset + row * stride;
  return offset + Math.floor(row / inner.count) * stride + (row % inner.count) * inner.stride;
}

export function valueAt(bytes: Uint8Array, part: Part, column: Column, row: number): number {
  const offset = rowStart(part, row) + column.offset;
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return offset + (column.scalar === "f16" ? 2 : 4) > bytes.byteLength ? Number.NaN : read(data, column.scalar, offset);
}

function read(data: DataView, scalar: Scalar, offset: number): number {
  switch (scalar) {
    case "f32":
      return data.getFloat32(offset, true);
    case "i32":
      return data.getInt32(offset, true);
    case "f16":
      return half(data.getUint16(offset, true));
    default:
      return data.getUint32(offset, true);
  }
}

function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

const WORDS = { u32: Uint32Array, i32: Int32Array, f32: Float32Array } as const;

/** Scalars of four bytes that lie side by side, as one array; null: they do not. */
function wordsOf<K extends keyof typeof WORDS>(
  kind: K,
  { bytes }: Pick<BufferData, "bytes">,
  part: Part,
  { scalar, offset }: Column,
): InstanceType<(typeof WORDS)[K]> | null {
  const start = bytes.byteOffset + part.offset + offset;
  const { inner } = part;
  const isDense = inner === null ? part.stride === 4 : inner.stride === 4 && inner.count * 4 === part.stride;
  const isWord = isDense && scalar in WORDS && start % 4 === 0;
  if (!isWord || part.offset + offset + part.count * 4 > bytes.byteLength) return null;
  return new WORDS[kind](bytes.buffer as ArrayBuffer, start, part.count) as InstanceType<(typeof WORDS)[K]>;
}

/** All values of a column. */
export function columnOf(buffer: Pick<BufferData, "bytes">, part: Part, column: Column): Float64Array {
  const { bytes } = buffer;
  const { scalar, offset } = column;
  const words = scalar in WORDS ? wordsOf(scalar as keyof typeof WORDS, buffer, part, column) : null;
  if (words !== null) return new Float64Array(words);
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Float64Array(part.count);
  for (let row = 0; row < part.count; row++) values[row] = read(data, scalar, rowStart(part, row) + offset);
  return values;
}

/** How many values of a part differ between two runs. */
export function countChanges(buffer: Pick<BufferData, "bytes">, before: Pick<BufferData, "bytes">, part: Part): number {
  let count = 0;
  for (const column of part.columns) {
    const [words, oldWords] = [wordsOf("u32", buffer, part, column), wordsOf("u32", before, part, column)];
    // The same bits are the same values; of what differs there is little, as a rule.
    if (words !== null && oldWords !== null && words.every((word, i) => word === oldWords[i])) continue;
    const [now, old] = [columnOf(buffer, part, column), columnOf(before, part, column)];
    for (let row = 0; row < now.length; row++) if (!Object.is(now[row], old[row])) count++;
  }
  return count;
}

/** Floats with the fewest digits that tell them from their neighbours. */
export function formatValue(value: number, scalar: Scalar): string {
  if (scalar === "bool") return value === 0 ? "false" : "true";
  if (scalar !== "f32" || !Number.isFinite(value) || Number.isInteger(value)) return String(value);
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(Number(value.toPrecision(9)));
}

/** `items[3].vel.y`, `tiles[2].bins[7]` */
export function cellPath(name: string, part: Part, column: Pick<Column, "name">, row: number): string {
  const { isArray, path, first, inner } = part;
  if (!isArray) return `${name}${column.name}`;
  if (inner === null) return `${name}${path}[${first + row}]${column.name}`;
  return `${name}${path}[${first + Math.floor(row / inner.count)}]${inner.path}[${row % inner.count}]${column.name}`;
}

export interface Range {
  readonly min: number;
  readonly max: number;
}

/** Of the numbers among them: NaN and the infinities are none that a scale could show. */
export function rangeOf(values: ArrayLike<number>): Range {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) continue;
    if (values[i] < min) min = values[i];
    if (values[i] > max) max = values[i];
  }
  return min > max ? { min: 0, max: 0 } : { min, max };
}

/** How many values no scale shows: NaN and the infinities. */
export function countNonFinite(values: ArrayLike<number>): number {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) count++;
  return count;
}
