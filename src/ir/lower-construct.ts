/** Zero values, conversions and compositions: `T(…)`. spec: #constructor-builtin-function */

import { zeroValue } from "../builtins/evaluate-construct.ts";
import { isScalar, type MatrixType, type ScalarType, type Type, vectorType } from "../types/type.ts";
import { type Emitter, partCount } from "./builder.ts";
import type { InstId } from "./ir.ts";

/** `args` are values of concrete types; abstract arguments were converted before. */
export function emitConstruct(e: Emitter, type: Type, args: readonly InstId[]): InstId {
  // spec: #zero-value-builtin-function
  if (args.length === 0) return e.constant(zeroValue(type));
  if (args.length === 1 && e.typeOf(args[0]) === type) return args[0];
  if (isScalar(type)) return e.convert(args[0], type);
  if (type.kind === "vector") return constructVector(e, type, args);
  if (type.kind === "matrix") return constructMatrix(e, type, args);
  return e.construct(type, args);
}

function constructVector(e: Emitter, type: Extract<Type, { kind: "vector" }>, args: readonly InstId[]): InstId {
  if (args.length > 1) return e.construct(type, components(e, args));
  const from = e.typeOf(args[0]);
  return from.kind === "vector" ? e.convert(args[0], type) : e.splat(args[0], type.size);
}

function constructMatrix(e: Emitter, type: MatrixType, args: readonly InstId[]): InstId {
  const from = e.typeOf(args[0]);
  const column = vectorType(type.rows, type.element);
  if (from.kind === "matrix") {
    const columns = e.parts(args[0]).map((part) => e.convert(part, column));
    return e.construct(type, columns);
  }
  if (from.kind === "vector") return e.construct(type, args);
  const columns = Array.from({ length: type.columns }, (_, index) =>
    e.construct(column, args.slice(index * type.rows, (index + 1) * type.rows)),
  );
  return e.construct(type, columns);
}

/** The scalars of scalars and vectors, in order. */
function components(e: Emitter, values: readonly InstId[]): InstId[] {
  return values.flatMap((value) => (e.typeOf(value).kind === "vector" ? e.parts(value) : [value]));
}

/**
 * Bit reinterpretation. Where `vec4<f16>` meets two 32-bit components, each half is reinterpreted by itself, so that
 * only `vec2<f16>` and 32-bit scalars change shape in one instruction. spec: #bitcast-builtin
 */
export function emitBitcast(e: Emitter, value: InstId, type: Type): InstId {
  const from = e.typeOf(value);
  if (partCount(from) === 4 && partCount(type) === 2) {
    const halves = [e.swizzle(value, [0, 1]), e.swizzle(value, [2, 3])];
    const element = (type as { element: ScalarType }).element;
    return e.construct(
      type,
      halves.map((half) => e.bitcast(half, element)),
    );
  }
  if (partCount(from) === 2 && partCount(type) === 4) {
    const pair = vectorType(2, (type as { element: ScalarType }).element);
    return e.construct(
      type,
      e.parts(value).flatMap((word) => e.parts(e.bitcast(word, pair))),
    );
  }
  return e.bitcast(value, type);
}

/** The result structure of `frexp` or `modf`: both members from one argument, by one scalar builtin each. */
export function emitSplit(e: Emitter, builtins: readonly [string, string], value: InstId, result: Type): InstId {
  const members = (result as Extract<Type, { kind: "struct" }>).members;
  const parts = builtins.map((name, index) => e.builtin(name, [value], members[index].type));
  return e.construct(result, parts);
}
