/** The types that random programs use, and how far their floats may go so that all arithmetic on them is exact. */

export interface ScalarType {
  readonly kind: "scalar";
  readonly name: "bool" | "i32" | "u32" | "f32";
}

export interface VectorType {
  readonly kind: "vector";
  readonly size: number;
  readonly element: ScalarType;
}

/** Of f32. */
export interface MatrixType {
  readonly kind: "matrix";
  readonly columns: number;
  readonly rows: number;
}

export interface ArrayType {
  readonly kind: "array";
  readonly element: Type;
  readonly count: number;
}

export interface StructType {
  readonly kind: "struct";
  readonly name: string;
  readonly members: readonly { readonly name: string; readonly type: Type }[];
}

export type Type = ScalarType | VectorType | MatrixType | ArrayType | StructType;

export const BOOL: ScalarType = { kind: "scalar", name: "bool" };
export const I32: ScalarType = { kind: "scalar", name: "i32" };
export const U32: ScalarType = { kind: "scalar", name: "u32" };
export const F32: ScalarType = { kind: "scalar", name: "f32" };
export const SCALARS: readonly ScalarType[] = [BOOL, I32, U32, F32];

export function vector(size: number, element: ScalarType): VectorType {
  return { kind: "vector", size, element };
}

export function array(element: Type, count: number): ArrayType {
  return { kind: "array", element, count };
}

export function typeText(type: Type): string {
  switch (type.kind) {
    case "scalar":
      return type.name;
    case "vector":
      return `vec${type.size}<${type.element.name}>`;
    case "matrix":
      return `mat${type.columns}x${type.rows}<f32>`;
    case "array":
      return `array<${typeText(type.element)}, ${type.count}>`;
    case "struct":
      return type.name;
  }
}

export function sameType(a: Type, b: Type): boolean {
  return a === b || typeText(a) === typeText(b);
}

export function isInteger(type: Type): boolean {
  return type.kind === "scalar" && (type.name === "i32" || type.name === "u32");
}

/** The scalar of a scalar or vector. */
export function elementOf(type: ScalarType | VectorType): ScalarType {
  return type.kind === "scalar" ? type : type.element;
}

/** The same shape, scalar or vector, of another scalar. */
export function likeShape(type: ScalarType | VectorType, element: ScalarType): ScalarType | VectorType {
  return type.kind === "scalar" ? element : vector(type.size, element);
}

/** May lie in a storage or uniform buffer. */
export function isHostShareable(type: Type): boolean {
  switch (type.kind) {
    case "scalar":
      return type.name !== "bool";
    case "vector":
      return type.element.name !== "bool";
    case "matrix":
      return true;
    case "array":
      return isHostShareable(type.element);
    case "struct":
      return type.members.every((member) => isHostShareable(member.type));
  }
}

/** The types that a value of this one is made of, one step down. */
export function partsOf(type: Type): readonly Type[] {
  switch (type.kind) {
    case "scalar":
      return [];
    case "vector":
      return [type.element];
    case "matrix":
      return [vector(type.rows, F32)];
    case "array":
      return [type.element];
    case "struct":
      return type.members.map((member) => member.type);
  }
}

/** Whether a value of `type` is or holds one of `wanted`. */
export function holds(type: Type, wanted: Type): boolean {
  return sameType(type, wanted) || partsOf(type).some((part) => holds(part, wanted));
}

/**
 * What floats of an expression can be: multiples of 2^-`fraction`, none beyond 2^`magnitude` on either side. As long as
 * both together stay within the 24 bits of f32, arithmetic is exact, in whatever order or form a compiler does it.
 */
export interface Range {
  readonly fraction: number;
  readonly magnitude: number;
}

/** What variables hold. */
export const DOMAIN: Range = { fraction: 1, magnitude: 6 };
/** What elements of matrices hold: products of matrices are sums of products. */
export const MATRIX_DOMAIN: Range = { fraction: 0, magnitude: 2 };

export function isExact(range: Range): boolean {
  return range.fraction + range.magnitude <= 23;
}

export function within(inner: Range, outer: Range): boolean {
  return inner.fraction <= outer.fraction && inner.magnitude <= outer.magnitude;
}

export function widest(...ranges: readonly Range[]): Range {
  return {
    fraction: Math.max(...ranges.map((range) => range.fraction)),
    magnitude: Math.max(...ranges.map((range) => range.magnitude)),
  };
}

export function sumRange(a: Range, b: Range): Range {
  const { fraction, magnitude } = widest(a, b);
  return { fraction, magnitude: magnitude + 1 };
}

export function productRange(a: Range, b: Range): Range {
  return { fraction: a.fraction + b.fraction, magnitude: a.magnitude + b.magnitude };
}

/** Of a sum of up to four such products. */
export function dotRange(a: Range, b: Range): Range {
  const { fraction, magnitude } = productRange(a, b);
  return { fraction, magnitude: magnitude + 2 };
}

export function holdsFloat(type: Type): boolean {
  return (
    type.kind === "matrix" || ((type.kind === "scalar" || type.kind === "vector") && elementOf(type).name === "f32")
  );
}

/** What a variable of the type, or its elements, may hold. */
export function domainOf(type: Type): Range {
  return type.kind === "matrix" ? MATRIX_DOMAIN : DOMAIN;
}
