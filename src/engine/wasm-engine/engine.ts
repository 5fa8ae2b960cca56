/**
 * The fast engine: kernels compiled to WebAssembly, run by workers that share one memory with the calling thread, which
 * never waits. Dispatches run one after another. What the compiler or the workers cannot do is left to the interpreter.
 */
import type { IrModule } from "../../ir/ir.ts";
import { product } from "../builtin-values.ts";
import type { DispatchNote, DispatchRequest, DispatchResult, Engine } from "../dispatch.ts";
import { createInterpreter } from "../interpreter.ts";
import { Memory } from "../memory.ts";
import { MOST_ALONG_AXIS } from "../wasm/lockstep.ts";
import type { Simd } from "../wasm/simd.ts";
import type { Region } from "./address-space.ts";
import { hasAliases, hasStorageAtomics, interpreterReason, isTooSmall } from "./fallback.ts";
import { type Kernel, Kernels } from "./kernels.ts";
import { WorkerPool } from "./pool.ts";
import { isSmall, runKernel, workersAtFirst } from "./run-kernel.ts";
import type { HostThreads } from "./threads.ts";
import { Trial } from "./trial.ts";
import { hasVectors } from "./webassembly.ts";
import { WorkerMemory } from "./worker-memory.ts";

export interface WasmEngineOptions {
  /** Threads that run workgroups; if left out, as many as the host has cores, at most eight. */
  readonly workers?: number;
  /** Most memory that the engine takes, in pages of 64 KiB; 4 GiB, or what the host allows, if left out. */
  readonly mostPages?: number;
  /** Whether kernels may run four invocations at once; results are the same. Left out: where the host can and it pays. */
  readonly simd?: boolean;
}

const MOST_WORKERS = 8;

export function createWasmEngine(host: HostThreads, options: WasmEngineOptions = {}): Engine {
  return new WasmEngine(host, options);
}

class WasmEngine implements Engine {
  readonly name = "wasm";
  readonly #host: HostThreads;
  readonly #interpreter: Engine;
  readonly workers: number;
  readonly #mostPages: number | undefined;
  readonly #simd: Simd;
  readonly #pool: WorkerPool;
  readonly #kernels: Kernels;
  readonly #own = new Map<Memory, Region>();
  readonly #trials = new WeakMap<IrModule, Trial>();
  #workerMemory: WorkerMemory | null = null;
  #closings = 0;
  /** The dispatch that was asked for last; the next one waits for it. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(host: HostThreads, options: WasmEngineOptions) {
    const { workers = Math.min(host.cores, MOST_WORKERS), mostPages, simd = hasVectors() } = options;
    if (!(Number.isInteger(workers) && workers >= 1)) throw new RangeError(`${workers} is no number of workers`);
    this.#host = host;
    this.#interpreter = createInterpreter(host);
    this.workers = host.sharesMemory ? workers : 1;
    this.#mostPages = mostPages;
    this.#simd = simd ? "where it pays" : "never";
    this.#pool = new WorkerPool(host, this.workers, () => this.#memory);
    this.#kernels = new Kernels((kernel) => this.#pool.forget(kernel));
  }

  /** Made when first needed: it reserves addresses. */
  get #memory(): WorkerMemory {
    this.#workerMemory ??= new WorkerMemory(this.#host.sharesMemory, this.#mostPages);
    return this.#workerMemory;
  }

  dispatch(request: DispatchRequest): Promise<DispatchResult> {
    const closings = this.#closings;
    const result = this.#last.then(() => this.#dispatch(request, () => this.#closings === closings));
    this.#last = result.catch(() => {});
    return result;
  }

  /** `isOpen`: whether the engine has not been closed since. */
  async #dispatch(request: DispatchRequest, isOpen: () => boolean): Promise<DispatchResult> {
    request.signal?.throwIfAborted();
    const reason = interpreterReason(request);
    if (reason !== null) return this.#interpret(request, reason);
    const trial = this.#trial(request);
    const alone = trial?.alone ?? false;
    const workers = alone ? 1 : Math.min(this.workers, request.workers ?? this.workers);
    // Threads take some time to start: they do so while the kernel is compiled. Whoever needs them hears what is wrong.
    if (isOpen()) this.#pool.prepare(workersAtFirst(request, workers)).catch(() => {});
    const kernel = await this.#kernel(request, workers);
    if (kernel === null) return this.#interpret(request, "unsupported");
    if (isTooSmall(request, kernel)) return this.#interpret(request, "binding-too-small");
    const result = await runKernel(request, kernel, {
      host: this.#host,
      pool: this.#pool,
      memory: this.#memory,
      own: this.#own,
      workers,
      isOpen,
    });
    if (result.status === "ok") trial?.note(alone, result.milliseconds, product(request.workgroups));
    return this.#host.sharesMemory ? result : { ...result, notes: ["no-shared-memory"] };
  }

  /** null: all workers take part, whatever comes of it. */
  #trial(request: DispatchRequest): Trial | null {
    if (this.workers === 1 || request.workers === 1 || isSmall(request) || !hasStorageAtomics(request)) return null;
    const trial = this.#trials.get(request.module) ?? new Trial();
    this.#trials.set(request.module, trial);
    return trial;
  }

  async #interpret(request: DispatchRequest, note: DispatchNote): Promise<DispatchResult> {
    const result = await this.#interpreter.dispatch(request);
    return { ...result, notes: [note] };
  }

  /** null: the compiler does not know all that the module needs. */
  #kernel({ module, bindings, workgroups, tallies }: DispatchRequest, workers: number): Promise<Kernel | null> {
    return this.#kernels.get(module, {
      sharedMemory: this.#host.sharesMemory,
      atomics: workers > 1,
      aliases: hasAliases(module, bindings),
      simd: this.#simd,
      largeGrid: workgroups.some((count) => count > MOST_ALONG_AXIS),
      ...(tallies === undefined ? {} : { tallies: [...tallies] }),
    });
  }

  // ------------------------------------------------------------ memory

  allocate(contents: number | Uint8Array): Memory {
    const isZero = typeof contents === "number";
    const size = isZero ? contents : contents.length;
    if (!this.#host.sharesMemory) return new Memory(isZero ? size : contents.slice());
    const region = isZero ? this.#memory.allocateZeroed(size) : this.#memory.allocate(size);
    const bytes = this.#memory.bytes(region, size);
    if (!isZero) bytes.set(contents);
    const memory = new Memory(bytes);
    this.#own.set(memory, region);
    return memory;
  }

  release(memory: Memory): void {
    const region = this.#own.get(memory);
    if (region === undefined) return;
    this.#own.delete(memory);
    // A dispatch that was asked for before may still use it.
    this.#last = this.#last.then(() => this.#memory.free(region));
  }

  close(): void {
    this.#closings++;
    this.#pool.close();
  }
}
