/** Storage addresses where atomic operations queue up. */
import type { AccessSite } from "../engine/flat.ts";
import { flatten } from "../engine/flatten.ts";
import type { AccessEvent, Observer } from "../engine/observer.ts";
import type { IrModule } from "../ir/ir.ts";
import { instructionKey } from "./atomic-uses.ts";
import type { AddressCount, OperationCounts } from "./operation-counts.ts";
import type { Witness } from "./witness.ts";

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
  /** By site, in the order of coming: how often. */
  readonly sites: Map<AccessSite, number>;
  /** Workgroups that came here: as many operations would a version with two levels make. */
  readonly groups: Set<number>;
  /** The one that came last, so that most need not be looked up. */
  lastGroup: number;
}

export interface Contended extends Pick<Witness, "site" | "offset"> {
  readonly count: number;
  /** Of all atomic operations on storage. */
  readonly total: number;
  /** Operations on this address if each workgroup gathered for itself first. */
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
    address.sites.set(site, (address.sites.get(site) ?? 0) + 1);
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
    return [...worst.values()].map(({ offset, count, sites, groups }) => {
      const [site] = [...sites].reduce((a, b) => (b[1] > a[1] ? b : a));
      return { site, offset, count, total: this.#total, twoLevel: groups.size };
    });
  }
}

/**
 * The same from counts, where nobody watched: it is known where and how often. Only where addresses or places are alike the
 * one that was come to first is looked for, with the dispatch under way again, until it is found.
 */
export class ContentionSearch implements Observer {
  readonly #total: number;
  readonly #module: IrModule;
  /** By variable: the busiest addresses, of which the one that is come to first counts; then that alone. */
  readonly #open = new Map<number, readonly AddressCount[]>();
  readonly #found: Contended[] = [];

  constructor(counts: OperationCounts, { share, operations }: ContentionLimits, module: IrModule) {
    const { total, addresses } = counts.busiest(share, operations);
    this.#total = total;
    this.#module = module;
    for (const busiest of addresses) {
      if (busiest.length === 1) this.#choose(busiest[0]);
      else this.#open.set(busiest[0].root, busiest);
    }
  }

  get isDone(): boolean {
    return this.#open.size === 0;
  }

  /** Workgroups before this one have nothing to do with it. */
  get firstWorkgroup(): number {
    return Math.min(...[...this.#open.values()].flatMap((busiest) => busiest.map(({ first }) => first)));
  }

  /** The only address of its variable; it is done where one place comes to it more often than all others. */
  #choose(address: AddressCount): void {
    const places = busiestPlaces(address);
    if (places.length > 1) this.#open.set(address.root, [address]);
    else this.#find(address, flatten(this.#module).sites.find((site) => keyOf(site) === places[0])!);
  }

  #find({ root, offset, count, groups }: AddressCount, site: AccessSite): void {
    this.#open.delete(root);
    this.#found.push({ site, offset, count, total: this.#total, twoLevel: groups });
  }

  access(event: AccessEvent): void {
    const { site, offset, inBounds } = event;
    if (!inBounds || site.root === null || (site.kind !== "atomic-rmw" && site.kind !== "atomic-write")) return;
    const address = this.#open.get(site.root)?.find((each) => each.offset === offset);
    if (address === undefined) return;
    if (busiestPlaces(address).includes(keyOf(site))) this.#find(address, site);
    else this.#choose(address);
  }

  finish(): readonly Contended[] {
    return this.#found;
  }
}

function keyOf(site: AccessSite): string {
  return instructionKey(site.function, site.instruction);
}

/** Keys of the instructions that come to an address most often. */
function busiestPlaces({ places }: AddressCount): readonly string[] {
  const most = Math.max(...places.values());
  return [...places].filter(([, count]) => count === most).map(([key]) => key);
}
