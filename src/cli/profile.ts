/** `halay profile`: what the invocations do to memory, counted. */
import { Command } from "commander";
import { collectEarly } from "../platform/node/heap.ts";
import { type ProfileResult, profilePlan } from "../sanitize/profile.ts";
import { profileResultToJson } from "../sanitize/result-json.ts";
import { type ExecutingOptions, executeAll, isSeveral, type LaunchUse, type Outcome, type Ran } from "./execute.ts";
import { type FindingOptions, findingOptions, lookingOf, NOTHING_CHECKED } from "./findings.ts";
import { gatherInputs } from "./inputs.ts";
import { type Io, UsageError } from "./io.ts";
import { examples, reportOptions, wholeNumber } from "./options.ts";
import { checkOutputs, outputOptions } from "./outputs.ts";
import { checkedLine } from "./print-checked.ts";
import { profileText } from "./print-profile.ts";
import { differences, plots } from "./print-run.ts";
import { Reporter } from "./report.ts";
import { engineOf, executionOptions } from "./run-options.ts";

interface ProfileCommandOptions extends ExecutingOptions, FindingOptions {
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
  collectEarly();
  const inputs = await gatherInputs(files, io, "launches", options.quiet);
  checkOutputs(options, inputs, isSeveral(inputs, options), io);
  const reporter = new Reporter(options, io, isSeveral(inputs, options));
  if (options.device !== undefined && options.device !== "cpu") {
    throw new UsageError("what invocations do is counted on our own engine: --device has no place here");
  }
  const looking = lookingOf(options, io);
  const addresses = options.addresses === undefined ? {} : { addresses: options.addresses };
  const engine = engineOf(options);
  const use: LaunchUse<ProfileResult> = {
    engine,
    run: (plan, how) => profilePlan(plan, { ...how, ...looking, ...addresses }),
    outcome: (result, ran) => profileOutcome(result, ran, options),
    nothingToJson: (nothing) => {
      const checked = options.checks === undefined ? null : NOTHING_CHECKED;
      return profileResultToJson({ ...nothing, engine: "interpreter", findings: [], profile: [], checked });
    },
  };
  try {
    return await executeAll(inputs, use, reporter, null, options, io);
  } finally {
    engine.close();
  }
}

function profileOutcome(
  result: ProfileResult,
  { path, emulated, diagnostics, nothingRan }: Ran,
  options: ProfileCommandOptions,
): Outcome {
  return {
    ok: result.ok && !nothingRan,
    failed: !result.ok || nothingRan,
    findings: result.findings,
    toJson: (say) =>
      profileResultToJson({ ...result, diagnostics: say(diagnostics), findings: say(result.findings) }, options.raw),
    toText: (look) => {
      if (result.profile.length === 0) return "";
      const { checked } = result;
      return [
        profileText(result, path, emulated, look),
        differences(result, look),
        checked === null ? "" : checkedLine({ ...result, checked }, path, look),
        plots(result, options.plot ?? [], look),
      ].join("");
    },
  };
}
