/** Barriers that do not order what stands around them. spec: #sync-builtin-functions */
import { note, type Phrase, phrase } from "../../diagnostics/diagnostic.ts";
import type * as ast from "../../syntax/ast.ts";
import type { VariableInfo } from "../program.ts";
import type { Advice } from "./advice-context.ts";
import { guardsOf } from "./guards.ts";
import { type Access, type Barrier, type MemoryEvent, memoryEvents, orders } from "./memory-events.ts";
import { builtinValueOf, picksOne, placeOf } from "./places.ts";
import { type FunctionSurvey, READ, STORAGE, WORKGROUP, WRITTEN } from "./survey.ts";

function isWrite(access: Access): boolean {
  return access.access === "write" || access.access === "atomic-write";
}

/** The shared variable that an event uses; null for calls, of which only the memory is known. */
function usedBy(event: MemoryEvent): VariableInfo | null {
  return event.kind === "call" ? null : event.variable;
}

/** `storageBarrier` between accesses to workgroup memory, or `workgroupBarrier` between accesses to a buffer. */
export function barrierKind(advice: Advice, fn: FunctionSurvey): void {
  if (fn.barriers.length === 0 || fn.touches === 0 || !mayMisfit(advice, fn)) return;
  const events = memoryEvents(advice, fn);
  // Where some memory of the right kind may be meant, the barrier is left alone.
  const hasStorage = hasUse(events, "storage");
  const hasWorkgroup = hasUse(events, "workgroup");
  for (const [at, barrier] of events.entries()) {
    if (barrier.kind !== "barrier") continue;
    if (barrier.name === "storageBarrier" && !hasStorage) misfit(advice, events, at, barrier, "storage", "workgroup");
    if (barrier.name === "workgroupBarrier" && !hasWorkgroup)
      misfit(advice, events, at, barrier, "workgroup", "storage");
  }
}

/** A quick look: some barrier whose kind of memory is not plainly read and written here. */
function mayMisfit(advice: Advice, fn: FunctionSurvey): boolean {
  return fn.barriers.some((call) => {
    const name = advice.builtin(call);
    const space = name === "storageBarrier" ? "storage" : name === "workgroupBarrier" ? "workgroup" : null;
    return (
      space !== null && ![...fn.shared].some(([variable, use]) => variable.space === space && use === (READ | WRITTEN))
    );
  });
}

/** A barrier for memory of address space `ordered` that has work for `wanted` only. */
function misfit(
  advice: Advice,
  events: readonly MemoryEvent[],
  at: number,
  barrier: Barrier,
  ordered: "storage" | "workgroup",
  wanted: "storage" | "workgroup",
): void {
  const pair = crossing(advice, events, at, wanted);
  if (pair === null) return;
  const [before, after] = pair;
  const name = before.variable.name;
  const other = wanted === "workgroup" ? "workgroupBarrier" : "storageBarrier";
  advice.misfits.add(barrier.call);
  advice.found.report(
    "barrier-kind",
    barrier.call.span,
    { name: barrier.name, ordered: spaceName(ordered), variable: name, space: spaceName(wanted), wanted: other },
    {
      notes: [note("before-barrier", before.view.span, { name }), note("after-barrier", after.view.span, { name })],
    },
  );
}

function spaceName(space: "storage" | "workgroup"): Phrase {
  return phrase(space === "storage" ? "storage-buffers" : "workgroup-memory");
}

/** Some variable of this memory is written and also touched elsewhere: the barrier may be for that. */
function hasUse(events: readonly MemoryEvent[], space: string): boolean {
  const bit = space === "workgroup" ? WORKGROUP : STORAGE;
  if (events.some((event) => event.kind === "call" && (event.callee.touches & bit) !== 0)) return true;
  const seen = new Map<VariableInfo, { count: number; written: boolean }>();
  for (const event of events) {
    const variable = usedBy(event);
    if (variable?.space !== space) continue;
    const known = seen.get(variable) ?? { count: 0, written: false };
    known.count++;
    known.written ||= event.kind === "access" && isWrite(event);
    seen.set(variable, known);
  }
  return [...seen.values()].some(({ count, written }) => written && count > 1);
}

/** The last access before and the first behind that the barrier seems to be for, not ordered by any other. */
function crossing(
  advice: Advice,
  events: readonly MemoryEvent[],
  at: number,
  space: "storage" | "workgroup",
): readonly [Access, Access] | null {
  for (let i = at - 1; i >= 0 && !orders(events[i], space); i--) {
    const before = events[i];
    if (before.kind !== "access" || before.variable.space !== space) continue;
    for (let k = at + 1; k < events.length && !orders(events[k], space); k++) {
      const after = events[k];
      if (after.kind !== "access" || after.variable !== before.variable) continue;
      if ((isWrite(before) || isWrite(after)) && !advice.same(before.view, after.view)) return [before, after];
    }
  }
  return null;
}

/**
 * A barrier orders the invocations of one workgroup. Where one invocation of the whole dispatch stands on the other side,
 * the other workgroups are meant, and nothing waits for them.
 */
export function barrierAcrossWorkgroups(advice: Advice, fn: FunctionSurvey): void {
  if (fn.barriers.length === 0 || fn.info.stage !== "compute" || !sharesBuffer(fn)) return;
  const events = memoryEvents(advice, fn);
  const sides = [...sidesOf(advice, events).values()].filter(({ one, all, written }) => {
    return written && one.length > 0 && all.length > 0;
  });
  const hasOthers = fn.info.inputs.some(({ builtin }) => OF_DISPATCH.has(builtin ?? ""));
  if (sides.length === 0 && !hasOthers) return;
  for (const [at, barrier] of events.entries()) {
    if (barrier.kind !== "barrier" || barrier.name === "workgroupUniformLoad") continue;
    const pair = sides.map((side) => across(side, at)).find((each) => each !== null);
    if (pair !== undefined && pair !== null) {
      reportAcross(advice, barrier, pair);
      return;
    }
    if (hasOthers && barrier.name === "storageBarrier" && beyondWorkgroup(advice, events, at, barrier)) return;
  }
}

/** Who asks for these expects more than one workgroup. */
const OF_DISPATCH: ReadonlySet<string> = new Set(["global_invocation_id", "workgroup_id", "num_workgroups"]);

/** Elements farther away belong to something else than the neighbour. */
const NEAR = 16;

/** Uses around a barrier that are looked at. */
const MOST_USES = 32;

/** `data[id.x]` on one side and `data[id.x + 1]` on the other; a counter of all workgroups that all read behind it. */
function beyondWorkgroup(advice: Advice, events: readonly MemoryEvent[], at: number, barrier: Barrier): boolean {
  const isUse = (event: MemoryEvent): event is Access => event.kind === "access" && event.variable.space === "storage";
  const before = events.slice(0, at).filter(isUse).slice(-MOST_USES);
  const after = events
    .slice(at + 1)
    .filter(isUse)
    .slice(0, MOST_USES);
  for (const first of before) {
    for (const second of after) {
      if (first.variable !== second.variable || isWrite(first) === isWrite(second)) continue;
      const why = reachesOut(advice, first, second);
      if (why === null) continue;
      const { name } = first.variable;
      const notes = [
        note("before-barrier", first.view.span, { name }),
        note("after-barrier", second.view.span, { name }),
        note("next-dispatch", barrier.call.span, { name }),
      ];
      const args = { name: barrier.name, variable: name, why: phrase(why) };
      advice.found.report("barrier-across-workgroups", barrier.call.span, args, { notes });
      return true;
    }
  }
  return false;
}

function reachesOut(advice: Advice, first: Access, second: Access): "across-borders" | "updated-by-all" | null {
  const [a, b] = [distanceOf(advice, first), distanceOf(advice, second)];
  if (a !== null && b !== null) return a !== b && Math.abs(a - b) < NEAR ? "across-borders" : null;
  const isCounter = first.access === "atomic-write" && second.access === "atomic-read";
  const isOne = [first, second].every(({ path }) => path?.every((part) => isFixed(advice, part)));
  return isCounter && isOne && advice.same(placeOf(first.view as ast.CallExpr), placeOf(second.view as ast.CallExpr))
    ? "updated-by-all"
    : null;
}

function isFixed(advice: Advice, part: ast.Expr | number): boolean {
  return typeof part === "number" || advice.number(part) !== null;
}

/** How far an element is from that of the invocation: 1 for `data[id.x + 1]`; null: it goes by something else. */
function distanceOf(advice: Advice, { path }: Access): number | null {
  const index = path?.length === 1 ? path[0] : null;
  if (index === null || typeof index === "number") return null;
  const value = advice.resolved(index);
  if (isGlobal(advice, value)) return 0;
  if (value.kind !== "binary" || (value.operator !== "+" && value.operator !== "-")) return null;
  const by = advice.number(value.right);
  if (by === null || !isGlobal(advice, advice.resolved(value.left))) return null;
  return value.operator === "+" ? by : -by;
}

function isGlobal(advice: Advice, value: ast.Expr): boolean {
  return value.kind === "member" && value.text === "x" && builtinValueOf(advice, value) === "global_invocation_id";
}

/** A quick look: some buffer is both read and written, or has atomics. */
function sharesBuffer({ shared, atomics }: FunctionSurvey): boolean {
  for (const [variable, use] of shared) {
    if (variable.space !== "storage") continue;
    if (use === (READ | WRITTEN) || atomics.some(({ root }) => root === variable)) return true;
  }
  return false;
}

/** Uses of a buffer by one invocation of the dispatch, or one workgroup, and by all. */
interface Sides {
  readonly one: { readonly access: Access; readonly at: number }[];
  readonly all: { readonly access: Access; readonly at: number }[];
  written: boolean;
}

function sidesOf(advice: Advice, events: readonly MemoryEvent[]): ReadonlyMap<VariableInfo, Sides> {
  const found = new Map<VariableInfo, Sides>();
  for (const [at, access] of events.entries()) {
    if (access.kind !== "access" || access.variable.space !== "storage") continue;
    let sides = found.get(access.variable);
    if (sides === undefined) found.set(access.variable, (sides = { one: [], all: [], written: false }));
    (isOneOfDispatch(advice, access) ? sides.one : sides.all).push({ access, at });
    sides.written ||= isWrite(access);
  }
  return found;
}

/** A use by one on one side of a barrier and one by all on the other, at least one of them a write. */
function across({ one, all }: Sides, barrier: number): readonly [Access, Access] | null {
  for (const isBefore of [true, false]) {
    const single = one.filter(({ at }) => at < barrier === isBefore);
    const others = all.filter(({ at }) => at < barrier !== isBefore);
    const a = single.find(({ access }) => isWrite(access)) ?? single[0];
    const b = others.find(({ access }) => isWrite(access)) ?? others[0];
    if (a !== undefined && b !== undefined && (isWrite(a.access) || isWrite(b.access))) return [a.access, b.access];
  }
  return null;
}

function reportAcross(advice: Advice, barrier: Barrier, [one, all]: readonly [Access, Access]): void {
  const { name } = one.variable;
  const notes = [
    note("by-one-of-dispatch", one.view.span, { name }),
    note("by-all-workgroups", all.view.span, { name }),
    note("next-dispatch", barrier.call.span, { name }),
  ];
  const args = { name: barrier.name, variable: name, why: phrase("one-and-all") };
  advice.found.report("barrier-across-workgroups", barrier.call.span, args, { notes });
}

function isOneOfDispatch(advice: Advice, { view }: Access): boolean {
  return guardsOf(advice, view).some((guard) => picksOne(advice, guard) === "global");
}

/** Two barriers of one kind with nothing between them that they could order. */
export function repeatedBarrier(advice: Advice, fn: FunctionSurvey): void {
  const isNear = fn.barriers.some((call, at) => at > 0 && isSameBlock(advice, fn.barriers[at - 1], call));
  if (!isNear) return;
  const events = memoryEvents(advice, fn);
  for (let i = 1; i < events.length; i++) {
    const [first, second] = [events[i - 1], events[i]];
    if (first.kind !== "barrier" || second.kind !== "barrier" || first.name !== second.name) continue;
    if (first.name !== "workgroupBarrier" && first.name !== "storageBarrier") continue;
    if (!isSameBlock(advice, first.call, second.call)) continue;
    const notes = [note("first-barrier", first.call.span, { name: first.name })];
    advice.found.report("repeated-barrier", second.call.span, { name: second.name }, { notes });
  }
}

function isSameBlock(advice: Advice, first: ast.CallExpr, second: ast.CallExpr): boolean {
  if (advice.builtin(first) !== advice.builtin(second)) return false;
  return advice.parent(advice.statementOf(first)) === advice.parent(advice.statementOf(second));
}
