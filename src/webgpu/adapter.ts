/** Adapters: what devices can be made of. webgpu: #gpuadapter */
import { SUBGROUP_SIZE } from "../engine/execution.ts";
import { publishDevice } from "./device.ts";
import { type AdapterCapabilities, DeviceObject } from "./device-object.ts";
import type { Environment } from "./environment.ts";
import { operationError } from "./errors.ts";
import {
  CORE,
  FEATURES,
  type Feature,
  featureName,
  GPUSupportedFeatures,
  NameSet,
  withNeeded,
  withoutFeature,
} from "./features.ts";
import { domString, optionalValue, record, sequence, size64 } from "./idl/convert.ts";
import { type Converted, defaulted, dictionary } from "./idl/dictionary.ts";
import { defineInterface, leftAs, promiseOperation } from "./idl/interface.ts";
import { adapterInfoOf, GPUAdapterInfo } from "./info.ts";
import { BEST_LIMITS, deviceLimits, GPUSupportedLimits, type Limits, LimitsObject, limitsProblem } from "./limits.ts";
import { objectDescriptorBase } from "./object.ts";
import { queueDescriptor } from "./queue.ts";

/** webgpu: #gpudevicedescriptor */
const deviceDescriptor = dictionary(
  "GPUDeviceDescriptor",
  {
    requiredFeatures: defaulted(sequence(featureName), []),
    requiredLimits: defaulted(record(domString, optionalValue(size64)), {}),
    defaultQueue: defaulted(queueDescriptor, {}),
  },
  objectDescriptorBase,
);

/** webgpu: #abstract-opdef-new-adapter-info — what an adapter without subgroups says. */
const SUBGROUP_RANGE = [4, 128] as const;

export class AdapterObject implements AdapterCapabilities {
  readonly environment: Environment;
  readonly features: ReadonlySet<Feature>;
  readonly limits: Limits;
  readonly subgroupMinSize: number;
  readonly subgroupMaxSize: number;
  readonly isFallback: boolean;
  /** The same object every time. */
  readonly published: {
    readonly features: GPUSupportedFeatures;
    readonly limits: GPUSupportedLimits;
    readonly info: GPUAdapterInfo;
  };
  #isConsumed = false;

  /** A fallback adapter is the same, but says that it is one. */
  constructor(environment: Environment, isFallback: boolean) {
    const { emulation } = environment;
    const without = emulation.without ?? [];
    this.environment = environment;
    this.features = without.reduce<ReadonlySet<Feature>>(withoutFeature, new Set(FEATURES));
    this.limits = { ...BEST_LIMITS, ...emulation.limits };
    const size = emulation.subgroupSize ?? SUBGROUP_SIZE;
    // Engines have others too, but shaders that do not ask for one run with this one, and applications count on it.
    [this.subgroupMinSize, this.subgroupMaxSize] = this.features.has("subgroups") ? [size, size] : SUBGROUP_RANGE;
    this.isFallback = isFallback;
    this.published = {
      features: GPUSupportedFeatures.wrap(new NameSet(this.features)),
      limits: GPUSupportedLimits.wrap(new LimitsObject(this.limits)),
      info: GPUAdapterInfo.wrap(adapterInfoOf(this)),
    };
  }

  /** webgpu: #dom-gpuadapter-requestdevice */
  async requestDevice(descriptor: Converted<typeof deviceDescriptor>): Promise<GPUDevice> {
    const what = "GPUAdapter.requestDevice()";
    const { label, requiredFeatures, requiredLimits, defaultQueue } = descriptor;
    const missing = requiredFeatures.find((feature) => !this.features.has(feature));
    if (missing !== undefined) throw new TypeError(`${what}: the adapter does not have the feature "${missing}"`);
    if (this.#isConsumed) {
      throw operationError(`${what}: this adapter has made its device; ask for another with requestAdapter()`);
    }
    const problem = limitsProblem(requiredLimits, this.limits);
    if (problem !== null) throw operationError(`${what}: ${problem}`);
    this.#isConsumed = true;
    const features = withNeeded([...requiredFeatures, CORE]);
    const device = new DeviceObject(this.environment, this, { label, features, limits: deviceLimits(requiredLimits) });
    const published = publishDevice(device, defaultQueue.label);
    this.environment.deviceMade(published);
    return published;
  }
}

/** webgpu: #gpuadapter */
export const GPUAdapter = defineInterface<AdapterObject, GPUAdapter>("GPUAdapter", {
  attributes: {
    features: { get: ({ published }) => published.features },
    limits: { get: ({ published }) => published.limits },
    info: { get: ({ published }) => published.info },
  },
  operations: {
    requestDevice: promiseOperation([leftAs(deviceDescriptor, {})], (adapter, descriptor) =>
      adapter.requestDevice(descriptor),
    ),
  },
});
