/**
 * Tells the judge of races (`race-log.ts`) what the records of a log say (`log-code.ts`), as if it had watched. Workgroups
 * often do what others did, at the same cells: where no record of a workgroup says anything new of the dispatch as a whole,
 * what its invocations have among themselves hangs on places, invocations, cells and on which writes are equal alone. So
 * what was found for one workgroup is counted again for each that has the same of these.
 *
 * A cell that one invocation of a workgroup has for itself adds nothing.
 */
import type { AccessSite } from "../engine/flat.ts";
import type { Wrapped } from "./counters.ts";
import { PLACE_BITS, RECORD, REPEAT, SAME, SETTLED } from "./log-code.ts";
import type { AccessPlace, LogModule, WrapPlace } from "./log-pass.ts";
import type { Pairs } from "./pair-store.ts";
import { epochOf } from "./race.ts";
import type { Group, Pair, RaceEvent, RaceLog } from "./race-log.ts";

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** What one workgroup did, and how often which pairs of places were found in it. */
interface Pattern {
  readonly words: Int32Array;
  readonly found: readonly (readonly [pair: Pair, count: number])[];
}

/** Patterns that are kept, and pairs that were found in them: one workgroup may have thousands. */
const MOST_PATTERNS = 256;
const MOST_FOUND = 2 ** 16;
const SEVERAL = -2;
/** What a record is of: a barrier, an access that can be compared with those of other workgroups, another one, a counter. */
const BARRIER = 0;
const COMPARABLE = 1;
const OTHER = 2;
const WRAP = 3;

export class LogReader {
  readonly #made: LogModule;
  readonly #log: RaceLog;
  readonly #grid: readonly [number, number, number];
  readonly #group: Writable<Group>;
  readonly #event: Writable<RaceEvent>;
  /** Words of a record. */
  readonly #length: number;
  /** By place. */
  readonly #kinds: Uint8Array;
  readonly #patterns = new Map<number, Pattern[]>();
  #patternCount = 0;
  /** Pairs that were found in them, all together. */
  #foundCount = 0;
  /** By number of a cell's state: the last workgroup that came, and which of its invocations. */
  readonly #groupOf: Int32Array;
  readonly #laneOf: Int32Array;
  /** What is read, and where the workgroup that is read begins and ends in it. */
  #records: Uint32Array = new Uint32Array();
  #from = 0;
  #to = 0;
  /** Of this workgroup. */
  #words = new Int32Array(2 ** 10);
  #found: Pair[] = [];
  /** The first of each end of each counter, in order. */
  readonly wraps: (Pick<Wrapped, "code" | "witness" | "before"> & { readonly end: number })[] = [];
  /** Records that the judge was told of. */
  told = 0;

  /** `cells`: how many are watched. */
  constructor(made: LogModule, log: RaceLog, grid: readonly [number, number, number], size: number, cells: number) {
    this.#made = made;
    this.#log = log;
    this.#grid = grid;
    log.counted = (pair) => this.#found.push(pair);
    this.#length = made.recordWords;
    this.#kinds = Uint8Array.from(made.places, (place) => {
      if (place.kind !== "access") return place.kind === "barrier" ? BARRIER : WRAP;
      return place.isComparable ? COMPARABLE : OTHER;
    });
    this.#groupOf = new Int32Array(cells + 1).fill(-1);
    this.#laneOf = new Int32Array(cells + 1);
    this.#group = { index: 0, id: [0, 0, 0], size, phases: { workgroup: 0, storage: 0, texture: 0 } };
    this.#event = {
      site: made.places[0].site as AccessSite,
      workgroup: this.#group,
      localIndex: 0,
      offset: 0,
      inBounds: true,
      before: new Int32Array(made.recordWords),
      after: new Int32Array(made.recordWords),
    };
  }

  /** Records of whole workgroups, in order. */
  read(words: Uint32Array): void {
    this.#records = words;
    // What was found in the workgroup before; null: that does not hold for others.
    let last: Pattern["found"] | null = null;
    const step = this.#length;
    for (let at = 0; at < words.length; ) {
      if (words[at] === REPEAT) {
        countAgain(last!, words[at + RECORD.lane]);
        at += step;
        continue;
      }
      this.#from = at;
      const workgroup = words[at + RECORD.workgroup];
      while (at < words.length && words[at + RECORD.workgroup] === workgroup) at += step;
      this.#to = at;
      last = this.#judge(workgroup);
    }
  }

  /** All pairs of places. */
  finish(): Pairs {
    this.#log.counted = null;
    return this.#log.finish();
  }

  /** What is found in a workgroup that says nothing new of the dispatch as a whole; null: in one that may. */
  #judge(workgroup: number): Pattern["found"] | null {
    const { isComparable, isSettled } = this.#survey(workgroup);
    if (!isComparable) {
      this.#tell(workgroup, true);
      return null;
    }
    const length = this.#project();
    if (length === 0) return isSettled ? [] : null;
    const hash = hashOf(this.#words, length);
    const known = this.#patterns.get(hash)?.find((pattern) => startsWith(this.#words, pattern.words, length));
    if (known !== undefined && isSettled) {
      countAgain(known.found, 1);
      return known.found;
    }
    this.#tell(workgroup, false);
    const isKept = known === undefined && this.#patternCount < MOST_PATTERNS && this.#foundCount < MOST_FOUND;
    if (!isKept && !isSettled) return null;
    const found = counted(this.#found);
    if (isKept) this.#keep(hash, length, found);
    return isSettled ? found : null;
  }

  /** Who came to which cells; a cell at which something may be new counts as come to by several. */
  #survey(workgroup: number) {
    const [words, groupOf, laneOf, kinds] = [this.#records, this.#groupOf, this.#laneOf, this.#kinds];
    let [isAllComparable, isSettled] = [true, true];
    for (let at = this.#from; at < this.#to; at += this.#length) {
      const place = words[at];
      const kind = kinds[place & PLACE_BITS];
      if (kind === BARRIER) continue;
      if (kind === WRAP) {
        this.#wrap(at, workgroup);
        isAllComparable = false;
        continue;
      }
      const cell = words[at + RECORD.cell];
      const lane = words[at + RECORD.lane];
      if (cell === 0 || kind !== COMPARABLE) isAllComparable = false;
      const isNew = (place & SETTLED) === 0;
      if (isNew) isSettled = false;
      if (isNew || (groupOf[cell] === workgroup && laneOf[cell] !== lane)) laneOf[cell] = SEVERAL;
      else if (groupOf[cell] !== workgroup) laneOf[cell] = lane;
      groupOf[cell] = workgroup;
    }
    return { isComparable: isAllComparable, isSettled };
  }

  /** Writes what a pattern is made of to `#words`; gives how many there are, 0 where no access is left. */
  #project(): number {
    const words = this.#records;
    if (this.#words.length < this.#to - this.#from) this.#words = new Int32Array(2 * (this.#to - this.#from));
    const into = this.#words;
    let [length, accesses] = [0, 0];
    for (let at = this.#from; at < this.#to; at += this.#length) {
      const place = words[at];
      if (this.#kinds[place & PLACE_BITS] === BARRIER) {
        into[length++] = place;
        continue;
      }
      const cell = words[at + RECORD.cell];
      if (this.#laneOf[cell] !== SEVERAL) continue;
      accesses++;
      into[length++] = place & (PLACE_BITS | SAME);
      into[length++] = cell;
      into[length++] = words[at + RECORD.lane];
    }
    return accesses === 0 ? 0 : length;
  }

  #keep(hash: number, length: number, found: Pattern["found"]): void {
    const pattern = { words: this.#words.slice(0, length), found };
    this.#patterns.set(hash, [...(this.#patterns.get(hash) ?? []), pattern]);
    this.#patternCount++;
    this.#foundCount += found.length;
  }

  /** Tells of all, or of the cells that several came to. */
  #tell(workgroup: number, all: boolean): void {
    this.#found = [];
    const group = this.#group;
    group.index = workgroup;
    group.id = this.#idOf(workgroup);
    group.phases = { workgroup: 0, storage: 0, texture: 0 };
    this.#log.workgroupStarted(group);
    for (let at = this.#from; at < this.#to; at += this.#length) {
      const place = this.#made.places[this.#records[at] & PLACE_BITS];
      if (place.kind === "barrier") {
        group.phases[place.site.barrier]++;
        this.#log.barrier({ site: place.site, workgroup: group });
      } else if (place.kind === "access" && (all || this.#laneOf[this.#records[at + RECORD.cell]] === SEVERAL))
        this.#access(at, place);
    }
    this.#log.workgroupEnded(group);
  }

  #idOf(workgroup: number): Group["id"] {
    const [x, y] = this.#grid;
    return [workgroup % x, Math.floor(workgroup / x) % y, Math.floor(workgroup / (x * y))];
  }

  /** A counter that went beyond an end for the first time. */
  #wrap(at: number, workgroup: number): void {
    const words = this.#records;
    const { site, code, end } = this.#made.places[words[at] & PLACE_BITS] as WrapPlace;
    const phases = { workgroup: 0, storage: 0, texture: 0 };
    for (let other = this.#from; other < at; other += this.#length) {
      const place = this.#made.places[words[other] & PLACE_BITS];
      if (place.kind === "barrier") phases[place.site.barrier]++;
    }
    const [before, after] = words.subarray(at + RECORD.words);
    const witness = {
      site,
      workgroupId: this.#idOf(workgroup),
      local: words[at + RECORD.lane],
      epoch: epochOf(site.space, phases),
      offset: words[at + RECORD.offset],
      values: [after | 0],
    };
    this.wraps.push({ code, witness, before: before | 0, end });
  }

  #access(at: number, { site }: AccessPlace): void {
    const words = this.#records;
    const event = this.#event;
    event.site = site;
    event.localIndex = words[at + RECORD.lane];
    event.offset = words[at + RECORD.offset];
    const hasBefore = site.atomic !== null ? 1 : 0;
    const start = at + RECORD.words + hasBefore;
    for (let i = 0; i < site.shape.offsets.length; i++) event.after[i] = words[start + i];
    event.before[0] = hasBefore === 1 ? words[at + RECORD.words] : event.after[0];
    this.told++;
    this.#log.access(event);
  }
}

/** So many workgroups have what was found in another one. */
function countAgain(found: Pattern["found"], workgroups: number): void {
  for (const [pair, count] of found) pair.count += count * workgroups;
}

function counted(pairs: readonly Pair[]): Pattern["found"] {
  const counts = new Map<Pair, number>();
  for (const pair of pairs) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  return [...counts];
}

function hashOf(words: Int32Array, length: number): number {
  let hash = length;
  for (let i = 0; i < length; i++) hash = (Math.imul(hash, 31) + words[i]) | 0;
  return hash;
}

function startsWith(words: Int32Array, pattern: Int32Array, length: number): boolean {
  if (pattern.length !== length) return false;
  for (let i = 0; i < length; i++) if (pattern[i] !== words[i]) return false;
  return true;
}
