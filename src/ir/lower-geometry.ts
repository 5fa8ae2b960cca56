/**
 * Builtin functions that are formulas over vectors and matrices, in a fixed order of basic operations.
 * spec: #numeric-builtin-functions
 */
import { BOOL, isScalar, type MatrixType, matrixType, type VectorType } from "../types/type.ts";
import { type Emitter, partType } from "./builder.ts";
import type { InstId } from "./ir.ts";
import { emitBinary, emitDot } from "./lower-arithmetic.ts";

/** spec: #all-builtin, #any-builtin */
export function foldBooleans(e: Emitter, operator: "&" | "|", value: InstId): InstId {
  if (e.typeOf(value) === BOOL) return value;
  return e.parts(value).reduce((result, part) => e.binary(operator, result, part));
}

/** spec: #length-builtin */
export function length(e: Emitter, value: InstId): InstId {
  const type = e.typeOf(value);
  if (isScalar(type)) return e.builtin("abs", [value], type);
  return e.builtin("sqrt", [emitDot(e, value, value)], (type as VectorType).element);
}

/** spec: #normalize-builtin */
export function normalize(e: Emitter, value: InstId): InstId {
  return emitBinary(e, "/", value, length(e, value));
}

/** spec: #cross-builtin */
export function cross(e: Emitter, left: InstId, right: InstId): InstId {
  const first = e.binary("*", e.swizzle(left, [1, 2, 0]), e.swizzle(right, [2, 0, 1]));
  const second = e.binary("*", e.swizzle(left, [2, 0, 1]), e.swizzle(right, [1, 2, 0]));
  return e.binary("-", first, second);
}

/** spec: #faceForward-builtin */
export function faceForward(e: Emitter, vector: InstId, incident: InstId, reference: InstId): InstId {
  const product = emitDot(e, incident, reference);
  const faces = e.binary("<", product, e.number(0, e.typeOf(product)));
  return e.select(faces, vector, e.unary("-", vector));
}

/** spec: #reflect-builtin */
export function reflect(e: Emitter, incident: InstId, normal: InstId): InstId {
  const product = emitDot(e, normal, incident);
  const twice = e.binary("*", e.number(2, e.typeOf(product)), product);
  return e.binary("-", incident, emitBinary(e, "*", twice, normal));
}

/**
 * spec: #refract-builtin. The square root is taken of 0 where nothing is refracted, so that no NaN arises that is not in
 * the result.
 */
export function refract(e: Emitter, incident: InstId, normal: InstId, ratio: InstId): InstId {
  const scalar = e.typeOf(ratio);
  const product = emitDot(e, normal, incident);
  const one = e.number(1, scalar);
  const sine = e.binary("*", e.binary("*", ratio, ratio), e.binary("-", one, e.binary("*", product, product)));
  const k = e.binary("-", one, sine);
  const zero = e.number(0, scalar);
  const root = e.builtin("sqrt", [e.builtin("max", [k, zero], scalar)], scalar);
  const along = e.binary("+", e.binary("*", ratio, product), root);
  const refracted = e.binary("-", emitBinary(e, "*", ratio, incident), emitBinary(e, "*", along, normal));
  return e.select(e.binary("<", k, zero), e.number(0, e.typeOf(incident)), refracted);
}

/** spec: #transpose-builtin */
export function transpose(e: Emitter, matrix: InstId): InstId {
  const { columns, rows, element } = e.typeOf(matrix) as MatrixType;
  const result = matrixType(rows, columns, element);
  const components = e.parts(matrix).map((column) => e.parts(column));
  const transposed = Array.from({ length: rows }, (_, row) =>
    e.construct(
      partType(result, 0),
      components.map((column) => column[row]),
    ),
  );
  return e.construct(result, transposed);
}

/** spec: #determinant-builtin */
export function determinant(e: Emitter, matrix: InstId): InstId {
  const components = e.parts(matrix).map((column) => e.parts(column));
  return expand(e, components);
}

/** Laplace expansion along the first row; `columns[column][row]`. */
function expand(e: Emitter, columns: readonly (readonly InstId[])[]): InstId {
  if (columns.length === 2) {
    const [[a, c], [b, d]] = columns;
    return e.binary("-", e.binary("*", a, d), e.binary("*", b, c));
  }
  let total: InstId | null = null;
  for (const [index, [factor]] of columns.entries()) {
    const minor = columns.filter((_, other) => other !== index).map((column) => column.slice(1));
    const term = e.binary("*", factor, expand(e, minor));
    total = total === null ? term : e.binary(index % 2 === 0 ? "+" : "-", total, term);
  }
  return total!;
}
