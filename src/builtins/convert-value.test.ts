import { expect, test } from "vitest";
import { textOfValue } from "../diagnostics/diagnostic.ts";
import { frexpResultType } from "../types/result-types.ts";
import { ABSTRACT_FLOAT, ABSTRACT_INT, F16, F32, I32, type ScalarType, U32, vectorType } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import { concretizeValue, convertScalar, convertValue } from "./convert-value.ts";
import { evaluateFrexp } from "./evaluate-numeric.ts";
import { vectorValue } from "./evaluate-parts.ts";
import { type EvaluationResult, isEvaluationError } from "./row.ts";

function shown(result: EvaluationResult): unknown {
  if (isEvaluationError(result)) return textOfValue(result.error);
  return Array.isArray(result.value) ? result.value.map(shown) : result.value;
}

test.each<[ScalarType, bigint | number, ScalarType, unknown]>([
  [ABSTRACT_INT, 4294967295n, U32, 4294967295],
  [ABSTRACT_INT, 4294967296n, U32, "the value 4294967296 cannot be represented in ‘u32’"],
  [ABSTRACT_INT, -1n, U32, "the value -1 cannot be represented in ‘u32’"],
  [ABSTRACT_INT, -2147483648n, I32, -2147483648],
  [ABSTRACT_INT, 2147483648n, I32, "the value 2147483648 cannot be represented in ‘i32’"],
  [ABSTRACT_INT, 16777217n, F32, 16777216],
  [ABSTRACT_INT, 65504n, F16, 65504],
  [ABSTRACT_INT, 65505n, F16, "the value 65505 cannot be represented in ‘f16’"],
  [ABSTRACT_FLOAT, 0.1, F32, Math.fround(0.1)],
  [ABSTRACT_FLOAT, 3.5e38, F32, "the value 3.5e+38 cannot be represented in ‘f32’"],
])("%o %s to %o", (from, value, to, expected) => {
  expect(shown(convertValue({ type: from, value } as ConstValue, to))).toBe(expected);
});

test("part by part", () => {
  const value = vectorValue(ABSTRACT_INT, [1n, 2n]);
  expect(shown(convertValue(value, vectorType(2, F32)))).toEqual([1, 2]);
  expect(shown(concretizeValue(vectorValue(ABSTRACT_INT, [1n, 1n << 40n])))).toBe(
    "the value 1099511627776 cannot be represented in ‘i32’",
  );
});

test("the result of frexp becomes concrete", () => {
  const abstract = evaluateFrexp([{ type: ABSTRACT_FLOAT, value: 12 }], frexpResultType(ABSTRACT_FLOAT)) as ConstValue;
  expect(shown(abstract)).toEqual([0.75, 4n]);
  const concrete = concretizeValue(abstract) as ConstValue;
  expect(concrete.type).toBe(frexpResultType(F32));
  expect(shown(concrete)).toEqual([0.75, 4]);
});

test("constructors convert what is not converted automatically", () => {
  expect(shown(convertScalar({ type: F32, value: 1e20 }, I32))).toBe(2147483520);
  expect(shown(convertScalar({ type: F32, value: -3.9 }, I32))).toBe(-3);
  expect(shown(convertScalar({ type: U32, value: 4294967295 }, I32))).toBe(-1);
  expect(shown(convertScalar({ type: F32, value: 70000 }, F16))).toBe("the value 70000 cannot be represented in ‘f16’");
});
