/** Many conflicts in one launch: they are folded and counted, and what is kept of them does not grow without end. */
import { expect, test } from "vitest";
import { sanitize } from "../../src/sanitize/sanitize.ts";

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
