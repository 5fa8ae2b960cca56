/**
 * One dispatch in execution, under full control of who holds it: any ready invocation can be advanced by any number of
 * shared accesses or instructions; the state can be saved and brought back. Who goes next is a schedule's to say
 * (`schedule.ts`); what the steps mean, an observer's (`observer.ts`).
 */
import type { FunctionId, IrModule, RootId } from "../ir/ir.ts";
import { layoutOf, runtimeElementCount } from "../layout/layout.ts";
import { type Grid, positionAt, product, type Triple, writeBuiltins } from "./builtin-values.ts";
import type { AccessSite, BarrierSite, FlatProgram, Origin } from "./flat.ts";
import { flatten } from "./flatten.ts";
import { type BufferBinding, bindingView, type Memory, type MemorySnapshot } from "./memory.ts";
import type { Observer } from "./observer.ts";
import { OPCODE } from "./opcodes.ts";
import { Probe } from "./probe.ts";
import { Random } from "./random.ts";
import { runInvocation, type Stop } from "./run-invocation.ts";
import { runSubgroupOperation } from "./subgroup.ts";
import { AT_BARRIER, AT_SUBGROUP, ENDED, READY, Workgroup, type WorkgroupSnapshot } from "./workgroup.ts";

/**
 * What happens out of bounds, each allowed by the specification: loads give zero and stores and atomics do nothing;
 * both go to the nearest index in bounds; loads go there and stores and atomics do nothing.
 * spec: #out-of-bounds-access-sec
 */
export type OutOfBounds = (typeof OUT_OF_BOUNDS)[number];
export const OUT_OF_BOUNDS = ["clamp", "zero", "discard"] as const;

export const SUBGROUP_SIZES: readonly number[] = [4, 8, 16, 32, 64, 128];

export interface ExecutionOptions {
  readonly workgroups: Triple;
  /** Only workgroups from one linear index up to another one run; all of them if left out. */
  readonly range?: readonly [from: number, to: number];
  /** One for each storage and uniform variable of the module. */
  readonly bindings: ReadonlyMap<RootId, BufferBinding>;
  /** One of `SUBGROUP_SIZES`; 32 if left out. */
  readonly subgroupSize?: number;
  readonly outOfBounds?: OutOfBounds;
  /** How often `atomicCompareExchangeWeak` fails although the values are equal: from 0 (never) to 1. */
  readonly weakFail?: number;
  /** Seed of the spurious failures. */
  readonly seed?: number;
  readonly observer?: Observer | null;
}

/** Not all invocations of a workgroup arrived at the same barrier. The workgroup was given up. */
export interface BarrierDivergence {
  readonly kind: "barrier-divergence";
  readonly workgroup: Triple;
  /** Who waits where; local invocation indices. */
  readonly arrivals: readonly { readonly site: BarrierSite; readonly invocations: readonly number[] }[];
  /** Who ended without arriving. */
  readonly ended: readonly number[];
}

export type Fault = BarrierDivergence;

export interface Statistics {
  invocations: number;
  instructions: number;
  /** Accesses to storage and workgroup memory. */
  sharedAccesses: number;
  /** Barriers passed, counted once per workgroup. */
  barriers: number;
}

/** Where an invocation stands. */
export interface Place {
  readonly workgroup: Triple;
  readonly localIndex: number;
  readonly globalId: Triple;
  readonly status: "ready" | "barrier" | "subgroup" | "ended";
  /** Innermost call first. */
  readonly calls: readonly Origin[];
}

export interface ExecutionSnapshot {
  readonly workgroups: readonly WorkgroupSnapshot[];
  readonly nextWorkgroup: number;
  readonly memories: readonly MemorySnapshot[];
  readonly randomState: number;
  readonly statistics: Statistics;
  readonly faults: readonly Fault[];
}

/** The access that an invocation makes next. */
export interface PendingAccess {
  readonly site: AccessSite;
  readonly offset: number;
  readonly inBounds: boolean;
}

const STATUS_NAMES = ["ready", "barrier", "subgroup", "ended"] as const;
/** Length of the instructions at which invocations wait, and of `call`. */
const WAIT_LENGTH = 2;
const CALL_LENGTH = 3;
/** Of the frames of all workgroups that are under way, about. */
const RESIDENT_BYTES = 2 ** 26;
/** More than any invocation gets through between two looks at the clock. */
export const MAX_FUEL = 2 ** 30;

/** Of invocations whose number nobody says. */
export const SUBGROUP_SIZE = 32;

export class Execution {
  readonly program: FlatProgram;
  readonly grid: Grid;
  /** Behind the last workgroup that runs. */
  readonly workgroupCount: number;
  readonly oob: OutOfBounds;
  readonly probe: Probe | null;
  /** Bytes of each root's memory. */
  readonly sizes: Int32Array;
  /** Workgroups that have started and not ended, in the order of their start. */
  readonly resident: Workgroup[] = [];
  nextWorkgroup = 0;
  statistics: Statistics = { invocations: 0, instructions: 0, sharedAccesses: 0, barriers: 0 };
  faults: Fault[] = [];
  /** What the invocation that runs may still do; see `runInvocation`. */
  fuel = 0;
  accesses = 0;
  readonly bindings: ReadonlyMap<RootId, BufferBinding>;
  readonly #observer: Observer | null;
  readonly #random: Random;
  readonly #weakFail: number;
  readonly #views: (DataView | null)[];
  /** The frame of an invocation before its start, but for builtin values. */
  readonly #frame: Int32Array;
  readonly #free: Workgroup[] = [];
  /** Those that may change: snapshots hold them. */
  readonly #memories: readonly Memory[];

  /**
   * @throws TypeError if a variable has no binding; RangeError if a binding leaves its buffer or an option its range.
   */
  constructor(module: IrModule, options: ExecutionOptions) {
    this.program = flatten(module);
    this.grid = {
      workgroupSize: module.workgroupSize,
      workgroups: options.workgroups,
      subgroupSize: checkedSubgroupSize(options.subgroupSize ?? SUBGROUP_SIZE),
    };
    const [first, end] = options.range ?? [0, product(options.workgroups)];
    this.nextWorkgroup = first;
    this.workgroupCount = end;
    this.oob = options.outOfBounds ?? "zero";
    this.bindings = options.bindings;
    this.#observer = options.observer ?? null;
    this.#weakFail = options.weakFail ?? 0;
    this.#random = new Random(options.seed ?? 1);
    this.sizes = new Int32Array(module.roots.length);
    this.#views = module.roots.map((root) => this.#bind(root));
    const writable = module.roots.filter(({ access }) => access !== "read");
    this.#memories = [...new Set(writable.flatMap(({ id }) => options.bindings.get(id)?.memory ?? []))];
    this.#frame = this.#makeFrame();
    this.probe = this.#makeProbe();
    this.#observer?.begin?.(this);
  }

  /** Memory of a root that all workgroups share; null for all others. */
  #bind(root: IrModule["roots"][number]): DataView | null {
    if (root.space === "workgroup") {
      this.sizes[root.id] = layoutOf(root.type).size;
      return null;
    }
    if (root.space === "private") return new DataView(new ArrayBuffer(0));
    const binding = this.bindings.get(root.id);
    if (binding === undefined) throw new TypeError(`nothing is bound to ‘${root.name}’`);
    this.sizes[root.id] = binding.size;
    return bindingView(binding, root.name);
  }

  #makeFrame(): Int32Array {
    const { program, bindings } = this;
    const frame = program.template.slice();
    for (const { slot, root } of program.lengths) {
      frame[slot] = runtimeElementCount(layoutOf(program.module.roots[root].type), bindings.get(root)!.size);
    }
    return frame;
  }

  #makeProbe(): Probe | null {
    const observer = this.#observer;
    if (observer?.access === undefined) return null;
    // Events that come name their own: the first one that starts may be this.
    const workgroup = this.#takeWorkgroup();
    this.#free.push(workgroup);
    return new Probe(this.program, workgroup, (event) => observer.access!(event));
  }

  // ------------------------------------------------------------ workgroups

  get finished(): boolean {
    return this.resident.length === 0 && this.nextWorkgroup === this.workgroupCount;
  }

  /** How many workgroups may be under way: as many as are asked for, while their frames are no more than some megabytes. */
  affordable(residency: number): number {
    const bytes = this.#frame.byteLength * this.workgroupSize;
    return Math.max(1, Math.min(residency, Math.floor(RESIDENT_BYTES / Math.max(1, bytes))));
  }

  get workgroupSize(): number {
    return product(this.grid.workgroupSize);
  }

  /** Starts the next workgroup; null when all have been started. */
  startWorkgroup(): Workgroup | null {
    if (this.nextWorkgroup === this.workgroupCount) return null;
    const workgroup = this.#takeWorkgroup();
    const index = this.nextWorkgroup++;
    const { privateSize, start } = this.program;
    workgroup.reset(index, positionAt(index, this.grid.workgroups), { frame: this.#frame, privateSize, start });
    writeBuiltins(this.program, workgroup.frames, this.grid, index, "of workgroup");
    this.resident.push(workgroup);
    this.statistics.invocations += workgroup.size;
    this.#observer?.workgroupStarted?.(workgroup);
    return workgroup;
  }

  #takeWorkgroup(): Workgroup {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    const made = new Workgroup(this.workgroupSize, this.#frame, this.#views, this.sizes);
    writeBuiltins(this.program, made.frames, this.grid, 0, "constant");
    return made;
  }

  #endWorkgroup(workgroup: Workgroup): void {
    this.resident.splice(this.resident.indexOf(workgroup), 1);
    this.#observer?.workgroupEnded?.(workgroup);
    this.#free.push(workgroup);
  }

  // ------------------------------------------------------------ steps

  /**
   * Runs a ready invocation until it has made `accesses` shared accesses and stands before the next one, waits, or ends;
   * at most `fuel` instructions.
   */
  advance(workgroup: Workgroup, local: number, accesses: number, fuel = MAX_FUEL): Stop {
    this.fuel = fuel;
    this.accesses = accesses;
    const stop = runInvocation(this, workgroup, local);
    this.statistics.instructions += fuel - this.fuel;
    this.statistics.sharedAccesses += accesses - this.accesses;
    if (stop === "barrier") workgroup.block(local, AT_BARRIER);
    else if (stop === "subgroup") workgroup.block(local, AT_SUBGROUP);
    else if (stop === "end") workgroup.block(local, ENDED);
    else return stop;
    if (this.program.subgroups.length > 0) this.#settleSubgroup(workgroup, local);
    if (workgroup.readyCount === 0) this.#settleWorkgroup(workgroup);
    return stop;
  }

  /** Runs one instruction; a shared access is one. */
  step(workgroup: Workgroup, local: number): Stop {
    const atAccess = this.program.code[workgroup.positions[local]] === OPCODE.turn;
    return this.advance(workgroup, local, 1, atAccess ? 2 : 1);
  }

  failsSpuriously(): boolean {
    return this.#weakFail > 0 && this.#random.chance(this.#weakFail);
  }

  /** Nobody of the workgroup can go on: it has ended, passes a barrier, or is stuck. */
  #settleWorkgroup(workgroup: Workgroup): void {
    const waiting = workgroup.count(AT_BARRIER);
    const complete = waiting === workgroup.size && this.#atSameBarrier(workgroup);
    if (!complete) {
      if (waiting > 0) this.faults.push(this.#divergence(workgroup));
      this.#endWorkgroup(workgroup);
      return;
    }
    const site = this.#barrierAt(workgroup, 0);
    workgroup.phases[site.barrier]++;
    this.statistics.barriers++;
    workgroup.allReady();
    this.#observer?.barrier?.({ site, workgroup });
  }

  /** In a helper, the same place reached through different calls is not the same barrier. */
  #atSameBarrier(workgroup: Workgroup): boolean {
    const { positions, size } = workgroup;
    for (let i = 1; i < size; i++) if (positions[i] !== positions[0]) return false;
    for (let at = this.#standsAt(workgroup, 0); at >= 0; ) {
      const { function: fn } = originOf(this.program, at);
      at = this.#calledAt(workgroup, 0, fn);
      for (let i = 1; i < size; i++) if (this.#calledAt(workgroup, i, fn) !== at) return false;
    }
    return true;
  }

  #barrierAt(workgroup: Workgroup, local: number): BarrierSite {
    const { code, barriers } = this.program;
    return barriers[code[workgroup.positions[local] - 1]];
  }

  #divergence(workgroup: Workgroup): BarrierDivergence {
    const byCalls = new Map<string, { site: BarrierSite; invocations: number[] }>();
    const ended: number[] = [];
    for (let local = 0; local < workgroup.size; local++) {
      if (workgroup.status[local] === ENDED) {
        ended.push(local);
        continue;
      }
      const calls = this.#callPositions(workgroup, local).join();
      const arrival = byCalls.get(calls);
      if (arrival !== undefined) arrival.invocations.push(local);
      else byCalls.set(calls, { site: this.#barrierAt(workgroup, local), invocations: [local] });
    }
    return { kind: "barrier-divergence", workgroup: workgroup.id, arrivals: [...byCalls.values()], ended };
  }

  /**
   * Runs a subgroup operation once nobody of the subgroup can go on without it. Those that stand at the same operation
   * take part; of several operations the one that comes first in the code goes first, so that the others can wait for
   * invocations that are still in a branch or a loop before theirs. spec: #subgroup-ops
   */
  #settleSubgroup(workgroup: Workgroup, local: number): void {
    const { subgroupSize } = this.grid;
    const first = local - (local % subgroupSize);
    const end = Math.min(first + subgroupSize, workgroup.size);
    const { status, positions } = workgroup;
    let active: number[] = [];
    let lowest: readonly number[] | null = null;
    for (let i = first; i < end; i++) {
      if (status[i] === READY) return;
      if (status[i] !== AT_SUBGROUP) continue;
      const calls = this.#callPositions(workgroup, i);
      const order: number = lowest === null ? -1 : compareOutermost(calls, lowest);
      if (order < 0) {
        lowest = calls;
        active = [i];
      } else if (order === 0) active.push(i);
    }
    if (active.length === 0) return;
    const { code, subgroups } = this.program;
    runSubgroupOperation(subgroups[code[positions[active[0]] - 1]], { workgroup, first, active });
    for (const i of active) workgroup.makeReady(i);
  }

  // ------------------------------------------------------------ looking at it

  /** Position of the instruction where an invocation stands. */
  #standsAt(workgroup: Workgroup, local: number): number {
    const status = workgroup.status[local];
    const waits = status === AT_BARRIER || status === AT_SUBGROUP;
    return workgroup.positions[local] - (waits ? WAIT_LENGTH : 0);
  }

  /** Position of the call of the function that an invocation is in; -1: it is the entry point. */
  #calledAt(workgroup: Workgroup, local: number, fn: FunctionId): number {
    const { returnSlot } = this.program.functions[fn];
    return returnSlot < 0 ? -1 : workgroup.frames[local * workgroup.frameSize + returnSlot] - CALL_LENGTH;
  }

  /** Positions of the instruction where an invocation stands and of the calls that led to it, innermost first. */
  #callPositions(workgroup: Workgroup, local: number): number[] {
    const positions: number[] = [];
    for (let at = this.#standsAt(workgroup, local); at >= 0; ) {
      positions.push(at);
      at = this.#calledAt(workgroup, local, originOf(this.program, at).function);
    }
    return positions;
  }

  place(workgroup: Workgroup, local: number): Place {
    const [lx, ly, lz] = positionAt(local, this.grid.workgroupSize);
    const [x, y, z] = workgroup.id;
    const [width, height, depth] = this.grid.workgroupSize;
    return {
      workgroup: workgroup.id,
      localIndex: local,
      globalId: [x * width + lx, y * height + ly, z * depth + lz],
      status: STATUS_NAMES[workgroup.status[local]],
      calls: this.#callPositions(workgroup, local).map((position) => originOf(this.program, position)),
    };
  }

  /** Whether something holds of the instruction where an invocation stands, or of a call that led to it. */
  someCall(workgroup: Workgroup, local: number, holds: (origin: Origin) => boolean): boolean {
    for (let at = this.#standsAt(workgroup, local); at >= 0; ) {
      const origin = originOf(this.program, at);
      if (holds(origin)) return true;
      at = this.#calledAt(workgroup, local, origin.function);
    }
    return false;
  }

  /** Where an invocation that stopped with `turn` will access something; null where it stands elsewhere. */
  pendingSite(workgroup: Workgroup, local: number): AccessSite | null {
    const { code, siteAt, sites } = this.program;
    const turn = workgroup.positions[local];
    if (workgroup.status[local] !== READY || code[turn] !== OPCODE.turn) return null;
    return sites[siteAt[turn + 1]];
  }

  /** What an invocation that stopped with `turn` will access next; null where it stands elsewhere. */
  pending(workgroup: Workgroup, local: number): PendingAccess | null {
    const { code } = this.program;
    const site = this.pendingSite(workgroup, local);
    if (site === null) return null;
    const position = workgroup.positions[local] + 1;
    const frame = local * workgroup.frameSize;
    const offset = workgroup.frames[frame + code[position + 2]] + code[position + 4];
    const fits = offset + code[position + 5] <= this.sizes[code[position + 1]];
    const fault = workgroup.frames[frame + code[position + 3]];
    return { site, offset, inBounds: fits && fault === 0 };
  }

  /** The resident workgroup and local index of an invocation number (`workgroup_index` × size + local index). */
  find(invocation: number): { readonly workgroup: Workgroup; readonly local: number } | null {
    const index = Math.floor(invocation / this.workgroupSize);
    const workgroup = this.resident.find((candidate) => candidate.index === index);
    return workgroup === undefined ? null : { workgroup, local: invocation - index * this.workgroupSize };
  }

  // ------------------------------------------------------------ snapshots

  /** Lets something happen in one workgroup that is under way, and takes it back, but for what is written to buffers. */
  undone<T>(workgroup: Workgroup, action: () => T): T {
    const place = this.resident.indexOf(workgroup);
    const saved = workgroup.snapshot();
    const { statistics, faults } = this;
    const { state } = this.#random;
    [this.statistics, this.faults] = [{ ...statistics }, [...faults]];
    const result = action();
    if (this.resident[place] !== workgroup) {
      this.#free.splice(this.#free.indexOf(workgroup), 1);
      this.resident.splice(place, 0, workgroup);
    }
    workgroup.restore(saved, workgroup.id);
    [this.statistics, this.faults] = [statistics, faults];
    this.#random.state = state;
    return result;
  }

  snapshot(): ExecutionSnapshot {
    return {
      workgroups: this.resident.map((workgroup) => workgroup.snapshot()),
      nextWorkgroup: this.nextWorkgroup,
      memories: this.#memories.map((memory) => memory.snapshot()),
      randomState: this.#random.state,
      statistics: { ...this.statistics },
      faults: [...this.faults],
    };
  }

  /** Back to a state of this execution. Workgroup objects from before are no longer valid. */
  restore(snapshot: ExecutionSnapshot): void {
    this.#free.push(...this.resident.splice(0));
    for (const saved of snapshot.workgroups) {
      const workgroup = this.#takeWorkgroup();
      workgroup.restore(saved, positionAt(saved.index, this.grid.workgroups));
      this.resident.push(workgroup);
    }
    this.nextWorkgroup = snapshot.nextWorkgroup;
    for (const [index, memory] of this.#memories.entries()) memory.restore(snapshot.memories[index]);
    this.#random.state = snapshot.randomState;
    this.statistics = { ...snapshot.statistics };
    this.faults = [...snapshot.faults];
  }
}

function checkedSubgroupSize(size: number): number {
  if (size >= 4 && size <= 128 && (size & (size - 1)) === 0) return size;
  throw new RangeError(`the subgroup size ${size} is no power of two from 4 to 128`);
}

function originOf(program: FlatProgram, position: number): Origin {
  return program.origins[program.originAt[position]];
}

/** Compares call paths (innermost first) from their outermost calls on. */
function compareOutermost(a: readonly number[], b: readonly number[]): number {
  for (let depth = 1; depth <= Math.min(a.length, b.length); depth++) {
    const difference = a[a.length - depth] - b[b.length - depth];
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
