import { describe, expect, test } from "vitest";
import { Bench } from "../../test/support/engine.ts";
import { createInterpreter } from "./interpreter.ts";

const SPIN = `
  @group(0) @binding(0) var<storage, read_write> flag: atomic<u32>;
  @group(0) @binding(1) var<storage, read_write> out: array<u32>;
  @compute @workgroup_size(WIDTH) fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x == LAST) { atomicStore(&flag, 1u); }
    while (atomicLoad(&flag) == 0u) { }
    out[id.x] = 1;
  }`;
const spin = (width: number, last: number) => SPIN.replace("WIDTH", `${width}`).replace("LAST", `${last}u`);

describe("waiting for others", () => {
  test.each([
    ["a later invocation of the workgroup", 64, 63, 1],
    ["an invocation of a later workgroup", 4, 39, 10],
  ])("in order: %s", (_, width, last, workgroups) => {
    const bench = new Bench(spin(width, last), { out: 4 * width * workgroups }, { workgroups: [workgroups, 1, 1] });
    expect(bench.run().status).toBe("ok");
    expect(bench.u32("out")).toEqual(new Array(width * workgroups).fill(1));
  });

  test("a workgroup that cannot be resident does not come", () => {
    const bench = new Bench(spin(2, 7), { out: 32 }, { workgroups: [4, 1, 1], residency: 3, maxInstructions: 1e6 });
    expect(bench.run().status).toBe("timeout");
    const enough = new Bench(spin(2, 7), { out: 32 }, { workgroups: [4, 1, 1], residency: 4 });
    expect(enough.run().status).toBe("ok");
  });

  test("a barrier of the whole grid made of atomics", () => {
    const bench = new Bench(
      `@group(0) @binding(0) var<storage, read_write> arrived: atomic<u32>;
       @group(0) @binding(1) var<storage, read_write> data: array<atomic<u32>, 32>;
       @group(0) @binding(2) var<storage, read_write> out: array<u32, 32>;
       @compute @workgroup_size(4) fn main(
         @builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32,
       ) {
         atomicStore(&data[id.x], id.x);
         workgroupBarrier();
         if (lane == 0) { atomicAdd(&arrived, 1u); while (atomicLoad(&arrived) < 8u) { } }
         workgroupBarrier();
         out[id.x] = atomicLoad(&data[31 - id.x]);
       }`,
      {},
      { workgroups: [8, 1, 1] },
    );
    expect(bench.run().status).toBe("ok");
    expect(bench.u32("out")).toEqual(Array.from({ length: 32 }, (_, i) => 31 - i));
  });
});

describe("the watchdog", () => {
  const endless = `
    @group(0) @binding(0) var<storage, read_write> out: atomic<u32>;
    fn wait() { while (atomicLoad(&out) == 0u) { } }
    @compute @workgroup_size(2) fn main(@builtin(local_invocation_index) lane: u32) {
      if (lane == 1) { wait(); }
    }`;

  test("ends an endless loop, and names who is where", () => {
    const { status, timeout } = new Bench(endless, {}, { maxInstructions: 100_000 }).run();
    expect(status).toBe("timeout");
    expect(timeout).toMatchObject({ reason: "instructions", count: 1 });
    const [place] = timeout!.places;
    expect(place).toMatchObject({ localIndex: 1, globalId: [1, 0, 0], status: "ready" });
    const texts = place.calls.map(({ span }) => endless.slice(span.start, span.end));
    expect(texts[1]).toBe("wait()");
    expect(endless.slice(place.calls[0].span.start)).toMatch(/^(atomicLoad|while)/);
  });

  test("by the clock", () => {
    const result = new Bench(endless, {}, { timeout: 50 }).run();
    expect(result.timeout).toMatchObject({ reason: "milliseconds", count: 1 });
  });

  test("a loop that touches no memory", () => {
    const source = `@compute @workgroup_size(1) fn main() { var i = 0u; loop { i++; if (i == 0) { break; } i |= 1; } }`;
    for (const kind of ["in-order", "interleave"] as const) {
      expect(new Bench(source, {}, { maxInstructions: 1e6 }).run({ schedule: { kind } }).status).toBe("timeout");
    }
  });

  test("those that wait at a barrier for one that never comes", () => {
    const source = `
      @group(0) @binding(0) var<storage, read_write> out: atomic<u32>;
      @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) lane: u32) {
        if (lane == 2) { while (atomicLoad(&out) == 0u) { } }
        workgroupBarrier();
      }`;
    const { timeout } = new Bench(source, {}, { maxInstructions: 100_000 }).run();
    expect(timeout!.places.map((place) => place.status)).toEqual(["ready", "barrier", "barrier", "barrier"]);
  });
});

describe("as an engine", () => {
  const source = `
    @group(0) @binding(0) var<storage, read_write> out: array<u32>;
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
      var x = id.x; for (var i = 0u; i < 200; i++) { x = x * 1664525 + 1013904223; } out[id.x] = x;
    }`;

  test("it gives the host its turn, and counts", async () => {
    const bench = new Bench(source, { out: 4 * 64 * 512 }, { workgroups: [512, 1, 1] });
    let pauses = 0;
    let time = 0;
    const host = {
      now: () => (time += 20),
      pause: async () => {
        pauses++;
      },
    };
    const result = await createInterpreter(host).dispatch({ ...bench.request, timeout: 1e9 });
    expect(result).toMatchObject({
      status: "ok",
      statistics: { invocations: 64 * 512, sharedAccesses: 64 * 512, barriers: 0 },
    });
    expect(pauses).toBeGreaterThan(3);
  });

  test("it can be aborted", async () => {
    const bench = new Bench(source, { out: 4 * 64 * 512 }, { workgroups: [512, 1, 1] });
    const controller = new AbortController();
    let time = 0;
    const host = { now: () => (time += 50), pause: async () => controller.abort(new Error("enough")) };
    const dispatch = createInterpreter(host).dispatch({ ...bench.request, timeout: 1e9, signal: controller.signal });
    await expect(dispatch).rejects.toThrow("enough");
  });

  test("no workgroups are no work", async () => {
    const bench = new Bench(source, { out: 4 }, { workgroups: [3, 0, 1] });
    expect(await createInterpreter().dispatch(bench.request)).toMatchObject({
      status: "ok",
      statistics: { invocations: 0 },
    });
  });
});
