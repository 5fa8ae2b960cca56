/** Every example gives what its launch file expects; the seeds that examples/README.md names show what it says. */
import { describe, expect, test } from "vitest";
import { makePlan, type Plan } from "../src/launch/plan.ts";
import { readLaunch } from "../src/launch/read-launch.ts";
import { type RunOptions, runPlan } from "../src/launch/run.ts";
import { nodeFiles } from "../src/platform/node/files.ts";
import { listFiles, read, root } from "./house/tree.ts";

const files = nodeFiles(root);

async function planOf(path: string): Promise<Plan> {
  const { launch, source, diagnostics } = readLaunch(read(path), path);
  expect(diagnostics).toEqual([]);
  return makePlan(launch!, { source, files });
}

async function wrongComparisons(plan: Plan, options: RunOptions = {}): Promise<readonly string[]> {
  const { comparisons, diagnostics } = await runPlan(plan, { files, ...options });
  const problems = diagnostics.map(({ code, message }) => `${code}: ${message}`);
  return [...problems, ...comparisons.filter(({ ok }) => !ok).map(({ name, first }) => `${name}: ${first?.path}`)];
}

const launches = listFiles("examples", ".launch.json");

test.each(launches)("%s gives what it expects", async (path) => {
  expect(await wrongComparisons(await planOf(path))).toEqual([]);
});

/** Wrong on purpose: under these schedules they need not give what they expect, or expect nothing. */
const faulty = ["pool-unsafe", "lost-update"];
const right = launches.filter((path) => !faulty.some((name) => path.includes(`/${name}.`)));
/** 65,536 invocations with sixteen values each take long when each takes one access in turn. */
const quick = right.filter((path) => !path.includes("two-level-histogram.launch"));

describe("right examples are right under every schedule", () => {
  test.each(quick)("%s, interleaved", async (path) => {
    expect(await wrongComparisons(await planOf(path), { schedule: "interleave" })).toEqual([]);
  });

  test.each(quick)("%s, at random, with spurious failures", async (path) => {
    const plan = await planOf(path);
    for (const seed of [1, 2, 3]) {
      expect(await wrongComparisons(plan, { schedule: "random", seed, weakFail: 0.3 })).toEqual([]);
    }
  });
});

describe("what the README says", () => {
  const readme = read("examples/README.md");

  test("every command names a launch that exists", () => {
    const named = [...readme.matchAll(/halay run (examples\/[\w.-]+)/g)].map(([, path]) => path);
    expect(named.length).toBeGreaterThanOrEqual(launches.length);
    expect(named.filter((path) => !launches.includes(path))).toEqual([]);
  });

  test("the seed that it names corrupts the counter of the unsafe pool", async () => {
    const seeds = [...readme.matchAll(/pool-unsafe\.launch\.json --schedule random --seed (\d+)/g)];
    expect(seeds).toHaveLength(2);
    for (const [, seed] of seeds) {
      const plan = await planOf("examples/pool-unsafe.launch.json");
      const result = await runPlan(plan, { schedule: "random", seed: Number(seed) });
      expect(result.ok).toBe(false);
      expect(result.buffers.free.values).toBe(2 ** 32 - 1);
    }
  });

  test("a lost update shows when interleaved", async () => {
    const plan = await planOf("examples/lost-update.launch.json");
    const inOrder = await runPlan(plan);
    const interleaved = await runPlan(plan, { schedule: "interleave" });
    expect(inOrder.buffers.counts.values).toEqual([16, 16, 16, 16]);
    for (const count of interleaved.buffers.counts.values as number[]) expect(count).toBeLessThan(16);
  });
});

const THOUSANDS = Array.from({ length: 10 }, (_, i) => i * 1000);

describe.each(["pool", "pool-churn"])("%s stays right for 10,000 seeds", (name) => {
  test.each(THOUSANDS)(
    "from %i on",
    async (first) => {
      const plan = await planOf(`examples/${name}.launch.json`);
      const wrong: number[] = [];
      for (let seed = first; seed < first + 1000; seed++) {
        const { ok } = await runPlan(plan, { schedule: "random", seed });
        if (!ok) wrong.push(seed);
      }
      expect(wrong).toEqual([]);
    },
    120_000,
  );
});
