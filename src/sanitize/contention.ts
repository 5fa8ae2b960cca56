/** Storage addresses where atomic operations queue up. */
import type { AccessSite } from "../engine/flat.ts";
import type { AccessEvent, Observer } from "../engine/observer.ts";
import { instructionKey } from "./atomic-uses.ts";
import type { AddressCount, OperationCounts } from "./operation-counts.ts";
import { type Witness, witness } from "./witness.ts";

export interface ContentionLimits {
  /** Least part of the dispatch's atomic operations on storage that one address takes, from 0 to 1. */
  readonly share: number;
  /** … and how many they have to be. */
  readonly operations: number;
}

export const CONTENTION_LIMITS: ContentionLimits = { share: 0.25, operations: 160 };

interface Address {
  readonly offset: number;
  readonly root: number;
  count: number;
  /** By site: who was there first, how often. */
  readonly sites: Map<AccessSite, { readonly witness: Witness; count: number }>;
  /** Workgroups that came here: as many operations would a version with two levels make. */
  readonly groups: Set<number>;
  /** The one that came last, so that most need not be looked up. */
  lastGroup: number;
}

export interface Contended {
  readonly witness: Witness;
  readonly count: number;
  /** Of all atomic operations on storage. */
  readonly total: number;
  /** Operations on this address if each workgroup counted for itself first. */
  readonly twoLevel: number;
}

export class ContentionMonitor {
  readonly #addresses = new Map<number, Address>();
  readonly #limits: ContentionLimits;
  #total = 0;

  constructor(limits: ContentionLimits) {
    this.#limits = limits;
  }

  /** Only atomic functions on storage, in bounds, that may change something. */
  access(event: AccessEvent): void {
    const { site, offset, workgroup } = event;
    this.#total++;
    const key = site.root! * 2 ** 32 + offset;
    let address = this.#addresses.get(key);
    if (address === undefined) {
      address = { root: site.root!, offset, count: 0, sites: new Map(), groups: new Set(), lastGroup: -1 };
      this.#addresses.set(key, address);
    }
    address.count++;
    if (address.lastGroup !== workgroup.index) {
      address.lastGroup = workgroup.index;
      address.groups.add(workgroup.index);
    }
    const known = address.sites.get(site);
    if (known !== undefined) known.count++;
    else address.sites.set(site, { witness: witness(event), count: 1 });
  }

  /** The place that comes to such an address most often, of each variable the worst address. */
  finish(): readonly Contended[] {
    const { share, operations } = this.#limits;
    const worst = new Map<number, Address>();
    for (const address of this.#addresses.values()) {
      if (address.count < operations || address.count < share * this.#total) continue;
      const known = worst.get(address.root);
      if (known === undefined || known.count < address.count) worst.set(address.root, address);
    }
    return [...worst.values()].map(({ count, sites, groups }) => {
      const [first, ...others] = [...sites.values()];
      const most = others.reduce((a, b) => (b.count > a.count ? b : a), first);
      return { witness: most.witness, count, total: this.#total, twoLevel: groups.size };
    });
  }
}

/**
 * The same from counts, where nobody watched: it is known where and how often, and who was there first is looked for
 * with the dispatch under way again, until it is found.
 */
export class ContentionSearch implements Observer {
  readonly #total: number;
  /** By variable: the busiest addresses, of which the one that is come to first counts; then that alone. */
  readonly #open = new Map<number, readonly AddressCount[]>();
  readonly #found: Contended[] = [];

  constructor(counts: OperationCounts, { share, operations }: ContentionLimits) {
    const { total, addresses } = counts.busiest();
    this.#total = total;
    for (const busiest of addresses) {
      if (busiest.length === 0 || busiest[0].count < operations || busiest[0].count < share * total) continue;
      this.#open.set(busiest[0].root, busiest);
    }
  }

  get isDone(): boolean {
    return this.#open.size === 0;
  }

  /** Workgroups before this one have nothing to do with it. */
  get firstWorkgroup(): number {
    return Math.min(...[...this.#open.values()].flatMap((busiest) => busiest.map(({ first }) => first)));
  }

  access(event: AccessEvent): void {
    const { site, offset, inBounds } = event;
    if (!inBounds || site.root === null || (site.kind !== "atomic-rmw" && site.kind !== "atomic-write")) return;
    const address = this.#open.get(site.root)?.find((each) => each.offset === offset);
    if (address === undefined) return;
    const { count, groups, places } = address;
    if (places.get(instructionKey(site.function, site.instruction)) !== Math.max(...places.values())) {
      this.#open.set(site.root, [address]);
      return;
    }
    this.#open.delete(site.root);
    this.#found.push({ witness: witness(event), count, total: this.#total, twoLevel: groups });
  }

  finish(): readonly Contended[] {
    return this.#found;
  }
}
