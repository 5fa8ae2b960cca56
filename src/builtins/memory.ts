/** Resolutions by the types of a call, so that a shader pays for each combination of types once. */
import type { Type } from "../types/type.ts";
import type { Resolution } from "./overload.ts";

/** What is remembered about a list of types: a step per type. Weak, since a structure type dies with its module. */
interface Step {
  next: WeakMap<Type, Step> | null;
  resolution: Resolution | null;
}

const memory = new Map<string, Step>();

/** What `resolve` gives for these types; asked once. `key` is whatever else the answer depends on. */
export function remembered(
  key: string,
  template: readonly Type[] | null,
  args: readonly Type[],
  resolve: () => Resolution,
): Resolution {
  let step = memory.get(key);
  if (step === undefined) memory.set(key, (step = { next: null, resolution: null }));
  if (template !== null) for (const type of template) step = follow(step, type);
  for (const type of args) step = follow(step, type);
  step.resolution ??= resolve();
  return step.resolution;
}

function follow(step: Step, type: Type): Step {
  step.next ??= new WeakMap();
  let next = step.next.get(type);
  if (next === undefined) step.next.set(type, (next = { next: null, resolution: null }));
  return next;
}
