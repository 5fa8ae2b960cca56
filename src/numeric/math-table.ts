/** Every elementary function by name: what `math.gen.ts` is printed from and WebAssembly is emitted from. */
import * as common from "./math-common.ts";
import * as exponential from "./math-exponential.ts";
import type { MathOps } from "./math-ops.ts";
import * as short from "./math-short.ts";
import * as trigonometric from "./math-trigonometric.ts";

export type MathValueKind = "f64" | "i32";

/** Computes or emits the function, with one type for values of all kinds. */
export type MathBody = <V>(ops: MathOps<V, V, V>, ...values: V[]) => V;

export interface MathFunction {
  readonly parameters: readonly { readonly name: string; readonly kind: MathValueKind }[];
  readonly result: MathValueKind;
  readonly body: MathBody;
}

/** A function from f64 values to an f64. */
function floats(body: MathBody, ...names: readonly string[]): MathFunction {
  return { parameters: names.map((name) => ({ name, kind: "f64" })), result: "f64", body };
}

export const mathFunctions = {
  abs: floats(common.abs, "x"),
  acos: floats(trigonometric.acos, "x"),
  acosh: floats(exponential.acosh, "x"),
  asin: floats(trigonometric.asin, "x"),
  asinh: floats(exponential.asinh, "x"),
  atan: floats(trigonometric.atan, "x"),
  atan2: floats(trigonometric.atan2, "y", "x"),
  atanh: floats(exponential.atanh, "x"),
  ceil: floats(common.ceil, "x"),
  clamp: floats(common.clamp, "x", "low", "high"),
  cos: floats(trigonometric.cos, "x"),
  cosh: floats(exponential.cosh, "x"),
  degrees: floats(common.degrees, "x"),
  exp: floats(exponential.exp, "x"),
  exp2: floats(exponential.exp2, "x"),
  floor: floats(common.floor, "x"),
  fma: floats(common.fma, "x", "y", "z"),
  fract: floats(common.fract, "x"),
  frexpExp: { parameters: [{ name: "x", kind: "f64" }], result: "i32", body: common.frexpExp },
  frexpFract: floats(common.frexpFract, "x"),
  inverseSqrt: floats(common.inverseSqrt, "x"),
  ldexp: {
    parameters: [
      { name: "x", kind: "f64" },
      { name: "exponent", kind: "i32" },
    ],
    result: "f64",
    body: common.ldexp,
  },
  log: floats(exponential.log, "x"),
  log2: floats(exponential.log2, "x"),
  max: floats(common.max, "x", "y"),
  min: floats(common.min, "x", "y"),
  mix: floats(common.mix, "x", "y", "blend"),
  modfFract: floats(common.modfFract, "x"),
  modfWhole: floats(common.modfWhole, "x"),
  pow: floats(exponential.pow, "x", "y"),
  radians: floats(common.radians, "x"),
  remainder: floats(common.remainder, "x", "y"),
  round: floats(common.round, "x"),
  saturate: floats(common.saturate, "x"),
  shortCos: floats(short.shortCos, "x"),
  shortExp: floats(short.shortExp, "x"),
  shortExp2: floats(short.shortExp2, "x"),
  shortLog: floats(short.shortLog, "x"),
  shortLog2: floats(short.shortLog2, "x"),
  shortPow: floats(short.shortPow, "x", "y"),
  shortSin: floats(short.shortSin, "x"),
  shortTan: floats(short.shortTan, "x"),
  sign: floats(common.sign, "x"),
  sin: floats(trigonometric.sin, "x"),
  sinh: floats(exponential.sinh, "x"),
  smoothstep: floats(common.smoothstep, "low", "high", "x"),
  sqrt: floats(common.sqrt, "x"),
  step: floats(common.step, "edge", "x"),
  tan: floats(trigonometric.tan, "x"),
  tanh: floats(exponential.tanh, "x"),
  trunc: floats(common.trunc, "x"),
} as const satisfies Record<string, MathFunction>;

export type MathFunctionName = keyof typeof mathFunctions;

/** What stands for a function of WGSL where arguments are f32 or f16. */
export const shortForms = {
  cos: "shortCos",
  exp: "shortExp",
  exp2: "shortExp2",
  log: "shortLog",
  log2: "shortLog2",
  pow: "shortPow",
  sin: "shortSin",
  tan: "shortTan",
} as const satisfies Partial<Record<MathFunctionName, MathFunctionName>>;
