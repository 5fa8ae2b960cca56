/** Internal objects: what stands behind the objects that applications hold. webgpu: #dom-gpuobjectbase */
import type { DeviceObject } from "./device-object.ts";
import { usvString } from "./idl/convert.ts";
import { defaulted, dictionary } from "./idl/dictionary.ts";

/** webgpu: #dom-gpuobjectdescriptorbase-label */
export const objectDescriptorBase = dictionary("GPUObjectDescriptorBase", { label: defaulted(usvString, "") });

/** Something with a label, for messages. */
export interface Named {
  readonly kind: string;
  readonly label: string;
}

/** `buffer ‘particles’` */
export function nameOf({ kind, label }: Named): string {
  return label === "" ? `${kind} without label` : `${kind} ‘${label}’`;
}

export abstract class InternalObject implements Named {
  abstract readonly kind: string;
  readonly device: DeviceObject;
  label: string;
  /** Why it is invalid; null: it is valid. */
  #problem: string | null = null;

  constructor(device: DeviceObject, label: string) {
    this.device = device;
    this.label = label;
  }

  get isValid(): boolean {
    return this.#problem === null;
  }

  get problem(): string | null {
    return this.#problem;
  }

  /** webgpu: #invalidity. The first reason is the one that counts. */
  invalidate(problem: string): void {
    this.#problem ??= problem;
  }
}

/** Why an object cannot be used with a device; null: it can. webgpu: #abstract-opdef-valid-to-use-with */
export function useProblem(object: InternalObject, device: DeviceObject): string | null {
  if (object.device !== device) return `the ${nameOf(object)} belongs to another device`;
  return object.isValid ? null : `the ${nameOf(object)}${INVALID}${rootOf(object.problem!)}`;
}

const INVALID = " is invalid: ";

/** What made the first of a chain of objects invalid, each of which made the next one so. */
function rootOf(problem: string): string {
  const at = problem.lastIndexOf(INVALID);
  return at < 0 ? problem : problem.slice(at + INVALID.length);
}

/** Makes an object invalid, and says so, where something is wrong. */
export function checked<T extends InternalObject>(object: T, operation: string, problem: string | null): T {
  if (object.device.isLost) object.invalidate("its device is lost");
  else if (problem !== null) {
    object.invalidate(problem);
    object.device.validationError(`${operation}: ${problem}`);
  }
  return object;
}
