import { expect, test } from "vitest";
import { textOfValue } from "../diagnostics/diagnostic.ts";
import { F32, I32, type Type, U32, vectorType } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import { checkConstArguments } from "./const-checks.ts";
import { vectorValue } from "./evaluate-parts.ts";
import { resolveBinary, resolveBuiltin } from "./resolve.ts";
import type { BuiltinRow, EvaluationError } from "./row.ts";
import { rowsOf } from "./table.ts";

const said = (problem: EvaluationError | null) => (problem === null ? null : textOfValue(problem.error));

const i32 = (value: number): ConstValue => ({ type: I32, value });
const u32 = (value: number): ConstValue => ({ type: U32, value });
const f32 = (value: number): ConstValue => ({ type: F32, value });

function rowOf(name: string, args: readonly Type[]): BuiltinRow {
  const resolved = /\w/.test(name)
    ? resolveBuiltin(name as "clamp", null, args, false)
    : resolveBinary(name as "/", args[0], args[1], false);
  if (!resolved.ok) throw new Error(`no overload of ${name}`);
  return resolved.row;
}

test.each<[string, readonly Type[], readonly (ConstValue | null)[], string | null]>([
  ["/", [I32, I32], [null, i32(0)], "the divisor is zero"],
  ["/", [I32, I32], [i32(1), null], null],
  ["/", [F32, F32], [null, f32(0)], null],
  ["%", [U32, U32], [null, u32(0)], "the divisor is zero"],
  ["<<", [I32, U32], [null, u32(32)], "the shift amount is not less than 32, the bit width of ‘i32’"],
  [">>", [U32, U32], [null, u32(31)], null],
  ["clamp", [I32, I32, I32], [null, i32(2), i32(1)], "low (2) is greater than high (1)"],
  ["clamp", [I32, I32, I32], [null, i32(2), null], null],
  ["smoothstep", [F32, F32, F32], [f32(1), f32(1), null], "both edges are 1"],
  ["ldexp", [F32, I32], [null, i32(129)], "the exponent 129 is greater than 128"],
  ["ldexp", [F32, I32], [null, i32(128)], null],
  ["extractBits", [U32, U32, U32], [null, u32(30), u32(3)], "offset and count together are more than 32"],
  ["insertBits", [U32, U32, U32, U32], [null, null, u32(30), u32(2)], null],
  ["subgroupShuffle", [F32, U32], [null, u32(128)], "128 is not from 0 to 127"],
  ["subgroupShuffle", [F32, U32], [null, null], null],
  ["subgroupBroadcast", [F32, I32], [null, null], "‘id’ has to be a const-expression"],
  ["quadBroadcast", [F32, I32], [null, i32(-1)], "-1 is not from 0 to 3"],
])("%s of %o with %o", (name, types, args, reason) => {
  expect(said(checkConstArguments(rowOf(name, types), args, types[0]))).toBe(reason);
});

test("any component of a vector", () => {
  const vector = vectorType(2, I32);
  const row = rowOf("/", [vector, vector]);
  expect(said(checkConstArguments(row, [null, vectorValue(I32, [1, 0])], vector))).toBe("the divisor is zero");
  expect(checkConstArguments(row, [null, vectorValue(I32, [1, 2])], vector)).toBe(null);
});

test("texel offsets and components of a gather", () => {
  const row = rowsOf("textureGather").find(({ signature }) => signature.includes("offset: vec2<i32>"))!;
  const check = (component: ConstValue | null, offset: ConstValue | null) =>
    said(checkConstArguments(row, [component, null, null, null, offset], vectorType(4, F32)));
  expect(check(i32(3), vectorValue(I32, [-8, 7]))).toBe(null);
  expect(check(i32(4), vectorValue(I32, [0, 0]))).toBe("the component 4 is not from 0 to 3");
  expect(check(i32(0), vectorValue(I32, [0, 8]))).toBe("the offset 8 is not from -8 to 7");
  expect(check(null, vectorValue(I32, [0, 0]))).toBe("‘component’ has to be a const-expression");
  expect(check(i32(0), null)).toBe("‘offset’ has to be a const-expression");
});
