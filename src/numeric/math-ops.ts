/**
 * The basic operations from which every elementary function is built.
 *
 * A function body is written once, against this interface, and is a fixed sequence of IEEE-754 f64 and i32 operations,
 * all of which JavaScript and WebAssembly define to the bit. So the TypeScript printed from it and the WebAssembly
 * emitted from it give the same bits (except for the payload of a NaN). `F` stands for an f64, `I` for an i32, `B` for a
 * condition; an emitter may use one type for all three.
 */
import {
  copySign,
  fromExponent,
  highWord,
  limit,
  nearest,
  negateIfOdd,
  powerOfTwo,
  timesPower,
  withHighWord,
} from "./float64.ts";

export interface MathOps<F, I, B> {
  constant(value: number): F;
  add(a: F, b: F): F;
  sub(a: F, b: F): F;
  mul(a: F, b: F): F;
  div(a: F, b: F): F;
  sqrt(a: F): F;
  abs(a: F): F;
  neg(a: F): F;
  floor(a: F): F;
  ceil(a: F): F;
  trunc(a: F): F;
  /** To the nearest integer, ties to even. */
  nearest(a: F): F;
  /** |`a`| with the sign bit of `sign`. */
  copySign(a: F, sign: F): F;

  lessThan(a: F, b: F): B;
  lessOrEqual(a: F, b: F): B;
  equal(a: F, b: F): B;
  isNonZero(a: I): B;
  both(a: B, b: B): B;
  /** Both values exist already; for choosing what to compute use `branch`. */
  select(condition: B, a: F, b: F): F;
  selectInteger(condition: B, a: I, b: I): I;
  /** Computes only one of the two. */
  branch(condition: B, then: () => F, otherwise: () => F): F;

  integer(value: number): I;
  addInteger(a: I, b: I): I;
  subInteger(a: I, b: I): I;
  and(a: I, b: I): I;
  or(a: I, b: I): I;
  shiftLeft(a: I, amount: number): I;
  /** With sign. */
  shiftRight(a: I, amount: number): I;
  /** Truncates. Beyond i32 and for NaN the value may be any, but is never used. */
  toInteger(a: F): I;
  fromInteger(a: I): F;

  /** Sign, exponent and the 20 high fraction bits. */
  highWord(a: F): I;
  /** `a` with its high word replaced. */
  withHighWord(a: F, high: I): F;
  /** 2^`exponent` for `exponent` from -1022 to 1023. */
  powerOfTwo(exponent: I): F;
  /** `a` · 2^`exponent`, where both are normal numbers; otherwise any number. */
  timesPower(a: F, exponent: I): F;
  /** -`a` where the lowest bit of `n` is 1. */
  negateIfOdd(a: F, n: F): F;
  /** The number with the 12 low bits of `a` as its sign and exponent field, and no fraction: a power of two. */
  fromExponent(a: F): F;
  /** `a`, or the nearer one of `most` and -`most` where it is beyond them; NaN stays NaN. */
  limit(a: F, most: number): F;
}

/** Evaluates a body on numbers. Callers want the printed functions in `math.ts` instead: same bits, much faster. */
export const jsOps: MathOps<number, number, boolean> = {
  constant: (value) => value,
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  sqrt: Math.sqrt,
  abs: Math.abs,
  neg: (a) => -a,
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
  nearest,
  copySign,
  lessThan: (a, b) => a < b,
  lessOrEqual: (a, b) => a <= b,
  equal: (a, b) => a === b,
  isNonZero: (a) => a !== 0,
  both: (a, b) => a && b,
  select: (condition, a, b) => (condition ? a : b),
  selectInteger: (condition, a, b) => (condition ? a : b),
  branch: (condition, then, otherwise) => (condition ? then() : otherwise()),
  integer: (value) => value,
  addInteger: (a, b) => (a + b) | 0,
  subInteger: (a, b) => (a - b) | 0,
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  shiftLeft: (a, amount) => a << amount,
  shiftRight: (a, amount) => a >> amount,
  toInteger: (a) => a | 0,
  fromInteger: (a) => a,
  highWord,
  withHighWord,
  powerOfTwo,
  timesPower,
  negateIfOdd,
  fromExponent,
  limit,
};

/** c0 + c1·z + c2·z² + …, by Horner's rule. */
export function polynomial<F, I, B>(ops: MathOps<F, I, B>, z: F, coefficients: readonly number[]): F {
  let sum = ops.constant(coefficients[coefficients.length - 1]);
  for (let i = coefficients.length - 2; i >= 0; i--) sum = ops.add(ops.constant(coefficients[i]), ops.mul(z, sum));
  return sum;
}

/** The same in pairs of terms, so that a processor computes several at a time (Estrin). */
export function widePolynomial<F, I, B>(ops: MathOps<F, I, B>, z: F, coefficients: readonly number[]): F {
  const pairs: F[] = [];
  for (let i = 0; i < coefficients.length; i += 2) {
    const low = ops.constant(coefficients[i]);
    const isLast = i + 1 === coefficients.length;
    pairs.push(isLast ? low : ops.add(low, ops.mul(z, ops.constant(coefficients[i + 1]))));
  }
  for (let power = z; pairs.length > 1; ) {
    power = ops.mul(power, power);
    for (let i = 0; i + 1 < pairs.length; i++) {
      const [low, high] = pairs.splice(i, 2);
      pairs.splice(i, 0, ops.add(low, ops.mul(power, high)));
    }
  }
  return pairs[0];
}

/** min(max(`a`, low), high); NaN stays NaN. */
export function bounded<F, I, B>(ops: MathOps<F, I, B>, a: F, low: number, high: number): F {
  const [lowest, highest] = [ops.constant(low), ops.constant(high)];
  const raised = ops.select(ops.lessThan(a, lowest), lowest, a);
  return ops.select(ops.lessThan(highest, raised), highest, raised);
}

/** The 21 high significand bits of `a`, rounded; for magnitudes up to 2^990. */
export function highPart<F, I, B>(ops: MathOps<F, I, B>, a: F): F {
  const scaled = ops.mul(a, ops.constant(2 ** 32 + 1));
  return ops.sub(scaled, ops.sub(scaled, a));
}
