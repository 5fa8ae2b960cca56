/**
 * What has to hold for control to reach a place: the conditions of the statements around it, and those of earlier
 * statements of the same blocks that leave when they hold.
 */
import type * as ast from "../../syntax/ast.ts";
import { NEXT, RETURN } from "../behavior.ts";
import type { Advice } from "./advice-context.ts";
import type { Node } from "./survey.ts";

/** Of a block, more ways out than this are not followed. */
const MOST_LEAVERS = 64;

export interface Guard {
  readonly condition: ast.Expr;
  /** Whether the condition has to be true or false; null: one of several cases of a `switch`. */
  readonly holds: boolean | null;
  readonly statement: ast.Statement;
}

/** Innermost first; up to `within` (exclusive), or all of the function. */
export function guardsOf(advice: Advice, node: Node, within: ast.Statement | null = null): readonly Guard[] {
  const guards: Guard[] = [];
  let inner: Node = node;
  for (const at of advice.ancestors(node)) {
    if (at.kind === "compound") earlierExits(advice, at, inner, guards);
    if (at === within) break;
    switch (at.kind) {
      case "if":
        if (inner === at.then || inner === at.otherwise) {
          guards.push({ condition: at.condition, holds: inner === at.then, statement: at });
        }
        break;
      case "switch":
        if (inner !== at.selector) guards.push({ condition: at.selector, holds: null, statement: at });
        break;
      case "while":
        if (inner === at.body) guards.push({ condition: at.condition, holds: true, statement: at });
        break;
      case "for":
        if (at.condition !== null && (inner === at.body || inner === at.update)) {
          guards.push({ condition: at.condition, holds: true, statement: at });
        }
        break;
      case "binary":
        if ((at.operator === "&&" || at.operator === "||") && inner === at.right) {
          guards.push({ condition: at.left, holds: at.operator === "&&", statement: advice.statementOf(at) });
        }
        break;
      default:
        break;
    }
    inner = at;
  }
  return guards;
}

/** Some invocations may have left before it in a way that no condition of `guardsOf` tells: out of a loop, by a `switch`. */
export function mayHaveLeft(advice: Advice, node: Node): boolean {
  for (const at of advice.ancestors(node)) {
    if (at.kind !== "compound") continue;
    const leavers = leaversBefore(advice, at, node);
    if (leavers.length >= MOST_LEAVERS) return true;
    for (const part of leavers) {
      if (part.kind === "if" && isPlainExit(advice, part)) continue;
      // A loop that ends is left behind with its `break`s.
      if ((advice.survey.behaviors[part.id] & RETURN) !== 0 || part.kind === "if") return true;
    }
  }
  return false;
}

/** Statements of a block before the one that holds `node` which control need not get past. */
function leaversBefore(advice: Advice, block: ast.CompoundStatement, node: Node): readonly ast.Statement[] {
  const all = advice.survey.leaversOf.get(block.id);
  if (all === undefined) return [];
  const before: ast.Statement[] = [];
  for (let i = 0; i < all.length && before.length < MOST_LEAVERS && all[i].span.end <= node.span.start; i++) {
    before.push(all[i]);
  }
  return before;
}

function isPlainExit(advice: Advice, part: ast.IfStatement): boolean {
  return part.otherwise === null && (advice.survey.behaviors[part.then.id] & NEXT) === 0;
}

/** `if (c) { return; }` before it: behind, `c` is false. */
function earlierExits(advice: Advice, block: ast.CompoundStatement, inner: Node, guards: Guard[]): void {
  for (const part of leaversBefore(advice, block, inner)) {
    if (part.kind !== "if" || !isPlainExit(advice, part)) continue;
    guards.push({ condition: part.condition, holds: false, statement: part });
  }
}
