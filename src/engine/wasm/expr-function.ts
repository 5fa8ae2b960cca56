/** Functions of the library under construction. */
import { ByteWriter } from "./encoder.ts";
import { type Expr, Expressions, isCheap, writeExpr } from "./expression.ts";
import { localType } from "./four.ts";
import { OP, type ScalarType, VALUE_TYPES, type ValueType } from "./instructions.ts";
import { LocalAllocator } from "./locals.ts";

/** Calls other functions of the library by name. */
export interface RoutineCaller {
  call(x: Expressions, name: string, ...args: readonly Expr[]): Expr;
}

/** A function that is one expression, with locals for what is used more than once. */
export class ExprFunction {
  readonly x: Expressions = new Expressions((expr) => this.keep(expr));
  readonly library: RoutineCaller;
  readonly #locals: LocalAllocator;
  readonly #out = new ByteWriter();

  constructor(library: RoutineCaller, parameters: readonly ScalarType[]) {
    this.library = library;
    this.#locals = new LocalAllocator(parameters);
  }

  wideConstant(): null {
    return null;
  }

  /** The same value, free to be used again. */
  keep(expr: Expr): Expr {
    if (isCheap(expr)) return expr;
    const local = this.#locals.allocate(localType(expr.type));
    writeExpr(this.#out, expr);
    this.#out.byte(OP.local_set);
    this.#out.unsigned(local);
    return this.x.localOf(local, expr);
  }

  /** Computes one of the two only. */
  branch(condition: Expr, type: ScalarType, then: () => Expr, otherwise: () => Expr): Expr {
    const local = this.#locals.allocate(type);
    writeExpr(this.#out, condition);
    this.#out.byte(OP.if);
    this.#out.byte(VALUE_TYPES[type]);
    writeExpr(this.#out, then());
    this.#out.byte(OP.else);
    writeExpr(this.#out, otherwise());
    this.#out.byte(OP.end);
    this.#out.byte(OP.local_set);
    this.#out.unsigned(local);
    return this.x.local(local, type);
  }

  finish(result: Expr): { locals: readonly ValueType[]; code: Uint8Array } {
    writeExpr(this.#out, result);
    this.#out.byte(OP.end);
    return { locals: this.#locals.types, code: this.#out.bytes };
  }
}

export interface Routine {
  readonly parameters: readonly ScalarType[];
  readonly result: ScalarType;
  readonly body: (f: ExprFunction, ...values: Expr[]) => Expr;
}
