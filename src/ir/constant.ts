import { convertValue } from "../builtins/convert-value.ts";
import { isEvaluationError } from "../builtins/row.ts";
import { textOfValue } from "../diagnostics/diagnostic.ts";
import type { Type } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";

/**
 * A const-value as one of `type`, to which its type converts automatically.
 * @throws RangeError where `type` cannot represent the value; the checker has refused such code.
 */
export function constantAs(constant: ConstValue, type: Type): ConstValue {
  const converted = convertValue(constant, type);
  if (isEvaluationError(converted)) throw new RangeError(textOfValue(converted.error));
  return converted;
}
