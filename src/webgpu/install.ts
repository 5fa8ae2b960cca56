/** Puts a GPU where programs look for it. webgpu: #navigator-gpu */

/** The global object, as far as it matters here. */
interface Scope {
  readonly navigator?: object;
}

/** `navigator.gpu` and the classes of WebGPU on a global object, also on one that has no `navigator`. */
export function install(scope: object, gpu: GPU, globals: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(scope, name, { value, writable: true, configurable: true, enumerable: false });
  }
  const known = (scope as Scope).navigator;
  const holder = known ?? {};
  Object.defineProperty(holder, "gpu", { get: () => gpu, configurable: true, enumerable: true });
  if (known !== undefined) return;
  Object.defineProperty(scope, "navigator", { value: holder, writable: true, configurable: true, enumerable: true });
}
