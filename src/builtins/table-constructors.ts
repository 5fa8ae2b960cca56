/**
 * Constructors of the predeclared types and type-generators. spec: #value-constructor-builtin-function. An overload with
 * `<T>` is the one for a written element type, its twin without infers it. Arrays and structures take any number of
 * arguments: `resolve-constructor.ts` checks them, their rows here are for readers.
 */
import * as construct from "./evaluate-construct.ts";
import type { BuiltinRow } from "./row.ts";
import { type Entry, FLOAT_SCALAR, section } from "./section.ts";

/**
 * deviation: the specification lets `f32` alone take no abstract numbers, so that 4294967295 would become an i32 first and
 * not fit.
 */
function scalar(name: string): Entry {
  return {
    spec: `#${name}-builtin`,
    evaluate: construct.evaluateScalar,
    overloads: [`(e: T) -> ${name} where T: scalar`],
  };
}

/** What the parameters of a vector constructor can be: sizes that add up to the size of the vector. */
const VECTOR_PARTS: Readonly<Record<number, readonly (readonly number[])[]>> = {
  2: [[1, 1]],
  3: [
    [1, 1, 1],
    [2, 1],
    [1, 2],
  ],
  4: [
    [1, 1, 1, 1],
    [1, 2, 1],
    [1, 1, 2],
    [2, 2],
    [2, 1, 1],
    [3, 1],
    [1, 3],
  ],
};

function vector(size: 2 | 3 | 4): Entry {
  const name = `vec${size}`;
  const overloads = [
    `<T>(e: T) -> ${name}<T> where T: concrete_scalar`,
    `(e: S) -> ${name}<S> where S: scalar`,
    `<T>(e: ${name}<S>) -> ${name}<T> where T: concrete_scalar, S: scalar`,
    `(e: ${name}<S>) -> ${name}<S> where S: scalar`,
  ];
  for (const parts of VECTOR_PARTS[size]) {
    let [scalars, vectors] = [0, 0];
    const parameters = parts.map((part) => (part === 1 ? `e${++scalars}: T` : `v${++vectors}: vec${part}<T>`));
    const signature = `(${parameters.join(", ")}) -> ${name}<T> where T: scalar`;
    overloads.push(`<T>${signature}`, signature);
  }
  overloads.push(`() -> ${name}<T> where T: AbstractInt`);
  return { spec: `#${name}-builtin`, evaluate: construct.evaluateVector, overloads };
}

function matrix(columns: number, rows: number): Entry {
  const name = `mat${columns}x${rows}`;
  const vectors = Array.from({ length: columns }, (_, index) => `v${index + 1}: vec${rows}<T>`).join(", ");
  const elements = Array.from({ length: columns * rows }, (_, index) => `e${index + 1}: T`).join(", ");
  return {
    spec: `#${name}-builtin`,
    evaluate: construct.evaluateMatrix,
    overloads: [
      `<T>(e: ${name}<S>) -> ${name}<T> where T: f16|f32, S: AbstractFloat|f16|f32`,
      `(e: ${name}<S>) -> ${name}<S> where S: AbstractFloat|f16|f32`,
      ...[vectors, elements].flatMap((parameters) => {
        const signature = `(${parameters}) -> ${name}<T> ${FLOAT_SCALAR}`;
        return [`<T>${signature}`, signature];
      }),
    ],
  };
}

export const CONSTRUCTORS = section(
  { mustUse: true },
  {
    bool: scalar("bool"),
    i32: scalar("i32"),
    u32: scalar("u32"),
    f32: scalar("f32"),
    f16: scalar("f16"),
    vec2: vector(2),
    vec3: vector(3),
    vec4: vector(4),
    mat2x2: matrix(2, 2),
    mat2x3: matrix(2, 3),
    mat2x4: matrix(2, 4),
    mat3x2: matrix(3, 2),
    mat3x3: matrix(3, 3),
    mat3x4: matrix(3, 4),
    mat4x2: matrix(4, 2),
    mat4x3: matrix(4, 3),
    mat4x4: matrix(4, 4),
  },
);

/** What `CONSTRUCTORS` cannot say by a signature. */
const VARIADIC = section(
  { mustUse: true },
  {
    array: {
      spec: "#array-builtin",
      evaluate: construct.evaluateComposition,
      overloads: ["<T, N>(e1: T, ..., eN: T) -> array<T, N>", "(e1: T, ..., eN: T) -> array<T, N>"],
    },
    T: { spec: "#zero-value-builtin-function", evaluate: construct.evaluateZeroValue, overloads: ["() -> T"] },
    S: {
      spec: "#structures-builtin",
      evaluate: construct.evaluateComposition,
      overloads: ["(e1: T1, ..., eN: TN) -> S"],
    },
  },
);

export const [ARRAY_ROW, INFERRED_ARRAY_ROW]: readonly BuiltinRow[] = VARIADIC.rows("array");
export const [ZERO_VALUE_ROW]: readonly BuiltinRow[] = VARIADIC.rows("T");
export const [STRUCTURE_ROW]: readonly BuiltinRow[] = VARIADIC.rows("S");
