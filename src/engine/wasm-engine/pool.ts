/** The workers of one engine: started when first needed, kept, started anew where one had to be ended. */
import type { Job, WorkerReport } from "./messages.ts";
import type { HostThread, HostThreads } from "./threads.ts";
import type { WasmMemory, WasmModule } from "./webassembly.ts";

export interface PostedKernel {
  readonly id: number;
  readonly module: WasmModule;
}

export class WorkerPool {
  readonly #threads: HostThreads;
  readonly #memory: () => WasmMemory | null;
  readonly #workers: PooledWorker[] = [];

  /** `memory`: what new workers are given; null where they have memories of their own. */
  constructor(threads: HostThreads, memory: () => WasmMemory | null) {
    this.#threads = threads;
    this.#memory = memory;
  }

  /** Starts so many workers as far as they are not there yet; resolves when the first can work. */
  async prepare(count: number): Promise<void> {
    const workers = Array.from({ length: count }, (_, index) => this.#worker(index));
    await workers[0].started;
  }

  /** Lets a worker do its share of a job. @returns its report; null if it was ended before it gave one */
  run(index: number, kernel: PostedKernel, job: Job): Promise<WorkerReport | null> {
    return this.#worker(index).run(kernel, job);
  }

  #worker(index: number): PooledWorker {
    const worker = this.#workers[index];
    if (worker?.alive === true) return worker;
    const started = new PooledWorker(this.#threads, this.#memory());
    this.#workers[index] = started;
    return started;
  }

  /** Asks workers without shared memory to take no more work. */
  stop(): void {
    for (const worker of this.#workers) worker.stop();
  }

  /** Ends those that have not reported yet. */
  endBusy(): void {
    for (const worker of this.#workers) if (worker.busy) void worker.end();
  }

  forget(kernel: number): void {
    for (const worker of this.#workers) worker.forget(kernel);
  }

  close(): void {
    for (const worker of this.#workers.splice(0)) void worker.end(engineClosed());
  }
}

export function engineClosed(): Error {
  return new Error("the engine was closed");
}

interface Pending {
  resolve(report: WorkerReport | null): void;
  reject(error: Error): void;
}

class PooledWorker {
  readonly #thread: HostThread;
  /** Kernels that it has been sent. */
  readonly #kernels = new Set<number>();
  /** Settles when it listens, has failed or was ended. */
  readonly started: Promise<void>;
  #settleStart: () => void = () => {};
  #pending: Pending | null = null;
  /** Why it can do no more. */
  #failure: Error | null = null;
  #ended = false;

  constructor(threads: HostThreads, memory: WasmMemory | null) {
    this.started = new Promise((resolve) => {
      this.#settleStart = resolve;
    });
    this.#thread = threads.start({
      message: (message) => {
        if (message.kind === "ready") this.#settleStart();
        else this.#settle((pending) => pending.resolve(message.report));
      },
      failed: (error) => {
        this.#fail(error);
        this.#settleStart();
      },
    });
    // Whoever waits for it to start waits for something.
    this.#thread.keepAlive(true);
    void this.started.then(() => this.#pending === null && this.alive && this.#thread.keepAlive(false));
    if (memory !== null) this.#thread.post({ kind: "memory", memory });
  }

  get alive(): boolean {
    return !this.#ended && this.#failure === null;
  }

  get busy(): boolean {
    return this.#pending !== null;
  }

  run({ id, module }: PostedKernel, job: Job): Promise<WorkerReport | null> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) {
        reject(this.#failure);
        return;
      }
      this.#pending = { resolve, reject };
      this.#thread.keepAlive(true);
      if (!this.#kernels.has(id)) this.#thread.post({ kind: "kernel", kernel: id, module });
      this.#kernels.add(id);
      this.#thread.post({ kind: "job", job });
    });
  }

  stop(): void {
    if (this.busy) this.#thread.post({ kind: "stop" });
  }

  forget(kernel: number): void {
    if (this.#kernels.delete(kernel) && this.alive) this.#thread.post({ kind: "forget", kernel });
  }

  /** `why`: what its job fails with; left out, the job has no report. */
  async end(why?: Error): Promise<void> {
    this.#ended = true;
    await this.#thread.terminate();
    this.#settleStart();
    this.#settle((pending) => (why === undefined ? pending.resolve(null) : pending.reject(why)));
  }

  #fail(error: Error): void {
    if (this.#ended) return;
    this.#failure ??= error;
    this.#settle((pending) => pending.reject(error));
  }

  #settle(how: (pending: Pending) => void): void {
    const pending = this.#pending;
    if (pending === null) return;
    this.#pending = null;
    if (this.alive) this.#thread.keepAlive(false);
    how(pending);
  }
}
