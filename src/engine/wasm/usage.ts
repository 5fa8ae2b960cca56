/** What code needs of its values and variables: how often, which parts, whether they ever change. */

import { partType } from "../../ir/builder.ts";
import type { ConstValue } from "../../types/value.ts";
import { scalarCount, scalarsBefore } from "../flatten-values.ts";
import { dependencies, operandsOfOperation } from "./dependencies.ts";
import type { Pointers } from "./pointers.ts";
import { isLarge } from "./scalars.ts";
import {
  type Code,
  conditionOf,
  eachNode,
  eachOperation,
  isControl,
  type Node,
  type Operation,
  type ValueId,
  type VariableId,
} from "./tree.ts";

/** How often each value is needed, conditions included. */
export function countUses(nodes: readonly Node[], pointers: Pointers, types: number): Uint32Array {
  const uses = new Uint32Array(types);
  eachUse(nodes, pointers, (id) => uses[id]++);
  return uses;
}

/** Each value that is needed in the nodes, as often as it is. */
export function eachUse(nodes: readonly Node[], pointers: Pointers, visit: (id: ValueId) => void): void {
  eachNode(nodes, (node) => {
    if (!isControl(node)) {
      for (const id of dependencies(node, pointers)) visit(id);
      return;
    }
    const condition = conditionOf(node);
    if (condition === null) return;
    visit(condition);
    // The condition of a loop is needed in a place of its own.
    if (node.kind === "loop") visit(condition);
  });
}

/** Of loaded values that are taken apart only: which of their scalars are needed, by value id. All of the others. */
export function neededScalars(code: Pick<Code, "nodes" | "types">): ReadonlyMap<ValueId, readonly boolean[]> {
  const needed = new Map<ValueId, boolean[]>();
  eachOperation(code.nodes, ({ id, kind, type }) => {
    if (kind === "load" && !isLarge(type) && scalarCount(type) > 1) {
      needed.set(id, new Array<boolean>(scalarCount(type)).fill(false));
    }
  });
  eachOperation(code.nodes, (operation) => {
    for (const operand of operandsOfOperation(operation)) {
      const scalars = needed.get(operand);
      if (scalars === undefined) continue;
      if (!markParts(operation, code.types[operand], scalars)) needed.delete(operand);
    }
  });
  return needed;
}

/** Marks what the operation takes; false where that is the whole value. */
function markParts(operation: Operation, type: Code["types"][number], scalars: boolean[]): boolean {
  if (operation.kind === "extract") {
    const first = scalarsBefore(type, operation.index);
    scalars.fill(true, first, first + scalarCount(partType(type, operation.index)));
    return true;
  }
  if (operation.kind !== "swizzle") return false;
  for (const component of operation.components) scalars[component] = true;
  return true;
}

/** Variables with an address that hold the same constant from their declaration on: they need no memory of their own. */
export function constantVariables(
  code: Pick<Code, "nodes">,
  pointers: Pointers,
  candidates: ReadonlySet<VariableId>,
): ReadonlyMap<VariableId, ConstValue> {
  const constants = new Map<ValueId, ConstValue>();
  const found = new Map<VariableId, ConstValue>();
  const changed = new Set<VariableId>();
  eachOperation(code.nodes, (operation) => {
    if (operation.kind === "const") constants.set(operation.id, operation.value);
    if (operation.kind === "call") {
      for (const arg of operation.args) {
        const base = pointers[arg]?.base;
        if (base?.kind === "variable") changed.add(base.variable);
      }
    }
    if (operation.kind !== "store") return;
    const { base, type } = pointers[operation.pointer]!;
    if (base.kind !== "variable") return;
    const value = constants.get(operation.value);
    if (value === undefined || value.type !== type || found.has(base.variable)) changed.add(base.variable);
    else found.set(base.variable, value);
  });
  return new Map([...found].filter(([id]) => candidates.has(id) && !changed.has(id)));
}
