/**
 * Expressions of WebAssembly as trees, made by functions that fold constants, keep a range for every i32 and give equal
 * values equal numbers. Ranges and numbers are what bounds checks are proved away with; they are never wider than the
 * truth, and `Facts` narrows them where control flow says more.
 */
import type { ByteWriter } from "./encoder.ts";
import { type ExprType, FOUR, Fours, isFour, type Linear, localType } from "./four.ts";
import { writeFour } from "./four-code.ts";
import { OP, type ScalarType, VALUE_TYPES } from "./instructions.ts";

export interface Expr {
  readonly op: number;
  readonly type: ExprType;
  readonly args: readonly Expr[];
  /** A constant, the index of a local, global or function, the byte offset of a load. */
  readonly value: number;
  /** An i32 lies between these, taken as u32. */
  readonly low: number;
  readonly high: number;
  /** Expressions with the same number have the same value. */
  readonly number: number;
  /** Reads what stores may change. */
  readonly reads: boolean;
  /** Of a local: what it was set to. */
  readonly source: Expr | null;
  /** Of four lanes, where they differ by the same number from one to the next. */
  readonly linear: Linear | null;
}

export const U32_HIGH = 0xffffffff;

interface Range {
  readonly low: number;
  readonly high: number;
}

/** What control flow proves of values, by their numbers. What was added after `mark` is forgotten by `reset`. */
export class Facts {
  readonly #ranges = new Map<number, Range>();
  readonly #less = new Set<string>();
  readonly #undo: (() => void)[] = [];

  mark(): number {
    return this.#undo.length;
  }

  reset(mark: number): void {
    while (this.#undo.length > mark) this.#undo.pop()!();
  }

  range(expr: Expr): Range {
    const known = this.#ranges.get(expr.number);
    if (known === undefined) return expr;
    return { low: Math.max(known.low, expr.low), high: Math.min(known.high, expr.high) };
  }

  /** Says that the value lies in the range. A range that leaves nothing is that of code that is never reached. */
  narrow(expr: Expr, low: number, high: number): void {
    const known = this.range(expr);
    const range = { low: Math.max(low, known.low), high: Math.min(high, known.high) };
    if (range.low > range.high || (range.low === known.low && range.high === known.high)) return;
    const before = this.#ranges.get(expr.number);
    this.#ranges.set(expr.number, range);
    this.#undo.push(() => {
      if (before === undefined) this.#ranges.delete(expr.number);
      else this.#ranges.set(expr.number, before);
    });
  }

  less(a: Expr, b: Expr): boolean {
    return this.range(a).high < this.range(b).low || this.#less.has(`${a.number},${b.number}`);
  }

  /** Says that `a` < `b` as u32. */
  addLess(a: Expr, b: Expr): void {
    const key = `${a.number},${b.number}`;
    if (this.#less.has(key)) return;
    this.#less.add(key);
    this.#undo.push(() => this.#less.delete(key));
  }
}

type Binary = (a: number, b: number) => number;

const FOLDS: Readonly<Record<number, Binary>> = {
  [OP.i32_add]: (a, b) => a + b,
  [OP.i32_sub]: (a, b) => a - b,
  [OP.i32_mul]: Math.imul,
  [OP.i32_and]: (a, b) => a & b,
  [OP.i32_or]: (a, b) => a | b,
  [OP.i32_xor]: (a, b) => a ^ b,
  [OP.i32_shl]: (a, b) => a << b,
  [OP.i32_shr_s]: (a, b) => a >> b,
  [OP.i32_shr_u]: (a, b) => a >>> b,
  [OP.i32_eq]: (a, b) => +(a === b),
  [OP.i32_ne]: (a, b) => +(a !== b),
  [OP.i32_lt_s]: (a, b) => +(a < b),
  [OP.i32_gt_s]: (a, b) => +(a > b),
  [OP.i32_le_s]: (a, b) => +(a <= b),
  [OP.i32_ge_s]: (a, b) => +(a >= b),
  [OP.i32_lt_u]: (a, b) => +(a >>> 0 < b >>> 0),
  [OP.i32_gt_u]: (a, b) => +(a >>> 0 > b >>> 0),
  [OP.i32_le_u]: (a, b) => +(a >>> 0 <= b >>> 0),
  [OP.i32_ge_u]: (a, b) => +(a >>> 0 >= b >>> 0),
};

const COMMUTATIVE: ReadonlySet<number> = new Set([
  OP.i32_add,
  OP.i32_mul,
  OP.i32_and,
  OP.i32_or,
  OP.i32_xor,
  OP.i32_eq,
  OP.i32_ne,
]);

/** The comparison that is true where the given one is false. Not for floats: NaN. */
const INVERSES: ReadonlyMap<number, number> = new Map<number, number>([
  [OP.i32_eq, OP.i32_ne],
  [OP.i32_ne, OP.i32_eq],
  [OP.i32_lt_s, OP.i32_ge_s],
  [OP.i32_ge_s, OP.i32_lt_s],
  [OP.i32_gt_s, OP.i32_le_s],
  [OP.i32_le_s, OP.i32_gt_s],
  [OP.i32_lt_u, OP.i32_ge_u],
  [OP.i32_ge_u, OP.i32_lt_u],
  [OP.i32_gt_u, OP.i32_le_u],
  [OP.i32_le_u, OP.i32_gt_u],
]);

/** Those that change nothing with this right operand. */
const NEUTRAL: ReadonlyMap<number, number> = new Map<number, number>([
  [OP.i32_add, 0],
  [OP.i32_sub, 0],
  [OP.i32_mul, 1],
  [OP.i32_and, -1],
  [OP.i32_or, 0],
  [OP.i32_xor, 0],
  [OP.i32_shl, 0],
  [OP.i32_shr_s, 0],
  [OP.i32_shr_u, 0],
]);

/** What has ranges, and numbers by its operation: an i32 or a bool, or four of them. */
function isInteger(type: ExprType): boolean {
  return type === "i32" || type === "i32x4" || type === "b32x4";
}

/** Of one lane; a bool of one lane is an i32. */
function scalarOf(type: ExprType): ScalarType {
  if (!isFour(type)) return type;
  return type.startsWith("b") ? "i32" : (type.slice(0, 3) as ScalarType);
}

const isComparison = (op: number): boolean => (op >= OP.i32_eqz && op <= OP.i32_ge_u) || (op >= 0x5b && op <= 0x66);

/** All ones up to the highest bit that a value up to `high` can have. */
function bitsOf(high: number): number {
  return high === 0 ? 0 : 2 ** (32 - Math.clz32(high)) - 1;
}

export function isConstant(expr: Expr): boolean {
  return expr.op === OP.i32_const;
}

/** Costs nothing to evaluate again. */
export function isCheap(expr: Expr): boolean {
  switch (expr.op) {
    case OP.i32_const:
    case OP.i64_const:
    case OP.f32_const:
    case OP.f64_const:
    case OP.local_get:
    case OP.global_get:
    case FOUR.halves:
      return true;
    default:
      return false;
  }
}

export function mentions(expr: Expr, local: number): boolean {
  if (expr.op === OP.local_get) return expr.value === local;
  return expr.args.some((arg) => mentions(arg, local));
}

/** Makes the expressions of one function. */
export class Expressions {
  readonly facts: Facts = new Facts();
  readonly fours: Fours;
  readonly #numbers = new Map<string, number>();
  #next = 0;

  /** `keep` gives the same value, free to be used again. */
  constructor(keep: (expr: Expr) => Expr) {
    this.fours = new Fours(this, keep);
  }

  fresh(): number {
    return this.#next++;
  }

  #numberOf(op: number, type: ExprType, args: readonly Expr[], value: number): number {
    if (!isInteger(type)) return this.#next++;
    const key = `${op} ${value} ${args.map((arg) => arg.number).join()}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#next++;
      this.#numbers.set(key, number);
    }
    return number;
  }

  #make(op: number, type: ScalarType, args: readonly Expr[], low = 0, high = U32_HIGH): Expr {
    if (args.some((arg) => isFour(arg.type))) return this.fours.make(op, type, args, low, high, isComparison(op));
    return this.node(op, type, args, 0, low, high, null);
  }

  /** An operation as it is; others make it simpler where they can. */
  node(
    op: number,
    type: ExprType,
    args: readonly Expr[],
    value: number,
    low: number,
    high: number,
    linear: Linear | null,
  ): Expr {
    const reads = args.some((arg) => arg.reads);
    const number = reads ? this.#next++ : this.#numberOf(op, type, args, value);
    return { op, type, args, value, low, high, number, reads, source: null, linear };
  }

  #constant(op: number, type: ScalarType, value: number): Expr {
    const number = type === "i32" ? this.#numberOf(op, type, [], value) : this.#next++;
    const bits = value >>> 0;
    const [low, high] = type === "i32" ? [bits, bits] : [0, U32_HIGH];
    return { op, type, args: [], value, low, high, number, reads: false, source: null, linear: null };
  }

  i32(value: number): Expr {
    return this.#constant(OP.i32_const, "i32", value | 0);
  }

  i64(value: number): Expr {
    return this.#constant(OP.i64_const, "i64", value);
  }

  f32(value: number): Expr {
    return this.#constant(OP.f32_const, "f32", value);
  }

  f64(value: number): Expr {
    return this.#constant(OP.f64_const, "f64", value);
  }

  zero(type: ScalarType): Expr {
    return type === "i32" ? this.i32(0) : type === "f32" ? this.f32(0) : this.f64(0);
  }

  /** A local that keeps the value of `source` as long as this expression is used. */
  localOf(index: number, source: Expr, linear: Linear | null = null): Expr {
    const { type, low, high, number } = source;
    const origin = source.source ?? source;
    return { op: OP.local_get, type, args: [], value: index, low, high, number, reads: false, source: origin, linear };
  }

  /** A local whose value is not known. */
  local(index: number, type: ExprType, low = 0, high = U32_HIGH): Expr {
    const number = this.#next++;
    return {
      op: OP.local_get,
      type,
      args: [],
      value: index,
      low,
      high,
      number,
      reads: false,
      source: null,
      linear: null,
    };
  }

  /** Two locals with the lower and the upper lanes of `source`. */
  halves(locals: readonly Expr[], source: Expr): Expr {
    const { type, low, high } = source;
    return this.node(FOUR.halves, type, locals, 0, low, high, null);
  }

  global(index: number, type: ScalarType): Expr {
    const base = this.local(index, type);
    return { ...base, op: OP.global_get };
  }

  /** The same expression where more is known of its range than it shows. */
  ranged(expr: Expr, low: number, high: number): Expr {
    return { ...expr, low: Math.max(low, expr.low), high: Math.min(high, expr.high) };
  }

  /** A constant instead, where only one value is possible. */
  known(expr: Expr): Expr {
    if (expr.type !== "i32") return expr;
    const { low, high } = this.facts.range(expr);
    return low === high ? this.i32(low) : expr;
  }

  load(op: number, type: ScalarType, address: Expr, offset: number): Expr {
    if (isFour(address.type)) return this.fours.load(op, type, address, offset);
    const high = op === OP.i32_load16_u ? 0xffff : U32_HIGH;
    const loaded = this.node(op, type, [address], offset, 0, high, null);
    return { ...loaded, reads: true, number: this.#next++ };
  }

  /** A call without effects. */
  call(index: number, type: ScalarType, args: readonly Expr[]): Expr {
    if (args.some((arg) => isFour(arg.type))) {
      return this.fours.each(args, (values) => this.call(index, type, values));
    }
    const call = this.node(OP.call, type, args, index, 0, U32_HIGH, null);
    return { ...call, number: this.#next++ };
  }

  unary(op: number, type: ScalarType, a: Expr): Expr {
    if (op === OP.i32_eqz) return this.not(a);
    if (op === OP.i32_clz || op === OP.i32_ctz || op === OP.i32_popcnt) return this.#make(op, type, [a], 0, 32);
    return this.#make(op, type, [a]);
  }

  /** 1 where `a` is 0, else 0. */
  not(a: Expr): Expr {
    if (isConstant(a)) return this.i32(a.value === 0 ? 1 : 0);
    const inverse = INVERSES.get(a.op);
    if (inverse !== undefined) return this.binary(inverse, "i32", a.args[0], a.args[1]);
    if (a.op === OP.i32_eqz && isComparison(a.args[0].op)) return a.args[0];
    return this.#make(OP.i32_eqz, "i32", [a], 0, 1);
  }

  /** Both are evaluated; `conditional` evaluates one. */
  select(condition: Expr, ifTrue: Expr, ifFalse: Expr): Expr {
    if (isConstant(condition)) return condition.value !== 0 ? ifTrue : ifFalse;
    const [a, b] = [this.facts.range(ifTrue), this.facts.range(ifFalse)];
    const range: [number, number] = [Math.min(a.low, b.low), Math.max(a.high, b.high)];
    return this.#make(OP.select, scalarOf(ifTrue.type), [ifTrue, ifFalse, condition], ...range);
  }

  /** Evaluates only one of the two. */
  conditional(condition: Expr, ifTrue: Expr, ifFalse: Expr): Expr {
    if (isConstant(condition)) return condition.value !== 0 ? ifTrue : ifFalse;
    const range: [number, number] = [Math.min(ifTrue.low, ifFalse.low), Math.max(ifTrue.high, ifFalse.high)];
    return this.#make(OP.if, scalarOf(ifTrue.type), [condition, ifTrue, ifFalse], ...range);
  }

  binary(op: number, type: ScalarType, a: Expr, b: Expr): Expr {
    if (type !== "i32" || !isInteger(a.type) || !isInteger(b.type))
      return this.#make(op, type, [a, b], 0, isComparison(op) ? 1 : U32_HIGH);
    if (isConstant(a) && COMMUTATIVE.has(op) && !isConstant(b)) return this.binary(op, type, b, a);
    if (isConstant(b)) {
      const fold = FOLDS[op];
      if (isConstant(a) && fold !== undefined) return this.i32(fold(a.value, b.value));
      if (NEUTRAL.get(op) === b.value) return a;
      const simpler = this.#withConstant(op, a, b.value);
      if (simpler !== null) return simpler;
    }
    const order = this.#knownOrder(op, a, b);
    if (order !== null) return this.i32(order ? 1 : 0);
    const [low, high] = this.#range(op, a, b);
    if (low === high && isComparison(op)) return this.i32(low);
    return this.#make(op, type, [a, b], low, high);
  }

  /** Whether a comparison holds where facts decide it; null where they do not. */
  #knownOrder(op: number, a: Expr, b: Expr): boolean | null {
    switch (op) {
      case OP.i32_lt_u:
        return this.facts.less(a, b) ? true : null;
      case OP.i32_ge_u:
        return this.facts.less(a, b) ? false : null;
      case OP.i32_gt_u:
        return this.facts.less(b, a) ? true : null;
      case OP.i32_le_u:
        return this.facts.less(b, a) ? false : null;
      default:
        return null;
    }
  }

  #withConstant(op: number, a: Expr, value: number): Expr | null {
    switch (op) {
      case OP.i32_sub:
        return this.binary(OP.i32_add, "i32", a, this.i32(-value));
      case OP.i32_add:
        if (a.op !== OP.i32_add || !isConstant(a.args[1])) return null;
        return this.binary(OP.i32_add, "i32", a.args[0], this.i32(a.args[1].value + value));
      case OP.i32_mul:
        if (value === 0) return a.reads ? null : this.i32(0);
        return isPowerOfTwo(value) ? this.binary(OP.i32_shl, "i32", a, this.i32(Math.log2(value >>> 0))) : null;
      case OP.i32_and:
        return value === 0 && !a.reads ? this.i32(0) : null;
      case OP.i32_div_u:
        return isPowerOfTwo(value) ? this.binary(OP.i32_shr_u, "i32", a, this.i32(Math.log2(value >>> 0))) : null;
      case OP.i32_rem_u:
        return isPowerOfTwo(value) ? this.binary(OP.i32_and, "i32", a, this.i32(value - 1)) : null;
      default:
        return null;
    }
  }

  #range(op: number, left: Expr, right: Expr): readonly [number, number] {
    const a = this.facts.range(left);
    const b = this.facts.range(right);
    switch (op) {
      case OP.i32_add:
        if (a.high + b.high <= U32_HIGH) return [a.low + b.low, a.high + b.high];
        // Adding a negative number, where the sum is none.
        if (b.low > 0x7fffffff && a.low + b.low > U32_HIGH) return [a.low + b.low - 2 ** 32, a.high + b.high - 2 ** 32];
        return [0, U32_HIGH];
      case OP.i32_sub:
        return a.low >= b.high ? [a.low - b.high, a.high - b.low] : [0, U32_HIGH];
      case OP.i32_mul:
        return a.high * b.high <= U32_HIGH ? [a.low * b.low, a.high * b.high] : [0, U32_HIGH];
      case OP.i32_and:
        return [0, Math.min(a.high, b.high)];
      case OP.i32_or:
        return [Math.max(a.low, b.low), bitsOf(Math.max(a.high, b.high))];
      case OP.i32_xor:
        return [0, bitsOf(Math.max(a.high, b.high))];
      case OP.i32_shl: {
        if (b.high > 31 || a.high * 2 ** b.high > U32_HIGH) return [0, U32_HIGH];
        return [a.low * 2 ** b.low, a.high * 2 ** b.high];
      }
      case OP.i32_shr_s:
      case OP.i32_shr_u: {
        if (b.high > 31 || (op === OP.i32_shr_s && a.high > 0x7fffffff)) return [0, U32_HIGH];
        return [Math.floor(a.low / 2 ** b.high), Math.floor(a.high / 2 ** b.low)];
      }
      case OP.i32_div_s:
      case OP.i32_div_u:
        if (op === OP.i32_div_s && (a.high > 0x7fffffff || b.high > 0x7fffffff)) return [0, U32_HIGH];
        return [Math.floor(a.low / Math.max(1, b.high)), Math.floor(a.high / Math.max(1, b.low))];
      case OP.i32_rem_s:
      case OP.i32_rem_u:
        if (op === OP.i32_rem_s && (a.high > 0x7fffffff || b.high > 0x7fffffff)) return [0, U32_HIGH];
        return a.high < b.low ? [a.low, a.high] : [0, Math.min(a.high, Math.max(0, b.high - 1))];
      default:
        return isComparison(op) ? comparisonRange(op, a, b) : [0, U32_HIGH];
    }
  }

  /** Takes it for granted from here on that the condition is `truth`. */
  assume(condition: Expr, truth: boolean): void {
    const expr = condition.source ?? condition;
    switch (expr.op) {
      case OP.i32_eqz:
        this.assume(expr.args[0], !truth);
        return;
      // Both hold, or neither does; of bools only.
      case OP.i32_and:
        if (truth) for (const arg of expr.args) this.assume(arg, true);
        return;
      case OP.i32_or:
        if (!truth) for (const arg of expr.args) this.assume(arg, false);
        return;
      case OP.i32_eq:
      case OP.i32_ne: {
        if ((expr.op === OP.i32_eq) !== truth) return;
        const [a, b] = expr.args.map((arg) => this.facts.range(arg));
        this.facts.narrow(expr.args[0], b.low, b.high);
        this.facts.narrow(expr.args[1], a.low, a.high);
        return;
      }
      default: {
        const op = truth ? expr.op : INVERSES.get(expr.op);
        if (op !== undefined) this.#assumeOrder(op, expr.args[0], expr.args[1]);
      }
    }
  }

  #assumeOrder(op: number, a: Expr, b: Expr): void {
    switch (op) {
      case OP.i32_lt_u:
        this.#assumeBelow(a, b, 1);
        break;
      case OP.i32_gt_u:
        this.#assumeBelow(b, a, 1);
        break;
      case OP.i32_le_u:
        this.#assumeBelow(a, b, 0);
        break;
      case OP.i32_ge_u:
        this.#assumeBelow(b, a, 0);
        break;
      case OP.i32_lt_s:
        this.#assumeBelowSigned(a, b, 1);
        break;
      case OP.i32_gt_s:
        this.#assumeBelowSigned(b, a, 1);
        break;
      case OP.i32_le_s:
        this.#assumeBelowSigned(a, b, 0);
        break;
      case OP.i32_ge_s:
        this.#assumeBelowSigned(b, a, 0);
        break;
    }
  }

  /** `a` + `distance` ≤ `b` as u32. */
  #assumeBelow(a: Expr, b: Expr, distance: 0 | 1): void {
    const { facts } = this;
    const [rangeA, rangeB] = [facts.range(a), facts.range(b)];
    facts.narrow(a, 0, Math.max(0, rangeB.high - distance));
    facts.narrow(b, Math.min(U32_HIGH, rangeA.low + distance), U32_HIGH);
    if (distance === 0) return;
    facts.addLess(a, b);
    // Below the smaller one of two is below both.
    for (const each of smallerOf(b)) facts.addLess(a, each);
  }

  /** The same as i32; tells something where the lower one is not negative, or the higher one is known not to be. */
  #assumeBelowSigned(a: Expr, b: Expr, distance: 0 | 1): void {
    const { facts } = this;
    // Not negative and below: then the higher one is not negative either.
    if (facts.range(a).high <= 0x7fffffff) {
      facts.narrow(b, 0, 0x7fffffff);
      this.#assumeBelow(a, b, distance);
    }
  }
}

/** The two values that the expression is the smaller one of; none if it is no such. */
function smallerOf(expr: Expr): readonly Expr[] {
  const { op, args } = expr.source ?? expr;
  if (op !== OP.select) return [];
  const [first, second, condition] = args;
  const { op: comparison, args: compared } = condition.source ?? condition;
  if (comparison !== OP.i32_lt_u) return [];
  const isSmaller = compared[0].number === first.number && compared[1].number === second.number;
  return isSmaller ? [first, second] : [];
}

function comparisonRange(op: number, a: Range, b: Range): readonly [number, number] {
  const signed = a.high > 0x7fffffff || b.high > 0x7fffffff;
  switch (op) {
    case OP.i32_lt_s:
    case OP.i32_ge_s:
      if (signed) return [0, 1];
      return comparisonRange(op === OP.i32_lt_s ? OP.i32_lt_u : OP.i32_ge_u, a, b);
    case OP.i32_gt_s:
    case OP.i32_le_s:
      if (signed) return [0, 1];
      return comparisonRange(op === OP.i32_gt_s ? OP.i32_gt_u : OP.i32_le_u, a, b);
    case OP.i32_lt_u:
      return a.high < b.low ? [1, 1] : a.low >= b.high ? [0, 0] : [0, 1];
    case OP.i32_ge_u:
      return a.low >= b.high ? [1, 1] : a.high < b.low ? [0, 0] : [0, 1];
    case OP.i32_gt_u:
      return comparisonRange(OP.i32_lt_u, b, a);
    case OP.i32_le_u:
      return comparisonRange(OP.i32_ge_u, b, a);
    case OP.i32_eq:
      return a.high < b.low || b.high < a.low ? [0, 0] : [0, 1];
    case OP.i32_ne:
      return a.high < b.low || b.high < a.low ? [1, 1] : [0, 1];
    default:
      return [0, 1];
  }
}

function isPowerOfTwo(value: number): boolean {
  const bits = value >>> 0;
  return bits !== 0 && (bits & (bits - 1)) === 0;
}

const ALIGNMENTS: Readonly<Record<number, number>> = {
  [OP.i32_load]: 2,
  [OP.f32_load]: 2,
  [OP.f64_load]: 3,
  [OP.i32_load16_u]: 1,
  [OP.i32_store]: 2,
  [OP.i64_store]: 3,
  [OP.f32_store]: 2,
  [OP.i32_store16]: 1,
};

/** What follows the opcode of a memory instruction. */
export function writeMemoryImmediate(out: ByteWriter, op: number, offset: number): void {
  out.unsigned(ALIGNMENTS[op] ?? 2);
  out.unsigned(offset);
}

/** The code that leaves the value on the stack. */
export function writeExpr(out: ByteWriter, expr: Expr): void {
  const { op, args, value } = expr;
  if (op === OP.if) {
    writeExpr(out, args[0]);
    out.byte(OP.if);
    out.byte(VALUE_TYPES[localType(expr.type)]);
    writeExpr(out, args[1]);
    out.byte(OP.else);
    writeExpr(out, args[2]);
    out.byte(OP.end);
    return;
  }
  if (isFour(expr.type) && op !== OP.local_get) {
    writeFour(out, expr, writeExpr);
    return;
  }
  for (const arg of args) writeExpr(out, arg);
  out.opcode(op);
  switch (op) {
    case OP.i32_const:
      out.signed(value);
      break;
    case OP.i64_const:
      out.signedLong(value);
      break;
    case OP.f32_const:
      out.float(value);
      break;
    case OP.f64_const:
      out.double(value);
      break;
    case OP.local_get:
    case OP.global_get:
    case OP.call:
      out.unsigned(value);
      break;
    case OP.i32_load:
    case OP.f32_load:
    case OP.f64_load:
    case OP.i32_load16_u:
    case OP.i32_atomic_load:
      writeMemoryImmediate(out, op, value);
      break;
    case OP.i32x4_extract_lane:
    case OP.f32x4_extract_lane:
    case OP.f64x2_extract_lane:
      out.byte(value);
      break;
  }
}
