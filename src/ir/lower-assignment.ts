/** Statements that write memory. spec: #assignment, #increment-decrement */
import type * as ast from "../syntax/ast.ts";
import type { VectorType } from "../types/type.ts";
import type { Emitter } from "./builder.ts";
import type { InstId } from "./ir.ts";
import { emitBinary } from "./lower-arithmetic.ts";
import { isSwizzle, lowerValue, lowerView, swizzleOf } from "./lower-expression.ts";
import type { FunctionScope } from "./scope.ts";

/** The reference is evaluated first and once; a compound assignment reads it before the right-hand side is evaluated. */
export function lowerAssign(f: FunctionScope, statement: ast.AssignStatement): void {
  const target = withoutParens(statement.left);
  if (target.kind === "member" && isSwizzle(f, target)) {
    lowerSwizzleAssign(f, statement, target);
    return;
  }
  const e = f.builder.at(statement.span);
  const pointer = lowerView(f, target);
  const { operator } = statement;
  if (operator === null) {
    e.store(pointer, lowerValue(f, statement.right));
    return;
  }
  const old = f.builder.at(target.span).load(pointer);
  e.store(pointer, emitBinary(e, operator, old, lowerValue(f, statement.right)));
}

/**
 * `v.zx = e` writes the whole vector: its other components are read first. Only where the language feature
 * `swizzle_assignment` exists; the checker decides.
 */
function lowerSwizzleAssign(f: FunctionScope, statement: ast.AssignStatement, target: ast.MemberExpr): void {
  const e = f.builder.at(statement.span);
  const pointer = lowerView(f, target.object);
  const components = swizzleOf(f, target);
  let value: InstId;
  if (statement.operator === null) value = lowerValue(f, statement.right);
  else {
    const old = e.swizzle(f.builder.at(target.span).load(pointer), components);
    value = emitBinary(e, statement.operator, old, lowerValue(f, statement.right));
  }
  e.store(pointer, replaceComponents(e, e.load(pointer), components, value));
}

function replaceComponents(e: Emitter, vector: InstId, components: readonly number[], value: InstId): InstId {
  const { size } = e.typeOf(vector) as VectorType;
  const parts = Array.from({ length: size }, (_, index) => {
    const source = components.indexOf(index);
    return source < 0 ? e.extract(vector, index) : e.extract(value, source);
  });
  return e.construct(e.typeOf(vector), parts);
}

export function lowerIncrement(f: FunctionScope, statement: ast.IncrementStatement): void {
  const e = f.builder.at(statement.span);
  const pointer = lowerView(f, statement.left);
  const old = f.builder.at(statement.left.span).load(pointer);
  const one = e.number(1, e.typeOf(old));
  e.store(pointer, e.binary(statement.operator === "++" ? "+" : "-", old, one));
}

function withoutParens(expr: ast.Expr): ast.Expr {
  return expr.kind === "paren" ? withoutParens(expr.expression) : expr;
}
