/**
 * Which invocations of a phase do anything, and what may be taken for granted of all of them: `if (lane < stride) { … }`
 * needs no loop over the others, and where the last invocation of a workgroup is in bounds, all are.
 */
import type { Phase } from "./phases.ts";
import type { Pointers } from "./pointers.ts";
import {
  eachOperation,
  type IfNode,
  isControl,
  type Node,
  type Operation,
  type Parameter,
  type ValueId,
} from "./tree.ts";

export interface LanesInput {
  readonly operations: ReadonlyMap<ValueId, Operation>;
  readonly pointers: Pointers;
  readonly kernelParameters: readonly Parameter[];
  /** Values that exist in front of the phase. */
  readonly uniform: ReadonlySet<ValueId>;
  /** Values that later phases need. */
  readonly kept: ReadonlySet<ValueId>;
  /** The workgroup extends along x only. */
  readonly isLine: boolean;
}

/** Only invocations with a local index below `bound`, or the one with this index, do anything. */
export interface Lanes {
  readonly kind: "below" | "only";
  readonly bound: ValueId;
}

/** null: all of them may. */
export function lanesOf(phase: Phase, input: LanesInput): Lanes | null {
  if (phase.kept.size > 0 || phase.captured.size > 0) return null;
  const last = phase.nodes.at(-1);
  if (last?.kind !== "if" || last.whenFalse.length > 0) return null;
  if (!phase.nodes.slice(0, -1).every((node) => isPure(node, input))) return null;
  return conjuncts(last, input)
    .map((condition) => boundOf(condition, input))
    .reduce((best, each) => (best?.kind === "only" ? best : (each ?? best)), null);
}

/** Whether the phase does nothing that is noticed. */
export function isIdle(phase: Phase, input: LanesInput): boolean {
  return phase.kept.size === 0 && phase.captured.size === 0 && phase.nodes.every((node) => isPure(node, input));
}

/** Nobody misses it where it is left out. */
function isPure(node: Node, { kept }: LanesInput): boolean {
  if (isControl(node) || kept.has(node.id)) return false;
  return node.kind !== "store" && node.kind !== "atomic" && node.kind !== "call";
}

/** The parts of `a && b && c`, as far as they are one expression. */
function conjuncts({ condition }: IfNode, { operations }: LanesInput): ValueId[] {
  const found: ValueId[] = [];
  const visit = (id: ValueId): void => {
    const operation = operations.get(id);
    if (operation?.kind === "binary" && operation.operator === "&" && operation.type.kind === "bool") {
      visit(operation.left);
      visit(operation.right);
    } else found.push(id);
  };
  visit(condition);
  return found;
}

function boundOf(condition: ValueId, input: LanesInput): Lanes | null {
  const operation = input.operations.get(condition);
  if (operation?.kind !== "binary") return null;
  const { operator, left, right } = operation;
  const known = (id: ValueId): boolean => input.uniform.has(id) || input.operations.get(id)?.kind === "const";
  if (isLane(left, input) && known(right)) {
    if (operator === "<") return { kind: "below", bound: right };
    if (operator === "==") return { kind: "only", bound: right };
  }
  if (isLane(right, input) && known(left)) {
    if (operator === ">") return { kind: "below", bound: left };
    if (operator === "==") return { kind: "only", bound: left };
  }
  return null;
}

/** The local index, as a u32. */
function isLane(id: ValueId, { operations, kernelParameters, isLine }: LanesInput): boolean {
  const builtin = (value: ValueId): string | null =>
    kernelParameters.find((parameter) => parameter.id === value)?.builtin ?? null;
  if (builtin(id) === "local_invocation_index") return true;
  const operation = operations.get(id);
  if (operation?.kind !== "extract" || operation.index !== 0 || !isLine) return false;
  return builtin(operation.operand) === "local_invocation_id";
}

/** What something that counts up from invocation to invocation should be less than: lengths of arrays by their root, and values. */
export interface LaneBounds {
  /** What it starts from, a value that exists in front of the phase; null: it is `global_invocation_id.x`. */
  readonly base: ValueId | null;
  readonly lengths: ReadonlySet<number>;
  readonly values: ReadonlySet<ValueId>;
}

/** What has to hold in front of a phase so that its accesses are in bounds. */
export interface PhaseBounds {
  readonly lanes: readonly LaneBounds[];
  /** The largest index that is used, whatever the data, by root. */
  readonly largest: ReadonlyMap<number, number>;
}

/** Above this, a phase is not emitted twice. */
const LARGEST = 200;

/** Of the comparisons and accesses in a phase; null if there is nothing to check, or the phase is long. */
export function boundsOf(phase: Phase, input: LanesInput): PhaseBounds | null {
  const found = new Map<ValueId | null, { base: ValueId | null; lengths: Set<number>; values: Set<ValueId> }>();
  const largest = new Map<number, number>();
  let size = 0;
  const known = (id: ValueId): boolean => input.uniform.has(id) || input.operations.get(id)?.kind === "const";
  const boundsFrom = (id: ValueId) => {
    const base = isGlobalX(id, input) ? null : baseOf(id, input);
    if (base === undefined) return undefined;
    const bounds = found.get(base) ?? { base, lengths: new Set(), values: new Set() };
    found.set(base, bounds);
    return bounds;
  };
  const below = (id: ValueId, bound: ValueId): void => {
    if (known(bound)) boundsFrom(id)?.values.add(bound);
  };
  eachOperation(phase.nodes, (operation) => {
    size++;
    if (operation.kind === "load" || operation.kind === "store" || operation.kind === "atomic") {
      const { base, checks } = input.pointers[operation.pointer]!;
      if (base.kind !== "root") return;
      for (const { index, count } of checks) {
        if (count !== null || typeof index !== "number") continue;
        const most = largestOf(index, input);
        if (most < LARGEST_INDEX) largest.set(base.root, Math.max(most, largest.get(base.root) ?? 0));
        else boundsFrom(index)?.lengths.add(base.root);
      }
    }
    if (operation.kind !== "binary") return;
    const { operator, left, right } = operation;
    if (operator === "<" || operator === ">=") below(left, right);
    if (operator === ">" || operator === "<=") below(right, left);
  });
  const lanes = [...found.values()].filter(({ lengths, values }) => lengths.size + values.size > 0);
  return size > LARGEST || lanes.length + largest.size === 0 ? null : { lanes, largest };
}

const LARGEST_INDEX = 2 ** 30;

/** The largest number that a u32 can be, seen from its operations alone: `(y % 8u) * 8u + x % 8u` is at most 63. */
function largestOf(id: ValueId, input: LanesInput): number {
  const operation = input.operations.get(id);
  if (operation?.type.kind !== "u32") return Infinity;
  if (operation.kind === "const") return operation.value.value as number;
  if (operation.kind !== "binary") return Infinity;
  const [left, right] = [operation.left, operation.right].map((operand) => largestOf(operand, input));
  const constant = input.operations.get(operation.right)?.kind === "const";
  switch (operation.operator) {
    case "+":
      return left + right;
    case "*":
      return left * right;
    case "&":
      return Math.min(left, right);
    case "%":
      return constant && right > 0 ? Math.min(left, right - 1) : left;
    case "/":
      return constant && right > 0 ? Math.floor(left / right) : left;
    case ">>":
      return constant ? Math.floor(left / 2 ** (right % 32)) : left;
    default:
      return Infinity;
  }
}

function isGlobalX(id: ValueId, { operations, kernelParameters }: LanesInput): boolean {
  const operation = operations.get(id);
  if (operation?.kind !== "extract" || operation.index !== 0) return false;
  const parameter = kernelParameters.find((each) => each.id === operation.operand);
  return parameter?.builtin === "global_invocation_id";
}

/** Of a sum with the local index the other operand, if it exists in front of the phase. */
function baseOf(id: ValueId, input: LanesInput): ValueId | undefined {
  const operation = input.operations.get(id);
  if (operation?.kind !== "binary" || operation.operator !== "+" || operation.type.kind !== "u32") return undefined;
  const { left, right } = operation;
  if (isLane(right, input) && input.uniform.has(left)) return left;
  return isLane(left, input) && input.uniform.has(right) ? right : undefined;
}
