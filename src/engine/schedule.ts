/**
 * Who goes next. A schedule decides at every shared access (a load, store or atomic on storage or workgroup memory): what
 * an invocation does between two of them nobody else can see. Every schedule is deterministic.
 */
import type { Execution } from "./execution.ts";
import { Random } from "./random.ts";
import type { Stop } from "./run-invocation.ts";
import { waitsTogether } from "./waits.ts";
import { READY, type Workgroup } from "./workgroup.ts";

/** One invocation makes that many shared accesses. Invocations are numbered `workgroup_index` × workgroup size + local index. */
export interface Turn {
  readonly invocation: number;
  readonly accesses: number;
}

export type Schedule =
  /**
   * Workgroups one after another, in each the invocations one after another from barrier to barrier. Who makes thousands
   * of accesses without getting there may be waiting for others: they get their turns, later workgroups too. So do these
   * where all of a workgroup may wait in a loop together, from barrier to barrier.
   */
  | { readonly kind: "in-order" }
  /** Every invocation makes one shared access in turn. */
  | { readonly kind: "interleave" }
  /**
   * At each shared access any of the ready invocations, each as likely as the others. Every fourth seed instead gives each
   * invocation a rank and lets who has the highest go on as far as it comes: orders that differ from workgroup to
   * workgroup are hardly ever thrown. Of these every second one goes from the last invocation to the first.
   */
  | { readonly kind: "random"; readonly seed: number }
  /** These turns (those of invocations that cannot go on are left out), then in order. */
  | { readonly kind: "given"; readonly turns: readonly Turn[] };

/** Those that a name, and a seed, say all of. */
export const NAMED_SCHEDULES = ["in-order", "interleave", "random"] as const;
export type NamedSchedule = (typeof NAMED_SCHEDULES)[number];

export interface Choice {
  workgroup: Workgroup;
  local: number;
  accesses: number;
}

export interface Scheduler {
  /** A ready invocation, in an object that is used again; null when the execution has finished. */
  next(execution: Execution): Choice | null;
  /** How the turn ended that was chosen last. */
  after(execution: Execution, stop: Stop): void;
}

/** `residency`: how many workgroups are under way at most; fewer where that would take much memory. */
export function createScheduler(schedule: Schedule, residency = 64): Scheduler {
  switch (schedule.kind) {
    case "in-order":
      return new InOrder(residency);
    case "interleave":
      return new Interleave(residency);
    case "random":
      return schedule.seed % 4 === 0 ? new Ranked(residency, schedule.seed) : new RandomOrder(residency, schedule.seed);
    case "given":
      return new Given(schedule.turns, new InOrder(residency));
    default:
      return schedule satisfies never;
  }
}

function fill(execution: Execution, residency: number): void {
  const most = execution.affordable(residency);
  while (execution.resident.length < most && execution.startWorkgroup() !== null);
}

/** Accesses after which an invocation may be waiting for others; and then, until someone gets on. */
const PATIENCE = 4096;
const IMPATIENCE = 64;

class InOrder implements Scheduler {
  readonly #residency: number;
  #choice: Choice | null = null;
  #patience = PATIENCE;
  /** Someone in this sweep over the workgroup used up its turn. */
  #waited = false;
  /** Sweeps over the workgroup until all of it may be waiting. */
  #sweeps = PATIENCE;

  constructor(residency: number) {
    this.#residency = residency;
  }

  next(execution: Execution): Choice | null {
    for (;;) {
      const choice = this.#current(execution);
      if (choice === null) return null;
      const { status, size } = choice.workgroup;
      while (choice.local < size && status[choice.local] !== READY) choice.local++;
      if (choice.local < size) {
        choice.accesses = this.#patience;
        return choice;
      }
      choice.local = 0;
      if (--this.#sweeps === 0) {
        this.#sweeps = IMPATIENCE;
        this.#waited ||= waitsTogether(execution.program.module);
      }
      if (this.#waited) this.#goOn(execution, choice);
    }
  }

  #current(execution: Execution): Choice | null {
    if (this.#choice !== null && execution.resident.includes(this.#choice.workgroup)) return this.#choice;
    const workgroup = execution.resident[0] ?? execution.startWorkgroup();
    this.#waited = false;
    this.#sweeps = PATIENCE;
    this.#choice = workgroup === null ? null : { workgroup, local: 0, accesses: 0 };
    return this.#choice;
  }

  /** To the next workgroup: what this one waits for may be done by another one. */
  #goOn(execution: Execution, choice: Choice): void {
    this.#waited = false;
    const { resident } = execution;
    if (resident.length < execution.affordable(this.#residency)) execution.startWorkgroup();
    choice.workgroup = resident[(resident.indexOf(choice.workgroup) + 1) % resident.length];
  }

  after(_execution: Execution, stop: Stop): void {
    if (stop === "fuel") return;
    this.#choice!.local++;
    if (stop === "turn") {
      this.#waited = true;
      this.#patience = IMPATIENCE;
    } else this.#patience = PATIENCE;
  }
}

class Interleave implements Scheduler {
  readonly #residency: number;
  /** Place in `resident`. */
  #place = 0;
  #choice: Choice | null = null;

  constructor(residency: number) {
    this.#residency = residency;
  }

  next(execution: Execution): Choice | null {
    fill(execution, this.#residency);
    const { resident } = execution;
    if (resident.length === 0) return null;
    let local = this.#choice?.local ?? 0;
    for (;;) {
      if (this.#place >= resident.length) this.#place = 0;
      const workgroup = resident[this.#place];
      while (local < workgroup.size && workgroup.status[local] !== READY) local++;
      if (local < workgroup.size) {
        this.#choice ??= { workgroup, local, accesses: 1 };
        this.#choice.workgroup = workgroup;
        this.#choice.local = local;
        return this.#choice;
      }
      this.#place++;
      local = 0;
    }
  }

  after(execution: Execution): void {
    const choice = this.#choice!;
    // A workgroup that ended has left its place to the next one.
    choice.local = execution.resident[this.#place] === choice.workgroup ? choice.local + 1 : 0;
  }
}

class RandomOrder implements Scheduler {
  readonly #residency: number;
  readonly #random: Random;
  #choice: Choice | null = null;

  constructor(residency: number, seed: number) {
    this.#residency = residency;
    this.#random = new Random(seed);
  }

  next(execution: Execution): Choice | null {
    fill(execution, this.#residency);
    const { resident } = execution;
    let ready = 0;
    for (const workgroup of resident) ready += workgroup.readyCount;
    if (ready === 0) return null;
    let place = this.#random.below(ready);
    for (const workgroup of resident) {
      if (place >= workgroup.readyCount) {
        place -= workgroup.readyCount;
        continue;
      }
      this.#choice ??= { workgroup, local: 0, accesses: 1 };
      this.#choice.workgroup = workgroup;
      this.#choice.local = workgroup.ready[place];
      return this.#choice;
    }
    return null;
  }

  after(): void {}
}

/** Who waits too long comes behind all others. */
class Ranked implements Scheduler {
  readonly #residency: number;
  readonly #seed: number;
  readonly #isBackward: boolean;
  /** By invocation: how often it used up its patience. */
  readonly #demoted = new Map<number, number>();
  /** Of the workgroup chosen last: its invocations by rank, and the place in them before which none was ready. */
  #inRank: { workgroup: number; order: readonly number[]; place: number; readyCount: number } | null = null;
  #patience = PATIENCE;
  #choice: Choice | null = null;

  constructor(residency: number, seed: number) {
    this.#residency = residency;
    this.#seed = seed;
    this.#isBackward = seed % 8 === 4;
  }

  next(execution: Execution): Choice | null {
    fill(execution, this.#residency);
    let best: Choice | null = this.#choice;
    if (best === null || best.workgroup.status[best.local] !== READY) best = this.#highest(execution);
    if (best !== null) best.accesses = this.#patience;
    this.#choice = best;
    return best;
  }

  #highest({ resident }: Execution): Choice | null {
    // While nobody has been demoted, all of the first workgroup come before all others.
    if (this.#demoted.size === 0) return this.#firstOf(resident);
    let best: Choice | null = null;
    let highest = Number.NEGATIVE_INFINITY;
    for (const workgroup of resident) {
      for (let i = 0; i < workgroup.readyCount; i++) {
        const local = workgroup.ready[i];
        const rank = this.#rank(workgroup, local);
        if (rank <= highest) continue;
        highest = rank;
        best = { workgroup, local, accesses: 0 };
      }
    }
    return best;
  }

  #firstOf(resident: readonly Workgroup[]): Choice | null {
    const ready = resident.filter(({ readyCount }) => readyCount > 0);
    const [first, ...others] = ready;
    if (first === undefined) return null;
    const workgroup = others.reduce((a, b) => (this.#groupRank(b) > this.#groupRank(a) ? b : a), first);
    return { workgroup, local: this.#firstIn(workgroup), accesses: 0 };
  }

  #firstIn(workgroup: Workgroup): number {
    const { index, size, readyCount, status } = workgroup;
    if (this.#inRank?.workgroup !== index) {
      const rank = (local: number) => this.#rank(workgroup, local);
      const order = Array.from({ length: size }, (_, local) => local).sort((a, b) => rank(b) - rank(a));
      this.#inRank = { workgroup: index, order, place: 0, readyCount };
    }
    const inRank = this.#inRank;
    // One after another stops; as many as before or more are ready where others may go on.
    if (readyCount >= inRank.readyCount) inRank.place = 0;
    inRank.readyCount = readyCount;
    while (status[inRank.order[inRank.place]] !== READY) inRank.place++;
    return inRank.order[inRank.place];
  }

  #groupRank({ index }: Workgroup): number {
    return this.#isBackward ? index : scatter(this.#seed, index);
  }

  #rank(workgroup: Workgroup, local: number): number {
    const invocation = workgroup.index * workgroup.size + local;
    const own = this.#isBackward ? local / 2 ** 12 : scatter(this.#seed + 1, invocation) / 2 ** 33;
    return this.#groupRank(workgroup) + own - (this.#demoted.get(invocation) ?? 0) * 2 ** 33;
  }

  after(_execution: Execution, stop: Stop): void {
    if (stop === "fuel") return;
    const { workgroup, local } = this.#choice!;
    this.#choice = null;
    if (stop !== "turn") {
      this.#patience = PATIENCE;
      return;
    }
    const invocation = workgroup.index * workgroup.size + local;
    this.#demoted.set(invocation, (this.#demoted.get(invocation) ?? 0) + 1);
    this.#patience = IMPATIENCE;
  }
}

/** A number below 2^32 for each pair of numbers, alike for none that are near each other. */
function scatter(seed: number, value: number): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(value + 1, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
}

class Given implements Scheduler {
  readonly #turns: readonly Turn[];
  readonly #rest: Scheduler;
  #next = 0;
  /** What is left of the turn before `#next`: it was longer than an invocation may run at a stretch. */
  #unfinished: Turn | null = null;
  #isRest = false;

  constructor(turns: readonly Turn[], rest: Scheduler) {
    this.#turns = turns;
    this.#rest = rest;
  }

  next(execution: Execution): Choice | null {
    while (this.#next < this.#turns.length) {
      const { invocation, accesses } = this.#unfinished ?? this.#turns[this.#next];
      this.#unfinished = null;
      this.#next++;
      const index = Math.floor(invocation / execution.workgroupSize);
      while (execution.nextWorkgroup <= index && execution.startWorkgroup() !== null);
      const found = execution.find(invocation);
      if (found !== null && found.workgroup.status[found.local] === READY) return { ...found, accesses };
    }
    this.#isRest = true;
    return this.#rest.next(execution);
  }

  after(execution: Execution, stop: Stop): void {
    if (this.#isRest) this.#rest.after(execution, stop);
    else if (stop === "fuel" && execution.accesses > 0) {
      this.#next--;
      this.#unfinished = { ...this.#turns[this.#next], accesses: execution.accesses };
    }
  }
}
