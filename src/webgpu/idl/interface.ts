/**
 * Interfaces as classes: attributes and operations are properties of the prototype that check who they are called on,
 * convert their arguments, and hand them to the internal object behind; nobody but us can make instances.
 */
import { type Converter, usvString } from "./convert.ts";
import { showWith } from "./inspect.ts";

export interface Argument<T> {
  readonly convert: Converter<T>;
  readonly optional: boolean;
  readonly missing: () => T;
}

type Arguments<C extends readonly Argument<unknown>[]> = { [K in keyof C]: C[K] extends Argument<infer T> ? T : never };

export function needed<T>(convert: Converter<T>): Argument<T> {
  return { convert, optional: false, missing: () => undefined as T };
}

export function left<T>(convert: Converter<T>): Argument<T | undefined> {
  return { convert, optional: true, missing: () => undefined };
}

export function leftAs<T>(convert: Converter<T>, value: unknown): Argument<T> {
  return { convert, optional: true, missing: () => convert(value, "its default") };
}

export interface Operation<O> {
  /** How many arguments must be there: the `length` of the function. */
  readonly needed: number;
  readonly promise: boolean;
  /** Gets the arguments as they were given. `what` names the operation in messages. */
  readonly call: (object: O, given: readonly unknown[], what: string) => unknown;
}

export interface Attribute<O> {
  readonly get: (object: O) => unknown;
  readonly set?: (object: O, value: unknown) => void;
}

function converted(args: readonly Argument<unknown>[], given: readonly unknown[], what: string): unknown[] {
  return args.map(({ convert, optional, missing }, i) =>
    given[i] === undefined && optional ? missing() : convert(given[i], `argument ${i + 1} of ${what}`),
  );
}

export function operation<O, const C extends readonly Argument<unknown>[]>(
  args: C,
  run: (object: O, ...args: Arguments<C>) => unknown,
): Operation<O> {
  return {
    needed: args.filter(({ optional }) => !optional).length,
    promise: false,
    call: (object, given, what) => run(object, ...(converted(args, given, what) as Arguments<C>)),
  };
}

/** An operation that gives a promise: what it would throw rejects that. */
export function promiseOperation<O, const C extends readonly Argument<unknown>[]>(
  args: C,
  run: (object: O, ...args: Arguments<C>) => Promise<unknown>,
): Operation<O> {
  return { ...operation(args, run), promise: true };
}

/** Chosen by the arguments. */
export function overloaded<O>(
  least: number,
  choose: (given: readonly unknown[], what: string) => Operation<O>,
): Operation<O> {
  return {
    needed: least,
    promise: false,
    call: (object, given, what) => choose(given, what).call(object, given, what),
  };
}

export interface Definition<O> {
  readonly extends?: abstract new (...args: never[]) => object;
  readonly attributes?: Readonly<Record<string, Attribute<O>>>;
  readonly operations?: Readonly<Record<string, Operation<O>>>;
  /** `readonly setlike<DOMString>` */
  readonly setlike?: (object: O) => ReadonlySet<string>;
}

export interface Interface<O extends object, W extends object> {
  readonly name: string;
  /** The interface object: what `instanceof` takes. */
  readonly interfaceObject: { prototype: W; new (): never };
  /** The one instance for an internal object; made when first asked for. */
  wrap(object: O): W;
  /** The internal object behind an instance; null for everything else. */
  unwrap(value: unknown): O | null;
  readonly convert: Converter<O>;
}

/** `interface mixin GPUObjectBase`. webgpu: #dom-gpuobjectbase */
export interface Labeled {
  label: string;
}

export const LABEL: Readonly<Record<"label", Attribute<Labeled>>> = {
  label: {
    get: (object) => object.label,
    set: (object, value) => {
      object.label = usvString(value, "label");
    },
  },
};

export function defineInterface<O extends object, W extends object>(
  name: string,
  definition: Definition<O>,
): Interface<O, W> {
  const interfaceObject = illegalConstructor(name, definition.extends);
  const wrappers = new WeakMap<O, W>();
  const objects = new WeakMap<object, O>();
  const unwrap = (value: unknown): O | null =>
    typeof value === "object" && value !== null ? (objects.get(value) ?? null) : null;
  const receiver = (value: unknown, what: string): O => {
    const object = unwrap(value);
    if (object === null) throw new TypeError(`${what}: illegal invocation: ‘this’ is no ${name}`);
    return object;
  };
  const prototype = interfaceObject.prototype as object;
  for (const [key, attribute] of Object.entries(definition.attributes ?? {}))
    defineAttribute(prototype, name, key, attribute, receiver);
  for (const [key, each] of Object.entries(definition.operations ?? {}))
    defineOperation(prototype, name, key, each, receiver);
  if (definition.setlike !== undefined) defineSetlike(prototype, name, definition.setlike, receiver);
  showWith(prototype, (self) => {
    const object = unwrap(self);
    return object === null ? null : shownOf(definition, object);
  });
  return {
    name,
    interfaceObject: interfaceObject as unknown as Interface<O, W>["interfaceObject"],
    wrap: (object) => {
      let wrapper = wrappers.get(object);
      if (wrapper === undefined) {
        wrapper = instanceOf<W>(interfaceObject, definition.extends);
        wrappers.set(object, wrapper);
        objects.set(wrapper, object);
      }
      return wrapper;
    },
    unwrap,
    convert: (value, what) => {
      const object = unwrap(value);
      if (object !== null) return object;
      throw new TypeError(`${what} must be a ${name}`);
    },
  };
}

function shownOf<O>({ attributes = {}, setlike }: Definition<O>, object: O): object {
  if (setlike !== undefined) return [...setlike(object)];
  return Object.fromEntries(Object.entries(attributes).map(([key, { get }]) => [key, get(object)]));
}

type Class = new () => object;

function illegalConstructor(name: string, base: Definition<never>["extends"]): Class {
  const fail = (): never => {
    throw new TypeError(`illegal constructor: ${name} objects cannot be made with ‘new’`);
  };
  const Base = base as Class | undefined;
  const made =
    Base === undefined
      ? {
          [name]: class {
            constructor() {
              fail();
            }
          },
        }
      : {
          [name]: class extends Base {
            constructor() {
              fail();
              super();
            }
          },
        };
  const prototype = made[name].prototype as object;
  Object.defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true });
  return made[name];
}

function instanceOf<W extends object>(interfaceObject: Class, base: Definition<never>["extends"]): W {
  if (base === undefined) return Object.create(interfaceObject.prototype as object) as W;
  return Reflect.construct(base, [], interfaceObject) as W;
}

type Receiver<O> = (value: unknown, what: string) => O;

function defineAttribute<O>(
  prototype: object,
  name: string,
  key: string,
  attribute: Attribute<O>,
  receiver: Receiver<O>,
): void {
  const what = `${name}.${key}`;
  const accessor = {
    get [key](): unknown {
      return attribute.get(receiver(this, what));
    },
    set [key](value: unknown) {
      attribute.set!(receiver(this, what), value);
    },
  };
  const { get, set } = Object.getOwnPropertyDescriptor(accessor, key)!;
  const setter = attribute.set === undefined ? {} : { set: set! };
  Object.defineProperty(prototype, key, { get: get!, ...setter, enumerable: true, configurable: true });
}

function defineOperation<O>(
  prototype: object,
  name: string,
  key: string,
  { needed: least, promise, call }: Operation<O>,
  receiver: Receiver<O>,
): void {
  const what = `${name}.${key}()`;
  const run = (self: unknown, given: readonly unknown[]): unknown => {
    const object = receiver(self, what);
    if (given.length < least) {
      const plural = least === 1 ? "argument" : "arguments";
      throw new TypeError(`${what} takes at least ${least} ${plural}; ${given.length} given`);
    }
    return call(object, given, what);
  };
  const methods = {
    [key](this: unknown, ...given: unknown[]): unknown {
      if (!promise) return run(this, given);
      try {
        return run(this, given);
      } catch (error) {
        return Promise.reject(error);
      }
    },
  };
  const value = methods[key];
  Object.defineProperty(value, "length", { value: least, configurable: true });
  Object.defineProperty(prototype, key, { value, enumerable: true, writable: true, configurable: true });
}

/** The methods of a set that do not change it. */
function defineSetlike<O>(
  prototype: object,
  name: string,
  setOf: (object: O) => ReadonlySet<string>,
  receiver: Receiver<O>,
): void {
  const of = (self: unknown, key: string) => setOf(receiver(self, `${name}.${key}`));
  const methods = {
    has(value: unknown): boolean {
      return of(this, "has()").has(String(value));
    },
    entries(): Iterator<[string, string]> {
      return of(this, "entries()").entries();
    },
    keys(): Iterator<string> {
      return of(this, "keys()").keys();
    },
    values(): Iterator<string> {
      return of(this, "values()").values();
    },
    forEach(callback: (value: string, key: string, set: unknown) => void, self?: unknown): void {
      for (const value of of(this, "forEach()")) callback.call(self, value, value, this);
    },
  };
  for (const [key, value] of Object.entries(methods)) {
    Object.defineProperty(prototype, key, { value, enumerable: true, writable: true, configurable: true });
  }
  Object.defineProperty(prototype, Symbol.iterator, { value: methods.values, writable: true, configurable: true });
  Object.defineProperty(prototype, "size", {
    get(this: unknown) {
      return of(this, "size").size;
    },
    enumerable: true,
    configurable: true,
  });
}

/** A namespace of constants, as `GPUBufferUsage`. */
export function defineNamespace<const T extends Readonly<Record<string, number>>>(name: string, constants: T): T {
  const namespace = {};
  for (const [key, value] of Object.entries(constants)) {
    Object.defineProperty(namespace, key, { value, enumerable: true });
  }
  Object.defineProperty(namespace, Symbol.toStringTag, { value: name, configurable: true });
  return namespace as T;
}
