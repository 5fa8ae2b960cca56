/**
 * Loops that end only when another invocation gets on: WGSL promises no progress of one invocation while another waits.
 * A retry around compare-and-exchange is no such loop: that it fails shows that another has succeeded.
 */
import { note } from "../../diagnostics/diagnostic.ts";
import type * as ast from "../../syntax/ast.ts";
import { forEachExpression } from "../../syntax/walk.ts";
import type { Entity } from "../program.ts";
import type { Root } from "../root-identifier.ts";
import type { Advice } from "./advice-context.ts";
import { guardsOf } from "./guards.ts";
import { isWithin } from "./places.ts";
import type { AtomicCall, FunctionSurvey, Loop, Node } from "./survey.ts";

export function spinOnMemory(advice: Advice, fn: FunctionSurvey): void {
  for (const { loop, wait } of waitsIn(advice, fn)) {
    const keyword = { start: loop.span.start, end: loop.span.start + loop.kind.length };
    const name = wait.root === null ? advice.text(wait.call.args[0]) : wait.root.name;
    const notes = [note("waits-here", wait.call.span, { name }), note("do-not-wait", keyword, {})];
    advice.found.report("spin-on-memory", keyword, { name }, { notes });
  }
}

/** A loop, and the atomic access that it waits for. */
interface WaitingLoop {
  readonly loop: Loop;
  readonly wait: AtomicCall;
}

const known = new WeakMap<FunctionSurvey, readonly WaitingLoop[]>();

export function waitsIn(advice: Advice, fn: FunctionSurvey): readonly WaitingLoop[] {
  let waits = known.get(fn);
  if (waits === undefined) {
    waits = fn.loops.flatMap((loop) => {
      const inside = fn.atomics.filter(({ call }) => isWithin(advice, call, loop));
      const wait = inside.length === 0 ? null : waitOf(advice, fn, loop, inside);
      return wait === null ? [] : [{ loop, wait }];
    });
    known.set(fn, waits);
  }
  return waits;
}

/** The atomic access that every way out of the loop waits for; null: the loop can end by itself. */
function waitOf(advice: Advice, fn: FunctionSurvey, loop: Loop, inside: readonly AtomicCall[]): AtomicCall | null {
  const exits = exitsOf(advice, loop);
  if (exits.length === 0) return null;
  const loads = inside.length > MOST_LOADS ? [] : inside.filter(({ name }) => name === "atomicLoad");
  const isAnswer = (node: Node) => loads.some(({ call }) => isDueTo(advice, node, loop, call));
  const changed = changedIn(advice, loop, isAnswer);
  const waiting = inside.filter((atomic) => {
    const others = inside.filter(({ call, name }) => name !== "atomicStore" || !isAnswer(call));
    return isWaiting(advice, fn, loop, atomic, others, changed) && !isRepeated(advice, atomic, exits, loop);
  });
  if (waiting.length === 0) return null;
  let found: AtomicCall | null = null;
  for (const conditions of exits) {
    const wait = conditions
      .map((condition) => waitIn(advice, condition, waiting, inside, changed, loop))
      .find((each) => each !== null);
    if (wait === undefined || wait === null) return null;
    found ??= wait;
  }
  return found;
}

/** Of a loop with more atomic accesses it is not asked which of them others are due to. */
const MOST_LOADS = 16;

/**
 * Done only where a load finds one certain value, as a look-back goes on to the workgroup before when it finds a sum: where
 * it does not, nothing changes. An `else`, or another comparison than `==`, might cover all that can be found.
 */
function isDueTo(advice: Advice, node: Node, loop: Loop, load: ast.CallExpr): boolean {
  let inner: Node = node;
  for (const at of advice.ancestors(node)) {
    if (at === loop) return false;
    if (at.kind === "if" && inner === at.then && at.otherwise === null) {
      const test = at.condition;
      const isTest = test.kind === "binary" && test.operator === "==";
      if (isTest && advice.mentionsThrough(test, (part) => part === load)) return true;
    }
    inner = at;
  }
  return false;
}

/** For each way out of the loop, the conditions inside of it that have to hold; an empty list: control gets out anyway. */
function exitsOf(advice: Advice, loop: Loop): readonly (readonly ast.Expr[])[] {
  const exits: (readonly ast.Expr[])[] = [];
  if (loop.kind !== "loop" && loop.condition !== null) exits.push([loop.condition]);
  if (loop.kind === "loop" && loop.continuing?.breakIf != null) exits.push([loop.continuing.breakIf]);
  const own = loop.kind === "loop" ? null : loop.condition;
  const leave = (node: ast.Statement) => {
    // What did not hold in front of it is a way out of its own.
    const guards = guardsOf(advice, node, loop).filter(({ statement }) => statement.span.end > node.span.start);
    const conditions = guards.map((guard) => guard.condition);
    exits.push(conditions.filter((condition) => condition !== own));
  };
  forEachExpression(
    loop.body,
    () => {},
    (node) => {
      if (node.kind === "return" || (node.kind === "break" && leavesBy(advice, node) === loop)) leave(node);
    },
  );
  return exits;
}

/** The loop or `switch` that a `break` ends. */
export function leavesBy(advice: Advice, node: ast.BreakStatement): Node | null {
  for (const at of advice.ancestors(node)) {
    if (at.kind === "switch" || at.kind === "loop" || at.kind === "for" || at.kind === "while") return at;
  }
  return null;
}

/** Local variables that the loop itself changes. */
function changedIn(advice: Advice, loop: Loop, isLeftOut: (node: Node) => boolean): ReadonlySet<Entity> {
  const changed = new Set<Entity>();
  const add = (root: Root | null) => root !== null && changed.add(root);
  forEachExpression(
    loop,
    (expr) => {
      if (expr.kind === "unary" && expr.operator === "&") add(advice.survey.roots.of(expr.operand));
    },
    (node) => {
      const isWrite = node.kind === "assign" || node.kind === "increment";
      if (isWrite && !isLeftOut(node)) add(advice.survey.roots.of(node.left));
      if (node.kind === "var") add(advice.program.declared[node.id] as Root);
    },
  );
  return changed;
}

/** It finds what it found before until another invocation acts: in the same place, and changes nothing, or the same each time. */
function isWaiting(
  advice: Advice,
  fn: FunctionSurvey,
  loop: Loop,
  atomic: AtomicCall,
  inside: readonly AtomicCall[],
  changed: ReadonlySet<Entity>,
): boolean {
  if (atomic.name === "atomicStore" || atomic.name === "atomicAdd" || atomic.name === "atomicSub") return false;
  const others = inside.some((other) => other !== atomic && other.root === atomic.root && other.name !== "atomicLoad");
  if (others || reachedByCalls(advice, fn, loop, atomic.root)) return false;
  return atomic.call.args.every((arg) => isSteady(advice, arg, inside, changed));
}

/** A weak exchange is repeated until it succeeds or finds another value: that ends by itself. */
function isRepeated(
  advice: Advice,
  { call, name }: AtomicCall,
  exits: readonly (readonly ast.Expr[])[],
  loop: Loop,
): boolean {
  if (name !== "atomicCompareExchangeWeak") return false;
  return exits.flat().some((condition) => {
    return advice.mentionsThrough(condition, (part) => {
      if (part.kind !== "member" || part.member.text !== "old_value") return false;
      const entity = advice.entity(part.object);
      return advice.resolved(part.object) === call || (entity !== null && heldBy(advice, entity, loop) === call);
    });
  });
}

/** A function called in the loop may be what changes it. */
function reachedByCalls(advice: Advice, fn: FunctionSurvey, loop: Loop, root: Root | null): boolean {
  return fn.calls.some(({ call, callee }) => {
    if (!isWithin(advice, call, loop)) return false;
    return root?.kind !== "variable" || callee.usedVariables.includes(root);
  });
}

/** The same each time around. */
function isSteady(
  advice: Advice,
  expr: ast.Expr,
  inside: readonly AtomicCall[],
  changed: ReadonlySet<Entity>,
): boolean {
  return !advice.mentionsThrough(expr, (part) => {
    if (part.kind === "call" && advice.builtin(part)?.startsWith("atomic")) return true;
    const entity = part.kind === "identifier" ? advice.program.entityOf[part.id] : null;
    return entity !== null && changed.has(entity) && !isAtomicRoot(entity, inside);
  });
}

/** The waiting access that a condition hangs on, if it hangs on nothing that the loop itself moves. */
function waitIn(
  advice: Advice,
  condition: ast.Expr,
  waiting: readonly AtomicCall[],
  inside: readonly AtomicCall[],
  changed: ReadonlySet<Entity>,
  loop: Loop,
): AtomicCall | null {
  let found: AtomicCall | null = null;
  const moves = advice.mentionsThrough(condition, (part) => {
    const atomic = inside.find(({ call }) => call === part);
    if (atomic !== undefined) {
      if (!waiting.includes(atomic)) return true;
      found ??= atomic;
    }
    if (part.kind === "call") return advice.program.callOf[part.id]?.kind === "function";
    const entity = part.kind === "identifier" ? advice.program.entityOf[part.id] : null;
    const held = entity === null ? null : heldBy(advice, entity, loop);
    const holds = held === null ? undefined : waiting.find(({ call }) => call === held);
    if (holds !== undefined) {
      found ??= holds;
      return false;
    }
    return entity !== null && changed.has(entity) && !isAtomicRoot(entity, inside);
  });
  return moves ? null : found;
}

/** What the loop puts into a variable, where it does so in one place: `while (seen == 0) { seen = atomicLoad(&flag); }`. */
function heldBy(advice: Advice, entity: Entity, loop: Loop): ast.Expr | null {
  if (entity.kind !== "variable" || entity.scope !== "function") return null;
  const writes = (advice.survey.writesOf.get(entity.declaration.id) ?? []).filter(({ node }) =>
    isWithin(advice, node, loop),
  );
  const [write] = writes;
  const node = writes.length === 1 ? advice.statementOf(write.node) : null;
  if (node?.kind !== "assign" || node.operator !== null || node.left !== write.node) return null;
  return node.right;
}

/** `&lock` in a call stands for the atomic object, not for a variable that the loop moves. */
function isAtomicRoot(entity: Entity, inside: readonly AtomicCall[]): boolean {
  return inside.some(({ root }) => root === entity);
}
