/**
 * Whether a barrier between a load and the store that hangs on it would help: not where several invocations come to the
 * store, as all of them have looked by then. Which is known from trying: the workgroup runs again with all in turn.
 */
import type { DispatchRequest } from "../engine/dispatch.ts";
import type { AccessEvent } from "../engine/observer.ts";
import type { Pair } from "./race-log.ts";
import { isOfPair, tryWorkgroup } from "./trial.ts";

/** At one address: when each has looked last, and who has stored last. */
interface Place {
  readonly looked: Map<number, number>;
  stored: { readonly by: number; readonly at: number } | null;
}

/**
 * Whether an invocation stores where another one has done so since it looked.
 * @param restart brings back the memory that the dispatch began with
 */
export async function isTakenInTurn(pair: Pair, request: DispatchRequest, restart: () => void): Promise<boolean> {
  const places = new Map<number, Place>();
  let time = 0;
  let isTaken = false;
  const access = ({ site, offset, localIndex }: AccessEvent): void => {
    if (!isOfPair(pair, site)) return;
    const place = places.get(offset) ?? { looked: new Map(), stored: null };
    places.set(offset, place);
    if (site.kind !== "atomic-write") place.looked.set(localIndex, time++);
    else {
      const { stored, looked } = place;
      const since = looked.get(localIndex);
      isTaken ||= stored !== null && stored.by !== localIndex && since !== undefined && stored.at > since;
      place.stored = { by: localIndex, at: time++ };
    }
  };
  const how = { schedule: { kind: "interleave" }, observer: { access } } as const;
  const isDone = await tryWorkgroup(pair.first.workgroup, request, how, restart);
  return isTaken && isDone;
}
