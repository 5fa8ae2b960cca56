import { expect, test } from "vitest";
import { commonType, concretize, conversionRank, pointerArgumentRank } from "./conversion.ts";
import { compareExchangeResultType, frexpResultType, modfResultType } from "./result-types.ts";
import {
  ABSTRACT_FLOAT,
  ABSTRACT_INT,
  arrayType,
  BOOL,
  bufferType,
  F16,
  F32,
  I32,
  matrixType,
  pointerType,
  referenceType,
  type Type,
  typeName,
  U32,
  vectorType,
} from "./type.ts";

const vec = (element: typeof F32) => vectorType(3, element);

test.each<[Type, Type, number]>([
  [F32, F32, 0],
  [F32, F16, Infinity],
  [I32, U32, Infinity],
  [BOOL, I32, Infinity],
  [ABSTRACT_FLOAT, F32, 1],
  [ABSTRACT_FLOAT, F16, 2],
  [ABSTRACT_FLOAT, I32, Infinity],
  [ABSTRACT_INT, I32, 3],
  [ABSTRACT_INT, U32, 4],
  [ABSTRACT_INT, ABSTRACT_FLOAT, 5],
  [ABSTRACT_INT, F32, 6],
  [ABSTRACT_INT, F16, 7],
  [F32, ABSTRACT_FLOAT, Infinity],
  [vec(ABSTRACT_INT), vec(F32), 6],
  [vec(ABSTRACT_INT), vectorType(2, F32), Infinity],
  [vec(ABSTRACT_INT), F32, Infinity],
  [matrixType(2, 3, ABSTRACT_FLOAT), matrixType(2, 3, F16), 2],
  [matrixType(2, 3, ABSTRACT_FLOAT), matrixType(3, 2, F16), Infinity],
  [arrayType(vec(ABSTRACT_INT), 4), arrayType(vec(U32), 4), 4],
  [arrayType(ABSTRACT_INT, 4), arrayType(U32, 5), Infinity],
  [frexpResultType(ABSTRACT_FLOAT), frexpResultType(F16), 2],
  [modfResultType(vec(ABSTRACT_FLOAT)), modfResultType(vec(F32)), 1],
  [modfResultType(ABSTRACT_FLOAT), frexpResultType(F32), Infinity],
  [referenceType("storage", U32, "read"), U32, 0],
  [referenceType("storage", U32, "write"), U32, Infinity],
  [referenceType("storage", U32, "read"), I32, Infinity],
])("%o to %o", (from, to, rank) => {
  expect(conversionRank(from, to)).toBe(rank);
});

test.each<[Type, string]>([
  [ABSTRACT_INT, "i32"],
  [ABSTRACT_FLOAT, "f32"],
  [arrayType(vec(ABSTRACT_FLOAT), 2), "array<vec3<f32>, 2>"],
  [frexpResultType(vec(ABSTRACT_FLOAT)), "__frexp_result_vec3_f32"],
  [referenceType("private", U32, "read_write"), "u32"],
  [F16, "f16"],
])("%o becomes %s", (type, name) => {
  expect(typeName(concretize(type))).toBe(name);
});

test("result structures are interned", () => {
  expect(compareExchangeResultType(I32)).toBe(compareExchangeResultType(I32));
  expect(typeName(compareExchangeResultType(U32))).toBe("__atomic_compare_exchange_result<u32>");
  expect(frexpResultType(ABSTRACT_FLOAT).members.map((member) => typeName(member.type))).toEqual([
    "abstract float",
    "abstract integer",
  ]);
});

test("the common type of several", () => {
  expect(commonType([ABSTRACT_INT, ABSTRACT_FLOAT])).toBe(ABSTRACT_FLOAT);
  expect(commonType([ABSTRACT_INT, referenceType("function", U32, "read_write")])).toBe(U32);
  expect(commonType([I32, U32])).toBe(null);
  expect(commonType([])).toBe(null);
});

test("pointers to buffers shrink", () => {
  const pointer = (size: number | null) => pointerType("storage", bufferType(size), "read");
  expect(pointerArgumentRank(pointer(64), pointer(32))).toBe(1);
  expect(pointerArgumentRank(pointer(64), pointer(null))).toBe(1);
  expect(pointerArgumentRank(pointer(32), pointer(64))).toBe(Infinity);
  expect(pointerArgumentRank(pointer(null), pointer(32))).toBe(Infinity);
  expect(pointerArgumentRank(pointer(32), pointer(32))).toBe(0);
});
