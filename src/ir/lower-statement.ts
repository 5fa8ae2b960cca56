/** Statements and control flow. spec: #statements */

import "../diagnostics/catalogue-beyond.ts";
import { zeroValue } from "../builtins/evaluate-construct.ts";
import { phrase } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import type { SwitchInst } from "./ir.ts";
import { lowerAssign, lowerIncrement } from "./lower-assignment.ts";
import { givesHandle, lowerCall, lowerValue } from "./lower-expression.ts";
import type { FunctionScope } from "./scope.ts";
import { UnsupportedError } from "./unsupported.ts";

/** The statements in order; what stands after a `break`, `continue` or `return` is never reached and left out. */
export function lowerStatements(f: FunctionScope, statements: readonly ast.Statement[]): void {
  for (const statement of statements) {
    if (f.builder.closed) return;
    lowerStatement(f, statement);
  }
}

function lowerStatement(f: FunctionScope, statement: ast.Statement): void {
  const e = f.builder.at(statement.span);
  switch (statement.kind) {
    // Names are told apart by their declaration, so a scope needs no block of its own.
    case "compound":
      lowerStatements(f, statement.statements);
      break;
    case "var":
      lowerVar(f, statement);
      break;
    case "let":
      lowerLet(f, statement);
      break;
    case "assign":
      lowerAssign(f, statement);
      break;
    // spec: #phony-assignment-section. `_ = t;` makes a texture part of the interface and does nothing.
    case "phony-assign":
      if (!givesHandle(f, statement.value)) lowerValue(f, statement.value);
      break;
    case "increment":
      lowerIncrement(f, statement);
      break;
    // spec: #function-call-statement
    case "call-statement":
      lowerCall(f, statement.call);
      break;
    case "if":
      lowerIf(f, statement);
      break;
    case "switch":
      lowerSwitch(f, statement);
      break;
    case "loop":
      lowerLoop(f, statement);
      break;
    case "for":
      lowerFor(f, statement);
      break;
    // spec: #while-statement
    case "while":
      e.loop(
        () => {
          lowerCondition(f, statement.condition);
          lowerStatements(f, statement.body.statements);
        },
        () => null,
      );
      break;
    case "break":
      e.break();
      break;
    case "continue":
      e.continue();
      break;
    // spec: #return-statement
    case "return":
      e.return(statement.value === null ? null : lowerValue(f, statement.value));
      break;
    // spec: #discard-statement: in fragment shaders only.
    case "discard":
      throw new UnsupportedError(phrase("no-fragment"), statement.span);
    // Constants stand where they are used; assertions were checked.
    case "const":
    case "const-assert":
    case "empty":
      break;
    case "error-statement":
      throw new TypeError("internal: a statement that could not be read");
    default:
      statement satisfies never;
  }
}

/** Initialised each time control reaches it. spec: #var-decls */
function lowerVar(f: FunctionScope, declaration: ast.VarDecl): void {
  const entity = f.module.program.declared[declaration.id];
  if (entity?.kind !== "variable") throw new TypeError(`internal: ‘${declaration.name.text}’ was not declared`);
  const e = f.builder.at(declaration.span);
  const type = f.module.resolve(entity.type);
  const { initializer } = declaration;
  // The initializer cannot see the variable: `var a = a;` names an outer one.
  const value = initializer === null ? e.constant(zeroValue(type)) : lowerValue(f, initializer);
  const local = f.builder.local(declaration.name.text, type, declaration.name.span);
  f.locals.set(declaration.id, local);
  e.store(e.local(local), value);
}

/** The value has a name from here on; a pointer keeps what its indices were. spec: #let-decls */
function lowerLet(f: FunctionScope, declaration: ast.LetDecl): void {
  if (givesHandle(f, declaration.initializer)) {
    throw new UnsupportedError(phrase("no-textures"), declaration.span);
  }
  f.values.set(declaration.id, lowerValue(f, declaration.initializer));
}

/** spec: #if-statement. `else if` is an `if` in the block of `else`. */
function lowerIf(f: FunctionScope, statement: ast.IfStatement): void {
  const condition = lowerValue(f, statement.condition);
  f.builder.at(statement.span).if(
    condition,
    () => lowerStatements(f, statement.then.statements),
    () => {
      if (statement.otherwise !== null) lowerStatement(f, statement.otherwise);
    },
  );
}

/** spec: #switch-statement. A clause that holds `default` may hold values too. */
function lowerSwitch(f: FunctionScope, statement: ast.SwitchStatement): void {
  const selector = lowerValue(f, statement.selector);
  const clauses = statement.clauses.map((clause): SwitchInst["clauses"][number] => ({
    values: clause.selectors.flatMap((item) => (item.kind === "default" ? [] : [caseValue(f, item)])),
    isDefault: clause.selectors.some((item) => item.kind === "default"),
    body: f.builder.block(() => lowerStatements(f, clause.body.statements)),
  }));
  f.builder.at(statement.span).switch(selector, clauses);
}

function caseValue(f: FunctionScope, expr: ast.Expr): number {
  const constant = f.module.program.constOf[expr.id];
  if (constant === null) throw new TypeError("internal: a case selector without a value");
  return Number(constant.value);
}

/** spec: #loop-statement, #continuing-statement, #break-if-statement */
function lowerLoop(f: FunctionScope, statement: ast.LoopStatement): void {
  const { continuing } = statement;
  f.builder.at(statement.span).loop(
    () => lowerStatements(f, statement.body.statements),
    () => {
      if (continuing === null) return null;
      lowerStatements(f, continuing.body.statements);
      return continuing.breakIf === null ? null : lowerValue(f, continuing.breakIf);
    },
  );
}

/**
 * spec: #for-statement. `continue` goes to the update, so the update is the continuing block; the initializer stands
 * before the loop.
 */
function lowerFor(f: FunctionScope, statement: ast.ForStatement): void {
  if (statement.initializer !== null) lowerStatement(f, statement.initializer);
  f.builder.at(statement.span).loop(
    () => {
      if (statement.condition !== null) lowerCondition(f, statement.condition);
      lowerStatements(f, statement.body.statements);
    },
    () => {
      if (statement.update !== null) lowerStatement(f, statement.update);
      return null;
    },
  );
}

/** Leaves the loop where the condition is false. */
function lowerCondition(f: FunctionScope, condition: ast.Expr): void {
  const e = f.builder.at(condition.span);
  e.if(
    lowerValue(f, condition),
    () => {},
    () => {
      e.break();
    },
  );
}
