import { describe, expect, test, vi } from "vitest";
import { handMadeKernel } from "../../../test/support/hand-made-kernel.ts";
import { PARAMETER } from "../wasm/parameter-block.ts";
import { CallingBoard } from "./calling-board.ts";
import { BOARD, PLACE, placeOf, STATE, WorkerBoard } from "./job-board.ts";
import type { FromWorker, Job, ToWorker, WorkerReport } from "./messages.ts";
import type { WasmMemory } from "./webassembly.ts";
import { createWorker } from "./worker.ts";
import { WorkerMemory } from "./worker-memory.ts";

const PARAMETERS = 64;
const BOARD_ADDRESS = 256;
const WORDS = 1024;

interface Setup {
  readonly memory: WasmMemory;
  readonly words: Uint32Array;
  readonly board: CallingBoard;
  readonly send: (message: ToWorker) => void;
  /** Lets it look at the board; what it reports then. */
  readonly run: (workgroups: number, more?: Partial<Job>) => WorkerReport;
  readonly posted: FromWorker["kind"][];
}

/** A worker that does not wait at the board, with the first place of two. */
async function sharedWorker(workgroups: number): Promise<Setup> {
  const memory = new WorkerMemory(true, 40);
  const board = new CallingBoard(memory, 2);
  const parameters = memory.allocate(PARAMETER.roots + 8);
  const region = memory.allocate(4 * workgroups);
  new DataView(memory.shared!.buffer).setUint32(parameters.address + PARAMETER.roots, region.address, true);
  const posted: FromWorker["kind"][] = [];
  const receive = createWorker({
    now: () => performance.now(),
    wait: () => false,
    pause: async () => {},
    post: ({ kind }) => posted.push(kind),
  });
  const send = (message: ToWorker): void => {
    board.notePosted(0);
    receive(message);
  };
  const place = { ...board.place(0), callBack: true };
  send({ kind: "memory", memory: memory.shared!, board: place });
  send({ kind: "kernel", kernel: 1, module: await handMadeKernel(true) });
  const job = { kernel: 1, parameters: parameters.address, board: board.address, workgroups, workers: 1 };
  const run = (count: number, more: Partial<Job> = {}) => {
    board.offer(0, { ...job, workgroups: count, ...more });
    send({ kind: "forget", kernel: 99 });
    expect(board.isBusy(0)).toBe(false);
    return board.report(0);
  };
  const words = new Uint32Array(memory.shared!.buffer, region.address, workgroups);
  return { memory: memory.shared!, words, board, send, run, posted };
}

const DONE = { stopped: null, error: null, back: [] };

describe("with shared memory", () => {
  test.each([1, 2, 7, 100_000])("each of %d workgroups runs once", async (workgroups) => {
    const { words, board, run, posted } = await sharedWorker(workgroups);
    expect(run(workgroups)).toEqual({ finished: workgroups, ...DONE });
    expect(words.every((word) => word === 1)).toBe(true);
    expect(board.next).toBe(workgroups);
    expect(posted).toEqual(["ready", "idle"]);
  });

  test("what others have taken is left to them", async () => {
    const { words, board, run } = await sharedWorker(100);
    board.begin(60);
    expect(run(100, { workers: 3 })).toEqual({ finished: 40, ...DONE });
    expect([...words.subarray(0, 60)]).toEqual(new Array(60).fill(0));
  });

  test("nothing is taken once the dispatch is given up", async () => {
    const { words, board, run } = await sharedWorker(10);
    board.abort();
    expect(run(10)).toEqual({ finished: 0, ...DONE });
    expect(words[0]).toBe(0);
    board.begin(0);
    expect(run(10)).toEqual({ finished: 10, ...DONE });
  });

  test("where a kernel was stopped", async () => {
    const { words, run } = await sharedWorker(100);
    words[41] = 1000;
    expect(run(100)).toEqual({ ...DONE, finished: 41, stopped: { workgroup: 41, loop: 5, invocation: 0 } });
  });

  test("a kernel that fails is told of, and the worker goes on", async () => {
    const { words, board, run } = await sharedWorker(100);
    words[3] = 2000;
    expect(run(100).error).toMatch(/^RuntimeError: unreachable/);
    words[3] = 0;
    board.begin(0);
    expect(run(100)).toEqual({ finished: 100, ...DONE });
  });

  test("a kernel that was forgotten is not known any more", async () => {
    const { send, run } = await sharedWorker(1);
    send({ kind: "forget", kernel: 1 });
    expect(run(1).error).not.toBeNull();
  });

  test("messages come first: they may bring the kernel", async () => {
    const { board, send } = await sharedWorker(1);
    board.notePosted(0);
    board.offer(0, { kernel: 1, parameters: 0, board: board.address, workgroups: 1, workers: 1 });
    send({ kind: "forget", kernel: 99 });
    expect(board.isBusy(0)).toBe(true);
    expect(board.next).toBe(0);
    board.release(0);
  });

  test("so they do when the offer comes while the worker looks at the board", async () => {
    const { board, send } = await sharedWorker(1);
    const { load } = Atomics;
    let looks = 0;
    let offerAt = 0;
    const look = (words: Int32Array, index: number): number => {
      const seen = load(words, index);
      if (++looks === offerAt) {
        board.notePosted(0);
        board.offer(0, { kernel: 2, parameters: 0, board: board.address, workgroups: 1, workers: 1 });
      }
      return seen;
    };
    const looked = vi.spyOn(Atomics, "load").mockImplementation(look as unknown as typeof load);
    send({ kind: "forget", kernel: 99 });
    const looksInAll = looks;
    expect(looksInAll).toBeGreaterThan(1);
    for (offerAt = 1; offerAt <= looksInAll; offerAt++) {
      looks = 0;
      send({ kind: "forget", kernel: 99 });
      expect(load(board.words, placeOf(0) + PLACE.state)).toBe(STATE.offered);
      // As if its message had been received.
      Atomics.sub(board.words, placeOf(0) + PLACE.posted, 1);
      board.release(0);
    }
    looked.mockRestore();
  });

  test("others that have not begun need not; those at work are waited for", async () => {
    const { memory, board, run, posted } = await sharedWorker(1);
    const theirs = { kernel: 1, parameters: 0, board: board.address, workgroups: 1, workers: 2 };
    board.offer(1, theirs);
    run(1);
    expect([board.isBusy(1), posted]).toEqual([false, ["ready", "idle"]]);
    board.offer(1, theirs);
    const other = new WorkerBoard(memory, board.address, 2, 1);
    expect(other.take(other.offer)).toMatchObject({ workgroups: 1, workers: 2 });
    run(1);
    expect([board.isBusy(1), posted]).toEqual([true, ["ready", "idle"]]);
  });

  test("an offer of a later job is not withdrawn", async () => {
    const { memory, board, run } = await sharedWorker(1);
    const worker = new WorkerBoard(memory, board.address, 2, 1);
    const theirs = { kernel: 1, parameters: 0, board: board.address, workgroups: 1, workers: 2 };
    board.offer(1, theirs);
    worker.take(worker.offer);
    board.release(1);
    board.begin(0);
    board.offer(0, theirs);
    worker.finish({ finished: 0, ...DONE }, 0);
    expect(board.isBusy(0)).toBe(true);
    board.release(0);
    expect(run(1)).toMatchObject({ finished: 1 });
  });
});

test("a worker looks out for another job after each, unless the last one was long in coming", () => {
  const memory = new WorkerMemory(true, 40);
  const calling = new CallingBoard(memory, 1);
  const board = new WorkerBoard(memory.shared!, calling.place(0).address, 1, 0);
  let time = 0;
  let questions = 0;
  let sleep = 0;
  const host = {
    now: () => {
      questions++;
      return (time += 0.01);
    },
    wait: () => {
      time += sleep;
      return true;
    },
  };
  const looks = (milliseconds: number): boolean => {
    board.finish({ finished: 0, ...DONE }, time);
    [questions, sleep] = [0, milliseconds];
    board.wait(board.news, host);
    return questions > 3;
  };
  expect([1, 1, 0.1, 0.1, 0.1, 1, 1].map(looks)).toEqual([true, false, false, true, true, true, false]);
});

test("one that was ended, but still waits at its place, takes nothing that its successor is offered", async () => {
  const memory = new WorkerMemory(true, 40);
  const board = new CallingBoard(memory, 1);
  const kernel: ToWorker = { kind: "kernel", kernel: 1, module: await handMadeKernel(true) };
  const host = { now: () => performance.now(), pause: async () => {}, post: () => {} };
  const first = board.place(0);
  let second = first;
  const inTurn = [
    () => false,
    () => {
      second = board.place(0);
      board.notePosted(0);
      board.notePosted(0);
      board.begin(0);
      board.offer(0, { kernel: 1, parameters: 64, board: board.address, workgroups: 0, workers: 1 });
      return true;
    },
  ];
  const old = createWorker({ ...host, wait: () => inTurn.shift()?.() ?? false });
  board.notePosted(0);
  old({ kind: "memory", memory: memory.shared!, board: first });
  board.notePosted(0);
  old(kernel);
  expect([inTurn.length, board.isBusy(0)]).toEqual([0, true]);
  const successor = createWorker({ ...host, wait: () => false });
  successor({ kind: "memory", memory: memory.shared!, board: second });
  expect(board.isBusy(0)).toBe(true);
  successor(kernel);
  expect(board.isBusy(0)).toBe(false);
});

describe("without shared memory", () => {
  test("what is needed is copied there and back; others get their turn meanwhile", async () => {
    let time = 0;
    let stopAt = Number.POSITIVE_INFINITY;
    let pauses = 0;
    let resolve: (report: WorkerReport) => void = () => {};
    const send = createWorker({
      // Each call of the kernel takes 3 ms: the chunks stay small.
      now: () => (time += 1.5),
      wait: () => false,
      pause: async () => {
        if (++pauses >= stopAt) send({ kind: "stop" });
      },
      post: (message) => message.kind === "done" && resolve(message.report),
    });
    send({ kind: "kernel", kernel: 1, module: await handMadeKernel(false) });
    const run = (workgroups: number) => {
      const block = new Uint8Array(PARAMETER.roots + 8);
      new DataView(block.buffer).setUint32(PARAMETER.roots, WORDS, true);
      const copies = {
        into: [
          { address: PARAMETERS, bytes: block },
          { address: BOARD_ADDRESS, bytes: new Uint8Array(4 * BOARD.words) },
          { address: WORDS, bytes: new Uint8Array(4 * workgroups).fill(1) },
        ],
        back: [{ address: WORDS, size: 4 * workgroups }],
        end: WORDS + 4 * workgroups,
      };
      const report = new Promise<WorkerReport>((done) => (resolve = done));
      const job = { kernel: 1, parameters: PARAMETERS, board: BOARD_ADDRESS, workgroups, workers: 1 };
      send({ kind: "job", job, copies });
      return report;
    };
    const { back, ...rest } = await run(100);
    expect(rest).toEqual({ finished: 100, stopped: null, error: null });
    expect(new Set(new Uint32Array(back[0].slice().buffer))).toEqual(new Set([0x01010102]));
    expect(pauses).toBeGreaterThan(3);
    // More than the memory held until now; and stopped on the way.
    pauses = 0;
    stopAt = 3;
    const stopped = await run(100_000);
    expect(stopped.finished).toBeGreaterThan(0);
    expect(stopped.finished).toBeLessThan(100_000);
    expect(stopped.back[0]).toHaveLength(400_000);
  });
});
