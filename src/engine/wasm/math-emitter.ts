/** The basic operations of the elementary functions as WebAssembly. */
import type { MathOps } from "../../numeric/math-ops.ts";
import type { MathBody } from "../../numeric/math-table.ts";
import type { Expr, Expressions } from "./expression.ts";
import { OP, type ScalarType } from "./instructions.ts";

/** Where the operations of a function go. */
export interface MathTarget {
  readonly x: Expressions;
  /** A number that was made ready before; null where it was not. */
  wideConstant(value: number): Expr | null;
  keep(expr: Expr): Expr;
  branch(condition: Expr, type: ScalarType, then: () => Expr, otherwise: () => Expr): Expr;
}

/** A body with its values: results that are used once stand where they are used. */
export function emitMath(target: MathTarget, body: MathBody, values: readonly Expr[]): Expr {
  const { uses } = studyBody(body, values.length);
  let next = 0;
  return body(
    mathOps(target, (expr) => (uses[next++] > 1 ? target.keep(expr) : expr)),
    ...values,
  );
}

interface BodyFacts {
  /** How often each result of the operations is used, in order of the operations. */
  readonly uses: readonly number[];
  readonly constants: ReadonlySet<number>;
}

const bodies = new WeakMap<MathBody, BodyFacts>();

export function studyBody(body: MathBody, parameters: number): BodyFacts {
  let facts = bodies.get(body);
  if (facts === undefined) bodies.set(body, (facts = factsOf(body, parameters)));
  return facts;
}

function factsOf(body: MathBody, parameters: number): BodyFacts {
  const uses: number[] = [];
  const constants = new Set<number>();
  /** What is no result of an operation. */
  const other = -1;
  const result = (...operands: readonly number[]): number => {
    for (const operand of operands) if (operand !== other) uses[operand]++;
    return uses.push(0) - 1;
  };
  const first = (a: number): number => result(a);
  const ops: MathOps<number, number, number> = {
    constant: (value) => {
      constants.add(value);
      return other;
    },
    add: result,
    sub: result,
    mul: result,
    div: result,
    sqrt: result,
    abs: result,
    neg: result,
    floor: result,
    ceil: result,
    trunc: result,
    nearest: result,
    copySign: result,
    lessThan: result,
    lessOrEqual: result,
    equal: result,
    isNonZero: (a) => a,
    both: result,
    select: result,
    selectInteger: result,
    branch: (condition, then, otherwise) => {
      for (const operand of [condition, then(), otherwise()]) if (operand !== other) uses[operand]++;
      return other;
    },
    integer: () => other,
    addInteger: result,
    subInteger: result,
    and: result,
    or: result,
    shiftLeft: first,
    shiftRight: first,
    toInteger: result,
    fromInteger: result,
    highWord: result,
    withHighWord: result,
    powerOfTwo: result,
    timesPower: result,
    negateIfOdd: result,
    fromExponent: result,
    limit: (a, most) => {
      constants.add(most);
      constants.add(-most);
      return result(a);
    },
  };
  body(ops, ...new Array<number>(parameters).fill(other));
  return { uses, constants };
}

function mathOps(target: MathTarget, keep: (expr: Expr) => Expr): MathOps<Expr, Expr, Expr> {
  const { x } = target;
  const unary = (op: number, type: ScalarType = "f64") => {
    return (a: Expr): Expr => keep(x.unary(op, type, a));
  };
  const binary = (op: number, type: ScalarType = "f64") => {
    return (a: Expr, b: Expr): Expr => keep(x.binary(op, type, a, b));
  };
  const bits = (a: Expr): Expr => x.unary(OP.i64_reinterpret_f64, "i64", a);
  const highBits = (high: Expr, shift: number): Expr =>
    x.binary(OP.i64_shl, "i64", x.unary(OP.i64_extend_i32_u, "i64", high), x.i64(shift));
  const constant = (value: number): Expr => target.wideConstant(value) ?? x.f64(value);
  return {
    constant,
    add: binary(OP.f64_add),
    sub: binary(OP.f64_sub),
    mul: binary(OP.f64_mul),
    div: binary(OP.f64_div),
    sqrt: unary(OP.f64_sqrt),
    abs: unary(OP.f64_abs),
    neg: unary(OP.f64_neg),
    floor: unary(OP.f64_floor),
    ceil: unary(OP.f64_ceil),
    trunc: unary(OP.f64_trunc),
    nearest: unary(OP.f64_nearest),
    copySign: binary(OP.f64_copysign),
    lessThan: binary(OP.f64_lt, "i32"),
    lessOrEqual: binary(OP.f64_le, "i32"),
    equal: binary(OP.f64_eq, "i32"),
    isNonZero: (a) => a,
    both: binary(OP.i32_and, "i32"),
    select: (condition, a, b) => keep(x.select(condition, a, b)),
    selectInteger: (condition, a, b) => keep(x.select(condition, a, b)),
    branch: (condition, then, otherwise) => target.branch(condition, "f64", then, otherwise),
    integer: (value) => x.i32(value),
    addInteger: binary(OP.i32_add, "i32"),
    subInteger: binary(OP.i32_sub, "i32"),
    and: binary(OP.i32_and, "i32"),
    or: binary(OP.i32_or, "i32"),
    shiftLeft: (a, amount) => keep(x.binary(OP.i32_shl, "i32", a, x.i32(amount))),
    shiftRight: (a, amount) => keep(x.binary(OP.i32_shr_s, "i32", a, x.i32(amount))),
    toInteger: unary(OP.i32_trunc_sat_f64_s, "i32"),
    fromInteger: unary(OP.f64_convert_i32_s),
    highWord: (a) => {
      const high = x.binary(OP.i64_shr_u, "i64", bits(a), x.i64(32));
      return keep(x.unary(OP.i32_wrap_i64, "i32", high));
    },
    withHighWord: (a, high) => {
      const low = x.binary(OP.i64_and, "i64", bits(a), x.i64(0xffffffff));
      const all = x.binary(OP.i64_or, "i64", highBits(high, 32), low);
      return keep(x.unary(OP.f64_reinterpret_i64, "f64", all));
    },
    powerOfTwo: (exponent) => {
      const biased = x.binary(OP.i32_add, "i32", exponent, x.i32(1023));
      return keep(x.unary(OP.f64_reinterpret_i64, "f64", highBits(biased, 52)));
    },
    timesPower: (a, exponent) => {
      const sum = x.binary(OP.i64_add, "i64", bits(a), highBits(exponent, 52));
      return keep(x.unary(OP.f64_reinterpret_i64, "f64", sum));
    },
    negateIfOdd: (a, n) => {
      const turned = x.binary(OP.i64_xor, "i64", bits(a), x.binary(OP.i64_shl, "i64", bits(n), x.i64(63)));
      return keep(x.unary(OP.f64_reinterpret_i64, "f64", turned));
    },
    fromExponent: (a) => {
      const high = x.binary(OP.i64_shl, "i64", bits(a), x.i64(52));
      return keep(x.unary(OP.f64_reinterpret_i64, "f64", high));
    },
    limit: (a, most) => {
      const below = x.binary(OP.f64_min, "f64", a, constant(most));
      return keep(x.binary(OP.f64_max, "f64", below, constant(-most)));
    },
  };
}
