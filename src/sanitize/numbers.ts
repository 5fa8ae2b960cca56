/** Watches a module with numeric checks: which operations went wrong, and which NaN or infinity reached a buffer. */
import type { AccessSite } from "../engine/flat.ts";
import type { AccessEvent, Observer } from "../engine/observer.ts";
import type { Type } from "../types/type.ts";
import type { NumericModule, NumericSite } from "./numeric-pass.ts";
import { invocationOf, type Witness, witness } from "./witness.ts";

export interface NumericFound {
  readonly site: NumericSite;
  readonly witness: Witness;
  /** Bits of the value that is told of. */
  readonly bits: number;
  /** Where the NaN or infinity was stored. */
  readonly reached: Witness | null;
  count: number;
}

/** A NaN or an infinity as it came up. */
interface Birth {
  readonly site: number;
  readonly witness: Witness;
  readonly bits: number;
}

export class NumberMonitor implements Observer {
  readonly #numbers: NumericModule;
  readonly #found = new Map<number, NumericFound>();
  /** By invocation: the birth that it saw last. */
  readonly #last = new Map<number, Birth>();
  /** By place in memory that others read: the birth of what lies there. */
  readonly #there = new Map<string, Birth>();

  constructor(numbers: NumericModule) {
    this.#numbers = numbers;
  }

  access(event: AccessEvent): void {
    const { site, offset, after, inBounds } = event;
    if (!inBounds) return;
    if (site.root === this.#numbers.root) this.#report(event, offset / 4, after[0]);
    else if (isFloat(site.type)) this.#follow(event);
  }

  #report(event: AccessEvent, index: number, bits: number): void {
    const site = this.#numbers.sites[index];
    if (site.kind === "nan-origin") {
      this.#last.set(invocationOf(event), { site: index, witness: witness(event), bits });
      return;
    }
    this.#add(index, site, witness(event), bits, null);
  }

  #add(index: number, site: NumericSite, seen: Witness, bits: number, reached: Witness | null): void {
    const known = this.#found.get(index);
    if (known !== undefined) known.count++;
    else this.#found.set(index, { site, witness: seen, bits, reached, count: 1 });
  }

  /** NaNs and infinities on their way through memory. */
  #follow(event: AccessEvent): void {
    const { site, workgroup, offset, after } = event;
    const own = site.space === "workgroup" ? workgroup.index : -1;
    const invocation = invocationOf(event);
    for (let i = 0; i < site.shape.offsets.length; i++) {
      if (isFinite32(after[i], site, i)) continue;
      const place = `${own} ${site.root} ${offset + site.shape.offsets[i]}`;
      if (site.kind === "read") {
        const there = this.#there.get(place);
        if (there !== undefined) this.#last.set(invocation, there);
        continue;
      }
      const birth = this.#last.get(invocation);
      if (birth === undefined) continue;
      this.#there.set(place, birth);
      const { site: index } = birth;
      if (site.space === "storage") {
        this.#add(index, this.#numbers.sites[index], birth.witness, birth.bits, witness(event));
      }
    }
  }

  finish(): readonly NumericFound[] {
    return [...this.#found.values()];
  }
}

function isFloat(type: Type): boolean {
  if (type.kind === "vector" || type.kind === "matrix") return true;
  return type.kind === "f32" || type.kind === "f16" || type.kind === "struct" || type.kind === "array";
}

/** Whether the bits of a scalar are those of a finite number; of integers, which look like any, yes. */
function isFinite32(bits: number, { shape, type }: AccessSite, index: number): boolean {
  if (!holdsFloats(type)) return true;
  if (shape.halves[index] === 1) return (bits & 0x7c00) !== 0x7c00;
  return (bits & 0x7f800000) !== 0x7f800000;
}

/** Of structures only what is float throughout: a scalar's own type is not kept. */
function holdsFloats(type: Type): boolean {
  switch (type.kind) {
    case "vector":
    case "matrix":
    case "array":
      return holdsFloats(type.element);
    case "struct":
      return type.members.every((member) => holdsFloats(member.type));
    default:
      return type.kind === "f32" || type.kind === "f16";
  }
}
