/**
 * What a thread of the engine does: it takes workgroups, in ascending order and a few at a time, until none is left.
 * This file and what it imports is all that a worker loads: no front end, no compiler.
 */
import { PARAMETER } from "../wasm/parameter-block.ts";
import { CONTROL, type Copies, type FromWorker, type Job, type Stopped, type ToWorker } from "./messages.ts";
import { PAGE_SIZE, type WasmMemory, type WasmModule, wasm } from "./webassembly.ts";

export interface WorkerHost {
  /** Milliseconds from some fixed time on. */
  now(): number;
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
  #stopped = false;

  constructor(host: WorkerHost) {
    this.#host = host;
  }

  receive(message: ToWorker): void {
    switch (message.kind) {
      case "memory":
        this.#memory = message.memory;
        break;
      case "kernel":
        this.#modules.set(message.kernel, message.module);
        break;
      case "forget":
        this.#modules.delete(message.kernel);
        this.#kernels.delete(message.kernel);
        break;
      case "job":
        void this.#do(message.job);
        break;
      case "stop":
        this.#stopped = true;
        break;
      default:
        message satisfies never;
    }
  }

  async #do(job: Job): Promise<void> {
    this.#stopped = false;
    let finished = 0;
    let stopped: Stopped | null = null;
    let error: string | null = null;
    try {
      if (job.copies !== null) this.#copyIn(job.copies);
      const share = new Share(job, this.#memory!, this.#kernel(job.kernel), this.#host);
      let lastPause = this.#host.now();
      while (!this.#stopped && share.next()) {
        if (job.copies === null || this.#host.now() - lastPause < PAUSE_AFTER) continue;
        await this.#host.pause();
        lastPause = this.#host.now();
      }
      ({ finished, stopped } = share);
    } catch (thrown) {
      error = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
    }
    const back = job.copies === null ? [] : this.#copyBack(job.copies);
    const report = { finished, stopped, error, back };
    this.#host.post(
      { kind: "done", report },
      back.map(({ buffer }) => buffer as ArrayBuffer),
    );
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

/** The part of a job that this worker does. */
class Share {
  readonly #job: Job;
  readonly #kernel: Kernel;
  readonly #host: WorkerHost;
  readonly #control: Int32Array;
  readonly #parameters: DataView;
  finished = 0;
  stopped: Stopped | null = null;

  constructor(job: Job, memory: WasmMemory, kernel: Kernel, host: WorkerHost) {
    this.#job = job;
    this.#kernel = kernel;
    this.#host = host;
    this.#control = new Int32Array(memory.buffer, job.control, CONTROL.words);
    this.#parameters = new DataView(memory.buffer, job.parameters, PARAMETER.roots);
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
      this.stopped = this.#stoppedAt();
      if (this.stopped === null) throw error;
      this.finished += this.stopped.workgroup - first;
      return false;
    }
    this.finished += count;
    this.#adapt(count, this.#host.now() - start);
    return true;
  }

  #stoppedAt(): Stopped | null {
    const word = (offset: number) => this.#parameters.getUint32(offset, true);
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
      if (Atomics.load(this.#control, CONTROL.abort) !== 0) return [0, 0];
      const first = Atomics.load(this.#control, CONTROL.next) >>> 0;
      const left = workgroups - first;
      if (left <= 0) return [0, 0];
      // Towards the end the shares get smaller, so that nobody waits long for the last one.
      const fair = Math.ceil(left / (2 * workers));
      const count = Math.min(this.#kernel.chunk, fair);
      if (Atomics.compareExchange(this.#control, CONTROL.next, first | 0, (first + count) | 0) >>> 0 === first) {
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
