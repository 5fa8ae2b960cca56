/** Which barriers stand in a program, or in a loop of it. */
import type { Instruction, IrModule } from "../ir/ir.ts";
import { eachInstruction } from "../ir/walk.ts";

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

export function hasBarrier(module: IrModule, loop: Extract<Instruction, { kind: "loop" }>): boolean {
  let found = false;
  for (const block of [loop.body, loop.continuing]) {
    eachInstruction(block, (inst) => {
      found ||= inst.kind === "barrier" || inst.kind === "uniform-load";
      if (inst.kind === "call")
        found ||= barrierKinds({ ...module, functions: [module.functions[inst.function]] }).size > 0;
    });
  }
  return found;
}
