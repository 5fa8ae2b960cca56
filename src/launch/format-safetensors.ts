/** Tensors in `.safetensors` files: the length of a JSON header (u64), the header, the data. */

import { phrase } from "../diagnostics/diagnostic.ts";
import { nearestName } from "../text/nearest.ts";
import type { FileArray } from "./file-array.ts";
import { FormatError } from "./format-error.ts";
import { jsonProblem, jsonValue } from "./json-syntax.ts";
import { launchError, listed } from "./problem.ts";

const TYPES: Readonly<Record<string, readonly [scalar: string, size: number]>> = {
  F16: ["f16", 2],
  BF16: ["bf16", 2],
  F32: ["f32", 4],
  F64: ["f64", 8],
  I8: ["i8", 1],
  I16: ["i16", 2],
  I32: ["i32", 4],
  I64: ["i64", 8],
  U8: ["u8", 1],
  U16: ["u16", 2],
  U32: ["u32", 4],
  U64: ["u64", 8],
  BOOL: ["bool of 1 byte", 1],
};

interface Tensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

/** The tensor `name`. `file` is for the message that lists the names there are. */
export function readSafetensors(bytes: Uint8Array, name: string, file: string): FileArray {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = bytes.length < 8 ? Infinity : Number(data.getBigUint64(0, true));
  if (8 + length > bytes.length) throw new FormatError(phrase("header-cut"));
  const text = new TextDecoder().decode(bytes.subarray(8, 8 + length));
  const header = jsonProblem(text) === null ? jsonValue(text) : null;
  if (typeof header !== "object" || header === null) throw new FormatError(phrase("header-no-json"));
  const names = Object.keys(header).filter((key) => key !== "__metadata__");
  if (!names.includes(name)) {
    throw launchError([], "file-tensor", { file, name, known: listed(names) }, nearestName(name, names));
  }
  const tensor = (header as Record<string, Tensor>)[name];
  const [scalar, scalarSize] = TYPES[tensor?.dtype] ?? [];
  const [start, end] = Array.isArray(tensor?.data_offsets) ? tensor.data_offsets : [];
  if (scalar === undefined || scalarSize === undefined || !Array.isArray(tensor.shape)) {
    throw new FormatError(phrase("tensor-type", { name }));
  }
  const size = tensor.shape.reduce((product, n) => product * n, scalarSize);
  if (!(start! >= 0 && end! - start! === size && 8 + length + end! <= bytes.length)) {
    throw new FormatError(phrase("tensor-place", { name }));
  }
  const first = 8 + length + start!;
  return { bytes: bytes.slice(first, first + size), scalar, scalarSize, shape: tensor.shape, fortranOrder: false };
}
