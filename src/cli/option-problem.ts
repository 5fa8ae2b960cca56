/** Errors of a launch that come from the command line, shown at the option that they are about. */
import { diagnostic, note, type PlacedDiagnostic } from "../diagnostics/diagnostic.ts";
import { jsonPlace } from "../launch/json-place.ts";
import { jsonProblem } from "../launch/json-syntax.ts";
import type { Elsewhere, LaunchError, LaunchPath } from "../launch/problem.ts";
import { Source, type Span } from "../text/source.ts";
import type { ExecutionOptions } from "./run-options.ts";

const COMMAND_LINE = "command line";

/** `path` is what is shown where no option is to blame. */
export function optionProblem(error: LaunchError, options: ExecutionOptions, path: string): PlacedDiagnostic {
  const place = placeOfOption(options)(error.path);
  const { source, span } = place ?? { source: new Source("", path), span: { start: 0, end: 0 } };
  const notes = error.near === null ? [] : [note("did-you-mean", span, { name: error.near })];
  return { ...diagnostic(error.code, span, error.args as never, { notes }), source };
}

/** An option that makes no sense is wrong use of the command, not a fault of the launch. */
export function isWrongOption({ source, severity }: PlacedDiagnostic): boolean {
  return source.path === COMMAND_LINE && severity === "error";
}

/** The option, as it was typed, that gave a part of the launch. */
export function placeOfOption(options: ExecutionOptions): Elsewhere {
  return (path) => {
    const found = optionText(path, options);
    if (found === null) return null;
    const text = found.head + found.name + found.value;
    return {
      source: new Source(text, COMMAND_LINE),
      span: partOf(found) ?? { start: found.head.length, end: text.length },
    };
  };
}

/** An option in its parts, and the path of what is wrong in its value. */
interface OptionText {
  /** `--expect `. */
  readonly head: string;
  /** `list=`, or empty. */
  readonly name: string;
  readonly value: string;
  readonly inner: LaunchPath;
}

/** Of a value that is JSON, the part; null: all of it. */
function partOf({ head, name, value, inner }: OptionText): Span | null {
  if (inner.length === 0 || jsonProblem(value) !== null) return null;
  const { start, end } = jsonPlace(value, inner);
  const before = head.length + name.length;
  return { start: before + start, end: before + end };
}

const NAMED = { buffers: "buffer", expect: "expect", set: "set", overrides: "override" } as const;
const SINGLE: ReadonlySet<unknown> = new Set(["entry", "call", "tolerance", "invocations", "workgroups"] as const);

function optionText([first, second, ...inner]: LaunchPath, options: ExecutionOptions): OptionText | null {
  if (typeof first === "string" && Object.hasOwn(NAMED, first) && typeof second === "string") {
    const option = NAMED[first as keyof typeof NAMED];
    const value = options[option]?.[second];
    if (value !== undefined) return { head: `--${option} `, name: `${second}=`, value, inner };
  }
  if ((first === "read" || first === "trace") && typeof second === "number") {
    const value = options[first]?.[second];
    if (value !== undefined) return { head: `--${first} `, name: "", value, inner: [] };
  }
  const value = SINGLE.has(first) ? options[first as "entry"] : undefined;
  return value === undefined ? null : { head: `--${first} `, name: "", value: String(value), inner: [] };
}
