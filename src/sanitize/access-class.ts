/** Which class an access belongs to (`shadow.ts`), known from its instruction. */
import type { Instruction } from "../ir/ir.ts";
import { CHANGE, LOOK, OTHER_ATOMIC_READ, READ, SET, WRITE } from "./shadow.ts";

export type MemoryInst = Extract<Instruction, { kind: "load" | "store" | "atomic" }>;

/** A `workgroupUniformLoad` is none: it has barriers around it. */
export function isAccess(inst: Instruction): inst is MemoryInst {
  return inst.kind === "load" || inst.kind === "store" || inst.kind === "atomic";
}

/** Whether it goes to memory that other invocations see. */
export function isSharedAccess(inst: Instruction): inst is MemoryInst {
  return isAccess(inst) && (inst.space === "workgroup" || inst.space === "storage");
}

/** The class that an access is of. */
export function classOf(inst: MemoryInst, goesOn: boolean): number {
  if (inst.kind !== "atomic") return inst.kind === "load" ? READ : WRITE;
  switch (inst.operation) {
    case "load":
      return goesOn ? LOOK : OTHER_ATOMIC_READ;
    case "store":
    case "exchange":
      return SET;
    default:
      return CHANGE;
  }
}
