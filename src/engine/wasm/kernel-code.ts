/**
 * The function `run` of a module: for each of some workgroups in turn, the skeleton once, and in it the phases as loops
 * over the invocations, in order of their local index. The builtin values are the counters of these loops.
 */
import type { FunctionId, RootId } from "../../ir/ir.ts";
import { layoutOf, runtimeArray } from "../../layout/layout.ts";
import { typeName } from "../../types/type.ts";
import { scalarCount } from "../flatten-values.ts";
import { constantsOf } from "./arithmetic.ts";
import { countUp, holdsLoop } from "./count-up.ts";
import { Emitter, type EmitterInput, type Surroundings } from "./emitter.ts";
import type { FunctionBody } from "./encoder.ts";
import { constantScalars } from "./environment.ts";
import { type Expr, writeMemoryImmediate } from "./expression.ts";
import { localType } from "./four.ts";
import { FourControl } from "./four-control.ts";
import { OP, type ValueType } from "./instructions.ts";
import { KeptMemory } from "./kept-memory.ts";
import { boundsOf, isIdle, type LanesInput, lanesOf } from "./lanes.ts";
import { emitOperation } from "./operations.ts";
import { NO_INVOCATION, PARAMETER, type RootParameters } from "./parameter-block.ts";
import type { Item, Phase, Plan } from "./phases.ts";
import { inPieces, PIECE, type Run } from "./pieces.ts";
import { indicesOf } from "./pointers.ts";
import { componentKind, isLarge } from "./scalars.ts";
import { type AtOnce, atOnce, type Simd } from "./simd.ts";
import { Tallies } from "./tallies.ts";
import type { LabelId, Operation, Parameter, ValueId, VariableId } from "./tree.ts";
import type { Uniformity } from "./uniformity.ts";
import { isLargeValue, type Place } from "./values.ts";

export interface KernelInput extends EmitterInput {
  readonly kernelParameters: readonly Parameter[];
  /** The end of the kernel. */
  readonly label: LabelId;
  readonly plan: Plan;
  readonly uniformity: Uniformity;
  readonly roots: readonly RootParameters[];
  readonly usedRoots: ReadonlySet<RootId>;
  /** Private variables that functions use too, by root. */
  readonly sharedPrivates: ReadonlyMap<RootId, VariableId>;
  readonly workgroupBytes: number;
  /** See `CompileOptions`. */
  readonly aliases: boolean;
  readonly simd: Simd;
}

/** Parameters of `run`. */
export const RUN_PARAMETERS: readonly ValueType[] = ["i32", "i32", "i32"];
const [BLOCK, FIRST, COUNT] = [0, 1, 2];

export function emitKernel(input: KernelInput): FunctionBody {
  return new KernelEmitter(input).emit();
}

/** What `base` plus the local index, or `global_invocation_id.x` where there is no base, is less than. */
interface Limits {
  readonly base: Expr | null;
  readonly limits: readonly Expr[];
}

/** Up to so many bytes are cleared by stores: to call what fills memory takes longer. */
const MOST_STORED = 256;
/** So many of either type are kept in locals. */
const MOST_NUMBERS = 64;

interface Triple {
  readonly x: Expr;
  readonly y: Expr;
  readonly z: Expr;
}

class KernelEmitter implements Surroundings {
  readonly name: string;
  readonly #input: KernelInput;
  readonly #e: Emitter;
  readonly #size: readonly [number, number, number];
  /** Invocations of a workgroup. */
  readonly #invocations: number;
  readonly #block: Expr;
  readonly #bases = new Map<RootId, Expr>();
  readonly #lengths = new Map<RootId, Expr>();
  /** The numbers that elementary functions compute with: V8 makes a constant anew, from two instructions, each time. */
  readonly #numbers = new Map<number, Expr>();
  /** The same for constants of type f32. */
  readonly #narrowNumbers = new Map<number, Expr>();
  readonly #kept: KeptMemory;
  readonly #captured = new Map<ValueId, number>();
  readonly #runs: Run[] = [];
  /** Values read from constant memory at places that are known, by place. */
  #constantLoads = new Map<string, ValueId>();
  #scratch!: Expr;
  #constants!: Expr;
  #workgroup!: Triple;
  #workgroups!: Triple;
  #workgroupIndex!: Expr;
  readonly #isLine: boolean;
  readonly #lanesInput: LanesInput;
  /** Of the phase that is emitted. */
  #limits: readonly Limits[] = [];
  #firstId: Triple | null = null;
  /** Local index of the invocation. */
  #lane: Expr | null = null;

  constructor(input: KernelInput) {
    this.#input = input;
    this.#e = new Emitter(input);
    this.#e.surroundings = this;
    this.#e.tallies = new Tallies(this.#e);
    const { module } = input.environment;
    this.name = module.functions[module.entryPoint].name;
    this.#size = module.workgroupSize;
    this.#invocations = this.#size[0] * this.#size[1] * this.#size[2];
    this.#block = this.#e.x.local(BLOCK, "i32");
    this.#isLine = this.#size[1] === 1 && this.#size[2] === 1;
    const { operations, pointers, kernelParameters, uniformity, plan } = input;
    this.#lanesInput = {
      operations,
      pointers,
      kernelParameters,
      uniform: uniformity.values,
      kept: plan.keptValues,
      isLine: this.#isLine,
    };
    this.#kept = new KeptMemory(this.#e, plan, this.#invocations);
  }

  // -------------------------------------------------------------- surroundings

  rootPlace(root: RootId): Place {
    const { module, workgroupOffsets } = this.#input.environment;
    if (module.roots[root].space === "workgroup") {
      return { address: this.#scratch, offset: workgroupOffsets.get(root)! };
    }
    return { address: this.#bases.get(root)!, offset: 0 };
  }

  rootLength(root: RootId): Expr {
    return this.#lengths.get(root)!;
  }

  scratch(): Expr {
    return this.#scratch;
  }

  constants(): Expr {
    return this.#constants;
  }

  parameters(): Expr {
    return this.#block;
  }

  lane(): Expr {
    return this.#lane?.linear?.first ?? this.#lane ?? this.#e.x.i32(NO_INVOCATION);
  }

  wideConstant(value: number): Expr | null {
    return this.#numbers.get(value) ?? null;
  }

  narrowConstant(value: number): Expr | null {
    return this.#narrowNumbers.get(value) ?? null;
  }

  beforeCall(_callee: FunctionId): void {
    const { globals } = this.#input.environment;
    if (globals.has("lane")) this.#setGlobal(globals.index("lane"), this.lane());
    for (const [root, variable] of this.#input.sharedPrivates) {
      const home = this.#e.home(variable);
      if (home.kind !== "memory") throw new Error("internal: a shared variable in locals");
      const { address, offset } = home.place();
      const pointer = this.#e.x.binary(OP.i32_add, "i32", address, this.#e.x.i32(offset));
      this.#setGlobal(globals.index(`private ${root}`), pointer);
    }
  }

  #setGlobal(index: number, value: Expr): void {
    this.#e.write(value);
    this.#e.out.byte(OP.global_set);
    this.#e.out.unsigned(index);
  }

  // -------------------------------------------------------------- the function

  emit(): FunctionBody {
    const e = this.#e;
    const { out, x } = e;
    e.write(x.not(x.local(COUNT, "i32")));
    e.open(OP.if, null);
    e.write(x.i32(0));
    out.byte(OP.return);
    e.close();
    this.#prologue();
    e.constants();
    this.#overWorkgroups(() => {
      this.#storeWord(PARAMETER.workgroup, this.#workgroupIndex);
      this.#clearWorkgroupMemory();
      e.open(OP.block, this.#input.label);
      for (const { id, builtin } of this.#input.kernelParameters) this.#bindUniform(id, builtin!);
      this.#items(this.#input.plan.items);
      e.flush();
      e.close();
    });
    e.tallies!.bring();
    e.write(x.i32(0));
    out.byte(OP.end);
    const body = { locals: e.locals.types, code: out.bytes, positions: e.positions };
    return inPieces(this.#input.environment.builder, this.name, RUN_PARAMETERS, body, this.#runs);
  }

  #word(offset: number): Expr {
    return this.#e.x.load(OP.i32_load, "i32", this.#block, offset);
  }

  #storeWord(offset: number, value: Expr): void {
    const { out } = this.#e;
    this.#e.write(this.#block);
    this.#e.write(value);
    out.byte(OP.i32_store);
    writeMemoryImmediate(out, OP.i32_store, offset);
  }

  /** A local for the whole function. */
  #permanent(value: Expr): Expr {
    const local = this.#e.permanentLocal(localType(value.type));
    this.#e.write(value);
    this.#e.setLocal(local);
    return this.#e.x.local(local, value.type, value.low, value.high);
  }

  /** What stays the same for all workgroups of the call. */
  #prologue(): void {
    const { x } = this.#e;
    const { environment, roots, usedRoots } = this.#input;
    this.#scratch = this.#permanent(this.#word(PARAMETER.scratch));
    this.#constants = this.#permanent(this.#word(PARAMETER.constants));
    for (const { root, base, size } of roots) {
      const isGlobal = environment.globals.has(`base ${root}`) || environment.globals.has(`length ${root}`);
      if (!usedRoots.has(root) && !isGlobal) continue;
      this.#bases.set(root, this.#permanent(this.#word(base)));
      const tail = runtimeArray(layoutOf(environment.module.roots[root].type));
      if (tail === null) continue;
      const bytes = this.#e.keep(this.#word(size));
      const offset = x.i32(tail.offset);
      const elements = x.binary(OP.i32_sub, "i32", bytes, offset);
      const count = x.binary(OP.i32_div_u, "i32", elements, x.i32(tail.array.stride!));
      const fits = x.binary(OP.i32_ge_u, "i32", bytes, offset);
      this.#lengths.set(root, this.#permanent(x.select(fits, count, x.i32(0))));
    }
    this.#loadNumbers();
    this.#shareGlobals();
    const { workgroups } = PARAMETER;
    const [nx, ny, nz] = [0, 4, 8].map((at) => this.#permanent(this.#word(workgroups + at)));
    this.#workgroups = { x: nx, y: ny, z: nz };
    const first = x.local(FIRST, "i32");
    const row = this.#e.keep(x.binary(OP.i32_div_u, "i32", first, nx));
    this.#workgroup = {
      x: this.#permanent(x.binary(OP.i32_rem_u, "i32", first, nx)),
      y: this.#permanent(x.binary(OP.i32_rem_u, "i32", row, ny)),
      z: this.#permanent(x.binary(OP.i32_div_u, "i32", row, ny)),
    };
    this.#workgroupIndex = x.local(FIRST, "i32");
  }

  #loadNumbers(): void {
    const { operations, types } = this.#input;
    for (const operation of operations.values()) {
      if (operation.kind === "const") {
        if (isLarge(operation.type) || componentKind(operation.type) !== "f32") continue;
        for (const { value } of constantScalars(operation.value)) this.#loadNumber(value as number, "f32");
      } else if (operation.kind === "builtin" && componentKind(types[operation.args[0]]) === "f32") {
        for (const value of constantsOf(operation.name)) this.#loadNumber(value, "f64");
      }
    }
  }

  #loadNumber(value: number, type: "f32" | "f64"): void {
    const numbers = type === "f32" ? this.#narrowNumbers : this.#numbers;
    // Zero is made by one instruction.
    if (value === 0 || numbers.has(value) || numbers.size >= MOST_NUMBERS) return;
    const offset = this.#input.environment.constants.addNumber(value, type);
    const op = type === "f32" ? OP.f32_load : OP.f64_load;
    numbers.set(value, this.#permanent(this.#e.x.load(op, type, this.#constants, offset)));
  }

  /** What functions need. */
  #shareGlobals(): void {
    const { globals } = this.#input.environment;
    const share = (name: Parameters<typeof globals.has>[0], value: Expr): void => {
      if (globals.has(name)) this.#setGlobal(globals.index(name), value);
    };
    share("parameters", this.#block);
    share("scratch", this.#scratch);
    share("constants", this.#constants);
    for (const [root, base] of this.#bases) share(`base ${root}`, base);
    for (const [root, length] of this.#lengths) share(`length ${root}`, length);
  }

  /** spec: #zero-value; workgroup variables lie at the start of the scratch memory. */
  #clearWorkgroupMemory(): void {
    const { workgroupBytes } = this.#input;
    const { out, x } = this.#e;
    if (workgroupBytes === 0) return;
    if (workgroupBytes <= MOST_STORED) {
      for (let offset = 0; offset < workgroupBytes; offset += 8) {
        const isWide = offset + 8 <= workgroupBytes;
        const op = isWide ? OP.i64_store : OP.i32_store;
        this.#e.write(this.#scratch);
        this.#e.write(isWide ? x.i64(0) : x.i32(0));
        out.byte(op);
        writeMemoryImmediate(out, op, offset);
      }
      return;
    }
    this.#e.write(this.#scratch);
    this.#e.write(x.i32(0));
    this.#e.write(x.i32(workgroupBytes));
    out.opcode(OP.memory_fill);
    out.byte(0);
  }

  /**
   * `emit` for each workgroup, x first. The workgroups of a row are a loop of their own: from one to the next as little as
   * possible is to be done.
   */
  #overWorkgroups(emit: () => void): void {
    const e = this.#e;
    const { x, out } = e;
    const { x: column, y: row, z: layer } = this.#workgroup;
    const { x: columns, y: rows } = this.#workgroups;
    const count = x.local(COUNT, "i32");
    const index = this.#workgroupIndex;
    const set = (counter: Expr, value: Expr): void => {
      e.write(value);
      e.setLocal(counter.value);
    };
    const add = (a: Expr, b: Expr): Expr => x.binary(OP.i32_add, "i32", a, b);
    const subtract = (a: Expr, b: Expr): Expr => x.binary(OP.i32_sub, "i32", a, b);
    const end = x.local(e.permanentLocal("i32"), "i32");
    e.open(OP.loop, null);
    const left = e.keep(subtract(columns, column));
    const here = e.keep(x.select(x.binary(OP.i32_lt_u, "i32", left, count), left, count));
    set(end, add(column, here));
    set(count, subtract(count, here));
    e.open(OP.loop, null);
    // What holds of a workgroup is not said of the next one.
    const mark = x.facts.mark();
    emit();
    x.facts.reset(mark);
    set(index, add(index, x.i32(1)));
    set(column, add(column, x.i32(1)));
    e.write(x.binary(OP.i32_ne, "i32", column, end));
    out.byte(OP.br_if);
    out.unsigned(0);
    e.close();
    set(column, x.i32(0));
    set(row, add(row, x.i32(1)));
    e.write(x.binary(OP.i32_eq, "i32", row, rows));
    e.open(OP.if, null);
    set(row, x.i32(0));
    set(layer, add(layer, x.i32(1)));
    e.close();
    e.write(count);
    out.byte(OP.br_if);
    out.unsigned(0);
    e.close();
  }

  // -------------------------------------------------------------- builtin values

  #bindUniform(id: ValueId, builtin: string): void {
    const scalars = ({ x, y, z }: Triple): Expr[] => [x, y, z];
    switch (builtin) {
      case "workgroup_id":
        this.#e.values[id] = scalars(this.#workgroup);
        break;
      case "num_workgroups":
        this.#e.values[id] = scalars(this.#workgroups);
        break;
      case "workgroup_index":
        this.#e.values[id] = [this.#workgroupIndex];
        break;
    }
  }

  /** Whether a phase needs the position of its invocations, and not only their index. */
  #needsPosition(phase: Phase): boolean {
    return this.#input.kernelParameters.some(
      ({ id, builtin }) => builtin !== "local_invocation_index" && phase.parameters.has(id),
    );
  }

  /** `global_invocation_id` of the first invocation; null where the phase does not need it. */
  #findFirstId(phase: Phase): Triple | null {
    const { x } = this.#e;
    const isNeeded = this.#input.kernelParameters.some(
      ({ id, builtin }) => builtin?.startsWith("global_invocation") && phase.parameters.has(id),
    );
    if (!isNeeded) return null;
    const [firstX, firstY, firstZ] = (["x", "y", "z"] as const).map((axis, index) =>
      this.#e.keep(x.binary(OP.i32_mul, "i32", this.#workgroup[axis], x.i32(this.#size[index]))),
    );
    return { x: firstX, y: firstY, z: firstZ };
  }

  #bindLocal(phase: Phase, lane: Expr, position: Triple): void {
    const e = this.#e;
    const { x } = e;
    const add = (a: Expr, b: Expr): Expr => x.binary(OP.i32_add, "i32", a, b);
    const multiply = (a: Expr, b: Expr): Expr => x.binary(OP.i32_mul, "i32", a, b);
    const [sizeX, sizeY] = this.#size;
    // Not kept: it costs no more to add again, and often only the parts are needed.
    const globalId = (): Triple => {
      const { x: firstX, y: firstY, z: firstZ } = this.#firstId!;
      return { x: add(firstX, position.x), y: add(firstY, position.y), z: add(firstZ, position.z) };
    };
    for (const { id, builtin } of this.#input.kernelParameters) {
      if (!phase.parameters.has(id)) continue;
      switch (builtin) {
        case "local_invocation_index":
          e.values[id] = [lane];
          break;
        case "local_invocation_id":
          e.values[id] = [position.x, position.y, position.z];
          break;
        case "global_invocation_id": {
          const { x: gx, y: gy, z: gz } = globalId();
          this.#assumeBelow(gx, null);
          e.sums.set(gx.number, [this.#firstId!.x, ...e.partsOf(position.x)]);
          e.values[id] = [gx, gy, gz];
          break;
        }
        case "global_invocation_index": {
          const { x: gx, y: gy, z: gz } = globalId();
          const width = e.keep(multiply(this.#workgroups.x, x.i32(sizeX)));
          const height = e.keep(multiply(this.#workgroups.y, x.i32(sizeY)));
          const rows = e.keep(add(gy, multiply(gz, height)));
          e.values[id] = [e.keep(add(gx, multiply(rows, width)))];
          break;
        }
        default:
          throw new Error(`internal: the builtin value ‘${builtin}’`);
      }
    }
  }

  #assumeBelow(value: Expr, base: Expr | null): void {
    const { x } = this.#e;
    for (const each of this.#limits) {
      if (each.base !== base) continue;
      for (const limit of each.limits) x.assume(x.binary(OP.i32_lt_u, "i32", value, limit), true);
    }
  }

  // -------------------------------------------------------------- the skeleton

  #items(items: readonly Item[]): boolean {
    // What is read in here may not have been read behind it.
    const before = this.#constantLoads;
    this.#constantLoads = new Map(before);
    const reachable = this.#inRuns(items);
    this.#constantLoads = before;
    return reachable;
  }

  /** Notes what may become pieces: items one after another that are long together, out of which nothing jumps. */
  #inRuns(items: readonly Item[]): boolean {
    const e = this.#e;
    const { depth } = e;
    let farthest = e.outermost;
    let start = e.out.length;
    const reachable = items.every((item) => {
      const known = this.#runs.length;
      e.outermost = Number.POSITIVE_INFINITY;
      const goesOn = this.#item(item);
      const isWhole = this.#runs.length === known && e.outermost >= depth;
      const isLong = e.out.length - start >= PIECE;
      if (isWhole && isLong) this.#runs.push({ start, end: e.out.length });
      if (!isWhole || isLong) start = e.out.length;
      farthest = Math.min(farthest, e.outermost);
      return goesOn;
    });
    e.outermost = farthest;
    return reachable;
  }

  #item(item: Item): boolean {
    const e = this.#e;
    switch (item.kind) {
      case "phase":
        this.#phase(item);
        return true;
      case "once":
        this.#once(item.operations);
        return true;
      case "jump":
        e.jump(item.label);
        return false;
      case "if":
        this.#useCaptured(item.node.condition);
        return e.if(item.node, item.whenTrue.length === 0, item.whenFalse.length === 0, {
          whenTrue: () => this.#items(item.whenTrue),
          whenFalse: () => this.#items(item.whenFalse),
        });
      case "switch":
        this.#useCaptured(item.node.selector);
        return e.switch(
          item.node,
          item.clauses.map((clause) => () => this.#items(clause)),
        );
      case "loop":
        e.loop(
          item.node,
          () => this.#items(item.body),
          () => {
            const reachable = this.#items(item.continuing);
            if (item.node.breakIf !== null) this.#useCaptured(item.node.breakIf);
            return reachable;
          },
        );
        return true;
      case "block":
        e.block(item.node, () => this.#items(item.body));
        return true;
    }
  }

  #useCaptured(id: ValueId): void {
    const local = this.#captured.get(id);
    if (local !== undefined) this.#e.values[id] = [this.#e.x.local(local, "i32")];
  }

  #once(operations: Extract<Item, { kind: "once" }>["operations"]): void {
    const e = this.#e;
    e.eager = this.#input.uniformity.values;
    for (const operation of operations) {
      if (operation.kind === "uniform-load") {
        for (const id of indicesOf(this.#input.pointers[operation.pointer]!)) this.#useCaptured(id);
      }
      if (!this.#knownLoad(operation)) emitOperation(e, operation);
    }
    e.eager = new Set();
    e.flush();
  }

  /** Whether the same place was read before in constant memory; then the value is that one. */
  #knownLoad(operation: Operation): boolean {
    if (operation.kind !== "load") return false;
    const { base, offset, terms } = this.#input.pointers[operation.pointer]!;
    if (base.kind !== "root" || terms.length > 0) return false;
    const parts = this.#input.needed.get(operation.id) ?? "all";
    const key = `${base.root} ${offset} ${typeName(operation.type)} ${parts}`;
    const known = this.#constantLoads.get(key);
    if (known !== undefined) this.#e.values[operation.id] = this.#e.values[known];
    else if (this.#input.uses[operation.id] > 0) this.#constantLoads.set(key, operation.id);
    return known !== undefined;
  }

  // -------------------------------------------------------------- phases

  #phase(phase: Phase): void {
    if (isIdle(phase, this.#lanesInput)) return;
    const e = this.#e;
    const mark = e.x.facts.mark();
    e.locals.open();
    const captured = [...phase.captured].map((id) => {
      let local = this.#captured.get(id);
      if (local === undefined) {
        local = e.permanentLocal("i32");
        this.#captured.set(id, local);
      }
      return { id, local };
    });
    this.#firstId = this.#findFirstId(phase);
    this.#overInvocations(phase, () => {
      this.#kept.enter(this.#scratch, this.#lane!);
      this.#kept.fetch(phase);
      for (const id of phase.recomputed) emitOperation(e, this.#input.operations.get(id)!);
      e.done = this.#input.uniformity.values;
      e.eager = new Set([...this.#input.plan.keptValues, ...phase.captured]);
      e.onEager = (id) => this.#kept.keepValue(id);
      e.nodes(phase.nodes);
      e.flush();
      e.done = e.eager = new Set();
      for (const id of phase.kept) this.#kept.keepVariable(id);
      for (const { id, local } of captured) this.#capture(id, local);
    });
    e.locals.close();
    e.x.facts.reset(mark);
    this.#lane = null;
    e.sums.clear();
    this.#kept.leave();
  }

  /** The phase, for all invocations that do something in it. */
  #overInvocations(phase: Phase, emit: () => void): void {
    const lanes = lanesOf(phase, this.#lanesInput);
    if (lanes?.kind === "only") this.#overOne(phase, lanes.bound, emit);
    else if (lanes !== null) this.#overFirst(phase, lanes.bound, emit);
    else this.#inBounds(phase, emit);
  }

  /** Where the last invocation's index is below all bounds, every one's is: then nothing is checked. */
  #inBounds(phase: Phase, emit: () => void): void {
    const e = this.#e;
    const { x } = e;
    const bounds = this.#invocations === 1 ? null : boundsOf(phase, this.#lanesInput);
    const { module, tallies } = this.#input.environment;
    const four = atOnce(phase, { ...this.#input, module, tallies });
    if (bounds === null) {
      this.#overAll(phase, four, true, emit);
      return;
    }
    const [sizeX] = this.#size;
    const conditions: Expr[] = [];
    const all = bounds.lanes.map(({ base, lengths, values }): Limits => {
      const limits = [...[...lengths].map((root) => this.rootLength(root)), ...[...values].map((id) => e.scalar(id))];
      const kept = base === null ? this.#firstId!.x : e.keep(e.scalar(base));
      const most = base === null ? sizeX - 1 : this.#invocations - 1;
      const last = e.keep(x.binary(OP.i32_add, "i32", kept, x.i32(most)));
      conditions.push(x.binary(OP.i32_le_u, "i32", kept, last));
      for (const limit of limits) conditions.push(x.binary(OP.i32_lt_u, "i32", last, limit));
      return { base: base === null ? null : kept, limits };
    });
    for (const [root, most] of bounds.largest) {
      conditions.push(x.binary(OP.i32_gt_u, "i32", this.rootLength(root), x.i32(most)));
    }
    e.write(conditions.reduce((all, each) => x.binary(OP.i32_and, "i32", all, each)));
    const mark = x.facts.mark();
    e.open(OP.if, null);
    for (const [root, most] of bounds.largest) x.facts.narrow(this.rootLength(root), most + 1, 0xffffffff);
    this.#limits = all;
    this.#overAll(phase, four, true, emit);
    this.#limits = [];
    x.facts.reset(mark);
    e.out.byte(OP.else);
    this.#overAll(phase, null, false, emit);
    e.close();
  }

  /** Those below a bound that is known in front of the phase. */
  #overFirst(phase: Phase, bound: ValueId, emit: () => void): void {
    const e = this.#e;
    const { x } = e;
    const all = x.i32(this.#invocations);
    const limit = e.keep(e.scalar(bound));
    const count = e.keep(x.select(x.binary(OP.i32_lt_u, "i32", limit, all), limit, all));
    e.write(count);
    e.open(OP.if, null);
    countUp(e, { most: this.#invocations, count }, (lane) => {
      x.assume(x.binary(OP.i32_lt_u, "i32", lane, limit), true);
      this.#bind(phase, lane, { x: lane, y: x.i32(0), z: x.i32(0) });
      emit();
    });
    e.close();
  }

  /** One alone, if it exists. */
  #overOne(phase: Phase, bound: ValueId, emit: () => void): void {
    const e = this.#e;
    const { x } = e;
    const lane = e.keep(e.scalar(bound));
    const exists = x.binary(OP.i32_lt_u, "i32", lane, x.i32(this.#invocations));
    const mark = x.facts.mark();
    e.write(exists);
    e.open(OP.if, null);
    x.assume(exists, true);
    this.#bind(phase, lane, { x: lane, y: x.i32(0), z: x.i32(0) });
    emit();
    e.close();
    x.facts.reset(mark);
  }

  #bind(phase: Phase, lane: Expr, position: Triple): void {
    this.#lane = lane;
    this.#bindLocal(phase, lane, position);
    for (const { base } of this.#limits) {
      if (base === null) continue;
      const { x } = this.#e;
      for (const sum of [x.binary(OP.i32_add, "i32", base, lane), x.binary(OP.i32_add, "i32", lane, base)]) {
        this.#assumeBelow(sum, base);
        this.#e.sums.set(sum.number, [base, ...this.#e.partsOf(lane)]);
      }
    }
  }

  /** A loop over the invocations, or three where their position matters and has several dimensions. `often`: most go here. */
  #overAll(phase: Phase, four: AtOnce | null, often: boolean, emit: () => void): void {
    const e = this.#e;
    const { x } = e;
    const [sizeX, sizeY, sizeZ] = this.#size;
    const zero = x.i32(0);
    const isShort = often && !holdsLoop(phase.nodes);
    if (this.#invocations === 1) {
      this.#bind(phase, zero, { x: zero, y: zero, z: zero });
      emit();
    } else if (this.#isLine || !this.#needsPosition(phase)) {
      this.#along(this.#invocations, four, isShort, (lane) => {
        this.#bind(phase, lane, { x: lane, y: zero, z: zero });
        emit();
      });
    } else {
      countUp(e, { most: sizeZ }, (z) => {
        countUp(e, { most: sizeY }, (y) => {
          const row = x.binary(OP.i32_add, "i32", x.binary(OP.i32_mul, "i32", z, x.i32(sizeY)), y);
          const first = e.keep(x.binary(OP.i32_mul, "i32", row, x.i32(sizeX)));
          this.#along(sizeX, four, isShort, (column) => {
            const lane = x.binary(OP.i32_add, "i32", first, column);
            e.sums.set(lane.number, [first, ...e.partsOf(column)]);
            this.#bind(phase, lane, { x: column, y, z });
            emit();
          });
        });
      });
    }
  }

  /** `emit` for each invocation of a line, or for each four of them and for those that are left one by one. */
  #along(count: number, four: AtOnce | null, isShort: boolean, emit: (index: Expr) => void): void {
    const e = this.#e;
    const together = four === null ? 0 : count - (count % 4);
    if (four !== null && together > 0) {
      countUp(e, { most: together, step: 4, isShort }, (first) =>
        e.atOnce(new FourControl(e, four), () => emit(this.#fourFrom(first))),
      );
    }
    if (together < count) countUp(e, { most: count, from: together, isShort }, emit);
  }

  #fourFrom(first: Expr): Expr {
    const e = this.#e;
    const { fours } = e.x;
    const four = fours.count(first);
    const [base, ...others] = e.partsOf(first);
    if (others.length > 0) e.sums.set(four.number, [fours.count(base), ...others]);
    return four;
  }

  /** The skeleton takes the first invocation's value. */
  #capture(id: ValueId, local: number): void {
    const e = this.#e;
    const value = e.values[id];
    if (value === undefined || isLargeValue(value) || scalarCount(this.#input.types[id]) !== 1) {
      throw new Error("internal: the skeleton needs what is no scalar");
    }
    if (e.x.facts.range(this.#lane!).low > 0) return;
    const isFirst = e.x.not(this.#lane!);
    e.write(e.x.select(isFirst, value[0], e.x.local(local, "i32")));
    e.setLocal(local);
  }
}
