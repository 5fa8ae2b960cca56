/**
 * Shorter forms of the elementary functions that shaders use most, for arguments that are f32 and results that are rounded
 * to f32 or f16; see {@link MathOps}. Their relative error is less than 2^-33 (of `pow`, 2^-26), so that they too give the
 * nearest f32 but for one result in some hundreds.
 *
 * No choice between values that are likely alike: that would be a jump which no processor foresees. And no call: it would
 * cost all registers, even where it is never made.
 */
import { type MathOps, polynomial, widePolynomial } from "./math-ops.ts";

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

/** Larger arguments count as this one. Up to it the error, as large as that of rounding x to f64, is less than 2^-21. */
const MOST_RADIANS = 2 ** 31;

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

/** x - turns · π */
function withoutTurns<F, I, B>(ops: MathOps<F, I, B>, x: F, turns: F): F {
  return ops.sub(x, ops.mul(turns, ops.constant(Math.PI)));
}

/** x = n · π + r with |r| ≤ π/2: the sine is that of r, its sign turned if n is odd. */
// spec: #sin-builtin
export function shortSin<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  const limited = ops.limit(x, MOST_RADIANS);
  const { nearest, integer } = split(ops, ops.mul(limited, ops.constant(1 / Math.PI)));
  return ops.negateIfOdd(sine(ops, withoutTurns(ops, limited, nearest)), integer);
}

/** x = (n - ½) · π + r: the cosine is sin(r), its sign turned if n is odd. */
// spec: #cos-builtin
export function shortCos<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  const half = ops.constant(0.5);
  const limited = ops.limit(x, MOST_RADIANS);
  const { nearest, integer } = split(ops, ops.add(ops.mul(limited, ops.constant(1 / Math.PI)), half));
  return ops.negateIfOdd(sine(ops, withoutTurns(ops, limited, ops.sub(nearest, half))), integer);
}

// spec: #tan-builtin
export function shortTan<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return ops.div(shortSin(ops, x), shortCos(ops, x));
}

// --- exponentials ---

/** Larger powers of two than any number of f32, and smaller ones. */
const MOST_EXPONENT = 1000;

// spec: #exp2-builtin
export function shortExp2<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  const limited = ops.limit(x, MOST_EXPONENT);
  const { nearest, integer } = split(ops, limited);
  const power = widePolynomial(
    ops,
    ops.sub(limited, nearest),
    [
      1, 6.931471807045547e-1, 2.4022651066605488e-1, 5.550410365933917e-2, 9.618038124778407e-3, 1.3333935083173613e-3,
      1.5466758852851142e-4, 1.5196154981309143e-5,
    ],
  );
  // A product, so that NaN stays NaN.
  return ops.mul(power, ops.powerOfTwo(integer));
}

// spec: #exp-builtin
export function shortExp<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return shortExp2(ops, ops.mul(x, ops.constant(Math.LOG2E)));
}

// --- logarithms ---

/** The high word of √½. */
const ROOT_HALF = 0x3fe6a09e;

/** log(x) / unit for x = 2^k · m with √½ ≤ m < √2: log(m) is 2 · atanh((m - 1) / (m + 1)). */
function logarithm<F, I, B>(ops: MathOps<F, I, B>, x: F, unit: number): F {
  const k = ops.shiftRight(ops.subInteger(ops.highWord(x), ops.integer(ROOT_HALF)), 20);
  const m = ops.timesPower(x, ops.subInteger(ops.integer(0), k));
  const one = ops.constant(1);
  const s = ops.div(ops.sub(m, one), ops.add(m, one));
  const series = widePolynomial(
    ops,
    ops.mul(s, s),
    [2, 6.666666564823234e-1, 4.000033463691978e-1, 2.8537339964747166e-1, 2.3581613745486574e-1].map((c) => c / unit),
  );
  const whole = ops.fromInteger(k);
  return ops.add(unit === Math.LN2 ? whole : ops.mul(whole, ops.constant(Math.LN2)), ops.mul(s, series));
}

/** `compute` for what is above zero and finite; the limits elsewhere. */
function ofPositive<F, I, B>(ops: MathOps<F, I, B>, x: F, compute: () => F): F {
  const [zero, infinity] = [ops.constant(0), ops.constant(Infinity)];
  // It is computed in any case, before it is known whether it is needed.
  const result = compute();
  return ops.branch(
    ops.both(ops.lessThan(zero, x), ops.lessThan(x, infinity)),
    () => result,
    () =>
      ops.select(ops.equal(x, zero), ops.constant(-Infinity), ops.select(ops.lessThan(x, zero), ops.constant(NaN), x)),
  );
}

// spec: #log-builtin
export function shortLog<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return ofPositive(ops, x, () => logarithm(ops, x, 1));
}

// spec: #log2-builtin
export function shortLog2<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return ofPositive(ops, x, () => logarithm(ops, x, Math.LN2));
}

// spec: #pow-builtin
export function shortPow<F, I, B>(ops: MathOps<F, I, B>, x: F, y: F): F {
  return shortExp2(ops, ops.mul(y, shortLog2(ops, x)));
}
