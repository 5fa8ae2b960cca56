/** Runs a launch: plan, dispatches, read back, compare. */
import { checkRunOptions } from "./code-launch.ts";
import { checkExpectations } from "./expectations.ts";
import type { Launch } from "./launch.ts";
import { makePlan, type Plan } from "./plan.ts";
import { byPlace } from "./problem.ts";
import { type Comparison, type ReadBuffer, type RunResult, ranNothing } from "./results.ts";
import { chosenDefaults, effectiveLaunch } from "./saved-launch.ts";
import { type RunOptions, Session } from "./session.ts";

export type { RunOptions };

/**
 * Runs a launch and reads its buffers back. What is wrong with the shader or with the results stands in the result.
 * @throws LaunchError (a TypeError) for a launch made in code that makes no sense; with `options.source` it becomes a
 * diagnostic. TypeError, RangeError for options that make none
 */
export async function run(launch: Launch, options: RunOptions = {}): Promise<RunResult> {
  checkRunOptions(options);
  const plan = await makePlan(launch, options);
  return runPlan(plan, options);
}

/** Runs a plan. It can be run again: it is not changed. */
export async function runPlan(plan: Plan, options: RunOptions = {}): Promise<RunResult> {
  const session = new Session(plan, options);
  let buffers: Readonly<Record<string, ReadBuffer>> = {};
  let comparisons: readonly Comparison[] = [];
  if (session.report.canRun) {
    try {
      await session.report.tryAsync(async () => {
        session.open();
        session.startTraces();
        const finished = await session.execute();
        buffers = session.readBack();
        if (finished) comparisons = await checkExpectations(session, options);
      });
    } finally {
      session.close();
    }
  }
  return resultOf(session, options, buffers, comparisons);
}

function resultOf(
  session: Session,
  options: RunOptions,
  buffers: Readonly<Record<string, ReadBuffer>>,
  comparisons: readonly Comparison[],
): RunResult {
  const { plan, report } = session;
  return {
    ok: !ranNothing(session.dispatches) && !report.hasErrors && comparisons.every((each) => each.ok),
    path: report.source?.path ?? shaderPath(plan),
    device: options.engine?.name === "gpu" ? "gpu" : "cpu",
    engine: session.engineName,
    notes: [...session.notes],
    get launch() {
      return effectiveLaunch(plan);
    },
    defaults: chosenDefaults(plan),
    dispatches: session.dispatches,
    buffers,
    comparisons,
    diagnostics: byPlace(report.items),
    traces: session.traces,
  };
}

function shaderPath(plan: Plan): string {
  const shader = plan.steps[0]?.program ?? plan.launch.shader;
  return typeof shader === "object" ? shader.source.path : "launch";
}
