/** The bodies of the library's functions that are not elementary functions; see `numeric` for what they mean. */
import type { ExprFunction, Routine } from "./expr-function.ts";
import type { Expr } from "./expression.ts";
import { OP } from "./instructions.ts";

const i32 = (f: ExprFunction, op: number, a: Expr, b: Expr | number): Expr =>
  f.x.binary(op, "i32", a, typeof b === "number" ? f.x.i32(b) : b);

/** A f64 rounded once to f16. As in `roundToF16`: adding a power of two leaves no room for more fraction bits. */
function roundToF16(f: ExprFunction, value: Expr): Expr {
  const { x } = f;
  const magnitude = f.keep(x.unary(OP.f64_abs, "f64", value));
  const fits = x.binary(OP.f64_lt, "i32", magnitude, x.f64(65520));
  const rounded = f.branch(
    fits,
    "f64",
    () => {
      const bits = x.unary(OP.i64_reinterpret_f64, "i64", magnitude);
      const field = x.unary(OP.i32_wrap_i64, "i32", x.binary(OP.i64_shr_u, "i64", bits, x.i64(52)));
      const exponent = f.keep(i32(f, OP.i32_sub, field, 1023));
      const least = x.select(i32(f, OP.i32_gt_s, exponent, -14), exponent, x.i32(-14));
      const power = x.unary(OP.i64_extend_i32_u, "i64", i32(f, OP.i32_add, least, 42 + 1023));
      const bitsOfPower = x.binary(OP.i64_shl, "i64", power, x.i64(52));
      const shifter = f.keep(x.unary(OP.f64_reinterpret_i64, "f64", bitsOfPower));
      return x.binary(OP.f64_sub, "f64", x.binary(OP.f64_add, "f64", magnitude, shifter), shifter);
    },
    // An infinity, or NaN.
    () => x.binary(OP.f64_add, "f64", magnitude, x.f64(Infinity)),
  );
  return x.unary(OP.f32_demote_f64, "f32", x.binary(OP.f64_copysign, "f64", rounded, value));
}

/** The 16 bits of a f32 that is rounded to f16. */
function f16Bits(f: ExprFunction, value: Expr): Expr {
  const { x } = f;
  const rounded = f.keep(f.library.call(x, "round_f16", x.unary(OP.f64_promote_f32, "f64", value)));
  const bits = f.keep(x.unary(OP.i32_reinterpret_f32, "i32", rounded));
  const sign = i32(f, OP.i32_and, i32(f, OP.i32_shr_u, bits, 16), 0x8000);
  const magnitude = f.keep(i32(f, OP.i32_and, bits, 0x7fffffff));
  const scaled = x.binary(OP.f32_mul, "f32", x.unary(OP.f32_abs, "f32", rounded), x.f32(2 ** 24));
  const subnormal = x.unary(OP.i32_trunc_sat_f32_s, "i32", scaled);
  const normal = i32(f, OP.i32_sub, i32(f, OP.i32_shr_u, magnitude, 13), (127 - 15) << 10);
  const isSubnormal = i32(f, OP.i32_lt_u, magnitude, (127 - 14) << 23);
  const finite = x.select(isSubnormal, subnormal, normal);
  const number = x.select(i32(f, OP.i32_ge_u, magnitude, 0x7f800000), x.i32(0x7c00), finite);
  const isNan = i32(f, OP.i32_gt_u, magnitude, 0x7f800000);
  return x.select(isNan, x.i32(0x7e00), i32(f, OP.i32_or, number, sign));
}

/** The f16 with the lower 16 bits, as the f32 that it equals. */
function f16FromBits(f: ExprFunction, bits: Expr): Expr {
  const { x } = f;
  const magnitude = f.keep(i32(f, OP.i32_and, bits, 0x7fff));
  const normal = i32(f, OP.i32_add, i32(f, OP.i32_shl, magnitude, 13), (127 - 15) << 23);
  const subnormal = x.binary(OP.f32_mul, "f32", x.unary(OP.f32_convert_i32_s, "f32", magnitude), x.f32(2 ** -24));
  const subnormalBits = x.unary(OP.i32_reinterpret_f32, "i32", subnormal);
  const finite = x.select(i32(f, OP.i32_lt_u, magnitude, 0x400), subnormalBits, normal);
  const special = x.select(i32(f, OP.i32_gt_u, magnitude, 0x7c00), x.i32(0x7fc00000), x.i32(0x7f800000));
  const all = x.select(i32(f, OP.i32_ge_u, magnitude, 0x7c00), special, finite);
  const sign = i32(f, OP.i32_shl, i32(f, OP.i32_and, bits, 0x8000), 16);
  const isNan = i32(f, OP.i32_gt_u, magnitude, 0x7c00);
  return x.unary(OP.f32_reinterpret_i32, "f32", i32(f, OP.i32_or, all, x.select(isNan, x.i32(0), sign)));
}

function reverseBits(f: ExprFunction, value: Expr): Expr {
  const swapped = (from: Expr, shift: number, mask: number): Expr => {
    const kept = f.keep(from);
    const right = i32(f, OP.i32_and, i32(f, OP.i32_shr_u, kept, shift), mask);
    return i32(f, OP.i32_or, right, i32(f, OP.i32_shl, i32(f, OP.i32_and, kept, mask), shift));
  };
  const bytes = swapped(swapped(swapped(value, 1, 0x55555555), 2, 0x33333333), 4, 0x0f0f0f0f);
  const halves = f.keep(swapped(bytes, 8, 0x00ff00ff));
  return i32(f, OP.i32_or, i32(f, OP.i32_shr_u, halves, 16), i32(f, OP.i32_shl, halves, 16));
}

function least(f: ExprFunction, a: Expr, b: Expr): Expr {
  const [left, right] = [f.keep(a), f.keep(b)];
  return f.keep(f.x.select(i32(f, OP.i32_lt_u, left, right), left, right));
}

/** Where a bit field starts and how wide it is, cut off at 32. */
function field(f: ExprFunction, offset: Expr, count: Expr): { readonly start: Expr; readonly width: Expr } {
  const start = least(f, offset, f.x.i32(32));
  const width = least(f, count, i32(f, OP.i32_sub, f.x.i32(32), start));
  return { start, width };
}

function extractBits(shift: number) {
  return (f: ExprFunction, value: Expr, offset: Expr, count: Expr): Expr => {
    const { start, width } = field(f, offset, count);
    const unused = i32(f, OP.i32_sub, f.x.i32(32), width);
    const moved = i32(f, OP.i32_shl, value, i32(f, OP.i32_sub, unused, start));
    return f.x.select(width, i32(f, shift, moved, unused), f.x.i32(0));
  };
}

function insertBits(f: ExprFunction, value: Expr, bits: Expr, offset: Expr, count: Expr): Expr {
  const { start, width } = field(f, offset, count);
  const ones = i32(f, OP.i32_shr_u, f.x.i32(-1), i32(f, OP.i32_sub, f.x.i32(32), width));
  const mask = f.keep(i32(f, OP.i32_shl, ones, start));
  const kept = i32(f, OP.i32_and, value, i32(f, OP.i32_xor, mask, -1));
  const inserted = i32(f, OP.i32_and, i32(f, OP.i32_shl, bits, start), mask);
  return f.x.select(width, i32(f, OP.i32_or, kept, inserted), value);
}

/** floor(0.5 + scale · min(1, max(low, x))) as an integer; NaN counts as `low`. */
function normalized(f: ExprFunction, value: Expr, low: number, scale: number): Expr {
  const { x } = f;
  const wide = f.keep(x.unary(OP.f64_promote_f32, "f64", value));
  const below = x.select(x.binary(OP.f64_lt, "i32", wide, x.f64(1)), wide, x.f64(1));
  const clamped = x.select(x.binary(OP.f64_gt, "i32", wide, x.f64(low)), below, x.f64(low));
  const scaled = x.binary(OP.f64_mul, "f64", x.f64(scale), clamped);
  const floor = x.unary(OP.f64_floor, "f64", x.binary(OP.f64_add, "f64", x.f64(0.5), scaled));
  return x.unary(OP.i32_trunc_sat_f64_s, "i32", floor);
}

/** Integers of `bits` bits side by side, the first one lowest. */
function packed(f: ExprFunction, values: readonly Expr[], bits: number): Expr {
  const mask = 2 ** bits - 1;
  const parts = values.map((value, index) => i32(f, OP.i32_shl, i32(f, OP.i32_and, value, mask), index * bits));
  return parts.reduce((all, part) => i32(f, OP.i32_or, all, part));
}

const packNormalized = (low: number, scale: number, bits: number) => {
  return (f: ExprFunction, ...values: Expr[]): Expr => {
    const integers = values.map((value) => normalized(f, value, low, scale));
    return packed(f, integers, bits);
  };
};

function packI8Clamp(f: ExprFunction, ...values: Expr[]): Expr {
  const clamped = values.map((value) => {
    const below = f.keep(f.x.select(i32(f, OP.i32_lt_s, value, 127), value, f.x.i32(127)));
    return f.x.select(i32(f, OP.i32_gt_s, below, -128), below, f.x.i32(-128));
  });
  return packed(f, clamped, 8);
}

function packU8Clamp(f: ExprFunction, ...values: Expr[]): Expr {
  const clamped = values.map((value) => f.x.select(i32(f, OP.i32_lt_u, value, 255), value, f.x.i32(255)));
  return packed(f, clamped, 8);
}

function packHalves(f: ExprFunction, ...values: Expr[]): Expr {
  return packed(
    f,
    values.map((value) => f.library.call(f.x, "f16_bits", value)),
    16,
  );
}

/** Integer / scale, and not less than -1. */
function unpackSnorm(scale: number) {
  return (f: ExprFunction, integer: Expr): Expr => {
    const { x } = f;
    const wide = x.unary(OP.f64_convert_i32_s, "f64", integer);
    const quotient = f.keep(x.binary(OP.f64_div, "f64", wide, x.f64(scale)));
    const bounded = x.select(x.binary(OP.f64_gt, "i32", quotient, x.f64(-1)), quotient, x.f64(-1));
    return x.unary(OP.f32_demote_f64, "f32", bounded);
  };
}

/** Sum of the products of four bytes each, signed or not. */
function dot4(isSigned: boolean) {
  return (f: ExprFunction, a: Expr, b: Expr): Expr => {
    const byte = (value: Expr, index: number): Expr => {
      const shifted = i32(f, OP.i32_shr_u, value, index * 8);
      return isSigned ? f.x.unary(OP.i32_extend8_s, "i32", shifted) : i32(f, OP.i32_and, shifted, 0xff);
    };
    const products = [0, 1, 2, 3].map((index) => i32(f, OP.i32_mul, byte(a, index), byte(b, index)));
    return products.reduce((sum, product) => i32(f, OP.i32_add, sum, product));
  };
}

const four = ["f32", "f32", "f32", "f32"] as const;
const fourIntegers = ["i32", "i32", "i32", "i32"] as const;

export const routines = {
  round_f16: { parameters: ["f64"], result: "f32", body: roundToF16 },
  f16_bits: { parameters: ["f32"], result: "i32", body: f16Bits },
  f16_from_bits: { parameters: ["i32"], result: "f32", body: f16FromBits },
  reverseBits: { parameters: ["i32"], result: "i32", body: reverseBits },
  extractBits_i32: { parameters: ["i32", "i32", "i32"], result: "i32", body: extractBits(OP.i32_shr_s) },
  extractBits_u32: { parameters: ["i32", "i32", "i32"], result: "i32", body: extractBits(OP.i32_shr_u) },
  insertBits: { parameters: ["i32", "i32", "i32", "i32"], result: "i32", body: insertBits },
  pack4x8snorm: { parameters: four, result: "i32", body: packNormalized(-1, 127, 8) },
  pack4x8unorm: { parameters: four, result: "i32", body: packNormalized(0, 255, 8) },
  pack2x16snorm: { parameters: ["f32", "f32"], result: "i32", body: packNormalized(-1, 32767, 16) },
  pack2x16unorm: { parameters: ["f32", "f32"], result: "i32", body: packNormalized(0, 65535, 16) },
  pack2x16float: { parameters: ["f32", "f32"], result: "i32", body: packHalves },
  pack4xI8: { parameters: fourIntegers, result: "i32", body: (f, ...values) => packed(f, values, 8) },
  pack4xU8: { parameters: fourIntegers, result: "i32", body: (f, ...values) => packed(f, values, 8) },
  pack4xI8Clamp: { parameters: fourIntegers, result: "i32", body: packI8Clamp },
  pack4xU8Clamp: { parameters: fourIntegers, result: "i32", body: packU8Clamp },
  unpack_snorm8: { parameters: ["i32"], result: "f32", body: unpackSnorm(127) },
  unpack_snorm16: { parameters: ["i32"], result: "f32", body: unpackSnorm(32767) },
  dot4I8Packed: { parameters: ["i32", "i32"], result: "i32", body: dot4(true) },
  dot4U8Packed: { parameters: ["i32", "i32"], result: "i32", body: dot4(false) },
} as const satisfies Record<string, Routine>;
