/** Pass 1 as an observer: marks the cells whose accesses are not all ordered. */
import type { AccessSite } from "../engine/flat.ts";
import type { Observer } from "../engine/observer.ts";
import { type AtomicUses, instructionKey, resultMatters } from "./atomic-uses.ts";
import type { SiteCells } from "./cells.ts";
import type { MemoryMap, Region } from "./memory-map.ts";
import type { Portion } from "./portions.ts";
import { epochOf } from "./race.ts";
import type { Group, RaceEvent } from "./race-log.ts";
import { CELL_BYTES, CHANGE, LOOK, ORDERED, OTHER_ATOMIC_READ, RACE, READ, SET, Shadow, WRITE } from "./shadow.ts";

/** By area: the cells to look at again. Those of workgroup memory are the same for all workgroups. */
export type Suspects = readonly ReadonlySet<number>[];

/** The cells of all areas, one area after the other, from `from` to `to`. */
export interface MemoryPart {
  readonly from: number;
  readonly to: number;
}

/** Parts of the memory whose shadow takes so many bytes at most; none where nothing can race. */
export function memoryPartsOf({ areas }: MemoryMap, bytes: number): readonly MemoryPart[] {
  const cells = areas.reduce((sum, area) => sum + area.cells, 0);
  const most = Math.max(1, Math.floor(bytes / CELL_BYTES));
  const parts: MemoryPart[] = [];
  for (let from = 0; from < cells; from += most) parts.push({ from, to: from + most });
  return parts;
}

export function addSuspects(known: readonly Set<number>[], more: Suspects): void {
  for (const [area, cells] of more.entries()) for (const cell of cells) known[area].add(cell);
}

/** In order, so that it is the same however they were found. */
export function suspectedCells(suspects: Suspects): readonly (readonly [area: number, cells: readonly number[]])[] {
  return suspects.map((cells, area) => [area, [...Float64Array.from(cells).sort()]]);
}

export function suspectsIn({ areas }: MemoryMap, portion: Portion<number, number>): Suspects {
  return areas.map((_, area) => new Set(portion.get(area)));
}

/** What does not change from access to access of a site. */
interface SiteFacts {
  readonly region: Region;
  readonly cells: SiteCells;
  readonly kind: number;
}

/** Is told of each access that races, if only its kind is asked for, and where. */
export type OnRace = (event: RaceEvent, area: number, cell: number) => void;

export class RaceDetector implements Observer {
  readonly suspects: Set<number>[];
  readonly #map: MemoryMap;
  readonly #part: MemoryPart;
  readonly #onRace: OnRace | null;
  readonly #uses: AtomicUses;
  readonly #facts = new Map<AccessSite, SiteFacts | null>();
  readonly #buffers: (Shadow | null)[];
  readonly #starts: number[] = [];
  /** Shadows of workgroup memory, by area; a workgroup that ends leaves them to the next one. */
  readonly #own = new Map<Group, { run: number; readonly shadows: (Shadow | null)[] }>();
  readonly #free: (Shadow | null)[][] = [];
  #runs = 0;

  /** With `onRace` those cells alone are suspected of which it is not told all. */
  constructor(
    map: MemoryMap,
    uses: AtomicUses,
    part: MemoryPart = { from: 0, to: Infinity },
    onRace: OnRace | null = null,
  ) {
    this.#map = map;
    this.#uses = uses;
    this.#part = part;
    this.#onRace = onRace;
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

  workgroupStarted(workgroup: Group): void {
    const shadows =
      this.#free.pop() ?? this.#map.areas.map(({ memory, cells }) => (memory === null ? new Shadow(cells) : null));
    this.#own.set(workgroup, { run: ++this.#runs, shadows });
  }

  workgroupEnded(workgroup: Group): void {
    this.#free.push(this.#own.get(workgroup)!.shadows);
    this.#own.delete(workgroup);
  }

  access(event: RaceEvent): void {
    const { site, workgroup, localIndex, offset, inBounds } = event;
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
      const relation = shadow.touch(run, cell, kind, workgroup.index, epoch, localIndex);
      if (relation === RACE && this.#onRace !== null) this.#onRace(event, area, cell);
      else if (relation !== ORDERED) this.suspects[area].add(cell);
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
