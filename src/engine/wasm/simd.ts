/**
 * Which phases four invocations can go through at once, and which of them gain by it.
 *
 * Invocations run one after another, so what one of them stores the next one sees. Four at once may take no other way
 * through memory: what a phase stores to is written by one store alone, or each invocation has a part of it to itself.
 * Where they take different ways through the code, those that are elsewhere do nothing meanwhile.
 */
import type { IrModule, RootId } from "../../ir/ir.ts";
import type { Type } from "../../types/type.ts";
import type { ConstValue } from "../../types/value.ts";
import { scalarCount } from "../flatten-values.ts";
import type { Phase } from "./phases.ts";
import type { Pointer, Pointers } from "./pointers.ts";
import { isLarge, scalarPlaces } from "./scalars.ts";
import { gains } from "./simd-cost.ts";
import { Steps } from "./simd-steps.ts";
import { Variation } from "./simd-variation.ts";
import { tallyOf } from "./tallies.ts";
import {
  eachOperation,
  isControl,
  type LabelId,
  type LoopNode,
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
  readonly tallies: ReadonlySet<RootId>;
  readonly uses: ArrayLike<number>;
}

/** How four invocations go through a phase at once: see `Variation`. */
export interface AtOnce {
  readonly varying: ReadonlySet<VariableId>;
  readonly divides: boolean;
  readonly leftBySome: ReadonlySet<LoopNode>;
  readonly meetings: ReadonlySet<LabelId>;
}

/** null: one by one. */
export function atOnce(phase: Phase, input: SimdInput): AtOnce | null {
  if (input.simd === "never" || phase.captured.size > 0 || !isKnown(phase, input)) return null;
  const variation = new Variation(phase, input);
  if (variation.parts) return null;
  const steps = new Steps(phase.nodes, input);
  if (interferes(phase, input, steps)) return null;
  if (input.simd !== "always" && !gains(phase.nodes, variation, input, steps)) return null;
  const { variables, divides, leftBySome, meetings } = variation;
  return { varying: variables, divides, leftBySome, meetings };
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

function isKnownOperation(operation: Operation, input: SimdInput): boolean {
  const { operations, types } = input;
  switch (operation.kind) {
    case "atomic":
      return tallyOf(operation, input.tallies, input) !== null;
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

// ------------------------------------------------------------------ memory

interface Access {
  readonly pointer: Pointer;
  readonly isStore: boolean;
  readonly inLoop: boolean;
}

/** Whether one of four might see what another one stores, or store what another one stores too, in an order that shows. */
function interferes(phase: Phase, input: SimdInput, steps: Steps): boolean {
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
      const access = { pointer, isStore: node.kind === "store", inLoop };
      const known = accesses.get(root);
      if (known === undefined) accesses.set(root, [access]);
      else known.push(access);
    }
  };
  visit(phase.nodes, false);
  const stored = [...accesses].filter(([, list]) => list.some(({ isStore }) => isStore));
  if (input.aliases && stored.some(([root]) => !isWorkgroup(root, input))) {
    const storage = [...accesses.keys()].filter((root) => !isWorkgroup(root, input));
    if (storage.length > 1) return true;
  }
  return stored.some(([, list]) => {
    if (list.length === 1 && !list[0].inLoop) return false;
    const own = list.map(({ pointer }) => steps.ownPart(pointer));
    const [first] = own;
    const isApart = own.every((part) => part !== null && part.name === first?.name && part.step === first.step);
    if (first === null || !isApart) return true;
    const places = own.map((part) => part!.place);
    return Math.max(...places) - Math.min(...places) >= first.step;
  });
}

function isWorkgroup(root: RootId, { module }: SimdInput): boolean {
  return module.roots[root].space === "workgroup";
}
