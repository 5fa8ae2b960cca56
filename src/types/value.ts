/**
 * Values known before a shader runs. Scalars: `boolean` for bool, `bigint` for abstract integers, `number` for all
 * others (already rounded to the type); vectors, matrices (columns), arrays and structures hold their parts in order.
 */
import type { Type } from "./type.ts";

export interface ConstValue {
  readonly type: Type;
  readonly value: boolean | bigint | number | readonly ConstValue[];
}

/** A class, so that the many values of a large module die young with it, see `listOf`. */
class Value implements ConstValue {
  declare readonly type: Type;
  declare readonly value: ConstValue["value"];

  constructor(type: Type, value: ConstValue["value"]) {
    this.type = type;
    this.value = value;
  }
}

export function constValue(type: Type, value: ConstValue["value"]): ConstValue {
  return new Value(type, value);
}
