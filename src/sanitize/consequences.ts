/**
 * What follows from a race: where a value that races leads to other places than were meant, invocations meet there that
 * should not. It is seen in some orders and not in others, as the value is, and goes when the race does.
 */
import type { Block, FunctionId, InstId, IrModule } from "../ir/ir.ts";
import { blocksOf } from "../ir/walk.ts";
import { isSameSpan, type Span } from "../text/source.ts";
import { isAccess } from "./access-class.ts";
import { ALL_FLOWS, type ValueGraph, valueGraph } from "./value-graph.ts";

/** Whether the address of an access, or whether control comes to it, is made of what a variable of the module holds. */
export function hangsOn(module: IrModule, access: Span, variable: string): boolean {
  const graph = valueGraph(module);
  return module.functions.some((fn) => hangsIn(graph, fn.id, fn.body, { access, variable, conditions: [] }));
}

interface Question {
  readonly access: Span;
  readonly variable: string;
  /** Under which the block is reached. */
  readonly conditions: readonly InstId[];
}

function hangsIn(graph: ValueGraph, fn: FunctionId, block: Block, question: Question): boolean {
  return block.instructions.some((inst) => {
    if (isAccess(inst) && isSameSpan(inst.span, question.access)) {
      const values = [...graph.indicesOf(fn, inst.pointer), ...question.conditions];
      if (values.some((value) => isMadeOf(graph, fn, value, question.variable))) return true;
    }
    const decides = inst.kind === "if" ? [inst.condition] : inst.kind === "switch" ? [inst.selector] : [];
    const inside = { ...question, conditions: [...question.conditions, ...decides] };
    return blocksOf(inst).some((inner) => hangsIn(graph, fn, inner, inside));
  });
}

function isMadeOf(graph: ValueGraph, fn: FunctionId, value: InstId, variable: string): boolean {
  const isRoot = (node: number) => graph.rootOf(node) !== null;
  const sources = graph.sources(graph.node(fn, value), ALL_FLOWS, isRoot);
  return [...sources].some((node) => {
    const root = graph.rootOf(node);
    return root !== null && graph.module.roots[root].name === variable;
  });
}
