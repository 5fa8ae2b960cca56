import { Command } from "commander";
import type { Plan } from "../launch/plan.ts";
import { runResultToJson } from "../launch/result-json.ts";
import { type RunResult, resultWith } from "../launch/results.ts";
import { type RunOptions, runPlan } from "../launch/run.ts";
import type { SanitizeResult } from "../sanitize/finding.ts";
import { sanitizeResultToJson } from "../sanitize/result-json.ts";
import { type ExecutingOptions, executeAll, isSeveral, type LaunchUse, type Outcome, type Ran } from "./execute.ts";
import {
  asksForFindings,
  type FindingOptions,
  findingOptions,
  hasUntoldError,
  lookingOf,
  NOTHING_CHECKED,
  refuseGpu,
  sanitizeOnDevices,
  USUAL_CHECKS,
} from "./findings.ts";
import { gatherInputs } from "./inputs.ts";
import type { Io } from "./io.ts";
import { examples, reportOptions } from "./options.ts";
import { checkOutputs, outputOptions } from "./outputs.ts";
import { checkedLine } from "./print-checked.ts";
import { briefRun, printRun } from "./print-run.ts";
import { Reporter } from "./report.ts";
import { engineOf, executionOptions, gpuOf } from "./run-options.ts";

interface RunCommandOptions extends ExecutingOptions, FindingOptions {}

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
  const inputs = await gatherInputs(files, io, "launches", options.quiet);
  checkOutputs(options, inputs, isSeveral(inputs, options), io);
  // Among several, those that went as expected get one line each.
  const brief = isSeveral(inputs, options);
  const reporter = new Reporter(options, io, brief);
  const looking = asksForFindings(options) ? lookingOf(options, io) : null;
  if (looking !== null) refuseGpu(options);
  const gpu = await gpuOf(options);
  const engine = engineOf(options);
  const use: LaunchUse<RunResult | SanitizeResult> = {
    engine,
    run: (plan, how, { schedule }) =>
      looking === null
        ? runOnDevices(plan, gpu, how, options)
        : sanitizeOnDevices(plan, gpu, { ...how, ...looking, observeSchedule: schedule }),
    outcome: (result, ran) => runOutcome(result, ran, brief, options),
    nothingToJson: (nothing) =>
      looking === null
        ? runResultToJson(nothing)
        : sanitizeResultToJson({ ...nothing, findings: [], checked: NOTHING_CHECKED }),
  };
  try {
    return await executeAll(inputs, use, reporter, brief ? "all-as-expected" : null, options, io);
  } finally {
    engine.close();
    gpu?.destroy();
  }
}

async function runOnDevices(
  plan: Plan,
  gpu: GPUDevice | null,
  how: RunOptions,
  { device }: RunCommandOptions,
): Promise<RunResult> {
  if (gpu === null) return runPlan(plan, how);
  const { runPlanOnBoth, runPlanOnGpu } = await import("../webgpu/run-on-devices.ts");
  return device === "both" ? runPlanOnBoth(plan, gpu, how) : runPlanOnGpu(plan, gpu, how);
}

function runOutcome(
  result: RunResult | SanitizeResult,
  { path, emulated, diagnostics, nothingRan }: Ran,
  brief: boolean,
  options: RunCommandOptions,
): Outcome {
  const checked = "findings" in result ? result : null;
  const shown = resultWith(result, { path, diagnostics });
  const look = { plot: options.plot ?? [], emulated, schedule: options };
  const isUnexpected = result.comparisons.some(({ ok }) => !ok);
  return {
    ok: result.ok && !nothingRan,
    failed: nothingRan || (checked === null ? !result.ok : isUnexpected || hasUntoldError(checked)),
    findings: checked?.findings ?? [],
    toJson: (say) =>
      checked === null
        ? runResultToJson({ ...result, diagnostics: say(diagnostics) }, options.raw)
        : sanitizeResultToJson(
            { ...checked, diagnostics: say(diagnostics), findings: say(checked.findings) },
            options.raw,
          ),
    toText: (style) => {
      if (result.dispatches.length === 0) return "";
      const isBrief = brief && result.ok && !nothingRan && result.comparisons.length > 0;
      if (isBrief) return briefRun(shown, look, style);
      return printRun(shown, look, style) + (checked === null ? "" : checkedLine(checked, path, style));
    },
  };
}
