/**
 * The two 32-bit words of an f64, as the elementary functions take them apart.
 *
 * One scratch buffer serves every caller; typed arrays are little-endian on every engine that has WebAssembly.
 */

const value = new Float64Array(1);
const words = new Int32Array(value.buffer);
const TWO_52 = 2 ** 52;

/** Sign, exponent and the 20 high fraction bits of `x`, as an i32. */
export function highWord(x: number): number {
  value[0] = x;
  return words[1];
}

/** The 32 low fraction bits of `x`, as an i32. */
export function lowWord(x: number): number {
  value[0] = x;
  return words[0];
}

/** `x` with its high word replaced. */
export function withHighWord(x: number, high: number): number {
  value[0] = x;
  words[1] = high;
  return value[0];
}

/** `x`, or the nearer one of `most` and -`most` where it is beyond them; NaN stays NaN. */
export function limit(x: number, most: number): number {
  return Math.max(Math.min(x, most), -most);
}

/** `x` · 2^`exponent`, where both are normal numbers; otherwise any number. */
export function timesPower(x: number, exponent: number): number {
  value[0] = x;
  words[1] += exponent << 20;
  return value[0];
}

/** -`x` where the lowest bit of `n` is 1. */
export function negateIfOdd(x: number, n: number): number {
  const bit = lowWord(n) << 31;
  value[0] = x;
  words[1] ^= bit;
  return value[0];
}

/** The number with the 12 low bits of `x` as its sign and exponent field, and no fraction. */
export function fromExponent(x: number): number {
  return withHighWord(0, lowWord(x) << 20);
}

/** |`x`| with the sign bit of `sign`. */
export function copySign(x: number, sign: number): number {
  return highWord(sign) < 0 ? -Math.abs(x) : Math.abs(x);
}

/** The integer nearest to `x`, ties to even; zeros keep the sign of `x`. */
export function nearest(x: number): number {
  const magnitude = Math.abs(x);
  if (!(magnitude < TWO_52)) return x;
  // Adding 2^52 leaves no room for fraction bits, so that the addition itself rounds.
  return copySign(magnitude + TWO_52 - TWO_52, x);
}

const powers = new Float64Array(2046);
for (let i = 0; i < powers.length; i++) powers[i] = withHighWord(0, (i + 1) << 20);

/** 2^`exponent` for `exponent` from -1022 to 1023. */
export function powerOfTwo(exponent: number): number {
  return powers[exponent + 1022];
}

/** x · 2^exponent, rounded once; zero from exponents that leave nothing of most numbers. */
export function scaledByPower(x: number, exponent: number): number {
  if (exponent < -2046) return x * 0;
  // In halves, so that both factors are normal numbers.
  const first = Math.min(exponent, 2046) >> 1;
  return x * 2 ** first * 2 ** (exponent - first);
}
