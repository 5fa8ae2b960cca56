// The benchmarks of this repository, over what `npm run build` made:
//
//   node bench/run.mjs [check] [front-end] [interpreter] [compile] [engine] [scale] [startup] [sanitize] [--write]       default: all of these
//   node bench/run.mjs conflicts [--shape NAME]… [--write]       what the sanitizer takes: half an hour, only if it is asked for
//
// `--write` puts the tables into docs/benchmarks.md, with machine and date.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { writeTable } from "./report.mjs";

const { values, positionals } = parseArgs({
  options: { write: { type: "boolean", default: false }, shape: { type: "string", multiple: true, default: [] } },
  allowPositionals: true,
});
const wanted = (name) => positionals.length === 0 || positionals.includes(name);

async function show(name, table) {
  console.log(`\n${table}\n`);
  if (values.write) writeTable(name, table);
}

/** In a process of its own: it chooses the driver of Dawn when it starts. */
function engine(...options) {
  const script = fileURLToPath(new URL("engine.mjs", import.meta.url));
  const args = [script, ...options, ...(values.write ? ["--write"] : [])];
  return spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 2;
}

if (wanted("check")) await show("check", await (await import("./check.mjs")).checkTable());
if (wanted("front-end")) await show("front-end", await (await import("./front-end.mjs")).frontEndTable());
if (wanted("interpreter")) await show("interpreter", await (await import("./interpreter.mjs")).interpreterTable());
if (wanted("compile")) await show("compile", await (await import("./compile.mjs")).compileTable());
if (wanted("startup")) await show("startup", (await import("./startup.mjs")).startupTable());
if (wanted("sanitize")) await show("sanitize", await (await import("./sanitize.mjs")).sanitizeTable());
let status = 0;
if (positionals.includes("conflicts")) {
  const { table, problems } = await (await import("./conflicts.mjs")).conflictsTable(values.shape);
  await show("conflicts", table);
  for (const problem of problems) console.error(`conflicts: ${problem}`);
  if (problems.length > 0) status = 1;
}
if (wanted("engine")) status ||= engine();
if (wanted("scale")) status ||= engine("--scale");
// Dawn's threads would keep the process alive.
process.exit(status);
