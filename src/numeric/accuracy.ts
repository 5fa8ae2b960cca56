/**
 * How exact a floating point expression has to be. spec: #concrete-float-accuracy
 *
 * For tests that compare implementations: `acceptedInterval` tells every result that f32 or f16 arithmetic may give.
 * Functions with vectors are missing, except `dot` and `length`; they are compositions of the rows here. `determinant`
 * and derivatives have no bound.
 */
import {
  anyValue,
  evaluate,
  type FloatFormat,
  f16Format,
  f32Format,
  type Interval,
  operand,
  union,
} from "./interval.ts";
import * as math from "./math.ts";

type Exact = (...values: number[]) => number;

export type Accuracy =
  /** One of the two neighbours of the exact value. */
  | { readonly kind: "correctly-rounded"; readonly exact: Exact }
  /** So many units in the last place around the exact value; NaN where nothing is required. */
  | { readonly kind: "ulp"; readonly exact: Exact; readonly ulps: (format: FloatFormat, ...values: number[]) => number }
  /** So much around the exact value; NaN where nothing is required. */
  | {
      readonly kind: "absolute";
      readonly exact: Exact;
      readonly bound: (format: FloatFormat, ...values: number[]) => number;
    }
  /** As exact as this formula in the arithmetic of the type. */
  | { readonly kind: "inherited"; readonly formula: (arithmetic: Arithmetic, ...values: Interval[]) => Interval }
  | { readonly kind: "worse-of"; readonly choices: readonly Accuracy[] };

/** What formulas are made of. */
type FormulaOperation =
  | ("+" | "-" | "*" | "/" | "negation" | "floor" | "trunc" | "saturate" | "sqrt" | "inverseSqrt" | "dot")
  | ("atan2" | "cos" | "cosh" | "exp" | "exp2" | "log" | "log2" | "sin" | "sinh");

/** Operations on intervals. */
export interface Arithmetic {
  readonly constant: (value: number) => Interval;
  readonly apply: (operation: FormulaOperation, ...values: Interval[]) => Interval;
}

function correctlyRounded(exact: Exact): Accuracy {
  return { kind: "correctly-rounded", exact };
}

/** Correctly rounded, where f64 itself may have rounded the exact sum: then its neighbours stand for it. */
function sum(exact: Exact, sign: 1 | -1): Accuracy {
  const bound = (_: FloatFormat, x: number, y: number) => {
    const value = exact(x, y);
    const part = value - x;
    const lost = x - (value - part) + (sign * y - part);
    return lost === 0 ? 0 : Math.abs(value) * 2 ** -52;
  };
  return { kind: "absolute", exact, bound };
}

function ulps(exact: Exact, f32: number, f16: number = f32): Accuracy {
  return { kind: "ulp", exact, ulps: (format) => (format === f32Format ? f32 : f16) };
}

function absolute(exact: Exact, f32: number, f16: number): Accuracy {
  return { kind: "absolute", exact, bound: (format) => (format === f32Format ? f32 : f16) };
}

function inherited(formula: (arithmetic: Arithmetic, ...values: Interval[]) => Interval): Accuracy {
  return { kind: "inherited", formula };
}

function worseOf(...choices: readonly Accuracy[]): Accuracy {
  return { kind: "worse-of", choices };
}

/** Whether |x| is from the smallest normal value to the largest power of two with a normal reciprocal. */
function invertible(format: FloatFormat, x: number): boolean {
  return Math.abs(x) >= format.minNormal && Math.abs(x) <= format.powerLimit;
}

/** Absolute error near 1, units in the last place elsewhere. */
function logarithm(exact: Exact): Accuracy {
  return {
    kind: "absolute",
    exact,
    bound: (format, x) => {
      if (x >= 0.5 && x <= 2) return format === f32Format ? 2 ** -21 : 2 ** -7;
      return 3 * format.ulp(exact(x));
    },
  };
}

function exponential(exact: Exact): Accuracy {
  return { kind: "ulp", exact, ulps: (format, x) => (format === f32Format ? 3 : 1) + 2 * Math.abs(x) };
}

/** Only from -π to π. */
function circular(exact: Exact): Accuracy {
  const bound = (format: FloatFormat, x: number) => {
    if (!(Math.abs(x) <= Math.PI)) return NaN;
    return format === f32Format ? 2 ** -11 : 2 ** -7;
  };
  return { kind: "absolute", exact, bound };
}

const one = (a: Arithmetic): Interval => a.constant(1);
const half = (a: Arithmetic): Interval => a.constant(0.5);
const oneMinusSquare = (a: Arithmetic, x: Interval) => a.apply("-", one(a), a.apply("*", x, x));

export const accuracies = {
  "+": sum((x, y) => x + y, 1),
  "-": sum((x, y) => x - y, -1),
  "*": correctlyRounded((x, y) => x * y),
  "/": { kind: "ulp", exact: (x, y) => x / y, ulps: (format, _, y) => (invertible(format, y) ? 2.5 : NaN) },
  "%": inherited((a, x, y) => a.apply("-", x, a.apply("*", y, a.apply("trunc", a.apply("/", x, y))))),
  negation: correctlyRounded((x) => -x),
  abs: correctlyRounded(math.abs),
  acos: worseOf(
    absolute(math.acos, 6.77e-5, 3.91e-3),
    inherited((a, x) => a.apply("atan2", a.apply("sqrt", oneMinusSquare(a, x)), x)),
  ),
  acosh: inherited((a, x) =>
    a.apply("log", a.apply("+", x, a.apply("sqrt", a.apply("-", a.apply("*", x, x), one(a))))),
  ),
  asin: worseOf(
    absolute(math.asin, 6.81e-5, 3.91e-3),
    inherited((a, x) => a.apply("atan2", x, a.apply("sqrt", oneMinusSquare(a, x)))),
  ),
  asinh: inherited((a, x) =>
    a.apply("log", a.apply("+", x, a.apply("sqrt", a.apply("+", a.apply("*", x, x), one(a))))),
  ),
  atan: ulps(math.atan, 4096, 5),
  atan2: {
    kind: "ulp",
    exact: math.atan2,
    ulps: (format, y, x) => {
      if (!invertible(format, x) || !(Math.abs(y) >= format.minNormal)) return NaN;
      return format === f32Format ? 4096 : 5;
    },
  },
  atanh: inherited((a, x) =>
    a.apply("*", a.apply("log", a.apply("/", a.apply("+", one(a), x), a.apply("-", one(a), x))), half(a)),
  ),
  ceil: correctlyRounded(math.ceil),
  clamp: correctlyRounded(math.clamp),
  cos: circular(math.cos),
  cosh: inherited((a, x) =>
    a.apply("*", a.apply("+", a.apply("exp", x), a.apply("exp", a.apply("negation", x))), half(a)),
  ),
  degrees: inherited((a, x) => a.apply("*", x, a.constant(180 / Math.PI))),
  /** The components of the first vector, then those of the second. */
  dot: inherited((a, ...values) => {
    const size = values.length / 2;
    return values
      .slice(0, size)
      .map((x, i) => a.apply("*", x, values[size + i]))
      .reduce((sum, product) => a.apply("+", sum, product));
  }),
  exp: exponential(math.exp),
  exp2: exponential(math.exp2),
  floor: correctlyRounded(math.floor),
  fma: inherited((a, x, y, z) => a.apply("+", a.apply("*", x, y), z)),
  fract: inherited((a, x) => a.apply("-", x, a.apply("floor", x))),
  frexpFract: correctlyRounded(math.frexpFract),
  inverseSqrt: ulps(math.inverseSqrt, 2),
  ldexp: correctlyRounded(math.ldexp),
  length: inherited((a, ...values) => a.apply("sqrt", a.apply("dot", ...values, ...values))),
  log: logarithm(math.log),
  log2: logarithm(math.log2),
  max: correctlyRounded(math.max),
  min: correctlyRounded(math.min),
  mix: inherited((a, x, y, z) => a.apply("+", a.apply("*", x, a.apply("-", one(a), z)), a.apply("*", y, z))),
  modfFract: correctlyRounded(math.modfFract),
  modfWhole: correctlyRounded(math.modfWhole),
  pow: inherited((a, x, y) => a.apply("exp2", a.apply("*", y, a.apply("log2", x)))),
  radians: inherited((a, x) => a.apply("*", x, a.constant(Math.PI / 180))),
  round: correctlyRounded(math.round),
  saturate: correctlyRounded(math.saturate),
  sign: correctlyRounded(math.sign),
  sin: circular(math.sin),
  sinh: inherited((a, x) =>
    a.apply("*", a.apply("-", a.apply("exp", x), a.apply("exp", a.apply("negation", x))), half(a)),
  ),
  smoothstep: inherited((a, low, high, x) => {
    const t = a.apply("saturate", a.apply("/", a.apply("-", x, low), a.apply("-", high, low)));
    return a.apply("*", a.apply("*", t, t), a.apply("-", a.constant(3), a.apply("*", a.constant(2), t)));
  }),
  sqrt: inherited((a, x) => a.apply("/", one(a), a.apply("inverseSqrt", x))),
  step: correctlyRounded(math.step),
  tan: inherited((a, x) => a.apply("/", a.apply("sin", x), a.apply("cos", x))),
  tanh: worseOf(
    absolute(math.tanh, 1e-5, 1e-5),
    inherited((a, x) => a.apply("/", a.apply("sinh", x), a.apply("cosh", x))),
  ),
  trunc: correctlyRounded(math.trunc),
} as const satisfies Record<string, Accuracy>;

/** The names of the rows: operators, builtin functions, and the members of what `frexp` and `modf` return. */
export type AccuracyName = keyof typeof accuracies;

/** All results that `name` may give for these arguments, which have to be values of the type. */
export function acceptedInterval(name: AccuracyName, type: "f32" | "f16", ...values: number[]): Interval {
  const format = type === "f32" ? f32Format : f16Format;
  return accepted(
    name,
    format,
    values.map((value) => operand(format, value)),
  );
}

function accepted(name: AccuracyName, format: FloatFormat, operands: readonly Interval[]): Interval {
  const arithmetic: Arithmetic = {
    constant: (value) => ({ low: format.roundDown(value), high: format.roundUp(value) }),
    apply: (operation, ...values) => accepted(operation, format, values),
  };
  return byAccuracy(accuracies[name], format, arithmetic, operands);
}

function byAccuracy(
  accuracy: Accuracy,
  format: FloatFormat,
  arithmetic: Arithmetic,
  operands: readonly Interval[],
): Interval {
  switch (accuracy.kind) {
    case "correctly-rounded":
      return evaluate(format, accuracy.exact, operands);
    case "ulp": {
      const error = (value: number, ...values: number[]) => accuracy.ulps(format, ...values) * format.ulp(value);
      return evaluate(format, accuracy.exact, operands, error);
    }
    case "absolute":
      return evaluate(format, accuracy.exact, operands, (_, ...values) => accuracy.bound(format, ...values));
    case "inherited":
      return operands.includes(anyValue) ? anyValue : accuracy.formula(arithmetic, ...operands);
    case "worse-of":
      return accuracy.choices.map((choice) => byAccuracy(choice, format, arithmetic, operands)).reduce(union);
  }
}
