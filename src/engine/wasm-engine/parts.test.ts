/** Dispatches of which a part runs, and variables of which each worker has its own. */
import { afterAll, describe, expect, test } from "vitest";
import { lowerText } from "../../../test/support/ir.ts";
import { nodeThreads } from "../../platform/node/threads.ts";
import type { DispatchRequest, Engine } from "../dispatch.ts";
import { createInterpreter } from "../interpreter.ts";
import type { Memory } from "../memory.ts";
import { createWasmEngine } from "./engine.ts";

const wasm = createWasmEngine(nodeThreads, { workers: 2 });
const engines: readonly (readonly [string, Engine])[] = [
  ["wasm", wasm],
  ["interpreter", createInterpreter()],
];
afterAll(() => wasm.close());

const MARK = `
@group(0) @binding(0) var<storage, read_write> marks: array<u32>;
@compute @workgroup_size(4) fn main(@builtin(workgroup_id) wg: vec3u, @builtin(num_workgroups) n: vec3u) {
  marks[wg.x + wg.y * n.x] = n.x * 100u + wg.x;
}`;
const COUNT = `
@group(0) @binding(0) var<storage, read_write> own: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) lane: u32) { own[lane] += 1u; }`;

function request(source: string, memory: Memory, more: Partial<DispatchRequest>): DispatchRequest {
  const bindings = new Map([[0, { memory, offset: 0, size: memory.size }]]);
  return { module: lowerText(source), workgroups: [1, 1, 1], bindings, ...more };
}

const words = ({ bytes }: Memory): number[] => [...new Uint32Array(bytes.slice().buffer)];

describe.each(engines)("on the engine %s", (_, engine) => {
  test("a range of workgroups runs, which are what they are in the whole", async () => {
    const memory = engine.allocate(6 * 4);
    const { status, statistics } = await engine.dispatch(
      request(MARK, memory, { workgroups: [3, 2, 1], range: [2, 5] }),
    );
    expect([status, statistics.invocations]).toEqual(["ok", 12]);
    expect(words(memory)).toEqual([0, 0, 302, 300, 301, 0]);
  });

  test("an empty range is nothing", async () => {
    const memory = engine.allocate(24);
    const { status } = await engine.dispatch(request(MARK, memory, { workgroups: [3, 2, 1], range: [4, 4] }));
    expect(status).toBe("ok");
    expect(words(memory)).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

test("each worker counts in its own part", async () => {
  const memory = wasm.allocate(2 * 64 * 4);
  const bindings = new Map([[0, { memory, offset: 0, size: 64 * 4 }]]);
  const all = { workgroups: [20_000, 1, 1] as const, bindings, perWorker: new Set([0]) };
  await wasm.dispatch(request(COUNT, memory, all));
  const counts = words(memory);
  // No two workgroups of one worker come in each other's way.
  for (let lane = 0; lane < 64; lane++) expect(counts[lane] + counts[64 + lane]).toBe(20_000);
  memory.bytes.fill(0);
  await wasm.dispatch(request(COUNT, memory, { ...all, workers: 1 }));
  expect(words(memory).slice(0, 64)).toEqual(new Array(64).fill(20_000));
  expect(words(memory).slice(64)).toEqual(new Array(64).fill(0));
});
