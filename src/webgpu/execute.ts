/** Execution of commands on the queue timeline. webgpu: #computing-operations */
import type { DispatchRequest, DispatchResult, Timeout } from "../engine/dispatch.ts";
import type { Fault } from "../engine/execution.ts";
import { type BufferBinding, Memory } from "../engine/memory.ts";
import type { RootId } from "../ir/ir.ts";
import type { Command, DispatchCommand, ResolveCommand } from "./commands.ts";
import { tooManyToCount } from "./compute-pass.ts";
import type { ComputePipelineObject } from "./compute-pipeline.ts";
import type { DeviceObject } from "./device-object.ts";
import { nameOf } from "./object.ts";
import { placed } from "./shader-module.ts";

export function execute(command: Command, device: DeviceObject): void | Promise<void> {
  switch (command.kind) {
    case "copy": {
      const { source, sourceOffset, destination, destinationOffset, size } = command;
      if (size > 0) destination.bytes.set(source.bytes.subarray(sourceOffset, sourceOffset + size), destinationOffset);
      return;
    }
    case "clear": {
      const { buffer, offset, size } = command;
      if (size > 0) buffer.bytes.fill(0, offset, offset + size);
      return;
    }
    case "resolve":
      return resolve(command);
    case "timestamp":
      command.querySet.values[command.index] = timestamp(device.environment.host.now());
      return;
    case "dispatch":
      return dispatch(command, device);
    default:
      return command satisfies never;
  }
}

function resolve({ querySet, firstQuery, queryCount, destination, destinationOffset }: ResolveCommand): void {
  if (queryCount === 0) return;
  const values = querySet.values.subarray(firstQuery, firstQuery + queryCount);
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  destination.bytes.set(bytes, destinationOffset);
}

/** Nanoseconds, to 100 microseconds as without cross-origin isolation. webgpu: #abstract-opdef-current-queue-timestamp */
function timestamp(milliseconds: number): bigint {
  return BigInt(Math.floor(milliseconds * 10)) * 100_000n;
}

// ---------------------------------------------------------------- dispatches

async function dispatch(command: DispatchCommand, device: DeviceObject): Promise<void> {
  const { pipeline } = command;
  const { module, unsupported } = pipeline.shader;
  if (module === null) {
    device.internalError(`the ${nameOf(pipeline)} was not run: ${unsupported}`);
    return;
  }
  const workgroups = workgroupsOf(command, device);
  if (workgroups === null) return;
  const request = requestOf(command, device, workgroups);
  const { checker } = device.environment;
  const engine = device.environment.engine();
  const result = checker === null ? await engine.dispatch(request) : await checker.dispatch(engine, request, command);
  report(result, pipeline, device);
}

/** null: nothing is run. webgpu: #dom-gpucomputepassencoder-dispatchworkgroupsindirect */
function workgroupsOf(
  { workgroups, pipeline }: DispatchCommand,
  device: DeviceObject,
): DispatchRequest["workgroups"] | null {
  if (!("buffer" in workgroups)) return workgroups.includes(0) ? null : workgroups;
  const { bytes } = workgroups.buffer;
  const words = new DataView(bytes.buffer, bytes.byteOffset + workgroups.offset, 12);
  const counts = [words.getUint32(0, true), words.getUint32(4, true), words.getUint32(8, true)] as const;
  const { maxComputeWorkgroupsPerDimension: most } = device.limits;
  if (counts.some((count) => count === 0 || count > most)) return null;
  return tooManyToCount(counts, pipeline) === null ? counts : null;
}

function requestOf(
  { pipeline, bindings, immediates }: DispatchCommand,
  device: DeviceObject,
  workgroups: DispatchRequest["workgroups"],
): DispatchRequest {
  const { shader } = pipeline;
  const bound = new Map<RootId, BufferBinding>();
  for (const [key, root] of shader.roots) {
    const { buffer, offset, size } = bindings.get(key)!;
    bound.set(root, { memory: buffer.memory, offset, size });
  }
  if (shader.immediateRoot !== null) {
    bound.set(shader.immediateRoot, { memory: new Memory(immediates), offset: 0, size: immediates.length });
  }
  const { emulation, timeout } = device.environment;
  const subgroupSize = shader.subgroupSize ?? emulation.subgroupSize;
  return {
    module: shader.module!,
    workgroups,
    bindings: bound,
    signal: device.timeline.signal,
    ...(timeout === null ? {} : { timeout }),
    ...(subgroupSize === undefined ? {} : { subgroupSize }),
    ...(emulation.outOfBounds === undefined ? {} : { outOfBounds: emulation.outOfBounds }),
  };
}

/** What does not end well is told; after a timeout the device is lost, as it would be on a GPU. */
function report(
  { status, timeout, faults }: DispatchResult,
  pipeline: ComputePipelineObject,
  device: DeviceObject,
): void {
  if (status === "timeout") device.lose({ reason: "unknown", message: timeoutText(timeout!, pipeline) });
  else if (status === "fault") device.internalError(faultText(faults[0], pipeline));
}

function timeoutText({ reason, budget, places, count }: Timeout, pipeline: ComputePipelineObject): string {
  const { program } = pipeline.shader;
  const spent = reason === "milliseconds" ? `${budget / 1000} s` : `${budget} instructions`;
  const span = places.find(({ calls }) => calls.length > 0)?.calls[0].span;
  const where = span === undefined ? "" : `; ${placed({ span, message: "here, among others" }, program.source)}`;
  return `the ${nameOf(pipeline)} did not end within ${spent}: ${count} invocations were still running${where}`;
}

function faultText({ arrivals, workgroup }: Fault, pipeline: ComputePipelineObject): string {
  const { program } = pipeline.shader;
  const message = `not all invocations of workgroup ${workgroup.join(", ")} arrived at this barrier`;
  return `the ${nameOf(pipeline)}: ${placed({ span: arrivals[0].site.span, message }, program.source)}`;
}
