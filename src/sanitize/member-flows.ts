/**
 * Where values go and come from with the members of function variables told apart, as the graph of a module does not:
 * `me.vel` is not made of what was stored in `me.pos`.
 */
import type { LoadInst, RootId, StoreInst } from "../ir/ir.ts";
import { onceFor } from "../text/once.ts";
import { isSameValue } from "./guards.ts";
import type { Flow, NodeId, ValueGraph } from "./value-graph.ts";

type Way = "from" | "into";

/** All that is made of some values (`from`), or that they are made of (`into`), these first; not beyond what `isEnd` says. */
export function reachable(
  graph: ValueGraph,
  starts: Iterable<NodeId>,
  way: Way,
  flows: ReadonlySet<Flow>,
  isEnd: (node: NodeId) => boolean,
): ReadonlySet<NodeId> {
  const reached = new Set<NodeId>(starts);
  // Many stores to a variable are seen by the same loads.
  const seen = new Set<readonly NodeId[]>();
  for (const node of reached) {
    if (isEnd(node)) continue;
    for (const nodes of stepsFrom(graph, node, way, flows)) {
      if (seen.has(nodes)) continue;
      if (nodes.length > 1) seen.add(nodes);
      for (const next of nodes) reached.add(next);
    }
  }
  return reached;
}

/** Where a value goes next; by a variable of a function to loads of the same members. */
export function targetsOf(graph: ValueGraph, node: NodeId, flows: ReadonlySet<Flow>): readonly NodeId[] {
  return stepsFrom(graph, node, "from", flows).flat();
}

/** Node by node; where a variable is between, all those behind it, as one list that is the same each time. */
function stepsFrom(
  graph: ValueGraph,
  node: NodeId,
  way: Way,
  flows: ReadonlySet<Flow>,
): readonly (readonly NodeId[])[] {
  const isAccess = graph.instructions[node]?.kind === (way === "from" ? "store" : "load");
  return graph[way].of(node).flatMap((edge) => {
    if (!flows.has(edge.flow)) return [];
    const isVariable = isAccess && graph.instructions[edge.node] === null && graph.rootOf(edge.node) === null;
    return [isVariable ? behind(graph, node, edge.node, way) : [edge.node]];
  });
}

interface Known {
  readonly places: Map<NodeId, Place>;
  readonly behind: Map<string, readonly NodeId[]>;
}

const knownOf = onceFor((_: ValueGraph): Known => ({ places: new Map(), behind: new Map() }));

/** What uses a variable on the other side of a store to it, or load of it. */
function behind(graph: ValueGraph, access: NodeId, variable: NodeId, way: Way): readonly NodeId[] {
  const { behind } = knownOf(graph);
  const key = `${way} ${variable} ${placeOf(graph, access).key}`;
  let found = behind.get(key);
  if (found === undefined) {
    const other = way === "from" ? "load" : "store";
    const users = graph[way].of(variable).map((user) => user.node);
    found = users.filter((user) => graph.instructions[user]?.kind !== other || mayOverlap(graph, access, user));
    behind.set(key, found);
  }
  return found;
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
  const [a, b] = [placeOf(graph, one), placeOf(graph, other)];
  // A pointer that was passed may point into any variable, and to any part of it.
  if (a.variable === null || b.variable === null) return a.root === b.root;
  if (a.variable !== b.variable) return false;
  return a.steps.every((step, i) => step === null || (b.steps[i] ?? null) === null || step === b.steps[i]);
}

/** Whether a load or store is by a pointer that the function was passed. */
export function isByParameter(graph: ValueGraph, node: NodeId): boolean {
  return placeOf(graph, node).variable === null;
}

interface Place {
  /** null: a parameter points there. */
  readonly variable: NodeId | null;
  readonly root: RootId | null;
  /** The way from the variable; null in it: an element. */
  readonly steps: readonly (number | null)[];
  /** Of places that are taken for one. */
  readonly key: string;
}

function placeOf(graph: ValueGraph, node: NodeId): Place {
  const { places } = knownOf(graph);
  const place = places.get(node) ?? findPlace(graph, node);
  places.set(node, place);
  return place;
}

function findPlace(graph: ValueGraph, node: NodeId): Place {
  const fn = graph.functionOf(node);
  const { pointer, root } = accessAt(graph, node);
  const steps: (number | null)[] = [];
  for (let id = pointer; ; ) {
    const inst = graph.at(fn, id);
    if (inst?.kind !== "access") {
      const variable = inst === null ? null : graph.variableOf(fn, id);
      steps.reverse();
      return { variable, root, steps, key: `${variable} ${root} ${steps.join()}` };
    }
    steps.push(inst.step === "element" || typeof inst.index !== "number" ? null : inst.index);
    id = inst.pointer;
  }
}
