/** Which barriers stand in a program, or in a loop of it. */
import { hasBarrier, passesBarrier } from "../ir/barriers.ts";
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

/**
 * Whether all invocations of a workgroup come to the end of each function that holds a barrier together, and of each block
 * in it that does. They may leave a function or a `switch` one by one where no barrier follows in it; a loop that holds one
 * is left together. spec: #uniformity
 */
export function endTogether(module: IrModule): boolean {
  const ways = { return: true, break: false };
  return module.functions.every(({ body }) => !hasBarrier(module, body) || endsTogether(module, body, ways));
}

/** Ways out of a block that some invocations may take and others not. */
interface WaysOut {
  readonly return: boolean;
  readonly break: boolean;
}

function endsTogether(module: IrModule, { instructions }: Block, ways: WaysOut): boolean {
  const last = instructions.findLastIndex((inst) => passesBarrier(module, inst));
  if (instructions.slice(last + 1).some((inst) => isLeft(inst, ways))) return false;
  if (last < 0) return true;
  const inst = instructions[last];
  const inside =
    inst.kind === "loop" ? { return: false, break: false } : inst.kind === "switch" ? { ...ways, break: true } : ways;
  return blocksOf(inst).every((block) => endsTogether(module, block, inside));
}

/** Whether control may leave a block from inside an instruction of it. */
function isLeft(inst: Instruction, ways: WaysOut): boolean {
  const inside = inst.kind === "if" ? ways : { ...ways, break: false };
  return blocksOf(inst).some((block) =>
    block.instructions.some(
      (each) =>
        (each.kind === "return" && inside.return) || (each.kind === "break" && inside.break) || isLeft(each, inside),
    ),
  );
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
