import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as math from "./math.ts";
import { jsOps, type MathOps } from "./math-ops.ts";
import { type MathFunction, type MathFunctionName, mathFunctions, shortForms } from "./math-table.ts";

/** The functions by name, as tests that go through the table need them. */
const functions: Readonly<Record<string, (...values: number[]) => number>> = { ...math };

const float = new Float64Array(1);
const bits = new BigInt64Array(float.buffer);

/** Position of an f64 on the number line. */
function rank(x: number): bigint {
  float[0] = x;
  return bits[0] < 0n ? -(bits[0] & 0x7fffffffffffffffn) : bits[0];
}

/** Steps of f64 between two values; zeros and NaNs are equal. */
function distance(a: number, b: number): number {
  if (a === b || (a !== a && b !== b)) return 0;
  if (a !== a || b !== b) return Infinity;
  const steps = rank(a) - rank(b);
  return Number(steps < 0n ? -steps : steps);
}

const special = [
  ...[0, 5e-324, 2 ** -1022, 1e-300, 2 ** -149, 2 ** -53, 1e-8, 0.25, 0.4375, 0.5, 0.6875, Math.SQRT1_2, 0.9999999999],
  ...[
    1,
    1 + 2 ** -52,
    1.1875,
    Math.sqrt(1.5),
    Math.SQRT2,
    Math.PI / 2,
    Math.sqrt(3),
    2,
    2.4375,
    3,
    Math.PI,
    10,
    22,
    40,
  ],
  ...[709.78, 709.79, 710.47, 710.48, 745.13, 745.14, 1023, 1024, 1074, 1075, 2 ** 20, 2 ** 31, 2 ** 31 + 1, 2 ** 53],
  ...[1e22, 2 ** 54, 2 ** 127, 3.4e38, 1e154, 1e300, Number.MAX_VALUE, Infinity, NaN],
].flatMap((x) => [x, -x]);

/** From 0 to 1, evenly; `fc.double` prefers what is close to zero. */
const unit = fc
  .tuple(fc.integer({ min: 0, max: 2 ** 26 - 1 }), fc.integer({ min: 0, max: 2 ** 27 - 1 }))
  .map(([high, low]) => (high * 2 ** 27 + low) / 2 ** 53);

function even(low: number, high: number): fc.Arbitrary<number> {
  return unit.map((x) => low + x * (high - low));
}

/** Magnitudes spread evenly over exponents, with both signs. */
function spread(low: number, high: number): fc.Arbitrary<number> {
  return fc
    .tuple(even(Math.log(low), Math.log(high)), fc.boolean())
    .map(([exponent, negative]) => (negative ? -Math.exp(exponent) : Math.exp(exponent)));
}

describe("against the engine's own functions, at most so many steps of f64 apart", () => {
  test.each<[MathFunctionName & keyof Math, number, fc.Arbitrary<number>]>([
    ["acos", 2, even(-1, 1)],
    ["acosh", 2, spread(1, 1e300)],
    ["asin", 3, fc.oneof(even(-1, 1), spread(1e-20, 1))],
    ["asinh", 2, spread(1e-300, 1e300)],
    ["atan", 2, spread(1e-20, 1e20)],
    ["atanh", 4, fc.oneof(even(-1, 1), spread(1e-20, 1))],
    ["cos", 2, fc.oneof(even(-10, 10), spread(1e-10, 2 ** 140))],
    ["cosh", 2, spread(1e-10, 711)],
    ["exp", 2, spread(1e-20, 750)],
    ["log", 2, fc.oneof(even(0.5, 2), spread(5e-324, 1e308))],
    ["log2", 2, fc.oneof(even(0.5, 2), spread(5e-324, 1e308))],
    ["sin", 2, fc.oneof(even(-10, 10), spread(1e-10, 2 ** 140))],
    ["sinh", 3, spread(1e-20, 711)],
    ["tan", 3, fc.oneof(even(-10, 10), spread(1e-10, 2 ** 140))],
    ["tanh", 5, spread(1e-20, 50)],
  ])("%s: %d", (name, limit, values) => {
    const ours = functions[name];
    const theirs = Math[name] as (x: number) => number;
    const check = (x: number) => {
      const [a, b] = [ours(x), theirs(x)];
      if (!(distance(a, b) <= limit)) expect([x, a]).toEqual([x, b]);
    };
    fc.assert(fc.property(values, check), { numRuns: 20_000 });
    const periodic = name === "sin" || name === "cos" || name === "tan";
    for (const x of special) if (!periodic || Math.abs(x) < 2 ** 144 || !Number.isFinite(x)) check(x);
  });

  test("exp2: 2", () => {
    const check = (x: number) => {
      if (!(distance(math.exp2(x), 2 ** x) <= 2)) expect([x, math.exp2(x)]).toEqual([x, 2 ** x]);
    };
    fc.assert(fc.property(spread(1e-20, 1100), check), { numRuns: 20_000 });
    special.forEach(check);
  });

  test("atan2: 2", () => {
    const check = (y: number, x: number) => {
      const [a, b] = [math.atan2(y, x), Math.atan2(y, x)];
      if (!(distance(a, b) <= 2)) expect([y, x, a]).toEqual([y, x, b]);
    };
    fc.assert(fc.property(spread(1e-100, 1e100), spread(1e-100, 1e100), check), { numRuns: 20_000 });
    for (const y of special) for (const x of special) check(y, x);
    for (const y of [0, -0]) for (const x of [1, -1, 0, -0]) expect(math.atan2(y, x)).toBe(Math.atan2(y, x));
  });

  test("pow: 1, for positive bases", () => {
    const check = (x: number, y: number) => {
      const [a, b] = [math.pow(x, y), x ** y];
      if (!(distance(a, b) <= 1)) expect([x, y, a]).toEqual([x, y, b]);
    };
    const base = fc.oneof(spread(0.5, 2), spread(5e-324, 1e308)).map(Math.abs);
    fc.assert(fc.property(base, fc.oneof(spread(1e-10, 1e4), fc.integer({ min: -40, max: 40 })), check), {
      numRuns: 20_000,
    });
    for (const x of special.filter((value) => value > 0 && value < Infinity && value !== 1)) {
      for (const y of special) check(x, y);
    }
  });

  test("large arguments of sin and cos: 2", () => {
    for (let exponent = 28; exponent < 144; exponent++) {
      for (const x of [2 ** exponent, 2 ** exponent * (1 + 2 ** -23), 2 ** exponent * (2 - 2 ** -52)]) {
        expect(distance(math.sin(x), Math.sin(x)), String(x)).toBeLessThanOrEqual(2);
        expect(distance(math.cos(-x), Math.cos(-x)), String(-x)).toBeLessThanOrEqual(2);
      }
    }
  });

  test("from 2^144 on, arguments of sin and cos count as zero", () => {
    for (const x of [2 ** 144, 1e100, -1e300, Number.MAX_VALUE]) expect([math.sin(x) + 0, math.cos(x)]).toEqual([0, 1]);
  });
});

describe("shorter forms for f32", () => {
  const anyFloat = fc.float({ noNaN: true, noDefaultInfinity: true });
  const floats = fc.oneof(anyFloat, even(-10, 10).map(Math.fround), even(-700, 700).map(Math.fround));
  test.each(Object.entries(shortForms))("%s as %s", (name, short) => {
    const arity = mathFunctions[name as keyof typeof shortForms].parameters.length;
    const check = (...values: number[]): void => {
      const [long, ours] = [functions[name](...values), functions[short](...values)];
      const isPeriodic = ["sin", "cos", "tan"].includes(name);
      // There the specification asks for nothing.
      if (isPeriodic && Math.abs(values[0]) > 2 ** 31) return;
      if (name === "pow" && Math.abs(values[1]) === Infinity) return;
      // A product with π is only as exact as f64.
      const lost = isPeriodic ? 2 ** -51 * Math.abs(values[0]) * (name === "tan" ? 1 + long * long : 1) : 0;
      const limit = name === "pow" ? 2 ** -22 : name === "tan" ? 2 ** -26 : 2 ** -27;
      const isClose = Math.abs(ours - long) <= limit * Math.abs(long) + lost;
      if (!isClose && !Object.is(Math.fround(long), Math.fround(ours))) expect([values, ours]).toEqual([values, long]);
    };
    fc.assert(
      fc.property(fc.tuple(...new Array<fc.Arbitrary<number>>(arity).fill(floats)), (args) => check(...args)),
      {
        numRuns: 20_000,
      },
    );
    const extremes = special.map(Math.fround);
    for (const x of extremes) for (const y of arity === 2 ? extremes : [0]) check(...[x, y].slice(0, arity));
  });

  test("what is exact stays exact in f32", () => {
    for (let n = -149; n <= 127; n++) {
      const power = 2 ** n;
      expect([math.shortExp2(n), math.shortLog2(power), math.shortPow(2, n)].map(Math.fround)).toEqual([
        power,
        n,
        power,
      ]);
    }
    const { shortSin, shortCos, shortTan, shortExp, shortLog } = math;
    expect([shortSin(0), shortCos(0), shortTan(0), shortExp(0), shortLog(1)].map(Math.fround)).toEqual([0, 1, 0, 1, 0]);
    for (const [base, n] of [
      [3, 5],
      [10, 10],
      [7, 8],
      [-0, 2],
    ])
      expect(Math.fround(math.shortPow(base, n))).toBe(Math.fround(base ** n));
  });
});

describe("exact results", () => {
  test("powers of two", () => {
    for (let n = -1074; n <= 1023; n++) {
      const power = math.ldexp(1, n);
      expect([math.exp2(n), math.log2(power), math.pow(2, n)]).toEqual([power, n, power]);
    }
  });

  test("powers of integers, as far as f64 holds them", () => {
    for (let base = 1; base <= 30; base++) {
      for (let n = 0; base ** n <= 2 ** 53; n++) {
        expect(math.pow(base, n)).toBe(Number(BigInt(base) ** BigInt(n)));
        if (base === 1 && n > 60) break;
      }
    }
  });

  test.each<[string, number, number]>([
    ["sin(0)", math.sin(0), 0],
    ["cos(0)", math.cos(0), 1],
    ["tan(0)", math.tan(0), 0],
    ["exp(0)", math.exp(0), 1],
    ["log(1)", math.log(1), 0],
    ["acos(1)", math.acos(1), 0],
    ["acosh(1)", math.acosh(1), 0],
    ["cosh(0)", math.cosh(0), 1],
    ["asin(1)", math.asin(1), Math.PI / 2],
    ["acos(-1)", math.acos(-1), Math.PI],
    ["atan(∞)", math.atan(Infinity), Math.PI / 2],
    ["atan2(0, -1)", math.atan2(0, -1), Math.PI],
    ["tanh(∞)", math.tanh(Infinity), 1],
    ["degrees(π)", math.degrees(Math.PI), 180],
    ["radians(180)", math.radians(180), Math.PI],
    ["pow(4, 0.5)", math.pow(4, 0.5), 2],
    ["pow(∞, 2)", math.pow(Infinity, 2), Infinity],
    ["pow(∞, -2)", math.pow(Infinity, -2), 0],
    ["pow(0, 2)", math.pow(0, 2), 0],
    ["pow(0, -2)", math.pow(0, -2), Infinity],
    ["inverseSqrt(4)", math.inverseSqrt(4), 0.5],
    ["inverseSqrt(0)", math.inverseSqrt(0), Infinity],
  ])("%s = %d", (_, value, right) => {
    expect(value).toBeCloseTo(right, 15);
    if (Number.isInteger(right)) expect(value).toBe(right);
  });
});

describe("outside of the domain", () => {
  test.each<[string, number]>([
    ["sin(∞)", math.sin(Infinity)],
    ["cos(-∞)", math.cos(-Infinity)],
    ["tan(∞)", math.tan(Infinity)],
    ["asin(1.1)", math.asin(1.1)],
    ["acos(-1.1)", math.acos(-1.1)],
    ["acosh(0.9)", math.acosh(0.9)],
    ["acosh(-2)", math.acosh(-2)],
    ["atanh(1.1)", math.atanh(1.1)],
    ["log(-1)", math.log(-1)],
    ["log2(-∞)", math.log2(-Infinity)],
    ["sqrt(-1)", math.sqrt(-1)],
    ["inverseSqrt(-1)", math.inverseSqrt(-1)],
    ["pow(-1, 2)", math.pow(-1, 2)],
    ["pow(0, 0)", math.pow(0, 0)],
    ["pow(∞, 0)", math.pow(Infinity, 0)],
  ])("%s is NaN", (_, value) => {
    expect(value).toBe(NaN);
  });

  test("NaN comes through", () => {
    const deaf: readonly string[] = ["frexpExp", "sign", "step", "min", "max", "clamp", "ldexp"];
    for (const [name, { parameters }] of Object.entries(mathFunctions)) {
      if (deaf.includes(name)) continue;
      parameters.forEach((_, position) => {
        const values = parameters.map((__, i) => (i === position ? NaN : 0.5));
        const call = functions[name];
        expect(call(...values), `${name}(${values})`).toBe(NaN);
      });
    }
  });
});

describe("functions of a few operations", () => {
  test.each<[string, number[], number[]]>([
    [
      "round",
      [0.5, 1.5, 2.5, -0.5, -1.5, 0.49999999999999994, 2251799813685248.5, 1e300],
      [0, 2, 2, -0, -2, 0, 2251799813685248, 1e300],
    ],
    ["floor", [1.5, -1.5, -0.1], [1, -2, -1]],
    ["ceil", [1.5, -1.5, 0.1], [2, -1, 1]],
    ["trunc", [1.5, -1.5], [1, -1]],
    ["fract", [1.25, -1.25, -1e-20], [0.25, 0.75, 1]],
    ["abs", [-1, 0, -0], [1, 0, 0]],
    ["sign", [2, -2, 0, -0], [1, -1, 0, 0]],
    ["saturate", [-1, 0.5, 2, Infinity], [0, 0.5, 1, 1]],
    ["modfWhole", [1.25, -1.25], [1, -1]],
    ["modfFract", [1.25, -1.25], [0.25, -0.25]],
  ])("%s", (name, values, results) => {
    expect(values.map((x) => functions[name](x))).toEqual(results);
  });

  test("of several arguments", () => {
    expect([math.min(1, 2), math.min(2, 1), math.max(1, 2), math.max(2, 1)]).toEqual([1, 1, 2, 2]);
    expect([math.clamp(5, 0, 1), math.clamp(-5, 0, 1), math.clamp(0.5, 0, 1)]).toEqual([1, 0, 0.5]);
    expect([math.mix(1, 3, 0.25), math.mix(1, 3, 0), math.mix(1, 3, 1)]).toEqual([1.5, 1, 3]);
    expect([math.step(1, 0.5), math.step(1, 1), math.step(1, 2)]).toEqual([0, 1, 1]);
    expect([-1, 0, 0.5, 1, 2].map((x) => math.smoothstep(0, 1, x))).toEqual([0, 0, 0.5, 1, 1]);
    expect(math.smoothstep(2, 0, 0.5)).toBe(0.84375);
    expect(math.fma(2, 3, 4)).toBe(10);
    expect([math.remainder(5.5, 2), math.remainder(-5.5, 2), math.remainder(5.5, -2)]).toEqual([1.5, -1.5, 1.5]);
    expect(math.remainder(1, 0)).toBe(NaN);
  });

  test("the remainder of f32 is exact while the quotient is less than 2^29", () => {
    const f32 = fc.float({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(f32, f32, (x, y) => {
        fc.pre(y !== 0 && Math.abs(x / y) < 2 ** 29);
        expect(math.remainder(x, y) + 0).toBe((x % y) + 0);
      }),
    );
  });

  test("frexp takes apart, ldexp puts together", () => {
    const check = (x: number) => {
      const [fraction, exponent] = [math.frexpFract(x), math.frexpExp(x)];
      if (x === 0 || !Number.isFinite(x)) {
        expect([fraction, exponent]).toEqual([x, 0]);
        return;
      }
      expect(Math.abs(fraction) >= 0.5 && Math.abs(fraction) < 1).toBe(true);
      expect(math.ldexp(fraction, exponent)).toBe(x);
    };
    fc.assert(fc.property(fc.double(), check), { numRuns: 2000 });
    special.forEach(check);
  });

  test.each([
    [1, -1074, 5e-324],
    [1, -1075, 0],
    [1.5, -1075, 5e-324],
    [3, 1022, 3 * 2 ** 1022],
    [1, 1024, Infinity],
    [5e-324, 2097, 2 ** 1023],
    [-1, 0x7fffffff, -Infinity],
    [-1, -0x80000000, -0],
    [0, 0x7fffffff, 0],
  ])("ldexp(%d, %d) = %d", (x, exponent, result) => {
    expect(math.ldexp(x, exponent)).toBe(result);
  });
});

test("the printed functions and the bodies on jsOps give the same bits", () => {
  const any = fc.oneof(fc.constantFrom(...special), fc.double(), fc.float(), spread(1e-3, 1e3));
  const integer = fc.oneof(fc.integer(), fc.integer({ min: -2100, max: 2100 }));
  for (const [name, { parameters, body }] of Object.entries<MathFunction>(mathFunctions)) {
    const printed = functions[name];
    const values = fc.tuple(...parameters.map(({ kind }) => (kind === "i32" ? integer : any)));
    fc.assert(
      fc.property(values, (numbers) => {
        const [a, b] = [printed(...numbers), body(jsOps as unknown as MathOps<number, number, number>, ...numbers)];
        if (!Object.is(a, b)) expect([name, numbers, a]).toEqual([name, numbers, b]);
      }),
      { numRuns: 500 },
    );
  }
});

test("rounded to f32, results are those of the engine's functions but for rare ties", () => {
  let [different, total] = [0, 0];
  const names = ["sin", "cos", "tan", "exp", "log", "log2", "atan", "sinh", "cosh", "tanh", "asinh"] as const;
  fc.assert(
    fc.property(even(0.01, 80).map(Math.fround), (x) => {
      for (const name of names) {
        total++;
        if (Math.fround(functions[name](x)) !== Math.fround(Math[name](x))) different++;
      }
    }),
    { numRuns: 20_000 },
  );
  expect(different / total).toBeLessThan(1e-5);
});
