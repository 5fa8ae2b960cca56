/** Counters that wrap, and steps that others come between. spec: #atomic-rmw */
import { note, phrase } from "../../diagnostics/diagnostic.ts";
import type * as ast from "../../syntax/ast.ts";
import { U32 } from "../../types/type.ts";
import { type Advice, isComparison } from "./advice-context.ts";
import { returnsNote } from "./exchange.ts";
import { type Guard, guardsOf } from "./guards.ts";
import {
  atSamePlace,
  type Compared,
  comparedAt,
  hasRuntimeIndex,
  isAlone,
  isIgnored,
  isZeroTest,
  onVariable,
  placeOf,
} from "./places.ts";
import type { AtomicCall, FunctionSurvey } from "./survey.ts";

function isUnsigned(advice: Advice, call: ast.CallExpr): boolean {
  const info = advice.program.callOf[call.id];
  return info?.kind === "builtin" && info.result === U32;
}

function comparisonsOf(advice: Advice, fn: FunctionSurvey, call: ast.CallExpr): readonly Compared[] {
  return advice.reached(fn, call).flatMap(({ at }) => comparedAt(advice, at) ?? []);
}

/**
 * An unsigned counter that is taken from below zero. Counters of an array are left alone: places are commonly given out
 * from their counts downwards.
 */
export function uncheckedSubtraction(advice: Advice, fn: FunctionSurvey): void {
  for (const atomic of fn.atomics) {
    const { call, name } = atomic;
    if (name !== "atomicSub" && !addsNegative(advice, atomic)) continue;
    if (!isUnsigned(advice, call) || hasRuntimeIndex(advice, call)) continue;
    if (checkOf(advice, fn, atomic) !== null || undoOf(advice, fn, call) !== null) continue;
    if (isBalanced(advice, fn, call)) continue;
    const compared = comparisonsOf(advice, fn, call);
    // Compared with what is not zero, as in “the last one sees 1”: the wrapped value is not what is feared.
    if (compared.some((each) => !isZeroTest(advice, each))) continue;
    const place = advice.text(placeOf(call));
    const severity = isIgnored(advice, call) ? { severity: "info" as const } : {};
    const notes = [note("take-only-if-left", call.span, { place }), returnsNote(call)];
    advice.found.report("unchecked-subtraction", call.span, { place }, { notes, ...severity });
  }
}

/** `atomicAdd(&n, 0xffffffffu)` takes one away. */
function addsNegative(advice: Advice, { name, call }: AtomicCall): boolean {
  return name === "atomicAdd" && (advice.number(call.args[1]) ?? 0) >= 2 ** 31;
}

/** What the same function added before may be taken away again. */
function isBalanced(advice: Advice, fn: FunctionSurvey, call: ast.CallExpr): boolean {
  return atSamePlace(advice, fn, "atomicAdd", call).some((other) => other.call.span.end <= call.span.start);
}

interface Undo {
  readonly add: ast.CallExpr;
  readonly test: Compared;
}

/** `let before = atomicSub(&n, 1); if (before == 0) { atomicAdd(&n, 1); }` */
function undoOf(advice: Advice, fn: FunctionSurvey, call: ast.CallExpr): Undo | null {
  const tests = comparisonsOf(advice, fn, call).filter((each) => isZeroTest(advice, each));
  if (tests.length === 0) return null;
  for (const other of atSamePlace(advice, fn, "atomicAdd", call)) {
    if (other.call.span.start < call.span.end) continue;
    const guards = guardsOf(advice, other.call);
    const test = tests.find(({ comparison }) => guards.some(({ condition }) => covers(condition, comparison)));
    if (test !== undefined) return { add: other.call, test };
  }
  return null;
}

function covers(outer: ast.Expr, inner: ast.Expr): boolean {
  return outer.span.start <= inner.span.start && inner.span.end <= outer.span.end;
}

/**
 * Taken first and put back when there was nothing: until then others see the wrapped value and believe that there is
 * plenty. A signed test is right as long as nobody puts anything in.
 */
export function takeAndPutBack(advice: Advice, fn: FunctionSurvey): void {
  for (const atomic of fn.atomics) {
    const { call, name } = atomic;
    if (name !== "atomicSub") continue;
    const undo = undoOf(advice, fn, call);
    if (undo === null) continue;
    const signed = isSignedTest(advice, undo.test);
    if (signed && !onVariable(advice, atomic).some((other) => isPush(other, undo.add))) continue;
    const place = advice.text(placeOf(call));
    const notes = [note("put-back-here", undo.add.span, {}), note("take-only-if-left", call.span, { place })];
    const why = signed ? phrase("signed-test-fails") : phrase("wrapped-looks-plenty");
    advice.found.report("take-and-put-back", call.span, { place, why }, { notes });
  }
}

function isPush(other: AtomicCall, undo: ast.CallExpr): boolean {
  return other.name === "atomicAdd" && other.call !== undo;
}

/** `before <= 0` of i32, or of the bits as i32. */
function isSignedTest(advice: Advice, { comparison, side }: Compared): boolean {
  const type = advice.program.usedAs[side.id] ?? advice.program.typeOf[side.id];
  return type?.kind === "i32" && comparison.operator !== "==" && comparison.operator !== "!=";
}

// ---------------------------------------------------------------- check, then act

const ACTS: ReadonlySet<string> = new Set(["atomicAdd", "atomicSub", "atomicExchange", "atomicXor", "atomicStore"]);

/** Looked at in one step, changed in the next: many can pass the check before the first of them acts. */
export function checkThenAct(advice: Advice, fn: FunctionSurvey): void {
  for (const atomic of fn.atomics) {
    const load = checkOf(advice, fn, atomic);
    if (load === null || isAlone(advice, atomic.call)) continue;
    const { call, name } = atomic;
    const place = advice.text(placeOf(call));
    const way =
      name === "atomicStore" ? note("act-at-once", call.span, {}) : note("check-and-act-at-once", call.span, { name });
    const notes = [note("checked-here", load.span, { place }), way];
    advice.found.report("check-then-act", call.span, { name, place }, { notes });
  }
}

function checkOf(advice: Advice, fn: FunctionSurvey, atomic: AtomicCall): ast.CallExpr | null {
  return checkedBy(advice, fn, atomic) ?? checkedByCaller(advice, fn, atomic);
}

/** The load that decides whether this call takes place, where nobody looks again at what the call returns. */
function checkedBy(
  advice: Advice,
  fn: FunctionSurvey,
  atomic: AtomicCall,
  at: ast.CallExpr = atomic.call,
): ast.CallExpr | null {
  const { call, name } = atomic;
  if (!ACTS.has(name)) return null;
  const loads = atSamePlace(advice, fn, "atomicLoad", call);
  const helpers = loadsInHelpers(advice, fn, call);
  if (loads.length + helpers.length === 0) return null;
  if (name !== "atomicStore" && comparisonsOf(advice, fn, call).length > 0) return null;
  for (const guard of guardsOf(advice, at)) {
    const load =
      loads.find((other) => decides(advice, guard, other.call)) ??
      helpers.find((other) => answers(advice, guard, other));
    if (load !== undefined && !isHarmlessStore(advice, guard, call, name)) return load.call;
  }
  return null;
}

/** `if (left() > 0u) { take(); }`, of a helper that does nothing else with the place. */
function checkedByCaller(advice: Advice, fn: FunctionSurvey, atomic: AtomicCall): ast.CallExpr | null {
  if (!ACTS.has(atomic.name) || atSamePlace(advice, fn, "atomicLoad", atomic.call).length > 0) return null;
  if (comparisonsOf(advice, fn, atomic.call).length > 0) return null;
  const [site, ...others] = advice.callsOf(fn.info);
  if (site === undefined || others.length > 0 || isAlone(advice, site.call)) return null;
  return checkedBy(advice, site.fn, atomic, site.call);
}

/** A function that says what it has loaded, or what comes of it. */
interface Helper {
  readonly fn: FunctionSurvey;
  readonly call: ast.CallExpr;
}

/** Loads of the same place, which has no index of their function's own, in functions that this one calls. */
function loadsInHelpers(advice: Advice, fn: FunctionSurvey, call: ast.CallExpr): readonly Helper[] {
  const callees = new Set(fn.calls.map(({ callee }) => callee));
  return [...callees].flatMap((callee) => {
    const helper = advice.survey.surveyOf.get(callee);
    if (helper === undefined || helper.atomics.length > MOST_OF_HELPER) return [];
    return atSamePlace(advice, helper, "atomicLoad", call).map((load) => ({ fn: helper, call: load.call }));
  });
}

const MOST_OF_HELPER = 4;

/** What a helper loaded is compared in the condition, or what it made of the comparison is looked at there. */
function answers(advice: Advice, { condition }: Guard, { fn, call }: Helper): boolean {
  return advice.reached(fn, call).some(({ fn: inside, at }) => {
    const compared = comparedAt(advice, at);
    if (compared === null) return false;
    if (inside !== fn) return covers(condition, compared.comparison);
    return advice.reached(fn, compared.comparison).some((end) => end.fn !== fn && covers(condition, end.at));
  });
}

/** The condition compares the loaded value by size, or with a constant: not “is it my turn”. */
function decides(advice: Advice, { condition }: Guard, load: ast.CallExpr): boolean {
  return advice.mentions(condition, (part) => {
    if (!isComparison(part)) return false;
    const equality = part.operator === "==" || part.operator === "!=";
    return [part.left, part.right].some((side) => {
      const other = side === part.left ? part.right : part.left;
      if (equality && advice.number(other) === null) return false;
      return advice.mentions(side, (leaf) => advice.resolved(leaf) === load);
    });
  });
}

/** All who get there store the same and do nothing else. */
function isHarmlessStore(advice: Advice, { statement }: Guard, call: ast.CallExpr, name: string): boolean {
  if (name !== "atomicStore" || advice.program.timeOf[call.args[1].id] === "runtime") return false;
  if (statement.kind !== "if" || statement.otherwise !== null) return false;
  return statement.then.statements.length === 1;
}
