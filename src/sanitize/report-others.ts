/** Findings of everything but races. */
import { type MessageValue, type Note, note, type Phrase, phrase } from "../diagnostics/diagnostic.ts";
import type { AccessSite } from "../engine/flat.ts";
import { ATOMIC_FUNCTIONS } from "../engine/flatten-memory.ts";
import type { IrModule } from "../ir/ir.ts";
import { type Layout, layoutOf } from "../layout/layout.ts";
import type { ViewValue } from "../layout/view.ts";
import type { Span } from "../text/source.ts";
import type { Type } from "../types/type.ts";
import type { CounterIndex } from "./append-sites.ts";
import { isThrownAway } from "./atomic-uses.ts";
import type { OutOfBoundsFound } from "./bounds.ts";
import type { Contended } from "./contention.ts";
import type { Wrapped } from "./counters.ts";
import {
  accessOf,
  accessPhrase,
  counterValue,
  type DispatchScope,
  draft,
  idText,
  invocationText,
  resourceAt,
  resourceOf,
  tripleText,
  valueText,
} from "./draft.ts";
import type { Finding, Resource } from "./finding.ts";
import { capacityText, elementsOf, guardHint } from "./guard-hints.ts";
import type { LastWrite } from "./last-writes.ts";
import { locksOf } from "./locks.ts";
import type { FloatSum } from "./order.ts";
import { containerPath, pointerType, variableName } from "./places.ts";
import { isInOneWorkgroup, type Waiting } from "./progress.ts";
import { comparesWithStale } from "./timing-hints.ts";
import type { UnwrittenFound } from "./unwritten.ts";
import { valueGraph } from "./value-graph.ts";

export function boundsFinding(scope: DispatchScope, { witness, fault, count }: OutOfBoundsFound): Finding {
  const { site } = witness;
  const name = variableName(scope.module, site);
  const part = fault === null ? null : indexedPart(scope, witness, fault);
  const problem = boundsProblem(
    choosesComponent(scope.module, site.function, fault),
    fault,
    part === name ? null : part,
  );
  const notes: Note[] = [];
  if (site.kind === "read" && isThrownAway(scope.module, site.function, site.instruction)) {
    notes.push(note("value-unused", site.span, {}), note("hint-guard-branch", site.span, {}));
  } else if (fault !== null) {
    notes.push(guardHint(scope, site, fault));
  }
  const { group = null, binding = null } = site.root === null ? {} : scope.module.roots[site.root];
  const from = part ?? (fault === null ? name : containerPath(scope.module, site.function, fault.instruction, name));
  const path = fault === null ? name : `${from}[${fault.index}]`;
  const resource = { name, group, binding, path, byteOffset: witness.offset };
  const args = { name, access: accessPhrase(site), invocation: invocationText(scope, witness), problem };
  return draft(scope, "out-of-bounds", site.span, args, {
    resource,
    accesses: [accessOf(scope, witness)],
    notes,
    count,
  });
}

/** The index was that of a component of a vector. */
function choosesComponent(module: IrModule, fn: number, fault: OutOfBoundsFound["fault"]): boolean {
  if (fault === null) return false;
  const graph = valueGraph(module);
  const inst = graph.at(fn, fault.instruction);
  if (inst?.kind === "access") return inst.step === "component";
  if (inst?.kind !== "extract-dynamic") return false;
  return graph.at(fn, inst.operand)?.type.kind === "vector";
}

function boundsProblem(isComponent: boolean, fault: OutOfBoundsFound["fault"], part: string | null): Phrase {
  if (fault === null) return phrase("behind-binding");
  const { index, count } = fault;
  if (part !== null) return phrase("index-of-part", { index, count, part });
  return phrase(isComponent ? "component-of" : "index-of-elements", { index, count });
}

/** `cells[2].hits`: the array or vector whose index it was; null where it is not clear. */
function indexedPart(
  { module }: DispatchScope,
  { site, offset }: OutOfBoundsFound["witness"],
  fault: NonNullable<OutOfBoundsFound["fault"]>,
): string | null {
  if (site.root === null) return null;
  const { name, type } = module.roots[site.root];
  const graph = valueGraph(module);
  const access = graph.at(site.function, fault.instruction);
  const of = access?.kind === "access" ? pointerType(module, site.function, access.pointer) : null;
  if (of === null) return null;
  const layout = layoutOf(of);
  const start = offset - fault.index * (layout.stride ?? layout.element?.size ?? 4);
  return pathToType(layoutOf(type), of, start, name);
}

/** The path of the array or vector of a type that lies around a byte. */
function pathToType(layout: Layout, type: Type, offset: number, path: string): string | null {
  if (layout.type === type) return path;
  const { members, element, stride } = layout;
  const member = members.findLast((each) => each.offset <= offset);
  if (member !== undefined) return pathToType(member.layout, type, offset - member.offset, `${path}.${member.name}`);
  if (element === null || stride === null || offset < 0) return null;
  const index = Math.floor(offset / stride);
  return pathToType(element, type, offset - index * stride, `${path}[${index}]`);
}

export function unwrittenFinding(scope: DispatchScope, { witness, count }: UnwrittenFound): Finding {
  const resource = resourceOf(scope, witness);
  const args = { path: resource?.path ?? "", invocation: invocationText(scope, witness) };
  const notes = [note("hint-write-first", witness.site.span, {})];
  const accesses = [accessOf(scope, witness)];
  return draft(scope, "unwritten-read", witness.site.span, args, { resource, accesses, notes, count });
}

// ---------------------------------------------------------------- counters

export function wrappedFinding(scope: DispatchScope, wrapped: Wrapped): Finding {
  const { code, witness, before, undo, count } = wrapped;
  const { site } = witness;
  const resource = resourceOf(scope, witness);
  const notes: Note[] = undo === null ? [] : [note("undone-here", undo.span, {})];
  notes.push(note("hint-compare-exchange", site.span, {}));
  const args = {
    path: resource?.path ?? "",
    before: counterValue(site, before),
    after: counterValue(site, witness.values[0]),
    invocation: invocationText(scope, witness),
  };
  return draft(scope, code, site.span, args, { resource, accesses: [accessOf(scope, witness)], notes, count });
}

export interface OverCapacity {
  readonly index: CounterIndex;
  readonly offset: number;
  readonly value: number;
  readonly elements: number;
  /** How far it may count. */
  readonly capacity: number;
  /** How many counters of this place are left so. */
  count: number;
}

export function capacityFinding(
  scope: DispatchScope,
  { index, offset, value, elements, capacity, count }: OverCapacity,
  reader: { readonly entry: string; readonly span: Span } | null,
): Finding {
  const { counter, user, access } = index;
  const { module } = scope;
  const resource = resourceAt(scope, counter.inst.root!, offset);
  const root = user.inst.root!;
  const array = containerPath(module, user.function, access.id, module.roots[root].name);
  const { span } = counter.inst;
  const notes: Note[] = [note("array-here", user.inst.span, {})];
  if (reader !== null) notes.push(note("read-next-here", reader.span, { entry: reader.entry }));
  notes.push(note("hint-saturate", span, { counter: resource.path, capacity: capacityText(scope, index, elements) }));
  const args = { path: resource.path, value, capacity, array };
  return draft(scope, "counter-over-capacity", span, args, { resource, notes, count });
}

/** Elements of the array that an index chooses from; null where it is no array. */
export function capacityOf(scope: DispatchScope, { access, user }: CounterIndex): number | null {
  return elementsOf(scope, user.function, access.pointer, user.inst.root);
}

// ---------------------------------------------------------------- waiting, order, contention

export function waitFinding(scope: DispatchScope, waiting: Waiting): Finding {
  const { waiter, release, model, count } = waiting;
  const { site } = waiter;
  const resource = resourceOf(scope, waiter);
  const notes: Note[] = [];
  if (release === null) notes.push(note("never-released", site.span, {}));
  else {
    const args = {
      invocation: invocationText(scope, release),
      workgroup: tripleText(release.workgroupId),
      access: accessPhrase(release.site),
    };
    notes.push(note("released-here", release.site.span, args));
  }
  notes.push(
    note(`hangs-${model}`, site.span, {}),
    note("hint-no-wait", site.span, { instead: instead(scope.module, waiting) }),
  );
  const args = {
    invocation: invocationText(scope, waiter),
    workgroup: tripleText(waiter.workgroupId),
    path: resource?.path ?? "",
  };
  const accesses = [waiter, ...(release === null ? [] : [release])].map((each) => accessOf(scope, each));
  return draft(scope, "no-forward-progress", site.span, args, { resource, accesses, notes, count });
}

function instead(module: IrModule, waiting: Waiting): Phrase {
  const { waiter } = waiting;
  if (comparesWithStale(module, waiter.site)) return phrase("instead-stale");
  if (locksOf(module).isLock(waiter.site.root)) return phrase("instead-atomics");
  if (waiter.site.kind === "atomic-rmw" && !addsNothing(module, waiter.site)) return phrase("instead-atomics");
  if (!isInOneWorkgroup(waiting)) return phrase("instead-dispatches");
  const barrier = waiter.site.space === "workgroup" ? "workgroupBarrier" : "storageBarrier";
  return phrase("instead-barrier", { barrier });
}

/** `atomicAdd(&flag, 0)` is a load, and takes no lock. */
function addsNothing(module: IrModule, { function: fn, instruction }: AccessSite): boolean {
  const graph = valueGraph(module);
  const inst = graph.at(fn, instruction);
  return inst?.kind === "atomic" && ADDING.has(inst.operation) && graph.constant(fn, inst.args[0]) === 0;
}

const ADDING: ReadonlySet<string> = new Set(["add", "sub", "or", "xor"]);

export interface Difference {
  /** Name of the buffer that differs. */
  readonly result: string;
  readonly path: string;
  readonly value: ViewValue;
  readonly otherValue: ViewValue;
  readonly schedule: MessageValue;
  readonly otherSchedule: MessageValue;
}

export function orderFinding(scope: DispatchScope, sum: FloatSum, difference: Difference, count: number): Finding {
  const { name, group, binding } = scope.module.roots[sum.root];
  const resource = { name, group, binding, path: name, byteOffset: 0 };
  const { result, path, value, otherValue, schedule, otherSchedule } = difference;
  const notes: Note[] = sum.filled === null ? [] : [note("filled-here", sum.filled, { name })];
  notes.push(
    note("results-differ", sum.span, {
      path,
      value: valueText(value),
      otherValue: valueText(otherValue),
      schedule,
      otherSchedule,
    }),
    note("hint-fixed-order", sum.span, {}),
  );
  const args = { result, how: phrase("by-rounding") };
  return draft(scope, "order-dependent", sum.span, args, { resource, notes, count });
}

/** A result that came out as expected in one order and not in another. */
export function contentFinding(
  scope: DispatchScope,
  { span, resource, notes }: { readonly span: Span; readonly resource: Resource; readonly notes: readonly Note[] },
  difference: Difference,
  count: number,
): Finding {
  const { result, path, value, otherValue, schedule, otherSchedule } = difference;
  const values = { value: valueText(value), otherValue: valueText(otherValue) };
  const differ = note("results-differ", span, { path, ...values, schedule, otherSchedule });
  const how = phrase("by-content");
  return draft(scope, "order-dependent", span, { result, how }, { resource, notes: [differ, ...notes], count });
}

/** What the write did that came last, as which variable, and why that hangs on the order. */
export function writeNotes(
  { module }: DispatchScope,
  { inst, path, by, atomic }: LastWrite,
  result: string,
  schedule: MessageValue,
): readonly Note[] {
  const { span } = inst;
  const { name } = module.roots[inst.root!];
  const notes: Note[] = [note("written-last", span, { path, invocation: idText(by.invocation.global), schedule })];
  if (name !== result) notes.push(note("bound-as", span, { result, name }));
  if (atomic !== null) {
    notes.push(note("first-come", atomic.span, { atomic: ATOMIC_FUNCTIONS[atomic.operation] }));
    notes.push(note("hint-any-order", span, {}));
  }
  return notes;
}

/** Nothing of those that a lock is made of, or that stand under one: nobody can take it for a whole workgroup. */
export function contentionFindings(scope: DispatchScope, found: readonly Contended[]): readonly Finding[] {
  const locks = locksOf(scope.module);
  return found.filter(({ site }) => !locks.concerns(site)).map((each) => contentionFinding(scope, each));
}

function contentionFinding(scope: DispatchScope, found: Contended): Finding {
  const { site, count, total, twoLevel } = found;
  const resource = resourceOf(scope, found);
  const args = { path: resource?.path ?? "", count, total, twoLevel };
  return draft(scope, "contention", site.span, args, { resource, notes: [twoLevelHint(scope.module, site)], count });
}

/** What the invocations of a workgroup can do together before one of them goes to the address for all. */
export function twoLevelHint(module: IrModule, site: AccessSite): Note {
  const { atomic, span } = site;
  const name = atomic ?? "";
  // Of a sum each can be told a part; of who came first with a bit, or with the greatest value, no one else can tell.
  if (!GATHERING.has(name) || (!ADDITIONS.has(name) && isAsked(module, site)))
    return note("hint-one-for-all", span, { atomic: name });
  // Parts of a difference are added up.
  return note("hint-two-level", span, { atomic: name, local: name === "atomicSub" ? "atomicAdd" : name });
}

/** Whether somebody looks at what an atomic function gives. */
function isAsked(module: IrModule, { function: fn, instruction }: AccessSite): boolean {
  const graph = valueGraph(module);
  return graph.isUsed(graph.node(fn, instruction));
}

const ADDITIONS: ReadonlySet<string> = new Set(["atomicAdd", "atomicSub"]);

const GATHERING: ReadonlySet<string> = new Set([
  "atomicAdd",
  "atomicSub",
  "atomicMax",
  "atomicMin",
  "atomicAnd",
  "atomicOr",
  "atomicXor",
]);
