import { afterEach, describe, expect, test } from "vitest";
import { handMadeKernel } from "../../../test/support/hand-made-kernel.ts";
import { nodeThreads } from "../../platform/node/threads.ts";
import { PARAMETER } from "../wasm/parameter-block.ts";
import { CONTROL, type Job, type ToWorker } from "./messages.ts";
import { WorkerPool } from "./pool.ts";
import type { HostThreads, ThreadEvents } from "./threads.ts";
import { wasm } from "./webassembly.ts";

const PARAMETERS = 64;
const CONTROLS = 256;
const WORDS = 1024;

function job(workgroups: number, workers: number): Job {
  return { kernel: 1, parameters: PARAMETERS, control: CONTROLS, workgroups, workers, copies: null };
}

const pools: WorkerPool[] = [];
afterEach(() => {
  for (const pool of pools.splice(0)) pool.close();
});

async function setUp(threads: HostThreads, workgroups: number) {
  const memory = new wasm.Memory({ initial: 20, maximum: 20, shared: true });
  new DataView(memory.buffer).setUint32(PARAMETERS + PARAMETER.roots, WORDS, true);
  const pool = new WorkerPool(threads, () => memory);
  pools.push(pool);
  const control = new Int32Array(memory.buffer, CONTROLS, CONTROL.words);
  const words = new Uint32Array(memory.buffer, WORDS, workgroups);
  return { pool, control, words, kernel: { id: 1, module: await handMadeKernel(true) } };
}

describe("on threads of Node", () => {
  test("workers share a job, again and again", async () => {
    const { pool, control, words, kernel } = await setUp(nodeThreads, 200_000);
    for (let round = 1; round <= 5; round++) {
      control.fill(0);
      const jobs = [0, 1, 2].map((index) => pool.run(index, kernel, job(words.length, 3)));
      const reports = await Promise.all(jobs);
      expect(reports.reduce((sum, report) => sum + report!.finished, 0)).toBe(words.length);
      expect(words.every((word) => word === round)).toBe(true);
    }
  });

  test("one that is ended says so; the next job gets a new one", async () => {
    const { pool, control, words, kernel } = await setUp(nodeThreads, 1000);
    const first = pool.run(0, kernel, job(words.length, 1));
    pool.endBusy();
    expect(await first).toBeNull();
    control.fill(0);
    words.fill(0);
    expect(await pool.run(0, kernel, job(words.length, 1))).toMatchObject({ finished: 1000 });
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
  const report = { finished: 1, stopped: null, error: null, back: [] };

  test("a kernel once, until it is forgotten; idle threads keep nothing alive", async () => {
    const { host, threads } = noting();
    const { pool, kernel } = await setUp(host, 1);
    for (let i = 0; i < 3; i++) {
      const done = pool.run(0, kernel, job(1, 1));
      threads[0].events.message({ kind: "done", report });
      expect(await done).toBe(report);
      if (i === 1) pool.forget(1);
    }
    expect(threads).toHaveLength(1);
    expect(threads[0].posted).toEqual(["memory", "kernel", "job", "job", "forget", "kernel", "job"]);
    expect(threads[0].alive).toEqual([true, true, false, true, false, true, false]);
  });

  test("a thread that fails fails its job and is replaced", async () => {
    const { host, threads } = noting();
    const { pool, kernel } = await setUp(host, 1);
    const failing = pool.run(0, kernel, job(1, 1));
    threads[0].events.failed(new Error("no such script"));
    await expect(failing).rejects.toThrow("no such script");
    const next = pool.run(0, kernel, job(1, 1));
    threads[1].events.message({ kind: "done", report });
    expect(await next).toBe(report);
  });
});
