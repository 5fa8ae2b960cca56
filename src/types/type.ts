/**
 * Types of WGSL, interned: two equal types are the same object, so compare with `===`. Composite types hang on their
 * element type by a weak map, so that they live no longer than what they are made of. A structure type is its
 * declaration: it is made once by whoever declares it.
 */

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

const scalar = (kind: ScalarKind): ScalarType => ({ kind });

export const BOOL = scalar("bool");
export const I32 = scalar("i32");
export const U32 = scalar("u32");
export const F32 = scalar("f32");
export const F16 = scalar("f16");
export const ABSTRACT_INT = scalar("abstract-int");
export const ABSTRACT_FLOAT = scalar("abstract-float");
export const VOID: VoidType = { kind: "void" };
export const ERROR: ErrorType = { kind: "error" };

export const SCALARS: Readonly<Record<ScalarKind, ScalarType>> = {
  bool: BOOL,
  i32: I32,
  u32: U32,
  f32: F32,
  f16: F16,
  "abstract-int": ABSTRACT_INT,
  "abstract-float": ABSTRACT_FLOAT,
};

/** One map of derived types per type that they are derived from. */
const derived = new WeakMap<object, Map<string, Type>>();

function intern<T extends Type>(base: object, key: string, make: () => T): T {
  let map = derived.get(base);
  if (map === undefined) {
    map = new Map();
    derived.set(base, map);
  }
  let type = map.get(key) as T | undefined;
  if (type === undefined) {
    type = make();
    map.set(key, type);
  }
  return type;
}

const ROOT = {};

export function vectorType(size: number, element: ScalarType): VectorType {
  return intern(element, `vec${size}`, () => ({ kind: "vector", size: size as 2 | 3 | 4, element }));
}

export function matrixType(columns: number, rows: number, element: ScalarType): MatrixType {
  return intern(element, `mat${columns}x${rows}`, () => ({
    kind: "matrix",
    columns: columns as 2 | 3 | 4,
    rows: rows as 2 | 3 | 4,
    element,
  }));
}

export function atomicType(element: ScalarType): AtomicType {
  return intern(element, "atomic", () => ({ kind: "atomic", element }));
}

export function arrayType(element: Type, count: ElementCount): ArrayType {
  if (count !== null && typeof count === "object") {
    return intern(count, typeKey(element), () => ({ kind: "array", element, count }));
  }
  return intern(element, `array${count}`, () => ({ kind: "array", element, count }));
}

export function pointerType(space: AddressSpace, store: Type, access: AccessMode): PointerType {
  return intern(store, `ptr ${space} ${access}`, () => ({ kind: "pointer", space, store, access }));
}

export function referenceType(space: AddressSpace, store: Type, access: AccessMode): ReferenceType {
  return intern(store, `ref ${space} ${access}`, () => ({ kind: "reference", space, store, access }));
}

export function bufferType(size: ElementCount): BufferType {
  const base = size !== null && typeof size === "object" ? size : ROOT;
  return intern(base, `buffer${base === ROOT ? size : ""}`, () => ({ kind: "buffer", size }));
}

export function samplerType(comparison: boolean): SamplerType {
  return intern(ROOT, `sampler${comparison}`, () => ({ kind: "sampler", comparison }));
}

export function sampledTextureType(dimension: TextureDimension, sampled: ScalarType): SampledTextureType {
  return intern(sampled, `texture_${dimension}`, () => ({ kind: "sampled-texture", dimension, sampled }));
}

export function multisampledTextureType(sampled: ScalarType): MultisampledTextureType {
  return intern(sampled, "texture_multisampled_2d", () => ({ kind: "multisampled-texture", sampled }));
}

export function depthTextureType(dimension: DepthTextureType["dimension"]): DepthTextureType {
  return intern(ROOT, `texture_depth_${dimension}`, () => ({ kind: "depth-texture", dimension }));
}

export const DEPTH_MULTISAMPLED_TEXTURE: DepthMultisampledTextureType = { kind: "depth-multisampled-texture" };
export const EXTERNAL_TEXTURE: ExternalTextureType = { kind: "external-texture" };

export function storageTextureType(
  dimension: StorageTextureType["dimension"],
  format: string,
  access: AccessMode,
): StorageTextureType {
  return intern(ROOT, `texture_storage_${dimension} ${format} ${access}`, () => ({
    kind: "storage-texture",
    dimension,
    format,
    access,
  }));
}

const keys = new WeakMap<Type, string>();
let nextKey = 0;

/** A short string that is the identity of an interned type. */
function typeKey(type: Type): string {
  let key = keys.get(type);
  if (key === undefined) {
    key = `#${nextKey++}`;
    keys.set(type, key);
  }
  return key;
}

export function isScalar(type: Type): type is ScalarType {
  return type.kind in SCALARS;
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
