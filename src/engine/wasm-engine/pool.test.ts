import { afterEach, describe, expect, test } from "vitest";
import { handMadeKernel } from "../../../test/support/hand-made-kernel.ts";
import { nodeThreads } from "../../platform/node/threads.ts";
import { PARAMETER } from "../wasm/parameter-block.ts";
import { ringAt } from "./bell.ts";
import type { CallingBoard } from "./calling-board.ts";
import { BOARD } from "./job-board.ts";
import type { ToWorker } from "./messages.ts";
import { WorkerPool } from "./pool.ts";
import type { HostThreads, ThreadEvents } from "./threads.ts";
import { WorkerMemory } from "./worker-memory.ts";

const pools: WorkerPool[] = [];
afterEach(() => {
  for (const pool of pools.splice(0)) pool.close();
});

async function setUp(threads: HostThreads, workgroups: number) {
  const memory = new WorkerMemory(true, 40);
  const parameters = memory.allocate(PARAMETER.roots + 8).address;
  const region = memory.allocate(4 * workgroups);
  const pool = new WorkerPool(threads, 3, () => memory);
  pools.push(pool);
  const board = pool.board!;
  new DataView(memory.shared!.buffer).setUint32(parameters + PARAMETER.roots, region.address, true);
  const kernel = { id: 1, module: await handMadeKernel(true) };
  const run = async (workers: number, before: () => void = () => {}) => {
    board.begin(0);
    const job = { kernel: 1, parameters, board: board.address, workgroups, workers };
    for (let i = 0; i < workers; i++) pool.start(i, kernel, job, null);
    before();
    let failure: Error | null = null;
    const reports = await pool.reports((error) => {
      failure = error;
    });
    if (failure !== null) throw failure;
    return reports;
  };
  return { pool, board, words: new Uint32Array(memory.shared!.buffer, region.address, workgroups), run };
}

describe("on threads of Node", () => {
  test("workers share a job, again and again", async () => {
    const { words, run } = await setUp(nodeThreads, 200_000);
    for (let round = 1; round <= 50; round++) {
      const reports = await run(3);
      expect(reports.reduce((sum, report) => sum + report!.finished, 0)).toBe(words.length);
      expect(words.every((word) => word === round)).toBe(true);
    }
  });

  test("also those that have gone to sleep", async () => {
    const { words, run } = await setUp(nodeThreads, 1000);
    for (let round = 1; round <= 3; round++) {
      await run(3);
      expect(words.every((word) => word === round)).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });

  test("one that is ended says so; the next job gets a new one", async () => {
    const { pool, words, run } = await setUp(nodeThreads, 1000);
    expect(await run(1, () => pool.endBusy())).toEqual([null]);
    words.fill(0);
    expect(await run(1)).toMatchObject([{ finished: 1000 }]);
    expect(words.every((word) => word === 1)).toBe(true);
  });
});

describe("what is posted", () => {
  /** A host whose threads only note what they are told. */
  function noting() {
    const threads: { posted: ToWorker["kind"][]; alive: boolean[]; events: ThreadEvents }[] = [];
    const host: HostThreads = {
      ...nodeThreads,
      start: (events) => {
        const thread = { posted: [] as ToWorker["kind"][], alive: [] as boolean[], events };
        threads.push(thread);
        return {
          post: ({ kind }) => thread.posted.push(kind),
          keepAlive: (wanted) => thread.alive.push(wanted),
          terminate: async () => {},
        };
      },
    };
    return { host, threads };
  }
  /** Does what a worker that has nothing to do would. */
  const pass = (board: CallingBoard) => {
    board.release(0);
    ringAt(board.words, BOARD.bell);
  };

  test("a kernel once, until it is forgotten; only threads that start keep anything alive", async () => {
    const { host, threads } = noting();
    const { pool, board, run } = await setUp(host, 1);
    for (let i = 0; i < 3; i++) {
      await run(1, () => pass(board));
      threads[0].events.message({ kind: "ready" });
      if (i === 1) pool.forget(1);
    }
    expect(threads).toHaveLength(1);
    expect(threads[0].posted).toEqual(["memory", "kernel", "forget", "kernel"]);
    expect(threads[0].alive).toEqual([true, false]);
  });

  test("a thread that ends late takes nothing from the one that has its place by then", async () => {
    const { host, threads } = noting();
    let end: () => void = () => {};
    const slow: HostThreads = {
      ...host,
      start: (events) => ({ ...host.start(events), terminate: () => new Promise((resolve) => (end = resolve)) }),
    };
    const { pool, board, run } = await setUp(slow, 1);
    await run(1, () => pass(board));
    pool.close();
    let ended = false;
    const running = run(1, end).finally(() => {
      ended = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect([threads.length, ended, board.isBusy(0)]).toEqual([2, false, true]);
    pass(board);
    expect(await running).toMatchObject([{ finished: 0 }]);
  });

  test("a thread that fails fails its job and is replaced", async () => {
    const { host, threads } = noting();
    const { board, run } = await setUp(host, 1);
    await expect(run(1, () => threads[0].events.failed(new Error("no such script")))).rejects.toThrow("no such script");
    await run(1, () => pass(board));
    expect(threads).toHaveLength(2);
  });

  test("one of two that cannot be started at all: the other one is waited for", async () => {
    const { host, threads } = noting();
    const refusing: HostThreads = {
      ...host,
      start: (events) => {
        if (threads.length > 0) throw new Error("no more threads");
        return host.start(events);
      },
    };
    const { pool, board, run } = await setUp(refusing, 1);
    void pool.prepare(1);
    let ended = false;
    const running = run(2).finally(() => {
      ended = true;
    });
    running.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect([ended, board.isBusy(0)]).toEqual([false, true]);
    pass(board);
    await expect(running).rejects.toThrow("no more threads");
  });

  test("one of two that fails: the other one is waited for", async () => {
    const { host, threads } = noting();
    const { board, run } = await setUp(host, 1);
    let ended = false;
    const running = run(2, () => threads[1].events.failed(new Error("lost"))).finally(() => {
      ended = true;
    });
    running.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(ended).toBe(false);
    pass(board);
    await expect(running).rejects.toThrow("lost");
  });
});
