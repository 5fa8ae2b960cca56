/**
 * `if (near) { found++; }` as `found = select(found, found + 1, near)`: where the condition is as often true as not, a jump
 * costs far more than a sum that is not needed. Only where an integer or bool changes by few operations: V8 makes a jump of
 * a choice between floats anyway.
 */
import type { Type } from "../../types/type.ts";
import { type Pointers, resolvePointers } from "./pointers.ts";
import { type Code, type IfNode, isControl, mapLists, type Node, type Operation, type ValueId } from "./tree.ts";

/** Operations of a branch, what costs nothing not counted. */
const MOST_CHOSEN = 4;

export function chooseInstead(code: Code, pointers: Pointers = resolvePointers(code)): Code {
  const types = [...code.types];
  const rewrite = (list: readonly Node[]): readonly Node[] =>
    list.flatMap((node): readonly Node[] => {
      if (!isControl(node) || node.kind === "jump") return [node];
      const inner = mapLists(node, rewrite);
      return inner.kind === "if" && isChoice(inner, code, pointers) ? chosen(inner, types, pointers) : [inner];
    });
  return { ...code, nodes: rewrite(code.nodes), types };
}

type Store = Extract<Operation, { kind: "store" }>;

/** Whether all that the `if` does is to store one integer or bool in a variable. */
function isChoice({ whenTrue, whenFalse }: IfNode, code: Code, pointers: Pointers): boolean {
  if (whenFalse.length > 0 || whenTrue.length === 0) return false;
  const store = whenTrue.at(-1)!;
  if (store.kind !== "store") return false;
  const { base, type, terms } = pointers[store.pointer]!;
  if (base.kind !== "variable" || terms.length > 0 || code.variables[base.variable].type !== type) return false;
  if (type.kind !== "i32" && type.kind !== "u32" && type.kind !== "bool") return false;
  let cost = 0;
  return whenTrue.slice(0, -1).every((node) => {
    if (isControl(node)) return false;
    const price = priceOf(node, pointers);
    cost += price;
    return cost <= MOST_CHOSEN;
  });
}

function priceOf(operation: Operation, pointers: Pointers): number {
  switch (operation.kind) {
    case "variable":
    case "local":
    case "access":
    case "const":
    case "extract":
      return 0;
    case "load": {
      const { base, terms } = pointers[operation.pointer]!;
      return base.kind === "variable" && terms.length === 0 && isScalar(operation.type) ? 0 : Infinity;
    }
    case "unary":
    case "select":
    case "bitcast":
      return isScalar(operation.type) ? 1 : Infinity;
    case "binary":
      return isScalar(operation.type) && operation.operator !== "/" && operation.operator !== "%" ? 1 : Infinity;
    default:
      return Infinity;
  }
}

function isScalar({ kind }: Type): boolean {
  return kind === "i32" || kind === "u32" || kind === "bool" || kind === "f32";
}

function chosen({ condition, whenTrue }: IfNode, types: Type[], pointers: Pointers): readonly Node[] {
  const store = whenTrue.at(-1) as Store;
  const { type } = pointers[store.pointer]!;
  const make = (operation: (id: ValueId) => Operation): Operation => operation((types.push(type) - 1) as ValueId);
  const { span, space, root, size, pointer } = store;
  const old = make((id) => ({ kind: "load", id, type, span, space, root, size, pointer }));
  const value = make((id) => {
    return { kind: "select", id, type, span, condition, ifTrue: store.value, ifFalse: old.id };
  });
  return [...whenTrue.slice(0, -1), old, value, { ...store, value: value.id }];
}
