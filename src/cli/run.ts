import { Command } from "commander";
import { gravestFirst, type PlacedDiagnostic } from "../diagnostics/diagnostic.ts";
import type { Engine } from "../engine/dispatch.ts";
import type { Launch } from "../launch/launch.ts";
import type { Plan } from "../launch/plan.ts";
import { LaunchError } from "../launch/problem.ts";
import { runResultToJson } from "../launch/result-json.ts";
import type { RunResult } from "../launch/results.ts";
import { type RunOptions, runPlan } from "../launch/run.ts";
import { nodeFiles } from "../platform/node/files.ts";
import type { SanitizeResult } from "../sanitize/finding.ts";
import { sanitizeResultToJson } from "../sanitize/result-json.ts";
import { runPlanOnBoth, runPlanOnGpu } from "../webgpu/run-on-devices.ts";
import type { Emulation } from "./emulate.ts";
import {
  asksForFindings,
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
import { briefRun, printRun } from "./print-run.ts";
import { showProgress } from "./progress.ts";
import { type InputResult, Reporter, type ReportOptions } from "./report.ts";
import { type ExecutionOptions, engineOf, executionOptions, gpuOf, runOptions } from "./run-options.ts";

interface RunCommandOptions extends ReportOptions, ExecutionOptions, OutputOptions, FindingOptions {
  /** Set by the command itself. */
  readonly brief?: boolean;
}

export function runCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command("run")
    .summary("execute shaders, read their buffers back, compare")
    .description(
      "Runs compute shaders without a GPU. A bare shader gets defaults, which are printed; a launch file says what is run " +
        "and what must come out. - is standard input; without arguments every *.launch.json below this folder is run. " +
        "With --checks, --baseline or --max-findings, what sanitize would find is told as well.",
    )
    .argument("[files...]", "shaders, launch files, folders, or -");
  outputOptions(findingOptions(executionOptions(command), `none; with the next two ${USUAL_CHECKS}`));
  reportOptions(command);
  examples(command, [
    ["halay run shader.wgsl", "with defaults"],
    ["halay run shader.wgsl --workgroups 64 --buffer a=iota:1024", "one buffer counts up"],
    ["halay run shader.wgsl --call 'f(invocation)'", "one function of it"],
    ["halay run test.launch.json", "as a launch file says"],
    ["halay run test.launch.json --trace 'bins[7]'", "who touched this cell?"],
    ["halay run test.launch.json --schedule random --seed 7", "in another order"],
    ["halay run test.launch.json --checks races,bounds", "and does it race, does it leave bounds?"],
    ["halay run --checks all --baseline known.json", "all launch files; of findings only what is new"],
    ["halay run shader.wgsl --save-launch test.launch.json", "to start a launch file"],
    ["halay run --format json", "all launch files, as JSON"],
  ]);
  return command.action(async (files: readonly string[], options: RunCommandOptions) => {
    exit(await runRun(files, options, io));
  });
}

async function runRun(files: readonly string[], options: RunCommandOptions, io: Io): Promise<number> {
  const inputs = await gatherInputs(files, io, "launches");
  checkOutputs(options, inputs);
  const emulations = options.emulate ?? [null];
  // Among several, those that went as expected get one line each.
  const brief = inputs.length * emulations.length > 1;
  const reporter = new Reporter(options, io, brief);
  const looking = asksForFindings(options) ? lookingOf(options, io) : null;
  if (looking !== null) refuseGpu(options);
  const gpu = await gpuOf(options);
  const engine = engineOf(options);
  try {
    for (const input of inputs) {
      for (const emulation of emulations) {
        reporter.add(await runInput(input, { engine, gpu, looking }, emulation, { ...options, brief }, io));
      }
    }
  } finally {
    engine.close();
    gpu?.destroy();
  }
  return reporter.end(
    inputs.every(({ kind }) => kind === "launch") ? "launch" : "file",
    brief ? "all-as-expected" : null,
  );
}

/** What the launches of a command run on, and what is looked for meanwhile; null: nothing. */
interface Devices {
  readonly engine: Engine;
  readonly gpu: GPUDevice | null;
  readonly looking: Looking | null;
}

async function runInput(
  input: Input,
  devices: Devices,
  emulation: Emulation | null,
  options: RunCommandOptions,
  io: Io,
): Promise<InputResult> {
  const notRun = (diagnostics: readonly PlacedDiagnostic[], unreadable: boolean): InputResult =>
    resultOfNothing(input.path, devices.engine.name, diagnostics, unreadable, (nothing) =>
      devices.looking === null
        ? runResultToJson(nothing)
        : sanitizeResultToJson({ ...nothing, findings: [], checked: NOTHING_CHECKED }),
    );
  if (input.kind === "unreadable") return notRun([input.problem], true);
  try {
    const job = jobOf(input, options, io, emulation?.options.check);
    if (job.launch === null) return notRun(job.diagnostics, isUnreadable(job.diagnostics));
    return await runJob({ ...job, launch: job.launch }, input.path, devices, emulation, options, io);
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error;
    return notRun([optionProblem(error, options, input.path)], true);
  }
}

async function runJob(
  job: Job & { readonly launch: Launch },
  path: string,
  { engine, gpu, looking }: Devices,
  emulation: Emulation | null,
  options: RunCommandOptions,
  io: Io,
): Promise<InputResult> {
  const { source, diagnostics } = job;
  const progress = showProgress(path, options, io);
  const how: RunOptions = {
    ...runOptions(options),
    ...emulation?.options,
    files: nodeFiles(io.cwd),
    engine,
    observe: progress.dispatch,
    ...(source === null ? {} : { source, elsewhere: placeOfOption(options) }),
  };
  try {
    const plan = await planFor(job.launch, how, options);
    const result =
      looking === null
        ? await runOnDevices(plan, gpu, how, options)
        : await sanitizeOnDevices(plan, gpu, { ...how, ...looking, observeSchedule: progress.schedule });
    await writeOutputs(result, source, how, options, io);
    return runInputResult(result, path, diagnostics, emulation, options);
  } finally {
    progress.end();
  }
}

function runOnDevices(
  plan: Plan,
  gpu: GPUDevice | null,
  how: RunOptions,
  { device }: RunCommandOptions,
): Promise<RunResult> {
  if (gpu === null) return runPlan(plan, how);
  return device === "both" ? runPlanOnBoth(plan, gpu, how) : runPlanOnGpu(plan, gpu, how);
}

function runInputResult(
  result: RunResult | SanitizeResult,
  path: string,
  before: readonly PlacedDiagnostic[],
  emulation: Emulation | null,
  options: RunCommandOptions,
): InputResult {
  const diagnostics = [...before, ...saidOf(result, path)];
  const checked = "findings" in result ? result : null;
  const nothingRan = hasRunNothing(result);
  const shown = { ...result, path, launch: result.launch, diagnostics };
  const look = { plot: options.plot ?? [], emulated: emulation?.name ?? null, schedule: options };
  const isUnexpected = result.comparisons.some(({ ok }) => !ok);
  return {
    path,
    diagnostics: [...diagnostics, ...gravestFirst(checked?.findings ?? [])],
    unreadable: isUnreadable(diagnostics) || diagnostics.some(isWrongOption),
    failed: nothingRan || (checked === null ? !result.ok : isUnexpected || hasUntoldError(checked)),
    toJson: (say) => ({
      ...(checked === null
        ? runResultToJson({ ...shown, diagnostics: say(diagnostics) }, options.raw)
        : sanitizeResultToJson(
            { ...checked, ...shown, diagnostics: say(diagnostics), findings: say(checked.findings) },
            options.raw,
          )),
      ok: result.ok && !nothingRan,
      ...(emulation === null ? {} : { emulate: emulation.name }),
    }),
    toText: (style) => {
      if (result.dispatches.length === 0) return "";
      const isBrief = options.brief === true && result.ok && !nothingRan && result.comparisons.length > 0;
      if (isBrief) return briefRun(shown, look, style);
      return printRun(shown, look, style) + (checked === null ? "" : checkedLine(checked, path, style));
    },
  };
}
