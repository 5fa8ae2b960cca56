// What it costs to sanitize: `sanitize` beside `run` on the same engine with the same workers, whole calls, warm.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createWasmEngine } from "../dist/engine/wasm-engine/engine.js";
import { makePlan } from "../dist/launch/plan.js";
import { runPlan } from "../dist/launch/run.js";
import { nodeThreads } from "../dist/platform/node/threads.js";
import { sanitizePlan } from "../dist/sanitize/sanitize.js";
import { KERNELS } from "./kernels.mjs";
import { markdown, median, number, ratio } from "./report.mjs";

const WORKERS = 2;
const ROUNDS = 9;
/** A kernel is measured for about so long, in milliseconds. */
const PATIENCE = 2500;
/** Invocations that wgsl_reflect gets, about, and milliseconds that it may take for them. */
const FEW = 64;
const LONGEST = 10_000;
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

/** Milliseconds per invocation that `detectRaces` takes, at least; null: it cannot run it. It may take very long. */
function reflected(name, few) {
  const script = fileURLToPath(new URL("detect-races.mjs", import.meta.url));
  const args = [script, name, String(few)];
  const { status, stdout, error } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: LONGEST });
  if (error?.code === "ETIMEDOUT") return { time: LONGEST / few, isLeast: true };
  return status === 0 ? { time: Number(stdout) / few, isLeast: false } : null;
}

const CAPTION = `Milliseconds of whole calls, plans made, everything compiled: \`sanitize\` with its usual checks and \`run\`, both on
the wasm engine with ${WORKERS} workers. “dispatch takes”: the engine's part of it alone, pass 1 to plain. “per invocation”: how many
times as long \`detectRaces\` of wgsl_reflect 1.6.0 takes for one invocation, of which it ran about ${FEW}, for ${LONGEST / 1000} s at most;
–: it cannot run it.`;

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
    const size = step.module.workgroupSize.reduce((a, b) => a * b, 1);
    const other = reflected(name, Math.max(1, Math.round(FEW / size)) * size);
    const times = other === null ? Number.NaN : other.time / (sanitize / invocations);
    found.push({ name, takes: sanitize / run, times, barrier: BARRIER.test(step.program.source.text) });
    const codes = [...new Set(findings)].join(", ");
    const cells = [
      name,
      number(run),
      number(sanitize),
      ratio(sanitize / run),
      ratio(dispatch),
      (other?.isLeast ? "> " : "") + ratio(times),
      codes,
    ];
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
