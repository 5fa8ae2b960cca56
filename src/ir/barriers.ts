/** Where the invocations of a workgroup meet. */
import type { Block, Instruction, IrModule } from "./ir.ts";
import { blocksOf } from "./walk.ts";

const known = new WeakMap<IrModule, WeakMap<Block, boolean>>();

/** Whether a barrier stands in the block, or in what it calls: then all invocations of a workgroup come through it together. */
export function hasBarrier(module: IrModule, block: Block): boolean {
  const found = known.get(module) ?? new WeakMap<Block, boolean>();
  known.set(module, found);
  let holds = found.get(block);
  if (holds === undefined) {
    holds = block.instructions.some((inst) => passesBarrier(module, inst));
    found.set(block, holds);
  }
  return holds;
}

/** Likewise of an instruction, with the blocks inside it. */
export function passesBarrier(module: IrModule, inst: Instruction): boolean {
  if (inst.kind === "barrier" || inst.kind === "uniform-load") return true;
  if (inst.kind === "call") return hasBarrier(module, module.functions[inst.function].body);
  return blocksOf(inst).some((block) => hasBarrier(module, block));
}
