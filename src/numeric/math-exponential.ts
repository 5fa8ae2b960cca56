/**
 * Exponentials, logarithms, powers and hyperbolic functions, see {@link MathOps}.
 *
 * Algorithms and coefficients of exp, log, log2 and pow are those of fdlibm, made free of branches:
 * Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at SunPro, a Sun Microsystems, Inc.
 * business. Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice
 * is preserved.
 */
import { bounded, highPart, type MathOps, polynomial } from "./math-ops.ts";

const LN2_HIGH = 6.931471803691238e-1;
const LN2_LOW = 1.9082149292705877e-10;
const TWO_54 = 2 ** 54;

// --- exponentials ---

/** `x` · 2^k; two factors reach from beyond infinity to below the smallest subnormal. */
function scale<F, I, B>(ops: MathOps<F, I, B>, x: F, k: I): F {
  const half = ops.shiftRight(k, 1);
  return ops.mul(ops.mul(x, ops.powerOfTwo(half)), ops.powerOfTwo(ops.subInteger(k, half)));
}

/** e^(high - low) for |high - low| ≤ ln(2)/2. */
function expReduced<F, I, B>(ops: MathOps<F, I, B>, high: F, low: F): F {
  const r = ops.sub(high, low);
  const z = ops.mul(r, r);
  const p = polynomial(
    ops,
    z,
    [
      1.6666666666666602e-1, -2.7777777777015593e-3, 6.613756321437934e-5, -1.6533902205465252e-6,
      4.1381367970572385e-8,
    ],
  );
  const c = ops.sub(r, ops.mul(z, p));
  const quotient = ops.div(ops.mul(r, c), ops.sub(ops.constant(2), c));
  return ops.sub(ops.constant(1), ops.sub(ops.sub(low, quotient), high));
}

/** e^x · 2^extra, without overflow on the way. */
function expScaled<F, I, B>(ops: MathOps<F, I, B>, x: F, extra: number): F {
  const limited = bounded(ops, x, -1000, 1000);
  const k = ops.nearest(ops.mul(limited, ops.constant(Math.LOG2E)));
  const high = ops.sub(limited, ops.mul(k, ops.constant(LN2_HIGH)));
  const low = ops.mul(k, ops.constant(LN2_LOW));
  return scale(ops, expReduced(ops, high, low), ops.addInteger(ops.toInteger(k), ops.integer(extra)));
}

export function exp<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return expScaled(ops, x, 0);
}

export function exp2<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  const limited = bounded(ops, x, -1200, 1200);
  const k = ops.nearest(limited);
  const r = ops.mul(ops.sub(limited, k), ops.constant(Math.LN2));
  return scale(ops, expReduced(ops, r, ops.constant(0)), ops.toInteger(k));
}

// --- logarithms ---

/** x = 2^k · (1 + f) with √½ < 1 + f < √2, and the parts from which fdlibm composes log(1 + f). */
interface LogParts<F> {
  readonly k: F;
  readonly f: F;
  /** f²/2 */
  readonly halfSquare: F;
  /** s · (f²/2 + R): what log(1 + f) is above f - f²/2. */
  readonly rest: F;
}

function logParts<F, I, B>(ops: MathOps<F, I, B>, x: F): LogParts<F> {
  const subnormal = ops.lessThan(x, ops.constant(2 ** -1022));
  const normal = ops.select(subnormal, ops.mul(x, ops.constant(TWO_54)), x);
  // The offset moves √½ to the place where the exponent steps.
  const shifted = ops.addInteger(ops.highWord(normal), ops.integer(0x3ff00000 - 0x3fe6a09e));
  const bias = ops.selectInteger(subnormal, ops.integer(1023 + 54), ops.integer(1023));
  const k = ops.fromInteger(ops.subInteger(ops.shiftRight(shifted, 20), bias));
  const high = ops.addInteger(ops.and(shifted, ops.integer(0xfffff)), ops.integer(0x3fe6a09e));
  const f = ops.sub(ops.withHighWord(normal, high), ops.constant(1));
  const halfSquare = ops.mul(ops.mul(ops.constant(0.5), f), f);
  const s = ops.div(f, ops.add(ops.constant(2), f));
  const z = ops.mul(s, s);
  const w = ops.mul(z, z);
  const even = polynomial(ops, w, [3.999999999940942e-1, 2.2222198432149784e-1, 1.5313837699209373e-1]);
  const odd = polynomial(
    ops,
    w,
    [6.666666666666735e-1, 2.857142874366239e-1, 1.818357216161805e-1, 1.4798198605116586e-1],
  );
  const r = ops.add(ops.mul(z, odd), ops.mul(w, even));
  return { k, f, halfSquare, rest: ops.mul(s, ops.add(halfSquare, r)) };
}

/** `result` where `x` is positive and finite; the limits of a logarithm elsewhere. */
function logLimits<F, I, B>(ops: MathOps<F, I, B>, x: F, result: F): F {
  const zero = ops.constant(0);
  const infinity = ops.constant(Infinity);
  const atMostZero = ops.select(ops.equal(x, zero), ops.constant(-Infinity), ops.constant(NaN));
  const finite = ops.select(ops.lessThan(zero, x), result, atMostZero);
  return ops.select(ops.equal(x, infinity), infinity, finite);
}

export function log<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  const { k, f, halfSquare, rest } = logParts(ops, x);
  const low = ops.sub(ops.add(rest, ops.mul(k, ops.constant(LN2_LOW))), halfSquare);
  return logLimits(ops, x, ops.add(ops.add(low, f), ops.mul(k, ops.constant(LN2_HIGH))));
}

export function log2<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  const [inverseHigh, inverseLow] = [ops.constant(1.4426950407214463), ops.constant(1.6751713164886512e-10)];
  const { k, f, halfSquare, rest } = logParts(ops, x);
  const high = highPart(ops, ops.sub(f, halfSquare));
  const low = ops.add(ops.sub(ops.sub(f, high), halfSquare), rest);
  const productHigh = ops.mul(high, inverseHigh);
  const productLow = ops.add(ops.mul(ops.add(low, high), inverseLow), ops.mul(low, inverseHigh));
  const sum = ops.add(k, productHigh);
  const rounding = ops.add(ops.sub(k, sum), productHigh);
  return logLimits(ops, x, ops.add(ops.add(productLow, rounding), sum));
}

/** log(1 + x): the logarithm of the rounded sum, corrected by what the rounding lost. */
function logOnePlus<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  const one = ops.constant(1);
  const sum = ops.add(one, x);
  const part = ops.sub(sum, one);
  const lost = ops.add(ops.sub(one, ops.sub(sum, part)), ops.sub(x, part));
  const correction = ops.div(lost, sum);
  const logarithm = log(ops, sum);
  // At -1 and infinity the correction is no number.
  return ops.select(ops.equal(correction, correction), ops.add(logarithm, correction), logarithm);
}

// --- power ---

/** log2(x) of a positive finite x as high + low, about 70 bits; `high` has 21 bits. */
function log2Extended<F, I, B>(ops: MathOps<F, I, B>, x: F): { readonly high: F; readonly low: F } {
  const subnormal = ops.lessThan(x, ops.constant(2 ** -1022));
  const normal = ops.select(subnormal, ops.mul(x, ops.constant(TWO_54)), x);
  const bias = ops.selectInteger(subnormal, ops.integer(1023 + 54), ops.integer(1023));
  const word = ops.highWord(normal);
  const one = ops.constant(1);
  const mantissa = ops.withHighWord(normal, ops.or(ops.and(word, ops.integer(0xfffff)), ops.integer(0x3ff00000)));
  // The centre is 1, or 1.5 between √1.5 and √3; from √3 on the mantissa is halved.
  const nearOne = ops.lessThan(mantissa, ops.constant(1.224744871391589));
  const nearTwo = ops.lessThan(ops.constant(1.7320508075688772), mantissa);
  const byCentre = (atOne: number, between: number): F => {
    const value = ops.constant(atOne);
    return ops.select(nearOne, value, ops.select(nearTwo, value, ops.constant(between)));
  };
  const a = ops.select(nearTwo, ops.mul(mantissa, ops.constant(0.5)), mantissa);
  const carry = ops.selectInteger(nearTwo, ops.integer(1), ops.integer(0));
  const n = ops.fromInteger(ops.addInteger(ops.subInteger(ops.shiftRight(word, 20), bias), carry));
  const centre = byCentre(1, 1.5);
  const centreHigh = byCentre(0, 5.849624872207642e-1);
  const centreLow = byCentre(0, 1.350039202129749e-8);

  // ss = (a - centre) / (a + centre) as sHigh + sLow.
  const u = ops.sub(a, centre);
  const v = ops.div(one, ops.add(a, centre));
  const ss = ops.mul(u, v);
  const sHigh = highPart(ops, ss);
  const sumHigh = highPart(ops, ops.add(a, centre));
  const sumLow = ops.sub(a, ops.sub(sumHigh, centre));
  const sLow = ops.mul(v, ops.sub(ops.sub(u, ops.mul(sHigh, sumHigh)), ops.mul(sHigh, sumLow)));

  // 3·log(a/centre) / (2·ss) = 3 + ss² + r.
  const square = ops.mul(ss, ss);
  const series = polynomial(
    ops,
    square,
    [
      5.999999999999946e-1, 4.285714285785502e-1, 3.3333332981837743e-1, 2.72728123808534e-1, 2.3066074577556175e-1,
      2.0697501780033842e-1,
    ],
  );
  const r = ops.add(ops.mul(ops.mul(square, square), series), ops.mul(sLow, ops.add(sHigh, ss)));
  const squareHigh = ops.mul(sHigh, sHigh);
  const three = ops.constant(3);
  const tHigh = highPart(ops, ops.add(ops.add(three, squareHigh), r));
  const tLow = ops.sub(r, ops.sub(ops.sub(tHigh, three), squareHigh));
  const productHigh = ops.mul(sHigh, tHigh);
  const productLow = ops.add(ops.mul(sLow, tHigh), ops.mul(tLow, ss));

  // Times 2/(3·ln 2), plus n and the logarithm of the centre.
  const pHigh = highPart(ops, ops.add(productHigh, productLow));
  const pLow = ops.sub(productLow, ops.sub(pHigh, productHigh));
  const zHigh = ops.mul(ops.constant(9.617967009544373e-1), pHigh);
  const zLow = ops.add(
    ops.add(ops.mul(ops.constant(-7.028461650952758e-9), pHigh), ops.mul(pLow, ops.constant(9.617966939259756e-1))),
    centreLow,
  );
  const high = highPart(ops, ops.add(ops.add(ops.add(zHigh, zLow), centreHigh), n));
  const low = ops.sub(zLow, ops.sub(ops.sub(ops.sub(high, n), centreHigh), zHigh));
  return { high, low };
}

/** 2^(high + low) for |low| much smaller than |high|. */
function exp2Extended<F, I, B>(ops: MathOps<F, I, B>, high: F, low: F): F {
  const n = ops.nearest(high);
  const rest = ops.sub(high, n);
  const t = highPart(ops, ops.add(low, rest));
  const u = ops.mul(t, ops.constant(6.931471824645996e-1));
  const v = ops.add(
    ops.mul(ops.sub(low, ops.sub(t, rest)), ops.constant(Math.LN2)),
    ops.mul(t, ops.constant(-1.904654299957768e-9)),
  );
  const z = ops.add(u, v);
  const w = ops.sub(v, ops.sub(z, u));
  // e^(z + w) ≈ e^z · (1 + w); expReduced subtracts its second operand.
  return scale(ops, expReduced(ops, z, ops.neg(w)), ops.toInteger(n));
}

/**
 * x^y for x ≥ 0. NaN for x < 0, and for x = 0 with y = 0: both are outside of the domain of exp2(y · log2(x)).
 */
export function pow<F, I, B>(ops: MathOps<F, I, B>, x: F, y: F): F {
  const zero = ops.constant(0);
  const infinity = ops.constant(Infinity);
  const logarithm = log2Extended(ops, x);
  // Beyond 2^80 any base but 1 has left the range already.
  const exponent = bounded(ops, y, -(2 ** 80), 2 ** 80);
  const exponentHigh = highPart(ops, exponent);
  const low = ops.add(ops.mul(ops.sub(exponent, exponentHigh), logarithm.high), ops.mul(exponent, logarithm.low));
  const high = ops.mul(exponentHigh, logarithm.high);
  const positive = exp2Extended(ops, bounded(ops, high, -2000, 2000), bounded(ops, low, -1, 1));
  const nan = ops.constant(NaN);
  const yPositive = ops.lessThan(zero, y);
  const yNegative = ops.lessThan(y, zero);
  const ofZero = ops.select(yPositive, zero, ops.select(yNegative, infinity, nan));
  const ofInfinity = ops.select(yPositive, infinity, ops.select(yNegative, zero, nan));
  const atMostZero = ops.select(ops.equal(x, zero), ofZero, nan);
  return ops.select(ops.equal(x, infinity), ofInfinity, ops.select(ops.lessThan(zero, x), positive, atMostZero));
}

// --- hyperbolic ---

/** sinh of |x| < 1 by its Taylor series, with the sign of x. */
function sinhSmall<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  const z = ops.mul(x, x);
  const coefficients: number[] = [];
  for (let n = 3, factorial = 6; n <= 19; factorial *= (n + 1) * (n + 2), n += 2) coefficients.push(1 / factorial);
  return ops.add(x, ops.mul(ops.mul(x, z), polynomial(ops, z, coefficients)));
}

interface HyperbolicParts<F> {
  readonly sinh: F;
  readonly cosh: F;
}

function hyperbolicParts<F, I, B>(ops: MathOps<F, I, B>, x: F): HyperbolicParts<F> {
  const magnitude = ops.abs(x);
  const half = expScaled(ops, magnitude, -1);
  const inverse = ops.div(ops.constant(0.25), half);
  const large = ops.copySign(ops.sub(half, inverse), x);
  const small = ops.lessThan(magnitude, ops.constant(1));
  return { sinh: ops.select(small, sinhSmall(ops, x), large), cosh: ops.add(half, inverse) };
}

export function sinh<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return hyperbolicParts(ops, x).sinh;
}

export function cosh<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  const half = expScaled(ops, ops.abs(x), -1);
  return ops.add(half, ops.div(ops.constant(0.25), half));
}

export function tanh<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  // From 22 on the result is 1.
  const parts = hyperbolicParts(ops, bounded(ops, x, -40, 40));
  return ops.div(parts.sinh, parts.cosh);
}

export function asinh<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  const magnitude = ops.abs(x);
  const one = ops.constant(1);
  const large = ops.lessThan(ops.constant(TWO_54), magnitude);
  const square = ops.mul(magnitude, magnitude);
  const root = ops.add(one, ops.sqrt(ops.add(one, square)));
  const argument = ops.select(large, magnitude, ops.add(magnitude, ops.div(square, root)));
  const doubling = ops.select(large, ops.constant(Math.LN2), ops.constant(0));
  return ops.copySign(ops.add(logOnePlus(ops, argument), doubling), x);
}

export function acosh<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  const t = ops.sub(x, ops.constant(1));
  const large = ops.lessThan(ops.constant(TWO_54), x);
  const root = ops.sqrt(ops.add(ops.add(t, t), ops.mul(t, t)));
  const argument = ops.select(large, x, ops.add(t, root));
  const doubling = ops.select(large, ops.constant(Math.LN2), ops.constant(0));
  const result = ops.add(logOnePlus(ops, argument), doubling);
  return ops.select(ops.lessThan(x, ops.constant(1)), ops.constant(NaN), result);
}

export function atanh<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  const magnitude = ops.abs(x);
  const argument = ops.div(ops.add(magnitude, magnitude), ops.sub(ops.constant(1), magnitude));
  return ops.copySign(ops.mul(ops.constant(0.5), logOnePlus(ops, argument)), x);
}
