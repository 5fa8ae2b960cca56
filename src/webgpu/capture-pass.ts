/**
 * A compute pass that can be recorded: before each dispatch that is, the pass behind it ends, what is bound is copied, and
 * another pass goes on where that one ended.
 */
import { MAX_IMMEDIATE_BYTES } from "../analysis/limits.ts";
import { partOf } from "./binding-commands.ts";
import { bufferSource } from "./idl/convert.ts";

export type Workgroups = readonly [number, number, number] | { readonly buffer: GPUBuffer; readonly offset: number };

export interface PassState {
  pipeline: GPUComputePipeline | null;
  readonly groups: Map<number, { readonly group: GPUBindGroup; readonly dynamicOffsets: readonly number[] }>;
  readonly immediates: Uint8Array;
  readonly debugGroups: string[];
}

export interface PassRecorder {
  /** Whether a dispatch in this state is recorded. */
  takes(state: PassState, workgroups: Workgroups): boolean;
  /** Encodes the copies before a dispatch. No pass is open. */
  record(encoder: GPUCommandEncoder, state: PassState, workgroups: Workgroups): unknown;
}

/** What stands for a pass: the calls go to the pass that is open at the time. */
export function recordingPass(
  encoder: GPUCommandEncoder,
  begin: (descriptor?: GPUComputePassDescriptor) => GPUComputePassEncoder,
  descriptor: GPUComputePassDescriptor,
  recorder: PassRecorder,
): GPUComputePassEncoder {
  return new RecordingPass(encoder, begin, descriptor, recorder).published;
}

class RecordingPass {
  readonly published: GPUComputePassEncoder;
  readonly #encoder: GPUCommandEncoder;
  readonly #begin: (descriptor?: GPUComputePassDescriptor) => GPUComputePassEncoder;
  readonly #descriptor: GPUComputePassDescriptor;
  readonly #recorder: PassRecorder;
  readonly #state: PassState = {
    pipeline: null,
    groups: new Map(),
    immediates: new Uint8Array(MAX_IMMEDIATE_BYTES),
    debugGroups: [],
  };
  /** To be set again in the next pass, in order. */
  readonly #immediates: ((pass: GPUComputePassEncoder) => void)[] = [];
  #pass: GPUComputePassEncoder;

  constructor(
    encoder: GPUCommandEncoder,
    begin: (descriptor?: GPUComputePassDescriptor) => GPUComputePassEncoder,
    descriptor: GPUComputePassDescriptor,
    recorder: PassRecorder,
  ) {
    this.#encoder = encoder;
    this.#begin = begin;
    this.#descriptor = descriptor;
    this.#recorder = recorder;
    this.#pass = begin(descriptor);
    this.published = this.#publish();
  }

  /** An instance of the interface, whose own methods come first. */
  #publish(): GPUComputePassEncoder {
    const state = this.#state;
    const methods: Record<string, (...args: never[]) => void> = {
      setPipeline: (pipeline: GPUComputePipeline) => {
        this.#pass.setPipeline(pipeline);
        state.pipeline = pipeline;
      },
      setBindGroup: (...args: never[]) => this.#setBindGroup(args),
      setImmediates: (rangeOffset: number, data: unknown, dataOffset = 0, dataSize?: number) => {
        const bytes = partOf(bufferSource(data, "the data"), dataOffset, dataSize, "setImmediates()").slice();
        const set = (pass: GPUComputePassEncoder) => pass.setImmediates(rangeOffset, bytes);
        set(this.#pass);
        this.#immediates.push(set);
        if (rangeOffset + bytes.length <= MAX_IMMEDIATE_BYTES) state.immediates.set(bytes, rangeOffset);
      },
      dispatchWorkgroups: (x: number, y = 1, z = 1) => {
        this.#beforeDispatch([x, y, z]);
        this.#pass.dispatchWorkgroups(x, y, z);
      },
      dispatchWorkgroupsIndirect: (buffer: GPUBuffer, offset: number) => {
        this.#beforeDispatch({ buffer, offset });
        this.#pass.dispatchWorkgroupsIndirect(buffer, offset);
      },
      pushDebugGroup: (label: string) => {
        this.#pass.pushDebugGroup(label);
        state.debugGroups.push(label);
      },
      popDebugGroup: () => {
        this.#pass.popDebugGroup();
        state.debugGroups.pop();
      },
      insertDebugMarker: (label: string) => this.#pass.insertDebugMarker(label),
      end: () => this.#pass.end(),
    };
    const published = Object.create(Object.getPrototypeOf(this.#pass)) as GPUComputePassEncoder;
    for (const [name, value] of Object.entries(methods)) Object.defineProperty(published, name, { value });
    return Object.defineProperty(published, "label", {
      get: () => this.#pass.label,
      set: (label: string) => {
        this.#pass.label = label;
      },
    });
  }

  #setBindGroup(args: readonly unknown[]): void {
    const [index, group, list = [], start, length] = args as [
      number,
      GPUBindGroup | null,
      (Iterable<number> | Uint32Array)?,
      number?,
      number?,
    ];
    const offsets = [...list];
    const dynamicOffsets = start === undefined ? offsets : offsets.slice(start, start + length!);
    this.#pass.setBindGroup(index, group, dynamicOffsets);
    if (group === null) this.#state.groups.delete(index);
    else this.#state.groups.set(index, { group, dynamicOffsets });
  }

  #beforeDispatch(workgroups: Workgroups): void {
    if (!this.#recorder.takes(this.#state, workgroups)) return;
    this.#close();
    this.#recorder.record(this.#encoder, this.#state, workgroups);
    this.#reopen();
  }

  #close(): void {
    for (const _ of this.#state.debugGroups) this.#pass.popDebugGroup();
    this.#pass.end();
  }

  /** The end of the last pass is the one whose time counts: each writes it anew. */
  #reopen(): void {
    const { label, timestampWrites: writes } = this.#descriptor;
    const last = writes?.endOfPassWriteIndex;
    this.#pass = this.#begin({
      ...(label === undefined ? {} : { label }),
      ...(last === undefined ? {} : { timestampWrites: { querySet: writes!.querySet, endOfPassWriteIndex: last } }),
    });
    const { pipeline, groups, debugGroups } = this.#state;
    for (const each of debugGroups) this.#pass.pushDebugGroup(each);
    if (pipeline !== null) this.#pass.setPipeline(pipeline);
    for (const [index, { group, dynamicOffsets }] of groups) this.#pass.setBindGroup(index, group, [...dynamicOffsets]);
    for (const set of this.#immediates) set(this.#pass);
  }
}
