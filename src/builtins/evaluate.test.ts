/** Const-evaluation at the edges that the specification draws; `test/differential` compares the rest with Tint. */
import { expect, test } from "vitest";
import { textOfValue } from "../diagnostics/diagnostic.ts";
import type { BinaryOperator } from "../syntax/ast.ts";
import type { Type } from "../types/type.ts";
import { ABSTRACT_FLOAT, ABSTRACT_INT, BOOL, F16, F32, I32, U32, vectorType } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import { convertValue } from "./convert-value.ts";
import { type Scalar, vectorValue } from "./evaluate-parts.ts";
import { type Resolution, resolveBinary, resolveBuiltin, resolveConstructor, resolveUnary } from "./resolve.ts";
import { type EvaluationResult, isEvaluationError } from "./row.ts";

const int = (value: bigint): ConstValue => ({ type: ABSTRACT_INT, value });
const float = (value: number): ConstValue => ({ type: ABSTRACT_FLOAT, value });
const i32 = (value: number): ConstValue => ({ type: I32, value });
const u32 = (value: number): ConstValue => ({ type: U32, value });
const f32 = (value: number): ConstValue => ({ type: F32, value });
const f16 = (value: number): ConstValue => ({ type: F16, value });

/** The plain value of a resolved call; a reason where there is none. */
function evaluated(resolution: Resolution, args: readonly ConstValue[]): unknown {
  if (!resolution.ok) return "no overload";
  const converted = args.map((arg, index) => convertValue(arg, resolution.args[index]));
  const failed = converted.find(isEvaluationError);
  return plain(failed ?? resolution.row.evaluate!(converted as ConstValue[], resolution.result));
}

function plain(result: EvaluationResult): unknown {
  if (isEvaluationError(result)) return textOfValue(result.error);
  return Array.isArray(result.value) ? (result.value as ConstValue[]).map(plain) : result.value;
}

function typesOf(args: readonly ConstValue[]): Type[] {
  return args.map((arg) => arg.type);
}

function call(name: string, ...args: ConstValue[]): unknown {
  return evaluated(resolveBuiltin(name as "abs", null, typesOf(args), true), args);
}

test.each<[string, ConstValue, ConstValue, unknown]>([
  ["+", int((1n << 63n) - 1n), int(1n), "the result overflows ‘abstract integer’"],
  ["+", i32(2147483647), i32(1), -2147483648],
  ["-", u32(0), u32(1), 4294967295],
  ["*", i32(65536), i32(65536), 0],
  ["*", f32(3e38), f32(2), "the result overflows ‘f32’"],
  ["/", i32(-2147483648), i32(-1), "the result overflows ‘i32’"],
  ["%", i32(-2147483648), i32(-1), "the result overflows ‘i32’"],
  ["/", float(1), int(0n), "the divisor is zero"],
  ["/", f32(0), f32(0), "the divisor is zero"],
  ["%", float(-7), float(3), -1],
  ["<<", i32(0x40000000), u32(1), "the result overflows ‘i32’"],
  ["<<", i32(-1), u32(31), -2147483648],
  ["<<", u32(1), u32(31), 2147483648],
  ["<<", u32(3), u32(31), "the result overflows ‘u32’"],
  ["<<", int(1n), u32(62), 1n << 62n],
  ["<<", int(1n), u32(63), "the result overflows ‘abstract integer’"],
  [">>", int(-1n), u32(200), -1n],
  [">>", u32(1), u32(32), "the shift amount is not less than 32, the bit width of ‘u32’"],
  ["==", float(0), float(-0), true],
  ["<", u32(4294967295), int(0n), false],
])("%s of %o and %o", (operator, left, right, expected) => {
  const resolution = resolveBinary(operator as BinaryOperator, left.type, right.type, true);
  expect(evaluated(resolution, [left, right])).toEqual(expected);
});

test("negation of the lowest value gives itself", () => {
  expect(evaluated(resolveUnary("-", I32), [i32(-2147483648)])).toBe(-2147483648);
  expect(evaluated(resolveUnary("-", ABSTRACT_INT), [int(-(1n << 63n))])).toBe(-(1n << 63n));
  expect(evaluated(resolveUnary("-", U32), [u32(1)])).toBe("no overload");
});

test.each<[string, readonly ConstValue[], unknown]>([
  ["acos", [f32(2)], "2 is outside of the domain [-1, 1]"],
  ["sqrt", [float(-1)], "-1 is outside of the domain [0, +∞]"],
  ["log", [f32(0)], "the result overflows ‘f32’"],
  ["inverseSqrt", [f32(0)], "the result overflows ‘f32’"],
  ["pow", [f32(-1), f32(2)], "the base -1 is negative"],
  ["exp", [f16(12)], "the result overflows ‘f16’"],
  ["abs", [i32(-2147483648)], -2147483648],
  ["clamp", [int(1n), int(3n), int(2n)], "low (3) is greater than high (2)"],
  ["smoothstep", [f32(1), f32(1), f32(0)], "both edges are 1"],
  ["ldexp", [f32(1), i32(129)], "the exponent 129 is greater than 128"],
  ["ldexp", [f32(0.5), i32(128)], 2 ** 127],
  ["extractBits", [i32(0b1010), u32(1), u32(3)], -3],
  ["extractBits", [u32(1), u32(30), u32(3)], "offset and count together are more than 32"],
  ["round", [f32(2.5)], 2],
  ["fract", [f32(-0.25)], 0.75],
  ["quantizeToF16", [f32(70000)], "70000 is outside of the range of ‘f16’"],
  ["frexp", [float(0)], [0, 0n]],
  ["modf", [f32(-1.5)], [-0.5, -1]],
  ["pack2x16float", [vectorValue(F32, [1, 1e9])], "1000000000 is outside of the range of ‘f16’"],
  ["unpack2x16float", [u32(0x7c00)], "the bits are no finite ‘f16’"],
  ["normalize", [vectorValue(F32, [0, 0])], "the vector has no length"],
  ["length", [vectorValue(F32, [3e30, 3e30])], "the result overflows ‘f32’"],
  ["dot", [vectorValue(ABSTRACT_INT, [1n, 2n]), vectorValue(ABSTRACT_INT, [3n, 4n])], 11n],
  ["select", [int(1n), float(2), { type: BOOL, value: true }], 2],
])("%s of %o", (name, args, expected) => {
  expect(call(name, ...args)).toEqual(expected);
});

test.each<[Type | "vec2" | "vec3" | "mat2x2" | "array", readonly ConstValue[], unknown]>([
  [F32, [int(4294967295n)], 4294967296],
  [BOOL, [f32(-0)], false],
  ["vec3", [int(1n), float(2), f32(3)], [1, 2, 3]],
  ["vec2", [], [0n, 0n]],
  [vectorType(2, I32), [vectorValue(F32, [1.9, -1.9])], [1, -1]],
  [
    "mat2x2",
    [int(1n), int(2n), int(3n), float(4)],
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ["array", [int(1n), u32(2)], [1, 2]],
])("construct %o from %o", (target, args, expected) => {
  expect(evaluated(resolveConstructor(target, typesOf(args), true), args)).toEqual(expected);
});

test.each<[Type, ConstValue, Scalar | readonly Scalar[] | string]>([
  [U32, f32(1), 0x3f800000],
  [F32, u32(0x7f800000), "the bits are an infinity as ‘f32’"],
  [U32, int(-1n), "the value -1 cannot be represented in ‘u32’"],
  [I32, int(-1n), -1],
  [U32, vectorValue(F16, [1, -2]), 0xc0003c00],
  [vectorType(2, F16), u32(0xc0003c00), [1, -2]],
])("bitcast to %o of %o", (type, value, expected) => {
  expect(evaluated(resolveBuiltin("bitcast", [type], [value.type], true), [value])).toEqual(expected);
});
