/** `halay sanitize`: execute with checkers, report findings. `racecheck`, `synccheck`, `memcheck` and `initcheck` choose checks. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { gravestFirst, type PlacedDiagnostic } from "../diagnostics/diagnostic.ts";
import { countSeverities } from "../diagnostics/print.ts";
import type { Engine } from "../engine/dispatch.ts";
import { LaunchError } from "../launch/problem.ts";
import { fileReason, nodeFiles } from "../platform/node/files.ts";
import { CHECKS, type Check, type Checked, type SanitizeResult } from "../sanitize/finding.ts";
import { sanitizeResultToJson } from "../sanitize/result-json.ts";
import { type SanitizeOptions, sanitizePlan } from "../sanitize/sanitize.ts";
import { baselineOf } from "../sanitize/suppress.ts";
import { nearestName } from "../text/nearest.ts";
import { comparedWith, runPlanOnGpu } from "../webgpu/run-on-devices.ts";
import type { Emulation } from "./emulate.ts";
import { gatherInputs, type Input } from "./inputs.ts";
import { type Io, UsageError } from "./io.ts";
import { hasRunNothing, type Job, jobOf, resultOfNothing, saidOf } from "./job.ts";
import { isUnreadable } from "./launch-input.ts";
import { isWrongOption, optionProblem, placeOfOption } from "./option-problem.ts";
import { examples, listOf, reportOptions, wholeNumber } from "./options.ts";
import { checkOutputs, type OutputOptions, outputOptions, planFor, writeOutputs } from "./outputs.ts";
import { comparisonLines, plots } from "./print-run.ts";
import { showProgress } from "./progress.ts";
import { type InputResult, type Look, Reporter, type ReportOptions } from "./report.ts";
import { type ExecutionOptions, engineOf, executionOptions, gpuOf, runOptions } from "./run-options.ts";
import { grouped } from "./table.ts";

interface SanitizeCommandOptions extends ReportOptions, ExecutionOptions, OutputOptions {
  readonly checks?: readonly Check[];
  readonly baseline?: string;
  readonly maxFindings?: number;
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
  executionOptions(command)
    .option(
      "--checks <list>",
      `what is looked for: ${CHECKS.join(", ")}, or all (default: all but init, numeric and needless)`,
      checkList,
    )
    .option("--baseline <file>", "an earlier report (--format json): what it holds is not reported")
    .option("--max-findings <n>", "report at most that many, the gravest", wholeNumber);
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

function checkList(text: string): readonly Check[] {
  const names = listOf(text);
  if (names.includes("all")) return CHECKS;
  for (const name of names) {
    if (CHECKS.includes(name as Check)) continue;
    const near = nearestName(name, CHECKS);
    throw new InvalidArgumentError(
      near === null
        ? `‘${name}’ is no check: expected ${CHECKS.join(", ")}, or all.`
        : `‘${name}’ is no check: did you mean ‘${near}’?`,
    );
  }
  if (names.length === 0) throw new InvalidArgumentError(`Expected one or more of ${CHECKS.join(", ")}, or all.`);
  return names as readonly Check[];
}

async function runSanitize(files: readonly string[], options: SanitizeCommandOptions, io: Io): Promise<number> {
  const inputs = await gatherInputs(files, io, "launches");
  checkOutputs(options, inputs);
  const baseline = options.baseline === undefined ? null : readBaseline(options.baseline, io);
  const emulations = options.emulate ?? [null];
  const several = inputs.length * emulations.length > 1;
  const reporter = new Reporter(options, io, several);
  if (options.device === "gpu") {
    throw new UsageError("what races is judged on our own engine; --device both compares its results with the GPU's");
  }
  const gpu = await gpuOf(options);
  const engine = engineOf(options);
  try {
    for (const input of inputs) {
      for (const emulation of emulations) {
        reporter.add(await sanitizeInput(input, emulation, { ...options, gpu, on: engine }, baseline, io));
      }
    }
  } finally {
    gpu?.destroy();
    engine.close();
  }
  return reporter.end(inputs.every(({ kind }) => kind === "launch") ? "launch" : "file", "nothing found");
}

function readBaseline(file: string, io: Io): ReadonlySet<string> {
  let report: unknown;
  let reason: string | null = null;
  try {
    report = JSON.parse(readFileSync(resolve(io.cwd, file), "utf8"));
    if (!Array.isArray((report as { results?: unknown } | null)?.results)) reason = "it is no report";
  } catch (error) {
    reason = error instanceof SyntaxError ? "it is no JSON" : fileReason(error);
  }
  if (reason === null) return baselineOf(report);
  throw new UsageError(`the baseline ‘${file}’ cannot be read: ${reason}; --format json writes one`);
}

const NOTHING: Checked = {
  checks: [],
  invocations: 0,
  accesses: 0,
  dispatches: 0,
  schedules: [],
  suppressed: 0,
  untold: 0,
};

async function sanitizeInput(
  input: Input,
  emulation: Emulation | null,
  options: SanitizeCommandOptions,
  baseline: ReadonlySet<string> | null,
  io: Io,
): Promise<InputResult> {
  const notRun = (diagnostics: readonly PlacedDiagnostic[], unreadable: boolean): InputResult =>
    resultOfNothing(input.path, "interpreter", diagnostics, unreadable, (nothing) =>
      sanitizeResultToJson({ ...nothing, findings: [], checked: NOTHING }),
    );
  if (input.kind === "unreadable") return notRun([input.problem], true);
  try {
    const job = jobOf(input, options, io, emulation?.options.check);
    if (job.launch === null) return notRun(job.diagnostics, isUnreadable(job.diagnostics));
    return await sanitizeJob(job, input.path, emulation, options, baseline, io);
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
  baseline: ReadonlySet<string> | null,
  io: Io,
): Promise<InputResult> {
  const progress = showProgress(path, options.quiet === true, io);
  const how: SanitizeOptions = {
    ...runOptions(options),
    ...emulation?.options,
    files: nodeFiles(io.cwd),
    ...(options.on === undefined ? {} : { engine: options.on }),
    observe: progress.dispatch,
    ...(source === null ? {} : { source, elsewhere: placeOfOption(options) }),
    ...(options.checks === undefined ? {} : { checks: options.checks }),
    ...(options.maxFindings === undefined ? {} : { maxFindings: options.maxFindings }),
    ...(baseline === null ? {} : { baseline }),
  };
  try {
    const plan = await planFor(launch!, how, options);
    const own = await sanitizePlan(plan, how);
    await writeOutputs(own, source, how, options, io);
    const { gpu = null } = options;
    const result = gpu === null ? own : comparedWith(own, await runPlanOnGpu(plan, gpu, how), launch!);
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
        : checkedText(result, path, emulation, look) + plots(result, options.plot ?? [], look),
  };
}

function hasUntoldError({ ok, findings, diagnostics, comparisons }: SanitizeResult): boolean {
  const isTold = [...findings, ...diagnostics].some(({ severity }) => severity === "error");
  return !ok && !isTold && comparisons.every((each) => each.ok);
}

/** One line that says how much was looked at. */
function checkedText(
  { checked, findings, comparisons }: SanitizeResult,
  path: string,
  emulation: Emulation | null,
  look: Look,
): string {
  const { invocations, accesses, dispatches, schedules, suppressed, untold } = checked;
  const counts = countSeverities(findings);
  const wrong = comparisons.filter(({ ok }) => !ok);
  const isBad = counts.error > 0 || wrong.length > 0 || untold > 0 || invocations === 0;
  const parts = [
    ...(invocations === 0 ? ["nothing ran"] : []),
    `${grouped(invocations)} invocations`,
    `${grouped(accesses)} accesses`,
    ...(dispatches === 1 ? [] : [`${grouped(dispatches)} dispatches`]),
    schedulesText(schedules),
    ...(suppressed === 0 ? [] : [suppressed === 1 ? "1 finding silenced" : `${grouped(suppressed)} findings silenced`]),
    ...(untold === 0 ? [] : [untold === 1 ? "1 more finding" : `${grouped(untold)} more findings`]),
    ...(emulation === null ? [] : [emulation.name]),
  ];
  const mark = isBad ? look.paint("bad", "✗") : counts.warning > 0 ? "!" : look.paint("good", "✓");
  const differences = wrong.map((comparison) => comparisonLines(comparison, look)).join("");
  return `${mark} ${path}  ${look.paint("faint", parts.join(", "))}\n${differences}`;
}

/** Of large dispatches other schedules have only a part. */
function schedulesText(schedules: Checked["schedules"]): string {
  const parts = schedules.flatMap(({ workgroups }) => workgroups ?? []);
  const count = schedules.length === 1 ? "1 schedule" : `${schedules.length} schedules`;
  if (parts.length === 0) return count;
  return `${count} (${parts.length} of them for ${grouped(Math.max(...parts))} workgroups)`;
}
