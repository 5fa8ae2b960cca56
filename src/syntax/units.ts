/**
 * A text as bytes, for what looks at every unit of it: a string takes many forms inside an engine, and asking one for a
 * unit costs several times as much as reading a byte.
 */

/** Stands for every unit that is not ASCII: which one, the text tells. */
export const NOT_ASCII = 0x80;
const FOUR_NOT_ASCII = 0x80808080;

/** Zeros behind the text, so that a few units can be read ahead. */
const MARGIN = 4;

/** Bytes that UTF-8 takes for one unit at most. */
const LONGEST = 3;
const FIRST_OF_SEVERAL = 0xc0;
/** Of a code point of two units. */
const FIRST_OF_FOUR = 0xf0;

/** Used again and again: bytes do not outlive the reading of their text. Those of very long texts go with the next. */
const KEPT = 1 << 20;
const encoder = new TextEncoder();

/**
 * The units of the text that was asked for last, as bytes. There is one object of this class, with room for all but the
 * longest texts from the start: an engine takes its fields for constants until they are set again. Where it need not ask
 * for them with each unit, it takes a fifth less time.
 */
class Units {
  declare bytes: Uint8Array<ArrayBuffer>;
  /** The same, for four at a time. */
  declare view: DataView;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
    this.view = new DataView(this.bytes.buffer);
  }
}

export const units = new Units(KEPT);

/** The units of the text, and a few zeros behind. Good until the next text is asked for. */
export function unitsOf(text: string): Uint8Array {
  const length = text.length;
  makeRoom(length);
  let { read, written } = encoder.encodeInto(text, units.bytes);
  if (read < length) {
    makeRoom(length * LONGEST);
    ({ read, written } = encoder.encodeInto(text, units.bytes));
  }
  // As UTF-8 a text is as long as it was only if all of it is ASCII.
  if (written > length) shorten(units.bytes, written);
  return units.bytes.fill(0, length, length + MARGIN);
}

function makeRoom(length: number): void {
  const size = Math.max(length + MARGIN, KEPT);
  const kept = units.bytes.length;
  if (size > kept || (size < kept && size === KEPT)) Object.assign(units, new Units(size));
}

/** Puts one byte for each UTF-16 unit where UTF-8 has one to three. */
function shorten(units: Uint8Array, written: number): void {
  const view = new DataView(units.buffer);
  let to = 0;
  for (let from = 0; from < written; ) {
    const start = from;
    while (from + 4 <= written && (view.getUint32(from) & FOUR_NOT_ASCII) === 0) from += 4;
    while (from < written && units[from] < NOT_ASCII) from++;
    units.copyWithin(to, start, from);
    to += from - start;
    for (; from < written && units[from] >= NOT_ASCII; from++) {
      const byte = units[from];
      if (byte >= FIRST_OF_SEVERAL) units[to++] = NOT_ASCII;
      if (byte >= FIRST_OF_FOUR) units[to++] = NOT_ASCII;
    }
  }
}
