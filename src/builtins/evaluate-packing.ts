/** Const-evaluation of data packing. spec: #pack-builtin-functions, #unpack-builtin-functions */
import { phrase } from "../diagnostics/diagnostic.ts";
import * as convert from "../numeric/convert.ts";
import { F16_MAX } from "../numeric/float16.ts";
import { F32, I32, type ScalarType, U32 } from "../types/type.ts";
import { failure, numberOf, numbersOf, scalarValue, vectorValue } from "./evaluate-parts.ts";
import type { Evaluate } from "./row.ts";

/** From the components of a vector to a u32. */
function packing(pack: (...components: number[]) => number): Evaluate {
  return ([e]) => scalarValue(U32, pack(...numbersOf(e)));
}

/** From a u32 to a vector, component by component. */
function unpacking(element: ScalarType, count: number, unpack: (bits: number, index: number) => number): Evaluate {
  return ([e]) => {
    const bits = numberOf(e);
    return vectorValue(
      element,
      Array.from({ length: count }, (_, index) => unpack(bits, index)),
    );
  };
}

type Pack = (...components: number[]) => number;

export const evaluatePack4x8snorm = packing(convert.pack4x8snorm as Pack);
export const evaluatePack4x8unorm = packing(convert.pack4x8unorm as Pack);
export const evaluatePack4xI8 = packing(convert.pack4xI8 as Pack);
export const evaluatePack4xU8 = packing(convert.pack4xU8 as Pack);
export const evaluatePack4xI8Clamp = packing(convert.pack4xI8Clamp as Pack);
export const evaluatePack4xU8Clamp = packing(convert.pack4xU8Clamp as Pack);
export const evaluatePack2x16snorm = packing(convert.pack2x16snorm as Pack);
export const evaluatePack2x16unorm = packing(convert.pack2x16unorm as Pack);

/** spec: #pack2x16float-builtin: both components must be in the finite range of binary16. */
export const evaluatePack2x16float: Evaluate = (args, result) => {
  const outside = numbersOf(args[0]).find((x) => Math.abs(x) > F16_MAX);
  if (outside !== undefined) return failure(phrase("outside-of-type", { value: outside, type: "f16" }));
  return packing(convert.pack2x16float as Pack)(args, result);
};

export const evaluateUnpack4x8snorm = unpacking(F32, 4, convert.unpack4x8snorm);
export const evaluateUnpack4x8unorm = unpacking(F32, 4, convert.unpack4x8unorm);
export const evaluateUnpack4xI8 = unpacking(I32, 4, convert.unpack4xI8);
export const evaluateUnpack4xU8 = unpacking(U32, 4, convert.unpack4xU8);
export const evaluateUnpack2x16snorm = unpacking(F32, 2, convert.unpack2x16snorm);
export const evaluateUnpack2x16unorm = unpacking(F32, 2, convert.unpack2x16unorm);

/** The bits can stand for an infinity or NaN, which no const-expression is. */
export const evaluateUnpack2x16float: Evaluate = ([e]) => {
  const components = [0, 1].map((index) => convert.unpack2x16float(numberOf(e), index));
  return components.every(Number.isFinite)
    ? vectorValue(F32, components)
    : failure(phrase("bits-not-finite", { type: "f16" }));
};
