/** Resolutions by the types of a call, so that all shaders together pay for each combination of types once. */
import { lastingIndex, MOST_LASTING, type Type } from "../types/type.ts";
import type { Resolution } from "./overload.ts";

/**
 * Where one is in a list of types. A number, as are the types: what is asked for at each operator and call must lie close
 * together, or the tree of a large module drives it out of the caches of the processor.
 */
export type Step = number;

/** Behind a type that a module made: nothing is remembered of it, since it dies with the module. */
export const NOWHERE: Step = 0;

/** Far more than shaders take: beyond that, nothing is remembered. A step and a type make a key of 31 bits. */
const MOST_STEPS = 2 ** 31 / MOST_LASTING;

/** A hash table of where types lead, with pairs of a key, made of step and type, and the step behind; key 0: free. */
let table = new Int32Array(1 << 12);
let used = 0;

/** Two for each step: where not all arguments are const-expressions, and where they are; null: not asked for yet. */
const resolutions: (Resolution | null)[] = [null, null];

export function newStep(): Step {
  const step = resolutions.length / 2;
  if (step === MOST_STEPS) return NOWHERE;
  resolutions.push(null, null);
  return step;
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
  if (index < 0 || step === NOWHERE) return NOWHERE;
  const key = step * MOST_LASTING + index;
  const at = placeOf(key);
  return table[at] === key ? table[at + 1] : add(key);
}

/** Where a key stands, or where it would. */
function placeOf(key: number): number {
  const last = table.length - 1;
  let at = (Math.imul(key, 0x9e3779b1) >>> 8) & (last - 1);
  while (table[at] !== key && table[at] !== 0) at = (at + 2) & last;
  return at;
}

function add(key: number): Step {
  const behind = newStep();
  if (behind === NOWHERE) return NOWHERE;
  if (4 * ++used > table.length) grow();
  const at = placeOf(key);
  table[at] = key;
  table[at + 1] = behind;
  return behind;
}

function grow(): void {
  const before = table;
  table = new Int32Array(2 * before.length);
  for (let from = 0; from < before.length; from += 2) {
    if (before[from] === 0) continue;
    const at = placeOf(before[from]);
    table[at] = before[from];
    table[at + 1] = before[from + 1];
  }
}

/** What is known of a call whose arguments have these types; null: to be resolved, and then remembered. */
export function recall(step: Step, constant: boolean): Resolution | null {
  return resolutions[2 * step + (constant ? 1 : 0)];
}

export function remember(step: Step, constant: boolean, resolution: Resolution): Resolution {
  if (step !== NOWHERE) resolutions[2 * step + (constant ? 1 : 0)] = resolution;
  return resolution;
}

export function followAll(step: Step, types: readonly Type[]): Step {
  let last = step;
  for (const type of types) last = follow(last, type);
  return last;
}
