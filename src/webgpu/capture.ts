/**
 * Records what an application dispatches, on any `GPUDevice`: methods of the device are replaced by ones that note what is
 * made of what, and copy the bound buffers before each dispatch. What was recorded becomes launches.
 */
import "../numeric/const-math-exact.ts";
import { analyze } from "../analysis/analyze.ts";
import type { FunctionInfo, Program } from "../analysis/program.ts";
import type { Launch } from "../launch/launch.ts";
import { layoutOf } from "../layout/layout.ts";
import { bindingKey } from "../reflect/reflection.ts";
import { checkNames, type NamesOf } from "../text/option-names.ts";
import { Source } from "../text/source.ts";
import { isHandle } from "../types/predicates.ts";
import { captureFiles } from "./capture-files.ts";
import { type PassState, recordingPass, type Workgroups } from "./capture-pass.ts";
import { GPUBufferUsage, GPUMapMode } from "./flags.ts";
import { immediateOf } from "./immediates.ts";

export interface CaptureOptions {
  /** Labels of the pipelines whose dispatches are recorded; left out: all. */
  readonly pipelines?: readonly string[];
  /** How many dispatches are recorded at most; 100 if left out. */
  readonly most?: number;
}

const CAPTURE_OPTIONS: NamesOf<CaptureOptions> = { pipelines: true, most: true };

export interface CapturedDispatch {
  /** With the bytes that were bound when it ran: `run` and `sanitize` take it as it is. */
  readonly launch: Launch & { readonly shader: Program; readonly buffers: Readonly<Record<string, Uint8Array>> };
  readonly labels: {
    readonly pipeline: string;
    readonly shaderModule: string;
    readonly debugGroups: readonly string[];
  };
}

export interface Capture {
  /** What was dispatched, once it has run. */
  dispatches(): Promise<readonly CapturedDispatch[]>;
  /** The same as files by name: launches, shaders, contents of large buffers. */
  files(): Promise<ReadonlyMap<string, Uint8Array>>;
  /** By label: pipelines whose dispatches were not recorded, and why. */
  readonly skipped: ReadonlyMap<string, string>;
  /** Gives the device its own methods back. */
  stop(): void;
}

const MOST = 100;
/** Three words. webgpu: #indirect-dispatch-parameters */
const INDIRECT_BYTES = 12;
const REFUSED = "the device refused it, or commands that were submitted with it";

/**
 * Records the dispatches of a device from now on; pipelines and bind groups that were made before are not known. Takes
 * copies: to what is captured, buffers have to be of a kind that can be copied, so they get the usage COPY_SRC.
 */
export function capture(device: GPUDevice, options: CaptureOptions = {}): Capture {
  checkNames(options, CAPTURE_OPTIONS);
  return new Recorder(device, options);
}

interface KnownPipeline {
  readonly label: string;
  readonly moduleLabel: string;
  readonly program: Program;
  readonly entryPoint: FunctionInfo;
  readonly constants: Readonly<Record<string, number>>;
}

interface BoundBuffer {
  readonly buffer: GPUBuffer;
  readonly offset: number;
  readonly size: number;
}

interface KnownGroup {
  readonly buffers: ReadonlyMap<number, BoundBuffer>;
  /** Bindings that take a dynamic offset, in order. */
  readonly dynamic: readonly number[];
}

interface Recorded {
  readonly pipeline: KnownPipeline;
  /** A buffer with three words where they came from one. */
  readonly workgroups: readonly [number, number, number] | GPUBuffer;
  /** Copies, by `group.binding`. */
  readonly buffers: ReadonlyMap<string, GPUBuffer>;
  /** Immediate data of the pipeline; null: it uses none. */
  readonly immediates: Uint8Array | null;
  readonly debugGroups: readonly string[];
  readonly commands: Commands;
}

/** Of an encoder: what becomes of all that it records. */
interface Commands {
  /** A word that they set: of commands that are refused, none is run. */
  readonly mark: GPUBuffer;
  isSubmitted: boolean;
  /** null: the mark has not been read. */
  hasRun: boolean | null;
}

type Method = (...args: never[]) => unknown;

class Recorder implements Capture {
  readonly skipped = new Map<string, string>();
  readonly #device: GPUDevice;
  readonly #options: CaptureOptions;
  readonly #undo: (() => void)[] = [];
  readonly #modules = new WeakMap<GPUShaderModule, { readonly label: string; readonly program: Program }>();
  readonly #dynamic = new WeakMap<GPUBindGroupLayout, readonly number[]>();
  readonly #groups = new WeakMap<GPUBindGroup, KnownGroup>();
  readonly #pipelines = new WeakMap<GPUComputePipeline, KnownPipeline>();
  readonly #ofBuffers = new WeakMap<GPUCommandBuffer, Commands>();
  readonly #recorded: Recorded[] = [];
  readonly #done: CapturedDispatch[] = [];
  /** Ends when all is read that was asked for: a copy is read once. */
  #reading: Promise<void> = Promise.resolve();
  /** What marks are copied from. */
  #one: GPUBuffer | null = null;
  #left: number;

  constructor(device: GPUDevice, options: CaptureOptions) {
    this.#device = device;
    this.#options = options;
    this.#left = options.most ?? MOST;
    this.#patchDevice();
  }

  /** Lets `change` stand around a method of one object; the interface keeps its own. */
  #patch<T extends object, K extends keyof T>(object: T, name: K, change: (original: T[K]) => T[K]): void {
    const original = (object[name] as Method).bind(object) as T[K];
    Object.defineProperty(object, name, { value: change(original), configurable: true, writable: true });
    this.#undo.push(() => delete object[name]);
  }

  #patchDevice(): void {
    const device = this.#device;
    this.#patch(device, "createBuffer", (create) => (descriptor) => {
      const { MAP_READ, MAP_WRITE, COPY_SRC } = GPUBufferUsage;
      const isCopied = (descriptor.usage & (MAP_READ | MAP_WRITE)) === 0 && descriptor.usage !== 0;
      return create(isCopied ? { ...descriptor, usage: descriptor.usage | COPY_SRC } : descriptor);
    });
    this.#patch(device, "createShaderModule", (create) => (descriptor) => {
      const module = create(descriptor);
      const label = descriptor.label ?? "";
      const source = new Source(descriptor.code, label === "" ? "shader.wgsl" : label);
      this.#modules.set(module, { label, program: analyze(source) });
      return module;
    });
    this.#patch(device, "createBindGroupLayout", (create) => (descriptor) => {
      const layout = create(descriptor);
      const moving = [...descriptor.entries].filter(({ buffer }) => buffer?.hasDynamicOffset === true);
      const bindings = moving.map(({ binding }) => binding).sort((a, b) => a - b);
      this.#dynamic.set(layout, bindings);
      return layout;
    });
    this.#patch(device, "createBindGroup", (create) => (descriptor) => {
      const group = create(descriptor);
      this.#groups.set(group, { buffers: buffersIn(descriptor), dynamic: this.#dynamic.get(descriptor.layout) ?? [] });
      return group;
    });
    this.#patch(device, "createComputePipeline", (create) => (descriptor) => {
      const pipeline = create(descriptor);
      this.#addPipeline(pipeline, descriptor);
      return pipeline;
    });
    this.#patch(device, "createComputePipelineAsync", (create) => async (descriptor) => {
      const pipeline = await create(descriptor);
      this.#addPipeline(pipeline, descriptor);
      return pipeline;
    });
    this.#patch(device, "createCommandEncoder", (create) => (descriptor) => {
      const encoder = create(descriptor);
      this.#patchEncoder(encoder);
      return encoder;
    });
    this.#patch(device.queue, "submit", (submit) => (commandBuffers) => {
      const list = [...commandBuffers];
      submit(list);
      for (const commands of list.flatMap((buffer) => this.#ofBuffers.get(buffer) ?? [])) commands.isSubmitted = true;
    });
  }

  #patchEncoder(encoder: GPUCommandEncoder): void {
    let own: Commands | null = null;
    this.#patch(encoder, "beginComputePass", (begin) => (descriptor) => {
      return recordingPass(encoder, begin, descriptor ?? {}, {
        takes: (state, workgroups) => this.#takes(state, workgroups),
        record: (on, state, workgroups) => {
          own ??= { mark: this.#mark(on), isSubmitted: false, hasRun: null };
          this.#record(on, own, state, workgroups);
        },
      });
    });
    this.#patch(encoder, "finish", (finish) => (descriptor) => {
      const buffer = finish(descriptor);
      if (own !== null) this.#ofBuffers.set(buffer, own);
      return buffer;
    });
  }

  #addPipeline(pipeline: GPUComputePipeline, { label = "", compute }: GPUComputePipelineDescriptor): void {
    const module = this.#modules.get(compute.module);
    const { entryPoints = [] } = module?.program ?? {};
    const entryPoint = entryPoints.find(({ name, stage }) => {
      return stage === "compute" && name === (compute.entryPoint ?? name);
    });
    const { pipelines } = this.#options;
    if (module === undefined) {
      this.skipped.set(label, "its shader module was made before the capture began");
    } else if (entryPoint === undefined) {
      this.skipped.set(label, "its shader module has no such compute entry point");
    } else if (entryPoint.usedVariables.some(({ type }) => isHandle(type))) {
      this.skipped.set(label, "it reads textures, which halay does not run yet");
    } else if (pipelines === undefined || pipelines.includes(label)) {
      const constants = { ...compute.constants } as Record<string, number>;
      this.#pipelines.set(pipeline, {
        label,
        moduleLabel: module.label,
        program: module.program,
        entryPoint,
        constants,
      });
    }
  }

  // ---------------------------------------------------------------- passes

  #takes({ pipeline, groups }: PassState, workgroups: Workgroups): boolean {
    const known = pipeline === null ? undefined : this.#pipelines.get(pipeline);
    if (this.#left === 0 || known === undefined) return false;
    if (![...groups.values()].every(({ group }) => this.#groups.has(group))) return false;
    const refused = this.#unbound(known, groups) ?? this.#uncounted(workgroups);
    if (refused !== null) this.skipped.set(known.label, refused);
    return refused === null;
  }

  /** Such a dispatch is refused. webgpu: #abstract-opdef-validate-encoder-bind-groups */
  #unbound(known: KnownPipeline, groups: PassState["groups"]): string | null {
    const isBound = (index: number, binding: number) => {
      const bound = groups.get(index);
      return bound !== undefined && this.#groups.get(bound.group)!.buffers.has(binding);
    };
    const unbound = known.entryPoint.usedVariables.find(({ group, binding }) => {
      return group !== null && binding !== null && !isBound(group, binding);
    });
    return unbound === undefined ? null : `nothing is bound to ‘${unbound.name}’`;
  }

  /** webgpu: #dom-gpucomputepassencoder-dispatchworkgroups, #dom-gpucomputepassencoder-dispatchworkgroupsindirect */
  #uncounted(workgroups: Workgroups): string | null {
    if (!("buffer" in workgroups)) return this.#tooMany(workgroups);
    const { buffer, offset } = workgroups;
    if (offset % 4 === 0 && offset + INDIRECT_BYTES <= buffer.size) return null;
    return `its number of workgroups is not in the buffer at ${offset}`;
  }

  #tooMany(workgroups: Iterable<number>): string | null {
    const most = this.#device.limits.maxComputeWorkgroupsPerDimension;
    const wrong = [...workgroups].find((count) => count > most);
    return wrong === undefined ? null : `${wrong} workgroups are more than the ${most} that the device takes`;
  }

  /** Whatever else is wrong with commands is the device's to know: none of them is run then. webgpu: #dom-gpuqueue-submit */
  #mark(encoder: GPUCommandEncoder): GPUBuffer {
    if (this.#one === null) {
      const usage = GPUBufferUsage.COPY_SRC;
      this.#one = this.#createBuffer()({ label: "halay capture", size: 4, usage, mappedAtCreation: true });
      new Uint32Array(this.#one.getMappedRange())[0] = 1;
      this.#one.unmap();
    }
    return this.#copy(encoder, this.#one, 0, 4);
  }

  #createBuffer(): GPUDevice["createBuffer"] {
    const create = Object.getPrototypeOf(this.#device).createBuffer as GPUDevice["createBuffer"];
    return create.bind(this.#device);
  }

  #record(encoder: GPUCommandEncoder, commands: Commands, state: PassState, workgroups: Workgroups): void {
    this.#left--;
    const pipeline = this.#pipelines.get(state.pipeline!)!;
    const used = new Set(pipeline.entryPoint.usedVariables.filter(({ group }) => group !== null).map(bindingKey));
    const buffers = new Map<string, GPUBuffer>();
    for (const [index, { group, dynamicOffsets }] of state.groups) {
      const known = this.#groups.get(group)!;
      for (const [binding, { buffer, offset, size }] of known.buffers) {
        const key = `${index}.${binding}`;
        if (!used.has(key)) continue;
        const moved = known.dynamic.indexOf(binding);
        const start = offset + (moved < 0 ? 0 : (dynamicOffsets[moved] ?? 0));
        buffers.set(key, this.#copy(encoder, buffer, start, Math.min(size, buffer.size - start)));
      }
    }
    const immediate = immediateOf(pipeline.entryPoint);
    const immediates = immediate === null ? null : state.immediates.slice(0, layoutOf(immediate.type).size);
    const counts =
      "buffer" in workgroups ? this.#copy(encoder, workgroups.buffer, workgroups.offset, INDIRECT_BYTES) : workgroups;
    const debugGroups = [...state.debugGroups];
    this.#recorded.push({ pipeline, workgroups: counts, buffers, immediates, debugGroups, commands });
  }

  /** A copy of what a buffer holds when the queue comes to it. Its size is that of the part, up to whole words. */
  #copy(encoder: GPUCommandEncoder, buffer: GPUBuffer, offset: number, size: number): GPUBuffer {
    const { MAP_READ, COPY_DST } = GPUBufferUsage;
    const whole = Math.max(0, Math.min(Math.ceil(size / 4) * 4, Math.floor((buffer.size - offset) / 4) * 4));
    const copy = this.#createBuffer()({ label: "halay capture", size: whole, usage: MAP_READ | COPY_DST });
    encoder.copyBufferToBuffer(buffer, offset, copy, 0, whole);
    return copy;
  }

  // ---------------------------------------------------------------- results

  async dispatches(): Promise<readonly CapturedDispatch[]> {
    await this.#device.queue.onSubmittedWorkDone();
    const reading = this.#reading.then(() => this.#readSubmitted());
    this.#reading = reading.catch(() => {});
    await reading;
    return [...this.#done];
  }

  async #readSubmitted(): Promise<void> {
    const submitted = this.#recorded.filter(({ commands }) => commands.isSubmitted);
    for (const each of submitted) {
      this.#recorded.splice(this.#recorded.indexOf(each), 1);
      const refused = await this.#read(each);
      if (refused !== null) this.skipped.set(each.pipeline.label, refused);
    }
  }

  /** Why it was not run; null: it was, and is among those that are done. */
  async #read(each: Recorded): Promise<string | null> {
    const { commands } = each;
    commands.hasRun ??= new Uint32Array((await take(commands.mark)).buffer)[0] === 1;
    if (!commands.hasRun) {
      for (const copy of copiesOf(each)) copy.destroy();
      return REFUSED;
    }
    const made = await captured(each);
    const refused = this.#tooMany(made.launch.workgroups as readonly number[]);
    if (refused === null) this.#done.push(made);
    return refused;
  }

  async files(): Promise<ReadonlyMap<string, Uint8Array>> {
    return captureFiles(await this.dispatches());
  }

  stop(): void {
    for (const undo of this.#undo.splice(0)) undo();
  }
}

function buffersIn({ entries }: GPUBindGroupDescriptor): ReadonlyMap<number, BoundBuffer> {
  const found = new Map<number, BoundBuffer>();
  for (const { binding, resource } of entries) {
    // By what they have: which classes there are depends on whose device it is.
    const given = "mapAsync" in resource ? { buffer: resource } : resource;
    if (!("buffer" in given)) continue;
    const { buffer, offset = 0, size = buffer.size - offset } = given as GPUBufferBinding;
    found.set(binding, { buffer, offset, size });
  }
  return found;
}

async function captured({
  pipeline,
  workgroups,
  buffers,
  immediates,
  debugGroups,
}: Recorded): Promise<CapturedDispatch> {
  const { label, moduleLabel, program, entryPoint, constants } = pipeline;
  const contents: Record<string, Uint8Array> = {};
  for (const [key, copy] of buffers) contents[key] = await take(copy);
  if (immediates !== null) contents[immediateOf(entryPoint)!.name] = immediates;
  const counts = "mapAsync" in workgroups ? new Uint32Array((await take(workgroups)).buffer) : workgroups;
  return {
    launch: {
      shader: program,
      entry: entryPoint.name,
      workgroups: [...counts],
      overrides: constants,
      buffers: contents,
    },
    labels: { pipeline: label, shaderModule: moduleLabel, debugGroups },
  };
}

function copiesOf({ buffers, workgroups }: Recorded): readonly GPUBuffer[] {
  return "mapAsync" in workgroups ? [...buffers.values(), workgroups] : [...buffers.values()];
}

/** What a copy holds; it is used up. */
async function take(copy: GPUBuffer): Promise<Uint8Array<ArrayBuffer>> {
  await copy.mapAsync(GPUMapMode.READ);
  const bytes = new Uint8Array(copy.getMappedRange()).slice();
  copy.destroy();
  return bytes;
}
