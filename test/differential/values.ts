/** Types, values and WGSL text of them, for comparing const-evaluation with another implementation. */
import { zeroValue } from "../../src/builtins/evaluate-construct.ts";
import { roundToF16 } from "../../src/numeric/float16.ts";
import type { ScalarKind, ScalarType, Type } from "../../src/types/type.ts";
import {
  ABSTRACT_FLOAT,
  ABSTRACT_INT,
  isScalar,
  matrixType,
  SCALARS,
  typeName,
  vectorType,
} from "../../src/types/type.ts";
import type { ConstValue } from "../../src/types/value.ts";

/** A type as the specification writes it: `vec3<AbstractFloat>`, `mat2x3<f32>`, `u32`. */
export function parseType(text: string): Type {
  const scalars: Readonly<Record<string, ScalarType>> = {
    ...SCALARS,
    AbstractInt: ABSTRACT_INT,
    AbstractFloat: ABSTRACT_FLOAT,
  };
  if (text in scalars) return scalars[text];
  const vector = /^vec(\d)<(\w+)>$/.exec(text);
  if (vector !== null) return vectorType(Number(vector[1]), scalars[vector[2]]);
  const matrix = /^mat(\d)x(\d)<(\w+)>$/.exec(text);
  if (matrix !== null) return matrixType(Number(matrix[1]), Number(matrix[2]), scalars[matrix[3]]);
  throw new Error(`no type ‘${text}’`);
}

/** A value as an expression of exactly its type. */
export function written(value: ConstValue): string {
  const { type } = value;
  if (isScalar(type)) return writtenScalar(type.kind, value.value as boolean | bigint | number);
  const parts = (value.value as readonly ConstValue[]).map(written).join(", ");
  if (type.kind === "vector") return `vec${type.size}(${parts})`;
  if (type.kind === "matrix") return `mat${type.columns}x${type.rows}(${parts})`;
  throw new Error(`no text for ‘${typeName(type)}’`);
}

function writtenScalar(kind: ScalarKind, value: boolean | bigint | number): string {
  switch (kind) {
    case "bool":
      return String(value);
    case "abstract-int":
      if (value === -(1n << 63n)) return `(-9223372036854775807 - 1)`;
      return `(${value})`;
    case "i32":
      return `i32(${value})`;
    case "u32":
      return `${value}u`;
    default: {
      const suffix = { f32: "f", f16: "h", "abstract-float": "" }[kind];
      const sign = Object.is(value, -0) || (value as number) < 0 ? "-" : "";
      const digits = String(Math.abs(value as number));
      const dotted = suffix === "" && /^\d+$/.test(digits) ? `${digits}.0` : digits;
      return `(${sign}${dotted}${suffix})`;
    }
  }
}

/** Numbers from a seed: the same on every run. */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x7feb352d);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

const EDGES: Readonly<Record<ScalarKind, readonly (boolean | bigint | number)[]>> = {
  bool: [false, true],
  i32: [0, 1, -1, 2, 31, 32, -2147483648, 2147483647],
  u32: [0, 1, 2, 31, 32, 4294967295],
  f32: [0, 1, -1, 0.5, -0.5, 2, 3.4028234663852886e38, 1.1754943508222875e-38, 2147483648, 4294967040, -1e10],
  f16: [0, 1, -1, 0.5, -0.5, 2, 65504, 6.103515625e-5],
  "abstract-int": [0n, 1n, -1n, 2n, 31n, 63n, 4294967296n, -(1n << 63n), (1n << 63n) - 1n],
  "abstract-float": [0, 1, -1, 0.5, -0.5, 2, 1.7976931348623157e308, 1e300, 1e10],
};

/** A value of the type: now and then at an edge, mostly small, sometimes of any size. */
export function randomValue(type: Type, random: () => number): ConstValue {
  if (isScalar(type)) return { type, value: randomScalar(type.kind, random) };
  return {
    type,
    value: (zeroValue(type).value as readonly ConstValue[]).map((part) => randomValue(part.type, random)),
  };
}

function randomScalar(kind: ScalarKind, random: () => number): boolean | bigint | number {
  const choice = random();
  if (choice < 0.2) return EDGES[kind][Math.floor(random() * EDGES[kind].length)];
  const whole = choice < 0.5;
  switch (kind) {
    case "bool":
      return random() < 0.5;
    case "i32":
      return Math.floor((random() - 0.5) * (whole ? 40 : 2 ** 32));
    case "u32":
      return Math.floor(random() * (whole ? 40 : 2 ** 32));
    case "abstract-int":
      return whole ? BigInt(Math.floor((random() - 0.5) * 40)) : BigInt(Math.floor((random() - 0.5) * 2 ** 40));
    case "f32":
      return Math.fround(randomFloat(random, whole, 127));
    case "f16":
      return roundToF16(randomFloat(random, whole, 14));
    case "abstract-float":
      return randomFloat(random, whole, 1020);
    default:
      return kind satisfies never;
  }
}

function randomFloat(random: () => number, whole: boolean, exponent: number): number {
  const sign = random() < 0.5 ? -1 : 1;
  const choice = random();
  if (whole) return sign * Math.floor(random() * 20);
  if (choice < 0.7) return sign * random() * 4;
  return sign * (1 + random()) * 2 ** Math.floor((random() - 0.5) * 2 * exponent);
}
