/**
 * Where values go and come from with the members of function variables told apart, as the graph of a module does not:
 * `me.vel` is not made of what was stored in `me.pos`.
 */
import type { LoadInst, StoreInst } from "../ir/ir.ts";
import { isSameValue } from "./guards.ts";
import type { Flow, NodeId, ValueGraph } from "./value-graph.ts";

/** Where a value goes next; by a variable of a function to loads of the same members. */
export function targetsOf(graph: ValueGraph, node: NodeId, flows: ReadonlySet<Flow>): readonly NodeId[] {
  return nextOf(graph, node, flows, "from", "store", "load");
}

/** Where a value comes from; by a variable of a function from stores to the same members. */
export function sourcesOf(graph: ValueGraph, node: NodeId, flows: ReadonlySet<Flow>): readonly NodeId[] {
  return nextOf(graph, node, flows, "into", "load", "store");
}

function nextOf(
  graph: ValueGraph,
  node: NodeId,
  flows: ReadonlySet<Flow>,
  way: "from" | "into",
  here: "load" | "store",
  there: "load" | "store",
): readonly NodeId[] {
  const isAccess = graph.instructions[node]?.kind === here;
  return graph[way].of(node).flatMap((edge) => {
    if (!flows.has(edge.flow)) return [];
    if (!isAccess || graph.instructions[edge.node] !== null || graph.rootOf(edge.node) !== null) return [edge.node];
    const users = graph[way].of(edge.node).map((user) => user.node);
    return users.filter((user) => graph.instructions[user]?.kind !== there || mayOverlap(graph, node, user));
  });
}

type Access = LoadInst | StoreInst;

function accessAt(graph: ValueGraph, node: NodeId): Access {
  return graph.instructions[node] as Access;
}

/** Whether two loads or stores are at the very same place, as far as can be seen. */
export function isSamePlace(graph: ValueGraph, one: NodeId, other: NodeId): boolean {
  const fn = graph.functionOf(one);
  const [a, b] = [accessAt(graph, one), accessAt(graph, other)];
  return fn === graph.functionOf(other) && isSameValue(graph, fn, a.pointer, b.pointer);
}

/** Whether two loads or stores may meet in a variable: elements are taken for one, members of structures and vectors are not. */
export function mayOverlap(graph: ValueGraph, one: NodeId, other: NodeId): boolean {
  const [a, b] = [stepsTo(graph, one), stepsTo(graph, other)];
  // A pointer that was passed may point into any variable, and to any part of it.
  if (a.variable === null || b.variable === null) return a.root === b.root;
  if (a.variable !== b.variable) return false;
  return a.steps.every((step, i) => step === null || (b.steps[i] ?? null) === null || step === b.steps[i]);
}

/** Whether a load or store is by a pointer that the function was passed. */
export function isByParameter(graph: ValueGraph, node: NodeId): boolean {
  return stepsTo(graph, node).variable === null;
}

/** The way from a variable to where an access goes; null in it: an element. `variable`: null where it is a parameter's. */
function stepsTo(graph: ValueGraph, node: NodeId) {
  const fn = graph.functionOf(node);
  const { pointer, root } = accessAt(graph, node);
  const steps: (number | null)[] = [];
  for (let id = pointer; ; ) {
    const inst = graph.instructions[graph.node(fn, id)];
    if (inst?.kind !== "access") {
      return { variable: inst === null ? null : graph.variableOf(fn, id), root, steps: steps.reverse() };
    }
    steps.push(inst.step === "element" || typeof inst.index !== "number" ? null : inst.index);
    id = inst.pointer;
  }
}
