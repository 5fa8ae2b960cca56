/**
 * Types of WGSL, interned: two equal types are the same object, so compare with `===`. Composite types hang on their
 * element type, so that they live no longer than what they are made of. A structure type is its declaration: it is made
 * once by whoever declares it.
 */
import { listOf } from "../text/list.ts";
import { ByCount } from "./by-count.ts";
import type { Numbering } from "./numbering.ts";

export type ScalarKind = "bool" | "i32" | "u32" | "f32" | "f16" | "abstract-int" | "abstract-float";
export type AddressSpace = "function" | "private" | "workgroup" | "uniform" | "storage" | "handle" | "immediate";
export type AccessMode = "read" | "write" | "read_write";

export interface ScalarType {
  readonly kind: ScalarKind;
}
export interface VectorType {
  readonly kind: "vector";
  readonly size: 2 | 3 | 4;
  readonly element: ScalarType;
}
export interface MatrixType {
  readonly kind: "matrix";
  readonly columns: 2 | 3 | 4;
  readonly rows: 2 | 3 | 4;
  readonly element: ScalarType;
}
export interface AtomicType {
  readonly kind: "atomic";
  readonly element: ScalarType;
}
/** Number of elements; null: runtime-sized; an object: an override-expression, one object per spelling that is the same. */
export type ElementCount = number | null | OverrideCount;
/** A count that is known only when overrides are; `key` is the identity of the expression (declaration or node). */
export interface OverrideCount {
  readonly kind: "override-count";
  /** Node id of the expression that gives the count. */
  readonly expression: number;
  readonly text: string;
}
export interface ArrayType {
  readonly kind: "array";
  readonly element: Type;
  readonly count: ElementCount;
}
export interface StructMemberType {
  readonly name: string;
  readonly type: Type;
  /** From `@align` and `@size`, in bytes; null when not given. */
  readonly align: number | null;
  readonly size: number | null;
}
export interface StructType {
  readonly kind: "struct";
  readonly name: string;
  readonly members: readonly StructMemberType[];
  /** Node id of the declaration; null for the result structures of builtin functions. */
  readonly declaration: number | null;
}
export interface PointerType {
  readonly kind: "pointer";
  readonly space: AddressSpace;
  readonly store: Type;
  readonly access: AccessMode;
}
export interface ReferenceType {
  readonly kind: "reference";
  readonly space: AddressSpace;
  readonly store: Type;
  readonly access: AccessMode;
}
/** spec: #buffer-types. `size` in bytes; null: runtime-sized. */
export interface BufferType {
  readonly kind: "buffer";
  readonly size: ElementCount;
}
export interface SamplerType {
  readonly kind: "sampler";
  readonly comparison: boolean;
}
export type TextureDimension = "1d" | "2d" | "2d-array" | "3d" | "cube" | "cube-array";
export interface SampledTextureType {
  readonly kind: "sampled-texture";
  readonly dimension: TextureDimension;
  readonly sampled: ScalarType;
}
export interface MultisampledTextureType {
  readonly kind: "multisampled-texture";
  readonly sampled: ScalarType;
}
export interface DepthTextureType {
  readonly kind: "depth-texture";
  readonly dimension: "2d" | "2d-array" | "cube" | "cube-array";
}
export interface DepthMultisampledTextureType {
  readonly kind: "depth-multisampled-texture";
}
export interface ExternalTextureType {
  readonly kind: "external-texture";
}
export interface StorageTextureType {
  readonly kind: "storage-texture";
  readonly dimension: "1d" | "2d" | "2d-array" | "3d";
  readonly format: string;
  readonly access: AccessMode;
}
export type TextureType =
  | SampledTextureType
  | MultisampledTextureType
  | DepthTextureType
  | DepthMultisampledTextureType
  | ExternalTextureType
  | StorageTextureType;

/** The type of a call without result, and of what could not be typed (`error`: no further message about it). */
export interface VoidType {
  readonly kind: "void";
}
export interface ErrorType {
  readonly kind: "error";
}

export type Type =
  | ScalarType
  | VectorType
  | MatrixType
  | AtomicType
  | ArrayType
  | StructType
  | PointerType
  | ReferenceType
  | BufferType
  | SamplerType
  | TextureType
  | VoidType
  | ErrorType;

/** Scalars, what is made of one and a few small numbers, textures: there are some hundreds at most. */
const LASTING: ReadonlySet<Type["kind"]> = new Set([
  ...(["bool", "i32", "u32", "f32", "f16", "abstract-int", "abstract-float", "void"] as const),
  ...(["vector", "matrix", "atomic", "sampler", "sampled-texture", "multisampled-texture", "depth-texture"] as const),
  ...(["depth-multisampled-texture", "external-texture", "storage-texture"] as const),
]);
let lastingTypes = 0;

/** `lastingIndex` stays below this. */
export const MOST_LASTING = 1 << 12;

/** Also runtime-sized arrays of such, and pointers to all these. */
function isLasting(type: Type): boolean {
  if (lastingTypes === MOST_LASTING) return false;
  if (type.kind === "array") return type.count === null && lastingIndex(type.element) >= 0;
  return type.kind === "pointer" ? lastingIndex(type.store) >= 0 : LASTING.has(type.kind);
}

type Arrays = Map<number, ArrayType> | ByCount<ArrayType>;

/** It lasts as long as the program, or can, since it is an array of what does. */
function outlivesModules(type: Type): boolean {
  if (type.kind === "array") return typeof type.count !== "object" && outlivesModules(type.element);
  return lastingIndex(type) >= 0 || type.kind === "error";
}

/**
 * What all types are made of, whatever their kind: objects of one hidden class. The kind of a type is asked at every step
 * of every pass, and a property is quick to read only where few classes of objects occur. A kind has the fields that its
 * interface shows; all others stay undefined.
 */
class TypeObject {
  readonly kind: Type["kind"];
  /** The last number that it was given, and by which numbering: nobody who looks at a type is to see them. */
  #numbering = 0;
  #number = 0;
  /** Of types that last as long as the program: their number, else -1. */
  readonly #lasting: number;
  readonly size: unknown;
  readonly columns: unknown;
  readonly rows: unknown;
  readonly element: unknown;
  readonly count: unknown;
  readonly name: unknown;
  readonly members: unknown;
  readonly declaration: unknown;
  readonly space: unknown;
  readonly store: unknown;
  readonly access: unknown;
  readonly comparison: unknown;
  readonly dimension: unknown;
  readonly sampled: unknown;
  readonly format: unknown;
  /** What was found out about the type, each in a slot of its own. */
  #memory: unknown[] | null = null;
  /** Vectors, matrices, atomics, arrays without size that are made of it, each in a slot of its own. */
  #derived: unknown[] | null = null;
  /** References and pointers to it: few at a time. */
  #views: (PointerType | ReferenceType)[] | null = null;
  /** Arrays of this element type, by their count. */
  #arrays: Arrays | null = null;

  /** By itself each kind that modules make many of: from one place, properties of objects of many classes are slow to read. */
  constructor(fields: Type) {
    this.kind = fields.kind;
    switch (fields.kind) {
      case "array":
        this.element = fields.element;
        this.count = fields.count;
        break;
      case "struct":
        this.name = fields.name;
        this.members = fields.members;
        this.declaration = fields.declaration;
        break;
      case "pointer":
      case "reference":
        this.space = fields.space;
        this.store = fields.store;
        this.access = fields.access;
        break;
      default:
        Object.assign(this, fields);
    }
    this.#lasting = isLasting(fields) ? lastingTypes++ : -1;
  }

  static numberIn(numbering: Numbering<Type>, type: Type): number {
    const object = type as TypeObject;
    if (object.#numbering !== numbering.own) {
      object.#numbering = numbering.own;
      object.#number = numbering.add(type);
    }
    return object.#number;
  }

  static lastingIndex(type: Type): number {
    return (type as TypeObject).#lasting;
  }

  static recall(type: Type, slot: number): unknown {
    const memory = (type as TypeObject).#memory;
    return memory === null ? undefined : memory[slot];
  }

  static remember<T>(type: Type, slot: number, fact: T): T {
    // As long as need be: a large module has hundreds of types.
    const memory = ((type as TypeObject).#memory ??= new Array<unknown>(slots));
    memory[slot] = fact;
    return fact;
  }

  static derivedOf(element: Type): unknown[] {
    return ((element as TypeObject).#derived ??= listOf());
  }

  static viewsOf(store: Type): (PointerType | ReferenceType)[] {
    return ((store as TypeObject).#views ??= []);
  }

  static arraysOf(element: Type): Arrays {
    return ((element as TypeObject).#arrays ??= outlivesModules(element) ? new ByCount() : new Map());
  }
}

/** A small number that is the type's own, for types that no module makes; -1 for all others. */
export function lastingIndex(type: Type): number {
  return TypeObject.lastingIndex(type);
}

export function numberIn(numbering: Numbering<Type>, type: Type): number {
  return TypeObject.numberIn(numbering, type);
}

function make<T extends Type>(fields: T): T {
  return new TypeObject(fields) as unknown as T;
}

let slots = 0;

/** As `find`, with a memory that lives as long as the type. Structures nest and share parts: each is asked once. */
export function remembered<Fact>(find: (type: Type) => Fact): (type: Type) => Fact {
  const slot = slots++;
  return (type) => (TypeObject.recall(type, slot) as Fact | undefined) ?? TypeObject.remember(type, slot, find(type));
}

const scalar = (kind: ScalarKind): ScalarType => make({ kind });

export const BOOL = scalar("bool");
export const I32 = scalar("i32");
export const U32 = scalar("u32");
export const F32 = scalar("f32");
export const F16 = scalar("f16");
export const ABSTRACT_INT = scalar("abstract-int");
export const ABSTRACT_FLOAT = scalar("abstract-float");
export const VOID: VoidType = make({ kind: "void" });
export const ERROR: ErrorType = make({ kind: "error" });

export const SCALARS: Readonly<Record<ScalarKind, ScalarType>> = {
  bool: BOOL,
  i32: I32,
  u32: U32,
  f32: F32,
  f16: F16,
  "abstract-int": ABSTRACT_INT,
  "abstract-float": ABSTRACT_FLOAT,
};

// Slots of `derivedOf`.
const UNSIZED_ARRAY = 0;
const ATOMIC = 1;
const VECTORS = 2;
const MATRICES = 5;

export function vectorType(size: number, element: ScalarType): VectorType {
  const derived = TypeObject.derivedOf(element);
  return (derived[VECTORS + size - 2] ??= make({ kind: "vector", size: size as 2 | 3 | 4, element })) as VectorType;
}

export function matrixType(columns: number, rows: number, element: ScalarType): MatrixType {
  const derived = TypeObject.derivedOf(element);
  const slot = MATRICES + (columns - 2) * 3 + rows - 2;
  return (derived[slot] ??= make({
    kind: "matrix",
    columns: columns as 2 | 3 | 4,
    rows: rows as 2 | 3 | 4,
    element,
  })) as MatrixType;
}

export function atomicType(element: ScalarType): AtomicType {
  return (TypeObject.derivedOf(element)[ATOMIC] ??= make({ kind: "atomic", element })) as AtomicType;
}

/** By the count, which dies with its module. */
const overrideSized = new WeakMap<OverrideCount, Map<Type, ArrayType>>();

export function arrayType(element: Type, count: ElementCount): ArrayType {
  if (count === null) {
    return (TypeObject.derivedOf(element)[UNSIZED_ARRAY] ??= make({ kind: "array", element, count })) as ArrayType;
  }
  if (typeof count === "object") {
    let arrays = overrideSized.get(count);
    if (arrays === undefined) overrideSized.set(count, (arrays = new Map()));
    return interned(arrays, element, () => ({ kind: "array", element, count }));
  }
  const arrays = TypeObject.arraysOf(element);
  let type = arrays.get(count);
  if (type === undefined) arrays.set(count, (type = make({ kind: "array", element, count })));
  return type;
}

/** Like a declaration, a structure type is made once; it equals no other. */
export function structType(
  name: string,
  members: readonly StructMemberType[],
  declaration: StructType["declaration"],
): StructType {
  return make({ kind: "struct", name, members, declaration });
}

export function pointerType(space: AddressSpace, store: Type, access: AccessMode): PointerType {
  return viewType("pointer", space, store, access) as PointerType;
}

export function referenceType(space: AddressSpace, store: Type, access: AccessMode): ReferenceType {
  return viewType("reference", space, store, access) as ReferenceType;
}

function viewType(
  kind: "pointer" | "reference",
  space: AddressSpace,
  store: Type,
  access: AccessMode,
): PointerType | ReferenceType {
  const views = TypeObject.viewsOf(store);
  for (const view of views) if (view.kind === kind && view.space === space && view.access === access) return view;
  const view = make<PointerType | ReferenceType>({ kind, space, store, access });
  views.push(view);
  return view;
}

/** Types of a few words and numbers, by how they are written. */
const written = new Map<string, Type>();
const unsizedBuffer: BufferType = make({ kind: "buffer", size: null });
const buffers = new ByCount<BufferType>();
const overrideBuffers = new WeakMap<OverrideCount, BufferType>();

interface Known<Key, T> {
  get(key: Key): T | undefined;
  set(key: Key, type: T): unknown;
}

function interned<Key, T extends Type>(known: Known<Key, T>, key: Key, fields: () => T): T {
  let type = known.get(key);
  if (type === undefined) known.set(key, (type = make(fields())));
  return type;
}

function spelled<T extends Type>(key: string, fields: () => T): T {
  return interned(written as Map<string, T>, key, fields);
}

export function bufferType(size: ElementCount): BufferType {
  if (size === null) return unsizedBuffer;
  const known: Known<ElementCount, BufferType> = typeof size === "number" ? buffers : overrideBuffers;
  return interned(known, size, () => ({ kind: "buffer", size }));
}

export function samplerType(comparison: boolean): SamplerType {
  return spelled(`sampler ${comparison}`, () => ({ kind: "sampler", comparison }));
}

export function sampledTextureType(dimension: TextureDimension, sampled: ScalarType): SampledTextureType {
  return spelled(`texture ${dimension} ${sampled.kind}`, () => ({ kind: "sampled-texture", dimension, sampled }));
}

export function multisampledTextureType(sampled: ScalarType): MultisampledTextureType {
  return spelled(`texture multisampled ${sampled.kind}`, () => ({ kind: "multisampled-texture", sampled }));
}

export function depthTextureType(dimension: DepthTextureType["dimension"]): DepthTextureType {
  return spelled(`texture depth ${dimension}`, () => ({ kind: "depth-texture", dimension }));
}

export const DEPTH_MULTISAMPLED_TEXTURE: DepthMultisampledTextureType = make({ kind: "depth-multisampled-texture" });
export const EXTERNAL_TEXTURE: ExternalTextureType = make({ kind: "external-texture" });

export function storageTextureType(
  dimension: StorageTextureType["dimension"],
  format: string,
  access: AccessMode,
): StorageTextureType {
  return spelled(`texture storage ${dimension} ${format} ${access}`, () => ({
    kind: "storage-texture",
    dimension,
    format,
    access,
  }));
}

export function isScalar(type: Type): type is ScalarType {
  switch (type.kind) {
    case "bool":
    case "i32":
    case "u32":
    case "f32":
    case "f16":
    case "abstract-int":
    case "abstract-float":
      return true;
    default:
      return false;
  }
}

/** The type as WGSL writes it: `vec3<f32>`, `ptr<storage, atomic<u32>, read_write>`. */
export function typeName(type: Type): string {
  switch (type.kind) {
    case "bool":
    case "i32":
    case "u32":
    case "f32":
    case "f16":
      return type.kind;
    case "abstract-int":
      return "abstract integer";
    case "abstract-float":
      return "abstract float";
    case "vector":
      return `vec${type.size}<${typeName(type.element)}>`;
    case "matrix":
      return `mat${type.columns}x${type.rows}<${typeName(type.element)}>`;
    case "atomic":
      return `atomic<${typeName(type.element)}>`;
    case "array":
      return type.count === null
        ? `array<${typeName(type.element)}>`
        : `array<${typeName(type.element)}, ${countName(type.count)}>`;
    case "struct":
      return type.name;
    case "pointer":
    case "reference":
      return `${type.kind === "pointer" ? "ptr" : "ref"}<${type.space}, ${typeName(type.store)}, ${type.access}>`;
    case "buffer":
      return type.size === null ? "buffer" : `buffer<${countName(type.size)}>`;
    case "sampler":
      return type.comparison ? "sampler_comparison" : "sampler";
    case "sampled-texture":
      return `texture_${type.dimension.replace("-", "_")}<${typeName(type.sampled)}>`;
    case "multisampled-texture":
      return `texture_multisampled_2d<${typeName(type.sampled)}>`;
    case "depth-texture":
      return `texture_depth_${type.dimension.replace("-", "_")}`;
    case "depth-multisampled-texture":
      return "texture_depth_multisampled_2d";
    case "external-texture":
      return "texture_external";
    case "storage-texture":
      return `texture_storage_${type.dimension.replace("-", "_")}<${type.format}, ${type.access}>`;
    case "void":
      return "no value";
    case "error":
      return "unknown type";
    default:
      return type satisfies never;
  }
}

function countName(count: number | OverrideCount): string {
  return typeof count === "number" ? String(count) : count.text;
}
