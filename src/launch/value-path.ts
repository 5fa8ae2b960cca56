/** Paths of values in buffers: `cont.live`, `ps[3].vel.y`, `0.1[2]`; and ranges: `list:0..cont.live`. */
import { type BufferView, PartError } from "../layout/view.ts";
import { typeName } from "../types/type.ts";
import { type LaunchPath, launchError } from "./problem.ts";

export interface ValuePath {
  /** As written. */
  readonly text: string;
  /** A WGSL variable name, or `group.binding`. */
  readonly buffer: string;
  readonly steps: readonly (string | number)[];
}

const HEAD = /^(?:\d+\.\d+|[\p{XID_Start}_][\p{XID_Continue}]*)/u;
const STEP = /\s*(?:\.\s*([\p{XID_Start}_][\p{XID_Continue}]*)|\[\s*(\d+)\s*\])/uy;

/** @throws LaunchError */
export function parseValuePath(text: string): ValuePath {
  const head = HEAD.exec(text.trim())?.[0];
  if (head === undefined) throw launchError([], "path-syntax", { path: text });
  const rest = text.trim().slice(head.length);
  const steps: (string | number)[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < rest.length) {
    const match = STEP.exec(rest);
    if (match === null) throw launchError([], "path-syntax", { path: text });
    steps.push(match[1] ?? Number(match[2]));
  }
  return { text: text.trim(), buffer: head, steps };
}

/** The part of a buffer that a path names. @throws LaunchError */
export function viewAt(view: BufferView, path: ValuePath): BufferView {
  try {
    return view.at(...path.steps);
  } catch (error) {
    if (!(error instanceof PartError)) throw error;
    throw launchError([], "path-unknown", { path: path.text, problem: error.problem });
  }
}

/** Writes a plain value at a path. @throws LaunchError, ValueError */
export function writeAt(view: BufferView, path: ValuePath, value: unknown): void {
  viewAt(view, path).write(value);
}

/** A bound of a range: a number, or the path of one in a buffer after the run. */
export type Bound = number | ValuePath;

/** What to read: a buffer or a part of one, and which of its elements (half-open; null: to the end). */
export interface ReadRequest {
  readonly text: string;
  readonly path: ValuePath;
  readonly range: { readonly from: Bound; readonly to: Bound | null } | null;
}

/** `name`, `name:FROM..TO`. @throws LaunchError */
export function parseRead(text: string): ReadRequest {
  const colon = text.indexOf(":");
  if (colon < 0) return { text, path: parseValuePath(text), range: null };
  const range = text.slice(colon + 1);
  const dots = range.indexOf("..");
  if (dots < 0) throw launchError([], "range-syntax", { range });
  const [from, to] = [range.slice(0, dots).trim(), range.slice(dots + 2).trim()];
  return {
    text,
    path: parseValuePath(text.slice(0, colon)),
    range: { from: from === "" ? 0 : parseBound(from), to: to === "" ? null : parseBound(to) },
  };
}

/** A number or a path. @throws LaunchError */
export function parseBound(text: string | number): Bound {
  if (typeof text === "number") return text;
  return /^\d+$/.test(text) ? Number(text) : parseValuePath(text);
}

/** The number that a bound stands for; `viewOf` gives a buffer by name. @throws LaunchError */
export function boundValue(
  bound: Bound,
  viewOf: (name: string, path: LaunchPath) => BufferView,
  place: LaunchPath,
): number {
  if (typeof bound === "number") return bound;
  const part = viewAt(viewOf(bound.buffer, place), bound);
  const value = part.read();
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
  const type = typeof value === "number" ? String(value) : typeName(part.layout.type);
  throw launchError(place, "path-no-number", { path: bound.text, type });
}
