/** Errors of a launch that come from the command line, shown at the option that they are about. */
import { diagnostic, note, type PlacedDiagnostic } from "../diagnostics/diagnostic.ts";
import type { Elsewhere, LaunchError, LaunchPath } from "../launch/problem.ts";
import { Source } from "../text/source.ts";
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
    const [text, start] = found;
    return { source: new Source(text, COMMAND_LINE), span: { start, end: text.length } };
  };
}

const NAMED = { buffers: "buffer", expect: "expect", set: "set", overrides: "override" } as const;
const SINGLE: ReadonlySet<unknown> = new Set(["entry", "call", "tolerance", "invocations", "workgroups"] as const);

/** The option, and where in it the wrong part begins. */
function optionText(path: LaunchPath, options: ExecutionOptions): readonly [text: string, start: number] | null {
  const [first, second] = path;
  if (typeof first === "string" && Object.hasOwn(NAMED, first) && typeof second === "string") {
    const option = NAMED[first as keyof typeof NAMED];
    const value = options[option]?.[second];
    const head = `--${option} `;
    if (value !== undefined) return [`${head}${second}=${value}`, head.length];
  }
  if ((first === "read" || first === "trace") && typeof second === "number") {
    const value = options[first]?.[second];
    if (value !== undefined) return [`--${first} ${value}`, first.length + 3];
  }
  const value = SINGLE.has(first) ? options[first as "entry"] : undefined;
  return value === undefined ? null : [`--${first} ${value}`, String(first).length + 3];
}
