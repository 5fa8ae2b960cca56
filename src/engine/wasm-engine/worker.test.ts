import { describe, expect, test } from "vitest";
import { handMadeKernel } from "../../../test/support/hand-made-kernel.ts";
import { PARAMETER } from "../wasm/parameter-block.ts";
import { CONTROL, type Job, type ToWorker, type WorkerReport } from "./messages.ts";
import { type WasmMemory, wasm } from "./webassembly.ts";
import { createWorker } from "./worker.ts";

const PARAMETERS = 64;
const CONTROLS = 256;
const WORDS = 1024;

interface Setup {
  readonly memory: WasmMemory;
  readonly words: Uint32Array;
  readonly control: Int32Array;
  readonly send: (message: ToWorker) => void;
  readonly reports: WorkerReport[];
}

async function sharedWorker(workgroups: number): Promise<Setup> {
  const memory = new wasm.Memory({ initial: 20, maximum: 65536, shared: true });
  new DataView(memory.buffer).setUint32(PARAMETERS + PARAMETER.roots, WORDS, true);
  const reports: WorkerReport[] = [];
  const send = createWorker({
    now: () => performance.now(),
    pause: async () => {},
    post: (message) => message.kind === "done" && reports.push(message.report),
  });
  send({ kind: "memory", memory });
  send({ kind: "kernel", kernel: 1, module: await handMadeKernel(true) });
  const control = new Int32Array(memory.buffer, CONTROLS, CONTROL.words);
  return { memory, words: new Uint32Array(memory.buffer, WORDS, workgroups), control, send, reports };
}

function job(workgroups: number, more: Partial<Job> = {}): Job {
  return { kernel: 1, parameters: PARAMETERS, control: CONTROLS, workgroups, workers: 1, copies: null, ...more };
}

const DONE = { stopped: null, error: null, back: [] };

describe("with shared memory", () => {
  test.each([1, 2, 7, 100_000])("each of %d workgroups runs once", async (workgroups) => {
    const { words, send, reports, control } = await sharedWorker(workgroups);
    send({ kind: "job", job: job(workgroups) });
    expect(reports).toEqual([{ finished: workgroups, ...DONE }]);
    expect(words.every((word) => word === 1)).toBe(true);
    expect(control[CONTROL.next]).toBe(workgroups);
  });

  test("what others have taken is left to them", async () => {
    const { words, send, reports, control } = await sharedWorker(100);
    control[CONTROL.next] = 60;
    send({ kind: "job", job: job(100, { workers: 3 }) });
    expect(reports).toEqual([{ finished: 40, ...DONE }]);
    expect([...words.subarray(0, 60)]).toEqual(new Array(60).fill(0));
  });

  test("nothing is taken once the dispatch is given up", async () => {
    const { words, send, reports, control } = await sharedWorker(10);
    control[CONTROL.abort] = 1;
    send({ kind: "job", job: job(10) });
    expect(reports).toEqual([{ finished: 0, ...DONE }]);
    expect(words[0]).toBe(0);
  });

  test("where a kernel was stopped", async () => {
    const { words, send, reports } = await sharedWorker(100);
    words[41] = 1000;
    send({ kind: "job", job: job(100) });
    expect(reports).toEqual([{ ...DONE, finished: 41, stopped: { workgroup: 41, loop: 5, invocation: 0 } }]);
  });

  test("a kernel that fails is told of, and the worker goes on", async () => {
    const { words, send, reports, control } = await sharedWorker(100);
    words[3] = 2000;
    send({ kind: "job", job: job(100) });
    expect(reports[0].error).toMatch(/RuntimeError/);
    words[3] = 0;
    control.fill(0);
    send({ kind: "job", job: job(100) });
    expect(reports[1]).toEqual({ finished: 100, ...DONE });
  });

  test("a kernel that was forgotten is not known any more", async () => {
    const { send, reports } = await sharedWorker(1);
    send({ kind: "forget", kernel: 1 });
    send({ kind: "job", job: job(1) });
    expect(reports[0].error).not.toBeNull();
  });
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
          { address: CONTROLS, bytes: new Uint8Array(4 * CONTROL.words) },
          { address: WORDS, bytes: new Uint8Array(4 * workgroups).fill(1) },
        ],
        back: [{ address: WORDS, size: 4 * workgroups }],
        end: WORDS + 4 * workgroups,
      };
      const report = new Promise<WorkerReport>((done) => (resolve = done));
      send({ kind: "job", job: job(workgroups, { copies }) });
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
