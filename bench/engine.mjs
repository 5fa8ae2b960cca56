// What the wasm engine costs, beside others that run the same kernels on the CPU.
//
//   node bench/engine.mjs [--only TEXT] [--runs N] [--without dawn,reflect,native] [--scale] [--write]
//
// The rows are kernels (`kernels.mjs`); times are those of the fastest dispatch, which what else the machine does hinders
// least, the engines taking turns. `--scale` runs one kernel at 2^16 to 2^26 invocations. `--write` puts the tables into
// docs/benchmarks.md. Build first: `npm run build`.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createWasmEngine } from "../dist/engine/wasm-engine/engine.js";
import { makePlan } from "../dist/launch/plan.js";
import { nodeThreads } from "../dist/platform/node/threads.js";
import { KERNELS } from "./kernels.mjs";
import { markdown, median, number, ratio, writeTable } from "./report.mjs";

const CHROMIUM = "/usr/lib/chromium";
/** A kernel is run for about so long by each engine, in milliseconds. */
const PATIENCE = 1500;
/** For so many milliseconds each engine runs a kernel before it is measured: everybody compiles what is worth it. */
const WARM_UP = 150;
/** What takes so long is run once. */
const HOPELESS = 5000;

const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    runs: { type: "string", default: "40" },
    without: { type: "string", default: "" },
    scale: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const without = new Set(options.without.split(","));
const runs = Number(options.runs);

/** Milliseconds by the clock. */
async function timed(action) {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

/** Milliseconds until threads that have nothing to do are asleep. */
const FALL_ASLEEP = 3;

/**
 * Milliseconds of all processors for this process, with those that the question itself takes (`timeOfNothing`). What
 * threads that still run have used is not counted at once: so it is asked for when they are asleep.
 */
async function processorTime(action) {
  const before = process.cpuUsage();
  await action();
  await sleep(FALL_ASLEEP);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Of a timer and of asking: as long as a small dispatch. */
async function timeOfNothing() {
  const times = [];
  for (let i = 0; i < runs; i++) times.push(await processorTime(async () => {}));
  return median(times);
}

// ---------------------------------------------------------------- what runs a kernel

/**
 * Each: `{ name, open(plan) → { reset(), run(), close(), share? } }`; `open` may throw: it cannot run this kernel. `reset` brings
 * back what the buffers held that can be written; `share`: what part of the dispatch `run` does.
 */
function halay(workers) {
  const engine = createWasmEngine(nodeThreads, { workers });
  return {
    name: `halay, ${workers} worker${workers > 1 ? "s" : ""}`,
    async open(plan) {
      const memories = plan.memories.map(({ bytes }) => engine.allocate(bytes));
      const [{ module, workgroups, bindings }] = plan.steps;
      const bound = [...bindings].map(([root, index]) => {
        const memory = memories[plan.buffers[index].memory];
        return [root, { memory, offset: 0, size: memory.size }];
      });
      const request = { module, workgroups, bindings: new Map(bound), timeout: 60_000 };
      return {
        reset() {
          for (const { memory, writable } of plan.buffers) {
            if (writable) memories[memory].bytes.set(plan.memories[memory].bytes);
          }
        },
        async run() {
          const { status, engine: ran } = await engine.dispatch(request);
          if (status !== "ok" || ran !== "wasm") throw new Error(`${status} on ${ran}`);
        },
        close() {
          for (const memory of memories) engine.release(memory);
        },
      };
    },
  };
}

async function dawn() {
  const { create, globals } = await import("webgpu");
  const { GPUBufferUsage: usage } = globals;
  const gpu = create(["adapter=SwiftShader"]);
  const adapter = await gpu.requestAdapter();
  if (adapter === null) throw new Error("no SwiftShader");
  const device = await adapter.requestDevice({
    requiredLimits: { maxComputeInvocationsPerWorkgroup: adapter.limits.maxComputeInvocationsPerWorkgroup },
  });
  return {
    name: "SwiftShader",
    // A GPU object that was collected takes the process with it.
    gpu,
    async open(plan) {
      const [step] = plan.steps;
      device.pushErrorScope("validation");
      const module = device.createShaderModule({ code: step.program.source.text });
      const compute = { module, entryPoint: step.entry.name };
      const pipeline = await device.createComputePipelineAsync({ layout: "auto", compute });
      const groups = new Map();
      const buffers = [...step.bindings].map(([id, index]) => {
        const { bytes } = plan.memories[plan.buffers[index].memory];
        const { group, binding, space } = step.module.roots[id];
        const kind = space === "uniform" ? usage.UNIFORM : usage.STORAGE;
        const buffer = device.createBuffer({ size: bytes.length, usage: kind | usage.COPY_DST });
        groups.set(group, [...(groups.get(group) ?? []), { binding, resource: { buffer } }]);
        device.queue.writeBuffer(buffer, 0, bytes);
        return { buffer, bytes, writable: plan.buffers[index].writable };
      });
      const bindGroups = [...groups].map(([group, entries]) => [
        group,
        device.createBindGroup({ layout: pipeline.getBindGroupLayout(group), entries }),
      ]);
      const error = await device.popErrorScope();
      if (error) throw new Error(error.message);
      return {
        async reset() {
          for (const { buffer, bytes, writable } of buffers) {
            if (writable) device.queue.writeBuffer(buffer, 0, bytes);
          }
          await device.queue.onSubmittedWorkDone();
        },
        async run() {
          const encoder = device.createCommandEncoder();
          const pass = encoder.beginComputePass();
          pass.setPipeline(pipeline);
          for (const [group, bindGroup] of bindGroups) pass.setBindGroup(group, bindGroup);
          pass.dispatchWorkgroups(...step.workgroups);
          pass.end();
          device.queue.submit([encoder.finish()]);
          await device.queue.onSubmittedWorkDone();
        },
        close() {
          for (const { buffer } of buffers) buffer.destroy();
        },
      };
    },
  };
}

/** Without what it logs, a line for each atomic. */
function quietly(action) {
  const { log, error } = console;
  console.log = console.error = () => {};
  try {
    action();
  } finally {
    Object.assign(console, { log, error });
  }
}

/** Runs a few workgroups only. What it leaves in the buffers stays there: they are its own. */
async function reflect() {
  const { WgslExec } = await import("wgsl_reflect/wgsl_reflect.module.js");
  const { bindGroups, reflectTree } = await import("./reflect.mjs");
  return {
    name: "wgsl_reflect",
    async open(plan) {
      const [step] = plan.steps;
      const exec = new WgslExec(reflectTree(step.program.source.text));
      const groups = bindGroups(plan, step);
      const total = step.workgroups.reduce((product, n) => product * n, 1);
      const few = Math.max(1, Math.min(total, Math.round(512 / step.module.workgroupSize.reduce((a, b) => a * b, 1))));
      return {
        share: few / total,
        reset: () => {},
        run: async () => quietly(() => exec.dispatchWorkgroups(step.entry.name, [few, 1, 1], groups, {})),
        close: () => {},
      };
    },
  };
}

// ---------------------------------------------------------------- one kernel

async function measure(engines, kernel) {
  const plan = await makePlan(kernel.launch);
  if (plan.report.hasErrors) throw new Error(plan.report.items.map(({ message }) => message).join("; "));
  const opened = [];
  for (const engine of engines) {
    const entry = { engine, times: [], cpu: [], error: null, session: null };
    opened.push(entry);
    try {
      entry.session = await engine.open(plan);
      await entry.session.reset();
      entry.slow = await timed(entry.session.run);
    } catch (error) {
      entry.error = String(error.message ?? error).split("\n")[0];
    }
  }
  const live = opened.filter(({ error }) => error === null);
  for (const entry of live) {
    entry.runs = Math.max(3, Math.min(runs, Math.round(PATIENCE / entry.slow)));
    // A few workgroups, scaled, are an estimate in any case.
    if (entry.session.share !== undefined) entry.runs = 1;
    if (entry.slow < HOPELESS) continue;
    entry.runs = 0;
    entry.times.push(entry.slow);
  }
  const run = async (entry, measured = timed) => {
    try {
      await entry.session.reset();
      return await measured(entry.session.run);
    } catch (error) {
      entry.error = String(error.message ?? error).split("\n")[0];
      entry.runs = 0;
      return Infinity;
    }
  };
  for (const entry of live) {
    if (entry.slow > PATIENCE / 3 || entry.session.share !== undefined) continue;
    const end = performance.now() + WARM_UP;
    for (let i = 0; entry.runs > 0 && (i < 3 || (performance.now() < end && i < 400)); i++) await run(entry);
  }
  for (let i = 0; i < runs; i++) {
    for (const entry of live) {
      if (i >= entry.runs) continue;
      entry.times.push((await run(entry)) / (entry.session.share ?? 1));
    }
  }
  // Not in turns: threads of another engine that are not yet asleep would count, and C has its caches to itself too.
  await sleep(FALL_ASLEEP);
  const nothing = await timeOfNothing();
  for (const entry of live) {
    for (let i = 0; i < entry.runs; i++) entry.cpu.push((await run(entry, processorTime)) - nothing);
  }
  for (const { session } of opened) session?.close();
  for (const { engine, error } of opened) if (error !== null) console.error(`  ${engine.name}: ${error}`);
  return opened.map(({ times, cpu, error }) => {
    return error === null ? { elapsed: Math.min(...times), cpu: median(cpu) } : null;
  });
}

function nativeTimes() {
  if (without.has("native") || spawnSync("cc", ["--version"]).status !== 0) return () => null;
  const folder = mkdtempSync(join(tmpdir(), "halay-bench-"));
  const program = join(folder, "kernels");
  const source = fileURLToPath(new URL("native/kernels.c", import.meta.url));
  execFileSync("cc", ["-O3", "-o", program, source]);
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return (name) => Number(execFileSync(program, [name, String(runs)], { encoding: "utf8" }).split(" ")[0]);
}

// ---------------------------------------------------------------- tables

function row(kernel, items, times, native) {
  const [one, two, swift, reflected] = times.map((time) => time?.elapsed ?? Number.NaN);
  const ns = (time) => number((time * 1e6) / items);
  const fastest = Math.min(...[one, two].filter((time) => !Number.isNaN(time)));
  const [cpu, swiftCpu] = [times[0]?.cpu ?? Number.NaN, times[2]?.cpu ?? Number.NaN];
  return [
    kernel.name,
    ns(one),
    ns(two),
    ns(swift),
    ratio(swift / fastest),
    ns(reflected),
    ratio(reflected / fastest),
    ns(cpu),
    ratio(swiftCpu / cpu),
    ns(native ?? Number.NaN),
    ratio(cpu / (native ?? Number.NaN)),
  ];
}

const ENGINE_CAPTION = `Nanoseconds per invocation (of two-level-histogram: per value), the fastest of up to ${runs} whole dispatches, calls and
waiting included; halay with one and with two workers. SwiftShader is run by Dawn; wgsl_reflect ran 512 invocations, scaled.
“takes”: times as long as the faster of the two columns of halay. Then CPU time, of all threads together, of halay with one
worker, medians of as many runs in a row, less what the measuring takes, which what else the machine does changes little: how much
of it SwiftShader takes, and how much of C’s, in a row too, halay takes.
–: it cannot run it.`;

const HEAD = [
  "kernel",
  "halay 1",
  "halay 2",
  "SwiftShader",
  "takes",
  "wgsl_reflect",
  "takes",
  "CPU, halay 1",
  "SwiftShader takes",
  "C -O3",
  "halay 1 takes",
];

async function kernelTable() {
  const engines = [halay(1), halay(2)];
  if (!without.has("dawn")) engines.push(await dawn());
  if (!without.has("reflect")) engines.push(await reflect());
  const native = nativeTimes();
  const rows = [];
  for (const kernel of KERNELS.filter(({ name }) => name.includes(options.only))) {
    const items = kernel.items ?? (await invocationsOf(kernel));
    const times = await measure(engines, kernel);
    const cells = row(kernel, items, times, kernel.native === undefined ? null : native(kernel.native));
    rows.push(cells);
    console.error(cells.join("  "));
  }
  return `${ENGINE_CAPTION}\n\n${markdown(HEAD, rows)}`;
}

async function invocationsOf({ launch }) {
  const { steps } = await makePlan(launch);
  return [...steps[0].workgroups, ...steps[0].module.workgroupSize].reduce((product, n) => product * n, 1);
}

/** Milliseconds of the fastest dispatch, and of the processor for a dispatch: the former is what others on the machine hinder least. */
async function scaled(engine, launch) {
  const session = await engine.open(await makePlan(launch));
  // The first ones compile.
  for (let i = 0; i < 4; i++) await session.run();
  const elapsed = [];
  const cpu = await processorTime(async () => {
    const end = performance.now() + PATIENCE;
    // Nothing is brought back between two runs: that would take the buffer into the cache of another core.
    while (elapsed.length < 4 || performance.now() < end) elapsed.push(await timed(session.run));
  });
  session.close();
  return [Math.min(...elapsed), cpu / elapsed.length];
}

/** Cost of one kernel from 2^16 to 2^26 invocations. */
async function scaleTable() {
  const engines = [halay(1), halay(2)];
  const shader = `@group(0) @binding(0) var<storage, read_write> values: array<u32>;
@compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) n: vec3u) {
  let i = id.y * n.x * 256u + id.x;
  var x = i * 747796405u + 2891336453u;
  for (var k = 0; k < 8; k++) { x = ((x >> ((x >> 28u) + 4u)) ^ x) * 277803737u; }
  values[i] = x;
}`;
  const rows = [];
  for (let power = 16; power <= 26; power++) {
    const workgroups = 2 ** (power - 8);
    const launch = {
      shader,
      workgroups: workgroups > 32768 ? [32768, workgroups / 32768] : [workgroups],
      buffers: { values: `zeros:${2 ** power}` },
    };
    const times = [];
    for (const engine of engines) times.push(...(await scaled(engine, launch)));
    const cells = [`2^${power}`, ...times.map((time) => number((time * 1e6) / 2 ** power))];
    rows.push(cells);
    console.error(cells.join("  "));
  }
  const head = ["invocations", "halay 1", "its CPU time", "halay 2", "its CPU time"];
  return `Nanoseconds per invocation of one kernel, by size of the dispatch: the fastest dispatch, and CPU time (all threads, of all dispatches on the average).\n\n${markdown(head, rows)}`;
}

/** The dynamic loader reads its path once, when a process starts: a second process starts with the right one. */
function restartWithDriver() {
  const driver = { VK_DRIVER_FILES: join(CHROMIUM, "vk_swiftshader_icd.json"), LD_LIBRARY_PATH: CHROMIUM };
  const env = { XDG_RUNTIME_DIR: "/tmp", ...process.env, ...driver };
  return spawnSync(process.execPath, process.argv.slice(1), { env, stdio: "inherit" }).status ?? 2;
}

if (!options.scale && !without.has("dawn") && !process.env.VK_DRIVER_FILES) process.exit(restartWithDriver());
const [name, table] = options.scale ? ["scale", await scaleTable()] : ["engine", await kernelTable()];
console.log(`\n${table}\n`);
if (options.write) writeTable(name, table);
// Dawn's threads would keep the process alive.
process.exit(0);
