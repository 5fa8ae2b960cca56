/** Runs kernels as a page does that uses the package: compiled sources, bundled by vite. */
import { analyze } from "../../../dist/analysis/analyze.js";
import { evaluateOverrides } from "../../../dist/analysis/overrides.js";
import { run } from "../../../dist/browser.js";
import { createWasmEngine } from "../../../dist/engine/wasm-engine/engine.js";
import { lower } from "../../../dist/ir/lower.js";
import { browserThreads } from "../../../dist/platform/browser/threads.js";
import { Source } from "../../../dist/text/source.js";

const HISTOGRAM = `
@group(0) @binding(0) var<storage> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>, 16>;
var<workgroup> local: array<atomic<u32>, 16>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) index: u32) {
  if (index < 16u) { atomicStore(&local[index], 0u); }
  workgroupBarrier();
  if (id.x < arrayLength(&values)) { atomicAdd(&local[values[id.x] % 16u], 1u); }
  workgroupBarrier();
  if (index < 16u) { atomicAdd(&bins[index], atomicLoad(&local[index])); }
}`;
const ENDLESS = `
@group(0) @binding(0) var<storage, read_write> flag: atomic<u32>;
@compute @workgroup_size(1) fn main() { while (atomicLoad(&flag) == 0u) {} }`;

function moduleOf(text) {
  const program = analyze(new Source(text));
  return lower(program, "main", evaluateOverrides(program, {}).values).module;
}

function request(text, memories, workgroups, more) {
  const module = moduleOf(text);
  const bindings = module.roots.filter(({ binding }) => binding !== null);
  const bound = bindings.map((root) => [
    root.id,
    { memory: memories[root.binding], offset: 0, size: memories[root.binding].size },
  ]);
  return { module, workgroups: [workgroups, 1, 1], bindings: new Map(bound), ...more };
}

async function histogram(engine) {
  const values = Uint32Array.from({ length: 1000 }, (_, i) => i * i);
  const memories = [engine.allocate(new Uint8Array(values.buffer)), engine.allocate(64)];
  const result = await engine.dispatch(request(HISTOGRAM, memories, 16));
  const { bytes } = memories[1];
  const bins = [...new Uint32Array(bytes.buffer, bytes.byteOffset, 16)];
  const expected = new Array(16).fill(0);
  for (const value of values) expected[value % 16]++;
  return { status: result.status, engine: result.engine, notes: result.notes, bins, expected };
}

async function endless(engine) {
  const memories = [engine.allocate(4)];
  const { status, timeout } = await engine.dispatch(request(ENDLESS, memories, 1, { timeout: 300 }));
  // The page goes on meanwhile: it ends another one itself, long before the watchdog would.
  const stop = new AbortController();
  const another = request(ENDLESS, memories, 1, { timeout: 20_000, signal: stop.signal });
  const end = engine.dispatch(another).then(
    (result) => result.status,
    (error) => error.message,
  );
  for (let ticks = 0; ticks < 5; ticks++) await new Promise((resolve) => setTimeout(resolve, 5));
  stop.abort(new Error("enough"));
  return { status, reason: timeout?.reason, another: await end };
}

globalThis.report = (async () => {
  const engine = createWasmEngine(browserThreads);
  const before = await histogram(engine);
  const stuck = await endless(engine);
  const after = await histogram(engine);
  const values = { u32: Array.from({ length: 1000 }, (_, i) => i) };
  const { ok, buffers } = await run({
    shader: HISTOGRAM,
    workgroups: 16,
    buffers: { values },
    expect: { bins: { values: new Array(16).fill(62) } },
  });
  return { isolated: globalThis.crossOriginIsolated, before, stuck, after, launch: { ok, bins: buffers.bins.values } };
})();
