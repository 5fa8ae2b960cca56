/** The page's side of a worker: calls as promises. A call that takes too long is stopped by ending the worker. */
import { t } from "../texts/texts.ts";
import type { Calls, Method, Progress, ReplyMessage } from "./protocol.ts";

/** Why a call has no result: somebody stopped it. */
export class Stopped extends Error {
  constructor() {
    super("stopped");
    this.name = "Stopped";
  }
}

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((progress: Progress) => void) | null;
}

export class WorkerClient {
  #worker: Worker | null = null;
  #next = 1;
  readonly #waiting = new Map<number, Waiting>();

  call<M extends Method>(
    method: M,
    input: Calls[M][0],
    onProgress: ((progress: Progress) => void) | null = null,
  ): Promise<Calls[M][1]> {
    this.#worker ??= this.#start();
    const id = this.#next++;
    const result = new Promise<Calls[M][1]>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onProgress });
    });
    this.#worker.postMessage({ id, method, input });
    return result;
  }

  /** Ends the worker, whatever it does; the next call starts another. */
  stop(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#rejectAll(new Stopped());
  }

  #start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "halay studio" });
    worker.onmessage = ({ data }: MessageEvent<ReplyMessage>) => this.#receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#worker = null;
      worker.terminate();
      this.#rejectAll(new Error(event.message || t.value.work.partMissing));
    };
    return worker;
  }

  #receive(message: ReplyMessage): void {
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    if (message.kind === "progress") {
      waiting.onProgress?.(message.progress);
      return;
    }
    this.#waiting.delete(message.id);
    if (message.kind === "result") waiting.resolve(message.value as never);
    else waiting.reject(new Error(message.message));
  }

  #rejectAll(error: Error): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }
}

/** By a worker of its own, which may take its time: nobody waits behind it. */
export async function callOnce<M extends Method>(method: M, input: Calls[M][0]): Promise<Calls[M][1]> {
  const client = new WorkerClient();
  try {
    return await client.call(method, input);
  } finally {
    client.stop();
  }
}

/** Answers while typing; never runs a shader. */
export const language = new WorkerClient();
/** Runs shaders; may be stopped at any time. */
export const engine = new WorkerClient();
