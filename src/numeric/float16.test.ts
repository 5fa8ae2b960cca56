import fc from "fast-check";
import { expect, test } from "vitest";
import { F16_MAX, F16_MIN_NORMAL, F16_MIN_SUBNORMAL, f16FromBits, f16ToBits, roundToF16 } from "./float16.ts";

/** By the definition of the format, with powers instead of bit patterns. */
function definition(bits: number): number {
  const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return exponent ? sign * 2 ** (exponent - 15) * (1 + fraction / 1024) : sign * 2 ** -14 * (fraction / 1024);
}

const finite = Array.from({ length: 0x7c00 }, (_, bits) => definition(bits));

/** Nearest by search among all values, ties to the even bit pattern. */
function reference(x: number): number {
  const magnitude = Math.abs(x);
  let [low, high] = [0, finite.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (finite[middle] <= magnitude) low = middle;
    else high = middle;
  }
  const above = low + 1 < finite.length ? finite[low + 1] : 65536;
  const [toLow, toHigh] = [magnitude - finite[low], above - magnitude];
  const up = toHigh < toLow || (toHigh === toLow && low % 2 === 1);
  const result = up ? (above === 65536 ? Infinity : above) : finite[low];
  return x < 0 || Object.is(x, -0) ? -result : result;
}

test("all 65,536 bit patterns have the value of the definition and come back", () => {
  for (let bits = 0; bits < 0x10000; bits++) {
    const value = f16FromBits(bits);
    if (!Object.is(value, definition(bits))) expect(value, bits.toString(16)).toBe(definition(bits));
    const back = f16ToBits(value);
    const canonical = value !== value ? 0x7e00 : bits;
    if (back !== canonical) expect(back, bits.toString(16)).toBe(canonical);
    if (!Object.is(roundToF16(value), value)) expect(roundToF16(value), bits.toString(16)).toBe(value);
  }
});

test("the middle between any two neighbours goes to the even one, its f64 neighbours to the nearer one", () => {
  for (let bits = 0; bits < 0x7c00; bits++) {
    const [low, high] = [finite[bits], bits === 0x7bff ? 65536 : finite[bits + 1]];
    const middle = (low + high) / 2;
    const top = high === 65536 ? Infinity : high;
    const results = [middle * (1 - 2 ** -53), middle, middle * (1 + 2 ** -52)].map(roundToF16);
    const right = [low, bits % 2 === 0 ? low : top, top];
    if (results.some((result, i) => result !== right[i])) expect(results, bits.toString(16)).toEqual(right);
  }
});

test("rounding is to the nearest from f64 directly", () => {
  const wide = fc.double({ noNaN: true });
  const near = fc.double({ min: -70000, max: 70000, noNaN: true });
  const small = fc.double({ min: -(2 ** -13), max: 2 ** -13, noNaN: true });
  fc.assert(
    fc.property(fc.oneof(wide, near, small), (x) => {
      expect(roundToF16(x)).toBe(Math.abs(x) === Infinity ? x : reference(x));
    }),
    { numRuns: 5000 },
  );
});

test("a value just above a tie is not first rounded to f32", () => {
  expect(roundToF16(1 + 2 ** -11 + 2 ** -40)).toBe(1 + 2 ** -10);
  expect(roundToF16(1 + 2 ** -11)).toBe(1);
  expect(roundToF16(Math.fround(1 + 2 ** -11 + 2 ** -40))).toBe(1);
});

test.each([
  [65519.99, F16_MAX],
  [65520, Infinity],
  [-65520, -Infinity],
  [1e300, Infinity],
  [2 ** -25, 0],
  [2 ** -25 * 1.0000001, F16_MIN_SUBNORMAL],
  [-(2 ** -26), -0],
  [5e-324, 0],
  [F16_MIN_NORMAL - 2 ** -26, F16_MIN_NORMAL],
  [-0, -0],
  [NaN, NaN],
])("%d rounds to %d", (x, rounded) => {
  expect(roundToF16(x)).toBe(rounded);
});
