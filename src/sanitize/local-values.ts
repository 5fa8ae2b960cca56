/**
 * Which stores to a local variable its loads can get their value from. Only of variables that are loaded and stored as a
 * whole and whose pointer goes nowhere else.
 */
import type { Block, InstId, Instruction, IrFunction } from "../ir/ir.ts";
import { blocksOf, eachInstruction, operandsOf } from "../ir/walk.ts";

/** By load: the stores that it may see. */
export type SeenStores = ReadonlyMap<InstId, ReadonlySet<InstId>>;

export function seenStores(fn: IrFunction): SeenStores {
  return new Reaching(fn).run();
}

/** What a variable holds: what a store left, or one of several values where ways meet; null: nothing was stored. */
type Value = InstId | Value[] | null;

/** What variables hold: those stored to since some place, and what held there. */
class Values {
  readonly #before: Values | null;
  readonly #own = new Map<number, Value>();

  constructor(before: Values | null) {
    this.#before = before;
  }

  get(local: number): Value {
    const own = this.#own.get(local);
    return own !== undefined ? own : (this.#before?.get(local) ?? null);
  }

  set(local: number, value: Value): void {
    this.#own.set(local, value);
  }

  /** A copy of all since `start`. */
  since(start: Values): Values {
    const copy = new Values(start);
    for (let at: Values = this; at !== start; at = at.#before!) {
      for (const [local, value] of at.#own) if (!copy.#own.has(local)) copy.set(local, value);
    }
    return copy;
  }

  /**
   * Control comes by ways that began here; null: one that does not get here. False: none does. Of many ways few store to a
   * variable: each of them is asked for what it has stored alone.
   */
  meet(ways: readonly (Values | null)[]): boolean {
    const open = ways.filter((way) => way !== null);
    const met = new Map<number, Met>();
    for (const [i, way] of open.entries()) {
      for (const [local, value] of way.#own) {
        let known = met.get(local);
        if (known === undefined) {
          known = { values: new Set(), ways: 0 };
          met.set(local, known);
        }
        if (known.ways < i) known.values.add(this.get(local));
        known.values.add(value);
        known.ways++;
      }
    }
    for (const [local, { values, ways: count }] of met) {
      if (count < open.length) values.add(this.get(local));
      this.set(local, values.size === 1 ? [...values][0] : [...values]);
    }
    return open.length > 0;
  }
}

/** What a variable holds where ways meet, and how many of them have stored to it. */
interface Met {
  readonly values: Set<Value>;
  ways: number;
}

/** Ways out of a loop or switch, or on in it, from where it began. */
class Exits {
  readonly #start: Values;
  readonly ways: Values[] = [];

  constructor(start: Values) {
    this.#start = start;
  }

  add(values: Values): void {
    this.ways.push(values.since(this.#start));
  }
}

interface Around {
  readonly break: Exits | null;
  readonly continue: Exits | null;
}

class Reaching {
  readonly #fn: IrFunction;
  /** Local variables by the instruction that points to them. */
  readonly #locals = new Map<InstId, number>();
  readonly #loaded = new Map<InstId, Value>();

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
    this.#block(this.#fn.body, new Values(null), { break: null, continue: null });
    return new Map([...this.#loaded].map(([load, value]) => [load, storesIn(value)]));
  }

  /** What holds behind the block; null where control does not get there. */
  #block({ instructions }: Block, before: Values, around: Around): Values | null {
    const values = new Values(before);
    for (const inst of instructions) if (!this.#instruction(inst, values, around)) return null;
    return values;
  }

  /** Brings the values up to date; false where control does not get behind the instruction. */
  #instruction(inst: Instruction, values: Values, around: Around): boolean {
    switch (inst.kind) {
      case "load": {
        const local = this.#locals.get(inst.pointer);
        if (local !== undefined) this.#loaded.set(inst.id, values.get(local));
        return true;
      }
      case "store": {
        const local = this.#locals.get(inst.pointer);
        if (local !== undefined) values.set(local, inst.id);
        return true;
      }
      case "if":
        return values.meet([inst.then, inst.otherwise].map((block) => this.#block(block, values, around)));
      case "switch": {
        const exits = new Exits(values);
        const ends = inst.clauses.map(({ body }) => this.#block(body, values, { ...around, break: exits }));
        return values.meet([...ends, ...exits.ways]);
      }
      case "loop":
        return this.#loop(inst, values);
      case "break":
      case "continue":
        around[inst.kind]!.add(values);
        return false;
      case "return":
        return false;
      default:
        return true;
    }
  }

  #loop(loop: Extract<Instruction, { kind: "loop" }>, values: Values): boolean {
    const start = new Values(values);
    const kept = new Map<number, Value[]>();
    for (const local of this.#storedIn(loop)) {
      // A round begins with what held before the loop, or with what the round before it left.
      const either = [values.get(local)];
      kept.set(local, either);
      start.set(local, either);
    }
    const around = { break: new Exits(values), continue: new Exits(start) };
    const end = this.#block(loop.body, start, around);
    const middle = new Values(start);
    const next = middle.meet([end, ...around.continue.ways]) ? this.#block(loop.continuing, middle, around) : null;
    if (next !== null) for (const [local, either] of kept) either.push(next.get(local));
    if (next !== null && loop.breakIf !== null) around.break.add(next);
    return values.meet(around.break.ways);
  }

  /** Variables that are stored to in a loop. */
  #storedIn(loop: Instruction): ReadonlySet<number> {
    const stored = new Set<number>();
    for (const block of blocksOf(loop)) {
      eachInstruction(block, (inst) => {
        const local = inst.kind === "store" ? this.#locals.get(inst.pointer) : undefined;
        if (local !== undefined) stored.add(local);
      });
    }
    return stored;
  }
}

/** In order of control, as far as there is one. */
function storesIn(value: Value): ReadonlySet<InstId> {
  const stores = new Set<InstId>();
  const seen = new Set<Value>();
  const open = [value];
  while (open.length > 0) {
    const next = open.pop()!;
    if (typeof next === "number") stores.add(next);
    else if (next !== null && !seen.has(next)) {
      seen.add(next);
      for (let i = next.length - 1; i >= 0; i--) open.push(next[i]);
    }
  }
  return stores;
}
