/**
 * Loops that end only if another invocation gets on. Which loops may be such is known from the program (`engine/waits.ts`);
 * that one of them really waits is seen by letting the invocation go on alone: round after round it reads the same and
 * changes nothing, so it would do so forever. WGSL promises no invocation that another one runs meanwhile.
 *
 * The dispatch is run once with every invocation making one access in turn, up to a budget; memory is the caller's to
 * bring back.
 */
import type { DispatchRequest, Timeout, Wait } from "../engine/dispatch.ts";
import { Execution, type Place } from "../engine/execution.ts";
import type { AccessSite } from "../engine/flat.ts";
import type { AccessEvent } from "../engine/observer.ts";
import { type Choice, createScheduler, type Scheduler } from "../engine/schedule.ts";
import { waitIn } from "../engine/waits.ts";
import { AT_BARRIER, ENDED, READY, type Workgroup } from "../engine/workgroup.ts";
import type { FunctionId, InstId, IrModule, RootId } from "../ir/ir.ts";
import { eachInstruction } from "../ir/walk.ts";
import { invocationId } from "../launch/watch.ts";
import { onceFor } from "../text/once.ts";
import { type Witness, witness } from "./witness.ts";

/** Who waits for whom under which promise less than fairness. */
export interface Waiting {
  readonly loop: Wait;
  /** The read that never says what is waited for. */
  readonly waiter: Witness;
  readonly waiterGroup: number;
  /** What ended the wait in this run; null: nothing did. */
  readonly release: Witness | null;
  readonly model: "lockstep" | "one-invocation" | "one-workgroup" | "unfair";
  /** How many invocations were seen to wait here. */
  readonly count: number;
}

export interface ProgressReport {
  readonly waits: readonly Waiting[];
  /** Nobody got on any more: the dispatch does not end. */
  readonly stuck: boolean;
}

/** Accesses of the whole run, and of one that is alone. */
const BUDGET = 2 ** 18;
/** … and where a part has to do; then that many invocations are under way together. */
const PART = { accesses: 2 ** 12, invocations: 2 ** 8 };
const ALONE = 4096;
/** … where each round changes other memory, of which half have to be alike. */
const FAR = 2 ** 15;
/** Rounds that have to be alike. */
const ROUNDS = 3;
const FUEL = 2 ** 16;
/** Invocations that are tried alone for each loop; fewer, where there are many loops and much to be brought back for each. */
const MOST_TRIALS = 48;
const LEAST_TRIALS = 4;
const TRIED_BYTES = 2 ** 31;

/**
 * null: no loop of the module can wait. Who waits shows in one order and not in another, so four are tried: every
 * invocation as far as it comes alone, first to last and last to first; all in turn; and first to last, but who has
 * changed what others may wait for, or any atomic, is held back, as one who has taken a lock for a moment only.
 */
export function findWaits(request: DispatchRequest, restore: () => void, inPart = false): ProgressReport | null {
  const loops = waitLoops(request.module);
  if (loops.length === 0) return null;
  const found = new Map<WaitLoop, Waiting>();
  for (const order of ["forward", "interleave", "backward", "holding"] as const) {
    const left = loops.filter((loop) => {
      const known = found.get(loop);
      if (known?.release == null) return true;
      // Between turns one may hang who does so, too, where each runs on, in another order.
      return order === "backward" && known.model === "unfair" && isInOneWorkgroup(known);
    });
    if (left.length === 0) continue;
    const run = new ProgressRun(request, left, order, inPart);
    const isStuck = run.run();
    const waits = run.waits(isStuck);
    restore();
    // A release says who is waited for: what was found without one is found anew.
    for (const [loop, waiting] of waits) {
      const known = found.get(loop);
      const saysMore = known?.release == null ? waiting.release !== null : waiting.model !== "unfair";
      if (known === undefined || saysMore) found.set(loop, waiting);
    }
    if (isStuck) return { waits: [...found.values()], stuck: true };
  }
  return { waits: [...found.values()], stuck: false };
}

/** Whether who waits is of the workgroup of whoever ends the wait. */
export function isInOneWorkgroup({ waiter, release }: Waiting): boolean {
  return release?.workgroupId.every((at, axis) => at === waiter.workgroupId[axis]) === true;
}

/** Where those are who wait for ever, at their loops. */
export function stuckAt(
  waits: readonly Waiting[],
  { workgroupSize }: IrModule,
): Pick<Timeout, "places" | "count" | "waits"> {
  const places = waits.map(({ loop, waiter: { workgroupId, local } }): Place => {
    const { global } = invocationId(workgroupId, local, workgroupSize);
    const calls = [loop.origin];
    return { workgroup: workgroupId, localIndex: local, globalId: global, status: "ready", calls };
  });
  return { places, count: waits.reduce((sum, { count }) => sum + count, 0), waits: waits.map(({ loop }) => loop) };
}

/** Whether a loop of the module may wait for others. */
export function mayWait(module: IrModule): boolean {
  return waitLoops(module).length > 0;
}

interface WaitLoop {
  readonly wait: Wait;
  readonly function: FunctionId;
  readonly inside: ReadonlySet<InstId>;
}

const waitLoops = onceFor((module: IrModule): readonly WaitLoop[] => {
  const found: WaitLoop[] = [];
  for (const fn of module.functions) {
    eachInstruction(fn.body, (inst) => {
      if (inst.kind !== "loop") return;
      const wait = waitIn(module, fn, inst);
      if (wait === null) return;
      const inside = new Set<InstId>([inst.id]);
      for (const block of [inst.body, inst.continuing]) eachInstruction(block, (each) => inside.add(each.id));
      found.push({ wait, function: fn.id, inside });
    });
  }
  return found;
});

const NOBODY: ReadonlySet<number> = new Set();

type Order = "forward" | "interleave" | "backward" | "holding";

/** An invocation goes on as long as it can, then the next one; those that wait for others come last. */
class OneAfterAnother implements Scheduler {
  readonly #order: Order;
  readonly #waits: Set<number>;
  /** Those that are held back. */
  readonly #held: Set<number>;
  readonly #resident: number;
  #choice: Choice | null = null;
  #current = -1;

  /** `resident`: workgroups that are under way together. */
  constructor(order: Order, waits: Set<number>, held: Set<number>, resident: number) {
    this.#order = order;
    this.#waits = waits;
    this.#held = held;
    this.#resident = resident;
  }

  next(execution: Execution): Choice | null {
    const most = execution.affordable(this.#resident);
    while (execution.resident.length < most && execution.startWorkgroup() !== null);
    if (execution.resident.length === 0) return null;
    if (this.#choice !== null && this.#goesOn(this.#choice)) return this.#choice;
    const fresh = this.#find(execution, this.#waits, this.#held);
    if (fresh !== null) return fresh;
    const held = this.#lastHeld(execution) ?? this.#find(execution, this.#waits, NOBODY);
    if (held !== null) {
      this.#held.delete(this.#current);
      return held;
    }
    // All that are left wait: each gets a round.
    this.#waits.clear();
    return this.#find(execution, NOBODY, NOBODY);
  }

  /** The one that has changed something last: so who has taken a lock goes on after all who try for it. */
  #lastHeld(execution: Execution): Choice | null {
    for (const invocation of [...this.#held].reverse()) {
      const found = this.#waits.has(invocation) ? null : execution.find(invocation);
      if (found?.workgroup.status[found.local] === READY) return this.#choose(found.workgroup, found.local);
    }
    return null;
  }

  /** Workgroups are used again: then the number is another one. */
  #goesOn({ workgroup, local }: Choice): boolean {
    const current = this.#current;
    if (workgroup.index * workgroup.size + local !== current || workgroup.status[local] !== READY) return false;
    return !this.#waits.has(current) && !this.#held.has(current);
  }

  #choose(workgroup: Workgroup, local: number): Choice {
    this.#current = workgroup.index * workgroup.size + local;
    this.#choice = { workgroup, local, accesses: 1 };
    return this.#choice;
  }

  #find(execution: Execution, waits: ReadonlySet<number>, held: ReadonlySet<number>): Choice | null {
    const isBackward = this.#order === "backward";
    const groups = isBackward ? [...execution.resident].reverse() : execution.resident;
    for (const workgroup of groups) {
      const { size, status } = workgroup;
      for (let i = 0; i < size && workgroup.readyCount > 0; i++) {
        const local = isBackward ? size - 1 - i : i;
        if (status[local] !== READY) continue;
        const invocation = workgroup.index * size + local;
        if (waits.has(invocation) || held.has(invocation)) continue;
        return this.#choose(workgroup, local);
      }
    }
    return null;
  }

  after(): void {}
}

/** So many loops are looked at one by one. */
const FEW_LOOPS = 8;

/** Workgroups that are under way together. */
const RESIDENT = 64;

/** What is known of one loop while the dispatch runs. */
interface Tracked {
  readonly loop: WaitLoop;
  /** Among all. */
  readonly index: number;
  trials: number;
  /** How often each invocation has come to the read that it came to first. */
  readonly visits: Map<number, { site: AccessSite; count: number }>;
  /** The first that was seen to wait, and what it reads in each round, as it stands in the source. */
  waiter: { readonly invocation: number; readonly reads: readonly Witness[]; readonly group: number } | null;
  /** How often one comes to its first read until it has come round. */
  period: number;
  /** All that came round. */
  readonly cameAgain: Set<number>;
  /** The last change by others of what is waited for, and who reads that. */
  change: { readonly witness: Witness; readonly group: number; readonly read: Witness } | null;
  /** That change lets it go on, so that those behind it say no more. */
  isFreed: boolean;
  /** Changes after which it was tried whether it goes on. */
  changes: number;
  released: boolean;
}

/** What repeats in a row of texts: one of them, or several, as where a round looks at many places in a loop. */
class Period {
  readonly #texts: string[] = [];
  readonly #last = new Map<string, number>();
  /** How many texts repeat. */
  length = 1;
  /** So many of the last ones are as those that stand `length` before them. */
  #alike = 0;

  add(text: string): void {
    const index = this.#texts.push(text) - 1;
    if (this.#texts[index - this.length] === text) this.#alike++;
    else {
      const before = this.#last.get(text);
      this.length = before === undefined ? 1 : index - before;
      this.#alike = before === undefined ? 0 : 1;
    }
    this.#last.set(text, index);
  }

  /** That are alike: 1, where it repeats nothing. */
  get rounds(): number {
    return 1 + Math.floor(this.#alike / this.length);
  }
}

interface Alone {
  text: string;
  changes: boolean;
  readonly reads: Map<string, Witness>;
  /** What it changed in buffers. */
  readonly written: Overwritten[];
}

/** Scalars of a buffer that were changed, and the bits that they had. */
interface Overwritten {
  readonly view: DataView;
  readonly offset: number;
  readonly shape: AccessSite["shape"];
  readonly bits: Int32Array;
}

function bringBack({ view, offset, shape, bits }: Overwritten): void {
  for (const [i, at] of shape.offsets.entries()) {
    if (shape.halves[i] === 1) view.setUint16(offset + at, bits[i], true);
    else view.setInt32(offset + at, bits[i], true);
  }
}

class ProgressRun {
  readonly #execution: Execution;
  readonly #tracked: readonly Tracked[];
  /** By function: those whose loops an instruction is in. */
  readonly #around = new Map<FunctionId, Map<InstId, Tracked[]>>();
  /** By invocation: those whose loops it was in when it was looked at. */
  readonly #visiting = new Map<number, Set<Tracked>>();
  /** Those in which someone was seen to wait. */
  readonly #waiting: Tracked[] = [];
  /** … for what was just changed. */
  readonly #changed = new Set<Tracked>();
  /** What some loop waits for. */
  readonly #roots: ReadonlySet<RootId>;
  readonly #mostTrials: number;
  readonly #budget: number;
  readonly #subgroupSize: number;
  /** Set while one runs alone: what it does. */
  #alone: Alone | null = null;
  #accesses = 0;
  #lastChange = 0;
  /** Invocations that get on no more without others. */
  readonly #waits = new Set<number>();
  /** Those that have changed what others may wait for. */
  readonly #held = new Set<number>();
  readonly #order: Order;
  readonly #scheduler: Scheduler;

  constructor(request: DispatchRequest, loops: readonly WaitLoop[], order: Order, inPart: boolean) {
    const { observer: _, weakFail: __, ...others } = request;
    this.#execution = new Execution(request.module, {
      ...others,
      observer: { access: (event) => this.#access(event) },
    });
    this.#subgroupSize = this.#execution.grid.subgroupSize;
    const size = this.#execution.workgroupSize;
    const resident = inPart ? Math.max(2, Math.floor(PART.invocations / size)) : RESIDENT;
    this.#budget = inPart ? PART.accesses : BUDGET;
    this.#scheduler =
      order === "interleave"
        ? createScheduler({ kind: order }, resident)
        : new OneAfterAnother(order, this.#waits, this.#held, resident);
    this.#order = order;
    this.#roots = new Set(loops.flatMap(({ wait }) => wait.roots));
    const bytes = loops.length * size * this.#execution.program.frameSize * 4;
    this.#mostTrials = Math.min(MOST_TRIALS, Math.max(LEAST_TRIALS, Math.floor(TRIED_BYTES / bytes)));
    this.#tracked = loops.map((loop, index) => ({
      loop,
      index,
      trials: 0,
      visits: new Map(),
      waiter: null,
      period: 1,
      cameAgain: new Set(),
      change: null,
      isFreed: false,
      changes: 0,
      released: false,
    }));
    for (const tracked of this.#tracked) this.#index(tracked);
  }

  #index(tracked: Tracked): void {
    const { function: fn, inside } = tracked.loop;
    const instructions = this.#around.get(fn) ?? new Map<InstId, Tracked[]>();
    this.#around.set(fn, instructions);
    for (const id of inside) {
      const known = instructions.get(id);
      if (known === undefined) instructions.set(id, [tracked]);
      else known.push(tracked);
    }
  }

  /** True where nobody gets on any more, and one of the loops is why. */
  run(): boolean {
    const execution = this.#execution;
    const scheduler = this.#scheduler;
    let instructions = 0;
    for (;;) {
      const choice = scheduler.next(execution);
      if (choice === null) break;
      const before = execution.statistics.instructions;
      let stop = execution.advance(choice.workgroup, choice.local, 0, FUEL);
      if (stop === "turn") {
        this.#look(choice);
        stop = execution.advance(choice.workgroup, choice.local, 1, FUEL);
        this.#lookAtChanged();
      }
      instructions += execution.statistics.instructions - before;
      scheduler.after(execution, stop);
      if (++this.#accesses > this.#budget || instructions > this.#budget * 64) break;
    }
    const isStill = !execution.finished && this.#lastChange < this.#accesses / 2;
    return isStill && this.#tracked.some(({ waiter }) => waiter !== null);
  }

  waits(stuck: boolean): readonly (readonly [WaitLoop, Waiting])[] {
    return this.#tracked.flatMap((tracked) => {
      const waiting = this.#report(tracked, stuck);
      return waiting === null ? [] : [[tracked.loop, waiting] as const];
    });
  }

  // ---------------------------------------------------------------- who waits

  /** Before an invocation takes its turn: has it come round again, and does it get out alone? */
  #look(choice: Choice): void {
    const { workgroup, local } = choice;
    const execution = this.#execution;
    const site = execution.pendingSite(workgroup, local);
    if (site === null) return;
    const invocation = workgroup.index * workgroup.size + local;
    for (const tracked of this.#candidates(workgroup, local, invocation)) {
      const { waiter, visits, loop } = tracked;
      const isKnown = visits.has(invocation) || waiter?.invocation === invocation;
      // Most accesses have nothing to do with it.
      if (!isKnown && (site.root === null || !loop.wait.roots.includes(site.root))) continue;
      if (!this.#isInside(loop, workgroup, local)) {
        if (waiter?.invocation === invocation) tracked.released = true;
        visits.delete(invocation);
        this.#visiting.get(invocation)?.delete(tracked);
        continue;
      }
      if (!this.#comesAgain(tracked, invocation, site)) continue;
      // One was tried: of others it is enough that they come round as often as one that waits.
      if (waiter !== null) this.#waits.add(invocation);
      if (waiter !== null || tracked.trials >= this.#mostTrials) continue;
      tracked.trials++;
      this.#try(tracked, choice, invocation);
    }
  }

  /** In order, those whose loops an invocation is in or was in; where there are few, all. */
  #candidates(workgroup: Workgroup, local: number, invocation: number): readonly Tracked[] {
    if (this.#tracked.length <= FEW_LOOPS) return this.#tracked;
    const found = new Set(this.#visiting.get(invocation));
    this.#execution.someCall(workgroup, local, (call) => {
      for (const each of this.#around.get(call.function)?.get(call.instruction) ?? []) found.add(each);
      return false;
    });
    return [...found].sort((a, b) => a.index - b.index);
  }

  #comesAgain(tracked: Tracked, invocation: number, site: AccessSite): boolean {
    const visit = tracked.visits.get(invocation);
    if (visit === undefined) {
      tracked.visits.set(invocation, { site, count: 1 });
      const visiting = this.#visiting.get(invocation);
      if (visiting === undefined) this.#visiting.set(invocation, new Set([tracked]));
      else visiting.add(tracked);
      return false;
    }
    if (visit.site !== site) return false;
    if (visit.count >= tracked.period) tracked.cameAgain.add(invocation);
    // Again each time that all others have had their turn.
    return ++visit.count % (2 * tracked.period) === 0;
  }

  #isInside({ function: fn, inside }: WaitLoop, workgroup: Workgroup, local: number): boolean {
    return this.#execution.someCall(workgroup, local, (call) => call.function === fn && inside.has(call.instruction));
  }

  #try(tracked: Tracked, choice: Choice, invocation: number): void {
    const { workgroup } = choice;
    const { index } = workgroup;
    const found = this.#execution.undone(workgroup, () => this.#waitsAlone(tracked.loop, choice));
    if (found === null) return;
    tracked.waiter = { invocation, reads: found.reads, group: index };
    this.#waiting.push(tracked);
    tracked.period = found.period;
    if (found.period > 1) tracked.cameAgain.clear();
    tracked.cameAgain.add(invocation);
    this.#waits.add(invocation);
  }

  /**
   * Lets it go on alone; the reads that it repeats, and how often it comes to the first of them until all are the same as
   * before, or null where it gets on. Where a round changes other memory, as one
   * that takes a number, many have to be alike: what it counts there may end the wait.
   */
  #waitsAlone(
    loop: WaitLoop,
    { workgroup, local }: Pick<Choice, "workgroup" | "local">,
  ): { readonly reads: readonly Witness[]; readonly period: number } | null {
    const execution = this.#execution;
    const start = execution.pendingSite(workgroup, local);
    const alone: Alone = { text: "", changes: false, reads: new Map(), written: [] };
    const period = new Period();
    this.#alone = alone;
    try {
      for (let steps = 0; steps < FAR; steps++) {
        if (!this.#goesOn(workgroup, local)) return null;
        if (!this.#isInside(loop, workgroup, local)) return null;
        if (execution.pendingSite(workgroup, local) === start) {
          // What each access leaves is part of it: a round that gets on is unlike all others.
          period.add(alone.text);
          if (period.rounds >= ROUNDS && (!alone.changes || steps >= FAR / 2)) {
            const reads = [...alone.reads.values()].filter(({ site }) => loop.wait.roots.includes(site.root!));
            const inOrder = reads.sort((a, b) => a.site.span.start - b.site.span.start);
            return reads.length === 0 ? null : { reads: inOrder, period: period.length };
          }
          alone.text = "";
          if (period.rounds === 1) alone.reads.clear();
        }
        if (steps >= ALONE && period.rounds < ROUNDS) return null;
      }
      return null;
    } finally {
      this.#alone = null;
      for (const each of alone.written.reverse()) bringBack(each);
    }
  }

  /** Makes an access, and comes to the next one; the others of its workgroup no further than it needs them at barriers. */
  #goesOn(workgroup: Workgroup, local: number): boolean {
    let stop = this.#execution.advance(workgroup, local, 1, FUEL);
    for (let barriers = 0; stop === "barrier" && barriers < ALONE; barriers++) {
      if (!this.#othersCome(workgroup, local)) return false;
      stop = this.#execution.advance(workgroup, local, 0, FUEL);
    }
    return stop === "turn";
  }

  /** To the barrier at which one of them stands, one after another; false where they do not get there. */
  #othersCome(workgroup: Workgroup, one: number): boolean {
    const { status, size } = workgroup;
    for (let local = 0; status[one] !== READY; local++) {
      if (local === size) return false;
      if (status[local] !== READY) continue;
      const stop = this.#execution.advance(workgroup, local, ALONE, FUEL);
      if (stop !== "barrier" && stop !== "end") return false;
    }
    return true;
  }

  // ---------------------------------------------------------------- who is waited for

  #access(event: AccessEvent): void {
    const { site, offset, before, after, workgroup, localIndex, inBounds } = event;
    let changed = false;
    for (let i = 0; i < site.shape.offsets.length; i++) changed ||= before[i] !== after[i];
    if (this.#alone !== null) {
      if (changed && inBounds && site.space !== "workgroup") {
        const bits = before.slice(0, site.shape.offsets.length);
        this.#alone.written.push({ view: workgroup.memory[site.root!], offset, shape: site.shape, bits });
      }
      if (!this.#waitsOn(site)) {
        this.#alone.changes ||= changed && inBounds;
        return;
      }
      this.#alone.text += `${site.id}:${offset}:${after[0]};`;
      this.#alone.reads.set(`${site.id}:${offset}`, witness(event));
      return;
    }
    if (!changed || !inBounds) return;
    this.#lastChange = this.#accesses;
    const invocation = workgroup.index * workgroup.size + localIndex;
    if (this.#order === "holding" && (site.atomic !== null || this.#waitsOn(site))) {
      this.#held.delete(invocation);
      this.#held.add(invocation);
    }
    for (const tracked of this.#waiting) {
      const { waiter } = tracked;
      if (waiter === null || tracked.isFreed || tracked.released) continue;
      const read = waiter.reads.find((each) => site.root === each.site.root && offset === each.offset);
      if (read === undefined) continue;
      if (site.space === "workgroup" && workgroup.index !== waiter.group) continue;
      if (invocation === waiter.invocation) continue;
      // Who goes round the same loop changes it and changes it back.
      const isRound = ({ function: fn, instruction }: AccessSite): boolean =>
        fn === tracked.loop.function && tracked.loop.inside.has(instruction);
      if (tracked.change !== null && isRound(site) && !isRound(tracked.change.witness.site)) continue;
      tracked.change = { witness: witness(event), group: workgroup.index, read };
      this.#changed.add(tracked);
    }
  }

  #waitsOn({ root }: AccessSite): boolean {
    return root !== null && this.#roots.has(root);
  }

  /** Of all that changes what one waits for, as a lock that goes from hand to hand, the first that lets it go on counts. */
  #lookAtChanged(): void {
    for (const tracked of this.#changed) {
      const found = this.#execution.find(tracked.waiter!.invocation);
      if (found?.workgroup.status[found.local] !== READY || tracked.changes >= this.#mostTrials) continue;
      tracked.changes++;
      tracked.isFreed = this.#execution.undone(found.workgroup, () => this.#waitsAlone(tracked.loop, found)) === null;
    }
    this.#changed.clear();
  }

  // ---------------------------------------------------------------- report

  #report({ loop, waiter, change, cameAgain }: Tracked, stuck: boolean): Waiting | null {
    if (waiter === null) return null;
    const release = stuck && !this.#hasEnded(waiter.invocation) ? null : change;
    return {
      loop: loop.wait,
      waiter: release?.read ?? waiter.reads[0],
      waiterGroup: waiter.group,
      release: release?.witness ?? null,
      model: this.#model(waiter, release),
      count: cameAgain.size,
    };
  }

  #hasEnded(invocation: number): boolean {
    const found = this.#execution.find(invocation);
    if (found === null) return this.#execution.nextWorkgroup > Math.floor(invocation / this.#execution.workgroupSize);
    const status = found.workgroup.status[found.local];
    return status === ENDED || status === AT_BARRIER;
  }

  #model(waiter: NonNullable<Tracked["waiter"]>, release: Tracked["change"]): Waiting["model"] {
    if (release === null) return "unfair";
    // Where each runs on as far as it comes, those that come later have done nothing yet; in turn, or held back, they have.
    if (release.group !== waiter.group)
      return this.#order === "forward" && release.group > waiter.group ? "one-workgroup" : "unfair";
    const subgroup = (local: number) => Math.floor(local / this.#subgroupSize);
    if (subgroup(release.witness.local) === subgroup(release.read.local)) return "lockstep";
    return this.#order === "forward" || this.#order === "backward" ? "one-invocation" : "unfair";
  }
}
