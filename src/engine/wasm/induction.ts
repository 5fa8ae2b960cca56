/**
 * Counters of loops: a variable that one instruction changes by a constant, once a round, behind a condition on it.
 * From this its range in the loop follows (`i32` counters are not negative), and how many rounds there can be.
 */
import type { EmitterInput } from "./emitter.ts";
import {
  eachNode,
  eachOperation,
  type IfNode,
  isControl,
  type LoopNode,
  type Node,
  type Operation,
  type ValueId,
  type VariableId,
} from "./tree.ts";

export interface Range {
  readonly low: number;
  readonly high: number;
}

export interface Induction {
  /** Of variables at the start of a round. */
  readonly ranges: ReadonlyMap<VariableId, readonly [number, number]>;
  /** At most; null if that is not known. */
  readonly rounds: number | null;
  /** Just so many, unless something else leaves the loop. */
  readonly exact: number | null;
}

type Store = Extract<Operation, { kind: "store" }>;
type Comparison = "<" | "<=" | ">" | ">=" | "==" | "!=";

/** What holds when a round goes on: `variable comparison bound`. */
interface Guard {
  readonly variable: VariableId;
  readonly comparison: Comparison;
  readonly bound: ValueId;
}

const INVERSE: Readonly<Record<Comparison, Comparison>> = {
  "<": ">=",
  ">=": "<",
  ">": "<=",
  "<=": ">",
  "==": "!=",
  "!=": "==",
};
const MIRRORED: Readonly<Record<Comparison, Comparison>> = {
  "<": ">",
  ">": "<",
  ">=": "<=",
  "<=": ">=",
  "==": "==",
  "!=": "!=",
};

const LARGEST_STEP = 65536;

/** `before`: range of a variable in front of the loop; `known`: of a value that exists there. */
export function inductionOf(
  loop: LoopNode,
  input: EmitterInput,
  before: (id: VariableId) => Range | null,
  known: (id: ValueId) => Range | null,
): Induction {
  const ranges = new Map<VariableId, readonly [number, number]>();
  let rounds: number | null = null;
  let exact: number | null = null;
  const guard = guardOf(loop, input);
  const inside = new Set<ValueId>();
  eachOperation([loop], ({ id }) => inside.add(id));
  for (const [variable, store] of onlyStores(loop, input)) {
    const type = input.variables[variable].type.kind;
    const step = stepOf(store, variable, input);
    const initial = before(variable);
    if (step === null || initial === null || (type !== "i32" && type !== "u32")) continue;
    const isSigned = type === "i32";
    const own = guard?.variable === variable ? guard : null;
    const bound = own === null ? null : boundOf(own.bound, input, inside, known);
    const found = counterRange(step, isSigned, initial, own?.comparison ?? null, bound);
    if (found !== null) ranges.set(variable, [found.low, found.high]);
    if (!loop.continuing.includes(store) && hasContinue(loop)) continue;
    const most = found?.rounds ?? null;
    if (most !== null) rounds = Math.min(rounds ?? most, most);
    if (own === null) continue;
    exact = countRounds(step, own.comparison, isSigned, initial, bound!);
    if (exact !== null) rounds = Math.min(rounds ?? exact, exact);
  }
  return { ranges, rounds, exact };
}

function boundOf(
  id: ValueId,
  input: EmitterInput,
  inside: ReadonlySet<ValueId>,
  known: (id: ValueId) => Range | null,
): Range {
  const operation = input.operations.get(id);
  if (operation?.kind === "const") {
    const value = Number(operation.value.value) >>> 0;
    return { low: value, high: value };
  }
  return (inside.has(id) ? null : known(id)) ?? { low: 0, high: 0xffffffff };
}

interface Step {
  readonly operator: "+" | "-" | "*" | "/" | ">>" | "<<";
  readonly amount: number;
}

/** How a store changes its variable: by an operator with a constant. */
function stepOf(store: Store, variable: VariableId, input: EmitterInput): Step | null {
  const value = input.operations.get(store.value);
  if (value?.kind !== "binary") return null;
  const right = input.operations.get(value.right);
  if (right?.kind !== "const" || variableOf(value.left, input) !== variable) return null;
  const amount = Number(right.value.value);
  if (!(amount >= 1 && amount <= LARGEST_STEP)) return null;
  switch (value.operator) {
    case "+":
    case "-":
    case "*":
    case "/":
    case ">>":
    case "<<":
      return { operator: value.operator, amount };
    default:
      return null;
  }
}

function counterRange(
  { operator, amount }: Step,
  isSigned: boolean,
  initial: Range,
  comparison: Comparison | null,
  bound: Range | null,
): (Range & { readonly rounds: number | null }) | null {
  const most = isSigned ? 0x7fffffff : 0xffffffff;
  if (initial.high > most) return null;
  const { low, high } = initial;
  switch (operator) {
    case "/":
    case ">>": {
      const halves = operator === "/" ? amount >= 2 : true;
      const ends = comparison === ">" || comparison === "!=" || (comparison === ">=" && bound!.low >= 1);
      return { low: 0, high, rounds: halves && ends ? 34 : null };
    }
    case "-": {
      if (bound === null || bound.high > most) return null;
      const least = comparison === ">" ? bound.low + 1 : comparison === ">=" ? bound.low : 0;
      if (least < amount) return null;
      return { low: 0, high, rounds: Math.ceil(high / amount) + 1 };
    }
    default: {
      if (bound === null || (comparison !== "<" && comparison !== "<=")) return null;
      // Below the bound, which as an i32 is not negative then.
      const last = Math.min(bound.high, most) - (comparison === "<" ? 1 : 0);
      const grown = operator === "+" ? last + amount : last * (operator === "*" ? amount : 2 ** amount);
      // One more than something less than a bound cannot overflow, whatever the bound.
      if (grown > most || (operator === "<<" && amount > 31)) return null;
      return { low, high: Math.max(high, grown), rounds: risingRounds(operator, amount, low, last) };
    }
  }
}

/** Longer loops are not followed. */
const MOST_COUNTED = 64;

/** How often the condition holds, where the counter starts at a known number and is compared with one. */
function countRounds(
  { operator, amount }: Step,
  comparison: Comparison,
  isSigned: boolean,
  initial: Range,
  bound: Range,
): number | null {
  if (initial.low !== initial.high || bound.low !== bound.high) return null;
  const integer = (value: number): number => (isSigned ? value | 0 : value >>> 0);
  const end = integer(bound.low);
  let value = integer(initial.low);
  for (let count = 0; count <= MOST_COUNTED; count++) {
    if (!holds(value, comparison, end)) return count;
    value = integer(stepped(value, operator, amount));
  }
  return null;
}

function holds(value: number, comparison: Comparison, bound: number): boolean {
  switch (comparison) {
    case "<":
      return value < bound;
    case "<=":
      return value <= bound;
    case ">":
      return value > bound;
    case ">=":
      return value >= bound;
    case "==":
      return value === bound;
    case "!=":
      return value !== bound;
  }
}

/** Before it is cut to 32 bits. */
function stepped(value: number, operator: Step["operator"], amount: number): number {
  switch (operator) {
    case "+":
      return value + amount;
    case "-":
      return value - amount;
    case "*":
      return Math.imul(value, amount);
    case "/":
      return Math.trunc(value / amount);
    case ">>":
      return value < 0 ? value >> amount : value >>> amount;
    case "<<":
      return value << amount;
  }
}

function risingRounds(operator: string, amount: number, low: number, last: number): number | null {
  if (operator === "+") return Math.max(0, Math.ceil((last - low + 1) / amount)) + 1;
  return low >= 1 && (operator === "<<" || amount >= 2) ? 34 : null;
}

/** The variables that a single store in the loop changes, as a whole, directly in its body or continuing block. */
function onlyStores(loop: LoopNode, input: EmitterInput): Map<VariableId, Store> {
  const counts = new Map<VariableId, number>();
  eachNode([loop], (node) => {
    if (node.kind !== "store") return;
    const { base } = input.pointers[node.pointer]!;
    if (base.kind === "variable") counts.set(base.variable, (counts.get(base.variable) ?? 0) + 1);
  });
  const found = new Map<VariableId, Store>();
  for (const node of [...loop.body, ...loop.continuing]) {
    if (node.kind !== "store") continue;
    const { base, type } = input.pointers[node.pointer]!;
    if (base.kind !== "variable" || counts.get(base.variable) !== 1) continue;
    if (type === input.variables[base.variable].type) found.set(base.variable, node);
  }
  return found;
}

/** The condition that is checked first in every round, on a variable that the round has not changed before. */
function guardOf(loop: LoopNode, input: EmitterInput): Guard | null {
  const index = loop.body.findIndex((node) => isControl(node));
  const first = loop.body[index];
  if (first?.kind !== "if") return null;
  const truth = goesOnWhen(first, loop);
  const condition = input.operations.get(first.condition);
  if (truth === null || condition?.kind !== "binary" || !(condition.operator in INVERSE)) return null;
  const operator = condition.operator as Comparison;
  const held = truth ? operator : INVERSE[operator];
  const left = variableOf(condition.left, input);
  const guard: Guard | null =
    left !== null
      ? { variable: left, comparison: held, bound: condition.right }
      : rightGuard(variableOf(condition.right, input), MIRRORED[held], condition.left);
  if (guard === null) return null;
  const changedBefore = loop.body.slice(0, index).some((node) => storesTo(node, guard.variable, input));
  return changedBefore ? null : guard;
}

function rightGuard(variable: VariableId | null, comparison: Comparison, bound: ValueId): Guard | null {
  return variable === null ? null : { variable, comparison, bound };
}

/** With which value of the condition the loop is not left at once; null if neither leaves it. */
function goesOnWhen(node: IfNode, loop: LoopNode): boolean | null {
  const leaves = (nodes: readonly Node[]): boolean => nodes[0]?.kind === "jump" && nodes[0].label === loop.label;
  if (node.whenTrue.length === 0 && leaves(node.whenFalse)) return true;
  return node.whenFalse.length === 0 && leaves(node.whenTrue) ? false : null;
}

/** The variable that a value was loaded from. */
function variableOf(id: ValueId, input: EmitterInput): VariableId | null {
  const operation = input.operations.get(id);
  if (operation?.kind !== "load") return null;
  const { base, terms, type } = input.pointers[operation.pointer]!;
  if (base.kind !== "variable" || terms.length > 0) return null;
  return type === input.variables[base.variable].type ? base.variable : null;
}

function storesTo(node: Node, variable: VariableId, input: EmitterInput): boolean {
  if (node.kind !== "store") return false;
  const { base } = input.pointers[node.pointer]!;
  return base.kind === "variable" && base.variable === variable;
}

function hasContinue(loop: LoopNode): boolean {
  let found = false;
  eachNode(loop.body, (node) => {
    if (node.kind === "jump" && node.label === loop.continueLabel) found = true;
  });
  return found;
}
