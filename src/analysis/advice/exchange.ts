/** Compare-and-exchange, and old values taken for new ones. spec: #atomic-rmw, #atomic-compare-exchange-weak */
import { returned } from "../../builtins/docs.ts";
import { note, phrase } from "../../diagnostics/diagnostic.ts";
import type * as ast from "../../syntax/ast.ts";
import { isExpression } from "../../syntax/walk.ts";
import type { FunctionInfo } from "../program.ts";
import type { Root } from "../root-identifier.ts";
import type { Advice } from "./advice-context.ts";
import {
  builtinValueOf,
  type Compared,
  comparedAt,
  hasRuntimeIndex,
  isChangedIn,
  isIgnored,
  isWithin,
  placeOf,
  samePlace,
} from "./places.ts";
import type { AtomicCall, FunctionSurvey, Loop } from "./survey.ts";

/** What is said of the value that an atomic function returns, at its name. */
export function returnsNote(call: ast.CallExpr) {
  const name = call.text;
  return note("returns", call.callee.span, { name, what: returned(name) ?? phrase("a-value") });
}

/** `exchanged` and `old_value` of a result, wherever the function reads them. */
function parts(advice: Advice, fn: FunctionSurvey, call: ast.CallExpr, member: string): readonly ast.Expr[] {
  return advice.reached(fn, call).flatMap(({ at }) => {
    const access = advice.parent(at);
    return access?.kind === "member" && access.member.text === member ? [access] : [];
  });
}

/** Whether the exchange took place is never looked at. */
export function exchangeResultIgnored(advice: Advice, fn: FunctionSurvey): void {
  for (const { call, name } of fn.atomics) {
    if (name !== "atomicCompareExchangeWeak" || escapes(advice, fn, call)) continue;
    if (parts(advice, fn, call, "exchanged").length > 0) continue;
    advice.found.report("exchange-result-ignored", call.span, {}, { notes: [returnsNote(call)] });
  }
}

/** The result goes where it cannot be followed: into a variable that is written elsewhere too, a call, a return. */
function escapes(advice: Advice, fn: FunctionSurvey, call: ast.CallExpr): boolean {
  if (isIgnored(advice, call)) return false;
  return advice.reached(fn, call).some(({ at }) => {
    const context = advice.parent(at);
    return context?.kind !== "member" && context?.kind !== "phony-assign";
  });
}

/**
 * It may fail although the values agree: outside of a loop, or where the loop goes on elsewhere, "not exchanged" is taken
 * for "was different".
 */
export function exchangeNotRetried(advice: Advice, fn: FunctionSurvey): void {
  for (const atomic of fn.atomics) {
    const { call, name } = atomic;
    if (name !== "atomicCompareExchangeWeak") continue;
    const loop = advice.innermostLoop(call);
    const losesValue = loop !== null && goesOnWithOther(advice, call, loop);
    const isRetried = loop === null ? calledInLoop(advice).has(fn.info) : !goesOnElsewhere(advice, fn, atomic, loop);
    if (isRetried && !losesValue) continue;
    const decides = parts(advice, fn, call, "exchanged").find(
      (exchanged) => decisionAt(advice, fn, exchanged) !== null,
    );
    if (decides === undefined) continue;
    const notes = [note("decides-here", decisionAt(advice, fn, decides)!.span, {}), returnsNote(call)];
    if (losesValue) notes.unshift(note("next-round-other", call.args[2].span, {}));
    else if (loop !== null) notes.unshift(note("next-round-elsewhere", call.args[0].span, {}));
    advice.found.report("exchange-not-retried", call.span, {}, { notes });
  }
}

/** `let sum = old + x;` in front of the loop whose rounds set `old` anew: the exchange takes place in the end, and stores the first sum. */
export function staleExchange(advice: Advice, fn: FunctionSurvey): void {
  for (const { call, name } of fn.atomics) {
    const loop = name === "atomicCompareExchangeWeak" ? advice.innermostLoop(call) : null;
    if (loop === null) continue;
    const [, expected, value] = call.args;
    const old = advice.entity(expected);
    if (old === null || !isChangedIn(advice, loop, expected)) continue;
    const mentions: ast.Expr[] = [];
    const isFresh = advice.mentionsThrough(value, (part) => {
      if (advice.entity(part) === old && !isWithin(advice, part, loop)) mentions.push(part);
      return isWithin(advice, part, loop) && isChangedIn(advice, loop, part);
    });
    if (isFresh || mentions.length === 0) continue;
    const notes = [note("made-in-front", mentions[0].span, { name: advice.text(expected) }), returnsNote(call)];
    advice.found.report("stale-exchange", value.span, {}, { notes });
  }
}

/** Each round tries another place, and nobody asks whether this one held the expected value. */
function goesOnElsewhere(advice: Advice, fn: FunctionSurvey, { call, root }: AtomicCall, loop: Loop): boolean {
  const goesOn = (part: ast.Expr) => isChangedIn(advice, loop, part) && !isLookedUp(advice, fn, root, loop, part);
  if (!advice.mentionsThrough(placeOf(call), goesOn)) return false;
  const [, expected] = call.args;
  return !parts(advice, fn, call, "old_value").some((old) =>
    advice.occurrences(fn, old).some((at) => {
      const compared = comparedAt(advice, at);
      return compared !== null && isEqual(advice, compared.other, expected);
    }),
  );
}

/** `r = find(r)`: each round finds by the memory itself where it goes, the same place where nothing has changed. */
function isLookedUp(advice: Advice, fn: FunctionSurvey, root: Root | null, loop: Loop, place: ast.Expr): boolean {
  const entity = advice.entity(place);
  if (root?.kind !== "variable" || entity?.kind !== "variable") return false;
  const looks = (part: ast.Expr) =>
    fn.atomics.some(({ call, name, root: own }) => call === part && name === "atomicLoad" && own === root) ||
    fn.calls.some(({ call, callee }) => call === part && callee.usedVariables.includes(root));
  return (advice.survey.writesOf.get(entity.declaration.id) ?? []).every(({ node }) => {
    if (!isWithin(advice, node, loop)) return true;
    const write = advice.statementOf(node);
    return write?.kind === "assign" && write.operator === null && advice.mentionsThrough(write.right, looks);
  });
}

/** `for (var i = 0; i < 4; i++)` stores what is made of another `i` in its next round, whether or not this one got in. */
function goesOnWithOther(advice: Advice, { args }: ast.CallExpr, loop: Loop): boolean {
  if (loop.kind !== "for" || loop.update === null) return false;
  return advice.mentionsThrough(args[2], (part) => {
    const entity = part.kind === "identifier" ? advice.program.entityOf[part.id] : null;
    if (entity?.kind !== "variable") return false;
    return (advice.survey.writesOf.get(entity.declaration.id) ?? []).some(({ updateOf }) => updateOf === loop);
  });
}

function isEqual(advice: Advice, one: ast.Expr, other: ast.Expr): boolean {
  const number = advice.number(one);
  return number === null ? advice.same(one, other) : number === advice.number(other);
}

/** The condition that a boolean ends up in, through `!`, `&&`, `let`, and what functions return; null: it is only stored. */
function decisionAt(advice: Advice, fn: FunctionSurvey, value: ast.Expr): ast.Expr | null {
  for (const { fn: inside, at: start } of advice.reached(fn, value)) {
    let at: ast.Expr = start;
    for (;;) {
      const around = advice.parent(at);
      if (around === null) break;
      if (around.kind === "if" || around.kind === "while" || around.kind === "for" || around.kind === "loop") return at;
      if (around.kind === "call" && advice.builtin(around) === "select") return at;
      if (!isExpression(around) || around.kind === "call" || around.kind === "index") break;
      at = around;
    }
    // Beyond the variable that it is a part of it is not followed: that may be the one that it came from.
    const isKept = advice.boundTo(at) !== null || advice.parent(at)?.kind === "return";
    if (at !== start && isKept) return decisionAt(advice, inside, at);
  }
  return null;
}

/** Functions that some caller calls in a loop, and what they call. */
export function calledInLoop(advice: Advice): ReadonlySet<FunctionInfo> {
  if (advice.calledInLoop === null) {
    const found = new Set<FunctionInfo>();
    for (const fn of advice.survey.functions) {
      for (const { call, callee } of fn.calls) if (advice.innermostLoop(call) !== null) found.add(callee);
    }
    for (const info of found) for (const callee of info.callees) found.add(callee);
    advice.calledInLoop = found;
  }
  return advice.calledInLoop;
}

// ---------------------------------------------------------------- the old value

/** `atomicAdd(&done, 1) == count`: the last one to come sees `count - 1`. */
export function oldValueAsNew(advice: Advice, fn: FunctionSurvey): void {
  for (const { call, name } of fn.atomics) {
    if (!LOOKED_AT.has(name)) continue;
    for (const { at } of advice.reached(fn, call)) {
      const compared = comparedAt(advice, at);
      if (compared === null || !["==", "!=", ">="].includes(compared.comparison.operator)) continue;
      if (!isMeantAsNew(advice, fn, call, compared)) continue;
      const text = advice.text(compared.other);
      const step = advice.text(call.args[1]);
      const args = { name, text, least: name === "atomicSub" ? step : `${text} - ${step}` };
      report(advice, call, compared.comparison, args);
    }
  }
}

const LOOKED_AT: ReadonlySet<string> = new Set(["atomicAdd", "atomicSub", "atomicMax", "atomicMin"]);

function isMeantAsNew(advice: Advice, fn: FunctionSurvey, call: ast.CallExpr, compared: Compared): boolean {
  const { text: name } = call;
  if (name === "atomicAdd") return isTotal(advice, fn, call, compared.other);
  return name === "atomicSub" ? isLastOne(advice, fn, call, compared) : isOwnValue(advice, call, compared.other);
}

function report(
  advice: Advice,
  call: ast.CallExpr,
  comparison: ast.BinaryExpr,
  { name, text, least }: { name: string; text: string; least: string },
): void {
  const way =
    name === "atomicAdd" || name === "atomicSub"
      ? note("compare-with-old", comparison.span, { wanted: least })
      : note("compare-own-value", comparison.span, { name, value: text });
  advice.found.report("old-value-as-new", comparison.span, { name, text }, { notes: [way, returnsNote(call)] });
}

/** As many as there are invocations that add: the number of workgroups, or the size of the workgroup. */
function isTotal(advice: Advice, fn: FunctionSurvey, call: ast.CallExpr, other: ast.Expr): boolean {
  if (advice.number(call.args[1]) !== 1) return false;
  const meant = advice.passed(other);
  if (meant.length > 0 && meant.every((full) => countsWorkgroups(advice, full))) return true;
  const type = advice.program.typeOf[call.args[0].id];
  if (type?.kind !== "pointer" || type.space !== "workgroup" || fn.info.stage !== "compute") return false;
  const size = fn.info.workgroupSize.reduce((product, axis) => product * (advice.number(axis) ?? Number.NaN), 1);
  return advice.number(other) === size && size > 1;
}

function countsWorkgroups(advice: Advice, full: ast.Expr): boolean {
  if (advice.mentions(full, (part) => part.kind === "binary" && part.operator === "-")) return false;
  return advice.mentions(full, (part) => builtinValueOf(advice, advice.resolved(part)) === "num_workgroups");
}

/**
 * `if (atomicSub(&users[i], 1u) == 0u) { … }` of one who is the last to leave: the last one sees 1. Who leaves, or puts back,
 * where there was nothing has not mistaken it; of a single counter the subtraction itself is told.
 */
function isLastOne(advice: Advice, fn: FunctionSurvey, call: ast.CallExpr, { comparison, other }: Compared): boolean {
  if (comparison.operator !== "==" || advice.number(other) !== 0 || !hasRuntimeIndex(advice, call)) return false;
  const around = advice.parent(comparison);
  if (around?.kind !== "if" || advice.survey.leaversOf.has(around.then.id)) return false;
  return !fn.atomics.some((each) => each.call !== call && samePlace(advice, call, each.call));
}

/** `atomicMax(&m, v) == v`: true only if `v` had been there before. */
function isOwnValue(advice: Advice, call: ast.CallExpr, other: ast.Expr): boolean {
  return advice.program.timeOf[call.args[1].id] === "runtime" && advice.same(call.args[1], other);
}

// ---------------------------------------------------------------- rolled back

/** Written first and taken back when the old value says that it should not have been: others see it meanwhile. */
export function blindWrite(advice: Advice, fn: FunctionSurvey): void {
  for (const { call, name } of fn.atomics) {
    if (name !== "atomicXor" && name !== "atomicExchange") continue;
    if (isIgnored(advice, call)) continue;
    const occurrences = advice.occurrences(fn, call);
    const back = fn.atomics.find((other) => {
      if (other.call.span.start <= call.span.end || !samePlace(advice, call, other.call)) return false;
      if (name === "atomicXor") return other.name === "atomicXor" && advice.same(call.args[1], other.call.args[1]);
      const puts = other.name === "atomicStore" || other.name === "atomicExchange";
      return puts && occurrences.includes(other.call.args[1]);
    });
    if (back === undefined || advice.innermostLoop(back.call) !== advice.innermostLoop(call)) continue;
    const notes = [note("taken-back-here", back.call.span, {}), returnsNote(call)];
    advice.found.report("blind-write", call.span, { name, place: advice.text(placeOf(call)) }, { notes });
  }
}
