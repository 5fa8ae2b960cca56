/**
 * Subgroup and quad operations, on the invocations that take part. Subgroups are runs of consecutive local indices.
 * What is indeterminate by the specification is zero here. spec: #subgroup-builtin-functions, #quad-builtin-functions
 */
import { roundToF16 } from "../numeric/float16.ts";
import * as integer from "../numeric/integer.ts";
import * as math from "../numeric/math.ts";
import type { SubgroupSite } from "./flat.ts";
import type { Workgroup } from "./workgroup.ts";

type Operand = NonNullable<SubgroupSite["operand"]>;
type Combine = (a: number, b: number) => number;

/** Place of the view in `Views` by which scalars of this kind are read and written. */
const VIEW: Readonly<Record<Operand, 0 | 1 | 2>> = { bool: 0, i32: 0, u32: 1, f32: 2, f16: 2 };

const float = (combine: Combine): Partial<Record<Operand, Combine>> => ({
  f32: (a, b) => Math.fround(combine(a, b)),
  f16: (a, b) => roundToF16(combine(a, b)),
});
const bits = (combine: Combine): Partial<Record<Operand, Combine>> => ({ bool: combine, i32: combine, u32: combine });

const COMBINE: Readonly<Record<string, Partial<Record<Operand, Combine>>>> = {
  Add: { i32: integer.addI32, u32: integer.addU32, ...float((a, b) => a + b) },
  Mul: { i32: integer.multiplyI32, u32: integer.multiplyU32, ...float((a, b) => a * b) },
  And: bits((a, b) => a & b),
  Or: bits((a, b) => a | b),
  Xor: bits((a, b) => a ^ b),
  Min: { i32: Math.min, u32: Math.min, ...float(math.min) },
  Max: { i32: Math.max, u32: Math.max, ...float(math.max) },
};

const REDUCTION = /^subgroup(Exclusive|Inclusive)?(Add|Mul|And|Or|Xor|Min|Max)$/;

/** From which subgroup invocation id a value comes. `id` is the receiver's own, `argument` its second argument. */
const SOURCES: Readonly<Record<string, (id: number, argument: number) => number>> = {
  subgroupBroadcast: (_, argument) => argument,
  subgroupShuffle: (_, argument) => argument,
  subgroupShuffleUp: (id, argument) => id - argument,
  subgroupShuffleDown: (id, argument) => id + argument,
  subgroupShuffleXor: (id, argument) => id ^ argument,
  quadBroadcast: (id, argument) => (id & ~3) + argument,
  quadSwapX: (id) => id ^ 1,
  quadSwapY: (id) => id ^ 2,
  quadSwapDiagonal: (id) => id ^ 3,
};

/** The active invocations of a subgroup at one operation. */
export interface ActiveGroup {
  readonly workgroup: Workgroup;
  /** Local index of the subgroup's invocation 0. */
  readonly first: number;
  /** Local indices, ascending; at least one. */
  readonly active: readonly number[];
}

export function runSubgroupOperation(site: SubgroupSite, group: ActiveGroup): void {
  const { name } = site;
  const reduction = REDUCTION.exec(name);
  if (reduction !== null) reduce(site, group, reduction[2], reduction[1] ?? null);
  else if (name === "subgroupAll") reduce(site, group, "And", null);
  else if (name === "subgroupAny") reduce(site, group, "Or", null);
  else if (name === "subgroupBallot") ballot(site, group);
  else if (name === "subgroupElect") elect(site, group);
  else if (name === "subgroupBroadcastFirst") move(site, group, () => group.active[0] - group.first);
  else if (Object.hasOwn(SOURCES, name)) {
    const argument = site.args[1]?.[0] ?? -1;
    move(site, group, (id, local) => SOURCES[name](id, read(group, argument, local, 1)));
  } else if (name !== "subgroupBarrier") throw new Error(`internal: no subgroup operation ‘${name}’`);
}

function elect(site: SubgroupSite, group: ActiveGroup): void {
  for (const local of group.active) write(group, site.result[0], local, 0, local === group.active[0] ? 1 : 0);
}

function read({ workgroup }: ActiveGroup, slot: number, local: number, view: 0 | 1 | 2): number {
  return slot < 0 ? 0 : workgroup.views[view][local * workgroup.frameSize + slot];
}

function write({ workgroup }: ActiveGroup, slot: number, local: number, view: 0 | 1 | 2, value: number): void {
  workgroup.views[view][local * workgroup.frameSize + slot] = value;
}

function reduce(site: SubgroupSite, group: ActiveGroup, operation: string, scan: string | null): void {
  const operand = site.operand!;
  const combine = COMBINE[operation][operand];
  if (combine === undefined) throw new Error(`internal: no ‘${site.name}’ on ${operand}`);
  const view = VIEW[operand];
  for (const [component, slot] of site.args[0].entries()) {
    const d = site.result[component];
    let total: number | null = null;
    for (const local of group.active) {
      const value = read(group, slot, local, view);
      const before: number | null = total;
      total = before === null ? value : combine(before, value);
      if (scan === "Inclusive") write(group, d, local, view, total);
      if (scan === "Exclusive") write(group, d, local, view, before ?? (operation === "Mul" ? 1 : 0));
    }
    if (scan === null) for (const local of group.active) write(group, d, local, view, total!);
  }
}

function move(site: SubgroupSite, group: ActiveGroup, source: (id: number, local: number) => number): void {
  const values = group.active.map((local) => {
    const from = group.first + source(local - group.first, local);
    const active = group.active.includes(from);
    return site.args[0].map((slot) => (active ? read(group, slot, from, 0) : 0));
  });
  for (const [index, local] of group.active.entries()) {
    for (const [component, slot] of site.result.entries()) write(group, slot, local, 0, values[index][component]);
  }
}

function ballot(site: SubgroupSite, group: ActiveGroup): void {
  const words = [0, 0, 0, 0];
  for (const local of group.active) {
    const id = local - group.first;
    if (read(group, site.args[0][0], local, 0) !== 0) words[id >> 5] |= 1 << (id & 31);
  }
  for (const local of group.active) {
    for (const [index, slot] of site.result.entries()) write(group, slot, local, 0, words[index]);
  }
}
