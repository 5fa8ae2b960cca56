/**
 * Some words of the memory that the calling thread and its workers share, through which they tell each other what is to
 * be done and what was: a thread that waits at a word starts several times sooner than one that waits for a message, and
 * nothing is allocated. Here are its layout and the workers' side of it.
 */
import { ringAt } from "./bell.ts";
import type { Job, WorkerReport } from "./messages.ts";
import type { WasmMemory } from "./webassembly.ts";

/** Indices of the words for all. What different threads write at the same time lies on cache lines of its own. */
export const BOARD = {
  /** The first workgroup that nobody has taken. */
  next: 0,
  /** Not zero: kernels are to return at their next look at it. */
  abort: 16,
  /** Changes when the last worker has ended its share: the calling thread waits at it. */
  bell: 32,
  kernel: 48,
  workgroups: 49,
  workers: 50,
  words: 64,
} as const;

/** The words of each worker, behind those for all. */
export const PLACE = {
  /** Changes when there is something new for the worker, which waits at it. */
  bell: 0,
  /** How many messages it has been sent, and those who had its place before. */
  posted: 1,
  state: 2,
  parameters: 3,
  /** What it reports: workgroups that ended; where it was stopped, if it was; what was thrown, as UTF-16 code units. */
  finished: 16,
  isStopped: 17,
  workgroup: 18,
  loop: 19,
  invocation: 20,
  errorLength: 21,
  error: 22,
  words: 256,
} as const;

/**
 * What the state of a worker is: idle, or one of the others added to a job's number (`jobNumber`). `offered`: it may take
 * part; whoever ends before it has begun withdraws that.
 */
export const STATE = { idle: 0, offered: 1, working: 2 } as const;
const STATE_BITS = 2;

/** Jobs that follow one another differ in it. */
export const jobNumber = (count: number): number => count << STATE_BITS;

const isOffer = (state: number): boolean => (state & ((1 << STATE_BITS) - 1)) === STATE.offered;

/** Of a worker. */
export const placeOf = (index: number): number => BOARD.words + index * PLACE.words;

/** In bytes. */
export const boardSize = (workers: number): number => 4 * placeOf(workers);

export function boardWords(memory: WasmMemory, address: number, workers: number): Int32Array {
  return new Int32Array(memory.buffer, address, placeOf(workers));
}

/** Milliseconds that a worker, after its share of a job, looks out for the next one before it goes to sleep. */
const LOOKOUT = 0.05;
/** Not if it slept for longer than so many milliseconds the last time: then jobs come too seldom for that. */
const SOON = 0.2;
/** How often it looks before it asks for the time. */
const LOOKS = 50;

export interface WaitingHost {
  readonly now: () => number;
  /** Blocks until the word may have another value; false: that cannot be done, messages will come. */
  readonly wait: (words: Int32Array, index: number, value: number) => boolean;
}

/** The board as one worker sees it. */
export class WorkerBoard {
  readonly #words: Int32Array;
  readonly #address: number;
  readonly #workers: number;
  readonly #place: number;
  /** The number of the one that it has taken. */
  #job = 0;
  #busyUntil = Number.NEGATIVE_INFINITY;
  #looksOut = true;

  constructor(memory: WasmMemory, address: number, workers: number, index: number) {
    this.#words = boardWords(memory, address, workers);
    this.#address = address;
    this.#workers = workers;
    this.#place = placeOf(index);
  }

  /** How often there was something new. */
  get news(): number {
    return Atomics.load(this.#words, this.#place + PLACE.bell);
  }

  get posted(): number {
    return Atomics.load(this.#words, this.#place + PLACE.posted);
  }

  /** Waits until there are more news; false if the worker is to go back to its messages. */
  wait(news: number, host: WaitingHost): boolean {
    const end = this.#busyUntil + (this.#looksOut ? LOOKOUT : 0);
    while (host.now() < end) {
      for (let i = 0; i < LOOKS; i++) if (this.news !== news) return true;
    }
    const start = host.now();
    const isTold = host.wait(this.#words, this.#place + PLACE.bell, news);
    this.#looksOut = host.now() - start < SOON;
    return isTold;
  }

  /** Whether it is offered a job, and which one. To be asked before `posted`: whoever offers has sent all it takes before. */
  get offer(): number {
    return Atomics.load(this.#words, this.#place + PLACE.state);
  }

  /** null: `offer` is none, or stands no more. */
  take(offer: number): Job | null {
    const words = this.#words;
    const at = this.#place + PLACE.state;
    if (!isOffer(offer)) return null;
    this.#job = offer - STATE.offered;
    if (Atomics.compareExchange(words, at, offer, this.#job + STATE.working) !== offer) return null;
    return {
      kernel: words[BOARD.kernel],
      parameters: words[this.#place + PLACE.parameters] >>> 0,
      board: this.#address,
      workgroups: words[BOARD.workgroups] >>> 0,
      workers: words[BOARD.workers],
    };
  }

  /** @returns whether the calling thread is to be told: nobody is at work any more */
  finish({ finished, stopped, error }: WorkerReport, time: number): boolean {
    const words = this.#words;
    const at = this.#place;
    words[at + PLACE.finished] = finished;
    words[at + PLACE.isStopped] = Number(stopped !== null);
    words[at + PLACE.workgroup] = stopped?.workgroup ?? 0;
    words[at + PLACE.loop] = stopped?.loop ?? 0;
    words[at + PLACE.invocation] = stopped?.invocation ?? 0;
    const length = Math.min(error?.length ?? 0, PLACE.words - PLACE.error);
    words[at + PLACE.errorLength] = length;
    for (let i = 0; i < length; i++) words[at + PLACE.error + i] = error!.charCodeAt(i);
    this.#busyUntil = time;
    Atomics.store(words, at + PLACE.state, STATE.idle);
    if (!this.#allIdle()) return false;
    ringAt(words, BOARD.bell);
    return true;
  }

  /** Who has not begun need not: nothing is left to do. */
  #allIdle(): boolean {
    const offered = this.#job + STATE.offered;
    let all = true;
    for (let i = 0; i < this.#workers; i++) {
      const state = Atomics.compareExchange(this.#words, placeOf(i) + PLACE.state, offered, STATE.idle);
      all &&= state !== this.#job + STATE.working;
    }
    return all;
  }
}
