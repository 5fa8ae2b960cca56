/** Floating point computations of several steps, in the precision of one type. spec: #floating-point-accuracy */
import type { Phrase } from "../diagnostics/diagnostic.ts";
import type { ScalarType } from "../types/type.ts";
import { vectorType } from "../types/type.ts";
import {
  componentWise,
  composed,
  type FloatKind,
  failure,
  notFinite,
  numberOf,
  roundTo,
  scalarValue,
} from "./evaluate-parts.ts";
import type { Evaluate, EvaluationResult } from "./row.ts";

/** Floating point in the precision of one type: every step is rounded to it, and one that is not finite spoils all. */
export class FloatSteps {
  readonly type: ScalarType;
  #failure: Phrase | null = null;

  constructor(type: ScalarType) {
    this.type = type;
  }

  #step(x: number): number {
    const rounded = roundTo(this.type.kind as FloatKind, x);
    if (!Number.isFinite(rounded)) {
      this.#failure ??= notFinite(rounded, this.type.kind);
    }
    return rounded;
  }

  add = (a: number, b: number): number => this.#step(a + b);
  subtract = (a: number, b: number): number => this.#step(a - b);
  multiply = (a: number, b: number): number => this.#step(a * b);
  divide = (a: number, b: number): number => this.#step(a / b);
  sqrt = (a: number): number => this.#step(Math.sqrt(a));

  dot(a: readonly number[], b: readonly number[]): number {
    return a.map((x, index) => this.multiply(x, b[index])).reduce(this.add);
  }

  /** `result`, unless some step had none. */
  scalar(result: number): EvaluationResult {
    return this.#failure === null ? scalarValue(this.type, result) : failure(this.#failure);
  }

  vector(results: readonly number[]): EvaluationResult {
    const type = vectorType(results.length, this.type);
    return composed(
      type,
      results.map((result) => this.scalar(result)),
    );
  }
}

/** A function of each component in several rounded steps; a phrase is an error of its own. */
export function inSteps(compute: (steps: FloatSteps, ...args: number[]) => number | Phrase): Evaluate {
  return componentWise((args, type) => {
    const steps = new FloatSteps(type);
    const result = compute(steps, ...args.map(numberOf));
    return typeof result === "object" ? failure(result) : steps.scalar(result);
  });
}
