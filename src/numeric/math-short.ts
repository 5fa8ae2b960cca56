/**
 * Shorter forms of the elementary functions that shaders use most, for arguments that are f32 and results that are rounded
 * to f32 or f16; see {@link MathOps}. Their relative error is less than 2^-33, so that they too give the nearest f32 but for
 * one result in some hundreds.
 *
 * No choice between values: that would be a jump which no processor foresees. What is rare goes to the long form.
 */
import { type MathOps, polynomial } from "./math-ops.ts";

/** Added to a number of less than 2^51, it leaves the nearest integer in the low bits of the sum. */
const SHIFTER = 1.5 * 2 ** 52;

interface Split<F, I> {
  /** The integer nearest to a number, ties to even. */
  readonly nearest: F;
  /** The same. */
  readonly integer: I;
}

function split<F, I, B>(ops: MathOps<F, I, B>, x: F): Split<F, I> {
  const shifter = ops.constant(SHIFTER);
  const shifted = ops.add(x, shifter);
  return { nearest: ops.sub(shifted, shifter), integer: ops.lowWord(shifted) };
}

// --- trigonometric functions ---

/** Up to here one product with π is exact enough. */
const MOST_TURNS = 2 ** 16;

/** sin(r) for |r| ≤ π/2. */
function sine<F, I, B>(ops: MathOps<F, I, B>, r: F): F {
  const z = ops.mul(r, r);
  const series = polynomial(
    ops,
    z,
    [-1.666666662612873e-1, 8.333331107689978e-3, -1.984086808696859e-4, 2.7525377950737633e-6, -2.3888792521197894e-8],
  );
  return ops.add(r, ops.mul(ops.mul(r, z), series));
}

/** x = n · π + r with |r| ≤ π/2, for |x| ≤ 2^16: then the sine is that of r, its sign turned if n is odd. */
function sineOf<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  const { nearest, integer } = split(ops, ops.mul(x, ops.constant(1 / Math.PI)));
  const r = ops.sub(x, ops.mul(nearest, ops.constant(Math.PI)));
  return ops.negateIfOdd(sine(ops, r), integer);
}

/** x = (n + ½) · π - r: then the cosine is sin(r), its sign turned if n is odd. */
function cosineOf<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  const half = ops.constant(0.5);
  const { nearest, integer } = split(ops, ops.sub(ops.mul(x, ops.constant(1 / Math.PI)), half));
  const r = ops.sub(ops.mul(ops.add(nearest, half), ops.constant(Math.PI)), x);
  return ops.negateIfOdd(sine(ops, r), integer);
}

function hasFewTurns<F, I, B>(ops: MathOps<F, I, B>, x: F): B {
  return ops.lessOrEqual(ops.abs(x), ops.constant(MOST_TURNS));
}

// spec: #sin-builtin
export function shortSin<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return ops.branch(
    hasFewTurns(ops, x),
    () => sineOf(ops, x),
    () => ops.call("sin", x),
  );
}

// spec: #cos-builtin
export function shortCos<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return ops.branch(
    hasFewTurns(ops, x),
    () => cosineOf(ops, x),
    () => ops.call("cos", x),
  );
}

// spec: #tan-builtin
export function shortTan<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return ops.branch(
    hasFewTurns(ops, x),
    () => ops.div(sineOf(ops, x), cosineOf(ops, x)),
    () => ops.call("tan", x),
  );
}

// --- exponentials ---

/** 2^x can be put together in the exponent field of an f64. */
const MOST_EXPONENT = 1000;

/** 2^x for |x| ≤ 1000. */
function powerOfTwo<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  const { nearest, integer } = split(ops, x);
  const r = ops.sub(x, nearest);
  const power = polynomial(
    ops,
    r,
    [
      1, 6.931471807045547e-1, 2.4022651066605488e-1, 5.550410365933917e-2, 9.618038124778407e-3, 1.3333935083173613e-3,
      1.5466758852851142e-4, 1.5196154981309143e-5,
    ],
  );
  return ops.timesPower(power, integer);
}

function isModerate<F, I, B>(ops: MathOps<F, I, B>, exponent: F): B {
  return ops.lessOrEqual(ops.abs(exponent), ops.constant(MOST_EXPONENT));
}

// spec: #exp-builtin
export function shortExp<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  const exponent = ops.mul(x, ops.constant(Math.LOG2E));
  return ops.branch(
    isModerate(ops, exponent),
    () => powerOfTwo(ops, exponent),
    () => ops.call("exp", x),
  );
}

// spec: #exp2-builtin
export function shortExp2<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return ops.branch(
    isModerate(ops, x),
    () => powerOfTwo(ops, x),
    () => ops.call("exp2", x),
  );
}

// --- logarithms ---

/** The high word of √½. */
const ROOT_HALF = 0x3fe6a09e;

/** log(x) / unit + k · log(2) / unit for x = 2^k · m with √½ ≤ m < √2: log(m) is 2 · atanh((m - 1) / (m + 1)). */
function logarithm<F, I, B>(ops: MathOps<F, I, B>, x: F, unit: number): F {
  const k = ops.shiftRight(ops.subInteger(ops.highWord(x), ops.integer(ROOT_HALF)), 20);
  const m = ops.timesPower(x, ops.subInteger(ops.integer(0), k));
  const one = ops.constant(1);
  const s = ops.div(ops.sub(m, one), ops.add(m, one));
  const series = polynomial(
    ops,
    ops.mul(s, s),
    [2, 6.666666564823234e-1, 4.000033463691978e-1, 2.8537339964747166e-1, 2.3581613745486574e-1].map((c) => c / unit),
  );
  const whole = ops.fromInteger(k);
  return ops.add(unit === Math.LN2 ? whole : ops.mul(whole, ops.constant(Math.LN2)), ops.mul(s, series));
}

/** Above zero and finite. */
function hasLogarithm<F, I, B>(ops: MathOps<F, I, B>, x: F): B {
  return ops.both(ops.lessThan(ops.constant(0), x), ops.lessThan(x, ops.constant(Infinity)));
}

// spec: #log-builtin
export function shortLog<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return ops.branch(
    hasLogarithm(ops, x),
    () => logarithm(ops, x, 1),
    () => ops.call("log", x),
  );
}

// spec: #log2-builtin
export function shortLog2<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return ops.branch(
    hasLogarithm(ops, x),
    () => logarithm(ops, x, Math.LN2),
    () => ops.call("log2", x),
  );
}

// spec: #pow-builtin
export function shortPow<F, I, B>(ops: MathOps<F, I, B>, x: F, y: F): F {
  // Of an x without a logarithm this is any number.
  const exponent = ops.mul(y, logarithm(ops, x, Math.LN2));
  return ops.branch(
    ops.both(hasLogarithm(ops, x), isModerate(ops, exponent)),
    () => powerOfTwo(ops, exponent),
    () => ops.call("pow", x, y),
  );
}
