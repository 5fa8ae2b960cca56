/** Compare-exchanges that do not notice, or do not heed, what others have changed since the loads that they are made of. */
import { type Note, note } from "../diagnostics/diagnostic.ts";
import type { AtomicInst, FunctionId, InstId, Instruction, IrModule } from "../ir/ir.ts";
import { eachInstruction } from "../ir/walk.ts";
import { isSharedAccess, type MemoryInst } from "./access-class.ts";
import { type DispatchScope, lineOf } from "./draft.ts";
import { perFunction, storedBy } from "./places.ts";
import type { Pair } from "./race-log.ts";
import { ALL_FLOWS, type NodeId, type ValueGraph, valueGraph } from "./value-graph.ts";

interface Blind {
  /**
   * `ignored`: nobody asks whether it took place. `stale`: `old = r.old_value` in a loop makes it succeed in the end, yet what
   * it stores, or what is stored for it, is still made of what was loaded in front of the loop.
   */
  readonly why: "ignored" | "stale";
  /** What it would have to notice the changes since. */
  readonly loads: ReadonlySet<NodeId>;
  /** What stores. */
  readonly inst: Instruction;
}

/** By the exchanges, and by the loads that they are made of. */
const blindIn = perFunction((module, fn): ReadonlyMap<InstId, Blind> => {
  const graph = valueGraph(module);
  const found = new Map<InstId, Blind>();
  eachInstruction(module.functions[fn].body, (inst) => {
    if (inst.kind !== "atomic" || inst.operation !== "compare-exchange-weak") return;
    const blind = blindness(graph, fn, inst);
    if (blind === null) return;
    found.set(inst.id, blind);
    for (const load of blind.loads) {
      const source = graph.instructions[load];
      if (source !== null && graph.functionOf(load) === fn) found.set(source.id, blind);
    }
  });
  return found;
});

function blindness(graph: ValueGraph, fn: FunctionId, exchange: AtomicInst): Blind | null {
  const own = graph.node(fn, exchange.id);
  const isEnd = (node: NodeId) =>
    graph.rootOf(node) !== null || (node !== own && graph.instructions[node]?.kind === "atomic");
  const isLoad = (node: NodeId) => {
    const source = graph.instructions[node];
    return source?.kind === "atomic" && source.operation === "load" && source.root === exchange.root;
  };
  const madeOf = (id: InstId) => graph.sources(graph.node(fn, id), ALL_FLOWS, isEnd);
  const [expected, value] = exchange.args;
  const compared = madeOf(expected);
  const loads = new Set([...compared].filter(isLoad));
  if (loads.size === 0) return null;
  if (!graph.isUsed(own)) {
    return graph.at(fn, value)?.kind === "const" ? null : { why: "ignored", loads, inst: exchange };
  }
  if (!compared.has(own)) return null;
  const isStale = (made: ReadonlySet<NodeId>) => !made.has(own) && [...loads].some((load) => made.has(load));
  if (isStale(madeOf(value))) return { why: "stale", loads, inst: exchange };
  // `next[i] = old` in front of the loop, and again where the exchange has failed.
  const renewed = new Set(storesOf(graph, fn, own).map(({ root }) => root));
  const stale = [...loads].flatMap((load) => storesOf(graph, fn, load)).filter(({ root }) => !renewed.has(root));
  return stale.length === 0 ? null : { why: "stale", loads, inst: stale.reduce((a, b) => (b.id < a.id ? b : a)) };
}

/** Where the function puts what is made of a value into memory that others see. */
function storesOf(graph: ValueGraph, fn: FunctionId, start: NodeId): readonly MemoryInst[] {
  const isEnd = (node: NodeId) =>
    graph.rootOf(node) !== null || (node !== start && graph.instructions[node]?.kind === "atomic");
  const uses = [...graph.targets(start, ALL_FLOWS, isEnd)].flatMap((node) =>
    graph.rootOf(node) === null ? graph.uses[node] : [],
  );
  return uses.flatMap(({ kind, function: at, inst }) =>
    at === fn && kind !== "index" && isSharedAccess(inst) && storedBy(inst) !== null ? [inst] : [],
  );
}

/** Whether what a load has given may be lost by this exchange, and nobody hears of it. */
export function isBlindTo(module: IrModule, fn: FunctionId, exchange: InstId, load: NodeId): boolean {
  return blindIn(module, fn).get(exchange)?.loads.has(load) === true;
}

/** null: neither of the pair is such an exchange, or a load that one is made of. */
export function blindHint(scope: DispatchScope, { first, second }: Pair): Note | null {
  const { module } = scope;
  const [blind] = [first.site, second.site].flatMap(
    ({ function: fn, instruction }) => blindIn(module, fn).get(instruction) ?? [],
  );
  if (blind === undefined) return null;
  const line = lineOf(scope, blind.inst.span.start);
  return note(blind.why === "stale" ? "hint-stale-exchange" : "hint-ignored-exchange", second.site.span, { line });
}
