// What it costs to sanitize: `sanitize` beside `run` on the same engine with the same workers, whole calls, warm.
import { createWasmEngine } from "../dist/engine/wasm-engine/engine.js";
import { makePlan } from "../dist/launch/plan.js";
import { runPlan } from "../dist/launch/run.js";
import { nodeThreads } from "../dist/platform/node/threads.js";
import { sanitizePlan } from "../dist/sanitize/sanitize.js";
import { KERNELS } from "./kernels.mjs";
import { markdown, median, number, ratio } from "./report.mjs";

const WORKERS = 2;
const ROUNDS = 11;
/** A kernel is measured for about so long, in milliseconds. */
const PATIENCE = 4000;
/** Invocations that wgsl_reflect gets. */
const FEW = 512;
const BARRIER = /workgroupBarrier|storageBarrier|workgroupUniformLoad/;

async function timed(action) {
  const start = performance.now();
  const result = await action();
  return { time: performance.now() - start, result };
}

/** Medians of both, taking turns; the first two rounds are for compiling. */
async function measure(engine, plan) {
  const [plain, checked] = [[], []];
  const start = performance.now();
  for (let round = 0; round < ROUNDS && (round < 3 || performance.now() - start < PATIENCE); round++) {
    plain.push(await timed(() => runPlan(plan, { engine })));
    checked.push(await timed(() => sanitizePlan(plan, { engine, timeout: 60 })));
  }
  const times = (list) => median(list.slice(2).map(({ time }) => time));
  const dispatch = (list) => median(list.slice(2).map(({ result }) => result.dispatches[0].milliseconds));
  const { result } = checked.at(-1);
  return {
    run: times(plain),
    sanitize: times(checked),
    dispatch: dispatch(checked) / dispatch(plain),
    findings: result.findings.map(({ code }) => code),
    first: checked[0].time,
  };
}

/** Milliseconds per invocation that `detectRaces` takes; null: it cannot run it. */
async function reflected(plan) {
  const { detectRaces } = await import("wgsl_reflect/wgsl_reflect.module.js");
  const [step] = plan.steps;
  const size = step.module.workgroupSize.reduce((a, b) => a * b, 1);
  const total = step.workgroups.reduce((a, b) => a * b, 1);
  const few = Math.max(1, Math.min(total, Math.round(FEW / size)));
  const groups = {};
  for (const [id, index] of step.bindings) {
    const { group, binding, space } = step.module.roots[id];
    const bytes = plan.memories[plan.buffers[index].memory].bytes.slice();
    groups[group] ??= {};
    groups[group][binding] = space === "uniform" ? { uniform: bytes.buffer } : bytes.buffer;
  }
  // It takes `@workgroup_size(64)` for 6 × 4 invocations.
  const text = step.program.source.text.replace(/@workgroup_size\((\w+)\)/g, "@workgroup_size($1, 1, 1)");
  try {
    const { time } = await timed(() => detectRaces(text, step.entry.name, [few, 1, 1], groups));
    return time / (few * size);
  } catch {
    return null;
  }
}

const CAPTION = `Milliseconds of whole calls, plans made, everything compiled: \`sanitize\` with its usual checks and \`run\`, both on
the wasm engine with ${WORKERS} workers. “dispatch takes”: the engine's part of it alone, pass 1 to plain. “per invocation”: how many
times as long \`detectRaces\` of wgsl_reflect 1.6.0 takes for one invocation, ${FEW} of which it ran; –: it cannot run it.`;

const HEAD = ["kernel", "run", "sanitize", "takes", "dispatch takes", "detectRaces per invocation", "findings"];

export async function sanitizeTable(only = "") {
  const engine = createWasmEngine(nodeThreads, { workers: WORKERS });
  const rows = [];
  const found = [];
  for (const { name, launch } of KERNELS.filter((kernel) => kernel.name.includes(only))) {
    const plan = await makePlan(launch);
    const [step] = plan.steps;
    const invocations = [...step.workgroups, ...step.module.workgroupSize].reduce((a, b) => a * b, 1);
    const { run, sanitize, dispatch, findings } = await measure(engine, plan);
    const other = await reflected(plan);
    const times = other === null ? Number.NaN : other / (sanitize / invocations);
    found.push({ name, takes: sanitize / run, times, barrier: BARRIER.test(step.program.source.text) });
    const codes = [...new Set(findings)].join(", ");
    const cells = [name, number(run), number(sanitize), ratio(sanitize / run), ratio(dispatch), ratio(times), codes];
    rows.push(cells);
    console.error(cells.join("  "));
  }
  engine.close();
  return `${CAPTION}\n\n${markdown(HEAD, rows)}\n\n${summary(found)}`;
}

function summary(found) {
  const examples = found.filter(({ name }) => name.startsWith("example"));
  const most = (list) => Math.max(...list.map(({ takes }) => takes));
  const barriers = examples.filter(({ barrier }) => barrier);
  const least = Math.min(...found.map(({ times }) => times).filter(Number.isFinite));
  return [
    `Examples: median ${ratio(median(examples.map(({ takes }) => takes)))}, most ${ratio(most(examples))}, `,
    `those with barriers at most ${ratio(most(barriers))}. \`detectRaces\` takes at least ${ratio(least)}.`,
  ].join("");
}
