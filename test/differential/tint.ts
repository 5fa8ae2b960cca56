/** Tint's verdict on shaders, by Dawn without any GPU. */
import { create, globals } from "webgpu";

Object.assign(globalThis, globals);

const languageFeatures = ["shader-f16", "subgroups"] as const;

export interface Tint {
  readonly gpu: GPU;
  /** The error messages about a shader, each with its line; none: it is accepted. */
  errors(code: string): Promise<readonly { readonly line: number; readonly message: string }[]>;
}

export async function tint(): Promise<Tint> {
  // Dawn ends with the object that `create` gives, so that has to live as long as the device.
  const gpu = create(["backend=null"]);
  const adapter = await gpu.requestAdapter();
  if (adapter === null) throw new Error("Dawn has no null adapter");
  const requiredFeatures = languageFeatures.filter((feature) => adapter.features.has(feature));
  const device = await adapter.requestDevice({ requiredFeatures });
  return {
    gpu,
    errors: async (code) => {
      device.pushErrorScope("validation");
      const info = await device.createShaderModule({ code }).getCompilationInfo();
      await device.popErrorScope();
      return info.messages
        .filter(({ type }) => type === "error")
        .map(({ lineNum, message }) => ({ line: lineNum, message }));
    },
  };
}
