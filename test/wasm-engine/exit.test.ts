/** A process that has used the wasm engine exits by itself, and not before its dispatches have ended. */
import { spawnSync } from "node:child_process";
import { beforeAll, expect, test } from "vitest";
import { root } from "../house/tree.ts";
import { compileSources } from "../support/compiled.ts";

beforeAll(compileSources, 60_000);

const PRELUDE = `
import { analyze } from "./dist/analysis/analyze.js";
import { evaluateOverrides } from "./dist/analysis/overrides.js";
import { createWasmEngine } from "./dist/engine/wasm-engine/engine.js";
import { lower } from "./dist/ir/lower.js";
import { nodeThreads } from "./dist/platform/node/threads.js";
import { Source } from "./dist/text/source.js";
const engine = createWasmEngine(nodeThreads, { workers: 2 });
const v = engine.allocate(4);
function dispatch(text, more) {
  const program = analyze(new Source("@group(0) @binding(0) var<storage, read_write> v: atomic<u32>;" + text));
  const { module } = lower(program, "main", evaluateOverrides(program, {}).values);
  const bindings = new Map([[0, { memory: v, offset: 0, size: 4 }]]);
  return engine.dispatch({ module, workgroups: [5000, 1, 1], bindings, ...more });
}
const ADD = "@compute @workgroup_size(64) fn main() { atomicAdd(&v, 1u); }";
const SPIN = "@compute @workgroup_size(64) fn main() { while (atomicLoad(&v) == 0u) {} }";
`;

function runs(script: string): {
  readonly output: string;
  /** null: it had to be killed. */
  readonly code: number | null;
} {
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--input-type=module", "--eval", PRELUDE + script], {
    cwd: root,
    encoding: "utf8",
    timeout: 50_000,
  });
  return { output: stdout + stderr, code: status };
}

test("with idle workers", () => {
  const { output, code } = runs(
    `console.log((await dispatch(ADD)).engine, new Uint32Array(v.bytes.slice().buffer)[0]);`,
  );
  expect({ output, code }).toEqual({ output: "wasm 320000\n", code: 0 });
});

test("with a dispatch that nobody awaits", () => {
  const { output, code } = runs(`dispatch(ADD).then(({ status }) => console.log(status));`);
  expect({ output, code }).toEqual({ output: "ok\n", code: 0 });
});

test("after a timeout", () => {
  const { output, code } = runs(`console.log((await dispatch(SPIN, { timeout: 200 })).status);`);
  expect({ output, code }).toEqual({ output: "timeout\n", code: 0 });
});

test("at once where it is told to, workers at work or not", () => {
  const { code } = runs(`dispatch(SPIN, { timeout: 60_000 }); setTimeout(() => process.exit(3), 300);`);
  expect(code).toBe(3);
});
