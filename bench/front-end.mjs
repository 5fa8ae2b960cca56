// What a front end costs on large shaders: halay from text to `Program`, Tint (through the package `webgpu`, with the
// validator alone) to a module or its errors, wgsl_reflect to its reflection.
//
//   node bench/front-end.mjs [--runs N] [--write]
//
// Milliseconds of CPU time per 1,000 lines: medians of all runs but the first fifteen, the front ends taking turns. CPU
// time of the whole process, so what collects garbage and compiles in other threads counts as well. `--write` puts the
// table into docs/benchmarks.md. Build first: `npm run build`.
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { check } from "../dist/index.js";
import { largeShaders } from "./large-shaders.mjs";

const { values: options } = parseArgs({
  options: { runs: { type: "string", default: "40" }, write: { type: "boolean", default: false } },
});
const WARM_UP = 15;

const halay = {
  name: "halay",
  accepts: (text) => check(text, { advice: false }).program !== null,
};

async function tint() {
  const { create, globals } = await import("webgpu");
  Object.assign(globalThis, globals);
  const gpu = create(["backend=null"]);
  const adapter = await gpu.requestAdapter();
  const device = await adapter.requestDevice({ requiredFeatures: [...adapter.features] });
  return {
    name: "Tint",
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
    name: "wgsl_reflect",
    accepts(text) {
      try {
        return new WgslReflect(text) !== null;
      } catch {
        return false;
      }
    },
  };
}

const milliseconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

/** Medians by front end; null where it refuses the shader. */
async function measure(frontEnds, text) {
  const times = frontEnds.map(() => []);
  // No text is given twice: Dawn would remember its module.
  for (let run = 0; run < Number(options.runs); run++) {
    for (const [index, { accepts }] of frontEnds.entries()) {
      if (times[index] === null) continue;
      const start = milliseconds();
      const accepted = await accepts(`${text}// ${run}\n`);
      const time = milliseconds() - start;
      if (!accepted) times[index] = null;
      else if (run >= WARM_UP) times[index].push(time);
    }
  }
  return times.map((list) => (list === null ? null : median(list)));
}

const CAPTION = `Milliseconds of CPU time per 1,000 lines on shaders of 600 to 10,000 lines, medians of warm runs: halay from text to
\`Program\`, Tint through the package \`webgpu\` to a module, wgsl_reflect to its reflection. “takes”: times as long as halay.
–: it cannot read the shader.`;

async function table() {
  const frontEnds = [halay, await tint(), await wgslReflect()];
  const rows = [];
  for (const { name, text } of await largeShaders()) {
    const lines = text.split("\n").length;
    const times = (await measure(frontEnds, text)).map((time) => (time === null ? null : (time * 1000) / lines));
    const [own, ...others] = times;
    const cell = (value, unit = "") => (value === null ? "–" : `${value.toPrecision(3)}${unit}`);
    const compared = others.flatMap((time) => [cell(time), cell(time === null ? null : time / own, " ×")]);
    rows.push([name, String(lines), (text.length / lines).toFixed(0), cell(own), ...compared]);
    console.error(rows.at(-1).join("  "));
  }
  const head = ["shader", "lines", "characters a line", "halay", "Tint", "takes", "wgsl_reflect", "takes"];
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
  return `${CAPTION}\n\n${[head, rule, ...rows].map(line).join("\n")}`;
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
