/** The code that says whether an atomic addition or subtraction wrapped: the same question as `counters.ts` asks. */
import type { Emitter } from "../ir/builder.ts";
import type { InstId } from "../ir/ir.ts";
import { I32, U32 } from "../types/type.ts";
import { SMALL } from "./counters.ts";

/** Whether the sum of `before` and `operand` (or their difference) is not the mathematical one. */
export function wraps(
  em: Emitter,
  operation: "add" | "sub",
  before: InstId,
  operand: InstId,
  isNegated: boolean,
): InstId {
  if (em.typeOf(before) === I32) return wrapsSigned(em, operation, before, operand);
  const isPast =
    operation === "add"
      ? em.binary("<", em.binary("+", before, operand), before)
      : em.binary(">", em.binary("-", before, operand), before);
  // By a negative number it wraps where it would not, as its result, which is never what was before, is on the other side of that.
  return em.binary("!=", isNegative(em, operand, isNegated), isPast);
}

/** Whether an operand stands for a negative number: one that is near to 2^32, or all that are known to be negated. */
export function isNegative(em: Emitter, operand: InstId, isNegated: boolean): InstId {
  return isNegated
    ? em.binary("!=", operand, em.number(0, U32))
    : em.binary(">=", operand, em.number(2 ** 32 - SMALL, U32));
}

function wrapsSigned(em: Emitter, operation: "add" | "sub", before: InstId, operand: InstId): InstId {
  const result = em.binary(operation === "add" ? "+" : "-", before, operand);
  const other = operation === "add" ? result : before;
  const signs = em.binary("&", em.binary("^", before, result), em.binary("^", operand, other));
  return em.binary("<", signs, em.number(0, I32));
}
