/**
 * Shorter forms of the elementary functions that shaders use most, for arguments that are f32 and results that are rounded
 * to f32 or f16; see {@link MathOps}. Their relative error is less than 2^-27 (of `tan` 2^-26, of `pow` 2^-22), so that few results are not
 * the nearest f32 but the one beside it.
 *
 * No choice between values that are likely alike: that would be a jump which no processor foresees. And no call: it would
 * cost all registers, even where it is never made.
 */
import { type MathOps, widePolynomial } from "./math-ops.ts";

/** Added to a number of less than 2^51, it leaves the nearest integer in the low bits of the sum. */
const SHIFTER = 1.5 * 2 ** 52;

interface Split<F> {
  /** The integer nearest to a number, ties to even. */
  readonly nearest: F;
  /** A number whose low bits are this integer plus `more`. */
  readonly shifted: F;
}

function split<F, I, B>(ops: MathOps<F, I, B>, x: F, more = 0): Split<F> {
  const shifter = ops.constant(SHIFTER + more);
  const shifted = ops.add(x, shifter);
  return { nearest: ops.sub(shifted, shifter), shifted };
}

// --- trigonometric functions ---

/** Larger arguments count as this one. Up to it the error, as large as that of rounding x to f64, is less than 2^-21. */
const MOST_RADIANS = 2 ** 31;

/** sin(π · turns), of half turns. */
function sineOf<F, I, B>(ops: MathOps<F, I, B>, turns: F): F {
  const { nearest, shifted } = split(ops, turns);
  const rest = ops.sub(turns, nearest);
  const series = widePolynomial(ops, ops.mul(rest, rest), [
    Math.PI,
    -5.167710572663634,
    2.5500822809722434,
    -5.983079019212351e-1,
    7.767552827540376e-2,
  ]);
  // The sign goes to the factor that is ready first.
  return ops.mul(ops.negateIfOdd(rest, shifted), series);
}

/** x / π */
function halfTurns<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return ops.mul(ops.limit(x, MOST_RADIANS), ops.constant(1 / Math.PI));
}

// spec: #sin-builtin
export function shortSin<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return sineOf(ops, halfTurns(ops, x));
}

// spec: #cos-builtin
export function shortCos<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return sineOf(ops, ops.add(halfTurns(ops, x), ops.constant(0.5)));
}

// spec: #tan-builtin
export function shortTan<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return ops.div(shortSin(ops, x), shortCos(ops, x));
}

// --- exponentials ---

/** Larger powers of two than any number of f32, and smaller ones. */
const MOST_EXPONENT = 1000;
/** Of f64. */
const EXPONENT_BIAS = 1023;

// spec: #exp2-builtin
export function shortExp2<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  const limited = ops.limit(x, MOST_EXPONENT);
  const { nearest, shifted } = split(ops, limited, EXPONENT_BIAS);
  const power = widePolynomial(
    ops,
    ops.sub(limited, nearest),
    [
      1, 6.931472028576589e-1, 2.4022647913306022e-1, 5.550332464958709e-2, 9.618437380874452e-3, 1.3398877001526688e-3,
      1.5353360374484863e-4,
    ],
  );
  // A product, so that NaN stays NaN.
  return ops.mul(power, ops.fromExponent(shifted));
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
    [2, 6.666677611888481e-1, 3.9977569428097626e-1, 2.98710716326449e-1].map((c) => c / unit),
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
    ops.lessThan(zero, x),
    () =>
      ops.branch(
        ops.lessThan(x, infinity),
        () => result,
        () => infinity,
      ),
    () => ops.select(ops.equal(x, zero), ops.constant(-Infinity), ops.constant(NaN)),
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
