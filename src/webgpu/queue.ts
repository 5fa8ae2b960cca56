/** Queues: what is submitted, in order. webgpu: #queues */
import { partOf } from "./binding-commands.ts";
import { type BufferObject, GPUBuffer, multipleProblem, rangeProblem, usageProblem } from "./buffer.ts";
import { type CommandBufferObject, GPUCommandBuffer } from "./command-encoder.ts";
import type { DeviceObject } from "./device-object.ts";
import { execute } from "./execute.ts";
import { type BufferSource, bufferSource, object, sequence, size64 } from "./idl/convert.ts";
import { dictionary } from "./idl/dictionary.ts";
import { defineInterface, LABEL, left, leftAs, needed, operation, promiseOperation } from "./idl/interface.ts";
import { InternalObject, nameOf, objectDescriptorBase, useProblem } from "./object.ts";
import { tellNoTexels } from "./rendering.ts";

export const queueDescriptor = dictionary("GPUQueueDescriptor", {}, objectDescriptorBase);

export class QueueObject extends InternalObject {
  readonly kind = "queue";

  /** webgpu: #dom-gpuqueue-writebuffer */
  writeBuffer(
    buffer: BufferObject,
    bufferOffset: number,
    source: BufferSource,
    dataOffset: number,
    size: number | undefined,
  ): void {
    const what = "GPUQueue.writeBuffer()";
    const bytes = partOf(source, dataOffset, size, what).slice();
    const problem =
      useProblem(buffer, this.device) ??
      stateProblem(buffer) ??
      usageProblem(buffer, "COPY_DST") ??
      multipleProblem("buffer offset", bufferOffset, 4) ??
      rangeProblem(buffer, bufferOffset, bytes.length);
    if (problem !== null) this.device.validationError(`${what}: ${problem}`);
    else if (bytes.length > 0) this.device.timeline.enqueue(() => buffer.bytes.set(bytes, bufferOffset));
  }

  /** webgpu: #dom-gpuqueue-submit */
  submit(commandBuffers: readonly CommandBufferObject[]): void {
    const { device } = this;
    const problem = submitProblem(commandBuffers, device);
    for (const each of commandBuffers) each.invalidate("it was submitted before");
    if (problem !== null) {
      device.validationError(`GPUQueue.submit(): ${problem}`);
      return;
    }
    for (const { commands } of commandBuffers) {
      for (const command of commands) device.timeline.enqueue(() => execute(command, device));
    }
  }

  /** webgpu: #dom-gpuqueue-onsubmittedworkdone */
  onSubmittedWorkDone(): Promise<void> {
    return new Promise((resolve) => this.device.timeline.enqueue(resolve, resolve));
  }
}

/** A buffer that the queue cannot use now; null: it can. webgpu: #dom-gpubuffer-internal-state */
function stateProblem(buffer: BufferObject): string | null {
  if (buffer.state === "available") return null;
  if (buffer.state === "destroyed") return `the ${nameOf(buffer)} is destroyed`;
  const how = buffer.mapState === "pending" ? "waits to be mapped" : "is mapped";
  return `the ${nameOf(buffer)} ${how}; unmap() it first`;
}

function submitProblem(commandBuffers: readonly CommandBufferObject[], device: DeviceObject): string | null {
  if (new Set(commandBuffers).size < commandBuffers.length) return "a command buffer is there twice";
  for (const commandBuffer of commandBuffers) {
    const problem = useProblem(commandBuffer, device) ?? resourcesProblem(commandBuffer);
    if (problem !== null) return problem;
  }
  return null;
}

function resourcesProblem({ used }: CommandBufferObject): string | null {
  for (const buffer of used.buffers) {
    const problem = stateProblem(buffer);
    if (problem !== null) return problem;
  }
  for (const each of [...used.textures, ...used.querySets]) {
    if (each.isDestroyed) return `the ${nameOf(each)} is destroyed`;
  }
  return null;
}

/** webgpu: #gpuqueue */
export const GPUQueue = defineInterface<QueueObject, GPUQueue>("GPUQueue", {
  attributes: { ...LABEL },
  operations: {
    submit: operation([needed(sequence(GPUCommandBuffer.convert))], (queue, buffers) => queue.submit(buffers)),
    onSubmittedWorkDone: promiseOperation([], (queue) => queue.onSubmittedWorkDone()),
    writeBuffer: operation(
      [needed(GPUBuffer.convert), needed(size64), needed(bufferSource), leftAs(size64, 0), left(size64)],
      (queue, buffer, offset, data, dataOffset, size) => queue.writeBuffer(buffer, offset, data, dataOffset, size),
    ),
    writeTexture: operation([needed(object), needed(bufferSource), needed(object), needed(object)], ({ device }) =>
      tellNoTexels(device, "GPUQueue.writeTexture()"),
    ),
    copyExternalImageToTexture: operation([needed(object), needed(object), needed(object)], ({ device }) =>
      tellNoTexels(device, "GPUQueue.copyExternalImageToTexture()"),
    ),
  },
});
