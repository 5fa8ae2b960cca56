/** A thousand lines of which each has a finding of its own, in shapes of code: all are told, and within their memory. */
import { expect, test } from "vitest";
import { createWasmEngine } from "../../src/engine/wasm-engine/engine.ts";
import { nodeThreads } from "../../src/platform/node/threads.ts";
import { sanitize } from "../../src/sanitize/sanitize.ts";
import { shapeNamed } from "../support/conflict-shapes.ts";

const GIBIBYTE = 2 ** 30;
const SIZE = { lines: 1000, workgroups: 24 };

test.each([
  "statements",
  "ifs",
  "barriers between ifs",
  "underflow",
  "stores out of bounds",
  "needless barriers",
  "needed barriers",
  "counted barriers",
  "needless atomics",
])("%s", { timeout: 300_000 }, async (name) => {
  const { launch, checks, findings: expected } = shapeNamed(name).make(SIZE);
  const before = process.memoryUsage().rss;
  const engine = createWasmEngine(nodeThreads, { workers: 2 });
  const { findings } = await sanitize(launch, { engine, scheduleBudget: 0, ...(checks && { checks }) });
  engine.close();
  for (const [code, count] of Object.entries(expected)) {
    expect(findings.filter((each) => each.code === code)).toHaveLength(count);
  }
  expect(process.resourceUsage().maxRSS * 1024 - before).toBeLessThan(GIBIBYTE);
});
