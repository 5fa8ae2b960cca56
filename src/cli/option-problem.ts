/** Errors of a launch that come from the command line, shown at the option that they are about. */
import { diagnostic, note, type PlacedDiagnostic } from "../diagnostics/diagnostic.ts";
import type { LaunchError } from "../launch/problem.ts";
import { Source } from "../text/source.ts";
import type { ExecutionOptions } from "./run-options.ts";

/** `path` is what is shown where no option is to blame. */
export function optionProblem(error: LaunchError, options: ExecutionOptions, path: string): PlacedDiagnostic {
  const [text, start] = optionText(error.path, options);
  const source = new Source(text, text === "" ? path : "command line");
  const span = { start, end: text.length };
  const notes = error.near === null ? [] : [note("did-you-mean", span, { name: error.near })];
  return { ...diagnostic(error.code, span, error.args as never, { notes }), source };
}

const NAMED = { buffers: "buffer", expect: "expect", set: "set", overrides: "override" } as const;

/** The option as it was typed, and where in it the wrong part begins. */
function optionText(path: LaunchError["path"], options: ExecutionOptions): [text: string, start: number] {
  const [first, second] = path;
  if (typeof first === "string" && Object.hasOwn(NAMED, first) && typeof second === "string") {
    const option = NAMED[first as keyof typeof NAMED];
    const value = options[option]?.[second];
    const head = `--${option} `;
    // A name that nothing has is itself what is wrong; else the value is.
    if (value !== undefined) return [`${head}${second}=${value}`, head.length];
  }
  if ((first === "read" || first === "trace") && typeof second === "number") {
    const value = options[first]?.[second];
    if (value !== undefined) return [`--${first} ${value}`, first.length + 3];
  }
  if (
    first === "entry" ||
    first === "call" ||
    first === "tolerance" ||
    first === "invocations" ||
    first === "workgroups"
  ) {
    const value = options[first];
    if (value !== undefined) return [`--${first} ${value}`, first.length + 3];
  }
  return ["", 0];
}
