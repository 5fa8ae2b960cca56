/** Text documents as the protocol counts them: lines from 0, ended by LF, CR LF or CR alone, which is less than in WGSL. */
import type { Position, Range, TextDocumentContentChangeEvent } from "vscode-languageserver/node";
import { lineIndexAt, type Span } from "../text/source.ts";

/** Places of one text; the index of its lines is made when first asked for. */
export class Places {
  readonly text: string;
  #starts: readonly number[] | null = null;

  constructor(text: string) {
    this.text = text;
  }

  get #lines(): readonly number[] {
    this.#starts ??= [0, ...[...this.text.matchAll(/\r\n?|\n/g)].map(({ index, 0: end }) => index + end.length)];
    return this.#starts;
  }

  position(offset: number): Position {
    const starts = this.#lines;
    const line = lineIndexAt(starts, offset);
    return { line, character: offset - starts[line] };
  }

  range({ start, end }: Span): Range {
    return { start: this.position(start), end: this.position(end) };
  }

  /** Places behind the end of a line are taken for its end. */
  offset({ line, character }: Position): number {
    const starts = this.#lines;
    if (line >= starts.length) return this.text.length;
    const end = starts[line + 1] ?? this.text.length;
    return Math.min(starts[line] + character, line + 1 < starts.length ? this.#withoutBreak(end) : end);
  }

  #withoutBreak(end: number): number {
    return end - (this.text.startsWith("\r\n", end - 2) ? 2 : 1);
  }

  span({ start, end }: Range): Span {
    return { start: this.offset(start), end: this.offset(end) };
  }
}

/** The text after changes, one after the other. */
export function changed(text: string, changes: readonly TextDocumentContentChangeEvent[]): string {
  let now = text;
  for (const change of changes) {
    if (!("range" in change)) now = change.text;
    else {
      const { start, end } = new Places(now).span(change.range);
      now = now.slice(0, start) + change.text + now.slice(end);
    }
  }
  return now;
}
