// Lines per second of `check`, beside Tint (Dawn without a GPU, by the package webgpu) and wgsl_reflect, which parses and
// reflects but checks next to nothing. Each text is new to all of them in every round: Dawn keeps modules that it knows.
import { create } from "webgpu";
import { WgslReflect } from "wgsl_reflect/wgsl_reflect.module.js";
import { check } from "../dist/index.js";
import { joined, randomPrograms, shadersIn } from "./large-shaders.mjs";
import { markdown, number, ratio, takingTurns } from "./report.mjs";

const SIZES = [500, 1000, 5000];

function halay() {
  const run = (text) => {
    const { ok, diagnostics } = check(text);
    if (!ok) throw new Error(diagnostics.find(({ severity }) => severity === "error").message);
  };
  return { name: "halay", run };
}

async function tint() {
  // Dawn ends with the object that `create` gives.
  const gpu = create(["backend=null"]);
  const adapter = await gpu.requestAdapter();
  const device = await adapter.requestDevice();
  const run = async (text) => {
    device.pushErrorScope("validation");
    // Without this, Dawn prints a log for each warning.
    const code = `diagnostic(off, chromium.unreachable_code);${text}`;
    const { messages } = await device.createShaderModule({ code }).getCompilationInfo();
    await device.popErrorScope();
    const error = messages.find(({ type }) => type === "error");
    if (error) throw new Error(`${error.lineNum}: ${error.message}`);
  };
  return { name: "Tint", gpu, run };
}

function reflect() {
  return { name: "wgsl_reflect", run: (text) => void new WgslReflect(text) };
}

/** Whether wgsl_reflect can parse it. */
function isReadable(text) {
  try {
    reflect().run(text);
    return true;
  } catch {
    return false;
  }
}

/** Each: several texts, which are checked one after the other. */
async function inputs() {
  const examples = shadersIn("../examples");
  const ours = [...examples, ...shadersIn("kernels")];
  const readable = ours.filter(isReadable);
  console.log(`wgsl_reflect reads ${readable.length} of ${ours.length} kernels and examples`);
  const random = await randomPrograms("b", 60, 60);
  return [
    { name: "examples, each by itself", texts: examples },
    { name: "those that wgsl_reflect can read", texts: readable },
    ...SIZES.map((size) => ({ name: `the same in one text, ${size} lines`, texts: [joined(readable, size)] })),
    ...SIZES.map((size) => ({ name: `all kernels and examples, ${size} lines`, texts: [joined(ours, size)] })),
    ...SIZES.map((size) => ({ name: `random programs, ${size} lines`, texts: [joined(random, size)] })),
  ];
}

const HEAD = [
  "text",
  "lines",
  "halay: lines/s",
  "ms per 1000",
  "Tint: lines/s",
  "takes",
  "wgsl_reflect: lines/s",
  "takes",
];

export async function checkTable() {
  const checkers = [halay(), await tint(), reflect()];
  const rows = [];
  for (const { name, texts } of await inputs()) {
    const lines = texts.reduce((sum, text) => sum + text.split("\n").length, 0);
    const action =
      ({ run }) =>
      async (round) => {
        for (const text of texts) await run(`${text}\n// ${round}`);
      };
    const [own, ...others] = await takingTurns(checkers.map(action), { rounds: 15, warmUp: lines < 3000 ? 20 : 5 });
    const perSecond = ({ milliseconds }) => number((lines * 1000) / milliseconds);
    const cells = others.flatMap((other) =>
      other.error === null ? [perSecond(other), ratio(other.milliseconds / own.milliseconds)] : ["–", "–"],
    );
    for (const [i, { error }] of others.entries())
      if (error) console.log(`  ${name}: ${checkers[i + 1].name}: ${error}`);
    if (own.error) throw new Error(own.error);
    rows.push([name, String(lines), perSecond(own), number((own.milliseconds * 1000) / lines), ...cells]);
    console.log(rows.at(-1).join("  "));
  }
  return markdown(HEAD, rows);
}
