/** Statements that write memory. spec: #assignment, #increment-decrement */
import type * as ast from "../syntax/ast.ts";
import { emitBinary } from "./lower-arithmetic.ts";
import { lowerValue, lowerView } from "./lower-expression.ts";
import type { FunctionScope } from "./scope.ts";

/** The reference is evaluated first and once; a compound assignment reads it before the right-hand side is evaluated. */
export function lowerAssign(f: FunctionScope, statement: ast.AssignStatement): void {
  const e = f.builder.at(statement.span);
  const pointer = lowerView(f, statement.left);
  const { operator } = statement;
  if (operator === null) {
    e.store(pointer, lowerValue(f, statement.right));
    return;
  }
  const old = f.builder.at(statement.left.span).load(pointer);
  e.store(pointer, emitBinary(e, operator, old, lowerValue(f, statement.right)));
}

/** spec: #increment-decrement */
export function lowerIncrement(f: FunctionScope, statement: ast.IncrementStatement): void {
  const e = f.builder.at(statement.span);
  const pointer = lowerView(f, statement.left);
  const old = f.builder.at(statement.left.span).load(pointer);
  const one = e.number(1, e.typeOf(old));
  e.store(pointer, e.binary(statement.operator === "++" ? "+" : "-", old, one));
}
