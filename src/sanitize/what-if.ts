/**
 * The events of a dispatch as they would be without barriers, or with plain accesses for atomic ones.
 *
 * What a workgroup passes are rows of barriers that stand at one place. Without all of a row, what is unordered in the phase
 * that they leave is so for want of this place alone: the rows before and behind it are of others. If these stay, as many
 * rows can be left out at once: every second one, so that two looks answer for all barriers.
 */
import type { AccessKind, AccessSite, BarrierSite } from "../engine/flat.ts";
import type { AccessEvent, BarrierEvent, Observer } from "../engine/observer.ts";
import type { Phases, Workgroup } from "../engine/workgroup.ts";
import type { RootId } from "../ir/ir.ts";
import { barrierKey } from "./needless.ts";
import { isAtomic } from "./race.ts";
import type { Group, RaceEvent } from "./race-log.ts";

type Kind = keyof Phases;

/** A workgroup without some of its barriers. */
export class ReducedGroup implements Group {
  readonly index: number;
  readonly id: readonly [number, number, number];
  readonly size: number;
  readonly phases: Phases = { workgroup: 0, storage: 0, texture: 0 };
  /** By phase: where the barriers stand that are left out in it. */
  readonly leftOut: Readonly<Record<Kind, string[]>> = { workgroup: [], storage: [], texture: [] };

  constructor({ index, id, size }: Workgroup) {
    this.index = index;
    this.id = id;
    this.size = size;
  }
}

/** Who is told of workgroups that need not be the engine's. */
export interface GroupObserver {
  access(event: RaceEvent): void;
  barrier?(event: { readonly site: BarrierSite; readonly workgroup: Group }): void;
  workgroupStarted(workgroup: Group): void;
  workgroupEnded(workgroup: Group): void;
}

/** The row of barriers that a workgroup is in, of one kind. */
interface Row {
  /** null: those of `workgroupUniformLoad`, which stay. */
  key: string | null;
  isLeftOut: boolean;
}

export class WithoutRows implements Observer {
  readonly #inner: GroupObserver;
  readonly #isFirstLeftOut: boolean;
  readonly #workgroups = new Map<Workgroup, { readonly group: ReducedGroup; readonly rows: Record<Kind, Row> }>();

  /** @param isFirstLeftOut else it is the second row of each kind, and so on */
  constructor(inner: GroupObserver, isFirstLeftOut: boolean) {
    this.#inner = inner;
    this.#isFirstLeftOut = isFirstLeftOut;
  }

  workgroupStarted(workgroup: Workgroup): void {
    const group = new ReducedGroup(workgroup);
    const before = (): Row => ({ key: null, isLeftOut: !this.#isFirstLeftOut });
    this.#workgroups.set(workgroup, { group, rows: { workgroup: before(), storage: before(), texture: before() } });
    this.#inner.workgroupStarted(group);
  }

  workgroupEnded(workgroup: Workgroup): void {
    this.#inner.workgroupEnded(this.#workgroups.get(workgroup)!.group);
    this.#workgroups.delete(workgroup);
  }

  barrier({ site, workgroup }: BarrierEvent): void {
    const { group, rows } = this.#workgroups.get(workgroup)!;
    const { barrier: kind, uniformLoad } = site;
    const row = rows[kind];
    const key = uniformLoad ? null : barrierKey(site);
    if (row.key !== key) {
      row.key = key;
      row.isLeftOut = !row.isLeftOut;
    }
    if (key !== null && row.isLeftOut) group.leftOut[kind][group.phases[kind]] = key;
    else {
      group.phases[kind]++;
      this.#inner.barrier?.({ site, workgroup: group });
    }
  }

  access(event: AccessEvent): void {
    this.#inner.access({ ...event, workgroup: this.#workgroups.get(event.workgroup)!.group });
  }
}

/** With plain accesses to some variables. */
export class WithPlain implements Observer {
  readonly #inner: GroupObserver;
  readonly #roots: ReadonlySet<RootId>;
  readonly #plain = new Map<AccessSite, AccessSite>();

  constructor(inner: GroupObserver, roots: ReadonlySet<RootId>) {
    this.#inner = inner;
    this.#roots = roots;
  }

  workgroupStarted(workgroup: Workgroup): void {
    this.#inner.workgroupStarted(workgroup);
  }

  workgroupEnded(workgroup: Workgroup): void {
    this.#inner.workgroupEnded(workgroup);
  }

  access(event: AccessEvent): void {
    const { site } = event;
    const isPlain = site.root !== null && this.#roots.has(site.root) && isAtomic(site.kind);
    this.#inner.access(isPlain ? { ...event, site: this.#plainSite(site) } : event);
  }

  #plainSite(site: AccessSite): AccessSite {
    let plain = this.#plain.get(site);
    if (plain === undefined) {
      plain = { ...site, kind: PLAIN[site.kind], atomic: null };
      this.#plain.set(site, plain);
    }
    return plain;
  }
}

const PLAIN: Readonly<Record<AccessKind, AccessKind>> = {
  read: "read",
  write: "write",
  "atomic-read": "read",
  "atomic-write": "write",
  "atomic-rmw": "write",
};
