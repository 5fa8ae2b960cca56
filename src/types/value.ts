/**
 * Values known before a shader runs. Scalars: `boolean` for bool, `bigint` for abstract integers, `number` for all
 * others (already rounded to the type); vectors, matrices (columns), arrays and structures hold their parts in order.
 */
import type { Type } from "./type.ts";

export interface ConstValue {
  readonly type: Type;
  readonly value: boolean | bigint | number | readonly ConstValue[];
}
