/** A launch with its defaults spelled out: what `--save-launch` writes and a result states. */

import { jsonText } from "../text/json.ts";
import { toBase64 } from "./contents.ts";
import type { BufferContents, Launch, Step } from "./launch.ts";
import type { Plan, PlannedStep } from "./plan.ts";
import { LaunchError } from "./problem.ts";
import type { DefaultChoice } from "./results.ts";
import { FORM_NAMES } from "./schema.ts";
import { parseSpec } from "./spec.ts";

/** What was chosen for want of a word in the launch, in the order of a launch file. */
export function chosenDefaults(plan: Plan): readonly DefaultChoice[] {
  const choices: DefaultChoice[] = [];
  for (const step of plan.steps) {
    const { name } = step.entry;
    for (const kind of step.chosen) {
      choices.push({ kind, name, value: kind === "entry" ? name : workgroupsText(step) });
    }
  }
  for (const { name, chosen } of plan.buffers) {
    if (chosen !== null) choices.push({ kind: "buffer", name, value: chosen });
  }
  return choices;
}

function workgroupsText({ workgroups }: PlannedStep): string {
  return "indirect" in workgroups ? workgroups.indirect : `[${trimmed(workgroups).join(", ")}]`;
}

/** Without the ones at the end. */
function trimmed([x, y, z]: readonly [number, number, number]): readonly number[] {
  return z !== 1 ? [x, y, z] : y !== 1 ? [x, y] : [x];
}

/** The launch as it was run, as plain JSON. */
export function effectiveLaunch(plan: Plan): Launch {
  const { launch } = plan;
  if (plan.steps.length === 0) return plainLaunch(launch);
  const buffers: Record<string, BufferContents> = { ...launch.buffers };
  for (const { name, chosen } of plan.buffers) if (chosen !== null) buffers[name] = chosen;
  const read = launch.read ?? plan.reads.map((each) => each.name);
  const whole = plainLaunch({ ...launch, buffers, read });
  if (launch.steps !== undefined)
    return { ...whole, steps: plan.steps.map((step, i) => plainStep(launch.steps![i], step)) };
  const { shader, entry: _, workgroups: __, ...rest } = whole;
  return {
    ...(shader === undefined ? {} : { shader }),
    ...plainStep(launch as Step, plan.steps[0], launch.call),
    ...rest,
  };
}

function plainStep(given: Step, step: PlannedStep, call?: string): Step {
  const counts =
    given.invocations !== undefined
      ? {}
      : { workgroups: "indirect" in step.workgroups ? step.workgroups : trimmed(step.workgroups) };
  const { entry: _, workgroups: __, shader, ...rest } = given;
  return {
    ...(typeof shader === "string" ? { shader } : {}),
    ...(call === undefined ? { entry: step.entry.name } : {}),
    ...counts,
    ...pick(rest, ["invocations", "overrides", "bind", "repeat", "swap"]),
  };
}

function pick<T extends object>(object: T, keys: readonly (keyof T)[]): Partial<T> {
  return Object.fromEntries(
    keys.filter((key) => object[key] !== undefined).map((key) => [key, object[key]]),
  ) as Partial<T>;
}

/** A launch as the text of a launch file: what is binary in code becomes text. `readLaunch` reads it again. */
export function launchText(launch: Launch): string {
  return jsonText(plainLaunch(launch));
}

/** Only what JSON can hold: a program becomes its path, binary contents their text. */
function plainLaunch(launch: Launch): Launch {
  const { shader, buffers, expect, ...rest } = launch;
  const plain = (contents: Launch["buffers"]) =>
    Object.fromEntries(Object.entries(contents ?? {}).map(([name, each]) => [name, plainContents(literal(each))]));
  return {
    ...(shader === undefined ? {} : { shader: typeof shader === "string" ? shader : shader.source.path }),
    ...rest,
    ...(buffers === undefined ? {} : { buffers: plain(buffers) }),
    ...(expect === undefined ? {} : { expect: plain(expect as Launch["buffers"]) }),
  };
}

/** Values, and names of files, that were written as text, as a command line has them: a file says which they are. */
function literal(contents: BufferContents): BufferContents {
  if (typeof contents !== "string") return contents;
  try {
    const spec = parseSpec(contents);
    return spec.kind === "values" ? { values: spec.values } : spec.kind === "file" ? { file: spec.file } : contents;
  } catch (error) {
    if (error instanceof LaunchError) return contents;
    throw error;
  }
}

/** What a file may hold as contents; the members of a structure stand there under `values`. */
function isForm(contents: BufferContents): boolean {
  if (typeof contents !== "object") return true;
  return !Array.isArray(contents) && Object.keys(contents).every((name) => FORM_NAMES.has(name));
}

function plainContents(contents: BufferContents): BufferContents {
  if (contents instanceof ArrayBuffer) return { bytes: toBase64(new Uint8Array(contents)) };
  if (!ArrayBuffer.isView(contents)) return isForm(contents) ? contents : { values: contents };
  if (contents instanceof Uint32Array) return { u32: [...contents] };
  if (contents instanceof Int32Array) return { i32: [...contents] };
  if (contents instanceof Float32Array) return { f32: [...contents].map((x) => (Number.isFinite(x) ? x : String(x))) };
  return { bytes: toBase64(new Uint8Array(contents.buffer, contents.byteOffset, contents.byteLength)) };
}
