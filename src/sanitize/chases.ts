/**
 * Places that are found by going from element to element, as the root of a tree in `while (parent[r] != r) { r = parent[r]; }`:
 * whoever writes there has found it by what others change meanwhile, and no barrier makes it the right one.
 */
import type { InstId, Instruction, IrModule } from "../ir/ir.ts";
import { eachInstruction } from "../ir/walk.ts";
import { onceFor } from "../text/once.ts";
import { mayOverlap } from "./member-flows.ts";
import { perFunction } from "./places.ts";
import { writes } from "./race.ts";
import type { Pair } from "./race-log.ts";
import { type Flow, type NodeId, type ValueGraph, valueGraph } from "./value-graph.ts";

/** As it was loaded, or reckoned from that; not what was looked up by it elsewhere. */
const RECKONED: ReadonlySet<Flow> = new Set(["copy", "add", "minus", "choice", "compute"]);

/** By write: the loads by which its place was found. */
const chasesIn = perFunction((module, fn) => {
  const graph = valueGraph(module);
  const found = new Map<InstId, ReadonlySet<NodeId>>();
  eachInstruction(module.functions[fn].body, (inst) => {
    if (!isBlindWrite(inst)) return;
    const write = graph.node(fn, inst.id);
    const chase = loadsToThePlaceOf(graph, write).filter((load) => isChase(graph, write, load));
    if (chase.length > 0) found.set(inst.id, new Set(chase));
  });
  return found;
});

/** A compare-exchange finds out that its place is no longer the one. */
function isBlindWrite(inst: Instruction): boolean {
  if (inst.kind !== "atomic") return inst.kind === "store";
  return inst.operation !== "load" && inst.operation !== "compare-exchange-weak";
}

/** A load whose place is found by what it has loaded before. */
function isChase(graph: ValueGraph, store: NodeId, load: NodeId): boolean {
  return mayOverlap(graph, store, load) && loadsToThePlaceOf(graph, load).includes(load);
}

function loadsToThePlaceOf(graph: ValueGraph, node: NodeId): readonly NodeId[] {
  const inst = graph.instructions[node];
  if (inst?.kind !== "load" && inst?.kind !== "store" && inst?.kind !== "atomic") return [];
  const fn = graph.functionOf(node);
  const isVariable = (at: NodeId) => graph.rootOf(at) !== null;
  return graph
    .indicesOf(fn, inst.pointer)
    .flatMap((index) => [...graph.sources(graph.node(fn, index), RECKONED, isVariable)])
    .filter((at) => isLoad(graph.instructions[at]));
}

function isLoad(inst: Instruction | null): boolean {
  return inst?.kind === "load" || (inst?.kind === "atomic" && inst.operation === "load");
}

/** All loads by which the place of some write was found. */
const leading = onceFor(
  (module: IrModule) =>
    new Set(module.functions.flatMap(({ id }) => [...chasesIn(module, id).values()].flatMap((chase) => [...chase]))),
);

/** Whether a write goes where this load has led, from place to place. */
export function leadsToWrite({ module }: ValueGraph, load: NodeId): boolean {
  return leading(module).has(load);
}

/** Whether a write of such a place meets what comes to its place on the same way. */
export function isChased(module: IrModule, { first, second }: Pair): boolean {
  const write = writes(second.kind) ? second.site : first.site;
  const other = (write === second.site ? first : second).site;
  const chase = chasesIn(module, write.function).get(write.instruction);
  if (chase === undefined) return false;
  const graph = valueGraph(module);
  return loadsToThePlaceOf(graph, graph.node(other.function, other.instruction)).some((load) => chase.has(load));
}
