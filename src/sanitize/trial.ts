/** Running the workgroup of a pair once more, to know from trying what would help. */
import type { DispatchRequest } from "../engine/dispatch.ts";
import type { AccessSite } from "../engine/flat.ts";
import { createInterpreter } from "../engine/interpreter.ts";
import type { Pair } from "./race-log.ts";

/** Instructions of one trial; where it takes more, nothing is said. */
const MOST_INSTRUCTIONS = 2 ** 20;
const INTERPRETER = createInterpreter();

/**
 * Runs one workgroup alone: others have nothing to do with it, and there may be many. False: it did not come to its end.
 * @param restart brings back the memory that the dispatch began with
 */
export async function tryWorkgroup(
  workgroup: number,
  request: DispatchRequest,
  how: Required<Pick<DispatchRequest, "schedule" | "observer">>,
  restart: () => void,
): Promise<boolean> {
  restart();
  const range = [workgroup, workgroup + 1] as const;
  const trial = { ...request, ...how, range, maxInstructions: MOST_INSTRUCTIONS };
  return (await INTERPRETER.dispatch(trial)).status === "ok";
}

/** Also of a module in which other instructions stand beside it. */
export function isSamePlace(one: AccessSite, other: AccessSite): boolean {
  return one.function === other.function && one.instruction === other.instruction;
}

export function isOfPair({ first, second }: Pair, site: AccessSite): boolean {
  return isSamePlace(site, first.site) || isSamePlace(site, second.site);
}
