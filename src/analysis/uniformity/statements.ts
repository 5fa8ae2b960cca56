/** One function per row of the table of statements. spec: #uniformity-statements */
import type * as ast from "../../syntax/ast.ts";
import { BREAK, CONTINUE, NEXT, RETURN } from "../behavior.ts";
import { callExpression } from "./calls.ts";
import { expression, memoryView } from "./expressions.ts";
import type { NodeIndex, Reason } from "./graph.ts";
import type { Target } from "./values.ts";
import { control, isFunctionMemory, slotOf, type Walk } from "./walk.ts";

type WithoutBranches =
  | ast.VarDecl
  | ast.LetDecl
  | ast.AssignStatement
  | ast.IncrementStatement
  | ast.PhonyAssignStatement
  | ast.CallStatement;

/** Gives the node of control flow behind the statement. */
export function statement(walk: Walk, node: ast.Statement, cf: NodeIndex): NodeIndex {
  walk.flow?.statements.push({ node, cf });
  switch (node.kind) {
    case "compound":
      return sequence(walk, node.statements, cf);
    case "var":
    case "let":
    case "assign":
    case "increment":
    case "phony-assign":
    case "call-statement":
      walk.isQuiet = !walk.facts.acts(node.id);
      withoutBranches(walk, node, cf);
      walk.isQuiet = false;
      return cf;
    case "if":
      return ifStatement(walk, node, cf);
    case "switch":
      return switchStatement(walk, node, cf);
    case "loop":
      return loopStatement(walk, node, cf);
    case "for":
      return forStatement(walk, node, cf);
    case "while":
      return loop(walk, node, { condition: node.condition, body: node.body, closing: null, breakIf: null }, cf);
    case "break":
      walk.values.jumpOut();
      return cf;
    case "continue":
      walk.values.jumpOn();
      return cf;
    case "return":
      returnStatement(walk, node, cf);
      return cf;
    case "const":
    case "const-assert":
    case "discard":
    case "empty":
    case "error-statement":
      return cf;
    default:
      return node satisfies never;
  }
}

function withoutBranches(walk: Walk, node: WithoutBranches, cf: NodeIndex): void {
  switch (node.kind) {
    case "var":
      variable(walk, node, cf);
      return;
    case "let":
      walk.numbers[node.id] = expression(walk, node.initializer, cf);
      return;
    case "assign":
      assignment(walk, node, node.right, node.operator !== null, cf);
      return;
    case "increment":
      assignment(walk, node, null, true, cf);
      return;
    case "phony-assign":
      if (!walk.isQuiet) expression(walk, node.value, cf);
      return;
    case "call-statement":
      if (!walk.isQuiet) callExpression(walk, node.call, cf);
      return;
    default:
      node satisfies never;
  }
}

/** What follows a statement without Next in its behavior is not reached, and not looked at. */
function sequence(walk: Walk, statements: readonly ast.Statement[], cf: NodeIndex): NodeIndex {
  let at = cf;
  for (const part of statements) {
    at = statement(walk, part, at);
    if ((walk.behaviors[part.id] & NEXT) === 0) break;
  }
  return at;
}

/** `var x;` holds the zero value, the same for all that get here. */
function variable(walk: Walk, node: ast.VarDecl, cf: NodeIndex): void {
  const value = node.initializer === null ? cf : expression(walk, node.initializer, cf);
  walk.numbers[node.id] = walk.values.declare(value);
}

/** `e1 = e2`; `e1 op= e2` and `e1++` read `e1` as well. */
function assignment(
  walk: Walk,
  node: ast.AssignStatement | ast.IncrementStatement,
  right: ast.Expr | null,
  reads: boolean,
  cf: NodeIndex,
): void {
  const { graph, values } = walk;
  const root = walk.roots.of(node.left);
  const slot = root !== null && isFunctionMemory(root) ? slotOf(walk, root.declaration) : null;
  // What other memory holds is not followed.
  if (slot === null && walk.isQuiet) return;
  const view = memoryView(walk, node.left, cf, false);
  // A partial assignment leaves the rest as it was before the right side. spec: #func-var-value-analysis
  const before = slot !== null && (reads || !walk.roots.isFull(node.left)) ? values.read(slot) : null;
  const value = right === null ? cf : expression(walk, right, cf);
  if (slot === null) return;
  const written = graph.node("write", node, cf);
  graph.edge(written, value);
  if (view !== value) graph.edge(written, view);
  if (before !== null) graph.edge(written, before);
  values.assign(slot, written);
}

/** What is returned, and what is left in the memory that the function was given pointers to. */
function returnStatement(walk: Walk, node: ast.ReturnStatement, cf: NodeIndex): void {
  if (node.value !== null) walk.graph.edge(walk.fn.returned!, expression(walk, node.value, cf));
  leaveFunction(walk);
}

/** Also at the end of the body. */
export function leaveFunction(walk: Walk): void {
  const { returnedContents, info } = walk.fn;
  for (let index = 0; index < returnedContents.length; index++) {
    const node = returnedContents[index];
    if (node !== null) walk.graph.edge(node, walk.values.read(slotOf(walk, info.params[index].declaration)));
  }
}

// ---------------------------------------------------------------- branches

/** CFend -> {CF1, …, CFn}. */
function controlEnd(walk: Walk, reason: Reason, ends: readonly NodeIndex[]): NodeIndex {
  const [first] = ends;
  if (ends.every((end) => end === first)) return first;
  const node = walk.graph.node("control-end", reason);
  for (const end of ends) walk.graph.edge(node, end);
  return node;
}

/** A part that runs under a condition; where its end can be reached, control goes on behind the statement. */
function branch(walk: Walk, body: ast.CompoundStatement, target: Target, cf: NodeIndex): NodeIndex {
  const mark = walk.values.mark();
  const end = statement(walk, body, cf);
  if ((walk.behaviors[body.id] & NEXT) !== 0) walk.values.jump(target);
  walk.values.rollBack(mark, target);
  return end;
}

/** An `if` of a chain: control flow before it, and behind its first branch. */
interface Link {
  readonly node: ast.IfStatement;
  readonly cf: NodeIndex;
  readonly end: NodeIndex;
}

/**
 * `if e s1 else s2`: an `else if` is an `if` in an `else`. A chain may be long, so it is walked down and up again without
 * recursion; all its branches meet at one target.
 */
function ifStatement(walk: Walk, node: ast.IfStatement, cf: NodeIndex): NodeIndex {
  // Where all of it ends normally, so do its parts, and control flow behind it is that of before.
  const chain: Link[] | null = walk.behaviors[node.id] === NEXT ? null : [];
  let target: Target | null = null;
  let mark = 0;
  let at = cf;
  let rest: ast.IfStatement | ast.CompoundStatement | null = node;
  for (; rest?.kind === "if"; rest = rest.otherwise) {
    const under = control(walk, rest, expression(walk, rest.condition, at), at);
    if (target === null) {
      target = walk.values.open("branch", node);
      mark = walk.values.mark();
    }
    const end = branch(walk, rest.then, target, under);
    chain?.push({ node: rest, cf: at, end });
    at = under;
  }
  if (rest === null) walk.values.jump(target!);
  let end = rest === null ? at : branch(walk, rest, target!, at);
  // Conditions behind an `else` may have had effects.
  walk.values.rollBack(mark, target!);
  walk.values.close(target!);
  if (chain === null) return cf;
  for (let i = chain.length - 1; i >= 0; i--) {
    const link = chain[i];
    end = walk.behaviors[link.node.id] === NEXT ? link.cf : controlEnd(walk, link.node, [link.end, end]);
  }
  return end;
}

/** `switch e case _: s1 …` */
function switchStatement(walk: Walk, node: ast.SwitchStatement, cf: NodeIndex): NodeIndex {
  const under = control(walk, node, expression(walk, node.selector, cf), cf);
  const target = walk.values.open("switch", node);
  const ends: NodeIndex[] = [];
  for (const clause of node.clauses) ends.push(branch(walk, clause.body, target, under));
  walk.values.close(target);
  return walk.behaviors[node.id] === NEXT ? cf : controlEnd(walk, node, ends);
}

// ---------------------------------------------------------------- loops

/** What `loop`, `for` and `while` have in common once desugared. spec: #for-statement, #while-statement */
interface LoopParts {
  /** `if !e {break;}` at the start of the body. */
  readonly condition: ast.Expr | null;
  readonly body: ast.CompoundStatement;
  /** The continuing block, without its `break if`. */
  readonly closing: ast.Statement | null;
  readonly breakIf: ast.ContinuingBlock | null;
}

function loopStatement(walk: Walk, node: ast.LoopStatement, cf: NodeIndex): NodeIndex {
  const { body, continuing } = node;
  return loop(walk, node, { condition: null, body, closing: continuing?.body ?? null, breakIf: continuing }, cf);
}

function forStatement(walk: Walk, node: ast.ForStatement, cf: NodeIndex): NodeIndex {
  if (node.initializer !== null) statement(walk, node.initializer, cf);
  return loop(walk, node, { condition: node.condition, body: node.body, closing: node.update, breakIf: null }, cf);
}

/** `loop {s1 continuing {s2}}` */
function loop(
  walk: Walk,
  node: ast.LoopStatement | ast.ForStatement | ast.WhileStatement,
  parts: LoopParts,
  cf: NodeIndex,
): NodeIndex {
  const { graph, values } = walk;
  const body = walk.behaviors[parts.body.id];
  const behavior = parts.condition === null ? body : body | BREAK;
  const repeats = (behavior & (NEXT | CONTINUE)) !== 0;
  const state = values.beginLoop(node);
  const start = repeats ? graph.node("iteration", node) : cf;
  if (repeats) graph.edge(start, cf);
  let at = start;
  if (parts.condition !== null) {
    at = control(walk, node, expression(walk, parts.condition, at), at);
    values.jump(state.breaks);
  }
  at = statement(walk, parts.body, at);
  values.beginContinuing(state, (body & NEXT) !== 0);
  if (repeats) {
    at = continuing(walk, parts, at, state.breaks);
    graph.edge(start, at);
  }
  values.endLoop(state, repeats);
  if (!repeats) return behavior === BREAK ? cf : at;
  return (behavior & RETURN) === 0 ? cf : start;
}

/** `s2`, and `break if e`: CFend -> V. */
function continuing(walk: Walk, parts: LoopParts, cf: NodeIndex, breaks: Target): NodeIndex {
  const end = parts.closing === null ? cf : statement(walk, parts.closing, cf);
  const condition = parts.breakIf?.breakIf ?? null;
  if (condition === null) return end;
  const under = control(walk, parts.breakIf!, expression(walk, condition, end), end);
  walk.values.jump(breaks);
  return under;
}
