/**
 * What the variables that a loop steps hold in its first two rounds and in its last one:
 * `for (var s = 32u; s > 0u; s /= 2u)` has 32 and 16, and 1.
 */
import type * as ast from "../../syntax/ast.ts";
import { forEachExpression } from "../../syntax/walk.ts";
import type { Advice } from "./advice-context.ts";
import { guardsOf } from "./guards.ts";
import { type Known, type Lane, laneValue } from "./lane-values.ts";
import { isWithin } from "./places.ts";
import { leavesBy } from "./spin.ts";
import type { FunctionSurvey, Loop, Node, Write } from "./survey.ts";

/** Of a function with more variables nothing is said. */
const MOST_LOCALS = 256;

/** By variable that the loop changes, its value in either round; NaN: not known. null: there may be no second round. */
export function firstRounds(
  advice: Advice,
  fn: FunctionSurvey,
  loop: Loop,
  lanes: readonly Lane[],
): readonly [Known, Known] | null {
  if (fn.locals.length > MOST_LOCALS || (loop.kind === "loop" && loop.continuing?.breakIf != null)) return null;
  const first = new Map<ast.NodeId, number>();
  const second = new Map<ast.NodeId, number>();
  for (const declaration of fn.locals) {
    if (declaration.kind !== "var" || isWithin(advice, declaration, loop.body)) continue;
    const writes = advice.survey.writesOf.get(declaration.id) ?? [];
    if (!writes.some(({ node }) => isWithin(advice, node, loop))) continue;
    const start = declaration.initializer === null ? null : advice.number(declaration.initializer);
    const isStepped = start !== null && writes.length === 1 && isAtEnd(advice, writes[0], loop);
    const next = isStepped ? stepped(advice, writes[0], declaration, start) : null;
    first.set(declaration.id, next === null ? Number.NaN : start!);
    second.set(declaration.id, next ?? Number.NaN);
  }
  return leaversOf(advice, loop).every((leaver) => isPassed(advice, leaver, loop, first, lanes))
    ? [first, second]
    : null;
}

/** So many rounds are counted to find the last one. */
const MOST_ROUNDS = 256;

/**
 * By variable that the loop changes, its value in the last round, where the loop comes to an end by its condition; NaN: not
 * known. All invocations are taken to run it equally often.
 */
export function lastRound(advice: Advice, fn: FunctionSurvey, loop: Loop, lane: Lane): Known {
  const values = new Map<ast.NodeId, number>();
  const steps: { readonly declaration: ast.VarDecl; readonly write: Write }[] = [];
  for (const declaration of fn.locals.slice(0, MOST_LOCALS)) {
    if (declaration.kind !== "var" || isWithin(advice, declaration, loop.body)) continue;
    const writes = (advice.survey.writesOf.get(declaration.id) ?? []).filter(
      ({ node }) => node.span.start < loop.span.end,
    );
    if (!writes.some(({ node }) => isWithin(advice, node, loop))) continue;
    const start = declaration.initializer === null ? null : advice.number(declaration.initializer);
    const isStepped = start !== null && writes.length === 1 && isAtEnd(advice, writes[0], loop);
    values.set(declaration.id, isStepped ? start : Number.NaN);
    if (isStepped) steps.push({ declaration, write: writes[0] });
  }
  const unknown = new Map([...values.keys()].map((id) => [id, Number.NaN]));
  const end = loopCondition(loop);
  if (end === null || leaversOf(advice, loop).some((leaver) => leaver !== end.leaver)) return unknown;
  const goesOn = (known: Known): boolean | null => {
    const value = laneValue(advice, end.condition, known);
    return value === null ? null : (value(lane) !== 0) === end.holds;
  };
  if (goesOn(values) !== true) return unknown;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = new Map(values);
    for (const { declaration, write } of steps) {
      next.set(declaration.id, stepped(advice, write, declaration, values.get(declaration.id)!) ?? Number.NaN);
    }
    const more = goesOn(next);
    if (more !== true) return more === null ? unknown : values;
    for (const [id, value] of next) values.set(id, value);
  }
  return unknown;
}

/** What is asked at the start of each round; `leaver`: the `break` that ends a `loop` there. */
function loopCondition(
  loop: Loop,
): { readonly condition: ast.Expr; readonly holds: boolean; readonly leaver: ast.Statement | null } | null {
  if (loop.kind !== "loop")
    return loop.condition === null ? null : { condition: loop.condition, holds: true, leaver: null };
  const [first] = loop.body.statements;
  if (loop.continuing?.breakIf != null || first?.kind !== "if" || first.otherwise !== null) return null;
  const [leaver] = first.then.statements;
  return leaver?.kind === "break" ? { condition: first.condition, holds: false, leaver } : null;
}

/** After the write `s /= 2u`, `s = s / 2u` or `s++`; null: by more than a number that is known. */
function stepped(advice: Advice, write: Write, declaration: ast.VarDecl, start: number): number | null {
  const node = advice.statementOf(write.node);
  if (node.kind === "increment") return node.operator === "++" ? start + 1 : start - 1;
  if (node.kind !== "assign") return null;
  let { operator, right } = node as { operator: string | null; right: ast.Expr };
  if (operator === null) {
    if (right.kind !== "binary" || right.left.kind !== "identifier") return null;
    const entity = advice.program.entityOf[right.left.id];
    if (entity?.kind !== "variable" || entity.declaration !== declaration) return null;
    ({ operator, right } = right);
  }
  const by = advice.number(right);
  return by === null ? null : step(operator, start, by);
}

function step(operator: string, start: number, by: number): number | null {
  switch (operator) {
    case "+":
      return start + by;
    case "-":
      return start - by;
    case "*":
      return start * by;
    case "/":
      return Math.trunc(start / by);
    case "<<":
      return start * 2 ** by;
    case ">>":
      return Math.floor(start / 2 ** by);
    default:
      return null;
  }
}

/** In the update, in `continuing`, or as the last statement of the body. */
function isAtEnd(advice: Advice, { node: place, updateOf }: Write, loop: Loop): boolean {
  if (updateOf === loop) return true;
  const node = advice.statementOf(place);
  if (loop.kind === "loop" && loop.continuing !== null) return isLast(loop.continuing.body, node);
  return isLast(loop.body, node);
}

function isLast({ statements }: ast.CompoundStatement, node: Node): boolean {
  return statements.at(-1) === node;
}

/** Statements that end the loop; the condition of a `for` or `while` guards what is in its body. */
function leaversOf(advice: Advice, loop: Loop): readonly ast.Statement[] {
  const found: ast.Statement[] = [];
  forEachExpression(
    loop.body,
    () => {},
    (node) => {
      if (node.kind === "return" || (node.kind === "break" && leavesBy(advice, node) === loop)) found.push(node);
    },
  );
  return found;
}

/** No invocation takes this way out in the first round. */
function isPassed(advice: Advice, leaver: ast.Statement, loop: Loop, first: Known, lanes: readonly Lane[]): boolean {
  return guardsOf(advice, leaver, loop).some(({ condition, holds }) => {
    const value = laneValue(advice, condition, first);
    return value !== null && holds !== null && lanes.every((lane) => (value(lane) !== 0) !== holds);
  });
}
