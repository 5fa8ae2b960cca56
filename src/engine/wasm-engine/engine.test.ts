import { afterEach, describe, expect, test } from "vitest";
import { lowerText } from "../../../test/support/ir.ts";
import { nodeThreads } from "../../platform/node/threads.ts";
import type { DispatchRequest, DispatchResult, Engine } from "../dispatch.ts";
import { type BufferBinding, Memory } from "../memory.ts";
import { createWasmEngine, type WasmEngineOptions } from "./engine.ts";
import type { HostThreads } from "./threads.ts";

const engines: Engine[] = [];
afterEach(() => {
  for (const engine of engines.splice(0)) engine.close();
});

function engineWith(options: WasmEngineOptions = {}, host: HostThreads = nodeThreads): Engine {
  const engine = createWasmEngine(host, options);
  engines.push(engine);
  return engine;
}
/** As in a page that is not cross-origin isolated. */
const separate: HostThreads = { ...nodeThreads, sharesMemory: false };

/** By variable name; a plain memory takes the whole binding. */
type Bound = Readonly<Record<string, Memory | BufferBinding>>;

function request(source: string, bound: Bound, more: Partial<DispatchRequest> = {}): DispatchRequest {
  const module = lowerText(source);
  const bindings = new Map<number, BufferBinding>();
  for (const { id, name } of module.roots) {
    const found = bound[name];
    if (found !== undefined)
      bindings.set(id, found instanceof Memory ? { memory: found, offset: 0, size: found.size } : found);
  }
  return { module, workgroups: [1, 1, 1], bindings, ...more };
}

const u32 = ({ bytes }: Memory): number[] => [...new Uint32Array(bytes.slice().buffer)];
const wordsOf = (...words: number[]) => new Uint8Array(new Uint32Array(words).buffer);

const DOUBLE = `
@group(0) @binding(0) var<storage> source: array<u32>;
@group(0) @binding(1) var<storage, read_write> doubled: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&doubled)) { doubled[id.x] = 2u * source[id.x]; }
}`;
const COUNT = `
@group(0) @binding(0) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> last: atomic<u32>;
@compute @workgroup_size(32) fn main(@builtin(global_invocation_id) id: vec3u) {
  atomicAdd(&counts[id.x % arrayLength(&counts)], 1u);
  atomicMax(&last, id.x);
}`;
const SPIN = `
@group(0) @binding(0) var<storage, read_write> flag: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> before: u32;
@compute @workgroup_size(4) fn main() {
  before = 7u;
  while (atomicLoad(&flag) == 0u) {}
}`;

test("what the calling thread does meanwhile is done when the threads are at work, and not where none are", async () => {
  const source = new Memory(wordsOf(...Array.from({ length: 64 }, (_, i) => i)));
  const called = async (engine: Engine, more: Partial<DispatchRequest>) => {
    let count = 0;
    const doubled = new Memory(256);
    await engine.dispatch(request(DOUBLE, { source, doubled }, { ...more, meanwhile: () => count++ }));
    expect(u32(doubled)[63]).toBe(126);
    return count;
  };
  expect(await called(engineWith({ workers: 2 }), {})).toBe(1);
  expect(await called(engineWith({}, separate), {})).toBe(1);
  // On the interpreter.
  expect(await called(engineWith(), { schedule: { kind: "interleave" } })).toBe(0);
});

describe.each([
  ["own memory", (engine: Engine, contents: number | Uint8Array) => engine.allocate(contents)],
  ["memory from elsewhere", (_: Engine, contents: number | Uint8Array) => new Memory(contents)],
] as const)("%s", (_, allocate) => {
  test.each([
    [nodeThreads, 1],
    [nodeThreads, 2],
    [nodeThreads, 5],
    [separate, 2],
  ])("is read and written, %#", async (host, workers) => {
    const engine = engineWith({ workers }, host);
    const values = Array.from({ length: 100_000 }, (_, i) => i * 7);
    const [source, doubled] = [allocate(engine, wordsOf(...values)), allocate(engine, 4 * values.length)];
    const result = await engine.dispatch(request(DOUBLE, { source, doubled }, { workgroups: [1600, 1, 1] }));
    expect(result).toMatchObject({ status: "ok", engine: "wasm", statistics: { invocations: 64 * 1600 } });
    expect(result.notes).toEqual(host.sharesMemory ? [] : ["no-shared-memory"]);
    expect(u32(doubled)).toEqual(values.map((value) => 2 * value));
    expect(u32(source)).toEqual(values);
  });

  test.each([nodeThreads, separate])("bound twice is one memory, %#", async (host) => {
    const engine = engineWith({ workers: 2 }, host);
    const memory = allocate(engine, wordsOf(1, 2, 3, 4));
    await engine.dispatch(request(DOUBLE, { source: memory, doubled: memory }));
    expect(u32(memory)).toEqual([2, 4, 6, 8]);
  });

  test.each([nodeThreads, separate])("parts of it are bound, %#", async (host) => {
    const engine = engineWith({ workers: 2 }, host);
    const memory = allocate(engine, wordsOf(1, 2, 3, 4, 5, 6, 7, 8));
    const part = (offset: number, size: number) => ({ memory, offset, size });
    await engine.dispatch(request(DOUBLE, { source: part(4, 8), doubled: part(20, 12) }));
    // The third element of the source is out of bounds.
    expect(u32(memory)).toEqual([1, 2, 3, 4, 5, 4, 6, 0]);
  });
});

test("atomics of all workers count", async () => {
  const engine = engineWith({ workers: 4 });
  const [counts, last] = [engine.allocate(16), engine.allocate(4)];
  for (let i = 0; i < 5; i++) await engine.dispatch(request(COUNT, { counts, last }, { workgroups: [100, 50, 2] }));
  // The second and third dimension count the same indices again.
  expect(u32(counts)).toEqual(new Array(4).fill((5 * 100 * 50 * 2 * 32) / 4));
  expect(u32(last)).toEqual([3199]);
});

test("a thousand dispatches, asked for at once, run in their order", async () => {
  const engine = engineWith({ workers: 2 });
  const values = engine.allocate(wordsOf(...new Array(64).fill(1)));
  const step = request(
    `@group(0) @binding(0) var<storage, read_write> v: array<u32>;
     @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) { v[i] = v[i] * 3u + i; }`,
    { v: values },
  );
  const results = await Promise.all(Array.from({ length: 1000 }, () => engine.dispatch(step)));
  expect(results.every(({ status }) => status === "ok")).toBe(true);
  const expected = Array.from({ length: 64 }, (_, i) => {
    let value = 1;
    for (let n = 0; n < 1000; n++) value = (Math.imul(value, 3) + i) >>> 0;
    return value;
  });
  expect(u32(values)).toEqual(expected);
});

test("where the calling thread cannot wait at shared words, messages tell it", async () => {
  const { waitAsync } = Atomics as { waitAsync?: unknown };
  Object.assign(Atomics, { waitAsync: undefined });
  try {
    const engine = engineWith({ workers: 2 });
    const doubled = engine.allocate(4 * 64 * 300);
    for (let i = 0; i < 3; i++) {
      const source = engine.allocate(new Uint8Array(4 * 64 * 300).fill(1 + i));
      await engine.dispatch(request(DOUBLE, { source, doubled }, { workgroups: [300, 1, 1] }));
      expect(new Set(u32(doubled))).toEqual(new Set([0x02020202 * (1 + i)]));
    }
    const flag = engine.allocate(4);
    const before = engine.allocate(4);
    const stuck = await engine.dispatch(request(SPIN, { flag, before }, { timeout: 50 }));
    expect(stuck.status).toBe("timeout");
  } finally {
    Object.assign(Atomics, { waitAsync });
  }
});

test("nothing to run", async () => {
  const engine = engineWith();
  const doubled = engine.allocate(4);
  const result = await engine.dispatch(request(DOUBLE, { source: doubled, doubled }, { workgroups: [5, 0, 1] }));
  expect(result).toMatchObject({ status: "ok", statistics: { invocations: 0 } });
});

describe("memory", () => {
  test("more than there can be is refused, and the engine goes on", async () => {
    const engine = engineWith({ mostPages: 4 });
    expect(() => engine.allocate(2 ** 20)).toThrow(/1048576 bytes do not fit/);
    const [source, doubled] = [engine.allocate(wordsOf(4)), new Memory(4)];
    const large = new Memory(2 ** 19);
    await expect(engine.dispatch(request(DOUBLE, { source: large, doubled }))).rejects.toThrow(RangeError);
    await engine.dispatch(request(DOUBLE, { source, doubled }));
    expect(u32(doubled)).toEqual([8]);
  });

  test("above 4 GiB there is none", () => {
    expect(() => engineWith().allocate(2 ** 32)).toThrow(/4294967296 bytes do not fit: .*4 GiB/);
  });

  test("it grows while kernels are in use; earlier buffers stay what they are", async () => {
    const engine = engineWith({ workers: 2 });
    const small = engine.allocate(wordsOf(5));
    const first = engine.allocate(4);
    await engine.dispatch(request(DOUBLE, { source: small, doubled: first }));
    const large = engine.allocate(50 * 2 ** 20);
    await engine.dispatch(request(DOUBLE, { source: first, doubled: large }));
    expect(u32(first)).toEqual([10]);
    expect(u32(large)[0]).toBe(20);
    small.bytes[0] = 50;
    await engine.dispatch(request(DOUBLE, { source: small, doubled: first }));
    expect(u32(first)).toEqual([100]);
  });

  test("what is released is used again, zeroed", async () => {
    const engine = engineWith({ mostPages: 40 });
    for (let i = 0; i < 20; i++) {
      const memory = engine.allocate(2 ** 20);
      expect(memory.bytes.every((byte) => byte === 0)).toBe(true);
      memory.bytes.fill(255);
      engine.release(memory);
      engine.release(memory);
      // After the dispatches that were asked for before.
      await Promise.resolve();
    }
  });
});

describe("what is wrong with a request", () => {
  test("is thrown", async () => {
    const engine = engineWith();
    const memory = engine.allocate(16);
    await expect(engine.dispatch(request(DOUBLE, { source: memory }))).rejects.toThrow(/‘doubled’/);
    const tooLong = { memory, offset: 8, size: 12 };
    await expect(engine.dispatch(request(DOUBLE, { source: memory, doubled: tooLong }))).rejects.toThrow(RangeError);
    expect(() => engineWith({ workers: 0 })).toThrow(RangeError);
    expect(await engine.dispatch(request(DOUBLE, { source: memory, doubled: memory }))).toMatchObject({ status: "ok" });
  });
});

describe("the watchdog", () => {
  /** With its threads started, which takes time of the first dispatch. */
  async function warmEngine(options: WasmEngineOptions, host: HostThreads = nodeThreads): Promise<Engine> {
    const engine = engineWith(options, host);
    const memory = engine.allocate(4);
    await engine.dispatch(request(DOUBLE, { source: memory, doubled: memory }, { workgroups: [1000, 1, 1] }));
    return engine;
  }

  /** After the first time in which so many workers have begun: where the machine is busy, a short one may not do. */
  async function timedOut(engine: Engine, endless: DispatchRequest, workers: number): Promise<DispatchResult> {
    for (let timeout = 50; ; timeout *= 2) {
      const result = await engine.dispatch({ ...endless, timeout });
      expect(result.timeout?.budget).toBe(timeout);
      if (result.timeout?.places.length === workers || timeout > 5000) return result;
    }
  }

  test.each([
    [nodeThreads, 1],
    [nodeThreads, 2],
  ])("ends what takes too long, says where it was, and the engine goes on, %#", async (host, workers) => {
    const engine = await warmEngine({ workers }, host);
    const [flag, before] = [engine.allocate(4), engine.allocate(4)];
    const spin = request(SPIN, { flag, before }, { workgroups: [3, 1, 1] });
    const { status, milliseconds, timeout } = await timedOut(engine, spin, workers);
    expect(status).toBe("timeout");
    const { reason, budget, places, count, waits } = timeout!;
    expect(milliseconds).toBeGreaterThanOrEqual(budget - 1);
    expect(places).toHaveLength(workers);
    expect({ reason, count }).toEqual({ reason: "milliseconds", count: 4 * workers });
    expect(places[0]).toMatchObject({ workgroup: [0, 0, 0], localIndex: 0, globalId: [0, 0, 0], status: "ready" });
    const { span } = places[0].calls[0];
    expect(SPIN.slice(span.start, span.start + 5)).toBe("while");
    expect(waits.map(({ roots }) => roots)).toContainEqual([0]);
    expect(u32(before)).toEqual([7]);
    const after = await engine.dispatch(request(SPIN, { flag: engine.allocate(wordsOf(1)), before }));
    expect(after.status).toBe("ok");
  });

  test("a loop of the whole workgroup", async () => {
    const engine = await warmEngine({ workers: 1 });
    const source = `var<workgroup> w: u32;
      @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) {
        loop {
          if (i == 0u) { w += 2u; }
          if (workgroupUniformLoad(&w) == 1u) { break; }
        }
      }`;
    const { timeout } = await timedOut(engine, request(source, {}), 1);
    expect(timeout).toMatchObject({ count: 8, waits: [] });
    const { span } = timeout!.places[0].calls[0];
    expect(source.slice(span.start, span.start + 4)).toBe("loop");
  });

  test("a worker that does not stop is ended, and replaced", async () => {
    // What it is told to stop by does not reach it: where memory is not shared, in the midst of a workgroup.
    const engine = await warmEngine({}, separate);
    const [flag, before] = [engine.allocate(4), engine.allocate(4)];
    const result = await engine.dispatch(request(SPIN, { flag, before }, { timeout: 50 }));
    expect(result).toMatchObject({ status: "timeout", timeout: { places: [], count: 4 } });
    expect(u32(before)).toEqual([0]);
    const after = await engine.dispatch(request(SPIN, { flag: engine.allocate(wordsOf(1)), before }));
    expect(after.status).toBe("ok");
    expect(u32(before)).toEqual([7]);
  });

  test("many short workgroups end in time too", async () => {
    for (const host of [nodeThreads, separate]) {
      const engine = await warmEngine({ workers: 1 }, host);
      const v = engine.allocate(4);
      const source = `@group(0) @binding(0) var<storage, read_write> v: atomic<u32>;
        @compute @workgroup_size(64) fn main() { atomicAdd(&v, 1u); }`;
      const result = await engine.dispatch(request(source, { v }, { workgroups: [65535, 65535, 1], timeout: 100 }));
      expect(result.status).toBe("timeout");
      const { invocations } = result.statistics;
      expect(u32(v)).toEqual([invocations % 2 ** 32]);
      expect(invocations).toBeLessThan(65535 * 65535 * 64);
      expect(result.timeout).toMatchObject({ places: [], count: 0 });
    }
  });

  test("a signal ends it with its reason", async () => {
    const engine = await warmEngine({ workers: 2 });
    const [flag, before] = [engine.allocate(4), engine.allocate(4)];
    const controller = new AbortController();
    const running = engine.dispatch(request(SPIN, { flag, before }, { signal: controller.signal }));
    const waiting = engine.dispatch(request(SPIN, { flag, before }, { signal: controller.signal }));
    while (u32(before)[0] === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
    await expect(waiting).rejects.toThrow("enough");
  });

  test("the calling thread goes on meanwhile", async () => {
    const engine = await warmEngine({ workers: 2 });
    const [flag, before] = [engine.allocate(4), engine.allocate(4)];
    const running = engine.dispatch(request(SPIN, { flag, before }, { timeout: 20_000 }));
    while (u32(before)[0] === 0) await new Promise((resolve) => setImmediate(resolve));
    for (let ticks = 0; ticks < 5; ticks++) await new Promise((resolve) => setTimeout(resolve, 5));
    // It can even let the kernel go: the memory is one.
    Atomics.store(new Int32Array(flag.bytes.buffer, flag.bytes.byteOffset, 1), 0, 1);
    expect((await running).status).toBe("ok");
  });
});

describe("what is left to the interpreter, and why", () => {
  const words = (engine: Engine) => ({ source: engine.allocate(16), doubled: engine.allocate(16) });

  test.each([
    ["observed", { observer: {} }],
    ["scheduled", { schedule: { kind: "random", seed: 1 } }],
    ["scheduled", { schedule: { kind: "in-order" } }],
    ["scheduled", { record: true }],
    ["scheduled", { maxInstructions: 10_000 }],
    ["out-of-bounds", { outOfBounds: "clamp" }],
  ] as const)("%s: %j", async (note, more) => {
    const engine = engineWith();
    const result = await engine.dispatch(request(DOUBLE, words(engine), more));
    expect(result).toMatchObject({ status: "ok", engine: "interpreter", notes: [note] });
  });

  test("invocations that wait for others of their workgroup", async () => {
    const engine = engineWith();
    const shader = `
      @group(0) @binding(0) var<storage, read_write> seen: array<u32, 4>;
      var<workgroup> turn: atomic<u32>;
      @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
        while (atomicLoad(&turn) != 3u - i) {}
        seen[i] = atomicAdd(&turn, 1u);
      }`;
    const seen = engine.allocate(16);
    expect(await engine.dispatch(request(shader, { seen }))).toMatchObject({
      status: "ok",
      engine: "interpreter",
      notes: ["polls-workgroup"],
    });
    expect(u32(seen)).toEqual([3, 2, 1, 0]);
  });

  test("atomics that are not aligned", async () => {
    const engine = engineWith();
    const memory = engine.allocate(16);
    const part = { memory, offset: 2, size: 8 };
    const result = await engine.dispatch(request(DOUBLE, { source: memory, doubled: part }));
    expect(result).toMatchObject({ engine: "interpreter", notes: ["misaligned-binding"] });
  });

  test("subgroups", async () => {
    const engine = engineWith();
    const sums = engine.allocate(16);
    const source = `enable subgroups;
      @group(0) @binding(0) var<storage, read_write> sums: array<u32>;
      @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) { sums[i] = subgroupAdd(i); }`;
    const result = await engine.dispatch(request(source, { sums }, { subgroupSize: 4 }));
    expect(result).toMatchObject({ status: "ok", engine: "interpreter", notes: ["unsupported"] });
    expect(u32(sums)).toEqual([6, 6, 6, 6]);
  });

  test("spurious failures, where there are exchanges that can fail", async () => {
    const engine = engineWith();
    const v = engine.allocate(4);
    const exchange = `@group(0) @binding(0) var<storage, read_write> v: atomic<u32>;
      @compute @workgroup_size(1) fn main() { _ = atomicCompareExchangeWeak(&v, 0u, 5u); }`;
    expect(await engine.dispatch(request(exchange, { v }, { weakFail: 1 }))).toMatchObject({ engine: "interpreter" });
    expect(u32(v)).toEqual([0]);
    expect(await engine.dispatch(request(DOUBLE, words(engine), { weakFail: 1 }))).toMatchObject({ engine: "wasm" });
  });

  test("both engines write to the same memory, in order", async () => {
    const engine = engineWith({ workers: 2 });
    const memory = engine.allocate(wordsOf(1, 2));
    const bound = { source: memory, doubled: memory };
    await Promise.all([{}, { observer: {} }, {}].map((more) => engine.dispatch(request(DOUBLE, bound, more))));
    expect(u32(memory)).toEqual([8, 16]);
  });
});

test("a thread that cannot be started is said", async () => {
  const broken: HostThreads = {
    ...nodeThreads,
    start: (events) => {
      setTimeout(() => events.failed(new Error("no such script")), 5);
      return { post: () => {}, keepAlive: () => {}, terminate: async () => {} };
    },
  };
  const engine = engineWith({ workers: 2 }, broken);
  const memory = engine.allocate(16);
  const bound = { source: memory, doubled: memory };
  await expect(engine.dispatch(request(DOUBLE, bound))).rejects.toThrow("no such script");
});

test("a thread whose start is refused is said once", async () => {
  const refusing: HostThreads = {
    ...nodeThreads,
    start: () => {
      throw new Error("no threads here");
    },
  };
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  const engine = engineWith({ workers: 2 }, refusing);
  const memory = engine.allocate(16);
  await expect(engine.dispatch(request(DOUBLE, { source: memory, doubled: memory }))).rejects.toThrow("no threads");
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

test.each([0, 1])("no threads are started once an engine is closed, %d dispatches waiting", async (waiting) => {
  let starts = 0;
  const host: HostThreads = {
    ...nodeThreads,
    start: (events) => {
      starts++;
      const thread = nodeThreads.start(events);
      const terminate = async () => {
        await new Promise((resolve) => setTimeout(resolve, 60));
        await thread.terminate();
      };
      return { ...thread, terminate };
    },
  };
  const engine = engineWith({ workers: 3 }, host);
  const [flag, before] = [engine.allocate(4), engine.allocate(4)];
  const spin = request(SPIN, { flag, before }, { workgroups: [4, 1, 1] });
  const running = Array.from({ length: 1 + waiting }, () => engine.dispatch(spin));
  const ends = Promise.allSettled(running);
  while (u32(before)[0] === 0) await new Promise((resolve) => setImmediate(resolve));
  const startsBefore = starts;
  engine.close();
  expect((await ends).map(({ status }) => status)).toEqual(running.map(() => "rejected"));
  expect(starts).toBe(startsBefore);
});

test.each([0, 5, 50, 300])(
  "dispatches of an engine that is closed after %d ms fail; later ones start it again",
  async (time) => {
    const engine = engineWith({ workers: 2 });
    const [flag, before] = [engine.allocate(4), engine.allocate(4)];
    const running = engine.dispatch(request(SPIN, { flag, before }));
    const waiting = engine.dispatch(request(SPIN, { flag, before }));
    setTimeout(() => engine.close(), time);
    await expect(running).rejects.toThrow("the engine was closed");
    await expect(waiting).rejects.toThrow("the engine was closed");
    flag.bytes[0] = 1;
    expect(await engine.dispatch(request(SPIN, { flag, before }))).toMatchObject({ status: "ok" });
  },
);

test("small dispatches end the same each time, whatever the order decides", async () => {
  const engine = engineWith({ workers: 4 });
  const source = `@group(0) @binding(0) var<storage, read_write> list: array<u32>;
    @group(0) @binding(1) var<storage, read_write> length: atomic<u32>;
    @compute @workgroup_size(16) fn main(@builtin(global_invocation_id) id: vec3u) {
      list[atomicAdd(&length, 1u)] = id.x;
    }`;
  const list = engine.allocate(4 * 4096);
  const length = engine.allocate(4);
  await engine.dispatch(request(source, { list, length }, { workgroups: [256, 1, 1] }));
  expect(u32(list)).toEqual(Array.from({ length: 4096 }, (_, i) => i));
});
