/**
 * Four consecutive invocations at once. An expression whose value differs between them has one of the types here; an
 * operation is made as that of one invocation, and where an operand has four lanes it means all four. So what is said of
 * operations on scalars is said of these too, to the bit: each lane goes through the same basic operations.
 *
 * What has no instruction for four lanes (integer division, shifts by amounts that differ, calls) is done lane by lane.
 */
import type { Expr, Expressions } from "./expression.ts";
import { OP, type ScalarType, type ValueType } from "./instructions.ts";

/**
 * Four lanes of 32 bits in one v128, or of 64 bits in two. A bool is a mask of ones or zeros (`b32x4`, and `b64x4`
 * where numbers of 64 bits were compared).
 */
export type FourType = "i32x4" | "f32x4" | "b32x4" | "i64x4" | "f64x4" | "b64x4";
export type ExprType = ScalarType | FourType;

/** Lane n has the value `first` + n · `step`. */
export interface Linear {
  readonly first: Expr;
  readonly step: number;
}

/** Operations that are no instruction. */
export const FOUR = {
  /** The same in all lanes. */
  splat: -1,
  /** From four scalars. */
  build: -2,
  /** 0, 1, 2, 3 added to a scalar. */
  count: -3,
  /** Two locals that together are a value of 64 bits. */
  halves: -4,
  /** A scalar as a mask, a mask as 0 or 1, and masks with lanes of another width. */
  mask: -5,
  integer: -6,
  narrow: -7,
  widen: -8,
} as const;

export function isFour(type: ExprType): type is FourType {
  return type.length > 3;
}

/** Takes two v128. */
export function isWide(type: ExprType): boolean {
  return type === "f64x4" || type === "i64x4" || type === "b64x4";
}

export function isMask(type: ExprType): boolean {
  return type === "b32x4" || type === "b64x4";
}

/** The type of a local that holds the value, or a half of it. */
export function localType(type: ExprType): ValueType {
  return isFour(type) ? "v128" : type;
}

const FOURS: Readonly<Record<ScalarType, FourType>> = { i32: "i32x4", i64: "i64x4", f32: "f32x4", f64: "f64x4" };

/** Four lanes of what the scalar is, or the type itself. */
export function fourOf(type: ExprType): FourType {
  return isFour(type) ? type : FOURS[type];
}

const BY_LANE: ReadonlySet<number> = new Set([
  OP.i32_div_s,
  OP.i32_div_u,
  OP.i32_rem_s,
  OP.i32_rem_u,
  OP.i32_clz,
  OP.i32_ctz,
  OP.i32_popcnt,
]);
const SHIFTS: ReadonlySet<number> = new Set([OP.i32_shl, OP.i32_shr_s, OP.i32_shr_u]);
/** Of bools. */
const CONNECTIVES: ReadonlySet<number> = new Set([OP.i32_and, OP.i32_or, OP.i32_xor, OP.i32_eq, OP.i32_ne, OP.i32_eqz]);

/** By the comparison of `a` and `b`: what `select(a < b, a, b)` and `select(a < b, b, a)` are, and whether the operands change places. */
const EXTREMES: ReadonlyMap<number, readonly [least: number, most: number, turned: boolean]> = new Map([
  // `pmin(x, y)` is `y < x ? y : x`, whatever zeros and NaN there are.
  [OP.f32_lt, [OP.f32x4_pmin, OP.f32x4_pmax, true]],
  [OP.f64_lt, [OP.f64x2_pmin, OP.f64x2_pmax, true]],
  [OP.i32_lt_s, [OP.i32x4_min_s, OP.i32x4_max_s, false]],
  [OP.i32_lt_u, [OP.i32x4_min_u, OP.i32x4_max_u, false]],
]);

const LARGEST_STEP = 2 ** 20;

/** Makes expressions with four lanes. */
export class Fours {
  readonly #x: Expressions;
  readonly #keep: (expr: Expr) => Expr;

  /** `keep` gives the same value, free to be used again. */
  constructor(x: Expressions, keep: (expr: Expr) => Expr) {
    this.#x = x;
    this.#keep = keep;
  }

  /** The operation where an operand has four lanes; `type` is that of one lane's result. */
  make(op: number, type: ScalarType, args: readonly Expr[], low: number, high: number, isComparison: boolean): Expr {
    if (op === OP.select) return this.#select(args[2], args[0], args[1], low, high);
    if (op === OP.if) return this.#conditional(args, low, high);
    if (BY_LANE.has(op) || (SHIFTS.has(op) && isFour(args[1].type))) return this.#byLane(op, type, args, low, high);
    if (CONNECTIVES.has(op) && args.some((arg) => isMask(arg.type))) return this.#connective(op, args);
    const operands = args.map((arg) => this.integer(arg));
    if (isComparison) {
      const wide = operands.some((arg) => isWide(arg.type));
      const result = wide ? "b64x4" : "b32x4";
      return this.#node(op, result, wide ? operands.map((arg) => this.#often(arg)) : operands, low, high);
    }
    const result = fourOf(type);
    // Each half is written for itself.
    const ready = isWide(result) ? operands.map((arg) => this.#often(arg)) : operands;
    return this.#node(CHOICES.get(op) ?? op, result, ready, low, high, this.#linear(op, result, args));
  }

  #node(
    op: number,
    type: ExprType,
    args: readonly Expr[],
    low = 0,
    high = 0xffffffff,
    linear: Linear | null = null,
  ): Expr {
    return this.#x.node(op, type, args, 0, low, high, linear);
  }

  /** What is written more than once costs nothing the second time. */
  #often(expr: Expr): Expr {
    return isWide(expr.type) ? expr : this.#keep(expr);
  }

  #linear(op: number, type: FourType, args: readonly Expr[]): Linear | null {
    if (type !== "i32x4" || args.length !== 2) return null;
    const [a, b] = args.map((arg) => (isFour(arg.type) ? arg.linear : { first: arg, step: 0 }));
    if (a === null || b === null) return null;
    const x = this.#x;
    const made = (step: number): Linear | null =>
      Math.abs(step) > LARGEST_STEP ? null : { first: x.binary(op, "i32", a.first, b.first), step };
    const constant = b.first.op === OP.i32_const ? b.first.value : null;
    switch (op) {
      case OP.i32_add:
        return made(a.step + b.step);
      case OP.i32_sub:
        return made(a.step - b.step);
      case OP.i32_mul:
        return b.step === 0 && constant !== null ? made(a.step * constant) : null;
      case OP.i32_shl:
        return b.step === 0 && constant !== null && constant < 20 ? made(a.step * 2 ** constant) : null;
      default:
        return null;
    }
  }

  /** `first`, and what follows. */
  count(first: Expr): Expr {
    const { low, high } = this.#x.facts.range(first);
    const most = high + 3 > 0xffffffff ? [0, 0xffffffff] : [low, high + 3];
    return this.#node(FOUR.count, "i32x4", [first], most[0], most[1], { first, step: 1 });
  }

  /** The value as one of four lanes. */
  splat(expr: Expr, type: FourType): Expr {
    if (type === "b32x4") return this.mask(expr);
    if (isFour(expr.type)) return this.integer(expr);
    const { low, high } = this.#x.facts.range(expr);
    return this.#node(FOUR.splat, type, [expr], low, high);
  }

  // -------------------------------------------------------------- bools

  /** As a mask with lanes of 32 bits. */
  mask(expr: Expr): Expr {
    if (expr.type === "b32x4") return expr;
    if (expr.type === "b64x4") return this.#node(FOUR.narrow, "b32x4", [expr], 0, 1);
    // Where ranges decide, it is the same for all.
    const condition = expr.type === "i32x4" ? this.#x.binary(OP.i32_ne, "i32", expr, this.#x.i32(0)) : expr;
    return isFour(condition.type) ? condition : this.#node(FOUR.mask, "b32x4", [condition], 0, 1);
  }

  #wideMask(expr: Expr): Expr {
    if (expr.type === "b64x4") return expr;
    return this.#node(FOUR.widen, "b64x4", [this.#keep(this.mask(expr))], 0, 1);
  }

  /** A bool as 0 or 1; all else as it is. */
  integer(expr: Expr): Expr {
    return isMask(expr.type) ? this.#node(FOUR.integer, "i32x4", [this.mask(expr)], 0, 1) : expr;
  }

  #connective(op: number, args: readonly Expr[]): Expr {
    const isEquality = op === OP.i32_eq || op === OP.i32_ne;
    if (!isEquality && args.every(({ type }) => type === "b64x4")) return this.#node(op, "b64x4", args, 0, 1);
    const masks = args.map((arg) => this.mask(arg));
    return this.#node(op, "b32x4", masks, 0, 1);
  }

  #select(condition: Expr, ifTrue: Expr, ifFalse: Expr, low: number, high: number): Expr {
    if (isMask(ifTrue.type) || isMask(ifFalse.type)) {
      const args = [this.mask(ifTrue), this.mask(ifFalse), isFour(condition.type) ? this.mask(condition) : condition];
      return this.#node(OP.select, "b32x4", args, low, high);
    }
    const type = fourOf(isFour(ifTrue.type) ? ifTrue.type : ifFalse.type);
    const extreme = extremeOf(condition, ifTrue, ifFalse);
    if (extreme !== null) {
      const { op, args } = extreme;
      return this.#node(op, type, isWide(type) ? args.map((arg) => this.#often(arg)) : args, low, high);
    }
    if (!isWide(type)) {
      const mask = isFour(condition.type) ? this.mask(condition) : condition;
      return this.#node(OP.select, type, [ifTrue, ifFalse, mask], low, high);
    }
    const mask = isFour(condition.type) ? this.#wideMask(condition) : this.#keep(condition);
    return this.#node(OP.select, type, [this.#often(ifTrue), this.#often(ifFalse), mask], low, high);
  }

  /** Of which only one is computed. */
  #conditional([condition, ifTrue, ifFalse]: readonly Expr[], low: number, high: number): Expr {
    const type = fourOf(isFour(ifTrue.type) ? ifTrue.type : ifFalse.type);
    return this.#node(OP.if, type, [condition, this.splat(ifTrue, type), this.splat(ifFalse, type)], low, high);
  }

  // -------------------------------------------------------------- lane by lane

  /** The value of one lane. The expression must be kept, as it is used for each of them. */
  lane(expr: Expr, lane: number): Expr {
    const { type, op, args, linear } = expr;
    const x = this.#x;
    if (!isFour(type)) return expr;
    if (linear !== null) return x.binary(OP.i32_add, "i32", linear.first, x.i32(lane * linear.step));
    if (op === FOUR.build) return args[lane];
    if (op === OP.f64_promote_f32) return x.unary(op, "f64", this.lane(args[0], lane));
    if (op === FOUR.halves)
      return x.node(OP.f64x2_extract_lane, "f64", [args[lane >> 1]], lane & 1, 0, 0xffffffff, null);
    const { low, high } = x.facts.range(expr);
    if (type === "f32x4") return x.node(OP.f32x4_extract_lane, "f32", [expr], lane, low, high, null);
    const bits = x.node(OP.i32x4_extract_lane, "i32", [expr], lane, low, type === "b32x4" ? 0xffffffff : high, null);
    return type === "b32x4" ? x.binary(OP.i32_and, "i32", bits, x.i32(1)) : bits;
  }

  /** The same for each lane, from the values of the arguments there. */
  each(args: readonly Expr[], make: (values: readonly Expr[]) => Expr): Expr {
    const kept = args.map((arg) => {
      if (arg.op !== OP.f64_promote_f32) return this.#keep(arg);
      return this.#x.unary(arg.op, "f64", this.#keep(arg.args[0]));
    });
    const parts = [0, 1, 2, 3].map((lane) => make(kept.map((arg) => this.lane(arg, lane))));
    const low = Math.min(...parts.map((part) => part.low));
    const high = Math.max(...parts.map((part) => part.high));
    return this.#node(FOUR.build, fourOf(parts[0].type), parts, low, high);
  }

  #byLane(op: number, type: ScalarType, args: readonly Expr[], low: number, high: number): Expr {
    const operands = args.map((arg) => this.integer(arg));
    const made = this.each(operands, (values) =>
      values.length === 1 ? this.#x.unary(op, type, values[0]) : this.#x.binary(op, type, values[0], values[1]),
    );
    return this.#x.ranged(made, low, high);
  }

  /** From addresses that differ. */
  load(op: number, type: ScalarType, address: Expr, offset: number): Expr {
    const { linear } = address;
    const isWord = op === OP.i32_load || op === OP.f32_load;
    if (linear === null || linear.step !== 4 || !isWord) {
      return this.each([address], ([at]) => this.#x.load(op, type, at, offset));
    }
    const loaded = this.#x.node(OP.v128_load, fourOf(type), [linear.first], offset, 0, 0xffffffff, null);
    return { ...loaded, reads: true, number: this.#x.fresh() };
  }
}

/** `limit` alone uses them, with a number on the right that is neither 0 nor NaN: there they mean the same. */
const CHOICES: ReadonlyMap<number, number> = new Map([
  [OP.f64_min, OP.f64x2_pmin],
  [OP.f64_max, OP.f64x2_pmax],
]);

function extremeOf(condition: Expr, ifTrue: Expr, ifFalse: Expr): { op: number; args: readonly Expr[] } | null {
  const { op, args } = condition.source ?? condition;
  const found = EXTREMES.get(op);
  if (found === undefined || !isFour(condition.type)) return null;
  const [least, most, turned] = found;
  const [a, b] = args;
  if (isSame(a, ifTrue) && isSame(b, ifFalse))
    return { op: least, args: turned ? [ifFalse, ifTrue] : [ifTrue, ifFalse] };
  return isSame(a, ifFalse) && isSame(b, ifTrue) ? { op: most, args: [ifFalse, ifTrue] } : null;
}

function isSame(a: Expr, b: Expr): boolean {
  const isNumber = a.op === OP.f32_const || a.op === OP.f64_const;
  return a.number === b.number || (isNumber && a.op === b.op && Object.is(a.value, b.value));
}
