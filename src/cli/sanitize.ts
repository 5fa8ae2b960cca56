/** `halay sanitize`: execute with checkers, report findings. `racecheck`, `synccheck`, `memcheck` and `initcheck` choose checks. */
import { Command } from "commander";
import { gravestFirst, type PlacedDiagnostic } from "../diagnostics/diagnostic.ts";
import type { Engine } from "../engine/dispatch.ts";
import { LaunchError } from "../launch/problem.ts";
import { nodeFiles } from "../platform/node/files.ts";
import type { Check, SanitizeResult } from "../sanitize/finding.ts";
import { sanitizeResultToJson } from "../sanitize/result-json.ts";
import type { SanitizeOptions } from "../sanitize/sanitize.ts";
import type { Emulation } from "./emulate.ts";
import {
  type FindingOptions,
  findingOptions,
  hasUntoldError,
  type Looking,
  lookingOf,
  NOTHING_CHECKED,
  refuseGpu,
  sanitizeOnDevices,
  USUAL_CHECKS,
} from "./findings.ts";
import { gatherInputs, type Input } from "./inputs.ts";
import type { Io } from "./io.ts";
import { hasRunNothing, type Job, jobOf, resultOfNothing, saidOf } from "./job.ts";
import { isUnreadable } from "./launch-input.ts";
import { isWrongOption, optionProblem, placeOfOption } from "./option-problem.ts";
import { examples, reportOptions } from "./options.ts";
import { checkOutputs, type OutputOptions, outputOptions, planFor, writeOutputs } from "./outputs.ts";
import { checkedLine } from "./print-checked.ts";
import { differences, plots } from "./print-run.ts";
import { showProgress } from "./progress.ts";
import { type InputResult, Reporter, type ReportOptions } from "./report.ts";
import { type ExecutionOptions, engineOf, executionOptions, gpuOf, runOptions } from "./run-options.ts";

interface SanitizeCommandOptions extends ReportOptions, ExecutionOptions, OutputOptions, FindingOptions {
  /** Set by the command itself: compares with it. */
  readonly gpu?: GPUDevice | null;
  /** Set likewise: what runs it, as far as it need not be watched. */
  readonly on?: Engine;
}

/** What each name looks for if nothing is said; of `sanitize` itself the usual checks. */
const ALIASES: Readonly<Record<string, { readonly checks: readonly Check[] | null; readonly what: string }>> = {
  sanitize: { checks: null, what: "run with checkers: races, barriers, bounds, counters, waiting, order" },
  racecheck: { checks: ["races", "atomics"], what: "sanitize --checks races,atomics" },
  synccheck: { checks: ["barriers", "progress"], what: "sanitize --checks barriers,progress" },
  memcheck: { checks: ["bounds"], what: "sanitize --checks bounds" },
  initcheck: { checks: ["init"], what: "sanitize --checks init" },
};

/** `sanitize` first, then its aliases. */
export function sanitizeCommands(io: Io, exit: (code: number) => void): [Command, ...Command[]] {
  const commands = Object.keys(ALIASES).map((name) => sanitizeCommand(name, io, exit));
  return commands as [Command, ...Command[]];
}

function sanitizeCommand(name: string, io: Io, exit: (code: number) => void): Command {
  const { checks, what } = ALIASES[name];
  const command = new Command(name)
    .summary(what)
    .description(
      "Runs compute shaders and says where their invocations race, diverge, leave bounds, overflow counters or wait for each " +
        "other. The launch is run as it says and, as far as the budget goes, in other orders. racecheck, synccheck, " +
        "memcheck and initcheck are the same with fewer checks.",
    )
    .argument("[files...]", "shaders, launch files, folders, or -");
  findingOptions(executionOptions(command), USUAL_CHECKS);
  outputOptions(command);
  reportOptions(command);
  examples(command, [
    ["halay sanitize shader.wgsl", "with defaults"],
    ["halay sanitize test.launch.json --checks races,init", "only these"],
    ["halay sanitize test.launch.json --report sarif=out.sarif", "for code scanning"],
    ["halay sanitize --baseline known.json", "all launch files; only what is new"],
  ]);
  return command.action(async (files: readonly string[], options: SanitizeCommandOptions) => {
    exit(await runSanitize(files, checks === null ? options : { checks, ...options }, io));
  });
}

async function runSanitize(files: readonly string[], options: SanitizeCommandOptions, io: Io): Promise<number> {
  const inputs = await gatherInputs(files, io, "launches");
  checkOutputs(options, inputs);
  const looking = lookingOf(options, io);
  const emulations = options.emulate ?? [null];
  const several = inputs.length * emulations.length > 1;
  const reporter = new Reporter(options, io, several);
  refuseGpu(options);
  const gpu = await gpuOf(options);
  const engine = engineOf(options);
  try {
    for (const input of inputs) {
      for (const emulation of emulations) {
        reporter.add(await sanitizeInput(input, emulation, { ...options, gpu, on: engine }, looking, io));
      }
    }
  } finally {
    gpu?.destroy();
    engine.close();
  }
  return reporter.end(inputs.every(({ kind }) => kind === "launch") ? "launch" : "file", "nothing-found");
}

async function sanitizeInput(
  input: Input,
  emulation: Emulation | null,
  options: SanitizeCommandOptions,
  looking: Looking,
  io: Io,
): Promise<InputResult> {
  const notRun = (diagnostics: readonly PlacedDiagnostic[], unreadable: boolean): InputResult =>
    resultOfNothing(input.path, "interpreter", diagnostics, unreadable, (nothing) =>
      sanitizeResultToJson({ ...nothing, findings: [], checked: NOTHING_CHECKED }),
    );
  if (input.kind === "unreadable") return notRun([input.problem], true);
  try {
    const job = jobOf(input, options, io, emulation?.options.check);
    if (job.launch === null) return notRun(job.diagnostics, isUnreadable(job.diagnostics));
    return await sanitizeJob(job, input.path, emulation, options, looking, io);
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error;
    return notRun([optionProblem(error, options, input.path)], true);
  }
}

async function sanitizeJob(
  { launch, source, diagnostics }: Job,
  path: string,
  emulation: Emulation | null,
  options: SanitizeCommandOptions,
  looking: Looking,
  io: Io,
): Promise<InputResult> {
  const progress = showProgress(path, options, io);
  const how: SanitizeOptions = {
    ...runOptions(options),
    ...emulation?.options,
    files: nodeFiles(io.cwd),
    ...(options.on === undefined ? {} : { engine: options.on }),
    observe: progress.dispatch,
    observeSchedule: progress.schedule,
    ...(source === null ? {} : { source, elsewhere: placeOfOption(options) }),
    ...looking,
  };
  try {
    const plan = await planFor(launch!, how, options);
    const result = await sanitizeOnDevices(plan, options.gpu ?? null, how);
    await writeOutputs(result, source, how, options, io);
    return inputResult(result, path, [...diagnostics, ...saidOf(result, path)], emulation, options);
  } finally {
    progress.end();
  }
}

function inputResult(
  result: SanitizeResult,
  path: string,
  diagnostics: InputResult["diagnostics"],
  emulation: Emulation | null,
  options: SanitizeCommandOptions,
): InputResult {
  const nothingRan = hasRunNothing(result);
  const isUnexpected = result.comparisons.some(({ ok }) => !ok);
  // Also of findings that are not told.
  const hasError = !result.ok || diagnostics.some(({ severity }) => severity === "error");
  return {
    path,
    diagnostics: [...diagnostics, ...gravestFirst(result.findings)],
    unreadable: isUnreadable(diagnostics) || diagnostics.some(isWrongOption),
    failed: isUnexpected || nothingRan || hasUntoldError(result),
    toJson: (say) => ({
      ...sanitizeResultToJson(
        { ...result, launch: result.launch, diagnostics: say(diagnostics), findings: say(result.findings) },
        options.raw,
      ),
      path,
      ok: !hasError && !isUnexpected && !nothingRan,
      ...(emulation === null ? {} : { emulate: emulation.name }),
    }),
    toText: (look) =>
      result.dispatches.length === 0
        ? ""
        : checkedLine(result, emulation === null ? path : `${path} (${emulation.name})`, look) +
          differences(result, look) +
          plots(result, options.plot ?? [], look),
  };
}
