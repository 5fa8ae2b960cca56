/** Many conflicts in one launch: they are folded and counted, and what is kept of them does not grow without end. */
import { expect, test } from "vitest";
import { compileKernel } from "../../src/engine/wasm/compile.ts";
import { createWasmEngine } from "../../src/engine/wasm-engine/engine.ts";
import { nodeThreads } from "../../src/platform/node/threads.ts";
import { addLog } from "../../src/sanitize/log-pass.ts";
import { sanitize } from "../../src/sanitize/sanitize.ts";
import { addShadow } from "../../src/sanitize/shadow-pass.ts";
import { shapeNamed } from "../support/conflict-shapes.ts";
import { lowerText } from "../support/ir.ts";
import { ALL_CHECKS } from "./all-checks.ts";

const GIBIBYTE = 2 ** 30;

/** Bytes that the process took at most since `before`, as the system counts them. */
function taken(before: number): number {
  return process.resourceUsage().maxRSS * 1024 - before;
}

test("a million invocations, 10,000 places in memory that race", { timeout: 300_000 }, async () => {
  const shader = `@group(0) @binding(0) var<storage, read_write> data: array<u32>;
    @compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3u) {
      data[id.x % 10000u] += 1u;
    }`;
  const before = process.memoryUsage().rss;
  const { findings, checked } = await sanitize(
    { shader, workgroups: [4096], buffers: { data: "zeros:10000" } },
    { scheduleBudget: 0 },
  );
  expect(checked).toMatchObject({ invocations: 2 ** 20, accesses: 2 ** 21 });
  expect(findings.map(({ code, count }) => [code, count])).toEqual([["race-across-workgroups", 10_000]]);
  expect(taken(before)).toBeLessThan(GIBIBYTE);
});

test("10,000 pairs of lines that race: each is a finding, and no more than asked for are told", {
  timeout: 300_000,
}, async () => {
  // Each of n lines races with itself and with each other one: n (n + 1) / 2 pairs.
  const n = 141;
  const cases = Array.from({ length: n }, (_, k) => `case ${k}u: {\n data[at] += ${k}u;\n}`);
  const shader = `@group(0) @binding(0) var<storage, read_write> data: array<u32, 2>;
    @compute @workgroup_size(${n}) fn main(@builtin(global_invocation_id) id: vec3u) {
      let at = (id.x / ${n}u) % 2u;
      switch id.x % ${n}u { ${cases.join("\n")} default: {} }
    }`;
  const before = process.memoryUsage().rss;
  const launch = { shader, workgroups: [8] };
  const { findings } = await sanitize(launch, { scheduleBudget: 0 });
  const across = findings.filter(({ code }) => code === "race-across-workgroups");
  expect(across).toHaveLength((n * (n + 1)) / 2);
  expect(across.every(({ count }) => count === 2)).toBe(true);
  const few = await sanitize(launch, { scheduleBudget: 0, maxFindings: 20 });
  expect(few.findings).toHaveLength(20);
  expect(few.checked.untold).toBe(findings.length - 20);
  expect(taken(before)).toBeLessThan(GIBIBYTE);
});

test.each([
  ["lines", "\n"],
  ["places in one line", " "],
])("more pairs of %s than a call has arguments", { timeout: 300_000 }, async (name, end) => {
  const n = 520;
  const cases = Array.from({ length: n }, (_, k) => `case ${k}u: { data[0] += ${k}u; }`);
  const shader = `@group(0) @binding(0) var<storage, read_write> data: array<u32, 1>;
    @compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3u) {
      switch id.x % ${n}u { ${cases.join(end)} default: {} }
    }`;
  const { findings, checked } = await sanitize({ shader, workgroups: [n] }, { scheduleBudget: 0 });
  const across = findings.filter(({ code }) => code === "race-across-workgroups");
  const lines = across.flatMap(({ source, accesses }) => accesses.map(({ span }) => source.position(span.start).line));
  expect(new Set(lines).size).toBe(name === "lines" ? n : 1);
  expect(across.length).toBeLessThan(2 ** 15);
  // In a workgroup each of eight lines meets seven others.
  const pairs = (n * (n + 1)) / 2 + (n / 8) * 28;
  expect(findings.length + checked.untold).toBe(name === "lines" ? pairs : 2);
});

test("10,000 pairs of lines that race, all at thousands of places in memory", { timeout: 300_000 }, async () => {
  const n = 141;
  const cases = Array.from({ length: n }, (_, k) => `case ${k}u: {\n data[at] += ${k}u;\n}`);
  const shader = `@group(0) @binding(0) var<storage, read_write> data: array<u32>;
    @compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3u) {
      let hash = (id.x ^ (id.x >> 7u)) * 2654435761u;
      let at = (hash >> 3u) % 3000u;
      switch (((hash ^ (hash >> 15u)) * 2246822519u) >> 17u) % ${n}u { ${cases.join("\n")} default: {} }
    }`;
  const before = process.memoryUsage().rss;
  const engine = createWasmEngine(nodeThreads, { workers: 2 });
  const launch = { shader, workgroups: [1536], buffers: { data: "zeros:3000" } };
  const { findings } = await sanitize(launch, { engine, scheduleBudget: 0 });
  engine.close();
  expect(findings).toHaveLength((n * (n + 1)) / 2);
  expect(Math.min(...findings.map(({ count }) => count))).toBeGreaterThan(100);
  expect(taken(before)).toBeLessThan(GIBIBYTE);
});

const racing = (lines: number) => shapeNamed("switch").make({ lines, workgroups: 4096 }).launch;

test("a million invocations, 2,000 lines that race with themselves", { timeout: 300_000 }, async () => {
  const before = process.memoryUsage().rss;
  const engine = createWasmEngine(nodeThreads, { workers: 2 });
  const { findings } = await sanitize(racing(2000), { engine });
  engine.close();
  expect(new Set(findings.map(({ code }) => code))).toEqual(new Set(["race-across-workgroups"]));
  expect(findings).toHaveLength(2000);
  expect(taken(before)).toBeLessThan(GIBIBYTE);
});

test("an access of a module with many has little code of the checkers' own", () => {
  const bytesOf = (count: number) => {
    const module = lowerText(racing(count).shader as string);
    const modules = [
      addShadow(module, ALL_CHECKS),
      addLog(module, [0], { counters: true, bounds: false, states: 64 })!,
    ];
    return modules.map((made) => compileKernel(made.module, { sharedMemory: false }).bytes.length);
  };
  const [few, many] = [bytesOf(200), bytesOf(400)];
  // Of a line, with its two accesses: what stands at each, and calls of the rest.
  for (const [i, bytes] of many.entries()) expect((bytes - few[i]) / 200).toBeLessThan(300);
});
