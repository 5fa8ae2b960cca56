/**
 * The value that each function-scope variable has at the statement at hand, as a node of the graph, and how values meet
 * where control does. One state is kept and rolled back at the end of a branch. spec: #func-var-value-analysis
 *
 * Where control meets again is a `Target`: behind an `if` or `switch`, behind a loop, at its continuing block. A jump to
 * a target carries the values of all variables. Copying them would cost variables times jumps; instead a value is handed
 * to the targets in reach when it is about to be replaced, if a jump has been since it came.
 */
import { grown, listOf } from "../../text/list.ts";
import type { Graph, NodeIndex, Reason } from "./graph.ts";

/** Number of a variable within its function. */
export type Slot = number;

/** They nest, and those that follow each other at one depth take turns with one object. */
export class Target {
  kind: "branch" | "switch" | "break" | "continue";
  reason: Reason;
  /** Length of the log when it began: what is declared later does not live on. */
  mark: number;
  /** Time of the latest jump to it; -1: none yet. */
  lastJump = -1;
  /** What arrives: one value, or a join of several that this target made. null: nothing yet. */
  arrivals: Map<Slot, NodeIndex> | null = null;
  joins: Set<NodeIndex> | null = null;
  /** Variables that were assigned in a branch that has been rolled back: so many of the list, which keeps its room. */
  touches = 0;
  readonly touched: Slot[] = listOf();

  constructor(kind: Target["kind"], reason: Reason, mark: number) {
    this.kind = kind;
    this.reason = reason;
    this.mark = mark;
  }

  reuse(kind: Target["kind"], reason: Reason, mark: number): void {
    this.kind = kind;
    this.reason = reason;
    this.mark = mark;
    this.lastJump = -1;
    this.arrivals = null;
    this.joins = null;
    this.touches = 0;
  }

  touch(slot: Slot): void {
    this.touched[this.touches++] = slot;
  }
}

export interface Loop {
  readonly reason: Reason;
  readonly start: number;
  readonly mark: number;
  /** Number of targets around it. */
  readonly outside: number;
  readonly breaks: Target;
  readonly continues: Target;
  readonly entries: Entry[];
}

/** A variable that a loop uses: its value at the start of an iteration, and what there was before the loop. */
interface Entry {
  readonly slot: Slot;
  readonly node: NodeIndex;
  readonly before: NodeIndex;
  readonly depth: number;
}

const DECLARED = -1;

export class Values {
  readonly #graph: Graph;
  /** How many variables there are in the function. */
  #count = 0;
  /** By slot. */
  #value: Int32Array<ArrayBuffer> = new Int32Array(64);
  /** Time at which the value came. */
  #since: Int32Array<ArrayBuffer> = new Int32Array(64);
  /** Number of loops around the declaration, or more: those that have an entry for it. */
  #depth: Int32Array<ArrayBuffer> = new Int32Array(64);
  #declaredAt: Int32Array<ArrayBuffer> = new Int32Array(64);
  /** What was assigned, with the value of before. */
  #log: Int32Array<ArrayBuffer> = new Int32Array(64);
  #logged: Int32Array<ArrayBuffer> = new Int32Array(64);
  #logLength = 0;
  /** So many that are open; behind them, those that can be used again. */
  #open = 0;
  readonly #targets: Target[] = listOf();
  readonly #loops: Loop[] = listOf();
  /** Counts jumps. */
  #now = 0;

  constructor(graph: Graph) {
    this.#graph = graph;
  }

  /** For the next function. */
  clear(): void {
    this.#count = 0;
    this.#logLength = 0;
    this.#now = 0;
  }

  #note(slot: Slot, old: NodeIndex): void {
    const at = this.#logLength++;
    if (at === this.#log.length) {
      this.#log = grown(this.#log);
      this.#logged = grown(this.#logged);
    }
    this.#log[at] = slot;
    this.#logged[at] = old;
  }

  declare(value: NodeIndex): Slot {
    const slot = this.#count++;
    if (slot === this.#value.length) this.#growSlots();
    this.#value[slot] = value;
    this.#since[slot] = this.#now;
    this.#depth[slot] = this.#loops.length;
    this.#declaredAt[slot] = this.#logLength;
    this.#note(slot, DECLARED);
    return slot;
  }

  #growSlots(): void {
    this.#value = grown(this.#value);
    this.#since = grown(this.#since);
    this.#depth = grown(this.#depth);
    this.#declaredAt = grown(this.#declaredAt);
  }

  read(slot: Slot): NodeIndex {
    this.#enterLoops(slot);
    return this.#value[slot];
  }

  assign(slot: Slot, value: NodeIndex): void {
    this.#enterLoops(slot);
    if (this.#value[slot] === value) return;
    this.#handOver(slot, this.#open - 1);
    this.#note(slot, this.#value[slot]);
    this.#set(slot, value);
  }

  #set(slot: Slot, value: NodeIndex): void {
    this.#value[slot] = value;
    this.#since[slot] = this.#now;
  }

  // ---------------------------------------------------------------- branches

  /** To be given to `rollBack`. */
  mark(): number {
    return this.#logLength;
  }

  open(kind: Target["kind"], reason: Reason): Target {
    const depth = this.#open++;
    if (depth === this.#targets.length) this.#targets.push(new Target(kind, reason, this.#logLength));
    else this.#targets[depth].reuse(kind, reason, this.#logLength);
    return this.#targets[depth];
  }

  /** Control goes from here to the target: by a statement, or because a branch ends. */
  jump(target: Target): void {
    target.lastJump = ++this.#now;
  }

  /** `break`: behind the innermost loop or `switch`. */
  jumpOut(): void {
    this.jump(this.#innermost("break", "switch"));
  }

  /** `continue` */
  jumpOn(): void {
    this.jump(this.#innermost("continue", "continue"));
  }

  #innermost(one: Target["kind"], other: Target["kind"]): Target {
    let at = this.#open - 1;
    while (this.#targets[at].kind !== one && this.#targets[at].kind !== other) at--;
    return this.#targets[at];
  }

  /** Ends a branch: the values of before come back for the next one. */
  rollBack(mark: number, target: Target): void {
    for (let at = this.#logLength - 1; at >= mark; at--) {
      const slot = this.#log[at];
      if (this.#declaredAt[slot] >= mark) continue;
      this.#handOver(slot, this.#open - 1);
      this.#set(slot, this.#logged[at]);
      target.touch(slot);
    }
    this.#logLength = mark;
  }

  /** Goes on behind the innermost target, with what has arrived there. */
  close(target: Target): void {
    if (target.arrivals !== null) for (const slot of target.arrivals.keys()) target.touch(slot);
    for (let at = 0; at < target.touches; at++) {
      const slot = target.touched[at];
      this.#enterLoops(slot);
      if (target.lastJump > this.#since[slot]) this.#arrive(target, slot);
    }
    this.#open--;
    if (target.arrivals !== null) for (const [slot, value] of target.arrivals) this.assign(slot, value);
  }

  /** Behind a part that not all run, such as the right side of `&&`: old and new values meet. */
  joinWithSkipped(mark: number, reason: Reason): void {
    if (this.#logLength === mark) return;
    const seen = new Set<Slot>();
    for (let at = mark; at < this.#logLength; at++) {
      const slot = this.#log[at];
      const old = this.#logged[at];
      if (seen.has(slot) || old === DECLARED) continue;
      seen.add(slot);
      const join = this.#graph.node("join", reason);
      this.#graph.edge(join, old);
      this.#graph.edge(join, this.#value[slot]);
      this.#value[slot] = join;
    }
  }

  /** Adds the value to what arrives at the targets to which control has gone since it came. */
  #handOver(slot: Slot, from: number): void {
    for (let at = from; at >= 0; at--) {
      const target = this.#targets[at];
      if (target.lastJump > this.#since[slot]) this.#arrive(target, slot);
      // No jump leaves more than one loop.
      if (target.kind === "break") return;
    }
  }

  #arrive(target: Target, slot: Slot): void {
    if (this.#declaredAt[slot] >= target.mark) return;
    const value = this.#value[slot];
    target.arrivals ??= new Map();
    const known = target.arrivals.get(slot);
    if (known === undefined) target.arrivals.set(slot, value);
    else if (known === value) return;
    else if (target.joins?.has(known)) this.#graph.edge(known, value);
    else {
      const join = this.#graph.node("join", target.reason);
      this.#graph.edge(join, known);
      this.#graph.edge(join, value);
      target.joins ??= new Set();
      target.joins.add(join);
      target.arrivals.set(slot, join);
    }
  }

  // ---------------------------------------------------------------- loops

  beginLoop(reason: Reason): Loop {
    const loop: Loop = {
      reason,
      start: this.#now,
      mark: this.#logLength,
      outside: this.#open,
      breaks: this.open("break", reason),
      continues: this.open("continue", reason),
      entries: [],
    };
    this.#loops.push(loop);
    return loop;
  }

  /** From the body to the continuing block. `endsNormally`: the end of the body can be reached. */
  beginContinuing(loop: Loop, endsNormally: boolean): void {
    if (endsNormally) this.jump(loop.continues);
    for (let at = loop.mark; at < this.#logLength; at++) {
      const slot = this.#log[at];
      if (this.#declaredAt[slot] < loop.mark) loop.continues.touch(slot);
    }
    this.close(loop.continues);
  }

  /** `repeats`: control can go from the end of the continuing block to the start of the body. */
  endLoop(loop: Loop, repeats: boolean): void {
    if (repeats) for (const { slot, node } of loop.entries) this.#graph.edge(node, this.#value[slot]);
    this.rollBack(loop.mark, loop.breaks);
    for (const { slot, before, depth } of loop.entries) {
      if (loop.breaks.lastJump > this.#since[slot]) this.#arrive(loop.breaks, slot);
      this.#set(slot, before);
      this.#depth[slot] = depth;
    }
    this.#loops.pop();
    // What the loop only reads is the same behind it.
    const { arrivals } = loop.breaks;
    for (const { slot, node } of loop.entries) {
      if (arrivals?.get(slot) === node && this.#graph.hasOneEdge(node)) arrivals.delete(slot);
    }
    this.close(loop.breaks);
  }

  /** In each loop around a use, a variable of before has a value of its own at the start of an iteration. */
  #enterLoops(slot: Slot): void {
    for (let depth = this.#depth[slot]; depth < this.#loops.length; depth++) {
      const loop = this.#loops[depth];
      this.#handOver(slot, loop.outside - 1);
      const before = this.#value[slot];
      const node = this.#graph.node("loop-value", loop.reason);
      this.#graph.edge(node, before);
      loop.entries.push({ slot, node, before, depth });
      this.#value[slot] = node;
      this.#since[slot] = Math.max(this.#since[slot], loop.start);
      this.#depth[slot] = depth + 1;
    }
  }
}
