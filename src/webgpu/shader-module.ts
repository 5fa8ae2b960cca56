/** Shader modules. webgpu: #shader-modules */
import "../numeric/const-math-exact.ts";
import { analyze } from "../analysis/analyze.ts";
import type { Program } from "../analysis/program.ts";
import { LANGUAGE_EXTENSIONS } from "../builtins/extensions.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { Source } from "../text/source.ts";
import type { DeviceObject } from "./device-object.ts";
import { autoLayoutMode } from "./enums.ts";
import { type Converter, sequence, usvString } from "./idl/convert.ts";
import { type Converted, defaulted, dictionary, optional, required } from "./idl/dictionary.ts";
import { defineInterface, LABEL, promiseOperation } from "./idl/interface.ts";
import { checked, InternalObject, objectDescriptorBase } from "./object.ts";
import { GPUPipelineLayout, type PipelineLayoutObject } from "./pipeline-layout.ts";

/** `(GPUPipelineLayout or GPUAutoLayoutMode)` */
export const layoutOrAuto: Converter<PipelineLayoutObject | "auto"> = (value, what) =>
  GPUPipelineLayout.unwrap(value) ?? autoLayoutMode(value, what);

/** webgpu: #dictdef-gpushadermodulecompilationhint. Hints change nothing here. */
const compilationHint = dictionary("GPUShaderModuleCompilationHint", {
  entryPoint: required(usvString),
  layout: optional(layoutOrAuto),
});

/** webgpu: #dictdef-gpushadermoduledescriptor */
export const shaderModuleDescriptor = dictionary(
  "GPUShaderModuleDescriptor",
  { code: required(usvString), compilationHints: defaulted(sequence(compilationHint), []) },
  objectDescriptorBase,
);

/** What our engines run; opaque buffers they do not yet. */
export const LANGUAGE_FEATURES: ReadonlySet<string> = new Set(
  [...LANGUAGE_EXTENSIONS].filter((name) => name !== "buffer_view"),
);

export class ShaderModuleObject extends InternalObject {
  readonly kind = "shader module";
  readonly program: Program;

  constructor(device: DeviceObject, label: string, program: Program) {
    super(device, label);
    this.program = program;
  }
}

/** webgpu: #dom-gpudevice-createshadermodule */
export function createShaderModule(
  device: DeviceObject,
  { label, code }: Converted<typeof shaderModuleDescriptor>,
): GPUShaderModule {
  const source = new Source(code, label === "" ? "shader.wgsl" : label);
  const program = analyze(source, { features: [...device.features], languageFeatures: [...LANGUAGE_FEATURES] });
  const module = new ShaderModuleObject(device, label, program);
  return GPUShaderModule.wrap(checked(module, "GPUDevice.createShaderModule()", errorsIn(program)));
}

/** The first error with its place, and how many there are; null: none. */
function errorsIn({ diagnostics, source }: Program): string | null {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return errors.length === 0 ? null : withOthers(placed(errors[0], source), errors.length);
}

function withOthers(first: string, count: number): string {
  if (count === 1) return first;
  return `${first} (and ${count - 1} more; getCompilationInfo() has them all)`;
}

/** `shader.wgsl:3:7: …`, as compilers say it. */
export function placed({ span, message }: Pick<Diagnostic, "span" | "message">, source: Source): string {
  const { line, column } = source.position(span.start);
  return `${source.path}:${line}:${column}: ${message}`;
}

// ---------------------------------------------------------------- what the compiler says

interface Message {
  readonly message: string;
  readonly type: GPUCompilationMessageType;
  readonly lineNum: number;
  readonly linePos: number;
  readonly offset: number;
  readonly length: number;
}

/** webgpu: #gpucompilationmessage */
export const GPUCompilationMessage = defineInterface<Message, GPUCompilationMessage>("GPUCompilationMessage", {
  attributes: {
    message: { get: ({ message }) => message },
    type: { get: ({ type }) => type },
    lineNum: { get: ({ lineNum }) => lineNum },
    linePos: { get: ({ linePos }) => linePos },
    offset: { get: ({ offset }) => offset },
    length: { get: ({ length }) => length },
  },
});

interface Info {
  readonly messages: readonly GPUCompilationMessage[];
}

/** webgpu: #gpucompilationinfo */
export const GPUCompilationInfo = defineInterface<Info, GPUCompilationInfo>("GPUCompilationInfo", {
  attributes: { messages: { get: ({ messages }) => messages } },
});

/** webgpu: #dom-gpushadermodule-getcompilationinfo */
async function compilationInfo({ program, device }: ShaderModuleObject): Promise<GPUCompilationInfo> {
  const found = device.isLost ? [] : program.diagnostics;
  const messages = found.map((item) => GPUCompilationMessage.wrap(messageOf(item, program.source)));
  return GPUCompilationInfo.wrap({ messages: Object.freeze(messages) });
}

function messageOf({ span, message, severity, notes }: Diagnostic, source: Source): Message {
  const { line, column } = source.position(span.start);
  const text = [message, ...notes.map((note) => `note: ${placed(note, source)}`)].join("\n");
  const place = { lineNum: line, linePos: column, offset: span.start, length: span.end - span.start };
  return { message: text, type: severity, ...place };
}

/** webgpu: #gpushadermodule */
export const GPUShaderModule = defineInterface<ShaderModuleObject, GPUShaderModule>("GPUShaderModule", {
  attributes: { ...LABEL },
  operations: { getCompilationInfo: promiseOperation([], compilationInfo) },
});
