/** Query sets. webgpu: #queries */
import type { DeviceObject } from "./device-object.ts";
import { queryType } from "./enums.ts";
import { size32 } from "./idl/convert.ts";
import { type Converted, dictionary, optional, required } from "./idl/dictionary.ts";
import { defineInterface, LABEL, operation } from "./idl/interface.ts";
import { checked, InternalObject, nameOf, objectDescriptorBase, useProblem } from "./object.ts";

/** webgpu: #dictdef-gpuquerysetdescriptor */
export const querySetDescriptor = dictionary(
  "GPUQuerySetDescriptor",
  { type: required(queryType), count: required(size32) },
  objectDescriptorBase,
);

type Descriptor = Converted<typeof querySetDescriptor>;

const MOST_QUERIES = 4096;

export class QuerySetObject extends InternalObject {
  readonly kind = "query set";
  readonly type: GPUQueryType;
  readonly count: number;
  isDestroyed = false;
  #values: BigUint64Array | null = null;

  constructor(device: DeviceObject, { label, type, count }: Descriptor) {
    super(device, label);
    this.type = type;
    this.count = count;
  }

  /** Zeros until they are written. */
  get values(): BigUint64Array {
    this.#values ??= new BigUint64Array(this.count);
    return this.#values;
  }
}

/** webgpu: #dom-gpudevice-createqueryset */
export function createQuerySet(device: DeviceObject, descriptor: Descriptor): GPUQuerySet {
  const operation = "GPUDevice.createQuerySet()";
  const { type, count } = descriptor;
  if (type === "timestamp" && !device.has("timestamp-query")) {
    throw new TypeError(`${operation}: the type "timestamp" needs the feature "timestamp-query"`);
  }
  const problem = count <= MOST_QUERIES ? null : `${count} queries are more than ${MOST_QUERIES}`;
  return GPUQuerySet.wrap(checked(new QuerySetObject(device, descriptor), operation, problem));
}

/** webgpu: #gpuqueryset */
export const GPUQuerySet = defineInterface<QuerySetObject, GPUQuerySet>("GPUQuerySet", {
  attributes: { type: { get: ({ type }) => type }, count: { get: ({ count }) => count }, ...LABEL },
  operations: {
    destroy: operation([], (querySet) => {
      querySet.isDestroyed = true;
    }),
  },
});

// ---------------------------------------------------------------- timestamps

/** webgpu: #dictdef-gpucomputepasstimestampwrites */
export const timestampWrites = dictionary("GPUComputePassTimestampWrites", {
  querySet: required(GPUQuerySet.convert),
  beginningOfPassWriteIndex: optional(size32),
  endOfPassWriteIndex: optional(size32),
});

export type TimestampWrites = Converted<typeof timestampWrites>;

/** webgpu: #abstract-opdef-validate-timestampwrites */
export function timestampProblem(
  device: DeviceObject,
  { querySet, beginningOfPassWriteIndex: begin, endOfPassWriteIndex: end }: TimestampWrites,
): string | null {
  const name = nameOf(querySet);
  if (!device.has("timestamp-query")) return `timestampWrites need the feature "timestamp-query"`;
  const unusable = useProblem(querySet, device);
  if (unusable !== null) return unusable;
  if (querySet.type !== "timestamp") return `the ${name} is for ${querySet.type} queries, not for timestamps`;
  if (begin === undefined && end === undefined) return "timestampWrites has neither of its two indices";
  if (begin === end) return `timestampWrites has the index ${begin} twice`;
  const wrong = [begin, end].find((index) => index !== undefined && index >= querySet.count);
  return wrong === undefined ? null : `the index ${wrong} is not below ${querySet.count}, the count of the ${name}`;
}
