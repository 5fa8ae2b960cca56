/**
 * The builtin functions of WGSL that are no more than a few operations, see {@link MathOps}.
 *
 * Everything is computed in f64; the caller rounds the result to f32 or f16 once. So functions that the specification
 * defines by a formula are at least as accurate as that formula.
 */
import { bounded, type MathOps } from "./math-ops.ts";

// spec: #sqrt-builtin
export function sqrt<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return ops.sqrt(x);
}

// spec: #inverseSqrt-builtin
export function inverseSqrt<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return ops.div(ops.constant(1), ops.sqrt(x));
}

// spec: #floor-builtin
export function floor<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return ops.floor(x);
}

// spec: #ceil-builtin
export function ceil<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return ops.ceil(x);
}

// spec: #trunc-builtin
export function trunc<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return ops.trunc(x);
}

// spec: #round-builtin
export function round<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return ops.nearest(x);
}

// spec: #fract-builtin
export function fract<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return ops.sub(x, ops.floor(x));
}

// spec: #abs-float-builtin
export function abs<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return ops.abs(x);
}

// spec: #sign-builtin
export function sign<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  const zero = ops.constant(0);
  const notNegative = ops.select(ops.lessThan(zero, x), ops.constant(1), zero);
  return ops.select(ops.lessThan(x, zero), ops.constant(-1), notNegative);
}

// spec: #min-float-builtin
export function min<F, I, B>(ops: MathOps<F, I, B>, x: F, y: F): F {
  return ops.select(ops.lessThan(y, x), y, x);
}

// spec: #max-float-builtin
export function max<F, I, B>(ops: MathOps<F, I, B>, x: F, y: F): F {
  return ops.select(ops.lessThan(x, y), y, x);
}

// spec: #clamp
export function clamp<F, I, B>(ops: MathOps<F, I, B>, x: F, low: F, high: F): F {
  return min(ops, max(ops, x, low), high);
}

// spec: #saturate-float-builtin
export function saturate<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return bounded(ops, x, 0, 1);
}

// spec: #mix-builtin
export function mix<F, I, B>(ops: MathOps<F, I, B>, x: F, y: F, blend: F): F {
  return ops.add(ops.mul(x, ops.sub(ops.constant(1), blend)), ops.mul(y, blend));
}

// spec: #step-builtin
export function step<F, I, B>(ops: MathOps<F, I, B>, edge: F, x: F): F {
  return ops.select(ops.lessOrEqual(edge, x), ops.constant(1), ops.constant(0));
}

// spec: #smoothstep-builtin
export function smoothstep<F, I, B>(ops: MathOps<F, I, B>, low: F, high: F, x: F): F {
  const t = saturate(ops, ops.div(ops.sub(x, low), ops.sub(high, low)));
  return ops.mul(ops.mul(t, t), ops.sub(ops.constant(3), ops.mul(ops.constant(2), t)));
}

/** The product of two f32 is exact here, so that f32 and f16 have one rounding in f64 and one at the end. */
// spec: #fma-builtin
export function fma<F, I, B>(ops: MathOps<F, I, B>, x: F, y: F, z: F): F {
  return ops.add(ops.mul(x, y), z);
}

/** The operator `%`. Exact for f32 and f16 while the quotient is less than 2^29. */
// spec: #arithmetic-expr
export function remainder<F, I, B>(ops: MathOps<F, I, B>, x: F, y: F): F {
  return ops.sub(x, ops.mul(y, ops.trunc(ops.div(x, y))));
}

// spec: #degrees-builtin
export function degrees<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return ops.mul(x, ops.constant(180 / Math.PI));
}

// spec: #radians-builtin
export function radians<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return ops.mul(x, ops.constant(Math.PI / 180));
}

// spec: #modf-builtin
export function modfWhole<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return ops.trunc(x);
}

// spec: #modf-builtin
export function modfFract<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  return ops.sub(x, ops.trunc(x));
}

/** x · 2^exponent for any i32 exponent, rounded once unless the result is far below the normal f64 range. */
// spec: #ldexp-builtin
export function ldexp<F, I, B>(ops: MathOps<F, I, B>, x: F, exponent: I): F {
  let [result, rest] = [x, ops.fromInteger(exponent)];
  for (let i = 0; i < 3; i++) {
    const part = bounded(ops, rest, -1022, 1023);
    result = ops.mul(result, ops.powerOfTwo(ops.toInteger(part)));
    rest = ops.sub(rest, part);
  }
  return result;
}

interface FrexpParts<F, I, B> {
  /** x, scaled into the normal range. */
  readonly value: F;
  /** The exponent of the scaling. */
  readonly shift: I;
  /** Whether x is neither zero nor infinite nor NaN. */
  readonly ordinary: B;
}

function frexpParts<F, I, B>(ops: MathOps<F, I, B>, x: F): FrexpParts<F, I, B> {
  const magnitude = ops.abs(x);
  const subnormal = ops.lessThan(magnitude, ops.constant(2 ** -1022));
  return {
    value: ops.select(subnormal, ops.mul(x, ops.constant(2 ** 54)), x),
    shift: ops.selectInteger(subnormal, ops.integer(-54), ops.integer(0)),
    ordinary: ops.both(ops.lessThan(ops.constant(0), magnitude), ops.lessThan(magnitude, ops.constant(Infinity))),
  };
}

/** The fraction, from ½ up to but not including 1 in magnitude; zeros, infinities and NaN are their own. */
// spec: #frexp-builtin
export function frexpFract<F, I, B>(ops: MathOps<F, I, B>, x: F): F {
  const { value, ordinary } = frexpParts(ops, x);
  const word = ops.or(ops.and(ops.highWord(value), ops.integer(-0x7ff00001)), ops.integer(0x3fe00000));
  return ops.select(ordinary, ops.withHighWord(value, word), x);
}

/** The exponent that belongs to `frexpFract`; 0 for zeros, infinities and NaN. */
// spec: #frexp-builtin
export function frexpExp<F, I, B>(ops: MathOps<F, I, B>, x: F): I {
  const { value, shift, ordinary } = frexpParts(ops, x);
  const field = ops.and(ops.shiftRight(ops.highWord(value), 20), ops.integer(0x7ff));
  const exponent = ops.addInteger(ops.subInteger(field, ops.integer(1022)), shift);
  return ops.selectInteger(ordinary, exponent, ops.integer(0));
}
