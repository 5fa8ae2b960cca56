/** What a command that executes runs for one of its inputs. */
import { dirname, relative, resolve } from "node:path";
import { advised } from "../analysis/advice/advised.ts";
import { analyze } from "../analysis/analyze.ts";
import type { CheckOptions } from "../analysis/options.ts";
import type { PlacedDiagnostic } from "../diagnostics/diagnostic.ts";
import type { Launch } from "../launch/launch.ts";
import { readLaunch } from "../launch/read-launch.ts";
import { Source } from "../text/source.ts";
import type { Input } from "./inputs.ts";
import type { Io } from "./io.ts";
import { changedLaunch, type ExecutionOptions } from "./run-options.ts";

/** What is run for one input; `launch` is null where there is nothing to run. */
export interface Job {
  readonly launch: Launch | null;
  /** The launch file; null for a shader that is run as it is. */
  readonly source: Source | null;
  readonly diagnostics: readonly PlacedDiagnostic[];
}

export function jobOf(
  input: Extract<Input, { text: string }>,
  options: ExecutionOptions,
  io: Io,
  check: CheckOptions = {},
): Job {
  if (input.kind === "shader") {
    const program = analyze(new Source(input.text, input.path), advised(check));
    return { launch: changedLaunch({ shader: program }, options, (file) => file), source: null, diagnostics: [] };
  }
  const { launch, source, diagnostics } = readLaunch(input.text, input.path);
  // Files named on the command line lie where the command is run, those of a launch beside it.
  const beside = (file: string): string => relative(dirname(resolve(io.cwd, input.path)), resolve(io.cwd, file));
  return { launch: launch === null ? null : changedLaunch(launch, options, beside), source, diagnostics };
}
