/**
 * Calls of builtin functions on arguments that are evaluated already. Functions that work component by component stay
 * `builtin` instructions; what is a formula is spelled out in basic operations.
 */
import type { Type } from "../types/type.ts";
import type { Emitter } from "./builder.ts";
import type { AtomicOperation, InstId } from "./ir.ts";
import { emitBitcast, emitSplit } from "./lower-construct.ts";
import { FORMULAS } from "./lower-geometry.ts";
import { UnsupportedError } from "./unsupported.ts";

/** Builtin functions that are one `builtin` instruction; scalars among vector arguments are splatted. */
const COMPONENTWISE: ReadonlySet<string> = new Set([
  "abs",
  "acos",
  "acosh",
  "asin",
  "asinh",
  "atan",
  "atan2",
  "atanh",
  "ceil",
  "clamp",
  "cos",
  "cosh",
  "countLeadingZeros",
  "countOneBits",
  "countTrailingZeros",
  "degrees",
  "exp",
  "exp2",
  "extractBits",
  "firstLeadingBit",
  "firstTrailingBit",
  "floor",
  "fma",
  "fract",
  "insertBits",
  "inverseSqrt",
  "ldexp",
  "log",
  "log2",
  "max",
  "min",
  "mix",
  "pow",
  "quantizeToF16",
  "radians",
  "reverseBits",
  "round",
  "saturate",
  "sign",
  "sin",
  "sinh",
  "smoothstep",
  "sqrt",
  "step",
  "tan",
  "tanh",
  "trunc",
]);

/** Builtin functions that are one `builtin` instruction between types of different shape. */
const PACKING: ReadonlySet<string> = new Set([
  "dot4I8Packed",
  "dot4U8Packed",
  "pack2x16float",
  "pack2x16snorm",
  "pack2x16unorm",
  "pack4x8snorm",
  "pack4x8unorm",
  "pack4xI8",
  "pack4xI8Clamp",
  "pack4xU8",
  "pack4xU8Clamp",
  "unpack2x16float",
  "unpack2x16snorm",
  "unpack2x16unorm",
  "unpack4x8snorm",
  "unpack4x8unorm",
  "unpack4xI8",
  "unpack4xU8",
]);

const ATOMIC_OPERATIONS: Readonly<Record<string, AtomicOperation>> = {
  atomicLoad: "load",
  atomicStore: "store",
  atomicAdd: "add",
  atomicSub: "sub",
  atomicMax: "max",
  atomicMin: "min",
  atomicAnd: "and",
  atomicOr: "or",
  atomicXor: "xor",
  atomicExchange: "exchange",
  atomicCompareExchangeWeak: "compare-exchange-weak",
};

type Emit = (e: Emitter, args: readonly InstId[], result: Type) => InstId;

const OTHERS: Readonly<Record<string, Emit>> = {
  arrayLength: (e, [pointer]) => e.arrayLength(pointer),
  bitcast: (e, [value], result) => emitBitcast(e, value, result),
  frexp: (e, [value], result) => emitSplit(e, ["frexp_fract", "frexp_exp"], value, result),
  modf: (e, [value], result) => emitSplit(e, ["modf_fract", "modf_whole"], value, result),
  select: (e, [ifFalse, ifTrue, condition]) => e.select(condition, ifTrue, ifFalse),
  storageBarrier: (e) => e.barrier("storage"),
  textureBarrier: (e) => e.barrier("texture"),
  workgroupBarrier: (e) => e.barrier("workgroup"),
  workgroupUniformLoad: (e, [pointer], result) => e.uniformLoad(pointer, result),
};

/** `result` is the type that overload resolution chose, counts resolved. */
export function emitBuiltin(e: Emitter, name: string, args: readonly InstId[], result: Type): InstId {
  if (COMPONENTWISE.has(name)) {
    const shaped = args.map((arg) => e.shaped(arg, result));
    return e.builtin(name, shaped, result);
  }
  if (PACKING.has(name)) return e.builtin(name, args, result);
  if (Object.hasOwn(FORMULAS, name)) return FORMULAS[name](e, args);
  if (Object.hasOwn(ATOMIC_OPERATIONS, name)) {
    return e.atomic(ATOMIC_OPERATIONS[name], args[0], args.slice(1), result);
  }
  if (Object.hasOwn(OTHERS, name)) return OTHERS[name](e, args, result);
  if (/^(subgroup|quad)[A-Z]/.test(name)) return e.subgroup(name, args, result);
  throw new UnsupportedError(unsupportedReason(name), e.span);
}

function unsupportedReason(name: string): string {
  if (name.startsWith("texture")) return "halay does not run textures yet";
  if (name.startsWith("buffer")) return "halay does not run buffer views yet";
  if (/^(dpd|fwidth)/.test(name)) return "halay does not run fragment shaders";
  return `halay does not run ‘${name}’`;
}
