/** What a function does with its variables: which ones an engine can keep in registers. */

import type { InstId, IrFunction, LocalId } from "./ir.ts";
import { eachInstruction } from "./walk.ts";

export interface LocalUse {
  /** Its address, or that of a part, is passed to another function. */
  readonly escapes: boolean;
  /** A part is read or written at an index that is not known. */
  readonly dynamic: boolean;
  /** A part is read or written by itself. */
  readonly partial: boolean;
}

/**
 * By local id. A variable that does not escape is touched only by the loads and stores of this function, so it needs no
 * address; one that is not accessed dynamically either is as many registers as it has scalars.
 */
export function localUses(made: IrFunction): readonly LocalUse[] {
  const uses = made.locals.map(() => ({ escapes: false, dynamic: false, partial: false }));
  const localOf = new Map<InstId, LocalId>();
  eachInstruction(made.body, (inst) => {
    if (inst.kind === "local") localOf.set(inst.id, inst.local);
    else if (inst.kind === "access") {
      const local = localOf.get(inst.pointer);
      if (local === undefined) return;
      localOf.set(inst.id, local);
      uses[local].partial = true;
      if (typeof inst.index !== "number") uses[local].dynamic = true;
    } else if (inst.kind === "call") {
      for (const arg of inst.args) {
        const local = localOf.get(arg);
        if (local !== undefined) uses[local].escapes = true;
      }
    }
  });
  return uses;
}
