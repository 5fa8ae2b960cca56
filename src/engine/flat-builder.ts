/** Collects a flat program: code, frame slots, constants and the tables that instructions index. */
import type { FunctionId, InstId, IrModule, RootId } from "../ir/ir.ts";
import { layoutOf } from "../layout/layout.ts";
import type { Span } from "../text/source.ts";
import type { Type } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import type { AccessSite, BarrierSite, FlatProgram, Origin, Shape, SubgroupSite } from "./flat.ts";
import { OPCODE, type Opcode } from "./opcodes.ts";
import { scalarFunctionIndex } from "./scalar-functions.ts";

/** A place in the code that jumps may name before it is known. */
export interface Label {
  position: number;
  readonly uses: number[];
}

/** Slots in a row. */
export interface SlotRun {
  readonly first: number;
  readonly count: number;
}

type WithoutOrigin<T> = Omit<T, "id" | keyof Origin>;

/** Where the scalars of a type lie in memory; bool has four bytes there. */
export function shapeOf(type: Type): Shape {
  const offsets: number[] = [];
  const halves: number[] = [];
  collectScalars(type, 0, offsets, halves);
  const runs: { offset: number; size: number }[] = [];
  for (const [index, offset] of offsets.entries()) {
    const size = halves[index] === 1 ? 2 : 4;
    const last = runs.at(-1);
    if (last !== undefined && last.offset + last.size === offset) last.size += size;
    else runs.push({ offset, size });
  }
  return { offsets: Int32Array.from(offsets), halves: Uint8Array.from(halves), runs };
}

function collectScalars(type: Type, at: number, offsets: number[], halves: number[]): void {
  const layout = layoutOf(type);
  switch (type.kind) {
    case "struct":
      for (const member of layout.members) collectScalars(member.layout.type, at + member.offset, offsets, halves);
      return;
    case "array":
    case "matrix":
    case "vector": {
      const element = layout.element!;
      const stride = layout.stride ?? element.size;
      for (let i = 0; i < layout.count!; i++) collectScalars(element.type, at + i * stride, offsets, halves);
      return;
    }
    default:
      offsets.push(at);
      halves.push(type.kind === "f16" ? 1 : 0);
  }
}

export class FlatBuilder {
  readonly module: IrModule;
  /** As far as `position`, each of them: of a large module they are very long, and arrays of numbers are copied as they grow. */
  #code = new Int32Array(1024);
  #siteAt = new Int32Array(1024).fill(-1);
  #originAt = new Int32Array(1024).fill(-1);
  #position = 0;
  readonly #origins: Origin[] = [];
  #origin: Origin;
  /** Initial bits of the slots that have any. */
  readonly #initial = new Map<number, number>();
  readonly #constants = new Map<number, number>();
  /** Slots of the composite constants that have some of their own: a lookup table is there once, however often used. */
  readonly composites = new Map<ConstValue, readonly number[]>();
  readonly #lengthSlots = new Map<RootId, number>();
  readonly #shapes = new Map<Type, number>();
  readonly #shapeList: Shape[] = [];
  readonly #slotLists: Int32Array[] = [];
  readonly #switches: { targets: Map<number, number>; otherwise: number }[] = [];
  readonly #barriers: BarrierSite[] = [];
  readonly #subgroups: SubgroupSite[] = [];
  readonly #sites: AccessSite[] = [];
  #frameSize = 0;
  /** Slots that nobody needs any more, by how many they are. */
  readonly #free = new Map<number, number[]>();
  /** Slots that were taken for what is emitted now; null: none were. */
  #taken: SlotRun[] | null = null;
  /** What is emitted now lies in so many others that note what they take; 0: what is taken is for good. */
  #depth = 0;

  constructor(module: IrModule) {
    this.module = module;
    this.#origin = { function: module.entryPoint, instruction: -1, span: module.functions[module.entryPoint].span };
    // Position 0 is nobody's, so that a fault of 0 is none.
    this.emit("end");
  }

  /** Says which IR instruction what follows comes from. */
  setOrigin(fn: FunctionId, instruction: InstId, span: Span): void {
    this.#origin = { function: fn, instruction, span };
  }

  // ------------------------------------------------------------ slots

  /** The first of `count` slots: for good, or until they are given back (`begin`). */
  slots(count: number): number {
    if (this.#depth === 0) return this.lastingSlots(count);
    const first = this.#free.get(count)?.pop() ?? this.lastingSlots(count);
    this.#taken ??= [];
    this.#taken.push({ first, count });
    return first;
  }

  /** The first of `count` slots that nothing else will ever be in. */
  lastingSlots(count: number): number {
    const first = this.#frameSize;
    this.#frameSize += count;
    return first;
  }

  /** Notes the slots that are taken from here to `end`, but for what is emitted between likewise; gives what `end` needs. */
  begin(): SlotRun[] | null {
    const outer = this.#taken;
    this.#taken = null;
    this.#depth++;
    return outer;
  }

  /** The slots that were taken; null: none were. */
  end(outer: SlotRun[] | null): readonly SlotRun[] | null {
    const taken = this.#taken;
    this.#taken = outer;
    this.#depth--;
    return taken;
  }

  /** They may be taken again. */
  giveBack(runs: readonly SlotRun[]): void {
    for (const { first, count } of runs) {
      const known = this.#free.get(count);
      if (known === undefined) this.#free.set(count, [first]);
      else known.push(first);
    }
  }

  /** What callees have in them changes while callers run: each function has its own. */
  forgetFree(): void {
    this.#free.clear();
  }

  range(count: number): number[] {
    const first = this.slots(count);
    return Array.from({ length: count }, (_, index) => first + index);
  }

  initialize(slot: number, bits: number): void {
    this.#initial.set(slot, bits | 0);
  }

  /** The slot that holds these 32 bits from the start. */
  constant(bits: number): number {
    bits |= 0;
    let slot = this.#constants.get(bits);
    if (slot === undefined) {
      slot = this.lastingSlots(1);
      this.#constants.set(bits, slot);
      this.initialize(slot, bits);
    }
    return slot;
  }

  lengthSlot(root: RootId): number {
    let slot = this.#lengthSlots.get(root);
    if (slot === undefined) {
      slot = this.lastingSlots(1);
      this.#lengthSlots.set(root, slot);
    }
    return slot;
  }

  // ------------------------------------------------------------ code

  get position(): number {
    return this.#position;
  }

  emit(opcode: Opcode, ...operands: readonly number[]): void {
    const at = this.#position;
    while (at + operands.length >= this.#code.length) this.#grow();
    this.#code[at] = OPCODE[opcode];
    this.#code.set(operands, at + 1);
    this.#position += 1 + operands.length;
    if (this.#origins.at(-1) !== this.#origin) this.#origins.push(this.#origin);
    this.#originAt[at] = this.#origins.length - 1;
  }

  #grow(): void {
    const grown = (old: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> => {
      const made = new Int32Array(old.length * 2).fill(-1);
      made.set(old);
      return made;
    };
    this.#code = grown(this.#code);
    this.#siteAt = grown(this.#siteAt);
    this.#originAt = grown(this.#originAt);
  }

  /** Applies a function of `scalar-functions.ts`, named by operation and operand kinds: `/ i32`. */
  scalar(name: string, d: number, operands: readonly number[]): void {
    const [a, b = 0, c = 0, e = 0] = operands;
    this.emit("scalar", scalarFunctionIndex(name), d, a, b, c, e);
  }

  label(): Label {
    return { position: -1, uses: [] };
  }

  place(label: Label): void {
    label.position = this.position;
    for (const use of label.uses) this.#code[use] = label.position;
  }

  jump(label: Label): void {
    this.emit("jump", label.position);
    this.#use(label);
  }

  jumpIf(opcode: "jump-if-zero" | "jump-if-not-zero", condition: number, label: Label): void {
    this.emit(opcode, condition, label.position);
    this.#use(label);
  }

  #use(label: Label): void {
    if (label.position < 0) label.uses.push(this.position - 1);
  }

  /** Emits the switch; its targets are filled in while the clauses are. */
  switch(selector: number): { targets: Map<number, number>; otherwise: number } {
    const table = { targets: new Map<number, number>(), otherwise: -1 };
    this.emit("switch", selector, this.#switches.push(table) - 1);
    return table;
  }

  // ------------------------------------------------------------ tables

  shape(type: Type): number {
    let index = this.#shapes.get(type);
    if (index === undefined) {
      index = this.#shapeList.push(shapeOf(type)) - 1;
      this.#shapes.set(type, index);
    }
    return index;
  }

  shapeAt(index: number): Shape {
    return this.#shapeList[index];
  }

  slotList(slots: readonly number[]): number {
    return this.#slotLists.push(Int32Array.from(slots)) - 1;
  }

  barrier(site: WithoutOrigin<BarrierSite>): void {
    this.emit("barrier", this.#barriers.length);
    this.#barriers.push({ id: this.#barriers.length, ...this.#origin, ...site });
  }

  subgroup(site: WithoutOrigin<SubgroupSite>): void {
    this.emit("subgroup", this.#subgroups.length);
    this.#subgroups.push({ ...this.#origin, ...site });
  }

  /** Says of the instruction emitted next that it makes this access. */
  site(site: WithoutOrigin<AccessSite>): void {
    const id = this.#sites.length;
    this.#sites.push({ id, ...this.#origin, ...site });
    this.#pendingSite = id;
  }
  #pendingSite = -1;

  /** An instruction that accesses memory: the site given just before is its. */
  emitAccess(opcode: Opcode, ...operands: readonly number[]): void {
    const at = this.position;
    this.emit(opcode, ...operands);
    this.#siteAt[at] = this.#pendingSite;
  }

  finish(program: Pick<FlatProgram, "start" | "builtins" | "functions" | "privateSlots" | "privateSize">): FlatProgram {
    const template = new Int32Array(this.#frameSize);
    for (const [slot, bits] of this.#initial) template[slot] = bits;
    return {
      module: this.module,
      code: this.#code.slice(0, this.#position),
      frameSize: this.#frameSize,
      template,
      lengths: [...this.#lengthSlots].map(([root, slot]) => ({ root, slot })),
      switches: this.#switches,
      barriers: this.#barriers,
      subgroups: this.#subgroups,
      slotLists: this.#slotLists,
      shapes: this.#shapeList,
      sites: this.#sites,
      siteAt: this.#siteAt.slice(0, this.#position),
      originAt: this.#originAt.slice(0, this.#position),
      origins: this.#origins,
      ...program,
    };
  }
}
