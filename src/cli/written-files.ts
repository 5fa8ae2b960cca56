/** The files that a command line has written: each by one option, and none of those that are read. */
import { resolve } from "node:path";
import type { Input } from "./inputs.ts";
import { type Io, STDOUT, UsageError } from "./io.ts";

interface WritingOptions {
  readonly report?: readonly { readonly format: string; readonly file: string }[];
  readonly out?: readonly (readonly [name: string, file: string])[];
  readonly saveLaunch?: string;
}

/** Before anything is done. @throws UsageError where a file would be lost */
export function checkWritten(options: WritingOptions, inputs: readonly Input[], io: Io): void {
  const read = new Map(inputs.map((input) => [resolve(io.cwd, input.path), input]));
  const written = new Map<string, string>();
  for (const [option, file] of filesOf(options)) {
    const path = resolve(io.cwd, file);
    const input = read.get(path);
    // A launch may be saved with what was changed in it.
    if (input !== undefined && !(input.kind === "launch" && option === SAVE)) {
      throw new UsageError(`${option} would write over ‘${file}’, which is an input`);
    }
    const other = written.get(path);
    if (other !== undefined) throw new UsageError(`${other} and ${option} would both write ‘${file}’`);
    written.set(path, option);
  }
}

const SAVE = "--save-launch";

function filesOf({ report = [], out = [], saveLaunch }: WritingOptions): readonly (readonly [string, string])[] {
  return [
    ...report.flatMap(({ format, file }) => (file === STDOUT ? [] : [[`--report ${format}`, file] as const])),
    ...out.map(([name, file]) => [`--out ${name}`, file] as const),
    ...(saveLaunch === undefined ? [] : [[SAVE, saveLaunch] as const]),
  ];
}
