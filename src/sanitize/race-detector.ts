/** Pass 1 as an observer: marks the cells whose accesses are not all ordered. */
import type { AccessSite } from "../engine/flat.ts";
import type { AccessEvent, Observer } from "../engine/observer.ts";
import type { Workgroup } from "../engine/workgroup.ts";
import { type AtomicUses, instructionKey, resultMatters } from "./atomic-uses.ts";
import type { SiteCells } from "./cells.ts";
import type { MemoryMap, Region } from "./memory-map.ts";
import { epochOf } from "./race.ts";
import { CHANGE, LOOK, OTHER_ATOMIC_READ, READ, SET, Shadow, WRITE } from "./shadow.ts";

/** By area: the cells to look at again. Those of workgroup memory are the same for all workgroups. */
export type Suspects = readonly ReadonlySet<number>[];

/** The cells of all areas, one area after the other, from `from` to `to`. */
export interface MemoryPart {
  readonly from: number;
  readonly to: number;
}

/** What does not change from access to access of a site. */
interface SiteFacts {
  readonly region: Region;
  readonly cells: SiteCells;
  readonly kind: number;
}

export class RaceDetector implements Observer {
  readonly suspects: Set<number>[];
  readonly #map: MemoryMap;
  readonly #part: MemoryPart;
  readonly #uses: AtomicUses;
  readonly #facts = new Map<AccessSite, SiteFacts | null>();
  readonly #buffers: (Shadow | null)[];
  readonly #starts: number[] = [];
  /** Shadows of workgroup memory, by area; a workgroup that ends leaves them to the next one. */
  readonly #own = new Map<Workgroup, { run: number; readonly shadows: (Shadow | null)[] }>();
  readonly #free: (Shadow | null)[][] = [];
  #runs = 0;

  constructor(map: MemoryMap, uses: AtomicUses, part: MemoryPart = { from: 0, to: Infinity }) {
    this.#map = map;
    this.#uses = uses;
    this.#part = part;
    this.suspects = map.areas.map(() => new Set<number>());
    this.#buffers = map.areas.map(({ memory, cells }) => (memory === null ? null : new Shadow(cells)));
    let start = 0;
    for (const { cells } of map.areas) {
      this.#starts.push(start);
      start += cells;
    }
  }

  get found(): boolean {
    return this.suspects.some((cells) => cells.size > 0);
  }

  workgroupStarted(workgroup: Workgroup): void {
    const shadows =
      this.#free.pop() ?? this.#map.areas.map(({ memory, cells }) => (memory === null ? new Shadow(cells) : null));
    this.#own.set(workgroup, { run: ++this.#runs, shadows });
  }

  workgroupEnded(workgroup: Workgroup): void {
    this.#free.push(this.#own.get(workgroup)!.shadows);
    this.#own.delete(workgroup);
  }

  access({ site, workgroup, localIndex, offset, inBounds }: AccessEvent): void {
    if (!inBounds) return;
    let facts = this.#facts.get(site);
    if (facts === undefined) {
      facts = this.#factsOf(site);
      this.#facts.set(site, facts);
    }
    if (facts === null) return;
    const { region, cells, kind } = facts;
    const { area } = region;
    const isBuffer = this.#buffers[area] !== null;
    const own = isBuffer ? null : this.#own.get(workgroup)!;
    const shadow = own === null ? this.#buffers[area]! : own.shadows[area]!;
    const run = own === null ? 1 : own.run;
    const epoch = epochOf(site.space, workgroup.phases);
    const first = cells.first(region.offset + offset);
    const { relative } = cells;
    const start = this.#starts[area];
    for (let i = 0; i < relative.length; i++) {
      const cell = first + relative[i];
      if (start + cell < this.#part.from || start + cell >= this.#part.to) continue;
      if (shadow.touch(run, cell, kind, workgroup.index, epoch, localIndex)) this.suspects[area].add(cell);
    }
  }

  #factsOf(site: AccessSite): SiteFacts | null {
    const region = this.#map.region(site.root);
    if (region === null) return null;
    const key = instructionKey(site.function, site.instruction);
    const goesOn = resultMatters(this.#uses, key);
    return { region, cells: this.#map.cellsOf(site, region), kind: classOf(site, goesOn) };
  }
}

function classOf({ kind, atomic }: AccessSite, goesOn: boolean): number {
  switch (kind) {
    case "write":
      return WRITE;
    case "read":
      return READ;
    case "atomic-write":
      return SET;
    case "atomic-read":
      return goesOn ? LOOK : OTHER_ATOMIC_READ;
    case "atomic-rmw":
      // Of exchanges it depends on the other one; the second pass knows.
      return atomic === "atomicExchange" ? SET : CHANGE;
    default:
      return kind satisfies never;
  }
}
