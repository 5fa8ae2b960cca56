import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as integer from "./integer.ts";

const edges = [0, 1, 2, 31, 32, 0x7ffffffe, 0x7fffffff];
const i32 = fc.oneof(fc.constantFrom(...edges, ...edges.map((x) => 0 - x), -0x80000000), fc.integer());
const u32 = fc.oneof(fc.constantFrom(...edges, 0x80000000, 0xffffffff), fc.integer({ min: 0, max: 0xffffffff }));
const i64 = fc.oneof(
  fc.constantFrom(0n, 1n, -1n, integer.ABSTRACT_INT_MIN, integer.ABSTRACT_INT_MAX),
  fc.bigInt({ min: integer.ABSTRACT_INT_MIN, max: integer.ABSTRACT_INT_MAX }),
);

const wrapI32 = (x: bigint) => Number(BigInt.asIntN(32, x));
const wrapU32 = (x: bigint) => Number(BigInt.asUintN(32, x));

type Operation = (a: number, b: number) => number | integer.NumericFailure;
type Reference = (a: bigint, b: bigint) => bigint;

function agree(operation: Operation, operands: fc.Arbitrary<number>, reference: (a: bigint, b: bigint) => unknown) {
  fc.assert(
    fc.property(operands, operands, (a, b) => {
      // `Object.is`, because a negative zero is no integer.
      expect(operation(a, b)).toBe(reference(BigInt(a), BigInt(b)));
    }),
    { numRuns: 1000 },
  );
}

describe("wrapping arithmetic", () => {
  test.each<[string, Operation, Operation, Reference]>([
    ["add", integer.addI32, integer.addU32, (a, b) => a + b],
    ["subtract", integer.subtractI32, integer.subtractU32, (a, b) => a - b],
    ["multiply", integer.multiplyI32, integer.multiplyU32, (a, b) => a * b],
    ["divide", integer.divideI32, integer.divideU32, (a, b) => (b === 0n ? a : a / b)],
    ["remainder", integer.remainderI32, integer.remainderU32, (a, b) => (b === 0n ? 0n : a % b)],
  ])("%s", (_, signed, unsigned, reference) => {
    agree(signed, i32, (a, b) => wrapI32(reference(a, b)));
    agree(unsigned, u32, (a, b) => wrapU32(reference(a, b)));
  });

  test("of one operand", () => {
    fc.assert(
      fc.property(i32, (a) => {
        expect(integer.negateI32(a)).toBe(wrapI32(-BigInt(a)));
        expect(integer.absI32(a)).toBe(wrapI32(a < 0 ? -BigInt(a) : BigInt(a)));
        expect(integer.signI32(a)).toBe(Math.sign(a) + 0);
      }),
    );
  });

  test("the limits that overflow", () => {
    const min = integer.I32_MIN;
    expect([integer.divideI32(min, -1), integer.remainderI32(min, -1), integer.negateI32(min)]).toEqual([min, 0, min]);
    expect([integer.divideI32(7, 0), integer.remainderI32(7, 0)]).toEqual([7, 0]);
    expect([integer.divideU32(7, 0), integer.remainderU32(7, 0)]).toEqual([7, 0]);
  });
});

describe("checked arithmetic", () => {
  const byZero = (b: bigint, result: unknown) => (b === 0n ? "zero-divisor" : result);
  const inI32 = (x: bigint, result: bigint) => (wrapI32(x) === Number(x) ? Number(result) : "overflow");

  test("division", () => {
    agree(integer.checkedDivideI32, i32, (a, b) => byZero(b, b && inI32(a / b, a / b)));
    agree(integer.checkedRemainderI32, i32, (a, b) => byZero(b, b && inI32(a / b, a % b)));
    agree(integer.checkedDivideU32, u32, (a, b) => byZero(b, b && Number(a / b)));
    agree(integer.checkedRemainderU32, u32, (a, b) => byZero(b, b && Number(a % b)));
    expect(integer.checkedDivideI32(integer.I32_MIN, -1)).toBe("overflow");
    expect(integer.checkedRemainderI32(integer.I32_MIN, -1)).toBe("overflow");
  });

  test("AbstractInt", () => {
    const inI64 = (x: bigint, result = x) => (BigInt.asIntN(64, x) === x ? result : "overflow");
    fc.assert(
      fc.property(i64, i64, (a, b) => {
        expect(integer.checkedAddAbstractInt(a, b)).toBe(inI64(a + b));
        expect(integer.checkedSubtractAbstractInt(a, b)).toBe(inI64(a - b));
        expect(integer.checkedMultiplyAbstractInt(a, b)).toBe(inI64(a * b));
        expect(integer.checkedDivideAbstractInt(a, b)).toBe(b ? inI64(a / b) : "zero-divisor");
        expect(integer.checkedRemainderAbstractInt(a, b)).toBe(b ? inI64(a / b, a % b) : "zero-divisor");
        expect(integer.negateAbstractInt(a)).toBe(BigInt.asIntN(64, -a));
        expect(integer.absAbstractInt(a)).toBe(BigInt.asIntN(64, a < 0n ? -a : a));
        expect(integer.signAbstractInt(a)).toBe(a < 0n ? -1n : a > 0n ? 1n : 0n);
      }),
    );
    expect(integer.checkedDivideAbstractInt(integer.ABSTRACT_INT_MIN, -1n)).toBe("overflow");
    expect(integer.checkedRemainderAbstractInt(integer.ABSTRACT_INT_MIN, -1n)).toBe("overflow");
    expect(integer.absAbstractInt(integer.ABSTRACT_INT_MIN)).toBe(integer.ABSTRACT_INT_MIN);
  });
});

describe("shifts", () => {
  const amounts = fc.oneof(fc.integer({ min: 0, max: 70 }), u32);

  test("amounts count modulo 32 at run time", () => {
    fc.assert(
      fc.property(i32, u32, amounts, (a, b, amount) => {
        const n = BigInt(amount % 32);
        expect(integer.shiftLeftI32(a, amount)).toBe(wrapI32(BigInt(a) << n));
        expect(integer.shiftRightI32(a, amount)).toBe(Number(BigInt(a) >> n));
        expect(integer.shiftLeftU32(b, amount)).toBe(wrapU32(BigInt(b) << n));
        expect(integer.shiftRightU32(b, amount)).toBe(Number(BigInt(b) >> n));
      }),
      { numRuns: 1000 },
    );
  });

  test("constants lose neither bits nor sign", () => {
    fc.assert(
      fc.property(i32, u32, amounts, (a, b, amount) => {
        const n = BigInt(Math.min(amount, 40));
        const [left, leftU] = [BigInt(a) << n, BigInt(b) << n];
        const unless = (result: unknown) => (amount > 31 ? "shift-amount" : result);
        expect(integer.checkedShiftLeftI32(a, amount)).toBe(
          unless(wrapI32(left) === Number(left) ? Number(left) : "overflow"),
        );
        expect(integer.checkedShiftLeftU32(b, amount)).toBe(
          unless(wrapU32(leftU) === Number(leftU) ? Number(leftU) : "overflow"),
        );
        expect(integer.checkedShiftRightI32(a, amount)).toBe(unless(Number(BigInt(a) >> n)));
        expect(integer.checkedShiftRightU32(b, amount)).toBe(unless(Number(BigInt(b) >> n)));
      }),
      { numRuns: 1000 },
    );
  });

  test.each<[bigint, number, unknown]>([
    [1n, 62, 1n << 62n],
    [1n, 63, "overflow"],
    [-1n, 63, integer.ABSTRACT_INT_MIN],
    [-1n, 64, "overflow"],
    [1n, 0xffffffff, "overflow"],
    [0n, 0xffffffff, 0n],
  ])("%d << %d", (a, amount, result) => {
    expect(integer.checkedShiftLeftAbstractInt(a, amount)).toBe(result);
  });

  test("an AbstractInt is shifted right by any amount", () => {
    expect([5n, -5n].map((a) => integer.shiftRightAbstractInt(a, 1))).toEqual([2n, -3n]);
    expect([5n, -5n].map((a) => integer.shiftRightAbstractInt(a, 0xffffffff))).toEqual([0n, -1n]);
  });
});

describe("bits", () => {
  const binary = (a: number) => (a >>> 0).toString(2).padStart(32, "0");

  test("counting and finding", () => {
    fc.assert(
      fc.property(fc.oneof(i32, u32), (a) => {
        const bits = binary(a);
        const first = bits.indexOf("1");
        const last = bits.lastIndexOf("1");
        expect(integer.countOneBits(a)).toBe(bits.replaceAll("0", "").length);
        expect(integer.countLeadingZeros(a)).toBe(first < 0 ? 32 : first);
        expect(integer.countTrailingZeros(a)).toBe(last < 0 ? 32 : 31 - last);
        expect(integer.firstLeadingBitU32(a)).toBe(first < 0 ? 0xffffffff : 31 - first);
        expect(integer.firstTrailingBitI32(a)).toBe(last < 0 ? -1 : 31 - last);
        expect(integer.firstTrailingBitU32(a)).toBe(last < 0 ? 0xffffffff : 31 - last);
        const differs = bits.indexOf(bits[0] === "0" ? "1" : "0");
        expect(integer.firstLeadingBitI32(a | 0)).toBe(differs < 0 ? -1 : 31 - differs);
        const reversed = Number.parseInt([...bits].reverse().join(""), 2);
        expect(integer.reverseBitsU32(a)).toBe(reversed);
        expect(integer.reverseBitsI32(a)).toBe(reversed | 0);
      }),
      { numRuns: 1000 },
    );
  });

  const field = fc.oneof(fc.integer({ min: 0, max: 40 }), u32);

  test("fields, also those that reach beyond the word", () => {
    fc.assert(
      fc.property(fc.oneof(i32, u32), fc.oneof(i32, u32), field, field, (a, inserted, offset, count) => {
        const o = Math.min(offset, 32);
        const c = Math.min(count, 32 - o);
        // Bit 0 first.
        const bits = [...binary(a)].reverse();
        const taken = bits.slice(o, o + c);
        const number = (digits: string[]) => Number.parseInt([...digits].reverse().join("") || "0", 2);
        expect(integer.extractBitsU32(a, offset, count)).toBe(number(taken));
        const sign = taken[c - 1] ?? "0";
        const extended = [...taken, ...new Array<string>(32 - c).fill(sign)];
        expect(integer.extractBitsI32(a, offset, count)).toBe(number(extended) | 0);
        const source = [...binary(inserted)].reverse();
        const merged = bits.map((bit, i) => (i >= o && i < o + c ? source[i - o] : bit));
        expect(integer.insertBitsU32(a, inserted, offset, count)).toBe(number(merged));
        expect(integer.insertBitsI32(a, inserted, offset, count)).toBe(number(merged) | 0);
        expect(integer.bitRangeFits(offset, count)).toBe(offset + count <= 32);
      }),
      { numRuns: 2000 },
    );
  });

  test("dot products of bytes", () => {
    const bytes = (a: number) => [0, 8, 16, 24].map((shift) => (a >>> shift) & 0xff);
    const signed = (a: number) => bytes(a).map((byte) => (byte > 127 ? byte - 256 : byte));
    const dot = (a: number[], b: number[]) => a.reduce((sum, x, i) => sum + x * b[i], 0);
    fc.assert(
      fc.property(u32, u32, (a, b) => {
        expect(integer.dot4U8Packed(a, b)).toBe(dot(bytes(a), bytes(b)));
        expect(integer.dot4I8Packed(a, b)).toBe(dot(signed(a), signed(b)));
      }),
    );
    expect(integer.dot4I8Packed(0x80808080, 0x80808080)).toBe(65536);
    expect(integer.dot4U8Packed(0xffffffff, 0xffffffff)).toBe(260100);
  });
});
