/** The errors of WebGPU. webgpu: #errors-and-debugging */
import { pipelineErrorReason } from "./enums.ts";
import { type Converter, domString, refuse } from "./idl/convert.ts";
import { dictionary, required } from "./idl/dictionary.ts";
import { showWith } from "./idl/inspect.ts";

export type ErrorKind = "validation" | "out-of-memory" | "internal";

/** What keeps something from being made or done, to be told as a `GPUError`. */
export interface Problem {
  readonly kind: ErrorKind;
  readonly message: string;
}

/** Ours alone may make errors of the base class. */
const BY_SUBCLASS = Symbol("by a subclass");

/** webgpu: #gpuerror */
class GPUErrorClass {
  readonly #message: string;

  constructor(message: unknown, key?: unknown) {
    if (key !== BY_SUBCLASS) throw new TypeError("illegal constructor: GPUError objects cannot be made with ‘new’");
    this.#message = domString(message, "message");
  }

  get message(): string {
    return this.#message;
  }

  static isError(value: unknown): value is GPUErrorClass {
    return typeof value === "object" && value !== null && #message in value;
  }
}

/** webgpu: #gpuvalidationerror */
class GPUValidationErrorClass extends GPUErrorClass {
  constructor(...given: readonly [message: string]) {
    super(theMessage("GPUValidationError", given), BY_SUBCLASS);
  }
}

/** webgpu: #gpuoutofmemoryerror */
class GPUOutOfMemoryErrorClass extends GPUErrorClass {
  constructor(...given: readonly [message: string]) {
    super(theMessage("GPUOutOfMemoryError", given), BY_SUBCLASS);
  }
}

/** webgpu: #gpuinternalerror */
class GPUInternalErrorClass extends GPUErrorClass {
  constructor(...given: readonly [message: string]) {
    super(theMessage("GPUInternalError", given), BY_SUBCLASS);
  }
}

/** Left out is something else than undefined. */
function theMessage(name: string, given: readonly string[]): string {
  if (given.length === 0) throw new TypeError(`new ${name}() takes a message`);
  return given[0];
}

const pipelineErrorInit = dictionary("GPUPipelineErrorInit", { reason: required(pipelineErrorReason) });

/** webgpu: #gpupipelineerror */
class GPUPipelineErrorClass extends DOMException {
  readonly #reason: "validation" | "internal";

  constructor(message: string | undefined, options: { readonly reason: "validation" | "internal" }) {
    super(message === undefined ? "" : domString(message, "message"), "GPUPipelineError");
    this.#reason = pipelineErrorInit(options, "argument 2 of new GPUPipelineError()").reason;
  }

  get reason(): "validation" | "internal" {
    return this.#reason;
  }
}

const gpuError: Converter<GPUErrorClass> = (value, what) =>
  GPUErrorClass.isError(value) ? value : refuse(what, "a GPUError", value);

const uncapturedErrorInit = dictionary("GPUUncapturedErrorEventInit", { error: required(gpuError) });

/** `EventInit` is not among the types in use here. */
interface UncapturedErrorInit {
  readonly error: GPUErrorClass;
  readonly bubbles?: boolean;
  readonly cancelable?: boolean;
  readonly composed?: boolean;
}

/** webgpu: #gpuuncapturederrorevent */
class GPUUncapturedErrorEventClass extends Event {
  readonly #error: GPUErrorClass;

  constructor(type: string, init: UncapturedErrorInit) {
    super(type, init);
    this.#error = uncapturedErrorInit(init, "argument 2 of new GPUUncapturedErrorEvent()").error;
  }

  get error(): GPUErrorClass {
    return this.#error;
  }
}

/** Names, lengths and tags as those of interfaces; attributes can be enumerated. */
function publish<T extends abstract new (...args: never[]) => object>(
  name: string,
  made: T,
  length: number,
  attribute?: string,
): T {
  const prototype = made.prototype as object;
  Object.defineProperty(made, "name", { value: name, configurable: true });
  Object.defineProperty(made, "length", { value: length, configurable: true });
  Object.defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true });
  if (attribute !== undefined) {
    const property = Object.getOwnPropertyDescriptor(prototype, attribute)!;
    Object.defineProperty(prototype, attribute, { ...property, enumerable: true });
  }
  return made;
}

export const GPUError = publish("GPUError", GPUErrorClass, 0, "message");
showWith(GPUErrorClass.prototype, (self) => (GPUErrorClass.isError(self) ? { message: self.message } : null));
export const GPUValidationError = publish("GPUValidationError", GPUValidationErrorClass, 1);
export const GPUOutOfMemoryError = publish("GPUOutOfMemoryError", GPUOutOfMemoryErrorClass, 1);
export const GPUInternalError = publish("GPUInternalError", GPUInternalErrorClass, 1);
export const GPUPipelineError = publish("GPUPipelineError", GPUPipelineErrorClass, 2, "reason");
export const GPUUncapturedErrorEvent = publish("GPUUncapturedErrorEvent", GPUUncapturedErrorEventClass, 2, "error");

const CLASSES = {
  validation: GPUValidationError,
  "out-of-memory": GPUOutOfMemoryError,
  internal: GPUInternalError,
} as const;

export type AnyError = GPUErrorClass;

export function errorOf({ kind, message }: Problem): AnyError {
  return new CLASSES[kind](message);
}

export function operationError(message: string): DOMException {
  return new DOMException(message, "OperationError");
}

export function abortError(message: string): DOMException {
  return new DOMException(message, "AbortError");
}
