/** Atomics whose form alone makes invocations queue up: all of them at one address of a buffer. */
import { note } from "../../diagnostics/diagnostic.ts";
import type * as ast from "../../syntax/ast.ts";
import type { FunctionInfo } from "../program.ts";
import { type Advice, isComparison } from "./advice-context.ts";
import { guardsOf, mayHaveLeft } from "./guards.ts";
import { isBoundCheck } from "./lane-values.ts";
import { addressSpace, isOneAddress, isWithin, placeOf, READ_MODIFY_WRITE } from "./places.ts";
import { waitsIn } from "./spin.ts";
import type { AtomicCall, FunctionSurvey, Node } from "./survey.ts";

/** `atomicAdd(&total, x)` by every invocation: one after the other, where one per workgroup would do. */
export function contendedAddress(advice: Advice, fn: FunctionSurvey): void {
  const told = new Set<string>();
  for (const atomic of fn.atomics) {
    const { call, name } = atomic;
    if (!READ_MODIFY_WRITE.has(name) || name === "atomicCompareExchangeWeak") continue;
    if (addressSpace(advice, call) !== "storage" || !isOneAddress(advice, call)) continue;
    if (!runsEverywhere(advice, fn) || !isByAll(advice, call)) continue;
    if (isOfTurns(advice, fn, atomic)) continue;
    const place = advice.text(placeOf(call));
    if (told.has(place)) continue;
    told.add(place);
    const notes = [note("two-levels", call.span, { name })];
    advice.found.report("contended-address", call.span, { name, place }, { notes });
  }
}

/** It says who waits for whom in a loop: nobody can take the turns of a whole workgroup. */
function isOfTurns(advice: Advice, fn: FunctionSurvey, { call, root }: AtomicCall): boolean {
  const waits = waitsIn(advice, fn);
  if (waits.some(({ wait }) => wait.root === root)) return true;
  return (
    waits.length > 0 && advice.reached(fn, call).some(({ at }) => waits.some(({ loop }) => isWithin(advice, at, loop)))
  );
}

/**
 * A loop of compare-and-exchange at one address: of all that try at once, one gets through. Not from one constant to
 * another, as a lock is taken: what is done under it is not gathered.
 */
export function contendedExchange(advice: Advice, fn: FunctionSurvey): void {
  for (const { call, name } of fn.atomics) {
    if (name !== "atomicCompareExchangeWeak" || addressSpace(advice, call) !== "storage") continue;
    const loop = advice.innermostLoop(call);
    const isOfConstants = call.args.slice(1).every((arg) => advice.number(arg) !== null);
    if (
      loop === null ||
      isOfConstants ||
      !isOneAddress(advice, call) ||
      !runsEverywhere(advice, fn) ||
      !isByAll(advice, loop)
    )
      continue;
    const place = advice.text(placeOf(call));
    const notes = [note("reduce-first", call.span, {})];
    advice.found.report("contended-exchange", call.span, { place }, { notes });
  }
}

/** An entry point with several invocations in a workgroup, or a function that one calls for all of them. */
function runsEverywhere(advice: Advice, fn: FunctionSurvey): boolean {
  return everywhere(advice).has(fn.info);
}

function everywhere(advice: Advice): ReadonlySet<FunctionInfo> {
  if (advice.everywhere === null) {
    const found = new Set<FunctionInfo>();
    // Callers come behind their callees: from the back, each is decided before what it calls.
    for (const fn of [...advice.survey.functions].reverse()) {
      if (fn.info.stage === "compute" && invocations(advice, fn.info) > 1) found.add(fn.info);
      if (!found.has(fn.info)) continue;
      for (const { call, callee } of fn.calls) if (isByAll(advice, call)) found.add(callee);
    }
    advice.everywhere = found;
  }
  return advice.everywhere;
}

function invocations(advice: Advice, info: FunctionInfo): number {
  return info.workgroupSize.reduce((product, axis) => product * (advice.number(axis) ?? 1), 1);
}

/** No condition around it but checks against the end of a buffer or a number from the host. */
function isByAll(advice: Advice, node: Node): boolean {
  if (mayHaveLeft(advice, node)) return false;
  return guardsOf(advice, node).every(({ condition, holds }) => holds !== null && isEndCheck(advice, condition));
}

function isEndCheck(advice: Advice, condition: ast.Expr): boolean {
  if (!isBoundCheck(advice, condition)) return false;
  const againstEnd = advice.mentionsThrough(condition, (part) => {
    const entity = part.kind === "identifier" ? advice.program.entityOf[part.id] : null;
    return advice.builtin(part) === "arrayLength" || (entity?.kind === "variable" && entity.space === "uniform");
  });
  return againstEnd && advice.mentionsThrough(condition, (part) => isComparison(part));
}
