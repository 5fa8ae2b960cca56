/**
 * Two places in a loop of which not every round passes a barrier meet within a round, or from one round to the next, or
 * both: a barrier between them, one behind them, or both are needed. Which is known from trying: the workgroup runs again with barriers put in.
 */
import type { DispatchRequest } from "../engine/dispatch.ts";
import type { Observer } from "../engine/observer.ts";
import type { BarrierInst, Instruction, IrFunction, IrModule } from "../ir/ir.ts";
import { mapBlock } from "../ir/walk.ts";
import { VOID } from "../types/type.ts";
import { atomicUses } from "./atomic-uses.ts";
import { MemoryMap } from "./memory-map.ts";
import { type RoundPlaces, roundPlaces } from "./places.ts";
import { writes } from "./race.ts";
import { memoryOf, type Pair, RaceLog } from "./race-log.ts";
import { isOfPair, isSamePlace, tryWorkgroup } from "./trial.ts";

/** Where barriers are needed. */
export type RoundBarriers = "between" | "end" | "both";

export interface Rounds extends RoundPlaces {
  readonly needed: RoundBarriers;
}

/**
 * The barriers that order a pair in each round; null where it is not in such a loop, or where trying does not tell. A write and the read
 * behind it are parted in the round first, a read and the write behind it between rounds, as they are there for.
 * @param restart brings back the memory that the dispatch began with
 */
export async function roundsOf(pair: Pair, request: DispatchRequest, restart: () => void): Promise<Rounds | null> {
  const { first } = pair;
  const places = placesOf(request.module, pair);
  if (places === null) return null;
  const barrier = memoryOf(first);
  const tries: readonly RoundBarriers[] = writes(first.kind) ? ["between", "end", "both"] : ["end", "between", "both"];
  for (const needed of tries) {
    const module = withBarriers(request.module, first.site.function, places, barrier, needed);
    const isOrdered = await orders(pair, { ...request, module }, restart);
    if (isOrdered === null) return null;
    if (isOrdered) return { ...places, needed };
  }
  return null;
}

/** Whether there is something to try. */
export function isInBareLoop(module: IrModule, pair: Pair): boolean {
  return placesOf(module, pair) !== null;
}

function placesOf(module: IrModule, pair: Pair): RoundPlaces | null {
  const { first, second, kind } = pair;
  return kind === "race" || kind === "timing" ? roundPlaces(module, first.site, second.site, memoryOf(first)) : null;
}

/** Whether the pair is unordered no more in its workgroup; null: the workgroup did not come to its end. */
async function orders(pair: Pair, request: DispatchRequest, restart: () => void): Promise<boolean | null> {
  const { first, second } = pair;
  const map = new MemoryMap(request);
  const area = map.region(first.site.root)?.area;
  const suspects = map.areas.map((_, i) => (i === area ? EVERY : NONE));
  const log = new RaceLog(map, suspects, atomicUses(request.module), new Map());
  const observer: Observer = {
    workgroupStarted: (workgroup) => log.workgroupStarted(workgroup),
    workgroupEnded: (workgroup) => log.workgroupEnded(workgroup),
    barrier: (event) => log.barrier(event),
    access: (event) => {
      if (isOfPair(pair, event.site)) log.access(event);
    },
  };
  const how = { schedule: { kind: "in-order" }, observer } as const;
  if (!(await tryWorkgroup(first.workgroup, request, how, restart))) return null;
  const isPair = (found: Pair): boolean =>
    isSamePlace(found.first.site, first.site) && isSamePlace(found.second.site, second.site);
  return ![...log.finish().values()].some(isPair);
}

const EVERY = { size: Number.POSITIVE_INFINITY, has: () => true };
const NONE = { size: 0, has: () => false };

function withBarriers(
  module: IrModule,
  fn: number,
  places: RoundPlaces,
  barrier: BarrierInst["barrier"],
  needed: RoundBarriers,
): IrModule {
  const functions = module.functions.map((each) => (each.id === fn ? changed(each, places, barrier, needed) : each));
  return { ...module, functions };
}

function changed(
  fn: IrFunction,
  { loop, after }: RoundPlaces,
  barrier: BarrierInst["barrier"],
  needed: RoundBarriers,
): IrFunction {
  let next = fn.instructionCount;
  const made = (): Instruction => ({ kind: "barrier", barrier, id: next++, type: VOID, span: fn.span });
  const body = mapBlock(fn.body, (inst) => {
    if (inst.id === after && needed !== "end") return [inst, made()];
    if (inst.kind !== "loop" || inst.id !== loop || needed === "between") return [inst];
    return [{ ...inst, continuing: { instructions: [made(), ...inst.continuing.instructions] } }];
  });
  return { ...fn, body, instructionCount: next };
}
