/**
 * Integer arithmetic of WGSL.
 *
 * An i32 is a number from -2^31 to 2^31-1, a u32 a number from 0 to 2^32-1, an AbstractInt a bigint of the i64 range.
 * Plain names are what a running shader does; `checked…` names are for const- and override-expressions and return a
 * {@link NumericFailure} where the shader or the pipeline must be refused. Nothing here allocates, except bigints.
 */

/** Why a value known before the shader runs is refused. `typeof result === "string"` tells it from a value. */
export type NumericFailure =
  /** The result is outside of the type. */
  | "overflow"
  /** The right operand of `/` or `%` is zero. */
  | "zero-divisor"
  /** The shift amount is not less than the bit width. */
  | "shift-amount"
  /** `offset + count` of a bit field is more than 32. */
  | "bit-range";

export const I32_MIN = -0x80000000;
export const I32_MAX = 0x7fffffff;
export const U32_MAX = 0xffffffff;
export const ABSTRACT_INT_MIN = -(1n << 63n);
export const ABSTRACT_INT_MAX = (1n << 63n) - 1n;

// --- arithmetic; spec: #arithmetic-expr ---

export function addI32(a: number, b: number): number {
  return (a + b) | 0;
}

export function subtractI32(a: number, b: number): number {
  return (a - b) | 0;
}

export function multiplyI32(a: number, b: number): number {
  return Math.imul(a, b);
}

export function negateI32(a: number): number {
  return -a | 0;
}

/** `a / b`, truncated; `a` if `b` is zero or the quotient overflows. */
export function divideI32(a: number, b: number): number {
  return b === 0 ? a : (a / b) | 0;
}

/** `a % b` with the sign of `a`; 0 if `b` is zero or the quotient overflows. */
export function remainderI32(a: number, b: number): number {
  return b === 0 ? 0 : (a % b) | 0;
}

export function addU32(a: number, b: number): number {
  return (a + b) >>> 0;
}

export function subtractU32(a: number, b: number): number {
  return (a - b) >>> 0;
}

export function multiplyU32(a: number, b: number): number {
  return Math.imul(a, b) >>> 0;
}

/** `a / b`, truncated; `a` if `b` is zero. */
export function divideU32(a: number, b: number): number {
  return b === 0 ? a : (a / b) >>> 0;
}

/** `a % b`; 0 if `b` is zero. */
export function remainderU32(a: number, b: number): number {
  return b === 0 ? 0 : (a % b) >>> 0;
}

export function checkedDivideI32(a: number, b: number): number | NumericFailure {
  if (b === 0) return "zero-divisor";
  return a === I32_MIN && b === -1 ? "overflow" : divideI32(a, b);
}

export function checkedRemainderI32(a: number, b: number): number | NumericFailure {
  if (b === 0) return "zero-divisor";
  return a === I32_MIN && b === -1 ? "overflow" : remainderI32(a, b);
}

export function checkedDivideU32(a: number, b: number): number | NumericFailure {
  return b === 0 ? "zero-divisor" : divideU32(a, b);
}

export function checkedRemainderU32(a: number, b: number): number | NumericFailure {
  return b === 0 ? "zero-divisor" : remainderU32(a, b);
}

/** |`a`|, and `a` itself for the lowest value. spec: #abs-float-builtin */
export function absI32(a: number): number {
  return (a < 0 ? -a : a) | 0;
}

/** spec: #sign-builtin */
export function signI32(a: number): number {
  return (a > 0 ? 1 : 0) - (a < 0 ? 1 : 0);
}

// --- shifts; spec: #bit-expr ---

/** `a << amount`; the amount counts modulo 32. */
export function shiftLeftI32(a: number, amount: number): number {
  return a << amount;
}

export function shiftRightI32(a: number, amount: number): number {
  return a >> amount;
}

export function shiftLeftU32(a: number, amount: number): number {
  return (a << amount) >>> 0;
}

export function shiftRightU32(a: number, amount: number): number {
  return a >>> amount;
}

/** Refuses to shift out a bit that differs from the sign of the result. */
export function checkedShiftLeftI32(a: number, amount: number): number | NumericFailure {
  if (amount > 31) return "shift-amount";
  const shifted = a << amount;
  return shifted >> amount === a ? shifted : "overflow";
}

/** Refuses to shift out a one. */
export function checkedShiftLeftU32(a: number, amount: number): number | NumericFailure {
  if (amount > 31) return "shift-amount";
  const shifted = (a << amount) >>> 0;
  return shifted >>> amount === a ? shifted : "overflow";
}

export function checkedShiftRightI32(a: number, amount: number): number | NumericFailure {
  return amount > 31 ? "shift-amount" : a >> amount;
}

export function checkedShiftRightU32(a: number, amount: number): number | NumericFailure {
  return amount > 31 ? "shift-amount" : a >>> amount;
}

// --- AbstractInt; spec: #abstract-types ---

/** `a` if it is an AbstractInt. */
export function checkedAbstractInt(a: bigint): bigint | NumericFailure {
  return a < ABSTRACT_INT_MIN || a > ABSTRACT_INT_MAX ? "overflow" : a;
}

export function checkedAddAbstractInt(a: bigint, b: bigint): bigint | NumericFailure {
  return checkedAbstractInt(a + b);
}

export function checkedSubtractAbstractInt(a: bigint, b: bigint): bigint | NumericFailure {
  return checkedAbstractInt(a - b);
}

export function checkedMultiplyAbstractInt(a: bigint, b: bigint): bigint | NumericFailure {
  return checkedAbstractInt(a * b);
}

export function checkedDivideAbstractInt(a: bigint, b: bigint): bigint | NumericFailure {
  return b === 0n ? "zero-divisor" : checkedAbstractInt(a / b);
}

export function checkedRemainderAbstractInt(a: bigint, b: bigint): bigint | NumericFailure {
  if (b === 0n) return "zero-divisor";
  return a === ABSTRACT_INT_MIN && b === -1n ? "overflow" : a % b;
}

/** Negation never fails: the lowest value is its own. */
export function negateAbstractInt(a: bigint): bigint {
  return BigInt.asIntN(64, -a);
}

/** |`a`|, and `a` itself for the lowest value. */
export function absAbstractInt(a: bigint): bigint {
  return a < 0n ? negateAbstractInt(a) : a;
}

export function signAbstractInt(a: bigint): bigint {
  if (a === 0n) return 0n;
  return a > 0n ? 1n : -1n;
}

/** `a << amount` for a u32 amount; only zero can be shifted by 64 and more. */
export function checkedShiftLeftAbstractInt(a: bigint, amount: number): bigint | NumericFailure {
  if (a === 0n) return 0n;
  return amount > 63 ? "overflow" : checkedAbstractInt(a << BigInt(amount));
}

/** `a >> amount` for a u32 amount; there is no upper limit. */
export function shiftRightAbstractInt(a: bigint, amount: number): bigint {
  return a >> BigInt(Math.min(amount, 64));
}

// --- bit counting; the results fit i32 and u32 alike ---

/** spec: #countOneBits-builtin */
export function countOneBits(a: number): number {
  let count = a - ((a >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  count = (count + (count >>> 4)) & 0x0f0f0f0f;
  return Math.imul(count, 0x01010101) >>> 24;
}

/** spec: #countLeadingZeros-builtin */
export function countLeadingZeros(a: number): number {
  return Math.clz32(a);
}

/** spec: #countTrailingZeros-builtin */
export function countTrailingZeros(a: number): number {
  return (a | 0) === 0 ? 32 : 31 - Math.clz32(a & -a);
}

/** spec: #firstLeadingBit-signed-builtin */
export function firstLeadingBitI32(a: number): number {
  return 31 - Math.clz32(a < 0 ? ~a : a);
}

/** spec: #firstLeadingBit-unsigned-builtin */
export function firstLeadingBitU32(a: number): number {
  return (31 - Math.clz32(a)) >>> 0;
}

/** -1 if there is none. spec: #firstTrailingBit-builtin */
export function firstTrailingBitI32(a: number): number {
  return 31 - Math.clz32(a & -a);
}

/** 0xffffffff if there is none. spec: #firstTrailingBit-builtin */
export function firstTrailingBitU32(a: number): number {
  return (31 - Math.clz32(a & -a)) >>> 0;
}

/** spec: #reverseBits-builtin */
export function reverseBitsI32(a: number): number {
  let bits = ((a >>> 1) & 0x55555555) | ((a & 0x55555555) << 1);
  bits = ((bits >>> 2) & 0x33333333) | ((bits & 0x33333333) << 2);
  bits = ((bits >>> 4) & 0x0f0f0f0f) | ((bits & 0x0f0f0f0f) << 4);
  bits = ((bits >>> 8) & 0x00ff00ff) | ((bits & 0x00ff00ff) << 8);
  return (bits >>> 16) | (bits << 16);
}

/** spec: #reverseBits-builtin */
export function reverseBitsU32(a: number): number {
  return reverseBitsI32(a) >>> 0;
}

// --- bit fields; offset and count are u32 ---

/** Whether const-expressions may use this field; if not, it is a "bit-range" failure. spec: #extractBits-signed-builtin */
export function bitRangeFits(offset: number, count: number): boolean {
  return offset + count <= 32;
}

/** spec: #extractBits-signed-builtin */
export function extractBitsI32(a: number, offset: number, count: number): number {
  const start = Math.min(offset, 32);
  const width = Math.min(count, 32 - start);
  return width === 0 ? 0 : (a << (32 - start - width)) >> (32 - width);
}

/** spec: #extractBits-unsigned-builtin */
export function extractBitsU32(a: number, offset: number, count: number): number {
  const start = Math.min(offset, 32);
  const width = Math.min(count, 32 - start);
  return width === 0 ? 0 : (a << (32 - start - width)) >>> (32 - width);
}

/** spec: #insertBits-builtin */
export function insertBitsI32(a: number, newBits: number, offset: number, count: number): number {
  const start = Math.min(offset, 32);
  const width = Math.min(count, 32 - start);
  if (width === 0) return a | 0;
  const mask = (0xffffffff >>> (32 - width)) << start;
  return (a & ~mask) | ((newBits << start) & mask);
}

/** spec: #insertBits-builtin */
export function insertBitsU32(a: number, newBits: number, offset: number, count: number): number {
  return insertBitsI32(a, newBits, offset, count) >>> 0;
}

// --- dot products of packed bytes ---

/** Sum of the products of four unsigned bytes, as a u32. spec: #dot4U8Packed-builtin */
export function dot4U8Packed(a: number, b: number): number {
  return (
    (a & 0xff) * (b & 0xff) +
    ((a >>> 8) & 0xff) * ((b >>> 8) & 0xff) +
    ((a >>> 16) & 0xff) * ((b >>> 16) & 0xff) +
    (a >>> 24) * (b >>> 24)
  );
}

/** Sum of the products of four signed bytes, as an i32. spec: #dot4I8Packed-builtin */
export function dot4I8Packed(a: number, b: number): number {
  return (
    (Math.imul((a << 24) >> 24, (b << 24) >> 24) +
      Math.imul((a << 16) >> 24, (b << 16) >> 24) +
      Math.imul((a << 8) >> 24, (b << 8) >> 24) +
      Math.imul(a >> 24, b >> 24)) |
    0
  );
}
