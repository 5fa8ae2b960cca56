/**
 * What a thread of the engine does: it takes workgroups, in ascending order and a few at a time, until none is left.
 * This file and what it imports is all that a worker loads: no front end, no compiler.
 */
import { PARAMETER } from "../wasm/parameter-block.ts";
import { BOARD, type WaitingHost, WorkerBoard } from "./job-board.ts";
import type { BoardPlace, Copies, FromWorker, Job, Stopped, ToWorker, WorkerReport } from "./messages.ts";
import { PAGE_SIZE, type WasmMemory, type WasmModule, wasm } from "./webassembly.ts";

export interface WorkerHost extends WaitingHost {
  /** Lets messages arrive. */
  pause(): Promise<void>;
  post(message: FromWorker, transfer: readonly ArrayBuffer[]): void;
}

/**
 * How long one call of a kernel is to take, in milliseconds: long enough that taking work costs nothing beside it, short
 * enough that V8, which replaces no running function, gets to its optimised code soon, and that workers end together.
 */
const SHORTEST = 0.5;
const LONGEST = 2;
/** Milliseconds after which a worker without shared memory looks at its messages. */
const PAUSE_AFTER = 20;

type Run = (parameters: number, first: number, count: number) => unknown;

interface Kernel {
  readonly run: Run;
  /** How many workgroups a call covers, as it has turned out. */
  chunk: number;
}

/** Makes the function that messages are given to, and says that it is there. */
export function createWorker(host: WorkerHost): (message: ToWorker) => void {
  const worker = new KernelWorker(host);
  host.post({ kind: "ready" }, []);
  return (message) => worker.receive(message);
}

class KernelWorker {
  readonly #host: WorkerHost;
  readonly #modules = new Map<number, WasmModule>();
  readonly #kernels = new Map<number, Kernel>();
  /** Null until it is known whether it is shared: until it has been sent, or a job with copies needs one. */
  #memory: WasmMemory | null = null;
  /** Null where memory is not shared. */
  #board: WorkerBoard | null = null;
  #callBack = false;
  #received = 0;
  #stopped = false;

  constructor(host: WorkerHost) {
    this.#host = host;
  }

  receive(message: ToWorker): void {
    this.#received++;
    switch (message.kind) {
      case "memory":
        this.#share(message.memory, message.board);
        break;
      case "kernel":
        this.#modules.set(message.kernel, message.module);
        break;
      case "forget":
        this.#modules.delete(message.kernel);
        this.#kernels.delete(message.kernel);
        break;
      case "job":
        void this.#doAlone(message.job, message.copies);
        break;
      case "stop":
        this.#stopped = true;
        break;
      default:
        message satisfies never;
    }
    if (this.#board !== null) this.#serve(this.#board);
  }

  #share(memory: WasmMemory, { address, workers, index, before, callBack }: BoardPlace): void {
    this.#received += before;
    this.#memory = memory;
    this.#board = new WorkerBoard(memory, address, workers, index);
    this.#callBack = callBack;
  }

  /** Does what the board offers, and waits for more there until there are messages to be received. */
  #serve(board: WorkerBoard): void {
    for (;;) {
      const { news, offer } = board;
      if (board.posted !== this.#received) return;
      const job = board.take(offer);
      if (job === null) {
        if (!board.wait(news, this.#host)) return;
        continue;
      }
      const isLast = board.finish(this.#do(job), this.#host.now());
      if (isLast && this.#callBack) this.#host.post({ kind: "idle" }, []);
    }
  }

  #do(job: Job): WorkerReport {
    try {
      const share = this.#shareOf(job);
      while (share.next());
      return share.report;
    } catch (error) {
      return failed(error);
    }
  }

  #shareOf(job: Job): Share {
    return new Share(job, this.#memory!, this.#kernel(job.kernel), this.#host);
  }

  #kernel(id: number): Kernel {
    let kernel = this.#kernels.get(id);
    if (kernel === undefined) {
      const instance = new wasm.Instance(this.#modules.get(id)!, { env: { memory: this.#memory } });
      kernel = { run: instance.exports.run as Run, chunk: 1 };
      this.#kernels.set(id, kernel);
    }
    return kernel;
  }

  // ------------------------------------------------------------ where memory is not shared

  async #doAlone(job: Job, copies: Copies): Promise<void> {
    this.#stopped = false;
    let report: WorkerReport;
    try {
      this.#copyIn(copies);
      const share = this.#shareOf(job);
      let lastPause = this.#host.now();
      while (!this.#stopped && share.next()) {
        if (this.#host.now() - lastPause < PAUSE_AFTER) continue;
        await this.#host.pause();
        lastPause = this.#host.now();
      }
      report = share.report;
    } catch (error) {
      report = failed(error);
    }
    const back = this.#copyBack(copies);
    this.#host.post(
      { kind: "done", report: { ...report, back } },
      back.map(({ buffer }) => buffer as ArrayBuffer),
    );
  }

  #copyIn({ into, end }: Copies): void {
    this.#memory ??= new wasm.Memory({ initial: 1, maximum: 65536 });
    const missing = end - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE_SIZE));
    const all = new Uint8Array(this.#memory.buffer);
    for (const { address, bytes } of into) all.set(bytes, address);
  }

  #copyBack({ back }: Copies): readonly Uint8Array[] {
    if (this.#memory === null) return [];
    const all = new Uint8Array(this.#memory.buffer);
    return back.map(({ address, size }) => all.slice(address, address + size));
  }
}

function failed(error: unknown): WorkerReport {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { finished: 0, stopped: null, error: text, back: [] };
}

/** The part of a job that this worker does. */
class Share {
  readonly #job: Job;
  readonly #memory: WasmMemory;
  readonly #kernel: Kernel;
  readonly #host: WorkerHost;
  readonly #board: Int32Array;
  #finished = 0;
  #stopped: Stopped | null = null;

  constructor(job: Job, memory: WasmMemory, kernel: Kernel, host: WorkerHost) {
    this.#job = job;
    this.#memory = memory;
    this.#kernel = kernel;
    this.#host = host;
    this.#board = new Int32Array(memory.buffer, job.board, BOARD.words);
  }

  get report(): WorkerReport {
    return { finished: this.#finished, stopped: this.#stopped, error: null, back: [] };
  }

  /** Takes some workgroups and runs them; false when there is nothing more to do. */
  next(): boolean {
    const [first, count] = this.#take();
    if (count === 0) return false;
    const start = this.#host.now();
    try {
      this.#kernel.run(this.#job.parameters, first, count);
    } catch (error) {
      // A kernel that sees the abort flag says where it is and traps; any other trap is a fault.
      this.#stopped = this.#stoppedAt();
      if (this.#stopped === null) throw error;
      this.#finished += this.#stopped.workgroup - first;
      return false;
    }
    this.#finished += count;
    this.#adapt(count, this.#host.now() - start);
    return true;
  }

  #stoppedAt(): Stopped | null {
    const parameters = new DataView(this.#memory.buffer, this.#job.parameters, PARAMETER.roots);
    const word = (offset: number) => parameters.getUint32(offset, true);
    if (word(PARAMETER.status) === 0) return null;
    return {
      workgroup: word(PARAMETER.workgroup),
      loop: word(PARAMETER.loop),
      invocation: word(PARAMETER.invocation),
    };
  }

  #take(): readonly [first: number, count: number] {
    const { workgroups, workers } = this.#job;
    for (;;) {
      if (Atomics.load(this.#board, BOARD.abort) !== 0) return [0, 0];
      const first = Atomics.load(this.#board, BOARD.next) >>> 0;
      const left = workgroups - first;
      if (left <= 0) return [0, 0];
      // Towards the end the shares get smaller, so that nobody waits long for the last one.
      const fair = workers === 1 ? left : Math.ceil(left / (2 * workers));
      const count = Math.min(this.#kernel.chunk, fair);
      if (Atomics.compareExchange(this.#board, BOARD.next, first | 0, (first + count) | 0) >>> 0 === first) {
        return [first, count];
      }
    }
  }

  #adapt(count: number, milliseconds: number): void {
    const { chunk } = this.#kernel;
    if (milliseconds > LONGEST) this.#kernel.chunk = Math.max(1, Math.floor((count * LONGEST) / milliseconds / 2));
    else if (milliseconds < SHORTEST && count === chunk) this.#kernel.chunk = chunk * 2;
  }
}
