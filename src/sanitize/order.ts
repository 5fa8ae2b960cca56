/**
 * Results that hang on the order of the invocations. That they differ between schedules is seen by comparing; where they
 * come from is known from the program: sums of floats whose terms arrive in any order, because they are added by exchange
 * or compare-exchange, or because they are read from a list whose places an atomic counter gave out.
 */
import type { BinaryInst, FunctionId, Instruction, IrModule, RootId } from "../ir/ir.ts";
import { eachInstruction, isAround, placeOf } from "../ir/walk.ts";
import { onceFor } from "../text/once.ts";
import type { Span } from "../text/source.ts";
import type { Type } from "../types/type.ts";
import { counterIndices } from "./append-sites.ts";
import { isByParameter, isSamePlace, mayOverlap, reachable, targetsOf } from "./member-flows.ts";
import { ALL_FLOWS, type Flow, type NodeId, type ValueGraph, valueGraph } from "./value-graph.ts";

/** A place where floats are added in order of arrival. */
export interface FloatSum {
  readonly span: Span;
  /** What arrives in any order. */
  readonly root: RootId;
  /** The store by which a counter's list was filled; null: the sum is in an atomic. */
  readonly filled: Span | null;
  /** Variables whose contents hang on the sum. */
  readonly affects: ReadonlySet<RootId>;
  /** Variables that the sum hangs on. */
  readonly of: ReadonlySet<RootId>;
}

const MADE_OF: ReadonlySet<Flow> = new Set(["copy", "add", "minus", "choice", "compute"]);

export const floatSums = onceFor((module: IrModule): readonly FloatSum[] => {
  const graph = valueGraph(module);
  return [...sumsByExchange(graph), ...sumsOfLists(graph)];
});

function sumsByExchange(graph: ValueGraph): FloatSum[] {
  const found: FloatSum[] = [];
  each(graph.module, (fn, inst) => {
    if (inst.kind !== "atomic" || inst.root === null) return;
    if (inst.operation !== "exchange" && inst.operation !== "compare-exchange-weak") return;
    const root = graph.rootNode(inst.root);
    const stored = graph.node(fn, inst.args.at(-1)!);
    const sources = graph.sources(stored, MADE_OF);
    if (!sources.has(root) || ![...sources].some((node) => isFloatSum(graph, node, root))) return;
    found.push({
      span: inst.span,
      root: inst.root,
      filled: null,
      affects: affectedFrom(graph, root),
      of: madeOf(graph, stored),
    });
  });
  return found;
}

function isFloatSum(graph: ValueGraph, node: NodeId, root: NodeId): boolean {
  const inst = graph.instructions[node];
  return inst !== null && isFloatAddition(inst) && graph.sources(node, MADE_OF).has(root);
}

function isFloatAddition(inst: Instruction): boolean {
  if (!isFloat(inst.type)) return false;
  if (inst.kind === "builtin") return inst.name === "fma";
  return inst.kind === "binary" && ADDITIVE.has(inst.operator);
}

const ADDITIVE: ReadonlySet<BinaryInst["operator"]> = new Set(["+", "-", "*"]);

/** Not of products, which are factors of terms as well. */
function isSum(inst: Instruction | null): boolean {
  return inst !== null && isFloatAddition(inst) && !(inst.kind === "binary" && inst.operator === "*");
}

function isFloat(type: Type): boolean {
  if (type.kind === "vector") return isFloat(type.element);
  return type.kind === "f32" || type.kind === "f16";
}

/** Lists filled at places that a counter gave, and sums over their elements. */
function sumsOfLists(graph: ValueGraph): FloatSum[] {
  const found: FloatSum[] = [];
  for (const [root, filled] of filledLists(graph.module)) {
    found.push(...sumsOver(graph, root, MADE_OF).map((sum) => ({ ...sum, filled })));
  }
  return found;
}

/** Variables that are filled at places that a counter gave, each with a store that fills it. */
export function filledLists(module: IrModule): ReadonlyMap<RootId, Span> {
  const lists = new Map<RootId, Span>();
  for (const { user } of counterIndices(module)) {
    if (user.inst.kind === "store" && user.inst.root !== null) lists.set(user.inst.root, user.inst.span);
  }
  return lists;
}

/** Sums over what a variable holds, or over what is found by it, where its contents come in any order. */
export function sumsOverVariable(module: IrModule, root: RootId): readonly FloatSum[] {
  return sumsOver(valueGraph(module), root, new Set<Flow>([...MADE_OF, "index"]));
}

/** Of so many it is looked at what becomes of them. */
const MOST_SUMS = 1024;

function sumsOver(graph: ValueGraph, root: RootId, flows: ReadonlySet<Flow>): FloatSum[] {
  const found: FloatSum[] = [];
  const made = graph.targets(graph.rootNode(root), flows);
  let sums = 0;
  each(graph.module, (fn, inst) => {
    const node = graph.node(fn, inst.id);
    if (!isFloatAddition(inst) || !made.has(node)) return;
    if (sums++ >= MOST_SUMS || !isInOrder(graph, node)) return;
    found.push({ span: inst.span, root, filled: null, affects: affectedFrom(graph, node), of: madeOf(graph, node) });
  });
  return found;
}

function isInOrder(graph: ValueGraph, node: NodeId): boolean {
  const { next, stores } = outcome(graph, node);
  const isEnd = (at: NodeId) => graph.rootOf(at) !== null;
  return (
    reachable(graph, next, "from", MADE_OF, isEnd).has(node) || stores.some((store) => addsInPlace(graph, node, store))
  );
}

/** What is left of a sum that is no term of another one: loads of the next round, and stores to module-scope variables. */
interface Outcome {
  readonly next: readonly NodeId[];
  readonly stores: readonly NodeId[];
}

function outcome(graph: ValueGraph, sum: NodeId): Outcome {
  const next: NodeId[] = [];
  const stores: NodeId[] = [];
  const reached = new Set<NodeId>([sum]);
  for (const node of reached) {
    const inst = graph.instructions[node];
    if (node !== sum && isSum(inst)) continue;
    if (inst?.kind === "store" && inst.root !== null) stores.push(node);
    for (const target of targetsOf(graph, node, MADE_OF)) {
      if (graph.rootOf(target) !== null) continue;
      if (isNextRound(graph, node, target)) next.push(target);
      else reached.add(target);
    }
  }
  return { next, stores };
}

/** A load that sees what a store has left in an earlier round; in another function, or behind a parameter, it may. */
function isNextRound(graph: ValueGraph, from: NodeId, to: NodeId): boolean {
  const [store, load] = [graph.instructions[from], graph.instructions[to]];
  if (store?.kind !== "store" || load?.kind !== "load") return false;
  const fn = graph.functionOf(from);
  if (fn !== graph.functionOf(to) || isByParameter(graph, from)) return true;
  const { body } = graph.module.functions[fn];
  const [first, second] = [placeOf(body, load.id)!, placeOf(body, store.id)!];
  if (first.number > second.number) return false;
  for (let at = first.around; at !== null; at = at.around) {
    if (at.inst.kind === "loop" && isAround(at.inst, second)) return true;
  }
  return false;
}

/** `list[i] += list[i + n]`: two terms come from members like the one that the sum goes to, one of them from elsewhere. */
function addsInPlace(graph: ValueGraph, sum: NodeId, store: NodeId): boolean {
  const terms = graph.into.of(sum).filter(({ flow }) => MADE_OF.has(flow));
  const isEnd = (at: NodeId) => graph.rootOf(at) !== null || isSum(graph.instructions[at]);
  const loads = terms.map((term) =>
    [...graph.sources(term.node, MADE_OF, isEnd)].filter(
      (at) => graph.instructions[at]?.kind === "load" && mayOverlap(graph, store, at),
    ),
  );
  return loads.every((each) => each.length > 0) && loads.flat().some((load) => !isSamePlace(graph, store, load));
}

/** Variables whose contents hang on those of one, which is the first of them. */
export function affectedBy(module: IrModule, root: RootId): ReadonlySet<RootId> {
  const graph = valueGraph(module);
  return affectedFrom(graph, graph.rootNode(root));
}

function affectedFrom(graph: ValueGraph, start: NodeId): ReadonlySet<RootId> {
  const reached = graph.targets(start, MADE_OF);
  return new Set([...reached].flatMap((node) => graph.rootOf(node) ?? []));
}

function madeOf(graph: ValueGraph, node: NodeId): ReadonlySet<RootId> {
  return new Set([...graph.sources(node, ALL_FLOWS)].flatMap((source) => graph.rootOf(source) ?? []));
}

function each(module: IrModule, visit: (fn: FunctionId, inst: Instruction) => void): void {
  for (const fn of module.functions) eachInstruction(fn.body, (inst) => visit(fn.id, inst));
}

// ---------------------------------------------------------------- comparing

/** Whether two contents of a buffer hold the same 32-bit words, and if so, in the same order. */
export function compareContents(a: Uint8Array, b: Uint8Array): "same" | "permuted" | "different" {
  const first = firstDifference(a, b);
  if (first === null) return "same";
  const words = (bytes: Uint8Array) =>
    new Uint32Array(bytes.slice(0, bytes.byteLength - (bytes.byteLength % 4)).buffer).sort();
  const [x, y] = [words(a), words(b)];
  return x.every((word, i) => word === y[i]) ? "permuted" : "different";
}

/** The byte of the first word that differs. */
export function firstDifference(a: Uint8Array, b: Uint8Array): number | null {
  for (let i = 0; i < a.byteLength; i++) if (a[i] !== b[i]) return i - (i % 4);
  return null;
}
