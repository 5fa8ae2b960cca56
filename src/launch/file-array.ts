/** An array in a file of numbers, and whether it fits a layout: nothing is converted, padded or cut. */
import { type Layout, runtimeArray } from "../layout/layout.ts";
import { typeName } from "../types/type.ts";
import { forEachLeaf } from "./leaves.ts";
import { launchError } from "./problem.ts";

export interface FileArray {
  /** The numbers, little-endian, one after the other. */
  readonly bytes: Uint8Array;
  /** `f32`, `u32`, `f64` …; null: structured or unknown, so that only sizes are compared. */
  readonly scalar: string | null;
  /** Bytes of one number or structure; null: the file says nothing of it (`.bin`). */
  readonly scalarSize: number | null;
  readonly shape: readonly number[];
  readonly fortranOrder: boolean;
}

/** The bytes of the file as those of a buffer. @throws LaunchError that names the file and both sides of the difference */
export function fitFileArray(array: FileArray, layout: Layout, file: string): Uint8Array {
  if (array.fortranOrder) throw launchError([], "file-order", { file });
  checkScalar(array, layout, file);
  if (layout.type.kind === "array") checkElements(array, layout, file);
  else checkSize(array, layout, file);
  return padded(array.bytes);
}

/** A buffer's size is a multiple of 4. */
export function padded(bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength % 4 === 0) return bytes;
  const whole = new Uint8Array(Math.ceil(bytes.byteLength / 4) * 4);
  whole.set(bytes);
  return whole;
}

/** Where all leaves have one type, the file's numbers have to be of it. */
function checkScalar(array: FileArray, layout: Layout, file: string): void {
  if (array.scalar === null) return;
  const kinds = new Set<string>();
  const tail = runtimeArray(layout);
  forEachLeaf(tail === null ? layout : tail.array, tail === null ? layout.size : tail.array.stride!, (type) =>
    kinds.add(type.kind),
  );
  if (kinds.size !== 1 || kinds.has(array.scalar)) return;
  throw launchError([], "file-type", {
    file,
    found: array.scalar,
    type: typeName(layout.type),
    expected: [...kinds][0],
  });
}

function checkElements(array: FileArray, layout: Layout, file: string): void {
  const stride = layout.stride!;
  const bytes = array.bytes.byteLength;
  if (array.scalarSize !== null) {
    const found = array.shape.slice(1).reduce((product, n) => product * n, array.scalarSize);
    if (found !== stride) throw launchError([], "file-element-size", { file, found, stride });
  } else if (bytes % stride !== 0) throw launchError([], "file-partial", { file, found: bytes, stride });
  const found = bytes / stride;
  if (layout.count !== null && found !== layout.count) {
    throw launchError([], "file-count", { file, found, type: typeName(layout.type), expected: layout.count });
  }
}

function checkSize(array: FileArray, layout: Layout, file: string): void {
  const bytes = array.bytes.byteLength;
  const tail = runtimeArray(layout);
  if (tail === null) {
    if (bytes === layout.size) return;
    throw launchError([], "file-size", { file, found: bytes, type: typeName(layout.type), expected: layout.size });
  }
  const stride = tail.array.stride!;
  if (bytes < tail.offset + stride) {
    const expected = `at least ${tail.offset + stride}`;
    throw launchError([], "file-size", { file, found: bytes, type: typeName(layout.type), expected });
  }
  // What is left after the last whole element is the structure's own padding at most.
  if ((bytes - tail.offset) % stride >= layout.align) {
    throw launchError([], "file-partial", { file, found: bytes - tail.offset, stride });
  }
}
