/** One function of an `IrModule` as flat code: values become slots, blocks become jumps. */

import { partType } from "../ir/builder.ts";
import type { Block, IfInst, InstId, Instruction, IrFunction, LoopInst, SubgroupInst, SwitchInst } from "../ir/ir.ts";
import { layoutOf } from "../layout/layout.ts";
import { I32, type PointerType, type Type, VOID } from "../types/type.ts";
import type { FlatFunction } from "./flat.ts";
import { type FlatBuilder, type Label, type SlotRun, shapeOf } from "./flat-builder.ts";
import {
  emitAccess,
  emitAtomic,
  emitLoad,
  emitPointer,
  emitStore,
  framePointer,
  type Pointer,
  passedPointer,
  rootPointer,
} from "./flatten-memory.ts";
import {
  emitBinary,
  emitBitcast,
  emitBuiltin,
  emitConvert,
  emitSelect,
  emitUnary,
  scalarKind,
} from "./flatten-operations.ts";
import { consecutive, constantValue, emitCopy, partOf, scalarCount, type Value } from "./flatten-values.ts";
import { LastUses } from "./last-uses.ts";

/** What callers need to know of a function. */
export interface Callee extends FlatFunction {
  /** First slot of each parameter: its scalars, or address and fault of a pointer. */
  readonly params: readonly number[];
  readonly result: Value;
}

export interface FlattenContext {
  readonly builder: FlatBuilder;
  readonly callees: readonly Callee[];
  /** First slot of each private variable, by root. */
  readonly privateSlots: Int32Array;
}

export function flattenFunction(context: FlattenContext, fn: IrFunction, isEntryPoint: boolean): Callee {
  return new FunctionFlattener(context, fn, isEntryPoint).flatten();
}

class FunctionFlattener {
  readonly #builder: FlatBuilder;
  readonly #context: FlattenContext;
  readonly #fn: IrFunction;
  readonly #values: (Value | null)[];
  readonly #pointers: (Pointer | null)[];
  readonly #types: Type[] = [];
  /** By instruction: slots that were taken for it. */
  readonly #taken: (readonly SlotRun[] | null)[];
  readonly #lastUses: LastUses;
  readonly #locals: number[];
  readonly #params: number[];
  readonly #returnSlot: number;
  readonly #result: Value;
  /** Where `break` and `continue` go, innermost last; a switch has no `continue` of its own. */
  readonly #breaks: Label[] = [];
  readonly #continues: Label[] = [];

  constructor(context: FlattenContext, fn: IrFunction, isEntryPoint: boolean) {
    const { builder } = context;
    this.#context = context;
    this.#builder = builder;
    this.#fn = fn;
    this.#taken = new Array<readonly SlotRun[] | null>(fn.instructionCount).fill(null);
    this.#lastUses = new LastUses(fn);
    builder.forgetFree();
    this.#values = new Array<Value | null>(fn.instructionCount).fill(null);
    this.#pointers = new Array<Pointer | null>(fn.instructionCount).fill(null);
    this.#returnSlot = isEntryPoint ? -1 : builder.slots(1);
    this.#params = fn.params.map((param) => this.#declareParam(param));
    this.#result = builder.range(isEntryPoint ? 0 : scalarCount(fn.returnType));
    this.#locals = fn.locals.map((local) => builder.slots(scalarCount(local.type)));
  }

  #declareParam({ id, type, root }: IrFunction["params"][number]): number {
    this.#types[id] = type;
    if (type.kind === "pointer") {
      const slot = this.#builder.slots(2);
      this.#pointers[id] = passedPointer(type.space, isFrame(type) ? null : root, type.store, slot);
      return slot;
    }
    const value = this.#builder.range(scalarCount(type));
    this.#values[id] = value;
    return value[0] ?? -1;
  }

  flatten(): Callee {
    const start = this.#builder.position;
    this.#block(this.#fn.body);
    this.#setOrigin(-1, this.#fn.span);
    this.#emitReturn();
    return {
      start,
      returnSlot: this.#returnSlot,
      values: this.#values,
      locals: this.#locals,
      params: this.#params,
      result: this.#result,
    };
  }

  #setOrigin(instruction: InstId, span: Instruction["span"]): void {
    this.#builder.setOrigin(this.#fn.id, instruction, span);
  }

  #emitReturn(): void {
    if (this.#returnSlot < 0) this.#builder.emit("end");
    else this.#builder.emit("return", this.#returnSlot);
  }

  #value(id: InstId): Value {
    const value = this.#values[id];
    if (value === null || value === undefined) throw new Error(`internal: no value %${id} in ‘${this.#fn.name}’`);
    return value;
  }

  #pointer(id: InstId): Pointer {
    const pointer = this.#pointers[id];
    if (pointer === null || pointer === undefined) throw new Error(`internal: no pointer %${id} in ‘${this.#fn.name}’`);
    return pointer;
  }

  #block(block: Block): void {
    for (const inst of block.instructions) {
      this.#setOrigin(inst.id, inst.span);
      this.#types[inst.id] = inst.type;
      const outer = this.#builder.begin();
      const value = this.#instruction(inst);
      this.#taken[inst.id] = this.#builder.end(outer);
      if (value !== null) this.#values[inst.id] = value;
      this.#lastUses.each(inst.id, (id) => this.#giveBack(id));
    }
  }

  #giveBack(id: InstId): void {
    const taken = this.#taken[id];
    if (taken !== null) this.#builder.giveBack(taken);
    this.#taken[id] = null;
  }

  /** Emits the instruction; gives the slots of its value, null for pointers and where there is none. */
  #instruction(inst: Instruction): Value | null {
    const builder = this.#builder;
    switch (inst.kind) {
      case "const":
        return constantValue(builder, inst.value);
      case "unary":
        return emitUnary(builder, inst.operator, this.#value(inst.operand), inst.type);
      case "binary":
        return emitBinary(
          builder,
          inst.operator,
          this.#value(inst.left),
          this.#value(inst.right),
          this.#types[inst.left],
        );
      case "convert":
        return emitConvert(builder, this.#value(inst.operand), this.#types[inst.operand], inst.type);
      case "bitcast":
        return emitBitcast(builder, this.#value(inst.operand), this.#types[inst.operand], inst.type);
      case "construct":
        return inst.parts.flatMap((part) => this.#value(part));
      case "splat":
        return new Array<number>(scalarCount(inst.type)).fill(this.#value(inst.operand)[0]);
      case "extract":
        return partOf(this.#value(inst.operand), this.#types[inst.operand], inst.index);
      case "extract-dynamic":
        return this.#extractDynamic(inst.operand, inst.index);
      case "swizzle":
        return inst.components.map((component) => this.#value(inst.operand)[component]);
      case "select":
        return emitSelect(builder, this.#value(inst.condition), this.#value(inst.ifTrue), this.#value(inst.ifFalse));
      case "builtin":
        return emitBuiltin(
          builder,
          inst,
          inst.args.map((arg) => this.#value(arg)),
          inst.args.map((arg) => this.#types[arg]),
        );
      case "call":
        return this.#call(inst);
      case "subgroup":
        return this.#subgroup(inst);
      default:
        return this.#memoryOrControl(inst);
    }
  }

  #memoryOrControl(inst: Exclude<Instruction, { kind: "const" | "unary" | "call" | "subgroup" }>): Value | null {
    const builder = this.#builder;
    switch (inst.kind) {
      case "variable":
        this.#pointers[inst.id] = this.#variable(inst.root);
        return null;
      case "local": {
        const { type } = this.#fn.locals[inst.local];
        this.#pointers[inst.id] = framePointer(builder, "function", type, this.#locals[inst.local]);
        return null;
      }
      case "access":
        this.#pointers[inst.id] = emitAccess(builder, this.#pointer(inst.pointer), inst, ({ dynamic }) => ({
          slot: this.#value(dynamic)[0],
          type: this.#types[dynamic],
        }));
        return null;
      case "load":
        return emitLoad(builder, this.#pointer(inst.pointer));
      case "store":
        emitStore(builder, this.#pointer(inst.pointer), this.#value(inst.value));
        return null;
      case "array-length":
        return [builder.lengthSlot(inst.root)];
      case "atomic": {
        const args = inst.args.map((arg) => this.#value(arg)[0]);
        return emitAtomic(builder, this.#pointer(inst.pointer), inst, args);
      }
      case "barrier":
        this.#barrier(inst.barrier);
        return null;
      case "uniform-load":
        return this.#uniformLoad(inst.pointer);
      default:
        this.#control(inst as Extract<Instruction, { kind: ControlKind }>);
        return null;
    }
  }

  #variable(root: number): Pointer {
    const { space, type } = this.#builder.module.roots[root];
    if (space !== "private") return rootPointer(this.#builder, root);
    return framePointer(this.#builder, "private", type, this.#context.privateSlots[root]);
  }

  // spec: #workgroupUniformLoad-builtin
  #uniformLoad(pointer: InstId): Value {
    this.#builder.barrier({ barrier: "workgroup", uniformLoad: true });
    const value = emitLoad(this.#builder, this.#pointer(pointer));
    this.#builder.barrier({ barrier: "workgroup", uniformLoad: true });
    return value;
  }

  #barrier(barrier: "workgroup" | "storage" | "texture" | "subgroup"): void {
    if (barrier !== "subgroup") this.#builder.barrier({ barrier, uniformLoad: false });
    else this.#builder.subgroup({ name: "subgroupBarrier", operand: null, args: [], result: [] });
  }

  #extractDynamic(operand: InstId, index: InstId): Value {
    const type = this.#types[operand];
    const part = scalarCount(partType(type, 0));
    const whole = consecutive(this.#builder, this.#value(operand));
    const result = this.#builder.range(part);
    const count = layoutOf(type).count!;
    const signed = this.#types[index] === I32 ? 1 : 0;
    this.#builder.site({
      kind: "read",
      atomic: null,
      space: "function",
      root: null,
      type: partType(type, 0),
      size: layoutOf(type).element!.size,
      shape: shapeOf(partType(type, 0)),
      vector: null,
    });
    this.#builder.emitAccess("extract", result[0], this.#value(index)[0], whole[0], count, part, signed);
    return result;
  }

  #subgroup(inst: SubgroupInst): Value {
    const result = this.#builder.range(inst.type === VOID ? 0 : scalarCount(inst.type));
    const args = inst.args.map((arg) => this.#value(arg));
    const operand = inst.args.length === 0 ? null : scalarKind(this.#types[inst.args[0]]);
    this.#builder.subgroup({ name: inst.name, operand, args, result });
    return result;
  }

  #call(inst: Extract<Instruction, { kind: "call" }>): Value {
    const builder = this.#builder;
    const callee = this.#context.callees[inst.function];
    for (const [index, arg] of inst.args.entries()) {
      const pointer = this.#pointers[arg];
      if (pointer !== null) emitPointer(builder, callee.params[index], pointer);
      else emitCopy(builder, callee.params[index], this.#value(arg));
    }
    builder.emit("call", callee.returnSlot, callee.start);
    // The callee's own result slots change with its next call.
    const result = builder.range(callee.result.length);
    emitCopy(builder, result[0], callee.result);
    return result;
  }

  // -------------------------------------------------------------- control flow

  #control(inst: Extract<Instruction, { kind: ControlKind }>): void {
    const builder = this.#builder;
    switch (inst.kind) {
      case "if":
        this.#if(inst);
        break;
      case "switch":
        this.#switch(inst);
        break;
      case "loop":
        this.#loop(inst);
        break;
      case "break":
        builder.jump(this.#breaks.at(-1)!);
        break;
      case "continue":
        builder.jump(this.#continues.at(-1)!);
        break;
      case "return":
        if (inst.value !== null && this.#result.length > 0) emitCopy(builder, this.#result[0], this.#value(inst.value));
        this.#emitReturn();
        break;
      default:
        inst satisfies never;
    }
  }

  // spec: #if-statement
  #if(inst: IfInst): void {
    const builder = this.#builder;
    const [otherwise, end] = [builder.label(), builder.label()];
    builder.jumpIf("jump-if-zero", this.#value(inst.condition)[0], otherwise);
    this.#block(inst.then);
    if (inst.otherwise.instructions.length === 0) builder.place(otherwise);
    else {
      if (!endsBlock(inst.then)) builder.jump(end);
      builder.place(otherwise);
      this.#block(inst.otherwise);
    }
    builder.place(end);
  }

  // spec: #switch-statement
  #switch(inst: SwitchInst): void {
    const builder = this.#builder;
    const end = builder.label();
    const table = builder.switch(this.#value(inst.selector)[0]);
    this.#breaks.push(end);
    for (const clause of inst.clauses) {
      for (const value of clause.values) table.targets.set(value | 0, builder.position);
      if (clause.isDefault) table.otherwise = builder.position;
      this.#block(clause.body);
      if (!endsBlock(clause.body)) builder.jump(end);
    }
    this.#breaks.pop();
    builder.place(end);
    if (table.otherwise < 0) table.otherwise = end.position;
  }

  // spec: #loop-statement
  #loop(inst: LoopInst): void {
    const builder = this.#builder;
    const [head, continuing, end] = [builder.label(), builder.label(), builder.label()];
    this.#breaks.push(end);
    this.#continues.push(continuing);
    builder.place(head);
    this.#block(inst.body);
    builder.place(continuing);
    this.#block(inst.continuing);
    this.#setOrigin(inst.id, inst.span);
    if (inst.breakIf === null) builder.jump(head);
    else builder.jumpIf("jump-if-zero", this.#value(inst.breakIf)[0], head);
    this.#continues.pop();
    this.#breaks.pop();
    builder.place(end);
  }
}

type ControlKind = "if" | "switch" | "loop" | "break" | "continue" | "return";

function isFrame(type: PointerType): boolean {
  return type.space === "function" || type.space === "private";
}

/** True where control does not run off the end of the block. */
function endsBlock(block: Block): boolean {
  const last = block.instructions.at(-1)?.kind;
  return last === "break" || last === "continue" || last === "return";
}
