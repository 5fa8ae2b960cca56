/** From the options of `create` to a GPU. */
import type { Engine } from "../engine/dispatch.ts";
import { OUT_OF_BOUNDS, type OutOfBounds, SUBGROUP_SIZES } from "../engine/execution.ts";
import { createInterpreter } from "../engine/interpreter.ts";
import { createWasmEngine } from "../engine/wasm-engine/engine.ts";
import type { HostThreads } from "../engine/wasm-engine/threads.ts";
import { checkNames, type NamesOf } from "../text/option-names.ts";
import type { Emulation } from "./environment.ts";
import { FEATURES } from "./features.ts";
import { createGpu } from "./gpu.ts";
import { BEST_LIMITS, DEFAULT_LIMITS, isLimit, type LimitName } from "./limits.ts";
import {
  DispatchSanitizer,
  findingText,
  type OnFinding,
  SANITIZE_SETTINGS,
  type SanitizeSettings,
} from "./sanitizer.ts";

export interface GpuOptions {
  /** Looks at every dispatch with all checkers; `true`, or what they are to look for. */
  readonly sanitize?: boolean | SanitizeSettings;
  /** Is told each finding of `sanitize`, once. Left out, findings are printed as warnings. */
  readonly onFinding?: OnFinding;
  /**
   * Is told each error that no error scope took, and whose event no listener prevented. Left out, they are printed as
   * warnings.
   */
  readonly onUncapturedError?: (error: GPUError, device: GPUDevice) => void;
  /** Is told each device that is made. */
  readonly onDevice?: (device: GPUDevice) => void;
  /**
   * A device that is not the default one, as one text or several: `subgroup-size=16`, `oob=clamp`, the name of a limit as
   * `maxStorageBuffersPerShaderStage=8`, `no-` and a feature as `no-shader-f16`, `defaults` (no limit above its default).
   */
  readonly emulate?: string | readonly string[];
  /** Threads that run workgroups; if left out, as many as there are cores, at most eight. */
  readonly workers?: number;
  /** Seconds that a dispatch may take before the device is lost; if left out 10, on the interpreter 60. */
  readonly timeout?: number;
  /** What runs the shaders: `wasm` if left out. */
  readonly engine?: "wasm" | "interpreter";
}

const GPU_OPTIONS: NamesOf<GpuOptions> = {
  sanitize: true,
  onFinding: true,
  onUncapturedError: true,
  onDevice: true,
  emulate: true,
  workers: true,
  timeout: true,
  engine: true,
};

/** As `create` of the npm package `webgpu`, whose flags (an array of strings) mean nothing here. */
export type Create = (options?: readonly string[] | GpuOptions) => GPU;

/** GPUs on these threads. One process has one pool of them for each number of workers. */
export function creator(threads: HostThreads, warn: (message: string) => void): Create {
  const engines = new Map<string, Engine>();
  const engineFor = (name: "wasm" | "interpreter", workers: number | undefined): Engine => {
    const key = `${name} ${workers}`;
    const engine = engines.get(key) ?? makeEngine(threads, name, workers);
    engines.set(key, engine);
    return engine;
  };
  return (options = {}) => {
    const given: GpuOptions = isFlags(options) ? {} : options;
    checkNames(given, GPU_OPTIONS);
    const {
      sanitize = false,
      onFinding,
      onUncapturedError,
      onDevice,
      emulate = [],
      workers,
      timeout,
      engine = "wasm",
    } = given;
    if (workers !== undefined && !(Number.isInteger(workers) && workers >= 1)) {
      throw new RangeError(`workers: ${workers} is no number of threads`);
    }
    if (timeout !== undefined && !(timeout > 0 && Number.isFinite(timeout))) {
      throw new RangeError(`timeout: ${timeout} is no number of seconds`);
    }
    const emulation = parseEmulation(typeof emulate === "string" ? [emulate] : emulate);
    const settings = sanitize === true ? {} : sanitize;
    if (settings !== false) checkNames(settings, SANITIZE_SETTINGS, "sanitize.");
    return createGpu({
      host: threads,
      engine: () => engineFor(engine, workers),
      warn,
      uncaptured: onUncapturedError ?? ((error) => warn(`${error.constructor.name} (uncaptured): ${error.message}`)),
      deviceMade: onDevice ?? (() => {}),
      emulation,
      timeout: timeout === undefined ? null : timeout * 1000,
      checker:
        settings === false
          ? null
          : new DispatchSanitizer(settings, emulation, onFinding ?? ((finding) => warn(findingText(finding)))),
    });
  };
}

function makeEngine(threads: HostThreads, name: "wasm" | "interpreter", workers: number | undefined): Engine {
  if (name === "interpreter") return createInterpreter(threads);
  return createWasmEngine(threads, workers === undefined ? {} : { workers });
}

function isFlags(options: readonly string[] | GpuOptions): options is readonly string[] {
  return Array.isArray(options);
}

// ---------------------------------------------------------------- emulation

/** @throws RangeError for a name or value that there is not */
export function parseEmulation(texts: readonly string[]): Emulation {
  const parts = texts.flatMap((text) => text.split(",")).map((text) => parseOne(text.trim()));
  return Object.assign({}, ...parts, {
    limits: Object.assign({}, ...parts.map(({ limits }) => limits)),
    without: parts.flatMap(({ without = [] }) => without),
  }) as Emulation;
}

function parseOne(text: string): Emulation {
  const [name, value = ""] = text.split("=");
  if (name === "oob" && OUT_OF_BOUNDS.includes(value as OutOfBounds)) return { outOfBounds: value as OutOfBounds };
  if (name === "subgroup-size" && SUBGROUP_SIZES.includes(Number(value))) return { subgroupSize: Number(value) };
  if (text === "defaults") return { limits: DEFAULT_LIMITS };
  if (isLimit(name)) return { limits: { [name]: emulatedLimit(name, value) } };
  const feature = FEATURES.find((each) => text === `no-${each}`);
  if (feature !== undefined) return { without: [feature] };
  throw new RangeError(
    `emulate: ‘${text}’ is none of oob=${OUT_OF_BOUNDS.join("|")}, subgroup-size=${SUBGROUP_SIZES.join("|")}, LIMIT=N, no-FEATURE, defaults`,
  );
}

/** From the default, which every adapter has, to the best that there is. */
function emulatedLimit(name: LimitName, text: string): number {
  const value = Number(text);
  const best = BEST_LIMITS[name];
  const [least, most] = [DEFAULT_LIMITS[name], best].sort((a, b) => a - b);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new RangeError(`emulate: ${name} must be from ${least} to ${most}, not ${text === "" ? "empty" : text}`);
}
