/** The board as the calling thread sees it. */
import { canWaitAsync, ringAt } from "./bell.ts";
import { BOARD, boardSize, boardWords, jobNumber, PLACE, placeOf, STATE } from "./job-board.ts";
import type { BoardPlace, Job, WorkerReport } from "./messages.ts";
import type { WorkerMemory } from "./worker-memory.ts";

export class CallingBoard {
  readonly words: Int32Array;
  readonly address: number;
  readonly #workers: number;
  /** Whose they are now. */
  readonly #places: BoardPlace[] = [];
  /** How many have begun. */
  #jobs = 0;

  /** Takes its part of a memory that is shared. */
  constructor(memory: WorkerMemory, workers: number) {
    this.#workers = workers;
    this.address = memory.allocate(boardSize(workers)).address;
    this.words = boardWords(memory.shared!, this.address, workers);
  }

  /**
   * For a new worker, that has been told nothing. Whoever had the place before may still wait there, until its thread has
   * ended: messages are counted on, so that it, which receives none of them, takes no offer any more.
   */
  place(index: number): BoardPlace {
    const posted = placeOf(index) + PLACE.posted;
    const before = Atomics.load(this.words, posted);
    this.words.fill(0, posted + 1, placeOf(index + 1));
    const place = { address: this.address, workers: this.#workers, index, before, callBack: !canWaitAsync() };
    this.#places[index] = place;
    return place;
  }

  notePosted(index: number): void {
    Atomics.add(this.words, placeOf(index) + PLACE.posted, 1);
  }

  /** A job, when nobody is at work. */
  begin(firstWorkgroup: number): void {
    this.#jobs++;
    Atomics.store(this.words, BOARD.abort, 0);
    Atomics.store(this.words, BOARD.next, firstWorkgroup | 0);
  }

  /** The first workgroup that nobody has taken. */
  get next(): number {
    return Atomics.load(this.words, BOARD.next) >>> 0;
  }

  abort(): void {
    Atomics.store(this.words, BOARD.abort, 1);
  }

  /** All jobs that are offered at the same time differ in their parameters only. */
  offer(index: number, { kernel, parameters, workgroups, workers }: Job): void {
    const { words } = this;
    const place = placeOf(index);
    words[BOARD.kernel] = kernel;
    words[BOARD.workgroups] = workgroups;
    words[BOARD.workers] = workers;
    words[place + PLACE.parameters] = parameters;
    words.fill(0, place + PLACE.finished, place + PLACE.error);
    Atomics.store(words, place + PLACE.state, jobNumber(this.#jobs) + STATE.offered);
    ringAt(words, place + PLACE.bell);
  }

  /** Whether it has been offered work and has not ended it. */
  isBusy(index: number): boolean {
    return Atomics.load(this.words, placeOf(index) + PLACE.state) !== STATE.idle;
  }

  /** For a worker that is no more. Another one may have its place by now. */
  leave(place: BoardPlace): void {
    if (this.#places[place.index] === place) this.release(place.index);
  }

  /** Nobody is at work at this place. */
  release(index: number): void {
    Atomics.store(this.words, placeOf(index) + PLACE.state, STATE.idle);
  }

  report(index: number): WorkerReport {
    const word = (offset: number): number => this.words[placeOf(index) + offset] >>> 0;
    const place = { workgroup: word(PLACE.workgroup), loop: word(PLACE.loop), invocation: word(PLACE.invocation) };
    const text = placeOf(index) + PLACE.error;
    const units = this.words.slice(text, text + word(PLACE.errorLength));
    return {
      finished: word(PLACE.finished),
      stopped: word(PLACE.isStopped) === 0 ? null : place,
      error: units.length === 0 ? null : String.fromCharCode(...units),
      back: [],
    };
  }
}
