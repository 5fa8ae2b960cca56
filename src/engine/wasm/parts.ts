/**
 * Long lists of nodes, cut where no value goes on: what a part computes takes locals of its own, which the next part uses
 * again. Compilers keep, at each branch, what is known of each local, so that many of both would cost their product.
 * A part stays where it is, beside the variables and barriers of its function, which hinder a function of its own: what
 * needs neither `outline.ts` has taken out of very long functions before, as their length costs too.
 */
import type { Pointers } from "./pointers.ts";
import { eachNode, isControl, listsOf, mapLists, type Node, type ValueId } from "./tree.ts";
import { eachUse } from "./usage.ts";

/** The label of a part: nobody jumps there. */
export const PART = -1;

/** Lists of so many nodes are cut, and parts have as many at least. */
const LONG = 2 ** 10;
const SHORTEST = 2 ** 6;
/** What is needed so many nodes later is computed in front of the parts that need it. */
const FAR = 2 ** 8;

/** `uses`: how often values are needed in the whole function. */
export function inParts(list: readonly Node[], uses: Uint32Array, pointers: Pointers): readonly Node[] {
  return holdsLong(list) ? cut(list, uses, pointers) : list;
}

function holdsLong(list: readonly Node[]): boolean {
  let found = list.length > LONG;
  eachNode(list, (node) => {
    found ||= listsOf(node).some((inner) => inner.length > LONG);
  });
  return found;
}

function cut(list: readonly Node[], uses: Uint32Array, pointers: Pointers): readonly Node[] {
  const inner = list.map((node) =>
    isControl(node) && node.kind !== "jump" ? mapLists(node, (each) => cut(each, uses, pointers)) : node,
  );
  if (list.length <= LONG) return inner;
  const lasts = lastUses(list, uses, pointers);
  const found: Node[] = [];
  /** Where in it the part begins that is not at its end yet. */
  let start = 0;
  const end = (): void => {
    if (found.length - start >= SHORTEST) found.push({ kind: "block", label: PART, body: found.splice(start) });
    start = found.length;
  };
  /** Index of the last node that needs something of this part. */
  let needed = 0;
  for (const [index, last] of lasts.entries()) {
    if (last - index > FAR) {
      if (needed < index) end();
      found.push(inner[index]);
      start = found.length;
      continue;
    }
    found.push(inner[index]);
    needed = Math.max(needed, last);
    if (needed <= index && found.length - start >= SHORTEST) end();
  }
  end();
  return found;
}

/** By node of a list: index of the last node that needs its value, itself where none does; infinite: one elsewhere does. */
function lastUses(list: readonly Node[], uses: Uint32Array, pointers: Pointers): readonly number[] {
  const indices = new Map<ValueId, number>();
  const lasts = list.map((_, index) => index);
  const counts = new Uint32Array(list.length);
  for (const [index, node] of list.entries()) {
    eachUse([node], pointers, (id) => {
      const at = indices.get(id);
      if (at === undefined) return;
      lasts[at] = index;
      counts[at]++;
    });
    if (!isControl(node) && node.kind !== "const") indices.set(node.id, index);
  }
  for (const [id, at] of indices) if (counts[at] < uses[id]) lasts[at] = Number.POSITIVE_INFINITY;
  return lasts;
}
