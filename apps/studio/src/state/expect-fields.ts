/** What a launch expects of a buffer, taken apart for a form and put together again. */
import { isObject } from "./launch-shape.ts";
import { contentsOf, fieldsOf, type SpecFields } from "./spec-fields.ts";

export interface ExpectFields {
  readonly contents: SpecFields;
  /** In any order. */
  readonly unordered: boolean;
  /** How many elements count: a number, or the path of a value; empty: all. */
  readonly count: string;
}

export function expectFieldsOf(expectation: unknown): ExpectFields {
  if (!isObject(expectation)) return { contents: fieldsOf(expectation), unordered: false, count: "" };
  const { unordered, count, ...contents } = expectation;
  return {
    contents: fieldsOf(contents),
    unordered: unordered === true,
    count: typeof count === "number" || typeof count === "string" ? String(count) : "",
  };
}

/** As a launch file says it. */
export function expectationOf({ contents, unordered, count }: ExpectFields): unknown {
  const given = contentsOf(contents);
  const text = count.trim();
  const options = {
    ...(unordered ? { unordered } : {}),
    ...(text === "" ? {} : { count: /^\d+$/.test(text) ? Number(text) : text }),
  };
  if (Object.keys(options).length === 0) return given;
  if (isObject(given)) return { ...given, ...options };
  // Only an object has room beside it.
  if (typeof given !== "string") return { values: given, ...options };
  return { [contents.kind === "file" ? "file" : "spec"]: given, ...options };
}

/** What is written in a field for a value: JSON, or else a text as `NaN`. */
export function writtenValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.trim();
  }
}
