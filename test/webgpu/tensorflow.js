/** The package TensorFlow.js on `navigator.gpu`: the examples in its documentation, on two of its backends. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import "@tensorflow/tfjs-backend-webgpu";

const OPERATIONS = join(dirname(createRequire(import.meta.url).resolve("@tensorflow/tfjs-core")), "ops");
const AsyncFunction = (async () => {}).constructor;

/** How many examples print the same with `webgpu` as with `cpu`, and by name what `webgpu` prints in the others. */
export async function compareExamples() {
  // What is small would run on the CPU.
  tf.env().set("WEBGPU_CPU_FORWARD", false);
  addMethods();
  let same = 0;
  const others = {};
  for (const [name, code] of examples()) {
    const [expected, printed] = [await printedOn("cpu", code), await printedOn("webgpu", code)];
    // Those that need a page run on neither; some print nothing.
    if (typeof expected === "string" || expected.length === 0) continue;
    if (typeof printed !== "string" && isSame(expected, printed)) same++;
    else others[name] = printed;
  }
  return { same, others };
}

/** `a.add(b)` for `tf.add(a, b)`, as the package that has all parts of TensorFlow.js makes them. */
function addMethods() {
  for (const [name, operation] of Object.entries(tf)) {
    if (typeof operation !== "function" || !/^[a-z]/.test(name)) continue;
    tf.Tensor.prototype[name] ??= function (...args) {
      return operation(this, ...args);
    };
  }
}

function* examples() {
  for (const file of readdirSync(OPERATIONS).filter((each) => each.endsWith(".d.ts"))) {
    const blocks = readFileSync(join(OPERATIONS, file), "utf8").matchAll(/^ \* ```js\n([\s\S]*?)^ \* ```/gm);
    let count = 0;
    for (const [, code] of blocks) yield [`${file.slice(0, -".d.ts".length)} ${++count}`, code.replace(/^ \* ?/gm, "")];
  }
}

/** Tensors and texts that an example prints; the message where it throws. */
async function printedOn(backend, code) {
  await tf.setBackend(backend);
  const printed = [];
  // Printing reads at once, for which a canvas is needed; tensors are read when the example has ended.
  tf.Tensor.prototype.print = function () {
    printed.push(this.clone());
  };
  const { log } = console;
  console.log = (...args) => printed.push(...args);
  try {
    await new AsyncFunction("tf", code)(tf);
    return await Promise.all(printed.map(plain));
  } catch (error) {
    return String(error);
  } finally {
    console.log = log;
  }
}

async function plain(one) {
  if (!(one instanceof tf.Tensor)) return { text: String(one), values: [] };
  return { text: `${one.dtype} [${one.shape}]`, values: [...(await one.data())] };
}

function isSame(expected, printed) {
  return (
    printed.length === expected.length &&
    expected.every(({ text, values }, i) => printed[i].text === text && values.every(isNear(printed[i].values)))
  );
}

const isNear = (values) => (value, i) =>
  Object.is(values[i], value) || Math.abs(values[i] - value) <= 1e-4 * Math.max(1, Math.abs(value));
