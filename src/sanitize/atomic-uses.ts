/**
 * What becomes of the results of atomic functions. A count that is read while others still count is wrong only where it
 * goes on: into memory, into an index, or into the decision to change the same variable. Meant are not: loads that feed a
 * compare-exchange of that variable, which notices; loads that are made again until they say what is waited for; loads
 * that only save a needless max, min, or, and.
 */
import type { AtomicInst, Block, FunctionId, InstId, Instruction, IrModule, RootId } from "../ir/ir.ts";
import { blocksOf, eachInstruction, innermostLoop, isAround, placeOf } from "../ir/walk.ts";
import { decidedBy, decidesChanges, IDEMPOTENT } from "./guards.ts";
import { ALL_FLOWS, type Flow, type NodeId, type Use, type ValueGraph, valueGraph } from "./value-graph.ts";

/** Key of an instruction of a module. */
export function instructionKey(fn: FunctionId, inst: InstId): string {
  return `${fn}:${inst}`;
}

/** What is known of the atomic functions of a module; by `instructionKey`. */
export interface AtomicUses {
  /** Loads and exchanges whose results go on. */
  readonly goesOn: ReadonlySet<string>;
  /** Loads whose results do not go on but decide what is changed in memory. */
  readonly decides: ReadonlySet<string>;
  /** Loads and stores of whoever came last: it has seen by the count that all others are through. */
  readonly byTheLast: ReadonlySet<string>;
}

export const NO_ATOMIC_USES: AtomicUses = { goesOn: new Set(), decides: new Set(), byTheLast: new Set() };

/** Whether the result of a load matters at all, so that it is to be looked at with changes by others. */
export function resultMatters({ goesOn, decides }: AtomicUses, key: string): boolean {
  return goesOn.has(key) || decides.has(key);
}

const known = new WeakMap<IrModule, AtomicUses>();

export function atomicUses(module: IrModule): AtomicUses {
  let uses = known.get(module);
  if (uses === undefined) {
    const goesOn = resultsThatGoOn(module);
    uses = { goesOn, decides: loadsThatDecide(module, goesOn), byTheLast: accessesByTheLast(module) };
    known.set(module, uses);
  }
  return uses;
}

function resultsThatGoOn(module: IrModule): ReadonlySet<string> {
  const graph = valueGraph(module);
  const found = new Set<string>();
  for (const fn of module.functions) {
    eachInstruction(fn.body, (inst) => {
      const goesOn =
        (inst.kind === "atomic" && inst.operation === "load" && loadGoesOn(graph, fn.id, inst)) ||
        (inst.kind === "atomic" && inst.operation === "exchange" && !graph.from.isEmpty(graph.node(fn.id, inst.id))) ||
        (inst.kind === "atomic" &&
          inst.operation === "exchange" &&
          graph.uses[graph.node(fn.id, inst.id)].length > 0) ||
        ((inst.kind === "load" || inst.kind === "uniform-load") && isAtomicLoad(graph, fn.id, inst.pointer));
      if (goesOn) found.add(instructionKey(fn.id, inst.id));
    });
  }
  return found;
}

/** `workgroupUniformLoad` of an atomic: always meant to go on. */
function isAtomicLoad(graph: ValueGraph, fn: FunctionId, pointer: InstId): boolean {
  const inst = graph.instructions[graph.node(fn, pointer)];
  return inst?.type.kind === "pointer" && inst.type.store.kind === "atomic";
}

function loadsThatDecide(module: IrModule, goesOn: ReadonlySet<string>): ReadonlySet<string> {
  const graph = valueGraph(module);
  const found = new Set<string>();
  for (const fn of module.functions) {
    eachInstruction(fn.body, (inst) => {
      const key = instructionKey(fn.id, inst.id);
      if (inst.kind !== "atomic" || inst.operation !== "load" || goesOn.has(key)) return;
      if (isTriedAgain(graph, fn.id, inst, usesOf(graph, graph.node(fn.id, inst.id)))) return;
      if (decidesChanges(graph, { function: fn.id, inst })) found.add(key);
    });
  }
  return found;
}

/** A compare-exchange notices that the value is no more the one that was loaded; a loop looks again. */
function isTriedAgain(graph: ValueGraph, fn: FunctionId, load: AtomicInst, uses: readonly Use[]): boolean {
  return uses.some((use) => isCompareExchangeOf(use, load.root) || isReread(graph, fn, load, use));
}

function loadGoesOn(graph: ValueGraph, fn: FunctionId, load: AtomicInst): boolean {
  const uses = usesOf(graph, graph.node(fn, load.id));
  if (isTriedAgain(graph, fn, load, uses)) return false;
  const isGuard = uses.some((use) => use.kind === "branch" && guardsChange(graph, use, load.root));
  if (isGuard && decidesChanges(graph, { function: fn, inst: load })) return true;
  return uses.some(({ kind }) => kind !== "branch");
}

/** Uses of a value and of all that is made of it, up to memory that others see. */
export function usesOf(graph: ValueGraph, start: NodeId): readonly Use[] {
  const reached = graph.targets(start, ALL_FLOWS, (node) => graph.rootOf(node) !== null);
  return [...reached].flatMap((node) => (graph.rootOf(node) === null ? graph.uses[node] : []));
}

function isCompareExchangeOf({ inst }: Use, root: RootId | null): boolean {
  return inst.kind === "atomic" && inst.operation === "compare-exchange-weak" && inst.root === root;
}

/** The loop around an atomic function ends, or goes on, by what the function says. */
export function isReread(graph: ValueGraph, fn: FunctionId, load: AtomicInst, use: Use): boolean {
  if (use.kind !== "branch" || use.function !== fn) return false;
  const { body } = graph.module.functions[fn];
  const loop = innermostLoop(body, load.id);
  if (loop === null) return false;
  if (use.inst === loop) return true;
  return isAround(loop, placeOf(body, use.inst.id)) && blocksOf(use.inst).some((block) => leaves(block));
}

/** Control leaves the block otherwise than by its end. */
function leaves(block: Block): boolean {
  let found = false;
  eachInstruction(block, ({ kind }) => {
    if (kind === "break" || kind === "return") found = true;
  });
  return found;
}

/** By the branch the same variable is changed in a way that the value read should have been true for. */
function guardsChange(graph: ValueGraph, use: Use, root: RootId | null): boolean {
  for (const inst of decidedBy(graph, use)) if (changes(graph.module, inst, root)) return true;
  return false;
}

function changes(module: IrModule, inst: Instruction, root: RootId | null): boolean {
  if (inst.kind === "atomic") {
    return inst.root === root && inst.operation !== "load" && !IDEMPOTENT.has(inst.operation);
  }
  if (inst.kind !== "call") return false;
  let found = false;
  eachInstruction(module.functions[inst.function].body, (inner) => {
    found ||= changes(module, inner, root);
  });
  return found;
}

/**
 * `if (atomicAdd(&n, 1u) == last) { atomicStore(&n, 0u); }`: the changes of one variable have one order, and by the value
 * of its own the invocation knows that all others stand before it.
 */
function accessesByTheLast(module: IrModule): ReadonlySet<string> {
  const graph = valueGraph(module);
  const found = new Set<string>();
  for (const fn of module.functions) {
    const guardOf = (condition: InstId, holds: boolean) => countedBy(graph, graph.node(fn.id, condition), holds);
    visitGuarded(fn.body, [], guardOf, (inst, guards) => {
      if (inst.kind !== "atomic" || (inst.operation !== "store" && inst.operation !== "load")) return;
      if (guards.some((counted) => counted.has(inst.root))) found.add(instructionKey(fn.id, inst.id));
    });
  }
  return found;
}

/** Variables whose count has to be a certain one for a condition to hold, or not to. */
function countedBy(graph: ValueGraph, condition: NodeId, isTrue: boolean): Counted {
  const { node, holds } = withoutNot(graph, condition, isTrue);
  const wanted = holds ? "==" : "!=";
  const roots = [...graph.sources(node, COPIES, (at) => isAtomicIn(graph, at))].flatMap((source) => {
    const comparison = graph.instructions[source];
    return comparison?.kind === "binary" && comparison.operator === wanted ? countsOf(graph, source) : [];
  });
  return new Set(roots);
}

/** `!x` is true where `x` is false. */
function withoutNot(
  graph: ValueGraph,
  node: NodeId,
  holds: boolean,
): { readonly node: NodeId; readonly holds: boolean } {
  const inst = graph.instructions[node];
  if (inst?.kind !== "unary" || inst.operator !== "!") return { node, holds };
  return withoutNot(graph, graph.into.of(node)[0].node, !holds);
}

const COPIES: ReadonlySet<Flow> = new Set(["copy"]);
const SUMS: ReadonlySet<Flow> = new Set(["copy", "add", "minus", "compute"]);

/** Variables of which a side of a comparison is what an addition gave, or that and a number more. */
function countsOf(graph: ValueGraph, comparison: NodeId): readonly (RootId | null)[] {
  return [...graph.sources(comparison, SUMS, (at) => isAtomicIn(graph, at))].flatMap((node) => {
    const inst = graph.instructions[node];
    return inst?.kind === "atomic" && (inst.operation === "add" || inst.operation === "sub") ? [inst.root] : [];
  });
}

function isAtomicIn(graph: ValueGraph, node: NodeId): boolean {
  return graph.instructions[node]?.kind === "atomic";
}

type Counted = ReadonlySet<RootId | null>;

/**
 * Visits every instruction with what the conditions say under which it is reached, as far as they say something: those
 * around it, and those that left before it.
 */
function visitGuarded(
  block: Block,
  guards: readonly Counted[],
  guardOf: (condition: InstId, holds: boolean) => Counted,
  visit: (inst: Instruction, guards: readonly Counted[]) => void,
): void {
  let own = guards;
  const and = (counted: Counted) => (counted.size === 0 ? own : [...own, counted]);
  for (const inst of block.instructions) {
    visit(inst, own);
    if (inst.kind !== "if") {
      for (const inner of blocksOf(inst)) visitGuarded(inner, own, guardOf, visit);
      continue;
    }
    const { condition, then, otherwise } = inst;
    const [yes, no] = [guardOf(condition, true), guardOf(condition, false)];
    visitGuarded(then, and(yes), guardOf, visit);
    visitGuarded(otherwise, and(no), guardOf, visit);
    if (endsEarly(then)) own = and(no);
    if (endsEarly(otherwise)) own = and(yes);
  }
}

function endsEarly(block: Block): boolean {
  const last = block.instructions.at(-1)?.kind;
  return last === "return" || last === "break" || last === "continue";
}

/** The value leads nowhere, or only to a `select` that need not take it: what was read out of bounds is thrown away. */
export function isThrownAway(module: IrModule, fn: FunctionId, inst: InstId): boolean {
  const graph = valueGraph(module);
  const shaped = graph.targets(graph.node(fn, inst), new Set<Flow>(["copy"]));
  for (const node of shaped) {
    if (graph.rootOf(node) !== null || graph.uses[node].length > 0) return false;
    if (graph.from.of(node).some(({ flow }) => flow !== "copy" && flow !== "choice")) return false;
  }
  return true;
}
