/** Dispatches that do not end: told within the budget of `run`, whatever pass is under way, at the loop. */
import { afterAll, describe, expect, test } from "vitest";
import type { DispatchRequest, DispatchResult, Engine } from "../../src/engine/dispatch.ts";
import { createWasmEngine } from "../../src/engine/wasm-engine/engine.ts";
import { makePlan } from "../../src/launch/plan.ts";
import { nodeThreads } from "../../src/platform/node/threads.ts";
import { profile } from "../../src/sanitize/profile.ts";
import { sanitize } from "../../src/sanitize/sanitize.ts";
import { dispatchWatched, looked, withDeadline } from "../../src/sanitize/watchdog.ts";

const engine = createWasmEngine(nodeThreads, { workers: 1 });
afterAll(() => engine.close());

const HEAD = `@group(0) @binding(0) var<storage, read_write> a: array<u32, 64>;
@group(0) @binding(1) var<storage, read_write> flag: atomic<u32>;
var<workgroup> own: atomic<u32>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3u) {
`;
const LINE = HEAD.split("\n").length;

/** The loop stands at the beginning of the first line of the body. */
const LOOPS = {
  "for (;;)": "for (;;) { a[i] += 1u; if (a[i] == 4294967295u && i == 99u) { break; } }",
  "without memory":
    "for (var n = 1u; n != 0u || i != 99u; n = n * 1664525u + 1u) { if (n == 7u && i == 99u) { a[i] = n; } }",
  "huge and finite": "for (var n = 0u; n < 4000000000u; n++) { a[i] = n; }",
  "on another workgroup": "while (atomicLoad(&flag) == group.x) { }",
  "within the workgroup": "while (atomicLoad(&own) == 0u) { }",
};

const shaderOf = (loop: string): string => `${HEAD}${loop}\n}\n`;

describe.each(Object.entries(LOOPS))("a loop %s", (_, loop) => {
  const launch = { shader: shaderOf(loop), workgroups: [2] };

  test("sanitize", async () => {
    const { findings, ok } = await sanitize(launch, { engine, timeout: 0.3 });
    expect(ok).toBe(false);
    const told = findings.filter(({ code }) => code === "timeout" || code === "no-forward-progress");
    expect(told.map(({ source, span }) => source.position(span.start).line)).toContain(LINE);
  });

  test("profile", async () => {
    const { diagnostics, ok } = await profile(launch, { engine, timeout: 0.3, checks: ["races"] });
    expect(ok).toBe(false);
    const timeout = diagnostics.find(({ code }) => code === "timeout")!;
    expect(timeout.source.position(timeout.span.start)).toMatchObject({ line: LINE, column: 1 });
  });
});

async function requestOf(shader: string): Promise<DispatchRequest> {
  const { steps, memories, buffers } = await makePlan({ shader, workgroups: [2] }, {});
  const [{ module, bindings }] = steps;
  const allocated = memories.map(({ bytes }) => engine.allocate(bytes));
  return {
    module,
    workgroups: [2, 1, 1],
    bindings: new Map(
      [...bindings].map(([root, buffer]) => {
        const memory = allocated[buffers[buffer].memory];
        return [root, { memory, offset: 0, size: memory.size }];
      }),
    ),
  };
}

describe("without a budget of the caller's", () => {
  const observer = { access: () => {} };

  test.each(["for (;;)", "without memory", "huge and finite"] as const)(
    "a watched dispatch with a loop %s ends with the one beside it",
    async (name) => {
      const request = { ...(await requestOf(shaderOf(LOOPS[name]))), observer };
      const {
        status,
        timeout,
        engine: by,
      } = await dispatchWatched(engine, request, null, { budget: 200, moment: 20, alone: null });
      expect([status, timeout?.budget, by]).toEqual(["timeout", 200, "interpreter"]);
    },
  );

  test("one that ends is watched to its end, however long that takes", async () => {
    const request = await requestOf(shaderOf("for (var n = 0u; n < 4000u; n++) { a[i] += n; }"));
    let count = 0;
    const counting = { access: () => void count++ };
    const { status } = await dispatchWatched(engine, { ...request, observer: counting }, null, {
      budget: 60_000,
      moment: 1,
      alone: null,
    });
    expect([status, count]).toEqual(["ok", 2 * 64 * 4000 * 2]);
    const [{ memory }] = request.bindings.values();
    // Each of the two workgroups once, and not those of the run beside it.
    expect(new Uint32Array(memory.bytes.buffer, memory.bytes.byteOffset, 1)[0]).toBe((2 * 4000 * 3999) / 2);
  });

  test("the caller can still stop it", async () => {
    const request = await requestOf(shaderOf(LOOPS["for (;;)"]));
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("enough")), 50);
    const patience = { budget: 60_000, moment: 10, alone: null };
    await expect(
      dispatchWatched(engine, { ...request, observer, signal: stop.signal }, null, patience),
    ).rejects.toThrow("enough");
  });

  const result = (status: DispatchResult["status"]): DispatchResult => ({
    status,
    faults: [],
    timeout: null,
    statistics: { invocations: 0, instructions: 0, sharedAccesses: 0, barriers: 0 },
    milliseconds: 1,
    turns: null,
    engine: "wasm",
    notes: [],
  });

  test.each([
    ["ok", "ok", [20], 0, "ok"],
    ["timeout", "timeout", [20], 1, "timeout"],
    ["timeout", "ok", [20, Number.POSITIVE_INFINITY], 2, "timeout"],
  ] as const)("pass 1: %s, as it is: %s", async (pass, plain, timeouts, restored, expected) => {
    const request = await requestOf(shaderOf("a[i] = 1u;"));
    const inner = { ...engine, name: "wasm", dispatch: async () => result(plain) } as Engine;
    const seen: (number | undefined)[] = [];
    let count = 0;
    const look = async ({ timeout }: DispatchRequest) => {
      seen.push(timeout);
      return { result: result(pass) };
    };
    const found = await looked(inner, request, () => void count++, look, { budget: 200, moment: 20, alone: null });
    expect([seen, count, found?.result.status]).toEqual([timeouts, restored, expected]);
  });

  test("where the time of all passes is over, what was found is not all", async () => {
    const request = await requestOf(shaderOf("a[i] = 1u;"));
    expect(withDeadline(request).closed(result("ok")).status).toBe("ok");
    expect(withDeadline({ ...request, timeout: 60_000 }).closed(result("ok")).status).toBe("ok");
    expect({ ...withDeadline({ ...request, timeout: 60_000 }).request }.timeout).toBeLessThanOrEqual(60_000);
    const over = withDeadline({ ...request, timeout: -1 });
    expect(over.closed(result("ok"))).toMatchObject({ status: "timeout", timeout: { budget: -1 } });
    expect({ ...over.request }.timeout).toBe(1);
  });
});
