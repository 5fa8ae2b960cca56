/**
 * What becomes of the results of atomic functions. A count that is read while others still count is wrong only where it
 * goes on: into memory, into an index, or into the decision to change the same variable. Meant are not: loads that feed a
 * compare-exchange of that variable, which notices; loads that are made again until they say what is waited for; loads
 * that only save a needless max, min, or, and.
 */
import type { AtomicInst, Block, FunctionId, InstId, Instruction, IrModule, LoopInst, RootId } from "../ir/ir.ts";
import { blocksOf, eachInstruction, innermostLoop, isAround, placeOf } from "../ir/walk.ts";
import { onceFor } from "../text/once.ts";
import { isBlindTo } from "./blind-exchanges.ts";
import { accessesByTheLast } from "./by-the-last.ts";
import { leadsToWrite } from "./chases.ts";
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
  /** Loads, stores and exchanges of whoever came last: it has seen by the count that all others are through. */
  readonly byTheLast: ReadonlySet<string>;
}

export const NO_ATOMIC_USES: AtomicUses = { goesOn: new Set(), decides: new Set(), byTheLast: new Set() };

/** Whether the result of a load matters at all, so that it is to be looked at with changes by others. */
export function resultMatters({ goesOn, decides }: AtomicUses, key: string): boolean {
  return goesOn.has(key) || decides.has(key);
}

export const atomicUses = onceFor((module: IrModule): AtomicUses => {
  const byTheLast = keysOf(module, accessesByTheLast(module));
  return { ...resultsThatMatter(module), byTheLast };
});

/** A flag may be seen or not: what it stands for has races of its own. A count that decides is right before it is set back, and not after. */
function resultsThatMatter(module: IrModule): Pick<AtomicUses, "goesOn" | "decides"> {
  const goesOn = resultsThatGoOn(module);
  const decides = new Set<string>();
  const counts = countedRoots(module);
  for (const [key, { root }] of loadsThatDecide(module, goesOn)) {
    (root !== null && counts.has(root) ? goesOn : decides).add(key);
  }
  return { goesOn, decides };
}

function countedRoots({ functions }: IrModule): ReadonlySet<RootId> {
  const found = new Set<RootId>();
  for (const { body } of functions) {
    eachInstruction(body, (inst) => {
      const counts = inst.kind === "atomic" && (inst.operation === "add" || inst.operation === "sub");
      if (counts && inst.root !== null) found.add(inst.root);
    });
  }
  return found;
}

function keysOf(module: IrModule, nodes: ReadonlySet<NodeId>): ReadonlySet<string> {
  const graph = valueGraph(module);
  const keys = [...nodes].map((node) => instructionKey(graph.functionOf(node), graph.instructions[node]!.id));
  return new Set(keys);
}

function resultsThatGoOn(module: IrModule): Set<string> {
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
  const inst = graph.at(fn, pointer);
  return inst?.type.kind === "pointer" && inst.type.store.kind === "atomic";
}

function loadsThatDecide(module: IrModule, goesOn: ReadonlySet<string>): ReadonlyMap<string, AtomicInst> {
  const graph = valueGraph(module);
  const found = new Map<string, AtomicInst>();
  for (const fn of module.functions) {
    eachInstruction(fn.body, (inst) => {
      const key = instructionKey(fn.id, inst.id);
      if (inst.kind !== "atomic" || inst.operation !== "load" || goesOn.has(key)) return;
      if (isTriedAgain(graph, fn.id, inst, usesOf(graph, graph.node(fn.id, inst.id)))) return;
      if (decidesChanges(graph, { function: fn.id, inst })) found.set(key, inst);
    });
  }
  return found;
}

/** A compare-exchange notices that the value is no more the one that was loaded; a loop that waits looks again. */
function isTriedAgain(graph: ValueGraph, fn: FunctionId, load: AtomicInst, uses: readonly Use[]): boolean {
  const isWait = !leadsToWrite(graph, graph.node(fn, load.id));
  return uses.some(
    (use) =>
      isNoticedBy(graph, use, fn, load) ||
      (isWait && isReread(graph, fn, load, use) && !countsUpTo(graph, fn, load, use)),
  );
}

/** `k < atomicLoad(&n)`, where the loop changes `k`: it looks again, but waits for nothing. */
function countsUpTo(graph: ValueGraph, fn: FunctionId, load: AtomicInst, { inst }: Use): boolean {
  const { body } = graph.module.functions[fn];
  const loop = innermostLoop(body, load.id);
  const condition = inst.kind === "if" ? inst.condition : inst.kind === "loop" ? inst.breakIf : null;
  if (loop === null || condition === null) return false;
  const isMemory = (node: NodeId) => graph.rootOf(node) !== null;
  const madeOf = (node: NodeId) => graph.sources(node, RECKONED, isMemory);
  const isCount = (node: NodeId): boolean =>
    graph.instructions[node]?.kind === "binary" &&
    graph.functionOf(node) === fn &&
    isAround(loop, placeOf(body, graph.instructions[node].id)) &&
    graph.into.of(node).some((term) => madeOf(term.node).has(node));
  const start = graph.node(fn, load.id);
  return [...madeOf(graph.node(fn, condition))].some((node) => {
    const compared = graph.instructions[node];
    if (compared?.kind !== "binary" || !ORDERS.has(compared.operator)) return false;
    const sides = [compared.left, compared.right].map((id) => madeOf(graph.node(fn, id)));
    return sides.some((side, i) => side.has(start) && [...sides[1 - i]].some(isCount));
  });
}

const ORDERS: ReadonlySet<string> = new Set(["<", "<=", ">", ">="]);
const RECKONED: ReadonlySet<Flow> = new Set(["copy", "add", "minus", "choice", "compute"]);

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

function isNoticedBy(graph: ValueGraph, use: Use, fn: FunctionId, load: AtomicInst): boolean {
  const { inst } = use;
  if (inst.kind !== "atomic" || inst.operation !== "compare-exchange-weak" || inst.root !== load.root) return false;
  return !isBlindTo(graph.module, use.function, inst.id, graph.node(fn, load.id));
}

/** The loop around an atomic function ends, or goes on, by what the function says. */
export function isReread(graph: ValueGraph, fn: FunctionId, load: AtomicInst, use: Use): boolean {
  return use.function === fn && endsLoop(graph, use, innermostLoop(graph.module.functions[fn].body, load.id));
}

/** The loop around a branch ends by it; also of what a function gives that is called there. */
export function endsItsLoop(graph: ValueGraph, use: Use): boolean {
  return endsLoop(graph, use, innermostLoop(graph.module.functions[use.function].body, use.inst.id));
}

function endsLoop(graph: ValueGraph, use: Use, loop: LoopInst | null): boolean {
  if (use.kind !== "branch" || loop === null) return false;
  const { body } = graph.module.functions[use.function];
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
