/** One observer for all that is looked for in a dispatch: each event goes to those who want it. */
import type { AccessEvent, Observer } from "../engine/observer.ts";
import type { Workgroup } from "../engine/workgroup.ts";
import type { BoundsMonitor } from "./bounds.ts";
import type { ContentionMonitor } from "./contention.ts";
import type { CounterMonitor } from "./counters.ts";
import type { LeftCounters } from "./left-counters.ts";
import type { RaceDetector } from "./race-detector.ts";
import type { UnwrittenMonitor } from "./unwritten.ts";

export interface Monitors {
  readonly races: RaceDetector | null;
  readonly bounds: BoundsMonitor | null;
  readonly counters: CounterMonitor | null;
  readonly left: LeftCounters | null;
  readonly contention: ContentionMonitor | null;
  readonly unwritten: UnwrittenMonitor | null;
}

export class Monitor implements Observer {
  readonly #to: Monitors;

  constructor(monitors: Monitors) {
    this.#to = monitors;
  }

  access(event: AccessEvent): void {
    const { races, bounds, left, unwritten } = this.#to;
    if (!event.inBounds) {
      bounds?.access(event);
      left?.outOfBounds(event);
      return;
    }
    const { kind } = event.site;
    if (races !== null) races.access(event);
    if (left !== null) left.access(event);
    if (unwritten !== null) unwritten.access(event);
    if (kind === "atomic-rmw" || kind === "atomic-write") this.#atomic(event);
  }

  #atomic(event: AccessEvent): void {
    const { counters, contention } = this.#to;
    const { atomic, space } = event.site;
    if (atomic === "atomicAdd" || atomic === "atomicSub") counters?.access(event);
    if (space === "storage") contention?.access(event);
  }

  workgroupStarted(workgroup: Workgroup): void {
    this.#to.races?.workgroupStarted(workgroup);
    this.#to.unwritten?.workgroupStarted(workgroup);
  }

  workgroupEnded(workgroup: Workgroup): void {
    this.#to.races?.workgroupEnded(workgroup);
    this.#to.unwritten?.workgroupEnded(workgroup);
    this.#to.counters?.workgroupEnded(workgroup.index * workgroup.size, workgroup.size);
  }
}
