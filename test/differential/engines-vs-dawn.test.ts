/**
 * The interpreter against Dawn with SwiftShader: the same bytes on random programs and on the examples. Bits of NaNs,
 * subnormals and the sign of zeros are not compared.
 *
 * PROGRAMS=5000 SEED=7 npx vitest run test/differential/engines-vs-dawn.test.ts
 */
import { existsSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import type { Launch } from "../../src/launch/launch.ts";
import { makePlan } from "../../src/launch/plan.ts";
import { readLaunch } from "../../src/launch/read-launch.ts";
import { runPlan } from "../../src/launch/run.ts";
import { nodeFiles } from "../../src/platform/node/files.ts";
import { differences } from "../../tools/examples-on-dawn.mjs";
import { openDevice } from "../../tools/oracle/dawn.mjs";
import { listFiles, read, root } from "../house/tree.ts";
import { type Program, samplePrograms, shrunk } from "../random/program.ts";
import { difference, type OracleOutcome, type Outcome, outcomeOf, runOnOracle, runOurs } from "./launches.ts";

const count = Number(process.env.PROGRAMS ?? 500);
const seed = Number(process.env.SEED ?? 1);
/** Most of the time goes into SwiftShader's compiler, which takes one thread for each pipeline. */
const LANES = 2;
const SHRINKING = 300;

/** vitest.config.ts names the driver where there is one. */
const driver = process.env.VK_DRIVER_FILES ?? "";

/** Right in any order, with another result for each: only what the launch expects is the same. */
const ORDERED = ["append-list", "particles-per-cell", "pool-churn", "reserve-space", "try-lock"];

/** Wrong on purpose: what they give hangs on the schedule. */
const FAULTY = ["pool-unsafe", "lost-update"];

function isNamed(path: string, names: readonly string[]): boolean {
  return names.some((name) => path === `examples/${name}.launch.json`);
}

describe.runIf(existsSync(driver))("on SwiftShader", () => {
  let device: GPUDevice;
  beforeAll(async () => {
    device = (await openDevice()) as unknown as GPUDevice;
  });

  async function differ(program: Program): Promise<string | null> {
    const launch = program.launch as Launch;
    return difference(await runOurs(launch), await runOnOracle(device, launch));
  }

  async function compareAll(programs: readonly Program[]): Promise<void> {
    const waiting = programs.entries();
    const suspects: (readonly [number, Program])[] = [];
    const lane = async () => {
      for (const entry of waiting) {
        if (suspects.length > 0) return;
        if ((await differ(entry[1])) !== null) suspects.push(entry);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    // The lanes share the device, and its errors: only what happens alone counts.
    const found: string[] = [];
    for (const [index, program] of suspects) {
      const kind = (await differ(program))?.slice(0, 5);
      if (kind === undefined) continue;
      const fails = async (other: Program) => (await differ(other))?.startsWith(kind) ?? false;
      const smallest = await shrunk(program, fails, SHRINKING);
      found.push(`program ${index}: ${await differ(smallest)}\n${smallest}`);
    }
    expect(found).toEqual([]);
  }

  const timeout = 60_000 + count * 300;

  test(
    `${count} random programs`,
    async () => {
      await compareAll(samplePrograms(count, seed, { level: "a", size: 13, forSwiftShader: true }));
    },
    timeout,
  );

  test(
    "random programs with barriers, workgroup memory and atomics",
    async () => {
      const some = Math.ceil(count / 10);
      await compareAll(samplePrograms(some, seed, { level: "b", size: 13, forSwiftShader: true }));
    },
    timeout,
  );

  const launches = listFiles("examples", ".launch.json").filter((path) => !isNamed(path, FAULTY));

  test.each(launches.filter((path) => !isNamed(path, ORDERED)))("%s", async (path) => {
    const [ours, theirs] = [await runExample(path), await dawnExample(device, path)];
    expect(difference(ours, theirs)).toBeNull();
  });

  test.each(launches.filter((path) => isNamed(path, ORDERED)))("%s, as it expects", async (path) => {
    const theirs = await dawnExample(device, path);
    const buffers = theirs.kind === "ran" ? theirs.buffers : {};
    expect(differences({ launch: JSON.parse(read(path)), buffers })).toEqual([]);
  });
});

async function runExample(path: string): Promise<Outcome> {
  const files = nodeFiles(root);
  const { launch, source } = readLaunch(read(path), path);
  return outcomeOf(await runPlan(await makePlan(launch!, { source, files }), { files }));
}

async function dawnExample(device: GPUDevice, path: string): Promise<OracleOutcome> {
  return runOnOracle(device, JSON.parse(read(path)) as Launch, (shader) => read(`examples/${shader}`));
}
