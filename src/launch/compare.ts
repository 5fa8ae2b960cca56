/**
 * Results against expectations. Values are compared leaf by leaf; raw words word by word, padding included. An
 * unordered comparison with a tolerance pairs the elements in the order of their values, which is exact for scalars.
 */
import { type Layout, layoutOf, pathAt, runtimeArray } from "../layout/layout.ts";
import { BufferView, type ViewValue } from "../layout/view.ts";
import { f16FromBits } from "../numeric/float16.ts";
import { ulpDistanceF16, ulpDistanceF32 } from "../numeric/ulp.ts";
import { F32, I32, type ScalarType, U32 } from "../types/type.ts";
import type { ContentsForm } from "./contents.ts";
import type { Tolerance } from "./launch.ts";
import { forEachLeaf } from "./leaves.ts";

/** What a comparison is told. */
export interface Comparand {
  readonly name: string;
  readonly layout: Layout;
  readonly actual: Uint8Array;
  readonly expected: Uint8Array;
  /** Elements of the array that plain values give: an array of fixed size takes fewer. Null: as many as `expected` holds. */
  readonly given: number | null;
  readonly form: ContentsForm;
  readonly tolerance: Tolerance;
  readonly unordered: boolean;
  /** Elements of the array that count, after the run; null: all. */
  readonly count: number | null;
  /** Of a count that is a plain number: the expectation is cut to it too. */
  readonly cutExpected: boolean;
}

export interface Difference {
  /** `list[3].vel.y`; of a wrong number of elements the array itself. */
  readonly path: string;
  readonly expected: ViewValue;
  readonly actual: ViewValue;
  /** Where the value lies in the buffer; null where a number of elements differs. */
  readonly byteOffset: number | null;
  readonly size: number;
}

export interface Outcome {
  readonly ok: boolean;
  /** How many leaves (unordered: elements) differ. */
  readonly count: number;
  /** How many were compared. */
  readonly compared: number;
  /** The largest difference of two floats in units in the last place; 0 where there are none. */
  readonly maxUlp: number;
  readonly first: Difference | null;
}

interface Leaf {
  readonly type: ScalarType;
  readonly offset: number;
}

/** How two buffers differ. */
export function compareBuffers(input: Comparand): Outcome {
  const { form } = input;
  if (form === "u32" || form === "i32" || form === "f32" || form === "bytes") {
    if (!input.unordered && input.count === null) return compareWords(input, form);
  }
  return compareElements(input);
}

// ------------------------------------------------------------------ raw words

function compareWords(input: Comparand, form: ContentsForm): Outcome {
  const { actual, expected } = input;
  const type = form === "f32" ? F32 : form === "i32" ? I32 : U32;
  const tally = new Tally(input);
  const words = Math.min(actual.byteLength, expected.byteLength) >>> 2;
  for (let i = 0; i < words; i++)
    tally.compare(type, i * 4, i * 4, () => pathAt(input.layout, i * 4, input.name) ?? `${input.name} byte ${i * 4}`);
  if (actual.byteLength !== expected.byteLength) {
    tally.wrongCount(`${input.name} words`, expected.byteLength / 4, actual.byteLength / 4);
  }
  return tally.outcome();
}

// ------------------------------------------------------------------ values

/** The array whose elements count, and where it begins: the value itself or the runtime-sized tail of a structure. */
function countedArray(layout: Layout): { readonly array: Layout; readonly offset: number } | null {
  return layout.type.kind === "array" ? { array: layout, offset: 0 } : runtimeArray(layout);
}

/** Elements of which `bytes` hold all: words may be fewer than an array of fixed size takes. */
function elementsIn(array: Layout, bytes: number): number {
  const whole = Math.max(0, Math.floor(bytes / array.stride!));
  return array.count === null ? whole : Math.min(array.count, whole);
}

function compareElements(input: Comparand): Outcome {
  const { layout, actual, expected } = input;
  const tally = new Tally(input);
  const counted = countedArray(layout);
  if (counted === null) {
    forEachLeaf(layout, layout.size, (type, offset) => tally.compareAt(type, offset));
    return tally.outcome();
  }
  const { array, offset } = counted;
  for (const { type, offset } of leavesBefore(layout, array)) tally.compareAt(type, offset);
  const there = elementsIn(array, actual.byteLength - offset);
  const actualCount = Math.min(input.count ?? there, there);
  const given = input.given ?? elementsIn(array, expected.byteLength - offset);
  const expectedCount = input.cutExpected ? Math.min(actualCount, given) : given;
  const wanted = input.count ?? there;
  if (expectedCount !== wanted) tally.wrongCount(arrayName(input), expectedCount, wanted);
  const stride = array.stride!;
  if (input.unordered) compareUnordered(tally, array, offset, expectedCount, actualCount);
  else {
    const common = Math.min(expectedCount, actualCount);
    const end = offset + common * stride;
    for (let at = offset; at < end; at += stride) {
      forEachLeaf(array.element!, stride, (type, inner) => tally.compareAt(type, at + inner));
    }
  }
  return tally.outcome();
}

function arrayName({ layout, name }: Comparand): string {
  return layout.type.kind === "array" ? name : `${name}.${layout.members.at(-1)?.name}`;
}

/** Leaves of a structure that come before its runtime-sized tail. */
function leavesBefore(layout: Layout, tail: Layout): readonly Leaf[] {
  const leaves: Leaf[] = [];
  if (layout === tail) return leaves;
  for (const member of layout.members.slice(0, -1)) {
    forEachLeaf(member.layout, member.layout.size, (type, offset) =>
      leaves.push({ type, offset: member.offset + offset }),
    );
  }
  return leaves;
}

/** Both sides sorted, then walked in step: what only one side has is a difference. */
function compareUnordered(
  tally: Tally,
  array: Layout,
  offset: number,
  expectedCount: number,
  actualCount: number,
): void {
  const stride = array.stride!;
  const leaves: Leaf[] = [];
  forEachLeaf(array.element!, stride, (type, at) => leaves.push({ type, offset: at }));
  const sorted = (data: DataView, count: number) =>
    Array.from({ length: count }, (_, i) => offset + i * stride).sort((a, b) => order(data, leaves, a, b));
  const expected = sorted(tally.expectedData, expectedCount);
  const actual = sorted(tally.actualData, actualCount);
  if (tally.exact) {
    walkExact(tally, leaves, expected, actual);
    return;
  }
  for (let i = 0; i < Math.min(expected.length, actual.length); i++) {
    for (const { type, offset } of leaves) tally.compareAt(type, actual[i] + offset, expected[i] + offset);
  }
}

/** Elements that only one of two sorted lists holds. A missing one is shown against a surplus one. */
function walkExact(
  tally: Tally,
  leaves: readonly Leaf[],
  expected: readonly number[],
  actual: readonly number[],
): void {
  const missing: number[] = [];
  const surplus: number[] = [];
  let [e, a] = [0, 0];
  while (e < expected.length || a < actual.length) {
    const side =
      e === expected.length ? 1 : a === actual.length ? -1 : tally.orderAcross(leaves, expected[e], actual[a]);
    if (side === 0) {
      e++;
      a++;
    } else if (side < 0) missing.push(expected[e++]);
    else surplus.push(actual[a++]);
  }
  tally.unmatched(missing, surplus, expected.length);
}

function order(data: DataView, leaves: readonly Leaf[], a: number, b: number): number {
  for (const { type, offset } of leaves) {
    const difference = compareNumbers(readLeaf(data, type, a + offset), readLeaf(data, type, b + offset));
    if (difference !== 0) return difference;
  }
  return 0;
}

/** By value; both zeros are equal, NaNs come last and are equal. */
function compareNumbers(a: number, b: number): number {
  if (a !== a || b !== b) return a !== a ? (b !== b ? 0 : 1) : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function readLeaf(data: DataView, type: ScalarType, offset: number): number {
  switch (type.kind) {
    case "f32":
      return data.getFloat32(offset, true);
    case "f16":
      return f16FromBits(data.getUint16(offset, true));
    case "i32":
      return data.getInt32(offset, true);
    default:
      return data.getUint32(offset, true);
  }
}

/** Counts differences and keeps the first one. */
class Tally {
  readonly #input: Comparand;
  readonly actualData: DataView;
  readonly expectedData: DataView;
  readonly exact: boolean;
  #count = 0;
  #compared = 0;
  #maxUlp = 0;
  #first: Difference | null = null;

  constructor(input: Comparand) {
    this.#input = input;
    this.actualData = dataOf(input.actual);
    this.expectedData = dataOf(input.expected);
    this.exact = !Object.values(input.tolerance).some((bound) => bound > 0);
  }

  compareAt(type: ScalarType, offset: number, expectedOffset = offset): void {
    this.compare(
      type,
      offset,
      expectedOffset,
      () => pathAt(this.#input.layout, offset, this.#input.name) ?? this.#input.name,
    );
  }

  compare(type: ScalarType, offset: number, expectedOffset: number, path: () => string): void {
    this.#compared++;
    const actual = readLeaf(this.actualData, type, offset);
    const expected = readLeaf(this.expectedData, type, expectedOffset);
    if (actual === expected || (actual !== actual && expected !== expected)) return;
    const isFloat = type.kind === "f32" || type.kind === "f16";
    const ulp = !isFloat
      ? 0
      : type.kind === "f32"
        ? ulpDistanceF32(actual, expected)
        : ulpDistanceF16(actual, expected);
    this.#maxUlp = Math.max(this.#maxUlp, ulp);
    if (isFloat && isNear(actual, expected, ulp, this.#input.tolerance)) return;
    this.#count++;
    this.#first ??= {
      path: path(),
      expected: shown(expected, type),
      actual: shown(actual, type),
      byteOffset: offset,
      size: type.kind === "f16" ? 2 : 4,
    };
  }

  wrongCount(path: string, expected: number, actual: number): void {
    this.#compared++;
    this.#count++;
    this.#first ??= { path: `number of elements in ${path}`, expected, actual, byteOffset: null, size: 0 };
  }

  orderAcross(leaves: readonly Leaf[], expected: number, actual: number): number {
    for (const { type, offset } of leaves) {
      const left = readLeaf(this.expectedData, type, expected + offset);
      const right = readLeaf(this.actualData, type, actual + offset);
      const difference = compareNumbers(left, right);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  unmatched(missing: readonly number[], surplus: readonly number[], compared: number): void {
    this.#compared += compared;
    this.#count += Math.max(missing.length, surplus.length);
    if (missing.length === 0 && surplus.length === 0) return;
    const { layout, name } = this.#input;
    const counted = countedArray(layout)!;
    const size = counted.array.element!.size;
    const element = (data: DataView, offset: number | undefined) =>
      offset === undefined
        ? "nothing"
        : new BufferView(new Uint8Array(data.buffer, data.byteOffset + offset, size), counted.array.element!).read();
    const offset = surplus.length === 0 ? null : Math.min(...surplus.slice(0, 1000));
    const index = offset === null ? "" : `[${(offset - counted.offset) / counted.array.stride!}]`;
    this.#first ??= {
      path: `${arrayName(this.#input) || name}${index}`,
      expected: element(this.expectedData, missing[0]),
      actual: element(this.actualData, offset ?? undefined),
      byteOffset: offset,
      size,
    };
  }

  outcome(): Outcome {
    return {
      ok: this.#count === 0,
      count: this.#count,
      compared: this.#compared,
      maxUlp: this.#maxUlp,
      first: this.#first,
    };
  }
}

function dataOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A value as results show it: the shortest number that is this one. */
function shown(value: number, type: ScalarType): ViewValue {
  const view = new BufferView(new Uint8Array(4), layoutOf(type));
  view.write(Number.isFinite(value) ? value : String(value));
  return view.read();
}

/** Any one bound that is met suffices. */
function isNear(actual: number, expected: number, ulp: number, { abs, rel, ulp: most }: Tolerance): boolean {
  const difference = Math.abs(actual - expected);
  return (
    (abs !== undefined && difference <= abs) ||
    (rel !== undefined && difference <= rel * Math.abs(expected)) ||
    (most !== undefined && ulp <= most)
  );
}
