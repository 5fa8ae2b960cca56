/** A device as it is inside: what it can do, its errors, its end. webgpu: #devices */
import type { Memory } from "../engine/memory.ts";
import type { Environment } from "./environment.ts";
import {
  type AnyError,
  type ErrorKind,
  errorOf,
  GPUUncapturedErrorEvent,
  operationError,
  type Problem,
} from "./errors.ts";
import { CORE, type Feature } from "./features.ts";
import { defineInterface } from "./idl/interface.ts";
import type { Limits } from "./limits.ts";
import { nameOf } from "./object.ts";
import { QueueTimeline } from "./timeline.ts";

export interface AdapterCapabilities {
  readonly features: ReadonlySet<Feature>;
  readonly limits: Limits;
  readonly subgroupMinSize: number;
  readonly subgroupMaxSize: number;
  readonly isFallback: boolean;
}

export interface LostInfo {
  readonly reason: "unknown" | "destroyed";
  readonly message: string;
}

/** webgpu: #fatal-errors */
export const GPUDeviceLostInfo = defineInterface<LostInfo, GPUDeviceLostInfo>("GPUDeviceLostInfo", {
  attributes: { reason: { get: ({ reason }) => reason }, message: { get: ({ message }) => message } },
});

/** webgpu: #gpu-error-scope */
interface ErrorScope {
  readonly filter: ErrorKind;
  /** The first one: others may have come of it. */
  error: AnyError | null;
}

/** What has to be unmapped when its device is destroyed. */
export interface Mappable {
  unmap(): void;
}

/** Of all devices: a registry that goes with its device would tell nobody. What it is to do must not hold the owner. */
const ABANDONED = new FinalizationRegistry((release: () => unknown) => release());

export class DeviceObject {
  readonly kind = "device";
  label: string;
  readonly features: ReadonlySet<Feature>;
  readonly limits: Limits;
  readonly adapter: AdapterCapabilities;
  readonly environment: Environment;
  readonly timeline: QueueTimeline;
  readonly lost: Promise<GPUDeviceLostInfo>;
  /** Buffers that are mapped or about to be. */
  readonly mapped = new Set<Mappable>();
  /** What the engine holds for buffers of this device. */
  readonly #memories = new Set<Memory>();
  readonly #scopes: ErrorScope[] = [];
  #resolveLost!: (info: GPUDeviceLostInfo) => void;
  #isLost = false;
  /** The `GPUDevice`: where errors are told. */
  target: EventTarget | null = null;

  constructor(
    environment: Environment,
    adapter: AdapterCapabilities,
    { label, features, limits }: { label: string; features: ReadonlySet<Feature>; limits: Limits },
  ) {
    this.label = label;
    this.environment = environment;
    this.adapter = adapter;
    this.features = features;
    this.limits = limits;
    this.timeline = new QueueTimeline(environment.host, (error) => this.#queueFailed(error));
    this.lost = new Promise((resolve) => {
      this.#resolveLost = resolve;
    });
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  has(feature: Feature): boolean {
    return this.features.has(feature);
  }

  get hasCore(): boolean {
    return this.has(CORE);
  }

  // ---------------------------------------------------------------- errors

  validationError(message: string): void {
    this.dispatchError({ kind: "validation", message });
  }

  internalError(message: string): void {
    this.dispatchError({ kind: "internal", message });
  }

  outOfMemoryError(message: string): void {
    this.dispatchError({ kind: "out-of-memory", message });
  }

  /** webgpu: #abstract-opdef-dispatch-error, #abstract-opdef-current-error-scope */
  dispatchError(problem: Problem): void {
    if (this.#isLost) return;
    const error = errorOf(problem);
    const scope = this.#scopes.findLast(({ filter }) => filter === problem.kind);
    if (scope !== undefined) scope.error ??= error;
    else void this.#tellUncaptured(error);
  }

  /** webgpu: #telemetry */
  async #tellUncaptured(error: AnyError): Promise<void> {
    await this.environment.host.pause();
    const event = new GPUUncapturedErrorEvent("uncapturederror", { error, cancelable: true });
    this.target?.dispatchEvent(event);
    if (!event.defaultPrevented) this.environment.uncaptured(error, this.target as GPUDevice);
  }

  pushErrorScope(filter: ErrorKind): void {
    this.#scopes.push({ filter, error: null });
  }

  /** webgpu: #dom-gpudevice-poperrorscope */
  async popErrorScope(): Promise<AnyError | null> {
    if (this.#isLost) return null;
    const scope = this.#scopes.pop();
    if (scope === undefined) throw operationError("GPUDevice.popErrorScope(): there is no error scope to pop");
    return scope.error;
  }

  // ---------------------------------------------------------------- memory

  /** Memory of the engine for an owner; it ends with the device, or when nobody has the owner any more. */
  allocate(owner: object, size: number): Memory {
    const engine = this.environment.engine();
    const memories = this.#memories;
    const memory = engine.allocate(size);
    memories.add(memory);
    ABANDONED.register(owner, () => memories.delete(memory) && engine.release(memory), memory);
    return memory;
  }

  releaseMemory(memory: Memory): void {
    ABANDONED.unregister(memory);
    if (this.#memories.delete(memory)) this.environment.engine().release(memory);
  }

  // ---------------------------------------------------------------- the end

  /** webgpu: #dom-gpudevice-destroy */
  destroy(): void {
    for (const buffer of [...this.mapped]) buffer.unmap();
    this.lose({ reason: "destroyed", message: "the device was destroyed" });
  }

  /** webgpu: #lose-the-device */
  lose(info: LostInfo): void {
    if (this.#isLost) return;
    this.#isLost = true;
    // What the application did not ask for is told in any case: from now on everything seems to go well.
    if (info.reason === "unknown") this.environment.warn(`the ${nameOf(this)} is lost: ${info.message}`);
    this.#resolveLost(GPUDeviceLostInfo.wrap(info));
    this.timeline.stop();
    for (const memory of [...this.#memories]) this.releaseMemory(memory);
  }

  #queueFailed(error: unknown): void {
    const { message } = error as Error;
    if (error instanceof RangeError) this.outOfMemoryError(`there is no memory for what was submitted: ${message}`);
    else this.lose({ reason: "unknown", message: `a submitted command failed: ${message}` });
  }
}
