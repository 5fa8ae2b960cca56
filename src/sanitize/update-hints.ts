/** Repairs by atomic functions: of what reads, computes and writes one place, and of a place that says where to write. */
import { type Note, note } from "../diagnostics/diagnostic.ts";
import type { AccessSite } from "../engine/flat.ts";
import type { AccessInst, FunctionId, InstId, Instruction, IrModule } from "../ir/ir.ts";
import { eachInstruction } from "../ir/walk.ts";
import type { Source, Span } from "../text/source.ts";
import { isSharedAccess, type MemoryInst } from "./access-class.ts";
import { type Term, termsOf } from "./append-sites.ts";
import { type DispatchScope, lineOf, sourceOf } from "./draft.ts";
import { elementsOf, indexWith, lengthText, operandText, sumText } from "./guard-hints.ts";
import { isSameValue } from "./guards.ts";
import { atomicInstead, keptExtreme, perFunction, readModifyWrite, readModifyWritesIn } from "./places.ts";
import { writes } from "./race.ts";
import type { Pair } from "./race-log.ts";
import { ALL_FLOWS, type Flow, type ValueGraph, valueGraph } from "./value-graph.ts";

/** Updates of a place by several invocations that nothing orders: each races with itself, and not with readers alone. */
export type Updates = ReadonlySet<MemoryInst>;

export function updatesAmong({ module }: DispatchScope, pairs: readonly Pair[]): Updates {
  const found = new Set<MemoryInst>();
  for (const { first, second } of pairs) {
    const update = updateOf(module, first.site);
    if (update === null || updateOf(module, second.site) !== update) continue;
    // An extreme is stored by those alone who come before a better one.
    const isKept = keptExtreme(module, first.site) !== null;
    if (isKept || (writes(first.kind) && writes(second.kind))) found.add(update);
  }
  return found;
}

function updateOf(module: IrModule, site: AccessSite): MemoryInst | null {
  return keptExtreme(module, site)?.store ?? readModifyWrite(module, site);
}

/** The atomic functions that mend a pair, where one is all of an update or both are parts of updates; null: none does. */
export function atomicHint(scope: DispatchScope, { first, second }: Pair, updates: Updates): Note | null {
  const { module } = scope;
  const [a, b] = [first.site, second.site];
  const append = appendHint(scope, a, b, updates);
  if (append !== null) return append;
  const [one, other] = [a, b].map((site) => updateOf(module, site));
  // What each invocation does at places of its own, and at those of others on another line, a barrier orders, and so it
  // does what one of them does for all.
  if (one === null || other === null || !(updates.has(one) || updates.has(other))) return null;
  const [name, otherName] = [b, a].map((site) => nameOf(module, site));
  if (name === "float" || otherName === "float") return note("hint-atomic-float", b.span, {});
  if (one === other)
    return name === "exchange" ? note("hint-exchange-loop", b.span, {}) : note("hint-atomic", b.span, { atomic: name });
  // Where the order counts, atomics alone do not mend it.
  if (name !== otherName && !(SUMS.has(name) && SUMS.has(otherName))) return null;
  return note("hint-atomics", b.span, { atomic: name, other: otherName, line: lineOf(scope, a.span.start) });
}

const SUMS: ReadonlySet<string> = new Set(["atomicAdd", "atomicSub"]);

function nameOf(module: IrModule, site: AccessSite): ReturnType<typeof atomicInstead> {
  const kept = keptExtreme(module, site);
  return kept?.atomic ?? atomicInstead(module, site.function, readModifyWrite(module, site)!);
}

// ---------------------------------------------------------------- counters that give places

/** `list[n] = x; n = n + 1u;`: the old value of `n` says where, so that nobody may come between reading and writing it. */
interface Append {
  readonly update: MemoryInst;
  readonly atomic: "atomicAdd" | "atomicSub";
  /** How the place that counts is read. */
  readonly load: MemoryInst;
  readonly step: Step;
  /** Behind the update the new value is read. */
  readonly isNew: boolean;
  /** The place that counts is read nowhere else. */
  readonly isAlone: boolean;
  /** What it is the index of, or goes into the index of; not where that is kept in bounds (`all[n % 64u]`). */
  readonly indexed: readonly Indexed[];
}

interface Indexed {
  readonly access: AccessInst;
  readonly user: MemoryInst;
  readonly load: MemoryInst;
  /** What is added to it: constants, and other terms; null: it is no term of a sum. */
  readonly terms: readonly Term[] | null;
  /** How far behind the place that is loaded; null where that is no constant, or before it. */
  readonly offset: number | null;
}

/** What is added or taken away. */
interface Step {
  /** null: a parameter. */
  readonly value: Instruction | null;
  /** Where it is written: the sum, or the call of an atomic function. */
  readonly span: Span;
  /** Of a sum. */
  readonly side: "left" | "right" | null;
}

/** So many updates and loads are compared with each other. */
const MOST_COMPARED = 2 ** 20;

/** By the accesses to each such place: the update, and the loads of what it changes. */
const appends = perFunction((module, fn) => {
  const graph = valueGraph(module);
  const shared: MemoryInst[] = [];
  eachInstruction(module.functions[fn].body, (inst) => {
    if (isSharedAccess(inst)) shared.push(inst);
  });
  const placing = placingLoads(graph, fn, shared);
  const updates = placing.size === 0 ? [] : shared.flatMap((inst) => countingOf(graph, fn, inst) ?? []);
  const loads = shared.filter(isLoad);
  const found = new Map<InstId, Append>();
  if (updates.length * loads.length > MOST_COMPARED) return found;
  for (const counting of updates) {
    const { update } = counting;
    const all = loads.filter(
      (load) => load.root === update.root && isSameValue(graph, fn, load.pointer, update.pointer),
    );
    const load = all.find((each) => placing.has(each));
    if (load === undefined) continue;
    const isOwn = readModifyWritesIn(module, fn).get(load.id) === update;
    const isNewAt = ({ span }: MemoryInst) => span.start >= update.span.end;
    const isNew = !isOwn && isNewAt(load);
    const alike = all.filter((each) => each === load || isNewAt(each) === isNewAt(load));
    const isAlone = all.length === 1;
    const append = { ...counting, load, isNew, isAlone, indexed: indexedBy(graph, fn, alike, placing) };
    for (const { id } of [update, ...all]) found.set(id, append);
  }
  return found;
});

/** `n = n + 1u`, or an `atomicAdd` that nobody asks what it gives. */
function countingOf(
  graph: ValueGraph,
  fn: FunctionId,
  inst: MemoryInst,
): Pick<Append, "update" | "atomic" | "step"> | null {
  const at = (id: InstId) => graph.at(fn, id);
  if (inst.kind === "atomic" && (inst.operation === "add" || inst.operation === "sub")) {
    if (!graph.from.isEmpty(graph.node(fn, inst.id))) return null;
    const step: Step = { value: at(inst.args[0]), span: inst.span, side: null };
    return { update: inst, atomic: inst.operation === "add" ? "atomicAdd" : "atomicSub", step };
  }
  const updates = readModifyWritesIn(graph.module, fn);
  if (updates.get(inst.id) !== inst) return null;
  const atomic = atomicInstead(graph.module, fn, inst);
  const sum = inst.kind === "store" ? at(inst.value) : inst.kind === "atomic" ? at(inst.args[0]) : null;
  if ((atomic !== "atomicAdd" && atomic !== "atomicSub") || sum?.kind !== "binary") return null;
  const isOld = loadsIn(graph, graph.node(fn, sum.left), COPIED).some(({ id }) => updates.get(id) === inst);
  const side = isOld ? "right" : "left";
  return { update: inst, atomic, step: { value: at(sum[side]), span: sum.span, side } };
}

const COPIED: ReadonlySet<Flow> = new Set(["copy"]);
/** What was looked up at a place, or chosen by it, is another value. */
const VALUES: ReadonlySet<Flow> = new Set([...ALL_FLOWS].filter((flow) => flow !== "index" && flow !== "condition"));

/** Loads whose values are part of the place of another access: of which. */
function placingLoads(
  graph: ValueGraph,
  fn: FunctionId,
  shared: readonly MemoryInst[],
): ReadonlyMap<MemoryInst, readonly MemoryInst[]> {
  const found = new Map<MemoryInst, MemoryInst[]>();
  const seen = new Set<number>();
  for (const user of shared) {
    for (const index of graph.indicesOf(fn, user.pointer)) {
      const node = graph.node(fn, index);
      if (seen.has(node)) continue;
      seen.add(node);
      for (const load of loadsIn(graph, node, VALUES)) {
        const users = found.get(load);
        if (users === undefined) found.set(load, [user]);
        else users.push(user);
      }
    }
  }
  return found;
}

/** Loads of shared memory that a value is made of. */
function loadsIn(graph: ValueGraph, node: number, flows: ReadonlySet<Flow>): readonly MemoryInst[] {
  const sources = graph.sources(node, flows, (at) => graph.rootOf(at) !== null);
  return [...sources].flatMap((at) => {
    const inst = graph.instructions[at];
    return inst !== null && inst !== undefined && isSharedAccess(inst) && isLoad(inst) ? [inst] : [];
  });
}

/** What one of two places reads goes into what the other one writes: both have to happen at once. */
export function isWrittenFromRead(module: IrModule, a: AccessSite, b: AccessSite): boolean {
  if (a.function !== b.function) return false;
  const graph = valueGraph(module);
  const [one, other] = [a, b].map(({ instruction }) => graph.at(a.function, instruction));
  const goesInto = (load: typeof one, store: typeof one): boolean =>
    store?.kind === "store" &&
    loadsIn(graph, graph.node(a.function, store.value), VALUES).some((each) => each === load);
  return goesInto(one, other) || goesInto(other, one);
}

/** Of those that differ by constants only the last one, as the others lie before it. */
function indexedBy(
  graph: ValueGraph,
  fn: FunctionId,
  loads: readonly MemoryInst[],
  placing: ReadonlyMap<MemoryInst, readonly MemoryInst[]>,
): Indexed[] {
  const found: Indexed[] = [];
  for (const [load, user] of loads.flatMap((load) => (placing.get(load) ?? []).map((user) => [load, user] as const))) {
    for (let id = user.pointer; ; ) {
      const access = graph.at(fn, id);
      if (access?.kind !== "access") break;
      id = access.pointer;
      const index = typeof access.index === "number" ? null : access.index.dynamic;
      if (index === null || !leadsTo(graph, fn, load, index)) continue;
      const terms = besides(graph, fn, load, index);
      const offset = terms === null ? null : offsetOf(graph, fn, terms);
      const indexed = { access, user, load, terms, offset };
      const same = found.findIndex(
        (each) => each.offset !== null && isSameValue(graph, fn, each.access.pointer, access.pointer),
      );
      if (offset === null || same < 0) found.push(indexed);
      else if (offset > found[same].offset!) found[same] = indexed;
      if (found.length > MOST_GUARDS) return found;
    }
  }
  return found;
}

const BOUNDING: ReadonlySet<string> = new Set(["%", "&", ">>", "/", "min", "clamp"]);

/** Not by what keeps an index in its bounds. */
function leadsTo(graph: ValueGraph, fn: FunctionId, load: MemoryInst, index: InstId): boolean {
  const isBounded = (at: number): boolean => {
    const inst = graph.instructions[at];
    return (
      (inst?.kind === "binary" && BOUNDING.has(inst.operator)) || (inst?.kind === "builtin" && BOUNDING.has(inst.name))
    );
  };
  const node = graph.node(fn, index);
  if (isBounded(node)) return false;
  return graph.sources(node, VALUES, (at) => graph.rootOf(at) !== null || isBounded(at)).has(graph.node(fn, load.id));
}

/** The other terms of the sum that a load is a term of; of the load alone none; null: it is more than a sum. */
function besides(graph: ValueGraph, fn: FunctionId, load: MemoryInst, index: InstId): readonly Term[] | null {
  const isLoaded = (id: InstId) => loadsIn(graph, graph.node(fn, id), COPIED).includes(load);
  if (isLoaded(index)) return [];
  const terms = termsOf(graph, fn, index);
  const own = terms.find(({ id, isMinus }) => !isMinus && isLoaded(id));
  return own === undefined ? null : terms.filter((term) => term !== own);
}

function offsetOf(graph: ValueGraph, fn: FunctionId, terms: readonly Term[]): number | null {
  let offset = 0;
  for (const { id, isMinus } of terms) {
    const number = graph.constant(fn, id);
    if (number === null) return null;
    offset += number * (isMinus ? -1 : 1);
  }
  return offset < 0 ? null : offset;
}

function isLoad(inst: MemoryInst): boolean {
  return inst.kind === "load" || (inst.kind === "atomic" && inst.operation === "load");
}

/** One atomic function gives the place and counts. */
function appendHint(scope: DispatchScope, a: AccessSite, b: AccessSite, updates: Updates): Note | null {
  const append = a.function === b.function ? appends(scope.module, a.function).get(a.instruction) : undefined;
  if (append === undefined || appends(scope.module, b.function).get(b.instruction) !== append) return null;
  const { update, load, step, atomic, isNew } = append;
  const isCounted = update.kind === "atomic" && update.operation !== "store";
  if (!isCounted && !updates.has(update)) return null;
  const text = sourceOf(scope).slice(load.span);
  const place = /^atomicLoad\(\s*(.*?)\s*\)$/s.exec(text)?.[1] ?? `&${text}`;
  const pointer = place.replace(/^&\s*\*\s*(?=\w+$)/, "");
  const by = stepText(scope, step);
  const again = /^(?:-?[\w.]+|…)$/.test(by) ? by : `(${by})`;
  const known = append.isAlone ? namedBy(sourceOf(scope), load.span) : null;
  const name = known ?? freeName(sourceOf(scope), scope.module.functions[a.function].span);
  const take = `${atomic}(${pointer}, ${by})${isNew ? ` ${atomic === "atomicAdd" ? "+" : "-"} ${again}` : ""}`;
  const counter = place.replace(/^&/, "");
  const args = { take, name };
  const guards = atomic === "atomicSub" ? [] : guardsOf(scope, a.function, append, name);
  // Where the counter stands in what is added, its old value is not at hand.
  const isAgain = guards?.some(({ index }) => index.split(/[^\w.*]+/).includes(counter)) === true;
  const isOnce = guards === null || guards.length === 0 || isAgain;
  if (isOnce)
    return known === null ? note("hint-slot", b.span, { ...args, load: text }) : note("hint-slot-named", b.span, args);
  const last = guards.at(-1)!;
  const index = [...guards.slice(0, -1).map((each) => `${each.index} < ${each.count}`), last.index].join(" && ");
  const guarded = { ...args, index, count: last.count };
  return known === null
    ? note("hint-slot-guarded", b.span, { ...guarded, load: text })
    : note("hint-slot-named-guarded", b.span, guarded);
}

/** `slot`, or what comes after it that means nothing in a function. */
function freeName(source: Source, fn: Span): string {
  const words = new Set(source.slice(fn).match(/\w+/g));
  for (let number = 2, name = "slot"; ; name = `slot${number++}`) if (!words.has(name)) return name;
}

/** `at` of `let at = atomicLoad(&n);`: what a value is known by; null: it has no name of its own. */
function namedBy(source: Source, { start, end }: Span): string | null {
  const { text } = source;
  if (!/^\s*;/.test(text.slice(end, end + LONGEST))) return null;
  return /\blet\s+(\w+)\s*(?::\s*\w+\s*)?=\s*$/.exec(text.slice(Math.max(0, start - 4 * LONGEST), start))?.[1] ?? null;
}

const MOST_GUARDS = 3;

/** What has to be asked of the place that is given, as an index; null where that cannot be said in few words. */
function guardsOf(scope: DispatchScope, fn: FunctionId, { indexed }: Append, name: string) {
  if (indexed.length > MOST_GUARDS) return null;
  const guards = new Map<string, { readonly index: string; readonly count: string }>();
  for (const each of indexed) {
    const { access, user, load, terms } = each;
    const count = elementsOf(scope, fn, access.pointer, user.root);
    // A sum may be of the counter converted.
    const type = terms === null ? indexType(scope.module, fn, access) : (terms[0]?.sum ?? load).type.kind;
    const slot = type === load.type.kind || terms === null ? name : `${type}(${name})`;
    const index = terms === null ? indexWith(scope, access.span, load.span, slot) : sumText(scope, slot, terms);
    if (count === null || index === null) return null;
    const guard = {
      index: type === "i32" ? `u32(${index})` : index,
      count: lengthText(scope, { function: fn, root: user.root }, { instruction: access.id, count }),
    };
    guards.set(`${guard.index} ${guard.count}`, guard);
  }
  return [...guards.values()];
}

function indexType(module: IrModule, fn: FunctionId, { index }: AccessInst): string {
  const graph = valueGraph(module);
  return typeof index === "number" ? "u32" : graph.at(fn, index.dynamic)!.type.kind;
}

const LONGEST = 30;

/** What is added, as it is written where that is short. */
function stepText(scope: DispatchScope, { value, span, side }: Step): string {
  if (value?.kind === "const" && typeof value.value.value !== "object") {
    return `${value.value.value}${value.type.kind === "i32" ? "i" : "u"}`;
  }
  const whole = sourceOf(scope).slice(span);
  const text = side === null ? nameOfLast(whole) : (assigned(whole) ?? operandText(scope, span, side));
  const found = text ?? (side === null && value !== null ? sourceOf(scope).slice(value.span) : null);
  return found === null || found.length > LONGEST || found.includes("\n") ? "…" : found;
}

/** `m` of `n += m` */
function assigned(statement: string): string | null {
  return /^[^=]*[-+]=\s*(.*)$/s.exec(statement)?.[1] ?? null;
}

/** `m` of `atomicAdd(&n, m)` */
function nameOfLast(call: string): string | null {
  return /,\s*(\w+)\s*,?\s*\)$/.exec(call)?.[1] ?? null;
}
