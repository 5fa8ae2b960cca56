/**
 * Which stores to a local variable its loads can get their value from. Only of variables that are loaded and stored as a
 * whole and whose pointer goes nowhere else.
 */
import type { Block, InstId, Instruction, IrFunction } from "../ir/ir.ts";
import { eachInstruction, operandsOf } from "../ir/walk.ts";

/** By load: the stores that it may see. */
export type SeenStores = ReadonlyMap<InstId, ReadonlySet<InstId>>;

export function seenStores(fn: IrFunction): SeenStores {
  return new Reaching(fn).run();
}

/** By local variable: the stores that may have been the last. */
type Last = ReadonlyMap<number, ReadonlySet<InstId>>;

interface Exits {
  readonly breaks: Last[];
  readonly continues: Last[];
}

class Reaching {
  readonly #fn: IrFunction;
  /** Local variables by the instruction that points to them. */
  readonly #locals = new Map<InstId, number>();
  readonly #seen = new Map<InstId, Set<InstId>>();

  constructor(fn: IrFunction) {
    this.#fn = fn;
    const escaped = new Set<number>();
    eachInstruction(fn.body, (inst) => {
      if (inst.kind === "local") this.#locals.set(inst.id, inst.local);
      const whole = inst.kind === "load" || inst.kind === "store" ? inst.pointer : null;
      for (const id of operandsOf(inst)) {
        const local = this.#locals.get(id);
        if (local !== undefined && id !== whole) escaped.add(local);
      }
    });
    for (const [id, local] of this.#locals) if (escaped.has(local)) this.#locals.delete(id);
  }

  run(): SeenStores {
    this.#block(this.#fn.body, new Map(), { breaks: [], continues: [] });
    return this.#seen;
  }

  /** What holds behind the block; null where control does not get there. */
  #block({ instructions }: Block, before: Last, exits: Exits): Last | null {
    let last: Last | null = before;
    for (const inst of instructions) {
      last = this.#instruction(inst, last, exits);
      if (last === null) return null;
    }
    return last;
  }

  #instruction(inst: Instruction, last: Last, exits: Exits): Last | null {
    switch (inst.kind) {
      case "load":
        this.#load(inst.id, inst.pointer, last);
        return last;
      case "store": {
        const local = this.#locals.get(inst.pointer);
        return local === undefined ? last : new Map(last).set(local, new Set([inst.id]));
      }
      case "if": {
        const ways = [inst.then, inst.otherwise].map((block) => this.#block(block, last, exits));
        return joined(ways);
      }
      case "switch": {
        const own: Exits = { breaks: [], continues: exits.continues };
        const ways = inst.clauses.map(({ body }) => this.#block(body, last, own));
        return joined([...ways, ...own.breaks]);
      }
      case "loop":
        return this.#loop(inst, last);
      case "break":
        exits.breaks.push(last);
        return null;
      case "continue":
        exits.continues.push(last);
        return null;
      case "return":
        return null;
      default:
        return last;
    }
  }

  #load(id: InstId, pointer: InstId, last: Last): void {
    const local = this.#locals.get(pointer);
    if (local === undefined) return;
    const seen = this.#seen.get(id) ?? new Set<InstId>();
    for (const store of last.get(local) ?? []) seen.add(store);
    this.#seen.set(id, seen);
  }

  #loop({ body, continuing, breakIf }: Extract<Instruction, { kind: "loop" }>, before: Last): Last | null {
    let start = before;
    for (;;) {
      const exits: Exits = { breaks: [], continues: [] };
      const end = joined([this.#block(body, start, exits), ...exits.continues]);
      const next = end === null ? null : this.#block(continuing, end, exits);
      const again = next === null ? start : joined([start, next])!;
      if (sizeOf(again) === sizeOf(start)) return joined([breakIf === null ? null : next, ...exits.breaks]);
      start = again;
    }
  }
}

function joined(ways: readonly (Last | null)[]): Last | null {
  const [first, ...others] = ways.filter((way) => way !== null);
  if (first === undefined) return null;
  if (others.length === 0) return first;
  const all = new Map<number, ReadonlySet<InstId>>(first);
  for (const way of others) {
    for (const [local, stores] of way) all.set(local, new Set([...(all.get(local) ?? []), ...stores]));
  }
  return all;
}

function sizeOf(last: Last): number {
  let size = 0;
  for (const stores of last.values()) size += stores.size;
  return size;
}
