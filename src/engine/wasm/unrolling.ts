/** Whether a loop with a known number of rounds is short enough to be written out round by round. */
import type { EmitterInput } from "./emitter.ts";
import { inductionOf, type Range } from "./induction.ts";
import { isControl, type LoopNode, listsOf, type Node, type Operation, type VariableId } from "./tree.ts";

/** In operations; longer loops stay loops. */
const MOST_UNROLLED = 320;
const MOST_UNROLLED_TOGETHER = 1000;

/** Operations of one round, loops inside unrolled; infinitely many where they cannot be. */
function unrolledSize(loop: LoopNode, input: EmitterInput): number {
  const size = (nodes: readonly Node[]): number =>
    nodes.reduce((sum, node, index) => {
      if (!isControl(node)) return sum + weightOf(node);
      if (node.kind !== "loop") return sum + 1 + listsOf(node).reduce((all, list) => all + size(list), 0);
      const { exact } = inductionOf(
        node,
        input,
        (id) => initialRange(nodes.slice(0, index), id, input),
        () => null,
      );
      return sum + (exact ?? Infinity) * (size(node.body) + size(node.continuing));
    }, 0);
  return size(loop.body) + size(loop.continuing);
}

/** Of a variable that the last store in the nodes sets to a constant. */
function initialRange(nodes: readonly Node[], variable: VariableId, input: EmitterInput): Range | null {
  for (const node of nodes.toReversed()) {
    if (node.kind !== "store") continue;
    const { base } = input.pointers[node.pointer]!;
    if (base.kind !== "variable" || base.variable !== variable) continue;
    const value = input.operations.get(node.value);
    if (value?.kind !== "const" || typeof value.value.value !== "number") return null;
    const bits = value.value.value >>> 0;
    return { low: bits, high: bits };
  }
  return null;
}

function weightOf(operation: Operation): number {
  switch (operation.kind) {
    case "const":
    case "local":
    case "variable":
    case "access":
      return 0;
    default:
      return operation.type.kind === "vector" ? operation.type.size : 1;
  }
}

/** `isNested`: in a loop that is unrolled, which has counted this one. A loop with loops in it only if they are too. */
export function mayUnroll(loop: LoopNode, rounds: number, isNested: boolean, input: EmitterInput): boolean {
  const size = unrolledSize(loop, input) * rounds;
  const isNest = isNested || loop.body.some((each) => each.kind === "loop");
  return size <= (isNest ? MOST_UNROLLED_TOGETHER : MOST_UNROLLED);
}
