/** The files that a command line has written: each by one option, none of those that are read, and where they can be. */
import { accessSync, constants, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileReason } from "../platform/node/file-reason.ts";
import type { Input } from "./inputs.ts";
import { type Io, STDOUT, UsageError } from "./io.ts";

interface WritingOptions {
  readonly report?: readonly { readonly format: string; readonly file: string }[];
  readonly out?: readonly (readonly [name: string, file: string])[];
  readonly saveLaunch?: string;
}

/** Before anything is done. @throws UsageError where a file would be lost, or cannot be written */
export function checkWritten(options: WritingOptions, inputs: readonly Input[], io: Io): void {
  const read = new Map(inputs.map((input) => [resolve(io.cwd, input.path), input]));
  const written = new Map<string, string>();
  const files = filesOf(options);
  for (const { option, file } of files) {
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
  const problems = files.flatMap(({ file, cannot }) => {
    const reason = whyNotWritten(resolve(io.cwd, file));
    return reason === null ? [] : [`${cannot}: ${reason}`];
  });
  if (problems.length > 0) throw new UsageError(problems.join("; "));
}

/** null: nothing stands against it. Nothing is made or changed; what goes wrong all the same shows when it is written. */
function whyNotWritten(path: string): string | null {
  try {
    const isThere = statSync(path, { throwIfNoEntry: false });
    if (isThere?.isDirectory()) throw Object.assign(new Error("it is a folder"), { code: "EISDIR" });
    accessSync(isThere === undefined ? dirname(path) : path, constants.W_OK);
    return null;
  } catch (error) {
    return fileReason(error, "write");
  }
}

/** What is said where a file cannot be written, without the reason. */
export const CANNOT = {
  report: (file: string) => `the report ‘${file}’ cannot be written`,
  out: (name: string, file: string) => `--out ${name}=${file}`,
  saveLaunch: (file: string) => `‘${file}’ cannot be written`,
} as const;

const SAVE = "--save-launch";

interface WrittenFile {
  readonly option: string;
  readonly file: string;
  readonly cannot: string;
}

function filesOf({ report = [], out = [], saveLaunch }: WritingOptions): readonly WrittenFile[] {
  return [
    ...report
      .filter(({ file }) => file !== STDOUT)
      .map(({ format, file }) => ({ option: `--report ${format}`, file, cannot: CANNOT.report(file) })),
    ...out.map(([name, file]) => ({ option: `--out ${name}`, file, cannot: CANNOT.out(name, file) })),
    ...(saveLaunch === undefined ? [] : [{ option: SAVE, file: saveLaunch, cannot: CANNOT.saveLaunch(saveLaunch) }]),
  ];
}
