// Scores `check` and `checkPipeline` with the shader validation tests of the WebGPU conformance suite.
//
//   node tools/conformance/score.mjs --cts DIR [--only shader,validation,types] [--pipelines] [--misses FILE]
//                                    [--lacking FEATURE,…] [--sample N] [--peers]
//
// DIR is a checkout of https://github.com/gpuweb/cts; its sources are read where they are, nothing of it is copied. What
// the suite expects of each distinct source is compared with the verdict of this build (`npm run build` first), by
// subtree. `--lacking` takes WGSL language features away. `--sample N` takes N of them, the same each time; `--peers` lets Tint (the package `webgpu`) and `wgsl_reflect`
// judge the same ones, one after the other. Times are CPU time of the process, without the first 500 cases of each.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { collect } from "./collect.mjs";
import { frontEnds } from "./front-ends.mjs";
import { LANGUAGE_FEATURES } from "./recording-gpu.mjs";

const { values: options } = parseArgs({
  options: {
    cts: { type: "string" },
    only: { type: "string", default: "shader,validation" },
    pipelines: { type: "boolean", default: false },
    misses: { type: "string" },
    lacking: { type: "string", default: "" },
    sample: { type: "string" },
    peers: { type: "boolean", default: false },
  },
});
if (options.cts === undefined) {
  console.error("usage: node tools/conformance/score.mjs --cts DIR; the other options are at the head of this file");
  process.exit(2);
}

const lacking = options.lacking.split(",");
const languageFeatures = LANGUAGE_FEATURES.filter((name) => !lacking.includes(name));
const all = [];
await collect(options.cts, options.only, languageFeatures, (one) => {
  if ((one.pipeline !== null) === options.pipelines) all.push(one);
});
const cases = options.sample === undefined ? all : sampled(all, Number(options.sample));
console.log(`${cases.length} of ${all.length} distinct ${options.pipelines ? "pipelines" : "sources"}`);
const misses = [];
for (const frontEnd of await frontEnds(languageFeatures, options.peers)) {
  console.log(`\n${frontEnd.name}\n${table(await score(frontEnd, cases))}`);
}
if (options.misses !== undefined)
  writeFileSync(options.misses, misses.map((miss) => `${JSON.stringify(miss)}\n`).join(""));
process.exit(0);

/** Rows of the table by subtree, the sum last. */
async function score(frontEnd, cases) {
  const WARM = 500;
  const rows = new Map();
  for (const [at, one] of cases.entries()) {
    const start = milliseconds();
    const { ok, message } = await verdict(frontEnd, one);
    const time = milliseconds() - start;
    const subtree = one.query.split(":")[1].split(",").slice(0, 3).join(",");
    for (const name of [subtree, "all"]) {
      let row = rows.get(name);
      if (row === undefined)
        rows.set(name, (row = { name, cases: 0, right: 0, accepted: 0, refused: 0, timed: 0, time: 0, lines: 0 }));
      row.cases++;
      if (ok === one.ok) row.right++;
      else if (ok) row.accepted++;
      else row.refused++;
      if (at < WARM || frontEnd.isTimed?.(one) === false) continue;
      row.timed++;
      row.time += time;
      row.lines += one.source.split("\n").length;
    }
    if (ok !== one.ok)
      misses.push({ frontEnd: frontEnd.name, query: one.query, expected: one.ok, message, source: one.source });
  }
  return [...rows.values()].sort(
    (a, b) => Number(a.name === "all") - Number(b.name === "all") || (a.name < b.name ? -1 : 1),
  );
}

function milliseconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** `one.pipeline` decides what is judged; what throws, refuses. */
async function verdict({ check, checkPipeline }, one) {
  try {
    const result = one.pipeline === null ? check(one) : checkPipeline(one);
    return typeof result.then === "function" ? await result : result;
  } catch (error) {
    return { ok: false, message: String(error) };
  }
}

function table(rows) {
  const text = rows.map(({ name, cases, right, accepted, refused, timed, time, lines }) => [
    ...[name, cases, right, `${((100 * right) / cases).toFixed(2)} %`, accepted, refused].map(String),
    timed === 0 ? "" : ((1000 * time) / timed).toFixed(1),
    timed === 0 ? "" : ((1000 * time) / lines).toFixed(2),
  ]);
  const header = [
    "subtree",
    "cases",
    "right",
    "",
    "wrongly accepted",
    "wrongly refused",
    "µs a case",
    "ms per 1,000 lines",
  ];
  return [header, header.map((_, i) => (i === 0 ? "---" : "--:")), ...text]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");
}

/** The first `count` of a shuffle that is the same each time (xorshift), in their old order. */
function sampled(list, count) {
  let state = 2463534242;
  const order = list.map((_, index) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return { index, key: state >>> 0 };
  });
  const chosen = order.sort((a, b) => a.key - b.key).slice(0, count);
  return chosen.sort((a, b) => a.index - b.index).map(({ index }) => list[index]);
}
