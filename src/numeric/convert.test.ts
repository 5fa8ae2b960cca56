import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as convert from "./convert.ts";
import { f16FromBits, f16ToBits } from "./float16.ts";
import { F32_MAX, f32FromBits, f32ToBits } from "./float32.ts";

const u32 = fc.oneof(
  fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, 0x80808080, 0xffffffff),
  fc.integer({ min: 0, max: 0xffffffff }),
);
const f32 = fc.float();

describe("floating point to integer", () => {
  test.each<[string, (x: number) => number, [number, number][]]>([
    [
      "f32 to i32",
      convert.i32FromF32,
      [
        [3.9, 3],
        [-3.9, -3],
        [-0.5, 0],
        [1e20, 2147483520],
        [2147483648, 2147483520],
        [2147483520, 2147483520],
        [2147483392, 2147483392],
        [-1e20, -2147483648],
        [-2147483648, -2147483648],
        [Infinity, 2147483520],
        [-Infinity, -2147483648],
        [NaN, 0],
      ],
    ],
    [
      "f32 to u32",
      convert.u32FromF32,
      [
        [3.9, 3],
        [-1, 0],
        [-0, 0],
        [0.9, 0],
        [1e20, 4294967040],
        [4294967040, 4294967040],
        [2147483648, 2147483648],
        [-Infinity, 0],
        [NaN, 0],
      ],
    ],
    [
      "f16 to i32",
      convert.i32FromF16,
      [
        [-3.9, -3],
        [65504, 65504],
        [Infinity, 65504],
        [-Infinity, -65504],
        [NaN, 0],
      ],
    ],
    [
      "f16 to u32",
      convert.u32FromF16,
      [
        [3.9, 3],
        [-3.9, 0],
        [Infinity, 65504],
        [-Infinity, 0],
        [NaN, 0],
      ],
    ],
    [
      "AbstractFloat to i32",
      convert.i32FromAbstractFloat,
      [
        [2147483646.9, 2147483646],
        [1e20, 2147483647],
        [-1e20, -2147483648],
        [-2147483647.5, -2147483647],
      ],
    ],
    [
      "AbstractFloat to u32",
      convert.u32FromAbstractFloat,
      [
        [4294967294.9, 4294967294],
        [1e20, 4294967295],
        [-1, 0],
      ],
    ],
  ])("%s", (_, conversion, cases) => {
    for (const [x, result] of cases) expect(conversion(x), String(x)).toBe(result);
  });

  test("what fits is truncated", () => {
    fc.assert(
      fc.property(f32, (x) => {
        const whole = Math.trunc(x) + 0;
        if (whole >= -2147483648 && whole <= 2147483520) expect(convert.i32FromF32(x)).toBe(whole);
        if (whole >= 0 && whole <= 4294967040) expect(convert.u32FromF32(x)).toBe(whole);
      }),
    );
  });
});

describe("to other types", () => {
  test("bool", () => {
    const values = [0, -0, 1, 0.1, NaN, 0n, -1n];
    expect(values.map(convert.boolFromNumber)).toEqual([false, false, true, true, true, false, true]);
    expect([true, false].map(convert.numberFromBool)).toEqual([1, 0]);
  });

  test("i32 and u32 reinterpret each other", () => {
    expect([convert.i32FromU32(0xffffffff), convert.i32FromU32(0x80000000)]).toEqual([-1, -0x80000000]);
    expect([convert.u32FromI32(-1), convert.u32FromI32(-0x80000000)]).toEqual([0xffffffff, 0x80000000]);
  });

  test("AbstractInt has to fit", () => {
    const wide = [-(2n ** 31n) - 1n, -(2n ** 31n), -1n, 2n ** 31n - 1n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 32n];
    const o = "overflow";
    expect(wide.map(convert.checkedI32FromAbstractInt)).toEqual([o, -(2 ** 31), -1, 2 ** 31 - 1, o, o, o]);
    expect(wide.map(convert.checkedU32FromAbstractInt)).toEqual([o, o, o, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, o]);
    expect([65504n, 65505n, -65504n, -65505n].map(convert.checkedF16FromAbstractInt)).toEqual([65504, o, -65504, o]);
    expect(convert.f32FromAbstractInt(2n ** 63n - 1n)).toBe(2 ** 63);
    expect(convert.abstractFloatFromAbstractInt(2n ** 53n + 1n)).toBe(2 ** 53);
  });

  test("a constant outside of the finite range is refused even where it would round into it", () => {
    expect([F32_MAX, F32_MAX * (1 + 2 ** -52), 1e39, Infinity, NaN].map(convert.checkedF32)).toEqual([
      F32_MAX,
      "overflow",
      "overflow",
      "overflow",
      "overflow",
    ]);
    expect([65504, 65504.01, -65505, 0.1].map(convert.checkedF16)).toEqual([
      65504,
      "overflow",
      "overflow",
      0.0999755859375,
    ]);
  });

  test("a running shader rounds", () => {
    expect(convert.f32FromNumber(0xffffffff)).toBe(2 ** 32);
    expect(convert.f16FromNumber(70000)).toBe(Infinity);
    expect([0.1, 65519, -1e-9].map(convert.quantizeToF16)).toEqual([0.0999755859375, 65504, -0]);
  });
});

test("bitcasts keep all bits but those of NaN", () => {
  fc.assert(
    fc.property(u32, (bits) => {
      const x = convert.bitcastToF32(bits);
      expect(convert.bitcastToF32(bits | 0)).toBe(x);
      if (x === x) {
        expect(convert.bitcastF32ToU32(x)).toBe(bits);
        expect(convert.bitcastF32ToI32(x)).toBe(bits | 0);
      }
      const [low, high] = [convert.bitcastToF16(bits, 0), convert.bitcastToF16(bits, 1)];
      expect(low).toBe(f16FromBits(bits & 0xffff));
      if (low === low && high === high) expect(convert.bitcastVec2F16ToU32(low, high)).toBe(bits);
    }),
  );
});

describe("packing", () => {
  const norm = (x: number, low: number, scale: number) => Math.floor(0.5 + scale * Math.min(1, Math.max(low, x)));
  const combine = (width: number, values: number[]) =>
    Number(values.reduce((sum, x, i) => sum | (BigInt.asUintN(width, BigInt(x)) << BigInt(width * i)), 0n));
  const value = fc.oneof(fc.float({ min: -2, max: 2, noNaN: true }), fc.float({ noNaN: true }));

  test("normalized values", () => {
    fc.assert(
      fc.property(value, value, value, value, (x, y, z, w) => {
        const four = [x, y, z, w];
        expect(convert.pack4x8snorm(x, y, z, w)).toBe(
          combine(
            8,
            four.map((e) => norm(e, -1, 127)),
          ),
        );
        expect(convert.pack4x8unorm(x, y, z, w)).toBe(
          combine(
            8,
            four.map((e) => norm(e, 0, 255)),
          ),
        );
        expect(convert.pack2x16snorm(x, y)).toBe(
          combine(
            16,
            [x, y].map((e) => norm(e, -1, 32767)),
          ),
        );
        expect(convert.pack2x16unorm(x, y)).toBe(
          combine(
            16,
            [x, y].map((e) => norm(e, 0, 65535)),
          ),
        );
        expect(convert.pack2x16float(x, y)).toBe(combine(16, [x, y].map(f16ToBits)));
      }),
    );
  });

  test.each([
    [[1, -1, 0, 0.5], 0x4000817f, 0x800000ff],
    [[2, -2, -0.5, 1 / 255], 0x00c1817f, 0x010000ff],
    [[NaN, 0, 0, 0], 0x00000081, 0x00000000],
  ])("%j as snorm and unorm", ([x, y, z, w], snorm, unorm) => {
    expect(convert.pack4x8snorm(x, y, z, w)).toBe(snorm);
    expect(convert.pack4x8unorm(x, y, z, w)).toBe(unorm);
  });

  test("integers", () => {
    const i32 = fc.oneof(fc.integer({ min: -300, max: 300 }), fc.integer());
    const clamp = (low: number, high: number) => (x: number) => Math.min(high, Math.max(low, x));
    fc.assert(
      fc.property(i32, i32, i32, i32, (...four) => {
        const unsigned = four.map((x) => x >>> 0) as typeof four;
        expect(convert.pack4xI8(...four)).toBe(combine(8, four));
        expect(convert.pack4xU8(...unsigned)).toBe(combine(8, four));
        expect(convert.pack4xI8Clamp(...four)).toBe(combine(8, four.map(clamp(-128, 127))));
        expect(convert.pack4xU8Clamp(...unsigned)).toBe(combine(8, unsigned.map(clamp(0, 255))));
      }),
    );
  });

  test("unpacking inverts packing", () => {
    fc.assert(
      fc.property(u32, (bits) => {
        const four = (unpack: (bits: number, index: number) => number) =>
          [0, 1, 2, 3].map((index) => unpack(bits, index)) as [number, number, number, number];
        const two = (unpack: (bits: number, index: number) => number) => [unpack(bits, 0), unpack(bits, 1)] as const;
        expect(convert.pack4xI8(...four(convert.unpack4xI8))).toBe(bits);
        expect(convert.pack4xU8(...four(convert.unpack4xU8))).toBe(bits);
        expect(convert.pack4x8unorm(...four(convert.unpack4x8unorm))).toBe(bits);
        expect(convert.pack2x16unorm(...two(convert.unpack2x16unorm))).toBe(bits);
        // The lowest code and the one above both mean -1.
        const bytes = combine(
          8,
          four(convert.unpack4xI8).map((x) => Math.max(x, -127)),
        );
        expect(convert.pack4x8snorm(...four(convert.unpack4x8snorm))).toBe(bytes);
        const halves = combine(16, two((b, i) => Math.max((b << (16 - 16 * i)) >> 16, -32767)).slice());
        expect(convert.pack2x16snorm(...two(convert.unpack2x16snorm))).toBe(halves);
        const [low, high] = two(convert.unpack2x16float);
        if (low === low && high === high) expect(convert.pack2x16float(low, high)).toBe(bits);
      }),
    );
  });

  test("unpacked values are f32", () => {
    expect(convert.unpack4x8unorm(0x00000001, 0)).toBe(Math.fround(1 / 255));
    expect(convert.unpack4x8snorm(0x80818001, 3)).toBe(-1);
    expect(convert.unpack2x16snorm(0x80000001, 1)).toBe(-1);
    expect(convert.unpack2x16unorm(0xffff0001, 0)).toBe(Math.fround(1 / 65535));
    expect(f32ToBits(f32FromBits(1))).toBe(1);
  });
});
