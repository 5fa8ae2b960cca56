/// <reference types="@webgpu/types" preserve="true" />
/** `run` and `sanitize` as programs use them: on the wasm engine, whose threads are kept from one run to the next, or on a GPU. */
import type { Engine } from "./engine/dispatch.ts";
import type { HostThreads } from "./engine/wasm-engine/threads.ts";
import type { Launch } from "./launch/launch.ts";
import type { RunResult } from "./launch/results.ts";
import type { RunOptions } from "./launch/run.ts";
import type { SanitizeResult } from "./sanitize/finding.ts";
import type { ProfileOptions, ProfileResult } from "./sanitize/profile.ts";
import type { SanitizeOptions } from "./sanitize/sanitize.ts";

export interface DeviceOptions {
  /** Runs the launch on this device instead of our own engine. */
  readonly gpu?: GPUDevice;
  /** `both`: on our own engine too, and compares the results. `gpu` if left out. */
  readonly device?: "gpu" | "both";
  /** With `both`: what our own engine gave for this launch already, so that it need not run again. */
  readonly own?: RunResult;
}

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
  return async (launch, { gpu, device = "gpu", own, engine, ...options } = {}) => {
    const { checkRunOptions } = await import("./launch/code-launch.ts");
    checkRunOptions(options);
    const how = { ...options, engine: await named(engine, engines, options.workers) };
    if (gpu === undefined) return (await import("./launch/run.ts")).run(launch, how);
    checkDevice(gpu);
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
  return async (launch, { gpu, engine, ...options } = {}) => {
    const { checkSanitizeOptions, sanitize } = await import("./sanitize/sanitize.ts");
    checkSanitizeOptions(options);
    const how = { ...options, engine: await named(engine, engines, options.workers) };
    return withGpu(await sanitize(launch, how), launch, gpu, options);
  };
}

export function profileOn(
  engines: Engines,
): (launch: Launch, options?: ByName<ProfileOptions> & Beside) => Promise<ProfileResult> {
  return async (launch, { gpu, engine, ...options } = {}) => {
    const { checkSanitizeOptions } = await import("./sanitize/sanitize.ts");
    checkSanitizeOptions(options);
    const how = { ...options, engine: await named(engine, engines, options.workers) };
    const { profile } = await import("./sanitize/profile.ts");
    return withGpu(await profile(launch, how), launch, gpu, options);
  };
}

/** What races and who queues up is seen on our own engine alone. */
export interface Beside {
  /** Runs the launch on this device too, and compares the results. */
  readonly gpu?: GPUDevice;
}

async function withGpu<Result extends RunResult>(
  own: Result,
  launch: Launch,
  gpu: GPUDevice | undefined,
  options: RunOptions,
): Promise<Result> {
  if (gpu === undefined) return own;
  checkDevice(gpu);
  const { makePlan } = await import("./launch/plan.ts");
  const { comparedWith, runPlanOnGpu } = await import("./webgpu/run-on-devices.ts");
  return comparedWith(own, await runPlanOnGpu(await makePlan(launch, options), gpu, options), launch);
}

function checkDevice(gpu: Partial<GPUDevice> | null): void {
  if (typeof gpu?.createShaderModule !== "function") throw new TypeError(`‘gpu’ is a GPUDevice, not ${gpu}`);
}

async function named(engine: Engine | string | undefined, engines: Engines, workers?: number): Promise<Engine> {
  if (typeof engine === "object") return engine;
  if (engine === undefined || engine === "wasm") return engines(workers);
  if (engine === "interpreter") return (await import("./engine/interpreter.ts")).createInterpreter();
  throw new TypeError(`there is no engine ‘${engine}’; there are ‘wasm’ and ‘interpreter’`);
}
