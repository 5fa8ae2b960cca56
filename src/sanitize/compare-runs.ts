/** What differs between the runs of a launch under several schedules, and which places of the program make it so. */
import { type MessageValue, phrase } from "../diagnostics/diagnostic.ts";
import type { Plan, PlannedStep } from "../launch/plan.ts";
import type { ReadBuffer, RunResult } from "../launch/results.ts";
import { parseValuePath, viewAt } from "../launch/value-path.ts";
import { pathAt } from "../layout/layout.ts";
import { BufferView, type ViewValue } from "../layout/view.ts";
import type { DispatchScope } from "./draft.ts";
import type { Finding, Replay } from "./finding.ts";
import type { Fold } from "./fold.ts";
import { compareContents, firstDifference, floatSums } from "./order.ts";
import { contentFinding, type Difference, orderFinding } from "./report-others.ts";

export interface ScheduledRun {
  readonly replay: Replay;
  readonly result: RunResult;
}

export function scheduleText({ schedule, seed }: Replay): MessageValue {
  return schedule === "random" ? phrase("random-schedule", { seed }) : schedule;
}

/** Names of the buffers whose contents differ from the first run's, with the first difference and how many runs differ. */
function differences(runs: readonly ScheduledRun[]): Map<string, { difference: Difference; count: number }> {
  const [own, ...others] = runs;
  const found = new Map<string, { difference: Difference; count: number }>();
  for (const other of others) {
    for (const [name, buffer] of Object.entries(own.result.buffers)) {
      const there = other.result.buffers[name];
      if (there === undefined || compareContents(buffer.bytes, there.bytes) === "same") continue;
      const known = found.get(name);
      if (known !== undefined) known.count++;
      else found.set(name, { difference: differenceOf(name, buffer, there, own.replay, other.replay), count: 1 });
    }
  }
  return found;
}

type Contents = Pick<ReadBuffer, "bytes" | "layout">;

/** Where two contents of a buffer that are not the same differ first. */
export function differenceOf(name: string, a: Contents, b: Contents, replay: Replay, otherReplay: Replay): Difference {
  const at = firstDifference(a.bytes, b.bytes)!;
  const path = pathAt(a.layout, at, name) ?? name;
  return {
    result: name,
    path,
    value: valueAt(a, path, name, at),
    otherValue: valueAt(b, path, name, at),
    schedule: scheduleText(replay),
    otherSchedule: scheduleText(otherReplay),
  };
}

function valueAt(buffer: Contents, path: string, name: string, at: number): ViewValue {
  try {
    return viewAt(new BufferView(buffer.bytes, buffer.layout), parseValuePath(path.replace(name, "value"))).read();
  } catch {
    // The name of the buffer is itself a path.
    return new DataView(buffer.bytes.buffer, buffer.bytes.byteOffset + at, 4).getUint32(0, true);
  }
}

/** Findings about results that depend on the order of the invocations. */
export function orderFindings(plan: Plan, runs: readonly ScheduledRun[], fold: Fold): readonly Finding[] {
  const differing = differences(runs);
  if (differing.size === 0) return [];
  const [own] = runs;
  const found: Finding[] = [];
  for (const step of new Set(plan.steps)) {
    const scope = scopeOf(plan, step, own.replay);
    for (const sum of floatSums(step.module)) {
      const results = [...sum.affects].flatMap((root) => nameOf(plan, step, root) ?? []);
      const result = results.find((name) => differing.has(name));
      const names = new Set([step.module.roots[sum.root].name, ...results]);
      if (result === undefined || fold.explainsOrder(names)) continue;
      const { difference, count } = differing.get(result)!;
      found.push(orderFinding(scope, sum, difference, count));
    }
  }
  return found.length > 0 ? found : contentFindings(plan, runs, differing, fold);
}

/** The launch comes out as expected in one order and not in another: that is more than who got which place. */
function contentFindings(
  plan: Plan,
  runs: readonly ScheduledRun[],
  differing: ReadonlyMap<string, { readonly difference: Difference; readonly count: number }>,
  fold: Fold,
): readonly Finding[] {
  if (fold.explainsContent) return [];
  const [own, ...others] = runs;
  const changed = own.result.comparisons.filter((comparison) =>
    others.some(({ result }) =>
      result.comparisons.some(({ name, ok }) => name === comparison.name && ok !== comparison.ok),
    ),
  );
  return changed.flatMap(({ name }) => {
    const buffer = name.split(/[.[]/)[0];
    const found = differing.get(name) ?? differing.get(buffer);
    const place = plan.steps.flatMap((step) => rootNamed(plan, step, buffer)).at(0);
    if (found === undefined || place === undefined) return [];
    return [contentFinding(scopeOf(plan, place.step, own.replay), place.root, found.difference, found.count)];
  });
}

function rootNamed(plan: Plan, step: PlannedStep, name: string): { step: PlannedStep; root: number }[] {
  return [...step.bindings].flatMap(([root, buffer]) => (plan.buffers[buffer].name === name ? [{ step, root }] : []));
}

function nameOf(plan: Plan, step: PlannedStep, root: number): string | null {
  const buffer = step.bindings.get(root);
  return buffer === undefined ? null : plan.buffers[buffer].name;
}

function scopeOf(plan: Plan, step: PlannedStep, replay: Replay): DispatchScope {
  const sizes = step.module.roots.map(({ id }) => {
    const buffer = step.bindings.get(id);
    return buffer === undefined ? 0 : plan.memories[plan.buffers[buffer].memory].bytes.byteLength;
  });
  return { step, module: step.module, sizes, replay };
}
