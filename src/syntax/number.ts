/** How far a numeric literal reaches, in a text as bytes. spec: #numeric-literals; its value: `numeric/literal.ts`. */
import { isDigit, isHexDigit } from "./characters.ts";

const PLUS = 0x2b;
const MINUS = 0x2d;
const PERIOD = 0x2e;
const ZERO = 0x30;
const E = 0x65;
const P = 0x70;
const X = 0x78;

/** The end of the longest literal that begins at `start`, where a digit stands, or a period with a digit behind it. */
export function numberEnd(units: Uint8Array, start: number): number {
  if (units[start] === ZERO && lower(units, start + 1) === X) return hexEnd(units, start);
  return decimalEnd(units, start);
}

// hex_int_literal, hex_float_literal
function hexEnd(units: Uint8Array, start: number): number {
  const whole = skipHexDigits(units, start + 2);
  let end = whole;
  if (units[whole] === PERIOD) {
    const fraction = skipHexDigits(units, whole + 1);
    if (whole > start + 2 || fraction > whole + 1) end = fraction;
  }
  const hasDigits = end > start + 2;
  if (!hasDigits) return start + 1;
  const exponent = exponentEnd(units, end, P);
  if (exponent > end) return suffixEnd(units, exponent, "fh");
  return end === whole ? suffixEnd(units, end, "iu") : end;
}

// decimal_int_literal, decimal_float_literal
function decimalEnd(units: Uint8Array, start: number): number {
  const whole = skipDigits(units, start);
  const end = units[whole] === PERIOD ? skipDigits(units, whole + 1) : whole;
  const exponent = exponentEnd(units, end, E);
  if (exponent > whole) return suffixEnd(units, exponent, "fh");
  return suffixEnd(units, whole, "iufh");
}

/** Behind `e+12`, or `start` where there is no exponent. */
function exponentEnd(units: Uint8Array, start: number, letter: number): number {
  if (lower(units, start) !== letter) return start;
  const sign = units[start + 1];
  const digits = sign === PLUS || sign === MINUS ? start + 2 : start + 1;
  const end = skipDigits(units, digits);
  return end > digits ? end : start;
}

function suffixEnd(units: Uint8Array, position: number, suffixes: string): number {
  const unit = units[position];
  for (let at = 0; at < suffixes.length; at++) if (suffixes.charCodeAt(at) === unit) return position + 1;
  return position;
}

function skipDigits(units: Uint8Array, position: number): number {
  while (isDigit(units[position])) position++;
  return position;
}

function skipHexDigits(units: Uint8Array, position: number): number {
  while (isHexDigit(units[position])) position++;
  return position;
}

/** A letter in lower case; what is no letter may become another unit that is none. */
function lower(units: Uint8Array, position: number): number {
  return units[position] | 0x20;
}
