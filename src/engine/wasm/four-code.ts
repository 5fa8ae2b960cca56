/** The code of expressions with four lanes: which instructions do for four what an operation does for one. */
import type { ByteWriter } from "./encoder.ts";
import type { Expr } from "./expression.ts";
import { FOUR, isFour, isWide } from "./four.ts";
import { OP, type ScalarType } from "./instructions.ts";

type Write = (out: ByteWriter, expr: Expr) => void;

/** Lanes of 32 bits. */
const NARROW: ReadonlyMap<number, number> = new Map([
  [OP.i32_add, OP.i32x4_add],
  [OP.i32_sub, OP.i32x4_sub],
  [OP.i32_mul, OP.i32x4_mul],
  [OP.i32_and, OP.v128_and],
  [OP.i32_or, OP.v128_or],
  [OP.i32_xor, OP.v128_xor],
  [OP.i32_eq, OP.i32x4_eq],
  [OP.i32_ne, OP.i32x4_ne],
  [OP.i32_lt_s, OP.i32x4_lt_s],
  [OP.i32_lt_u, OP.i32x4_lt_u],
  [OP.i32_gt_s, OP.i32x4_gt_s],
  [OP.i32_gt_u, OP.i32x4_gt_u],
  [OP.i32_le_s, OP.i32x4_le_s],
  [OP.i32_le_u, OP.i32x4_le_u],
  [OP.i32_ge_s, OP.i32x4_ge_s],
  [OP.i32_ge_u, OP.i32x4_ge_u],
  [OP.f32_eq, OP.f32x4_eq],
  [OP.f32_ne, OP.f32x4_ne],
  [OP.f32_lt, OP.f32x4_lt],
  [OP.f32_gt, OP.f32x4_gt],
  [OP.f32_le, OP.f32x4_le],
  [OP.f32_ge, OP.f32x4_ge],
  [OP.f32_abs, OP.f32x4_abs],
  [OP.f32_neg, OP.f32x4_neg],
  [OP.f32_ceil, OP.f32x4_ceil],
  [OP.f32_floor, OP.f32x4_floor],
  [OP.f32_trunc, OP.f32x4_trunc],
  [OP.f32_nearest, OP.f32x4_nearest],
  [OP.f32_sqrt, OP.f32x4_sqrt],
  [OP.f32_add, OP.f32x4_add],
  [OP.f32_sub, OP.f32x4_sub],
  [OP.f32_mul, OP.f32x4_mul],
  [OP.f32_div, OP.f32x4_div],
  [OP.f32_convert_i32_s, OP.f32x4_convert_i32x4_s],
  [OP.f32_convert_i32_u, OP.f32x4_convert_i32x4_u],
  [OP.i32_trunc_sat_f32_s, OP.i32x4_trunc_sat_f32x4_s],
  [OP.i32_trunc_sat_f32_u, OP.i32x4_trunc_sat_f32x4_u],
]);

/** Lanes of 64 bits, two at a time. */
const WIDE: ReadonlyMap<number, number> = new Map([
  [OP.f64_eq, OP.f64x2_eq],
  [OP.f64_lt, OP.f64x2_lt],
  [OP.f64_gt, OP.f64x2_gt],
  [OP.f64_le, OP.f64x2_le],
  [OP.f64_abs, OP.f64x2_abs],
  [OP.f64_neg, OP.f64x2_neg],
  [OP.f64_ceil, OP.f64x2_ceil],
  [OP.f64_floor, OP.f64x2_floor],
  [OP.f64_trunc, OP.f64x2_trunc],
  [OP.f64_nearest, OP.f64x2_nearest],
  [OP.f64_sqrt, OP.f64x2_sqrt],
  [OP.f64_add, OP.f64x2_add],
  [OP.f64_sub, OP.f64x2_sub],
  [OP.f64_mul, OP.f64x2_mul],
  [OP.f64_div, OP.f64x2_div],
  [OP.i64_add, OP.i64x2_add],
  [OP.i64_and, OP.v128_and],
  [OP.i64_or, OP.v128_or],
  [OP.i64_xor, OP.v128_xor],
  [OP.i32_and, OP.v128_and],
  [OP.i32_or, OP.v128_or],
  [OP.i32_xor, OP.v128_xor],
]);

const SHIFTS: ReadonlyMap<number, number> = new Map([
  [OP.i32_shl, OP.i32x4_shl],
  [OP.i32_shr_s, OP.i32x4_shr_s],
  [OP.i32_shr_u, OP.i32x4_shr_u],
  [OP.i64_shl, OP.i64x2_shl],
  [OP.i64_shr_u, OP.i64x2_shr_u],
]);

/** From lanes of 32 bits to lanes of 64: of the lower two, and of the upper two where that is another instruction. */
const WIDENING: ReadonlyMap<number, readonly [low: number, high: number | null]> = new Map([
  [OP.f64_promote_f32, [OP.f64x2_promote_low_f32x4, null]],
  [OP.f64_convert_i32_s, [OP.f64x2_convert_low_i32x4_s, null]],
  [OP.f64_convert_i32_u, [OP.f64x2_convert_low_i32x4_u, null]],
  [OP.i64_extend_i32_u, [OP.i64x2_extend_low_i32x4_u, OP.i64x2_extend_high_i32x4_u]],
  [FOUR.widen, [OP.i64x2_extend_low_i32x4_s, OP.i64x2_extend_high_i32x4_s]],
]);

const SPLATS: Readonly<Record<ScalarType, number>> = {
  i32: OP.i32x4_splat,
  i64: OP.i64x2_splat,
  f32: OP.f32x4_splat,
  f64: OP.f64x2_splat,
};

const REPLACEMENTS: Readonly<Record<ScalarType, number>> = {
  i32: OP.i32x4_replace_lane,
  i64: OP.i64x2_replace_lane,
  f32: OP.f32x4_replace_lane,
  f64: OP.f64x2_replace_lane,
};

/** From lanes of 64 bits to lanes of 32: what is done with each half, and which words of the two make the result. */
const NARROWING: ReadonlyMap<number, { readonly each: number | null; readonly words: readonly number[] }> = new Map([
  [FOUR.narrow, { each: null, words: [0, 2, 4, 6] }],
  [OP.i32_wrap_i64, { each: null, words: [0, 2, 4, 6] }],
  [OP.f32_demote_f64, { each: OP.f32x4_demote_f64x2_zero, words: [0, 1, 4, 5] }],
  [OP.i32_trunc_sat_f64_s, { each: OP.i32x4_trunc_sat_f64x2_s_zero, words: [0, 1, 4, 5] }],
]);

const isReinterpretation = (op: number): boolean => op >= OP.i32_reinterpret_f32 && op <= OP.f64_reinterpret_i64;

/** `write` is for scalars. */
export function writeFour(out: ByteWriter, expr: Expr, write: Write): void {
  if (isWide(expr.type)) throw new Error("internal: a value of two halves in one piece");
  new FourWriter(out, write).narrow(expr);
}

/** The lower two lanes of 64 bits, or the upper two. */
export function writeHalf(out: ByteWriter, expr: Expr, half: 0 | 1, write: Write): void {
  new FourWriter(out, write).half(expr, half);
}

class FourWriter {
  readonly #out: ByteWriter;
  readonly #write: Write;

  constructor(out: ByteWriter, write: Write) {
    this.#out = out;
    this.#write = write;
  }

  #op(...codes: readonly number[]): void {
    for (const code of codes) this.#out.opcode(code);
  }

  /** Lanes of 32 bits; a scalar is in all of them. */
  narrow(expr: Expr): void {
    const { op, type, args, value } = expr;
    if (!isFour(type)) this.#splat(expr);
    else if (op === OP.local_get || op === OP.if) this.#write(this.#out, expr);
    else if (op === OP.v128_load) {
      this.#write(this.#out, args[0]);
      this.#memory(op, value);
    } else if (op === OP.select) {
      this.narrow(args[0]);
      this.narrow(args[1]);
      this.#choose(args[2], () => this.narrow(args[2]));
    } else if (!this.#made(expr)) this.#operation(expr, NARROW, (arg) => this.narrow(arg));
  }

  /** What takes more than one instruction, or other operands; false where it is none of that. */
  #made({ op, args }: Expr): boolean {
    switch (op) {
      case FOUR.splat:
        this.#splat(args[0]);
        return true;
      case FOUR.build:
        this.#build(args);
        return true;
      case FOUR.count:
        this.#splat(args[0]);
        this.#words([0, 1, 2, 3]);
        this.#op(OP.i32x4_add);
        return true;
      case FOUR.mask:
        this.#scalarMask(args[0]);
        return true;
      case FOUR.integer:
        this.narrow(args[0]);
        this.#words([1, 1, 1, 1]);
        this.#op(OP.v128_and);
        return true;
      case OP.i32_eqz:
        this.narrow(args[0]);
        if (args[0].type === "b32x4") this.#op(OP.v128_not);
        else {
          this.#words([0, 0, 0, 0]);
          this.#op(OP.i32x4_eq);
        }
        return true;
      case OP.i32_extend8_s:
      case OP.i32_extend16_s:
        this.narrow(args[0]);
        this.#extend(op === OP.i32_extend8_s ? 24 : 16);
        return true;
      default:
        return this.#fromHalves(op, args[0]);
    }
  }

  /** From lanes of 64 bits; false where the operation is no such. */
  #fromHalves(op: number, arg: Expr): boolean {
    const narrowing = NARROWING.get(op);
    if (narrowing === undefined) return false;
    const { each, words } = narrowing;
    for (const half of [0, 1] as const) {
      this.half(arg, half);
      if (each !== null) this.#op(each);
    }
    this.#shuffle(words);
    return true;
  }

  /** The lower two lanes of 64 bits, or the upper two. */
  half(expr: Expr, half: 0 | 1): void {
    const { op, type, args } = expr;
    const widening = WIDENING.get(op);
    if (!isFour(type)) this.#splat(expr);
    else if (widening !== undefined) this.#widen(args[0], half, widening);
    else if (op === FOUR.halves) this.narrow(args[half]);
    else if (op === FOUR.build) this.#build(args.slice(2 * half, 2 * half + 2));
    else if (op === OP.select) {
      this.half(args[0], half);
      this.half(args[1], half);
      this.#choose(args[2], () => this.half(args[2], half));
    } else if (op === OP.i32_eqz) {
      this.half(args[0], half);
      this.#op(OP.v128_not);
    } else if (op === OP.f64_copysign) {
      this.half(args[0], half);
      this.half(args[1], half);
      this.#words([-1, 0x7fffffff, -1, 0x7fffffff]);
      this.#op(OP.v128_bitselect);
    } else this.#operation(expr, WIDE, (arg) => this.half(arg, half));
  }

  #operation({ op, args }: Expr, codes: ReadonlyMap<number, number>, operand: (arg: Expr) => void): void {
    operand(args[0]);
    if (isReinterpretation(op)) return;
    const shift = SHIFTS.get(op);
    if (shift !== undefined) {
      this.#amount(args[1]);
      this.#op(shift);
      return;
    }
    const code = op >= OP.v128_load ? op : codes.get(op);
    if (code === undefined) throw new Error(`internal: no instruction for four of 0x${op.toString(16)}`);
    for (const arg of args.slice(1)) operand(arg);
    this.#op(code);
  }

  #amount(expr: Expr): void {
    if (expr.op === OP.i64_const) this.#integer(expr.value);
    else this.#write(this.#out, expr);
  }

  #integer(value: number): void {
    this.#out.byte(OP.i32_const);
    this.#out.signed(value);
  }

  /** Lanes of which some upper bits are unused. */
  #extend(unused: number): void {
    for (const shift of [OP.i32x4_shl, OP.i32x4_shr_s]) {
      this.#integer(unused);
      this.#op(shift);
    }
  }

  #widen(arg: Expr, half: 0 | 1, [low, high]: readonly [number, number | null]): void {
    this.narrow(arg);
    if (half === 1 && high === null) {
      this.narrow(arg);
      this.#shuffle([2, 3, 2, 3]);
    }
    this.#op(half === 0 ? low : (high ?? low));
  }

  /** Behind two values. */
  #choose(condition: Expr, mask: () => void): void {
    if (isFour(condition.type)) {
      mask();
      this.#op(OP.v128_bitselect);
    } else {
      this.#write(this.#out, condition);
      this.#op(OP.select);
    }
  }

  #splat(expr: Expr): void {
    const { op, type, args, value } = expr;
    const high = Math.floor(value / 2 ** 32);
    switch (op) {
      case OP.i32_const:
        this.#words([value, value, value, value]);
        break;
      case OP.i64_const:
        this.#words([value | 0, high, value | 0, high]);
        break;
      case OP.i32_load:
      case OP.f32_load:
      case OP.f64_load:
        this.#write(this.#out, args[0]);
        this.#memory(op === OP.f64_load ? OP.v128_load64_splat : OP.v128_load32_splat, value);
        break;
      default:
        this.#write(this.#out, expr);
        this.#op(SPLATS[type as ScalarType]);
    }
  }

  #build(parts: readonly Expr[]): void {
    const replace = REPLACEMENTS[parts[0].type as ScalarType];
    this.#splat(parts[0]);
    for (const [lane, part] of parts.entries()) {
      if (lane === 0) continue;
      this.#write(this.#out, part);
      this.#op(replace);
      this.#out.byte(lane);
    }
  }

  /** 0 - (condition ≠ 0) */
  #scalarMask(condition: Expr): void {
    if (condition.op === OP.i32_const) {
      const word = condition.value === 0 ? 0 : -1;
      this.#words([word, word, word, word]);
      return;
    }
    this.#integer(0);
    this.#write(this.#out, condition);
    this.#op(OP.i32_eqz, OP.i32_eqz, OP.i32_sub, OP.i32x4_splat);
  }

  #memory(op: number, offset: number): void {
    this.#op(op);
    this.#out.unsigned(op === OP.v128_load64_splat ? 3 : 2);
    this.#out.unsigned(offset);
  }

  #words(words: readonly number[]): void {
    this.#op(OP.v128_const);
    for (const word of words) for (let shift = 0; shift < 32; shift += 8) this.#out.byte((word >> shift) & 0xff);
  }

  /** Words of the two values on the stack, 4 to 7 of the second one. */
  #shuffle(words: readonly number[]): void {
    this.#op(OP.i8x16_shuffle);
    for (const word of words) for (let byte = 0; byte < 4; byte++) this.#out.byte(word * 4 + byte);
  }
}
