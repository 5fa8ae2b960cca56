/** Dictionaries: plain objects that describe what is to be made. */
import { type Converter, iterated, iteratorOf, refuse } from "./convert.ts";

export interface Member<T> {
  readonly convert: Converter<T>;
  readonly required: boolean;
  /** What stands for a member that is left out; called each time, so that nobody shares it. */
  readonly missing: () => T;
}

export function required<T>(convert: Converter<T>): Member<T> {
  return { convert, required: true, missing: () => undefined as T };
}

export function optional<T>(convert: Converter<T>): Member<T | undefined> {
  return { convert, required: false, missing: () => undefined };
}

/** With a default; that of a dictionary or list is what `{}` or `[]` converts to. */
export function defaulted<T>(convert: Converter<T>, value: unknown): Member<T> {
  return { convert, required: false, missing: () => convert(value, "its default") };
}

type Members = Readonly<Record<string, Member<unknown>>>;

export type Dictionary<M extends Members> = { readonly [K in keyof M]: M[K] extends Member<infer T> ? T : never };

/** The type that a converter gives. */
export type Converted<C> = C extends Converter<infer T> ? T : never;

/** What is inherited is converted first; otherwise in the order of the names. */
export function dictionary<M extends Members, B extends object = object>(
  name: string,
  members: M,
  base?: Converter<B>,
): Converter<Dictionary<M> & B> {
  const list = Object.keys(members)
    .sort()
    .map((key) => ({ key, member: members[key], what: `‘${key}’ of ${name}` }));
  return (value, what) => {
    if (value !== undefined && value !== null && typeof value !== "object" && typeof value !== "function") {
      return refuse(what, `an object (${name})`, value);
    }
    const result: Record<string, unknown> = base === undefined ? {} : { ...base(value, what) };
    for (const { key, member, what: place } of list) {
      const given = value === undefined || value === null ? undefined : (value as Record<string, unknown>)[key];
      if (given !== undefined) result[key] = member.convert(given, place);
      else if (member.required) throw new TypeError(`${place} is missing`);
      else result[key] = member.missing();
    }
    return result as Dictionary<M> & B;
  };
}

/** `(sequence<T> or D)` */
export function sequenceOr<T, D>(item: Converter<T>, other: Converter<D>): Converter<T[] | D> {
  return (value, what) => {
    const iterator = iteratorOf(value);
    return iterator === undefined ? other(value, what) : iterated(value, iterator, item, what);
  };
}
