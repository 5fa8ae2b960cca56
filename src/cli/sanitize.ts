/** `halay sanitize`: execute with checkers, report findings. `racecheck`, `synccheck`, `memcheck` and `initcheck` choose checks. */
import { Command } from "commander";
import { hasErrors } from "../diagnostics/diagnostic.ts";
import { collectEarly } from "../platform/node/heap.ts";
import type { Check, SanitizeResult } from "../sanitize/finding.ts";
import { sanitizeResultToJson } from "../sanitize/result-json.ts";
import { type ExecutingOptions, executeAll, isSeveral, type LaunchUse, type Outcome, type Ran } from "./execute.ts";
import {
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
import { chosenLine, differences, plots } from "./print-run.ts";
import { Reporter } from "./report.ts";
import { engineOf, executionOptions, gpuOf } from "./run-options.ts";

interface SanitizeCommandOptions extends ExecutingOptions, FindingOptions {}

/** What each name looks for if nothing is said; of `sanitize` itself the usual checks. */
const ALIASES = {
  sanitize: { checks: null, what: "run with checkers: races, barriers, bounds, counters, waiting, order" },
  racecheck: { checks: ["races", "atomics"], what: "sanitize --checks races,atomics" },
  synccheck: { checks: ["barriers", "progress"], what: "sanitize --checks barriers,progress" },
  memcheck: { checks: ["bounds"], what: "sanitize --checks bounds" },
  initcheck: { checks: ["init"], what: "sanitize --checks init" },
} as const satisfies Readonly<Record<string, { readonly checks: readonly Check[] | null; readonly what: string }>>;

export type SanitizeName = keyof typeof ALIASES;

export function sanitizeCommand(name: SanitizeName, io: Io, exit: (code: number) => void): Command {
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
  collectEarly();
  const inputs = await gatherInputs(files, io, "launches", options.quiet);
  checkOutputs(options, inputs, isSeveral(inputs, options), io);
  const looking = lookingOf(options, io);
  const reporter = new Reporter(options, io, isSeveral(inputs, options));
  refuseGpu(options);
  const gpu = await gpuOf(options);
  const engine = engineOf(options);
  const use: LaunchUse<SanitizeResult> = {
    engine,
    run: (plan, how, { schedule }) => sanitizeOnDevices(plan, gpu, { ...how, ...looking, observeSchedule: schedule }),
    outcome: (result, ran) => sanitizeOutcome(result, ran, options),
    nothingToJson: (nothing) =>
      sanitizeResultToJson({ ...nothing, engine: "interpreter", findings: [], checked: NOTHING_CHECKED }),
  };
  try {
    return await executeAll(inputs, use, reporter, "nothing-found", options, io);
  } finally {
    gpu?.destroy();
    engine.close();
  }
}

function sanitizeOutcome(
  result: SanitizeResult,
  { path, emulated, diagnostics, nothingRan }: Ran,
  options: SanitizeCommandOptions,
): Outcome {
  const isUnexpected = result.comparisons.some(({ ok }) => !ok);
  // Also of findings that are not told.
  const hasError = !result.ok || hasErrors(diagnostics);
  return {
    ok: !hasError && !isUnexpected && !nothingRan,
    failed: isUnexpected || nothingRan || hasUntoldError(result),
    findings: result.findings,
    toJson: (say) =>
      sanitizeResultToJson({ ...result, diagnostics: say(diagnostics), findings: say(result.findings) }, options.raw),
    toText: (look) =>
      result.dispatches.length === 0
        ? ""
        : checkedLine(result, emulated === null ? path : `${path} (${emulated})`, look) +
          chosenLine(result, look) +
          differences(result, look) +
          plots(result, options.plot ?? [], look),
  };
}
