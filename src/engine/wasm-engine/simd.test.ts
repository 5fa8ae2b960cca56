/** Engines with and without vectors; memory that has two names. */
import { afterAll, expect, test } from "vitest";
import { lowerText } from "../../../test/support/ir.ts";
import { nodeThreads } from "../../platform/node/threads.ts";
import { createInterpreter } from "../interpreter.ts";
import { createWasmEngine } from "./engine.ts";
import { hasVectors } from "./webassembly.ts";

const engines = [
  createWasmEngine(nodeThreads, { workers: 2 }),
  createWasmEngine(nodeThreads, { workers: 2, simd: false }),
  createInterpreter(),
];
afterAll(() => {
  for (const engine of engines) engine.close();
});

/** What the first memory holds after the dispatch, on each engine; `names`: how many bindings it has. */
async function results(source: string, names: number): Promise<number[][]> {
  const module = lowerText(source);
  const found: number[][] = [];
  for (const engine of engines) {
    const memory = engine.allocate(256 * 4);
    const binding = { memory, offset: 0, size: memory.size };
    const bindings = new Map(Array.from({ length: names }, (_, root) => [root, binding] as const));
    await engine.dispatch({ module, workgroups: [3, 1, 1], bindings });
    found.push([...new Uint32Array(memory.bytes.slice().buffer)]);
  }
  return found;
}

test("this host knows vectors", () => expect(hasVectors()).toBe(true));

test("engines give the same with and without vectors", async () => {
  const [at, apart, interpreted] = await results(
    `@group(0) @binding(0) var<storage, read_write> a: array<f32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
  let x = f32(id.x) * 0.37;
  a[id.x] = sin(x) * exp(-x) + pow(x, 1.3) + log(x + 1.0);
}`,
    1,
  );
  expect(at).toEqual(interpreted);
  expect(apart).toEqual(interpreted);
  expect(new Set(at).size).toBeGreaterThan(190);
});

test("what one invocation stores under one name the next one loads under another", async () => {
  const found = await results(
    `@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) { a[i + 1u] = b[i] * 3u + i * i + 1u; }`,
    2,
  );
  expect(found[0].slice(0, 5)).toEqual([0, 1, 5, 20, 70]);
  expect(found[0]).toEqual(found[2]);
  expect(found[1]).toEqual(found[2]);
});
