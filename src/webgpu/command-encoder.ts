/** Command encoders and what they make. webgpu: #gpucommandencoder */
import { type BufferObject, GPUBuffer, multipleProblem, rangeProblem, usageProblem } from "./buffer.ts";
import type { Command } from "./commands.ts";
import { beginComputePass, computePassDescriptor } from "./compute-pass.ts";
import type { DeviceObject } from "./device-object.ts";
import { DEBUG_COMMANDS, EncoderObject, type UsedResources } from "./encoder.ts";
import { size32, size64 } from "./idl/convert.ts";
import { type Converted, dictionary } from "./idl/dictionary.ts";
import {
  defineInterface,
  LABEL,
  left,
  leftAs,
  needed,
  type Operation,
  operation,
  overloaded,
} from "./idl/interface.ts";
import { checked, InternalObject, nameOf, objectDescriptorBase, useProblem } from "./object.ts";
import { GPUQuerySet, type QuerySetObject } from "./query-set.ts";
import { beginRenderPass, TEXEL_COPIES } from "./rendering.ts";

export const commandEncoderDescriptor = dictionary("GPUCommandEncoderDescriptor", {}, objectDescriptorBase);
const commandBufferDescriptor = dictionary("GPUCommandBufferDescriptor", {}, objectDescriptorBase);

/** Can be submitted once. */
export class CommandBufferObject extends InternalObject {
  readonly kind = "command buffer";
  readonly commands: readonly Command[];
  readonly used: UsedResources;

  constructor(device: DeviceObject, label: string, commands: readonly Command[], used: UsedResources) {
    super(device, label);
    this.commands = commands;
    this.used = used;
  }
}

/** webgpu: #gpucommandbuffer */
export const GPUCommandBuffer = defineInterface<CommandBufferObject, GPUCommandBuffer>("GPUCommandBuffer", {
  attributes: { ...LABEL },
});

export class CommandEncoderObject extends EncoderObject {
  readonly kind = "command encoder";
  readonly interfaceName = "GPUCommandEncoder";

  /** webgpu: #dom-gpucommandencoder-copybuffertobuffer */
  copyBuffer(
    source: BufferObject,
    sourceOffset: number,
    destination: BufferObject,
    destinationOffset: number,
    given: number | undefined,
  ): void {
    const size = given ?? source.size - sourceOffset;
    const { device } = this;
    this.encode(
      "copyBufferToBuffer()",
      () =>
        useProblem(source, device) ??
        useProblem(destination, device) ??
        usageProblem(source, "COPY_SRC") ??
        usageProblem(destination, "COPY_DST") ??
        (size < 0
          ? `the source offset ${sourceOffset} is beyond the ${nameOf(source)} of ${source.size} bytes`
          : null) ??
        multipleProblem("size", size, 4) ??
        multipleProblem("source offset", sourceOffset, 4) ??
        multipleProblem("destination offset", destinationOffset, 4) ??
        rangeProblem(source, sourceOffset, size) ??
        rangeProblem(destination, destinationOffset, size) ??
        (source === destination ? `the ${nameOf(source)} cannot be copied to itself` : null),
      () => {
        this.used.buffers.add(source).add(destination);
        this.commands.push({ kind: "copy", source, sourceOffset, destination, destinationOffset, size });
      },
    );
  }

  /** webgpu: #dom-gpucommandencoder-clearbuffer */
  clearBuffer(buffer: BufferObject, offset: number, given: number | undefined): void {
    const size = given ?? Math.max(0, buffer.size - offset);
    this.encode(
      "clearBuffer()",
      () =>
        useProblem(buffer, this.device) ??
        usageProblem(buffer, "COPY_DST") ??
        multipleProblem("size", size, 4) ??
        multipleProblem("offset", offset, 4) ??
        rangeProblem(buffer, offset, size),
      () => {
        this.used.buffers.add(buffer);
        this.commands.push({ kind: "clear", buffer, offset, size });
      },
    );
  }

  /** webgpu: #dom-gpucommandencoder-resolvequeryset */
  resolveQuerySet(
    querySet: QuerySetObject,
    firstQuery: number,
    queryCount: number,
    destination: BufferObject,
    destinationOffset: number,
  ): void {
    this.encode(
      "resolveQuerySet()",
      () =>
        useProblem(querySet, this.device) ??
        useProblem(destination, this.device) ??
        usageProblem(destination, "QUERY_RESOLVE") ??
        queriesProblem(querySet, firstQuery, queryCount) ??
        multipleProblem("destination offset", destinationOffset, 256) ??
        rangeProblem(destination, destinationOffset, 8 * queryCount),
      () => {
        this.used.buffers.add(destination);
        this.used.querySets.add(querySet);
        this.commands.push({ kind: "resolve", querySet, firstQuery, queryCount, destination, destinationOffset });
      },
    );
  }

  /** webgpu: #dom-gpucommandencoder-finish */
  finish(label: string): CommandBufferObject {
    const problem = this.#finishProblem();
    this.state = "ended";
    const commands = problem === null ? this.commands : [];
    return checked(
      new CommandBufferObject(this.device, label, commands, this.used),
      "GPUCommandEncoder.finish()",
      problem,
    );
  }

  #finishProblem(): string | null {
    if (this.problem !== null) return this.problem;
    if (this.state === "locked") return `a pass of the ${nameOf(this)} is open; end() it first`;
    if (this.state === "ended") return `the ${nameOf(this)} was finished before`;
    return this.openGroupProblem;
  }
}

function queriesProblem(querySet: QuerySetObject, first: number, count: number): string | null {
  if (first < querySet.count && first + count <= querySet.count) return null;
  return `${count} queries from ${first} on go beyond the ${querySet.count} of the ${nameOf(querySet)}`;
}

/** webgpu: #dom-gpudevice-createcommandencoder */
export function createCommandEncoder(device: DeviceObject, { label }: { readonly label: string }): GPUCommandEncoder {
  return GPUCommandEncoder.wrap(
    checked(new CommandEncoderObject(device, label), "GPUDevice.createCommandEncoder()", null),
  );
}

// ---------------------------------------------------------------- operations

const copyWhole: Operation<CommandEncoderObject> = operation(
  [needed(GPUBuffer.convert), needed(GPUBuffer.convert), left(size64)],
  (encoder, source, destination, size) => encoder.copyBuffer(source, 0, destination, 0, size),
);

const copyPart: Operation<CommandEncoderObject> = operation(
  [needed(GPUBuffer.convert), needed(size64), needed(GPUBuffer.convert), needed(size64), left(size64)],
  (encoder, source, sourceOffset, destination, destinationOffset, size) =>
    encoder.copyBuffer(source, sourceOffset, destination, destinationOffset, size),
);

/** webgpu: #gpucommandencoder */
export const GPUCommandEncoder = defineInterface<CommandEncoderObject, GPUCommandEncoder>("GPUCommandEncoder", {
  attributes: { ...LABEL },
  operations: {
    beginRenderPass,
    beginComputePass: operation(
      [leftAs(computePassDescriptor, {})],
      (encoder, descriptor: Converted<typeof computePassDescriptor>) => beginComputePass(encoder, descriptor),
    ),
    copyBufferToBuffer: overloaded(2, (given, what) => {
      if (given.length >= 4) return copyPart;
      if (given.length === 3 && GPUBuffer.unwrap(given[1]) === null) {
        throw new TypeError(`${what}: argument 2 must be a GPUBuffer where there are three arguments`);
      }
      return copyWhole;
    }),
    ...TEXEL_COPIES,
    clearBuffer: operation(
      [needed(GPUBuffer.convert), leftAs(size64, 0), left(size64)],
      (encoder, buffer, offset, size) => encoder.clearBuffer(buffer, offset, size),
    ),
    resolveQuerySet: operation(
      [needed(GPUQuerySet.convert), needed(size32), needed(size32), needed(GPUBuffer.convert), needed(size64)],
      (encoder, querySet, first, count, destination, offset) =>
        encoder.resolveQuerySet(querySet, first, count, destination, offset),
    ),
    finish: operation([leftAs(commandBufferDescriptor, {})], (encoder, { label }) =>
      GPUCommandBuffer.wrap(encoder.finish(label)),
    ),
    ...DEBUG_COMMANDS,
  },
});
