/// <reference types="@webgpu/types" preserve="true" />
/** `run` and `sanitize` as programs use them: on the wasm engine, whose threads are kept from one run to the next, or on a GPU. */
import type { Engine } from "./engine/dispatch.ts";
import type { HostThreads } from "./engine/wasm-engine/threads.ts";
import type { Launch } from "./launch/launch.ts";
import type { Plan } from "./launch/plan.ts";
import type { RunResult } from "./launch/results.ts";
import type { RunOptions } from "./launch/run.ts";
import type { SanitizeResult } from "./sanitize/finding.ts";
import type { ProfileOptions, ProfileResult } from "./sanitize/profile.ts";
import type { SanitizeOptions } from "./sanitize/sanitize.ts";
import type { Names, NamesOf } from "./text/option-names.ts";

export interface DeviceOptions {
  /** Runs the launch on this device instead of our own engine. */
  readonly gpu?: GPUDevice;
  /** `both`: on our own engine too, and compares the results. `gpu` if left out. */
  readonly device?: "gpu" | "both";
  /** With `both`: what our own engine gave for this launch already, so that it need not run again. */
  readonly own?: RunResult;
}

const DEVICE_OPTIONS: NamesOf<DeviceOptions> = { gpu: true, device: true, own: true };

/** The engine with so many workers; each is made once. */
export type Engines = (workers: number | undefined) => Promise<Engine>;

export function enginesOn(threads: HostThreads): Engines {
  const engines = new Map<number | undefined, Engine>();
  return async (workers) => {
    const { createWasmEngine } = await import("./engine/wasm-engine/engine.ts");
    const engine = engines.get(workers) ?? createWasmEngine(threads, workers === undefined ? {} : { workers });
    engines.set(workers, engine);
    return engine;
  };
}

/** Options with the engine by its name too. */
export type ByName<Options> = Omit<Options, "engine"> & { readonly engine?: Engine | "wasm" | "interpreter" };

export function runOn(
  engines: Engines,
): (launch: Launch, options?: ByName<RunOptions> & DeviceOptions) => Promise<RunResult> {
  return async (launch, all = {}) => {
    const { checkRunOptions } = await import("./launch/code-launch.ts");
    checkRunOptions(all, DEVICE_OPTIONS);
    const { gpu, device = "gpu", own, engine, ...options } = all;
    checkDevice(gpu);
    const how = { ...options, engine: await named(engine, engines, options.workers) };
    if (gpu === undefined) return (await import("./launch/run.ts")).run(launch, how);
    if (device !== "gpu" && device !== "both") throw new RangeError(`‘device’ is gpu or both, not ${device}`);
    const { makePlan } = await import("./launch/plan.ts");
    const { runPlanOnBoth, runPlanOnGpu } = await import("./webgpu/run-on-devices.ts");
    const plan = await makePlan(launch, options);
    return device === "both" ? runPlanOnBoth(plan, gpu, how, own) : runPlanOnGpu(plan, gpu, options);
  };
}

export function sanitizeOn(
  engines: Engines,
): (launch: Launch, options?: ByName<SanitizeOptions> & Beside) => Promise<SanitizeResult> {
  return async (launch, options = {}) => {
    const { sanitizePlan, SANITIZE_OPTIONS } = await import("./sanitize/sanitize.ts");
    return lookedAt(launch, options, engines, sanitizePlan, SANITIZE_OPTIONS);
  };
}

export function profileOn(
  engines: Engines,
): (launch: Launch, options?: ByName<ProfileOptions> & Beside) => Promise<ProfileResult> {
  return async (launch, options = {}) => {
    const { profilePlan, PROFILE_OPTIONS } = await import("./sanitize/profile.ts");
    return lookedAt(launch, options, engines, profilePlan, PROFILE_OPTIONS);
  };
}

/** What races and who queues up is seen on our own engine alone. */
export interface Beside {
  /** Runs the launch on this device too, and compares the results. */
  readonly gpu?: GPUDevice;
}

const BESIDE: NamesOf<Beside> = { gpu: true };

/** What `look` gives for the launch on our own engine; with a GPU its results beside it, of the same plan. */
async function lookedAt<Result extends RunResult>(
  launch: Launch,
  all: ByName<RunOptions> & Beside,
  engines: Engines,
  look: (plan: Plan, how: RunOptions) => Promise<Result>,
  names: Names,
): Promise<Result> {
  const { checkSanitizeOptions } = await import("./sanitize/sanitize.ts");
  checkSanitizeOptions(all, { ...names, ...BESIDE });
  const { gpu, engine, ...options } = all;
  checkDevice(gpu);
  const { makePlan } = await import("./launch/plan.ts");
  const how = { ...options, engine: await named(engine, engines, options.workers) };
  const plan = await makePlan(launch, options);
  const own = await look(plan, how);
  if (gpu === undefined) return own;
  const { besideGpu } = await import("./webgpu/run-on-devices.ts");
  return besideGpu(own, plan, gpu, options);
}

/** @throws TypeError for what is given and is no device */
function checkDevice(gpu: Partial<GPUDevice> | null | undefined): void {
  if (gpu === undefined || typeof gpu?.createShaderModule === "function") return;
  throw new TypeError(`‘gpu’ is a GPUDevice, not ${gpu}`);
}

async function named(engine: Engine | string | undefined, engines: Engines, workers?: number): Promise<Engine> {
  if (typeof engine === "object") return engine;
  if (engine === undefined || engine === "wasm") return engines(workers);
  if (engine === "interpreter") return (await import("./engine/interpreter.ts")).createInterpreter();
  throw new TypeError(`there is no engine ‘${engine}’; there are ‘wasm’ and ‘interpreter’`);
}
