/**
 * Long lists of nodes, cut where no value goes on: what a part computes takes locals of its own, which the next part uses
 * again. Compilers keep, at each branch, what is known of each local, so that many of both would cost their product.
 */
import { dependencies } from "./dependencies.ts";
import type { Pointers } from "./pointers.ts";
import { conditionOf, eachNode, isControl, listsOf, mapLists, type Node, type ValueId } from "./tree.ts";

/** The label of a part: nobody jumps there. */
export const PART = -1;

/** Lists of so many nodes are cut, and parts have as many at least. */
const LONG = 2 ** 10;
const SHORTEST = 2 ** 6;

/** `all`: the nodes of the whole function. */
export function inParts(list: readonly Node[], all: readonly Node[], pointers: Pointers): readonly Node[] {
  if (!holdsLong(list)) return list;
  const uses = new Map<ValueId, number>();
  for (const node of all) eachUse(node, pointers, (id) => uses.set(id, (uses.get(id) ?? 0) + 1));
  return cut(list, uses, pointers);
}

function holdsLong(list: readonly Node[]): boolean {
  let found = list.length > LONG;
  eachNode(list, (node) => {
    found ||= listsOf(node).some((inner) => inner.length > LONG);
  });
  return found;
}

function eachUse(node: Node, pointers: Pointers, visit: (id: ValueId) => void): void {
  eachNode([node], (each) => {
    if (!isControl(each)) for (const id of dependencies(each, pointers)) visit(id);
    else {
      const condition = conditionOf(each);
      if (condition !== null) visit(condition);
    }
  });
}

function cut(list: readonly Node[], uses: ReadonlyMap<ValueId, number>, pointers: Pointers): readonly Node[] {
  const inner = list.map((node) =>
    isControl(node) && node.kind !== "jump" ? mapLists(node, (each) => cut(each, uses, pointers)) : node,
  );
  if (list.length <= LONG) return inner;
  const ends = endsOf(list, uses, pointers);
  const found: Node[] = [];
  let from = 0;
  for (const end of ends) {
    if (end - from < SHORTEST) continue;
    found.push({ kind: "block", label: PART, body: inner.slice(from, end) });
    from = end;
  }
  return [...found, ...inner.slice(from)];
}

/** Behind which nodes no value of the list is needed that was computed up to there. */
function endsOf(list: readonly Node[], uses: ReadonlyMap<ValueId, number>, pointers: Pointers): readonly number[] {
  /** How many uses are still to come of what has been computed. */
  let open = 0;
  const left = new Map<ValueId, number>();
  const ends: number[] = [];
  for (const [index, node] of list.entries()) {
    eachUse(node, pointers, (id) => {
      const count = left.get(id);
      if (count === undefined) return;
      left.set(id, count - 1);
      open--;
    });
    if (!isControl(node) && node.kind !== "const") {
      const count = uses.get(node.id) ?? 0;
      left.set(node.id, count);
      open += count;
    }
    if (open === 0) ends.push(index + 1);
  }
  return ends;
}
