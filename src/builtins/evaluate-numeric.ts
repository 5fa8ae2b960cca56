/** Const-evaluation of the numeric functions that work on each component. spec: #numeric-builtin-functions */
import { type Phrase, phrase } from "../diagnostics/diagnostic.ts";
import { constMath } from "../numeric/const-math.ts";
import { checkedF16 } from "../numeric/convert.ts";
import { nearest, scaledByPower } from "../numeric/float64.ts";
import * as integer from "../numeric/integer.ts";
import { frexpResultType, modfResultType } from "../types/result-types.ts";
import type { ScalarType, StructType, Type, VectorType } from "../types/type.ts";
import { I32, isScalar } from "../types/type.ts";
import { type ConstValue, constValue } from "../types/value.ts";
import {
  checkedFloat,
  checkedScalar,
  componentWise,
  type FloatKind,
  failure,
  numberOf,
  onFloats,
  onNumbers,
  partsOf,
  type Scalar,
  scalarOf,
  scalarValue,
} from "./evaluate-parts.ts";
import { inSteps } from "./float-steps.ts";
import type { Evaluate, EvaluationResult } from "./row.ts";

/** spec: #domains-of-floating-point-expressions-and-builtins */
function within(low: number, high: number, interval: string, compute: (x: number) => number): Evaluate {
  return onFloats((x) => (x >= low && x <= high ? compute(x) : phrase("outside-of-domain", { value: x, interval })));
}

const identity = (a: number): number => a;

export const evaluateAbs = onNumbers({
  abstract: integer.absAbstractInt,
  i32: integer.absI32,
  u32: identity,
  float: Math.abs,
});
export const evaluateSign = onNumbers({
  abstract: integer.signAbstractInt,
  i32: integer.signI32,
  float: (x) => (x > 0 ? 1 : x < 0 ? -1 : 0),
});

export const evaluateAcos = within(-1, 1, "[-1, 1]", (x) => constMath.acos(x));
export const evaluateAcosh = within(1, Infinity, "[1, +∞]", (x) => constMath.acosh(x));
export const evaluateAsin = within(-1, 1, "[-1, 1]", (x) => constMath.asin(x));
export const evaluateAsinh = onFloats((x) => constMath.asinh(x));
export const evaluateAtan = onFloats((x) => constMath.atan(x));
export const evaluateAtanh = within(-1, 1, "[-1, 1]", (x) => constMath.atanh(x));
export const evaluateAtan2 = onFloats((y, x) => constMath.atan2(y, x));
export const evaluateCos = onFloats((x) => constMath.cos(x));
export const evaluateCosh = onFloats((x) => constMath.cosh(x));
export const evaluateSin = onFloats((x) => constMath.sin(x));
export const evaluateSinh = onFloats((x) => constMath.sinh(x));
export const evaluateTan = onFloats((x) => constMath.tan(x));
export const evaluateTanh = onFloats((x) => constMath.tanh(x));
export const evaluateExp = onFloats((x) => constMath.exp(x));
export const evaluateExp2 = onFloats((x) => constMath.exp2(x));
export const evaluateLog = within(0, Infinity, "[0, +∞]", (x) => constMath.log(x));
export const evaluateLog2 = within(0, Infinity, "[0, +∞]", (x) => constMath.log2(x));
export const evaluateSqrt = within(0, Infinity, "[0, +∞]", Math.sqrt);
export const evaluateInverseSqrt = within(0, Infinity, "[0, +∞]", (x) => 1 / Math.sqrt(x));
export const evaluatePow = onFloats((x, y) => (x < 0 ? phrase("base-negative", { value: x }) : constMath.pow(x, y)));

export const evaluateCeil = onFloats(Math.ceil);
export const evaluateFloor = onFloats(Math.floor);
export const evaluateRound = onFloats(nearest);
export const evaluateTrunc = onFloats(Math.trunc);
export const evaluateFract = onFloats((x) => x - Math.floor(x));
export const evaluateSaturate = onFloats((x) => Math.min(Math.max(x, 0), 1));
export const evaluateStep = onFloats((edge, x) => (edge <= x ? 1 : 0));
/** spec: #concrete-float-accuracy: by these factors. */
export const evaluateDegrees = onFloats((x) => x * 57.29577951308232);
export const evaluateRadians = onFloats((x) => x * 0.017453292519943295);

const lesser = <T extends Scalar>(a: T, b: T): T => (b < a ? b : a);
const greater = <T extends Scalar>(a: T, b: T): T => (a < b ? b : a);

/** For what only compares numbers and gives one of them. */
function choosing(choose: (...args: Scalar[]) => Scalar | Phrase): Evaluate {
  return componentWise((args, result) => {
    const chosen = choose(...args.map(scalarOf));
    return typeof chosen === "object" ? failure(chosen) : scalarValue(result, chosen);
  });
}

export const evaluateMax = choosing(greater);
export const evaluateMin = choosing(lesser);
export const evaluateClamp = choosing((e, low, high) =>
  low > high ? lowAboveHigh(low, high) : lesser(greater(e, low), high),
);

export function lowAboveHigh(low: Scalar, high: Scalar): Phrase {
  return phrase("low-above-high", { low: String(low), high: String(high) });
}

export function edgesEqual(value: Scalar): Phrase {
  return phrase("edges-equal", { value: String(value) });
}

/** spec: #select-builtin: `select(f, t, cond)`; one condition for all, or one for each component. */
export const evaluateSelect: Evaluate = ([whenFalse, whenTrue, condition], result) => {
  if (condition.type.kind !== "vector") return scalarOf(condition) ? whenTrue : whenFalse;
  const [no, yes] = [partsOf(whenFalse), partsOf(whenTrue)];
  return { type: result, value: partsOf(condition).map((test, index) => (scalarOf(test) ? yes : no)[index]) };
};

export const evaluateAll: Evaluate = ([e], result) => scalarValue(result, booleans(e).every(Boolean));
export const evaluateAny: Evaluate = ([e], result) => scalarValue(result, booleans(e).some(Boolean));

function booleans(value: ConstValue): Scalar[] {
  return value.type.kind === "vector" ? partsOf(value).map(scalarOf) : [scalarOf(value)];
}

export const evaluateFma = inSteps((steps, a, b, c) => steps.add(steps.multiply(a, b), c));

export const evaluateMix = inSteps((steps, a, b, c) =>
  steps.add(steps.multiply(a, steps.subtract(1, c)), steps.multiply(b, c)),
);

export const evaluateSmoothstep = inSteps((steps, low, high, x) => {
  if (low === high) return edgesEqual(low);
  const position = steps.divide(steps.subtract(x, low), steps.subtract(high, low));
  const t = Math.min(Math.max(position, 0), 1);
  return steps.multiply(steps.multiply(t, t), steps.subtract(3, steps.multiply(2, t)));
});

/** spec: #quantizeToF16-builtin */
export const evaluateQuantizeToF16 = componentWise(([e], result) => {
  const quantized = checkedF16(numberOf(e));
  return typeof quantized === "string"
    ? failure(phrase("outside-of-type", { value: numberOf(e), type: "f16" }))
    : scalarValue(result, quantized);
});

// ---------------------------------------------------------------- exponents

const EXPONENT_BIAS: Readonly<Record<FloatKind, number>> = { f16: 15, f32: 127, "abstract-float": 1023 };

/** spec: #ldexp-builtin */
export const evaluateLdexp = componentWise(([e1, e2], result) => {
  const exponent = Number(scalarOf(e2) as number | bigint);
  const reason = ldexpError(result, exponent);
  return reason === null ? checkedFloat(result, scaledByPower(numberOf(e1), exponent)) : failure(reason);
});

/** Why an exponent is too high for numbers of this type, whatever is scaled. */
export function ldexpError(type: ScalarType, exponent: number): Phrase | null {
  const limit = EXPONENT_BIAS[type.kind as FloatKind] + 1;
  return exponent > limit ? phrase("exponent-too-large", { value: exponent, limit }) : null;
}

/** spec: #frexp-builtin: x = fraction · 2^exponent with the fraction in [0.5, 1). */
function splitExponent(x: number): { readonly fraction: number; readonly exponent: number } {
  if (x === 0) return { fraction: x, exponent: 0 };
  let exponent = Math.max(-1074, Math.floor(Math.log2(Math.abs(x))) + 1);
  let fraction = scaledByPower(x, -exponent);
  // The logarithm is rounded: it can be off by one next to a power of two.
  while (Math.abs(fraction) >= 1) {
    fraction /= 2;
    exponent++;
  }
  while (Math.abs(fraction) < 0.5) {
    fraction *= 2;
    exponent--;
  }
  return { fraction, exponent };
}

/** A structure of two members, each a scalar or vector, from the two results for each component. */
function inTwo(
  result: Type,
  value: ConstValue,
  typeOf: (of: ScalarType | VectorType) => StructType,
  split: (x: number) => readonly [Scalar, Scalar],
): EvaluationResult {
  const type = typeOf(value.type as ScalarType | VectorType);
  const pairs = (value.type.kind === "vector" ? partsOf(value) : [value]).map((part) => split(numberOf(part)));
  const members = type.members.map((member, index): ConstValue => {
    if (isScalar(member.type)) return scalarValue(member.type, pairs[0][index]);
    const { element } = member.type as VectorType;
    return constValue(
      member.type,
      pairs.map((pair) => scalarValue(element, pair[index])),
    );
  });
  return constValue(result, members);
}

export const evaluateFrexp: Evaluate = ([value], result) => {
  const abstract = (value.type.kind === "vector" ? value.type.element : value.type).kind === "abstract-float";
  return inTwo(result, value, frexpResultType, (x) => {
    const { fraction, exponent } = splitExponent(x);
    return [fraction, abstract ? BigInt(exponent) : exponent];
  });
};

export const evaluateModf: Evaluate = ([value], result) =>
  inTwo(result, value, modfResultType, (x) => {
    const whole = Math.trunc(x);
    return [x - whole, whole];
  });

// ---------------------------------------------------------------- bits

function onBits(i32: (...args: number[]) => number, u32: (...args: number[]) => number): Evaluate {
  return onNumbers({ i32, u32 });
}

export const evaluateCountLeadingZeros = onBits(integer.countLeadingZeros, integer.countLeadingZeros);
export const evaluateCountOneBits = onBits(integer.countOneBits, integer.countOneBits);
export const evaluateCountTrailingZeros = onBits(integer.countTrailingZeros, integer.countTrailingZeros);
export const evaluateFirstLeadingBit = onBits(integer.firstLeadingBitI32, integer.firstLeadingBitU32);
export const evaluateFirstTrailingBit = onBits(integer.firstTrailingBitI32, integer.firstTrailingBitU32);
export const evaluateReverseBits = onBits(integer.reverseBitsI32, integer.reverseBitsU32);

/** Refuses a field that reaches beyond bit 31. `offset` and `count` are the last two arguments. */
function onField(i32: (...args: number[]) => number, u32: (...args: number[]) => number): Evaluate {
  const checked =
    (compute: (...args: number[]) => number) =>
    (...args: number[]) =>
      integer.bitRangeFits(args[args.length - 2], args[args.length - 1]) ? compute(...args) : "bit-range";
  return componentWise((args, result) =>
    checkedScalar(result, checked(result.kind === "i32" ? i32 : u32)(...args.map(numberOf))),
  );
}

export const evaluateExtractBits = onField(integer.extractBitsI32, integer.extractBitsU32);
export const evaluateInsertBits = onField(integer.insertBitsI32, integer.insertBitsU32);

export const evaluateDot4U8Packed: Evaluate = ([a, b], result) =>
  scalarValue(result, integer.dot4U8Packed(numberOf(a), numberOf(b)));
export const evaluateDot4I8Packed: Evaluate = ([a, b]) =>
  scalarValue(I32, integer.dot4I8Packed(numberOf(a), numberOf(b)));
