/** Buffers. webgpu: #buffers */
import { Memory } from "../engine/memory.ts";
import { BufferMapping } from "./buffer-mapping.ts";
import type { DeviceObject } from "./device-object.ts";
import { abortError, operationError } from "./errors.ts";
import { allFlags, flagNames, GPUBufferUsage, GPUMapMode } from "./flags.ts";
import { boolean, size32, size64 } from "./idl/convert.ts";
import { type Converted, defaulted, dictionary, required } from "./idl/dictionary.ts";
import { defineInterface, LABEL, left, leftAs, needed, operation, promiseOperation } from "./idl/interface.ts";
import { checked, InternalObject, nameOf, objectDescriptorBase, useProblem } from "./object.ts";

/** webgpu: #gpubufferdescriptor */
export const bufferDescriptor = dictionary(
  "GPUBufferDescriptor",
  { size: required(size64), usage: required(size32), mappedAtCreation: defaulted(boolean, false) },
  objectDescriptorBase,
);

type Descriptor = Converted<typeof bufferDescriptor>;

interface PendingMap {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class BufferObject extends InternalObject {
  readonly kind = "buffer";
  readonly size: number;
  readonly usage: number;
  /** webgpu: #dom-gpubuffer-internal-state */
  state: "available" | "unavailable" | "destroyed" = "available";
  #pending: PendingMap | null = null;
  #mapping: BufferMapping | null = null;
  #memory: Memory | null = null;

  constructor(device: DeviceObject, { label, size, usage, mappedAtCreation }: Descriptor) {
    super(device, label);
    this.size = size;
    this.usage = usage;
    if (!mappedAtCreation) return;
    this.#mapping = new BufferMapping("write", 0, size, null);
    this.state = "unavailable";
    device.mapped.add(this);
  }

  get mapState(): GPUBufferMapState {
    if (this.#mapping !== null) return "mapped";
    return this.#pending !== null ? "pending" : "unmapped";
  }

  /** The contents; made when first needed. @throws RangeError where there is no memory */
  get memory(): Memory {
    this.#memory ??= this.#allocate();
    return this.#memory;
  }

  get bytes(): Uint8Array {
    return this.memory.bytes;
  }

  /** Whether anything was ever put into it. */
  get isTouched(): boolean {
    return this.#memory !== null;
  }

  /** Buffers that no shader can see need not lie where the engine has its own. */
  #allocate(): Memory {
    const { UNIFORM, STORAGE } = GPUBufferUsage;
    return (this.usage & (UNIFORM | STORAGE)) === 0 ? new Memory(this.size) : this.device.allocate(this, this.size);
  }

  // ---------------------------------------------------------------- mapping

  /** webgpu: #dom-gpubuffer-mapasync */
  mapAsync(mode: number, offset: number, size: number | undefined): Promise<void> {
    const { device } = this;
    if (this.mapState !== "unmapped") {
      const how = this.mapState === "mapped" ? "mapped already" : "waiting to be mapped already";
      const message = `GPUBuffer.mapAsync(): the ${nameOf(this)} is ${how}`;
      device.validationError(message);
      return Promise.reject(operationError(message));
    }
    const { promise, pending } = newPending();
    this.#pending = pending;
    device.mapped.add(this);
    if (device.isLost) {
      queueMicrotask(() => this.#failMap(pending, abortError("the device is lost")));
      return promise;
    }
    const length = size ?? Math.max(0, this.size - offset);
    // By the letter an invalid buffer is told as a lost device, an AbortError without a validation error; browsers and the
    // conformance suite treat it as any other rule, which says what was wrong.
    const problem = useProblem(this, device) ?? mapProblem(this, mode, offset, length);
    if (problem !== null) {
      const message = `GPUBuffer.mapAsync(): ${problem}`;
      device.validationError(message);
      queueMicrotask(() => this.#failMap(pending, operationError(message)));
      return promise;
    }
    this.state = "unavailable";
    device.timeline.enqueue(
      () => this.#finishMap(pending, mode === GPUMapMode.WRITE ? "write" : "read", offset, length),
      () => this.#failMap(pending, abortError("the device was lost before the buffer was mapped")),
    );
    return promise;
  }

  #finishMap(pending: PendingMap, mode: "read" | "write", offset: number, length: number): void {
    if (this.#pending !== pending) return;
    this.#pending = null;
    try {
      this.#mapping = new BufferMapping(mode, offset, length, this.isTouched ? this.bytes : null);
      pending.resolve();
    } catch (error) {
      pending.reject(error);
    }
  }

  #failMap(pending: PendingMap, error: unknown): void {
    if (this.#pending !== pending) return;
    this.#pending = null;
    this.device.mapped.delete(this);
    pending.reject(error);
  }

  /** webgpu: #dom-gpubuffer-getmappedrange */
  getMappedRange(offset: number, size: number | undefined): ArrayBuffer {
    const length = size ?? Math.max(0, this.size - offset);
    if (this.#mapping === null) {
      throw operationError(`GPUBuffer.getMappedRange(): the ${nameOf(this)} is not mapped`);
    }
    return this.#mapping.range(offset, length, nameOf(this));
  }

  /** webgpu: #dom-gpubuffer-unmap */
  unmap(): void {
    const pending = this.#pending;
    if (pending !== null) {
      this.#pending = null;
      pending.reject(abortError("the buffer was unmapped before it was mapped"));
      // What was asked of the queue finds that nobody waits any more.
      if (this.state === "unavailable") this.state = "available";
    }
    this.device.mapped.delete(this);
    const mapping = this.#mapping;
    if (mapping === null) return;
    this.#mapping = null;
    const updates = mapping.end();
    if (useProblem(this, this.device) !== null || this.device.isLost) return;
    this.state = "available";
    if (updates.length === 0) return;
    this.device.timeline.enqueue(() => {
      for (const { offset, bytes } of updates) this.bytes.set(bytes, offset);
    });
  }

  /** webgpu: #dom-gpubuffer-destroy */
  destroy(): void {
    this.unmap();
    if (this.state === "destroyed") return;
    this.state = "destroyed";
    // What was submitted before still uses it.
    this.device.timeline.enqueue(() => this.#release());
  }

  #release(): void {
    if (this.#memory !== null) this.device.releaseMemory(this.#memory);
    this.#memory = null;
  }
}

function newPending(): { promise: Promise<void>; pending: PendingMap } {
  let pending!: PendingMap;
  const promise = new Promise<void>((resolve, reject) => {
    pending = { resolve, reject };
  });
  return { promise, pending };
}

/** webgpu: #dom-gpubuffer-mapasync */
function mapProblem(buffer: BufferObject, mode: number, offset: number, length: number): string | null {
  const { READ, WRITE } = GPUMapMode;
  const name = nameOf(buffer);
  if (buffer.state === "destroyed") return `the ${name} is destroyed`;
  if (offset % 8 !== 0) return `the offset ${offset} is no multiple of 8`;
  if (length % 4 !== 0) return `the size ${length} is no multiple of 4`;
  if (offset + length > buffer.size) {
    return `the range from ${offset} to ${offset + length} leaves the ${name} of ${buffer.size} bytes`;
  }
  if (mode !== READ && mode !== WRITE) {
    return `the mode must be either READ or WRITE, not ${flagNames(mode, GPUMapMode)}`;
  }
  const usage = mode === READ ? "MAP_READ" : "MAP_WRITE";
  return usageProblem(buffer, usage);
}

/** A buffer lacks a usage that is needed; null: it has it. */
export function usageProblem(buffer: BufferObject, usage: keyof typeof GPUBufferUsage): string | null {
  if ((buffer.usage & GPUBufferUsage[usage]) !== 0) return null;
  return `the ${nameOf(buffer)} has the usage ${flagNames(buffer.usage, GPUBufferUsage)}, which lacks ${usage}`;
}

/** A range leaves a buffer; null: it does not. */
export function rangeProblem(buffer: BufferObject, offset: number, size: number): string | null {
  if (offset + size <= buffer.size) return null;
  return `${size} bytes at ${offset} leave the ${nameOf(buffer)} of ${buffer.size} bytes`;
}

export function multipleProblem(what: string, value: number, of: number): string | null {
  return value % of === 0 ? null : `the ${what} ${value} is no multiple of ${of}`;
}

// ---------------------------------------------------------------- creation

/** webgpu: #dom-gpudevice-createbuffer */
export function createBuffer(device: DeviceObject, descriptor: Descriptor): GPUBuffer {
  if (descriptor.mappedAtCreation && descriptor.size % 4 !== 0) {
    throw new RangeError(
      `GPUDevice.createBuffer(): a buffer that is mapped at creation has a size that is a multiple of 4, not ${descriptor.size}`,
    );
  }
  const buffer = new BufferObject(device, descriptor);
  checked(buffer, "GPUDevice.createBuffer()", creationProblem(device, descriptor));
  return GPUBuffer.wrap(buffer);
}

function creationProblem({ limits }: DeviceObject, { size, usage }: Descriptor): string | null {
  const { MAP_READ, MAP_WRITE, COPY_DST, COPY_SRC } = GPUBufferUsage;
  const names = flagNames(usage, GPUBufferUsage);
  if (usage === 0) return "the usage is 0: a buffer needs at least one usage";
  if ((usage & ~allFlags(GPUBufferUsage)) !== 0) return `the usage ${names} has bits that are no buffer usage`;
  if ((usage & MAP_READ) !== 0 && (usage & ~(MAP_READ | COPY_DST)) !== 0) {
    return `the usage ${names}: MAP_READ goes with COPY_DST only`;
  }
  if ((usage & MAP_WRITE) !== 0 && (usage & ~(MAP_WRITE | COPY_SRC)) !== 0) {
    return `the usage ${names}: MAP_WRITE goes with COPY_SRC only`;
  }
  if (size <= limits.maxBufferSize) return null;
  return `the size ${size} is above maxBufferSize, which is ${limits.maxBufferSize} for this device`;
}

/** webgpu: #gpubuffer */
export const GPUBuffer = defineInterface<BufferObject, GPUBuffer>("GPUBuffer", {
  attributes: {
    size: { get: (buffer) => buffer.size },
    usage: { get: (buffer) => buffer.usage },
    mapState: { get: (buffer) => buffer.mapState },
    ...LABEL,
  },
  operations: {
    mapAsync: promiseOperation([needed(size32), leftAs(size64, 0), left(size64)], (buffer, mode, offset, size) =>
      buffer.mapAsync(mode, offset, size),
    ),
    getMappedRange: operation([leftAs(size64, 0), left(size64)], (buffer, offset, size) =>
      buffer.getMappedRange(offset, size),
    ),
    unmap: operation([], (buffer) => buffer.unmap()),
    destroy: operation([], (buffer) => buffer.destroy()),
  },
});
