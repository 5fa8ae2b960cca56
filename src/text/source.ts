/** A half-open range of UTF-16 offsets in one source text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A place for people: line and column from 1, offset in UTF-16 units from 0. */
export interface Position {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

export function span(start: number, end: number): Span {
  return { start, end };
}

export function isSameSpan(one: Span, other: Span): boolean {
  return one.start === other.start && one.end === other.end;
}

/** The smallest span that covers both. */
export function cover(first: Span, last: Span): Span {
  return { start: Math.min(first.start, last.start), end: Math.max(first.end, last.end) };
}

/** One text with its name and an index of its lines, made when first asked for. */
export class Source {
  readonly path: string;
  readonly text: string;
  #lineStarts: readonly number[] | null = null;

  constructor(text: string, path = "shader.wgsl") {
    this.text = text;
    this.path = path;
  }

  /** Offset of the first unit of each line. */
  get lineStarts(): readonly number[] {
    this.#lineStarts ??= computeLineStarts(this.text);
    return this.#lineStarts;
  }

  position(offset: number): Position {
    const clamped = Math.max(0, Math.min(offset, this.text.length));
    const line = lineIndexAt(this.lineStarts, clamped);
    return { line: line + 1, column: clamped - this.lineStarts[line] + 1, offset: clamped };
  }

  /** The text of a line (from 1) without its line break. */
  line(number: number): string {
    const start = this.lineStarts[number - 1];
    if (start === undefined) return "";
    let end = this.lineStarts[number] ?? this.text.length;
    // By hand: a line of minified code may have millions of units, and is asked for with each message about it.
    if (end > start && isLineBreak(this.text.charCodeAt(end - 1))) {
      end -= end > start + 1 && this.text.startsWith("\r\n", end - 2) ? 2 : 1;
    }
    return this.text.slice(start, end);
  }

  slice(range: Span): string {
    return this.text.slice(range.start, range.end);
  }
}

// spec: #blankspace-and-line-breaks
function computeLineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x0d && text.charCodeAt(i + 1) === 0x0a) i++;
    else if (!isLineBreak(unit)) continue;
    starts.push(i + 1);
  }
  return starts;
}

/** spec: #line-break */
export function isLineBreak(unit: number): boolean {
  return (unit >= 0x0a && unit <= 0x0d) || unit === 0x85 || unit === 0x2028 || unit === 0x2029;
}

/** Index of the first of numbers in order that is not less than a limit. */
export function firstFrom(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last of these places, in order, that is not behind `offset`. */
export function lineIndexAt(starts: readonly number[], offset: number): number {
  return Math.max(0, firstFrom(starts, offset + 1) - 1);
}
