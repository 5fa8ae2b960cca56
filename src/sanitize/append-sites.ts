/**
 * Counters whose values index arrays: which atomic additions give the places that stores go to. A value is followed
 * through sums and differences, `select`, variables of the invocation and of the workgroup, and function calls, and where several elements
 * belong to one place through a product with a constant; not through `%`, `&`, `min` and the like, which keep an index in its bounds, nor through storage buffers.
 */
import type { AtomicInst, BinaryInst, FunctionId, InstId, Instruction, IrModule } from "../ir/ir.ts";
import { eachInstruction } from "../ir/walk.ts";
import { onceFor } from "../text/once.ts";
import { isAccess } from "./access-class.ts";
import { instructionKey } from "./atomic-uses.ts";
import { isSameValue } from "./guards.ts";
import { type Flow, type ValueGraph, valueGraph } from "./value-graph.ts";

const FOLLOWED: ReadonlySet<Flow> = new Set(["copy", "add", "minus", "choice"]);

export interface Placed<I extends Instruction = Instruction> {
  readonly function: FunctionId;
  readonly inst: I;
}

/** One index of an access to memory that a counter gives. */
export interface CounterIndex {
  readonly counter: Placed<AtomicInst>;
  /** The store, or load, whose place it gives. */
  readonly user: Placed<Extract<Instruction, { kind: "store" | "load" | "atomic" }>>;
  /** The step of the pointer that is indexed. */
  readonly access: Extract<Instruction, { kind: "access" }>;
  /** Elements of a place: 2 of `list[slot * 2u]`. */
  readonly scale: number;
}

export const counterIndices = onceFor((module: IrModule): readonly CounterIndex[] => {
  const graph = valueGraph(module);
  const found: CounterIndex[] = [];
  for (const fn of module.functions) {
    eachInstruction(fn.body, (inst) => {
      if (!isAccess(inst) || inst.root === null) return;
      for (let id = inst.pointer; ; ) {
        const step = graph.at(fn.id, id);
        if (step?.kind !== "access") break;
        if (typeof step.index !== "number") {
          for (const { value, scale } of placesIn(graph, fn.id, step.index.dynamic)) {
            for (const counter of countersOf(graph, graph.node(fn.id, value))) {
              // What a function gives one caller and another are not told apart: no counter gives its own place.
              if (counter.inst === inst) continue;
              found.push({ counter, user: { function: fn.id, inst }, access: step, scale });
            }
          }
        }
        id = step.pointer;
      }
    });
  }
  return found;
});

/** An index, and those of its terms that are products with a constant. */
function placesIn(graph: ValueGraph, fn: FunctionId, index: InstId) {
  const found = [{ value: index, scale: 1 }];
  const terms = termsOf(graph, fn, index);
  for (const id of terms.length === 0 ? [index] : terms.filter(({ isMinus }) => !isMinus).map((term) => term.id)) {
    const product = scaled(graph, fn, id);
    if (product !== null) found.push(product);
  }
  return found;
}

/** `slot` and 2 of `slot * 2u`, `2u * slot`, `slot << 1u`. */
function scaled(
  graph: ValueGraph,
  fn: FunctionId,
  id: InstId,
): { readonly value: InstId; readonly scale: number } | null {
  const inst = graph.at(fn, id);
  if (inst?.kind !== "binary" || (inst.operator !== "*" && inst.operator !== "<<")) return null;
  const [left, right] = [inst.left, inst.right].map((operand) => graph.constant(fn, operand));
  if (inst.operator === "<<") return right === null ? null : { value: inst.left, scale: 2 ** right };
  if (right !== null) return right > 0 ? { value: inst.left, scale: right } : null;
  return left !== null && left > 0 ? { value: inst.right, scale: left } : null;
}

/** Atomic additions whose results are terms of a value. */
function countersOf(graph: ValueGraph, node: number): Placed<AtomicInst>[] {
  const isCounter = (at: number) => graph.instructions[at]?.kind === "atomic";
  const isShared = (at: number) => {
    const root = graph.rootOf(at);
    return (
      root !== null && graph.module.roots[root].space !== "workgroup" && graph.module.roots[root].space !== "private"
    );
  };
  const reached = graph.sources(node, FOLLOWED, (at) => isCounter(at) || isShared(at));
  return [...reached].flatMap((at) => {
    const inst = graph.instructions[at];
    if (inst?.kind !== "atomic" || inst.operation !== "add") return [];
    return [{ function: graph.functionOf(at), inst }];
  });
}

/** Stores and atomic functions by key: the counters that give their places. */
export function reservationsOf(module: IrModule): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { counter, user, scale } of counterIndices(module)) {
    if (scale !== 1) continue;
    const key = instructionKey(user.function, user.inst.id);
    const counters = found.get(key) ?? new Set<string>();
    counters.add(instructionKey(counter.function, counter.inst.id));
    found.set(key, counters);
  }
  return found;
}

/** One of those that are added up, or taken away. */
export interface Term {
  readonly id: InstId;
  /** What it is an operand of. */
  readonly sum: BinaryInst;
  readonly side: "left" | "right";
  readonly isMinus: boolean;
}

/** Where terms are sums that stand in several places they may be without number. */
const MOST_TERMS = 64;

/** The terms of a sum in order; none where it is another value, or has too many. */
export function termsOf(graph: ValueGraph, fn: FunctionId, id: InstId): readonly Term[] {
  const found: Term[] = [];
  const pending: Term[] = [];
  const add = (id: InstId, isMinus: boolean): boolean => {
    const sum = graph.at(fn, id);
    if (sum?.kind !== "binary" || (sum.operator !== "+" && sum.operator !== "-")) return false;
    pending.push({ id: sum.right, sum, side: "right", isMinus: isMinus !== (sum.operator === "-") });
    pending.push({ id: sum.left, sum, side: "left", isMinus });
    return true;
  };
  add(id, false);
  for (let term = pending.pop(); term !== undefined; term = pending.pop()) {
    if (!add(term.id, term.isMinus)) found.push(term);
    if (found.length + pending.length > MOST_TERMS) return [];
  }
  return found;
}

/** A part of an array that belongs to one of several counters: `entries[cell * 4u + slot + 1u]` where `slot` came from `counts[cell]`. */
export interface Part {
  readonly slot: Term;
  /** What is added besides: `1u`. */
  readonly others: readonly Term[];
  /** `cell * 4u`, or `cell << 2u`. */
  readonly start: BinaryInst;
  /** The side of it that says how long a part is. */
  readonly scale: "left" | "right";
  /** Elements; null where that is no constant. */
  readonly length: number | null;
}

/** null where the array is not divided so. */
export function partOf(module: IrModule, { counter, user, access }: CounterIndex): Part | null {
  const graph = valueGraph(module);
  const fn = user.function;
  const at = (id: InstId): Instruction | null => graph.at(fn, id);
  const place = graph.at(counter.function, counter.inst.pointer);
  if (counter.function !== fn || place?.kind !== "access" || typeof place.index === "number") return null;
  const cell = place.index.dynamic;
  const counted = graph.node(fn, counter.inst.id);
  const isSlot = ({ id }: Term) => graph.sources(graph.node(fn, id), new Set<Flow>(["copy"])).has(counted);
  const isCell = (id: InstId) => isSameValue(graph, fn, id, cell);
  const scaleOf = (start: Instruction | null): Part["scale"] | null => {
    if (start?.kind !== "binary" || (start.operator !== "<<" && start.operator !== "*")) return null;
    return isCell(start.left) ? "right" : start.operator === "*" && isCell(start.right) ? "left" : null;
  };
  const terms = termsIn(graph, fn, access);
  const slot = terms.findLast(isSlot);
  const first = terms.find((term) => term !== slot && !term.isMinus && scaleOf(at(term.id)) !== null);
  if (slot === undefined || slot.isMinus || first === undefined) return null;
  const start = at(first.id) as BinaryInst;
  const scale = scaleOf(start)!;
  const number = graph.constant(fn, start[scale]);
  const length = start.operator === "<<" && number !== null ? 2 ** number : number;
  return { slot, others: terms.filter((term) => term !== slot && term !== first), start, scale, length };
}

function termsIn(graph: ValueGraph, fn: FunctionId, { index }: CounterIndex["access"]): readonly Term[] {
  return typeof index === "number" ? [] : termsOf(graph, fn, index.dynamic);
}

/** How far a counter may count: up to where all that was reserved fits into so many elements. */
export function roomOf(module: IrModule, { counter, user, access, scale }: CounterIndex, elements: number): number {
  const graph = valueGraph(module);
  const fn = user.function;
  const step = graph.constant(counter.function, counter.inst.args[0]);
  const terms = termsIn(graph, fn, access);
  // Of `last - slot` the sum says nothing, and of what is reserved by a number that is not known all may be part.
  const isPlain = step !== null && terms.every(({ id, isMinus }) => !isMinus || graph.constant(fn, id) !== null);
  const offset = isPlain
    ? terms.reduce((sum, { id, isMinus }) => sum + (graph.constant(fn, id) ?? 0) * (isMinus ? -1 : 1), 0)
    : 0;
  if (step === 1) return Math.max(0, Math.floor((elements - 1 - Math.max(0, offset)) / scale) + 1);
  // What lies within a reservation was reserved with it.
  const behind = Math.max(0, offset - ((step ?? 1) * scale - 1));
  return Math.max(0, Math.floor((elements - behind) / scale));
}

/** By where it is used: the counter whose value an index is, if that divides the array into parts. */
export function partAt(module: IrModule, fn: FunctionId, access: InstId): (CounterIndex & { part: Part }) | null {
  return parts(module).get(instructionKey(fn, access)) ?? null;
}

const parts = onceFor((module: IrModule) => {
  const found = new Map<string, CounterIndex & { part: Part }>();
  for (const index of counterIndices(module)) {
    const part = partOf(module, index);
    if (part !== null) found.set(instructionKey(index.user.function, index.access.id), { ...index, part });
  }
  return found;
});
