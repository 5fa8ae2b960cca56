/**
 * The value of a numeric literal. spec: #numeric-literals
 *
 * Decimal literals are rounded once to their type (nearest, ties to even), whatever their length. A hexadecimal literal
 * with suffix has to be exact; without suffix it is rounded to AbstractFloat.
 */
import { F16_MAX, roundToF16 } from "./float16.ts";
import { F32_MAX, roundDownToF16, roundDownToF32, roundUpToF16, roundUpToF32 } from "./float32.ts";
import { highWord, lowWord, scaledByPower } from "./float64.ts";
import { ABSTRACT_INT_MAX, I32_MAX, U32_MAX } from "./integer.ts";

/** The type of a literal, spelled as in diagnostics. */
export type LiteralKind = "abstract-int" | "i32" | "u32" | "abstract-float" | "f32" | "f16";

export type NumericLiteral =
  | { readonly ok: true; readonly kind: "abstract-int"; readonly value: bigint }
  | { readonly ok: true; readonly kind: "i32" | "u32" | "abstract-float" | "f32" | "f16"; readonly value: number }
  /** The text is no numeric literal of the grammar. */
  | { readonly ok: false; readonly reason: "malformed"; readonly kind: null }
  /** The value is above the largest one of `kind`. */
  | { readonly ok: false; readonly reason: "overflow"; readonly kind: LiteralKind }
  /** `kind` has no value equal to this hexadecimal literal. */
  | { readonly ok: false; readonly reason: "inexact"; readonly kind: "f32" | "f16" };

type FloatKind = "abstract-float" | "f32" | "f16";

// int_literal : decimal_int_literal | hex_int_literal
const integerPattern = /^(?:0|[1-9][0-9]*|0[xX][0-9a-fA-F]+)[iu]?$/;
// decimal_float_literal
const decimalFloatPattern =
  /^(?:(?:0|[1-9][0-9]*)(?=[fh])|(?:[0-9]*\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)[fh]?$/;
// hex_float_literal: digits before and after the point, exponent, suffix
const hexFloatPattern =
  /^0[xX](?=[0-9a-fA-F.]*[.pP])(?=\.?[0-9a-fA-F])([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?(?:[pP]([+-]?[0-9]+)([fh]?))?$/;

/** The value of `text`, which is a whole token without sign; says why if there is none. */
export function parseNumericLiteral(text: string): NumericLiteral {
  // Most are short and decimal: their parts are not worth a list of matches.
  const last = text[text.length - 1];
  if (integerPattern.test(text)) return parseInteger(text, last);
  if (decimalFloatPattern.test(text)) return parseDecimalFloat(text, floatKind(last));
  const hex = hexFloatPattern.exec(text);
  if (hex) return parseHexFloat(hex[1], hex[2] ?? "", hex[3] ?? "0", floatKind(hex[4]));
  return { ok: false, reason: "malformed", kind: null };
}

function floatKind(suffix: string | undefined): FloatKind {
  if (suffix === "f") return "f32";
  return suffix === "h" ? "f16" : "abstract-float";
}

/** An integer of so many characters is a number without rounding, which is quicker to read than a bigint. */
const SAFE_LENGTH = 15;

function parseInteger(text: string, last: string): NumericLiteral {
  if (last !== "i" && last !== "u") {
    const value = BigInt(text.length > SAFE_LENGTH ? text : Number(text));
    if (value > ABSTRACT_INT_MAX) return { ok: false, reason: "overflow", kind: "abstract-int" };
    return { ok: true, kind: "abstract-int", value };
  }
  const kind = last === "i" ? "i32" : "u32";
  // Rounded where it is far too large only.
  const value = Number(text.slice(0, -1));
  if (value > (kind === "i32" ? I32_MAX : U32_MAX)) return { ok: false, reason: "overflow", kind };
  return { ok: true, kind, value };
}

function maximum(kind: FloatKind): number {
  if (kind === "f32") return F32_MAX;
  return kind === "f16" ? F16_MAX : Number.MAX_VALUE;
}

// --- decimal ---

function parseDecimalFloat(text: string, kind: FloatKind): NumericLiteral {
  const digits = kind === "abstract-float" ? text : text.slice(0, -1);
  const value = Number(digits);
  if (value > maximum(kind)) return { ok: false, reason: "overflow", kind };
  return { ok: true, kind, value: kind === "abstract-float" ? value : narrowDecimal(digits, value, kind) };
}

/**
 * `value` is `digits` rounded to f64. Rounding that again goes wrong only where it fell on the middle between two values
 * of `kind`: there the digits themselves decide.
 */
function narrowDecimal(digits: string, value: number, kind: "f32" | "f16"): number {
  const low = kind === "f32" ? roundDownToF32(value) : roundDownToF16(value);
  const high = kind === "f32" ? roundUpToF32(value) : roundUpToF16(value);
  const order = value === (low + high) / 2 && low !== high ? compareDecimal(digits, value) : 0;
  if (order !== 0) return order < 0 ? low : high;
  return kind === "f32" ? Math.fround(value) : roundToF16(value);
}

/** Negative, zero or positive as the decimal is below, equal to or above the finite positive `value`. */
function compareDecimal(digits: string, value: number): number {
  const [significand, exponentText = "0"] = digits.toLowerCase().split("e");
  const [whole, fraction = ""] = significand.split(".");
  const exponent10 = Number(exponentText) - fraction.length;
  const exponent2 = Math.max((highWord(value) >>> 20) - 1075, -1074);
  const left =
    BigInt(whole + fraction) * 10n ** BigInt(Math.max(exponent10, 0)) * 2n ** BigInt(Math.max(-exponent2, 0));
  const right = f64Significand(value) * 2n ** BigInt(Math.max(exponent2, 0)) * 10n ** BigInt(Math.max(-exponent10, 0));
  return left === right ? 0 : left < right ? -1 : 1;
}

/** The integer m of a positive finite `value` = m · 2^e, where e belongs to the exponent field. */
function f64Significand(value: number): bigint {
  const high = highWord(value);
  const hidden = high >>> 20 === 0 ? 0 : 0x100000;
  return (BigInt((high & 0xfffff) | hidden) << 32n) | BigInt(lowWord(value) >>> 0);
}

// --- hexadecimal ---

function parseHexFloat(whole: string, fraction: string, exponentText: string, kind: FloatKind): NumericLiteral {
  let significand = BigInt(`0x${whole}${fraction}`);
  if (significand === 0n) return { ok: true, kind, value: 0 };
  let exponent = Number(exponentText) - 4 * fraction.length;
  const length = significand.toString(2).length;
  if (exponent + length > 1024) return { ok: false, reason: "overflow", kind };
  // How many bits lie below the last one that f64 has at this magnitude; they are rounded away.
  const excess = Math.max(length - 53, -1074 - exponent);
  let exact = true;
  if (excess > length + 1) {
    [significand, exponent, exact] = [0n, 0, false];
  } else if (excess > 0) {
    const rounded = roundShift(significand, BigInt(excess));
    exact = rounded << BigInt(excess) === significand;
    [significand, exponent] = [rounded, exponent + excess];
  }
  const value = scaledByPower(Number(significand), exponent);
  if (value > maximum(kind)) return { ok: false, reason: "overflow", kind };
  if (kind !== "abstract-float") {
    const narrowed = kind === "f32" ? Math.fround(value) : roundToF16(value);
    if (!exact || narrowed !== value) return { ok: false, reason: "inexact", kind };
  }
  return { ok: true, kind, value };
}

/** `x` / 2^`amount`, to the nearest integer, ties to even. */
function roundShift(x: bigint, amount: bigint): bigint {
  const quotient = x >> amount;
  const rest = x - (quotient << amount);
  const half = 1n << (amount - 1n);
  return rest > half || (rest === half && (quotient & 1n) === 1n) ? quotient + 1n : quotient;
}
