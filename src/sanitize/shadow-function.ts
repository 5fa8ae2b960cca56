/** The rewriting of one function by the pass that puts the checks in (`shadow-pass.ts`). */

import { hasBarrier } from "../ir/barriers.ts";
import { type Emitter, type FunctionBuilder, partCount } from "../ir/builder.ts";
import type { Block, InstId, Instruction, IrFunction, IrModule, RootId } from "../ir/ir.ts";
import { blocksOf } from "../ir/walk.ts";
import { isComposite } from "../types/predicates.ts";
import { type Type, U32 } from "../types/type.ts";
import { classOf, isSharedAccess, type MemoryInst } from "./access-class.ts";
import { instructionKey, resultMatters } from "./atomic-uses.ts";
import { FunctionCode } from "./function-code.ts";
import { needlessNotes } from "./needless-notes.ts";
import { countAccesses, noteAccess, outOfStamps, PARAMETERS, parameter, type Stamps, tellRace } from "./shadow-code.ts";
import type { LookedAt, Shadowed, ShadowPass } from "./shadow-pass.ts";
import { sumKind } from "./sum-kinds.ts";
import { wraps } from "./wrap-code.ts";

/** The cell beside a pointer, or the cells. */
interface CellPointer {
  readonly shadowed: Shadowed;
  readonly shadow: InstId;
  readonly mark: InstId;
  /** Store type of the pointer; of one to a component the vector. */
  readonly type: Type;
}

/** Where the stamps of an access begin. */
interface Begin {
  readonly space: "workgroup" | "storage";
  /** First stamp of the epoch, and of the workgroup among those of storage. */
  readonly epoch: InstId;
  readonly start: InstId;
  /** There is one epoch. */
  readonly isFirst: boolean;
}

/** What is known of an access beside its cells. */
interface Noted {
  readonly begin: Begin;
  /** null: a routine finds them. */
  readonly stamps: Stamps | null;
  /** For `tellRace`. */
  readonly told: readonly InstId[];
}

/** Elements of an array that is accessed as a whole, above which they are noted in a loop. */
const UNROLLED = 8;

export class FunctionPass {
  readonly #pass: ShadowPass;
  readonly #fn: IrFunction;
  readonly #code: FunctionCode;
  readonly #builder: FunctionBuilder;
  readonly #lane: InstId;
  /** First stamp of the workgroup among those of storage; of the entry point known in its body only. */
  #start: InstId;
  /** Accesses since the count was brought up to date. */
  #pending = 0;
  readonly #needless: ReadonlySet<InstId>;
  #isInLoop = false;
  readonly #hasBarriers: boolean;
  /** Where all invocations of a workgroup come through together: counted in a variable that is the same for all of them. */
  #isTogether: boolean;

  constructor(pass: ShadowPass, fn: IrFunction) {
    this.#pass = pass;
    this.#fn = fn;
    this.#code = new FunctionCode(pass, fn);
    const { builder, lane, workgroup } = this.#code;
    [this.#builder, this.#lane, this.#start] = [builder, lane, workgroup];
    this.#needless = pass.options.sites ? new Set() : needlessNotes(pass.module, fn);
    this.#hasBarriers = this.#isTogether = hasBarrier(pass.module, fn.body);
  }

  run(): IrFunction {
    const { span, body } = this.#fn;
    const builder = this.#builder;
    const rewritten = builder.block(() => {
      const em = builder.at(span);
      if (this.#code.isEntryPoint) this.#start = this.#firstStamp(em);
      for (const inst of body.instructions) this.#instruction(inst);
      if (!builder.closed) this.#leave(em);
    });
    return this.#code.finish(rewritten);
  }

  #firstStamp(em: Emitter): InstId {
    const pass = this.#pass;
    const first = em.binary("+", parameter(em, pass, PARAMETERS.dispatch), em.number(1, U32));
    return em.binary("+", first, em.binary("*", this.#start, parameter(em, pass, PARAMETERS.workgroup)));
  }

  // ---------------------------------------------------------------- instructions

  #block(block: Block): Block {
    const outer = this.#isTogether;
    this.#isTogether = this.#hasBarriers && hasBarrier(this.#pass.module, block);
    const made = this.#builder.block(() => {
      for (const inst of block.instructions) this.#instruction(inst);
      if (!this.#builder.closed) this.#count(this.#builder.at(this.#fn.span));
    });
    this.#isTogether = outer;
    return made;
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
        this.#loop(inst);
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
        builder.append({ ...inst, args: this.#code.arguments(em, inst, this.#start) });
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
          this.#checkIndex(em, inst.id, inst.index, em.number(partCount(builder.typeOf(inst.operand)), U32));
        }
        builder.append(inst);
        break;
      case "load":
      case "store":
      case "atomic":
        if (isCounted(inst)) this.#pending++;
        this.#note(em, inst);
        if (inst.kind === "atomic") this.#countPlace(em, inst);
        builder.append(inst);
        if (inst.kind === "atomic" && this.#pass.options.counters) this.#checkCounter(em, inst);
        break;
      default:
        builder.append(inst);
    }
  }

  #loop(inst: Extract<Instruction, { kind: "loop" }>): void {
    const outer = this.#isInLoop;
    this.#isInLoop = true;
    this.#builder.append({ ...inst, body: this.#block(inst.body), continuing: this.#block(inst.continuing) });
    this.#isInLoop = outer;
  }

  // ---------------------------------------------------------------- counts

  /** Brings the count of accesses up to date. */
  #count(em: Emitter): void {
    if (this.#pending === 0) return;
    const count = em.number(this.#pending, U32);
    this.#pending = 0;
    if (!this.#isTogether) {
      this.#pass.often(em, "$count", [count], (inner, [sum]) => countAccesses(inner, this.#pass, sum));
    } else {
      const together = em.variable(this.#pass.together!);
      em.store(together, em.binary("+", em.load(together), count));
    }
  }

  /** The function ends here. */
  #leave(em: Emitter): void {
    this.#count(em);
    if (this.#code.isEntryPoint && this.#pass.together !== null) this.#addTogether(em, this.#pass.together);
  }

  /** What all have done together: one adds it for all, behind what they do. */
  #addTogether(em: Emitter, together: RootId): void {
    const { endsTogether, invocations } = this.#pass;
    if (!this.#isTogether || !endsTogether) {
      countAccesses(em, this.#pass, em.load(em.variable(together)));
      return;
    }
    em.barrier("workgroup");
    const isFirst = em.binary("==", this.#lane, em.number(0, U32));
    const addAll = () => {
      const all = em.binary("*", em.load(em.variable(together)), em.number(invocations, U32));
      countAccesses(em, this.#pass, all);
    };
    em.if(isFirst, addAll, () => {});
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

  #begin(em: Emitter, space: "workgroup" | "storage"): Begin {
    const root = this.#pass.passed[space];
    const start = this.#start;
    const first = space === "workgroup" ? em.number(1, U32) : start;
    const epoch = root === null ? first : em.binary("+", first, em.load(em.variable(root)));
    return { space, epoch, start, isFirst: root === null };
  }

  #stamps(em: Emitter, { space, epoch, start, isFirst }: Begin, lane: InstId): Stamps {
    const own = em.binary("+", epoch, lane);
    if (space === "workgroup") return { epoch, own, start, workgroup: null, dispatch: null };
    const dispatch = parameter(em, this.#pass, PARAMETERS.dispatch);
    return { epoch, own, start, workgroup: isFirst ? null : start, dispatch };
  }

  #note(em: Emitter, inst: MemoryInst): void {
    if (this.#needless.has(inst.id) || inst.root === null || !this.#pass.shadowed.has(inst.root)) return;
    const key = instructionKey(this.#fn.id, inst.id);
    if (this.#pass.ordered.has(key)) return;
    const goesOn = resultMatters(this.#pass.uses, key);
    const kind = classOf(inst, goesOn);
    // What is out of bounds takes no part in races.
    this.#code.inBounds(em, inst.pointer, () => {
      const cells = this.#cellPointer(em, inst.pointer)!;
      const begin = this.#begin(em, cells.shadowed.space);
      // A routine finds them itself.
      const stamps = this.#pass.isLarge ? null : this.#stamps(em, begin, this.#lane);
      this.#noteCells(em, cells, kind, { begin, stamps, told: this.#told(em, inst) });
    });
  }

  #countPlace(em: Emitter, inst: Extract<Instruction, { kind: "atomic" }>): void {
    const counted = inst.root === null ? undefined : this.#pass.counted.get(inst.root);
    const place = counted?.places.indexOf(instructionKey(this.#fn.id, inst.id)) ?? -1;
    if (counted === undefined || place < 0) return;
    const stamps = { workgroup: this.#start, dispatch: parameter(em, this.#pass, PARAMETERS.dispatch) };
    const { pointer } = this.#code.beside(em, inst.pointer, counted.counts);
    // In a loop it is often tried again, at one address; which element it is may hang on the data.
    const isUsual = this.#isInLoop || !this.#code.isIndexed(inst.pointer);
    this.#pass.countOperation(em, counted, pointer, place, stamps, isUsual);
  }

  /** For `tellRace`, where it is asked who races where. */
  #told(em: Emitter, inst: MemoryInst): readonly InstId[] {
    if (!this.#pass.options.sites) return [];
    const place = em.number(this.#pass.indexOf("race", instructionKey(this.#fn.id, inst.id)), U32);
    if (inst.kind !== "store" || isComposite(this.#builder.typeOf(inst.value))) return [place];
    const compared = em.binary("!=", em.load(inst.pointer), inst.value);
    const differs = em.typeOf(compared).kind === "vector" ? em.parts(compared) : [compared];
    return [place, differs.reduce((a, b) => em.binary("|", a, b))];
  }

  #noteCells(em: Emitter, cells: CellPointer, kind: number, known: Noted): void {
    const { type } = cells;
    const part = (of: Type, index: number | { readonly dynamic: InstId }): void => {
      const [shadow, mark] = [em.access(cells.shadow, index), em.access(cells.mark, index)];
      this.#noteCells(em, { ...cells, type: of, shadow, mark }, kind, known);
    };
    if (type.kind === "struct") for (const [i, member] of type.members.entries()) part(member.type, i);
    else if (type.kind === "matrix") for (let i = 0; i < type.columns; i++) part(U32, i);
    else if (type.kind !== "array") {
      this.#noteCell(em, cells, kind, known);
    } else if ((type.count as number) <= UNROLLED) {
      for (let i = 0; i < (type.count as number); i++) part(type.element, i);
    } else this.#eachElement(em, type.count as number, (index) => part(type.element, { dynamic: index }));
  }

  #noteCell(em: Emitter, cells: CellPointer, kind: number, { begin, stamps, told }: Noted): void {
    const { shadowed, shadow, mark } = cells;
    const { invocations, told: root } = this.#pass;
    const note = (
      inner: Emitter,
      at: Pick<CellPointer, "shadow" | "mark">,
      passed: Stamps,
      places: readonly InstId[],
    ): void => {
      const tell = (other: InstId) => {
        if (places.length > 0) tellRace(inner, root!, places, [passed.start, other]);
      };
      noteAccess(inner, this.#pass, shadowed, at, kind, passed, invocations, tell);
    };
    if (stamps !== null) {
      note(em, { shadow, mark }, stamps, told);
      return;
    }
    const args = [shadow, mark, begin.epoch, begin.start, this.#lane, ...told];
    this.#pass.routines.call(em, `$note ${shadowed.root} ${kind} ${told.length}`, args, (inner, params) => {
      const [cell, marks, epoch, start, lane, ...places] = params;
      note(inner, { shadow: cell, mark: marks }, this.#stamps(inner, { ...begin, epoch, start }, lane), places);
    });
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
    const { pointer: shadow, type } = this.#code.beside(em, pointer, shadowed.shadow);
    return { shadowed, shadow, mark: this.#code.beside(em, pointer, shadowed.marks).pointer, type };
  }

  // ---------------------------------------------------------------- what else is looked for

  #checkPointer(em: Emitter, inst: Extract<Instruction, { kind: "access" }>): void {
    const bound = this.#code.bound(em, inst);
    if (bound !== null) this.#checkIndex(em, inst.id, bound.index, bound.length);
  }

  #checkIndex(em: Emitter, id: InstId, index: InstId, length: InstId): void {
    this.#countWhere(em, "bounds", em.binary(">=", em.bitcast(index, U32), length), id);
  }

  #countWhere(em: Emitter, kind: LookedAt["kind"], condition: InstId, id: InstId): void {
    const key = instructionKey(this.#fn.id, id);
    const place = this.#pass.indexOf(kind, key);
    const count = () => this.#pass.countPlace(em, place, this.#start);
    em.if(condition, count, () => {});
  }

  #checkCounter(em: Emitter, inst: Extract<Instruction, { kind: "atomic" }>): void {
    const { operation } = inst;
    if (operation !== "add" && operation !== "sub") return;
    const kind = sumKind(this.#pass.module, this.#fn.id, inst);
    if (kind === "signed") return;
    this.#countWhere(em, "counter", wraps(em, operation, inst.id, inst.args[0], kind === "negated"), inst.id);
  }
}

function isCounted(inst: Instruction): boolean {
  return inst.kind === "uniform-load" || isSharedAccess(inst);
}

/** Whether accesses stand where all invocations of a workgroup come through together. */
export function hasAccessesTogether(module: IrModule): boolean {
  return module.functions.some(({ body }) => accessesTogether(module, body));
}

function accessesTogether(module: IrModule, block: Block): boolean {
  if (!hasBarrier(module, block)) return false;
  return block.instructions.some(
    (inst) => isCounted(inst) || blocksOf(inst).some((inner) => accessesTogether(module, inner)),
  );
}
