// From the text of a kernel to one that can run: each step of the way, in milliseconds, when JavaScript is warm.
import { analyze } from "../dist/analysis/analyze.js";
import { tryToCompile } from "../dist/engine/wasm/compile.js";
import { lower } from "../dist/ir/lower.js";
import { Source } from "../dist/text/source.js";
import { KERNELS } from "./kernels.mjs";
import { markdown, median, number } from "./report.mjs";

const NAMES = [
  "pool",
  "try-lock",
  "two-level-histogram-tiles",
  "layout-round-trip",
  "bitonic sort",
  "softmax",
  "noise",
];
const [WARM_UP, ROUNDS] = [40, 25];

/** A text that nobody has seen before: nothing of it is known. */
const fresh = (text, round) => new Source(`${text}\n// ${round}`, "kernel.wgsl");

async function once(text, entry, round) {
  const times = [performance.now()];
  const step = () => times.push(performance.now());
  const program = analyze(fresh(text, round));
  step();
  const { module } = lower(program, entry, new Map());
  step();
  const kernel = tryToCompile(module, { sharedMemory: true });
  step();
  const compiled = await WebAssembly.compile(kernel.bytes);
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536, shared: true });
  new WebAssembly.Instance(compiled, { env: { memory } });
  step();
  return times.slice(1).map((time, i) => time - times[i]);
}

export async function compileTable() {
  const rows = [];
  for (const name of NAMES) {
    const { launch } = KERNELS.find((kernel) => kernel.name.endsWith(name));
    const rounds = [];
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      const times = await once(launch.shader, launch.entry, round);
      if (round >= 0) rounds.push(times);
    }
    const steps = [0, 1, 2, 3].map((step) => median(rounds.map((times) => times[step])));
    const all = median(rounds.map((times) => times.reduce((sum, time) => sum + time)));
    rows.push([name, String(launch.shader.trimEnd().split("\n").length), ...[...steps, all].map(number)]);
  }
  const head = ["kernel", "lines", "check", "lower", "emit", "WebAssembly.compile", "text to runnable"];
  return `Milliseconds from the text of a kernel to one that can run, medians of ${ROUNDS} after ${WARM_UP}.\n\n${markdown(head, rows)}`;
}
