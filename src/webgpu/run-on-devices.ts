/** Runs on a GPU, and on both devices to compare them. */
import { compareBuffers } from "../launch/compare.ts";
import type { ExpectationOptions, Launch } from "../launch/launch.ts";
import type { Plan } from "../launch/plan.ts";
import { type Comparison, type RunResult, resultWith } from "../launch/results.ts";
import { type RunOptions, runPlan } from "../launch/run.ts";
import { GpuEngine } from "./bridge.ts";

/** @throws LaunchError where the device refuses it */
export async function runPlanOnGpu(plan: Plan, device: GPUDevice, options: RunOptions): Promise<RunResult> {
  const engine = new GpuEngine(device);
  const { observe } = options;
  try {
    return await runPlan(plan, {
      ...options,
      engine,
      observe: (step, dispatch) => {
        observe?.(step, dispatch);
        return engine.observe(step);
      },
    });
  } finally {
    engine.close();
  }
}

/** @param given what our own engine gave for the plan already; left out: it runs first */
export async function runPlanOnBoth(
  plan: Plan,
  device: GPUDevice,
  options: RunOptions,
  given?: RunResult,
): Promise<RunResult> {
  return besideGpu(given ?? (await runPlan(plan, options)), plan, device, options);
}

/** What our own engine gave for the plan, with what the GPU has other than it as comparisons of its own. */
export async function besideGpu<R extends RunResult>(
  own: R,
  plan: Plan,
  device: GPUDevice,
  options: RunOptions,
): Promise<R> {
  return comparedWith(own, await runPlanOnGpu(plan, device, options), plan.launch);
}

function comparedWith<R extends RunResult>(own: R, other: RunResult, launch: Launch): R {
  const between = own.dispatches.length === other.dispatches.length ? compareRuns(own, other, launch) : [];
  const comparisons = [...own.comparisons, ...other.comparisons.map(ofGpu), ...between];
  return resultWith(own, {
    ok: own.ok && other.ok && comparisons.every(({ ok }) => ok),
    device: "both",
    engine: `${own.engine}, ${other.engine}`,
    dispatches: [...own.dispatches, ...other.dispatches],
    comparisons,
    diagnostics: [...own.diagnostics, ...other.diagnostics.filter((item) => !isAmong(own.diagnostics, item))],
  }) as R;
}

function ofGpu(comparison: Comparison): Comparison {
  return { ...comparison, name: `${comparison.name} on the GPU` };
}

function isAmong(known: RunResult["diagnostics"], { code, span, source }: RunResult["diagnostics"][number]): boolean {
  // What was given may be of a plan of its own, whose sources are others with the same text.
  return known.some(
    (item) =>
      item.code === code &&
      item.span.start === span.start &&
      item.source.path === source.path &&
      item.source.text === source.text,
  );
}

/** Each buffer that both read: expected is what our engine has, actual what the GPU has. */
function compareRuns(own: RunResult, other: RunResult, launch: Launch): readonly Comparison[] {
  return Object.entries(own.buffers).flatMap(([name, buffer]) => {
    const actual = other.buffers[name];
    if (actual === undefined) return [];
    // An order that the launch does not ask for is none that the devices have to share.
    const { unordered = false } = (launch.expect?.[name] ?? {}) as ExpectationOptions;
    const { ok, count, compared, maxUlp, first } = compareBuffers({
      name,
      layout: buffer.layout,
      actual: actual.bytes,
      expected: buffer.bytes,
      given: null,
      form: "values",
      tolerance: launch.tolerance ?? {},
      unordered,
      count: null,
      cutExpected: false,
    });
    const difference =
      first === null ? null : { path: first.path, expected: first.expected, actual: first.actual, writtenBy: null };
    return [{ name: `${name} on both devices`, ok, count, compared, maxUlp, first: difference }];
  });
}
