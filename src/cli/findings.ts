/** The options about findings, which every command that executes takes, and what they make of a run. */
import { type Command, InvalidArgumentError } from "commander";
import { hasErrors } from "../diagnostics/diagnostic.ts";
import type { Plan } from "../launch/plan.ts";
import { CHECKS, type Check, type Checked, type SanitizeResult } from "../sanitize/finding.ts";
import type { SanitizeOptions } from "../sanitize/sanitize.ts";
import { nearestName } from "../text/nearest.ts";
import { readBaseline } from "./baseline.ts";
import { type Io, UsageError } from "./io.ts";
import { listOf, wholeNumber } from "./options.ts";
import type { ExecutionOptions } from "./run-options.ts";

/** Of commands that look for what many right programs do not do. */
export const USUAL_CHECKS = "all but init, numeric and needless";

export interface FindingOptions {
  readonly checks?: readonly Check[];
  readonly baseline?: string;
  readonly maxFindings?: number;
}

/** `usual`: what is looked for if nothing is said. */
export function findingOptions(command: Command, usual: string): Command {
  return command
    .option("--checks <list>", `what is looked for: ${CHECKS.join(", ")}, or all (default: ${usual})`, checkList)
    .option("--baseline <file>", "an earlier report (--format json): what it holds is not reported")
    .option("--max-findings <n>", "report at most that many of each input, the gravest", wholeNumber);
}

function checkList(text: string): readonly Check[] {
  const names = listOf(text);
  for (const name of names) {
    if (name === "all" || CHECKS.includes(name as Check)) continue;
    const near = nearestName(name, CHECKS);
    throw new InvalidArgumentError(
      near === null
        ? `‘${name}’ is no check: expected ${CHECKS.join(", ")}, or all.`
        : `‘${name}’ is no check: did you mean ‘${near}’?`,
    );
  }
  return names.includes("all") ? CHECKS : (names as readonly Check[]);
}

/** Whether any of these options was given: a command that does not look by itself then does. */
export function asksForFindings({ checks, baseline, maxFindings }: FindingOptions): boolean {
  return checks !== undefined || baseline !== undefined || maxFindings !== undefined;
}

/** How findings are looked for and which of them are told. */
export type Looking = Pick<SanitizeOptions, "checks" | "baseline" | "maxFindings">;

/** @throws UsageError where the baseline cannot be read */
export function lookingOf({ checks, baseline, maxFindings }: FindingOptions, io: Io): Looking {
  return {
    ...(checks === undefined ? {} : { checks }),
    ...(maxFindings === undefined ? {} : { maxFindings }),
    ...(baseline === undefined ? {} : { baseline: readBaseline(baseline, io) }),
  };
}

/** Of an input that was not run. */
export const NOTHING_CHECKED: Checked = {
  checks: [],
  invocations: 0,
  accesses: 0,
  dispatches: 0,
  schedules: [],
  suppressed: 0,
  untold: 0,
};

/** @throws UsageError */
export function refuseGpu({ device }: ExecutionOptions): void {
  if (device !== "gpu") return;
  throw new UsageError("what races is judged on our own engine; --device both compares its results with the GPU's");
}

/** What our own engine gives and finds, with what a GPU gives as comparisons. */
export async function sanitizeOnDevices(
  plan: Plan,
  gpu: GPUDevice | null,
  how: SanitizeOptions,
): Promise<SanitizeResult> {
  // Only who looks for findings waits for the checkers, and for what runs on a GPU only who has one.
  const { sanitizePlan } = await import("../sanitize/sanitize.ts");
  const own = await sanitizePlan(plan, how);
  return gpu === null ? own : (await import("../webgpu/run-on-devices.ts")).besideGpu(own, plan, gpu, how);
}

/** An error among what `--max-findings` leaves out. */
export function hasUntoldError({ ok, findings, diagnostics, comparisons }: SanitizeResult): boolean {
  const isTold = hasErrors([...findings, ...diagnostics]);
  return !ok && !isTold && comparisons.every((each) => each.ok);
}
