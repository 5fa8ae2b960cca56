/** How text lies on a terminal: tabs, wide and combining characters, characters that must not reach a terminal. */

/** Columns from one tab stop to the next. */
const TAB = 4;

/** Two columns: what East Asian scripts take, and pictures. Unicode Standard Annex 11, classes W and F. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]|^\p{Emoji_Presentation}/u;

/** No column of their own: combining marks, joiners, variation selectors. */
const NARROW = /^(?:\p{Mn}|\p{Me}|\p{Default_Ignorable_Code_Point})/u;

/** Would move the cursor, or turn the direction of what follows and so show a text other than the one that is there. */
const UNSAFE = /^(?:[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff])/u;

/** Columns that one code point takes. */
function columnsOf(character: string): number {
  const code = character.codePointAt(0) as number;
  if (code < 0x7f) return 1;
  if (NARROW.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Columns that a text takes, which must hold no tabs. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

/** What is shown for a character that a terminal would take as a command. */
function shown(character: string): string {
  if (!UNSAFE.test(character)) return character;
  const code = character.codePointAt(0) as number;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}

/** Text from elsewhere (a name, a message, a path) made fit for one line of a terminal. */
export function printable(text: string): string {
  let result = "";
  for (const character of text) result += shown(character);
  return result;
}

/** A line as a terminal shows it, with the column of each UTF-16 unit. */
export interface DisplayLine {
  readonly text: string;
  /** One entry per UTF-16 unit and one for the end; columns from 0. */
  readonly columns: readonly number[];
  readonly width: number;
}

export function displayLine(line: string): DisplayLine {
  const columns: number[] = [];
  let text = "";
  let width = 0;
  for (const character of line) {
    const tab = character === "\t";
    const step = tab ? TAB - (width % TAB) : columnsOf(shown(character));
    for (let unit = 0; unit < character.length; unit++) columns.push(width);
    text += tab ? " ".repeat(step) : shown(character);
    width += step;
  }
  columns.push(width);
  return { text, columns, width };
}

/** The part of a text without tabs that lies in columns `from` to `to`; a wide character at an edge becomes a blank. */
export function sliceColumns(text: string, from: number, to: number): string {
  let result = "";
  let column = 0;
  for (const character of text) {
    const width = columnsOf(character);
    const inside = column >= from && column + width <= to;
    if (inside && (width > 0 || column > from)) result += character;
    else if (width === 2 && column < to && column + 2 > from) result += " ";
    column += width;
    if (column > to) break;
  }
  return result;
}

/** Padded with blanks to a width in columns. */
export function padColumns(text: string, width: number, side: "left" | "right" = "right"): string {
  const blanks = " ".repeat(Math.max(0, width - displayWidth(text)));
  return side === "right" ? text + blanks : blanks + text;
}
