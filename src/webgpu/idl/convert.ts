/**
 * Conversions of JavaScript values to the types of interface definitions, as Web IDL lays them down. What does not
 * convert is a TypeError, thrown before a call does anything.
 */

/** `what` names the value in messages: `‘size’ of GPUBufferDescriptor`. @throws TypeError */
export type Converter<T> = (value: unknown, what: string) => T;

export function shown(value: unknown): string {
  if (typeof value === "string") return value.length > 40 ? `"${value.slice(0, 40)}…"` : `"${value}"`;
  if (value === null || typeof value !== "object") return typeof value === "function" ? "a function" : String(value);
  const name = (value as { readonly constructor?: { readonly name?: unknown } }).constructor?.name;
  return typeof name === "string" && name !== "" ? `an object of ${name}` : "an object";
}

export function refuse(what: string, wanted: string, value: unknown): never {
  throw new TypeError(`${what} must be ${wanted}, not ${shown(value)}`);
}

/** BigInts and symbols have no number: the language itself throws. */
function numberOf(value: unknown): number {
  return typeof value === "number" ? value : +(value as number);
}

function enforcedRange(least: number, most: number, name: string): Converter<number> {
  return (value, what) => {
    const number = Math.trunc(numberOf(value));
    if (number >= least && number <= most) return number + 0;
    return refuse(what, name, value);
  };
}

/** `[EnforceRange] unsigned long`: GPUSize32, GPUIndex32, GPUIntegerCoordinate and the flags. */
export const size32 = enforcedRange(0, 2 ** 32 - 1, "an integer from 0 to 4294967295");
/** `[EnforceRange] unsigned long long` */
export const size64 = enforcedRange(0, Number.MAX_SAFE_INTEGER, "an integer from 0 to 9007199254740991");
/** `[EnforceRange] long` */
export const signed32 = enforcedRange(-(2 ** 31), 2 ** 31 - 1, "an integer from -2147483648 to 2147483647");

/** `unsigned long` */
export const unsigned32: Converter<number> = (value) => numberOf(value) >>> 0;

/** `[Clamp] unsigned short`: to the nearest integer, of two to the even one. */
export const clamped16: Converter<number> = (value) => {
  const number = Math.min(65535, Math.max(0, numberOf(value)));
  if (Number.isNaN(number)) return 0;
  const floor = Math.floor(number);
  const above = number - floor;
  return above > 0.5 || (above === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
};

export const double: Converter<number> = (value, what) => {
  const number = numberOf(value);
  return Number.isFinite(number) ? number : refuse(what, "a finite number", value);
};

export const float: Converter<number> = (value, what) => {
  const number = Math.fround(numberOf(value));
  return Number.isFinite(number) ? number : refuse(what, "a finite number in the range of 32-bit floats", value);
};

export const boolean: Converter<boolean> = (value) => Boolean(value);

export const domString: Converter<string> = (value) => (typeof value === "string" ? value : `${value as string}`);

/** `USVString`: half surrogate pairs become U+FFFD. */
export const usvString: Converter<string> = (value) =>
  domString(value, "").replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");

export const object: Converter<object> = (value, what) =>
  (typeof value === "object" && value !== null) || typeof value === "function"
    ? value
    : refuse(what, "an object", value);

export function enumeration<const T extends string>(name: string, values: readonly T[]): Converter<T> {
  const known = new Set<string>(values);
  const wanted = values.length > 12 ? `a ${name}` : `one of ${values.map((each) => `"${each}"`).join(", ")} (${name})`;
  return (value, what) => {
    const text = domString(value, what);
    return known.has(text) ? (text as T) : refuse(what, wanted, value);
  };
}

export function nullable<T>(convert: Converter<T>): Converter<T | null> {
  return (value, what) => (value === null || value === undefined ? null : convert(value, what));
}

export function optionalValue<T>(convert: Converter<T>): Converter<T | undefined> {
  return (value, what) => (value === undefined ? undefined : convert(value, what));
}

/** The method by which a value is a sequence; undefined: it is none. */
export function iteratorOf(value: unknown): (() => Iterator<unknown>) | undefined {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
  const method = (value as { readonly [Symbol.iterator]?: unknown })[Symbol.iterator];
  if (method === undefined || method === null) return undefined;
  if (typeof method !== "function") throw new TypeError("its Symbol.iterator is no function");
  return method as () => Iterator<unknown>;
}

export function sequence<T>(convert: Converter<T>): Converter<T[]> {
  return (value, what) => {
    const iterator = iteratorOf(value);
    if (iterator === undefined) return refuse(what, "an array, or something else that can be iterated", value);
    return iterated(value, iterator, convert, what);
  };
}

export function iterated<T>(
  value: unknown,
  iterator: () => Iterator<unknown>,
  convert: Converter<T>,
  what: string,
): T[] {
  const items: T[] = [];
  const iterable = { [Symbol.iterator]: () => iterator.call(value) };
  for (const item of iterable) items.push(convert(item, `an element of ${what}`));
  return items;
}

/** `record<DOMString, T>`: the own enumerable properties, in order. */
export function record<T>(key: Converter<string>, convert: Converter<T>): Converter<ReadonlyMap<string, T>> {
  return (value, what) => {
    const entries = new Map<string, T>();
    const from = object(value, what);
    for (const name of Reflect.ownKeys(from)) {
      const property = Reflect.getOwnPropertyDescriptor(from, name);
      if (property?.enumerable !== true) continue;
      const typedKey = key(name as string, what);
      entries.set(typedKey, convert(Reflect.get(from, name), `‘${typedKey}’ in ${what}`));
    }
    return entries;
  };
}

// ---------------------------------------------------------------- bytes

/** Bytes that a caller passes, with the size of the elements in which it counts them. */
export interface BufferSource {
  readonly bytes: Uint8Array;
  readonly elementSize: number;
  /** In elements. */
  readonly length: number;
}

/** `AllowSharedBufferSource`: views and buffers; typed arrays count in elements, all others in bytes. */
export const bufferSource: Converter<BufferSource> = (value, what) => {
  if (ArrayBuffer.isView(value)) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    const elementSize = (value as { readonly BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1;
    return { bytes, elementSize, length: bytes.length / elementSize };
  }
  if (isBuffer(value)) return { bytes: new Uint8Array(value), elementSize: 1, length: value.byteLength };
  return refuse(what, "an ArrayBuffer, a typed array or a DataView", value);
};

/** By its tag, since it may come from another realm, as it does under test runners. */
function isBuffer(value: unknown): value is ArrayBuffer {
  const tag = Object.prototype.toString.call(value);
  return tag === "[object ArrayBuffer]" || tag === "[object SharedArrayBuffer]";
}

/** `[AllowShared] Uint32Array` */
export const uint32Array: Converter<Uint32Array> = (value, what) =>
  isUint32Array(value) ? value : refuse(what, "a Uint32Array", value);

export function isUint32Array(value: unknown): value is Uint32Array {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === "[object Uint32Array]";
}
