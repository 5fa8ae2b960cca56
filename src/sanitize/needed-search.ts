/**
 * Which barriers and atomics a dispatch needs, by the race rule: what would be unordered if the barrier were not there, what
 * would race if the accesses were plain? Each is asked by itself, of the accesses that the dispatch made, and all in one run.
 * Unordered atomics whose outcome hangs on timing count as well: they are what a barrier between setting and counting is
 * for. Where they may be, a second run says. A dispatch that has conflicts as it is needs all.
 */
import type { DispatchRequest } from "../engine/dispatch.ts";
import type { Observer } from "../engine/observer.ts";
import type { RootId } from "../ir/ir.ts";
import { joined } from "../launch/watch.ts";
import { containsAtomic } from "../types/predicates.ts";
import { type AtomicUses, atomicUses } from "./atomic-uses.ts";
import type { DispatchScope } from "./draft.ts";
import { MemoryMap } from "./memory-map.ts";
import { AtomicKeys, type Place, PlaceCollector } from "./needless.ts";
import { INTERPRETED, Runs } from "./portions.ts";
import { epochOf } from "./race.ts";
import {
  addSuspects,
  type MemoryPart,
  memoryPartsOf,
  type OnRace,
  RaceDetector,
  suspectedCells,
  suspectsIn,
} from "./race-detector.ts";
import { type Group, memoryOf, mostKept, RaceLog } from "./race-log.ts";
import { ReducedGroup, WithoutRows, WithPlain } from "./what-if.ts";

/** Atomic variables by area of memory: one of each. */
type Round = ReadonlyMap<number, RootId>;

/** Looks that are taken in one run, but for those with plain accesses: as it is, and without every second row of barriers. */
const LOOKS = 3;

export class NeededSearch {
  readonly #map: MemoryMap;
  readonly #uses: AtomicUses;
  readonly #keys: AtomicKeys;
  readonly #collector: PlaceCollector;
  readonly #watch: (observer: Observer) => Promise<void>;
  readonly #needed = new Set<string>();
  /** Cells with atomic accesses that may be unordered in one of the looks. */
  readonly #suspects: readonly Set<number>[];
  /** It has conflicts as it is, or may have. */
  #isUnordered = false;

  /** `watch` runs the dispatch. */
  constructor(scope: DispatchScope, request: DispatchRequest, watch: (observer: Observer) => Promise<void>) {
    this.#map = new MemoryMap(request);
    this.#uses = atomicUses(request.module);
    this.#keys = new AtomicKeys(scope);
    this.#collector = new PlaceCollector(scope);
    this.#watch = watch;
    this.#suspects = this.#map.areas.map(() => new Set<number>());
  }

  /** The barriers and atomics that the dispatch comes to, by key. */
  get places(): ReadonlyMap<string, Place> {
    return this.#collector.places;
  }

  needs(key: string): boolean {
    return this.#isUnordered || this.#needed.has(key);
  }

  /** `bytes`: of shadow that it may take at a time; `accesses`: of the dispatch. */
  async run(bytes: number, accesses: number): Promise<void> {
    const rounds = roundsOf(this.#map);
    const [first, ...others] = memoryPartsOf(this.#map, bytes / (LOOKS + rounds.length));
    await this.#races(first ?? { from: 0, to: 0 }, rounds, [this.#collector]);
    for (const part of others) await this.#races(part, rounds, []);
    if (this.places.size > 0 && !this.#isUnordered) await this.#timing(accesses);
  }

  async #races(part: MemoryPart, rounds: readonly Round[], others: readonly Observer[]): Promise<void> {
    const asItIs = this.#detector(part, () => {
      this.#isUnordered = true;
    });
    const without = [false, true].map(() =>
      this.#detector(part, ({ site, workgroup }) => {
        this.#needsBarrier(workgroup, memoryOf({ site }), epochOf(site.space, workgroup.phases));
      }),
    );
    const plain = rounds.map((round) => this.#withPlain(part, round));
    const looks = [asItIs, ...without.map((look, i) => new WithoutRows(look, i === 0)), ...plain];
    await this.#watch([...others, ...looks].reduce(joined));
    for (const { suspects } of [asItIs, ...without]) addSuspects(this.#suspects, suspects);
  }

  #detector(part: MemoryPart, onRace: OnRace): RaceDetector {
    return new RaceDetector(this.#map, this.#uses, part, onRace);
  }

  /** It is the variable of the round whose accesses race if they are plain, whoever came to the cell. */
  #withPlain(part: MemoryPart, round: Round): Observer {
    const detector = this.#detector(part, (_, area, cell) => {
      const root = round.get(area);
      if (root === undefined) return;
      const { offset, plan } = this.#map.region(root)!;
      const byte = (cell << plan.shift) - offset;
      this.#needed.add(this.#keys.at(root, byte - (byte % 4)));
    });
    return new WithPlain(detector, new Set(round.values()));
  }

  async #timing(accesses: number): Promise<void> {
    const runs = new Runs(suspectedCells(this.#suspects), accesses, INTERPRETED);
    for (let portion = runs.next; portion !== null && !this.#isUnordered; portion = runs.next) {
      const suspects = suspectsIn(this.#map, portion);
      const most = mostKept(portion) / LOOKS;
      const logs = Array.from({ length: LOOKS }, () => {
        const log = new RaceLog(this.#map, suspects, this.#uses, new Map(), undefined, most);
        log.unordered = ({ entries, epoch }, group) => {
          if (group !== null) this.#needsBarrier(group, memoryOf(entries[0]), epoch);
        };
        return log;
      });
      const [asItIs, first, second] = logs;
      asItIs.unordered = () => {
        this.#isUnordered = true;
      };
      const looks: Observer[] = [asItIs, new WithoutRows(first, true), new WithoutRows(second, false)];
      await this.#watch(looks.reduce(joined));
      const full = logs.filter(({ fullness }) => fullness > 1);
      if (full.length > 0) {
        runs.divide(Math.max(...full.map((log) => log.partsOf(accesses))));
        continue;
      }
      for (const log of logs) log.finish();
      runs.made();
    }
    // Of cells that were not looked at it is not said that all is ordered.
    this.#isUnordered ||= runs.watched !== null;
  }

  /** Something is unordered in a phase: for want of the barriers that are left out in it. */
  #needsBarrier(workgroup: Group, memory: "workgroup" | "storage", phase: number): void {
    const key = workgroup instanceof ReducedGroup ? workgroup.leftOut[memory][phase] : undefined;
    if (key !== undefined) this.#needed.add(key);
  }
}

/** Each atomic variable in one of them; two that are bound to one memory in different ones. */
function roundsOf(map: MemoryMap): readonly Round[] {
  const rounds: Map<number, RootId>[] = [];
  for (const { id, type } of map.module.roots) {
    const region = map.region(id);
    if (region === null || !containsAtomic(type)) continue;
    let round = rounds.find((each) => !each.has(region.area));
    if (round === undefined) {
      round = new Map();
      rounds.push(round);
    }
    round.set(region.area, id);
  }
  return rounds;
}
