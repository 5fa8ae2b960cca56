/** The workers of one engine: started when first needed, kept, started anew where one had to be ended. */
import { Bell } from "./bell.ts";
import { CallingBoard } from "./calling-board.ts";
import { BOARD } from "./job-board.ts";
import type { BoardPlace, Copies, Job, ToWorker, WorkerReport } from "./messages.ts";
import type { HostThread, HostThreads, ThreadEvents } from "./threads.ts";
import type { WasmMemory, WasmModule } from "./webassembly.ts";
import type { WorkerMemory } from "./worker-memory.ts";

export interface PostedKernel {
  readonly id: number;
  readonly module: WasmModule;
}

/** What workers find their work at. */
interface Desk {
  /** Null where they have memories of their own. */
  readonly memory: WasmMemory | null;
  readonly board: CallingBoard | null;
  readonly bell: Bell;
}

export class WorkerPool {
  readonly #threads: HostThreads;
  readonly #most: number;
  readonly #memory: () => WorkerMemory;
  readonly #workers: PooledWorker[] = [];
  /** Those that take part in what runs. */
  #partners: PooledWorker[] = [];
  #madeDesk: Desk | null = null;

  /** `most`: workers there can be; `memory`: what they have their work in. */
  constructor(threads: HostThreads, most: number, memory: () => WorkerMemory) {
    this.#threads = threads;
    this.#most = most;
    this.#memory = memory;
  }

  get #desk(): Desk {
    this.#madeDesk ??= makeDesk(this.#memory(), this.#most);
    return this.#madeDesk;
  }

  /** Null where memory is not shared. */
  get board(): CallingBoard | null {
    return this.#desk.board;
  }

  /** Starts so many workers as far as they are not there yet; resolves when the first can work. */
  async prepare(count: number): Promise<void> {
    const workers = Array.from({ length: count }, (_, index) => this.#worker(index));
    if (workers[0]?.isReady === false) await workers[0].started;
  }

  /** Lets a worker do its share of a job. `copies`: where memory is not shared. */
  start(index: number, kernel: PostedKernel, job: Job, copies: Copies | null): void {
    const worker = this.#worker(index);
    this.#partners.push(worker);
    worker.start(kernel, job, copies);
  }

  /**
   * Resolves when nobody that was started is at work any more. @returns their reports, null of those that were ended before
   * they gave one. `failed` is told, perhaps more than once, that one of them will give none.
   */
  async reports(failed: (error: Error) => void): Promise<readonly (WorkerReport | null)[]> {
    await this.#desk.bell.until(() => {
      for (const { failure } of this.#partners) if (failure !== null) failed(failure);
      return !this.#partners.some(({ isBusy }) => isBusy);
    });
    const reports = this.#partners.map((worker) => worker.report);
    this.#partners = [];
    return reports;
  }

  #worker(index: number): PooledWorker {
    const worker = this.#workers[index];
    if (worker?.isAlive === true) return worker;
    const started = new PooledWorker(this.#threads, this.#desk, index);
    this.#workers[index] = started;
    return started;
  }

  /** Asks the workers to take no more work. */
  stop(): void {
    const { board } = this.#desk;
    if (board !== null) board.abort();
    else for (const worker of this.#workers) worker.stop();
  }

  /** Ends those that have not reported yet. */
  endBusy(): void {
    for (const worker of this.#workers) if (worker.isBusy) void worker.end();
  }

  forget(kernel: number): void {
    for (const worker of this.#workers) worker.forget(kernel);
  }

  close(): void {
    for (const worker of this.#workers.splice(0)) void worker.end(engineClosed());
  }
}

function makeDesk(memory: WorkerMemory, most: number): Desk {
  const board = memory.shared === null ? null : new CallingBoard(memory, most);
  return { memory: memory.shared, board, bell: new Bell(board?.words ?? null, BOARD.bell) };
}

export function engineClosed(): Error {
  return new Error("the engine was closed");
}

class PooledWorker {
  /** Null: it could not be started. */
  readonly #thread: HostThread | null;
  readonly #desk: Desk;
  readonly #index: number;
  /** Null where there is no board. */
  readonly #place: BoardPlace | null;
  /** Kernels that it has been sent. */
  readonly #kernels = new Set<number>();
  /** Settles when it listens, has failed or was ended. */
  readonly started: Promise<void>;
  isReady = false;
  #settleStart: () => void = () => {};
  /** Why it does not do what it was given, and can do no more. */
  failure: Error | null = null;
  #isEnding = false;
  /** It touches no memory any more. */
  #isGone = false;
  /** Where there is no board: whether it is at work, and what it has reported. */
  #isBusy = false;
  #report: WorkerReport | null = null;

  constructor(threads: HostThreads, desk: Desk, index: number) {
    this.#desk = desk;
    this.#index = index;
    this.started = new Promise((resolve) => {
      this.#settleStart = () => {
        this.isReady = true;
        resolve();
      };
    });
    this.#place = desk.board?.place(index) ?? null;
    this.#thread = this.#startOn(threads);
    // Whoever waits for it to start waits for something. A dispatch that runs has its watchdog.
    this.#thread?.keepAlive(true);
    void this.started.then(() => this.isAlive && this.#thread!.keepAlive(false));
    if (this.#place !== null) this.#post({ kind: "memory", memory: desk.memory!, board: this.#place });
  }

  #startOn(threads: HostThreads): HostThread | null {
    const events: ThreadEvents = {
      message: (message) => {
        if (message.kind === "ready") this.#settleStart();
        else if (message.kind === "done") this.#receive(message.report);
        this.#desk.bell.ring();
      },
      failed: (error) => this.#fail(error),
    };
    try {
      return threads.start(events);
    } catch (error) {
      this.#fail(error as Error);
      return null;
    }
  }

  get isAlive(): boolean {
    return !this.#isEnding && this.failure === null;
  }

  get isBusy(): boolean {
    return !this.#isGone && (this.#desk.board?.isBusy(this.#index) ?? this.#isBusy);
  }

  /** Null: it was ended before it gave one. */
  get report(): WorkerReport | null {
    if (this.#isGone) return null;
    return this.#desk.board?.report(this.#index) ?? this.#report;
  }

  #post(message: ToWorker): void {
    this.#desk.board?.notePosted(this.#index);
    this.#thread?.post(message);
  }

  start({ id, module }: PostedKernel, job: Job, copies: Copies | null): void {
    if (!this.isAlive) return;
    if (!this.#kernels.has(id)) this.#post({ kind: "kernel", kernel: id, module });
    this.#kernels.add(id);
    if (copies === null) {
      this.#desk.board!.offer(this.#index, job);
    } else {
      this.#isBusy = true;
      this.#post({ kind: "job", job, copies });
    }
  }

  #receive(report: WorkerReport): void {
    this.#isBusy = false;
    this.#report = report;
  }

  stop(): void {
    if (this.isBusy) this.#post({ kind: "stop" });
  }

  forget(kernel: number): void {
    if (this.#kernels.delete(kernel) && this.isAlive) this.#post({ kind: "forget", kernel });
  }

  /** `why`: what its job fails with; left out, the job has no report. */
  async end(why?: Error): Promise<void> {
    this.#isEnding = true;
    await this.#thread?.terminate();
    this.#leave(why);
  }

  #fail(error: Error): void {
    if (!this.#isEnding) this.#leave(error);
  }

  #leave(why?: Error): void {
    this.failure ??= why ?? null;
    this.#isGone = true;
    if (this.#place !== null) this.#desk.board!.leave(this.#place);
    this.#settleStart();
    this.#desk.bell.ring();
  }
}
