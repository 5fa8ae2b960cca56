/**
 * Pass 1 as a pass over the intermediate representation: the same program, with the code beside each access that decides
 * whether it races, and checks of what else is worth a second look. It says which cells, not who or where.
 *
 * In: any module that keeps the contract of `ir.ts`. Out: the same module with variables of the checker's own behind its
 * roots; functions get parameters more (the invocation, its stamps, a cell beside each pointer). Private variables count
 * the barriers of each kind, so that wherever an access stands its epoch is known.
 */
import { type Emitter, FunctionBuilder } from "../ir/builder.ts";
import type { Block, InstId, Instruction, IrFunction, IrModule, Root, RootId } from "../ir/ir.ts";
import { eachInstruction } from "../ir/walk.ts";
import {
  type ArrayType,
  arrayType,
  type PointerType,
  pointerType,
  type StructType,
  type Type,
  U32,
  VOID,
} from "../types/type.ts";
import { type AtomicUses, atomicUses, instructionKey, resultMatters } from "./atomic-uses.ts";
import { writtenRoots } from "./memory-map.ts";
import { AGAINST, CHANGE, LOOK, OTHER_ATOMIC_READ, READ, SET, WRITE } from "./shadow.ts";
import {
  type CellWords,
  COUNTS,
  countOperation,
  countPlace,
  FOUND,
  MARK,
  noteAccess,
  outOfStamps,
  PARAMETERS,
  parameter,
  type ShadowRoots,
  type Stamps,
} from "./shadow-code.ts";
import { mirrored } from "./shadow-types.ts";
import { wraps } from "./wrap-code.ts";

export interface ShadowOptions {
  readonly races: boolean;
  readonly bounds: boolean;
  readonly counters: boolean;
  /** Of the addresses of storage: how many atomic functions change them, at which places, from how many workgroups. */
  readonly counts: boolean;
}

/** An index that may be out of bounds, or an addition that may wrap. */
export interface LookedAt {
  readonly kind: "bounds" | "counter";
  readonly key: string;
}

/** A variable with counts of the atomic functions that may change it. */
export interface Counted {
  readonly root: RootId;
  /** One set for each worker. */
  readonly counts: RootId;
  /** Keys of the instructions. */
  readonly places: readonly string[];
}

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
  readonly shadowed: readonly Shadowed[];
  readonly counted: readonly Counted[];
  /** What is looked at of indices and sums: by place in `$found` what it is and the key of the instruction. */
  readonly places: readonly LookedAt[];
  /** Whether a workgroup has more than one epoch of storage. */
  readonly hasStorageBarrier: boolean;
}

const known = new WeakMap<IrModule, Map<string, ShadowModule>>();

/** Of the same module with the same options the same: engines keep what they compiled. */
export function addShadow(module: IrModule, options: ShadowOptions): ShadowModule {
  const made = known.get(module) ?? new Map<string, ShadowModule>();
  known.set(module, made);
  const key = JSON.stringify(options);
  const shadow = made.get(key) ?? new ShadowPass(module, options).run();
  made.set(key, shadow);
  return shadow;
}

type MemoryInst = Extract<Instruction, { kind: "load" | "store" | "atomic" }>;

/** The class that an access is of. */
function classOf(inst: MemoryInst, goesOn: boolean): number {
  if (inst.kind !== "atomic") return inst.kind === "load" ? READ : WRITE;
  switch (inst.operation) {
    case "load":
      return goesOn ? LOOK : OTHER_ATOMIC_READ;
    case "store":
    case "exchange":
      return SET;
    default:
      return CHANGE;
  }
}

/** By variable: the classes of its accesses that have to be ordered with some other one. */
function classesByRoot(module: IrModule, uses: AtomicUses): ReadonlyMap<RootId, readonly number[]> {
  const present = new Map<RootId, Set<number>>();
  for (const fn of module.functions) {
    eachInstruction(fn.body, (inst) => {
      if (inst.kind !== "load" && inst.kind !== "store" && inst.kind !== "atomic") return;
      if (inst.root === null || (inst.space !== "workgroup" && inst.space !== "storage")) return;
      const found = present.get(inst.root) ?? new Set();
      present.set(inst.root, found.add(classOf(inst, resultMatters(uses, instructionKey(fn.id, inst.id)))));
    });
  }
  return new Map(
    [...present].map(([root, kinds]) => [
      root,
      [...kinds].filter((kind) => AGAINST[kind].some((other) => kinds.has(other))).sort(),
    ]),
  );
}

class ShadowPass implements ShadowRoots {
  readonly module: IrModule;
  readonly options: ShadowOptions;
  readonly uses: AtomicUses;
  readonly roots: Root[];
  readonly parameters: RootId;
  readonly found: RootId;
  readonly invocations: number;
  readonly shadowed = new Map<RootId, Shadowed>();
  readonly counted = new Map<RootId, Counted>();
  readonly places: readonly LookedAt[];
  /** Private variables: how far the stamps of an epoch are behind the first; null: there is one epoch. */
  readonly passed: { readonly workgroup: RootId | null; readonly storage: RootId | null };

  constructor(module: IrModule, options: ShadowOptions) {
    this.module = module;
    this.options = options;
    this.uses = atomicUses(module);
    this.roots = [...module.roots];
    const [x, y, z] = module.workgroupSize;
    this.invocations = x * y * z;
    this.parameters = this.#root("$parameters", "storage", arrayType(U32, PARAMETERS.words), "read");
    this.places = placesOf(module, options);
    this.found = this.#root("$found", "storage", arrayType(U32, FOUND.places + 2 * this.places.length));
    if (options.races) this.#shadowRoots();
    if (options.counts) this.#countedRoots();
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

  #shadowRoots(): void {
    const written = writtenRoots(this.module);
    for (const [root, classes] of classesByRoot(this.module, this.uses)) {
      const { space, type, name } = this.module.roots[root];
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
    const places = new Map<RootId, string[]>();
    for (const fn of this.module.functions) {
      eachInstruction(fn.body, (inst) => {
        if (inst.kind !== "atomic" || inst.operation === "load" || inst.space !== "storage") return;
        places.set(inst.root!, [...(places.get(inst.root!) ?? []), instructionKey(fn.id, inst.id)]);
      });
    }
    for (const [root, keys] of places) {
      const { name, type } = this.module.roots[root];
      const cell = arrayType(U32, COUNTS.places + keys.length);
      const counts = this.#root(`$counts ${name}`, "storage", mirrored(type, cell));
      this.counted.set(root, { root, counts, places: keys });
    }
  }

  run(): ShadowModule {
    const functions = this.module.functions.map((fn) => new FunctionPass(this, fn).run());
    return {
      module: { ...this.module, roots: this.roots, functions },
      parameters: this.parameters,
      found: this.found,
      shadowed: [...this.shadowed.values()],
      counted: [...this.counted.values()],
      places: this.places,
      hasStorageBarrier: this.passed.storage !== null,
    };
  }
}

function placesOf(module: IrModule, { bounds, counters }: ShadowOptions): readonly LookedAt[] {
  const found: LookedAt[] = [];
  for (const fn of module.functions) {
    eachInstruction(fn.body, (inst) => {
      const isIndex = inst.kind === "access" || inst.kind === "extract-dynamic";
      const isSum = inst.kind === "atomic" && (inst.operation === "add" || inst.operation === "sub");
      if (isIndex && bounds) found.push({ kind: "bounds", key: instructionKey(fn.id, inst.id) });
      if (isSum && counters) found.push({ kind: "counter", key: instructionKey(fn.id, inst.id) });
    });
  }
  return found;
}

/** What stands in `shadow` where `type` has an innermost vector or scalar. */
function cellOf(type: Type, shadow: Type): Type {
  if (type.kind === "struct") return cellOf(type.members[0].type, (shadow as StructType).members[0].type);
  if (type.kind === "array") return cellOf(type.element, (shadow as ArrayType).element);
  return type.kind === "matrix" ? (shadow as ArrayType).element : shadow;
}

function barrierKinds({ functions }: IrModule): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { body } of functions) {
    eachInstruction(body, (inst) => {
      if (inst.kind === "barrier") found.add(inst.barrier);
      if (inst.kind === "uniform-load") found.add("workgroup");
    });
  }
  return found;
}

/** The cell beside a pointer, or the cells. */
interface CellPointer {
  readonly shadowed: Shadowed;
  readonly shadow: InstId;
  readonly mark: InstId;
  /** Store type of the pointer; of one to a component the vector. */
  readonly type: Type;
}

/** A pointer into a variable of the checker's own beside one of the program's, made by the same steps. */
interface Beside {
  readonly pointer: InstId;
  /** Store type of the program's pointer; of one to a component the vector. */
  readonly type: Type;
}

/** Elements of an array that is accessed as a whole, above which they are noted in a loop. */
const UNROLLED = 8;

class FunctionPass {
  readonly #pass: ShadowPass;
  readonly #fn: IrFunction;
  readonly #builder: FunctionBuilder;
  readonly #defined = new Map<InstId, Instruction>();
  /** Beside pointer parameters: by parameter and variable of the checker's own. */
  readonly #ownParameters = new Map<string, InstId>();
  readonly #lane: InstId;
  /** First stamp of the workgroup among those of storage; of the entry point known in its body only. */
  #start: InstId;
  readonly #accesses: number;
  /** Accesses since the count was brought up to date. */
  #pending = 0;

  constructor(pass: ShadowPass, fn: IrFunction) {
    this.#pass = pass;
    this.#fn = fn;
    this.#builder = new FunctionBuilder(pass.roots);
    this.#takeOver();
    const builder = this.#builder;
    for (const { id, type, root } of fn.params) {
      if (type.kind !== "pointer" || root === null) continue;
      for (const own of pass.beside(root)) {
        const { space, type: whole } = pass.roots[own];
        const store = mirrored(type.store, cellOf(pass.roots[root].type, whole));
        const parameter = builder.param("$cell", pointerType(space, store, "read_write"), own, null);
        this.#ownParameters.set(`${id} ${own}`, parameter);
      }
    }
    const isEntry = fn.id === pass.module.entryPoint;
    this.#lane = builder.param("$lane", U32, null, isEntry ? "local_invocation_index" : null);
    this.#start = builder.param("$start", U32, null, isEntry ? "workgroup_index" : null);
    this.#accesses = builder.local("$accesses", U32, fn.span);
  }

  /** The builder knows what the function has already. */
  #takeOver(): void {
    const { params, locals, body, instructionCount } = this.#fn;
    const types: Type[] = new Array<Type>(instructionCount).fill(VOID);
    const roots = new Array<RootId | null>(instructionCount).fill(null);
    for (const param of params) [types[param.id], roots[param.id]] = [param.type, param.root];
    eachInstruction(body, (inst) => {
      this.#defined.set(inst.id, inst);
      types[inst.id] = inst.type;
      if (inst.kind === "variable" || inst.kind === "access") roots[inst.id] = inst.root;
    });
    for (const [id, type] of types.entries()) this.#builder.newId(type, roots[id]);
    this.#builder.params.push(...params);
    this.#builder.locals.push(...locals);
  }

  run(): IrFunction {
    const { span, body } = this.#fn;
    const builder = this.#builder;
    const rewritten = builder.block(() => {
      const em = builder.at(span);
      em.store(em.local(this.#accesses), em.number(0, U32));
      if (this.#fn.id === this.#pass.module.entryPoint) this.#start = this.#firstStamp(em);
      for (const inst of body.instructions) this.#instruction(inst);
      if (!builder.closed) this.#leave(em);
    });
    const { params, locals, instructionCount } = builder;
    return { ...this.#fn, params, locals, body: rewritten, instructionCount };
  }

  #firstStamp(em: Emitter): InstId {
    const pass = this.#pass;
    const first = em.binary("+", parameter(em, pass, PARAMETERS.dispatch), em.number(1, U32));
    return em.binary("+", first, em.binary("*", this.#start, parameter(em, pass, PARAMETERS.workgroup)));
  }

  // ---------------------------------------------------------------- instructions

  #block(block: Block): Block {
    return this.#builder.block(() => {
      for (const inst of block.instructions) this.#instruction(inst);
      if (!this.#builder.closed) this.#count(this.#builder.at(this.#fn.span));
    });
  }

  #instruction(inst: Instruction): void {
    const builder = this.#builder;
    const em = builder.at(inst.span);
    switch (inst.kind) {
      case "if":
        this.#count(em);
        // biome-ignore lint/suspicious/noThenProperty: it is what the branch is called
        builder.append({ ...inst, then: this.#block(inst.then), otherwise: this.#block(inst.otherwise) });
        break;
      case "switch": {
        this.#count(em);
        const clauses = inst.clauses.map((clause) => ({ ...clause, body: this.#block(clause.body) }));
        builder.append({ ...inst, clauses });
        break;
      }
      case "loop":
        this.#count(em);
        builder.append({ ...inst, body: this.#block(inst.body), continuing: this.#block(inst.continuing) });
        break;
      case "break":
      case "continue":
        this.#count(em);
        builder.append(inst);
        break;
      case "return":
        this.#leave(em);
        builder.append(inst);
        break;
      case "call":
        this.#count(em);
        builder.append({ ...inst, args: this.#arguments(em, inst) });
        break;
      case "barrier":
        builder.append(inst);
        if (inst.barrier === "workgroup" || inst.barrier === "storage") this.#passBarriers(em, inst.barrier, 1);
        break;
      case "uniform-load":
        this.#pending++;
        builder.append(inst);
        this.#passBarriers(em, "workgroup", 2);
        break;
      case "access":
        if (this.#pass.options.bounds) this.#checkPointer(em, inst);
        builder.append(inst);
        break;
      case "extract-dynamic":
        if (this.#pass.options.bounds) {
          this.#checkIndex(em, inst.id, inst.index, em.number(lengthOf(builder.typeOf(inst.operand))!, U32));
        }
        builder.append(inst);
        break;
      case "load":
      case "store":
      case "atomic":
        if (inst.space === "workgroup" || inst.space === "storage") this.#pending++;
        this.#note(em, inst);
        if (inst.kind === "atomic") this.#countPlace(em, inst);
        builder.append(inst);
        if (inst.kind === "atomic" && this.#pass.options.counters) this.#checkCounter(em, inst);
        break;
      default:
        builder.append(inst);
    }
  }

  /** The arguments of a call with those for the parameters that functions get here. */
  #arguments(em: Emitter, inst: Extract<Instruction, { kind: "call" }>): InstId[] {
    const callee = this.#pass.module.functions[inst.function];
    const cells = callee.params.flatMap(({ type, root }, i) =>
      type.kind !== "pointer" || root === null
        ? []
        : this.#pass.beside(root).map((own) => this.#beside(em, inst.args[i], own).pointer),
    );
    return [...inst.args, ...cells, this.#lane, this.#start];
  }

  // ---------------------------------------------------------------- counts

  #count(em: Emitter): void {
    if (this.#pending === 0) return;
    const count = em.local(this.#accesses);
    em.store(count, em.binary("+", em.load(count), em.number(this.#pending, U32)));
    this.#pending = 0;
  }

  /** The function ends here: its accesses are added to those of the dispatch. */
  #leave(em: Emitter): void {
    this.#count(em);
    const pair = em.binary("&", this.#lane, em.number(FOUND.counts - 1, U32));
    const at = em.binary("+", em.binary("*", pair, em.number(2, U32)), em.number(FOUND.accesses, U32));
    const word = (index: InstId) => em.access(em.variable(this.#pass.found), { dynamic: index });
    const low = word(at);
    const before = em.load(low);
    const after = em.binary("+", before, em.load(em.local(this.#accesses)));
    em.store(low, after);
    const carry = (): void => {
      const high = word(em.binary("+", at, em.number(1, U32)));
      em.store(high, em.binary("+", em.load(high), em.number(1, U32)));
    };
    em.if(em.binary("<", after, before), carry, () => {});
  }

  // ---------------------------------------------------------------- races

  #passBarriers(em: Emitter, space: "workgroup" | "storage", count: number): void {
    const root = this.#pass.passed[space];
    if (root === null) return;
    const variable = em.variable(root);
    const step = em.number(count * (this.#pass.invocations + 1), U32);
    const passed = em.binary("+", em.load(variable), step);
    em.store(variable, passed);
    if (space !== "storage") return;
    const isOver = em.binary(">=", passed, parameter(em, this.#pass, PARAMETERS.workgroup));
    const tell = () => outOfStamps(em, this.#pass);
    em.if(isOver, tell, () => {});
  }

  #stamps(em: Emitter, space: "workgroup" | "storage"): Stamps {
    const root = this.#pass.passed[space];
    const first = space === "workgroup" ? em.number(1, U32) : this.#start;
    const epoch = root === null ? first : em.binary("+", first, em.load(em.variable(root)));
    const own = em.binary("+", epoch, this.#lane);
    const start = this.#start;
    if (space === "workgroup") return { epoch, own, start, workgroup: null, dispatch: null };
    return {
      epoch,
      own,
      start,
      workgroup: root === null ? null : first,
      dispatch: parameter(em, this.#pass, PARAMETERS.dispatch),
    };
  }

  #note(em: Emitter, inst: MemoryInst): void {
    const cells = this.#cellPointer(em, inst.pointer);
    if (cells === null) return;
    const goesOn = resultMatters(this.#pass.uses, instructionKey(this.#fn.id, inst.id));
    const kind = classOf(inst, goesOn);
    const stamps = this.#stamps(em, cells.shadowed.space);
    this.#noteCells(em, cells, kind, stamps);
  }

  #countPlace(em: Emitter, inst: Extract<Instruction, { kind: "atomic" }>): void {
    const counted = inst.root === null ? undefined : this.#pass.counted.get(inst.root);
    const place = counted?.places.indexOf(instructionKey(this.#fn.id, inst.id)) ?? -1;
    if (counted === undefined || place < 0) return;
    const stamps = { workgroup: this.#start, dispatch: parameter(em, this.#pass, PARAMETERS.dispatch) };
    const { pointer } = this.#beside(em, inst.pointer, counted.counts);
    countOperation(em, pointer, place, counted.places.length, stamps);
  }

  #noteCells(em: Emitter, cells: CellPointer, kind: number, stamps: Stamps): void {
    const { type } = cells;
    const part = (of: Type, index: number | { readonly dynamic: InstId }): void => {
      const [shadow, mark] = [em.access(cells.shadow, index), em.access(cells.mark, index)];
      this.#noteCells(em, { ...cells, type: of, shadow, mark }, kind, stamps);
    };
    if (type.kind === "struct") for (const [i, member] of type.members.entries()) part(member.type, i);
    else if (type.kind === "matrix") for (let i = 0; i < type.columns; i++) part(U32, i);
    else if (type.kind !== "array") {
      noteAccess(em, this.#pass, cells.shadowed, cells, kind, stamps, this.#pass.invocations);
    } else if ((type.count as number) <= UNROLLED) {
      for (let i = 0; i < (type.count as number); i++) part(type.element, i);
    } else this.#eachElement(em, type.count as number, (index) => part(type.element, { dynamic: index }));
  }

  #eachElement(em: Emitter, count: number, visit: (index: InstId) => void): void {
    const local = this.#builder.local("$element", U32, em.span);
    em.store(em.local(local), em.number(0, U32));
    em.loop(
      () => visit(em.load(em.local(local))),
      () => {
        const next = em.binary("+", em.load(em.local(local)), em.number(1, U32));
        em.store(em.local(local), next);
        return em.binary(">=", next, em.number(count, U32));
      },
    );
  }

  /** null: the variable has no cells. */
  #cellPointer(em: Emitter, pointer: InstId): CellPointer | null {
    const root = this.#builder.rootOf(pointer);
    const shadowed = root === null ? undefined : this.#pass.shadowed.get(root);
    if (shadowed === undefined) return null;
    const { pointer: shadow, type } = this.#beside(em, pointer, shadowed.shadow);
    return { shadowed, shadow, mark: this.#beside(em, pointer, shadowed.marks).pointer, type };
  }

  /** The same steps from a variable of the shape of the pointer's variable. */
  #beside(em: Emitter, pointer: InstId, root: RootId): Beside {
    const { store } = this.#builder.typeOf(pointer) as PointerType;
    const own = this.#ownParameters.get(`${pointer} ${root}`);
    if (own !== undefined) return { pointer: own, type: store };
    const inst = this.#defined.get(pointer);
    if (inst?.kind !== "access") return { pointer: em.variable(root), type: store };
    const outer = this.#beside(em, inst.pointer, root);
    if (outer.type.kind === "vector") return outer;
    return { pointer: em.access(outer.pointer, inst.index), type: store };
  }

  // ---------------------------------------------------------------- what else is looked for

  #checkPointer(em: Emitter, { id, pointer, index }: Extract<Instruction, { kind: "access" }>): void {
    const type = this.#builder.typeOf(pointer);
    if (type.kind !== "pointer" || type.store.kind === "struct") return;
    const length = lengthOf(type.store);
    if (typeof index === "number" && length !== null) return;
    const at = typeof index === "number" ? em.number(index, U32) : index.dynamic;
    this.#checkIndex(em, id, at, length === null ? em.arrayLength(pointer) : em.number(length, U32));
  }

  #checkIndex(em: Emitter, id: InstId, index: InstId, length: InstId): void {
    this.#countWhere(em, em.binary(">=", em.bitcast(index, U32), length), id);
  }

  #countWhere(em: Emitter, condition: InstId, id: InstId): void {
    const key = instructionKey(this.#fn.id, id);
    const place = this.#pass.places.findIndex((each) => each.key === key);
    const count = () => countPlace(em, this.#pass, place, this.#start);
    em.if(condition, count, () => {});
  }

  #checkCounter(em: Emitter, inst: Extract<Instruction, { kind: "atomic" }>): void {
    const { operation } = inst;
    if (operation !== "add" && operation !== "sub") return;
    this.#countWhere(em, wraps(em, operation, inst.id, inst.args[0]), inst.id);
  }
}

/** null: a runtime-sized array. */
function lengthOf(type: Type): number | null {
  switch (type.kind) {
    case "vector":
      return type.size;
    case "matrix":
      return type.columns;
    case "array":
      return type.count as number | null;
    default:
      return null;
  }
}
