import type { Emitter } from "../ir/builder.ts";
import type { InstId, IrModule, Root, RootId } from "../ir/ir.ts";
import { MadeModules } from "../ir/made-modules.ts";
import { eachInstruction } from "../ir/walk.ts";
import { onceFor } from "../text/once.ts";
import { arrayType, atomicType, type Type, U32 } from "../types/type.ts";
import { classOf, isSharedAccess } from "./access-class.ts";
import { type AtomicUses, atomicUses, instructionKey, resultMatters } from "./atomic-uses.ts";
import { barrierKinds, endTogether, storageEpochs } from "./barrier-kinds.ts";
import { writtenRoots } from "./memory-map.ts";
import { orderedAccesses } from "./ordered-accesses.ts";
import { type Emit, MOST_INLINE, Routines } from "./routines.ts";
import { AGAINST } from "./shadow.ts";
import {
  type CellWords,
  type CountedIn,
  countOperation,
  countPlace,
  countPlaceOf,
  countWords,
  FOUND,
  MARK,
  MOST_FORGOTTEN,
  PARAMETERS,
  PLACE,
  placeIn,
  type ShadowRoots,
} from "./shadow-code.ts";
import { FunctionPass, hasAccessesTogether } from "./shadow-function.ts";
import { mirrored } from "./shadow-types.ts";
import { TOLD } from "./tell-code.ts";

export interface ShadowOptions {
  readonly races: boolean;
  readonly bounds: boolean;
  readonly counters: boolean;
  /** Of the addresses of storage: how many atomic functions change them, at which places, from how many workgroups. */
  readonly counts: boolean;
  /** Places of one variable share counts, as it has very many addresses and places. */
  readonly sharesCounts: boolean;
  /** Of each access that races the first workgroups, also of those that write another value; only with one worker. */
  readonly sites: boolean;
  /** Only these variables get cells; null: all that need some. */
  readonly only: readonly RootId[] | null;
  /** Invocations of the dispatch along each axis: more than one, or not. */
  readonly isAlong: readonly [boolean, boolean, boolean];
  /** Accesses of a module in which each has its own code. Left out: where it pays. */
  readonly mostInline?: number;
}

/**
 * An index that may be out of bounds, an addition that may wrap; an access that may race, and whom it races with, and the
 * same where it writes what was not there before.
 */
export interface LookedAt {
  readonly kind: "bounds" | "counter" | "race" | "race-with" | "differs" | "differs-with";
  readonly key: string;
}

/** A variable with counts of the atomic functions that may change it, whose keys are its `places`. */
export interface Counted extends CountedIn {
  readonly root: RootId;
  /** One set for each worker. */
  readonly counts: RootId;
}

/** Counts that places share, at most. */
const SHARED_COUNTS = 64;

/** A variable with cells. */
export interface Shadowed extends CellWords {
  readonly root: RootId;
  /** The cells: of workgroup variables in workgroup memory, of others one set for each worker. */
  readonly shadow: RootId;
  /** A word for each cell: the dispatch in which it was found to race. */
  readonly marks: RootId;
}

export interface ShadowModule extends ShadowRoots {
  readonly module: IrModule;
  /** Of accesses that race; null: they are not asked for, or there are none. */
  readonly told: RootId | null;
  readonly shadowed: readonly Shadowed[];
  readonly counted: readonly Counted[];
  /** What is looked at of indices and sums: by place in `$found` what it is and the key of the instruction. */
  readonly places: readonly LookedAt[];
  /** Of storage, that a workgroup has at most; null: as many as a loop takes. */
  readonly epochs: number | null;
}

const made = new MadeModules<ShadowModule>();

/** Of the same module with the same options the same, as long as it is kept. */
export function addShadow(module: IrModule, options: ShadowOptions): ShadowModule {
  return made.get(module, JSON.stringify(options), () => new ShadowPass(module, options).run());
}

/** By variable: the classes of its accesses that have to be ordered with some other one, and are not known to be. */
function classesByRoot(
  module: IrModule,
  uses: AtomicUses,
  ordered: ReadonlySet<string>,
): ReadonlyMap<RootId, readonly number[]> {
  const present = new Map<RootId, Set<number>>();
  for (const fn of module.functions) {
    eachInstruction(fn.body, (inst) => {
      const key = instructionKey(fn.id, inst.id);
      if (!isSharedAccess(inst) || inst.root === null || ordered.has(key)) return;
      const found = present.get(inst.root) ?? new Set();
      present.set(inst.root, found.add(classOf(inst, resultMatters(uses, key))));
    });
  }
  return new Map(
    [...present].map(([root, kinds]) => [
      root,
      [...kinds].filter((kind) => AGAINST[kind].some((other) => kinds.has(other))).sort(),
    ]),
  );
}

function accessCount({ functions }: IrModule): number {
  let count = 0;
  for (const { body } of functions) {
    eachInstruction(body, (inst) => {
      if (isSharedAccess(inst) || inst.kind === "extract-dynamic") count++;
    });
  }
  return count;
}

export class ShadowPass implements ShadowRoots {
  readonly module: IrModule;
  readonly options: ShadowOptions;
  readonly uses: AtomicUses;
  readonly roots: Root[];
  readonly parameters: RootId;
  readonly found: RootId;
  readonly told: RootId | null;
  readonly invocations: number;
  readonly shadowed = new Map<RootId, Shadowed>();
  readonly counted = new Map<RootId, Counted>();
  readonly places: readonly LookedAt[];
  readonly routines: Routines;
  /** So many accesses that what stands at each of them is called. */
  readonly isLarge: boolean;
  readonly #indices: ReadonlyMap<string, number>;
  /** Keys of accesses that are known to be ordered. */
  readonly ordered: ReadonlySet<string>;
  /** A private variable: accesses where all invocations of a workgroup come through together; null: there are none. */
  readonly together: RootId | null;
  /** Whether they come to the end together too. */
  readonly endsTogether: boolean;
  /** Private variables: how far the stamps of an epoch are behind the first; null: there is one epoch. */
  readonly passed: { readonly workgroup: RootId | null; readonly storage: RootId | null };

  constructor(module: IrModule, options: ShadowOptions) {
    this.module = module;
    this.options = options;
    this.uses = atomicUses(module);
    this.roots = [...module.roots];
    this.routines = new Routines(this.roots);
    this.isLarge = accessCount(module) > (options.mostInline ?? MOST_INLINE);
    const [x, y, z] = module.workgroupSize;
    this.invocations = x * y * z;
    this.parameters = this.#root("$parameters", "storage", arrayType(U32, PARAMETERS.words), "read");
    this.places = placesOf(module, options);
    this.#indices = new Map(this.places.map(({ kind, key }, index) => [`${kind} ${key}`, index]));
    const words = FOUND.places + PLACE.words * this.places.length;
    this.found = this.#root("$found", "storage", arrayType(atomicType(U32), words));
    const told = TOLD.words * this.places.length;
    this.told = options.sites && told > 0 ? this.#root("$told", "storage", arrayType(U32, told)) : null;
    this.ordered = options.sites || !options.races ? new Set() : orderedAccesses(module, this.uses, options.isAlong);
    if (options.races) this.#shadowRoots();
    if (options.counts) this.#countedRoots();
    this.together = hasAccessesTogether(module) ? this.#root("$together", "private", U32) : null;
    this.endsTogether = endTogether(module);
    const spaces = new Set([...this.shadowed.values()].map(({ space }) => space));
    const counts = barrierKinds(module);
    const passed = (space: "workgroup" | "storage"): RootId | null =>
      spaces.has(space) && counts.has(space) ? this.#root(`$passed ${space}`, "private", U32) : null;
    this.passed = { workgroup: passed("workgroup"), storage: passed("storage") };
  }

  #root(name: string, space: Root["space"], type: Type, access: Root["access"] = "read_write"): RootId {
    const id = this.roots.length;
    const { span } = this.module.functions[this.module.entryPoint];
    this.roots.push({ id, name, space, access, type, group: null, binding: null, initializer: null, span });
    return id;
  }

  /** Code from values that is the same at many places: in a large module it is a routine. */
  often(em: Emitter, name: string, args: readonly InstId[], emit: Emit): void {
    if (this.isLarge) this.routines.call(em, name, args, emit);
    else emit(em, args);
  }

  /** Counts that something went wrong at a place: in the kernel itself that costs an addition in locals of the place's own. */
  countPlace(em: Emitter, place: number, start: InstId): void {
    if (!this.isLarge) {
      countPlace(em, this, place, start);
      return;
    }
    const args = [em.number(place, U32), start];
    this.routines.call(em, "$count place", args, (inner, [of, begin]) => countPlaceOf(inner, this, of, begin));
  }

  /** Counts an atomic function at one of the places of `counted`, on the address of a cell. */
  countOperation(
    em: Emitter,
    counted: Counted,
    cell: InstId,
    place: number,
    stamps: { readonly workgroup: InstId; readonly dispatch: InstId },
    isUsual: boolean,
  ): void {
    const { word, bit } = placeIn(counted, place);
    const words = countWords(counted);
    if (!this.isLarge && counted.places.length <= MOST_FORGOTTEN) {
      countOperation(em, cell, { word, bit: null }, words, stamps, isUsual);
      return;
    }
    const bits = bit === null ? [] : [em.number(bit.word, U32), em.number(bit.mask, U32)];
    const args = [cell, stamps.workgroup, stamps.dispatch, em.number(word, U32), ...bits];
    const name = `$operation ${counted.root} ${isUsual}`;
    this.routines.call(em, name, args, (inner, [of, workgroup, dispatch, dynamic, bitWord, mask]) => {
      const where = { word: { dynamic }, bit: bit === null ? null : { word: { dynamic: bitWord }, mask } };
      countOperation(inner, of, where, words, { workgroup, dispatch }, isUsual);
    });
  }

  /** Among the places. */
  indexOf(kind: LookedAt["kind"], key: string): number {
    return this.#indices.get(`${kind} ${key}`)!;
  }

  #shadowRoots(): void {
    const written = writtenRoots(this.module);
    for (const [root, classes] of classesByRoot(this.module, this.uses, this.ordered)) {
      const { space, type, name } = this.module.roots[root];
      if (this.options.only !== null && !this.options.only.includes(root)) continue;
      if (classes.length === 0 || !written.has(root) || (space !== "workgroup" && space !== "storage")) continue;
      const shadow = this.#root(`$cells ${name}`, space, mirrored(type, arrayType(U32, classes.length)));
      const marks = this.#root(`$marks ${name}`, "storage", mirrored(type, arrayType(U32, MARK.words)));
      this.shadowed.set(root, { root, space, classes, shadow, marks });
    }
  }

  /** The variables of the checker's own that have the shape of a variable. */
  beside(root: RootId): readonly RootId[] {
    const shadowed = this.shadowed.get(root);
    const counted = this.counted.get(root);
    return [
      ...(shadowed === undefined ? [] : [shadowed.shadow, shadowed.marks]),
      ...(counted === undefined ? [] : [counted.counts]),
    ];
  }

  #countedRoots(): void {
    for (const [root, places] of countedPlaces(this.module)) {
      const { name, type } = this.module.roots[root];
      const sums = this.options.sharesCounts ? Math.min(SHARED_COUNTS, places.length) : places.length;
      const cell = arrayType(U32, countWords({ places, sums }));
      const counts = this.#root(`$counts ${name}`, "storage", mirrored(type, cell));
      this.counted.set(root, { root, counts, places, sums });
    }
  }

  run(): ShadowModule {
    const functions = this.module.functions.map((fn) => new FunctionPass(this, fn).run());
    return {
      module: this.routines.finish(this.module, functions),
      parameters: this.parameters,
      found: this.found,
      told: this.told,
      shadowed: [...this.shadowed.values()],
      counted: [...this.counted.values()],
      places: this.places,
      epochs: this.passed.storage === null ? 1 : storageEpochs(this.module),
    };
  }
}

/** Keys of the atomic functions that may change a variable in storage, by variable. */
export const countedPlaces = onceFor(({ functions }: IrModule): ReadonlyMap<RootId, readonly string[]> => {
  const places = new Map<RootId, string[]>();
  for (const fn of functions) {
    eachInstruction(fn.body, (inst) => {
      if (inst.kind !== "atomic" || inst.operation === "load" || inst.space !== "storage") return;
      const found = places.get(inst.root!) ?? [];
      found.push(instructionKey(fn.id, inst.id));
      places.set(inst.root!, found);
    });
  }
  return places;
});

function placesOf(module: IrModule, { bounds, counters, sites }: ShadowOptions): readonly LookedAt[] {
  const found: LookedAt[] = [];
  for (const fn of module.functions) {
    eachInstruction(fn.body, (inst) => {
      const isIndex = inst.kind === "access" || inst.kind === "extract-dynamic";
      const isSum = inst.kind === "atomic" && (inst.operation === "add" || inst.operation === "sub");
      const key = instructionKey(fn.id, inst.id);
      if (isIndex && bounds) found.push({ kind: "bounds", key });
      if (isSum && counters) found.push({ kind: "counter", key });
      const isAccess = inst.kind === "load" || inst.kind === "store" || inst.kind === "atomic";
      if (!isAccess || !sites || inst.root === null) return;
      // In this order: `tellRace` knows them by the first.
      found.push({ kind: "race", key }, { kind: "race-with", key });
      if (inst.kind === "store") found.push({ kind: "differs", key }, { kind: "differs-with", key });
    });
  }
  return found;
}
