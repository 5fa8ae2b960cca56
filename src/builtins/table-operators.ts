/** Operators. spec: #logical-expr, #arithmetic-expr, #comparison-expr, #bit-expr */
import type { Evaluate } from "./row.ts";
import { ALL_INTEGRAL, ALL_NUMERIC, ALL_SIGNED_NUMERIC, type Entry, FLOAT_SCALAR, section } from "./section.ts";

const todo: Evaluate | null = null;

const SCALAR_VECTOR = "where S: AbstractInt|AbstractFloat|f32|f16|i32|u32";

function arithmetic(evaluate: Evaluate | null, ...matrix: readonly string[]): Entry {
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

function comparison(evaluate: Evaluate | null, scalars: string): Entry {
  return {
    spec: "#comparison-expr",
    evaluate,
    overloads: [`(e1: T, e2: T) -> TB where S: ${scalars}, T: S|vecN<S>, TB: bool like T`],
  };
}

function bitwise(evaluate: Evaluate | null): Entry {
  return { spec: "#bit-expr", evaluate, overloads: [`(e1: T, e2: T) -> T ${ALL_INTEGRAL}`] };
}

/** `|` and `&` are for integers and for booleans. */
function bitwiseOrLogical(evaluate: Evaluate | null): Entry {
  const bit = bitwise(evaluate);
  return {
    ...bit,
    overloads: [...bit.overloads, { signature: "(e1: T, e2: T) -> T where T: bool|vecN<bool>", spec: "#logical-expr" }],
  };
}

function shift(evaluate: Evaluate | null): Entry {
  return {
    spec: "#bit-expr",
    evaluate,
    overloads: [
      "(e1: T, e2: TS) -> T where S: i32|u32, T: S|vecN<S>, TS: u32 like T",
      "(e1: T, e2: TS) -> T where T: AbstractInt|vecN<AbstractInt>, TS: u32 like T",
    ],
  };
}

function shortCircuit(evaluate: Evaluate | null): Entry {
  return { spec: "#logical-expr", evaluate, overloads: ["(e1: bool, e2: bool) -> bool"] };
}

const NUMBERS = "AbstractInt|AbstractFloat|i32|u32|f32|f16";
const MATRIX_SUM = "(e1: matCxR<T>, e2: matCxR<T>) -> matCxR<T>";

export const UNARY_OPERATORS = section(
  {},
  {
    "!": { spec: "#logical-expr", evaluate: todo, overloads: ["(e: T) -> T where T: bool|vecN<bool>"] },
    "-": { spec: "#arithmetic-expr", evaluate: todo, overloads: [`(e: T) -> T ${ALL_SIGNED_NUMERIC}`] },
    "~": { spec: "#bit-expr", evaluate: todo, overloads: [`(e: T) -> T ${ALL_INTEGRAL}`] },
  },
);

export const BINARY_OPERATORS = section(
  {},
  {
    "||": shortCircuit(todo),
    "&&": shortCircuit(todo),
    "+": arithmetic(todo, MATRIX_SUM),
    "-": arithmetic(todo, MATRIX_SUM),
    "*": arithmetic(
      todo,
      "(m: matCxR<T>, s: T) -> matCxR<T>",
      "(s: T, m: matCxR<T>) -> matCxR<T>",
      "(m: matCxR<T>, v: vecC<T>) -> vecR<T>",
      "(v: vecR<T>, m: matCxR<T>) -> vecC<T>",
      "(e1: matKxR<T>, e2: matCxK<T>) -> matCxR<T>",
    ),
    "/": arithmetic(todo),
    "%": arithmetic(todo),
    "==": comparison(todo, `bool|${NUMBERS}`),
    "!=": comparison(todo, `bool|${NUMBERS}`),
    "<": comparison(todo, NUMBERS),
    "<=": comparison(todo, NUMBERS),
    ">": comparison(todo, NUMBERS),
    ">=": comparison(todo, NUMBERS),
    "|": bitwiseOrLogical(todo),
    "&": bitwiseOrLogical(todo),
    "^": bitwise(todo),
    "<<": shift(todo),
    ">>": shift(todo),
  },
);
