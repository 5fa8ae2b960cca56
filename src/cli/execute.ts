/** What the commands that execute have in common: each input is run as each device that is emulated, and told of. */
import { gravestFirst, type PlacedDiagnostic } from "../diagnostics/diagnostic.ts";
import type { Engine } from "../engine/dispatch.ts";
import type { Launch } from "../launch/launch.ts";
import type { Plan } from "../launch/plan.ts";
import { LaunchError } from "../launch/problem.ts";
import { type RunResult, ranNothing } from "../launch/results.ts";
import type { RunOptions } from "../launch/run.ts";
import { nodeFiles } from "../platform/node/files.ts";
import type { Finding } from "../sanitize/finding.ts";
import { Source } from "../text/source.ts";
import type { Emulation } from "./emulate.ts";
import { resultWithFixes } from "./fixes.ts";
import type { Input } from "./inputs.ts";
import type { Io } from "./io.ts";
import { type Job, jobOf } from "./job.ts";
import { isWrongOption, optionProblem, placeOfOption } from "./option-problem.ts";
import { type OutputOptions, planFor, writeOutputs } from "./outputs.ts";
import { type Progress, showProgress } from "./progress.ts";
import {
  checkResult,
  type Good,
  type InputResult,
  isUnreadable,
  type Look,
  type Reporter,
  type ReportOptions,
  type Say,
} from "./report.ts";
import { type ExecutionOptions, runOptions } from "./run-options.ts";

export interface ExecutingOptions extends ReportOptions, ExecutionOptions, OutputOptions {}

/** What a command makes of a launch. */
export interface LaunchUse<Result extends RunResult> {
  /** What runs it, as far as it need not be watched. */
  readonly engine: Engine;
  run(plan: Plan, how: RunOptions, progress: Progress): Promise<Result>;
  outcome(result: Result, ran: Ran): Outcome;
  /** The JSON of an input that is not run: it has the form of every other result. */
  nothingToJson(nothing: RunResult): unknown;
}

/** One input, as one device, after it was run. */
export interface Ran {
  readonly path: string;
  /** The device that was emulated. */
  readonly emulated: string | null;
  /** What is said of the launch and of its execution; findings apart. */
  readonly diagnostics: readonly PlacedDiagnostic[];
  /** There were no invocations. */
  readonly nothingRan: boolean;
}

export interface Outcome {
  /** What the JSON has as `ok`. */
  readonly ok: boolean;
  /** It failed for a reason that no diagnostic states. */
  readonly failed: boolean;
  readonly findings: readonly Finding[];
  toJson(say: Say): object;
  toText(look: Look): string;
}

/** Whether there is more than one result to tell of. */
export function isSeveral(inputs: readonly Input[], { emulate = [] }: ExecutionOptions): boolean {
  return inputs.length * Math.max(1, emulate.length) > 1;
}

/** Gives the exit code; `good` is said when all is well, null: nothing. */
export async function executeAll<Result extends RunResult>(
  inputs: readonly Input[],
  use: LaunchUse<Result>,
  reporter: Reporter,
  good: Good | null,
  options: ExecutingOptions,
  io: Io,
): Promise<number> {
  for (const input of inputs) {
    for (const emulation of options.emulate ?? [null]) {
      reporter.add(await executeInput(input, emulation, use, options, io));
    }
  }
  return reporter.end(inputs.every(({ kind }) => kind === "launch") ? "launch" : "file", good);
}

async function executeInput<Result extends RunResult>(
  input: Input,
  emulation: Emulation | null,
  use: LaunchUse<Result>,
  options: ExecutingOptions,
  io: Io,
): Promise<InputResult> {
  const { path } = input;
  const notRun = (diagnostics: readonly PlacedDiagnostic[], unreadable: boolean): InputResult =>
    resultOfNothing(path, use, diagnostics, unreadable);
  if (input.kind === "unreadable") return notRun([input.problem], true);
  try {
    const job = jobOf(input, options, io, emulation?.options.check);
    const { launch, diagnostics } = job;
    if (launch === null) return notRun(diagnostics, isUnreadable(diagnostics));
    return await executeJob({ ...job, launch }, path, emulation, use, options, io);
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error;
    return notRun([optionProblem(error, options, path)], true);
  }
}

async function executeJob<Result extends RunResult>(
  { launch, source, diagnostics: before }: Job & { readonly launch: Launch },
  path: string,
  emulation: Emulation | null,
  use: LaunchUse<Result>,
  options: ExecutingOptions,
  io: Io,
): Promise<InputResult> {
  const progress = showProgress(path, options, io);
  const how: RunOptions = {
    ...runOptions(options),
    ...emulation?.options,
    files: nodeFiles(io.cwd),
    engine: use.engine,
    observe: progress.dispatch,
    ...(source === null ? {} : { source, elsewhere: placeOfOption(options) }),
  };
  try {
    const plan = await planFor(launch, how, options);
    const result = await resultWithFixes(plan, await use.run(plan, how, progress));
    await writeOutputs(result, source, how, options, io);
    const ran = {
      path,
      emulated: emulation?.name ?? null,
      diagnostics: [...before, ...saidOf(result, path)],
      nothingRan: ranNothing(result.dispatches),
    };
    return resultOf(ran, use.outcome(result, ran));
  } finally {
    progress.end();
  }
}

/** What is said of an execution; what a launch made of options has no text for is said of the input. */
function saidOf({ diagnostics }: RunResult, path: string): readonly PlacedDiagnostic[] {
  return diagnostics.map((item) => (item.source.text === "" ? { ...item, source: new Source("", path) } : item));
}

function resultOf({ path, emulated, diagnostics }: Ran, outcome: Outcome): InputResult {
  const { ok, failed, findings } = outcome;
  return {
    path,
    diagnostics: [...diagnostics, ...gravestFirst(findings)],
    unreadable: isUnreadable(diagnostics) || diagnostics.some(isWrongOption),
    failed,
    toJson: (say) => ({ ...outcome.toJson(say), path, ok, ...(emulated === null ? {} : { emulate: emulated }) }),
    toText: (look) => outcome.toText(look),
  };
}

/** What becomes of an input that made no launch. */
function resultOfNothing(
  path: string,
  { engine, nothingToJson }: Pick<LaunchUse<RunResult>, "engine" | "nothingToJson">,
  diagnostics: readonly PlacedDiagnostic[],
  unreadable: boolean,
): InputResult {
  const nothing = { launch: {}, defaults: [], dispatches: [], buffers: {}, comparisons: [], traces: [], notes: [] };
  const result = { ok: false, path, device: "cpu", engine: engine.name, ...nothing } as const;
  return {
    ...checkResult(path, diagnostics, unreadable),
    toJson: (say) => nothingToJson({ ...result, diagnostics: say(diagnostics) }),
  };
}
