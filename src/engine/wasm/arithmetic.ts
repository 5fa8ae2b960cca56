/**
 * Operations on scalars, with the meaning that `numeric` gives them: f32 operations are rounded by nature, f16 values are
 * the f32 they equal and are rounded after each operation, what is an elementary function is computed in f64.
 */
import type { BinaryInst, UnaryInst } from "../../ir/ir.ts";
import { type MathFunction, type MathFunctionName, mathFunctions, shortForms } from "../../numeric/math-table.ts";
import { type Expr, type Expressions, isConstant } from "./expression.ts";
import { OP, type ScalarType } from "./instructions.ts";
import type { Library } from "./library.ts";
import { emitMath, studyBody } from "./math-emitter.ts";
import { type Kind, wasmType } from "./scalars.ts";

/** Where operations are emitted to. */
export interface ArithmeticTarget {
  readonly x: Expressions;
  readonly library: Library;
  wideConstant(value: number): Expr | null;
  /** The same value, free to be used again. */
  keep(expr: Expr): Expr;
  branch(condition: Expr, type: ScalarType, then: () => Expr, otherwise: () => Expr): Expr;
}

const isFloat = (kind: Kind): boolean => kind === "f32" || kind === "f16";

const F32_OPERATORS: Readonly<Record<string, number>> = {
  "+": OP.f32_add,
  "-": OP.f32_sub,
  "*": OP.f32_mul,
  "/": OP.f32_div,
  "==": OP.f32_eq,
  "!=": OP.f32_ne,
  "<": OP.f32_lt,
  "<=": OP.f32_le,
  ">": OP.f32_gt,
  ">=": OP.f32_ge,
};

const INTEGER_OPERATORS: Readonly<Record<string, readonly [signed: number, unsigned: number]>> = {
  "+": [OP.i32_add, OP.i32_add],
  "-": [OP.i32_sub, OP.i32_sub],
  "*": [OP.i32_mul, OP.i32_mul],
  "&": [OP.i32_and, OP.i32_and],
  "|": [OP.i32_or, OP.i32_or],
  "^": [OP.i32_xor, OP.i32_xor],
  "<<": [OP.i32_shl, OP.i32_shl],
  ">>": [OP.i32_shr_s, OP.i32_shr_u],
  "==": [OP.i32_eq, OP.i32_eq],
  "!=": [OP.i32_ne, OP.i32_ne],
  "<": [OP.i32_lt_s, OP.i32_lt_u],
  "<=": [OP.i32_le_s, OP.i32_le_u],
  ">": [OP.i32_gt_s, OP.i32_gt_u],
  ">=": [OP.i32_ge_s, OP.i32_ge_u],
};

const COMPARISONS: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">="]);

// spec: #arithmetic-expr, #bit-expr, #logical-expr
export function unary(t: ArithmeticTarget, operator: UnaryInst["operator"], kind: Kind, a: Expr): Expr {
  const { x } = t;
  if (operator === "!") return x.not(a);
  if (operator === "~") return x.binary(OP.i32_xor, "i32", a, x.i32(-1));
  return isFloat(kind) ? x.unary(OP.f32_neg, "f32", a) : x.binary(OP.i32_sub, "i32", x.i32(0), a);
}

/** `kind` is that of the operands. */
export function binary(t: ArithmeticTarget, operator: BinaryInst["operator"], kind: Kind, a: Expr, b: Expr): Expr {
  const { x } = t;
  if (isFloat(kind)) {
    if (operator === "%") return roundTo(t, kind, inlineMath(t, "remainder", [promote(x, a), promote(x, b)]));
    const op = F32_OPERATORS[operator];
    if (COMPARISONS.has(operator)) return x.binary(op, "i32", a, b);
    // 24 bits are enough for a result that is rounded to 11 bits once more.
    const result = x.binary(op, "f32", a, b);
    return kind === "f32" ? result : roundTo(t, "f16", promote(x, result));
  }
  if (operator === "/" || operator === "%") return divide(t, operator, kind === "i32", a, b);
  const [signed, unsigned] = INTEGER_OPERATORS[operator];
  return x.binary(kind === "i32" ? signed : unsigned, "i32", a, b);
}

/** Never traps: where the quotient does not exist, the divisor is 1 instead. spec: #arithmetic-expr */
function divide(t: ArithmeticTarget, operator: "/" | "%", isSigned: boolean, a: Expr, b: Expr): Expr {
  const { x } = t;
  const [signed, unsigned] = operator === "/" ? [OP.i32_div_s, OP.i32_div_u] : [OP.i32_rem_s, OP.i32_rem_u];
  if (!isSigned) {
    if (x.facts.range(b).low > 0) return x.binary(unsigned, "i32", a, b);
    const divisor = t.keep(b);
    return x.binary(unsigned, "i32", a, x.select(divisor, divisor, x.i32(1)));
  }
  const [dividend, divisor] = [x.facts.range(a), x.facts.range(b)];
  // Where neither is negative, unsigned division is the same and simpler.
  if (dividend.high <= 0x7fffffff && divisor.high <= 0x7fffffff) return divide(t, operator, false, a, b);
  if (isConstant(b) && b.value !== 0 && b.value !== -1) return x.binary(signed, "i32", a, b);
  if (operator === "%") {
    const kept = t.keep(b);
    return x.binary(signed, "i32", a, x.select(kept, kept, x.i32(1)));
  }
  const [left, right] = [t.keep(a), t.keep(b)];
  const isLowest = x.binary(OP.i32_eq, "i32", left, x.i32(-0x80000000));
  const overflows = x.binary(OP.i32_and, "i32", isLowest, x.binary(OP.i32_eq, "i32", right, x.i32(-1)));
  const bad = x.binary(OP.i32_or, "i32", x.not(right), overflows);
  return x.binary(signed, "i32", left, x.select(bad, x.i32(1), right));
}

function promote(x: Expressions, a: Expr): Expr {
  return x.unary(OP.f64_promote_f32, "f64", a);
}

/** A f64 as a value of a float type, rounded once. */
function roundTo(t: ArithmeticTarget, kind: Kind, value: Expr): Expr {
  if (kind === "f16") return t.library.call(t.x, "round_f16", value);
  return t.x.unary(OP.f32_demote_f64, "f32", value);
}

/** The body of an elementary function in place: for those that are few operations. */
function inlineMath(t: ArithmeticTarget, name: MathFunctionName, args: readonly Expr[]): Expr {
  const values = args.map((arg) => t.keep(arg));
  const { body }: MathFunction = mathFunctions[name];
  return emitMath(t, body, values);
}

// spec: #value-constructor-builtin-function, #floating-point-conversion
export function convert(t: ArithmeticTarget, from: Kind, to: Kind, a: Expr): Expr {
  const { x } = t;
  if (from === to) return a;
  if (to === "bool") {
    return isFloat(from) ? x.binary(OP.f32_ne, "i32", a, x.f32(0)) : x.binary(OP.i32_ne, "i32", a, x.i32(0));
  }
  if (isFloat(to)) {
    if (from === "f16") return a;
    if (from === "f32") return roundTo(t, "f16", promote(x, a));
    if (to === "f32") return x.unary(from === "u32" ? OP.f32_convert_i32_u : OP.f32_convert_i32_s, "f32", a);
    return roundTo(t, "f16", x.unary(from === "u32" ? OP.f64_convert_i32_u : OP.f64_convert_i32_s, "f64", a));
  }
  return isFloat(from) ? truncate(t, from, to === "i32", a) : x.fours.integer(a);
}

/** Clamped to what both types can hold; NaN gives 0. */
function truncate(t: ArithmeticTarget, from: Kind, isSigned: boolean, a: Expr): Expr {
  const { x } = t;
  const op = isSigned ? OP.i32_trunc_sat_f32_s : OP.i32_trunc_sat_f32_u;
  const integer = t.keep(x.unary(op, "i32", a));
  if (from === "f32") {
    const [limit, most] = isSigned ? [0x7fffffff, 2147483520] : [-1, 4294967040];
    return x.select(x.binary(OP.i32_eq, "i32", integer, x.i32(limit)), x.i32(most), integer);
  }
  const below = x.binary(isSigned ? OP.i32_lt_s : OP.i32_lt_u, "i32", integer, x.i32(65504));
  const bounded = t.keep(x.select(below, integer, x.i32(65504)));
  if (!isSigned) return bounded;
  return x.select(x.binary(OP.i32_gt_s, "i32", bounded, x.i32(-65504)), bounded, x.i32(-65504));
}

/** All scalars of a value at once, as two f16 are one word. spec: #bitcast-builtin */
export function bitcast(t: ArithmeticTarget, from: Kind, to: Kind, values: readonly Expr[]): Expr[] {
  const { x, library } = t;
  if ((from === "f16") !== (to === "f16")) {
    const words = (list: readonly Expr[]): Expr[] => bitcast(t, wordKind(from), "u32", list);
    if (to === "f16") {
      return words(values).flatMap((word) => {
        const kept = t.keep(word);
        const high = x.binary(OP.i32_shr_u, "i32", kept, x.i32(16));
        return [library.call(x, "f16_from_bits", kept), library.call(x, "f16_from_bits", high)];
      });
    }
    const out: Expr[] = [];
    for (let i = 0; i < values.length; i += 2) {
      const word = library.call(x, "pack2x16float", values[i], values[i + 1]);
      out.push(...bitcast(t, "u32", to, [word]));
    }
    return out;
  }
  const [source, target] = [wasmType(from), wasmType(to)];
  if (source === target) return [...values];
  const op = target === "f32" ? OP.f32_reinterpret_i32 : OP.i32_reinterpret_f32;
  return values.map((value) => x.unary(op, target, value));
}

function wordKind(kind: Kind): Kind {
  return kind === "f16" ? "u32" : kind;
}

export function select(t: ArithmeticTarget, condition: Expr, ifTrue: Expr, ifFalse: Expr): Expr {
  return t.x.select(condition, ifTrue, ifFalse);
}

// ------------------------------------------------------------------ builtin functions

/** f32 operations that give what the elementary function of that name gives, for f16 without rounding. */
const EXACT: Readonly<Record<string, number>> = {
  abs: OP.f32_abs,
  ceil: OP.f32_ceil,
  floor: OP.f32_floor,
  round: OP.f32_nearest,
  trunc: OP.f32_trunc,
  modf_whole: OP.f32_trunc,
};

/** Short enough to stand where they are used. */
const INLINE: ReadonlySet<string> = new Set([
  "degrees",
  "fma",
  "fract",
  "inverseSqrt",
  "mix",
  "modfFract",
  "radians",
  "shortCos",
  "shortExp",
  "shortExp2",
  "shortLog",
  "shortLog2",
  "shortPow",
  "shortSin",
  "shortTan",
  "smoothstep",
  "sqrt",
]);

const ELEMENTARY_NAMES: Readonly<Record<string, MathFunctionName>> = {
  ...shortForms,
  modf_fract: "modfFract",
  frexp_fract: "frexpFract",
  frexp_exp: "frexpExp",
};

/** The numbers that a builtin function on floats computes with, where it stands in place. */
export function constantsOf(name: string): Iterable<number> {
  const elementary = ELEMENTARY_NAMES[name] ?? name;
  if (!INLINE.has(elementary)) return [];
  const { parameters, body }: MathFunction = mathFunctions[elementary as MathFunctionName];
  return studyBody(body, parameters.length).constants;
}

/** One component of a numeric builtin function. `kind` is that of its first argument. */
export function builtin(t: ArithmeticTarget, name: string, kind: Kind, args: readonly Expr[]): Expr {
  return isFloat(kind) ? floatBuiltin(t, name, kind, args) : integerBuiltin(t, name, kind === "i32", args);
}

function floatBuiltin(t: ArithmeticTarget, name: string, kind: Kind, args: readonly Expr[]): Expr {
  const { x } = t;
  const exact = EXACT[name];
  if (exact !== undefined) return x.unary(exact, "f32", args[0]);
  if (name === "sqrt" && kind === "f32") return x.unary(OP.f32_sqrt, "f32", args[0]);
  // As `inverseSqrtF32`.
  if (name === "inverseSqrt" && kind === "f32") {
    return x.binary(OP.f32_div, "f32", x.f32(1), x.unary(OP.f32_sqrt, "f32", args[0]));
  }
  if (name === "quantizeToF16") return roundTo(t, "f16", promote(x, args[0]));
  const chosen = choosingBuiltin(t, name, args);
  if (chosen !== null) return chosen;
  const elementary = ELEMENTARY_NAMES[name] ?? (name as MathFunctionName);
  const { parameters, result } = mathFunctions[elementary];
  const wide = args.map((arg, index) => (parameters[index].kind === "f64" ? promote(x, arg) : arg));
  const value = INLINE.has(elementary) ? inlineMath(t, elementary, wide) : t.library.callMath(x, elementary, wide);
  return result === "i32" ? value : roundTo(t, kind, value);
}

/** Those that give one of their arguments or a constant, and so need no f64. As in `math-common.ts`. */
function choosingBuiltin(t: ArithmeticTarget, name: string, args: readonly Expr[]): Expr | null {
  const { x } = t;
  const less = (a: Expr, b: Expr): Expr => x.binary(OP.f32_lt, "i32", a, b);
  const min = (a: Expr, b: Expr): Expr => {
    const [left, right] = [t.keep(a), t.keep(b)];
    return x.select(less(right, left), right, left);
  };
  const max = (a: Expr, b: Expr): Expr => {
    const [left, right] = [t.keep(a), t.keep(b)];
    return x.select(less(left, right), right, left);
  };
  switch (name) {
    case "min":
      return min(args[0], args[1]);
    case "max":
      return max(args[0], args[1]);
    case "clamp":
      return min(max(args[0], args[1]), args[2]);
    case "saturate":
      return min(max(args[0], x.f32(0)), x.f32(1));
    case "step":
      return x.select(x.binary(OP.f32_le, "i32", args[0], args[1]), x.f32(1), x.f32(0));
    case "sign": {
      const value = t.keep(args[0]);
      return x.select(less(value, x.f32(0)), x.f32(-1), x.select(less(x.f32(0), value), x.f32(1), x.f32(0)));
    }
    default:
      return null;
  }
}

function integerBuiltin(t: ArithmeticTarget, name: string, isSigned: boolean, args: readonly Expr[]): Expr {
  const { x, library } = t;
  const i32 = (op: number, a: Expr, b: Expr): Expr => x.binary(op, "i32", a, b);
  const less = isSigned ? OP.i32_lt_s : OP.i32_lt_u;
  switch (name) {
    case "min":
      return smaller(t, less, args[0], args[1]);
    case "max":
      return larger(t, less, args[0], args[1]);
    case "clamp":
      return smaller(t, less, larger(t, less, args[0], args[1]), args[2]);
    case "abs": {
      if (!isSigned) return args[0];
      const value = t.keep(args[0]);
      return x.select(i32(OP.i32_lt_s, value, x.i32(0)), i32(OP.i32_sub, x.i32(0), value), value);
    }
    case "sign": {
      const value = t.keep(args[0]);
      return i32(OP.i32_sub, i32(OP.i32_gt_s, value, x.i32(0)), i32(OP.i32_shr_u, value, x.i32(31)));
    }
    case "countOneBits":
      return x.unary(OP.i32_popcnt, "i32", args[0]);
    case "countLeadingZeros":
      return x.unary(OP.i32_clz, "i32", args[0]);
    case "countTrailingZeros":
      return x.unary(OP.i32_ctz, "i32", args[0]);
    case "firstLeadingBit": {
      if (!isSigned) return i32(OP.i32_sub, x.i32(31), x.unary(OP.i32_clz, "i32", args[0]));
      // The sign bit counts for nothing: it is flipped away.
      const value = t.keep(args[0]);
      const bits = i32(OP.i32_xor, value, i32(OP.i32_shr_s, value, x.i32(31)));
      return i32(OP.i32_sub, x.i32(31), x.unary(OP.i32_clz, "i32", bits));
    }
    case "firstTrailingBit": {
      const value = t.keep(args[0]);
      return x.select(value, x.unary(OP.i32_ctz, "i32", value), x.i32(-1));
    }
    case "reverseBits":
      return library.call(x, "reverseBits", args[0]);
    case "extractBits":
      return library.call(x, isSigned ? "extractBits_i32" : "extractBits_u32", args[0], args[1], args[2]);
    case "insertBits":
      return library.call(x, "insertBits", args[0], args[1], args[2], args[3]);
    default:
      throw new Error(`internal: no operation ‘${name}’ on integers`);
  }
}

function smaller(t: ArithmeticTarget, less: number, a: Expr, b: Expr): Expr {
  const { x } = t;
  const [left, right] = [t.keep(a), t.keep(b)];
  const result = x.select(x.binary(less, "i32", left, right), left, right);
  const [first, second] = [x.facts.range(left), x.facts.range(right)];
  const isUnsigned = less === OP.i32_lt_u || (first.high <= 0x7fffffff && second.high <= 0x7fffffff);
  if (!isUnsigned || isConstant(result)) return result;
  return x.ranged(result, Math.min(first.low, second.low), Math.min(first.high, second.high));
}

function larger(t: ArithmeticTarget, less: number, a: Expr, b: Expr): Expr {
  const { x } = t;
  const [left, right] = [t.keep(a), t.keep(b)];
  const result = x.select(x.binary(less, "i32", left, right), right, left);
  const [first, second] = [x.facts.range(left), x.facts.range(right)];
  if (isConstant(result)) return result;
  if (less === OP.i32_lt_u || (first.high <= 0x7fffffff && second.high <= 0x7fffffff)) {
    return x.ranged(result, Math.max(first.low, second.low), Math.max(first.high, second.high));
  }
  // At least something that is not negative, as i32: then it is not negative either.
  const notNegative = [first, second].find((range) => range.high <= 0x7fffffff);
  return notNegative === undefined ? result : x.ranged(result, notNegative.low, 0x7fffffff);
}

// ------------------------------------------------------------------ packing

/** Functions between a word and several scalars; null: `name` is none of them. */
export function packing(t: ArithmeticTarget, name: string, args: readonly (readonly Expr[])[]): Expr[] | null {
  const { x, library } = t;
  if (name.startsWith("pack") || name.startsWith("dot4")) {
    return [library.call(x, name, ...args.flat())];
  }
  if (!name.startsWith("unpack")) return null;
  const word = t.keep(args[0][0]);
  const isWide = name.startsWith("unpack2x16");
  const signed = (index: number): Expr => {
    const shifted = x.binary(OP.i32_shr_u, "i32", word, x.i32(index * (isWide ? 16 : 8)));
    return x.unary(isWide ? OP.i32_extend16_s : OP.i32_extend8_s, "i32", shifted);
  };
  const unsigned = (index: number): Expr => {
    const shifted = x.binary(OP.i32_shr_u, "i32", word, x.i32(index * (isWide ? 16 : 8)));
    return x.binary(OP.i32_and, "i32", shifted, x.i32(isWide ? 0xffff : 0xff));
  };
  const unorm = (index: number): Expr => {
    const wide = x.unary(OP.f64_convert_i32_s, "f64", unsigned(index));
    const quotient = x.binary(OP.f64_div, "f64", wide, x.f64(isWide ? 65535 : 255));
    return x.unary(OP.f32_demote_f64, "f32", quotient);
  };
  const parts = isWide ? [0, 1] : [0, 1, 2, 3];
  switch (name) {
    case "unpack4xI8":
      return parts.map(signed);
    case "unpack4xU8":
      return parts.map(unsigned);
    case "unpack4x8unorm":
    case "unpack2x16unorm":
      return parts.map(unorm);
    case "unpack4x8snorm":
      return parts.map((index) => library.call(x, "unpack_snorm8", signed(index)));
    case "unpack2x16snorm":
      return parts.map((index) => library.call(x, "unpack_snorm16", signed(index)));
    case "unpack2x16float":
      return parts.map((index) => library.call(x, "f16_from_bits", unsigned(index)));
    default:
      throw new Error(`internal: no operation ‘${name}’`);
  }
}
