/** SPEC strings: `zeros:N`, `iota:N`, `fill:VALUE:N`, `random:N[:seed=S][:min=A][:max=B][:zipf=S]`, JSON, a file. */
import { phrase } from "../diagnostics/diagnostic.ts";
import { type Layout, runtimeArray, sizeWithElements } from "../layout/layout.ts";
import { writeScalar } from "../layout/view.ts";
import { type ScalarType, typeName } from "../types/type.ts";
import { FILE_ENDINGS, fileFormat } from "./file-name.ts";
import { jsonProblem, jsonValue } from "./json-syntax.ts";
import { denseScalar, forEachLeaf } from "./leaves.ts";
import { launchError } from "./problem.ts";
import { type RandomOptions, randomScalar } from "./random.ts";

/** What a SPEC says. `count` is in elements of the runtime-sized array; null: left out. */
export type Spec =
  | { readonly kind: "zeros"; readonly count: number | null }
  | { readonly kind: "iota"; readonly count: number | null }
  | { readonly kind: "fill"; readonly value: number; readonly count: number | null }
  | { readonly kind: "random"; readonly count: number | null; readonly options: RandomOptions }
  | { readonly kind: "values"; readonly values: unknown }
  | { readonly kind: "file"; readonly file: string };

/** Specs that make their values from an index. */
export type GeneratedSpec = Extract<Spec, { readonly kind: "zeros" | "iota" | "fill" | "random" }>;

export function isGenerated(spec: Spec): spec is GeneratedSpec {
  return spec.kind !== "values" && spec.kind !== "file";
}

/** @throws LaunchError that says what would be accepted */
export function parseSpec(text: string): Spec {
  const spec = text.trim();
  const [kind, ...parts] = spec.split(":");
  switch (kind) {
    case "zeros":
    case "iota":
      return { kind, count: onlyCount(spec, parts) };
    case "fill":
      return fillSpec(spec, parts);
    case "random":
      return randomSpec(spec, parts);
  }
  if (looksLikeJson(spec)) return { kind: "values", values: parseLiteral(spec) };
  if (fileFormat(spec) !== null) return { kind: "file", file: spec };
  throw launchError([], "spec-unknown", { spec: shortened(spec), known: FILE_ENDINGS });
}

/** A long text as it is shown in a message. */
function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function looksLikeJson(spec: string): boolean {
  return /^(?:[[{"]|-?\d[\d.eE+-]*$|(?:true|false|null)$|-?(?:NaN|Infinity)$)/.test(spec);
}

function parseLiteral(spec: string): unknown {
  if (/^-?(?:NaN|Infinity)$/.test(spec)) return spec;
  const problem = jsonProblem(spec);
  if (problem !== null) throw launchError([], "launch-syntax", { expected: problem.expected, found: problem.found });
  return jsonValue(spec);
}

function onlyCount(spec: string, parts: readonly string[]): number | null {
  const [count, surplus] = parts;
  if (surplus !== undefined) throw optionError(spec, surplus, "N");
  return count === undefined ? null : parseCount(spec, count);
}

function fillSpec(spec: string, parts: readonly string[]): Spec {
  const [value, count, surplus] = parts;
  if (value === undefined || value === "") throw launchError([], "spec-value-missing", { spec });
  if (surplus !== undefined) throw optionError(spec, surplus, "VALUE, N");
  return {
    kind: "fill",
    value: parseNumber(spec, value, "number"),
    count: count === undefined ? null : parseCount(spec, count),
  };
}

function randomSpec(spec: string, parts: readonly string[]): Spec {
  let count: number | null = null;
  const options = { seed: 1, min: null as number | null, max: null as number | null, zipf: null as number | null };
  for (const [place, part] of parts.entries()) {
    const [name, value] = part.split("=");
    if (value === undefined && place === 0) count = parseCount(spec, part);
    else if (value !== undefined && Object.hasOwn(options, name)) {
      options[name as keyof typeof options] = parseNumber(spec, value, name === "seed" ? "whole number" : "number");
    } else throw optionError(spec, name, "N, seed=S, min=A, max=B, zipf=S");
  }
  const { min, max } = options;
  if (min !== null && max !== null && min > max) throw launchError([], "spec-min-max", { min, max });
  return { kind: "random", count, options };
}

function optionError(spec: string, option: string, known: string): Error {
  return launchError([], "spec-option", { kind: spec.split(":")[0], option, known });
}

function parseCount(spec: string, text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(count))
    throw launchError([], "spec-number", { text, spec, what: phrase("elements-number") });
  return count;
}

function parseNumber(spec: string, text: string, what: "number" | "whole number"): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  const right = what === "number" ? !Number.isNaN(value) || text === "NaN" : Number.isSafeInteger(value);
  if (!right)
    throw launchError([], "spec-number", {
      text,
      spec,
      what: phrase(`a-bare-${what === "number" ? "number" : "whole-number"}`),
    });
  if (!Number.isFinite(value) && /\d/.test(text)) {
    throw launchError([], "spec-number", { text, spec, what: phrase("a-finite-number") });
  }
  return value;
}

/** Bytes; more than this is not made: a typing error costs a message, not all memory. */
export const LARGEST_BUFFER = 2 ** 30;

/**
 * Bytes that a buffer of this layout takes with `count` elements in its runtime-sized array (ignored for other types).
 * A multiple of 4. webgpu: #dom-gpubufferbinding-size
 */
export function bufferSize(layout: Layout, count: number): number {
  const size = Math.ceil(sizeWithElements(layout, count) / 4) * 4;
  if (!(size <= LARGEST_BUFFER)) {
    throw launchError([], "buffer-too-large", { name: typeName(layout.type), bytes: size, limit: LARGEST_BUFFER });
  }
  return size;
}

/** The bytes that a generated spec stands for. `defaultCount` is the number of elements where the spec has none. */
export function generate(spec: GeneratedSpec, layout: Layout, defaultCount: number): Uint8Array {
  const bytes = new Uint8Array(bufferSize(layout, spec.count ?? defaultCount));
  if (spec.kind === "zeros") return bytes;
  const leafOf = leafFunction(spec);
  const dense = denseScalar(layout);
  if (dense !== null && dense.kind !== "f16" && dense.kind !== "bool") fillDense(bytes, dense, leafOf(dense));
  else fillLeaves(bytes, layout, leafOf);
  return bytes;
}

/** By scalar type: the function from the index of a leaf to its value. */
function leafFunction(spec: GeneratedSpec): (type: ScalarType) => (index: number) => number {
  switch (spec.kind) {
    case "zeros":
      return () => () => 0;
    case "iota":
      return () => (index) => index;
    case "fill":
      return () => () => spec.value;
    case "random":
      return (type) => randomScalar(type, spec.options);
  }
}

/** One typed array, without a look at the layout: a million elements take milliseconds. */
function fillDense(bytes: Uint8Array, type: ScalarType, leaf: (index: number) => number): void {
  const count = bytes.byteLength / 4;
  const array =
    type.kind === "f32"
      ? new Float32Array(bytes.buffer, 0, count)
      : type.kind === "i32"
        ? new Int32Array(bytes.buffer, 0, count)
        : new Uint32Array(bytes.buffer, 0, count);
  const data = new DataView(bytes.buffer);
  for (let i = 0; i < count; i++) {
    const value = leaf(i);
    array[i] = value;
    // Only what the type cannot hold differs, floats by being infinite; the slow way says so.
    const isSuspect = type.kind === "f32" ? !Number.isFinite(array[i]) : array[i] !== value;
    if (isSuspect) writeScalar(data, type, i * 4, value, `[${i}]`);
  }
}

function fillLeaves(bytes: Uint8Array, layout: Layout, leafOf: (type: ScalarType) => (index: number) => number): void {
  const data = new DataView(bytes.buffer);
  const functions = new Map<ScalarType, (index: number) => number>();
  let index = 0;
  // The rounded-up end of a buffer may hold room for one more element of two bytes: it is part of the array.
  forEachLeaf(layout, bytes.byteLength, (type, offset) => {
    let leaf = functions.get(type);
    if (leaf === undefined) {
      leaf = leafOf(type);
      functions.set(type, leaf);
    }
    writeScalar(data, type, offset, leaf(index++), "");
  });
}

/** Number of elements in the runtime-sized array that plain values hold; 0 where there is none. */
export function elementsIn(layout: Layout, values: unknown): number {
  const tail = runtimeArray(layout);
  if (tail === null) return 0;
  if (layout.members.length === 0) return Array.isArray(values) ? values.length : 0;
  const last = layout.members[layout.members.length - 1];
  if (typeof values !== "object" || values === null) return 0;
  const part = Array.isArray(values)
    ? (values as readonly unknown[])[layout.members.length - 1]
    : (values as Record<string, unknown>)[last.name];
  return Array.isArray(part) ? part.length : 0;
}
