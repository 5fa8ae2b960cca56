// What a front end costs on large shaders: halay from text to `Program`, Tint (through the package `webgpu`, with the
// validator alone) to a module or its errors, wgsl_reflect to its reflection.
//
//   node bench/front-end.mjs [--runs N] [--write]
//
// Milliseconds of CPU time per 1,000 lines: medians of all rounds but the first thirty, each front end in a process of
// its own (`--only NAME` is that process). CPU time of all its threads: what collects garbage and compiles counts as well. `--write` puts the
// table into docs/benchmarks.md. Build first: `npm run build`.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { check } from "../dist/index.js";
import { largeShaders } from "./large-shaders.mjs";

const { values: options } = parseArgs({
  options: {
    runs: { type: "string", default: "70" },
    write: { type: "boolean", default: false },
    only: { type: "string" },
  },
});
const WARM_UP = 30;

function halay() {
  return { accepts: (text) => check(text, { advice: false }).program !== null };
}

async function tint() {
  const { create, globals } = await import("webgpu");
  Object.assign(globalThis, globals);
  const gpu = create(["backend=null"]);
  const adapter = await gpu.requestAdapter();
  const device = await adapter.requestDevice({ requiredFeatures: [...adapter.features] });
  return {
    async accepts(text) {
      device.pushErrorScope("validation");
      device.createShaderModule({ code: text });
      return (await device.popErrorScope()) === null;
    },
    /** Dawn lives only as long as somebody refers to it. */
    gpu,
  };
}

async function wgslReflect() {
  const { WgslReflect } = await import("wgsl_reflect/wgsl_reflect.module.js");
  return {
    accepts(text) {
      try {
        return new WgslReflect(text) !== null;
      } catch {
        return false;
      }
    },
  };
}

const FRONT_ENDS = { halay, Tint: tint, wgsl_reflect: wgslReflect };

const milliseconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

/** Medians by shader; null where the front end refuses it. */
async function measure({ accepts }) {
  const shaders = await largeShaders();
  const times = shaders.map(() => []);
  // Rounds over all shaders, so that each is measured when the front end has seen all of them.
  for (let round = 0; round < Number(options.runs); round++) {
    for (const [index, { text }] of shaders.entries()) {
      if (times[index] === null) continue;
      // No text is given twice: Dawn would remember its module.
      const own = `${text}// ${round}\n`;
      const start = milliseconds();
      const accepted = await accepts(own);
      const time = milliseconds() - start;
      if (!accepted) times[index] = null;
      else if (round >= WARM_UP) times[index].push(time);
    }
  }
  return times.map((list) => (list === null ? null : median(list)));
}

/** In a process of its own, where nobody pays for the garbage of another. */
function measuredApart(name) {
  const path = fileURLToPath(import.meta.url);
  const output = execFileSync(process.execPath, [path, "--runs", options.runs, "--only", name], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return JSON.parse(output.trimEnd().split("\n").at(-1));
}

const CAPTION = `Milliseconds of CPU time per 1,000 lines on shaders of 600 to 10,000 lines, medians of warm runs: halay from text to
\`Program\`, Tint through the package \`webgpu\` to a module, wgsl_reflect to its reflection. “takes”: times as long as halay.
–: it cannot read the shader.`;

async function table() {
  const measured = Object.keys(FRONT_ENDS).map(measuredApart);
  const rows = (await largeShaders()).map(({ name, text }, row) => {
    const lines = text.split("\n").length;
    const times = measured.map((list) => list[row]);
    const [own, ...others] = times.map((time) => (time === null ? null : (time * 1000) / lines));
    const cell = (value, unit = "") => (value === null ? "–" : `${value.toPrecision(3)}${unit}`);
    const compared = others.flatMap((time) => [cell(time), cell(time === null ? null : time / own, " ×")]);
    return [name, String(lines), (text.length / lines).toFixed(0), cell(own), ...compared];
  });
  const head = ["shader", "lines", "characters a line", "halay", "Tint", "takes", "wgsl_reflect", "takes"];
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
  return `${CAPTION}\n\n${[head, rule, ...rows].map(line).join("\n")}`;
}

if (options.only !== undefined) {
  console.log(JSON.stringify(await measure(await FRONT_ENDS[options.only]())));
  process.exit(0);
}

const [{ model }] = cpus();
const machine = `${cpus().length} × ${model.trim()}, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`;
const text = `${machine}\n\n${await table()}`;
console.log(text);
if (options.write) {
  const path = fileURLToPath(new URL("../docs/benchmarks.md", import.meta.url));
  const before = readFileSync(path, "utf8");
  const section = `<!-- front-end -->\n\n${text}\n\n<!-- /front-end -->`;
  const marked = /<!-- front-end -->[\s\S]*<!-- \/front-end -->/;
  writeFileSync(
    path,
    marked.test(before) ? before.replace(marked, () => section) : `${before.trimEnd()}\n\n${section}\n`,
  );
}
process.exit(0);
