/**
 * Which phases four invocations can go through at once, and which of them gain by it.
 *
 * Invocations run one after another, so what one of them stores the next one sees. Four at once may take no other way
 * through memory: what a phase stores to is written by one store alone, or each invocation has a part of it to itself.
 * And all four must take the same way through the code.
 */
import type { IrModule, RootId } from "../../ir/ir.ts";
import type { Type } from "../../types/type.ts";
import type { ConstValue } from "../../types/value.ts";
import { scalarCount } from "../flatten-values.ts";
import { dependencies } from "./dependencies.ts";
import type { Phase } from "./phases.ts";
import type { Pointer, Pointers } from "./pointers.ts";
import { isLarge, scalarPlaces } from "./scalars.ts";
import { costOf } from "./simd-cost.ts";
import { Steps } from "./simd-steps.ts";
import {
  conditionOf,
  eachNode,
  eachOperation,
  isControl,
  listsOf,
  type Node,
  type Operation,
  type Parameter,
  type ValueId,
  type Variable,
  type VariableId,
} from "./tree.ts";
import type { Uniformity } from "./uniformity.ts";

/** Left out: where it pays. */
export type Simd = "never" | "always" | "where it pays";

export interface SimdInput {
  readonly module: IrModule;
  readonly operations: ReadonlyMap<ValueId, Operation>;
  readonly pointers: Pointers;
  readonly kernelParameters: readonly Parameter[];
  readonly uniformity: Uniformity;
  readonly variables: readonly Variable[];
  readonly memoryVariables: ReadonlySet<VariableId>;
  readonly constants: ReadonlyMap<VariableId, ConstValue>;
  readonly types: readonly Type[];
  /** Memory of one variable may be that of another one. */
  readonly aliases: boolean;
  readonly simd: Simd;
}

/** How four invocations go through a phase at once. */
export interface AtOnce {
  /** Variables whose values may differ between them. */
  readonly varying: ReadonlySet<VariableId>;
}

/** null: one by one. */
export function atOnce(phase: Phase, input: SimdInput): AtOnce | null {
  if (input.simd === "never" || phase.captured.size > 0 || !isKnown(phase, input)) return null;
  const variation = new Variation(phase, input);
  if (variation.divides || interferes(phase, input)) return null;
  const pays = (): boolean => costOf(phase.nodes, variation, input).gains;
  return input.simd === "always" || pays() ? { varying: variation.variables } : null;
}

/** Whether all that the phase does can be done for four at once. */
function isKnown(phase: Phase, input: SimdInput): boolean {
  const { operations, memoryVariables, constants } = input;
  for (const id of [...phase.fetched, ...phase.kept]) {
    if (memoryVariables.has(id) || holdsHalves(input.variables[id].type)) return false;
  }
  let known = [...phase.fetchedValues].every((id) => isPlain(input.types[id]));
  const check = (operation: Operation): void => {
    known &&= isKnownOperation(operation, input);
    if (operation.kind !== "load" && operation.kind !== "store") return;
    const { base } = input.pointers[operation.pointer]!;
    if (base.kind === "parameter") known = false;
    if (base.kind === "variable" && memoryVariables.has(base.variable)) known &&= constants.has(base.variable);
  };
  for (const id of phase.recomputed) check(operations.get(id)!);
  eachOperation(phase.nodes, check);
  return known;
}

function isKnownOperation(operation: Operation, { operations, types }: SimdInput): boolean {
  switch (operation.kind) {
    case "atomic":
    case "call":
    case "subgroup":
    case "barrier":
    case "uniform-load":
      return false;
    case "store":
      return isPlain(types[operation.value]);
    case "variable":
    case "local":
    case "access":
    case "array-length":
      return true;
    case "const":
      return true;
    case "extract-dynamic": {
      // Longer ones are put into memory first, which has room for one.
      const isFew = scalarCount(types[operation.operand]) <= 4;
      return isPlain(operation.type) && (isFew || operations.get(operation.operand)?.kind === "const");
    }
    case "convert":
    case "bitcast":
      return isPlain(operation.type) && isPlain(types[operation.operand]);
    default:
      return isPlain(operation.type);
  }
}

function isPlain(type: Type): boolean {
  return type.kind === "void" || (type.kind !== "pointer" && !isLarge(type) && !holdsHalves(type));
}

function holdsHalves(type: Type): boolean {
  return !isLarge(type) && scalarPlaces(type).some(({ kind }) => kind === "f16");
}

// ------------------------------------------------------------------ what differs

const LOCAL_BUILTINS: ReadonlySet<string> = new Set([
  "local_invocation_index",
  "local_invocation_id",
  "global_invocation_id",
  "global_invocation_index",
]);

/** Which values and variables may differ between four neighbours. */
export class Variation {
  readonly values = new Set<ValueId>();
  readonly variables = new Set<VariableId>();
  /** Whether the four may want to take different ways. */
  divides = false;
  readonly #input: SimdInput;
  /** Parameters that differ in their first component only: neighbours lie along x. */
  readonly #positions = new Set<ValueId>();
  #changed = false;

  constructor(phase: Phase, input: SimdInput) {
    this.#input = input;
    for (const { id, builtin } of input.kernelParameters) {
      if (builtin === null || !LOCAL_BUILTINS.has(builtin)) continue;
      this.values.add(id);
      if (builtin === "local_invocation_id" || builtin === "global_invocation_id") this.#positions.add(id);
    }
    for (const id of phase.fetchedValues) this.values.add(id);
    for (const id of [...phase.fetched, ...phase.kept]) this.variables.add(id);
    do {
      this.#changed = false;
      for (const id of phase.recomputed) this.#operation(input.operations.get(id)!);
      eachNode(phase.nodes, (node) => this.#node(node));
    } while (this.#changed);
  }

  #node(node: Node): void {
    if (!isControl(node)) this.#operation(node);
    else {
      const condition = conditionOf(node);
      if (condition !== null && this.values.has(condition)) this.divides = true;
    }
  }

  #operation(operation: Operation): void {
    const { pointers, uniformity } = this.#input;
    const { id } = operation;
    if (uniformity.values.has(id)) return;
    if (operation.kind === "store") {
      const { base } = pointers[operation.pointer]!;
      if (base.kind === "variable" && this.#differs(operation)) this.#add(this.variables, base.variable);
    } else if (this.#differs(operation)) this.#add(this.values, id);
  }

  #differs(operation: Operation): boolean {
    const { pointers } = this.#input;
    if (operation.kind === "extract" && operation.index > 0 && this.#positions.has(operation.operand)) return false;
    if (operation.kind === "load") {
      const { base } = pointers[operation.pointer]!;
      if (base.kind === "variable" && this.variables.has(base.variable)) return true;
    }
    return dependencies(operation, pointers).some((id) => this.values.has(id));
  }

  #add<T>(to: Set<T>, item: T): void {
    if (to.has(item)) return;
    to.add(item);
    this.#changed = true;
  }
}

// ------------------------------------------------------------------ memory

interface Access {
  readonly pointer: Pointer;
  readonly isStore: boolean;
  readonly inLoop: boolean;
}

/** Whether one of four might see what another one stores, or store what another one stores too, in an order that shows. */
function interferes(phase: Phase, input: SimdInput): boolean {
  const accesses = new Map<RootId, Access[]>();
  const visit = (nodes: readonly Node[], inLoop: boolean): void => {
    for (const node of nodes) {
      if (isControl(node)) {
        for (const list of listsOf(node)) visit(list, inLoop || node.kind === "loop");
        continue;
      }
      if (node.kind !== "load" && node.kind !== "store") continue;
      const pointer = input.pointers[node.pointer]!;
      if (pointer.base.kind !== "root") continue;
      const { root } = pointer.base;
      accesses.set(root, [...(accesses.get(root) ?? []), { pointer, isStore: node.kind === "store", inLoop }]);
    }
  };
  visit(phase.nodes, false);
  const steps = new Steps(input);
  const stored = [...accesses].filter(([, list]) => list.some(({ isStore }) => isStore));
  if (input.aliases && stored.some(([root]) => !isWorkgroup(root, input))) {
    const storage = [...accesses.keys()].filter((root) => !isWorkgroup(root, input));
    if (storage.length > 1) return true;
  }
  return stored.some(([, list]) => {
    if (list.length === 1 && !list[0].inLoop) return false;
    const own = list.map(({ pointer }) => steps.ownPart(pointer));
    return own[0] === null || own.some((part) => part !== own[0]);
  });
}

function isWorkgroup(root: RootId, { module }: SimdInput): boolean {
  return module.roots[root].space === "workgroup";
}
