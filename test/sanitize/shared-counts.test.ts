/** So many addresses and places that the places share counts: what is said of counters is the same. */
import { afterAll, expect, test } from "vitest";
import { createWasmEngine } from "../../src/engine/wasm-engine/engine.ts";
import type { Launch } from "../../src/launch/launch.ts";
import { nodeThreads } from "../../src/platform/node/threads.ts";
import { findingsToJson } from "../../src/sanitize/result-json.ts";
import { sanitize } from "../../src/sanitize/sanitize.ts";

const PLACES = 300;
const CELLS = 2 ** 16;

const engines = [1, 2].map((workers) => createWasmEngine(nodeThreads, { workers }));
afterAll(() => {
  for (const engine of engines) engine.close();
});

/** A line for each place; the one that an invocation takes hangs on its number. */
function launch(line: (place: number) => string): Launch {
  const lines = Array.from({ length: PLACES }, (_, k) => `case ${k}u: { ${line(k)} }`).join("\n");
  return {
    shader: `@group(0) @binding(0) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> list: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
switch id.x % ${PLACES}u { ${lines} default: {} }
}`,
    workgroups: [150],
    buffers: { counts: `zeros:${CELLS}`, list: "zeros:64" },
  };
}

/** The same on all engines. */
async function found(line: (place: number) => string): Promise<readonly string[]> {
  const look = async (options: object) =>
    (await sanitize(launch(line), { checks: ["counters", "contention"], scheduleBudget: 0, ...options })).findings;
  const expected = await look({});
  for (const engine of engines) expect(findingsToJson(await look({ engine }))).toEqual(findingsToJson(expected));
  return expected.map(({ code, resource, count }) => `${code} ${resource?.path} ${count}`);
}

test("the place that queues most at one address, of those that share a count with it none comes there", async () => {
  const line = (k: number) => `atomicAdd(&counts[${k < 200 ? k : 70}], 1u);`;
  expect(await found(line)).toEqual(["contention counts[70] 3232"]);
});

test("several that queue there, and share a count", async () => {
  expect(await found(() => "atomicMax(&counts[9], id.x);")).toEqual(["contention counts[9] 9600"]);
});

test("counters that are left above the length of what they index, and others that are not", async () => {
  const line = (k: number) =>
    `let n = atomicAdd(&counts[${k}], ${k % 100 === 7 ? 3 : 1}u); if n < 64u { list[n] = id.x; }`;
  expect(await found(line)).toEqual([7, 107, 207].map((k) => `counter-over-capacity counts[${k}] 1`));
});
