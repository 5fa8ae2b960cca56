// The front ends that are scored, each with `check({ source, features })` and maybe `checkPipeline({ …, pipeline })`,
// which give `{ ok, message }` or a promise of it. `isTimed(case)`, where there is one, says which cases tell of its speed.
import { Script } from "node:vm";
import { check, checkPipeline } from "../../dist/index.js";

export async function frontEnds(languageFeatures, withPeers) {
  const own = halay(languageFeatures);
  return withPeers ? [own, await tint(), await wgslReflect()] : [own];
}

const first = (diagnostics) => diagnostics.find(({ severity }) => severity === "error");

function halay(languageFeatures) {
  const own = {
    name: "halay",
    check({ source, features }) {
      const { ok, program, diagnostics } = check(source, { features, languageFeatures, advice: false });
      return { ok, program, message: first(diagnostics)?.message };
    },
    checkPipeline({ source, features, pipeline: { entryPoint, constants } }) {
      const { ok, program, message } = own.check({ source, features });
      if (!ok) return { ok, message };
      const computes = program.entryPoints.filter(({ stage }) => stage === "compute");
      const entry = entryPoint === undefined ? computes[0] : computes.find(({ name }) => name === entryPoint);
      const error = first(checkPipeline(program, entry, constants ?? {}));
      return { ok: error === undefined, message: error?.message };
    },
  };
  return own;
}

/** Tint, through the package `webgpu` and its validator without a device. */
async function tint() {
  const { create, globals } = await import("webgpu");
  Object.assign(globalThis, globals);
  const gpu = create(["backend=null"]);
  const devices = new Map();
  async function deviceWith(features) {
    const key = features.join();
    if (!devices.has(key)) {
      const adapter = await gpu.requestAdapter();
      const requiredFeatures = features.filter((name) => adapter.features.has(name));
      devices.set(key, await adapter.requestDevice({ requiredFeatures }));
    }
    return devices.get(key);
  }
  const judged = async ({ source, features }, more) => {
    const device = await deviceWith(features);
    device.pushErrorScope("validation");
    const module = device.createShaderModule({ code: source });
    more?.(device, module);
    const error = await device.popErrorScope();
    return { ok: error === null, message: error?.message };
  };
  return {
    name: "Tint",
    check: (one) => judged(one),
    checkPipeline: (one) =>
      judged(one, (device, module) => {
        device.createComputePipeline({ layout: "auto", compute: { module, ...one.pipeline } });
      }),
    /** Dawn lives only as long as somebody refers to it. */
    gpu,
  };
}

/**
 * wgsl_reflect accepts what it reads without throwing. It prints as it goes, and never ends where it counts the bits of
 * some constants: that is stopped, and refused.
 */
async function wgslReflect() {
  const { WgslReflect } = await import("wgsl_reflect/wgsl_reflect.module.js");
  let text = "";
  globalThis.reflectText = () => new WgslReflect(text);
  const watched = new Script("reflectText()");
  const isTimed = ({ source }) => !source.includes("countOneBits");
  const judge = ({ source }) => {
    const { log, warn, error } = console;
    console.log = console.warn = console.error = () => {};
    try {
      text = source;
      if (isTimed({ source })) reflectText();
      else watched.runInThisContext({ timeout: 1000 });
      return { ok: true };
    } finally {
      Object.assign(console, { log, warn, error });
    }
  };
  return { name: "wgsl_reflect", check: judge, checkPipeline: judge, isTimed };
}
