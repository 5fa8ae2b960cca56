/**
 * A `GPUDevice`, ours or a real one, as the engine of a run: buffers stay on it, what a dispatch can write is read back
 * after it. The shader goes to it as it was written.
 */
import type { DispatchRequest, DispatchResult, Engine } from "../engine/dispatch.ts";
import { Memory } from "../engine/memory.ts";
import type { Root } from "../ir/ir.ts";
import type { PlannedStep } from "../launch/plan.ts";
import { launchError } from "../launch/problem.ts";
import { GPUBufferUsage, GPUMapMode } from "./flags.ts";

export class GpuEngine implements Engine {
  readonly name = "gpu";
  readonly canBeWatched = false;
  readonly #device: GPUDevice;
  readonly #buffers = new Map<Memory, GPUBuffer>();
  readonly #pipelines = new WeakMap<object, GPUComputePipeline>();
  #step: PlannedStep | null = null;

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /** The `observe` option of the run that uses this engine: says which step comes next. */
  readonly observe = (step: PlannedStep): null => {
    this.#step = step;
    return null;
  };

  allocate(contents: number | Uint8Array): Memory {
    return new Memory(typeof contents === "number" ? contents : contents.slice());
  }

  release(memory: Memory): void {
    this.#buffers.get(memory)?.destroy();
    this.#buffers.delete(memory);
  }

  /** The device is the caller's. */
  close(): void {
    for (const memory of [...this.#buffers.keys()]) this.release(memory);
  }

  /** @throws LaunchError where the device does not take it; TypeError where it was to be watched */
  async dispatch(request: DispatchRequest): Promise<DispatchResult> {
    const step = this.#step;
    if (step === null || request.observer) throw new TypeError("what a GPU does cannot be watched");
    const started = Date.now();
    const problem = await this.#withErrors(() => this.#run(step, request));
    if (problem !== null) throw launchError(step.path, "gpu-refused", { entry: step.entry.name, problem });
    const [x, y, z] = request.workgroups;
    const invocations = request.module.workgroupSize.reduce((product, n) => product * n, x * y * z);
    return {
      status: "ok",
      faults: [],
      timeout: null,
      statistics: { invocations, instructions: null, sharedAccesses: null, barriers: null },
      milliseconds: Date.now() - started,
      turns: null,
      engine: "gpu",
      notes: [],
    };
  }

  /** The first error of what is done meanwhile; null: none. */
  async #withErrors(action: () => Promise<void>): Promise<string | null> {
    const device = this.#device;
    const filters = ["validation", "out-of-memory", "internal"] as const;
    for (const filter of filters) device.pushErrorScope(filter);
    const thrown = await action().then(
      () => null,
      (error: Error) => error.message,
    );
    const errors = await Promise.all(filters.map(() => device.popErrorScope()));
    return errors.find((error) => error !== null)?.message ?? thrown;
  }

  async #run(step: PlannedStep, request: DispatchRequest): Promise<void> {
    const device = this.#device;
    const pipeline = await this.#pipeline(step);
    const bound = request.module.roots.filter(({ id }) => request.bindings.has(id));
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    for (const { id } of bound.filter(({ space }) => space === "immediate")) {
      pass.setImmediates(0, wholeWordsOf(request.bindings.get(id)!.memory));
    }
    for (const group of new Set(bound.flatMap((root) => root.group ?? []))) {
      const entries = bound
        .filter((root) => root.group === group)
        .map(({ id, binding }) => ({ binding: binding!, resource: this.#buffer(request.bindings.get(id)!.memory) }));
      pass.setBindGroup(group, device.createBindGroup({ layout: pipeline.getBindGroupLayout(group), entries }));
    }
    pass.dispatchWorkgroups(...request.workgroups);
    pass.end();
    const written = [...new Set(bound.filter(isWritten).map(({ id }) => request.bindings.get(id)!.memory))];
    const copies = written.map((memory) => this.#copy(encoder, memory));
    device.queue.submit([encoder.finish()]);
    await Promise.all(copies.map((copy, i) => take(copy, written[i])));
  }

  async #pipeline({ program, entry, module, overrides }: PlannedStep): Promise<GPUComputePipeline> {
    const known = this.#pipelines.get(module);
    if (known !== undefined) return known;
    const { source } = program;
    const shader = this.#device.createShaderModule({ code: source.text, label: source.path });
    const constants: Record<string, number> = {};
    for (const info of entry.usedOverrides) {
      const value = overrides.get(info);
      if (value !== undefined) constants[info.pipelineId ?? info.name] = Number(value.value);
    }
    const pipeline = await this.#device.createComputePipelineAsync({
      label: entry.name,
      layout: "auto",
      compute: { module: shader, entryPoint: entry.name, constants },
    });
    this.#pipelines.set(module, pipeline);
    return pipeline;
  }

  /** The buffer behind a memory, with its first bytes. */
  #buffer(memory: Memory): GPUBuffer {
    const known = this.#buffers.get(memory);
    if (known !== undefined) return known;
    const { STORAGE, UNIFORM, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const bytes = wholeWordsOf(memory);
    const made = this.#device.createBuffer({ size: bytes.length, usage: STORAGE | UNIFORM | COPY_SRC | COPY_DST });
    this.#device.queue.writeBuffer(made, 0, bytes);
    this.#buffers.set(memory, made);
    return made;
  }

  #copy(encoder: GPUCommandEncoder, memory: Memory): GPUBuffer {
    const { MAP_READ, COPY_DST } = GPUBufferUsage;
    const size = wholeWords(memory.size);
    const copy = this.#device.createBuffer({ size, usage: MAP_READ | COPY_DST });
    encoder.copyBufferToBuffer(this.#buffer(memory), 0, copy, 0, size);
    return copy;
  }
}

function isWritten({ space, access }: Root): boolean {
  return space === "storage" && access !== "read";
}

function wholeWords(size: number): number {
  return Math.ceil(size / 4) * 4;
}

function wholeWordsOf(memory: Memory): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(wholeWords(memory.size));
  bytes.set(memory.bytes);
  return bytes;
}

async function take(copy: GPUBuffer, memory: Memory): Promise<void> {
  await copy.mapAsync(GPUMapMode.READ);
  memory.bytes.set(new Uint8Array(copy.getMappedRange()).subarray(0, memory.size));
  copy.destroy();
}
