/** `run` as programs use it: on the wasm engine, whose threads are kept from one run to the next. */
import type { Engine } from "./engine/dispatch.ts";
import { createWasmEngine } from "./engine/wasm-engine/engine.ts";
import type { HostThreads } from "./engine/wasm-engine/threads.ts";
import type { Launch } from "./launch/launch.ts";
import type { RunResult } from "./launch/results.ts";
import { type RunOptions, run } from "./launch/run.ts";

export function runOn(threads: HostThreads): (launch: Launch, options?: RunOptions) => Promise<RunResult> {
  /** By number of workers. */
  const engines = new Map<number | undefined, Engine>();
  const engineWith = (workers: number | undefined): Engine => {
    const engine = engines.get(workers) ?? createWasmEngine(threads, workers === undefined ? {} : { workers });
    engines.set(workers, engine);
    return engine;
  };
  return (launch, options = {}) => run(launch, { engine: engineWith(options.workers), ...options });
}
