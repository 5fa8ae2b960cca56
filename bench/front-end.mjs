// What a front end costs on large shaders: halay from text to `Program`, Tint (through the package `webgpu`, with the
// validator alone) to a module or its errors, wgsl_reflect to its reflection; and what it costs in a fresh process.
// As a program (`node bench/front-end.mjs NAME` or `… NAME cold`) it is one such process and prints its times.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { joined, largeShaders, shadersIn } from "./large-shaders.mjs";
import { markdown, median, number, ratio } from "./report.mjs";

const SELF = fileURLToPath(import.meta.url);

async function halay() {
  const { check } = await import("../dist/index.js");
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

/** CPU time of all threads of this process, in milliseconds: what collects garbage and compiles counts as well. */
const milliseconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const ROUNDS_OVER_ALL = 5;
const WARM_UP = 25;
const RUNS = 45;

/** Medians by shader; null where the front end refuses it. No text is given twice: Dawn would remember its module. */
async function warm({ accepts }, shaders) {
  let count = 0;
  const fresh = (text) => `${text}// ${count++}\n`;
  for (let round = 0; round < ROUNDS_OVER_ALL; round++) for (const { text } of shaders) await accepts(fresh(text));
  const medians = [];
  for (const { text } of shaders) {
    const times = [];
    let accepted = true;
    for (let run = 0; run < WARM_UP + RUNS && accepted; run++) {
      const own = fresh(text);
      const start = milliseconds();
      accepted = await accepts(own);
      if (run >= WARM_UP) times.push(milliseconds() - start);
    }
    medians.push(accepted ? median(times) : null);
  }
  return medians;
}

/** In a process of its own, where nobody pays for the garbage of another. */
function apart(...args) {
  const output = execFileSync(process.execPath, [SELF, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(output.trimEnd().split("\n").at(-1));
}

export async function frontEndTable() {
  const shaders = await largeShaders();
  const measured = Object.keys(FRONT_ENDS).map((name) => apart(name));
  const rows = shaders.map(({ name, text }, row) => {
    const lines = text.split("\n").length;
    const [own, ...others] = measured.map((times) => (times[row] === null ? Number.NaN : (times[row] * 1000) / lines));
    const compared = others.flatMap((time) => [number(time), ratio(time / own)]);
    return [name, String(lines), (text.length / lines).toFixed(0), number(own), ...compared];
  });
  const head = ["shader", "lines", "characters a line", "halay", "Tint", "takes", "wgsl_reflect", "takes"];
  return `Milliseconds of CPU time for 1,000 lines, warm: medians of ${RUNS} runs on each shader, after all shaders were seen. halay goes
from text to \`Program\`, Tint through the package \`webgpu\` to a module, wgsl_reflect to its reflection. “takes”: times as
long as halay. –: it cannot read the shader.

${markdown(head, rows)}

${coldTable()}`;
}

// ---------------------------------------------------------------- fresh processes

const PROCESSES = 15;
const COLD_LINES = 500;

/** A shader as people write them, of 500 lines. */
const ordinaryShader = () => joined([...shadersIn("kernels"), ...shadersIn("../examples")], COLD_LINES);

function coldTable() {
  const rows = Object.keys(FRONT_ENDS).map((name) => {
    const times = Array.from({ length: PROCESSES }, () => apart(name, "cold"));
    return [name, ...[0, 1, 2].map((at) => number(median(times.map((each) => each[at]))))];
  });
  return `The same in a fresh process, in milliseconds that pass: to import the package, to check a shader of ${COLD_LINES} lines, and
another one. Medians of ${PROCESSES} processes.

${markdown(["front end", "import", "first check", "second check"], rows)}`;
}

async function cold(name) {
  const text = ordinaryShader();
  const times = [performance.now()];
  const { accepts } = await FRONT_ENDS[name]();
  times.push(performance.now());
  for (const end of ["", "\n"]) {
    await accepts(text + end);
    times.push(performance.now());
  }
  return times.slice(1).map((time, at) => time - times[at]);
}

if (process.argv[1] === SELF) {
  const [, , name, kind] = process.argv;
  const times = kind === "cold" ? await cold(name) : await warm(await FRONT_ENDS[name](), await largeShaders());
  console.log(JSON.stringify(times));
  // Dawn's threads would keep the process alive.
  process.exit(0);
}
