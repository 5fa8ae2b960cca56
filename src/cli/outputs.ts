/** What becomes of the buffers of a run, beside its result: files, charts, a launch file of what was chosen. */
import { writeFileSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import type { Command } from "commander";
import { bufferFile, FileError, writtenFormat } from "../launch/files.ts";
import type { BufferContents, Launch } from "../launch/launch.ts";
import { makePlan, type Plan } from "../launch/plan.ts";
import { LaunchError } from "../launch/problem.ts";
import type { RunResult } from "../launch/results.ts";
import type { RunOptions } from "../launch/run.ts";
import { fileReason } from "../platform/node/file-reason.ts";
import type { nodeFiles } from "../platform/node/files.ts";
import { jsonText } from "../text/json.ts";
import { nearestName } from "../text/nearest.ts";
import type { Source } from "../text/source.ts";
import type { Input } from "./inputs.ts";
import { type Io, UsageError } from "./io.ts";
import { collect, collectNamed } from "./options.ts";
import type { ReportOptions } from "./report.ts";
import { CANNOT, checkWritten } from "./written-files.ts";

export interface OutputOptions {
  readonly raw?: boolean;
  readonly out?: readonly (readonly [name: string, file: string])[];
  readonly plot?: readonly string[];
  readonly saveLaunch?: string;
}

export function outputOptions(command: Command): Command {
  return command
    .option("--raw", "with the bytes of the buffers in JSON, as base64")
    .option(
      "--out <name=file>",
      "write a buffer to a .bin, .npy, .json or .csv file; may be repeated",
      collectNamed("NAME=FILE"),
    )
    .option("--plot <name>", "show a buffer as a bar chart; may be repeated", collect)
    .option("--save-launch <file>", "write a launch file with everything that was chosen");
}

/**
 * Before anything is run. `several`: there is more than one input, or more than one device.
 * @throws UsageError where one file is to be made of several runs or by several options, or in a format that is not written
 */
export function checkOutputs(
  options: OutputOptions & Pick<ReportOptions, "report">,
  inputs: readonly Input[],
  several: boolean,
  io: Io,
): void {
  const { saveLaunch, out = [] } = options;
  if (saveLaunch !== undefined && inputs.length > 1) throw new UsageError("--save-launch takes one input");
  if (out.length > 0 && several)
    throw new UsageError("--out takes one input and one device: each run would write the file anew");
  for (const [name, file] of out) {
    try {
      writtenFormat(file);
    } catch (error) {
      if (!(error instanceof LaunchError)) throw error;
      throw new UsageError(`--out ${name}=${file}: ${error.message}`);
    }
  }
  checkWritten(options, inputs, io);
}

/** The plan; what `--plot` and `--out` name is read back too. */
export async function planFor(launch: Launch, how: RunOptions, options: OutputOptions): Promise<Plan> {
  const plan = await makePlan(launch, how);
  const wanted = new Set([...(options.plot ?? []), ...(options.out ?? []).map(([name]) => name)]);
  const missing = [...wanted].filter((name) => !plan.reads.some((read) => read.name === name));
  if (plan.report.hasErrors || missing.length === 0) return plan;
  const names = plan.buffers.map(({ name }) => name);
  for (const name of missing) {
    if (names.includes(name)) continue;
    const near = nearestName(name, names);
    throw new UsageError(
      `there is no buffer ‘${name}’; ${near === null ? `there is ${names.join(", ")}` : `did you mean ‘${near}’?`}`,
    );
  }
  return makePlan({ ...launch, read: [...plan.reads.map(({ request }) => request.text), ...missing] }, how);
}

/** Writes what the options ask for. @throws UsageError */
export async function writeOutputs(
  result: RunResult,
  source: Source | null,
  how: RunOptions,
  options: OutputOptions,
  io: Io,
): Promise<void> {
  if (options.saveLaunch !== undefined) saveLaunch(options.saveLaunch, result, source, io);
  for (const [name, file] of options.out ?? []) await writeBuffer(name, file, result, how);
}

async function writeBuffer(name: string, file: string, result: RunResult, how: RunOptions): Promise<void> {
  const buffer = result.buffers[name];
  if (buffer === undefined) return; // The run failed before it was read; that is said.
  const bytes = bufferFile(file, buffer.bytes, buffer.layout);
  try {
    await (how.files as ReturnType<typeof nodeFiles>).write(file, bytes);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new UsageError(`${CANNOT.out(name, file)}: ${error.message}`);
  }
}

/** Writes the launch with its choices; paths in it are made relative to where it lies. */
function saveLaunch(file: string, result: RunResult, source: Source | null, io: Io): void {
  const target = resolve(io.cwd, file);
  const base = source === null ? io.cwd : dirname(resolve(io.cwd, source.path));
  const moved = (path: string): string => relative(dirname(target), resolve(base, path)).split(sep).join("/");
  const { launch } = result;
  const contents = (all: Launch["buffers"]): Record<string, BufferContents> =>
    Object.fromEntries(Object.entries(all ?? {}).map(([name, each]) => [name, movedContents(each, moved)]));
  const shader = (path: Launch["shader"]): object => (typeof path === "string" ? { shader: moved(path) } : {});
  const saved = {
    ...launch,
    ...shader(launch.shader),
    ...(launch.buffers === undefined ? {} : { buffers: contents(launch.buffers) }),
    ...(launch.expect === undefined ? {} : { expect: contents(launch.expect as Launch["buffers"]) }),
    ...(launch.steps === undefined ? {} : { steps: launch.steps.map((step) => ({ ...step, ...shader(step.shader) })) }),
  };
  try {
    writeFileSync(target, jsonText(saved));
  } catch (error) {
    throw new UsageError(`${CANNOT.saveLaunch(file)}: ${fileReason(error, "write")}`);
  }
}

function movedContents(contents: BufferContents, moved: (path: string) => string): BufferContents {
  const file = typeof contents === "object" && "file" in contents ? contents.file : null;
  return typeof file === "string" ? { ...(contents as object), file: moved(file) } : contents;
}
