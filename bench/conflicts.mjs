// What the sanitizer takes on large launches with many conflicts, each shape of code in a process of its own. As a program
// (`node bench/conflicts.mjs < LAUNCH`) it is one such process and prints what it took.
import { spawnSync } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";
import { createWasmEngine } from "../dist/engine/wasm-engine/engine.js";
import { collectEarly } from "../dist/platform/node/heap.js";
import { nodeThreads } from "../dist/platform/node/threads.js";
import { sanitize } from "../dist/sanitize/sanitize.js";
import { markdown, number } from "./report.mjs";

const WORKERS = 2;
const SIZE = { lines: 10_000, workgroups: 4096 };
const GIBIBYTE = 2 ** 30;
/** Milliseconds for one shape. */
const LONGEST = 600_000;

const CAPTION = `Launches of ${SIZE.workgroups} workgroups of 256 with ${number(SIZE.lines)} lines, or as many as the shape says, that each have a finding; the
wasm engine with ${WORKERS} workers. Of a process of its own that collects as \`halay sanitize\` does: the most memory that it had, and CPU time of all its threads.`;
const HEAD = ["shape", "what", "MB at most", "CPU seconds", "findings"];

/** The table, and what is wrong with it: a shape that takes too much, or with other findings than it must have. */
export async function conflictsTable(only = []) {
  const { module } = await runnerImport(fileURLToPath(new URL("../test/support/conflict-shapes.ts", import.meta.url)));
  const names = module.SHAPES.map(({ name }) => name);
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new RangeError(`no shape ${unknown.join(", ")}: there are ${names.join(", ")}`);
  const rows = [];
  const problems = [];
  for (const { name, about, make } of module.SHAPES.filter((shape) => only.length === 0 || only.includes(shape.name))) {
    const { findings, ...job } = make(SIZE);
    const took = inProcess(job);
    const wrong = problemWith(took, findings);
    if (wrong !== null) problems.push(`${name}: ${wrong}`);
    const told =
      took.error ??
      Object.entries(took.findings)
        .map(([code, count]) => `${count} ${code}`)
        .join(", ");
    rows.push([name, about, number(took.bytes / 1e6), number(took.seconds), told]);
    console.error([...rows.at(-1), ...(wrong === null ? [] : [`WRONG: ${wrong}`])].join("  "));
  }
  return { table: `${CAPTION}\n\n${markdown(HEAD, rows)}`, problems };
}

function problemWith({ error, bytes, findings }, expected) {
  if (error !== null) return error;
  if (bytes > GIBIBYTE) return `takes ${number(bytes / 1e6)} MB`;
  const told = (counts) => JSON.stringify(Object.entries(counts).toSorted());
  return told(findings) === told(expected) ? null : `findings are ${told(findings)} and not ${told(expected)}`;
}

function inProcess(job) {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [fileURLToPath(import.meta.url)], {
    input: JSON.stringify(job),
    encoding: "utf8",
    timeout: LONGEST,
    killSignal: "SIGKILL",
  });
  if (status === 0) return { error: null, ...JSON.parse(stdout) };
  const why =
    error?.code === "ETIMEDOUT"
      ? `does not end in ${LONGEST / 60_000} minutes`
      : stderr.split("\n").find((line) => /error/i.test(line));
  return { error: why ?? `ends with ${status}`, bytes: Number.NaN, seconds: Number.NaN, findings: {} };
}

async function main() {
  collectEarly();
  const { launch, checks } = JSON.parse(await text(process.stdin));
  const engine = createWasmEngine(nodeThreads, { workers: WORKERS });
  const { findings, checked, diagnostics } = await sanitize(launch, {
    engine,
    checks,
    dispatchTimeout: LONGEST / 1000,
  });
  const counts = {};
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  for (const { code } of [...findings, ...errors]) counts[code] = (counts[code] ?? 0) + 1;
  if (checked.untold > 0) counts.untold = checked.untold;
  const { user, system } = process.cpuUsage();
  const result = { bytes: process.resourceUsage().maxRSS * 1024, seconds: (user + system) / 1e6, findings: counts };
  console.log(JSON.stringify(result));
  engine.close();
}

const [, script] = process.argv;
if (script === fileURLToPath(import.meta.url)) await main();
