/** `halay profile`: what the invocations do to memory, counted. */
import { Command } from "commander";
import { gravestFirst, type PlacedDiagnostic } from "../diagnostics/diagnostic.ts";
import type { Engine } from "../engine/dispatch.ts";
import { LaunchError } from "../launch/problem.ts";
import { nodeFiles } from "../platform/node/files.ts";
import { type ProfileOptions, type ProfileResult, profilePlan } from "../sanitize/profile.ts";
import { profileResultToJson } from "../sanitize/result-json.ts";
import type { Emulation } from "./emulate.ts";
import { type FindingOptions, findingOptions, type Looking, lookingOf, NOTHING_CHECKED } from "./findings.ts";
import { gatherInputs, type Input } from "./inputs.ts";
import { type Io, UsageError } from "./io.ts";
import { hasRunNothing, type Job, jobOf, resultOfNothing, saidOf } from "./job.ts";
import { isUnreadable } from "./launch-input.ts";
import { isWrongOption, optionProblem, placeOfOption } from "./option-problem.ts";
import { examples, reportOptions, wholeNumber } from "./options.ts";
import { checkOutputs, type OutputOptions, outputOptions, planFor, writeOutputs } from "./outputs.ts";
import { checkedLine } from "./print-checked.ts";
import { profileText } from "./print-profile.ts";
import { differences, plots } from "./print-run.ts";
import { showProgress } from "./progress.ts";
import { type InputResult, Reporter, type ReportOptions } from "./report.ts";
import { type ExecutionOptions, engineOf, executionOptions, runOptions } from "./run-options.ts";

interface ProfileCommandOptions extends ReportOptions, ExecutionOptions, OutputOptions, FindingOptions {
  readonly addresses?: number;
}

export function profileCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command("profile")
    .summary("count atomic operations, accesses and bytes per place and address")
    .description(
      "Runs compute shaders and counts what their invocations do to memory: operations of each place, addresses that many " +
        "come to, compare-exchanges that have to be tried again, atomics that changed nothing, bytes, and how many segments " +
        "of 128 bytes 32 neighbouring invocations touch together.",
    )
    .argument("[files...]", "shaders, launch files, folders, or -");
  findingOptions(executionOptions(command), "contention").option(
    "--addresses <n>",
    "addresses that are named (default: 16)",
    wholeNumber,
  );
  outputOptions(command);
  reportOptions(command);
  examples(command, [
    ["halay profile test.launch.json", "as a launch file says"],
    ["halay profile shader.wgsl --invocations 1000000", "a large dispatch"],
    ["halay profile test.launch.json --checks contention,counters", "and do counters wrap?"],
    ["halay profile test.launch.json --format json", "all counts"],
  ]);
  return command.action(async (files: readonly string[], options: ProfileCommandOptions) => {
    exit(await runProfile(files, options, io));
  });
}

async function runProfile(files: readonly string[], options: ProfileCommandOptions, io: Io): Promise<number> {
  const inputs = await gatherInputs(files, io, "launches");
  checkOutputs(options, inputs);
  const emulations = options.emulate ?? [null];
  const reporter = new Reporter(options, io, inputs.length * emulations.length > 1);
  if (options.device !== undefined && options.device !== "cpu") {
    throw new UsageError("what invocations do is counted on our own engine: --device has no place here");
  }
  const looking = lookingOf(options, io);
  const engine = engineOf(options);
  try {
    for (const input of inputs) {
      for (const emulation of emulations) {
        reporter.add(await profileInput(input, emulation, { engine, looking }, options, io));
      }
    }
  } finally {
    engine.close();
  }
  return reporter.end(inputs.every(({ kind }) => kind === "launch") ? "launch" : "file", null);
}

/** What runs it, as far as it need not be watched, and what is looked for. */
interface Means {
  readonly engine: Engine;
  readonly looking: Looking;
}

async function profileInput(
  input: Input,
  emulation: Emulation | null,
  means: Means,
  options: ProfileCommandOptions,
  io: Io,
): Promise<InputResult> {
  const notRun = (diagnostics: readonly PlacedDiagnostic[], unreadable: boolean): InputResult =>
    resultOfNothing(input.path, "interpreter", diagnostics, unreadable, (nothing) =>
      profileResultToJson({
        ...nothing,
        findings: [],
        profile: [],
        checked: options.checks === undefined ? null : NOTHING_CHECKED,
      }),
    );
  if (input.kind === "unreadable") return notRun([input.problem], true);
  try {
    const job = jobOf(input, options, io, emulation?.options.check);
    if (job.launch === null) return notRun(job.diagnostics, isUnreadable(job.diagnostics));
    return await profileJob(job, input.path, emulation, means, options, io);
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error;
    return notRun([optionProblem(error, options, input.path)], true);
  }
}

async function profileJob(
  { launch, source, diagnostics }: Job,
  path: string,
  emulation: Emulation | null,
  { engine, looking }: Means,
  options: ProfileCommandOptions,
  io: Io,
): Promise<InputResult> {
  const progress = showProgress(path, options, io);
  const how: ProfileOptions = {
    ...runOptions(options),
    ...emulation?.options,
    files: nodeFiles(io.cwd),
    engine,
    ...looking,
    observe: progress.dispatch,
    ...(source === null ? {} : { source, elsewhere: placeOfOption(options) }),
    ...(options.addresses === undefined ? {} : { addresses: options.addresses }),
  };
  try {
    const result = await profilePlan(await planFor(launch!, how, options), how);
    await writeOutputs(result, source, how, options, io);
    return inputResult(result, path, diagnostics, emulation, options);
  } finally {
    progress.end();
  }
}

function inputResult(
  result: ProfileResult,
  path: string,
  before: InputResult["diagnostics"],
  emulation: Emulation | null,
  options: ProfileCommandOptions,
): InputResult {
  const diagnostics = [...before, ...saidOf(result, path)];
  const nothingRan = hasRunNothing(result);
  return {
    path,
    diagnostics: [...diagnostics, ...gravestFirst(result.findings)],
    unreadable: isUnreadable(diagnostics) || diagnostics.some(isWrongOption),
    failed: !result.ok || nothingRan,
    toJson: (say) => ({
      ...profileResultToJson(
        { ...result, launch: result.launch, diagnostics: say(diagnostics), findings: say(result.findings) },
        options.raw,
      ),
      path,
      ok: result.ok && !nothingRan,
      ...(emulation === null ? {} : { emulate: emulation.name }),
    }),
    toText: (look) => {
      if (result.profile.length === 0) return "";
      const { checked } = result;
      return [
        profileText(result, path, emulation?.name ?? null, look),
        differences(result, look),
        checked === null ? "" : checkedLine({ ...result, checked }, path, look),
        plots(result, options.plot ?? [], look),
      ].join("");
    },
  };
}
