/**
 * What a phase costs for four invocations one by one and at once, in about the time of an addition: four at once win where
 * they compute, and lose where they go to places in memory that do not lie side by side.
 */
import { scalarCount } from "../flatten-values.ts";
import { componentKind } from "./scalars.ts";
import type { SimdInput } from "./simd.ts";
import type { Steps } from "./simd-steps.ts";
import type { Variation } from "./simd-variation.ts";
import { type IfNode, isControl, type LoopNode, type Node, type Operation, type ValueId } from "./tree.ts";

interface Cost {
  /** For four, one after the other. */
  apart: number;
  together: number;
}

/** To put four values into lanes, or take them out. */
const MOVE = 6;
/** To take two operands out and put a result in, as measured with shifts: each of these waits for another. */
const MOVES = 40;
/** How many times a loop is taken to go round. */
const ROUNDS = 8;
const DIVISION = 8;
/** What four at once must win at least, as a part of what they cost one by one. */
const LEAST_GAIN = 0.15;

/** Elementary functions that stand in place: operations of f64, of which two are done at once. */
const IN_PLACE: Readonly<Record<string, number>> = {
  cos: 20,
  exp: 22,
  exp2: 22,
  log: 30,
  log2: 30,
  pow: 50,
  sin: 20,
  tan: 40,
  degrees: 3,
  fma: 4,
  fract: 4,
  inverseSqrt: 16,
  mix: 6,
  modf_fract: 4,
  radians: 3,
  smoothstep: 14,
};
/** Instructions of f32. */
const SIMPLE: ReadonlySet<string> = new Set([
  "abs",
  "ceil",
  "clamp",
  "floor",
  "max",
  "min",
  "round",
  "saturate",
  "sign",
  "sqrt",
  "step",
  "trunc",
]);
const CALL = 40;

/** Whether the phase gains when four go through it at once. */
export function gains(nodes: readonly Node[], variation: Variation, input: SimdInput, steps: Steps): boolean {
  const { apart, together } = new Estimate(variation, input, steps).of(nodes);
  return together <= apart * (1 - LEAST_GAIN);
}

class Estimate {
  readonly #variation: Variation;
  readonly #input: SimdInput;
  readonly #steps: Steps;

  constructor(variation: Variation, input: SimdInput, steps: Steps) {
    this.#variation = variation;
    this.#input = input;
    this.#steps = steps;
  }

  of(nodes: readonly Node[]): Cost {
    const sum: Cost = { apart: 0, together: 0 };
    const add: Add = ({ apart, together }, times) => {
      sum.apart += apart * times;
      sum.together += together * times;
    };
    for (const node of nodes) {
      if (!isControl(node)) add(this.#operation(node), 1);
      else if (node.kind === "loop") this.#loop(node, add);
      else if (node.kind === "if") this.#if(node, add);
      else if (node.kind === "block") add(this.of(node.body), 1);
      else if (node.kind === "switch") {
        for (const { body } of node.clauses) add(this.of(body), 1 / node.clauses.length);
      }
    }
    return sum;
  }

  #loop(node: LoopNode, add: Add): void {
    const { apart, together } = this.of([...node.body, ...node.continuing]);
    add({ apart, together }, ROUNDS);
    // The last one to leave decides how long it takes.
    if (this.#variation.leftBySome.has(node)) add({ apart: 8, together: 4 + 0.4 * together }, ROUNDS);
    else add({ apart: 8, together: 2 }, ROUNDS);
  }

  #if({ condition, whenTrue, whenFalse }: IfNode, add: Add): void {
    const isOneSided = whenTrue.length === 0 || whenFalse.length === 0;
    for (const nodes of [whenTrue, whenFalse]) {
      const { apart, together } = this.of(nodes);
      const share = apart * (isOneSided ? 0.8 : 0.5);
      // Both ways have to be gone, if only some go each.
      if (this.#variation.values.has(condition)) add({ apart: share, together }, 1);
      else add({ apart: share, together: together * (isOneSided ? 0.8 : 0.5) }, 1);
    }
    add({ apart: 4, together: this.#variation.values.has(condition) ? 4 : 1 }, 1);
  }

  #operation(operation: Operation): Cost {
    const { id } = operation;
    if (this.#input.uniformity.values.has(id)) return { apart: 0, together: 0 };
    if (operation.kind === "load" || operation.kind === "store") return this.#access(operation);
    const each = this.#price(operation);
    if (!this.#variation.values.has(id)) return { apart: 4 * each.apart, together: each.apart };
    return { apart: 4 * each.apart, together: each.together };
  }

  /** For one, and for four at once. */
  #price(operation: Operation): Cost {
    const { type } = operation;
    const count = type.kind === "void" || type.kind === "pointer" ? 0 : scalarCount(type);
    const times = (apart: number, together: number): Cost => ({ apart: apart * count, together: together * count });
    switch (operation.kind) {
      case "unary":
      case "select":
      case "convert":
        return times(1, 1);
      case "binary":
        return this.#binary(operation, times);
      case "builtin":
        return this.#builtin(operation, times);
      case "extract-dynamic":
        return times(4, 4);
      case "atomic":
        return times(1, 2);
      default:
        return times(0, 0);
    }
  }

  #binary({ operator, right, type }: Extract<Operation, { kind: "binary" }>, times: Times): Cost {
    const isFloat = componentKind(type) === "f32";
    if (operator === "%" && isFloat) return times(8, 16);
    if (isFloat) return times(1, 1);
    const operation = this.#input.operations.get(right);
    const isNumber = operation?.kind === "const";
    switch (operator) {
      case "/":
      case "%": {
        const value = isNumber ? Number(operation.value.value) : Number.NaN;
        if (type.kind === "u32" && Math.log2(value) % 1 === 0) return times(1, 1);
        return isNumber ? times(4, 16 + MOVE) : times(DIVISION, 4 * DIVISION + MOVES);
      }
      case "<<":
      case ">>":
        return isNumber || !this.#variation.values.has(right) ? times(1, 1) : times(1, 4 + MOVES);
      default:
        return times(1, 1);
    }
  }

  #builtin({ name, args }: Extract<Operation, { kind: "builtin" }>, times: Times): Cost {
    const isFloat = componentKind(this.#input.types[args[0]]) === "f32";
    if (SIMPLE.has(name)) return times(2, 2);
    const price = IN_PLACE[name];
    if (isFloat && price !== undefined) return times(price, 2 * price);
    return isFloat ? times(CALL, 4 * CALL + MOVE) : times(4, 16 + MOVE);
  }

  #access(operation: Extract<Operation, { kind: "load" | "store" }>): Cost {
    const { pointers, operations, uniformity } = this.#input;
    const { base, terms } = pointers[operation.pointer]!;
    if (base.kind === "variable" && !this.#input.constants.has(base.variable)) return { apart: 0, together: 0 };
    const type = operation.kind === "load" ? operation.type : operations.get(operation.value)?.type;
    const count = type === undefined ? 1 : scalarCount(type);
    const varying = terms.filter(({ index }) => this.#variation.values.has(index));
    if (varying.length === 0 && operation.kind === "load") return { apart: 4 * count, together: count };
    const isUniform = (id: ValueId): boolean => uniformity.values.has(id) || !this.#variation.values.has(id);
    const steps = terms.map(({ index, stride }) =>
      isUniform(index) ? 0 : stride * (this.#steps.stepOf(index) ?? NaN),
    );
    const step = steps.reduce((sum, each) => sum + each, 0);
    if (step === 4) return { apart: 4 * count, together: count };
    return { apart: 4 * count, together: (Number.isNaN(step) ? 4 + MOVE : 4 + MOVE / 2) * count };
  }
}

type Add = (cost: Cost, times: number) => void;
type Times = (apart: number, together: number) => Cost;
