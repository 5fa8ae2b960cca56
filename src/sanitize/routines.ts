/**
 * Functions of the checker's own that a pass puts into a module: code that many places need is there once, so that a module
 * with thousands of accesses does not become one with thousands of copies, which compilers take long and much memory for.
 */
import { type Emitter, FunctionBuilder } from "../ir/builder.ts";
import type { Block, FunctionId, InstId, IrFunction, IrModule, Root } from "../ir/ir.ts";
import { mapBlock } from "../ir/walk.ts";
import { VOID } from "../types/type.ts";

/** Accesses of a module in which each has its own code: it is faster so, but takes compilers long where it is much. */
export const MOST_INLINE = 256;

/** Makes code from values. */
export type Emit = (em: Emitter, values: readonly InstId[]) => void;

export class Routines {
  readonly #roots: readonly Root[];
  /** Callees before callers. */
  readonly #made: IrFunction[] = [];
  /** Until they are finished they go by negative numbers, as they come before the functions of the module. */
  readonly #ids = new Map<string, FunctionId>();

  /** `roots` may still grow. */
  constructor(roots: readonly Root[]) {
    this.#roots = roots;
  }

  /**
   * A call of the routine of that name, which returns nothing: `emit` makes it when it is first called, from its
   * parameters. Of one name the arguments have the same types and roots.
   */
  call(em: Emitter, name: string, args: readonly InstId[], emit: Emit): void {
    let id = this.#ids.get(name);
    if (id === undefined) {
      id = -1 - this.#make(em, name, args, emit);
      this.#ids.set(name, id);
    }
    em.call(id, args, VOID);
  }

  #make({ builder: caller, span }: Emitter, name: string, args: readonly InstId[], emit: Emit): number {
    const builder = new FunctionBuilder(this.#roots);
    const params = args.map((arg, i) => builder.param(`$${i}`, caller.typeOf(arg), caller.rootOf(arg), null));
    const body = builder.block(() => emit(builder.at(span), params));
    // What it calls was made meanwhile.
    const id = this.#made.length;
    const { locals, instructionCount } = builder;
    this.#made.push({ id, name, params: builder.params, returnType: VOID, locals, body, instructionCount, span });
    return id;
  }

  /** The module with these functions instead of its own, and the routines that they call. */
  finish(module: IrModule, functions: readonly IrFunction[]): IrModule {
    const count = this.#made.length;
    const numbered = (fn: IrFunction, id: FunctionId) => ({ ...fn, id, body: renumbered(fn.body, count) });
    return {
      ...module,
      roots: this.#roots,
      functions: [...this.#made, ...functions].map(numbered),
      entryPoint: module.entryPoint + count,
    };
  }
}

/** The block with the functions that it calls numbered anew, as there are so many routines. */
function renumbered(block: Block, routines: number): Block {
  return mapBlock(block, (inst) => {
    if (inst.kind !== "call") return [inst];
    return [{ ...inst, function: inst.function < 0 ? -1 - inst.function : inst.function + routines }];
  });
}
