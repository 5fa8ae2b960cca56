/**
 * Pass 2 of a dispatch that is too large to be watched as a whole: watched are the workgroups that pass 1 names, the
 * others run between them on the fast engine, in order, so that everybody meets what it would have met. How often
 * something happened is known from pass 1.
 */
import { product } from "../engine/builtin-values.ts";
import type { DispatchRequest, DispatchResult } from "../engine/dispatch.ts";
import type { AccessSite } from "../engine/flat.ts";
import type { RootId } from "../ir/ir.ts";
import { instructionKey } from "./atomic-uses.ts";
import type { OutOfBoundsFound } from "./bounds.ts";
import type { Wrapped } from "./counters.ts";
import type { MemoryMap } from "./memory-map.ts";
import type { FirstLook, RacyCell, WrongPlace } from "./pass-one.ts";
import type { Suspects } from "./race-detector.ts";
import type { Pair } from "./race-log.ts";

/** Invocations that are watched at least, about, and accesses, where they have fewer. */
const WATCHED = 2 ** 11;
const WATCHED_ACCESSES = 2 ** 19;
/** … and accesses that are watched at most, about. */
const MOST_ACCESSES = 2 ** 22;
/** Racing cells of a variable whose workgroups are watched, evenly among all. */
const SAMPLED = 2 ** 10;

/** Ranges of workgroups, in order, none of which touch. */
export type Ranges = readonly (readonly [from: number, to: number])[];

/** The workgroups that say what happened: where each thing went wrong first, and who raced. */
export function workgroupsToWatch({ module, workgroups }: DispatchRequest, look: FirstLook): Ranges {
  const all = product(workgroups);
  const affordable = (accesses: number) =>
    Math.floor((accesses * all) / Math.max(1, look.result.statistics.sharedAccesses ?? 0));
  const wanted = Math.max(Math.floor(WATCHED / product(module.workgroupSize)), affordable(WATCHED_ACCESSES));
  const most = Math.max(4, Math.min(wanted, affordable(MOST_ACCESSES)));
  const chosen = new Set<number>();
  for (const { workgroup } of [...look.bounds, ...look.counters]) chosen.add(workgroup);
  for (const { workgroup } of look.sites) for (const each of workgroup < 0 ? [0, 1] : [workgroup]) chosen.add(each);
  const open = [...look.racy.values()].map((cells) => sampled(cells)[Symbol.iterator]());
  while (open.length > 0 && chosen.size < most) {
    const cells = open.shift()!;
    const { done, value } = cells.next();
    if (done === true) continue;
    for (const workgroup of partners(value)) chosen.add(workgroup);
    open.push(cells);
  }
  return rangesOf(chosen, all);
}

/** Evenly among all, the first one first. */
function sampled(cells: readonly RacyCell[]): readonly RacyCell[] {
  const step = Math.ceil(cells.length / SAMPLED);
  return cells.filter((_, i) => i % step === 0);
}

/** Of a cell that several workgroups came to before, the first ones stand for them. */
function partners({ workgroups }: RacyCell): readonly number[] {
  return workgroups.length > 1 ? workgroups : [0, 1, ...workgroups];
}

export function lengthOf(ranges: Ranges): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from, 0);
}

export function rangesOf(chosen: ReadonlySet<number>, end: number): Ranges {
  const ranges: [number, number][] = [];
  for (const workgroup of [...chosen].sort((a, b) => a - b)) {
    if (workgroup >= end) continue;
    const last = ranges.at(-1);
    if (last?.[1] === workgroup) last[1]++;
    else ranges.push([workgroup, workgroup + 1]);
  }
  return ranges;
}

/** Runs a dispatch up to the last range; `watch` runs those, `pass` what lies between. False: it did not end well. */
export async function runRanges(
  ranges: Ranges,
  watch: (range: readonly [number, number]) => Promise<DispatchResult>,
  pass: (range: readonly [number, number]) => Promise<DispatchResult>,
): Promise<boolean> {
  let at = 0;
  for (const [from, to] of ranges) {
    if (from > at && (await pass([at, from])).status !== "ok") return false;
    if ((await watch([from, to])).status !== "ok") return false;
    at = to;
  }
  return true;
}

export function suspectsOf(map: MemoryMap, racy: FirstLook["racy"]): Suspects {
  const suspects = map.areas.map(() => new Set<number>());
  for (const [root, cells] of racy) {
    const region = map.region(root)!;
    for (const { offset } of cells) suspects[region.area].add((region.offset + offset) >> region.plan.shift);
  }
  return suspects;
}

// ---------------------------------------------------------------- counts

function countAt(places: readonly WrongPlace[], key: string, seen: number): number {
  return Math.max(seen, places.find((place) => place.key === key)?.count ?? 0);
}

export function boundsInAll(found: readonly OutOfBoundsFound[], { bounds }: FirstLook): readonly OutOfBoundsFound[] {
  return found.map((each) => {
    const { site } = each.witness;
    const key = instructionKey(site.function, each.fault?.instruction ?? site.instruction);
    return { ...each, count: countAt(bounds, key, each.count) };
  });
}

export function wrappedInAll(found: readonly Wrapped[], { counters }: FirstLook): readonly Wrapped[] {
  return found.map((each) => {
    const { site } = each.witness;
    return { ...each, count: countAt(counters, instructionKey(site.function, site.instruction), each.count) };
  });
}

/** Where one pair of lines is all that was seen of a variable, the addresses of the variable that race are its. */
export function pairsInAll(
  pairs: readonly Pair[],
  { racy }: FirstLook,
  lineOf: (site: AccessSite) => number,
): readonly Pair[] {
  const places = new Map<RootId | null, Set<string>>();
  for (const { kind, sameValue, first, second } of pairs) {
    const { root } = first.site;
    const pair = [kind, sameValue, lineOf(first.site), lineOf(second.site)].join();
    places.set(root, (places.get(root) ?? new Set()).add(pair));
  }
  return pairs.map((pair) => {
    const { root } = pair.first.site;
    const all = root === null || places.get(root)!.size > 1 ? 0 : (racy.get(root)?.length ?? 0);
    return { ...pair, count: Math.max(pair.count, all) };
  });
}
