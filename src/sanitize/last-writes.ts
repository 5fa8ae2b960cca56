/** Who wrote last what came out otherwise in another order, and the atomic function that made it so. */
import type { AtomicInst, FunctionId, Instruction } from "../ir/ir.ts";
import { eachInstruction } from "../ir/walk.ts";
import type { Plan, PlannedStep } from "../launch/plan.ts";
import type { Comparison, WrittenBy } from "../launch/results.ts";
import { isSharedAccess, type MemoryInst } from "./access-class.ts";
import { usesOf } from "./atomic-uses.ts";
import { decidedBy } from "./guards.ts";
import { ALL_FLOWS, type NodeId, valueGraph } from "./value-graph.ts";

export interface LastWrite {
  readonly step: PlannedStep;
  readonly inst: MemoryInst;
  /** Of the value that was not as expected. */
  readonly path: string;
  readonly by: WrittenBy;
  /** Whose result says where, what or whether it writes, or that writes itself. */
  readonly atomic: AtomicInst | null;
}

/** null: it is not known. */
export function lastWriteIn(plan: Plan, { first }: Pick<Comparison, "first">): LastWrite | null {
  const by = first?.writtenBy ?? null;
  if (first === null || by === null) return null;
  const { path } = first;
  for (const step of plan.steps) {
    if (step.program.source.path !== by.path) continue;
    for (const { id, body } of step.module.functions) {
      let found: MemoryInst | null = null;
      eachInstruction(body, (inst) => {
        if (inst.kind !== "load" && isSharedAccess(inst) && inst.span.start === by.start.offset) found ??= inst;
      });
      if (found !== null) return { step, inst: found, path, by, atomic: atomicOf(step, id, found) };
    }
  }
  return null;
}

function atomicOf({ module }: PlannedStep, fn: FunctionId, inst: MemoryInst): AtomicInst | null {
  const graph = valueGraph(module);
  const given = inst.kind === "store" ? [inst.value] : inst.kind === "atomic" ? inst.args : [];
  const isEnd = (node: NodeId) => graph.rootOf(node) !== null;
  const atomics = [...graph.indicesOf(fn, inst.pointer), ...given]
    .flatMap((value) => [...graph.sources(graph.node(fn, value), ALL_FLOWS, isEnd)])
    .map((node) => graph.instructions[node])
    .filter(isAtomic);
  const own = isAtomic(inst) ? inst : null;
  return atomics.find(({ operation }) => operation !== "load") ?? decidingAtomic() ?? own ?? atomics.at(0) ?? null;

  function decidingAtomic(): AtomicInst | null {
    let found: AtomicInst | null = null;
    eachInstruction(module.functions[fn].body, (each) => {
      if (found !== null || each === inst || !isAtomic(each) || each.operation === "load") return;
      const uses = usesOf(graph, graph.node(fn, each.id));
      const decides = uses.some(
        (use) => use.kind === "branch" && use.function === fn && [...decidedBy(graph, use)].includes(inst),
      );
      if (decides) found = each;
    });
    return found;
  }
}

function isAtomic(inst: Instruction | null | undefined): inst is AtomicInst {
  return inst?.kind === "atomic";
}
