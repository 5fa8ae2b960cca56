/**
 * The ways in which control leaves each statement. Says where a function that returns a value may end without one, and
 * where a loop has no way out. Runs on a program without errors, so that `break`, `continue` and `return` stand where
 * they may. spec: #behaviors-rules
 */
import { type DiagnosticList, type Note, note } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import type { Span } from "../text/source.ts";
import { VOID } from "../types/type.ts";
import type { Program } from "./program.ts";

export const NEXT = 1;
export const BREAK = 2;
export const CONTINUE = 4;
export const RETURN = 8;

/** Sets of the four, by node id of a statement; 0 for all other nodes. */
export type Behaviors = Uint8Array;

interface Pass {
  readonly program: Program;
  readonly behaviors: Behaviors;
  readonly diagnostics: DiagnosticList;
  /** Set where something was said of the function at hand: one mistake, one message. */
  reported: boolean;
}

/** null where the rules are broken: what needs behaviors cannot go on. */
export function analyzeBehaviors(program: Program, diagnostics: DiagnosticList): Behaviors | null {
  const pass: Pass = { program, behaviors: new Uint8Array(program.module.nodeCount), diagnostics, reported: false };
  let valid = true;
  for (const info of program.functions) {
    pass.reported = false;
    const behavior = statement(pass, info.declaration.body);
    if (info.returnType !== VOID && behavior !== RETURN && !pass.reported) {
      missingReturn(pass, info.declaration);
      pass.reported = true;
    }
    valid &&= !pass.reported;
  }
  return valid ? pass.behaviors : null;
}

function statement(pass: Pass, node: ast.Statement): number {
  const behavior = behaviorOf(pass, node);
  pass.behaviors[node.id] = behavior;
  return behavior;
}

function behaviorOf(pass: Pass, node: ast.Statement): number {
  switch (node.kind) {
    case "compound":
      return sequence(pass, node.statements);
    case "if":
      return ifStatement(pass, node);
    case "switch":
      return switchStatement(pass, node);
    case "loop":
      return loopStatement(pass, node);
    case "for":
      return forStatement(pass, node);
    case "while":
      return ways(pass, node, BREAK | statement(pass, node.body), NEXT);
    case "break":
      return BREAK;
    case "continue":
      return CONTINUE;
    case "return":
      return RETURN;
    default:
      // A function that is called has the behavior {Next}: {} was reported where it is declared.
      return NEXT;
  }
}

/** What follows a statement without Next has to obey the rules, but adds nothing. */
function sequence(pass: Pass, statements: readonly ast.Statement[]): number {
  let behavior = NEXT;
  for (const part of statements) {
    const next = statement(pass, part);
    if ((behavior & NEXT) !== 0) behavior = (behavior & ~NEXT) | next;
  }
  return behavior;
}

/** `else if` is an `if` in an `else`: a chain may be long, so no recursion along it. */
function ifStatement(pass: Pass, node: ast.IfStatement): number {
  const { otherwise } = node;
  if (otherwise?.kind !== "if")
    return statement(pass, node.then) | (otherwise === null ? NEXT : statement(pass, otherwise));
  const chain: ast.IfStatement[] = [];
  let rest: ast.IfStatement | ast.CompoundStatement | null = node;
  for (; rest?.kind === "if"; rest = rest.otherwise) {
    chain.push(rest);
    statement(pass, rest.then);
  }
  let behavior = rest === null ? NEXT : statement(pass, rest);
  for (let i = chain.length - 1; i >= 0; i--) {
    behavior |= pass.behaviors[chain[i].then.id];
    pass.behaviors[chain[i].id] = behavior;
  }
  return behavior;
}

function switchStatement(pass: Pass, node: ast.SwitchStatement): number {
  let behavior = 0;
  for (const clause of node.clauses) behavior |= statement(pass, clause.body);
  return (behavior & BREAK) === 0 ? behavior : (behavior | NEXT) & ~BREAK;
}

function loopStatement(pass: Pass, node: ast.LoopStatement): number {
  const body = statement(pass, node.body);
  if (node.continuing === null) return ways(pass, node, body, NEXT);
  const closing = statement(pass, node.continuing.body);
  const breaks = node.continuing.breakIf === null ? 0 : BREAK | NEXT;
  return ways(pass, node, body, closing | breaks);
}

/** `for (a; b; c) {d}` is `{a; loop {if !b {break;} d continuing {c}}}`. spec: #for-statement */
function forStatement(pass: Pass, node: ast.ForStatement): number {
  if (node.initializer !== null) statement(pass, node.initializer);
  const closing = node.update === null ? NEXT : statement(pass, node.update);
  const body = statement(pass, node.body);
  return ways(pass, node, node.condition === null ? body : BREAK | body, closing);
}

/** How control leaves a loop with these behaviors of its body and of its continuing block. */
function ways(
  pass: Pass,
  node: ast.LoopStatement | ast.ForStatement | ast.WhileStatement,
  body: number,
  closing: number,
): number {
  if (body === RETURN) return RETURN;
  const both = body | closing;
  const behavior = (both & BREAK) === 0 ? both & ~(CONTINUE | NEXT) : (both | NEXT) & ~(BREAK | CONTINUE);
  if (behavior !== 0) return behavior;
  pass.diagnostics.report("endless-loop", keyword(pass, node), {});
  pass.reported = true;
  return NEXT;
}

/** A statement begins with its attributes: past them. */
function keyword(pass: Pass, node: ast.LoopStatement | ast.ForStatement | ast.WhileStatement): Span {
  const last = node.attributes.at(-1);
  const from = last === undefined ? node.span.start : last.span.end;
  const start = Math.max(from, pass.program.source.text.indexOf(node.kind, from));
  return { start, end: start + node.kind.length };
}

// ---------------------------------------------------------------- a missing return

function missingReturn(pass: Pass, node: ast.FunctionDecl): void {
  const { name, body } = node;
  const way = wayOut(pass, body);
  const end = { start: body.span.end - 1, end: body.span.end };
  const notes = way.span.end === end.end ? [way] : [way, note("ends-here", end, {})];
  pass.diagnostics.report("missing-return", name.span, { name: name.text }, { notes });
}

/** Where control gets through: the end of a block, or an `if` without `else`. */
function wayOut(pass: Pass, block: ast.CompoundStatement): Note {
  const last = block.statements.at(-1);
  const end = { start: block.span.end - 1, end: block.span.end };
  if (last?.kind === "compound") return wayOut(pass, last);
  if (last?.kind !== "if") return note("ends-here", end, {});
  let node = last;
  for (;;) {
    if ((pass.behaviors[node.then.id] & NEXT) !== 0) return wayOut(pass, node.then);
    if (node.otherwise === null) return note("no-else", node.condition.span, {});
    if (node.otherwise.kind === "compound") return wayOut(pass, node.otherwise);
    node = node.otherwise;
  }
}
