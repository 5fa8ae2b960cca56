/** Barriers that do not order what stands around them. spec: #sync-builtin-functions */
import { note } from "../../diagnostics/diagnostic.ts";
import type { VariableInfo } from "../program.ts";
import type { Advice } from "./advice-context.ts";
import { guardsOf } from "./guards.ts";
import { type Access, type Barrier, type MemoryEvent, memoryEvents, orders } from "./memory-events.ts";
import { picksOne } from "./places.ts";
import { type FunctionSurvey, STORAGE, WORKGROUP } from "./survey.ts";

function isWrite(access: Access): boolean {
  return access.access === "write" || access.access === "atomic-write";
}

/** The shared variable that an event uses; null for calls, of which only the memory is known. */
function usedBy(event: MemoryEvent): VariableInfo | null {
  return event.kind === "call" ? null : event.variable;
}

/** `storageBarrier` between accesses to workgroup memory, or `workgroupBarrier` between accesses to a buffer. */
export function barrierKind(advice: Advice, fn: FunctionSurvey): void {
  if (fn.barriers.length === 0 || fn.touches === 0) return;
  const events = memoryEvents(advice, fn);
  for (const [at, barrier] of events.entries()) {
    if (barrier.kind !== "barrier") continue;
    if (barrier.name === "storageBarrier") misfit(advice, events, at, barrier, "storage", "workgroup");
    if (barrier.name === "workgroupBarrier") misfit(advice, events, at, barrier, "workgroup", "storage");
  }
}

/** A barrier for memory of address space `orders` that has work for `wanted` only. */
function misfit(
  advice: Advice,
  events: readonly MemoryEvent[],
  at: number,
  barrier: Barrier,
  ordered: "storage" | "workgroup",
  wanted: "storage" | "workgroup",
): void {
  if (hasUse(events, ordered)) return;
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

function spaceName(space: "storage" | "workgroup"): string {
  return space === "storage" ? "storage buffers" : "workgroup memory";
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
  if (fn.barriers.length === 0 || fn.info.stage !== "compute" || (fn.touches & STORAGE) === 0) return;
  const events = memoryEvents(advice, fn);
  for (const [at, barrier] of events.entries()) {
    if (barrier.kind !== "barrier" || barrier.name === "workgroupUniformLoad") continue;
    const pair = betweenWorkgroups(advice, events, at);
    if (pair === null) continue;
    const [one, all] = pair;
    const { name } = one.variable;
    const notes = [
      note("by-one-of-dispatch", one.view.span, { name }),
      note("by-all-workgroups", all.view.span, { name }),
      note("next-dispatch", barrier.call.span, { name }),
    ];
    const args = { name: barrier.name, variable: name };
    advice.found.report("barrier-across-workgroups", barrier.call.span, args, { notes });
  }
}

function betweenWorkgroups(
  advice: Advice,
  events: readonly MemoryEvent[],
  at: number,
): readonly [Access, Access] | null {
  const accesses = (from: readonly MemoryEvent[]) => {
    return from.filter((event): event is Access => event.kind === "access" && event.variable.space === "storage");
  };
  const after = accesses(events.slice(at + 1));
  for (const before of accesses(events.slice(0, at))) {
    for (const behind of after) {
      if (behind.variable !== before.variable || !(isWrite(before) || isWrite(behind))) continue;
      const oneBefore = isOneOfDispatch(advice, before);
      const oneBehind = isOneOfDispatch(advice, behind);
      if (oneBefore !== oneBehind) return oneBefore ? [before, behind] : [behind, before];
    }
  }
  return null;
}

function isOneOfDispatch(advice: Advice, { view }: Access): boolean {
  return guardsOf(advice, view).some((guard) => picksOne(advice, guard) === "global");
}

/** Two barriers of one kind with nothing between them that they could order. */
export function repeatedBarrier(advice: Advice, fn: FunctionSurvey): void {
  if (fn.barriers.length < 2) return;
  const events = memoryEvents(advice, fn);
  for (let i = 1; i < events.length; i++) {
    const [first, second] = [events[i - 1], events[i]];
    if (first.kind !== "barrier" || second.kind !== "barrier" || first.name !== second.name) continue;
    if (first.name !== "workgroupBarrier" && first.name !== "storageBarrier") continue;
    if (advice.parent(advice.statementOf(first.call)) !== advice.parent(advice.statementOf(second.call))) continue;
    const notes = [note("first-barrier", first.call.span, { name: first.name })];
    advice.found.report("repeated-barrier", second.call.span, { name: second.name }, { notes });
  }
}
