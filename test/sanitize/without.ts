/** A dispatch as it would be without one barrier, or with one atomic plain, asked by itself: by the definition. */
import type { AccessSite } from "../../src/engine/flat.ts";
import type { AccessEvent, BarrierEvent, Observer } from "../../src/engine/observer.ts";
import type { Phases, Workgroup } from "../../src/engine/workgroup.ts";
import { type AtomicKeys, barrierKey } from "../../src/sanitize/needless.ts";
import { isAtomic, writes } from "../../src/sanitize/race.ts";
import type { Group } from "../../src/sanitize/race-log.ts";
import type { GroupObserver } from "../../src/sanitize/what-if.ts";

/** Gives an observer the events as they would be. */
export class Without implements Observer {
  readonly #inner: GroupObserver;
  readonly #key: string;
  readonly #keys: AtomicKeys;
  readonly #groups = new Map<Workgroup, { readonly group: Group; readonly without: Phases }>();
  readonly #plain = new Map<AccessSite, AccessSite>();

  constructor(inner: GroupObserver, key: string, keys: AtomicKeys) {
    this.#inner = inner;
    this.#key = key;
    this.#keys = keys;
  }

  workgroupStarted(workgroup: Workgroup): void {
    const without: Phases = { workgroup: 0, storage: 0, texture: 0 };
    const { index, id, size } = workgroup;
    const group: Group = {
      index,
      id,
      size,
      get phases(): Phases {
        const { workgroup: own, storage, texture } = workgroup.phases;
        return {
          workgroup: own - without.workgroup,
          storage: storage - without.storage,
          texture: texture - without.texture,
        };
      },
    };
    this.#groups.set(workgroup, { group, without });
    this.#inner.workgroupStarted(group);
  }

  workgroupEnded(workgroup: Workgroup): void {
    this.#inner.workgroupEnded(this.#groups.get(workgroup)!.group);
    this.#groups.delete(workgroup);
  }

  barrier({ site, workgroup }: BarrierEvent): void {
    const { group, without } = this.#groups.get(workgroup)!;
    if (!site.uniformLoad && barrierKey(site) === this.#key) without[site.barrier]++;
    else this.#inner.barrier?.({ site, workgroup: group });
  }

  access(event: AccessEvent): void {
    const { site, offset, inBounds } = event;
    const isPlain =
      inBounds && site.root !== null && isAtomic(site.kind) && this.#keys.at(site.root, offset) === this.#key;
    const { group } = this.#groups.get(event.workgroup)!;
    this.#inner.access({ ...event, site: isPlain ? this.#plainSite(site) : site, workgroup: group });
  }

  #plainSite(site: AccessSite): AccessSite {
    const plain = this.#plain.get(site) ?? { ...site, kind: writes(site.kind) ? "write" : "read", atomic: null };
    this.#plain.set(site, plain);
    return plain;
  }
}
