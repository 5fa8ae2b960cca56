/** Random contents of buffers: a hash of seed and index, so that results can be computed beforehand (examples/README.md). */
import { phrase } from "../diagnostics/diagnostic.ts";
import { ValueError } from "../layout/view.ts";
import type { ScalarType } from "../types/type.ts";

export interface RandomOptions {
  readonly seed: number;
  /** The smallest value; null: none stated. */
  readonly min: number | null;
  /** The largest value. */
  readonly max: number | null;
  /** Exponent S of a Zipf-like distribution; null: even distribution. */
  readonly zipf: number | null;
}

/** PCG hash, u32 to u32. */
export function pcg(x: number): number {
  const state = (Math.imul(x, 747796405) + 2891336453) | 0;
  const word = Math.imul((state >>> ((state >>> 28) + 4)) ^ state, 277803737);
  return ((word >>> 22) ^ word) >>> 0;
}

/** The function that gives leaf scalar number `index` (from 0) of a type. @throws ValueError where `min` and `max` do not fit the type */
export function randomScalar(type: ScalarType, options: RandomOptions): (index: number) => number {
  const start = pcg(options.seed);
  const value = valueFrom(type, options);
  return (index) => value(pcg((index + start) | 0));
}

/** From a hash to a value. */
function valueFrom(type: ScalarType, { min, max, zipf }: RandomOptions): (hash: number) => number {
  if (type.kind !== "f32" && type.kind !== "f16") checkBounds(type, [min ?? 0, max ?? 0]);
  if (zipf !== null) return zipfian(min ?? 0, max ?? 255, zipf);
  if (type.kind === "f32") {
    if (min === null && max === null) return (hash) => (hash >>> 8) / 2 ** 24;
    const [low, high] = [min ?? 0, max ?? 1];
    return (hash) => Math.fround(low + (high - low) * ((hash >>> 8) / 2 ** 24));
  }
  if (type.kind === "f16") {
    const [low, high] = [min ?? 0, max ?? 1];
    return (hash) => low + (high - low) * ((hash >>> 21) / 2 ** 11);
  }
  if (min === null && max === null) return type.kind === "i32" ? (hash) => hash | 0 : (hash) => hash;
  const low = min ?? (max !== null && max < 0 ? -2147483648 : 0);
  const high = max ?? (type.kind === "i32" ? 2147483647 : 4294967295);
  const range = high - low + 1;
  return (hash) => low + scaled(hash, range);
}

function checkBounds(type: ScalarType, bounds: readonly number[]): void {
  for (const bound of bounds) {
    const fits = type.kind === "i32" ? bound === (bound | 0) : bound === bound >>> 0;
    if (!fits) throw new ValueError("", phrase("value-no-word", { value: bound, type: type.kind }));
  }
}

/** floor(hash · range / 2^32), exactly, also where the product has more than 53 bits. */
function scaled(hash: number, range: number): number {
  const high = (hash >>> 16) * range;
  const low = (hash & 0xffff) * range;
  return Math.floor((high + Math.floor(low / 65536)) / 65536);
}

/**
 * Rank k = 1, 2 … has a weight near 1/k^S: floor of the bounded Pareto distribution on [1, n + 1), by its inverse. Rank 1
 * is `min`.
 */
function zipfian(min: number, max: number, exponent: number): (hash: number) => number {
  const count = max - min + 1;
  const power = 1 - exponent;
  const span = 1 - (count + 1) ** power;
  return (hash) => {
    const u = hash / 2 ** 32;
    const x = power === 0 ? (count + 1) ** u : (1 - u * span) ** (1 / power);
    return min + Math.min(Math.floor(x), count) - 1;
  };
}
