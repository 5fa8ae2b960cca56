import type { Span } from "./source.ts";

/** Replace a span of one text. */
export interface Edit {
  readonly span: Span;
  readonly text: string;
}

/** Applies edits that do not overlap; throws RangeError when two do. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const ordered = [...edits].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  let result = "";
  let at = 0;
  for (const edit of ordered) {
    if (edit.span.start < at) throw new RangeError("edits overlap");
    result += text.slice(at, edit.span.start) + edit.text;
    at = edit.span.end;
  }
  return result + text.slice(at);
}
