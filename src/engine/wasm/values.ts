/** Values while code is emitted: their scalars as expressions, or a place in memory. */
import type { Type } from "../../types/type.ts";
import type { Expr } from "./expression.ts";

/** A value that lies in memory, where nothing changes it as long as it is used. */
export interface LargeValue {
  readonly type: Type;
  /** null: the zero value. */
  readonly address: Expr | null;
  readonly offset: number;
}

export type Value = readonly Expr[] | LargeValue;

export function isLargeValue(value: Value): value is LargeValue {
  return !Array.isArray(value);
}

/** A place in memory: the sum of the two. */
export interface Place {
  readonly address: Expr;
  readonly offset: number;
}
