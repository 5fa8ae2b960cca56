/**
 * Damaged shaders and launch files: nothing throws, nothing hangs.
 *
 * MUTATIONS=100000 SEED=7 npx vitest run test/damage
 */
import { describe, expect, test } from "vitest";
import { check } from "../../src/check.ts";
import { createInterpreter } from "../../src/engine/interpreter.ts";
import type { FileReader } from "../../src/launch/files.ts";
import { makePlan } from "../../src/launch/plan.ts";
import { readLaunch } from "../../src/launch/read-launch.ts";
import { runPlan } from "../../src/launch/run.ts";
import { nodeFiles } from "../../src/platform/node/files.ts";
import { generator } from "../differential/values.ts";
import { listFiles, read, root } from "../house/tree.ts";
import { Choice } from "../random/choice.ts";
import { damaged } from "./mutations.ts";

const count = Number(process.env.MUTATIONS ?? 20_000);
const seed = Number(process.env.SEED ?? 1);

/** Seconds that a dispatch may take. */
const BUDGET = 0.002;
/** Nothing may take longer. */
const HANG = 3000;
const MEDIAN = 5;

function choiceOf(index: number): Choice {
  const random = generator(seed * 1_000_003 + index);
  return new Choice({ nextInt: (low, high) => low + Math.floor(random() * (high - low + 1)) });
}

interface Trial {
  readonly path: string;
  readonly what: string;
  /** Of the processor, so that other tests do not count. */
  readonly milliseconds: number;
  readonly error: string | null;
}

async function tried(path: string, what: string, action: () => unknown): Promise<Trial> {
  const start = process.cpuUsage();
  let error: string | null = null;
  try {
    await action();
  } catch (thrown) {
    error = String((thrown as Error).stack).slice(0, 600);
  }
  const { user, system } = process.cpuUsage(start);
  return { path, what, milliseconds: (user + system) / 1000, error };
}

function judge(trials: readonly Trial[], title: string): void {
  const times = trials.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  const median = times[times.length >> 1];
  const worst = trials.reduce((a, b) => (b.milliseconds > a.milliseconds ? b : a));
  const line = `${trials.length} ${title}: median ${median.toFixed(2)} ms`;
  console.log(`${line}, worst ${worst.milliseconds.toFixed(0)} ms (${worst.what}, ${worst.path})`);
  expect(trials.filter(({ error }) => error !== null).slice(0, 5)).toEqual([]);
  expect(trials.filter(({ milliseconds }) => milliseconds > HANG)).toEqual([]);
  expect(median).toBeLessThan(MEDIAN);
}

const files = nodeFiles(root);
const launches = listFiles("examples", ".launch.json").map((path) => ({ path, text: read(path) }));

/** Reads a launch and runs it, as the command does; `textOf` gives another text for its shader. */
async function launch(text: string, path: string, shader?: string): Promise<void> {
  const { launch, source } = readLaunch(text, path);
  if (launch === null) return;
  const reader: FileReader = {
    read: async (name) => (shader === undefined ? files.read(name) : new TextEncoder().encode(shader)),
  };
  const plan = await makePlan(launch, { source, files: reader });
  await runPlan(plan, { files, engine: createInterpreter(), timeout: BUDGET });
}

describe("damaged input", () => {
  test("shaders, checked and run", async () => {
    const trials: Trial[] = [];
    for (let index = 0; index < count / 2; index++) {
      const choice = choiceOf(index);
      const { path, text } = choice.pick(launches);
      const name = `examples/${JSON.parse(text).shader ?? JSON.parse(text).steps[0].shader}`;
      const { text: shader, name: what } = damaged(read(name), choice);
      const trial = await tried(name, what, () => {
        // A launch of an illegal shader only checks it once more.
        return check(shader).ok || choice.once(10) ? launch(text, path, shader) : null;
      });
      trials.push(trial);
    }
    judge(trials, "damaged shaders");
  }, 600_000);

  test("launch files, read and run", async () => {
    const trials: Trial[] = [];
    for (let index = 0; index < count / 2; index++) {
      const choice = choiceOf(count + index);
      const { path, text } = choice.pick(launches);
      const { text: changed, name: what } = damaged(text, choice);
      trials.push(await tried(path, what, () => launch(changed, path)));
    }
    judge(trials, "damaged launch files");
  }, 600_000);
});
