// Runs the WebGPU conformance suite on halay/gpu and prints the table of docs/conformance.md.
//
//   node tools/conformance/run.mjs --cts DIR [PREFIX…] [--all] [--max-per-file N] [--failures FILE]
//                                  [--stall SECONDS] [--gpu halay|interpreter|dawn]
//
// DIR is a checkout of https://github.com/gpuweb/cts; its sources are read where they are, nothing of it is copied. PREFIX
// (`api,validation,buffer`, `shader,execution,memory_model,weak:`) chooses cases of the rows in rows.mjs, `--all` also those
// of no row. All rows take about half an hour. Build first (`npm run build`). `--failures` writes one JSON object a line.
// `--gpu dawn` runs the package `webgpu`; VK_DRIVER_FILES says on what. Exit code 1: something failed.
//
// Cases run in a child process. One that takes it down, or gives no sign of life, is lost: it counts as failed, and
// another child goes on behind it.
import { spawn } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { rowOf, sampleOf } from "./rows.mjs";

const { values: options, positionals: prefixes } = parseArgs({
  options: {
    cts: { type: "string" },
    "max-per-file": { type: "string" },
    failures: { type: "string" },
    all: { type: "boolean", default: false },
    stall: { type: "string", default: "120" },
    gpu: { type: "string", default: "halay" },
  },
  allowPositionals: true,
});
if (options.cts === undefined) {
  console.error("usage: node tools/conformance/run.mjs --cts DIR [PREFIX…]; the options are at the head of this file");
  process.exit(2);
}
const CHILD = fileURLToPath(new URL("run-cases.mjs", import.meta.url));
const VERDICTS = ["pass", "beyond", "skip", "fail", "lost"];

// The child goes with this process.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));

const rows = new Map();
const failures = [];
const started = Date.now();
const files = specFiles();
for (let next = { file: 0, at: 0 }; next.file < files.length; ) next = await runFrom(next);
console.log(table());
console.log(`\n${((Date.now() - started) / 1000).toFixed(0)} s`);
if (options.failures !== undefined)
  writeFileSync(options.failures, failures.map((each) => `${JSON.stringify(each)}\n`).join(""));
process.exit(failures.length > 0 ? 1 : 0);

/** Those that are asked for, each with how many of its cases are run. */
function specFiles() {
  const paths = readdirSync(join(options.cts, "src/webgpu"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".spec.ts"))
    .map((path) => path.slice(0, -".spec.ts".length).split(/[\\/]/).join(","))
    .sort();
  const isAsked = (file) => prefixes.some((prefix) => file.startsWith(prefix) || prefix.startsWith(`${file}:`));
  const most = (file) => Number(options["max-per-file"] ?? sampleOf(file));
  return paths
    .filter((file) => (options.all || rowOf(file) !== null) && (prefixes.length === 0 || isAsked(file)))
    .map((file) => ({ file, most: String(most(file)) }));
}

/** A child from a case on, to the end of all files, or of its life. Where to go on. */
async function runFrom({ file, at }) {
  const todo = files.slice(file);
  const config = { cts: options.cts, gpu: options.gpu, prefixes, files: todo, from: at };
  const child = spawn(process.execPath, ["--expose-gc", CHILD, JSON.stringify(config)], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  let tail = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data) => {
      tail = (tail + data).slice(-2000);
    });
  }
  let current = { index: 0, at, query: `webgpu:${todo[0].file}:*` };
  let heard = Date.now();
  const watch = setInterval(() => {
    if (Date.now() - heard > Number(options.stall) * 1000) kill();
  }, 1000);
  let ended = null;
  for await (const line of createInterface({ input: child.stdio[3] })) {
    heard = Date.now();
    const event = JSON.parse(line);
    if (event.kind === "begin") current = event;
    else if (event.kind === "end") count(todo[current.index].file, current.query, event);
    else if (event.kind === "file") console.error(`${event.file} ${event.cases} cases`);
    else if (event.kind !== "alive") ended = event;
  }
  clearInterval(watch);
  process.removeListener("exit", kill);
  if (ended?.kind === "all") return { file: files.length, at: 0 };
  if (ended?.kind === "full") return { file: file + ended.index, at: ended.at };
  const last = tail.trim().replace(/\s+/g, " ").slice(-300);
  count(todo[current.index].file, current.query, { verdict: "lost", message: last });
  return { file: file + current.index, at: current.at + 1 };
}

function count(file, query, { verdict, message = "" }) {
  const name = rowOf(file) ?? file.split(",").slice(0, 3).join(",");
  for (const each of [name, "all"]) {
    const row = rows.get(each) ?? Object.fromEntries(VERDICTS.map((one) => [one, 0]));
    rows.set(each, row);
    row[verdict]++;
  }
  if (verdict === "fail" || verdict === "lost") failures.push({ query, verdict, message });
}

function table() {
  const header = ["cases", "run", "passed", "failed", "", "drawing or texels", "left out by the suite"];
  const names = [...rows.keys()].filter((name) => name !== "all").sort();
  const text = [...names, ...(rows.has("all") ? ["all"] : [])].map((name) => {
    const { pass, beyond, skip, fail, lost } = rows.get(name);
    const run = pass + fail + lost;
    const part = run === 0 ? "" : `${(Math.floor((10_000 * pass) / run) / 100).toFixed(2)} %`;
    return [name, run, pass, fail + lost, part, beyond, skip].map(String);
  });
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(header), line(["---", ...header.slice(1).map(() => "--:")]), ...text.map(line)].join("\n");
}
