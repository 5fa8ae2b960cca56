/** Repairs where what is read was changed meanwhile: by whoever took it too, or before it says where to write. */
import { type Note, note } from "../diagnostics/diagnostic.ts";
import type { AccessSite } from "../engine/flat.ts";
import type { AtomicInst, InstId, Instruction, IrModule } from "../ir/ir.ts";
import { eachInstruction, innermostLoop, isAround, placeOf } from "../ir/walk.ts";
import { onceFor } from "../text/once.ts";
import { isConcreteInteger } from "../types/predicates.ts";
import { isSharedAccess, type MemoryInst } from "./access-class.ts";
import { usesOf } from "./atomic-uses.ts";
import { accessPhrase, type DispatchScope, lineOf, resourceOf } from "./draft.ts";
import { decidedBy, isSameValue } from "./guards.ts";
import { perFunction } from "./places.ts";
import { isAtomic } from "./race.ts";
import type { Pair } from "./race-log.ts";
import type { Seen } from "./race-scope.ts";
import { ALL_FLOWS, type Flow, type NodeId, valueGraph } from "./value-graph.ts";

// ---------------------------------------------------------------- looked, then taken

/** `if (atomicLoad(&owner) == 0u) { atomicStore(&owner, id); }`: whoever looks before it is stored takes it too; so also plainly. */
interface Claim {
  readonly load: MemoryInst;
  readonly store: MemoryInst;
}

/** By the loads and stores of each. */
const claims = perFunction((module, fn) => {
  const graph = valueGraph(module);
  const loads: MemoryInst[] = [];
  eachInstruction(module.functions[fn].body, (inst) => {
    const isPlain = inst.kind === "load" && isConcreteInteger(inst.type);
    if (isSharedAccess(inst) && (isPlain || (inst.kind === "atomic" && inst.operation === "load"))) loads.push(inst);
  });
  const found = new Map<InstId, Claim>();
  for (const load of loads) {
    const store = storeDecidedBy(load);
    if (store === null) continue;
    for (const { id } of [load, store]) found.set(id, { load, store });
  }
  return found;

  function storeDecidedBy(load: MemoryInst): MemoryInst | null {
    for (const use of usesOf(graph, graph.node(fn, load.id))) {
      if (use.kind !== "branch" || use.function !== fn) continue;
      for (const inst of decidedBy(graph, use)) if (isStoreTo(load, inst)) return inst;
    }
    return null;
  }

  function isStoreTo(load: MemoryInst, inst: Instruction): inst is MemoryInst {
    const isStore = load.kind === "load" ? inst.kind === "store" : inst.kind === "atomic" && inst.operation === "store";
    return (
      isStore &&
      isSharedAccess(inst) &&
      inst.root === load.root &&
      inst.span.start > load.span.start &&
      isSameValue(graph, fn, inst.pointer, load.pointer)
    );
  }
});

/** null: no store of the pair hangs on a load of what it changes. */
export function claimHint(scope: DispatchScope, pair: Pair): Note | null {
  return loadAndStoreHint(isAtomic(pair.first.kind) ? "hint-claim" : "hint-claim-plain", claims, scope, pair);
}

function loadAndStoreHint(
  code: "hint-claim" | "hint-claim-plain" | "hint-swap",
  found: typeof claims,
  scope: DispatchScope,
  { first, second }: Pair,
): Note | null {
  const [one, other] = [first, second].map(({ site }) => found(scope.module, site.function).get(site.instruction));
  if (one === undefined || one.store !== other?.store) return null;
  const [load, store] = [one.load, one.store].map(({ span }) => lineOf(scope, span.start));
  return note(code, second.site.span, { load, store });
}

/** `let old = atomicLoad(&head); atomicStore(&head, id);`: by the loads and stores of each, where somebody looks at what was loaded. */
const swaps = perFunction((module, fn) => {
  const graph = valueGraph(module);
  const loads: AtomicInst[] = [];
  const found = new Map<InstId, Claim>();
  eachInstruction(module.functions[fn].body, (inst) => {
    if (inst.kind !== "atomic") return;
    if (inst.operation === "load") loads.push(inst);
    if (inst.operation !== "store") return;
    const { body } = module.functions[fn];
    const at = placeOf(body, inst.id);
    const load = loads.findLast((each) => isSameValue(graph, fn, inst.pointer, each.pointer));
    if (load === undefined || load.root !== inst.root || found.has(load.id)) return;
    const isUsed = graph.isUsed(graph.node(fn, load.id));
    if (!isUsed || placeOf(body, load.id)?.block !== at?.block) return;
    for (const { id } of [load, inst]) found.set(id, { load, store: inst });
  });
  return found;
});

/** null: the pair is not of a load and the store that follows it. */
export function swapHint(scope: DispatchScope, pair: Pair): Note | null {
  return loadAndStoreHint("hint-swap", swaps, scope, pair);
}

/** `if (v > atomicMax(&best, v)) { atomicStore(&arg, id); }`: by the stores, the atomic function that decides on them. */
const followers = perFunction((module, fn) => {
  const graph = valueGraph(module);
  const found = new Map<InstId, AtomicInst>();
  eachInstruction(module.functions[fn].body, (inst) => {
    if (inst.kind !== "atomic" || (inst.operation !== "max" && inst.operation !== "min")) return;
    for (const use of usesOf(graph, graph.node(fn, inst.id))) {
      if (use.kind !== "branch" || use.function !== fn) continue;
      for (const each of decidedBy(graph, use)) {
        const isStore = each.kind === "store" || (each.kind === "atomic" && each.operation === "store");
        if (isStore && each.root !== inst.root) found.set(each.id, inst);
      }
    }
  });
  return found;
});

/** Two who set what belongs to a maximum or minimum, each to its own; null: the pair is of something else. */
export function oneWordHint(scope: DispatchScope, { first, second }: Pair): Note | null {
  const { site } = second;
  const decides = first.site === site ? followers(scope.module, site.function).get(site.instruction) : undefined;
  if (decides === undefined) return null;
  const { name } = scope.module.roots[decides.root!];
  const args = { name, atomic: decides.operation === "max" ? "atomicMax" : "atomicMin" };
  return note("hint-one-word", site.span, { ...args, line: lineOf(scope, decides.span.start) });
}

/** Several come to a store of the pair, whatever stands in front of it: no barrier lets one of them through. */
export function isTakenBySeveral({ first, second }: Pair, pairs: readonly Pair[]): boolean {
  const stores = [first, second].filter(({ kind }) => kind === "atomic-write").map(({ site }) => site);
  return pairs.some((pair) => pair.first.site === pair.second.site && stores.includes(pair.first.site));
}

// ---------------------------------------------------------------- where to write

/** Two writes to one place, which hangs on what is read in no order: that gave both of them the same place. */
export function placeFirstHint(scope: DispatchScope, pair: Pair, pairs: readonly Pair[]): Note | null {
  const { first, second } = pair;
  if (first.kind !== "write" || second.kind !== "write") return null;
  const reads = readsIn(scope.module, pairs);
  const causes = [...madeOf(scope.module, second.site)].flatMap((node) => reads.get(node) ?? []);
  const others = causes.filter(({ of }) => of.first.site !== second.site && of.second.site !== second.site);
  if (others.length === 0) return null;
  const { seen: cause } = others.reduce((a, b) => (b.order < a.order ? b : a));
  const { span } = cause.site;
  const args = {
    path: resourceOf(scope, cause)?.path ?? "",
    access: accessPhrase(cause.site),
    line: lineOf(scope, span.start),
  };
  return note("hint-place-first", second.site.span, args);
}

interface Read {
  readonly seen: Seen;
  readonly of: Pair;
  readonly order: number;
}

const readsByModule = onceFor((_: readonly Pair[]) => new Map<IrModule, ReadonlyMap<NodeId, readonly Read[]>>());

/** What reads in pairs, by its node. */
function readsIn(module: IrModule, pairs: readonly Pair[]): ReadonlyMap<NodeId, readonly Read[]> {
  const known = readsByModule(pairs).get(module);
  if (known !== undefined) return known;
  const graph = valueGraph(module);
  const reads = new Map<NodeId, Read[]>();
  let order = 0;
  for (const of of pairs) {
    for (const seen of [of.second, of.first]) {
      const { kind, function: fn, instruction } = seen.site;
      if (kind === "write" || kind === "atomic-write") continue;
      const node = graph.node(fn, instruction);
      const found = reads.get(node) ?? [];
      found.push({ seen, of, order: order++ });
      reads.set(node, found);
    }
  }
  readsByModule(pairs).set(module, reads);
  return reads;
}

/** Nodes of all that the indices of an access are made of, also by way of memory. */
function madeOf(module: IrModule, { function: fn, instruction }: AccessSite): ReadonlySet<NodeId> {
  const graph = valueGraph(module);
  const inst = graph.at(fn, instruction);
  const found = new Set<NodeId>();
  if (inst?.kind !== "store") return found;
  for (const index of graph.indicesOf(fn, inst.pointer))
    for (const node of graph.sources(graph.node(fn, index), ALL_FLOWS)) found.add(node);
  return found;
}

// ---------------------------------------------------------------- compared with what was there once

const COPIES: ReadonlySet<Flow> = new Set(["copy"]);

/** A loop tries to exchange what was loaded in front of it: who comes too late once comes too late always. */
export function comparesWithStale(module: IrModule, { function: fn, instruction }: AccessSite): boolean {
  const graph = valueGraph(module);
  const inst = graph.at(fn, instruction);
  if (inst?.kind !== "atomic" || inst.operation !== "compare-exchange-weak") return false;
  const { body } = module.functions[fn];
  const loop = innermostLoop(body, instruction);
  if (loop === null) return false;
  const isLoad = (node: NodeId) => graph.instructions[node]?.kind === "atomic";
  const sources = [...graph.sources(graph.node(fn, inst.args[0]), COPIES, isLoad)];
  const loads = sources.map((node) => graph.instructions[node]).filter((each) => each?.kind === "atomic");
  return loads.length > 0 && loads.every(({ id, root }) => root === inst.root && !isAround(loop, placeOf(body, id)));
}
