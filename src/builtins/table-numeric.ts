/** spec: #numeric-builtin-functions and the short chapters before it. */
import * as construct from "./evaluate-construct.ts";
import * as geometry from "./evaluate-geometry.ts";
import * as numeric from "./evaluate-numeric.ts";
import { evaluateDot } from "./evaluate-operators.ts";
import type { Evaluate } from "./row.ts";
import {
  ALL_FLOATING,
  ALL_NUMERIC,
  ALL_SIGNED_NUMERIC,
  type Entry,
  FLOAT_SCALAR,
  INTEGRAL,
  section,
} from "./section.ts";

/** A function of one overload. */
function one(spec: string, evaluate: Evaluate, signature: string): Entry {
  return { spec, evaluate, overloads: [signature] };
}

/** `(e: T) -> T` for floating point scalars and vectors. */
function float(name: string, evaluate: Evaluate, parameters = "e: T"): Entry {
  return one(`#${name}-builtin`, evaluate, `(${parameters}) -> T ${ALL_FLOATING}`);
}

/** `(e: T) -> T` for i32, u32 and vectors of them. */
function bits(name: string, evaluate: Evaluate, parameters = "e: T"): Entry {
  return one(`#${name}-builtin`, evaluate, `(${parameters}) -> T ${INTEGRAL}`);
}

/** Signed and unsigned overloads have a section each. */
function bothSigns(name: string, evaluate: Evaluate, parameters: string): Entry {
  return {
    spec: `#${name}-signed-builtin`,
    evaluate,
    overloads: [
      { signature: `(${parameters}) -> T where T: i32|vecN<i32>`, spec: `#${name}-signed-builtin` },
      { signature: `(${parameters}) -> T where T: u32|vecN<u32>`, spec: `#${name}-unsigned-builtin` },
    ],
  };
}

/** `frexp` and `modf` have a structure for each type. */
function intoStructure(name: string, evaluate: Evaluate): Entry {
  const types = [
    ["f32", "f32"],
    ["f16", "f16"],
    ["AbstractFloat", "abstract"],
  ];
  return {
    spec: `#${name}-builtin`,
    evaluate,
    overloads: [
      ...types.map(([type, suffix]) => `(e: T) -> __${name}_result_${suffix} where T: ${type}`),
      ...types.map(([type, suffix]) => `(e: T) -> __${name}_result_vecN_${suffix} where T: vecN<${type}>`),
    ],
  };
}

const FLOAT_VECTOR = "where T: vecN<AbstractFloat>|vecN<f32>|vecN<f16>";

/** spec: #bit-reinterp-builtin-functions */
const BITCASTS = [
  "<T>(e: T) -> T where S: i32|u32|f32|f16, T: S|vecN<S>",
  "<T>(e: S) -> T where S: i32|u32|f32, T: i32|u32|f32",
  "<vecN<T>>(e: vecN<S>) -> vecN<T> where S: i32|u32|f32, T: i32|u32|f32",
  "<u32>(e: AbstractInt) -> u32",
  "<vecN<u32>>(e: vecN<AbstractInt>) -> vecN<u32>",
  "<T>(e: vec2<f16>) -> T where T: i32|u32|f32",
  "<vec2<T>>(e: vec4<f16>) -> vec2<T> where T: i32|u32|f32",
  "<vec2<f16>>(e: T) -> vec2<f16> where T: i32|u32|f32",
  "<vec4<f16>>(e: vec2<T>) -> vec4<f16> where T: i32|u32|f32",
];

export const LOGICAL = section(
  { mustUse: true },
  {
    bitcast: { spec: "#bitcast-builtin", evaluate: construct.evaluateBitcast, overloads: BITCASTS },
    all: {
      spec: "#all-builtin",
      evaluate: numeric.evaluateAll,
      overloads: ["(e: vecN<bool>) -> bool", "(e: bool) -> bool"],
    },
    any: {
      spec: "#any-builtin",
      evaluate: numeric.evaluateAny,
      overloads: ["(e: vecN<bool>) -> bool", "(e: bool) -> bool"],
    },
    select: {
      spec: "#select-builtin",
      evaluate: numeric.evaluateSelect,
      overloads: [
        "(f: T, t: T, cond: bool) -> T where S: scalar, T: S|vecN<S>",
        "(f: vecN<T>, t: vecN<T>, cond: vecN<bool>) -> vecN<T> where T: scalar",
      ],
    },
    arrayLength: {
      spec: "#arrayLength-builtin",
      evaluate: null,
      overloads: [
        "(p: ptr<AS, array<E>, AM>) -> u32 where AS: storage|uniform|workgroup, E: host_shareable_fixed_footprint, AM: read|read_write",
      ],
    },
  },
);

const PACKED = "packed_4x8_integer_dot_product";

export const NUMERIC = section(
  { mustUse: true },
  {
    abs: one("#abs-float-builtin", numeric.evaluateAbs, `(e: T) -> T ${ALL_NUMERIC}`),
    acos: float("acos", numeric.evaluateAcos),
    acosh: float("acosh", numeric.evaluateAcosh, "x: T"),
    asin: float("asin", numeric.evaluateAsin),
    asinh: float("asinh", numeric.evaluateAsinh, "y: T"),
    atan: float("atan", numeric.evaluateAtan),
    atanh: float("atanh", numeric.evaluateAtanh, "t: T"),
    atan2: float("atan2", numeric.evaluateAtan2, "y: T, x: T"),
    ceil: float("ceil", numeric.evaluateCeil),
    clamp: one("#clamp", numeric.evaluateClamp, `(e: T, low: T, high: T) -> T ${ALL_NUMERIC}`),
    cos: float("cos", numeric.evaluateCos),
    cosh: float("cosh", numeric.evaluateCosh, "a: T"),
    countLeadingZeros: bits("countLeadingZeros", numeric.evaluateCountLeadingZeros),
    countOneBits: bits("countOneBits", numeric.evaluateCountOneBits),
    countTrailingZeros: bits("countTrailingZeros", numeric.evaluateCountTrailingZeros),
    cross: one("#cross-builtin", geometry.evaluateCross, `(a: vec3<T>, b: vec3<T>) -> vec3<T> ${FLOAT_SCALAR}`),
    degrees: float("degrees", numeric.evaluateDegrees, "e1: T"),
    determinant: one("#determinant-builtin", geometry.evaluateDeterminant, `(e: matCxC<T>) -> T ${FLOAT_SCALAR}`),
    distance: one("#distance-builtin", geometry.evaluateDistance, `(e1: T, e2: T) -> S ${ALL_FLOATING}`),
    dot: one(
      "#dot-builtin",
      evaluateDot,
      "(e1: vecN<T>, e2: vecN<T>) -> T where T: AbstractInt|AbstractFloat|i32|u32|f32|f16",
    ),
    dot4U8Packed: {
      ...one("#dot4U8Packed-builtin", numeric.evaluateDot4U8Packed, "(e1: u32, e2: u32) -> u32"),
      requires: PACKED,
    },
    dot4I8Packed: {
      ...one("#dot4I8Packed-builtin", numeric.evaluateDot4I8Packed, "(e1: u32, e2: u32) -> i32"),
      requires: PACKED,
    },
    exp: float("exp", numeric.evaluateExp, "e1: T"),
    exp2: float("exp2", numeric.evaluateExp2),
    extractBits: bothSigns("extractBits", numeric.evaluateExtractBits, "e: T, offset: u32, count: u32"),
    faceForward: one(
      "#faceForward-builtin",
      geometry.evaluateFaceForward,
      `(e1: T, e2: T, e3: T) -> T ${FLOAT_VECTOR}`,
    ),
    firstLeadingBit: bothSigns("firstLeadingBit", numeric.evaluateFirstLeadingBit, "e: T"),
    firstTrailingBit: bits("firstTrailingBit", numeric.evaluateFirstTrailingBit),
    floor: float("floor", numeric.evaluateFloor),
    fma: float("fma", numeric.evaluateFma, "e1: T, e2: T, e3: T"),
    fract: float("fract", numeric.evaluateFract),
    frexp: intoStructure("frexp", numeric.evaluateFrexp),
    insertBits: bits("insertBits", numeric.evaluateInsertBits, "e: T, newbits: T, offset: u32, count: u32"),
    inverseSqrt: float("inverseSqrt", numeric.evaluateInverseSqrt),
    ldexp: {
      spec: "#ldexp-builtin",
      evaluate: numeric.evaluateLdexp,
      // The specification has it that the exponent is abstract if and only if the number is. The conformance suite, and
      // Tint, also keep an abstract number with a constant i32 abstract: `ldexp(1e300, i32(-512))`.
      overloads: [
        "(e1: T, e2: I) -> T where S: AbstractFloat|f32|f16, T: S|vecN<S>, I: i32 like T",
        "(e1: T, e2: I) -> T where S: AbstractFloat, T: S|vecN<S>, I: AbstractInt like T",
      ],
    },
    length: one("#length-builtin", geometry.evaluateLength, `(e: T) -> S ${ALL_FLOATING}`),
    log: float("log", numeric.evaluateLog),
    log2: float("log2", numeric.evaluateLog2),
    max: one("#max-float-builtin", numeric.evaluateMax, `(e1: T, e2: T) -> T ${ALL_NUMERIC}`),
    min: one("#min-float-builtin", numeric.evaluateMin, `(e1: T, e2: T) -> T ${ALL_NUMERIC}`),
    mix: {
      spec: "#mix-builtin",
      evaluate: numeric.evaluateMix,
      overloads: [
        `(e1: T, e2: T, e3: T) -> T ${ALL_FLOATING}`,
        "(e1: T2, e2: T2, e3: T) -> T2 where T: AbstractFloat|f32|f16, T2: vecN<T>",
      ],
    },
    modf: intoStructure("modf", numeric.evaluateModf),
    normalize: one("#normalize-builtin", geometry.evaluateNormalize, `(e: vecN<T>) -> vecN<T> ${FLOAT_SCALAR}`),
    pow: float("pow", numeric.evaluatePow, "e1: T, e2: T"),
    quantizeToF16: one("#quantizeToF16-builtin", numeric.evaluateQuantizeToF16, "(e: T) -> T where T: f32|vecN<f32>"),
    radians: float("radians", numeric.evaluateRadians, "e1: T"),
    reflect: one("#reflect-builtin", geometry.evaluateReflect, `(e1: T, e2: T) -> T ${FLOAT_VECTOR}`),
    refract: one(
      "#refract-builtin",
      geometry.evaluateRefract,
      "(e1: T, e2: T, e3: I) -> T where I: AbstractFloat|f32|f16, T: vecN<I>",
    ),
    reverseBits: bits("reverseBits", numeric.evaluateReverseBits),
    round: float("round", numeric.evaluateRound),
    saturate: one("#saturate-float-builtin", numeric.evaluateSaturate, `(e: T) -> T ${ALL_FLOATING}`),
    sign: one("#sign-builtin", numeric.evaluateSign, `(e: T) -> T ${ALL_SIGNED_NUMERIC}`),
    sin: float("sin", numeric.evaluateSin),
    sinh: float("sinh", numeric.evaluateSinh, "a: T"),
    smoothstep: float("smoothstep", numeric.evaluateSmoothstep, "edge0: T, edge1: T, x: T"),
    sqrt: float("sqrt", numeric.evaluateSqrt),
    step: float("step", numeric.evaluateStep, "edge: T, x: T"),
    tan: float("tan", numeric.evaluateTan),
    tanh: float("tanh", numeric.evaluateTanh, "a: T"),
    transpose: one("#transpose-builtin", geometry.evaluateTranspose, `(e: matRxC<T>) -> matCxR<T> ${FLOAT_SCALAR}`),
    trunc: float("trunc", numeric.evaluateTrunc),
  },
);
