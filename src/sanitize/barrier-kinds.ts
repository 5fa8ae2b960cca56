/** Which barriers stand in a program, or in a loop of it. */
import type { Block, Instruction, IrModule } from "../ir/ir.ts";
import { blocksOf, eachInstruction } from "../ir/walk.ts";

export function barrierKinds({ functions }: IrModule): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { body } of functions) {
    eachInstruction(body, (inst) => {
      if (inst.kind === "barrier") found.add(inst.barrier);
      if (inst.kind === "uniform-load") found.add("workgroup");
    });
  }
  return found;
}

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

/** Epochs of storage that a workgroup has at most; null: as many as a loop takes. */
export function storageEpochs(module: IrModule): number | null {
  const counts: (number | null)[] = [];
  for (const { body } of module.functions) counts.push(countStorageBarriers(body, counts));
  const count = counts[module.entryPoint];
  return count === null ? null : count + 1;
}

/** `callees`: of the functions before. */
function countStorageBarriers({ instructions }: Block, callees: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const inst of instructions) {
    if (inst.kind === "barrier" && inst.barrier === "storage") sum++;
    const inner =
      inst.kind === "call"
        ? [callees[inst.function]]
        : blocksOf(inst).map((each) => countStorageBarriers(each, callees));
    for (const count of inner) {
      if (count === null || (count > 0 && inst.kind === "loop")) return null;
      sum += count;
    }
  }
  return sum;
}
