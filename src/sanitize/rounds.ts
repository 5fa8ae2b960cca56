/**
 * Two places that are come to more than once, in a loop or in functions that are called, meet within a round, or from one round to the
 * next, or both: a barrier between them, one behind them, or both are needed. Which is known from trying: the workgroup runs again with barriers put in.
 */
import { isDivergentAt } from "../analysis/uniformity/flow.ts";
import type { DispatchRequest } from "../engine/dispatch.ts";
import type { Observer } from "../engine/observer.ts";
import type { BarrierInst, Instruction, IrFunction, IrModule } from "../ir/ir.ts";
import { mapBlock } from "../ir/walk.ts";
import { isSameSpan } from "../text/source.ts";
import { VOID } from "../types/type.ts";
import { atomicUses } from "./atomic-uses.ts";
import { type DispatchScope, lineOf, sourceOf } from "./draft.ts";
import { MemoryMap } from "./memory-map.ts";
import type { BarrierPlace } from "./places.ts";
import { writes } from "./race.ts";
import { memoryOf, type Pair, RaceLog } from "./race-log.ts";
import { type RoundPlaces, roundPlaces } from "./round-places.ts";
import { isOfPair, isSamePlace, tryWorkgroup } from "./trial.ts";

/** Runs for one pair: each takes its time, and what is not told by then is told without a line. */
const MOST_TRIES = 12;

/** The places where barriers order a pair: one, or one between the two and one for the next round; none: there are no such. */
export type Rounds = readonly BarrierPlace[];

/**
 * null: the pair is come to once, or trying does not tell. A write and the read behind it are parted in the round first, a read and the
 * write behind it between rounds, as they are there for.
 * @param restart brings back the memory that the dispatch began with
 */
export async function roundsOf(
  scope: DispatchScope,
  pair: Pair,
  request: DispatchRequest,
  restart: () => void,
): Promise<Rounds | null> {
  const places = placesOf(scope, pair);
  if (places === null) return null;
  for (const tried of triesOf(scope, pair, places)) {
    const module = withBarriers(request.module, tried, memoryOf(pair.first));
    const isOrdered = await orders(pair, { ...request, module }, restart);
    if (isOrdered === null) return null;
    if (isOrdered) return tried;
  }
  return [];
}

/** Whether there is something to try. */
export function isComeToAgain(scope: DispatchScope, pair: Pair): boolean {
  return placesOf(scope, pair) !== null;
}

function placesOf(scope: DispatchScope, { first, second, kind }: Pair): RoundPlaces | null {
  return kind === "race" || kind === "timing" ? roundPlaces(scope, first.site, second.site) : null;
}

/** One barrier, and then two: where all invocations come together, and where a line can be put in. */
function triesOf(scope: DispatchScope, { first }: Pair, places: RoundPlaces): readonly Rounds[] {
  const isFit = ({ behind, flowOf, isWithin }: BarrierPlace): boolean =>
    (isWithin || isLineEnd(scope, behind)) && !isDivergentAt(scope.step.program, flowOf);
  const [between, ends] = [places.between, places.ends].map((each) => each.filter(isFit));
  const one = writes(first.kind) ? [...between, ...ends] : [...ends, ...between];
  const tries: Rounds[] = [
    ...one.map((place) => [place]),
    ...between.flatMap((place) => ends.filter((end) => !isSameLine(scope, place, end)).map((end) => [place, end])),
  ];
  return tries.slice(0, MOST_TRIES);
}

/** Nothing stands behind an offset on its line but what closes a statement. */
export function isLineEnd(scope: DispatchScope, offset: number): boolean {
  const { line, column } = sourceOf(scope).position(offset);
  return /^[\s;)]*(\/[/*].*)?$/.test(
    sourceOf(scope)
      .line(line)
      .slice(column - 1),
  );
}

function isSameLine(scope: DispatchScope, one: BarrierPlace, other: BarrierPlace): boolean {
  return !one.isWithin && lineOf(scope, one.behind - 1) === lineOf(scope, other.behind - 1);
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

function withBarriers(module: IrModule, places: Rounds, barrier: BarrierInst["barrier"]): IrModule {
  // What stands in the text of a function stands in each that it became for its pointers.
  const isIn = ({ span }: IrFunction, place: BarrierPlace) => isSameSpan(span, module.functions[place.function].span);
  const functions = module.functions.map((fn) =>
    places.reduce((made, place) => (isIn(fn, place) ? changed(made, place, barrier) : made), fn),
  );
  return { ...module, functions };
}

function changed(fn: IrFunction, { inst: id, side }: BarrierPlace, barrier: BarrierInst["barrier"]): IrFunction {
  let next = fn.instructionCount;
  const made = (): Instruction => ({ kind: "barrier", barrier, id: next++, type: VOID, span: fn.span });
  const body = mapBlock(fn.body, (inst) => {
    if (inst.id !== id) return [inst];
    return side === "before" ? [made(), inst] : [inst, made()];
  });
  return { ...fn, body, instructionCount: next };
}
