/**
 * What every pointer of a function points to, worked out beforehand: the variable, the fixed part of the offset, and for
 * each index that is not known its stride and what it must be less than. So a pointer is nothing that exists at run time.
 */
import { partType } from "../../ir/builder.ts";
import type { RootId } from "../../ir/ir.ts";
import { layoutOf } from "../../layout/layout.ts";
import type { Type } from "../../types/type.ts";
import { scalarsBefore } from "../flatten-values.ts";
import { isLarge } from "./scalars.ts";
import { type Code, eachOperation, type Operation, type ValueId, type VariableId } from "./tree.ts";

export type Base =
  | { readonly kind: "variable"; readonly variable: VariableId }
  | { readonly kind: "root"; readonly root: RootId }
  /** Address and validity come as parameters of a function. `root` where it points into shared memory. */
  | { readonly kind: "parameter"; readonly parameter: ValueId; readonly root: RootId | null };

export interface Term {
  readonly index: ValueId;
  readonly stride: number;
}

/** `index` must be less than `count`; null: than the element count of the root's runtime-sized array. */
export interface Check {
  readonly index: ValueId | { readonly known: number };
  readonly count: number | null;
}

export interface Pointer {
  readonly base: Base;
  /** What it points to. */
  readonly type: Type;
  /** In bytes. */
  readonly offset: number;
  /** Place among the variable's scalars; means nothing where there are terms. */
  readonly firstScalar: number;
  readonly terms: readonly Term[];
  readonly checks: readonly Check[];
}

export type Pointers = readonly (Pointer | undefined)[];

/** By value id. */
export function resolvePointers(code: Code, parameterRoots: readonly (RootId | null)[] = []): Pointers {
  const pointers = new Array<Pointer | undefined>(code.types.length).fill(undefined);
  const whole = (base: Base, type: Type): Pointer => ({
    base,
    type,
    offset: 0,
    firstScalar: 0,
    terms: [],
    checks: [],
  });
  for (const [index, { id, type }] of code.parameters.entries()) {
    if (type.kind !== "pointer") continue;
    pointers[id] = whole({ kind: "parameter", parameter: id, root: parameterRoots[index] ?? null }, type.store);
  }
  eachOperation(code.nodes, (operation) => {
    switch (operation.kind) {
      case "variable":
        if (operation.type.kind !== "pointer") return;
        pointers[operation.id] = whole({ kind: "root", root: operation.root }, operation.type.store);
        break;
      case "local": {
        const { type } = code.variables[operation.local];
        pointers[operation.id] = whole({ kind: "variable", variable: operation.local }, type);
        break;
      }
      case "access":
        pointers[operation.id] = accessed(pointers[operation.pointer]!, operation.index);
        break;
    }
  });
  return pointers;
}

function accessed(pointer: Pointer, index: Extract<Operation, { kind: "access" }>["index"]): Pointer {
  const { type } = pointer;
  const layout = layoutOf(type);
  const stride = layout.stride ?? layout.element?.size ?? 0;
  if (typeof index !== "number") {
    return {
      ...pointer,
      type: partType(type, 0),
      terms: [...pointer.terms, { index: index.dynamic, stride }],
      checks: [...pointer.checks, { index: index.dynamic, count: layout.count }],
    };
  }
  const offset = type.kind === "struct" ? layout.members[index].offset : index * stride;
  const isRuntimeSized = type.kind === "array" && type.count === null;
  return {
    ...pointer,
    type: partType(type, index),
    offset: pointer.offset + offset,
    firstScalar: isRuntimeSized ? 0 : pointer.firstScalar + scalarsBefore(type, index),
    checks: isRuntimeSized ? [...pointer.checks, { index: { known: index }, count: null }] : pointer.checks,
  };
}

/** The variables that cannot be locals: indexed dynamically, passed on by address, or large. */
export function memoryVariables(code: Code, pointers: Pointers): ReadonlySet<VariableId> {
  const found = new Set<VariableId>();
  for (const { id, type } of code.variables) if (isLarge(type)) found.add(id);
  const add = (pointer: Pointer | undefined): void => {
    if (pointer?.base.kind === "variable") found.add(pointer.base.variable);
  };
  for (const pointer of pointers) if (pointer !== undefined && pointer.terms.length > 0) add(pointer);
  eachOperation(code.nodes, (operation) => {
    if (operation.kind === "call") for (const arg of operation.args) add(pointers[arg]);
  });
  return found;
}

/** The value ids that a pointer needs when it is used. */
export function indicesOf(pointer: Pointer): readonly ValueId[] {
  return pointer.terms.map(({ index }) => index);
}
