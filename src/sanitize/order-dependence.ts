/**
 * Whether what a dispatch does, or leaves in its buffers, may hang on the order in which its workgroups run, races apart:
 * by what atomic functions on storage give, or by stores and changes that do not commute. Such a dispatch is looked at on
 * one worker, in order, so that it is the same each time.
 */
import type { AtomicOperation, IrModule, RootId } from "../ir/ir.ts";
import { eachInstruction } from "../ir/walk.ts";
import { ALL_FLOWS, type NodeId, valueGraph } from "./value-graph.ts";

type Question = "workgroups" | "invocations" | "changes";

const known: Readonly<Record<Question, WeakMap<IrModule, boolean>>> = {
  workgroups: new WeakMap(),
  invocations: new WeakMap(),
  changes: new WeakMap(),
};

/** Whether the order of workgroups matters. */
export function hangsOnOrder(module: IrModule): boolean {
  return remembered(module, "workgroups");
}

/** Whether the order of invocations does, in any memory. `isOrdered`: atomic loads and stores are known to be ordered. */
export function hangsOnSchedule(module: IrModule, isOrdered: boolean): boolean {
  return remembered(module, isOrdered ? "changes" : "invocations");
}

function remembered(module: IrModule, question: Question): boolean {
  const answer = known[question].get(module) ?? findDependence(module, question);
  known[question].set(module, answer);
  return answer;
}

/** Operations on one variable that may come in any order; of sums and differences the steps between may wrap. */
const COMMUTING: ReadonlyMap<AtomicOperation, string> = new Map([
  ["add", "+"],
  ["sub", "-"],
  ["max", "max"],
  ["min", "min"],
  ["and", "and"],
  ["or", "or"],
  ["xor", "xor"],
]);

function findDependence(module: IrModule, question: Question): boolean {
  const graph = valueGraph(module);
  const changed = changedRoots(module);
  const kinds = new Map<RootId, string>();
  let hangs = false;
  for (const fn of module.functions) {
    eachInstruction(fn.body, (inst) => {
      if (inst.kind !== "atomic" || inst.root === null) return;
      if (question === "workgroups" && inst.space !== "storage") return;
      if (question === "changes" && (inst.operation === "load" || inst.operation === "store")) return;
      const node = graph.node(fn.id, inst.id);
      const isUsed = graph.isUsed(node);
      if (changed.has(inst.root) && isUsed) hangs = true;
      if (inst.operation === "load") return;
      const kind = COMMUTING.get(inst.operation);
      if (kind === undefined || (kinds.get(inst.root) ?? kind) !== kind) hangs = true;
      kinds.set(inst.root, kind ?? "");
    });
  }
  return hangs;
}

/**
 * Whether what is read of these variables decides what the dispatch does: where control goes, which addresses are
 * accessed, what atomic functions are given. If not, it makes the same accesses whoever comes first.
 */
export function hangsOnRaces(module: IrModule, roots: Iterable<RootId>): boolean {
  const graph = valueGraph(module);
  const reached = new Set<NodeId>();
  for (const root of roots) for (const node of graph.targets(graph.rootNode(root), ALL_FLOWS)) reached.add(node);
  if ([...reached].some((node) => graph.uses[node].some(({ kind }) => kind !== "store"))) return true;
  let isPassed = false;
  for (const fn of module.functions) {
    eachInstruction(fn.body, (inst) => {
      if (inst.kind !== "call") return;
      const indices = inst.args.flatMap((arg) => graph.indicesOf(fn.id, arg));
      isPassed ||= indices.some((index) => reached.has(graph.node(fn.id, index)));
    });
  }
  return isPassed;
}

/** Variables that some atomic function changes. */
function changedRoots({ functions }: IrModule): ReadonlySet<RootId | null> {
  const changed = new Set<RootId | null>();
  for (const { body } of functions) {
    eachInstruction(body, (inst) => {
      if (inst.kind === "atomic" && inst.operation !== "load") changed.add(inst.root);
    });
  }
  return changed;
}
