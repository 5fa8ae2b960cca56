/** Compute passes. webgpu: #compute-passes */
import { BINDING_COMMANDS, BindingEncoderObject } from "./binding-commands.ts";
import { type BufferObject, GPUBuffer, multipleProblem, rangeProblem, usageProblem } from "./buffer.ts";
import type { DispatchCommand, TimestampCommand } from "./commands.ts";
import { type ComputePipelineObject, GPUComputePipeline } from "./compute-pipeline.ts";
import { DEBUG_COMMANDS, type EncoderObject } from "./encoder.ts";
import { size32, size64 } from "./idl/convert.ts";
import { type Converted, dictionary, optional } from "./idl/dictionary.ts";
import { defineInterface, LABEL, leftAs, needed, operation } from "./idl/interface.ts";
import { nameOf, objectDescriptorBase, useProblem } from "./object.ts";
import { type TimestampWrites, timestampProblem, timestampWrites } from "./query-set.ts";
import { UsageScope } from "./usage-scope.ts";

/** webgpu: #dictdef-gpucomputepassdescriptor */
export const computePassDescriptor = dictionary(
  "GPUComputePassDescriptor",
  { timestampWrites: optional(timestampWrites) },
  objectDescriptorBase,
);

type Triple = readonly [number, number, number];

/** Three words. webgpu: #indirect-dispatch-parameters */
const INDIRECT_BYTES = 12;

export class ComputePassObject extends BindingEncoderObject {
  readonly kind = "compute pass";
  readonly interfaceName = "GPUComputePassEncoder";
  readonly #parent: EncoderObject;
  #pipeline: ComputePipelineObject | null = null;
  #endWrite: TimestampCommand | null = null;

  constructor(parent: EncoderObject, label: string) {
    super(parent.device, label);
    this.#parent = parent;
  }

  setPipeline(pipeline: ComputePipelineObject): void {
    this.encode(
      "setPipeline()",
      () => useProblem(pipeline, this.device),
      () => {
        this.#pipeline = pipeline;
      },
    );
  }

  /** webgpu: #dom-gpucomputepassencoder-dispatchworkgroups */
  dispatch(workgroups: Triple): void {
    const operation = "dispatchWorkgroups()";
    this.encode(
      operation,
      () => this.#problem(null) ?? countProblem(workgroups, this.#pipeline!),
      () => this.#record(workgroups),
    );
  }

  /** webgpu: #dom-gpucomputepassencoder-dispatchworkgroupsindirect */
  dispatchIndirect(buffer: BufferObject, offset: number): void {
    this.encode(
      "dispatchWorkgroupsIndirect()",
      () =>
        useProblem(buffer, this.device) ??
        usageProblem(buffer, "INDIRECT") ??
        rangeProblem(buffer, offset, INDIRECT_BYTES) ??
        multipleProblem("offset", offset, 4) ??
        this.#problem(buffer),
      () => {
        this.used.buffers.add(buffer);
        this.#record({ buffer, offset });
      },
    );
  }

  #problem(indirect: BufferObject | null): string | null {
    const pipeline = this.#pipeline;
    if (pipeline === null) return "no pipeline is set";
    const scope = new UsageScope();
    this.addUsages(scope, pipeline);
    if (indirect !== null) scope.addBuffer(indirect, "input");
    return this.groupsProblem(pipeline) ?? scope.problem ?? this.immediatesProblem(pipeline);
  }

  #record(workgroups: DispatchCommand["workgroups"]): void {
    const pipeline = this.#pipeline!;
    this.commands.push({
      kind: "dispatch",
      pipeline,
      bindings: this.ranges(pipeline),
      immediates: this.immediates,
      workgroups,
      debugGroups: [...this.#parent.debugGroups, ...this.debugGroups],
    });
  }

  /** webgpu: #dom-gpucommandencoder-begincomputepass */
  writeTimestamps({ querySet, beginningOfPassWriteIndex, endOfPassWriteIndex }: TimestampWrites): void {
    this.used.querySets.add(querySet);
    const write = (index: number): TimestampCommand => ({ kind: "timestamp", querySet, index });
    if (beginningOfPassWriteIndex !== undefined) this.commands.push(write(beginningOfPassWriteIndex));
    if (endOfPassWriteIndex !== undefined) this.#endWrite = write(endOfPassWriteIndex);
  }

  /** webgpu: #dom-gpucomputepassencoder-end */
  end(): void {
    const parent = this.#parent;
    const what = "GPUComputePassEncoder.end()";
    if (this.state !== "open" || parent.state !== "locked") {
      const why = this.state === "open" ? `the ${nameOf(parent)} has no open pass` : `the ${nameOf(this)} has ended`;
      this.device.validationError(`${what}: ${why}`);
      return;
    }
    this.state = "ended";
    parent.state = "open";
    parent.used.addAll(this.used);
    const open = this.openGroupProblem;
    const problem = this.problem ?? (open === null ? null : `${what}: ${open}`);
    if (problem !== null) {
      parent.invalidate(problem);
      return;
    }
    for (const command of this.commands) parent.commands.push(command);
    if (this.#endWrite !== null) parent.commands.push(this.#endWrite);
  }
}

function countProblem(workgroups: Triple, pipeline: ComputePipelineObject): string | null {
  const { maxComputeWorkgroupsPerDimension: most } = pipeline.device.limits;
  const wrong = workgroups.findIndex((count) => count > most);
  if (wrong >= 0) {
    return `${workgroups[wrong]} workgroups along ${"xyz"[wrong]} are more than maxComputeWorkgroupsPerDimension, which is ${most}`;
  }
  return tooManyToCount(workgroups, pipeline);
}

/** What a shader counts in 32 bits must fit. webgpu: #dom-gpucomputepassencoder-dispatchworkgroups */
export function tooManyToCount([x, y, z]: Triple, { shader }: ComputePipelineObject): string | null {
  const groups = x * y * z;
  if (shader.countsWorkgroups && groups > 2 ** 32 - 1) {
    return `the shader reads workgroup_index: ${groups} workgroups do not fit its 32 bits`;
  }
  const invocations = groups * (shader.module?.workgroupSize ?? [1, 1, 1]).reduce((product, n) => product * n, 1);
  if (!shader.countsInvocations || invocations <= 2 ** 32 - 1) return null;
  return `the shader reads global_invocation_index: ${invocations} invocations do not fit its 32 bits`;
}

/** webgpu: #dom-gpucommandencoder-begincomputepass */
export function beginComputePass(
  parent: EncoderObject,
  { label, timestampWrites: writes }: Converted<typeof computePassDescriptor>,
): GPUComputePassEncoder {
  const pass = new ComputePassObject(parent, label);
  const operation = "beginComputePass()";
  if (!parent.canEncode(operation)) {
    pass.invalidate(`${parent.interfaceName}.${operation}: the ${nameOf(parent)} could not begin it`);
  } else {
    parent.state = "locked";
    const problem = writes === undefined ? null : timestampProblem(parent.device, writes);
    if (problem !== null) pass.invalidate(`${parent.interfaceName}.${operation}: ${problem}`);
    else if (writes !== undefined) pass.writeTimestamps(writes);
  }
  return GPUComputePassEncoder.wrap(pass);
}

/** webgpu: #gpucomputepassencoder */
export const GPUComputePassEncoder = defineInterface<ComputePassObject, GPUComputePassEncoder>(
  "GPUComputePassEncoder",
  {
    attributes: { ...LABEL },
    operations: {
      setPipeline: operation([needed(GPUComputePipeline.convert)], (pass, pipeline) => pass.setPipeline(pipeline)),
      dispatchWorkgroups: operation([needed(size32), leftAs(size32, 1), leftAs(size32, 1)], (pass, x, y, z) =>
        pass.dispatch([x, y, z]),
      ),
      dispatchWorkgroupsIndirect: operation([needed(GPUBuffer.convert), needed(size64)], (pass, buffer, offset) =>
        pass.dispatchIndirect(buffer, offset),
      ),
      end: operation([], (pass) => pass.end()),
      ...DEBUG_COMMANDS,
      ...BINDING_COMMANDS,
    },
  },
);
