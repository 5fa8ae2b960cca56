/** Const-evaluation of operators. spec: #arithmetic-expr, #comparison-expr, #logical-expr, #bit-expr */
import { phrase } from "../diagnostics/diagnostic.ts";
import * as integer from "../numeric/integer.ts";
import { isFloatScalar } from "../types/predicates.ts";
import type { ScalarType, VectorType } from "../types/type.ts";
import { F32, vectorType } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import {
  checkedFloat,
  checkedScalar,
  componentWise,
  composed,
  failure,
  type NumberFunctions,
  numberOf,
  numberResult,
  onNumbers,
  partsOf,
  type Scalar,
  scalarOf,
  scalarValue,
} from "./evaluate-parts.ts";
import { FloatSteps } from "./float-steps.ts";
import { type Evaluate, type EvaluationResult, isEvaluationError } from "./row.ts";

const ADD: NumberFunctions = {
  abstract: integer.checkedAddAbstractInt,
  i32: integer.addI32,
  u32: integer.addU32,
  float: (a, b) => a + b,
};

const SUBTRACT: NumberFunctions = {
  abstract: integer.checkedSubtractAbstractInt,
  i32: integer.subtractI32,
  u32: integer.subtractU32,
  float: (a, b) => a - b,
};

const MULTIPLY: NumberFunctions = {
  abstract: integer.checkedMultiplyAbstractInt,
  i32: integer.multiplyI32,
  u32: integer.multiplyU32,
  float: (a, b) => a * b,
};

const DIVIDE: NumberFunctions = {
  abstract: integer.checkedDivideAbstractInt,
  i32: integer.checkedDivideI32,
  u32: integer.checkedDivideU32,
  float: (a, b) => (b === 0 ? phrase("divisor-zero") : a / b),
};

const remainderOfIntegers = onNumbers({
  abstract: integer.checkedRemainderAbstractInt,
  i32: integer.checkedRemainderI32,
  u32: integer.checkedRemainderU32,
});

/** spec: #concrete-float-accuracy: as accurate as `x - y * trunc(x / y)`; of f16 in f32, where the quotient fits. */
const remainderOfFloats = componentWise(([a, b], result) => {
  const [x, y] = [numberOf(a), numberOf(b)];
  if (y === 0) return failure(phrase("divisor-zero"));
  const steps = new FloatSteps(result.kind === "f16" ? F32 : result);
  const remainder = steps.scalar(steps.subtract(x, steps.multiply(y, Math.trunc(steps.divide(x, y)))));
  return isEvaluationError(remainder) ? remainder : checkedFloat(result, numberOf(remainder));
});

export const evaluateRemainder: Evaluate = (args, result) =>
  (isFloatScalar(result.kind === "vector" ? result.element : result) ? remainderOfFloats : remainderOfIntegers)(
    args,
    result,
  );

const NEGATE: NumberFunctions = {
  abstract: integer.negateAbstractInt,
  i32: integer.negateI32,
  float: (a) => -a,
};

export const evaluateNegate = onNumbers(NEGATE);
export const evaluateDivide = onNumbers(DIVIDE);

/** Addition and subtraction of matrices go column by column. */
function withMatrices(functions: NumberFunctions): Evaluate {
  const evaluate = onNumbers(functions);
  return (args, result) => {
    if (result.kind !== "matrix") return evaluate(args, result);
    const [left, right] = args.map(partsOf);
    const column = vectorType(result.rows, result.element);
    return composed(
      result,
      left.map((value, index) => evaluate([value, right[index]], column)),
    );
  };
}

export const evaluateAdd = withMatrices(ADD);
export const evaluateSubtract = withMatrices(SUBTRACT);

const multiplyNumbers = onNumbers(MULTIPLY);

/** Scalars, vectors component by component, and the products of linear algebra. */
export const evaluateMultiply: Evaluate = (args, result) => {
  const [left, right] = args;
  if (left.type.kind !== "matrix" && right.type.kind !== "matrix") return multiplyNumbers(args, result);
  if (left.type.kind === "matrix" && right.type.kind === "matrix") {
    const column = vectorType(left.type.rows, left.type.element);
    return composed(
      result,
      partsOf(right).map((vector) => matrixTimesVector(left, vector, column)),
    );
  }
  if (left.type.kind === "matrix") {
    return right.type.kind === "vector" ? matrixTimesVector(left, right, result as VectorType) : scaled(left, right);
  }
  return left.type.kind === "vector" ? vectorTimesMatrix(left, right, result as VectorType) : scaled(right, left);
};

function scaled(matrix: ConstValue, factor: ConstValue): EvaluationResult {
  return composed(
    matrix.type,
    partsOf(matrix).map((column) => multiplyNumbers([column, factor], column.type)),
  );
}

function matrixTimesVector(matrix: ConstValue, vector: ConstValue, result: VectorType): EvaluationResult {
  const columns = partsOf(matrix);
  return composed(
    result,
    Array.from({ length: result.size }, (_, row) =>
      dotProduct(
        columns.map((column) => partsOf(column)[row]),
        partsOf(vector),
        result.element,
      ),
    ),
  );
}

function vectorTimesMatrix(vector: ConstValue, matrix: ConstValue, result: VectorType): EvaluationResult {
  return composed(
    result,
    partsOf(matrix).map((column) => dotProduct(partsOf(vector), partsOf(column), result.element)),
  );
}

/** spec: #dot-builtin: each product and each sum is rounded, and must be finite. */
export function dotProduct(a: readonly ConstValue[], b: readonly ConstValue[], type: ScalarType): EvaluationResult {
  let sum = numberResult(MULTIPLY, [a[0], b[0]], type);
  for (let index = 1; index < a.length; index++) {
    const product = numberResult(MULTIPLY, [a[index], b[index]], type);
    if (isEvaluationError(sum)) return sum;
    if (isEvaluationError(product)) return product;
    sum = numberResult(ADD, [sum, product], type);
  }
  return sum;
}

function compare(holds: (a: Scalar, b: Scalar) => boolean): Evaluate {
  return componentWise(([a, b], result) => scalarValue(result, holds(scalarOf(a), scalarOf(b))));
}

export const evaluateEqual = compare((a, b) => a === b);
export const evaluateNotEqual = compare((a, b) => a !== b);
export const evaluateLess = compare((a, b) => a < b);
export const evaluateLessOrEqual = compare((a, b) => a <= b);
export const evaluateGreater = compare((a, b) => a > b);
export const evaluateGreaterOrEqual = compare((a, b) => a >= b);

export const evaluateNot = componentWise(([a], result) => scalarValue(result, !scalarOf(a)));
export const evaluateShortCircuitOr: Evaluate = ([a, b], result) =>
  scalarValue(result, (scalarOf(a) || scalarOf(b)) as boolean);
export const evaluateShortCircuitAnd: Evaluate = ([a, b], result) =>
  scalarValue(result, (scalarOf(a) && scalarOf(b)) as boolean);

interface BitFunctions {
  readonly abstract: (a: bigint, b: bigint) => bigint;
  /** On the 32 bits of i32 and u32. */
  readonly concrete: (a: number, b: number) => number;
  readonly logical?: (a: boolean, b: boolean) => boolean;
}

function bitwise(functions: BitFunctions): Evaluate {
  return componentWise(([a, b], result) => {
    const [left, right] = [scalarOf(a), scalarOf(b)];
    switch (result.kind) {
      case "bool":
        return scalarValue(result, functions.logical!(left as boolean, right as boolean));
      case "abstract-int":
        return scalarValue(result, functions.abstract(left as bigint, right as bigint));
      default: {
        const bits = functions.concrete(left as number, right as number);
        return scalarValue(result, result.kind === "u32" ? bits >>> 0 : bits);
      }
    }
  });
}

export const evaluateOr = bitwise({
  abstract: (a, b) => a | b,
  concrete: (a, b) => a | b,
  logical: (a, b) => a || b,
});
export const evaluateAnd = bitwise({
  abstract: (a, b) => a & b,
  concrete: (a, b) => a & b,
  logical: (a, b) => a && b,
});
export const evaluateExclusiveOr = bitwise({ abstract: (a, b) => a ^ b, concrete: (a, b) => a ^ b });

export const evaluateComplement = onNumbers({ abstract: (a) => ~a, i32: (a) => ~a, u32: (a) => ~a >>> 0 });

/** spec: #bit-expr: the amount is a u32, whatever is shifted. */
function shift(
  abstract: (a: bigint, amount: number) => bigint | integer.NumericFailure,
  i32: (a: number, amount: number) => number | integer.NumericFailure,
  u32: (a: number, amount: number) => number | integer.NumericFailure,
): Evaluate {
  return componentWise(([value, by], result) => {
    const amount = numberOf(by);
    if (result.kind === "abstract-int") return checkedScalar(result, abstract(scalarOf(value) as bigint, amount));
    return checkedScalar(result, (result.kind === "i32" ? i32 : u32)(numberOf(value), amount));
  });
}

export const evaluateShiftLeft = shift(
  integer.checkedShiftLeftAbstractInt,
  integer.checkedShiftLeftI32,
  integer.checkedShiftLeftU32,
);
export const evaluateShiftRight = shift(
  integer.shiftRightAbstractInt,
  integer.checkedShiftRightI32,
  integer.checkedShiftRightU32,
);

/** spec: #dot-builtin */
export const evaluateDot: Evaluate = ([a, b], result) => dotProduct(partsOf(a), partsOf(b), result as ScalarType);
