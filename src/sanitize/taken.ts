/**
 * Whether a barrier between a load and the store that hangs on it would help: not where several invocations come to the
 * store, as all of them have looked by then. Which is known from trying: the workgroup runs again with all in turn.
 */
import type { DispatchRequest } from "../engine/dispatch.ts";
import { createInterpreter } from "../engine/interpreter.ts";
import type { Pair } from "./race-log.ts";

/** Instructions of one trial; where it takes more, nothing is said. */
const MOST_INSTRUCTIONS = 2 ** 20;
const INTERPRETER = createInterpreter();

/**
 * Whether several invocations store at one address where they look before anyone stores.
 * @param restart brings back the memory that the dispatch began with
 */
export async function isTakenInTurn(
  { first, second }: Pair,
  request: DispatchRequest,
  restart: () => void,
): Promise<boolean> {
  const { observer: _, ...others } = request;
  const stores = [first, second].filter(({ kind }) => kind === "atomic-write").map(({ site }) => site);
  /** By address: who was there first. */
  const stored = new Map<number, number>();
  let isTaken = false;
  restart();
  const trial: DispatchRequest = {
    ...others,
    range: [first.workgroup, first.workgroup + 1],
    schedule: { kind: "interleave" },
    maxInstructions: MOST_INSTRUCTIONS,
    observer: {
      access: ({ site, offset, localIndex }) => {
        if (!stores.some((each) => each.function === site.function && each.instruction === site.instruction)) return;
        if (stored.has(offset) && stored.get(offset) !== localIndex) isTaken = true;
        else stored.set(offset, localIndex);
      },
    },
  };
  const { status } = await INTERPRETER.dispatch(trial);
  return isTaken && status === "ok";
}
