/** The examples and the cases on the wasm engine: what they expect holds, and every byte is that of the interpreter. */
import { afterAll, expect, test } from "vitest";
import { analyze } from "../../src/analysis/analyze.ts";
import { createWasmEngine } from "../../src/engine/wasm-engine/engine.ts";
import type { Launch } from "../../src/launch/launch.ts";
import { makePlan, type Plan } from "../../src/launch/plan.ts";
import { readLaunch } from "../../src/launch/read-launch.ts";
import type { RunResult } from "../../src/launch/results.ts";
import { runPlan } from "../../src/launch/run.ts";
import { nodeFiles } from "../../src/platform/node/files.ts";
import { nodeThreads } from "../../src/platform/node/threads.ts";
import { Source } from "../../src/text/source.ts";
import { listFiles, read, root } from "../house/tree.ts";

const files = nodeFiles(root);
const engines = [1, 2].map((workers) => createWasmEngine(nodeThreads, { workers }));
afterAll(() => {
  for (const engine of engines) engine.close();
});

/** Of the same launch all that can be compared. */
function outcome({ buffers, comparisons, diagnostics, dispatches }: RunResult) {
  return {
    buffers: Object.entries(buffers).map(([name, { bytes }]) => [name, Buffer.from(bytes).toString("base64")]),
    comparisons,
    diagnostics: diagnostics.map(({ code, span }) => [code, span]),
    dispatches: dispatches.map(({ milliseconds: _, ...dispatch }) => dispatch),
  };
}

async function compare(plan: Plan): Promise<void> {
  const expected = await runPlan(plan, { files });
  for (const engine of engines) {
    const found = await runPlan(plan, { files, engine });
    expect(outcome(found)).toEqual(outcome(expected));
    // All on wasm, but for shaders that break rules.
    if (plan.report.hasErrors) continue;
    expect(found.engine).toBe("wasm");
  }
}

test.each(listFiles("examples", ".launch.json"))("%s", async (path) => {
  const { launch, source } = readLaunch(read(path), path);
  await compare(await makePlan(launch!, { source, files }));
});

/**
 * A race decides what comes out: the rounds of a loop with a barrier in it are phases to the wasm engine, to the
 * interpreter only barriers are.
 */
const racy = ["016-broadcast-slot-rewritten"];

/** Those that run, and end: one invocation does not wait for another one of its workgroup. */
const cases = listFiles("test/cases", ".json").flatMap((path) => {
  const stated = JSON.parse(read(path)) as { verdict: { legal: boolean }; launch: Launch; runs?: string };
  if (racy.some((name) => path.includes(name))) return [];
  return stated.verdict.legal && stated.runs === undefined ? [{ path, launch: stated.launch }] : [];
});

test.each(cases)("$path", async ({ launch }) => {
  const path = `test/cases/${launch.shader as string}`;
  const { hostLayout: _, ...others } = launch;
  await compare(await makePlan({ ...others, shader: analyze(new Source(read(path), path)) }));
});

test("who wrote a wrong value is found on the interpreter", async () => {
  const shader = `@group(0) @binding(0) var<storage, read_write> last: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> count: atomic<u32>;
@compute @workgroup_size(64) fn main(@builtin(workgroup_id) id: vec3u) {
  if (atomicAdd(&count, 1u) == 64u * 2000u - 1u) { atomicStore(&last, 7u); }
}`;
  const launch = { shader, workgroups: [2000], expect: { last: { values: 8 } } };
  const plan = await makePlan(launch);
  const [{ first }] = (await runPlan(plan, { engine: engines[1] })).comparisons;
  expect(first?.actual).toBe(7);
  expect(first?.writtenBy).toMatchObject({ start: { line: 4 }, invocation: { workgroup: [1999, 0, 0] } });
});

test("nobody is named where the interpreter came to another value", async () => {
  // A race that the two engines decide differently: see `racy`.
  const path = "test/cases/016-broadcast-slot-rewritten.wgsl";
  const launch = { shader: analyze(new Source(read(path), path)), workgroups: [1], buffers: { queue: [3, 5, 7, 11] } };
  const plan = await makePlan({ ...launch, expect: { dst: { values: new Array(32).fill(0) } } });
  const wasm = (await runPlan(plan, { engine: engines[0] })).comparisons[0].first!;
  const interpreted = (await runPlan(plan)).comparisons[0].first!;
  expect(interpreted.writtenBy).not.toBeNull();
  // The first element is the same on both, the second is not.
  expect(wasm.writtenBy).toEqual(interpreted.writtenBy);
  const second = await makePlan({ ...launch, expect: { "dst[1]": { values: 0 } } });
  expect((await runPlan(second, { engine: engines[0] })).comparisons[0].first!.writtenBy).toBeNull();
});
