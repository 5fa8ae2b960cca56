/** Devices to try things on, and what they say to it. */
import { create, type GpuOptions, globals } from "../../src/gpu.ts";

Object.assign(globalThis, globals);

export const { STORAGE, UNIFORM, COPY_SRC, COPY_DST, MAP_READ, MAP_WRITE, INDIRECT, QUERY_RESOLVE } = GPUBufferUsage;

export interface DeviceOptions extends GpuOptions {
  readonly features?: readonly GPUFeatureName[];
  readonly limits?: Readonly<Record<string, number>>;
}

/** On the interpreter, which starts at once. */
export async function makeDevice({ features = [], limits = {}, ...options }: DeviceOptions = {}): Promise<GPUDevice> {
  const adapter = await create({ engine: "interpreter", ...options }).requestAdapter();
  return adapter!.requestDevice({ requiredFeatures: [...features], requiredLimits: limits });
}

/** The error that an action makes, with its kind where that is not validation; null: none. */
export async function errorOf(device: GPUDevice, action: () => unknown): Promise<string | null> {
  const filters = ["validation", "out-of-memory", "internal"] as const;
  for (const filter of filters) device.pushErrorScope(filter);
  action();
  const errors = await Promise.all(filters.map(() => device.popErrorScope()));
  const error = errors.find((each) => each !== null);
  if (error === undefined || error === null) return null;
  return error instanceof GPUValidationError ? error.message : `${error.constructor.name}: ${error.message}`;
}

/** The name and message of what an action throws, or its promise rejects with; null: it does not. */
export async function thrownBy(action: () => unknown): Promise<string | null> {
  try {
    await action();
    return null;
  } catch (error) {
    const { name, message } = error as Error;
    return `${name}: ${message}`;
  }
}

export function buffer(device: GPUDevice, size: number, usage: number, label = ""): GPUBuffer {
  return device.createBuffer({ size, usage, label });
}

export function bufferOf(device: GPUDevice, words: readonly number[], usage: number, label = ""): GPUBuffer {
  const made = buffer(device, words.length * 4, usage | COPY_DST, label);
  device.queue.writeBuffer(made, 0, new Uint32Array(words));
  return made;
}

/** The words that a buffer holds when all that was submitted has run. */
export async function wordsOf(device: GPUDevice, source: GPUBuffer): Promise<number[]> {
  const staging = buffer(device, source.size, MAP_READ | COPY_DST);
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(source, staging);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(GPUMapMode.READ);
  return [...new Uint32Array(staging.getMappedRange())];
}

export function pipelineOf(
  device: GPUDevice,
  code: string,
  more: Partial<GPUComputePipelineDescriptor> & { readonly constants?: Record<string, number> } = {},
): GPUComputePipeline {
  const { constants = {}, ...others } = more;
  const module = device.createShaderModule({ code });
  return device.createComputePipeline({ layout: "auto", compute: { module, constants }, ...others });
}

/** A bind group for the first group of a pipeline, its resources at 0, 1, 2 … */
export function groupOf(
  device: GPUDevice,
  pipeline: GPUComputePipeline,
  resources: readonly GPUBindingResource[],
): GPUBindGroup {
  const entries = resources.map((resource, binding) => ({ binding, resource }));
  return device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
}

/** Encodes one compute pass and submits it. */
export function submitPass(
  device: GPUDevice,
  encode: (pass: GPUComputePassEncoder) => void,
  descriptor?: GPUComputePassDescriptor,
): void {
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass(descriptor);
  encode(pass);
  pass.end();
  device.queue.submit([encoder.finish()]);
}

/** Runs a shader on buffers that are bound at 0, 1, 2 … */
export function dispatch(
  device: GPUDevice,
  code: string,
  buffers: readonly GPUBindingResource[],
  workgroups: readonly number[] = [1],
): void {
  const pipeline = pipelineOf(device, code);
  const group = groupOf(device, pipeline, buffers);
  submitPass(device, (pass) => {
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(workgroups[0], workgroups[1], workgroups[2]);
  });
}
