/** Until when the values of a function are needed, so that their slots can be used again. */
import type { Block, InstId, Instruction, IrFunction } from "../ir/ir.ts";
import { blocksOf, operandsOf } from "../ir/walk.ts";

/** Their values are, or name, slots of what they are made of. */
const DERIVED: ReadonlySet<Instruction["kind"]> = new Set([
  ...(["construct", "splat", "extract", "swizzle", "convert", "bitcast", "access"] as const),
]);

/** By instruction: those in its block, or inside of it, whose values nobody needs once it is done. */
export class LastUses {
  /** By instruction: the first and last of those, and the one behind it among those of another; -1: there is none. */
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  readonly #next: Int32Array;

  constructor(fn: IrFunction) {
    [this.#first, this.#last, this.#next] = [0, 0, 0].map(() => new Int32Array(fn.instructionCount).fill(-1));
    const order: Instruction[] = [];
    /** By instruction: its place in `order`, and that of the last one inside of it. */
    const places = new Int32Array(fn.instructionCount).fill(-1);
    const ends = new Int32Array(fn.instructionCount).fill(-1);
    const number = ({ instructions }: Block): void => {
      for (const inst of instructions) {
        places[inst.id] = order.push(inst) - 1;
        for (const block of blocksOf(inst)) number(block);
        ends[inst.id] = order.length - 1;
      }
    };
    number(fn.body);
    this.#collect(fn.body, null, lastPlaces(order, places, ends), ends);
  }

  #collect({ instructions }: Block, around: InstId | null, lasts: Int32Array, ends: Int32Array): void {
    let at = 0;
    const inOrder = Int32Array.from(instructions, ({ id }) => id).sort((a, b) => lasts[a] - lasts[b]);
    for (const id of inOrder) {
      while (at < instructions.length && ends[instructions[at].id] < lasts[id]) at++;
      // What the end of a loop needs of its body is needed until the loop is done.
      const last = instructions[at]?.id ?? around;
      if (last !== null) this.#add(last, id);
    }
    for (const inst of instructions) for (const block of blocksOf(inst)) this.#collect(block, inst.id, lasts, ends);
  }

  #add(last: InstId, id: InstId): void {
    if (this.#first[last] < 0) this.#first[last] = id;
    else this.#next[this.#last[last]] = id;
    this.#last[last] = id;
  }

  each(last: InstId, visit: (id: InstId) => void): void {
    for (let id = this.#first[last]; id >= 0; id = this.#next[id]) visit(id);
  }
}

/** By instruction: the place of the last one that needs its value. */
function lastPlaces(order: readonly Instruction[], places: Int32Array, ends: Int32Array): Int32Array {
  const lasts = places.slice();
  const need = (id: InstId, place: number): void => {
    lasts[id] = Math.max(lasts[id], place);
  };
  for (const inst of order) if (inst.kind === "loop" && inst.breakIf !== null) need(inst.breakIf, ends[inst.id] + 1);
  // Backward: whoever uses a value comes behind it.
  for (let place = order.length - 1; place >= 0; place--) {
    const inst = order[place];
    const until = DERIVED.has(inst.kind) ? lasts[inst.id] : place;
    for (const id of operandsOf(inst)) need(id, until);
  }
  return lasts;
}
