/**
 * Overload resolution of builtin functions, operators and constructors: types in, types out. Results are remembered by
 * the types of the arguments, so that a shader pays for each combination once. What is of type `error` is not for these
 * functions: a message about it was given before.
 */
import type { BinaryOperator, UnaryOperator } from "../syntax/ast.ts";
import type { Type } from "../types/type.ts";
import { remembered } from "./memory.ts";
import { type Resolution, resolveOverload } from "./overload.ts";
import type { BuiltinRow } from "./row.ts";
import { type BuiltinName, rowsOf } from "./table.ts";
import { BINARY_OPERATORS, UNARY_OPERATORS } from "./table-operators.ts";

export type { Resolution } from "./overload.ts";
export { type ConstructorName, isConstructorName, resolveConstructor } from "./resolve-constructor.ts";
export { BUILTIN_NAMES, type BuiltinName, isBuiltinName, rowsOf } from "./table.ts";

/**
 * A call of a builtin function. `template`: the types of the template list, null when there is none. `args`: types of
 * the arguments, references as they are. `constant`: whether all arguments are const-expressions (only then can an
 * abstract type remain).
 */
export function resolveBuiltin(
  name: BuiltinName,
  template: readonly Type[] | null,
  args: readonly Type[],
  constant: boolean,
): Resolution {
  const key = `${name}${template === null ? "" : `<${template.length}>`}${constant ? "!" : ""}`;
  return remembered(key, template, args, () => resolveOverload(rowsOf(name), template, args, constant));
}

const unaryRows = new Map<string, readonly BuiltinRow[]>();
const binaryRows = new Map<string, readonly BuiltinRow[]>();

/** `-e`, `!e`, `~e`. (`*e` and `&e` are no overloads of anything: they are rules about memory views.) */
export function resolveUnary(operator: Exclude<UnaryOperator, "*" | "&">, operand: Type): Resolution {
  return remembered(`unary ${operator}`, null, [operand], () => {
    let rows = unaryRows.get(operator);
    if (rows === undefined) unaryRows.set(operator, (rows = UNARY_OPERATORS.rows(operator)));
    return resolveOverload(rows, null, [operand], true);
  });
}

/** `constant`: whether both operands are const-expressions. */
export function resolveBinary(operator: BinaryOperator, left: Type, right: Type, constant: boolean): Resolution {
  return remembered(constant ? `${operator}!` : operator, null, [left, right], () => {
    let rows = binaryRows.get(operator);
    if (rows === undefined) binaryRows.set(operator, (rows = BINARY_OPERATORS.rows(operator)));
    return resolveOverload(rows, null, [left, right], constant);
  });
}
