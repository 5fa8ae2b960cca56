/** More addresses race than one look can keep: none is left out, and what the last ones show is told as well. */
import { afterAll, expect, test } from "vitest";
import { analyze } from "../../src/analysis/analyze.ts";
import { createWasmEngine } from "../../src/engine/wasm-engine/engine.ts";
import type { Launch } from "../../src/launch/launch.ts";
import { nodeThreads } from "../../src/platform/node/threads.ts";
import { findingsToJson } from "../../src/sanitize/result-json.ts";
import { sanitize } from "../../src/sanitize/sanitize.ts";
import { Source } from "../../src/text/source.ts";

const engines = [1, 2].map((workers) => createWasmEngine(nodeThreads, { workers }));
afterAll(() => {
  for (const engine of engines) engine.close();
});

/** Code, lines, variable and count of each finding; the same on all engines. */
async function races(text: string, launch: Omit<Launch, "shader">): Promise<readonly string[]> {
  const shader = analyze(new Source(text, "shader.wgsl"));
  const look = async (options: object) => {
    const { findings } = await sanitize({ ...launch, shader }, { scheduleBudget: 0, ...options });
    return findings;
  };
  const expected = await look({});
  for (const engine of engines) {
    expect(findingsToJson(await look({ engine, fewInvocations: 0 }))).toEqual(findingsToJson(expected));
  }
  return expected.map(({ code, source, accesses, resource, count }) => {
    const lines = accesses.map(({ span }) => source.position(span.start).line);
    return `${code} ${lines.join("-")} ${resource?.name} ${count}`;
  });
}

test("another variable, after more than 2^16 addresses of the first one", async () => {
  const text = `@group(0) @binding(0) var<storage, read_write> o: array<u32>;
@group(0) @binding(1) var<storage, read_write> q: u32;
@compute @workgroup_size(2) fn main(@builtin(local_invocation_index) i: u32) {
  for (var k = 0u; k < 65664u; k++) { o[k] = i; }
  q = i;
}`;
  expect(await races(text, { workgroups: [1], buffers: { o: "zeros:65664", q: "0" } })).toEqual([
    "race-storage 4-4 o 65664",
    "race-storage 5-5 q 1",
  ]);
});

test("a value that differs, after more than 2^16 addresses of equal ones", async () => {
  const text = `@group(0) @binding(0) var<storage, read_write> o: array<u32>;
@compute @workgroup_size(2) fn main(@builtin(local_invocation_index) i: u32) {
  for (var k = 0u; k < 70000u; k++) { o[k] = select(1u, i, k > 69000u); }
}`;
  const found = await races(text, { workgroups: [1], buffers: { o: "zeros:70001" } });
  expect(found).toContain("race-storage 3-3 o 999");
});

test("atomics out of order, after more than 2^16 addresses of plain ones", async () => {
  const text = `@group(0) @binding(0) var<storage, read_write> o: array<u32>;
@group(0) @binding(1) var<storage, read_write> c: atomic<u32>;
@compute @workgroup_size(2) fn main(@builtin(local_invocation_index) i: u32) {
  for (var k = 0u; k < 65664u; k++) { o[k] = i; }
  atomicStore(&c, 0u);
  atomicAdd(&c, 1u);
}`;
  const found = await races(text, { workgroups: [1], buffers: { o: "zeros:65664", c: "0" } });
  expect(found).toContain("unordered-atomics 5-6 c 1");
});

test("a pair of lines that meets at one address alone, among many of another pair", async () => {
  const text = `@group(0) @binding(0) var<storage, read_write> img: array<u32>;
@compute @workgroup_size(2) fn main(@builtin(local_invocation_index) i: u32) {
  for (var k = 0u; k < 66000u; k++) {
    img[k] += 1u;
    if k == 65990u { _ = img[k]; }
  }
}`;
  const found = await races(text, { workgroups: [1], buffers: { img: "iota:66000" } });
  expect(found).toEqual(["race-storage 4-4 img 66000", "race-storage 4-5 img 1"]);
});
