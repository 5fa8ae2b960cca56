/** Atomic additions and subtractions that wrap, and counters left above what they index. */
import type { AccessSite } from "../engine/flat.ts";
import type { AccessEvent } from "../engine/observer.ts";
import type { IrModule, RootId } from "../ir/ir.ts";
import { type CounterIndex, counterIndices } from "./append-sites.ts";
import { endsItsLoop, instructionKey, isReread } from "./atomic-uses.ts";
import { type SumKind, sumKindAt } from "./sum-kinds.ts";
import { type Flow, type Use, valueGraph } from "./value-graph.ts";
import { invocationOf, type Witness, witness } from "./witness.ts";

export interface Wrapped {
  readonly code: "counter-underflow" | "counter-overflow";
  readonly witness: Witness;
  /** Bits before. */
  readonly before: number;
  count: number;
  /** Where the same invocation undoes it, as far as it does. */
  undo: AccessSite | null;
}

/** Subtractions are written as additions of what is this near to 2^32 as well. */
export const SMALL = 2 ** 16;

/** A counter that gives places, with the bytes at which it was counted. */
export interface CountedPlaces {
  readonly index: CounterIndex;
  readonly offsets: Iterable<number>;
}

/** The last change that an invocation made to a counter. */
interface Change {
  readonly root: RootId;
  readonly offset: number;
  readonly delta: number;
  readonly wrapped: Wrapped | null;
}

export class CounterMonitor {
  readonly #wrapped = new Map<string, Wrapped>();
  readonly #last = new Map<number, Change>();
  /** By place: how often it went above its greatest value, less how often below its least. */
  readonly #rounds = new Map<string, number>();
  /** Counters that give places, by key of their additions: byte offsets that were counted at. */
  readonly #counted = new Map<string, Set<number>>();
  readonly #keys = new Map<AccessSite, string>();
  readonly #indices: readonly CounterIndex[];
  readonly #module: IrModule;
  readonly #kinds = new Map<AccessSite, SumKind>();

  constructor(module: IrModule) {
    this.#module = module;
    this.#indices = appends(module);
    for (const { counter } of this.#indices) {
      this.#counted.set(instructionKey(counter.function, counter.inst.id), new Set());
    }
  }

  /** Only `atomicAdd` and `atomicSub` in bounds. */
  access(event: AccessEvent): void {
    this.#noteCounted(event);
    const { site, before, after } = event;
    const invocation = invocationOf(event);
    const delta = (after[0] - before[0]) | 0;
    if (delta === 0) return;
    const last = this.#last.get(invocation);
    const undoes =
      last !== undefined && last.root === site.root && last.offset === event.offset && last.delta === -delta;
    const code = wrapCode(site, before[0], delta, this.#kindOf(site));
    const isNew = code !== null && !this.#isWayBack(event, code);
    if (undoes) {
      if (last.wrapped !== null) last.wrapped.undo = site;
      this.#last.delete(invocation);
      return;
    }
    const wrapped = isNew ? this.#note(code, event) : null;
    this.#last.set(invocation, { root: site.root!, offset: event.offset, delta, wrapped });
  }

  #kindOf(site: AccessSite): SumKind {
    let kind = this.#kinds.get(site);
    if (kind === undefined) {
      kind = sumKindAt(this.#module, site);
      this.#kinds.set(site, kind);
    }
    return kind;
  }

  /** A counter that comes back from beyond one end wraps once more: that says nothing new. */
  #isWayBack({ site, workgroup, offset }: AccessEvent, code: Wrapped["code"]): boolean {
    const place = `${site.space === "workgroup" ? workgroup.index : ""} ${site.root} ${offset}`;
    const step = code === "counter-underflow" ? -1 : 1;
    const rounds = this.#rounds.get(place) ?? 0;
    this.#rounds.set(place, rounds + step);
    return rounds * step < 0;
  }

  #note(code: Wrapped["code"], event: AccessEvent): Wrapped {
    const key = `${code}:${event.site.id}`;
    let wrapped = this.#wrapped.get(key);
    if (wrapped === undefined) {
      wrapped = { code, witness: witness(event), before: event.before[0], count: 0, undo: null };
      this.#wrapped.set(key, wrapped);
    }
    wrapped.count++;
    return wrapped;
  }

  #noteCounted({ site, offset }: AccessEvent): void {
    if (this.#counted.size === 0) return;
    let key = this.#keys.get(site);
    if (key === undefined) {
      key = instructionKey(site.function, site.instruction);
      this.#keys.set(site, key);
    }
    this.#counted.get(key)?.add(offset);
  }

  workgroupEnded(first: number, size: number): void {
    for (let i = 0; i < size; i++) this.#last.delete(first + i);
  }

  wrapped(): readonly Wrapped[] {
    return [...this.#wrapped.values()];
  }

  counted(): readonly CountedPlaces[] {
    return this.#indices.map((index) => {
      const { counter } = index;
      return { index, offsets: this.#counted.get(instructionKey(counter.function, counter.inst.id))! };
    });
  }
}

/**
 * Counters that say where the next element goes. One whose value also leads to what is read elsewhere, or in a loop that
 * ends by it to what is put there, hands out pieces of work: it goes past the end by design.
 */
export function appends(module: IrModule): readonly CounterIndex[] {
  const graph = valueGraph(module);
  const isTicket = ({ counter, user }: CounterIndex) => {
    const reached = graph.targets(graph.node(counter.function, counter.inst.id), MADE_OF, (node) =>
      isBuffer(module, graph.rootOf(node)),
    );
    const uses = [...reached].flatMap((node) => graph.uses[node]);
    const isPutThere = user.inst.kind === "store" && reached.has(graph.node(user.function, user.inst.value));
    const isEnd = (use: Use): boolean =>
      isReread(graph, counter.function, counter.inst, use) ||
      (use.function !== counter.function && endsItsLoop(graph, use));
    if (isPutThere && uses.some(isEnd)) return true;
    return uses.some(({ kind, inst }) => kind === "index" && inst.kind === "load" && inst.root !== user.inst.root);
  };
  return counterIndices(module).filter((index) => index.user.inst.kind !== "load" && !isTicket(index));
}

const MADE_OF: ReadonlySet<Flow> = new Set(["copy", "add", "minus", "choice", "compute"]);

function isBuffer(module: IrModule, root: RootId | null): boolean {
  return root !== null && module.roots[root].space === "storage";
}

/** What the addition of `delta` (as i32) did, where the result is not the sum. */
function wrapCode({ type, atomic }: AccessSite, before: number, delta: number, kind: SumKind): Wrapped["code"] | null {
  if (kind === "signed") return null;
  if (type.kind === "atomic" && type.element.kind === "i32") {
    // The sum of two i32 is exact here; the least one is its own opposite.
    const sum = before + (atomic === "atomicSub" && delta === -0x80000000 ? -delta : delta);
    if (sum > 0x7fffffff) return "counter-overflow";
    return sum < -0x80000000 ? "counter-underflow" : null;
  }
  const operand = atomic === "atomicSub" ? -delta : delta;
  const added = kind === "negated" ? -(-operand >>> 0) : operand >= -SMALL ? operand : operand >>> 0;
  const signed = atomic === "atomicSub" ? -added : added;
  const sum = (before >>> 0) + signed;
  if (sum > 0xffffffff) return "counter-overflow";
  return sum < 0 ? "counter-underflow" : null;
}
