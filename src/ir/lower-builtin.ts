/**
 * Calls of builtin functions on arguments that are evaluated already. Functions that work component by component stay
 * `builtin` instructions; what is a formula is spelled out in basic operations.
 */

import "../diagnostics/catalogue-beyond.ts";
import type { BuiltinName } from "../builtins/table.ts";
import { type Phrase, phrase } from "../diagnostics/diagnostic.ts";
import type { Type } from "../types/type.ts";
import type { Emitter } from "./builder.ts";
import type { AtomicOperation, InstId } from "./ir.ts";
import { emitDot } from "./lower-arithmetic.ts";
import { emitBitcast, emitSplit } from "./lower-construct.ts";
import * as geometry from "./lower-geometry.ts";
import { UnsupportedError } from "./unsupported.ts";

/** How one builtin function is lowered; `result` is the type that overload resolution chose, counts resolved. */
type Lowering = (e: Emitter, args: readonly InstId[], result: Type, name: string) => InstId;

/** One `builtin` instruction; scalars among vector arguments are splatted. */
const componentwise: Lowering = (e, args, result, name) => {
  const shaped = args.map((arg) => e.shaped(arg, result));
  return e.builtin(name, shaped, result);
};

/** One `builtin` instruction between types of different shape. */
const packing: Lowering = (e, args, result, name) => e.builtin(name, args, result);

const subgroup: Lowering = (e, args, result, name) => e.subgroup(name, args, result);

function atomic(operation: AtomicOperation): Lowering {
  return (e, [pointer, ...args], result) => e.atomic(operation, pointer, args, result);
}

function unsupported(reason: Phrase): Lowering {
  return (e) => {
    throw new UnsupportedError(reason, e.span);
  };
}

const texture = unsupported(phrase("no-textures"));
const bufferView = unsupported(phrase("no-buffer-views"));
const derivative = unsupported(phrase("no-fragment"));

/** All that have a name: a function without a row here does not compile. */
const LOWERINGS: Readonly<Record<BuiltinName, Lowering>> = {
  // spec: #logical-builtin-functions, #array-builtin-functions
  all: (e, [value]) => geometry.foldBooleans(e, "&", value),
  any: (e, [value]) => geometry.foldBooleans(e, "|", value),
  select: (e, [ifFalse, ifTrue, condition]) => e.select(condition, ifTrue, ifFalse),
  arrayLength: (e, [pointer]) => e.arrayLength(pointer),
  // spec: #bit-reinterp-builtin-functions
  bitcast: (e, [value], result) => emitBitcast(e, value, result),
  // spec: #numeric-builtin-functions
  abs: componentwise,
  acos: componentwise,
  acosh: componentwise,
  asin: componentwise,
  asinh: componentwise,
  atan: componentwise,
  atanh: componentwise,
  atan2: componentwise,
  ceil: componentwise,
  clamp: componentwise,
  cos: componentwise,
  cosh: componentwise,
  countLeadingZeros: componentwise,
  countOneBits: componentwise,
  countTrailingZeros: componentwise,
  cross: (e, [left, right]) => geometry.cross(e, left, right),
  degrees: componentwise,
  determinant: (e, [matrix]) => geometry.determinant(e, matrix),
  distance: (e, [from, to]) => geometry.length(e, e.binary("-", from, to)),
  dot: (e, [left, right]) => emitDot(e, left, right),
  dot4U8Packed: packing,
  dot4I8Packed: packing,
  exp: componentwise,
  exp2: componentwise,
  extractBits: componentwise,
  faceForward: (e, [vector, incident, reference]) => geometry.faceForward(e, vector, incident, reference),
  firstLeadingBit: componentwise,
  firstTrailingBit: componentwise,
  floor: componentwise,
  fma: componentwise,
  fract: componentwise,
  frexp: (e, [value], result) => emitSplit(e, ["frexp_fract", "frexp_exp"], value, result),
  insertBits: componentwise,
  inverseSqrt: componentwise,
  ldexp: componentwise,
  length: (e, [value]) => geometry.length(e, value),
  log: componentwise,
  log2: componentwise,
  max: componentwise,
  min: componentwise,
  mix: componentwise,
  modf: (e, [value], result) => emitSplit(e, ["modf_fract", "modf_whole"], value, result),
  normalize: (e, [value]) => geometry.normalize(e, value),
  pow: componentwise,
  quantizeToF16: componentwise,
  radians: componentwise,
  reflect: (e, [incident, normal]) => geometry.reflect(e, incident, normal),
  refract: (e, [incident, normal, ratio]) => geometry.refract(e, incident, normal, ratio),
  reverseBits: componentwise,
  round: componentwise,
  saturate: componentwise,
  sign: componentwise,
  sin: componentwise,
  sinh: componentwise,
  smoothstep: componentwise,
  sqrt: componentwise,
  step: componentwise,
  tan: componentwise,
  tanh: componentwise,
  transpose: (e, [matrix]) => geometry.transpose(e, matrix),
  trunc: componentwise,
  // spec: #derivative-builtin-functions
  dpdx: derivative,
  dpdxCoarse: derivative,
  dpdxFine: derivative,
  dpdy: derivative,
  dpdyCoarse: derivative,
  dpdyFine: derivative,
  fwidth: derivative,
  fwidthCoarse: derivative,
  fwidthFine: derivative,
  // spec: #texture-builtin-functions
  textureDimensions: texture,
  textureGather: texture,
  textureGatherCompare: texture,
  textureLoad: texture,
  textureNumLayers: texture,
  textureNumLevels: texture,
  textureNumSamples: texture,
  textureSample: texture,
  textureSampleBias: texture,
  textureSampleCompare: texture,
  textureSampleCompareLevel: texture,
  textureSampleGrad: texture,
  textureSampleLevel: texture,
  textureSampleBaseClampToEdge: texture,
  textureStore: texture,
  // spec: #atomic-builtin-functions
  atomicLoad: atomic("load"),
  atomicStore: atomic("store"),
  atomicAdd: atomic("add"),
  atomicSub: atomic("sub"),
  atomicMax: atomic("max"),
  atomicMin: atomic("min"),
  atomicAnd: atomic("and"),
  atomicOr: atomic("or"),
  atomicXor: atomic("xor"),
  atomicExchange: atomic("exchange"),
  atomicCompareExchangeWeak: atomic("compare-exchange-weak"),
  // spec: #pack-builtin-functions, #unpack-builtin-functions
  pack4x8snorm: packing,
  pack4x8unorm: packing,
  pack4xI8: packing,
  pack4xU8: packing,
  pack4xI8Clamp: packing,
  pack4xU8Clamp: packing,
  pack2x16snorm: packing,
  pack2x16unorm: packing,
  pack2x16float: packing,
  unpack4x8snorm: packing,
  unpack4x8unorm: packing,
  unpack4xI8: packing,
  unpack4xU8: packing,
  unpack2x16snorm: packing,
  unpack2x16unorm: packing,
  unpack2x16float: packing,
  // spec: #sync-builtin-functions
  storageBarrier: (e) => e.barrier("storage"),
  textureBarrier: (e) => e.barrier("texture"),
  workgroupBarrier: (e) => e.barrier("workgroup"),
  workgroupUniformLoad: (e, [pointer], result) => e.uniformLoad(pointer, result),
  // spec: #subgroup-builtin-functions, #quad-builtin-functions
  subgroupAdd: subgroup,
  subgroupExclusiveAdd: subgroup,
  subgroupInclusiveAdd: subgroup,
  subgroupAll: subgroup,
  subgroupAnd: subgroup,
  subgroupAny: subgroup,
  subgroupBallot: subgroup,
  subgroupBroadcast: subgroup,
  subgroupBroadcastFirst: subgroup,
  subgroupElect: subgroup,
  subgroupMax: subgroup,
  subgroupMin: subgroup,
  subgroupMul: subgroup,
  subgroupExclusiveMul: subgroup,
  subgroupInclusiveMul: subgroup,
  subgroupOr: subgroup,
  subgroupShuffle: subgroup,
  subgroupShuffleDown: subgroup,
  subgroupShuffleUp: subgroup,
  subgroupShuffleXor: subgroup,
  subgroupXor: subgroup,
  quadBroadcast: subgroup,
  quadSwapDiagonal: subgroup,
  quadSwapX: subgroup,
  quadSwapY: subgroup,
  // spec: #buffer-view-builtin-functions
  bufferView,
  bufferArrayView: bufferView,
  bufferLength: bufferView,
};

export function emitBuiltin(e: Emitter, name: string, args: readonly InstId[], result: Type): InstId {
  return LOWERINGS[name as BuiltinName](e, args, result, name);
}
