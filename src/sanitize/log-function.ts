/** The rewriting of one function by the pass that puts the log in (`log-pass.ts`). */
import { type Emitter, partCount, partType } from "../ir/builder.ts";
import type { AtomicInst, Block, InstId, Instruction, IrFunction, LocalId } from "../ir/ir.ts";
import { layoutOf } from "../layout/layout.ts";
import { F16, I32, type PointerType, type Type, U32, vectorType } from "../types/type.ts";
import { isAccess, isSharedAccess, type MemoryInst } from "./access-class.ts";
import { instructionKey } from "./atomic-uses.ts";
import { FunctionCode } from "./function-code.ts";
import {
  appendRecord,
  beginWorkgroup,
  type CellAccess,
  countUp,
  HEADER,
  logAccess,
  logAlways,
  logUniformLoad,
  setHeader,
} from "./log-code.ts";
import { lookForWrap } from "./log-counters.ts";
import type { AccessPlace, LogPass, WrapPlace } from "./log-pass.ts";
import { sumKind } from "./sum-kinds.ts";
import { tellPlace } from "./tell-code.ts";

/** Elements of an array that is accessed as a whole, above which it is not asked which of them are watched. */
const UNROLLED = 8;
/** Accesses that an invocation makes on the interpreter before it is thought to wait for others (`schedule.ts`). */
const PATIENCE = 4096;

export class LogFunction {
  readonly #pass: LogPass;
  readonly #fn: IrFunction;
  readonly #code: FunctionCode;
  readonly #flag: LocalId;
  /** By pointer parameter: bytes from the start of the variable. */
  readonly #offsets = new Map<InstId, InstId>();

  constructor(pass: LogPass, fn: IrFunction) {
    this.#pass = pass;
    this.#fn = fn;
    this.#code = new FunctionCode(pass, fn);
    this.#flag = this.#code.builder.local("$flag", U32, fn.span);
    for (const { id, type, root } of fn.params) {
      if (type.kind !== "pointer" || root === null || !this.#pass.isLogged(root)) continue;
      this.#offsets.set(id, this.#code.builder.param("$offset", U32, null, null));
    }
  }

  run(): IrFunction {
    const { builder, isEntryPoint } = this.#code;
    const body = builder.block(() => {
      const em = builder.at(this.#fn.span);
      if (isEntryPoint) this.#once(em, () => beginWorkgroup(em, this.#pass, this.#code.workgroup));
      this.#instructions(this.#fn.body);
    });
    return this.#code.finish(body);
  }

  #block(block: Block): Block {
    return this.#code.builder.block(() => this.#instructions(block));
  }

  #instructions(block: Block): void {
    this.#countTurns(block);
    for (const inst of block.instructions) this.#instruction(inst);
  }

  #instruction(inst: Instruction): void {
    const { builder } = this.#code;
    const em = builder.at(inst.span);
    switch (inst.kind) {
      case "if":
        // biome-ignore lint/suspicious/noThenProperty: it is what the branch is called
        builder.append({ ...inst, then: this.#block(inst.then), otherwise: this.#block(inst.otherwise) });
        break;
      case "switch":
        builder.append({ ...inst, clauses: inst.clauses.map((each) => ({ ...each, body: this.#block(each.body) })) });
        break;
      case "loop":
        builder.append({ ...inst, body: this.#block(inst.body), continuing: this.#block(inst.continuing) });
        break;
      case "call":
        builder.append({
          ...inst,
          args: [...this.#code.arguments(em, inst, this.#code.workgroup), ...this.#passed(em, inst)],
        });
        break;
      case "barrier":
        builder.append(inst);
        this.#once(em, () => this.#passBarrier(em, inst, 0));
        this.#forgetTurns(em);
        break;
      case "uniform-load":
        this.#noteOutside(em, inst);
        builder.append(inst);
        this.#uniformLoad(em, inst);
        this.#forgetTurns(em);
        break;
      case "extract-dynamic":
        this.#noteOutside(em, inst);
        builder.append(inst);
        break;
      default:
        if (isAccess(inst)) this.#noteOutside(em, inst);
        builder.append(inst);
        if (isAccess(inst)) this.#log(em, inst);
    }
  }

  /** Bytes of the pointers of a call, for the parameters that the callee gets here. */
  #passed(em: Emitter, inst: Extract<Instruction, { kind: "call" }>): InstId[] {
    const { params } = this.#pass.module.functions[inst.function];
    return params.flatMap(({ type, root }, i) =>
      type.kind !== "pointer" || root === null || !this.#pass.isLogged(root) ? [] : [this.#offset(em, inst.args[i])],
    );
  }

  // ---------------------------------------------------------------- bounds

  #noteOutside(
    em: Emitter,
    inst: MemoryInst | Extract<Instruction, { kind: "uniform-load" | "extract-dynamic" }>,
  ): void {
    const { outside } = this.#pass;
    const number = outside?.numbers.get(instructionKey(this.#fn.id, inst.id));
    if (outside === null || number === undefined) return;
    const isOutside = this.#isOutside(em, inst);
    if (isOutside === null) return;
    const args = [em.number(number, U32), this.#code.workgroup];
    const tell = () => {
      this.#pass.routines.call(em, "$outside", args, (inner, [place, workgroup]) => {
        tellPlace(inner, outside.root, place, workgroup);
      });
    };
    em.if(isOutside, tell, () => {});
  }

  /** null: it never is. */
  #isOutside(
    em: Emitter,
    inst: MemoryInst | Extract<Instruction, { kind: "uniform-load" | "extract-dynamic" }>,
  ): InstId | null {
    if (inst.kind === "extract-dynamic") {
      const count = em.number(partCount(em.typeOf(inst.operand)), U32);
      return em.binary(">=", em.bitcast(inst.index, U32), count);
    }
    if (this.#code.defined(inst.pointer)?.kind !== "access") return null;
    const flag = em.local(this.#flag);
    em.store(flag, em.number(1, U32));
    this.#code.inBounds(em, inst.pointer, () => em.store(flag, em.number(0, U32)));
    return em.binary("!=", em.load(flag), em.number(0, U32));
  }

  // ---------------------------------------------------------------- barriers

  /** By the first invocation, for all of the workgroup: it goes first in each phase. */
  #once(em: Emitter, emit: () => void): void {
    em.if(em.binary("==", this.#code.lane, em.number(0, U32)), emit, () => {});
  }

  #passBarrier(em: Emitter, inst: Extract<Instruction, { kind: "barrier" | "uniform-load" }>, nth: number): void {
    const kind = inst.kind === "barrier" ? inst.barrier : "workgroup";
    if (kind === "subgroup") return;
    const place = this.#pass.barrierPlace(instructionKey(this.#fn.id, inst.id), nth);
    appendRecord(em, this.#pass, [em.number(place, U32), this.#code.workgroup], "place");
    countUp(em, this.#pass, HEADER.phase);
    if (kind !== "texture") countUp(em, this.#pass, HEADER[kind]);
  }

  /** All read the same between two barriers: one of them tells. */
  #uniformLoad(em: Emitter, inst: Extract<Instruction, { kind: "uniform-load" }>): void {
    const tell = (): void => {
      this.#passBarrier(em, inst, 0);
      this.#code.inBounds(em, inst.pointer, () => this.#noteLoad(em, inst));
      this.#passBarrier(em, inst, 1);
    };
    this.#once(em, tell);
  }

  #noteLoad(em: Emitter, inst: Extract<Instruction, { kind: "uniform-load" }>): void {
    const place = this.#pass.accessPlace(instructionKey(this.#fn.id, inst.id));
    const watched = this.#pass.watched.get(inst.root!);
    if (place === null || watched === undefined) return;
    const { pointer, type } = this.#code.beside(em, inst.pointer, watched.cells);
    const access = this.#access(em, inst, place);
    if (isDivided(type)) {
      logAlways(em, this.#pass, { ...access, cell: em.number(0, U32) });
      return;
    }
    const cell = em.load(pointer);
    const log = () => logUniformLoad(em, this.#pass, { ...access, cell });
    em.if(em.binary("!=", cell, em.number(0, U32)), log, () => {});
  }

  // ---------------------------------------------------------------- turns

  /** Accesses of a block, at most: what is counted is carried from round to round of a loop. */
  #countTurns({ instructions }: Block): void {
    const { turns } = this.#pass;
    const count = instructions.filter(isSharedAccess).length;
    if (turns === null || count === 0) return;
    const em = this.#code.builder.at(instructions[0].span);
    const variable = em.variable(turns);
    const sum = em.binary("+", em.load(variable), em.number(count, U32));
    em.store(variable, sum);
    const tell = () => setHeader(em, this.#pass, HEADER.long, em.number(1, U32));
    em.if(em.binary(">=", sum, em.number(PATIENCE, U32)), tell, () => {});
  }

  #forgetTurns(em: Emitter): void {
    if (this.#pass.turns !== null) em.store(em.variable(this.#pass.turns), em.number(0, U32));
  }

  // ---------------------------------------------------------------- accesses

  #log(em: Emitter, inst: MemoryInst): void {
    const key = instructionKey(this.#fn.id, inst.id);
    const [place, wrap] = [this.#pass.accessPlace(key), this.#pass.wrapPlace(key)];
    if (place === null && wrap === null) return;
    this.#code.inBounds(em, inst.pointer, () => {
      if (inst.kind === "atomic" && wrap !== null) this.#lookForWrap(em, inst, wrap);
      if (place !== null) this.#logInBounds(em, inst, place);
    });
  }

  #lookForWrap(em: Emitter, inst: AtomicInst, { index: firstPlace, end }: WrapPlace): void {
    const own = this.#pass.counters!;
    const root = inst.root!;
    const operation = inst.operation === "sub" ? "sub" : "add";
    const isSigned = inst.type === I32;
    const space = inst.space === "workgroup" ? inst.space : "storage";
    const operand = em.bitcast(inst.args[0], U32);
    const change = {
      rounds: this.#code.beside(em, inst.pointer, own.rounds.get(root)!).pointer,
      number: em.number(end / 2 + 1, U32),
      firstEnd: em.number(end + 1, U32),
      firstPlace: em.number(firstPlace, U32),
      offset: this.#offset(em, inst.pointer),
      before: this.#before(em, inst),
      delta: operation === "sub" ? em.binary("-", em.number(0, U32), operand) : operand,
      workgroup: this.#code.workgroup,
      lane: this.#code.lane,
    };
    const isNegated = sumKind(this.#pass.module, this.#fn.id, inst) === "negated";
    lookForWrap(em, this.#pass, own, { operation, isSigned, isNegated, root, space }, change);
  }

  #logInBounds(em: Emitter, inst: MemoryInst, place: AccessPlace): void {
    const watched = this.#pass.watched.get(inst.root!);
    const none = em.number(0, U32);
    if (place.isAlways || watched === undefined) {
      logAlways(em, this.#pass, { ...this.#access(em, inst, place), cell: none });
      return;
    }
    const { pointer, type } = this.#code.beside(em, inst.pointer, watched.cells);
    if (!isDivided(type)) {
      const cell = em.load(pointer);
      logAccess(em, this.#pass, { ...this.#access(em, inst, place), cell });
      return;
    }
    const log = () => logAlways(em, this.#pass, { ...this.#access(em, inst, place), cell: none });
    const any = this.#anyWatched(em, pointer, type);
    if (any === null) log();
    else em.if(em.binary("!=", any, none), log, () => {});
  }

  /** Not 0 where one of the cells is watched; null: they are too many to be asked. */
  #anyWatched(em: Emitter, pointer: InstId, type: Type): InstId | null {
    if (!isDivided(type)) return em.load(pointer);
    const count = partCount(type);
    if (count > UNROLLED) return null;
    const parts = Array.from({ length: count }, (_, i) => {
      return this.#anyWatched(em, em.access(pointer, i), partType(type, i));
    });
    return parts.reduce((a, b) => (a === null || b === null ? null : em.binary("|", a, b)));
  }

  #access(
    em: Emitter,
    inst: MemoryInst | Extract<Instruction, { kind: "uniform-load" }>,
    place: AccessPlace,
  ): Omit<CellAccess, "cell"> {
    const { space } = inst;
    const isAtomic = inst.kind === "atomic";
    const values = isAtomic ? [this.#after(em, inst)] : bitsOf(em, inst.kind === "store" ? inst.value : inst.id);
    return {
      place: place.index,
      own: place.own,
      space: space === "workgroup" ? space : "storage",
      writes: inst.kind === "store" || (isAtomic && inst.operation !== "load"),
      isPlain: place.isPlain,
      isComparable: place.isComparable,
      skipsAlike: this.#pass.isPlain,
      offset: this.#offset(em, inst.pointer),
      lane: this.#code.lane,
      workgroup: this.#code.workgroup,
      before: isAtomic ? this.#before(em, inst) : null,
      values,
    };
  }

  /** What an atomic variable held; of a store nobody asks. */
  #before(em: Emitter, inst: AtomicInst): InstId {
    if (inst.operation === "store") return em.bitcast(inst.args[0], U32);
    return em.bitcast(inst.operation === "compare-exchange-weak" ? em.extract(inst.id, 0) : inst.id, U32);
  }

  /** Nobody has changed it since. */
  #after(em: Emitter, inst: AtomicInst): InstId {
    if (inst.operation === "load") return em.bitcast(inst.id, U32);
    const { store } = em.typeOf(inst.pointer) as PointerType;
    const type = store.kind === "atomic" ? store.element : U32;
    return em.bitcast(em.atomic("load", inst.pointer, [], type), U32);
  }

  /** Bytes from the start of the variable. */
  #offset(em: Emitter, pointer: InstId): InstId {
    const known = this.#offsets.get(pointer);
    if (known !== undefined) return known;
    const inst = this.#code.defined(pointer);
    if (inst?.kind !== "access") return em.number(0, U32);
    const outer = this.#offset(em, inst.pointer);
    const { store } = em.typeOf(inst.pointer) as PointerType;
    const layout = layoutOf(store);
    if (store.kind === "struct") {
      return em.binary("+", outer, em.number(layout.members[inst.index as number].offset, U32));
    }
    const stride = layout.stride ?? layout.element!.size;
    if (typeof inst.index === "number") return em.binary("+", outer, em.number(inst.index * stride, U32));
    const index = em.bitcast(inst.index.dynamic, U32);
    return em.binary("+", outer, em.binary("*", index, em.number(stride, U32)));
  }
}

/** Bits of the scalars of a value, in order, as the interpreter has them. */
function bitsOf(em: Emitter, value: InstId): InstId[] {
  const type = em.typeOf(value);
  switch (type.kind) {
    case "vector":
    case "matrix":
    case "array":
    case "struct":
      return em.parts(value).flatMap((part) => bitsOf(em, part));
    case "bool":
      return [em.convert(value, U32)];
    case "f16": {
      const pair = em.construct(vectorType(2, F16), [value, em.number(0, F16)]);
      return [em.bitcast(pair, U32)];
    }
    default:
      return [em.bitcast(value, U32)];
  }
}

/** Whether there are cells for its parts: a vector is one cell as a whole. */
function isDivided({ kind }: Type): boolean {
  return kind === "struct" || kind === "array" || kind === "matrix";
}
