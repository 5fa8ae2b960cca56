/**
 * One function that a pass puts code in: a builder that has what is there already, and pointers into variables of the
 * checker's own that lie beside those of the program (`shadow-types.ts`), of parameters too.
 */
import { type Emitter, FunctionBuilder, partCount } from "../ir/builder.ts";
import type { Block, InstId, Instruction, IrFunction, IrModule, Root, RootId } from "../ir/ir.ts";
import { eachInstruction } from "../ir/walk.ts";
import { type PointerType, pointerType, type Type, U32, VOID } from "../types/type.ts";
import { cellOf, mirrored } from "./shadow-types.ts";

/** A pointer into a variable of the checker's own beside one of the program's, made by the same steps. */
export interface Beside {
  readonly pointer: InstId;
  /** Store type of the program's pointer; of one to a component the vector. */
  readonly type: Type;
}

/** What the functions of a module have in common. */
export interface ModuleCode {
  readonly module: IrModule;
  /** Those of the module, then the checker's own. */
  readonly roots: readonly Root[];
  /** The variables of the checker's own that have the shape of a variable. */
  beside(root: RootId): readonly RootId[];
}

/** A builder that knows what a function has already. */
export function builderOf(
  { params, locals, body, instructionCount }: IrFunction,
  moduleRoots: readonly Root[],
): FunctionBuilder {
  const builder = new FunctionBuilder(moduleRoots);
  const types: Type[] = new Array<Type>(instructionCount).fill(VOID);
  const roots = new Array<RootId | null>(instructionCount).fill(null);
  for (const param of params) [types[param.id], roots[param.id]] = [param.type, param.root];
  eachInstruction(body, (inst) => {
    types[inst.id] = inst.type;
    if (inst.kind === "variable" || inst.kind === "access") roots[inst.id] = inst.root;
  });
  for (const [id, type] of types.entries()) builder.newId(type, roots[id]);
  builder.params.push(...params);
  builder.locals.push(...locals);
  return builder;
}

export class FunctionCode {
  readonly fn: IrFunction;
  readonly builder: FunctionBuilder;
  /** `local_invocation_index`, and what the entry point gets as `workgroup_index`. */
  readonly lane: InstId;
  readonly workgroup: InstId;
  readonly #of: ModuleCode;
  readonly #defined = new Map<InstId, Instruction>();
  /** Beside pointer parameters: by parameter and variable of the checker's own. */
  readonly #ownParameters = new Map<string, InstId>();

  constructor(of: ModuleCode, fn: IrFunction) {
    this.#of = of;
    this.fn = fn;
    const builder = builderOf(fn, of.roots);
    this.builder = builder;
    eachInstruction(fn.body, (inst) => this.#defined.set(inst.id, inst));
    for (const { id, type, root } of fn.params) {
      if (type.kind !== "pointer" || root === null) continue;
      for (const own of of.beside(root)) {
        const { space, type: whole } = of.roots[own];
        const store = mirrored(type.store, cellOf(of.roots[root].type, whole));
        const parameter = builder.param("$cell", pointerType(space, store, "read_write"), own, null);
        this.#ownParameters.set(`${id} ${own}`, parameter);
      }
    }
    this.lane = builder.param("$lane", U32, null, this.isEntryPoint ? "local_invocation_index" : null);
    this.workgroup = builder.param("$workgroup", U32, null, this.isEntryPoint ? "workgroup_index" : null);
  }

  get isEntryPoint(): boolean {
    return this.fn.id === this.#of.module.entryPoint;
  }

  /** The function with another body. */
  finish(body: Block): IrFunction {
    const { params, locals, instructionCount } = this.builder;
    return { ...this.fn, params, locals, body, instructionCount };
  }

  /** The instruction of the program; undefined: it is a parameter. */
  defined(id: InstId): Instruction | undefined {
    return this.#defined.get(id);
  }

  /** The arguments of a call with those for the parameters that functions get here. */
  arguments(em: Emitter, inst: Extract<Instruction, { kind: "call" }>, workgroup: InstId): InstId[] {
    const callee = this.#of.module.functions[inst.function];
    const cells = callee.params.flatMap(({ type, root }, i) =>
      type.kind !== "pointer" || root === null
        ? []
        : this.#of.beside(root).map((own) => this.beside(em, inst.args[i], own).pointer),
    );
    return [...inst.args, ...cells, this.lane, workgroup];
  }

  /** The same steps from a variable of the shape of the pointer's variable. */
  beside(em: Emitter, pointer: InstId, root: RootId): Beside {
    const { store } = this.builder.typeOf(pointer) as PointerType;
    const own = this.#ownParameters.get(`${pointer} ${root}`);
    if (own !== undefined) return { pointer: own, type: store };
    const inst = this.#defined.get(pointer);
    if (inst?.kind !== "access") return { pointer: em.variable(root), type: store };
    const outer = this.beside(em, inst.pointer, root);
    if (outer.type.kind === "vector") return outer;
    return { pointer: em.access(outer.pointer, inst.index), type: store };
  }

  /** Whether it is known at run time only where in its variable a pointer points. */
  isIndexed(pointer: InstId): boolean {
    const inst = this.#defined.get(pointer);
    return inst?.kind === "access" && (typeof inst.index !== "number" || this.isIndexed(inst.pointer));
  }

  /** Emits what is for a pointer in bounds alone: asked once, it need not be asked at each word of a cell. */
  inBounds(em: Emitter, pointer: InstId, emit: () => void): void {
    const inst = this.#defined.get(pointer);
    if (inst?.kind !== "access") {
      emit();
      return;
    }
    this.inBounds(em, inst.pointer, () => {
      const bound = this.bound(em, inst);
      if (bound === null) emit();
      else em.if(em.binary("<", bound.index, bound.length), emit, () => {});
    });
  }

  /** What the index of a step has to be less than; null: it is in bounds. */
  bound(em: Emitter, { pointer, index }: Extract<Instruction, { kind: "access" }>) {
    const type = this.builder.typeOf(pointer);
    if (type.kind !== "pointer" || type.store.kind === "struct") return null;
    const isRuntimeSized = type.store.kind === "array" && type.store.count === null;
    const length = isRuntimeSized ? null : partCount(type.store);
    if (typeof index === "number" && length !== null) return null;
    const at = typeof index === "number" ? em.number(index, U32) : em.bitcast(index.dynamic, U32);
    return { index: at, length: length === null ? em.arrayLength(pointer) : em.number(length, U32) };
  }
}
