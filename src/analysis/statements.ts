/** Statements. spec: #statements */

import { concretizeValue } from "../builtins/convert-value.ts";
import { isEvaluationError } from "../builtins/row.ts";
import { note, phrase } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { isConstructible, isHandle } from "../types/predicates.ts";
import { BOOL, type Type, typeName, VOID } from "../types/type.ts";
import { assignment, increment } from "./assignments.ts";
import { statementAttributes } from "./attributes.ts";
import type { Context } from "./context.ts";
import { expectType, makeConcrete, value, type Where } from "./conversions.ts";
import { constDeclaration, functionVariable, letDeclaration, reportNotConstant } from "./declarations.ts";
import { CONST } from "./fact-table.ts";
import { switchSelectors } from "./switches.ts";
import { textOf } from "./text-of.ts";

/** Where control can be sent from the statement at hand. Those of one function are made once each: they are few. */
export interface Flow {
  readonly returnType: Type;
  readonly functionName: string;
  /** What `break` would leave. */
  readonly breaks: "loop" | "switch" | "continuing" | null;
  /** What `continue` would go on with. */
  readonly continues: "loop" | "continuing" | null;
  readonly inContinuing: boolean;
  /** All that there are of the function, but for the first. */
  readonly siblings: Flow[];
}

type Jumps = Pick<Flow, "breaks" | "continues" | "inContinuing">;

function withJumps(flow: Flow, breaks: Jumps["breaks"], continues: Jumps["continues"], inContinuing: boolean): Flow {
  const { siblings } = flow;
  for (const other of siblings) {
    if (other.breaks === breaks && other.continues === continues && other.inContinuing === inContinuing) return other;
  }
  const made = { ...flow, breaks, continues, inContinuing };
  siblings.push(made);
  return made;
}

function insideLoop(flow: Flow): Flow {
  return withJumps(flow, "loop", "loop", flow.inContinuing);
}

export function functionBody(context: Context, node: ast.FunctionDecl, returnType: Type): void {
  const flow: Flow = {
    returnType,
    functionName: node.name.text,
    breaks: null,
    continues: null,
    inContinuing: false,
    siblings: [],
  };
  compound(context, node.body, flow);
}

/** Statements in braces; how deep they may nest is the parser's concern. spec: #compound-statement-section */
export function compound(context: Context, node: ast.CompoundStatement, flow: Flow): void {
  statementAttributes(context, node.attributes, node);
  for (const part of node.statements) statement(context, part, flow);
}

export function statement(context: Context, node: ast.Statement, flow: Flow): void {
  statementRules(context, node, flow);
  noteReach(context, node);
}

/** To be told before what stands in blocks of the statement is looked at. */
function noteReach(context: Context, { id }: ast.Statement): void {
  if (context.acts) {
    context.acts = false;
    context.facts.setActs(id);
  }
  if (!context.reachesOut) return;
  context.reachesOut = false;
  context.facts.setReachesOut(id);
}

function statementRules(context: Context, node: ast.Statement, flow: Flow): void {
  switch (node.kind) {
    case "compound":
      compound(context, node, flow);
      return;
    case "var":
      functionVariable(context, node);
      return;
    case "let":
      letDeclaration(context, node);
      return;
    case "const":
      constDeclaration(context, node);
      return;
    case "const-assert":
      constAssert(context, node);
      return;
    case "assign":
      assignment(context, node);
      return;
    case "phony-assign":
      phonyAssignment(context, node);
      return;
    case "increment":
      increment(context, node);
      return;
    case "call-statement":
      callStatement(context, node);
      return;
    case "if":
      ifStatement(context, node, flow);
      return;
    case "switch":
      switchSelectors(context, node);
      switchClauses(context, node, withJumps(flow, "switch", flow.continues, flow.inContinuing));
      return;
    case "loop":
      loopStatement(context, node, flow);
      return;
    case "for":
      forStatement(context, node, flow);
      return;
    case "while":
      statementAttributes(context, node.attributes, node);
      condition(context, node, node.condition, "while");
      compound(context, node.body, insideLoop(flow));
      return;
    case "break":
      breakStatement(context, node, flow);
      return;
    case "continue":
      continueStatement(context, node, flow);
      return;
    case "return":
      returnStatement(context, node, flow);
      return;
    case "discard":
      discardStatement(context, node);
      return;
    case "empty":
    case "error-statement":
      return;
    default:
      node satisfies never;
  }
}

function condition(context: Context, node: ast.Statement, expr: ast.Expr, keyword: string): void {
  const type = value(context, expr);
  noteReach(context, node);
  if (type !== BOOL) expectType(context, expr, type, BOOL, conditionOf(keyword));
}

function conditionOf(keyword: string): Where {
  return () => phrase("condition-of", { keyword });
}

/** A chain of `else if` may be long: it is followed by a loop, not by recursion. spec: #if-statement */
function ifStatement(context: Context, node: ast.IfStatement, flow: Flow): void {
  let current: ast.IfStatement | ast.CompoundStatement | null = node;
  while (current?.kind === "if") {
    statementAttributes(context, current.attributes, current);
    condition(context, current, current.condition, "if");
    compound(context, current.then, flow);
    current = current.otherwise;
  }
  if (current !== null) compound(context, current, flow);
}

function switchClauses(context: Context, node: ast.SwitchStatement, flow: Flow): void {
  noteReach(context, node);
  for (const clause of node.clauses) compound(context, clause.body, flow);
}

/** spec: #loop-statement, #continuing-statement */
function loopStatement(context: Context, node: ast.LoopStatement, flow: Flow): void {
  statementAttributes(context, node.attributes, node);
  compound(context, node.body, insideLoop(flow));
  if (node.continuing === null) return;
  const inside = withJumps(flow, "continuing", "continuing", true);
  compound(context, node.continuing.body, inside);
  if (node.continuing.breakIf !== null) condition(context, node, node.continuing.breakIf, "break if");
}

/** The update part stands in for a continuing block: it can leave the loop as little as that. spec: #for-statement */
function forStatement(context: Context, node: ast.ForStatement, flow: Flow): void {
  statementAttributes(context, node.attributes, node);
  if (node.initializer !== null) statement(context, node.initializer, flow);
  if (node.condition !== null) condition(context, node, node.condition, "for");
  if (node.update !== null) {
    statement(context, node.update, withJumps(flow, "continuing", "continuing", flow.inContinuing));
  }
  compound(context, node.body, insideLoop(flow));
}

/** spec: #break-statement */
function breakStatement(context: Context, node: ast.BreakStatement, flow: Flow): void {
  if (flow.breaks === null) context.diagnostics.report("break-outside", node.span, {});
  if (flow.breaks === "continuing") context.diagnostics.report("break-from-continuing", node.span, {});
}

/** In a `switch` inside a loop, `continue` means the loop. spec: #continue-statement */
function continueStatement(context: Context, node: ast.ContinueStatement, flow: Flow): void {
  if (flow.continues === null) context.diagnostics.report("continue-outside", node.span, {});
  if (flow.continues === "continuing") context.diagnostics.report("continue-in-continuing", node.span, {});
}

/** spec: #return-statement */
function returnStatement(context: Context, node: ast.ReturnStatement, flow: Flow): void {
  if (flow.inContinuing) context.diagnostics.report("return-in-continuing", node.span, {});
  const { functionName: name, returnType } = flow;
  if (node.value === null) {
    if (returnType === VOID || returnType.kind === "error") return;
    context.diagnostics.report("return-without-value", node.span, { name, type: typeName(returnType) });
    return;
  }
  const type = value(context, node.value);
  if (returnType === VOID) {
    if (type.kind !== "error") context.diagnostics.report("return-value-not-allowed", node.value.span, { name });
    return;
  }
  if (type !== returnType) expectType(context, node.value, type, returnType, returnValueOf(name));
}

function returnValueOf(name: string): Where {
  return () => phrase("return-value-of", { name });
}

/** Which stages reach it is known only with all calls. spec: #discard-statement */
function discardStatement(context: Context, node: ast.DiscardStatement): void {
  context.current?.stageUses.push(node);
}

/** spec: #phony-assignment-section */
function phonyAssignment(context: Context, node: ast.PhonyAssignStatement): void {
  const type = value(context, node.value);
  if (type.kind === "error" || isConstructible(type) || type.kind === "pointer" || isHandle(type)) {
    concreteIfPossible(context, node.value, type);
    return;
  }
  context.diagnostics.report("not-a-value", node.value.span, {
    name: textOf(context, node.value),
    type: typeName(type),
  });
}

/** What is thrown away may stay abstract, where it is too large for a concrete type: `_ = 1e300;`. */
function concreteIfPossible(context: Context, expr: ast.Expr, type: Type): void {
  const known = context.facts.constOf(expr.id);
  if (known !== null && isEvaluationError(concretizeValue(known))) return;
  makeConcrete(context, expr, type);
}

/** What is worth calling only for its result must not stand alone. spec: #function-call-statement, #must-use-attr */
function callStatement(context: Context, node: ast.CallStatement): void {
  const { call } = node;
  const type = context.rules.expression(context, call);
  const info = context.facts.callOf(call.id);
  if (type.kind === "error" || info === null) return;
  const name = call.text;
  if (info.kind === "construct") {
    context.diagnostics.report("value-not-used", call.span, { name });
    return;
  }
  const used = info.kind === "function" ? info.function.mustUse : context.facts.rowOf(call.id)!.mustUse;
  if (!used) return;
  const declared =
    info.kind === "function" ? [note("declared-here", info.function.declaration.name.span, { name })] : [];
  context.diagnostics.report("must-use", call.span, { name }, { notes: declared });
}

/** spec: #const-assert-statement */
export function constAssert(context: Context, node: ast.ConstAssert): void {
  const type = value(context, node.condition);
  if (type.kind === "error" || !expectType(context, node.condition, type, BOOL, "‘const_assert’")) return;
  if (context.facts.time(node.condition.id) !== CONST) {
    reportNotConstant(context, node.condition, phrase("condition-of", { keyword: "const_assert" }));
    return;
  }
  if (context.facts.constOf(node.condition.id)?.value !== false) return;
  context.diagnostics.report("const-assert-failed", node.span, { condition: textOf(context, node.condition) });
}
