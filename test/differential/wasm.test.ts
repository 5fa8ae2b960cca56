/** WebAssembly gives the bytes that the interpreter gives: on all examples, all cases, and random programs. */
import { afterAll, describe, expect, test } from "vitest";
import { createWasmEngine } from "../../src/engine/wasm-engine/engine.ts";
import type { Launch } from "../../src/launch/launch.ts";
import { makePlan } from "../../src/launch/plan.ts";
import { readLaunch } from "../../src/launch/read-launch.ts";
import { run, runPlan } from "../../src/launch/run.ts";
import { nodeFiles } from "../../src/platform/node/files.ts";
import { nodeThreads } from "../../src/platform/node/threads.ts";
import { Source } from "../../src/text/source.ts";
import { listFiles, read, root } from "../house/tree.ts";
import { samplePrograms } from "../random/program.ts";
import { createComparingEngine } from "../support/wasm.ts";

const files = nodeFiles(root);

test.each(listFiles("examples", ".launch.json"))("%s", async (path) => {
  const { launch, source } = readLaunch(read(path), path);
  const plan = await makePlan(launch!, { source, files });
  const engine = createComparingEngine();
  await runPlan(plan, { files, engine });
  expect(engine.differences).toEqual([]);
  expect(engine.compared).toBeGreaterThan(0);
});

const cases = listFiles("test/cases", ".json")
  .map((path) => ({
    path,
    ...(JSON.parse(read(path)) as { launch: Launch; runs?: string; verdict: { legal: boolean } }),
  }))
  .filter(({ verdict, runs }) => verdict.legal && runs?.startsWith("no") !== true);

test.each(cases)("$path", async ({ launch, path }) => {
  const shader = `test/cases/${launch.shader as string}`;
  const engine = createComparingEngine();
  const source = new Source(read(path), path);
  await run({ ...launch, shader: read(shader) }, { source, engine });
  expect(engine.differences).toEqual([]);
});

describe("random programs", () => {
  const count = Number(process.env.RANDOM_PROGRAMS ?? 40);
  const seed = Number(process.env.RANDOM_SEED ?? 1);
  const engines = [1, 2].map((workers) => createWasmEngine(nodeThreads, { workers }));
  afterAll(() => {
    for (const engine of engines) engine.close();
  });

  test.each(["a", "b"] as const)(
    "level %s",
    async (level) => {
      let compared = 0;
      for (const [index, program] of samplePrograms(count, seed, { level, outOfBounds: true, size: 40 }).entries()) {
        const engine = createComparingEngine(engines);
        const { diagnostics } = await run(program.launch, { engine });
        const errors = diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
        if (engine.differences.length > 0 || errors.length > 0) {
          expect.fail(`program ${index} of seed ${seed}: ${[...engine.differences, ...errors].join("; ")}\n${program}`);
        }
        expect(engine.left).toEqual([]);
        compared += engine.compared;
      }
      // One invocation at a time, four at once, with calls, with real atomics; by one worker and by two.
      expect(compared).toBe(6 * count);
    },
    600_000,
  );
});
