/**
 * Operations on scalars that have no opcode of their own, by operation and operand kind: `/ i32`, `sqrt f16`,
 * `convert f32 u32`. Their meaning is `src/numeric`; here they get the views of the frame they read and write.
 */
import * as convert from "../numeric/convert.ts";
import { roundToF16 } from "../numeric/float16.ts";
import { inverseSqrtF32 } from "../numeric/float32.ts";
import * as integer from "../numeric/integer.ts";
import * as math from "../numeric/math.ts";
import { type MathFunctionName, shortForms } from "../numeric/math-table.ts";

/** The frame memory of a workgroup, three times the same bytes. */
export type Views = readonly [i32: Int32Array, u32: Uint32Array, f32: Float32Array];

/** Reads its operands at slots `a` … `e` and writes its result at `d`. */
export type ScalarFunction = (views: Views, d: number, a: number, b: number, c: number, e: number) => void;

const [I, U, F] = [0, 1, 2] as const;
type View = typeof I | typeof U | typeof F;

const functions: ScalarFunction[] = [];
const indices = new Map<string, number>();

function define(name: string, fn: ScalarFunction): void {
  indices.set(name, functions.push(fn) - 1);
}

function unary(name: string, result: View, operand: View, fn: (a: number) => number): void {
  define(name, (views, d, a) => {
    views[result][d] = fn(views[operand][a]);
  });
}

function binary(name: string, result: View, left: View, right: View, fn: (a: number, b: number) => number): void {
  define(name, (views, d, a, b) => {
    views[result][d] = fn(views[left][a], views[right][b]);
  });
}

function ternary(name: string, view: View, other: View, fn: (a: number, b: number, c: number) => number): void {
  define(name, (views, d, a, b, c) => {
    views[view][d] = fn(views[view][a], views[other][b], views[other][c]);
  });
}

function quaternary(
  name: string,
  result: View,
  operands: readonly [View, View, View, View],
  fn: (a: number, b: number, c: number, e: number) => number,
): void {
  const [first, second, third, fourth] = operands;
  define(name, (views, d, a, b, c, e) => {
    views[result][d] = fn(views[first][a], views[second][b], views[third][c], views[fourth][e]);
  });
}

// --- integers ---

binary("/ i32", I, I, I, integer.divideI32);
binary("% i32", I, I, I, integer.remainderI32);
binary("/ u32", U, U, U, integer.divideU32);
binary("% u32", U, U, U, integer.remainderU32);

const clampInteger = (x: number, low: number, high: number): number => Math.min(Math.max(x, low), high);

for (const [kind, view] of [
  ["i32", I],
  ["u32", U],
] as const) {
  const signed = view === I;
  binary(`min ${kind}`, view, view, view, Math.min);
  binary(`max ${kind}`, view, view, view, Math.max);
  ternary(`clamp ${kind}`, view, view, clampInteger);
  unary(`abs ${kind}`, view, view, signed ? integer.absI32 : (x) => x);
  unary(`countOneBits ${kind}`, view, view, integer.countOneBits);
  unary(`countLeadingZeros ${kind}`, view, view, integer.countLeadingZeros);
  unary(`countTrailingZeros ${kind}`, view, view, integer.countTrailingZeros);
  unary(`firstLeadingBit ${kind}`, view, view, signed ? integer.firstLeadingBitI32 : integer.firstLeadingBitU32);
  unary(`firstTrailingBit ${kind}`, view, view, signed ? integer.firstTrailingBitI32 : integer.firstTrailingBitU32);
  unary(`reverseBits ${kind}`, view, view, signed ? integer.reverseBitsI32 : integer.reverseBitsU32);
  ternary(`extractBits ${kind}`, view, U, signed ? integer.extractBitsI32 : integer.extractBitsU32);
  quaternary(`insertBits ${kind}`, view, [view, view, U, U], signed ? integer.insertBitsI32 : integer.insertBitsU32);
}
unary("sign i32", I, I, integer.signI32);
binary("dot4I8Packed", I, U, U, integer.dot4I8Packed);
binary("dot4U8Packed", U, U, U, integer.dot4U8Packed);

// --- floating point: computed in f64, rounded once ---

const UNARY_FLOATS = [
  "abs",
  "acos",
  "acosh",
  "asin",
  "asinh",
  "atan",
  "atanh",
  "ceil",
  "cos",
  "cosh",
  "degrees",
  "exp",
  "exp2",
  "floor",
  "fract",
  "log",
  "log2",
  "radians",
  "round",
  "saturate",
  "sign",
  "sin",
  "sinh",
  "sqrt",
  "tan",
  "tanh",
  "trunc",
] as const;
/** Parts of what `modf` and `frexp` return. */
const PARTS = {
  modf_fract: math.modfFract,
  modf_whole: math.modfWhole,
  frexp_fract: math.frexpFract,
};

const mathFunctions: Readonly<Record<MathFunctionName, (...args: number[]) => number>> = { ...math };

/** What computes a function for f32 and f16. */
function elementary(name: MathFunctionName): (...args: number[]) => number {
  const short: Partial<Record<MathFunctionName, MathFunctionName>> = shortForms;
  return mathFunctions[short[name] ?? name];
}

/** Stores round to f32 by themselves. */
const ROUNDINGS = [
  ["f32", (x: number) => x],
  ["f16", roundToF16],
] as const;

for (const [kind, round] of ROUNDINGS) {
  const unaryFloat = (name: string, fn: (a: number) => number): void =>
    unary(`${name} ${kind}`, F, F, (a) => round(fn(a)));
  const binaryFloat = (name: string, fn: (a: number, b: number) => number): void =>
    binary(`${name} ${kind}`, F, F, F, (a, b) => round(fn(a, b)));
  const ternaryFloat = (name: string, fn: (a: number, b: number, c: number) => number): void =>
    ternary(`${name} ${kind}`, F, F, (a, b, c) => round(fn(a, b, c)));

  for (const name of UNARY_FLOATS) unaryFloat(name, elementary(name));
  for (const [name, fn] of Object.entries(PARTS)) unaryFloat(name, fn);
  unaryFloat("inverseSqrt", kind === "f32" ? inverseSqrtF32 : math.inverseSqrt);
  unary(`frexp_exp ${kind}`, I, F, math.frexpExp);
  binaryFloat("+", (a, b) => a + b);
  binaryFloat("-", (a, b) => a - b);
  binaryFloat("*", (a, b) => a * b);
  binaryFloat("/", (a, b) => a / b);
  binaryFloat("%", math.remainder);
  binaryFloat("atan2", math.atan2);
  binaryFloat("max", math.max);
  binaryFloat("min", math.min);
  binaryFloat("pow", elementary("pow"));
  binaryFloat("step", math.step);
  binary(`ldexp ${kind}`, F, F, I, (a, b) => round(math.ldexp(a, b)));
  ternaryFloat("clamp", math.clamp);
  ternaryFloat("fma", math.fma);
  ternaryFloat("mix", math.mix);
  ternaryFloat("smoothstep", math.smoothstep);
}
unary("quantizeToF16 f32", F, F, convert.quantizeToF16);

// --- conversions; those that keep the slot's bits need none ---

for (const [kind, view] of [
  ["bool", I],
  ["i32", I],
  ["u32", U],
] as const) {
  unary(`convert ${kind} f32`, F, view, convert.f32FromNumber);
  unary(`convert ${kind} f16`, F, view, convert.f16FromNumber);
}
unary("convert f32 i32", I, F, convert.i32FromF32);
unary("convert f32 u32", U, F, convert.u32FromF32);
unary("convert f16 i32", I, F, convert.i32FromF16);
unary("convert f16 u32", U, F, convert.u32FromF16);
unary("convert f32 f16", F, F, convert.f16FromNumber);
binary("bitcast f16 u32", U, F, F, convert.bitcastVec2F16ToU32);
binary("bitcast u32 f16", F, U, U, convert.bitcastToF16);

// --- packing ---

quaternary("pack4x8snorm", U, [F, F, F, F], convert.pack4x8snorm);
quaternary("pack4x8unorm", U, [F, F, F, F], convert.pack4x8unorm);
quaternary("pack4xI8", U, [I, I, I, I], convert.pack4xI8);
quaternary("pack4xU8", U, [U, U, U, U], convert.pack4xU8);
quaternary("pack4xI8Clamp", U, [I, I, I, I], convert.pack4xI8Clamp);
quaternary("pack4xU8Clamp", U, [U, U, U, U], convert.pack4xU8Clamp);
binary("pack2x16snorm", U, F, F, convert.pack2x16snorm);
binary("pack2x16unorm", U, F, F, convert.pack2x16unorm);
binary("pack2x16float", U, F, F, convert.pack2x16float);
binary("unpack4x8snorm", F, U, U, convert.unpack4x8snorm);
binary("unpack4x8unorm", F, U, U, convert.unpack4x8unorm);
binary("unpack4xI8", I, U, U, convert.unpack4xI8);
binary("unpack4xU8", U, U, U, convert.unpack4xU8);
binary("unpack2x16snorm", F, U, U, convert.unpack2x16snorm);
binary("unpack2x16unorm", F, U, U, convert.unpack2x16unorm);
binary("unpack2x16float", F, U, U, convert.unpack2x16float);

/** By index, as `scalar` instructions name them. */
export const SCALAR_FUNCTIONS: readonly ScalarFunction[] = functions;

export function scalarFunctionIndex(name: string): number {
  const index = indices.get(name);
  if (index === undefined) throw new Error(`internal: no operation ‘${name}’ on scalars`);
  return index;
}
