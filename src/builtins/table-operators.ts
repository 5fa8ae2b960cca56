/** Operators. spec: #logical-expr, #arithmetic-expr, #comparison-expr, #bit-expr */
import * as operators from "./evaluate-operators.ts";
import type { Evaluate } from "./row.ts";
import { ALL_INTEGRAL, ALL_NUMERIC, ALL_SIGNED_NUMERIC, type Entry, FLOAT_SCALAR, section } from "./section.ts";

const SCALAR_VECTOR = "where S: AbstractInt|AbstractFloat|f32|f16|i32|u32";

function arithmetic(evaluate: Evaluate, ...matrix: readonly string[]): Entry {
  return {
    spec: "#arithmetic-expr",
    evaluate,
    overloads: [
      `(e1: T, e2: T) -> T ${ALL_NUMERIC}`,
      `(ev: vecN<S>, es: S) -> vecN<S> ${SCALAR_VECTOR}`,
      `(es: S, ev: vecN<S>) -> vecN<S> ${SCALAR_VECTOR}`,
      ...matrix.map((signature) => `${signature} ${FLOAT_SCALAR}`),
    ],
  };
}

function comparison(evaluate: Evaluate, scalars: string): Entry {
  return {
    spec: "#comparison-expr",
    evaluate,
    overloads: [`(e1: T, e2: T) -> TB where S: ${scalars}, T: S|vecN<S>, TB: bool like T`],
  };
}

function bitwise(evaluate: Evaluate): Entry {
  return { spec: "#bit-expr", evaluate, overloads: [`(e1: T, e2: T) -> T ${ALL_INTEGRAL}`] };
}

/** `|` and `&` are for integers and for booleans. */
function bitwiseOrLogical(evaluate: Evaluate): Entry {
  const bit = bitwise(evaluate);
  return {
    ...bit,
    overloads: [...bit.overloads, { signature: "(e1: T, e2: T) -> T where T: bool|vecN<bool>", spec: "#logical-expr" }],
  };
}

function shift(evaluate: Evaluate): Entry {
  return {
    spec: "#bit-expr",
    evaluate,
    overloads: [
      "(e1: T, e2: TS) -> T where S: i32|u32, T: S|vecN<S>, TS: u32 like T",
      "(e1: T, e2: TS) -> T where T: AbstractInt|vecN<AbstractInt>, TS: u32 like T",
    ],
  };
}

function shortCircuit(evaluate: Evaluate): Entry {
  return { spec: "#logical-expr", evaluate, overloads: ["(e1: bool, e2: bool) -> bool"] };
}

const NUMBERS = "AbstractInt|AbstractFloat|i32|u32|f32|f16";
const MATRIX_SUM = "(e1: matCxR<T>, e2: matCxR<T>) -> matCxR<T>";

export const UNARY_OPERATORS = section(
  {},
  {
    "!": {
      spec: "#logical-expr",
      evaluate: operators.evaluateNot,
      overloads: ["(e: T) -> T where T: bool|vecN<bool>"],
    },
    "-": {
      spec: "#arithmetic-expr",
      evaluate: operators.evaluateNegate,
      overloads: [`(e: T) -> T ${ALL_SIGNED_NUMERIC}`],
    },
    "~": { spec: "#bit-expr", evaluate: operators.evaluateComplement, overloads: [`(e: T) -> T ${ALL_INTEGRAL}`] },
  },
);

export const BINARY_OPERATORS = section(
  {},
  {
    "||": shortCircuit(operators.evaluateShortCircuitOr),
    "&&": shortCircuit(operators.evaluateShortCircuitAnd),
    "+": arithmetic(operators.evaluateAdd, MATRIX_SUM),
    "-": arithmetic(operators.evaluateSubtract, MATRIX_SUM),
    "*": arithmetic(
      operators.evaluateMultiply,
      "(m: matCxR<T>, s: T) -> matCxR<T>",
      "(s: T, m: matCxR<T>) -> matCxR<T>",
      "(m: matCxR<T>, v: vecC<T>) -> vecR<T>",
      "(v: vecR<T>, m: matCxR<T>) -> vecC<T>",
      "(e1: matKxR<T>, e2: matCxK<T>) -> matCxR<T>",
    ),
    "/": arithmetic(operators.evaluateDivide),
    "%": arithmetic(operators.evaluateRemainder),
    "==": comparison(operators.evaluateEqual, `bool|${NUMBERS}`),
    "!=": comparison(operators.evaluateNotEqual, `bool|${NUMBERS}`),
    "<": comparison(operators.evaluateLess, NUMBERS),
    "<=": comparison(operators.evaluateLessOrEqual, NUMBERS),
    ">": comparison(operators.evaluateGreater, NUMBERS),
    ">=": comparison(operators.evaluateGreaterOrEqual, NUMBERS),
    "|": bitwiseOrLogical(operators.evaluateOr),
    "&": bitwiseOrLogical(operators.evaluateAnd),
    "^": bitwise(operators.evaluateExclusiveOr),
    "<<": shift(operators.evaluateShiftLeft),
    ">>": shift(operators.evaluateShiftRight),
  },
);
