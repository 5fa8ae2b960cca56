/** From the arguments of a command to the texts that it works on. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { PlacedDiagnostic } from "../diagnostics/diagnostic.ts";
import { decode, type ReadText, unreadable } from "../launch/decode.ts";
import { namedShaders } from "../launch/read-launch.ts";
import { reasonOf } from "../platform/node/file-reason.ts";
import { type Ignores, parseIgnore } from "./ignore.ts";
import { type Io, UsageError } from "./io.ts";
import { readTextFile } from "./read-text.ts";

/** `path` as it is shown. */
export type Input =
  | { readonly kind: "shader" | "launch"; readonly path: string; readonly text: string }
  | { readonly kind: "unreadable"; readonly path: string; readonly problem: PlacedDiagnostic };

export const STDIN = "<stdin>";

const SHADER = /\.wgsl$/i;
const LAUNCH = /\.json$/i;
const LAUNCH_NAME = /\.launch\.json$/i;

/** What is taken from a folder: its shaders; `run` prefers its launch files. */
export type FromFolder = "shaders" | "launches";

/** `quiet`: nothing is said of what is left out. @throws UsageError where there is nothing to work on */
export async function gatherInputs(
  args: readonly string[],
  io: Io,
  fromFolder: FromFolder,
  quiet = false,
): Promise<readonly Input[]> {
  const paths = args.length === 0 ? launchesBelow(io) : args.flatMap((arg) => pathsOf(arg, io, fromFolder));
  const inputs: Input[] = [];
  for (const path of new Set(paths)) inputs.push(await readInput(path, io));
  if (fromFolder === "launches" && !quiet) for (const arg of args) noteLeftOut(arg, inputs, io);
  return inputs;
}

/** Shaders that are named in a note. */
const MOST_NAMED = 5;

/**
 * Of a folder with launch files these are run. Shaders that none of them names would be left out unseen. What one names that
 * cannot be read nobody knows.
 */
function noteLeftOut(arg: string, inputs: readonly Input[], io: Io): void {
  const full = resolve(io.cwd, arg);
  if (arg === "-" || !isFolder(full)) return;
  const named = inputs.map((input) => filesRunBy(input, io));
  if (named.includes(null)) return;
  const run = new Set(named.flat());
  const left = filesBelow(full, SHADER).filter((path) => !run.has(path));
  if (left.length === 0) return;
  const names = left.slice(0, MOST_NAMED).map((path) => join(arg, relative(full, path)));
  const more = left.length > MOST_NAMED ? ` and ${left.length - MOST_NAMED} more` : "";
  io.stderr.write(`note: ‘${arg}’ stands for its launch files; none of them names ${names.join(", ")}${more}\n`);
}

/** A shader, or the shaders that a launch file names; null: it does not say. */
function filesRunBy(input: Input, io: Io): readonly string[] | null {
  const path = resolve(io.cwd, input.path);
  if (input.kind === "unreadable") return LAUNCH.test(path) ? null : [path];
  if (input.kind === "shader") return [path];
  return namedShaders(input.text)?.map((shader) => resolve(dirname(path), shader)) ?? null;
}

export async function readInput(path: string, io: Io): Promise<Input> {
  if (path !== "-") return inputOf(path, readTextFile(path, io.cwd));
  try {
    return inputOf(STDIN, decode(await io.readStdin(), STDIN));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return inputOf(STDIN, unreadable(STDIN, reasonOf(error)));
  }
}

function inputOf(path: string, { text, problem }: ReadText): Input {
  if (problem !== null) return { kind: "unreadable", path, problem };
  const isLaunch = path === STDIN ? text.trimStart().startsWith("{") : LAUNCH.test(path);
  return { kind: isLaunch ? "launch" : "shader", path, text };
}

function launchesBelow(io: Io): readonly string[] {
  const found = filesBelow(io.cwd, LAUNCH_NAME).map((path) => relative(io.cwd, path));
  if (found.length > 0) return found;
  throw new UsageError("no file given, and no *.launch.json below this folder");
}

function pathsOf(arg: string, io: Io, fromFolder: FromFolder): readonly string[] {
  // A variable of the shell that is not set, most likely: it would name the whole folder.
  if (arg === "") throw new UsageError("an empty argument names no file");
  const full = resolve(io.cwd, arg);
  if (arg === "-" || !isFolder(full)) return [arg];
  const below = (name: RegExp): readonly string[] =>
    filesBelow(full, name).map((path) => join(arg, relative(full, path)));
  const launches = fromFolder === "launches" ? below(LAUNCH_NAME) : [];
  const found = launches.length > 0 ? launches : below(SHADER);
  if (found.length > 0) return found;
  throw new UsageError(
    fromFolder === "launches" ? `‘${arg}’ holds no *.launch.json and no .wgsl file` : `‘${arg}’ holds no .wgsl file`,
  );
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Files whose names match, in order; without `node_modules`, dotted folders and what `.gitignore` files name. */
function filesBelow(root: string, name: RegExp): readonly string[] {
  const found: string[] = [];
  const visit = (folder: string, ignores: readonly { readonly folder: string; readonly says: Ignores }[]): void => {
    const own = readIgnore(folder);
    const all = own === null ? ignores : [...ignores, { folder, says: own }];
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      const isDirectory = entry.isDirectory();
      if (isDirectory && (entry.name === "node_modules" || entry.name.startsWith("."))) continue;
      if (!isDirectory && !name.test(entry.name)) continue;
      const verdicts = all.map(({ folder, says }) => says(relative(folder, path).split(sep).join("/"), isDirectory));
      if (verdicts.findLast((verdict) => verdict !== null) === true) continue;
      if (isDirectory) visit(path, all);
      else if (!isFolder(path)) found.push(path);
    }
  };
  visit(root, []);
  return found;
}

function entriesOf(folder: string): ReturnType<typeof readNames> {
  try {
    return readNames(folder);
  } catch {
    return []; // A folder that may not be read holds nothing for us.
  }
}

function readNames(folder: string) {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readIgnore(folder: string): Ignores | null {
  try {
    return parseIgnore(readFileSync(join(folder, ".gitignore"), "utf8"));
  } catch {
    return null;
  }
}
