/** Classes of characters. spec: #textual-structure */
import { XID_CONTINUE, XID_START } from "./identifiers.gen.ts";

const NULL = 0x00;
const BYTE_ORDER_MARK = 0xfeff;

/** spec: #blankspace-and-line-breaks. Pattern_White_Space; all of it lies in the basic plane. */
export function isBlankspace(unit: number): boolean {
  return (
    unit === 0x20 ||
    (unit >= 0x09 && unit <= 0x0d) ||
    unit === 0x85 ||
    unit === 0x200e ||
    unit === 0x200f ||
    unit === 0x2028 ||
    unit === 0x2029
  );
}

export function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

export function isHexDigit(unit: number): boolean {
  return isDigit(unit) || (unit >= 0x41 && unit <= 0x46) || (unit >= 0x61 && unit <= 0x66);
}

function isLetter(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a);
}

const START = 1;
const CONTINUE = 2;

/** By bytes: bits START and CONTINUE, for ASCII. */
const identifierClass = Uint8Array.from({ length: 256 }, (_, unit) => {
  if (isLetter(unit) || unit === 0x5f) return START | CONTINUE;
  return isDigit(unit) ? CONTINUE : 0;
});

/**
 * Where runs of code points begin and end, in turn. Not the properties that the JavaScript engine knows: its Unicode is
 * newer than that of WGSL, by how much depends on the engine.
 */
function boundaries(runs: string): Uint32Array {
  const numbers = runs.split(" ");
  const found = new Uint32Array(numbers.length);
  let at = 0;
  for (let i = 0; i < numbers.length; i++) {
    at += Number.parseInt(numbers[i], 36);
    found[i] = at;
  }
  return found;
}

let starts: Uint32Array | null = null;
let continuations: Uint32Array | null = null;

function isWithin(runs: Uint32Array, codePoint: number): boolean {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (runs[middle] <= codePoint) low = middle + 1;
    else high = middle;
  }
  // So many boundaries lie at or before it: an odd number inside a run.
  return low % 2 === 1;
}

/** spec: #identifiers. `_` or XID_Start. */
export function isIdentifierStart(codePoint: number): boolean {
  if (codePoint < 128) return (identifierClass[codePoint] & START) !== 0;
  return isWithin((starts ??= boundaries(XID_START)), codePoint);
}

/** Whether a unit is ASCII and can go on an identifier. */
export function isAsciiIdentifierPart(unit: number): boolean {
  return (identifierClass[unit] & CONTINUE) !== 0;
}

/** The end of the run of XID_Continue that begins at `position`. */
export function identifierEnd(text: string, position: number): number {
  for (;;) {
    const unit = text.charCodeAt(position);
    if (unit < 128) {
      if ((identifierClass[unit] & CONTINUE) === 0) return position;
      position++;
      continue;
    }
    const codePoint = text.codePointAt(position);
    if (codePoint === undefined || !isWithin((continuations ??= boundaries(XID_CONTINUE)), codePoint)) return position;
    position += codePoint > 0xffff ? 2 : 1;
  }
}

export function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/**
 * Whether what stands at `position` can be in no WGSL text, be it in a comment: the null code point, and half a surrogate
 * pair, which UTF-8 cannot express.
 */
export function isForbidden(text: string, position: number): boolean {
  const unit = text.charCodeAt(position);
  if (unit === NULL) return true;
  if (!isSurrogate(unit)) return false;
  const codePoint = text.codePointAt(position) ?? 0;
  if (codePoint > 0xffff) return false;
  const isTail = position > 0 && unit >= 0xdc00 && (text.codePointAt(position - 1) ?? 0) > 0xffff;
  return !isTail;
}

export function isByteOrderMark(unit: number): boolean {
  return unit === BYTE_ORDER_MARK;
}

const invisiblePattern = /^[\p{Z}\p{Cf}]$/u;

/** Looks like nothing or like a space, but is not blankspace of WGSL. */
export function isInvisible(codePoint: number): boolean {
  return codePoint > 127 && invisiblePattern.test(String.fromCodePoint(codePoint));
}

/** Looks like a space. */
export function isSpace(codePoint: number): boolean {
  return /^\p{Z}$/u.test(String.fromCodePoint(codePoint));
}

/** `U+00A0` */
export function codePointName(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
}
