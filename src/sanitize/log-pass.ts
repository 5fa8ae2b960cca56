/**
 * Puts the log of pass 2 into a module, for the wasm engine with one worker: records of the accesses to cells that race,
 * of the counters that give places in what races, and of barriers.
 */

import type { AccessSite, BarrierSite } from "../engine/flat.ts";
import { flatten } from "../engine/flatten.ts";
import type { Instruction, IrModule, Root, RootId } from "../ir/ir.ts";
import { MadeModules } from "../ir/made-modules.ts";
import { eachInstruction } from "../ir/walk.ts";
import { arrayType, type Type, U32 } from "../types/type.ts";
import { isAccess } from "./access-class.ts";
import { reservationsOf } from "./append-sites.ts";
import { atomicUses, instructionKey } from "./atomic-uses.ts";
import type { Wrapped } from "./counters.ts";
import type { ModuleCode } from "./function-code.ts";
import { HEADER, type LogRoots, type LogTarget, RECORD, stateWords } from "./log-code.ts";
import { type CounterRoots, ROUND_WORDS, WRAP_RECORD, WRAPPED } from "./log-counters.ts";
import { LogFunction } from "./log-function.ts";
import { isAtomic, writes } from "./race.ts";
import { MOST_INLINE, Routines } from "./routines.ts";
import { mirrored } from "./shadow-types.ts";
import { sumKindAt } from "./sum-kinds.ts";
import { TOLD } from "./tell-code.ts";

export interface AccessPlace {
  readonly kind: "access";
  readonly index: number;
  /** Among the places of its variable. */
  readonly own: number;
  readonly site: AccessSite;
  /** It takes no part in what hangs on timing, and no counter gives its place. */
  readonly isPlain: boolean;
  /** It gives places in what races: all of its accesses are told. */
  readonly isAlways: boolean;
  /** What workgroups have of it is the same where place, invocation, cell and which writes are equal are. */
  readonly isComparable: boolean;
}

export interface BarrierPlace {
  readonly kind: "barrier";
  readonly index: number;
  readonly site: BarrierSite;
}

/** The first time that a counter went beyond one of its ends. */
export interface WrapPlace {
  readonly kind: "wrap";
  readonly index: number;
  readonly site: AccessSite;
  /** Number of the end, among all. */
  readonly end: number;
  readonly code: Wrapped["code"];
}

export type LogPlace = AccessPlace | BarrierPlace | WrapPlace;

/** A variable of which some cells race. */
export interface WatchedVariable {
  readonly root: RootId;
  /** The checker's own beside it: of a cell that is watched the number of its state, from 1; of others 0. */
  readonly cells: RootId;
}

export interface LogModule extends LogRoots {
  readonly module: IrModule;
  readonly places: readonly LogPlace[];
  readonly watched: ReadonlyMap<RootId, WatchedVariable>;
  /** Words of a record, and of the state of a cell. */
  readonly recordWords: number;
  readonly stateWords: number;
  /** null: counters are not looked at. */
  readonly counters: CounterRoots | null;
  /** null: what is out of bounds is not looked at. */
  readonly outside: OutsidePlaces | null;
  /** What pairs of places say does not hang on which of them came first, nor on counters. */
  readonly isPlain: boolean;
}

/** What may be out of bounds. */
export interface OutsidePlaces {
  /** Of each place the number of times, and the index plus one of the first workgroup. */
  readonly root: RootId;
  /** Numbers of the places, by key of the instruction. */
  readonly numbers: ReadonlyMap<string, number>;
}

/** Scalars of what is accessed as a whole, at most. */
const MOST_SCALARS = 64;

const made = new MadeModules<LogModule>();

export interface LogOptions {
  readonly counters: boolean;
  readonly bounds: boolean;
  /** Of places that a cell may have at a time; where there are more, they share (`mostStates`). */
  readonly states: number;
}

/** Watches these variables, and what else is asked for; null: something is too large for a record. Of the same the same, as long as it is kept. */
export function addLog(
  module: IrModule,
  roots: readonly RootId[],
  { counters, bounds, states }: LogOptions,
): LogModule | null {
  const most = Math.min(states, flatten(module).sites.length);
  const key = `${counters} ${bounds} ${most} ${roots.join()}`;
  return made.get(module, key, () => {
    const pass = new LogPass(module, roots, { counters, bounds, states: most });
    return pass.isFit ? pass.run() : null;
  });
}

export class LogPass implements LogTarget, ModuleCode {
  readonly module: IrModule;
  readonly roots: Root[];
  readonly header: RootId;
  readonly records: RootId;
  readonly states: RootId;
  readonly routines: Routines;
  /** A private variable that counts accesses from barrier to barrier; null: there is no loop. */
  readonly turns: RootId | null;
  readonly watched = new Map<RootId, WatchedVariable>();
  readonly places: LogPlace[] = [];
  readonly isPlain: boolean;
  readonly recordWords: number;
  readonly stateWords: number;
  readonly shared: number | null;
  readonly counters: CounterRoots | null;
  readonly outside: OutsidePlaces | null;
  readonly #accesses = new Map<string, AccessPlace>();
  /** Additions and subtractions: the place of the lower end of each. */
  readonly #wraps = new Map<string, WrapPlace>();
  readonly #barriers = new Map<string, number>();
  readonly #logged: ReadonlySet<RootId>;

  constructor(module: IrModule, watched: readonly RootId[], { counters, bounds, states }: LogOptions) {
    this.module = module;
    this.roots = [...module.roots];
    this.routines = new Routines(this.roots);
    const reservations = reservationsOf(module);
    const uses = atomicUses(module);
    this.isPlain = uses.byTheLast.size === 0 && reservations.size === 0;
    const most = this.#findPlaces(new Set(watched), reservations);
    if (counters) this.#findCounters();
    this.#logged = new Set([...this.#accesses.values(), ...this.#wraps.values()].map(({ site }) => site.root!));
    this.recordWords = Math.max(WRAP_RECORD, ...[...this.#accesses.values()].map(recordWords));
    this.shared = most > states ? states : null;
    this.stateWords = stateWords(most, this.shared);
    this.header = this.#root("$header", "storage", arrayType(U32, HEADER.words));
    this.records = this.#root("$records", "storage", arrayType(arrayType(U32, this.recordWords), null));
    this.states = this.#root("$states", "storage", arrayType(arrayType(U32, this.stateWords), null));
    this.turns = hasLoop(module) ? this.#root("$turns", "private", U32) : null;
    for (const root of watched) {
      const { name, type } = module.roots[root];
      this.watched.set(root, { root, cells: this.#root(`$cells ${name}`, "storage", mirrored(type, U32)) });
    }
    this.counters = counters ? this.#counterRoots() : null;
    this.outside = bounds ? this.#outsidePlaces() : null;
  }

  #outsidePlaces(): OutsidePlaces {
    const keys = this.module.functions.flatMap(({ id, body }) => {
      const found: string[] = [];
      eachInstruction(body, (inst) => {
        if (mayBeOutside(inst)) found.push(instructionKey(id, inst.id));
      });
      return found;
    });
    const root = this.#root("$outside", "storage", arrayType(U32, Math.max(1, keys.length) * TOLD.words));
    return { root, numbers: new Map(keys.map((key, number) => [key, number])) };
  }

  #counterRoots(): CounterRoots {
    const own = (name: string) => this.#root(`$last ${name}`, "private", U32);
    const counted = new Set([...this.#wraps.values()].map(({ site }) => site.root!));
    const rounds = [...counted].map((root) => {
      const { name, type } = this.module.roots[root];
      const cells = this.#root(`$rounds ${name}`, "storage", mirrored(type, arrayType(U32, ROUND_WORDS)));
      return [root, cells] as const;
    });
    return {
      last: { place: own("place"), offset: own("offset"), delta: own("delta"), wrapped: own("wrapped") },
      wrapped: this.#root("$wrapped", "storage", arrayType(U32, this.#wraps.size * 2 * WRAPPED.words)),
      rounds: new Map(rounds),
    };
  }

  #root(name: string, space: Root["space"], type: Type): RootId {
    const id = this.roots.length;
    const { span } = this.module.functions[this.module.entryPoint];
    this.roots.push({
      id,
      name,
      space,
      access: "read_write",
      type,
      group: null,
      binding: null,
      initializer: null,
      span,
    });
    return id;
  }

  /** Gives the number of places of the variable that has most. */
  #findPlaces(watched: ReadonlySet<RootId>, reservations: ReturnType<typeof reservationsOf>): number {
    const counters = new Set([...reservations.values()].flatMap((keys) => [...keys]));
    const { sites, barriers } = flatten(this.module);
    const { goesOn, decides } = atomicUses(this.module);
    const counts = new Map<RootId, number>();
    for (const site of sites) {
      const { root } = site;
      const key = instructionKey(site.function, site.instruction);
      const isAlways = counters.has(key);
      if (root === null || !(isAlways || watched.has(root))) continue;
      const own = counts.get(root) ?? 0;
      counts.set(root, own + 1);
      const isLook = site.kind === "atomic-read" && !goesOn.has(key) && !decides.has(key);
      const isPlain = isAtomic(site.kind) ? isLook : !reservations.has(key);
      // What is written in several scalars is compared in the first one alone.
      const isSingle = !writes(site.kind) || site.shape.offsets.length === 1;
      const isComparable = this.isPlain && isPlain && !isAlways && isSingle;
      const index = this.places.length;
      const place: AccessPlace = { kind: "access", index, own, site, isPlain, isAlways, isComparable };
      this.#accesses.set(key, place);
      this.places.push(place);
    }
    for (const site of barriers) {
      const key = instructionKey(site.function, site.instruction);
      // A `workgroupUniformLoad` has two, in order.
      if (!this.#barriers.has(key)) this.#barriers.set(key, this.places.length);
      this.places.push({ kind: "barrier", index: this.places.length, site });
    }
    return Math.max(0, ...counts.values());
  }

  #findCounters(): void {
    for (const site of flatten(this.module).sites) {
      if (site.root === null || (site.atomic !== "atomicAdd" && site.atomic !== "atomicSub")) continue;
      if (sumKindAt(this.module, site) === "signed") continue;
      const end = 2 * this.#wraps.size;
      const lower: WrapPlace = { kind: "wrap", index: this.places.length, site, end, code: "counter-underflow" };
      this.#wraps.set(instructionKey(site.function, site.instruction), lower);
      this.places.push(lower, { ...lower, index: lower.index + 1, end: end + 1, code: "counter-overflow" });
    }
  }

  get isFit(): boolean {
    return [...this.#accesses.values()].every(({ site }) => site.shape.offsets.length <= MOST_SCALARS);
  }

  accessPlace(key: string): AccessPlace | null {
    return this.#accesses.get(key) ?? null;
  }

  wrapPlace(key: string): WrapPlace | null {
    return this.#wraps.get(key) ?? null;
  }

  /** Index of the place. */
  barrierPlace(key: string, nth: number): number {
    return this.#barriers.get(key)! + nth;
  }

  get isLarge(): boolean {
    return this.#accesses.size + this.#wraps.size > MOST_INLINE;
  }

  /** Whether accesses to the variable have records. */
  isLogged(root: RootId): boolean {
    return this.#logged.has(root);
  }

  beside(root: RootId): readonly RootId[] {
    const own = [this.watched.get(root)?.cells, this.counters?.rounds.get(root)];
    return own.filter((each) => each !== undefined);
  }

  run(): LogModule {
    const functions = this.module.functions.map((fn) => new LogFunction(this, fn).run());
    const { header, records, states, shared, places, watched, counters, outside, isPlain } = this;
    const { recordWords, stateWords } = this;
    return {
      module: this.routines.finish(this.module, functions),
      header,
      records,
      states,
      shared,
      places,
      watched,
      counters,
      outside,
      isPlain,
      recordWords,
      stateWords,
    };
  }
}

/** An access, or an index into a value: of others it is not asked. */
function mayBeOutside(inst: Instruction): boolean {
  return isAccess(inst) || inst.kind === "uniform-load" || inst.kind === "extract-dynamic";
}

function recordWords({ site }: AccessPlace): number {
  return RECORD.words + (site.atomic === null ? 0 : 1) + site.shape.offsets.length;
}

function hasLoop({ functions }: IrModule): boolean {
  let found = false;
  for (const { body } of functions) {
    eachInstruction(body, (inst) => {
      found ||= inst.kind === "loop";
    });
  }
  return found;
}
