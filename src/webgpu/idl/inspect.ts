/**
 * How instances show in `console.log` of Node: with their attributes, which are accessors of the prototype and would not
 * show at all. Browsers show accessors by themselves.
 */
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

interface InspectOptions {
  readonly depth: number | null;
}

/** `read` gives what is shown of an instance; null: it is none, only made from one. */
export function showWith(prototype: object, read: (self: object) => object | null): void {
  function show(
    this: object & { readonly [Symbol.toStringTag]: string },
    depth: number,
    options: InspectOptions,
    inspect: (value: unknown, options: InspectOptions) => string,
  ): string {
    const { [Symbol.toStringTag]: name } = this;
    const shown = read(this);
    if (shown === null || depth < 0) return `[${name}]`;
    return `${name} ${inspect(shown, { ...options, depth: options.depth === null ? null : options.depth - 1 })}`;
  }
  Object.defineProperty(prototype, INSPECT, { value: show, writable: true, configurable: true });
}
