/**
 * What every round of a loop would compute again, first thing and with the same result, is computed in front of it: in
 * `for (var i = 0u; i < min(counts[near], 4u); i++)` the bound. Only what is computed in any case, as the first round
 * always begins; so nothing is computed that was not before.
 */
import type { IrModule, RootId } from "../../ir/ir.ts";
import { dependencies } from "./dependencies.ts";
import { type Pointers, resolvePointers } from "./pointers.ts";
import { isConstant } from "./root-kinds.ts";
import { isLarge } from "./scalars.ts";
import {
  type Code,
  eachNode,
  eachOperation,
  isControl,
  type LoopNode,
  mapLists,
  type Node,
  type Operation,
  type ValueId,
  type VariableId,
} from "./tree.ts";

interface Input {
  readonly pointers: Pointers;
  /** Storage that never changes while the kernel runs. */
  readonly constantRoots: ReadonlySet<RootId>;
}

/** `aliases`: memory may be written under another name. */
export function hoistInvariants(
  code: Code,
  { roots }: IrModule,
  aliases: boolean,
  pointers: Pointers = resolvePointers(code),
): Code {
  const constant = aliases ? [] : roots.filter(isConstant);
  const input = { pointers, constantRoots: new Set(constant.map(({ id }) => id)) };
  return { ...code, nodes: hoisted(code.nodes, input) };
}

function hoisted(list: readonly Node[], input: Input): readonly Node[] {
  return list.flatMap((node): readonly Node[] => {
    if (!isControl(node) || node.kind === "jump") return [node];
    const inner = mapLists(node, (each) => hoisted(each, input));
    return inner.kind === "loop" && !holdsBarrier(inner) ? outOf(inner, input) : [inner];
  });
}

/** What a loop that the workgroup goes through together computes is each invocation's own: it would have to be kept. */
function holdsBarrier(loop: LoopNode): boolean {
  let found = false;
  eachNode([loop], (node) => {
    if (node.kind === "barrier" || node.kind === "uniform-load" || node.kind === "subgroup") found = true;
  });
  return found;
}

/** The loop, and before it what it need not compute again. */
function outOf(loop: LoopNode, input: Input): readonly Node[] {
  const inside = new Set<ValueId>();
  const stored = new Set<VariableId>();
  eachOperation([loop], (operation) => {
    inside.add(operation.id);
    if (operation.kind === "store" || operation.kind === "call") {
      for (const id of operation.kind === "store" ? [operation.pointer] : operation.args) {
        const base = input.pointers[id]?.base;
        if (base?.kind === "variable") stored.add(base.variable);
      }
    }
  });
  const calls = hasCall(loop);
  const out: Node[] = [];
  const rest: Node[] = [];
  let isStart = true;
  for (const node of loop.body) {
    isStart &&= !isControl(node) && hasNoEffect(node);
    const isInvariant =
      isStart &&
      !isControl(node) &&
      isRepeatable(node, stored, calls, input) &&
      dependencies(node, input.pointers).every((id) => !inside.has(id));
    if (!isInvariant) rest.push(node);
    else {
      out.push(node);
      inside.delete((node as Operation).id);
    }
  }
  return [...out, { ...loop, body: rest }];
}

function hasCall(loop: LoopNode): boolean {
  let found = false;
  eachOperation([loop], ({ kind }) => {
    if (kind === "call") found = true;
  });
  return found;
}

function hasNoEffect({ kind }: Operation): boolean {
  return kind !== "store" && kind !== "atomic" && kind !== "call" && kind !== "barrier" && kind !== "subgroup";
}

/** Whether the operation gives the same in every round if its operands do. */
function isRepeatable(
  operation: Operation,
  stored: ReadonlySet<VariableId>,
  calls: boolean,
  { pointers, constantRoots }: Input,
): boolean {
  if (operation.type.kind !== "pointer" && isLarge(operation.type)) return false;
  switch (operation.kind) {
    // They are nothing at run time, and stay with what uses them in the loop.
    case "variable":
    case "local":
    case "const":
      return true;
    case "access":
      return pointers[operation.id]!.terms.length === 0;
    case "load": {
      const { base } = pointers[operation.pointer]!;
      if (base.kind === "root") return constantRoots.has(base.root);
      // Of private variables a function that is called may change any.
      return base.kind === "variable" && !calls && !stored.has(base.variable);
    }
    case "unary":
    case "binary":
    case "convert":
    case "bitcast":
    case "splat":
    case "extract":
    case "extract-dynamic":
    case "swizzle":
    case "construct":
    case "select":
    case "builtin":
    case "array-length":
      return true;
    default:
      return false;
  }
}
