/** Resolutions by the types of a call, so that a shader pays for each combination of types once. */
import { lastingIndex, type Type } from "../types/type.ts";
import type { Resolution } from "./overload.ts";

/** What is remembered about a list of types: a step per type. */
export interface Step {
  /** By `lastingIndex`: most types in calls have one, and an index is quicker to find than an object. */
  readonly lasting: (Step | undefined)[];
  /** All others. Weak, since a structure type dies with its module. */
  next: WeakMap<Type, Step> | null;
  /** Where all arguments are const-expressions, and where not; null: not asked for yet. */
  constant: Resolution | null;
  later: Resolution | null;
}

export function newStep(): Step {
  return { lasting: [], next: null, constant: null, later: null };
}

export class Memory {
  readonly #starts = new Map<string, Step>();

  /** Where the lists of types begin for a name. */
  start(name: string): Step {
    let step = this.#starts.get(name);
    if (step === undefined) this.#starts.set(name, (step = newStep()));
    return step;
  }
}

export function follow(step: Step, type: Type): Step {
  const index = lastingIndex(type);
  if (index >= 0) return (step.lasting[index] ??= newStep());
  step.next ??= new WeakMap();
  let next = step.next.get(type);
  if (next === undefined) step.next.set(type, (next = newStep()));
  return next;
}

/** What is known of a call whose arguments have these types; null: to be resolved, and then remembered. */
export function recall(step: Step, constant: boolean): Resolution | null {
  return constant ? step.constant : step.later;
}

export function remember(step: Step, constant: boolean, resolution: Resolution): Resolution {
  if (constant) step.constant = resolution;
  else step.later = resolution;
  return resolution;
}

export function followAll(step: Step, types: readonly Type[]): Step {
  for (const type of types) step = follow(step, type);
  return step;
}
