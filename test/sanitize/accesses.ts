/**
 * Accesses of all kinds to a few cells, told to the judge of races as if a program had made them: also such as few programs
 * make, in any order. And which pairs of places these are, by holding each access against each, straight from the rule.
 */
import type { AccessKind, AccessSite, BarrierSite } from "../../src/engine/flat.ts";
import type { Random } from "../../src/engine/random.ts";
import type { Phases } from "../../src/engine/workgroup.ts";
import type { AtomicUses } from "../../src/sanitize/atomic-uses.ts";
import type { MemoryMap } from "../../src/sanitize/memory-map.ts";
import {
  type AtomicRole,
  atomicRole,
  barriersPassed,
  conflict,
  epochOf,
  isAtomic,
  timingMatters,
  unordered,
  writes,
} from "../../src/sanitize/race.ts";
import type { RaceLog } from "../../src/sanitize/race-log.ts";

/** What programs are made of. */
export interface Recipe {
  readonly sites: number;
  readonly cells: number;
  readonly workgroups: number;
  readonly size: number;
  /** Accesses of each invocation from barrier to barrier. */
  readonly accesses: number;
  readonly barriers: number;
  /** Values that are written. */
  readonly values: number;
  /** Of the sites. */
  readonly atomic: number;
  readonly byTheLast: number;
  readonly reserved: number;
  /** Invocations take turns at each access. */
  readonly isMixedUp: boolean;
}

interface Access {
  readonly kind: "access";
  readonly site: AccessSite;
  readonly workgroup: number;
  readonly local: number;
  readonly offset: number;
  readonly before: number;
  readonly after: number;
}

interface Barrier {
  readonly kind: "barrier";
  readonly workgroup: number;
  readonly barrier: BarrierSite["barrier"];
}

export interface Program {
  readonly size: number;
  readonly workgroups: number;
  readonly cells: number;
  readonly events: readonly (Access | Barrier)[];
  readonly uses: AtomicUses;
  readonly reservations: ReadonlyMap<string, ReadonlySet<string>>;
}

const FUNCTIONS = ["atomicLoad", "atomicStore", "atomicAdd", "atomicExchange", "atomicCompareExchangeWeak"];

/** Variables: one for all, the same bytes by another name one word further on, one of each workgroup, and counters. */
const ROOTS = [
  { area: 0, offset: 0, space: "storage" },
  { area: 0, offset: 4, space: "storage" },
  { area: 1, offset: 0, space: "workgroup" },
  { area: 2, offset: 0, space: "storage" },
] as const;
const COUNTERS = 3;

export const MAP = {
  areas: [{ memory: {} }, { memory: null }, { memory: {} }],
  region: (root: number) => ROOTS[root],
  cellsOf: () => ({ first: (offset: number) => offset >> 2, relative: Int32Array.of(0) }),
} as unknown as MemoryMap;

function siteOf(id: number, root: number, atomic: string | null, isWrite: boolean): AccessSite {
  const kinds: Readonly<Record<string, AccessKind>> = { atomicLoad: "atomic-read", atomicStore: "atomic-write" };
  const kind = atomic === null ? (isWrite ? "write" : "read") : (kinds[atomic] ?? "atomic-rmw");
  const span = { start: 10 * id, end: 10 * id + 5 };
  const { space } = ROOTS[root];
  const site = { id, function: 0, instruction: id, span, kind, atomic, space, root, shape: { offsets: [0] } };
  return site as unknown as AccessSite;
}

export function randomAccesses(random: Random, recipe: Recipe): Program {
  const pick = <T>(items: readonly T[]): T => items[random.below(items.length)];
  const sites = Array.from({ length: recipe.sites }, (_, id) => {
    const root = random.chance(0.8) ? pick([0, 2]) : 1;
    const atomic = random.chance(recipe.atomic) ? pick(FUNCTIONS) : null;
    return siteOf(id, root, atomic, random.chance(0.6));
  });
  const counters = [0, 1].map((k) => siteOf(recipe.sites + k, COUNTERS, "atomicAdd", true));
  const keysOf = (of: readonly AccessSite[]) => of.map(({ id }) => `0:${id}`);
  const chosen = (chance: number, may: (site: AccessSite) => boolean) =>
    new Set(keysOf(sites.filter((site) => may(site) && random.chance(chance))));
  const mayBeLast = ({ kind, atomic }: AccessSite) =>
    kind === "atomic-read" || kind === "atomic-write" || atomic === "atomicExchange";
  const uses = {
    goesOn: chosen(0.5, ({ atomic }) => atomic === "atomicLoad" || atomic === "atomicExchange"),
    decides: chosen(0.6, ({ atomic }) => atomic === "atomicLoad"),
    byTheLast: chosen(recipe.byTheLast, mayBeLast),
  };
  const reserved = chosen(recipe.reserved, () => true);
  const reservations = new Map([...reserved].map((key) => [key, new Set([pick(keysOf(counters))])]));
  const given = reserved.size > 0 ? counters : [];
  const { size, workgroups, cells } = recipe;
  const one = (workgroup: number, local: number): Access => {
    const site = given.length > 0 && random.chance(0.3) ? pick(given) : pick(sites);
    const offset = 4 * random.below(cells);
    const before = random.below(recipe.values);
    const changes = site.atomic !== "atomicCompareExchangeWeak" || random.chance(0.5);
    return {
      kind: "access",
      site,
      workgroup,
      local,
      offset,
      before,
      after: changes ? random.below(recipe.values) : before,
    };
  };
  const events: (Access | Barrier)[] = [];
  for (let workgroup = 0; workgroup < workgroups; workgroup++) {
    for (let phase = 0; phase <= recipe.barriers; phase++) {
      if (phase > 0) events.push({ kind: "barrier", workgroup, barrier: pick(["workgroup", "storage", "texture"]) });
      const turns = Array.from({ length: size * recipe.accesses }, (_, at) => Math.floor(at / recipe.accesses));
      for (const turn of turns) events.push(one(workgroup, recipe.isMixedUp ? random.below(size) : turn));
    }
  }
  return { size, workgroups, cells: cells + 1, events, uses, reservations };
}

/** Where everything is looked at. */
export const EVERYWHERE = MAP.areas.map(
  (_, area) => new Set(area === 2 ? [] : Array.from({ length: 64 }, (_, i) => i)),
);

/** Tells the judge. Of each access it keeps its number as the workgroup's identity, so that it is known again. */
export function tell(log: RaceLog, { events, size, workgroups }: Program): void {
  const groups = Array.from({ length: workgroups }, (_, index) => ({
    index,
    id: [0, 0, 0] as [number, number, number],
    size,
    phases: { workgroup: 0, storage: 0, texture: 0 },
  }));
  let current = -1;
  for (const [time, event] of events.entries()) {
    const workgroup = groups[event.workgroup];
    if (event.workgroup !== current) {
      if (current >= 0) log.workgroupEnded(groups[current]);
      current = event.workgroup;
      log.workgroupStarted(workgroup);
    }
    if (event.kind === "barrier") {
      workgroup.phases[event.barrier]++;
      log.barrier({ site: { id: time, barrier: event.barrier } as BarrierSite, workgroup });
      continue;
    }
    const { site, local, offset, before, after } = event;
    workgroup.id = [time, 0, 0];
    const words = { before: Int32Array.of(before), after: Int32Array.of(after) };
    log.access({ site, workgroup, localIndex: local, offset, inBounds: true, ...words });
  }
}

// ---------------------------------------------------------------- each against each

interface Noted {
  readonly time: number;
  readonly site: AccessSite;
  readonly kind: AccessKind;
  readonly role: AtomicRole;
  readonly byTheLast: boolean;
  readonly workgroup: number;
  readonly local: number;
  readonly epoch: number;
  readonly barriers: number;
  readonly offset: number;
  readonly after: number;
}

/** A pair of places, as it is expected. */
export interface Expected {
  /** At how many cells, of each epoch of a workgroup. */
  count: number;
  /** By the number of each access of these: which was the first that met another one so. */
  readonly firsts: Map<number, number>;
}

/** How two accesses of different ones meet, by what a pair is told as; null: they do not. */
function meeting(a: Noted, b: Noted): string | null {
  if (b.byTheLast && isAtomic(a.kind)) return null;
  const verdict = unordered(a, b);
  if (verdict === "none") return null;
  if (conflict(a.kind, b.kind)) return verdict;
  if (!timingMatters(a.role, b.role)) return null;
  if (a.role === "sets" && b.role === "sets" && a.offset === b.offset && a.after === b.after) return null;
  return verdict === "race-across-workgroups" ? "timing-across-workgroups" : "timing";
}

interface CellLog {
  readonly isAcross: boolean;
  readonly accesses: Noted[];
  owner: number;
}

export function expectedPairs({ events, size, workgroups, uses }: Program): Map<string, Expected> {
  const phases: Phases[] = Array.from({ length: workgroups }, () => ({ workgroup: 0, storage: 0, texture: 0 }));
  const logs = new Map<string, CellLog>();
  for (const [time, event] of events.entries()) {
    const own = phases[event.workgroup];
    if (event.kind === "barrier") {
      own[event.barrier]++;
      continue;
    }
    const { site, local, workgroup, before, after } = event;
    if (site.root === COUNTERS) continue;
    const { area, offset } = ROOTS[site.root!];
    const key = `0:${site.id}`;
    const result = uses.goesOn.has(key) ? "goes-on" : uses.decides.has(key) ? "decides" : "none";
    const role = isAtomic(site.kind) ? atomicRole(site, result, before !== after) : "none";
    const epoch = epochOf(site.space, own);
    const cell = (offset + event.offset) >> 2;
    const names = [`${area} ${cell} in ${workgroup} after ${epoch}`, ...(area === 1 ? [] : [`${area} ${cell}`])];
    for (const [i, name] of names.entries()) {
      const log = logs.get(name) ?? { isAcross: i === 1, accesses: [], owner: -1 };
      logs.set(name, log);
      const byTheLast = uses.byTheLast.has(key);
      const party = { kind: site.kind, workgroup, local, epoch, barriers: barriersPassed(own) };
      const noted = { ...party, time, site, byTheLast, offset: event.offset, after };
      log.accesses.push({ ...noted, role: roleOf(log, site, role, workgroup * size + local) });
    }
  }
  const expected = new Map<string, Expected>();
  for (const log of logs.values()) addPairs(log, expected);
  return expected;
}

/** Who took the cell owns it until he sets it. */
function roleOf(log: CellLog, { atomic }: AccessSite, role: AtomicRole, invocation: number): AtomicRole {
  if (role === "sets" && log.owner === invocation) {
    log.owner = -1;
    return "none";
  }
  if (role === "takes" || (role === "changes" && atomic === "atomicCompareExchangeWeak")) log.owner = invocation;
  return role;
}

function addPairs({ isAcross, accesses }: CellLog, expected: Map<string, Expected>): void {
  const met = new Map<string, { readonly first: number; readonly kinds: readonly AccessKind[] }>();
  for (const [i, b] of accesses.entries()) {
    for (const a of accesses.slice(0, i)) {
      if (isAcross ? a.workgroup === b.workgroup : a.local === b.local) continue;
      const kind = meeting(a, b);
      if (kind === null) continue;
      const [low, high] = [a.site, b.site].sort((x, y) => x.id - y.id);
      const key = `${kind} ${low.id} ${high.id}`;
      if (!met.has(key)) met.set(key, { first: b.time, kinds: [low.kind, high.kind] });
    }
  }
  const written = accesses.filter(({ kind }) => writes(kind));
  const isEqual = written.every(({ offset, after }) => offset === written[0].offset && after === written[0].after);
  const isPure = (kind: AccessKind) => kind === "write" || kind === "atomic-write";
  const isSame = isEqual && [...met.values()].every(({ kinds }) => kinds.every(isPure));
  for (const [key, { first }] of met) {
    const told = isSame && !key.startsWith("timing") ? `${key} same` : key;
    const pair = expected.get(told) ?? { count: 0, firsts: new Map() };
    expected.set(told, pair);
    pair.count++;
    for (const { time } of accesses) pair.firsts.set(time, first);
  }
}
