/**
 * Cells: what races are decided on. A store to one component counts as a write of its whole vector (of a matrix: its
 * column), so one cell for each innermost vector or scalar is exact; padding has no cells. A cell has the number of its
 * first unit of memory; a unit is 4 bytes, 2 where f16 lies. spec: #vector-access-expr
 */
import type { AccessSite } from "../engine/flat.ts";
import { type Layout, layoutOf } from "../layout/layout.ts";
import type { Type } from "../types/type.ts";

/** How the memory of one root variable is divided. */
export interface CellPlan {
  /** Bytes of a unit as a shift. */
  readonly shift: 1 | 2;
  /**
   * Two variables of different types name the same bytes, so that what is a vector to one may be scalars to the other:
   * every unit is a cell.
   */
  readonly mixed: boolean;
}

/** Byte offsets of the innermost vectors and scalars of a type, with the bytes that each takes. */
export function innermostParts(type: Type): readonly { readonly offset: number; readonly size: number }[] {
  const found: { offset: number; size: number }[] = [];
  collect(layoutOf(type), 0, found);
  return found;
}

function collect(layout: Layout, offset: number, found: { offset: number; size: number }[]): void {
  const { type, element, members } = layout;
  if (members.length > 0) for (const member of members) collect(member.layout, offset + member.offset, found);
  else if (element === null || type.kind === "vector") found.push({ offset, size: layout.size });
  else for (let i = 0; i < (layout.count ?? 0); i++) collect(element, offset + i * layout.stride!, found);
}

export function hasHalves(type: Type): boolean {
  switch (type.kind) {
    case "f16":
      return true;
    case "vector":
    case "matrix":
    case "array":
      return hasHalves(type.element);
    case "struct":
      return type.members.some((member) => hasHalves(member.type));
    default:
      return false;
  }
}

/** The cells that the accesses of one site touch. */
export class SiteCells {
  readonly shift: number;
  /** First units of the cells, counted from that of the access. */
  readonly relative: Int32Array;
  /** Components: the access's offset is rounded down by this to get to its vector; else 1. */
  readonly align: number;

  constructor({ type, vector, kind }: AccessSite, { shift, mixed }: CellPlan) {
    this.shift = shift;
    const whole = kind === "write" ? vector : null;
    if (mixed) {
      this.align = whole?.align ?? 1;
      const parts = whole === null ? innermostParts(type) : [{ offset: 0, size: whole.size }];
      this.relative = Int32Array.from(parts.flatMap((part) => unitsOf(part, shift)));
    } else {
      this.align = vector?.align ?? 1;
      this.relative = Int32Array.from(innermostParts(type).map(({ offset }) => offset >> shift));
    }
  }

  /** Unit of the first cell of an access at a byte of the memory. */
  first(offset: number): number {
    return (this.align === 1 ? offset : offset - (offset % this.align)) >> this.shift;
  }
}

function unitsOf({ offset, size }: { readonly offset: number; readonly size: number }, shift: number): number[] {
  const units: number[] = [];
  for (let at = offset; at < offset + size; at += 1 << shift) units.push(at >> shift);
  return units;
}
