/** What a buffer holds at first, taken apart for a form and put together again. */
import { isObject } from "./launch-shape.ts";

export const GENERATORS = ["default", "zeros", "iota", "fill", "random", "values", "file"] as const;
export type Generator = (typeof GENERATORS)[number];

export interface SpecFields {
  readonly kind: Generator;
  readonly count: string;
  readonly value: string;
  readonly seed: string;
  readonly min: string;
  readonly max: string;
  /** JSON, or the name of a file. */
  readonly text: string;
}

const EMPTY: SpecFields = { kind: "default", count: "", value: "0", seed: "1", min: "", max: "", text: "" };

/** `contents` as in a launch file; undefined: nothing is said. */
export function fieldsOf(contents: unknown): SpecFields {
  if (contents === undefined) return EMPTY;
  if (typeof contents === "string") return fieldsOfText(contents.trim());
  if (isObject(contents)) {
    const { file, spec, values, ...others } = contents;
    if (typeof file === "string") return { ...EMPTY, kind: "file", text: file };
    if (typeof spec === "string") return fieldsOfText(spec.trim());
    if (values !== undefined && Object.keys(others).length === 0) {
      return { ...EMPTY, kind: "values", text: JSON.stringify(values) };
    }
  }
  return { ...EMPTY, kind: "values", text: JSON.stringify(contents) };
}

function fieldsOfText(text: string): SpecFields {
  const [kind, ...parts] = text.split(":");
  switch (kind) {
    case "zeros":
    case "iota":
      return { ...EMPTY, kind, count: parts[0] ?? "" };
    case "fill":
      return { ...EMPTY, kind, value: parts[0] ?? "0", count: parts[1] ?? "" };
    case "random": {
      const options = Object.fromEntries(parts.filter((part) => part.includes("=")).map((part) => part.split("=")));
      const { seed = "1", min = "", max = "", ...others } = options;
      // What the form has no field for stays as it is written.
      if (Object.keys(others).length > 0) break;
      return { ...EMPTY, kind, count: parts.find((part) => !part.includes("=")) ?? "", seed, min, max };
    }
  }
  return /\.(?:bin|npy|csv|json|png|safetensors#.+)$/i.test(text)
    ? { ...EMPTY, kind: "file", text }
    : { ...EMPTY, kind: "values", text };
}

/** As a launch file says it; undefined: nothing. */
export function contentsOf(fields: SpecFields): unknown {
  const { kind, count, value, seed, min, max, text } = fields;
  const counted = count.trim() === "" ? "" : `:${count.trim()}`;
  switch (kind) {
    case "default":
      return undefined;
    case "zeros":
    case "iota":
      return `${kind}${counted}`;
    case "fill":
      return `fill:${value.trim() || "0"}${counted}`;
    case "random": {
      const option = (name: string, given: string) => (given.trim() === "" ? "" : `:${name}=${given.trim()}`);
      return `random${counted}${option("seed", seed)}${option("min", min)}${option("max", max)}`;
    }
    case "file":
      // While none is chosen yet.
      return fieldsOfText(text).kind === "file" ? text : { file: text };
    case "values":
      return valuesOf(text);
  }
}

function valuesOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) || typeof value !== "object" ? { values: value } : value;
  } catch {
    // Left to be told by the launch file's own check.
    return text;
  }
}
