/**
 * Marks that nothing in a launch makes: a shader exchanges where it finds 0xffffffff, and the buffer holds zeros, because
 * nobody said what it holds. Then no exchange can succeed, whatever the order.
 */
import type { AtomicInst, Instruction, IrFunction, LoopInst, RootId } from "../ir/ir.ts";
import { blocksOf, eachInstruction } from "../ir/walk.ts";
import type { Plan, PlannedStep } from "./plan.ts";

export interface MissingMark {
  readonly step: PlannedStep;
  readonly exchange: AtomicInst;
  readonly name: string;
  readonly mark: number;
  /** What would put it there, as a command line and a launch have it. */
  readonly example: string;
}

/** The first exchange with each buffer that was left at zeros, if all that changes it are exchanges from one other number. */
export function missingMarks(plan: Changeable): readonly MissingMark[] {
  return plan.buffers.flatMap(({ name, chosen }, index): MissingMark[] => {
    const changes = isLeftAtZeros(plan, index) ? changesIn(plan, index) : [];
    const [first] = changes;
    const mark = first?.mark ?? 0;
    if (mark === 0 || first.inst.kind !== "atomic" || changes.some((each) => each.mark !== mark)) return [];
    const example = chosen!.replace("zeros", `fill:${mark}`);
    return [{ step: first.step, exchange: first.inst, name, mark, example }];
  });
}

/** Whether a buffer holds zeros from beginning to end, as nobody said what it holds and nothing changes it. */
export function staysZero(plan: Changeable, index: number): boolean {
  return isLeftAtZeros(plan, index) && changesIn(plan, index).length === 0;
}

/** Whether a loop itself loads from a variable. */
export function looksAt(loop: LoopInst, root: RootId): boolean {
  let found = false;
  for (const block of blocksOf(loop)) {
    eachInstruction(block, (inst) => {
      found ||= (inst.kind === "load" || inst.kind === "atomic") && inst.root === root;
    });
  }
  return found;
}

type Changeable = Pick<Plan, "buffers" | "steps">;

function isLeftAtZeros({ buffers, steps }: Changeable, index: number): boolean {
  const { memory, chosen } = buffers[index];
  const isSwapped = steps.some(({ swap }) => swap?.some((each) => buffers[each].memory === memory) === true);
  return chosen?.startsWith("zeros") === true && !isSwapped;
}

interface Change {
  readonly inst: Instruction;
  /** From which number; null: from any, or from one that is not known. */
  readonly mark: number | null;
}

function changesIn(
  { buffers, steps }: Changeable,
  index: number,
): readonly (Change & { readonly step: PlannedStep })[] {
  const { memory } = buffers[index];
  return steps.flatMap((step) =>
    [...step.bindings].flatMap(([root, bound]) =>
      buffers[bound].memory === memory ? changesOf(step, root).map((change) => ({ ...change, step })) : [],
    ),
  );
}

function changesOf({ module }: PlannedStep, root: RootId): readonly Change[] {
  const found: Change[] = [];
  for (const fn of module.functions) {
    const constants = constantsOf(fn);
    eachInstruction(fn.body, (inst) => {
      const isAtomic = inst.kind === "atomic" && inst.operation !== "load";
      if ((inst.kind !== "store" && !isAtomic) || inst.root !== root) return;
      const isExchange = inst.kind === "atomic" && inst.operation === "compare-exchange-weak";
      found.push({ inst, mark: isExchange ? (constants.get(inst.args[0]) ?? null) : null });
    });
  }
  return found;
}

function constantsOf({ body }: IrFunction): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  eachInstruction(body, (inst) => {
    if (inst.kind === "const" && typeof inst.value.value !== "object") found.set(inst.id, Number(inst.value.value));
  });
  return found;
}
