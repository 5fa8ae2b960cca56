/**
 * Accesses of different invocations to one element that no barrier orders, found by computing for the invocations of one
 * workgroup which elements they touch. What is found really meets; what cannot be computed is left to `sanitize`.
 * spec: #sync-builtin-functions
 */
import { note } from "../../diagnostics/diagnostic.ts";
import type * as ast from "../../syntax/ast.ts";
import type { VariableInfo } from "../program.ts";
import { type Advice, isLoop } from "./advice-context.ts";
import { guardsOf, mayHaveLeft } from "./guards.ts";
import { isBoundCheck, type Lane, type LaneValue, laneValue, sampleLanes } from "./lane-values.ts";
import { type Access, type MemoryEvent, memoryEvents, orders } from "./memory-events.ts";
import { isWithin } from "./places.ts";
import type { FunctionSurvey, Loop } from "./survey.ts";

/** Which element a plain access touches, by invocation. */
interface Footprint {
  readonly access: Access;
  /** Conditions that have to hold, with the value that they must have. */
  readonly guards: readonly { readonly value: LaneValue; readonly holds: boolean }[];
  readonly path: readonly LaneValue[];
}

export function missingBarrier(advice: Advice, fn: FunctionSurvey): void {
  if (fn.info.stage !== "compute" || fn.touches === 0) return;
  const events = memoryEvents(advice, fn);
  const variables = new Set(events.flatMap((event) => (event.kind === "access" ? [event.variable] : [])));
  let lanes: readonly Lane[] | null = null;
  for (const variable of variables) {
    const plain = events.filter((event): event is Access => isPlain(event, variable));
    if (!plain.some((each) => each.access === "write") || !plain.some((each) => each.access === "read")) continue;
    lanes ??= sampleLanes(advice, fn);
    if (lanes.length > 1) search(advice, fn, events, plain, lanes);
  }
}

function isPlain(event: MemoryEvent, variable: VariableInfo): boolean {
  if (event.kind !== "access" || event.variable !== variable) return false;
  return event.access === "read" || event.access === "write";
}

/** Reports the first pair that meets: one message per variable. */
function search(
  advice: Advice,
  fn: FunctionSurvey,
  events: readonly MemoryEvent[],
  plain: readonly Access[],
  lanes: readonly Lane[],
): void {
  const footprints = new Map<Access, Footprint | null>();
  const footprint = (access: Access) => {
    let known = footprints.get(access);
    if (known === undefined) footprints.set(access, (known = footprintOf(advice, fn, access)));
    return known;
  };
  for (const [i, first] of plain.entries()) {
    for (const second of plain.slice(i + 1)) {
      if ((first.access === "write") === (second.access === "write")) continue;
      const loop = unordered(advice, events, first, second);
      if (loop === null || isTold(advice, events, first, second)) continue;
      const [a, b] = [footprint(first), footprint(second)];
      if (a === null || b === null || !meet(a, b, lanes)) continue;
      if (loop === "here") report(advice, first, second);
      else if (!isMoved(advice, loop, [first, second])) reportNextRound(advice, loop, first, second);
      else continue;
      return;
    }
  }
}

/** No barrier for this memory between them: in the order of the text, or (in a loop) from the second on to the first. */
function unordered(
  advice: Advice,
  events: readonly MemoryEvent[],
  first: Access,
  second: Access,
): "here" | Loop | null {
  const [i, k] = [events.indexOf(first), events.indexOf(second)];
  const { space } = first.variable;
  if (!events.slice(i + 1, k).some((event) => orders(event, space))) return "here";
  for (const loop of advice.ancestors(first.view)) {
    if (!isLoop(loop) || !isWithin(advice, second.view, loop)) continue;
    const around = events.filter((event, at) => (at < i || at > k) && isWithin(advice, placeOf(event), loop));
    return around.some((event) => orders(event, space)) ? null : loop;
  }
  return null;
}

/** A barrier of another kind between them was already said to be the wrong one. */
function isTold(advice: Advice, events: readonly MemoryEvent[], first: Access, second: Access): boolean {
  const between = events.slice(events.indexOf(first) + 1, events.indexOf(second));
  return between.some((event) => event.kind === "barrier" && advice.misfits.has(event.call));
}

function placeOf(event: MemoryEvent): ast.Expr {
  return event.kind === "access" ? event.view : event.call;
}

function footprintOf(advice: Advice, fn: FunctionSurvey, access: Access): Footprint | null {
  if (access.path === null || mayHaveLeft(advice, access.view)) return null;
  const path: LaneValue[] = [];
  for (const part of access.path) {
    const value = typeof part === "number" ? () => part : laneValue(advice, fn, part);
    if (value === null) return null;
    path.push(value);
  }
  const guards: { value: LaneValue; holds: boolean }[] = [];
  for (const { condition, holds } of guardsOf(advice, access.view)) {
    if (holds === null) return null;
    const value = laneValue(advice, fn, condition);
    if (value !== null) guards.push({ value, holds });
    else if (!isBoundCheck(advice, condition)) return null;
  }
  return { access, guards, path };
}

/** Two different invocations touch one element; a path that ends earlier holds all below it. */
function meet(a: Footprint, b: Footprint, lanes: readonly Lane[]): boolean {
  const length = Math.min(a.path.length, b.path.length);
  const by = new Map<string, Lane>();
  const several = new Set<string>();
  for (const lane of lanes) {
    if (!isThere(a, lane)) continue;
    const key = keyOf(a, lane, length);
    const known = by.get(key);
    if (known === undefined) by.set(key, lane);
    else several.add(key);
  }
  return lanes.some((lane) => {
    if (!isThere(b, lane)) return false;
    const key = keyOf(b, lane, length);
    const other = by.get(key);
    return other !== undefined && (other !== lane || several.has(key));
  });
}

function isThere({ guards }: Footprint, lane: Lane): boolean {
  return guards.every(({ value, holds }) => (value(lane) !== 0) === holds);
}

function keyOf({ path }: Footprint, lane: Lane, length: number): string {
  let key = "";
  for (let i = 0; i < length; i++) key += `${path[i](lane)},`;
  return key;
}

/** Where the place or its conditions hang on what the loop changes, the next round may be elsewhere. */
function isMoved(advice: Advice, loop: Loop, accesses: readonly Access[]): boolean {
  const own = loop.kind === "loop" ? null : loop.condition;
  return accesses.some(({ view, path }) => {
    const parts = [
      ...(path ?? []).filter((part): part is ast.Expr => typeof part !== "number"),
      ...guardsOf(advice, view, loop).flatMap(({ condition }) => (condition === own ? [] : [condition])),
    ];
    return parts.some((part) => advice.mentions(part, (leaf) => isChangedIn(advice, loop, leaf)));
  });
}

function isChangedIn(advice: Advice, loop: Loop, leaf: ast.Expr): boolean {
  const entity = leaf.kind === "identifier" ? advice.program.entityOf[leaf.id] : null;
  if (entity?.kind === "value") {
    return advice.mentions(entity.declaration.initializer, (part) => isChangedIn(advice, loop, part));
  }
  if (entity?.kind !== "variable" || entity.scope !== "function") return false;
  const fn = advice.survey.functions.find(({ info }) => isWithin(advice, loop, info.declaration.body))!;
  return advice.uses(fn, entity.declaration).some((use) => {
    const statement = advice.statementOf(use);
    return (statement.kind === "assign" || statement.kind === "increment") && isWithin(advice, statement, loop);
  });
}

// ---------------------------------------------------------------- messages

function barrierFor(variable: VariableInfo): string {
  return variable.space === "workgroup" ? "workgroupBarrier" : "storageBarrier";
}

function report(advice: Advice, first: Access, second: Access): void {
  const { name } = first.variable;
  if (isUpdate(advice, first, second)) {
    const notes = [note("use-atomic-update", second.view.span, { name })];
    advice.found.report("lost-update", second.view.span, { element: advice.text(second.view) }, { notes });
    return;
  }
  const barrier = barrierFor(first.variable);
  const verb = second.access === "write" ? "written" : "read";
  const code = first.access === "write" ? "written-by-another" : "read-by-another";
  const sameStatement = advice.statementOf(first.view) === advice.statementOf(second.view);
  const way = sameStatement
    ? note("read-then-barrier", second.view.span, { barrier })
    : note("put-barrier", second.view.span, { barrier });
  const notes = [note(code, first.view.span, { name }), way];
  advice.found.report("missing-barrier", second.view.span, { name, verb }, { notes });
}

/** `x[i] += …`, `x[i] = x[i] + …` of an element that several invocations share. */
function isUpdate(advice: Advice, first: Access, second: Access): boolean {
  if (advice.statementOf(first.view) !== advice.statementOf(second.view)) return false;
  return advice.same(first.view, second.view);
}

function reportNextRound(advice: Advice, loop: Loop, first: Access, second: Access): void {
  const { name } = first.variable;
  const barrier = barrierFor(first.variable);
  const verb = first.access === "write" ? "written" : "read";
  const code = second.access === "write" ? "written-by-another" : "read-by-another";
  const end = { start: loop.body.span.end - 1, end: loop.body.span.end };
  const notes = [note(code, second.view.span, { name }), note("barrier-at-end", end, { barrier })];
  advice.found.report("missing-barrier", first.view.span, { name, verb }, { notes });
}
