/** Binding of resources for dispatches. webgpu: #programmable-passes */
import { type BindGroupObject, type BoundRange, bindingUsage, boundRanges, GPUBindGroup } from "./bind-group.ts";
import type { ComputePipelineObject } from "./compute-pipeline.ts";
import type { DeviceObject } from "./device-object.ts";
import { EncoderObject } from "./encoder.ts";
import { operationError } from "./errors.ts";
import { GPUShaderStage } from "./flags.ts";
import {
  type BufferSource,
  bufferSource,
  isUint32Array,
  nullable,
  sequence,
  size32,
  size64,
  uint32Array,
} from "./idl/convert.ts";
import { left, leftAs, needed, type Operation, operation, overloaded } from "./idl/interface.ts";
import { nameOf, useProblem } from "./object.ts";
import { TextureViewObject } from "./texture-view.ts";
import type { UsageScope } from "./usage-scope.ts";

export interface SetGroup {
  readonly group: BindGroupObject;
  readonly dynamicOffsets: readonly number[];
}

export abstract class BindingEncoderObject extends EncoderObject {
  readonly groups = new Map<number, SetGroup>();
  #immediates: Uint8Array;
  readonly #setWords = new Set<number>();

  constructor(device: DeviceObject, label: string) {
    super(device, label);
    this.#immediates = new Uint8Array(device.limits.maxImmediateSize);
  }

  /** As they are now: what is set later does not change them. */
  get immediates(): Uint8Array {
    return this.#immediates;
  }

  /** webgpu: #dom-gpubindingcommandsmixin-setbindgroup */
  setBindGroup(index: number, group: BindGroupObject | null, dynamicOffsets: readonly number[]): void {
    this.encode(
      "setBindGroup()",
      () => this.#groupProblem(index, group, dynamicOffsets),
      () => {
        if (group === null) {
          this.groups.delete(index);
          return;
        }
        this.groups.set(index, { group, dynamicOffsets });
        this.used.addGroup(group);
      },
    );
  }

  #groupProblem(index: number, group: BindGroupObject | null, offsets: readonly number[]): string | null {
    const { maxBindGroups } = this.device.limits;
    if (index >= maxBindGroups) return `the index ${index} is not below maxBindGroups, which is ${maxBindGroups}`;
    const unusable = group === null ? null : useProblem(group, this.device);
    if (unusable !== null) return unusable;
    const wanted = group?.layout.dynamicOffsetCount ?? 0;
    if (offsets.length !== wanted) {
      return `${offsets.length} dynamic offsets are given; the ${group === null ? "null group" : nameOf(group)} takes ${wanted}`;
    }
    return group === null ? null : dynamicOffsetsProblem(group, offsets);
  }

  /** webgpu: #dom-gpubindingcommandsmixin-setimmediates */
  setImmediates(rangeOffset: number, source: BufferSource, dataOffset: number, dataSize: number | undefined): void {
    const bytes = partOf(source, dataOffset, dataSize, `${this.interfaceName}.setImmediates()`).slice();
    const { maxImmediateSize } = this.device.limits;
    this.encode(
      "setImmediates()",
      () => {
        if (rangeOffset % 4 !== 0) return `the offset ${rangeOffset} is no multiple of 4`;
        if (rangeOffset + bytes.length <= maxImmediateSize) return null;
        return `${bytes.length} bytes at ${rangeOffset} go beyond maxImmediateSize, which is ${maxImmediateSize}`;
      },
      () => {
        this.#immediates = this.#immediates.slice();
        this.#immediates.set(bytes, rangeOffset);
        for (let i = 0; i < bytes.length / 4; i++) this.#setWords.add(rangeOffset / 4 + i);
      },
    );
  }

  /** webgpu: #abstract-opdef-validate-immediate-data */
  immediatesProblem({ shader }: ComputePipelineObject): string | null {
    const missing = shader.immediateSlots.find((slot) => !this.#setWords.has(slot));
    if (missing === undefined) return null;
    return `the shader reads immediate data at byte ${missing * 4} that setImmediates() has not set`;
  }

  // ---------------------------------------------------------------- dispatches

  /** webgpu: #abstract-opdef-validate-encoder-bind-groups */
  groupsProblem(pipeline: ComputePipelineObject): string | null {
    for (const [index, layout] of pipeline.layout.bindGroupLayouts.entries()) {
      if (layout === null) continue;
      const set = this.groups.get(index);
      if (set === undefined) return `the ${nameOf(pipeline)} takes a bind group at index ${index}: none is set`;
      if (!set.group.layout.isEquivalent(layout)) {
        return `the layout of the ${nameOf(set.group)} at index ${index} is not the one of the ${nameOf(pipeline)}${ofOther(set.group, pipeline)}`;
      }
    }
    const ranges = this.ranges(pipeline);
    return sizesProblem(ranges, pipeline) ?? aliasProblem([...ranges.values()]) ?? this.#textureAliasProblem(pipeline);
  }

  /** What is bound at the groups that the pipeline takes, by `group.binding`. */
  ranges(pipeline: ComputePipelineObject): ReadonlyMap<string, BoundRange> {
    const found = new Map<string, BoundRange>();
    for (const [index, { group, dynamicOffsets }] of this.#taken(pipeline)) {
      for (const range of boundRanges(group, dynamicOffsets)) found.set(`${index}.${range.layout.binding}`, range);
    }
    return found;
  }

  *#taken({ layout }: ComputePipelineObject): Iterable<readonly [number, SetGroup]> {
    for (const [index, wanted] of layout.bindGroupLayouts.entries()) {
      const set = this.groups.get(index);
      if (wanted !== null && set !== undefined) yield [index, set];
    }
  }

  /** webgpu: #abstract-opdef-usage-scope-merge */
  addUsages(scope: UsageScope, pipeline: ComputePipelineObject): void {
    for (const [, { group }] of this.#taken(pipeline)) {
      for (const { layout, resource } of group.entries) {
        const usage = bindingUsage(layout);
        if (resource instanceof TextureViewObject) scope.addView(resource, usage);
        else if ("buffer" in resource) scope.addBuffer(resource.buffer, usage);
      }
    }
  }

  /** webgpu: #abstract-opdef-encoder-bind-groups-alias-a-writable-resource */
  #textureAliasProblem(pipeline: ComputePipelineObject): string | null {
    const seen = new Map<object, Map<string, boolean>>();
    for (const [, { group }] of this.#taken(pipeline)) {
      for (const { layout, resource } of group.entries) {
        if (layout.storageTexture === undefined || (layout.visibility & GPUShaderStage.COMPUTE) === 0) continue;
        if (!(resource instanceof TextureViewObject)) continue;
        const isWritten = layout.storageTexture.access !== "read-only";
        const parts = seen.get(resource.texture) ?? new Map<string, boolean>();
        seen.set(resource.texture, parts);
        for (const key of resource.subresources) {
          const other = parts.get(key);
          if (other !== undefined && (other || isWritten)) {
            return `a part of the ${nameOf(resource.texture)} is bound twice, once so that it can be written`;
          }
          parts.set(key, isWritten);
        }
      }
    }
    return null;
  }
}

function ofOther(group: BindGroupObject, pipeline: ComputePipelineObject): string {
  const { exclusivePipeline } = group.layout;
  if (exclusivePipeline === null || exclusivePipeline === pipeline) return "";
  return `: it was made for another pipeline's default layout (layout: "auto"); give both one explicit layout to share bind groups`;
}

/** webgpu: #abstract-opdef-iterate-over-each-dynamic-binding-offset */
function dynamicOffsetsProblem(group: BindGroupObject, offsets: readonly number[]): string | null {
  const { limits } = group.device;
  for (const [i, { layout, resource }] of group.dynamicEntries.entries()) {
    const { buffer, offset, size } = resource;
    const { type, minBindingSize } = layout.buffer!;
    const limit = type === "uniform" ? "minUniformBufferOffsetAlignment" : "minStorageBufferOffsetAlignment";
    const what = `the dynamic offset ${offsets[i]} for binding ${layout.binding}`;
    if (offsets[i] % limits[limit] !== 0) return `${what} is no multiple of ${limit}, which is ${limits[limit]}`;
    const end = offset + offsets[i] + Math.max(minBindingSize, size ?? 0);
    if (end > buffer.size) {
      return `${what} moves the binding out of the ${nameOf(buffer)}: it would end at ${end} of ${buffer.size} bytes`;
    }
  }
  return null;
}

/** webgpu: #minimum-buffer-binding-size */
function sizesProblem(ranges: ReadonlyMap<string, BoundRange>, { shader }: ComputePipelineObject): string | null {
  for (const [key, { layout, buffer, size }] of ranges) {
    const least = shader.leastSizes.get(key);
    if (least === undefined || layout.buffer!.minBindingSize !== 0 || size >= least) continue;
    const [group, binding] = key.split(".");
    return `${size} bytes of the ${nameOf(buffer)} are bound at @group(${group}) @binding(${binding}): the shader needs ${least}`;
  }
  return null;
}

/** webgpu: #abstract-opdef-encoder-bind-groups-alias-a-writable-resource, #buffer-binding-aliasing */
function aliasProblem(ranges: readonly BoundRange[]): string | null {
  const seen: BoundRange[] = [];
  for (const range of ranges) {
    if ((range.layout.visibility & GPUShaderStage.COMPUTE) === 0) continue;
    const isWritten = range.layout.buffer!.type === "storage";
    const other = seen.find(
      (each) =>
        each.buffer === range.buffer && (isWritten || each.layout.buffer!.type === "storage") && overlap(each, range),
    );
    if (other !== undefined) {
      return `overlapping parts of the ${nameOf(range.buffer)} are bound twice, once so that they can be written: ${rangeText(other)} and ${rangeText(range)}`;
    }
    seen.push(range);
  }
  return null;
}

function overlap(a: BoundRange, b: BoundRange): boolean {
  return a.offset < b.offset + b.size && b.offset < a.offset + a.size;
}

function rangeText({ layout, offset, size }: BoundRange): string {
  return `binding ${layout.binding} from ${offset} to ${offset + size}`;
}

/** The part of what a caller passes that is meant. @throws DOMException (OperationError) where there is no such part */
export function partOf(source: BufferSource, offset: number, size: number | undefined, what: string): Uint8Array {
  const { bytes, elementSize, length } = source;
  const count = size ?? length - offset;
  if (count < 0) throw operationError(`${what}: the offset ${offset} into the data is beyond its ${length} elements`);
  if (offset + count > length) {
    throw operationError(`${what}: ${count} elements at ${offset} go beyond the ${length} elements of the data`);
  }
  if ((count * elementSize) % 4 !== 0) {
    throw operationError(`${what}: the size of ${count * elementSize} bytes is no multiple of 4`);
  }
  return bytes.subarray(offset * elementSize, (offset + count) * elementSize);
}

// ---------------------------------------------------------------- operations

const withList: Operation<BindingEncoderObject> = operation(
  [needed(size32), needed(nullable(GPUBindGroup.convert)), leftAs(sequence(size32), [])],
  (encoder, index, group, offsets) => encoder.setBindGroup(index, group, offsets),
);

const withArray: Operation<BindingEncoderObject> = operation(
  [needed(size32), needed(nullable(GPUBindGroup.convert)), needed(uint32Array), needed(size64), needed(size32)],
  (encoder, index, group, data, start, length) => {
    if (start + length > data.length) {
      throw new RangeError(
        `${encoder.interfaceName}.setBindGroup(): ${length} offsets at ${start} go beyond the ${data.length} of the array`,
      );
    }
    encoder.setBindGroup(index, group, [...data.subarray(start, start + length)]);
  },
);

/** webgpu: #gpubindingcommandsmixin */
export const BINDING_COMMANDS: Readonly<Record<string, Operation<BindingEncoderObject>>> = {
  setBindGroup: overloaded(2, (given, what) => {
    if (given.length < 4) return withList;
    if (given.length >= 5 && isUint32Array(given[2])) return withArray;
    if (given.length === 4) throw new TypeError(`${what} takes 2, 3 or 5 arguments, not 4`);
    return withArray;
  }),
  setImmediates: operation(
    [needed(size32), needed(bufferSource), leftAs(size64, 0), left(size64)],
    (encoder: BindingEncoderObject, rangeOffset, data, dataOffset, dataSize) =>
      encoder.setImmediates(rangeOffset, data, dataOffset, dataSize),
  ),
};
