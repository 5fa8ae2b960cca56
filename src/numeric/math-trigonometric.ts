/**
 * Trigonometric functions and their inverses, see {@link MathOps}.
 *
 * sin, cos and tan are accurate for every f32; AbstractFloats from 2^144 on count as zero. Kernels and coefficients are those of fdlibm:
 * Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at SunPro, a Sun Microsystems, Inc.
 * business. Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice
 * is preserved.
 */
import { highPart, type MathOps, polynomial } from "./math-ops.ts";

const PI_HIGH = Math.PI;
const PI_LOW = 1.2246467991473532e-16;
const HALF_PI_HIGH = PI_HIGH / 2;
const HALF_PI_LOW = PI_LOW / 2;

// --- argument reduction ---

/** x = quadrant · π/2 + high + low with |high| ≤ π/4 and a bit; the quadrant counts modulo 4. */
interface Reduced<F, I> {
  readonly quadrant: I;
  readonly high: F;
  readonly low: F;
}

/** a + b as the rounded sum and what the rounding lost. */
function twoSum<F, I, B>(ops: MathOps<F, I, B>, a: F, b: F): { readonly sum: F; readonly lost: F } {
  const sum = ops.add(a, b);
  const part = ops.sub(sum, a);
  return { sum, lost: ops.add(ops.sub(a, ops.sub(sum, part)), ops.sub(b, part)) };
}

/** π/2 in pieces of 22 bits and the rest: their products with an integer of 31 bits are exact. */
const halfPiPieces = [1.570796012878418, 3.139164164167596e-7, 6.223371969669989e-14];
const halfPiRest = 2.0222662487959506e-21;

/** For |x| ≤ 2^31 (Cody and Waite). */
function reduceSmall<F, I, B>(ops: MathOps<F, I, B>, x: F): Reduced<F, I> {
  const n = ops.nearest(ops.mul(x, ops.constant(2 / Math.PI)));
  // Both differences are exact, the third one nearly.
  const first = ops.sub(x, ops.mul(n, ops.constant(halfPiPieces[0])));
  const second = ops.sub(first, ops.mul(n, ops.constant(halfPiPieces[1])));
  const third = twoSum(ops, second, ops.neg(ops.mul(n, ops.constant(halfPiPieces[2]))));
  const rest = ops.sub(third.lost, ops.mul(n, ops.constant(halfPiRest)));
  const high = ops.add(third.sum, rest);
  return { quadrant: ops.toInteger(n), high, low: ops.add(ops.sub(third.sum, high), rest) };
}

/** 2/π in binary: 288 bits after the point. */
const twoOverPi = BigInt("0xA2F9836E4E441529FC2757D1F534DDC0DB6295993C439041FE5163ABDEBBC561B7246E3A");
/** Exponents of the pieces of an argument, each a 24-bit integer times a power of two. */
const pieceExponents = [120, 96, 72, 48, 24, 0, -24];
/** Each multiple of 2/π modulo 4 is cut to words of this many bits. */
const wordBits = 26;

/** Word `index` of (2^exponent · 2/π) mod 4: bits of weight 2^1 to 2^-24, 2^-25 to 2^-50 and so on. */
function twoOverPiWord(exponent: number, index: number): number {
  const shifted = exponent < 0 ? twoOverPi >> BigInt(-exponent) : twoOverPi << BigInt(exponent);
  const turn = BigInt.asUintN(290, shifted);
  const word = (turn >> BigInt(290 - wordBits * (index + 1))) & ((1n << BigInt(wordBits)) - 1n);
  return Number(word) * 2 ** (2 - wordBits * (index + 1));
}

/** For |x| from 2^31 to 2^144: x · 2/π modulo 4, in exact products of 24 by 26 bits (Payne and Hanek). */
function reduceLarge<F, I, B>(ops: MathOps<F, I, B>, x: F): Reduced<F, I> {
  const modulo4 = (a: F): F => ops.sub(a, ops.mul(ops.constant(4), ops.floor(ops.mul(a, ops.constant(0.25)))));
  const sums: F[] = [0, 1, 2, 3].map(() => ops.constant(0));
  const magnitude = ops.abs(x);
  // What is too large counts as zero, infinity as NaN.
  let rest = ops.select(ops.lessThan(magnitude, ops.constant(2 ** 144)), magnitude, ops.sub(magnitude, magnitude));
  for (const exponent of pieceExponents) {
    const piece = ops.floor(ops.mul(rest, ops.constant(2 ** -exponent)));
    rest = ops.sub(rest, ops.mul(piece, ops.constant(2 ** exponent)));
    for (const index of sums.keys()) {
      const product = ops.mul(piece, ops.constant(twoOverPiWord(exponent, index)));
      sums[index] = ops.add(sums[index], index === 0 ? modulo4(product) : product);
    }
  }
  const turns = ops.add(modulo4(sums[0]), modulo4(sums[1]));
  const n = ops.nearest(turns);
  const fraction = twoSum(ops, ops.sub(turns, n), ops.add(sums[2], sums[3]));
  const negative = ops.lessThan(x, ops.constant(0));
  const signed = (a: F): F => ops.select(negative, ops.neg(a), a);
  return { quadrant: ops.toInteger(signed(n)), ...timesHalfPi(ops, signed(fraction.sum), signed(fraction.lost)) };
}

/** (a + b) · π/2 as high + low. */
function timesHalfPi<F, I, B>(ops: MathOps<F, I, B>, a: F, b: F): { readonly high: F; readonly low: F } {
  const halfPi = ops.constant(HALF_PI_HIGH);
  const [aHigh, piHigh] = [highPart(ops, a), highPart(ops, halfPi)];
  const [aLow, piLow] = [ops.sub(a, aHigh), ops.sub(halfPi, piHigh)];
  const high = ops.mul(a, halfPi);
  const crossed = ops.add(ops.sub(ops.mul(aHigh, piHigh), high), ops.mul(aHigh, piLow));
  const lost = ops.add(ops.add(crossed, ops.mul(aLow, piHigh)), ops.mul(aLow, piLow));
  const small = ops.add(ops.mul(a, ops.constant(HALF_PI_LOW)), ops.mul(b, halfPi));
  return { high, low: ops.add(lost, small) };
}

// --- sine, cosine, tangent ---

function sinKernel<F, I, B>(ops: MathOps<F, I, B>, high: F, low: F): F {
  const z = ops.mul(high, high);
  const v = ops.mul(z, high);
  const r = polynomial(
    ops,
    z,
    [8.33333333332249e-3, -1.984126982985795e-4, 2.7557313707070068e-6, -2.5050760253406863e-8, 1.58969099521155e-10],
  );
  const half = ops.mul(ops.constant(0.5), low);
  const inner = ops.sub(ops.mul(z, ops.sub(half, ops.mul(v, r))), low);
  return ops.sub(high, ops.sub(inner, ops.mul(v, ops.constant(-1.6666666666666632e-1))));
}

function cosKernel<F, I, B>(ops: MathOps<F, I, B>, high: F, low: F): F {
  const one = ops.constant(1);
  const z = ops.mul(high, high);
  const r = polynomial(
    ops,
    z,
    [
      4.16666666666666e-2, -1.388888888887411e-3, 2.480158728947673e-5, -2.7557314351390663e-7, 2.087572321298175e-9,
      -1.1359647557788195e-11,
    ],
  );
  const half = ops.mul(ops.constant(0.5), z);
  const w = ops.sub(one, half);
  const correction = ops.sub(ops.mul(z, ops.mul(z, r)), ops.mul(high, low));
  return ops.add(w, ops.add(ops.sub(ops.sub(one, w), half), correction));
}

/** Calls `finish` with the reduced argument; the long reduction runs only where it is needed. */
function withReduced<F, I, B>(ops: MathOps<F, I, B>, x: F, finish: (reduced: Reduced<F, I>) => F): F {
  return ops.branch(
    ops.lessOrEqual(ops.abs(x), ops.constant(2 ** 31)),
    () => finish(reduceSmall(ops, x)),
    () => finish(reduceLarge(ops, x)),
  );
}

/** sin(high + low + quadrant · π/2). */
function sinOfQuadrant<F, I, B>(ops: MathOps<F, I, B>, quadrant: I, high: F, low: F): F {
  const odd = ops.isNonZero(ops.and(quadrant, ops.integer(1)));
  const value = ops.select(odd, cosKernel(ops, high, low), sinKernel(ops, high, low));
  return ops.select(ops.isNonZero(ops.and(quadrant, ops.integer(2))), ops.neg(value), value);
}

export function sin<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return withReduced(ops, x, ({ quadrant, high, low }) => sinOfQuadrant(ops, quadrant, high, low));
}

export function cos<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return withReduced(ops, x, ({ quadrant, high, low }) =>
    sinOfQuadrant(ops, ops.addInteger(quadrant, ops.integer(1)), high, low),
  );
}

export function tan<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return withReduced(ops, x, ({ quadrant, high, low }) => {
    const odd = ops.isNonZero(ops.and(quadrant, ops.integer(1)));
    const [sine, cosine] = [sinKernel(ops, high, low), cosKernel(ops, high, low)];
    return ops.div(ops.select(odd, ops.neg(cosine), sine), ops.select(odd, sine, cosine));
  });
}

// --- inverse functions ---

/** (asin(√z) - √z) / √z for 0 ≤ z ≤ ¼. */
function asinRatio<F, I, B>(ops: MathOps<F, I, B>, z: F): F {
  const p = polynomial(
    ops,
    z,
    [
      1.6666666666666666e-1, -3.255658186224009e-1, 2.0121253213486293e-1, -4.005553450067941e-2, 7.915349942898145e-4,
      3.479331075960212e-5,
    ],
  );
  const q = polynomial(
    ops,
    z,
    [1, -2.403394911734414, 2.0209457602335057, -6.882839716054533e-1, 7.703815055590194e-2],
  );
  return ops.div(ops.mul(z, p), q);
}

interface ArcParts<F, B> {
  /** |x| < ½ */
  readonly small: B;
  /** asinRatio(x²) for small x, asinRatio((1 - |x|)/2) for others. */
  readonly ratio: F;
  /** asin(√((1 - |x|)/2)), for x that is not small. */
  readonly half: F;
}

function arcParts<F, I, B>(ops: MathOps<F, I, B>, x: F): ArcParts<F, B> {
  const magnitude = ops.abs(x);
  const small = ops.lessThan(magnitude, ops.constant(0.5));
  const halved = ops.mul(ops.sub(ops.constant(1), magnitude), ops.constant(0.5));
  const z = ops.select(small, ops.mul(x, x), halved);
  const ratio = asinRatio(ops, z);
  const root = ops.sqrt(z);
  // The root with its rounding error: root = high + correction.
  const high = highPart(ops, root);
  const tiny = ops.equal(root, ops.constant(0));
  const divisor = ops.select(tiny, ops.constant(1), ops.add(root, high));
  const correction = ops.div(ops.sub(z, ops.mul(high, high)), divisor);
  return { small, ratio, half: ops.add(high, ops.add(ops.mul(ratio, root), correction)) };
}

export function asin<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  const { small, ratio, half } = arcParts(ops, x);
  const doubled = ops.add(half, half);
  const large = ops.sub(ops.constant(HALF_PI_HIGH), ops.sub(doubled, ops.constant(HALF_PI_LOW)));
  return ops.select(small, ops.add(x, ops.mul(x, ratio)), ops.copySign(large, x));
}

export function acos<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  const { small, ratio, half } = arcParts(ops, x);
  const doubled = ops.add(half, half);
  const low = ops.sub(x, ops.sub(ops.constant(HALF_PI_LOW), ops.mul(x, ratio)));
  const mirrored = ops.sub(ops.constant(PI_HIGH), ops.sub(doubled, ops.constant(PI_LOW)));
  const large = ops.select(ops.lessThan(x, ops.constant(0)), mirrored, doubled);
  return ops.select(small, ops.sub(ops.constant(HALF_PI_HIGH), low), large);
}

/** Where atan changes its centre: [from |x|, numerator, denominator as a + b·|x|, atan of the centre in two parts]. */
interface AtanInterval {
  readonly from: number;
  readonly numerator: readonly [number, number];
  readonly denominator: readonly [number, number];
  readonly high: number;
  readonly low: number;
}

/** atan(x) = atan(centre) + atan((x - centre) / (1 + centre · x)), for the centres 0, ½, 1, 1½ and infinity. */
const atanIntervals: readonly AtanInterval[] = [
  { from: 0, numerator: [0, 1], denominator: [1, 0], high: 0, low: 0 },
  {
    from: 7 / 16,
    numerator: [-1, 2],
    denominator: [2, 1],
    high: 4.636476090008061e-1,
    low: 2.2698777452961687e-17,
  },
  {
    from: 11 / 16,
    numerator: [-1, 1],
    denominator: [1, 1],
    high: 7.853981633974483e-1,
    low: 3.061616997868383e-17,
  },
  {
    from: 19 / 16,
    numerator: [-1.5, 1],
    denominator: [1, 1.5],
    high: 9.82793723247329e-1,
    low: 1.3903311031230998e-17,
  },
  {
    from: 39 / 16,
    numerator: [-1, 0],
    denominator: [0, 1],
    high: 1.5707963267948966,
    low: 6.123233995736766e-17,
  },
];

/** atan of a magnitude. */
function atanPositive<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  // Infinity times a slope of zero would be no number.
  const most = ops.constant(1e300);
  const finite = ops.select(ops.lessThan(most, x), most, x);
  const reached = atanIntervals.map(({ from }) => ops.lessOrEqual(ops.constant(from), x));
  const pick = (value: (interval: AtanInterval) => number): F =>
    atanIntervals
      .slice(1)
      .reduce(
        (chosen, interval, i) => ops.select(reached[i + 1], ops.constant(value(interval)), chosen),
        ops.constant(value(atanIntervals[0])),
      );
  const linear = (part: "numerator" | "denominator"): F =>
    ops.add(
      pick((interval) => interval[part][0]),
      ops.mul(
        pick((interval) => interval[part][1]),
        finite,
      ),
    );
  const t = ops.div(linear("numerator"), linear("denominator"));
  const z = ops.mul(t, t);
  const series = polynomial(
    ops,
    z,
    [
      3.333333333333293e-1, -1.9999999999876483e-1, 1.4285714272503466e-1, -1.1111110405462356e-1, 9.090887133436507e-2,
      -7.69187620504483e-2, 6.661073137387531e-2, -5.8335701337905735e-2, 4.9768779946159324e-2, -3.6531572744216916e-2,
      1.6285820115365782e-2,
    ],
  );
  const bend = ops.mul(t, ops.mul(z, series));
  const [high, low] = [pick((interval) => interval.high), pick((interval) => interval.low)];
  return ops.sub(high, ops.sub(ops.sub(bend, low), t));
}

export function atan<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return ops.copySign(atanPositive(ops, ops.abs(x)), x);
}

/** The angle of the point (x, y), from -π to π, zeros and infinities as in IEEE-754. */
export function atan2<F, I, B>(ops: MathOps<F, I, B>, y: F, x: F): F {
  const quotient = ops.div(ops.abs(y), ops.abs(x));
  // 0/0 stands for an angle of 0, ∞/∞ for one of π/4.
  const equal = ops.equal(ops.abs(y), ops.abs(x));
  const origin = ops.equal(y, ops.constant(0));
  const ratio = ops.select(equal, ops.select(origin, ops.constant(0), ops.constant(1)), quotient);
  const angle = atanPositive(ops, ratio);
  const mirrored = ops.sub(ops.constant(PI_HIGH), ops.sub(angle, ops.constant(PI_LOW)));
  const leftSide = ops.lessThan(ops.copySign(ops.constant(1), x), ops.constant(0));
  return ops.copySign(ops.select(leftSide, mirrored, angle), y);
}
