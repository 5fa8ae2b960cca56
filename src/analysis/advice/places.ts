/** Questions about atomic calls: which place, by whom, and where the returned value is looked at. */
import type * as ast from "../../syntax/ast.ts";
import { isExpression } from "../../syntax/walk.ts";
import { type Advice, isComparison } from "./advice-context.ts";
import { type Guard, guardsOf } from "./guards.ts";
import type { AtomicCall, FunctionSurvey, Loop, Node } from "./survey.ts";

/** Names of atomic functions that change the value by what it was: they return the value from before. */
export const READ_MODIFY_WRITE: ReadonlySet<string> = new Set([
  "atomicAdd",
  "atomicSub",
  "atomicMax",
  "atomicMin",
  "atomicAnd",
  "atomicOr",
  "atomicXor",
  "atomicExchange",
  "atomicCompareExchangeWeak",
]);

/** The place as it is written: `count` of `&count`. */
export function placeOf(call: ast.CallExpr): ast.Expr {
  const pointer = call.args[0];
  return pointer.kind === "unary" && pointer.operator === "&" ? pointer.operand : pointer;
}

export function samePlace(advice: Advice, a: ast.CallExpr, b: ast.CallExpr): boolean {
  return advice.same(placeOf(a), placeOf(b));
}

export function addressSpace(advice: Advice, call: ast.CallExpr): string | null {
  const type = advice.program.typeOf[call.args[0].id];
  return type?.kind === "pointer" ? type.space : null;
}

/** One address for all invocations: no index that is known only when the shader runs, no pointer that came from elsewhere. */
export function isOneAddress(advice: Advice, call: ast.CallExpr): boolean {
  let at = placeOf(call);
  for (;;) {
    switch (at.kind) {
      case "member":
        at = at.object;
        break;
      case "index":
        if (advice.program.timeOf[at.index.id] === "runtime") return false;
        at = at.object;
        break;
      case "identifier":
        return advice.program.entityOf[at.id]?.kind === "variable";
      default:
        return false;
    }
  }
}

/** Some index of the place is known only when the shader runs: a counter among many. */
export function hasRuntimeIndex(advice: Advice, call: ast.CallExpr): boolean {
  return advice.mentions(placeOf(call), (part) => {
    return part.kind === "index" && advice.program.timeOf[part.index.id] === "runtime";
  });
}

/** Nobody looks at what the call returns. */
export function isIgnored(advice: Advice, call: ast.CallExpr): boolean {
  const at = advice.parent(call);
  return at?.kind === "call-statement" || at?.kind === "phony-assign";
}

export interface Compared {
  readonly comparison: ast.BinaryExpr;
  /** The side that the value stands on, conversions included. */
  readonly side: ast.Expr;
  readonly other: ast.Expr;
}

/** The comparison that a value is an operand of, as it is or converted (`i32(value)`). */
export function comparedAt(advice: Advice, value: ast.Expr): Compared | null {
  let side: ast.Expr = value;
  for (;;) {
    const at = advice.parent(side);
    if (at === null || !isExpression(at)) return null;
    if (isComparison(at)) return { comparison: at, side, other: at.left === side ? at.right : at.left };
    if (!isConversion(advice, at)) return null;
    side = at;
  }
}

function isConversion(advice: Advice, at: ast.Expr): boolean {
  if (at.kind !== "call" || at.args.length !== 1) return false;
  return advice.program.callOf[at.id]?.kind === "construct" || advice.builtin(at) === "bitcast";
}

/** `value == 0`, `value < 1`, `value <= 0` and what denies them. */
export function isZeroTest(advice: Advice, { comparison, side, other }: Compared): boolean {
  const bound = advice.number(other);
  if (bound === 0) return true;
  const under = side === comparison.left ? ["<", ">="] : [">", "<="];
  return bound === 1 && under.includes(comparison.operator);
}

export function isWithin(advice: Advice, node: Node, outer: Node): boolean {
  if (node === outer) return true;
  for (const at of advice.ancestors(node)) if (at === outer) return true;
  return false;
}

/** A variable of the function to which the loop gives another value. */
export function isChangedIn(advice: Advice, loop: Loop, leaf: ast.Expr): boolean {
  const entity = leaf.kind === "identifier" ? advice.program.entityOf[leaf.id] : null;
  if (entity?.kind !== "variable" || entity.scope !== "function") return false;
  const writes = advice.survey.writesOf.get(entity.declaration.id) ?? [];
  return writes.some(({ node }) => isWithin(advice, node, loop));
}

/** The parameter with a builtin value that an expression is, or is a component or member of. */
export function builtinValueOf(advice: Advice, expr: ast.Expr): string | null {
  let at = expr;
  for (;;) {
    if (at.kind === "identifier") {
      const entity = advice.program.entityOf[at.id];
      return entity?.kind === "parameter" ? entity.builtin : null;
    }
    if (at.kind !== "member") return null;
    const named = memberBuiltin(advice, at);
    if (named !== null) return named;
    at = at.object;
  }
}

/** `in.lane`, a member of a structure of inputs. spec: #builtin-inputs-outputs */
function memberBuiltin(advice: Advice, at: ast.MemberExpr): string | null {
  const entity = advice.entity(at.object);
  if (entity?.kind !== "parameter" || entity.type.kind !== "struct") return null;
  const owner = advice.entryPointOf.get(entity);
  return owner?.inputs.find((input) => input.name === at.member.text)?.builtin ?? null;
}

const INVOCATION_NUMBERS: ReadonlySet<string> = new Set([
  "local_invocation_id",
  "local_invocation_index",
  "global_invocation_id",
  "global_invocation_index",
]);

/** A condition that one invocation of a workgroup fulfils: `lane == 0`. `global`: one of the dispatch, or one workgroup. */
export function picksOne(advice: Advice, guard: Guard): "workgroup" | "global" | null {
  let condition = guard.condition;
  // Of `a && b` each has to hold.
  let picked: "workgroup" | null = null;
  while (condition.kind === "binary" && condition.operator === "&&" && guard.holds === true) {
    const right = picksOne(advice, { ...guard, condition: condition.right });
    if (right === "global") return right;
    picked ??= right;
    condition = condition.left;
  }
  return pickedBy(advice, condition, guard) ?? picked;
}

function pickedBy(advice: Advice, condition: ast.Expr, guard: Guard): "workgroup" | "global" | null {
  if (condition.kind !== "binary") return null;
  if (condition.operator !== (guard.holds === true ? "==" : "!=")) return null;
  const sides = [condition.left, condition.right];
  const value = sides.map((side) => builtinValueOf(advice, advice.resolved(side))).find((name) => name !== null);
  const fixed = sides.some((side) => advice.number(side) !== null);
  if (value === undefined || !fixed) return null;
  if (value.startsWith("global_invocation") || value.startsWith("workgroup_")) return "global";
  return INVOCATION_NUMBERS.has(value) ? "workgroup" : null;
}

/** The conditions around a place leave it to a single invocation. */
export function isAlone(advice: Advice, node: Node): boolean {
  return guardsOf(advice, node).some((guard) => picksOne(advice, guard) !== null);
}

/** Atomic calls on the same place, as far as it is written the same way. */
export function atSamePlace(
  advice: Advice,
  fn: FunctionSurvey,
  name: string,
  call: ast.CallExpr,
): readonly AtomicCall[] {
  const others = byPlace(advice, fn).get(`${name} ${textOfPlace(advice, call)}`) ?? [];
  return others.filter((other) => other.call !== call && samePlace(advice, other.call, call));
}

/** The place as it is written: equal texts name equal places, unless a name means something else there. */
export function textOfPlace(advice: Advice, call: ast.CallExpr): string {
  return advice.program.source.slice(placeOf(call).span);
}

/** The atomic calls of a function by name and place, as it is written. */
function byPlace(advice: Advice, fn: FunctionSurvey): ReadonlyMap<string, readonly AtomicCall[]> {
  let known = advice.atomicsByPlace.get(fn);
  if (known === undefined) {
    const found = new Map<string, AtomicCall[]>();
    for (const atomic of fn.atomics) {
      const key = `${atomic.name} ${textOfPlace(advice, atomic.call)}`;
      const same = found.get(key);
      if (same === undefined) found.set(key, [atomic]);
      else same.push(atomic);
    }
    advice.atomicsByPlace.set(fn, (known = found));
  }
  return known;
}

/** Atomic calls on the same variable in the whole module. */
export function onVariable(advice: Advice, atomic: AtomicCall): readonly AtomicCall[] {
  if (atomic.root?.kind !== "variable") return [];
  return advice.survey.functions.flatMap((fn) => {
    return fn.atomics.filter((other) => other.root === atomic.root && other.call !== atomic.call);
  });
}
