/** Const-evaluation of the functions that take vectors and matrices as a whole. spec: #numeric-builtin-functions */
import { phrase } from "../diagnostics/diagnostic.ts";
import type { MatrixType, ScalarType } from "../types/type.ts";
import { isScalar, vectorType } from "../types/type.ts";
import { type ConstValue, constValue } from "../types/value.ts";
import { failure, numberOf, numbersOf, partsOf } from "./evaluate-parts.ts";
import { FloatSteps } from "./float-steps.ts";
import type { Evaluate } from "./row.ts";

function elementOf(value: ConstValue): ScalarType {
  return value.type.kind === "vector" ? value.type.element : (value.type as ScalarType);
}

/** spec: #length-builtin: the root of the sum of squares; of a scalar, its absolute value. */
function lengthOf(steps: FloatSteps, components: readonly number[]): number {
  return components.length === 1 ? Math.abs(components[0]) : steps.sqrt(steps.dot(components, components));
}

export const evaluateLength: Evaluate = ([e]) => {
  const steps = new FloatSteps(elementOf(e));
  return steps.scalar(lengthOf(steps, isScalar(e.type) ? [numberOf(e)] : numbersOf(e)));
};

export const evaluateDistance: Evaluate = ([e1, e2]) => {
  const steps = new FloatSteps(elementOf(e1));
  if (isScalar(e1.type)) return steps.scalar(Math.abs(steps.subtract(numberOf(e1), numberOf(e2))));
  return steps.scalar(lengthOf(steps, combined(numbersOf(e1), numbersOf(e2), steps.subtract)));
};

function combined(
  a: readonly number[],
  b: readonly number[],
  combine: (x: number, y: number) => number,
): readonly number[] {
  return a.map((x, index) => combine(x, b[index]));
}

/** spec: #normalize-builtin: every vector but the zero vector. */
export const evaluateNormalize: Evaluate = ([e]) => {
  const steps = new FloatSteps(elementOf(e));
  const components = numbersOf(e);
  const length = lengthOf(steps, components);
  if (length === 0) return failure(phrase("vector-no-length"));
  return steps.vector(components.map((x) => steps.divide(x, length)));
};

export const evaluateCross: Evaluate = ([a, b]) => {
  const steps = new FloatSteps(elementOf(a));
  const [[a0, a1, a2], [b0, b1, b2]] = [numbersOf(a), numbersOf(b)];
  return steps.vector([
    determinant2(steps, a1, a2, b1, b2),
    determinant2(steps, a2, a0, b2, b0),
    determinant2(steps, a0, a1, b0, b1),
  ]);
};

/** a · d - b · c */
function determinant2(steps: FloatSteps, a: number, b: number, c: number, d: number): number {
  return steps.subtract(steps.multiply(a, d), steps.multiply(b, c));
}

/** spec: #determinant-builtin: by the first row. */
export const evaluateDeterminant: Evaluate = ([matrix]) => {
  const steps = new FloatSteps((matrix.type as MatrixType).element);
  return steps.scalar(determinant(steps, partsOf(matrix).map(numbersOf)));
};

function determinant(steps: FloatSteps, columns: readonly (readonly number[])[]): number {
  if (columns.length === 2) return determinant2(steps, columns[0][0], columns[1][0], columns[0][1], columns[1][1]);
  return columns
    .map(([factor], index) => {
      const minor = columns.filter((_, other) => other !== index).map((column) => column.slice(1));
      const product = steps.multiply(factor, determinant(steps, minor));
      return index % 2 === 0 ? product : -product;
    })
    .reduce(steps.add);
}

export const evaluateTranspose: Evaluate = ([matrix], result) => {
  const { columns, rows, element } = result as MatrixType;
  const column = vectorType(rows, element);
  const value = Array.from({ length: columns }, (_, index): ConstValue => {
    return constValue(
      column,
      partsOf(matrix).map((vector) => partsOf(vector)[index]),
    );
  });
  return constValue(result, value);
};

/** `e1` if `dot(e2, e3)` is negative, and `-e1` otherwise. */
export const evaluateFaceForward: Evaluate = ([e1, e2, e3]) => {
  const steps = new FloatSteps(elementOf(e1));
  const negative = steps.dot(numbersOf(e2), numbersOf(e3)) < 0;
  return steps.vector(numbersOf(e1).map((x) => (negative ? x : -x)));
};

/** e1 - 2 · dot(e2, e1) · e2 */
export const evaluateReflect: Evaluate = ([e1, e2]) => {
  const steps = new FloatSteps(elementOf(e1));
  const [incident, normal] = [numbersOf(e1), numbersOf(e2)];
  const factor = steps.multiply(2, steps.dot(normal, incident));
  return steps.vector(combined(incident, normal, (x, n) => steps.subtract(x, steps.multiply(factor, n))));
};

/** spec: #refract-builtin */
export const evaluateRefract: Evaluate = ([e1, e2, e3]) => {
  const steps = new FloatSteps(elementOf(e1));
  const { add, subtract, multiply, sqrt } = steps;
  const [incident, normal, ratio] = [numbersOf(e1), numbersOf(e2), numberOf(e3)];
  const dot = steps.dot(normal, incident);
  const k = subtract(1, multiply(multiply(ratio, ratio), subtract(1, multiply(dot, dot))));
  if (k < 0) return steps.vector(incident.map(() => 0));
  const factor = add(multiply(ratio, dot), sqrt(k));
  return steps.vector(combined(incident, normal, (x, n) => subtract(multiply(ratio, x), multiply(factor, n))));
};
