/**
 * What atomic additions on unsigned numbers are meant to add. A difference is added as its two's complement, and where signed
 * numbers are, the word holds a signed sum: whoever goes below zero then has not wrapped.
 */
import type { AccessSite } from "../engine/flat.ts";
import type { AtomicInst, FunctionId, InstId, IrModule } from "../ir/ir.ts";
import { eachInstruction } from "../ir/walk.ts";
import { onceFor } from "../text/once.ts";
import { I32 } from "../types/type.ts";
import { isSharedAccess } from "./access-class.ts";
import { type Flow, type ValueGraph, valueGraph } from "./value-graph.ts";

/** "negated": the number that is taken away, of which nothing is known but that. */
export type SumKind = "plain" | "negated" | "signed";

export function sumKind(module: IrModule, fn: FunctionId, { type, pointer, root, args }: AtomicInst): SumKind {
  if (type === I32) return "plain";
  const graph = valueGraph(module);
  if (signedIn(module).has(placeOf(graph, fn, root, pointer))) return "signed";
  return isNegated(graph, fn, args[0]) ? "negated" : "plain";
}

/** The same of an access. */
export function sumKindAt(module: IrModule, { function: fn, instruction }: AccessSite): SumKind {
  const inst = valueGraph(module).at(fn, instruction);
  return inst?.kind === "atomic" ? sumKind(module, fn, inst) : "plain";
}

/** Variables and members that signed numbers are added to, or that are taken for signed numbers. */
const signedIn = onceFor((module: IrModule): ReadonlySet<string> => {
  const graph = valueGraph(module);
  const found = new Set<string>();
  for (const { id: fn, body } of module.functions) {
    eachInstruction(body, (inst) => {
      if (inst.kind !== "atomic" || !isSharedAccess(inst) || inst.type === I32) return;
      const isSum = inst.operation === "add" || inst.operation === "sub";
      if ((isSum && isSigned(graph, fn, inst.args[0])) || isReadSigned(graph, fn, inst))
        found.add(placeOf(graph, fn, inst.root, inst.pointer));
    });
  }
  return found;
});

/** `bitcast<u32>(x)`, `u32(-x)`, `u32(x - y)` */
function isSigned(graph: ValueGraph, fn: FunctionId, id: InstId): boolean {
  const inst = graph.at(fn, id);
  const of = inst?.kind === "bitcast" || inst?.kind === "convert" ? graph.at(fn, inst.operand) : null;
  if (of?.type !== I32) return false;
  return inst?.kind === "bitcast" || of.kind === "unary" || (of.kind === "binary" && of.operator === "-");
}

const COPIES: ReadonlySet<Flow> = new Set(["copy"]);

/** `bitcast<i32>(atomicLoad(&sum))` */
function isReadSigned(graph: ValueGraph, fn: FunctionId, inst: AtomicInst): boolean {
  if (inst.operation === "compare-exchange-weak") return false;
  const reached = graph.targets(graph.node(fn, inst.id), COPIES, (node) => graph.rootOf(node) !== null);
  return [...reached].some((node) => {
    const each = graph.instructions[node];
    return each?.kind === "bitcast" && each.type === I32;
  });
}

/** `0u - x`, `~x + 1u` */
function isNegated(graph: ValueGraph, fn: FunctionId, id: InstId): boolean {
  const inst = graph.at(fn, id);
  if (inst?.kind !== "binary") return false;
  if (inst.operator === "-") return graph.constant(fn, inst.left) === 0;
  const isComplement = (term: InstId): boolean => {
    const each = graph.at(fn, term);
    return each?.kind === "unary" && each.operator === "~";
  };
  const isNext = (one: InstId, other: InstId) => isComplement(one) && graph.constant(fn, other) === 1;
  return inst.operator === "+" && (isNext(inst.left, inst.right) || isNext(inst.right, inst.left));
}

/** The variable and its members: elements of an array are one. */
function placeOf(graph: ValueGraph, fn: FunctionId, root: AtomicInst["root"], pointer: InstId): string {
  let place = "";
  for (let inst = graph.at(fn, pointer); inst?.kind === "access"; inst = graph.at(fn, inst.pointer))
    place = `.${typeof inst.index === "number" ? inst.index : "*"}${place}`;
  return `${root}${place}`;
}
