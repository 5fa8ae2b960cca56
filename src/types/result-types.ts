/**
 * The structures that `frexp`, `modf` and `atomicCompareExchangeWeak` return. They have no name that WGSL can write, and
 * they are interned like all other types.
 */
import type { ScalarType, StructType, Type, VectorType } from "./type.ts";
import { ABSTRACT_INT, BOOL, I32, structType, vectorType } from "./type.ts";

/** Which builtin function returns it. */
export type ResultFamily = "frexp" | "modf" | "compare-exchange";

interface ResultOrigin {
  readonly family: ResultFamily;
  readonly of: ScalarType | VectorType;
}

const origins = new WeakMap<StructType, ResultOrigin>();
const made: Record<ResultFamily, Map<Type, StructType>> = {
  frexp: new Map(),
  modf: new Map(),
  "compare-exchange": new Map(),
};

function resultType(family: ResultFamily, of: ScalarType | VectorType, members: readonly [string, Type][]): StructType {
  let type = made[family].get(of);
  if (type === undefined) {
    type = structType(
      nameOf(family, of),
      members.map(([name, member]) => ({ name, type: member, align: null, size: null })),
      null,
    );
    made[family].set(of, type);
    origins.set(type, { family, of });
  }
  return type;
}

function nameOf(family: ResultFamily, of: ScalarType | VectorType): string {
  const scalar = of.kind === "vector" ? of.element : of;
  if (family === "compare-exchange") return `__atomic_compare_exchange_result<${scalar.kind}>`;
  const suffix = scalar.kind === "abstract-float" ? "abstract" : scalar.kind;
  return `__${family}_result_${of.kind === "vector" ? `vec${of.size}_` : ""}${suffix}`;
}

/** spec: #frexp-builtin. `of`: a floating point scalar or vector. */
export function frexpResultType(of: ScalarType | VectorType): StructType {
  const scalar = of.kind === "vector" ? of.element : of;
  const exponent = scalar.kind === "abstract-float" ? ABSTRACT_INT : I32;
  return resultType("frexp", of, [
    ["fract", of],
    ["exp", of.kind === "vector" ? vectorType(of.size, exponent) : exponent],
  ]);
}

/** spec: #modf-builtin. `of`: a floating point scalar or vector. */
export function modfResultType(of: ScalarType | VectorType): StructType {
  return resultType("modf", of, [
    ["fract", of],
    ["whole", of],
  ]);
}

/** spec: #atomic-compare-exchange-weak. `of`: i32 or u32. */
export function compareExchangeResultType(of: ScalarType): StructType {
  return resultType("compare-exchange", of, [
    ["old_value", of],
    ["exchanged", BOOL],
  ]);
}

/** The same result structure for another type: how `__frexp_result_abstract` becomes `__frexp_result_f32`. */
export function resultTypeOf(family: ResultFamily, of: ScalarType | VectorType): StructType {
  if (family === "frexp") return frexpResultType(of);
  if (family === "modf") return modfResultType(of);
  return compareExchangeResultType(of as ScalarType);
}

/** Where a result structure comes from; null for a structure that was declared. */
export function resultOrigin(type: StructType): ResultOrigin | null {
  return origins.get(type) ?? null;
}
