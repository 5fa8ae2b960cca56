/**
 * The queue timeline of a device: operations one after the other, none before the call that enqueued it has returned.
 * webgpu: #programming-model-timelines
 */
import type { Host } from "../engine/dispatch.ts";

interface Operation {
  readonly run: () => void | Promise<void>;
  /** In place of `run` where the device is lost before. */
  readonly lost: () => void;
}

/** How long operations run before the host may do other things. */
const PAUSE_AFTER = 20;

export class QueueTimeline {
  readonly #host: Host;
  readonly #failed: (error: unknown) => void;
  readonly #controller = new AbortController();
  #operations: Operation[] = [];
  #next = 0;
  #isRunning = false;

  /** `failed` is told of what an operation throws. */
  constructor(host: Host, failed: (error: unknown) => void) {
    this.#host = host;
    this.#failed = failed;
  }

  /** Aborted when the device is lost. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  enqueue(run: Operation["run"], lost: Operation["lost"] = () => {}): void {
    if (this.signal.aborted) {
      lost();
      return;
    }
    this.#operations.push({ run, lost });
    if (this.#isRunning) return;
    this.#isRunning = true;
    queueMicrotask(() => void this.#runAll());
  }

  async #runAll(): Promise<void> {
    let since = this.#host.now();
    while (this.#next < this.#operations.length) {
      const { run } = this.#operations[this.#next++];
      try {
        const running = run();
        if (running !== undefined) await running;
      } catch (error) {
        if (!this.signal.aborted) this.#failed(error);
      }
      if (this.#host.now() - since < PAUSE_AFTER) continue;
      await this.#host.pause();
      since = this.#host.now();
    }
    this.#operations = [];
    this.#next = 0;
    this.#isRunning = false;
  }

  /** Ends it: nothing more is run, but what waits for the loss. */
  stop(): void {
    if (this.signal.aborted) return;
    this.#controller.abort();
    const waiting = this.#operations.splice(this.#next);
    for (const { lost } of waiting) lost();
  }
}
