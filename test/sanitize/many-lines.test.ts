/** A thousand lines of which each has a finding of its own, in shapes of code: all are told, and within their memory. */
import { expect, test } from "vitest";
import { createWasmEngine } from "../../src/engine/wasm-engine/engine.ts";
import { nodeThreads } from "../../src/platform/node/threads.ts";
import { sanitize } from "../../src/sanitize/sanitize.ts";

const GIBIBYTE = 2 ** 30;
const LINES = 1000;

const lines = (line: (c: number) => string): string => Array.from({ length: LINES }, (_, c) => line(c)).join("\n");
const kernel = (type: string, body: string): string => `
  @group(0) @binding(0) var<storage, read_write> data: array<${type}>;
  @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = (id.x / 3u) % ${LINES}u;
    ${body}
  }`;

const SHAPES: Readonly<Record<string, { readonly shader: string; readonly code: string }>> = {
  "statements one after another": {
    shader: kernel("u32", `if (id.x % 64u == 3u) { ${lines((c) => `data[${c}] = id.x;`)} }`),
    code: "race-across-workgroups",
  },
  "an if for each": {
    shader: kernel(
      "u32",
      lines((c) => `if (n == ${c}u) { data[${c}] += 1u; }`),
    ),
    code: "race-across-workgroups",
  },
  "counters that wrap": {
    shader: kernel(
      "atomic<u32>",
      lines((c) => `if (n == ${c}u) { atomicSub(&data[${c}], 1u); }`),
    ),
    code: "counter-underflow",
  },
  "indices out of bounds": {
    shader: kernel(
      "u32",
      lines((c) => `if (n == ${c}u) { data[${LINES + c}u + n] = id.x; }`),
    ),
    code: "out-of-bounds",
  },
};

test.each(Object.keys(SHAPES))("%s", { timeout: 300_000 }, async (name) => {
  const { shader, code } = SHAPES[name];
  const before = process.memoryUsage().rss;
  const engine = createWasmEngine(nodeThreads, { workers: 2 });
  const launch = { shader, workgroups: [96], buffers: { data: `zeros:${LINES}` } };
  const { findings } = await sanitize(launch, { engine, scheduleBudget: 0 });
  engine.close();
  expect(findings.filter((each) => each.code === code)).toHaveLength(LINES);
  expect(process.resourceUsage().maxRSS * 1024 - before).toBeLessThan(GIBIBYTE);
});
