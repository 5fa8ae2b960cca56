/**
 * Memory in which invocations keep what one phase hands on to another: scalars in slots, each scalar of all invocations
 * side by side, so that a phase walks along them; variables with an address and large values in a block per invocation.
 */
import { layoutOf, roundUp } from "../../layout/layout.ts";
import type { Emitter } from "./emitter.ts";
import { type Expr, isConstant } from "./expression.ts";
import { isFour } from "./four.ts";
import { OP } from "./instructions.ts";
import type { Phase, Plan } from "./phases.ts";
import { loadScalar, storeScalar } from "./scalar-memory.ts";
import { isLarge, type Kind, scalarPlaces } from "./scalars.ts";
import type { ValueId, VariableId } from "./tree.ts";
import { isLargeValue, type Place } from "./values.ts";

interface Slots {
  /** Of the first invocation's first scalar. */
  readonly offset: number;
  readonly kinds: readonly Kind[];
}

export class KeptMemory {
  readonly #e: Emitter;
  readonly #invocations: number;
  readonly #variableSlots = new Map<VariableId, Slots>();
  readonly #valueSlots = new Map<ValueId, Slots>();
  /** Of large values, in the block of their invocation. */
  readonly #ownOffsets = new Map<ValueId, number>();
  /** Bytes of a block, and where the first one begins. */
  #ownStride = 0;
  #ownStart = 0;
  /** Of the invocation that runs: where its slots begin, and its block. */
  #slots: Expr | null = null;
  /** Bytes behind that. */
  #ahead = 0;
  #own: Expr | null = null;

  constructor(e: Emitter, plan: Plan, invocations: number) {
    this.#e = e;
    this.#invocations = invocations;
    const { variables, types, memoryVariables, environment } = e.input;
    const own = (size: number): number => {
      const offset = this.#ownStride;
      this.#ownStride += roundUp(16, size);
      return offset;
    };
    for (const id of plan.keptVariables) {
      const { type } = variables[id];
      if (memoryVariables.has(id)) {
        const offset = own(layoutOf(type).size);
        e.homes.set(id, { kind: "memory", place: () => ({ address: this.#own!, offset }) });
      } else this.#variableSlots.set(id, this.#allocate(scalarPlaces(type).map(({ kind }) => kind)));
    }
    for (const id of plan.keptValues) {
      const type = types[id];
      if (isLarge(type)) this.#ownOffsets.set(id, own(layoutOf(type).size));
      else this.#valueSlots.set(id, this.#allocate(scalarPlaces(type).map(({ kind }) => kind)));
    }
    if (this.#ownStride > 0) this.#ownStart = environment.scratch.allocate(this.#ownStride * invocations);
  }

  /** f16 values are kept as the f32 that they are. */
  #allocate(kinds: readonly Kind[]): Slots {
    const offset = this.#e.environment.scratch.allocate(kinds.length * this.#invocations * 4);
    return { offset, kinds: kinds.map((kind) => (kind === "f16" ? "f32" : kind)) };
  }

  /** For the code of one invocation, by its local index. */
  enter(scratch: Expr, lane: Expr): void {
    const { x } = this.#e;
    const times = (index: Expr, stride: number): Expr => x.binary(OP.i32_mul, "i32", index, x.i32(stride));
    this.#slots = scratch;
    this.#ahead = 0;
    for (const part of this.#e.partsOf(lane)) {
      if (isConstant(part)) this.#ahead += 4 * part.low;
      else this.#slots = x.binary(OP.i32_add, "i32", this.#slots, times(part, 4));
    }
    if (this.#ownStride === 0) return;
    const start = x.binary(OP.i32_add, "i32", scratch, x.i32(this.#ownStart));
    this.#own = this.#e.keep(x.binary(OP.i32_add, "i32", start, times(lane, this.#ownStride)));
  }

  leave(): void {
    this.#slots = this.#own = null;
  }

  #place({ offset }: Slots, index: number): Place {
    return { address: this.#slots!, offset: this.#ahead + offset + index * this.#invocations * 4 };
  }

  #load(slots: Slots, index: number): Expr {
    const { address, offset } = this.#place(slots, index);
    return loadScalar(this.#e, slots.kinds[index], address, offset);
  }

  #store(slots: Slots, scalars: readonly Expr[]): void {
    for (const [index, kind] of slots.kinds.entries()) {
      storeScalar(this.#e, kind, this.#place(slots, index), scalars[index]);
    }
  }

  /** What the phase needs of earlier ones. */
  fetch(phase: Phase): void {
    const e = this.#e;
    for (const [id, offset] of this.#ownOffsets) e.setArea(id, { address: this.#own!, offset });
    for (const id of phase.fetched) {
      const slots = this.#variableSlots.get(id);
      const home = e.home(id);
      if (slots === undefined || home.kind !== "locals") continue;
      for (const [index, kind] of slots.kinds.entries()) {
        const { type } = home.content[index];
        const loaded = this.#load(slots, index);
        e.write(isFour(type) ? e.x.fours.splat(loaded, type) : loaded);
        e.setLocal(home.locals[index]);
        home.content[index] = e.x.local(home.locals[index], type, 0, kind === "bool" ? 1 : 0xffffffff);
      }
    }
    for (const id of phase.fetchedValues) {
      const slots = this.#valueSlots.get(id);
      if (slots !== undefined) e.values[id] = slots.kinds.map((_, index) => e.keep(this.#load(slots, index)));
      else e.defineLarge(id, { type: e.input.types[id], address: this.#own, offset: this.#ownOffsets.get(id)! });
    }
  }

  /** A large value lies there already. */
  keepValue(id: ValueId): void {
    const slots = this.#valueSlots.get(id);
    const value = this.#e.values[id];
    if (slots !== undefined && value !== undefined && !isLargeValue(value)) this.#store(slots, value);
  }

  keepVariable(id: VariableId): void {
    const slots = this.#variableSlots.get(id);
    const home = this.#e.home(id);
    if (slots !== undefined && home.kind === "locals") this.#store(slots, home.content);
  }
}
