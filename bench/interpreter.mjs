// Invocations per second of the interpreter, beside the other interpreters and engines in TypeScript: wgsl_reflect's
// WgslExec, and our own WebAssembly. An engine is a column: `{ name, open(plan) → { run(), results(), close() } }`.
import { readFileSync } from "node:fs";
import { WgslExec } from "wgsl_reflect/wgsl_reflect.module.js";
import { createInterpreter } from "../dist/engine/interpreter.js";
import { createWasmEngine } from "../dist/engine/wasm-engine/engine.js";
import { makePlan } from "../dist/launch/plan.js";
import { nodeThreads } from "../dist/platform/node/threads.js";
import { reflectTree } from "./reflect.mjs";
import { markdown, number, ratio, takingTurns } from "./report.mjs";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");

/** Small: the slowest of the engines takes some 10 µs for an invocation. */
const COUNT = 2 ** 13;

const KERNELS = [
  {
    name: "histogram",
    launch: {
      shader: read("../examples/histogram.wgsl"),
      entry: "histogram",
      workgroups: [COUNT / 64],
      buffers: { values: `random:${COUNT}` },
    },
  },
  {
    name: "saxpy",
    launch: {
      shader: read("kernels/saxpy.wgsl"),
      workgroups: [COUNT / 64],
      buffers: { x: `iota:${COUNT}`, y: `iota:${COUNT}` },
    },
  },
  {
    name: "block sum",
    launch: {
      shader: read("../examples/block-sum.wgsl"),
      entry: "sum_blocks",
      workgroups: [COUNT / 256],
      buffers: { values: `random:${COUNT}:min=0:max=9`, sums: `zeros:${COUNT / 256}` },
    },
  },
  {
    name: "blur",
    launch: {
      shader: read("kernels/blur.wgsl"),
      workgroups: [8, 4],
      buffers: { source: `iota:${COUNT}`, blurred: `zeros:${COUNT}` },
    },
  },
];

/** An engine of ours. */
function halay(name, engine) {
  const open = (plan) => {
    const memories = plan.memories.map(({ bytes }) => engine.allocate(bytes));
    const [{ module, workgroups, bindings }] = plan.steps;
    const bound = [...bindings].map(([root, index]) => {
      const memory = memories[plan.buffers[index].memory];
      return [root, { memory, offset: 0, size: memory.size }];
    });
    const request = { module, workgroups, bindings: new Map(bound), timeout: 60_000 };
    return {
      run: async () => {
        for (const [i, { bytes }] of plan.memories.entries()) memories[i].bytes.set(bytes);
        const { status } = await engine.dispatch(request);
        if (status !== "ok") throw new Error(status);
      },
      results: () => memories.map(({ bytes }) => Buffer.from(bytes).toString("base64")),
      close: () => {
        for (const memory of memories) engine.release(memory);
      },
    };
  };
  return { name, open };
}

function reflect() {
  const open = (plan) => {
    const [step] = plan.steps;
    const ast = reflectTree(step.program.source.text);
    let memories = [];
    const run = () => {
      memories = plan.memories.map(({ bytes }) => bytes.slice());
      const groups = {};
      for (const [id, index] of step.bindings) {
        const { group, binding, space } = step.module.roots[id];
        const bytes = memories[plan.buffers[index].memory].buffer;
        groups[group] ??= {};
        groups[group][binding] = space === "uniform" ? { uniform: bytes } : bytes;
      }
      new WgslExec(ast).dispatchWorkgroups(step.entry.name, [...step.workgroups], groups, {});
    };
    return { run, results: () => memories.map((bytes) => Buffer.from(bytes).toString("base64")), close: () => {} };
  };
  return { name: "wgsl_reflect", open };
}

/** One that cannot read the shader fails when it is run. */
function openOrFail(open, plan) {
  try {
    return open(plan);
  } catch (error) {
    const run = () => {
      throw error;
    };
    return { run, results: () => [], close: () => {} };
  }
}

const sameBytes = (a, b) => a.join() === b.join();

/** Times of all engines on one kernel, and whether they give what the first one gives. */
async function measure(engines, { launch }) {
  const plan = await makePlan(launch);
  if (plan.report.hasErrors) throw new Error(plan.report.items.map(({ message }) => message).join("; "));
  const sessions = engines.map(({ open }) => openOrFail(open, plan));
  const times = await takingTurns(
    sessions.map(({ run }) => run),
    { rounds: 7, warmUp: 2 },
  );
  const [{ module, workgroups }] = plan.steps;
  const invocations = [...workgroups, ...module.workgroupSize].reduce((product, n) => product * n, 1);
  const expected = sessions[0].results();
  const isRight = sessions.map((session, i) => times[i].error === null && sameBytes(session.results(), expected));
  for (const session of sessions) session.close();
  return { invocations, times, isRight };
}

export async function interpreterTable() {
  const engines = [
    halay("interpreter", createInterpreter()),
    reflect(),
    halay("WebAssembly, 1 worker", createWasmEngine(nodeThreads, { workers: 1 })),
  ];
  const head = ["kernel", "invocations", `${engines[0].name}: invocations/s`];
  for (const { name } of engines.slice(1)) head.push(`${name}: invocations/s`, "of the interpreter's");
  const rows = [];
  for (const kernel of KERNELS) {
    const { invocations, times, isRight } = await measure(engines, kernel);
    const cells = times.flatMap(({ milliseconds, error }, i) => {
      if (error !== null) console.log(`  ${kernel.name}: ${engines[i].name}: ${error}`);
      if (error !== null) return ["–", "–"];
      const wrong = isRight[i] ? "" : " (wrong result)";
      const speed = `${number((invocations * 1000) / milliseconds)}${wrong}`;
      return i === 0 ? [speed] : [speed, ratio(times[0].milliseconds / milliseconds)];
    });
    rows.push([kernel.name, String(invocations), ...cells]);
    console.log(rows.at(-1).join("  "));
  }
  return markdown(head, rows);
}
