/**
 * Functions that every module may need, emitted when first called: the elementary functions of `numeric`, rounding to
 * f16, packing, bit fields. All are pure.
 */
import { type MathFunction, type MathFunctionName, mathFunctions } from "../../numeric/math-table.ts";
import type { FunctionType, ModuleBuilder } from "./encoder.ts";
import { ExprFunction, type Routine, type RoutineCaller } from "./expr-function.ts";
import type { Expr, Expressions } from "./expression.ts";
import { routines } from "./library-routines.ts";
import { emitMath } from "./math-emitter.ts";

export type RoutineName = keyof typeof routines;

export class Library implements RoutineCaller {
  readonly #builder: ModuleBuilder;
  readonly #indices = new Map<string, number>();

  constructor(builder: ModuleBuilder) {
    this.#builder = builder;
  }

  call(x: Expressions, name: string, ...args: readonly Expr[]): Expr {
    const routine: Routine = routines[name as RoutineName];
    return x.call(this.#index(name, routine), routine.result, args);
  }

  /** One of the elementary functions: of f64, its exponent an i32. */
  callMath(x: Expressions, name: MathFunctionName, args: readonly Expr[]): Expr {
    const fn: MathFunction = mathFunctions[name];
    const routine: Routine = {
      parameters: fn.parameters.map(({ kind }) => kind),
      result: fn.result,
      body: (f, ...values) => emitMath(f, fn.body, values),
    };
    return x.call(this.#index(`math.${name}`, routine), routine.result, args);
  }

  #index(name: string, routine: Routine): number {
    const known = this.#indices.get(name);
    if (known !== undefined) return known;
    const type: FunctionType = { params: routine.parameters, results: [routine.result] };
    const index = this.#builder.declare(name, type);
    this.#indices.set(name, index);
    const f = new ExprFunction(this, routine.parameters);
    const values = routine.parameters.map((parameter, local) => f.x.local(local, parameter));
    this.#builder.define(index, { ...f.finish(routine.body(f, ...values)), positions: [] });
    return index;
  }
}
