/**
 * What hangs on the branches that a value decides: `if (atomicLoad(&count) == n) { done = 1u; }`. Followed are blocks under
 * a branch, what comes after it where a block leaves, results of functions that return by it, and variables that are set
 * under it and decide in turn.
 */
import type { AtomicInst, Block, FunctionId, InstId, Instruction } from "../ir/ir.ts";
import { eachInstruction, type Place, placeOf } from "../ir/walk.ts";
import { firstFrom } from "../text/source.ts";
import { ALL_FLOWS, type NodeId, type Use, type ValueGraph } from "./value-graph.ts";

/** Done twice they are as if done once. */
export const IDEMPOTENT: ReadonlySet<AtomicInst["operation"]> = new Set(["max", "min", "or", "and"]);

/** A load, and where it is. */
export interface PlacedLoad {
  readonly function: FunctionId;
  readonly inst: AtomicInst;
}

/**
 * Whether it hangs on the value of a load what memory others see is changed. An atomic maximum, minimum, or, and of what
 * was loaded, and a store of a number there, do not count: the load only saves a needless one. So it does before whoever
 * claims the place, `if (atomicLoad(&owner) == 0u) { if (atomicCompareExchangeWeak(&owner, 0u, id).exchanged) { … } }`.
 */
export function decidesChanges(graph: ValueGraph, load: PlacedLoad): boolean {
  const start = graph.node(load.function, load.inst.id);
  const nodes = new Set<NodeId>([start]);
  const seen = new Set<Instruction>();
  for (const node of nodes) {
    for (const reached of reachedFrom(graph, node)) {
      for (const use of graph.uses[reached]) {
        if (seen.has(use.inst)) continue;
        seen.add(use.inst);
        // What a variable was left at by a branch, as a count of rounds, goes on as what was loaded would.
        if (node !== start && changesMemory(graph, use.function, use.inst, load)) return true;
        if (use.kind !== "branch") continue;
        const claimed = new Set<Instruction>();
        for (const inst of decidedBy(graph, use)) {
          if (claimed.has(inst)) continue;
          if (isClaim(graph, use.function, inst, load)) {
            for (const each of decidedByResult(graph, use.function, inst)) claimed.add(each);
            continue;
          }
          if (changesMemory(graph, use.function, inst, load)) return true;
          for (const next of hangingOn(graph, use.function, inst)) nodes.add(next);
        }
      }
    }
  }
  return false;
}

/** A value, and all that is made of it, up to memory. */
function* reachedFrom(graph: ValueGraph, start: NodeId): Generator<NodeId> {
  for (const node of graph.targets(start, ALL_FLOWS, (at) => isMemory(graph, at))) {
    if (!isMemory(graph, node)) yield node;
  }
}

/** It finds out by itself what the load has asked. */
function isClaim(graph: ValueGraph, fn: FunctionId, inst: Instruction, load: PlacedLoad): boolean {
  if (inst.kind !== "atomic" || !CLAIMS.has(inst.operation)) return false;
  return graph.at(fn, inst.args[0])?.kind === "const" && isSameAddress(graph, fn, inst, load);
}

const CLAIMS: ReadonlySet<AtomicInst["operation"]> = new Set(["exchange", "compare-exchange-weak"]);

function* decidedByResult(graph: ValueGraph, fn: FunctionId, { id }: Instruction): Generator<Instruction> {
  for (const node of reachedFrom(graph, graph.node(fn, id))) {
    for (const use of graph.uses[node]) if (use.kind === "branch") yield* decidedBy(graph, use);
  }
}

/** Memory that other invocations see. */
function isMemory(graph: ValueGraph, node: NodeId): boolean {
  const root = graph.rootOf(node);
  return root !== null && graph.module.roots[root].space !== "private";
}

/** What of instructions that are reached, or are not, somebody may see, in the order of a body. */
interface Effects {
  readonly numbers: readonly number[];
  readonly instructions: readonly Instruction[];
}

const knownEffects = new WeakMap<Block, Effects>();

function effectsOf(body: Block): Effects {
  let effects = knownEffects.get(body);
  if (effects === undefined) {
    const numbers: number[] = [];
    const instructions: Instruction[] = [];
    eachInstruction(body, (inst) => {
      if (!EFFECTS.has(inst.kind) || (inst.kind === "atomic" && inst.operation === "load")) return;
      numbers.push(placeOf(body, inst.id)!.number);
      instructions.push(inst);
    });
    effects = { numbers, instructions };
    knownEffects.set(body, effects);
  }
  return effects;
}

const EFFECTS: ReadonlySet<Instruction["kind"]> = new Set([
  ...(["store", "atomic", "call", "return", "continue", "break"] as const),
]);

/**
 * Stores, changes by atomic functions, calls, and jumps that are reached, or are not, by what a branch decides. They may be
 * many, and the first one may do.
 */
export function* decidedBy({ module }: ValueGraph, { inst, function: fn }: Use): Generator<Instruction> {
  const { body } = module.functions[fn];
  const { numbers, instructions } = effectsOf(body);
  function* between(from: number, to: number): Generator<Instruction> {
    for (let at = firstFrom(numbers, from); at < numbers.length && numbers[at] < to; at++) yield instructions[at];
  }
  const place = placeOf(body, inst.id)!;
  const leaving = new Set<Instruction["kind"]>();
  for (const each of between(place.number + 1, place.end)) {
    leaving.add(each.kind);
    yield each;
  }
  const upTo = leftBy(inst, leaving);
  if (upTo !== null) for (const [from, to] of after(body, place, upTo)) yield* between(from, to);
}

type Reach = "function" | "loop" | "breakable";

/** What an instruction leaves by the jumps in it; null: nothing. */
function leftBy({ kind }: Instruction, jumps: ReadonlySet<Instruction["kind"]>): Reach | null {
  if (jumps.has("return")) return "function";
  if (kind === "loop") return null;
  if (jumps.has("continue")) return "loop";
  return jumps.has("break") && kind === "if" ? "breakable" : null;
}

/**
 * Numbers of what may run after an instruction, as far as its function, loop, or loop or switch goes; of a loop all, as it
 * comes round again.
 */
function* after(
  body: Block,
  { block, end, around }: Place,
  upTo: Reach,
): Generator<readonly [from: number, to: number]> {
  yield [end, placeOf(body, block.instructions.at(-1)!.id)!.end];
  if (around === null) return;
  const { kind } = around.inst;
  if (kind === "loop") yield [around.number + 1, around.end];
  const isEnd = kind === "loop" || (kind === "switch" && upTo === "breakable");
  if (upTo === "function" || !isEnd) yield* after(body, around, upTo);
}

function changesMemory(graph: ValueGraph, fn: FunctionId, inst: Instruction, load: PlacedLoad): boolean {
  switch (inst.kind) {
    case "store":
      return inst.root !== null && graph.module.roots[inst.root].space !== "private";
    case "atomic":
      if (inst.operation === "load") return false;
      return !isIdempotent(graph, fn, inst) || !isSameAddress(graph, fn, inst, load);
    case "call": {
      let found = false;
      eachInstruction(graph.module.functions[inst.function].body, (inner) => {
        found ||= changesMemory(graph, inst.function, inner, load);
      });
      return found;
    }
    default:
      return false;
  }
}

/** Done twice it is as if done once; so are stores of one number. Stores of several numbers are told of themselves. */
function isIdempotent(graph: ValueGraph, fn: FunctionId, { operation, args }: AtomicInst): boolean {
  if (operation === "store") return graph.at(fn, args[0])?.kind === "const";
  return IDEMPOTENT.has(operation);
}

/** What has another value by whether an instruction runs. */
function hangingOn(graph: ValueGraph, fn: FunctionId, inst: Instruction): readonly NodeId[] {
  if (inst.kind === "return" && inst.value !== null) return [graph.returnNode(fn)];
  if (inst.kind !== "store") return [];
  return isMemory(graph, graph.variableOf(fn, inst.pointer)) ? [] : [graph.node(fn, inst.id)];
}

function isSameAddress(graph: ValueGraph, fn: FunctionId, inst: AtomicInst, load: PlacedLoad): boolean {
  if (inst.root !== load.inst.root) return false;
  // Of two functions it is not known; most helpers are given the address that was looked at.
  return fn !== load.function || isSameValue(graph, fn, inst.pointer, load.inst.pointer);
}

/** What was stored in a variable of the function, where a load can see one store only. */
function storedValue(graph: ValueGraph, fn: FunctionId, start: InstId): InstId {
  // A loop may store what it loads.
  const seen = new Set([start]);
  for (const id of seen) {
    const node = graph.node(fn, id);
    if (graph.instructions[node]?.kind !== "load") return id;
    const stores = graph.into
      .of(node)
      .filter(({ flow }) => flow === "copy")
      .map((edge) => graph.instructions[edge.node]);
    const [store] = stores;
    if (stores.length !== 1 || store?.kind !== "store") return id;
    seen.add(store.value);
  }
  return start;
}

/** Two instructions of one form with the same operands; variables are taken to hold the same at both. */
export function isSameValue(graph: ValueGraph, fn: FunctionId, one: InstId, other: InstId): boolean {
  const [a, b] = [storedValue(graph, fn, one), storedValue(graph, fn, other)];
  if (a === b) return true;
  const [x, y] = [a, b].map((id) => graph.at(fn, id));
  if (x === null || y === null || x === undefined || y === undefined) return false;
  const same = (left: InstId, right: InstId) => isSameValue(graph, fn, left, right);
  if (x.kind === "const" && y.kind === "const") return x.type === y.type && x.value.value === y.value.value;
  if (x.kind === "variable" && y.kind === "variable") return x.root === y.root;
  if (x.kind === "local" && y.kind === "local") return x.local === y.local;
  if (x.kind === "load" && y.kind === "load") return same(x.pointer, y.pointer);
  if (x.kind === "extract" && y.kind === "extract") return x.index === y.index && same(x.operand, y.operand);
  if (x.kind === "convert" && y.kind === "convert") return x.type === y.type && same(x.operand, y.operand);
  if (x.kind === "binary" && y.kind === "binary") {
    return x.operator === y.operator && same(x.left, y.left) && same(x.right, y.right);
  }
  if (x.kind !== "access" || y.kind !== "access" || !same(x.pointer, y.pointer)) return false;
  if (typeof x.index === "number" || typeof y.index === "number") return x.index === y.index;
  return same(x.index.dynamic, y.index.dynamic);
}
