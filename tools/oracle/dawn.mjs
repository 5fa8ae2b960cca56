// Launches on Dawn with SwiftShader, a GPU in software.
import { create, globals } from "webgpu";
import { makeBuffer, readValue } from "./bytes.mjs";
import { readDeclarations } from "./declarations.mjs";

const { GPUBufferUsage, GPUMapMode } = globals;
const USAGE =
  GPUBufferUsage.STORAGE |
  GPUBufferUsage.UNIFORM |
  GPUBufferUsage.INDIRECT |
  GPUBufferUsage.COPY_SRC |
  GPUBufferUsage.COPY_DST;

/** Kept: a device whose GPU object was collected crashes the process. */
let gpu = null;

/** A device on SwiftShader; null where the driver cannot be loaded. */
export async function openDevice() {
  gpu ??= create(["adapter=SwiftShader"]);
  const adapter = await gpu.requestAdapter();
  return adapter?.requestDevice() ?? null;
}

/** The dispatches of a launch, each with its source, declarations and the buffer behind each variable it uses. */
function planSteps(launch, textOf) {
  const steps = launch.steps ?? [{ entry: launch.entry, workgroups: launch.workgroups }];
  return steps.map(({ shader = launch.shader, entry, workgroups, bind = {}, ...unknown }) => {
    if (Object.keys(unknown).length > 0) throw new Error(`not supported in a step: ${Object.keys(unknown)}`);
    const code = textOf(shader);
    const { bindings, entryPoints } = readDeclarations(code);
    const { uses } = entryPoints.find(({ name }) => name === entry);
    const used = bindings.filter(({ name }) => uses.has(name));
    return {
      code,
      entry,
      workgroups,
      bindings: used.map((binding) => ({ ...binding, buffer: bind[binding.name] ?? binding.name })),
    };
  });
}

function makeBuffers(device, launch, steps) {
  const buffers = new Map();
  for (const { buffer: name, type, writable } of steps.flatMap((step) => step.bindings)) {
    if (buffers.has(name)) continue;
    const spec = launch.buffers?.[name] ?? (writable ? "zeros" : null);
    if (spec === null) throw new Error(`‘${name}’ is not filled`);
    const { type: sizedType, bytes } = makeBuffer(type, spec);
    const buffer = device.createBuffer({ size: bytes.length, usage: USAGE });
    device.queue.writeBuffer(buffer, 0, bytes);
    buffers.set(name, { type: sizedType, buffer });
  }
  const strangers = [...Object.keys(launch.buffers ?? {}), ...Object.keys(launch.expect ?? {})];
  for (const name of strangers) if (!buffers.has(name)) throw new Error(`no dispatch uses a buffer ‘${name}’`);
  return buffers;
}

async function makePipeline(device, { code, entry }, constants) {
  const module = device.createShaderModule({ code });
  const { messages } = await module.getCompilationInfo();
  const errors = messages.filter((m) => m.type === "error");
  if (errors.length > 0) throw new Error(errors.map((m) => `${m.lineNum}:${m.linePos} ${m.message}`).join("\n"));
  return device.createComputePipelineAsync({ layout: "auto", compute: { module, entryPoint: entry, constants } });
}

async function dispatch(device, step, buffers, constants) {
  const pipeline = await makePipeline(device, step, constants);
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  for (const group of new Set(step.bindings.map((binding) => binding.group))) {
    const entries = step.bindings
      .filter((binding) => binding.group === group)
      .map(({ binding, buffer }) => ({ binding, resource: { buffer: buffers.get(buffer).buffer } }));
    pass.setBindGroup(group, device.createBindGroup({ layout: pipeline.getBindGroupLayout(group), entries }));
  }
  if (Array.isArray(step.workgroups)) pass.dispatchWorkgroups(...step.workgroups);
  else pass.dispatchWorkgroupsIndirect(buffers.get(step.workgroups.indirect).buffer, step.workgroups.offset ?? 0);
  pass.end();
  device.queue.submit([encoder.finish()]);
}

async function readBack(device, { type, buffer }) {
  const staging = device.createBuffer({ size: buffer.size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, buffer.size);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(GPUMapMode.READ);
  const bytes = new Uint8Array(staging.getMappedRange().slice(0));
  staging.destroy();
  return { type, bytes, values: readValue(new DataView(bytes.buffer), type) };
}

/**
 * Runs a launch and reads every buffer back. `textOf(shader)` gives the text of what the launch calls so.
 * @returns {Promise<{ launch: object, buffers: Record<string, { type: object, bytes: Uint8Array, values: unknown }> }>}
 * @throws Error for a shader that does not compile, a validation error, and launch features that it does not know
 */
export async function runLaunchOnDawn(device, launch, textOf) {
  const steps = planSteps(launch, textOf);
  device.pushErrorScope("validation");
  const buffers = makeBuffers(device, launch, steps);
  for (const step of steps) await dispatch(device, step, buffers, launch.overrides);
  const error = await device.popErrorScope();
  if (error) throw new Error(error.message);
  const read = {};
  for (const [name, entry] of buffers) {
    read[name] = await readBack(device, entry);
    entry.buffer.destroy();
  }
  return { launch, buffers: read };
}
