/** How far a numeric literal reaches. spec: #numeric-literals; its value: `numeric/literal.ts`. */
import { isDigit, isHexDigit } from "./characters.ts";

const PLUS = 0x2b;
const MINUS = 0x2d;
const PERIOD = 0x2e;
const ZERO = 0x30;
const E = 0x65;
const P = 0x70;
const X = 0x78;

/** The end of the longest literal that begins at `start`, where a digit stands, or a period with a digit behind it. */
export function numberEnd(text: string, start: number): number {
  if (text.charCodeAt(start) === ZERO && lower(text, start + 1) === X) return hexEnd(text, start);
  return decimalEnd(text, start);
}

// hex_int_literal, hex_float_literal
function hexEnd(text: string, start: number): number {
  const whole = skip(text, start + 2, isHexDigit);
  let end = whole;
  if (text.charCodeAt(whole) === PERIOD) {
    const fraction = skip(text, whole + 1, isHexDigit);
    if (whole > start + 2 || fraction > whole + 1) end = fraction;
  }
  const hasDigits = end > start + 2;
  if (!hasDigits) return start + 1;
  const exponent = exponentEnd(text, end, P);
  if (exponent > end) return suffixEnd(text, exponent, "fh");
  return end === whole ? suffixEnd(text, end, "iu") : end;
}

// decimal_int_literal, decimal_float_literal
function decimalEnd(text: string, start: number): number {
  let whole = start;
  while (isDigit(text.charCodeAt(whole))) whole++;
  let end = whole;
  if (text.charCodeAt(whole) === PERIOD) end = skip(text, whole + 1, isDigit);
  const exponent = exponentEnd(text, end, E);
  if (exponent > whole) return suffixEnd(text, exponent, "fh");
  return suffixEnd(text, whole, "iufh");
}

/** Behind `e+12`, or `start` where there is no exponent. */
function exponentEnd(text: string, start: number, letter: number): number {
  if (lower(text, start) !== letter) return start;
  const sign = text.charCodeAt(start + 1);
  const digits = sign === PLUS || sign === MINUS ? start + 2 : start + 1;
  const end = skip(text, digits, isDigit);
  return end > digits ? end : start;
}

function suffixEnd(text: string, position: number, suffixes: string): number {
  const unit = text.charCodeAt(position);
  for (let at = 0; at < suffixes.length; at++) if (suffixes.charCodeAt(at) === unit) return position + 1;
  return position;
}

function skip(text: string, position: number, isOne: (unit: number) => boolean): number {
  while (isOne(text.charCodeAt(position))) position++;
  return position;
}

/** A letter in lower case; what is no letter may become another unit that is none. */
function lower(text: string, position: number): number {
  return text.charCodeAt(position) | 0x20;
}
