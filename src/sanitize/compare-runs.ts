/** What differs between the runs of a launch under several schedules, and which places of the program make it so. */
import { type MessageValue, note, phrase } from "../diagnostics/diagnostic.ts";
import type { Plan, PlannedStep } from "../launch/plan.ts";
import type { ReadBuffer, RunResult } from "../launch/results.ts";
import { parseValuePath, viewAt } from "../launch/value-path.ts";
import { pathAt } from "../layout/layout.ts";
import { BufferView, type ViewValue } from "../layout/view.ts";
import { type DispatchScope, valueText } from "./draft.ts";
import type { Finding, Replay } from "./finding.ts";
import type { Fold } from "./fold.ts";
import { type LastWrite, lastWriteIn } from "./last-writes.ts";
import {
  affectedBy,
  compareContents,
  type FloatSum,
  filledLists,
  firstDifference,
  floatSums,
  sumsOverVariable,
} from "./order.ts";
import { contentFinding, type Difference, orderFinding, writeNotes } from "./report-others.ts";

export interface ScheduledRun {
  readonly replay: Replay;
  readonly result: RunResult;
}

export function scheduleText({ schedule, seed }: Replay): MessageValue {
  return schedule === "random" ? phrase("random-schedule", { seed }) : schedule;
}

/** A buffer whose contents differ. */
export interface Differing {
  readonly difference: Difference;
  count: number;
  /** In all runs the same words in another order. */
  isPermuted: boolean;
}

/** Names of the buffers whose contents differ from the first run's, with the first difference and how many runs differ. */
export function differences(runs: readonly ScheduledRun[]): Map<string, Differing> {
  const [own, ...others] = runs;
  const found = new Map<string, Differing>();
  for (const other of others) {
    for (const [name, buffer] of Object.entries(own.result.buffers)) {
      const there = other.result.buffers[name];
      const how = there === undefined ? "same" : compareContents(buffer.bytes, there.bytes);
      if (how === "same") continue;
      const isPermuted = how === "permuted";
      const known = found.get(name);
      if (known !== undefined) {
        known.count++;
        known.isPermuted &&= isPermuted;
      } else {
        const difference = differenceOf(name, buffer, there, own.replay, other.replay);
        found.set(name, { difference, count: 1, isPermuted });
      }
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
export function orderFindings(
  plan: Plan,
  runs: readonly ScheduledRun[],
  differing: ReadonlyMap<string, Differing>,
  fold: Fold,
): readonly Finding[] {
  if (differing.size === 0) return [];
  const [own] = runs;
  const found: Finding[] = [];
  const look = (sumsOf: (step: PlannedStep) => readonly FloatSum[], isResult: (name: string) => boolean) => {
    for (const step of new Set(plan.steps)) {
      const scope = scopeOf(plan, step, own.replay);
      for (const sum of sumsOf(step)) {
        const results = [...sum.affects].flatMap((root) => nameOf(plan, step, root) ?? []);
        const result = results.find(isResult);
        const nameOfRoot = (root: number) => step.module.roots[root].name;
        const names = new Set([nameOfRoot(sum.root), ...results]);
        if (result === undefined || fold.explainsOrder(names, new Set([...sum.of].map(nameOfRoot)))) continue;
        const { difference, count } = differing.get(result)!;
        found.push(orderFinding(scope, sum, difference, count));
      }
    }
  };
  look(
    ({ module }) => floatSums(module),
    (name) => differing.has(name),
  );
  if (found.length > 0) return found;
  // What differs otherwise than by its order may be what became of another one.
  for (const varying of [permutedNames(plan, differing), new Set(differing.keys())]) {
    look(
      (step) => sumsOverBuffers(plan, step, varying),
      (name) => differing.get(name)?.isPermuted === false,
    );
    if (found.length > 0) return found;
  }
  return contentFindings(plan, runs, differing, fold);
}

/** Where the outcome hangs on timing: what it was in two orders, if it was not the same in all that were run. */
export function withOutcomes(
  plan: Plan,
  differing: ReadonlyMap<string, Differing>,
  findings: readonly Finding[],
): readonly Finding[] {
  if (differing.size === 0) return findings;
  return findings.map((finding) => {
    const { code, source, span, resource, notes } = finding;
    const steps = code === "unordered-atomics" ? plan.steps.filter(({ program }) => program.source === source) : [];
    const results = steps.flatMap((step) =>
      step.module.roots
        .filter(({ name }) => name === resource?.name)
        .flatMap(({ id }) => [...affectedBy(step.module, id)].flatMap((root) => nameOf(plan, step, root) ?? [])),
    );
    const found = results.map((name) => differing.get(name)).find((each) => each?.isPermuted === false);
    if (found === undefined) return finding;
    const { result: _, ...values } = found.difference;
    const told = note("results-differ", span, {
      ...values,
      value: valueText(values.value),
      otherValue: valueText(values.otherValue),
    });
    return { ...finding, notes: [...notes.slice(0, -1), told, ...notes.slice(-1)] };
  });
}

/** Buffers whose contents come in another order, and those filled at places that a counter gave. */
function permutedNames(plan: Plan, differing: ReadonlyMap<string, Differing>): ReadonlySet<string> {
  const names = new Set([...differing.keys()].filter((name) => differing.get(name)!.isPermuted));
  for (const step of plan.steps) {
    for (const root of filledLists(step.module).keys()) {
      const name = nameOf(plan, step, root);
      if (name !== null) names.add(name);
    }
  }
  return names;
}

/** Sums that an earlier step may have brought into another order. Each once, with the buffer that stands first. */
function sumsOverBuffers(plan: Plan, step: PlannedStep, names: ReadonlySet<string>): readonly FloatSum[] {
  const found = new Map<number, FloatSum>();
  for (const { id } of step.module.roots) {
    const name = nameOf(plan, step, id);
    if (name === null || !names.has(name)) continue;
    for (const sum of sumsOverVariable(step.module, id)) {
      if (!found.has(sum.span.start)) found.set(sum.span.start, sum);
    }
  }
  return [...found.values()];
}

/** The launch comes out as expected in one order and not in another: that is more than who got which place. */
function contentFindings(
  plan: Plan,
  runs: readonly ScheduledRun[],
  differing: ReadonlyMap<string, Differing>,
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
    const write = lastWrite(plan, runs, name);
    const scope = scopeOf(plan, (write ?? place).step, own.replay);
    const { group, binding } = place.step.module.roots[place.root];
    const resource = { name: buffer, group, binding, path: found.difference.path, byteOffset: 0 };
    const span = write?.inst.span ?? place.step.module.roots[place.root].span;
    return [
      contentFinding(
        scope,
        { span, resource, notes: write === null ? [] : writeNotes(scope, write, buffer, scheduleText(write.replay)) },
        found.difference,
        found.count,
      ),
    ];
  });
}

/** Of what was not as expected, in the first run in which it was not. */
function lastWrite(
  plan: Plan,
  runs: readonly ScheduledRun[],
  name: string,
): (LastWrite & Pick<ScheduledRun, "replay">) | null {
  for (const { replay, result } of runs) {
    const compared = result.comparisons.find((each) => each.name === name && !each.ok);
    const write = compared === undefined ? null : lastWriteIn(plan, compared);
    if (write !== null) return { ...write, replay };
  }
  return null;
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
