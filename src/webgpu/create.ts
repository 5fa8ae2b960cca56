/** From the options of `create` to a GPU. */
import type { Engine, Host } from "../engine/dispatch.ts";
import type { OutOfBounds } from "../engine/execution.ts";
import type { Emulation, Environment } from "./environment.ts";
import { FEATURES, type Feature } from "./features.ts";
import { createGpu } from "./gpu.ts";
import { BEST_LIMITS, DEFAULT_LIMITS, isBetter, isLimit, type LimitName } from "./limits.ts";

export interface GpuOptions {
  /**
   * A device that is not the default one, as one text or several: `subgroup-size=16`, `oob=clamp`, the name of a limit as
   * `maxStorageBuffersPerShaderStage=8`, `no-` and a feature as `no-shader-f16`, `defaults` (no limit above its default).
   */
  readonly emulate?: string | readonly string[];
  /** Threads that run workgroups; if left out, as many as there are cores, at most eight. */
  readonly workers?: number;
  /** What runs the shaders: `wasm` if left out. */
  readonly engine?: "wasm" | "interpreter";
}

/** What the host has to offer. */
export interface Platform {
  readonly host: Host;
  /** The same engine for the same question, so that one process has one pool of threads. */
  engine(name: "wasm" | "interpreter", workers: number | undefined): Engine;
  warn(message: string): void;
}

/**
 * As `create` of the npm package `webgpu`, whose flags (an array of strings) mean nothing here.
 * @throws TypeError or RangeError for options that make no sense
 */
export function createWith(platform: Platform, options: readonly string[] | GpuOptions = {}): GPU {
  const { emulate = [], workers, engine = "wasm" } = isFlags(options) ? {} : options;
  if (workers !== undefined && !(Number.isInteger(workers) && workers >= 1)) {
    throw new RangeError(`workers: ${workers} is no number of threads`);
  }
  const environment: Environment = {
    host: platform.host,
    engine: () => platform.engine(engine, workers),
    warn: (message) => platform.warn(message),
    emulation: parseEmulation(typeof emulate === "string" ? [emulate] : emulate),
    checker: null,
  };
  return createGpu(environment);
}

function isFlags(options: readonly string[] | GpuOptions): options is readonly string[] {
  return Array.isArray(options);
}

// ---------------------------------------------------------------- emulation

const OUT_OF_BOUNDS: readonly string[] = ["clamp", "zero", "discard"];
const SUBGROUP_SIZES: readonly number[] = [4, 8, 16, 32, 64, 128];

/** @throws RangeError for a name or value that there is not */
export function parseEmulation(texts: readonly string[]): Emulation {
  return texts
    .flatMap((text) => text.split(","))
    .map((text) => parseOne(text.trim()))
    .reduce<Emulation>(
      (all, one) => ({
        ...all,
        ...one,
        limits: { ...all.limits, ...one.limits },
        without: [...(all.without ?? []), ...(one.without ?? [])],
      }),
      {},
    );
}

function parseOne(text: string): Emulation {
  const [name, value = ""] = text.split("=");
  if (name === "oob" && OUT_OF_BOUNDS.includes(value)) return { outOfBounds: value as OutOfBounds };
  if (name === "subgroup-size" && SUBGROUP_SIZES.includes(Number(value))) return { subgroupSize: Number(value) };
  if (text === "defaults") return { limits: DEFAULT_LIMITS };
  if (isLimit(name)) return { limits: { [name]: emulatedLimit(name, value) } };
  const feature = FEATURES.find((each) => text === `no-${each}`);
  if (feature !== undefined) return { without: [feature satisfies Feature] };
  throw new RangeError(
    `emulate: ‘${text}’ is none of oob=${OUT_OF_BOUNDS.join("|")}, subgroup-size=${SUBGROUP_SIZES.join("|")}, LIMIT=N, no-FEATURE, defaults`,
  );
}

/** From the default, which every adapter has, to the best that there is. */
function emulatedLimit(name: LimitName, text: string): number {
  const value = Number(text);
  const best = BEST_LIMITS[name];
  const [least, most] = [DEFAULT_LIMITS[name], best].sort((a, b) => a - b);
  if (Number.isInteger(value) && !isBetter(name, value, best) && value >= least && value <= most) return value;
  throw new RangeError(`emulate: ${name} must be from ${least} to ${most}, not ${text === "" ? "empty" : text}`);
}
