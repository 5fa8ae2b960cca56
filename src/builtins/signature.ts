/**
 * Reads the signatures of the table: the specification's own notation with its parameterization behind `where`.
 *
 *     fn clamp(e: T, low: T, high: T) -> T where S: i32|f32, T: S|vecN<S>
 *     fn bitcast<vecN<T>>(e: vecN<S>) -> vecN<T> where S: i32|u32|f32, T: i32|u32|f32
 *
 * A name that is no type of WGSL is a variable. Behind `where` stand its alternatives, or a word for a property of types
 * (`constructible`), or what follows from another variable: `TS: u32 like T` has the shape of T and elements u32,
 * `CF: channel of F` is the channel type of the texel format F. The N in `vecN`, the C and R in `matCxR` are variables
 * from 2 to 4.
 */

import {
  containsAtomic,
  containsBuffer,
  hasFixedFootprint,
  isConcrete,
  isConstructible,
  isHostShareable,
} from "../types/predicates.ts";
import type { ResultFamily } from "../types/result-types.ts";
import type { AccessMode, AddressSpace, ScalarType, TextureDimension, Type } from "../types/type.ts";
import {
  ABSTRACT_FLOAT,
  ABSTRACT_INT,
  BOOL,
  DEPTH_MULTISAMPLED_TEXTURE,
  depthTextureType,
  EXTERNAL_TEXTURE,
  F16,
  F32,
  I32,
  samplerType,
  U32,
} from "../types/type.ts";

/** A number from 2 to 4, or the index of a variable that stands for one. */
export type Size = { readonly known: number } | { readonly variable: number };

/** An address space, access mode or texel format, or the index of a variable that stands for one. */
export type Word = { readonly known: string } | { readonly variable: number };

export type Pattern =
  | { readonly kind: "known"; readonly type: Type }
  | { readonly kind: "variable"; readonly index: number }
  | { readonly kind: "vector"; readonly size: Size; readonly element: Pattern }
  | { readonly kind: "matrix"; readonly columns: Size; readonly rows: Size; readonly element: Pattern }
  /** `count`: null is a runtime-sized array. */
  | { readonly kind: "array"; readonly element: Pattern; readonly count: Size | null }
  | { readonly kind: "atomic"; readonly element: Pattern }
  | { readonly kind: "pointer"; readonly space: Word; readonly store: Pattern; readonly access: Word }
  | { readonly kind: "buffer"; readonly sized: boolean }
  | { readonly kind: "sampled-texture"; readonly dimension: TextureDimension; readonly sampled: Pattern }
  | { readonly kind: "multisampled-texture"; readonly sampled: Pattern }
  | {
      readonly kind: "storage-texture";
      readonly dimension: "1d" | "2d" | "2d-array" | "3d";
      readonly format: Word;
      readonly access: Word;
    }
  | { readonly kind: "result"; readonly family: ResultFamily; readonly of: Pattern };

export type Constraint =
  | { readonly kind: "alternatives"; readonly patterns: readonly Pattern[] }
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "property"; readonly holds: (type: Type) => boolean }
  | { readonly kind: "like"; readonly element: ScalarType; readonly variable: number }
  | { readonly kind: "channel"; readonly variable: number };

export interface Signature {
  readonly template: readonly Pattern[];
  readonly parameterNames: readonly string[];
  readonly parameters: readonly Pattern[];
  /** null: returns nothing. */
  readonly result: Pattern | null;
  readonly variables: readonly string[];
  /** By index of the variable; null: anything. */
  readonly constraints: readonly (Constraint | null)[];
}

const SCALAR_NAMES: Readonly<Record<string, ScalarType>> = {
  bool: BOOL,
  i32: I32,
  u32: U32,
  f32: F32,
  f16: F16,
  AbstractInt: ABSTRACT_INT,
  AbstractFloat: ABSTRACT_FLOAT,
};

/** Words that stand for several scalars. */
const SCALAR_CLASSES: Readonly<Record<string, readonly ScalarType[]>> = {
  scalar: [BOOL, ABSTRACT_INT, ABSTRACT_FLOAT, I32, U32, F32, F16],
  concrete_scalar: [BOOL, I32, U32, F32, F16],
};

const PROPERTIES: Readonly<Record<string, (type: Type) => boolean>> = {
  constructible: isConstructible,
  concrete_constructible: (type) => isConstructible(type) && isConcrete(type),
  // spec: #array-types: an element type of a runtime-sized array
  host_shareable_fixed_footprint: (type) => isHostShareable(type) && hasFixedFootprint(type),
  // spec: #buffer-view-builtin-functions
  buffer_viewable: isBufferViewable,
  buffer_array_viewable: (type) => isBufferViewable(type) && !hasFixedFootprint(type),
};

function isBufferViewable(type: Type): boolean {
  return isHostShareable(type) && !containsAtomic(type) && !containsBuffer(type);
}

const WORDS: ReadonlySet<string> = new Set<AddressSpace | AccessMode>([
  "function",
  "private",
  "workgroup",
  "uniform",
  "storage",
  "handle",
  "read",
  "write",
  "read_write",
]);

/** Reads one signature. Throws a `SyntaxError` for what is no signature: the table is ours, so that is a bug in it. */
export function parseSignature(text: string): Signature {
  return new Reader(text).signature();
}

class Reader {
  readonly #text: string;
  readonly #tokens: readonly string[];
  #at = 0;
  readonly #variables: string[] = [];
  readonly #constraints = new Map<number, Constraint>();

  constructor(text: string) {
    this.#text = text;
    const afterName = text.replace(/^fn \w+|^operator \S+?(?=\()/, "");
    this.#tokens = afterName.match(/->|\w+|[<>(),:|]/g) ?? [];
  }

  signature(): Signature {
    const template = this.#accept("<") ? this.#list(">", () => this.#type()) : [];
    this.#expect("(");
    const parameters = this.#list(")", () => {
      const name = this.#next();
      this.#expect(":");
      return { name, pattern: this.#type() };
    });
    const result = this.#accept("->") ? this.#type() : null;
    if (this.#accept("where")) {
      do this.#constraint();
      while (this.#accept(","));
    }
    if (this.#at !== this.#tokens.length) throw this.#error("has more than a signature");
    return {
      template,
      parameterNames: parameters.map((parameter) => parameter.name),
      parameters: parameters.map((parameter) => parameter.pattern),
      result,
      variables: this.#variables,
      constraints: this.#variables.map((_, index) => this.#constraints.get(index) ?? null),
    };
  }

  /** `S: i32|u32`, `AS: storage|workgroup`, `T: constructible`, `TS: u32 like T`, `CF: channel of F` */
  #constraint(): void {
    const index = this.#variable(this.#next());
    this.#expect(":");
    if (this.#accept("channel")) {
      this.#expect("of");
      this.#constraints.set(index, { kind: "channel", variable: this.#variable(this.#next()) });
      return;
    }
    const property = PROPERTIES[this.#peek()];
    if (property !== undefined) {
      this.#next();
      this.#constraints.set(index, { kind: "property", holds: property });
      return;
    }
    const patterns: Pattern[] = [];
    const words: string[] = [];
    do {
      const scalars = SCALAR_CLASSES[this.#peek()];
      if (scalars !== undefined) {
        this.#next();
        patterns.push(...scalars.map((type): Pattern => ({ kind: "known", type })));
      } else if (WORDS.has(this.#peek())) words.push(this.#next());
      else patterns.push(this.#type());
    } while (this.#accept("|"));
    this.#constraints.set(index, this.#alternatives(patterns, words));
  }

  #alternatives(patterns: Pattern[], words: string[]): Constraint {
    if (words.length > 0) return { kind: "words", words };
    const [first] = patterns;
    if (this.#accept("like")) {
      if (first.kind !== "known") throw this.#error("has something else than a scalar before ‘like’");
      return { kind: "like", element: first.type as ScalarType, variable: this.#variable(this.#next()) };
    }
    return { kind: "alternatives", patterns };
  }

  #type(): Pattern {
    const name = this.#next();
    const scalar = SCALAR_NAMES[name];
    if (scalar !== undefined) return { kind: "known", type: scalar };
    const vector = /^vec([2-4NCRK])$/.exec(name);
    if (vector) return { kind: "vector", size: this.#size(vector[1]), element: this.#argument() };
    const matrix = /^mat([2-4A-Z])x([2-4A-Z])$/.exec(name);
    if (matrix) {
      const [columns, rows] = [this.#size(matrix[1]), this.#size(matrix[2])];
      return { kind: "matrix", columns, rows, element: this.#argument() };
    }
    if (name.startsWith("texture_")) return this.#texture(name.slice("texture_".length));
    if (name.startsWith("__")) return this.#result(name);
    switch (name) {
      case "sampler":
      case "sampler_comparison":
        return { kind: "known", type: samplerType(name === "sampler_comparison") };
      case "atomic":
        return { kind: "atomic", element: this.#argument() };
      case "array": {
        const [element, count] = this.#arguments(
          () => this.#type(),
          () => this.#size(this.#next()),
        );
        return { kind: "array", element: element!, count: count ?? null };
      }
      case "ptr":
        return this.#pointer();
      case "buffer": {
        const sized = this.#accept("<");
        if (sized) this.#list(">", () => this.#next());
        return { kind: "buffer", sized };
      }
      default:
        return { kind: "variable", index: this.#variable(name) };
    }
  }

  #pointer(): Pattern {
    this.#expect("<");
    const space = this.#word();
    this.#expect(",");
    const store = this.#type();
    // spec: #address-space: what an address space has when no access mode is written.
    const access = this.#accept(",") ? this.#word() : { known: "read_write" };
    this.#expect(">");
    return { kind: "pointer", space, store, access };
  }

  #texture(name: string): Pattern {
    if (name === "external") return { kind: "known", type: EXTERNAL_TEXTURE };
    if (name === "depth_multisampled_2d") return { kind: "known", type: DEPTH_MULTISAMPLED_TEXTURE };
    if (name === "multisampled_2d") return { kind: "multisampled-texture", sampled: this.#argument() };
    const [, family, dimension] = /^(depth_|storage_|)(.*)$/.exec(name)!;
    const dashed = dimension.replace("_", "-");
    if (family === "depth_") return { kind: "known", type: depthTextureType(dashed as "2d") };
    if (family === "") {
      return { kind: "sampled-texture", dimension: dashed as TextureDimension, sampled: this.#argument() };
    }
    this.#expect("<");
    const format = this.#word();
    this.#expect(",");
    const access = this.#word();
    this.#expect(">");
    return { kind: "storage-texture", dimension: dashed as "2d", format, access };
  }

  /** `__frexp_result_f32`, `__modf_result_vecN_abstract`, `__atomic_compare_exchange_result<T>` */
  #result(name: string): Pattern {
    if (name === "__atomic_compare_exchange_result") {
      return { kind: "result", family: "compare-exchange", of: this.#argument() };
    }
    const [, family, vector, scalar] = /^__(frexp|modf)_result_(vecN_)?(\w+)$/.exec(name)!;
    const element: Pattern = {
      kind: "known",
      type: scalar === "abstract" ? ABSTRACT_FLOAT : SCALAR_NAMES[scalar],
    };
    const of: Pattern = vector === undefined ? element : { kind: "vector", size: this.#size("N"), element };
    return { kind: "result", family: family as ResultFamily, of };
  }

  #size(text: string): Size {
    return /^\d$/.test(text) ? { known: Number(text) } : { variable: this.#variable(text) };
  }

  #word(): Word {
    const text = this.#next();
    return WORDS.has(text) ? { known: text } : { variable: this.#variable(text) };
  }

  #variable(name: string): number {
    const index = this.#variables.indexOf(name);
    return index >= 0 ? index : this.#variables.push(name) - 1;
  }

  #argument(): Pattern {
    this.#expect("<");
    const pattern = this.#type();
    this.#expect(">");
    return pattern;
  }

  #arguments<A, B>(first: () => A, second: () => B): [A, B | null] {
    this.#expect("<");
    const a = first();
    const b = this.#accept(",") ? second() : null;
    this.#expect(">");
    return [a, b];
  }

  #list<T>(end: string, item: () => T): T[] {
    const items: T[] = [];
    while (!this.#accept(end)) {
      items.push(item());
      if (this.#peek() !== end) this.#expect(",");
    }
    return items;
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? "";
  }

  #next(): string {
    if (this.#at === this.#tokens.length) throw this.#error("ends too early");
    return this.#tokens[this.#at++];
  }

  #accept(token: string): boolean {
    if (this.#peek() !== token) return false;
    this.#at++;
    return true;
  }

  #expect(token: string): void {
    if (!this.#accept(token)) throw this.#error(`has ‘${this.#peek()}’ where ‘${token}’ belongs`);
  }

  #error(what: string): SyntaxError {
    return new SyntaxError(`the signature ‘${this.#text}’ ${what}`);
  }
}
