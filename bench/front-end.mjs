// What a front end costs on large shaders: halay from text to `Program`, Tint (through the package `webgpu`, with the
// validator alone) to a module or its errors, wgsl_reflect to its reflection; and what it costs in a fresh process.
// As a program (`node bench/front-end.mjs NAME warm|cold FILE`) it is one process that checks one shader and prints times.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

/** Until functions are compiled by the last of the compilers: V8 still compiles beside the runs for some six seconds. */
const WARM_UP_RUNS = 25;
const WARM_UP_MILLISECONDS = 7000;
const RUNS = 45;

/** The median; null where the front end refuses the shader. No text is given twice: Dawn would remember its module. */
async function warm({ accepts }, text) {
  const times = [];
  const begin = milliseconds();
  for (let run = 0; times.length < RUNS; run++) {
    // In one piece, as what is read from a file.
    const own = Buffer.from(`${text}// ${run}\n`).toString();
    const start = milliseconds();
    if (!(await accepts(own))) return null;
    if (run >= WARM_UP_RUNS && start - begin > WARM_UP_MILLISECONDS) times.push(milliseconds() - start);
  }
  return median(times);
}

/** In a process of its own, where nobody pays for the garbage of another. */
function apart(name, kind, text) {
  const folder = mkdtempSync(join(tmpdir(), "front-end-"));
  const file = join(folder, "shader.wgsl");
  try {
    writeFileSync(file, text);
    const output = execFileSync(process.execPath, [SELF, name, kind, file], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return JSON.parse(output.trimEnd().split("\n").at(-1));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export async function frontEndTable() {
  const rows = (await largeShaders()).map(({ name, text }) => {
    const lines = text.split("\n").length;
    const measured = Object.keys(FRONT_ENDS).map((frontEnd) => apart(frontEnd, "warm", text));
    const [own, ...others] = measured.map((time) => (time === null ? Number.NaN : (time * 1000) / lines));
    const compared = others.flatMap((time) => [number(time), ratio(time / own)]);
    return [name, String(lines), (text.length / lines).toFixed(0), number(own), ...compared];
  });
  const head = ["shader", "lines", "characters a line", "halay", "Tint", "takes", "wgsl_reflect", "takes"];
  return `Milliseconds of CPU time for 1,000 lines, warm: medians of ${RUNS} runs after ${WARM_UP_MILLISECONDS / 1000} seconds of them, each shader and front
end in a process of its own. halay goes from text to \`Program\`, Tint through the package \`webgpu\` to a module, wgsl_reflect to its
reflection. “takes”: times as long as halay. –: it cannot read the shader.

${markdown(head, rows)}

${coldTable()}`;
}

// ---------------------------------------------------------------- fresh processes

const PROCESSES = 15;
const COLD_LINES = 500;

function coldTable() {
  // A shader as people write them.
  const text = joined([...shadersIn("kernels"), ...shadersIn("../examples")], COLD_LINES);
  const rows = Object.keys(FRONT_ENDS).map((name) => {
    const times = Array.from({ length: PROCESSES }, () => apart(name, "cold", text));
    return [name, ...[0, 1, 2].map((at) => number(median(times.map((each) => each[at]))))];
  });
  return `The same in a fresh process, in milliseconds that pass: to import the package, to check a shader of ${COLD_LINES} lines, and
another one. Medians of ${PROCESSES} processes.

${markdown(["front end", "import", "first check", "second check"], rows)}`;
}

async function cold(name, text) {
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
  const [, , name, kind, file] = process.argv;
  const text = readFileSync(file, "utf8");
  const times = kind === "cold" ? await cold(name, text) : await warm(await FRONT_ENDS[name](), text);
  console.log(JSON.stringify(times));
  // Dawn's threads would keep the process alive.
  process.exit(0);
}
