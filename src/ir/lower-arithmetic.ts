/**
 * Binary operators on values of any shape, in operations on scalars and vectors: scalars are splatted, matrices taken
 * apart into columns. Sums of products start with the first component and go up. spec: #arithmetic-expr
 */
import { isScalar, type MatrixType, matrixType, type Type, vectorType } from "../types/type.ts";
import type { Emitter } from "./builder.ts";
import type { BinaryInst, InstId } from "./ir.ts";

type Operator = BinaryInst["operator"];

export function emitBinary(e: Emitter, operator: Operator, left: InstId, right: InstId): InstId {
  const leftType = e.typeOf(left);
  const rightType = e.typeOf(right);
  if (leftType.kind === "matrix" || rightType.kind === "matrix") {
    return emitMatrixBinary(e, operator, left, leftType, right, rightType);
  }
  return e.binary(operator, e.shaped(left, rightType), e.shaped(right, leftType));
}

function emitMatrixBinary(
  e: Emitter,
  operator: Operator,
  left: InstId,
  leftType: Type,
  right: InstId,
  rightType: Type,
): InstId {
  if (leftType.kind === "matrix" && rightType.kind === "matrix") {
    if (operator === "*") return multiplyMatrices(e, left, leftType, right, rightType);
    const rights = e.parts(right);
    const columns = e.parts(left).map((column, index) => e.binary(operator, column, rights[index]));
    return e.construct(leftType, columns);
  }
  if (leftType.kind === "matrix") {
    if (isScalar(rightType)) return scaleMatrix(e, left, leftType, right);
    return multiplyMatrixVector(e, e.parts(left), right);
  }
  if (isScalar(leftType)) return scaleMatrix(e, right, rightType as MatrixType, left);
  const products = e.parts(right).map((column) => emitDot(e, left, column));
  const { columns, element } = rightType as MatrixType;
  return e.construct(vectorType(columns, element), products);
}

function scaleMatrix(e: Emitter, matrix: InstId, type: MatrixType, scalar: InstId): InstId {
  const factor = e.splat(scalar, type.rows);
  return e.construct(
    type,
    e.parts(matrix).map((column) => e.binary("*", column, factor)),
  );
}

/** First column times first component, plus second times second, and so on. */
function multiplyMatrixVector(e: Emitter, columns: readonly InstId[], vector: InstId): InstId {
  const products = columns.map((column, index) => {
    const factor = e.splat(e.extract(vector, index), (e.typeOf(column) as { size: number }).size);
    return e.binary("*", column, factor);
  });
  return sum(e, products);
}

function multiplyMatrices(
  e: Emitter,
  left: InstId,
  leftType: MatrixType,
  right: InstId,
  rightType: MatrixType,
): InstId {
  const columns = e.parts(left);
  return e.construct(
    matrixType(rightType.columns, leftType.rows, leftType.element),
    e.parts(right).map((vector) => multiplyMatrixVector(e, columns, vector)),
  );
}

/** spec: #dot-builtin; for integers too. */
export function emitDot(e: Emitter, left: InstId, right: InstId): InstId {
  return sum(e, e.parts(e.binary("*", left, right)));
}

/** Left to right. */
export function sum(e: Emitter, terms: readonly InstId[]): InstId {
  return terms.reduce((total, term) => e.binary("+", total, term));
}
