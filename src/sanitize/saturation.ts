/**
 * What a reader makes of a counter that may stand above the capacity of what it counts: whether it is cut first, only
 * compared with something, or taken as it is.
 */
import type { FunctionId, InstId, Instruction, IrModule, RootId } from "../ir/ir.ts";
import { eachInstruction } from "../ir/walk.ts";
import { decidedBy } from "./guards.ts";
import { type Flow, type NodeId, type ValueGraph, valueGraph } from "./value-graph.ts";

/** `compared`: what it decides may still go past the end. */
export type CounterUse = "cut" | "compared" | "raw";

/**
 * Whether a function asks for the length of one of some variables, or mentions their length: what it compares with a
 * counter may be compared with that as well.
 */
export function minds(module: IrModule, fn: FunctionId, arrays: ReadonlySet<RootId>, length: number): boolean {
  const graph = valueGraph(module);
  let found = false;
  eachInstruction(module.functions[fn].body, (inst) => {
    if (inst.kind === "const" && Number(inst.value.value) === length) found ||= isLimit(graph, graph.node(fn, inst.id));
    found ||= inst.kind === "array-length" && arrays.has(inst.root);
  });
  return found;
}

/** Something is compared with it, or cut to it. */
function isLimit(graph: ValueGraph, node: NodeId): boolean {
  return graph.from.of(node).some(({ node: next }) => {
    const inst = graph.instructions[next];
    return inst !== null && (saturates(inst) || (inst.kind === "binary" && COMPARISONS.has(inst.operator)));
  });
}

const COPIES: ReadonlySet<Flow> = new Set(["copy"]);
const COMPARISONS: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">="]);

/**
 * Cut is what only `min`, `clamp`, `%` and `&` get; or what is compared and then replaced, by `select` or by an assignment
 * under the comparison.
 */
export function counterUse(module: IrModule, fn: FunctionId, read: InstId): CounterUse {
  const graph = valueGraph(module);
  const start = graph.node(fn, read);
  const replaced = replacedLoads(graph, start);
  const shaped = graph.targets(start, COPIES, (node) => graph.rootOf(node) !== null || replaced.has(node));
  let isCompared = false;
  for (const node of shaped) {
    if (replaced.has(node)) continue;
    if (graph.uses[node].length > 0) return "raw";
    for (const { node: next, flow } of graph.from.of(node)) {
      if (flow === "copy") continue;
      const inst = graph.instructions[next];
      if (inst !== null && saturates(inst)) continue;
      if (flow === "choice" && isChosenByComparison(graph, next, shaped)) continue;
      if (inst?.kind !== "binary" || !COMPARISONS.has(inst.operator)) return "raw";
      isCompared = true;
    }
  }
  return isCompared && !hasCut(graph, shaped, replaced) ? "compared" : "cut";
}

function hasCut(graph: ValueGraph, shaped: ReadonlySet<NodeId>, replaced: ReadonlySet<NodeId>): boolean {
  return [...shaped].some(
    (node) =>
      replaced.has(node) ||
      graph.from.of(node).some(({ node: next, flow }) => {
        const inst = graph.instructions[next];
        return (inst !== null && saturates(inst)) || flow === "choice";
      }),
  );
}

function saturates(inst: Instruction): boolean {
  if (inst.kind === "builtin") return inst.name === "min" || inst.name === "clamp";
  return inst.kind === "binary" && (inst.operator === "%" || inst.operator === "&");
}

/** `select(n, limit, n > limit)`. */
function isChosenByComparison(graph: ValueGraph, select: NodeId, shaped: ReadonlySet<NodeId>): boolean {
  const conditions = graph.into.of(select).filter(({ flow }) => flow === "condition");
  return conditions.some(({ node }) => isComparisonOf(graph, node, shaped));
}

function isComparisonOf(graph: ValueGraph, node: NodeId, shaped: ReadonlySet<NodeId>): boolean {
  const inst = graph.instructions[node];
  if (inst?.kind !== "binary" || !COMPARISONS.has(inst.operator)) return false;
  return graph.into.of(node).some((edge) => shaped.has(edge.node));
}

/**
 * `if (n > limit) { n = limit; }`: what loads of a variable that holds the value give behind that, as another one is put
 * there under a comparison of it.
 */
function replacedLoads(graph: ValueGraph, start: NodeId): ReadonlySet<NodeId> {
  const shaped = graph.targets(start, COPIES, (node) => graph.rootOf(node) !== null);
  const found = new Set<NodeId>();
  for (const node of shaped) {
    for (const { node: comparison } of graph.from.of(node)) {
      if (!isComparisonOf(graph, comparison, shaped)) continue;
      for (const use of graph.uses[comparison]) {
        if (use.kind !== "branch") continue;
        for (const inst of decidedBy(graph, use)) {
          if (inst.kind !== "store" || shaped.has(graph.node(use.function, inst.value))) continue;
          const store = graph.node(use.function, inst.id);
          for (const { node: load } of graph.from.of(store)) if (shaped.has(load)) found.add(load);
        }
      }
    }
  }
  return found;
}
