/** The same findings whatever looks first: the interpreter alone, or the wasm engine with one worker and with two. */
import { afterAll, describe, expect, test } from "vitest";
import { analyze } from "../../src/analysis/analyze.ts";
import { createWasmEngine } from "../../src/engine/wasm-engine/engine.ts";
import type { Launch } from "../../src/launch/launch.ts";
import { readLaunch } from "../../src/launch/read-launch.ts";
import { nodeFiles } from "../../src/platform/node/files.ts";
import { nodeThreads } from "../../src/platform/node/threads.ts";
import { findingsToJson } from "../../src/sanitize/result-json.ts";
import { type SanitizeOptions, sanitize } from "../../src/sanitize/sanitize.ts";
import { Source } from "../../src/text/source.ts";
import { listFiles, read, root } from "../house/tree.ts";
import { readPairs } from "./pairs.ts";
import { randomProgram } from "./programs.ts";

const engines = [1, 2].map((workers) => createWasmEngine(nodeThreads, { workers }));
afterAll(() => {
  for (const engine of engines) engine.close();
});

/** How many launches were settled without the interpreter: clean ones, and ones in which something races. */
let [settled, logged] = [0, 0];

const RACES: ReadonlySet<string> = new Set([
  "race-workgroup",
  "race-storage",
  "race-across-workgroups",
  "wrong-barrier",
  "same-value-write",
  "unordered-atomics",
]);

function isRace(told: string | { readonly code: string }): boolean {
  return typeof told === "object" && RACES.has(told.code);
}

async function compare(launch: Launch, options: SanitizeOptions): Promise<void> {
  const outcome = async (more: SanitizeOptions) => {
    const { findings, checked, comparisons, engine } = await sanitize(launch, { ...options, ...more });
    // Where a budget of time runs out is another place each time.
    const told = findingsToJson(findings).map((finding) => (finding.code === "timeout" ? "timeout" : finding));
    const { accesses, ...others } = checked;
    const count = told.includes("timeout") ? null : accesses;
    return { engine, outcome: { findings: told, checked: { ...others, accesses: count }, comparisons } };
  };
  const expected = await outcome({});
  for (const engine of engines) {
    const found = await outcome({ engine, fewInvocations: 0 });
    if (found.engine === "wasm") settled++;
    if (found.engine === "wasm" && found.outcome.findings.some(isRace)) logged++;
    expect(found.outcome).toEqual(expected.outcome);
  }
}

/** Other schedules run on the interpreter in any case; each program is tried with a few of them, or the test takes long. */
const BRIEF: SanitizeOptions = { scheduleBudget: 1 };

const cases = listFiles("test/cases", ".json").flatMap((path) => {
  const { verdict, launch } = JSON.parse(read(path)) as { verdict: { legal: boolean }; launch: Launch };
  return verdict.legal ? [{ path, launch }] : [];
});

describe("cases", () => {
  test.each(cases)("$path", async ({ launch }) => {
    const shader = launch.shader as string;
    const program = analyze(new Source(read(`test/cases/${shader}`), shader));
    await compare({ ...launch, shader: program }, BRIEF);
  });
});

describe.each(readPairs())("$file: $name", (pair) => {
  test.each(["wrong", "right"] as const)("%s", async (which) => {
    const { text, launch, options } = pair[which];
    await compare({ ...launch, shader: analyze(new Source(text, "shader.wgsl")) }, { ...options, ...BRIEF });
  });
});

describe("examples", () => {
  test.each(listFiles("examples", ".launch.json"))("%s", async (path) => {
    const { launch, source } = readLaunch(read(path), path);
    await compare(launch!, { ...BRIEF, source: source!, files: nodeFiles(root) });
  });
});

/** Buffers that are bound twice are for the interpreter alone. */
const seeds = Array.from({ length: 850 }, (_, i) => 5000 + i).filter((seed) => randomProgram(seed).alias === null);

describe("random programs", () => {
  test.each([0, 1, 2, 3, 4])(
    "part %i",
    async (part) => {
      for (const seed of seeds.filter((_, i) => i % 5 === part)) {
        const { source, workgroups } = randomProgram(seed);
        const launch = { shader: analyze(new Source(source, "shader.wgsl")), workgroups: [workgroups] };
        await compare(launch, { scheduleBudget: 0 });
      }
    },
    120_000,
  );
});

test("most are settled without the interpreter", () => {
  expect(settled).toBeGreaterThan(100);
  expect(logged).toBeGreaterThan(100);
});
