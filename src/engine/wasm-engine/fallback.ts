/** Which dispatches the wasm engine leaves to the interpreter. */
import type { AtomicInst, IrModule } from "../../ir/ir.ts";
import { eachInstruction } from "../../ir/walk.ts";
import { onceFor } from "../../text/once.ts";
import { product } from "../builtin-values.ts";
import type { DispatchNote, DispatchRequest } from "../dispatch.ts";
import { pollsWorkgroup } from "../waits.ts";
import type { Kernel } from "./kernels.ts";

/** Workgroups are counted in 32 bits. */
const MOST_WORKGROUPS = 2 ** 32 - 1;
/** Of atomics; WebGPU asks for more. */
const ALIGNMENT = 4;

/** Why this dispatch is not the wasm engine's; null: it is, unless the compiler refuses the module. */
export function interpreterReason(request: DispatchRequest): DispatchNote | null {
  const { observer = null, schedule, record = false, weakFail = 0, maxInstructions, outOfBounds = "zero" } = request;
  if (observer !== null) return "observed";
  // In order too: here invocations come together at the end of a round that holds a barrier, there each goes on.
  if (record || maxInstructions !== undefined || schedule !== undefined) return "scheduled";
  if (weakFail > 0 && exchangesWeakly(request.module)) return "spurious-failures";
  if (outOfBounds !== "zero") return "out-of-bounds";
  if (waitsForNeighbours(request.module)) return "polls-workgroup";
  if (product(request.workgroups) > MOST_WORKGROUPS) return "grid-too-large";
  if ([...request.bindings.values()].some(({ offset }) => offset % ALIGNMENT !== 0)) return "misaligned-binding";
  return null;
}

/** Invocations of a workgroup run one after another here. */
const waitsForNeighbours = onceFor(pollsWorkgroup);

function exchangesWeakly(module: IrModule): boolean {
  return someAtomic(module, ({ operation }) => operation === "compare-exchange-weak");
}

/** What workers that run side by side have to wait for each other at. */
export function hasStorageAtomics({ module, perWorker }: DispatchRequest): boolean {
  return someAtomic(
    module,
    ({ space, root }) => space === "storage" && (root === null || perWorker?.has(root) !== true),
  );
}

function someAtomic({ functions }: IrModule, holds: (inst: AtomicInst) => boolean): boolean {
  let found = false;
  for (const { body } of functions) {
    eachInstruction(body, (inst) => {
      found ||= inst.kind === "atomic" && holds(inst);
    });
  }
  return found;
}

/** Whether a memory has two names and is written under one of them, so that a value read twice may differ. */
export function hasAliases({ roots }: IrModule, bindings: DispatchRequest["bindings"]): boolean {
  return roots.some(({ id, access }) => {
    const memory = bindings.get(id)?.memory;
    if (memory === undefined || access === "read") return false;
    return roots.some((other) => other.id !== id && bindings.get(other.id)?.memory === memory);
  });
}

/** Kernels take it that what has a fixed place is there. */
export function isTooSmall({ bindings }: DispatchRequest, { compiled }: Kernel): boolean {
  return [...compiled.leastBytes].some(([root, least]) => (bindings.get(root)?.size ?? least) < least);
}
