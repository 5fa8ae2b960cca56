/** Counts what a dispatch does to memory: by place, by address, by segment of 128 bytes. */
import type { AccessSite } from "../engine/flat.ts";
import type { AccessEvent, Observer } from "../engine/observer.ts";
import type { Workgroup } from "../engine/workgroup.ts";
import { invocationOf } from "./witness.ts";

/** What GPUs fetch at once, and how many invocations make an access together. */
export const SEGMENT = 128;
export const NEIGHBOURS = 32;

/** Operations of one place on one address. */
export interface AtomicAddress {
  readonly root: number;
  readonly offset: number;
  count: number;
}

export interface PlaceCounts {
  readonly site: AccessSite;
  operations: number;
  bytes: number;
  /** Atomic functions that left what was there. */
  unchanged: number;
  /** By number: invocations that came here. */
  readonly invocations: Set<number>;
  readonly addresses: Map<number, AtomicAddress>;
  /** Groups of neighbours that made an access here, and segments that they touched, all together. */
  groups: number;
  segments: number;
}

export interface AddressCounts {
  readonly root: number;
  readonly offset: number;
  operations: number;
  /** Who made them. */
  readonly invocations: Set<number>;
  readonly workgroups: Set<number>;
}

/** What the neighbours of a workgroup have touched so far, by place: the segments of each group and visit. */
interface Visits {
  readonly counts: Int32Array;
  readonly segments: Map<number, number[]>;
}

/** Visits of a place that are told apart within a workgroup; later ones are not counted. */
const MOST_VISITS = 2 ** 20;

export class ProfileMonitor implements Observer {
  readonly places = new Map<AccessSite, PlaceCounts>();
  readonly addresses = new Map<number, AddressCounts>();
  readonly #visits = new Map<Workgroup, Map<AccessSite, Visits>>();

  workgroupStarted(workgroup: Workgroup): void {
    this.#visits.set(workgroup, new Map());
  }

  workgroupEnded(workgroup: Workgroup): void {
    for (const [site, { segments }] of this.#visits.get(workgroup)!) {
      const place = this.places.get(site)!;
      place.groups += segments.size;
      for (const touched of segments.values()) place.segments += touched.length;
    }
    this.#visits.delete(workgroup);
  }

  access(event: AccessEvent): void {
    const { site, inBounds } = event;
    if (!inBounds || site.root === null) return;
    let place = this.places.get(site);
    if (place === undefined) {
      place = newPlace(site);
      this.places.set(site, place);
    }
    place.operations++;
    for (const run of site.shape.runs) place.bytes += run.size;
    if (site.space !== "workgroup") this.#segments(event);
    if (site.kind.startsWith("atomic")) this.#atomic(place, event);
  }

  #atomic(place: PlaceCounts, event: AccessEvent): void {
    const { site, offset, before, after, workgroup } = event;
    const invocation = invocationOf(event);
    const key = site.root! * 2 ** 32 + offset;
    place.invocations.add(invocation);
    if (site.kind !== "atomic-read" && before[0] === after[0]) place.unchanged++;
    const own = place.addresses.get(key);
    if (own !== undefined) own.count++;
    else place.addresses.set(key, { root: site.root!, offset, count: 1 });
    if (site.kind === "atomic-read") return;
    let address = this.addresses.get(key);
    if (address === undefined) {
      address = { root: site.root!, offset, operations: 0, invocations: new Set(), workgroups: new Set() };
      this.addresses.set(key, address);
    }
    address.operations++;
    address.invocations.add(invocation);
    address.workgroups.add(workgroup.index);
  }

  /** Neighbours make their n-th access of a place together. */
  #segments({ site, workgroup, localIndex, offset }: AccessEvent): void {
    const places = this.#visits.get(workgroup)!;
    let visits = places.get(site);
    if (visits === undefined) {
      visits = { counts: new Int32Array(workgroup.size), segments: new Map() };
      places.set(site, visits);
    }
    const visit = visits.counts[localIndex]++;
    if (visit >= MOST_VISITS) return;
    const group = Math.floor(localIndex / NEIGHBOURS) * MOST_VISITS + visit;
    let touched = visits.segments.get(group);
    if (touched === undefined) {
      touched = [];
      visits.segments.set(group, touched);
    }
    for (const run of site.shape.runs) {
      const start = offset + run.offset;
      const last = Math.floor((start + run.size - 1) / SEGMENT);
      for (let segment = Math.floor(start / SEGMENT); segment <= last; segment++) {
        if (!touched.includes(segment)) touched.push(segment);
      }
    }
  }
}

function newPlace(site: AccessSite): PlaceCounts {
  return {
    site,
    operations: 0,
    bytes: 0,
    unchanged: 0,
    invocations: new Set(),
    addresses: new Map(),
    groups: 0,
    segments: 0,
  };
}
