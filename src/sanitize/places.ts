/** Where in the program a place is, for hints: what stands around it, what it belongs to. */
import type { AccessSite } from "../engine/flat.ts";
import type { AtomicInst, Block, FunctionId, InstId, Instruction, IrModule, LoadInst } from "../ir/ir.ts";
import { blocksOf, eachInstruction, placeOf } from "../ir/walk.ts";
import { onceFor } from "../text/once.ts";
import { firstFrom, type Span } from "../text/source.ts";
import { isConcreteInteger } from "../types/predicates.ts";
import type { Type } from "../types/type.ts";
import { isSharedAccess, type MemoryInst } from "./access-class.ts";
import { isSameValue } from "./guards.ts";
import { ALL_FLOWS, type Flow, type NodeId, type ValueGraph, valueGraph } from "./value-graph.ts";

const MADE_OF: ReadonlySet<Flow> = new Set(["copy", "add", "minus", "compute"]);

/**
 * The atomic function that does what a store does to what was read at its place; "exchange": none does in one step, as of
 * `n = n * 3u + 1u`; "float": there are none for its type.
 */
export function atomicInstead(
  module: IrModule,
  fn: FunctionId,
  store: MemoryInst,
): `atomic${string}` | "exchange" | "float" {
  const graph = valueGraph(module);
  const value = storedBy(store)!;
  const made = graph.at(fn, value);
  if (made === undefined || made === null) return "exchange";
  if (!isConcreteInteger(made.type)) return "float";
  const atomic =
    made.kind === "binary" ? OPERATORS[made.operator] : made.kind === "builtin" ? EXTREMES[made.name] : undefined;
  if (atomic === undefined) return "exchange";
  const updates = readModifyWritesIn(module, fn);
  const isOwn = (id: InstId) => isLoad(graph.at(fn, id)) && updates.get(id) === store;
  return isOnceIn(graph, fn, value, FAMILIES[atomic], isOwn) ? atomic : "exchange";
}

const OPERATORS: Readonly<Record<string, `atomic${string}`>> = {
  "+": "atomicAdd",
  "-": "atomicSub",
  "&": "atomicAnd",
  "|": "atomicOr",
  "^": "atomicXor",
};
const EXTREMES: Readonly<Record<string, `atomic${string}`>> = { max: "atomicMax", min: "atomicMin" };
/** Operations that can stand between what was read and what is stored, in any order. */
const FAMILIES: Readonly<Record<`atomic${string}`, readonly string[]>> = {
  atomicAdd: ["+", "-"],
  atomicSub: ["+", "-"],
  atomicAnd: ["&"],
  atomicOr: ["|"],
  atomicXor: ["^"],
  atomicMax: ["max"],
  atomicMin: ["min"],
};

/** Whether what was read is a term of a value once, by these operations alone. */
function isOnceIn(
  graph: ValueGraph,
  fn: FunctionId,
  value: InstId,
  family: readonly string[],
  isOwn: (id: InstId) => boolean,
): boolean {
  const own: InstId[] = [];
  const pending = [value];
  /** What a value was first found to be a term of, and those that are terms once more. */
  const termOf = new Map<InstId, InstId | null>([[value, null]]);
  const again = new Set<InstId>();
  const add = (term: InstId, of: InstId): void => {
    if (termOf.has(term)) again.add(term);
    else {
      termOf.set(term, of);
      pending.push(term);
    }
  };
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const node = graph.node(fn, id);
    const inst = graph.instructions[node];
    const kept = inst?.kind === "load" ? keptBy(graph, node) : null;
    if (isOwn(id)) own.push(id);
    else if (kept !== null) add(kept, id);
    else if (inst?.kind === "binary" && family.includes(inst.operator)) {
      add(inst.left, id);
      if (inst.operator !== "-") add(inst.right, id);
      else if (isMadeOf(graph, fn, inst.right, isOwn)) return false;
    } else if (inst?.kind === "builtin" && family.includes(inst.name)) for (const arg of inst.args) add(arg, id);
    else if (isMadeOf(graph, fn, id, isOwn)) return false;
  }
  if (own.length !== 1) return false;
  for (let id: InstId | null = own[0]; id !== null; id = termOf.get(id)!) if (again.has(id)) return false;
  return true;
}

/** The one value that a variable of the function has where it is loaded; null: there may be several. */
function keptBy(graph: ValueGraph, load: NodeId): InstId | null {
  const [from, ...others] = graph.into.of(load);
  const store = from === undefined || others.length > 0 ? null : graph.instructions[from.node];
  return store?.kind === "store" && store.root === null ? store.value : null;
}

function isMadeOf(graph: ValueGraph, fn: FunctionId, value: InstId, isOwn: (id: InstId) => boolean): boolean {
  const sources = graph.sources(graph.node(fn, value), ALL_FLOWS, (node) => graph.rootOf(node) !== null);
  return [...sources].some((node) => {
    const inst = graph.instructions[node];
    return inst !== null && inst !== undefined && graph.functionOf(node) === fn && isOwn(inst.id);
  });
}

/** What a function has for some of its instructions, found once: there may be a finding for each of them. */
export function perFunction<Value>(findAll: (module: IrModule, fn: FunctionId) => ReadonlyMap<InstId, Value>) {
  const functionsOf = onceFor((_: IrModule) => new Map<FunctionId, ReadonlyMap<InstId, Value>>());
  return (module: IrModule, fn: FunctionId): ReadonlyMap<InstId, Value> => {
    const functions = functionsOf(module);
    let found = functions.get(fn);
    if (found === undefined) {
      found = findAll(module, fn);
      functions.set(fn, found);
    }
    return found;
  };
}

/** By the instructions of each: its own, and the loads that its value is made of. */
export const readModifyWritesIn = perFunction((module, fn) => {
  const graph = valueGraph(module);
  const found = new Map<InstId, MemoryInst>();
  eachInstruction(module.functions[fn].body, (inst) => {
    const value = storedBy(inst);
    if (value === null || !isSharedAccess(inst)) return;
    const sources = graph.sources(graph.node(fn, value), MADE_OF, (node) => graph.rootOf(node) !== null);
    const loads = [...sources].map((node) => graph.instructions[node]).filter(isLoad);
    const own = loads.filter(({ root }) => root === inst.root);
    if (!own.every(({ pointer }) => isSameValue(graph, fn, pointer, inst.pointer))) return;
    if (own.length > 0) found.set(inst.id, inst);
    for (const { id } of own) found.set(id, inst);
  });
  return found;
});

/**
 * The store at or around a site whose value is made of what it reads at the very same place, and of nothing that the
 * variable holds elsewhere; both may be atomic.
 */
export function readModifyWrite(module: IrModule, site: AccessSite): MemoryInst | null {
  const store = readModifyWritesIn(module, site.function).get(site.instruction);
  return store === undefined || store.root !== site.root ? null : store;
}

const COMPARISONS: ReadonlySet<string> = new Set(["<", "<=", ">", ">="]);
/** Instructions that do nothing but give a value. */
const VALUES: ReadonlySet<Instruction["kind"]> = new Set([
  ...(["const", "unary", "binary", "convert", "bitcast", "construct", "splat", "extract", "swizzle"] as const),
  ...(["select", "builtin", "variable", "local", "access", "load", "array-length"] as const),
]);

/** Of `if (value > place) { place = value; }` and the like: the store, and the atomic function that does both. */
export interface Kept {
  readonly store: MemoryInst;
  readonly atomic: "atomicMax" | "atomicMin";
}

const keptExtremes = perFunction((module, fn) => {
  const graph = valueGraph(module);
  const at = (id: InstId) => graph.at(fn, id);
  const isSame = (one: InstId, other: InstId) => isSameValue(graph, fn, one, other);
  const found = new Map<InstId, Kept>();
  eachInstruction(module.functions[fn].body, (inst) => {
    if (inst.kind !== "if" || inst.otherwise.instructions.length > 0) return;
    const [store, ...others] = inst.then.instructions.filter(({ kind }) => !VALUES.has(kind));
    const value = store === undefined ? null : storedBy(store);
    const compare = at(inst.condition);
    if (value === null || others.length > 0 || !isSharedAccess(store) || compare?.kind !== "binary") return;
    if (!COMPARISONS.has(compare.operator)) return;
    const valueFirst = isSame(compare.left, value);
    if (!valueFirst && !isSame(compare.right, value)) return;
    const load = at(valueFirst ? compare.right : compare.left);
    if (!isLoad(load) || !isSame(load.pointer, store.pointer) || !isConcreteInteger(load.type)) return;
    const kept: Kept = { store, atomic: compare.operator.startsWith(">") === valueFirst ? "atomicMax" : "atomicMin" };
    found.set(load.id, kept);
    found.set(store.id, kept);
  });
  return found;
});

/** What keeps the greatest or least value, of which a site is the comparison's load or the store; null: nothing does. */
export function keptExtreme(module: IrModule, site: AccessSite): Kept | null {
  return keptExtremes(module, site.function).get(site.instruction) ?? null;
}

export function storedBy(inst: Instruction): InstId | null {
  if (inst.kind === "store") return inst.value;
  return inst.kind === "atomic" && inst.operation === "store" ? inst.args[0] : null;
}

function isLoad(inst: Instruction | null | undefined): inst is LoadInst | AtomicInst {
  return inst?.kind === "load" || (inst?.kind === "atomic" && inst.operation === "load");
}

/** The structured instructions around an instruction of a function, outermost first, and itself. */
export function pathTo(body: Block, id: InstId): readonly Instruction[] | null {
  const path: Instruction[] = [];
  for (let at = placeOf(body, id) ?? null; at !== null; at = at.around) path.unshift(at.inst);
  return path.length === 0 ? null : path;
}

/** Behind an offset, in the control flow of what stands at another one; beside an instruction of a function. */
export interface BarrierPlace {
  readonly behind: number;
  readonly flowOf: number;
  readonly function: FunctionId;
  readonly inst: InstId;
  readonly side: "before" | "after";
  /** Between what a statement reads and what it writes: for the statement in two. */
  readonly isWithin: boolean;
}

/**
 * Where a barrier that separates two places has to stand; null where it is not clear. `first` comes
 * first in the source. In a loop it may be the next round's first that meets this round's second: where a barrier stands
 * between them already, or where what is read or written first is what was written in the round before. "within": both are in one
 * statement and meet in one round, as a barrier ends each: only a read ahead of a barrier and a write behind it help.
 * "branch": they are in two branches of one statement, and nothing stands between these.
 */
export function barrierPlace(
  module: IrModule,
  first: AccessSite,
  second: AccessSite,
  barrier: BarrierKind,
): BarrierPlace | "within" | "branch" | null {
  const ways = waysTo(module, first, second);
  if (ways === null) return null;
  const { a, depth, loop: at, inOne } = ways;
  if (inOne !== null) return inOne;
  const areApart = depth < a.length && first.span.end <= second.span.start;
  if (at < 0) return areApart ? placeBehind(module, first, depth === 0 ? null : a[depth - 1]) : "within";
  const barriers = barriersIn(a[at], barrier);
  const isBetween = ({ start, end }: Span) => start >= first.span.end && end <= second.span.start;
  const isOneRound = roundBarriers(a[at], barrier).some(({ span }) => !isBetween(span));
  const isNextRound =
    barriers.some(isBetween) || (barriers.length === 0 && (first.kind === "read" || second.kind === "write"));
  if (areApart && (isOneRound || !isNextRound)) return placeBehind(module, first, a[depth - 1]);
  if (isOneRound) return "within";
  return behindBoth(module, first, second, a[at]);
}

/** A barrier of a kind that stands between two places, or in the innermost loop around both; null: there is none. */
export function barrierBetween(
  module: IrModule,
  first: AccessSite,
  second: AccessSite,
  kind: BarrierKind,
): Span | null {
  const ways = waysTo(module, first, second);
  if (ways === null || ways.inOne === "branch") return null;
  const isBetween = ({ start, end }: Span) => start >= first.span.end && end <= second.span.start;
  const inLoop = ways.loop < 0 ? [] : barriersIn(ways.a[ways.loop], kind);
  const all = ways.loop < 0 ? barriersOf(module)(first.function, kind) : inLoop;
  return all.find(isBetween) ?? inLoop.at(0) ?? null;
}

/** Where an instruction stands, as of an access. */
export type InstructionSite = Pick<AccessSite, "function" | "instruction" | "span">;

/** Behind the statement that an instruction is part of, in the block around it: of the function, or of an instruction. */
export function placeBehind(module: IrModule, site: InstructionSite, around: Instruction | null): BarrierPlace {
  const block = blockIn(module.functions[site.function].body, site.instruction, around)!;
  const { order, ends, starts } = outlineOf(block);
  // The last one that does not begin behind it: spans are inside of each other or apart.
  const behind = ends[firstFrom(order, site.span.start + 1) - 1];
  const next = block.instructions[firstFrom(starts, behind)];
  const beside =
    next === undefined
      ? ({ flowOf: behind, inst: block.instructions.at(-1)!.id, side: "after" } as const)
      : ({ flowOf: next.span.start, inst: next.id, side: "before" } as const);
  return { behind, function: site.function, isWithin: false, ...beside };
}

/** Behind those statements of a block that two accesses are part of. */
export function behindBoth(
  module: IrModule,
  first: AccessSite,
  second: AccessSite,
  around: Instruction | null,
): BarrierPlace {
  const [one, other] = [first, second].map((site) => placeBehind(module, site, around));
  return other.behind > one.behind ? other : one;
}

/** The block of an instruction, or of the body of a function, that another one stands in; null: it stands elsewhere. */
function blockIn(body: Block, id: InstId, around: Instruction | null): Block | null {
  let at = placeOf(body, id) ?? null;
  while (at !== null && (at.around?.inst ?? null) !== around) at = at.around;
  return at?.block ?? null;
}

/** Where the instructions of a block begin and end. */
interface Outline {
  /** All starts, least first; of each the greatest end of those up to it. */
  readonly order: readonly number[];
  readonly ends: readonly number[];
  /** By instruction: the greatest start up to it. */
  readonly starts: readonly number[];
}

const outlineOf = onceFor((block: Block): Outline => {
  const spans = block.instructions.map(({ span }) => span);
  const sorted = [...spans].sort((a, b) => a.start - b.start);
  const ends = greatest(sorted.map(({ end }) => end));
  return { order: sorted.map(({ start }) => start), ends, starts: greatest(spans.map(({ start }) => start)) };
});

/** Of each number the greatest up to it. */
function greatest(numbers: readonly number[]): readonly number[] {
  let most = 0;
  return numbers.map((each) => {
    most = Math.max(most, each);
    return most;
  });
}

/** Control that comes to one of them in a round does not come to the other one. */
function inOtherBranches(body: Block, around: Instruction, first: InstId, second: InstId): boolean {
  if (around.kind !== "if" && around.kind !== "switch") return false;
  const [one, other] = [first, second].map((id) => blockIn(body, id, around));
  return one !== null && other !== null && one !== other;
}

/** Two places of one function: the instructions around each and it itself, of which they share the first `depth`. */
export interface Ways {
  readonly a: readonly Instruction[];
  readonly b: readonly Instruction[];
  readonly depth: number;
  /** Index of the innermost loop that they share; -1: there is none. */
  readonly loop: number;
  /** "branch": in two branches of one. "within": one of them in what decides over the branch that the other is in. */
  readonly inOne: "within" | "branch" | null;
}

/** null: in two functions. */
export function waysTo(module: IrModule, first: AccessSite, second: AccessSite): Ways | null {
  if (first.function !== second.function) return null;
  const { body } = module.functions[first.function];
  const a = pathTo(body, first.instruction);
  const b = pathTo(body, second.instruction);
  if (a === null || b === null) return null;
  let depth = 0;
  while (depth < a.length && depth < b.length && a[depth] === b[depth]) depth++;
  const loop = a.slice(0, depth).findLastIndex((inst) => inst.kind === "loop");
  const isBranch = depth > 0 && inOtherBranches(body, a[depth - 1], first.instruction, second.instruction);
  const isDecided = b[depth]?.kind === "if" || b[depth]?.kind === "switch";
  const isWithin = isDecided && first.span.start >= b[depth].span.start;
  return { a, b, depth, loop, inOne: isBranch ? "branch" : isWithin ? "within" : null };
}

type BarrierKind = "workgroup" | "storage";

/** What a loop has for each kind of barrier, found once: there may be many pairs in it. */
function perLoop<Value>(find: (loop: Instruction, kind: BarrierKind) => Value) {
  const known = { workgroup: new WeakMap<Instruction, Value>(), storage: new WeakMap<Instruction, Value>() };
  return (loop: Instruction, kind: BarrierKind): Value => {
    const found = known[kind].get(loop) ?? find(loop, kind);
    known[kind].set(loop, found);
    return found;
  };
}

/** Places of the barriers of a kind in a loop. */
const barriersIn = perLoop((loop, kind) => blocksOf(loop).flatMap((block) => barriersAmong(block, kind)));

function barriersAmong(block: Block, kind: BarrierKind): readonly Span[] {
  const found: Span[] = [];
  eachInstruction(block, (inst) => {
    if (isBarrier(inst, kind)) found.push(inst.span);
  });
  return found;
}

/** … and in a function. */
const barriersOf = onceFor(({ functions }: IrModule) => {
  const known = { workgroup: new Map<FunctionId, readonly Span[]>(), storage: new Map<FunctionId, readonly Span[]>() };
  return (fn: FunctionId, kind: BarrierKind): readonly Span[] => {
    const found = known[kind].get(fn) ?? barriersAmong(functions[fn].body, kind);
    known[kind].set(fn, found);
    return found;
  };
});

/**
 * Those that every round passes that goes on: they stand in the loop itself, not in an `if` or a loop within it, and no
 * `continue` passes them by.
 */
const roundBarriers = perLoop((loop, kind): readonly Instruction[] =>
  blocksOf(loop).flatMap(({ instructions }) => {
    const skips = instructions.findIndex(continues);
    const passed = skips < 0 ? instructions : instructions.slice(0, skips);
    return passed.filter((inst) => isBarrier(inst, kind));
  }),
);

/** Whether control may go on with the next round of the loop around from here. */
function continues(inst: Instruction): boolean {
  if (inst.kind === "continue") return true;
  return inst.kind !== "loop" && blocksOf(inst).some(({ instructions }) => instructions.some(continues));
}

function isBarrier(inst: Instruction, kind: BarrierKind): boolean {
  return inst.kind === "uniform-load" ? kind === "workgroup" : inst.kind === "barrier" && inst.barrier === kind;
}

/** The name of the variable that is accessed: of the module, or of the function. */
export function variableName(module: IrModule, site: AccessSite): string {
  if (site.root !== null) return module.roots[site.root].name;
  const fn = module.functions[site.function];
  const graph = valueGraph(module);
  let id = site.instruction;
  for (;;) {
    const inst = graph.at(site.function, id);
    if (inst?.kind === "load" || inst?.kind === "store" || inst?.kind === "access") id = inst.pointer;
    else if (inst?.kind === "extract-dynamic" || inst?.kind === "extract") id = inst.operand;
    else if (inst?.kind === "local") return fn.locals[inst.local].name;
    else if (inst?.kind === "variable") return module.roots[inst.root].name;
    else return fn.params.find((param) => param.id === id)?.name ?? "value";
  }
}

/** What an index chooses from, as far as it is known without running: `lists[…].items`. */
export function containerPath(module: IrModule, fn: FunctionId, indexing: InstId, variable: string): string {
  const inst = valueGraph(module).at(fn, indexing);
  const from = inst?.kind === "access" ? inst.pointer : isExtract(inst) ? inst.operand : indexing;
  return pathOf(module, fn, from, variable);
}

/** What a pointer or value is of a variable, as far as it is known without running. */
export function pathOf(module: IrModule, fn: FunctionId, value: InstId, variable: string): string {
  const graph = valueGraph(module);
  const steps: string[] = [];
  for (let id = value; ; ) {
    const inst = graph.at(fn, id);
    if (inst?.kind === "load") id = inst.pointer;
    else if (inst?.kind === "access" || isExtract(inst)) {
      const from = inst.kind === "access" ? inst.pointer : inst.operand;
      const index = inst.kind === "extract-dynamic" ? null : inst.index;
      steps.unshift(stepText(graph.at(fn, from)?.type, index));
      id = from;
    } else return variable + steps.join("");
  }
}

function isExtract(
  inst: Instruction | null | undefined,
): inst is Extract<Instruction, { kind: "extract" | "extract-dynamic" }> {
  return inst?.kind === "extract" || inst?.kind === "extract-dynamic";
}

function stepText(type: Type | undefined, index: number | object | null): string {
  const from = type?.kind === "pointer" ? type.store : type;
  if (typeof index !== "number") return "[…]";
  return from?.kind === "struct" ? `.${from.members[index].name}` : `[${index}]`;
}

/** What a pointer points to. */
export function pointerType(module: IrModule, fn: FunctionId, pointer: InstId): Type | null {
  const graph = valueGraph(module);
  const type = graph.at(fn, pointer)?.type ?? module.functions[fn].params.find(({ id }) => id === pointer)?.type;
  return type?.kind === "pointer" ? type.store : null;
}
