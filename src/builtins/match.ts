/**
 * Finds the ways in which a call fits a signature. Each way is one overload candidate in the sense of the specification:
 * every variable has one type, every argument a conversion rank.
 */
import { conversionRank, loadedType } from "../types/conversion.ts";
import { isAbstract } from "../types/predicates.ts";
import { resultTypeOf } from "../types/result-types.ts";
import type { AccessMode, AddressSpace, ScalarType, Type, VectorType } from "../types/type.ts";
import {
  arrayType,
  atomicType,
  bufferType,
  matrixType,
  multisampledTextureType,
  pointerType,
  sampledTextureType,
  storageTextureType,
  VOID,
  vectorType,
} from "../types/type.ts";
import type { Constraint, Pattern, Signature, Size, Word } from "./signature.ts";
import { texelFormat } from "./texel-formats.ts";

export interface Candidate {
  /** Conversion rank of each argument. */
  readonly ranks: readonly number[];
  /** Types that the arguments are converted to. */
  readonly args: readonly Type[];
  readonly result: Type;
}

/** What a variable stands for: a type; a size; an address space, access mode or texel format. */
type Binding = Type | number | string;
type Next = (rank: number) => void;

/** All candidates of a call with this template list (null: none written) and arguments of these types. */
export function matchSignature(
  signature: Signature,
  template: readonly Type[] | null,
  args: readonly Type[],
): Candidate[] {
  if (args.length !== signature.parameters.length || (template ?? []).length !== signature.template.length) return [];
  return new Match(signature).candidates(template ?? [], args);
}

/** How many arguments fit, from the first on; to say which overload came near. */
export function matchingArguments(
  signature: Signature,
  template: readonly Type[] | null,
  args: readonly Type[],
): number {
  if ((template ?? []).length !== signature.template.length) return -1;
  return new Match(signature).longest(template ?? [], args);
}

/** The first argument that does not fit, and the types that would, as far as they can be told. */
export interface Misfit {
  readonly index: number;
  readonly wanted: readonly Type[];
}

/** Of a call with the right number of arguments; null: all of them fit. */
export function misfitOf(signature: Signature, template: readonly Type[] | null, args: readonly Type[]): Misfit | null {
  const index = matchingArguments(signature, template, args);
  if (index < 0 || index >= args.length || args.length !== signature.parameters.length) return null;
  return { index, wanted: new Match(signature).wanted(template ?? [], args, index) };
}

/** One search. Variables are bound on the way down and freed on the way back. */
class Match {
  readonly #signature: Signature;
  readonly #bindings: (Binding | undefined)[] = [];

  constructor(signature: Signature) {
    this.#signature = signature;
  }

  candidates(template: readonly Type[], args: readonly Type[]): Candidate[] {
    const found: Candidate[] = [];
    const ranks: number[] = [];
    const { parameters, result } = this.#signature;
    const solve = (index: number): void => {
      if (index === args.length) {
        found.push({
          ranks: [...ranks],
          args: parameters.map((parameter) => this.#instantiate(parameter)),
          result: result === null ? VOID : this.#instantiate(result),
        });
        return;
      }
      this.#match(parameters[index], args[index], (rank) => {
        ranks[index] = rank;
        solve(index + 1);
      });
    };
    this.#matchTemplate(template, 0, () => solve(0));
    return found;
  }

  longest(template: readonly Type[], args: readonly Type[]): number {
    let most = -1;
    const { parameters } = this.#signature;
    const solve = (index: number): void => {
      most = Math.max(most, index);
      if (index < args.length && index < parameters.length) {
        this.#match(parameters[index], args[index], () => solve(index + 1));
      }
    };
    this.#matchTemplate(template, 0, () => solve(0));
    return most;
  }

  /** Types that the argument `at` could have, those before it as they are. */
  wanted(template: readonly Type[], args: readonly Type[], at: number): readonly Type[] {
    const found = new Set<Type>();
    const { parameters } = this.#signature;
    const solve = (index: number): void => {
      if (index === at) for (const type of this.#accepted(parameters[at], args[at])) found.add(type);
      else this.#match(parameters[index], args[index], () => solve(index + 1));
    };
    this.#matchTemplate(template, 0, () => solve(0));
    return [...found];
  }

  /** Concrete types that go with `pattern`, like `source` where its shape is left open; none where there are too many. */
  #accepted(pattern: Pattern, source: Type): readonly Type[] {
    switch (pattern.kind) {
      case "known":
        return [pattern.type];
      case "variable": {
        const bound = this.#bindings[pattern.index];
        if (bound !== undefined) return isAbstract(bound as Type) ? [] : [bound as Type];
        const constraint = this.#signature.constraints[pattern.index];
        if (constraint?.kind === "alternatives") {
          return constraint.patterns
            .flatMap((each) => this.#accepted(each, source))
            .filter((type) => !isAbstract(type));
        }
        const derived = this.#derived(constraint);
        return derived === null ? [] : [derived];
      }
      case "vector": {
        const { size } = pattern;
        const bound = "known" in size ? size.known : (this.#bindings[size.variable] as number | undefined);
        const given = loadedType(source);
        const wanted = bound ?? (given.kind === "vector" ? given.size : null);
        if (wanted === null) return [];
        return this.#accepted(pattern.element, given).map((element) => vectorType(wanted, element as ScalarType));
      }
      case "pointer": {
        if (source.kind !== "pointer" || !("known" in pattern.space) || pattern.space.known === source.space) return [];
        return [pointerType(pattern.space.known as AddressSpace, source.store, source.access)];
      }
      default:
        return [];
    }
  }

  #matchTemplate(template: readonly Type[], index: number, next: () => void): void {
    if (index === template.length) next();
    else
      this.#exactly(this.#signature.template[index], template[index], () =>
        this.#matchTemplate(template, index + 1, next),
      );
  }

  /** Calls `next` for each way in which a value of type `source` can be passed for `pattern`, with its rank. */
  #match(pattern: Pattern, source: Type, next: Next): void {
    switch (pattern.kind) {
      case "known":
        this.#convert(source, pattern.type, next);
        return;
      case "variable":
        this.#matchVariable(pattern.index, source, next);
        return;
      case "vector": {
        const type = loadedType(source);
        if (type.kind !== "vector") return;
        this.#bindSize(pattern.size, type.size, () => this.#match(pattern.element, type.element, next));
        return;
      }
      case "matrix": {
        const type = loadedType(source);
        if (type.kind !== "matrix") return;
        this.#bindSize(pattern.columns, type.columns, () =>
          this.#bindSize(pattern.rows, type.rows, () => this.#match(pattern.element, type.element, next)),
        );
        return;
      }
      case "array": {
        const type = loadedType(source);
        if (type.kind !== "array" || pattern.count !== null || type.count !== null) return;
        this.#exactly(pattern.element, type.element, next);
        return;
      }
      case "atomic":
        if (source.kind === "atomic") this.#exactly(pattern.element, source.element, next);
        return;
      case "pointer": {
        const type = loadedType(source);
        if (type.kind !== "pointer") return;
        this.#bindWord(pattern.space, type.space, () =>
          this.#bindWord(pattern.access, type.access, () => this.#exactly(pattern.store, type.store, next)),
        );
        return;
      }
      case "buffer":
        if (source.kind === "buffer" && pattern.sized === (source.size !== null)) next(0);
        return;
      default:
        this.#matchTexture(pattern, loadedType(source), next);
    }
  }

  #matchTexture(pattern: Pattern, source: Type, next: Next): void {
    switch (pattern.kind) {
      case "sampled-texture":
        if (source.kind !== "sampled-texture" || source.dimension !== pattern.dimension) return;
        this.#exactly(pattern.sampled, source.sampled, next);
        return;
      case "multisampled-texture":
        if (source.kind === "multisampled-texture") this.#exactly(pattern.sampled, source.sampled, next);
        return;
      case "storage-texture":
        if (source.kind !== "storage-texture" || source.dimension !== pattern.dimension) return;
        this.#bindWord(pattern.format, source.format, () =>
          this.#bindWord(pattern.access, source.access, () => next(0)),
        );
        return;
      default:
        return;
    }
  }

  #matchVariable(index: number, source: Type, next: Next): void {
    const bound = this.#bindings[index];
    if (bound !== undefined) {
      this.#convert(source, bound as Type, next);
      return;
    }
    const constraint = this.#signature.constraints[index];
    if (constraint?.kind === "alternatives") {
      for (const alternative of constraint.patterns) {
        this.#match(alternative, source, (rank) => this.#bind(index, this.#instantiate(alternative), () => next(rank)));
      }
      return;
    }
    const type = this.#derived(constraint) ?? loadedType(source);
    if (constraint?.kind === "property" && !constraint.holds(type)) return;
    this.#bind(index, type, () => this.#convert(source, type, next));
  }

  /** The type that follows from another variable; null: nothing follows. */
  #derived(constraint: Constraint | null): Type | null {
    if (constraint?.kind === "like") {
      const model = this.#bindings[constraint.variable] as Type;
      return model.kind === "vector" ? vectorType(model.size, constraint.element) : constraint.element;
    }
    if (constraint?.kind === "channel") {
      return texelFormat(this.#bindings[constraint.variable] as string)!.shaderType;
    }
    return null;
  }

  #convert(source: Type, target: Type, next: Next): void {
    const rank = conversionRank(source, target);
    if (rank !== Infinity) next(rank);
  }

  /** Inside pointers, atomics and textures, and in template lists, nothing is converted. */
  #exactly(pattern: Pattern, source: Type, next: Next): void {
    this.#match(pattern, source, (rank) => {
      if (rank === 0) next(0);
    });
  }

  #bind(index: number, binding: Binding, next: () => void): void {
    this.#bindings[index] = binding;
    next();
    this.#bindings[index] = undefined;
  }

  #bindSize(size: Size, value: number, next: () => void): void {
    if ("known" in size) {
      if (size.known === value) next();
    } else if (this.#bindings[size.variable] === undefined) this.#bind(size.variable, value, next);
    else if (this.#bindings[size.variable] === value) next();
  }

  #bindWord(word: Word, value: string, next: () => void): void {
    if ("known" in word) {
      if (word.known === value) next();
      return;
    }
    const bound = this.#bindings[word.variable];
    if (bound !== undefined) {
      if (bound === value) next();
      return;
    }
    const constraint = this.#signature.constraints[word.variable];
    if (constraint?.kind !== "words" || constraint.words.includes(value)) this.#bind(word.variable, value, next);
  }

  #instantiate(pattern: Pattern): Type {
    switch (pattern.kind) {
      case "known":
        return pattern.type;
      case "variable":
        return (this.#bindings[pattern.index] as Type | undefined) ?? this.#unbound(pattern.index);
      case "vector":
        return vectorType(this.#sizeOf(pattern.size), this.#instantiate(pattern.element) as ScalarType);
      case "matrix":
        return matrixType(
          this.#sizeOf(pattern.columns),
          this.#sizeOf(pattern.rows),
          this.#instantiate(pattern.element) as ScalarType,
        );
      case "array":
        return arrayType(
          this.#instantiate(pattern.element),
          pattern.count === null ? null : this.#sizeOf(pattern.count),
        );
      case "atomic":
        return atomicType(this.#instantiate(pattern.element) as ScalarType);
      case "pointer":
        return pointerType(
          this.#wordOf(pattern.space) as AddressSpace,
          this.#instantiate(pattern.store),
          this.#wordOf(pattern.access) as AccessMode,
        );
      case "buffer":
        return bufferType(null);
      case "sampled-texture":
        return sampledTextureType(pattern.dimension, this.#instantiate(pattern.sampled) as ScalarType);
      case "multisampled-texture":
        return multisampledTextureType(this.#instantiate(pattern.sampled) as ScalarType);
      case "storage-texture":
        return storageTextureType(
          pattern.dimension,
          this.#wordOf(pattern.format),
          this.#wordOf(pattern.access) as AccessMode,
        );
      case "result":
        return resultTypeOf(pattern.family, this.#instantiate(pattern.of) as ScalarType | VectorType);
      default:
        return pattern satisfies never;
    }
  }

  /** A variable that no argument gave: it follows from another one, or has one alternative (`vec3() -> vec3<T>`). */
  #unbound(index: number): Type {
    const constraint = this.#signature.constraints[index];
    if (constraint?.kind === "alternatives") return this.#instantiate(constraint.patterns[0]);
    const derived = this.#derived(constraint);
    if (derived === null) throw new TypeError(`nothing gives ‘${this.#signature.variables[index]}’ a type`);
    return derived;
  }

  #sizeOf(size: Size): number {
    return "known" in size ? size.known : (this.#bindings[size.variable] as number);
  }

  #wordOf(word: Word): string {
    return "known" in word ? word.known : (this.#bindings[word.variable] as string);
  }
}
