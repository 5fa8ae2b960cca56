/** What operations need, pointers resolved. */
import { indicesOf, type Pointers } from "./pointers.ts";
import type { Operation, ValueId } from "./tree.ts";

/** The values that an operation needs, those of its pointers' indices instead of the pointers. */
export function dependencies(operation: Operation, pointers: Pointers): readonly ValueId[] {
  const needed: ValueId[] = [];
  for (const id of operandsOfOperation(operation)) {
    const pointer = pointers[id];
    if (pointer === undefined) needed.push(id);
    else needed.push(...indicesOf(pointer));
  }
  return needed;
}

/** Its operands, pointers included; a pointer needs its indices where it is used. */
export function operandsOfOperation(operation: Operation): readonly ValueId[] {
  switch (operation.kind) {
    case "const":
    case "variable":
    case "local":
    case "barrier":
    case "array-length":
    case "access":
      return [];
    case "unary":
    case "convert":
    case "bitcast":
    case "splat":
    case "extract":
    case "swizzle":
      return [operation.operand];
    case "binary":
      return [operation.left, operation.right];
    case "construct":
      return operation.parts;
    case "extract-dynamic":
      return [operation.operand, operation.index];
    case "select":
      return [operation.condition, operation.ifTrue, operation.ifFalse];
    case "builtin":
    case "subgroup":
    case "call":
      return operation.args;
    case "load":
    case "uniform-load":
      return [operation.pointer];
    case "store":
      return [operation.pointer, operation.value];
    case "atomic":
      return [operation.pointer, ...operation.args];
    default:
      return operation satisfies never;
  }
}
