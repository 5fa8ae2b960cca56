/** What a dispatch was doing when its budget had run out. */
import type { IrModule } from "../../ir/ir.ts";
import { eachInstruction } from "../../ir/walk.ts";
import { positionAt, type Triple } from "../builtin-values.ts";
import type { Timeout } from "../dispatch.ts";
import type { Place } from "../execution.ts";
import type { Origin } from "../flat.ts";
import { waitAt } from "../waits.ts";
import type { LoopPlace } from "../wasm/environment.ts";
import { NO_INVOCATION } from "../wasm/parameter-block.ts";
import type { Stopped } from "./messages.ts";

/** `loops`: of the kernel; `count`: invocations of the workgroups that had begun and not ended. */
export function timeoutOf(
  module: IrModule,
  loops: readonly LoopPlace[],
  workgroups: Triple,
  budget: number,
  stops: readonly Stopped[],
  count: number,
): Timeout {
  const places = stops.map((stop) => placeOf(module, loops[stop.loop], workgroups, stop));
  const waits = places.flatMap(({ calls }) => (calls.length === 0 ? [] : (waitAt(module, calls[0]) ?? [])));
  return { reason: "milliseconds", budget, places, count, waits };
}

/** A loop that the whole workgroup goes through together is told of its first invocation. */
function placeOf(module: IrModule, loop: LoopPlace, workgroups: Triple, { workgroup, invocation }: Stopped): Place {
  const localIndex = invocation === NO_INVOCATION ? 0 : invocation;
  const id = positionAt(workgroup, workgroups);
  const local = positionAt(localIndex, module.workgroupSize);
  const globalId = id.map((at, axis) => at * module.workgroupSize[axis] + local[axis]) as unknown as Triple;
  const origin = originOf(module, loop);
  return { workgroup: id, localIndex, globalId, status: "ready", calls: origin === null ? [] : [origin] };
}

/** The loop of the module that stands there in the source. */
function originOf({ functions }: IrModule, { span }: LoopPlace): Origin | null {
  for (const fn of functions) {
    let found: Origin | null = null;
    eachInstruction(fn.body, (inst) => {
      if (inst.kind !== "loop" || inst.span.start !== span.start || inst.span.end !== span.end) return;
      found = { function: fn.id, instruction: inst.id, span };
    });
    if (found !== null) return found;
  }
  return null;
}
