/** What the root variables of a module are to a kernel. */
import type { Root } from "../../ir/ir.ts";

/** Memory that the host provides: each has a base address and a size. */
export function isBound({ space }: Root): boolean {
  return space === "storage" || space === "uniform" || space === "immediate";
}

/** Memory that nobody writes while a kernel runs, as long as it is not bound under another name as well. */
export function isConstant(root: Root): boolean {
  return isBound(root) && (root.space !== "storage" || root.access === "read");
}
